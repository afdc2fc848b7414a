"""Fields of tables: which edits add, remove, rename or change one.

A new field is written as a sibling that is required or optional as it is, with its own name and type in the place of
the sibling's; what the edited table then says is read again, as for members.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Final

from driftgate.adopt import field_types
from driftgate.adopt.draft import Edit
from driftgate.adopt.layout import insert, remove
from driftgate.adopt.members import Attempt, position
from driftgate.adopt.series import Element, Series
from driftgate.adopt.spelling import candidates
from driftgate.adopt.task import Action, Task
from driftgate.adopt.trees import Tree, elements_of, series_of, tree_of, whole_series
from driftgate.adopt.unsafe import CannotEditError
from driftgate.adopt.uses import uses
from driftgate.adopt.workspace import Workspace
from driftgate.declared.languages import reader_for
from driftgate.judge.findings import Finding
from driftgate.surface import Field, FieldTable

if TYPE_CHECKING:
    from tree_sitter import Node

_RUST_WORDS: Final = frozenset(
    {"as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "extern", "fn", "for", "if", "impl"}
    | {"in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "trait", "type"}
    | {"unsafe", "use", "where", "while", "yield", "try", "abstract", "final", "override", "priv", "virtual", "box"}
)

_MOST_SPELLINGS: Final = 12
"""The most spellings of a name that are tried in one sibling's text."""


def task_of(finding: Finding, held: FieldTable, observed: FieldTable | None, action: Action) -> Task | None:
    """Return what a table lacks for `finding` not to stand, None where it says what upstream says."""
    row, _, name = finding.subject.partition(".")
    theirs = {field.name: field for field in (observed.rows.get(row, ()) if observed else ())}
    ours = {field.name: field for field in held.rows.get(row, ())}
    if not name:
        return _task_of_row(row, held, observed, action)
    place = next((field.place for field in held.rows.get(row, ()) if field.place), None)
    order = tuple(theirs)
    if action is Action.ADD and row in held.rows and name in theirs and name not in ours:
        return Task(action, None, name, order, row, theirs[name], None, place)
    if action is Action.REMOVE and name in ours:
        return Task(action, name, None, order, row, None, ours[name], ours[name].place)
    if action is Action.RENAME and name in ours:
        new = finding.detail.removeprefix("upstream: ").rpartition(".")[2]
        if new in ours:
            return Task(Action.REMOVE, name, None, order, row, None, ours[name], ours[name].place)
        return Task(action, name, new, order, row, theirs.get(new), ours[name], ours[name].place)
    if action is Action.CHANGE and name in ours and name in theirs and _differ(ours[name], theirs[name]):
        return Task(action, name, name, order, row, theirs[name], ours[name], ours[name].place)
    return None


def _task_of_row(row: str, held: FieldTable, observed: FieldTable | None, action: Action) -> Task | None:
    place = held.evidence[0].place if held.evidence else None
    order = tuple(observed.rows) if observed else ()
    if action is Action.ADD and row not in held.rows:
        return Task(action, None, row, order, place=place)
    if action in (Action.REMOVE, Action.RENAME) and row in held.rows:
        return Task(Action.REMOVE, row, None, order, place=place)
    return None


def _differ(ours: Field, theirs: Field) -> bool:
    words = (ours.kind, ours.required, ours.carried), (theirs.kind, theirs.required, theirs.carried)
    values = (set(ours.values or ()), set(theirs.values or ()))
    return words[0] != words[1] or values[0] != values[1] or ours.constraints != theirs.constraints


@dataclass(frozen=True, slots=True)
class _Row:
    """One row as it is written: the file, its tree, the fields' series, and whose fields they are."""

    path: Path
    tree: Tree
    series: Series
    fields: Mapping[str, Field]

    def node(self, element: Element) -> Node | None:
        """Return the node of an element."""
        return next(
            (
                node
                for node in elements_of_series(self.tree, self.series)
                if node.start_byte - self.tree.shift == element.start
            ),
            None,
        )

    @property
    def form(self) -> str:
        """The form of table, as `field_types` calls it."""
        if self.series.language != "typescript":
            if self.series.language == "python" and self.series.form == "dictionary":
                return "words"
            return self.series.language
        if self.series.form != "object":
            return "typescript"
        if self.tree.shift:
            return "schema"
        texts = [self.series.text(element) for element in self.series.named]
        return "words" if all(re.search(r":\s*['\"`][^'\"`]*['\"`]\Z", text) for text in texts) else "zod"


def elements_of_series(tree: Tree, series: Series) -> list[Node]:
    """Return the nodes of the elements of a series."""
    node = tree.leaf(series.elements[0].start, series.elements[0].end) if series.elements else None
    while node is not None and node.type != series.form:
        node = node.parent
    return elements_of(node) if node is not None else []


