"""A project that declares some of Claude Code's sets, and a runner for it."""

import json

import pytest

from driftgate.classifier.contract import HOOK_ENTRY_TYPES, HOOK_EVENTS
from driftgate.upstreams.shipped import snapshots_dir
from tests.integration import fakes
from tests.integration.runner import OWN, ROOT, Job, load, path_first

CONFIG = """\
pin: "2.1.296"
declared:
  hook_events: hooks.py#HOOK_EVENTS
  hook_entry_types: hooks.py#HOOK_ENTRY_TYPES
"""


class Project:
    """A repository under test on a runner with fake programs."""

    def __init__(self, folder):
        self.workspace = folder / "workspace"
        self.workspace.mkdir()
        self.temp = folder / "temp"
        self.temp.mkdir()
        self.bin = folder / "bin"
        self.gh = fakes.install(self.bin)
        self.calls = folder / "calls"
        self.newest = folder / "2.1.900.yaml"
        (self.workspace / "driftgate.yml").write_text(CONFIG, encoding="utf-8")
        self.declare(HOOK_EVENTS)
        self.environ = {
            **fakes.clean_environment(),
            "PATH": path_first(self.bin),
            "PYTHONPATH": str(ROOT),
            "DRIFTGATE_OFFLINE": "1",
            "DRIFTGATE_CACHE": str(folder / "cache"),
            "FAKE_GH": str(self.gh),
            "FAKE_CALLS": str(self.calls),
        }

    def declare(self, events, types=HOOK_ENTRY_TYPES):
        """Write the constants of the project."""
        lines = [f"HOOK_EVENTS = {tuple(events)!r}", f"HOOK_ENTRY_TYPES = {tuple(types)!r}"]
        (self.workspace / "hooks.py").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def release(self, *extra_events):
        """Make the newest release one that has `extra_events` besides those of the pin."""
        text = (snapshots_dir() / "claude-code" / "2.1.296.yaml").read_text(encoding="utf-8")
        first = f"  - {HOOK_EVENTS[0]}\n"
        assert first in text
        more = first + "".join(f"  - {json.dumps(event)}\n" for event in extra_events)
        text = text.replace(first, more, 1).replace('version: "2.1.296"', 'version: "2.1.900"', 1)
        self.newest.write_text(text, encoding="utf-8")
        self.environ["FAKE_LATEST"] = str(self.newest)

    def workflow(self, path, job, inputs=None, own=OWN):
        """Run one job of a workflow of this repository, on a fresh runner."""
        for stale in (*self.temp.glob("step-*"), self.calls):
            stale.unlink(missing_ok=True)
        run = Job(self.workspace, self.temp, self.environ, inputs or {}, own=own)
        run.run_job(load(path)["jobs"][job])
        return run

    def action(self, **inputs):
        """Run the action with `inputs` (`_` for `-`), and return the job and the action's outputs."""
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        run = Job(self.workspace, self.temp, self.environ)
        run.run_steps([{"id": "action", "uses": f"driftgate/driftgate@{40 * '0'}", "with": given}])
        return run, run.steps["action"].outputs

    def arguments(self):
        """Return the argument lists of every call of the environment's python."""
        return [line.split("\0")[:-1] for line in self.calls.read_text(encoding="utf-8").split("\n")[:-1]]

    def driftgate(self):
        """Return the arguments of each run of driftgate, but for the outputs."""
        calls = [call[3:] for call in self.arguments() if call[:3] == ["-I", "-m", "driftgate"]]
        return [[argument for argument in call if not argument.startswith("--output=")] for call in calls]

    def github(self):
        """Return what the fake GitHub holds."""
        return json.loads(self.gh.read_text(encoding="utf-8"))

    def change_github(self, **changes):
        """Change what the fake GitHub holds."""
        self.gh.write_text(json.dumps({**self.github(), **changes}), encoding="utf-8")

    def open_issues(self):
        """Return the titles of the open issues."""
        return [issue["title"] for issue in self.github()["issues"] if issue["state"] == "OPEN"]


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)
