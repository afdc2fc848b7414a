"""SECURITY.md: every claim names a test that is there; and the claims that are about the whole of the code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import driftgate

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(driftgate.__file__).parent
CLAIMS = sorted(
    {
        (page, file, name)
        for page in ("SECURITY.md", "docs/robustness.md")
        for file, name in re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", (ROOT / page).read_text("utf-8"))
    }
)


@pytest.mark.parametrize(("page", "file", "name"), CLAIMS, ids=[f"{name}" for _, _, name in CLAIMS])
def test_a_claim_names_a_test(page, file, name):
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}, page


def test_there_are_claims():
    assert len(CLAIMS) > 25


STARTS = {
    "driftgate/anchors/npmrc.py": "asks the npm of the user's own PATH which registry it would use",
    "driftgate/commands/issues.py": "has gh, of the same, file the issues",
}
"""The modules that start another program, and which."""

_EVALUATING = {"eval", "exec", "compile", "__import__", "runpy.run_path", "pickle.loads", "marshal.loads"}
_STARTING = ("subprocess.", "os.system", "os.popen", "os.exec", "os.spawn", "os.posix_spawn")


def test_nothing_of_upstream_is_run():
    """No module evaluates text, loads code from a path, or starts a program that is not known."""
    starts = set()
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE.parent).as_posix()
        for called in map(_called, ast.walk(ast.parse(path.read_text("utf-8")))):
            assert called not in _EVALUATING, name
            assert not called.startswith(("importlib.util.", "importlib.machinery.")), name
            if called.startswith(_STARTING):
                starts.add(name)
    assert starts == {*STARTS}


def _called(node: ast.AST) -> str:
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""
