"""Sets that stand below a name: in a class, under a key of a map, or in a JSON Schema.

Readers state what a file defines at its top. These are looked for by the text, and count only where they are read by
their own spec.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from driftgate.declared import read_declared
from driftgate.errors import DriftgateError
from driftgate.init.tree import Candidate
from driftgate.surface import HOOK_EVENTS_SET, FieldTable, Vocabulary
from driftgate.upstreams.catalogue import UPSTREAMS

_MOST: Final = 40
"""So many places of one file are tried."""

_TEXTS: Final = frozenset({".md", ".mdx", ".markdown", ".yaml", ".yml"})
"""Files that have neither classes nor maps of the kind."""

_CLASS: Final = re.compile(
    r"^[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:abstract[ \t]+)?class[ \t]+(\w+)", re.MULTILINE
)
_ATTRIBUTE: Final = re.compile(
    r"^[ \t]+(?:[\w#]+[ \t]+)*?#?(\w*(?:hook|event|lifecycle)\w*)\s*(?::[^=\n]*)?[=:]", re.IGNORECASE | re.MULTILINE
)
_KEY: Final = re.compile(
    rf"[\"']?((?:{'|'.join(name.split('-')[0] for name in UPSTREAMS)})(?:[\w-]*\w)?)[\"']?\s*[:=]", re.IGNORECASE
)


def hidden_sets(
    file: Candidate, shown: str, root: Path, known: tuple[Vocabulary | FieldTable, ...]
) -> Iterator[Vocabulary]:
    """Yield the sets of a file that stand below a name; `known` are those at its top."""
    seen = {one.members for one in known if isinstance(one, Vocabulary)}
    for spec in islice(_specs(file, shown, known), _MOST):
        try:
            held = read_declared(spec, root=root, vocabulary=HOOK_EVENTS_SET)
        except DriftgateError:
            continue
        if isinstance(held, Vocabulary) and held.members not in seen:
            seen.add(held.members)
            yield held


def _specs(file: Candidate, shown: str, known: tuple[Vocabulary | FieldTable, ...]) -> Iterator[str]:
    suffix = file.path.suffix.lower()
    if suffix in _TEXTS:
        return
    if suffix == ".json":
        yield from (f"jsonschema:{shown}#{pointer}" for pointer in _in_schema(file.text))
        return
    yield from (f"{shown}#{name}" for name in _in_classes(file.text))
    keys = dict.fromkeys(_KEY.findall(file.text))
    for one in known:
        witnesses = one.evidence[0].witnesses
        name = witnesses[0].how if witnesses else one.name
        for key in keys:
            yield from (f"{shown}#{name}.{key}", f"{shown}#{name}.*.{key}")


def _in_classes(text: str) -> Iterator[str]:
    """Yield `Class.NAME` for what a class calls its hooks or events."""
    classes = [*_CLASS.finditer(text)]
    for one, following in zip(classes, [*classes[1:], None], strict=False):
        body = text[one.end() : following.start() if following else len(text)]
        yield from (f"{one[1]}.{name}" for name in dict.fromkeys(_ATTRIBUTE.findall(body)))


def _in_schema(text: str) -> Iterator[str]:
    """Yield the pointers to the hooks of a JSON Schema, wherever they stand in it."""
    if "json-schema.org" not in text:
        return
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return
    yield from _pointers(document, "")


def _pointers(node: Any, at: str) -> Iterator[str]:
    """Yield the pointers to the schemas of a property called hooks that states the names of its properties."""
    parts = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in parts:
        pointer = f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"
        is_hooks = key == "hooks" and at.endswith("/properties") and isinstance(value, dict)
        if is_hooks and {"properties", "propertyNames"} & {*value}:
            yield pointer
        yield from _pointers(value, pointer)
