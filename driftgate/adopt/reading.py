"""What a project declares while its files are edited, and whether an edit changed just what it was meant to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from driftgate.adopt.trees import tree_of
from driftgate.adopt.workspace import Workspace
from driftgate.declared.interpret import literal_places
from driftgate.declared.languages import module_of, reader_for
from driftgate.errors import DriftgateError
from driftgate.gate.check import declared_in
from driftgate.project.configuration import Config
from driftgate.surface import Field, FieldTable, Vocabulary

Held = Vocabulary | FieldTable


@dataclass(frozen=True, slots=True)
class Stand:
    """What every place of the project that states a set says: (set, spec) -> what it holds."""

    held: Mapping[tuple[str, str], Held]

    def facts(self, key: tuple[str, str]) -> frozenset[object]:
        """Return what one place says, to be compared."""
        return facts_of(self.held[key])


def facts_of(held: Held) -> frozenset[object]:
    """Return what a set says: its members; of a table (row, field), or the row alone where it has no fields."""
    if isinstance(held, Vocabulary):
        return frozenset(held.members or ())
    fields = {(row, _plain(field)) for row, fields in held.rows.items() for field in fields}
    return frozenset({*fields, *((row, None) for row in held.rows)})


def repeated(held: Held) -> int:
    """Return how many names a set states once more than once."""
    if not isinstance(held, Vocabulary):
        return 0
    said = [witness.members or () for evidence in held.evidence for witness in evidence.witnesses]
    return sum(len(members) - len(set(members)) for members in said)


def _plain(field: Field) -> Field:
    values = None if field.values is None else tuple(sorted(field.values))
    return replace(field, values=values, place=None)


def stand(config: Config, workspace: Workspace) -> Stand:
    """Read everything that the project declares and describes, as it is edited so far. Raises `DriftgateError`."""
    places = [(name, spec) for held in (config.declared, config.docs) for name, specs in held.items() for spec in specs]
    with workspace.seen():
        return Stand({(name, spec): declared_in(config, name, spec) for name, spec in places})


def literals(workspace: Workspace, path: Path) -> Counter[str]:
    """Return how often each literal name stands in what the file at `path` states."""
    source = workspace.source(path)
    try:
        statements = list(module_of(reader_for(path.name)).stated(source))
    except DriftgateError:
        return Counter()
    return Counter(text.value for stated in statements for text in literal_places(stated.value))


def is_sound(workspace: Workspace, path: Path) -> bool:
    """Return whether the text of a file is valid, as far as its grammar can tell."""
    tree = tree_of(workspace.draft(path).data, reader_for(path.name), path.suffix)
    return tree is None or not tree.root.has_error


def differences(before: Stand, after: Stand) -> Iterator[tuple[tuple[str, str], frozenset[object], frozenset[object]]]:
    """Yield each place that says something else than before: (set, spec), what is gone, what is new."""
    for key in before.held:
        was, now = before.facts(key), after.facts(key)
        if was != now:
            yield key, was - now, now - was
