"""The project and the fake programs of the integration tests, for the samples of the docs."""

from tests.integration.conftest import project

__all__ = ["project"]