def attempts(workspace: Workspace, held: FieldTable, task: Task) -> Iterator[Attempt]:
    """Yield the edits that may do `task` to the table that reads as `held` now. Raises `CannotEditError`."""
    if task.row is None:
        raise CannotEditError("a whole entry type is more than a name")
    row = _row(workspace, held, task.row)
    match task.action:
        case Action.ADD:
            yield from _added(workspace, held, row, task)
        case Action.REMOVE:
            element = _element(row, task.old)
            edits = [*remove(row.series, element), *_required(row, task.old, None, required=False)]
            yield Attempt({row.path: edits}, (), ((row.path, row.series),))
        case Action.RENAME:
            yield from _renamed(workspace, row, task)
        case Action.CHANGE:
            yield from _changed(row, task)


def _row(workspace: Workspace, held: FieldTable, name: str) -> _Row:
    """Return how a row is written: of several series, the one whose fields are not those of other rows, too."""
    fields = {field.name: field for field in held.rows.get(name, ())}
    others = {
        (field.place.source, field.place.span.start)
        for row, some in held.rows.items()
        for field in some
        if row != name and field.place and field.place.span
    }
    by_file: dict[Path, dict[str, tuple[int, int]]] = {}
    for field in fields.values():
        if field.place is None or field.place.span is None:
            raise CannotEditError("where its fields stand is not known")
        span = (field.place.span.start, field.place.span.end)
        by_file.setdefault(workspace.path(field.place.source), {})[field.name] = span
    found: list[_Row] = []
    for path, spans in by_file.items():
        tree = tree_of(workspace.draft(path).data, reader_for(path.name), path.suffix)
        for series in series_of(tree, spans) if tree else []:
            places = [fields[one.name or ""].place for one in series.named]
            own = [one for one in places if one and one.span and (one.source, one.span.start) not in others]
            if tree and own:
                found.append(_Row(path, tree, series, fields))
    if len(found) != 1:
        where = "several places" if found else "no place of its own"
        raise CannotEditError(f"its fields stand in {where}")
    return found[0]


def _element(row: _Row, name: str | None) -> Element:
    element = row.series.element(name or "")
    if element is None:
        raise CannotEditError("it is not written as a field of its own")
    return element


# --- adding ----------------------------------------------------------------------------------------------------------


def _added(workspace: Workspace, held: FieldTable, row: _Row, task: Task) -> Iterator[Attempt]:
    field = task.observed
    if field is None:
        raise CannotEditError("what upstream states of it is not known")
    if row.form == "python" and iskeyword(field.name):
        raise CannotEditError(f"{field.name} is a word of Python: the field needs another name, and an alias")
    names = [element.name or "" for element in row.series.named]
    at = _allowed(row, position(names, field.name, task.order), field)
    required = _required(row, None, field.name, required=field.required)
    taken = {_first_word(row.series.text(element)) for element in row.series.elements}
    for text in dict.fromkeys(_escaped(row, text, field.name) for text in _texts(workspace, held, row, field)):
        if _first_word(text) in taken:
            continue
        edits = [*insert(row.series, at, text), *required]
        yield Attempt({row.path: edits}, (), ((row.path, row.series),))
    raise CannotEditError("no sibling shows how it would be written")


def _texts(workspace: Workspace, held: FieldTable, row: _Row, field: Field) -> Iterator[str]:
    """Yield how `field` may be written: as a sibling of its kind, else as another one with its own type."""
    rows = [row]
    for name in held.rows:
        try:
            other = _row(workspace, held, name)
        except CannotEditError:
            continue
        if other.form == row.form and other.series.start != row.series.start:
            rows.append(other)
    pairs = [(one, element, one.fields[element.name or ""]) for one in rows for element in one.series.named]
    pairs = [pair for pair in pairs if row.form in ("schema", "words") or pair[2].required == field.required]
    exact = [pair for pair in pairs if _says(pair[2]) == _says(field)]
    near = [
        pair for pair in pairs if pair[2].kind == field.kind and set(pair[2].values or ()) == set(field.values or ())
    ]
    for one, element, its in (*_best(exact), *_best(near)):
        if field.kind != "enum" or its.values:
            yield from _filled(one.series.text(element), its.name, field.name)
    for one, element, its in _best(pairs):
        text = one.series.text(element)
        span = _type(one, element)
        if span is None:
            continue
        written = one.series.data[span[0] : span[1]].decode()
        kind = field_types.core(row.form, field, _quote(row.series.data))
        mark = "?" if row.form == "words" and not field.required else ""
        kind = kind[:-1] + mark + kind[-1] if mark else field_types.like(written, kind)
        if text.count(written) >= 1:
            head, _, tail = text.rpartition(written)
            yield from (one.replace("\0", kind) for one in _filled(f"{head}\0{tail}", its.name, field.name))


