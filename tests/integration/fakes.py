"""Stand-ins for what a runner has and a test has not: GitHub's command line, and a registry that answers.

Both are programs that steps find on PATH. The fake `python3` makes environments whose python is this one, so that the
steps install nothing and run the real driftgate. Where FAKE_LATEST names a snapshot, that is the newest release.
"""

import json
import os
import stat
import sys

GH = f"""#!{sys.executable}
import json, os, sys
from pathlib import Path

path = Path(os.environ["FAKE_GH"])
state = json.loads(path.read_text(encoding="utf-8"))
assert os.environ["GH_TOKEN"] == "the-token" and os.environ["GH_REPO"] == "owner/project"
what, words, options = sys.argv[1:3], [], {{}}
rest = iter(sys.argv[3:])
for word in rest:
    if word == "--force":
        continue
    if word.startswith("--"):
        options[word] = next(rest)
    else:
        words.append(word)
state["calls"].append(" ".join([*what, *words]))
body = sys.stdin.read() if options.get("--body-file") == "-" else None
if state.get("broken"):
    sys.exit("HTTP 403: Resource not accessible by integration")
if what == ["issue", "list"]:
    keys = options["--json"].split(",")
    assert options["--state"] == "all"
    print(json.dumps([{{key: issue[key] for key in keys}} for issue in state["issues"]]))
elif what == ["issue", "create"]:
    issue = dict(number=len(state["issues"]) + 1, title=options["--title"], body=body, state="OPEN", stateReason="")
    state["issues"].append(issue)
elif what[0] == "issue":
    issue = state["issues"][int(words[0]) - 1]
    if what[1] == "edit":
        issue["body"] = body
    elif what[1] == "close":
        issue.update(state="CLOSED", stateReason="COMPLETED")
    elif what[1] == "reopen":
        issue.update(state="OPEN", stateReason="REOPENED")
    else:
        sys.exit(f"what is {{what}}?")
elif what == ["pr", "list"]:
    assert options["--jq"] == ".[].number"
    print("".join(f"{{pull['number']}}\\n" for pull in state.get("pulls", [])))
elif what == ["pr", "create"]:
    state.setdefault("pulls", []).append(dict(number=7, title=options["--title"], body=body))
elif what == ["pr", "edit"]:
    state["pulls"][0].update(title=options["--title"], body=body)
elif what not in (["label", "create"], ["auth", "setup-git"]):
    sys.exit(f"what is {{what}}?")
path.write_text(json.dumps(state), encoding="utf-8")
"""

PYTHON3 = f"""#!/bin/bash
if [ "$1 $2 $3" = "-I -m venv" ]; then set -- "$2" "$3" "$4"; fi
if [ "$1 $2" = "-m venv" ]; then
  mkdir -p "$3/bin" && cp "$(dirname "$0")/fake-python" "$3/bin/python" && cp "$(dirname "$0")/pip" "$3/bin/pip" && exit
fi
exec {sys.executable} "$@"
"""

PYTHON = f"""#!/bin/bash
printf '%s\\0' "$@" >>"$FAKE_CALLS"
printf '\\n' >>"$FAKE_CALLS"
if [ "$1 $2 $3" = "-I -m pip" ] || [ "$1 $2" = "-m pip" ]; then exit "${{FAKE_PIP:-0}}"; fi
if [ "$1 $2 $3" = "-I -m driftgate" ] && [ -n "${{FAKE_LATEST:-}}" ]; then
  shift 3
  exec {sys.executable} "$(dirname "$(command -v fake-python)")/fake-registry" "$@"
fi
exec {sys.executable} "$@"
"""

REGISTRY = """\
import os
import sys
from pathlib import Path

import driftgate.gate.refresh
import driftgate.gate.observe
from driftgate.cli import main
from driftgate.upstreams.shipped import snapshots_dir
from driftgate.snapshot import load_snapshot

NEWEST = Path(os.environ["FAKE_LATEST"])


def observe(target, *args, **kwargs):
    shipped = snapshots_dir() / "claude-code" / f"{target}.yaml"
    named = [path for path in (target.path or shipped, shipped) if path.is_file()]
    return load_snapshot(NEWEST if str(target) == "latest" else named[0])


driftgate.gate.refresh.observe = driftgate.gate.observe.observe = observe
sys.exit(main(sys.argv[1:]))
"""

DRIFTGATE = """#!/bin/bash
exec fake-python -I -m driftgate "$@"
"""


PIP = """#!/bin/bash
exit 0
"""

PROGRAMS = {
    "gh": GH,
    "python3": PYTHON3,
    "python": PYTHON,
    "fake-python": PYTHON,
    "fake-registry": REGISTRY,
    "driftgate": DRIFTGATE,
    "pip": PIP,
    "pipx": PIP,
}


def install(folder):
    """Write the fake programs into `folder` and return the path of gh's state."""
    folder.mkdir()
    for name, text in PROGRAMS.items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    state = folder / "gh.json"
    state.write_text(json.dumps({"issues": [], "calls": []}), encoding="utf-8")
    return state


def clean_environment():
    """Return the environment without what would change driftgate's answers, and with this checkout importable."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DRIFTGATE_", "GITHUB_", "GH_", "FAKE_"))
    }
