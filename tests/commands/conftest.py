"""A small project, and the command line run in it."""

import shutil
from pathlib import Path

import pytest

from driftgate.classifier import contract
from driftgate.classifier.contract import CONTRACT
from driftgate.cli import main
from driftgate.snapshot import dump_snapshot
from tests.core.sides import observed_contract

CONFIG = """\
# the hooks that this project knows
snapshot: 2.1.296.yaml
declared:
  hook_events: src/contract.py#HOOK_EVENTS
  hook_entry_types: src/contract.py#HOOK_ENTRY_TYPES
  hook_shells: src/contract.py#HOOK_SHELLS
  guard_events: src/contract.py#GUARD_EVENTS
  hook_entry_fields: src/contract.py#HookEntryDict
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project that declares this package's contract and agrees with its snapshot, as the current folder."""
    for name in ("DRIFTGATE_CONFIG", "DRIFTGATE_FORMAT", "DRIFTGATE_FAIL_ON", "GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "src").mkdir()
    shutil.copy(contract.__file__, tmp_path / "src" / "contract.py")
    observed = observed_contract()
    (tmp_path / "2.1.296.yaml").write_text(dump_snapshot(observed, "claude-code"), encoding="utf-8")
    entries = [
        f"- {{rule: field-not-carried, subject: {row}.{name}, reason: checked only}}\n"
        for row, fields in CONTRACT.fields.items()
        for name, rule in fields.items()
        if not rule.carried
    ]
    (tmp_path / "driftgate.yml").write_text(f"{CONFIG}accepted:\n{''.join(entries)}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def drifting(project):
    """The project with one event too few and one too many."""
    edit("src/contract.py", '\n    "Setup",', "")
    edit("src/contract.py", '\n    "Stop",', '\n    "Stop",\n    "ToolError",')
    return project


def edit(name, old, new):
    """Replace what must stand in a file."""
    text = Path(name).read_text(encoding="utf-8")
    assert old in text
    Path(name).write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def run(capsys):
    """Run the command line; return its code, what it wrote to standard output, and to standard error."""

    def call(*argv):
        code = main([str(word) for word in argv])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
