"""Members of a set: which edits of its files add, remove or rename one.

Each function yields attempts, the likeliest first; whoever makes them reads the edited files again and keeps the first
that says exactly what is wanted.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from driftgate.adopt.definitions import Behind, behind, referring, refers
from driftgate.adopt.documents import blank_row, markdown_series, yaml_series
from driftgate.adopt.draft import Edit
from driftgate.adopt.layout import insert, remove
from driftgate.adopt.series import Element, Series
from driftgate.adopt.spelling import form_of, forms, says_its_name_alone
from driftgate.adopt.task import Action, Task
from driftgate.adopt.trees import empty_series, series_of, tree_of
from driftgate.adopt.unsafe import CannotEditError
from driftgate.adopt.uses import is_used
from driftgate.adopt.workspace import Edits, Workspace
from driftgate.declared.languages import reader_for
from driftgate.declared.spec import parse_spec
from driftgate.surface import Place, Vocabulary

_PLAIN_NAME: Final = re.compile(r"[\w.:/@-]+\Z")


@dataclass(frozen=True, slots=True)
class Attempt:
    """Edits that may do it, what people should know about them, and the series that they are edits of."""

    edits: Edits
    notes: tuple[str, ...] = ()
    touched: tuple[tuple[Path, Series], ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A set as it is written: its series, each with the file that it stands in.

    `listed` refers to the elements of the one series one by one, where that only defines them.
    """

    parts: tuple[tuple[Path, Series], ...]
    listed: tuple[Path, Series] | None = None

    def of(self, name: str) -> tuple[Path, Series, Element]:
        """Return the one place where `name` stands. Raises `CannotEditError`."""
        for path, series in self.parts:
            if element := series.element(name):
                return path, series, element
        raise CannotEditError("it is not written as an element of a list")


def written(workspace: Workspace, spec: str, held: Vocabulary) -> Written:
    """Return how the set that `spec` names is written. Raises `CannotEditError` where that cannot be seen."""
    by_file: dict[Path, dict[str, tuple[int, int]]] = {}
    for name, place in held.places.items():
        if place.span is None:
            raise CannotEditError("where its names stand is not known")
        by_file.setdefault(workspace.path(place.source), {})[name] = (place.span.start, place.span.end)
    if not by_file and held.evidence and (place := held.evidence[0].place).span is not None:
        return _empty(workspace, spec, place)
    parts = [(path, one) for path, spans in by_file.items() for one in _series(workspace, path, spec, spans)]
    return Written(tuple(parts), _list_of(workspace, spec, held, parts) if len(parts) == 1 else None)


def _list_of(
    workspace: Workspace, spec: str, held: Vocabulary, parts: Sequence[tuple[Path, Series]]
) -> tuple[Path, Series] | None:
    ((_, definitions),) = parts
    place = held.evidence[0].place if held.evidence else None
    if place is None or place.span is None:
        return None
    path = workspace.path(place.source)
    tree = tree_of(workspace.draft(path).data, _reader(path, spec, workspace), path.suffix)
    found = referring(tree, place.span, definitions) if tree and tree.language == definitions.language else None
    return (path, found) if found else None


def _empty(workspace: Workspace, spec: str, place: Place) -> Written:
    path = workspace.path(place.source)
    tree = tree_of(workspace.draft(path).data, _reader(path, spec, workspace), path.suffix)
    span = place.span
    found = empty_series(tree, span.start, span.end) if tree and span else None
    if found is None:
        raise CannotEditError("it is empty, and how it is written is not known")
    return Written(((path, found),))


def _reader(path: Path, spec: str, workspace: Workspace) -> str:
    parsed = parse_spec(spec)
    return parsed.reader if (workspace.root / parsed.path).resolve() == path else reader_for(path.name)


def _series(workspace: Workspace, path: Path, spec: str, spans: Mapping[str, tuple[int, int]]) -> list[Series]:
    reader = _reader(path, spec, workspace)
    source = workspace.source(path)
    if reader == "markdown":
        found = markdown_series(source, spans)
    elif reader == "yaml" or path.suffix in (".yaml", ".yml"):
        found = yaml_series(source, spans)
    else:
        tree = tree_of(source.text.encode(), reader, path.suffix)
        return series_of(tree, spans) if tree else []
    return [found] if found else []


