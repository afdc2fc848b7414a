"""Adopt: bring the source of a mirror up to date with what was observed upstream, finding by finding.

Every edit is made in memory, and the edited files are read again: an edit that does not say exactly what is wanted, or
changes anything else, is dropped and becomes an instruction for people.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from driftgate.adopt import fields, members
from driftgate.adopt.draft import Draft, Edit
from driftgate.adopt.members import Attempt, position
from driftgate.adopt.reading import Held, Stand, differences, is_sound, literals, repeated, stand
from driftgate.adopt.series import Series, line_of
from driftgate.adopt.settle import settled
from driftgate.adopt.task import Action, Task
from driftgate.adopt.unsafe import CannotEditError
from driftgate.adopt.uses import notes_on_uses, told_apart
from driftgate.adopt.workspace import Workspace
from driftgate.errors import DriftgateError, ExitCode
from driftgate.gate.check import compare_with
from driftgate.gate.outcome import Comparison
from driftgate.judge.comparison import diff
from driftgate.judge.findings import Finding, misspellings
from driftgate.judge.rules import Severity
from driftgate.project.configuration import Config
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_ENTRY_TYPES_SET, FieldTable, Surface, Vocabulary, surface_of

_ACTIONS: Final = (
    ("-only-upstream", Action.ADD),
    ("-only-here", Action.REMOVE),
    ("-misspelt", Action.RENAME),
)


@dataclass(frozen=True, slots=True)
class Adopted:
    """One thing that was adopted: its finding, what was done ("added", ...), and where (file:line)."""

    finding: Finding
    done: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Instruction:
    """What people have to do themselves: for which finding, where (file:line), what, and why it was not done."""

    finding: Finding
    where: str
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Change:
    """A file, named as reports name it, with its content before and after."""

    path: Path
    shown: str
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class AdoptReport:
    """What was adopted, what was left to people, and the files as they would be.

    `before` and `after` are the comparisons with what was observed, without and with the edits.
    """

    before: Comparison
    after: Comparison
    adopted: tuple[Adopted, ...] = ()
    instructions: tuple[Instruction, ...] = ()
    notes: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    asked: tuple[tuple[str, str], ...] | None = None

    def exit_code(self, fail_on: Severity = Severity.NOTICE) -> ExitCode:
        """Drift if anything that was asked for remains (all findings, where nothing was named), else agrees."""
        if self.after.problem is not None:
            return self.after.problem.code
        left = [
            one
            for one in self.after.findings
            if self.asked is None or (one.rule.id, one.subject) in self.asked
        ]  # fmt: skip
        undone = bool(self.instructions) if self.asked is not None else False
        return ExitCode.DRIFT if undone or any(one.severity.rank >= fail_on.rank for one in left) else ExitCode.AGREES


def adopt(
    config: Config,
    observed: Surface,
    chosen: Sequence[Finding] | None = None,
    *,
    pinned: Surface | None = None,
    workspace: Workspace | None = None,
    today: dt.date | None = None,
) -> AdoptReport:
    """Return the mirror with the `chosen` findings of a comparison with `observed` adopted (None: all of them).

    `pinned` is the project's snapshot, as for `compare_with`; `workspace` the files as they are edited so far, where
    several mirrors of one project are brought up to date. Nothing is written. Raises `DriftgateError` where what is
    declared cannot be read or compared.
    """
    day = today or dt.datetime.now(tz=dt.UTC).date()
    run = _Run(config, observed, workspace or Workspace(config.root))
    with run.workspace.seen():
        before = compare_with(config, observed, today=day, pinned=pinned)
    if before.problem is not None:
        raise before.problem
    for finding in before.findings if chosen is None else chosen:
        run.take(finding)
    with run.workspace.seen():
        after = compare_with(config, observed, today=day, pinned=pinned)
    stands = {(one.rule.id, one.subject) for one in after.findings}
    left = [one for one in run.instructions if (one.finding.rule.id, one.finding.subject) in stands]
    changes = tuple(
        Change(one.path, one.shown, run.workspace.original(one.path), one.raw) for one in run.workspace.changed()
    )
    return AdoptReport(
        before,
        after,
        tuple(run.adopted),
        tuple({(one.where, one.what): one for one in left}.values()),
        tuple(dict.fromkeys((*run.notes, *run.told_apart()))),
        changes,
        None if chosen is None else tuple((one.rule.id, one.subject) for one in chosen),
    )


def standing(config: Config, observed: Surface, pinned: Surface | None = None) -> tuple[Finding, ...]:
    """Return the findings that stand today, as `adopt` sees them. Raises `DriftgateError`."""
    found = compare_with(config, observed, today=dt.datetime.now(tz=dt.UTC).date(), pinned=pinned)
    if found.problem is not None:
        raise found.problem
    return found.findings


class _Run:
    """One run: the files so far, and what was done."""

    def __init__(self, config: Config, observed: Surface, workspace: Workspace) -> None:
        self.config, self.observed = config, observed
        self.workspace = workspace
        self.now = stand(config, self.workspace)
        self.adopted: list[Adopted] = []
        self.instructions: list[Instruction] = []
        self.notes: list[str] = []
        self.come: dict[tuple[Path, str], tuple[tuple[str, ...], Series]] = {}

    def told_apart(self) -> Iterator[str]:
        """Yield where the siblings of the names that have come are told apart, once all edits are made."""
        for (path, _), (names, series) in self.come.items():
            yield from told_apart(self.workspace, path, series, tuple(dict.fromkeys(names)))

    def take(self, finding: Finding) -> None:
        """Adopt one finding in every place that declares its set, or say what is to be done."""
        places: list[str] = []
        found = False
        for name, spec in self._specs(finding):
            task = self._task(finding, name, spec)
            if task is None:
                continue
            found = True
            try:
                places += self._do(name, spec, task)
            except CannotEditError as problem:
                self._instruct(finding, name, spec, task, str(problem))
        if places:
            self.adopted.append(Adopted(finding, _DONE[_action(finding)], tuple(dict.fromkeys(places))))
        elif not found:
            where = str(finding.places[0]) if finding.places else finding.of
            self.instructions.append(Instruction(finding, where, finding.remedy, "nothing in a list states it"))

    def _specs(self, finding: Finding) -> Iterator[tuple[str, str]]:
        sets = [finding.of]
        if finding.of == HOOK_ENTRY_TYPES_SET:
            sets.append(HOOK_ENTRY_FIELDS_TABLE)  # a type has its row of fields besides
        for name in sets:
            for spec in self.config.declared.get(name, ()):
                yield name, spec

    def _task(self, finding: Finding, name: str, spec: str) -> Task | None:
        """Return what the place `spec` of the set `name` lacks, None where it says what upstream says."""
        action = _action(finding)
        held = self.now.held[name, spec]
        if isinstance(held, FieldTable):
            return fields.task_of(finding, held, self.observed.tables.get(name), action)
        order = self.observed.members(name)
        subject, here = finding.subject, set(held.members or ())
        if action is Action.ADD and subject not in here:
            return Task(action, None, subject, order)
        if action is Action.REMOVE and subject in here:
            return Task(action, subject, None, order)
        if action is Action.RENAME and subject in here:
            new = self._meant(held.name, spec, subject) or finding.detail.removeprefix("upstream: ")
            if new in here:
                return Task(Action.REMOVE, subject, None, order)
            return Task(action, subject, new, order)
        return None

    def _meant(self, name: str, spec: str, subject: str) -> str | None:
        changes = diff(self.observed, surface_of((self.now.held[name, spec],), spec)).changes
        return next((theirs.name for ours, theirs in misspellings(changes) if ours.subject == subject), None)

    # --- one edit ----------------------------------------------------------------------------------------------------

    def _do(self, name: str, spec: str, task: Task) -> list[str]:
        """Make the first attempt that reads as it should. Returns where it was made. Raises `CannotEditError`."""
        reason = CannotEditError("nothing that would be written reads as upstream's")
        for attempt in self._attempts(name, spec, task):
            before = dict(self.workspace.drafts)
            try:
                return self._try(name, spec, task, attempt)
            except CannotEditError as problem:
                reason = problem
            self.workspace.drafts = before
        raise reason

    def _attempts(self, name: str, spec: str, task: Task) -> Iterator[Attempt]:
        held = self.now.held[name, spec]
        if isinstance(held, FieldTable):
            yield from fields.attempts(self.workspace, held, task)
        else:
            yield from members.attempts(self.workspace, spec, held, task)

    def _try(self, name: str, spec: str, task: Task, attempt: Attempt) -> list[str]:
        workspace, old = self.workspace, self.now
        was = {path: (literals(workspace, path), is_sound(workspace, path)) for path in attempt.edits}
        drafts = {path: workspace.draft(path) for path in attempt.edits}
        workspace.apply(attempt.edits)
        settled(workspace, attempt.touched, attempt.edits)
        try:
            new = stand(self.config, workspace)
        except DriftgateError as problem:
            raise CannotEditError(f"with it, the source would not be read: {problem.what}") from problem
        self._must_be_just_that(old, new, (name, spec), task)
        for path, (words, sound) in was.items():
            if sound and not is_sound(workspace, path):
                raise CannotEditError("with it, the source would not be valid")
            gone = [drafts[path].data[edit.start : edit.end].decode() for edit in attempt.edits[path]]
            _must_keep(words, literals(workspace, path), task, "\n".join(gone))
        self.now = new
        for path, series in attempt.touched if task.action is Action.ADD else ():
            names = self.come.get((path, series.form), ((), series))[0]
            self.come[path, series.form] = (*names, task.new or ""), series
        self.notes += [*attempt.notes, *(n for part in attempt.touched for n in notes_on_uses(workspace, *part, task))]
        return [_place(drafts[path], edits[-1]) for path, edits in attempt.edits.items() if edits]

    def _must_be_just_that(self, old: Stand, new: Stand, key: tuple[str, str], task: Task) -> None:
        """Raise `CannotEditError` unless the place says what the task asks for, and no other says anything else."""
        done = False
        for place, gone, come in differences(old, new):
            is_table = isinstance(old.held[place], FieldTable)
            wanted = fields.is_done(task, gone, come) if is_table else _is_done(task, gone, come)
            if not wanted:
                raise CannotEditError("with it, something else would be said as well")
            if repeated(new.held[place]) > repeated(old.held[place]):
                raise CannotEditError("with it, the name would be stated twice")
            done = done or place == key
        if not done:
            raise CannotEditError("where it would be written, nothing reads it")

    def _instruct(self, finding: Finding, name: str, spec: str, task: Task, why: str) -> None:
        held = self.now.held[name, spec]
        where, what = _in_words(held, spec, task)
        self.instructions.append(Instruction(finding, where, what, why))


_DONE: Final = {Action.ADD: "added", Action.REMOVE: "removed", Action.RENAME: "renamed", Action.CHANGE: "changed"}


def _action(finding: Finding) -> Action:
    return next((action for end, action in _ACTIONS if finding.rule.id.endswith(end)), Action.CHANGE)


def _is_done(task: Task, gone: Iterable[object], come: Iterable[object]) -> bool:
    return set(gone) <= {task.old} - {None} and set(come) <= {task.new} - {None}


def _must_keep(before: Collection[str], after: Collection[str], task: Task, gone: str) -> None:
    """Raise `CannotEditError` where a file states fewer names than before, but for the one that goes with its text."""
    missing = [word for word in before if word not in after and not task.speaks_of(word)]
    lost = [word for word in missing if not (word in gone or json.dumps(word, ensure_ascii=False)[1:-1] in gone)]
    if lost and after:
        raise CannotEditError(f"with it, the file would no longer state {', '.join(sorted(lost)[:3])}")


def _place(draft: Draft, edit: Edit) -> str:
    """Return the line of an edit; that of a new line, where it begins with one."""
    return f"{draft.shown}:{line_of(draft.data, edit.start) + edit.text.startswith(chr(10))}"


def _in_words(held: Held, spec: str, task: Task) -> tuple[str, str]:
    """Return where a task is to be done by hand, and what it is."""
    places = held.places if isinstance(held, Vocabulary) else {}
    names = [*(held.members or ())] if isinstance(held, Vocabulary) else []
    near = names[position(names, task.new, task.order) - 1] if task.new and names else None
    at = places.get(task.old or near or "") or task.place or (held.evidence[0].place if held.evidence else None)
    return str(at or spec), task.in_words(spec.partition("#")[2], near)
