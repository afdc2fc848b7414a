"""A small runner of GitHub workflows: it takes the real steps out of the YAML and runs their shell as GitHub does.

It knows what this repository's files use: `run` steps with `env`, `id` and `if`, composite actions, called workflows,
the contexts inputs, steps, github, job, runner, secrets, and `==`, `&&`, `||`, `!=`, always(). An expression that it
does not know fails the test. It refuses what the runner refuses (`reference`), and checkouts leave what they leave
there; other steps that only set up a runner (actions/...) are passed over.
"""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
OWN = {"workflow_repository": "driftgate/driftgate", "workflow_sha": 40 * "a"}
"""The job context of a called workflow, as github.com has it (GitHub Enterprise Server has none of it)."""

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


class RefusedError(AssertionError):
    """What GitHub's runner does not start."""


@dataclass(frozen=True)
class Reference:
    """What a `uses` names: `kind` is self (the workflow's own repository), workspace, or repository."""

    kind: str
    path: str
    repository: str = ""
    ref: str = ""


def reference(text, *, workflow=False):
    """Return what `uses: text` names, of a step or, with `workflow`, of a job. Raises RefusedError as the runner does.

    The rules are those of the workflow syntax (`jobs.<job_id>.steps[*].uses`, `jobs.<job_id>.uses`) and, for `$/`, of
    the runner's source: it strips every leading slash, and rejects an empty rest (actions/runner, pull request 4457).
    """
    if text.startswith("$/"):
        path = text[1:].lstrip("/")
        if not path:
            raise RefusedError(f"uses: {text}: a path is needed behind $/")
        if "@" in path:
            raise RefusedError(f"uses: {text}: $/ takes no ref")
        found = Reference("self", path)
    elif text.startswith("./"):
        if "@" in text:
            raise RefusedError(f"uses: {text}: a path of the workspace takes no ref")
        found = Reference("workspace", text[2:])
    else:
        match = re.fullmatch(r"([\w.-]+/[\w.-]+)((?:/[\w.-]+)*)@(\S+)", text)
        if match is None:
            raise RefusedError(f"uses: {text}: neither owner/repository@ref nor a path")
        found = Reference("repository", match[2].strip("/"), match[1], match[3])
    if workflow and not re.fullmatch(r"\.github/workflows/[\w.-]+\.ya?ml", found.path):
        raise RefusedError(f"uses: {text}: a job calls a file that lies directly in .github/workflows")
    return found


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
    secrets: dict[str, str] = field(default_factory=dict)
    own: dict[str, str] = field(default_factory=lambda: dict(OWN))
    failed: bool = False
    summary: str = ""

    @property
    def log(self):
        return "".join(step.stdout for step in self.ran)

    def value(self, expression):
        """Return what a context expression stands for."""
        if " || " in expression:
            return next(filter(None, map(self.value, expression.split(" || "))), "")
        if match := re.fullmatch(r"'([^']*)'", expression):
            return match[1]
        if expression in GITHUB:
            return GITHUB[expression]
        if expression in RUNNER:
            return {"runner.temp": str(self.temp)}.get(expression, RUNNER[expression])
        if match := re.fullmatch(r"job\.(workflow_\w+)", expression):
            return self.own.get(match[1], "")  # where a server does not have it, it is empty, as any unknown property
        if match := re.fullmatch(r"secrets\.([\w-]+)", expression):
            return self.secrets.get(match[1], "")
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
        if re.fullmatch(r"inputs\.[\w-]+", term):
            return self.value(term) == "true"
        match = re.fullmatch(r"(\S+)\s*(==|!=)\s*'([^']*)'", term)
        assert match, f"the runner of the tests does not know the condition {term!r}"
        return (self.value(match[1]) == match[3]) == (match[2] == "==")

    def run_job(self, job):
        """Run a job: its steps, or those of the workflow of this repository that it calls."""
        if "uses" not in job:
            self.run_steps(job["steps"])
            return
        named = reference(job["uses"], workflow=True)
        if named.kind == "repository":
            assert named.repository == "driftgate/driftgate"
            assert re.fullmatch(r"[0-9a-f]{40}", named.ref)
        called = load(named.path)
        specs = called["on"]["workflow_call"]["inputs"]
        given = {name: self.text(value) for name, value in job.get("with", {}).items()}
        assert given.keys() <= specs.keys()
        assert not [name for name, spec in specs.items() if spec.get("required") == "true" and name not in given]
        (inner,) = called["jobs"].values()
        # GitHub refuses to start a called job that wants more than its caller has.
        assert all(job["permissions"].get(name) in (right, "write") for name, right in inner["permissions"].items())
        self.inputs = {name: given.get(name, spec.get("default", "")) for name, spec in specs.items()}
        self.run_steps(inner["steps"])

    def run_steps(self, steps, *, composite=False):
        """Run `steps` in order; those of the action that a step uses, too."""
        for step in steps:
            if composite and "run" in step and "shell" not in step:
                raise RefusedError(f"{step}: a composite action says the shell of each of its steps")
            named = reference(step["uses"]) if "uses" in step else None
            if not self.is_due(step.get("if")):
                continue
            if named is None:
                self._run_shell(step)
            elif named.kind == "workspace" or named.repository == "driftgate/driftgate":
                self._run_action(step)
            elif named.repository == "actions/checkout":
                self._check_out(step.get("with", {}))
            else:
                assert named.kind == "repository"
                assert named.repository in ("actions/setup-python", "actions/cache"), step["uses"]
                assert re.fullmatch(r"[0-9a-f]{40}", named.ref)

    def _check_out(self, options):
        """Do what actions/checkout does: a repository into a folder, which is cleaned of everything else before."""
        path, repository = self.text(options.get("path", "")), self.text(options.get("repository", ""))
        if path:
            assert repository == OWN["workflow_repository"], "the tests have no other repository to check out"
            assert self.text(options["ref"]) == OWN["workflow_sha"]
            for name in (".github", "driftgate", "snapshots"):
                left = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / name, self.workspace / path / name, ignore=left)
            for name in ("action.yml", "pyproject.toml", "README.md", "LICENSE"):
                shutil.copy(ROOT / name, self.workspace / path)
        else:
            shutil.rmtree(self.workspace / "driftgate-source", ignore_errors=True)

    def _run_action(self, step):
        action = load("action.yml")
        given = {name: self.text(value) for name, value in step.get("with", {}).items()}
        assert given.keys() <= action["inputs"].keys()
        inputs = {name: given.get(name, self.text(spec["default"])) for name, spec in action["inputs"].items()}
        inner = Job(self.workspace, self.temp, self.environ, inputs)
        inner.run_steps(action["runs"]["steps"], composite=True)
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
    "github.run_attempt": "1",
}

RUNNER = {"runner.temp": "", "runner.os": "Linux"}


def path_first(*folders):
    """Return a PATH on which `folders` come first."""
    return os.pathsep.join([*map(str, folders), os.environ["PATH"]])