def attempts(workspace: Workspace, spec: str, held: Vocabulary, task: Task) -> Iterator[Attempt]:
    """Yield the edits that may do `task` to the set that `spec` names and that reads as `held` now.

    Raises `CannotEditError` where there are none.
    """
    if any(name is not None and not _PLAIN_NAME.match(name) for name in (task.old, task.new)):
        raise CannotEditError("the name has signs that would have to be escaped")
    found = written(workspace, spec, held)
    match task.action:
        case Action.ADD:
            yield from _added(workspace, held, found, task)
        case Action.REMOVE:
            yield from _removed(workspace, found, task.old or "")
        case Action.RENAME:
            yield from _renamed(workspace, held, found, task.old or "", task.new or "")
        case Action.CHANGE:
            raise CannotEditError("a member of a set has nothing that could change")


# --- adding ----------------------------------------------------------------------------------------------------------


def _added(workspace: Workspace, held: Vocabulary, found: Written, task: Task) -> Iterator[Attempt]:
    if len(found.parts) != 1:
        where = "several places" if found.parts else "no list that is written out"
        raise CannotEditError(f"its names stand in {where}")
    ((path, series),) = found.parts
    new = task.new or ""
    at = position([element.name or "" for element in series.named], new, task.order)
    texts = list(_texts(series, held, at, new, _quote(workspace, path)))
    if not texts:
        raise CannotEditError("its elements say more than their names, and how this one would go on is not known")
    defining = behind(workspace, path, series) if refers(series) else None
    if defining is None and refers(series):
        raise CannotEditError("its elements refer to something whose definition was not found")
    for text in texts:
        edits: dict[Path, list[Edit]] = {path: insert(series, at, text)}
        notes: list[str] = [*_about_length(series)]
        touched = [(path, series)]
        missing = defining.missing(text) if defining else None
        if defining and missing:
            edits.setdefault(defining.path, []).extend(_definition(defining, missing, new, task.order))
            touched.append((defining.path, defining.series))
        if found.listed:
            listing, other = found.listed
            at_ = position([element.name or "" for element in other.named], new, task.order)
            edits.setdefault(listing, []).extend(insert(other, at_, next(_texts(other, held, at_, new, ""), "")))
            touched.append((listing, other))
        if series.form == "table" and text not in (form.fill(new) for form, _ in forms(series.siblings)):
            notes.append(f"the other cells of the new row for {new} are left empty")
        yield Attempt(edits, tuple(notes), tuple(touched))
    raise CannotEditError("no spelling of it was found under which it reads as upstream's")


def _texts(series: Series, held: Vocabulary, at: int, new: str, quote: str) -> Iterator[str]:
    named = series.named
    if not named:
        yield f"{quote}{new}{quote}"
        return
    found = forms(series.siblings)
    enough = [form for form, count in found if count >= _least(len(named))]
    if len(named) == 1 and not says_its_name_alone(named[0].name or "", series.text(named[0])):
        enough = []  # nothing shows which of its other words are its own
    yield from dict.fromkeys(form.fill(new) for form in enough)
    if series.form == "table":
        near = named[max(at - 1, 0)]
        span = held.places[near.name or ""].span
        if span is not None:
            yield blank_row(series, near, (span.start, span.end), near.name or "", new)


