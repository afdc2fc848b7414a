"""The site builds strictly, with every link and anchor checked, and states what the code states."""

import os
import re
import subprocess
import sys

import pytest

from tests.integration.runner import ROOT


def test_generated_parts_are_what_the_code_says():
    command = [sys.executable, "docs/generate.py", "--check"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nrun `python docs/generate.py`"


def test_the_site_builds_strictly(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not re.search("^(WARNING|ERROR)", done.stderr, re.MULTILINE)
    assert (tmp_path / "site/rules/index.html").is_file()
    assert not list((tmp_path / "site").rglob("*.py"))


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md"])
def test_links_of_the_front_pages_lead_somewhere(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    local = [link.partition("#")[0] for link in links if not re.match(r"[a-z]+:", link)]
    assert not [link for link in local if link and not (ROOT / link).exists()]
