"""What each release of Claude Code does with a settings document."""

from driftgate.releases.verdict import Basis, Cause, FileKind, Verdict, load_verdict
from driftgate.releases.vocabulary import known_releases, surface_of

__all__ = ["Basis", "Cause", "FileKind", "Verdict", "known_releases", "load_verdict", "surface_of"]
