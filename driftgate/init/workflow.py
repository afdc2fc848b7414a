"""The workflow that `init` writes: plain steps, actions pinned to commits, no right but to read and to file issues."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Final

from driftgate import __version__

PATH: Final = PurePosixPath(".github/workflows/driftgate.yml")

CHECKOUT: Final = "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2"
SETUP_PYTHON: Final = "actions/setup-python@a309ff8b426b58ec0e2a45f0f869d46889d02405 # v6.2.0"

_TEXT: Final = """\
# Written by `driftgate init`; yours to change.
# On a change: is what this repository declares what its snapshot of {title} says? Opens no socket.
# Once a day: is the snapshot still what its release says, and does the newest release say more?
name: {name}

on:
  pull_request:
  push:
    branches: [main, master]
  schedule:
    - cron: "23 5 * * *"
  workflow_dispatch:

permissions:
  contents: read

jobs:
  declared:
    name: declared against the snapshot
    runs-on: ubuntu-24.04
    timeout-minutes: 15
{defaults}    steps:
      - uses: {checkout}
        with:
          persist-credentials: false
      - uses: {setup_python}
        with:
          python-version: "3.13"
      - run: python -I -m pip install "driftgate=={version}"
      - run: driftgate check --against snapshot --format github

  upstream:
    name: the snapshot and the newest release
    if: github.event_name == 'schedule' || github.event_name == 'workflow_dispatch'
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    permissions:
      contents: read
      issues: write # one issue per drift, updated rather than repeated
{defaults}    steps:
      - uses: {checkout}
        with:
          persist-credentials: false
      - uses: {setup_python}
        with:
          python-version: "3.13"
      - run: python -I -m pip install "driftgate=={version}"
      - id: check
        run: |
          code=0
          driftgate check --against pinned --against latest --format github \\
            --output "json:$RUNNER_TEMP/driftgate.json" || code=$?
          echo "code=$code" >>"$GITHUB_OUTPUT"
          exit "$code"
      - name: one issue per drift
        if: always() && steps.check.outputs.code != ''
        env:
          GH_TOKEN: ${{{{ github.token }}}}
          GH_REPO: ${{{{ github.repository }}}}
          CODE: ${{{{ steps.check.outputs.code }}}}
          RUN_URL: ${{{{ github.server_url }}}}/${{{{ github.repository }}}}/actions/runs/${{{{ github.run_id }}}}
        run: driftgate issues --exit-code="$CODE" --run-url="$RUN_URL" -- "$RUNNER_TEMP/driftgate.json"
"""


def path_of(project: Path, repository: Path) -> PurePosixPath:
    """Return where the workflow of a project goes, relative to the root of its repository: GitHub looks there only."""
    folder = _folder(project, repository)
    return PATH if folder is None else PATH.with_name(f"driftgate-{_word(folder)}.yml")


def workflow_text(title: str, project: Path, repository: Path) -> str:
    """Return the workflow for a project whose upstream is called `title`; of a package, it runs in its folder."""
    folder = _folder(project, repository)
    defaults = "" if folder is None else f"    defaults:\n      run:\n        working-directory: {_quoted(folder)}\n"
    return _TEXT.format(
        title=title,
        name="driftgate" if folder is None else f"driftgate {_word(folder)}",
        defaults=defaults,
        checkout=CHECKOUT,
        setup_python=SETUP_PYTHON,
        version=__version__,
    )


def _folder(project: Path, repository: Path) -> str | None:
    project, repository = project.resolve(), repository.resolve()
    if project == repository or not project.is_relative_to(repository):
        return None
    return project.relative_to(repository).as_posix()


def _word(folder: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", folder).strip("-")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
