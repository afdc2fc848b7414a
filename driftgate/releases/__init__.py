"""What each release of Claude Code does with a settings document."""

from driftgate.releases.verdict import Basis, Cause, Verdict, load_verdict

__all__ = ["Basis", "Cause", "Verdict", "load_verdict"]
