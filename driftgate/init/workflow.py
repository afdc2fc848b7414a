"""The scheduled workflow that `init` writes: plain steps, actions pinned to commits, no permission but to read."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from driftgate import __version__

PATH: Final = PurePosixPath(".github/workflows/driftgate.yml")

CHECKOUT: Final = "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2"
SETUP_PYTHON: Final = "actions/setup-python@a309ff8b426b58ec0e2a45f0f869d46889d02405 # v6.2.0"

_TEXT: Final = """\
# Written by `driftgate init`; yours to change.
# On a change: is what this repository declares what its snapshot of {title} says? Opens no socket.
# Once a day: is the snapshot still what its release says, and does the newest release say more?
name: driftgate

on:
  pull_request:
  schedule:
    - cron: "23 5 * * *"
  workflow_dispatch:

permissions:
  contents: read

jobs:
  driftgate:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    steps:
      - uses: {checkout}
        with:
          persist-credentials: false
      - uses: {setup_python}
        with:
          python-version: "3.13"
      - run: python -m pip install "driftgate=={version}"
      - name: declared against the snapshot
        run: driftgate check --format github
      - name: the snapshot and the newest release
        if: github.event_name != 'pull_request'
        run: driftgate check --against pinned --against latest --format github
"""


def workflow_text(title: str) -> str:
    """Return the workflow for a project whose upstream is called `title`."""
    return _TEXT.format(title=title, checkout=CHECKOUT, setup_python=SETUP_PYTHON, version=__version__)
