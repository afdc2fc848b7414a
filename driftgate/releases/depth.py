"""The copy that releases from 2.1.326 on make of a document first: what is nested too deep is cut out of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from driftgate.classifier.outgoing import ConfigPath


def is_deeper(value: Any, levels: int) -> bool:
    """Return whether objects and arrays are nested in `value` more than `levels` deep (`value` itself is level 1)."""
    row = [value] if isinstance(value, dict | list) else []
    for _ in range(levels):
        row = [child for container in row for _, child in _members(container) if isinstance(child, dict | list)]
        if not row:
            return False
    return True


def cut(document: dict[str, Any], levels: int) -> tuple[dict[str, Any], dict[str, ConfigPath]]:
    """Return a copy of `document` without what is nested deeper than `levels`, and the first cut of each top-level key.

    A container that is too deep becomes null, except that a member of an object which is made of nothing but objects
    is left out.
    """
    copy: dict[str, Any] = {}
    cuts: dict[str, ConfigPath] = {}
    row: list[tuple[Any, Any, ConfigPath]] = [(document, copy, ())]
    for level in range(1, levels + 1):
        below: list[tuple[Any, Any, ConfigPath]] = []
        for source, target, path in row:
            for name, child in _members(source):
                value = child
                if isinstance(child, dict | list):
                    if level == levels:
                        where = (*path, name)
                        cuts.setdefault(str(where[0]), where)
                        if isinstance(target, dict) and _only_objects(child):
                            continue
                        value = None
                    else:
                        value = type(child)()
                        below.append((child, value, (*path, name)))
                if isinstance(target, dict):
                    target[name] = value
                else:
                    target.append(value)
        row = below
    return copy, cuts


def _members(container: Any) -> Iterator[tuple[Any, Any]]:
    return iter(container.items() if isinstance(container, dict) else enumerate(container))


def _only_objects(value: Any) -> bool:
    pending = [value]
    while pending:
        value = pending.pop()
        if not isinstance(value, dict):
            return False
        pending.extend(value.values())
    return True
