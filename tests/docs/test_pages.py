"""Every page, from top to bottom, as a reader does it: files written, commands run, output compared."""

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from driftgate import classify_hooks_config
from driftgate.classifier.contract import HOOK_EVENTS
from driftgate.classifier.result import CODE_MEANINGS
from driftgate.project.reading import parse_config, parse_project
from tests.docs.samples import PAGES, all_samples, samples
from tests.integration.runner import ROOT

READY = {"ci.md": HOOK_EVENTS, "exit-codes.md": HOOK_EVENTS[:-1]}
"""The pages whose reader has a project already, and the events that it declares."""


class Reader:
    """Does what a page says."""

    def __init__(self, project, page):
        self.project = project
        self.folder = project.workspace
        if page in READY:
            project.declare(READY[page])
        else:
            self.start()
        project.release()

    def start(self):
        """Start with an empty repository."""
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        subprocess.run(["git", "init", "--quiet"], cwd=self.folder, check=True)

    def run(self, command, code=0):
        environ = {**self.project.environ, "PYTEST_ADDOPTS": "-p driftgate.pytest_plugin -p no:cacheprovider"}
        environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md")}
        environ.pop("CI", None)
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=environ,
            capture_output=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def write(self, sample):
        path = self.folder / sample.title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(sample.text, encoding="utf-8")
        if sample.text.startswith("#!"):
            path.chmod(0o755)

    def sh(self, sample):
        self.run(["bash", "-euo", "pipefail", "-c", sample.text], sample.exit)

    def console(self, sample):
        first, *rest = sample.text.splitlines()
        assert first.startswith("$ ")
        assert not [line for line in rest if line.startswith("$ ")], "one command a sample"
        output = self.run(["bash", "-euo", "pipefail", "-c", first.removeprefix("$ ")], sample.exit)
        shown = "\n".join("*" if line == "..." else re.sub(r"[\[\]?*]", "?", line) for line in rest)
        assert fnmatch.fnmatchcase(output.rstrip("\n"), shown), output

    def python(self, sample):
        self.run([sys.executable, "-c", sample.text], sample.exit)

    def json(self, sample):
        result = classify_hooks_config(json.loads(sample.text))
        pieces = [*(str(piece.code) for piece in result.rejections), *(str(piece.code) for piece in result.dropped)]
        assert pieces == ([sample.code] if sample.code else [])

    def toml(self, sample):
        """A part of a configuration: valid in one that has the rest."""
        whole = sample.text if "pin = " in sample.text else REST + sample.text
        parse_project(whole, self.folder / "pyproject.toml")

    def crontab(self, sample):
        for line in sample.text.splitlines():
            *times, command = line.split(maxsplit=5)
            assert all(re.fullmatch(r"[\d*/,-]+", time) for time in times)
            assert len(times) == 5
            script = Path(shlex.split(command)[0]).name
            assert os.access(self.folder / script, os.X_OK), f"{script} is not on this page"


REST = """
[tool.driftgate]
pin = "2.1.296"
[tool.driftgate.vocabularies.permission_modes]
declared = "src/modes.py#MODES"
contains = ["plan"]
"""

CHECKED_ELSEWHERE = ("CC-DIVERGENCE.md",)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name not in CHECKED_ELSEWHERE], ids=lambda page: page.name
)
def test_the_page_works_from_top_to_bottom(project, page):
    reader = Reader(project, page.name)
    for sample in samples(page):
        if sample.new_project:
            reader.start()
        try:
            if sample.title:
                reader.write(sample)
            if sample.language == "json" or not sample.title:
                getattr(reader, sample.language)(sample)
        except AssertionError as error:
            raise AssertionError(f"{sample}: {error}") from error


def configurations():
    return [
        one
        for one in all_samples(title=r"(pyproject\.toml|driftgate\.yml)$")
        if "driftgate]" in one.text or "pin" in one.text
    ]


@pytest.mark.parametrize("sample", configurations(), ids=str)
def test_configurations_are_valid(sample, tmp_path):
    config = parse_config(sample.text, tmp_path / sample.title)
    assert config.declared


def test_every_code_has_an_example_under_its_heading():
    page = (ROOT / "docs/codes.md").read_text(encoding="utf-8")
    for code in CODE_MEANINGS:
        section = page.partition(f"\n### {code}\n")[2].partition("\n##")[0]
        assert f"<!-- code: {code} -->" in section, code


def test_every_key_of_the_environment_is_documented():
    page = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    named = {
        name
        for path in (ROOT / "driftgate").rglob("*.py")
        for name in re.findall(r"\bDRIFTGATE_[A-Z_]*[A-Z]\b", path.read_text(encoding="utf-8"))
    }
    assert named
    assert not [name for name in named if name not in page]
