"""Fields of tables: which edits add, remove, rename or change one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from driftgate.adopt.members import Attempt
from driftgate.adopt.task import Action, Task
from driftgate.adopt.unsafe import CannotEditError
from driftgate.adopt.workspace import Workspace
from driftgate.judge.findings import Finding
from driftgate.surface import Field, FieldTable


def task_of(finding: Finding, held: FieldTable, observed: FieldTable | None, action: Action) -> Task | None:
    """Return what a table lacks for `finding` not to stand, None where it says what upstream says."""
    row, _, name = finding.subject.partition(".")
    theirs = {field.name: field for field in (observed.rows.get(row, ()) if observed else ())}
    ours = {field.name: field for field in held.rows.get(row, ())}
    if not name:
        return _task_of_row(row, held, observed, action)
    place = next((field.place for field in held.rows.get(row, ()) if field.place), None)
    order = tuple(theirs)
    if action is Action.ADD and name in theirs and name not in ours:
        return Task(action, None, name, order, row, theirs[name], None, place)
    if action is Action.REMOVE and name in ours:
        return Task(action, name, None, order, row, None, ours[name], ours[name].place)
    if action is Action.RENAME and name in ours:
        new = finding.detail.removeprefix("upstream: ").rpartition(".")[2]
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


def attempts(workspace: Workspace, spec: str, held: FieldTable, task: Task) -> Iterator[Attempt]:
    """Yield the edits that may do `task` to the table that `spec` names. Raises `CannotEditError`."""
    if task.row is None:
        raise CannotEditError("a whole entry type is more than a name")
    yield from ()
    raise CannotEditError(f"fields are not edited in {workspace.root.name}: {spec}, {held.name}")


def is_done(task: Task, gone: Iterable[object], come: Iterable[object]) -> bool:
    """Return whether a table differs from before in what the task is about alone."""
    return {row for row, _ in (*_pairs(gone), *_pairs(come))} <= {task.row}


def _pairs(facts: Iterable[object]) -> Iterator[tuple[str, object]]:
    for fact in facts:
        assert isinstance(fact, tuple)  # noqa: S101 - a table's facts are pairs
        yield fact
