"""The project of the commands' tests."""

from tests.commands.conftest import drifting, project, run  # noqa: F401 - fixtures
