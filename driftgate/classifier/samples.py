"""Sample values of fields, good and bad, from what a field table states. For probes, self-checks and examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from driftgate.classifier.kinds import KINDS, FieldKind, constrained_kind, kind_stated
from driftgate.surface import Field


def good(field: Field) -> Any:
    """Return a value that the field takes."""
    if field.values:
        return field.values[0]
    plain = kind_stated(field) or KINDS["any"]  # a kind that driftgate has no word for is served by a text
    constrained = _constrained(field)
    fitting = (kind.good for kind in (plain, *constrained) if all(one.accepts(kind.good) for one in constrained))
    return next(fitting, plain.good)


def bad(field: Field) -> Iterator[Any]:
    """Yield values that the field refuses: one of another kind, then one outside each constraint."""
    yield (kind_stated(field) or KINDS["any"]).bad
    for kind in _constrained(field):
        yield from kind.outside


def _constrained(field: Field) -> list[FieldKind]:
    return [kind for word in field.constraints if (kind := constrained_kind(field, word))]


def entry(entry_type: str, fields: Iterable[Field]) -> dict[str, Any]:
    """Return the smallest entry of a type: its required fields."""
    return {"type": entry_type, **{field.name: good(field) for field in fields if field.required}}


def document(event: str, *entries: Any) -> dict[str, Any]:
    """Return the smallest settings document with `entries` under one event."""
    return {"hooks": {event: [{"hooks": list(entries)}]}}
