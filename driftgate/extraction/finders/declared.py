"""What a project declares, in the form in which a finder reads the same upstream."""

from __future__ import annotations

from types import MappingProxyType

from driftgate.surface import FieldTable, Vocabulary
from driftgate.upstreams.finder import Finder


def as_found(held: Vocabulary | FieldTable, finder: Finder) -> Vocabulary | FieldTable:
    """Return `held` as the set of names that `finder` reads upstream, where it was read as a table of fields.

    Of one type these are its fields, of several their names.
    """
    if finder.is_table or isinstance(held, Vocabulary):
        return held
    if len(held.rows) > 1:
        return Vocabulary(held.name, tuple(held.rows), held.evidence)
    (fields,) = held.rows.values()
    places = {field.name: field.place for field in fields if field.place}
    return Vocabulary(held.name, tuple(field.name for field in fields), held.evidence, MappingProxyType(places))
