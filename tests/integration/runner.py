"""A small runner of GitHub workflows: it takes the real steps out of the YAML and runs their shell as GitHub does.

It knows what this repository's files use: `run` steps with `env`, `id` and `if`, composite actions by `$/`, the
contexts inputs, steps, github, jobs, and `==`, `&&`, `!=`, always(). An expression that it does not know fails the
test. Steps that only set up a runner (actions/...) are passed over.
"""

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def load(path):
    """Return a workflow or an action as data; the key `on` stays a text."""
    return yaml.load((ROOT / path).read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 - our own files


class _Loader(yaml.SafeLoader):
    pass


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@dataclass
class Step:
    """What a step that ran left behind."""

    code: int
    stdout: str
    outputs: dict[str, str]
    name: str

    @property
    def outcome(self):
        return "success" if self.code == 0 else "failure"


@dataclass
class Job:
    """One run of a list of steps on a fresh runner."""

    workspace: Path
    temp: Path
    environ: dict[str, str]
    inputs: dict[str, str] = field(default_factory=dict)
    steps: dict[str, Step] = field(default_factory=dict)
    ran: list[Step] = field(default_factory=list)
    failed: bool = False
    summary: str = ""

    @property
    def log(self):
        return "".join(step.stdout for step in self.ran)

    def value(self, expression):
        """Return what a context expression stands for."""
        if expression in GITHUB:
            return GITHUB[expression]
        if match := re.fullmatch(r"inputs\.([\w-]+)", expression):
            return str(self.inputs.get(match[1], ""))
        if match := re.fullmatch(r"steps\.([\w-]+)\.outputs\.([\w-]+)", expression):
            return self.steps[match[1]].outputs.get(match[2], "") if match[1] in self.steps else ""
        if match := re.fullmatch(r"steps\.([\w-]+)\.outcome", expression):
            return self.steps[match[1]].outcome if match[1] in self.steps else "skipped"
        raise AssertionError(f"the runner of the tests does not know the expression {expression!r}")

    def text(self, text):
        return EXPRESSION.sub(lambda match: self.value(match[1]), str(text))

    def is_due(self, condition):
        if condition is None:
            return not self.failed
        terms = [term.strip() for term in str(condition).split("&&")]
        always = "always()" in terms
        return (always or not self.failed) and all(self._holds(term) for term in terms if term != "always()")

    def _holds(self, term):
        match = re.fullmatch(r"(\S+)\s*(==|!=)\s*'([^']*)'", term)
        assert match, f"the runner of the tests does not know the condition {term!r}"
        return (self.value(match[1]) == match[3]) == (match[2] == "==")

    def run_job(self, job):
        """Run a job: its steps, or those of the workflow of this repository that it calls."""
        if "uses" not in job:
            self.run_steps(job["steps"])
            return
        match = re.fullmatch(r"driftgate/driftgate/(\.github/workflows/[\w-]+\.yml)@[0-9a-f]{40}", job["uses"])
        assert match
        called = load(match[1])
        specs = called["on"]["workflow_call"]["inputs"]
        given = {name: self.text(value) for name, value in job.get("with", {}).items()}
        assert given.keys() <= specs.keys()
        assert not [name for name, spec in specs.items() if spec.get("required") == "true" and name not in given]
        (inner,) = called["jobs"].values()
        # GitHub refuses to start a called job that wants more than its caller has.
        assert all(job["permissions"].get(name) in (right, "write") for name, right in inner["permissions"].items())
        self.inputs = {name: given.get(name, spec.get("default", "")) for name, spec in specs.items()}
        self.run_steps(inner["steps"])

    def run_steps(self, steps):
        """Run `steps` in order; those of the action that a step uses, too."""
        for step in steps:
            if not self.is_due(step.get("if")):
                continue
            uses = step.get("uses", "")
            if uses == "$/" or re.fullmatch(r"driftgate/driftgate@[0-9a-f]{40}", uses):
                self._run_action(step)
            elif not uses:
                self._run_shell(step)
            else:
                assert re.fullmatch(r"actions/(checkout|setup-python)@[0-9a-f]{40}", uses), uses

    def _run_action(self, step):
        action = load("action.yml")
        given = {name: self.text(value) for name, value in step.get("with", {}).items()}
        assert given.keys() <= action["inputs"].keys()
        inputs = {name: given.get(name, self.text(spec["default"])) for name, spec in action["inputs"].items()}
        inner = Job(self.workspace, self.temp, self.environ, inputs)
        inner.run_steps(action["runs"]["steps"])
        outputs = {name: inner.text(spec["value"]) for name, spec in action["outputs"].items()}
        self.failed |= inner.failed
        self.summary += inner.summary
        self.ran += inner.ran
        done = Step(int(inner.failed), "", outputs, "the action")
        self.steps[step.get("id", "action")] = done

    def _run_shell(self, step):
        assert step.get("shell", "bash") == "bash"
        number = len(list(self.temp.glob("step-*.sh")))
        script, output, summary = (self.temp / f"step-{number}.{kind}" for kind in ("sh", "output", "summary"))
        script.write_text(step["run"], encoding="utf-8")
        assert "${{" not in step["run"], "no value of an expression may become part of a script"
        output.touch()
        summary.touch()
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
            cwd=self.workspace,
            env={
                **self.environ,
                **{name: self.text(value) for name, value in step.get("env", {}).items()},
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(summary),
                "GITHUB_WORKSPACE": str(self.workspace),
                "RUNNER_TEMP": str(self.temp),
                "GITHUB_ACTIONS": "true",
                "CI": "true",
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        outputs = dict(line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines())
        ran = Step(done.returncode, done.stdout, outputs, step.get("name", ""))
        self.ran.append(ran)
        self.steps[step.get("id", f"step-{number}")] = ran
        self.summary += summary.read_text(encoding="utf-8")
        self.failed |= done.returncode != 0


GITHUB = {
    "github.token": "the-token",
    "github.repository": "owner/project",
    "github.server_url": "https://git.example",
    "github.run_id": "42",
    "github.action_path": str(ROOT),
    "github.event.repository.default_branch": "main",
    "github.ref": "refs/heads/main",
}


def path_first(*folders):
    """Return a PATH on which `folders` come first."""
    return os.pathsep.join([*map(str, folders), os.environ["PATH"]])
