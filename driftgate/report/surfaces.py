"""A surface in words and as json: what `extract` prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from driftgate.errors import ExitCode
from driftgate.formats.harmless import harmless
from driftgate.report.document import dumps, head, origin_record, place_record
from driftgate.surface import (
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_SETS,
    PLAIN_RULES,
    Evidence,
    Field,
    FieldTable,
    Surface,
    Vocabulary,
)


def surface_json(surface: Surface) -> str:
    """Return the surface as one JSON document."""
    return dumps(surface_document(surface))


def surface_document(surface: Surface) -> dict[str, Any]:
    """Return the surface as plain data.

    `surface` holds every set by its name (a hook set that the source does not state is null), every table as
    row -> ordered fields; `stated` names what the source states at all, so that null can be told from unknown.
    """
    sets: dict[str, Any] = dict.fromkeys(HOOK_SETS)
    sets |= {name: _members(vocabulary) for name, vocabulary in surface.vocabularies.items()}
    tables: dict[str, Any] = {HOOK_ENTRY_FIELDS_TABLE: None}
    tables |= {
        name: {row: [_field(field) for field in fields] for row, fields in table.rows.items()}
        for name, table in surface.tables.items()
    }
    return {
        **head("extract", ExitCode.AGREES),
        "title": surface.title,
        "version": surface.version,
        "surface": {**sets, **tables},
        "rules": {
            name: {row: list(rules.stated) for row, rules in table.rules.items()}
            for name, table in surface.tables.items()
            if table.rules is not None
        },
        "stated": [held.name for held in surface.sets()],
        "elsewhere": [{"what": item.what, "name": item.name, "module": item.module} for item in surface.elsewhere],
        "evidence": {held.name: [_evidence(item) for item in held.evidence] for held in surface.sets()},
        "notices": list(surface.notices),
    }


def _members(vocabulary: Vocabulary) -> list[str] | None:
    return None if vocabulary.members is None else list(vocabulary.members)


def _field(field: Field) -> dict[str, Any]:
    return {
        "name": field.name,
        "kind": field.kind,
        "required": field.required,
        "internal": field.internal,
        "values": None if field.values is None else list(field.values),
        "constraints": list(field.constraints),
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        **origin_record(evidence.origin),
        "member": evidence.place.source,
        **{key: value for key, value in place_record(evidence.place).items() if key != "source"},
        "witnesses": [
            {
                "how": witness.how,
                "place": place_record(witness.place) if witness.place else None,
                "read": None if witness.members is None else list(witness.members),
                "note": witness.note,
            }
            for witness in evidence.witnesses
        ],
    }


def surface_text(surface: Surface, *, verbose: bool = False) -> str:
    """Return the surface for people: each set with its members, each table with its fields, and where it was read.

    Of a source file, the sets that concern hooks are shown whole and the others named, all of them with `verbose`.
    """
    return "\n".join(map(harmless, _lines(surface, verbose=verbose)))


def _lines(surface: Surface, *, verbose: bool) -> Iterator[str]:
    others = () if verbose else _others(surface)
    yield surface.title
    for vocabulary in (one for one in surface.vocabularies.values() if one not in others):
        count = "none in this release" if vocabulary.members is None else str(len(vocabulary.members))
        yield ""
        yield f"{vocabulary.name}: {count}"
        yield from (f"  {member}" for member in vocabulary.members or ())
        yield from _evidence_lines(vocabulary, verbose=verbose)
    for table in (one for one in surface.tables.values() if one not in others):
        yield ""
        yield f"{table.name}: {sum(map(len, table.rows.values()))} fields of {len(table.rows)} types"
        for row, fields in table.rows.items():
            rules = table.rules_of(row)
            yield f"  {row}" + (f" ({rules.words})" if rules != PLAIN_RULES else "")
            yield from (f"    {field.name}: {field.words}" for field in fields)
        yield from _evidence_lines(table, verbose=verbose)
    for item in surface.elsewhere:
        yield ""
        yield f"{item.what}: stated elsewhere: {item.name} from {item.module}"
    if others:
        yield ""
        yield f"also there (-v shows them): {', '.join(f'{one.name} ({_size(one)})' for one in others)}"


def _others(surface: Surface) -> tuple[Vocabulary | FieldTable, ...]:
    """Return the sets of a source file that do not concern hooks; () where none does, or where they were asked for."""
    sets = surface.sets()
    of_hooks = [one for one in sets if "hook" in one.name or one.name in HOOK_SETS or _is_found(one)]
    return tuple(one for one in sets if one not in of_hooks) if of_hooks else ()


def _is_found(held: Vocabulary | FieldTable) -> bool:
    """Return whether a set was looked for in an artefact: then somebody wants it."""
    return any(evidence.origin.package or evidence.origin.integrity for evidence in held.evidence)


def _size(held: Vocabulary | FieldTable) -> int:
    return len(held.rows) if isinstance(held, FieldTable) else len(held.members or ())


def _evidence_lines(held: Vocabulary | FieldTable, *, verbose: bool) -> Iterator[str]:
    for evidence in held.evidence:
        yield f"  read from {evidence.origin}, {evidence.place}"
        for witness in evidence.witnesses if verbose else ():
            said = "not in this source" if witness.members is None else f"{len(witness.members)} read"
            yield f"    witness: {witness.how}: {said}{f' ({witness.note})' if witness.note else ''}"