def _first_word(text: str) -> str:
    """The name by which the language calls a field."""
    found = re.search(r"(?:r#)?[\w$-]+", re.sub(r"#\[[^\n]*\]\n|\b(?:pub(?:\([^)]*\))?|readonly)\s", "", text))
    return found[0] if found else text


def _escaped(row: _Row, text: str, name: str) -> str:
    """Rust writes a field that is called as one of its words is with a mark before it."""
    if row.form != "rust" or name not in _RUST_WORDS:
        return text
    return re.sub(rf"(?<![\w#\"]){re.escape(name)}(?=\s*:)", f"r#{name}", text)


def _allowed(row: _Row, at: int, field: Field) -> int:
    """In a dataclass, fields with defaults stand behind those without."""
    if row.form != "python":
        return at
    has_default = [
        re.search(r"(?<![=!<>])=(?!=)", row.series.text(element)) is not None for element in row.series.named
    ]
    if True not in has_default:
        return at
    last_without = max((n + 1 for n, given in enumerate(has_default) if not given), default=0)
    return min(at, has_default.index(True)) if field.required else max(at, last_without)


def _says(field: Field) -> Field:
    return replace(field, name="", place=None, internal=False, constraints=tuple(sorted(field.constraints)))


def _best(pairs: list[tuple[_Row, Element, Field]]) -> list[tuple[_Row, Element, Field]]:
    """Siblings whose names have several words show best how names are spelt; documented ones are as good."""
    return sorted(pairs, key=lambda pair: -sum(c.isupper() or c in "_-" for c in pair[2].name))[:4]


def _filled(text: str, old: str, new: str) -> Iterator[str]:
    for number, form in enumerate(candidates(old, text)):
        if number >= _MOST_SPELLINGS:
            return
        yield form.fill(new)


def _quote(data: bytes) -> str:
    return "'" if data.count(b"'") > data.count(b'"') else '"'


def _type(row: _Row, element: Element) -> tuple[int, int] | None:
    """Return where the type of a field is written."""
    node = row.node(element)
    if node is not None and node.type == "expression_statement":
        node = node.named_children[0] if node.named_children else None
    found = (node.child_by_field_name("type") or node.child_by_field_name("value")) if node is not None else None
    if found is not None and found.type == "type_annotation":
        found = found.named_children[0] if found.named_children else None
    return (found.start_byte - row.tree.shift, found.end_byte - row.tree.shift) if found is not None else None


# --- renaming and changing -------------------------------------------------------------------------------------------


def _renamed(workspace: Workspace, row: _Row, task: Task) -> Iterator[Attempt]:
    element, old, new = _element(row, task.old), task.old or "", task.new or ""
    place = row.fields[old].place
    needed = _required(row, old, new, required=row.fields[old].required)
    touched = ((row.path, row.series),)
    data = row.series.data
    literal = (place.span.start, place.span.end) if place and place.span else (element.start, element.end)
    called = _first_word(row.series.text(element))
    spans = [literal, (element.start, element.end)]
    if called != old and not any(True for _ in uses(workspace, row.path, called, row.series, element)):
        spans.reverse()  # nobody else calls it by the name that it has in the language: that is put right as well
    for start, end in spans:
        for text in _filled(data[start:end].decode(), old, new):
            if start != element.start or _first_word(text) != called or called == old:
                yield Attempt({row.path: [Edit(start, end, _escaped(row, text, new)), *needed]}, (), touched)
    yield Attempt({row.path: [Edit(*literal, data[slice(*literal)].decode().replace(old, new)), *needed]}, (), touched)
    raise CannotEditError("how the name is spelt there is not known")


def _changed(row: _Row, task: Task) -> Iterator[Attempt]:
    """Another kind, or required where it was optional: the type, and the mark of optional fields."""
    ours, theirs = task.declared, task.observed
    if ours is None or theirs is None or ours.carried != theirs.carried:
        raise CannotEditError("whether a value is carried is decided where it is loaded")
    element = _element(row, task.old)
    span = _type(row, element)
    if span is None:
        raise CannotEditError("its type is not written beside its name")
    touched = ((row.path, row.series),)
    written = row.series.data[span[0] : span[1]].decode()
    whole = row.series.data[element.start : element.end].decode()
    kind = written
    if replace(_says(ours), required=True) != replace(_says(theirs), required=True):
        kind = field_types.like(written, field_types.core(row.form, theirs, _quote(row.series.data)))
    head, tail = whole[: span[0] - element.start], whole[span[1] - element.start :]
    if row.form == "words":
        kind = field_types.core("words", theirs, written[0])
        kind = kind if theirs.required else kind[:-1] + "?" + kind[-1]
        yield Attempt({row.path: [Edit(*span, kind)]}, (), touched)
    elif row.form == "schema" or ours.required == theirs.required:
        needed = _required(row, task.old, task.old, required=theirs.required) if row.form == "schema" else []
        edits = [Edit(*span, kind)] if kind != written else []
        yield Attempt({row.path: [*edits, *needed]}, (), touched)
    else:
        for one in _marked(row, head, kind, tail, required=theirs.required):
            yield Attempt({row.path: [Edit(element.start, element.end, one)]}, (), touched)
    raise CannotEditError("what upstream states cannot be said in this form")


