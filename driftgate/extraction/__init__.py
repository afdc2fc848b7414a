"""Extraction: from an artefact's bytes to the sets and field tables that it states.

    surface = combine([read_surface(artefact) for artefact in artefacts])

Nothing is executed, unpacked or guessed: a set is found by what refers to it, confirmed by a second witness where there
is one, and otherwise the reading fails with `ExtractionError`.
"""

from driftgate.extraction.combine import combine
from driftgate.extraction.read import read_surface

__all__ = ["combine", "read_surface"]
