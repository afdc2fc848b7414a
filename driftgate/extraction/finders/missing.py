"""The error for a set that an artefact does not state; another artefact of the release may."""

from __future__ import annotations

from driftgate.errors import ExtractionError


class NotStatedError(ExtractionError):
    """Nothing in the artefact is what a finder looks for."""
