"""Compare what two installations of driftgate print, byte for byte, on the same inputs: `OLD NEW`, two executables.

    python tests/compare_output.py old/bin/driftgate new/bin/driftgate

For changes that must change nothing. The inputs are made in a temporary folder; releases come from the cache (they are
read with --offline, so what is not cached is the same error on both sides). Prints the commands whose output, error
output or exit code differ, and exits with 1 if any does.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.extraction import bundles

DATA = Path(__file__).resolve().parent / "data"

COMMANDS = (
    "check",
    "check --format json",
    "check --format markdown",
    "check --format sarif",
    "check --format junit",
    "check --format gitlab",
    "check --format github",
    "check --against ../bundle.mjs",
    "check --against ../package.tgz",
    "check --against pinned --offline",
    "check --against 2.1.332 --offline",
    "check --against nowhere",
    "--config broken.yml check",
    "check --config broken.yml",
    "extract ../bundle.mjs",
    "extract ../bundle.mjs --format json -v",
    "extract ../chunks",
    "extract ../native",
    "extract ../sdk.d.ts",
    "extract 2.1.296 --offline",
    "extract 2.1.112 --offline --format json",
    "extract hooks.py",
    "extract ../mirrors/events.go",
    "extract ../mirrors/hook_event.rs --format json",
    "extract ../mirrors/hooks.md",
    "extract ../mirrors/schemas.ts -v",
    "diff ../bundle.mjs ../chunks",
    "diff ../bundle.mjs ../sdk.d.ts --format json",
    "diff hooks.py ../bundle.mjs --format markdown",
    "classify good.json bad.json",
    "classify bad.json --format json",
    "classify bad.json --show-names",
    "classify bad.json --releases",
    "classify bad.json --release 2.1.112",
    "classify broken.json",
    "history Setup",
    "history PreSkillShellCommand --format json",
    "history --since 2.1.300",
    "bisect 'event PostToolBatch' --offline",
    "init --dry-run",
    "export --format python",
    "export --format typescript",
    "export --format json-schema",
    "schema",
    "schema --of config",
    "schema --of report",
    "rules",
    "explain event-only-upstream",
    "explain unknown-event",
    "refresh --to ../bundle.mjs --dry-run",
    "accept event-only-upstream Setup --reason x",
    "nonsense",
    "--version",
    "--help",
    "check --help",
)


def make_inputs(root: Path) -> Path:
    """Write the inputs below `root` and return the project's folder."""
    project = root / "project"
    (root / "chunks").mkdir(parents=True)
    project.mkdir()
    (root / "bundle.mjs").write_text(bundles.bare(), encoding="utf-8")
    (root / "sdk.d.ts").write_text(bundles.declared(), encoding="utf-8")
    (root / "chunks/package.json").write_text('{"name": "@scope/tool", "version": "9.9.9"}', encoding="utf-8")
    for name, text in bundles.chunks().items():
        (root / "chunks" / name).write_text(text, encoding="utf-8")
    (root / "native").write_bytes(bundles.native([bundles.bare()]))
    (root / "mirrors").symlink_to(DATA / "mirrors")
    (project / "driftgate.yml").write_text(
        'pin: "2.1.296"\ndeclared:\n  hook_events: hooks.py#HOOK_EVENTS\n  hook_entry_types: hooks.py#TYPES\n'
        "accepted:\n- {rule: event-only-upstream, subject: Setup, reason: not here}\n",
        encoding="utf-8",
    )
    (project / "broken.yml").write_text("pinn: 1\n", encoding="utf-8")
    events = ("PreToolUse", "PostToolUse", "Stop", "SessionStrat")
    (project / "hooks.py").write_text(f"HOOK_EVENTS = {events!r}\nTYPES = ['command', 'prompt']\n", encoding="utf-8")
    entry = {"type": "command", "command": "x"}
    good = {"hooks": {"Stop": [{"hooks": [entry]}]}}
    bad = {"hooks": {"Stopp": [], "Stop": [{"hooks": [entry, {"type": "comand"}, {**entry, "timeout": 0, "x": 1}]}]}}
    (project / "good.json").write_text(json.dumps(good), encoding="utf-8")
    (project / "bad.json").write_text(json.dumps(bad, indent=2), encoding="utf-8")
    (project / "broken.json").write_text('{"hooks": {,}}', encoding="utf-8")
    return project


def said(executable: str, command: str, project: Path) -> str:
    """Return all that a command says, with what belongs to one installation taken out."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("DRIFTGATE_")}
    done = subprocess.run(  # noqa: S602 - our own commands
        f"{executable} {command}",
        shell=True,
        cwd=project,
        env={**environ, "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    text = f"exit {done.returncode}\n{done.stdout}\n--- standard error\n{done.stderr}"
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.+Z]+", "TIME", text)


def main() -> int:
    """Compare; return the exit code."""
    old, new = (str(Path(each).absolute()) for each in sys.argv[1:3])
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        project = make_inputs(Path(folder))
        for command in COMMANDS:
            before, after = (said(each, command, project) for each in (old, new))
            if before != after:
                differing += 1
                lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "old", "new", lineterm="", n=1)
                print(f"\n== driftgate {command}", *list(lines)[:40], sep="\n")
    print(f"{len(COMMANDS)} commands, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
