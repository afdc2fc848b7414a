"""Loaders: functions written for one sequence of an entry's keys.

Reading plain entries is the hot spot of the classifier, and a loop over their fields takes twice the time of the same
statements written out. So they are written out, as `dataclasses` does with `__init__`. Nothing of a document, nor of
the contract, is in the source that is written: it has numbered variables, and the names and kinds are their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from driftgate.classifier.plain import flat_copy
from driftgate.classifier.predicates import Kind

Loader: TypeAlias = Callable[[dict[Any, Any]], dict[Any, Any] | None]
"""Takes an entry that has the keys it was written for. Returns what loads, or None if that is not plain to see."""


def write_loader(fields: Iterable[tuple[str, bool, Kind]], guards: frozenset[str]) -> Loader:
    """Return the loader of an entry with `type` and `fields` (name, whether carried, kind) for keys."""
    scope: dict[str, Any] = {"flat_copy": flat_copy, "guards": guards, "type_": "type"}
    reads, conditions, members = [], ["True"], ["type_: entry[type_]"]
    for number, (name, carried, kind) in enumerate(fields):
        scope |= {f"name{number}": name, f"types{number}": kind.types, f"test{number}": kind.test}
        scope |= {f"copy{number}": kind.copy}
        reads.append(f"value{number} = entry[name{number}]")
        conditions.extend(condition.format(number) for condition in _conditions(kind))
        if carried:
            members.append(f"name{number}: {_result(kind).format(number)}")
    source = f"""
def load(entry):
    {"; ".join(reads) or "pass"}
    if {" and ".join(conditions)}:
        return {{{", ".join(members)}}}
    return None
"""
    exec(source, scope)  # noqa: S102 - the source is made here, of nothing that comes from outside
    loader: Loader = scope["load"]
    return loader


def _conditions(kind: Kind) -> list[str]:
    """Return what makes a value plainly right. Instances of subclasses are right too, and not plainly so."""
    conditions = ["value{0}.__class__ " + ("in" if isinstance(kind.types, tuple) else "is") + " types{0}"]
    if kind.test is bool:
        conditions.append("value{0}")
    elif kind.test is not None:
        conditions.append("test{0}(value{0})")
    if kind.nested:
        conditions += ["(flat{0} := flat_copy(value{0})) is not None", "guards.isdisjoint(flat{0})"]
    return conditions


def _result(kind: Kind) -> str:
    if kind.nested:
        return "flat{0}"
    return "value{0}" if kind.copy is None else "copy{0}(value{0})"
