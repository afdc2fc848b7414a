"""A snapshot: the committed record of an observed surface, and the pin.

Canonical YAML, written by hand here because its form is the point: UTF-8, LF, one fact a line, upstream's order, the
same bytes on every system. Read leniently in form (CRLF and order do not matter) and strictly in content (unknown
keys are errors). The format is described in the docs and by `driftgate schema --of snapshot`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeGuard

from driftgate.errors import SnapshotError
from driftgate.formats.canonical import flow, flow_list, scalar
from driftgate.formats.files import read_text, write_atomically
from driftgate.formats.yaml import load_yaml
from driftgate.near import unknown_key
from driftgate.surface import (
    Evidence,
    Field,
    FieldTable,
    ObjectRules,
    Origin,
    Place,
    Surface,
    Vocabulary,
    Witness,
    facts_of_both,
)
from driftgate.upstreams.catalogue import title_of

FORMAT: Final = 2
FORMATS: Final = (1, FORMAT)
"""The forms that are read. The first states no rules and no fields of a matcher: of these it says nothing."""

HEADER: Final = (
    "# A snapshot of what an upstream release states. Written by `driftgate refresh`; reviewed, not edited.\n"
)

TOP_KEYS: Final = ("driftgate", "upstream", "version", "anchors", "vocabularies", "tables", "rules", "evidence")
ANCHOR_KEYS: Final = ("package", "version", "integrity")
FIELD_KEYS: Final = ("name", "kind", "required", "values", "constraints", "internal")
EVIDENCE_KEYS: Final = ("anchor", "member", "offset", "how", "witnesses")


# --- writing ---------------------------------------------------------------------------------------------------------


def dump_snapshot(surface: Surface, upstream: str) -> str:
    """Return the canonical text of `surface`, which must carry a version and evidence with origins."""
    return HEADER + "\n".join(_lines(surface, upstream)) + "\n"


def _lines(surface: Surface, upstream: str) -> Iterator[str]:
    anchors = tuple(dict.fromkeys(evidence.origin for evidence in _evidence(surface)))
    yield f"driftgate: {FORMAT}"
    yield f"upstream: {scalar(upstream)}"
    yield f"version: {scalar(surface.version or '')}"
    yield "anchors:" if anchors else "anchors: []"
    for origin in anchors:
        yield f"- {flow({'package': origin.package, 'version': origin.version, 'integrity': origin.integrity})}"
    yield "vocabularies:"
    for name, vocabulary in surface.vocabularies.items():
        yield from _vocabulary_lines(name, vocabulary)
    yield "tables:" if surface.tables else "tables: {}"
    for name, table in surface.tables.items():
        yield f"  {scalar(name)}:"
        for row, fields in table.rows.items():
            yield f"    {scalar(row)}:" if fields else f"    {scalar(row)}: []"
            yield from (f"    - {flow(field_record(field))}" for field in fields)
    ruled = [(name, table.rules) for name, table in surface.tables.items() if table.rules is not None]
    yield "rules:" if ruled else "rules: {}"
    for name, rules in ruled:
        yield f"  {scalar(name)}:"
        yield from (f"    {scalar(row)}: {flow_list(each.stated)}" for row, each in rules.items())
    yield "evidence:"
    for held in surface.sets():
        yield f"  {scalar(held.name)}:" if held.evidence else f"  {scalar(held.name)}: []"
        yield from (f"  - {flow(_evidence_record(evidence, anchors))}" for evidence in held.evidence)


def _vocabulary_lines(name: str, vocabulary: Vocabulary) -> Iterator[str]:
    match vocabulary.members:
        case None:
            yield f"  {scalar(name)}: null"
        case ():
            yield f"  {scalar(name)}: []"
        case members:
            yield f"  {scalar(name)}:"
            yield from (f"  - {scalar(member)}" for member in members)


def _evidence(surface: Surface) -> Iterator[Evidence]:
    for held in surface.sets():
        yield from held.evidence


def field_record(field: Field) -> dict[str, Any]:
    """Return a field as plain data, in the words of the snapshot and the json reports."""
    record: dict[str, Any] = {"name": field.name, "kind": field.kind, "required": field.required}
    if field.values is not None:
        record["values"] = list(field.values)
    if field.constraints:
        record["constraints"] = list(field.constraints)
    if field.internal:
        record["internal"] = True
    return record


def _evidence_record(evidence: Evidence, anchors: tuple[Origin, ...]) -> dict[str, Any]:
    record: dict[str, Any] = {"anchor": anchors.index(evidence.origin), "member": evidence.place.source}
    if evidence.place.offset is not None:
        record["offset"] = evidence.place.offset
    record["witnesses"] = [w.how + (f": {w.note}" if w.note else "") for w in evidence.witnesses]
    return record


def write_snapshot(path: Path, surface: Surface, upstream: str) -> bool:
    """Write the snapshot of `surface` to `path`, atomically, unless the file already states the same surface.

    Returns whether the file was written. Order and line endings alone are no reason to rewrite a file.
    """
    if path.exists():
        try:
            old = load_snapshot(path)
        except SnapshotError:
            old = None
        if old is not None and same_content(old, surface):
            return False
    write_atomically(path, dump_snapshot(surface, upstream))
    return True


# --- reading ---------------------------------------------------------------------------------------------------------


def load_snapshot(path: Path) -> Surface:
    """Return the surface that the snapshot at `path` states. Raises `SnapshotError`."""
    return parse_snapshot(read_text(path, SnapshotError, "the snapshot"), where=str(path))


def parse_snapshot(text: str, *, where: str) -> Surface:
    """Return the surface that a snapshot's text states.

    Raises `SnapshotError` naming the first thing that is wrong: not YAML, an unknown key, a value of the wrong shape, a
    set that is empty or lists a name twice.
    """
    return _Reader(where).surface(load_yaml(text, where=where, error=SnapshotError))


def parse_field(record: Any, what: str, where: str) -> Field:
    """Return the field that `field_record` wrote. Raises `SnapshotError` naming `what` and `where`."""
    return _Reader(where).field(record, what)


class _Reader:
    """Checks a snapshot's data while turning it into values. `where` is the file, for messages."""

    def __init__(self, where: str) -> None:
        self.where = where

    def fail(self, what: str, expected: str = "", found: object = "") -> SnapshotError:
        return SnapshotError(
            f"the snapshot is malformed: {what}",
            where=self.where,
            expected=expected,
            found=found if isinstance(found, str) else _kind_of(found),
            next="restore the file from version control, or write it again with `driftgate refresh`",
        )

    def mapping(self, value: Any, what: str, keys: tuple[str, ...] | None = None) -> dict[str, Any]:
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            raise self.fail(what, "a mapping with text keys", value)
        for key in value:
            if keys is not None and key not in keys:
                raise self.fail(f"{what}: {unknown_key(key, keys)}")
        return value

    def names(self, value: Any, what: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fail(what, "a list of names", value)
        if twice := sorted(item for item, count in Counter(value).items() if count > 1):
            raise self.fail(what, "each name once", f"more than once: {', '.join(twice)}")
        return tuple(value)

    def text(self, value: Any, what: str) -> str:
        if not isinstance(value, str) or not value:
            raise self.fail(what, "a text in quotes or plain", value)
        return value

    def surface(self, data: Any) -> Surface:
        top = self.mapping(data, "the document", TOP_KEYS)
        stated = top.get("driftgate", "nothing")
        if stated not in FORMATS or isinstance(stated, bool | float):
            raise self.fail("key 'driftgate' (the format)", " or ".join(map(str, FORMATS)), _short(stated))
        for key in ("upstream", "version", "anchors", "vocabularies"):
            if key not in top:
                raise self.fail(f"key {key!r} is missing")
        anchors = self.anchors(top["anchors"])
        evidence = {
            name: self.evidence(items, anchors, f"evidence.{name}")
            for name, items in self.mapping(top.get("evidence") or {}, "evidence").items()
        }
        rules = {
            name: self.rules(items, f"rules.{name}")
            for name, items in self.mapping(top.get("rules") or {}, "rules").items()
        }
        version = self.text(top["version"], "version")
        surface = Surface(
            title=f"{title_of(self.text(top['upstream'], 'upstream'))} {version} (snapshot)",
            version=version,
            vocabularies=MappingProxyType(
                {
                    name: Vocabulary(name, self.members(value, f"vocabularies.{name}"), evidence.pop(name, ()))
                    for name, value in self.mapping(top["vocabularies"], "vocabularies").items()
                }
            ),
            tables=MappingProxyType(
                {
                    name: FieldTable(
                        name, self.rows(value, f"tables.{name}"), evidence.pop(name, ()), rules=rules.pop(name, None)
                    )
                    for name, value in self.mapping(top.get("tables") or {}, "tables").items()
                }
            ),
        )
        if rules:
            raise self.fail(f"rules.{min(rules)}", "only tables that the snapshot holds")
        if evidence:
            raise self.fail(f"evidence.{min(evidence)}", "only sets that the snapshot holds")
        if not any(vocabulary.members for vocabulary in surface.vocabularies.values()):
            raise self.fail("vocabularies", "at least one set with members", "none")
        return surface

    def rules(self, value: Any, what: str) -> Mapping[str, ObjectRules]:
        rows = self.mapping(value, what).items()
        return MappingProxyType({row: ObjectRules(self.names(words, f"{what}.{row}")) for row, words in rows})

    def members(self, value: Any, what: str) -> tuple[str, ...] | None:
        return None if value is None else self.names(value, what)

    def anchors(self, value: Any) -> tuple[Origin, ...]:
        return tuple(self.origin(item, f"anchors[{index}]") for index, item in enumerate(self.items(value, "anchors")))

    def origin(self, value: Any, what: str) -> Origin:
        record = self.mapping(value, what, ANCHOR_KEYS)
        package, version, integrity = (self.text_or_none(record.get(key), f"{what}.{key}") for key in ANCHOR_KEYS)
        return Origin(package, version, integrity)

    def items(self, value: Any, what: str) -> list[Any]:
        if not isinstance(value, list):
            raise self.fail(what, "a list", value)
        return value

    def text_or_none(self, value: Any, what: str) -> str | None:
        return None if value is None else self.text(value, what)

    def evidence(self, value: Any, anchors: tuple[Origin, ...], what: str) -> tuple[Evidence, ...]:
        return tuple(self.one_evidence(item, anchors, what) for item in self.items(value, what))

    def one_evidence(self, value: Any, anchors: tuple[Origin, ...], what: str) -> Evidence:
        record = self.mapping(value, what, EVIDENCE_KEYS)
        index = record.get("anchor")
        if not _is_count(index) or index >= len(anchors):
            raise self.fail(f"{what}.anchor", f"an index into anchors (0 to {len(anchors) - 1})", _short(index))
        offset = record.get("offset")
        if offset is not None and not _is_count(offset):
            raise self.fail(f"{what}.offset", "a number of bytes", _short(offset))
        place = Place(self.text(record.get("member"), f"{what}.member"), offset)
        listed = self.items(record.get("witnesses", []), f"{what}.witnesses")
        witnesses = tuple(Witness(self.text(how, f"{what}.witnesses")) for how in listed)
        return Evidence(anchors[index], place, witnesses)

    def rows(self, value: Any, what: str) -> Mapping[str, tuple[Field, ...]]:
        rows: dict[str, tuple[Field, ...]] = {}
        for row, items in self.mapping(value, what).items():
            rows[row] = tuple(self.field(item, f"{what}.{row}") for item in self.items(items, f"{what}.{row}"))
            self.names([field.name for field in rows[row]], f"{what}.{row}")
        return MappingProxyType(rows)

    def field(self, value: Any, what: str) -> Field:
        record = self.mapping(value, what, FIELD_KEYS)
        name = self.text(record.get("name"), f"{what}: name of a field")
        flags = {key: record.get(key, False) for key in ("required", "internal")}
        if "required" not in record or not all(isinstance(flag, bool) for flag in flags.values()):
            raise self.fail(f"{what}.{name}", "required (and internal, where stated): true or false")
        return Field(
            name=name,
            kind=self.text(record.get("kind"), f"{what}.{name}.kind"),
            required=flags["required"],
            internal=flags["internal"],
            values=self.names(record["values"], f"{what}.{name}.values") if "values" in record else None,
            constraints=self.names(record.get("constraints", []), f"{what}.{name}.constraints"),
        )


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _short(value: object) -> str:
    """Return a value as it is written, where that is short; else its kind."""
    return repr(value) if isinstance(value, str | int | float | None) and len(repr(value)) < 80 else _kind_of(value)


def _kind_of(value: object) -> str:
    return {dict: "a mapping", list: "a list", str: "a text", type(None): "nothing", bool: "true or false"}.get(
        type(value), type(value).__name__
    )


def same_content(one: Surface, other: Surface) -> bool:
    """Return whether two surfaces state the same facts, read from the same anchors; order and offsets do not matter."""
    return one.version == other.version and _same_facts(one, other) and _anchors(one) == _anchors(other)


def _same_facts(one: Surface, other: Surface) -> bool:
    first, second = facts_of_both(one, other)
    return first == second


def _anchors(surface: Surface) -> frozenset[tuple[str | None, ...]]:
    origins = (evidence.origin for evidence in _evidence(surface))
    return frozenset((origin.package, origin.version, origin.integrity) for origin in origins)
