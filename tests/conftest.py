"""What every test stands on: no answer depends on the terminal, the CI service or the settings of who runs them."""

import os

import pytest

SETTINGS = ("DRIFTGATE_", "GITHUB_", "CI_PROJECT_DIR", "NO_COLOR", "FORCE_COLOR")


@pytest.fixture(autouse=True)
def _plain_surroundings(monkeypatch):
    for name in os.environ:
        if name.startswith(SETTINGS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "100")