def _least(siblings: int) -> int:
    """How many of `siblings` must share a form: two and a third of them, so that no single one's details are copied."""
    return min(siblings, max(2, -(-siblings // 3)))


def _quote(workspace: Workspace, path: Path) -> str:
    """The quotation mark that the file uses, for a set that is empty so far."""
    data = workspace.draft(path).data
    return "'" if path.suffix in (".py", ".ts", ".js", ".mjs") and data.count(b"'") > data.count(b'"') else '"'


def _definition(defining: Behind, missing: str, new: str, order: Sequence[str]) -> list[Edit]:
    """The edits that define the constant or variant `missing` behind a new element."""
    series = defining.series
    at = position([element.name or "" for element in series.named], new, order)
    for form, count in forms(series.siblings):
        text = form.fill(new)
        if count >= _least(len(series.named)) and re.search(rf"\b{re.escape(missing)}\b", text):
            return insert(series, at, text)
    raise CannotEditError(f"{missing} would have to be defined in {defining.path.name}")


def _about_length(series: Series) -> tuple[str, ...]:
    if not series.lengths_name:
        return ()
    return (f"the length of the list is stated as {series.lengths_name}: change that too",)


def position(names: Sequence[str], new: str, order: Sequence[str]) -> int:
    """Return the index at which `new` goes among `names`: sorted if they are, else after its neighbour upstream."""
    ranks = {name: rank for rank, name in enumerate(order)}
    known = [ranks[name] for name in names if name in ranks]
    if known != sorted(known) or not known:
        for key in (str, str.casefold):
            keys = [key(name) for name in names]
            if len(keys) > 2 and keys == sorted(keys):
                return bisect_left(keys, key(new))
    mine = ranks.get(new, len(order))
    before = [at for at, name in enumerate(names) if ranks.get(name, len(order)) < mine]
    if before:
        return max(before, key=lambda at: ranks[names[at]]) + 1
    after = [at for at, name in enumerate(names) if mine < ranks.get(name, -1)]
    return min(after, key=lambda at: ranks[names[at]]) if after else len(names)


# --- removing and renaming -------------------------------------------------------------------------------------------


def _removed(workspace: Workspace, found: Written, old: str) -> Iterator[Attempt]:
    """Without the element; or without what it refers to as well, where that alone would still state the name."""
    path, series, element = found.of(old)
    if found.listed and (its := found.listed[1].element(old)):
        yield Attempt({found.listed[0]: remove(found.listed[1], its)}, (), (found.listed,))
    edits = {path: remove(series, element)}
    yield Attempt(edits, _about_length(series), ((path, series),))
    if refers(series) and (defining := behind(workspace, path, series)) and (its := defining.series.element(old)):
        more = remove(defining.series, its)
        touched = ((path, series), (defining.path, defining.series))
        yield Attempt({**edits, defining.path: [*edits.get(defining.path, ()), *more]}, _about_length(series), touched)


def _renamed(workspace: Workspace, held: Vocabulary, found: Written, old: str, new: str) -> Iterator[Attempt]:
    """Where the name itself stands; in what the element refers to; with names made of it, unless others use those."""
    path, series, element = found.of(old)
    whole = list(_respelt(series, element, old, new))
    used = any(is_used(workspace, path, series, element, edit.text) for edit in whole)
    if not used:
        yield from (Attempt({path: [edit]}, (), ((path, series),)) for edit in whole)
    if refers(series) and (defining := behind(workspace, path, series)) and (its := defining.series.element(old)):
        data = defining.series.data[its.start : its.end].decode()
        for match in re.finditer(rf"(?<=[\"'`]){re.escape(old)}(?=[\"'`])", data):
            at = its.start + len(data[: match.start()].encode())
            yield Attempt({defining.path: [Edit(at, at + len(old.encode()), new)]})
    span = held.places[old].span
    literal = series.data[span.start : span.end].decode() if span else ""
    if span and literal.count(old) == 1:
        yield Attempt({path: [Edit(span.start, span.end, literal.replace(old, new))]}, (), ((path, series),))
    yield from (Attempt({path: [edit]}, (), ((path, series),)) for edit in whole)
    raise CannotEditError("how the name is spelt there is not known")


def _respelt(series: Series, element: Element, old: str, new: str) -> Iterator[Edit]:
    """The element with each spelling of the name exchanged, where its siblings show what is one."""
    siblings = [(name, text) for name, text in series.siblings if name != old]
    for start in dict.fromkeys((element.outer, element.start)):
        whole = series.data[start : element.end].decode()
        form = form_of(old, whole, siblings)
        if form is not None and form.fill(old) == whole and (not siblings or form.has_any(siblings)):
            yield Edit(start, element.end, form.fill(new))
