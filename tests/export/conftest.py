"""The project of the commands' tests."""

from tests.commands.conftest import project, run  # noqa: F401 - fixtures