def _marked(row: _Row, head: str, kind: str, tail: str, *, required: bool) -> Iterator[str]:
    """Yield a field with its mark of being optional put on, or taken off."""
    bare = field_types.unwrapped(kind)
    match row.form:
        case "typescript":
            yield re.sub(r"\??(\s*:\s*)\Z", r"\1" if required else r"?\1", head) + kind + tail
        case "zod":
            yield head + (bare if required else f"{kind}.optional()") + tail
        case "rust":
            yield head + (bare if required else f"Option<{kind}>") + tail
        case "go":
            plain = re.sub(r",omit(?:empty|zero)", "", tail)
            yield (
                head
                + kind.lstrip("*" * required)
                + (plain if required else re.sub(r'(json:"[^",]*)', r"\1,omitempty", tail))
            )
        case "python":
            if required:
                yield head + bare + re.sub(r"\s*=\s*None\Z", "", tail)
            elif b"NotRequired" in row.series.data and not any(" = " in text for _, text in row.series.siblings):
                yield f"{head}NotRequired[{kind}]{tail}"
            elif not _stands_before_required(row, head):
                yield f"{head}{kind} | None = None"
        case _:
            return


def _stands_before_required(row: _Row, head: str) -> bool:
    """Whether a field without a default follows in a dataclass, before which one with a default may not stand."""
    texts = [row.series.text(element) for element in row.series.named]
    at = next((n for n, text in enumerate(texts) if text.startswith(head)), len(texts))
    return b"dataclass" in row.series.data and any(" = " not in text for text in texts[at + 1 :])


# --- JSON Schema's list of required properties -----------------------------------------------------------------------


def _required(row: _Row, old: str | None, new: str | None, *, required: bool) -> list[Edit]:
    """Return the edits of `required` beside the properties of a JSON Schema; none for any other form."""
    if row.form != "schema":
        return []
    listed = _required_list(row)
    if listed is None:
        if required and new is not None and new != old:
            raise CannotEditError("the schema has no list of required properties yet")
        return []
    element = listed.element(old or "")
    if element is not None and new is not None and required:
        return [Edit(element.start, element.end, f'"{new}"')] if new != old else []
    if element is not None:
        return remove(listed, element)
    return insert(listed, len(listed.named), f'"{new}"') if new is not None and required else []


def _required_list(row: _Row) -> Series | None:
    node = row.tree.leaf(row.series.elements[0].start, row.series.elements[0].end)
    while node is not None and node.type != "object":
        node = node.parent
    outer = node.parent.parent if node is not None and node.parent is not None else None
    for pair in outer.named_children if outer is not None else ():
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None and key.text == b'"required"' and value.type == "array":
            names = {(one.text or b"").decode()[1:-1]: one for one in elements_of(value)}
            return whole_series(row.tree, value, names)
    return None


# --- what was said ---------------------------------------------------------------------------------------------------


def is_done(task: Task, gone: Iterable[object], come: Iterable[object]) -> bool:
    """Return whether a table differs from before in just what the task asks for."""
    lost = {(row, field.name) for row, field in _pairs(gone) if field}
    found = {(row, field.name): field for row, field in _pairs(come) if field}
    if not lost <= {(task.row, task.old)} or not found.keys() <= {(task.row, task.new)}:
        return False
    theirs = task.observed
    return theirs is None or all(_fits(field, theirs, task) for field in found.values())


def _fits(field: Field, theirs: Field, task: Task) -> bool:
    """Whether a field has upstream's kind, and is required where that is; a rename keeps its own."""
    if task.action is Action.RENAME:
        return True
    values = theirs.values is None or field.values is None or set(field.values) == set(theirs.values)
    return (field.kind, field.required) == (theirs.kind, theirs.required) and values


def _pairs(facts: Iterable[object]) -> Iterator[tuple[str, Field | None]]:
    for fact in facts:
        assert isinstance(fact, tuple)  # noqa: S101 - a table's facts are pairs
        yield fact
