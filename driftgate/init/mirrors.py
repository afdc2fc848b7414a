"""What in a project seems to mirror a set of an upstream, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from driftgate.declared import read_declared
from driftgate.declared.file_surface import canonical, read_file_surface
from driftgate.declared.source import show_path
from driftgate.errors import DriftgateError
from driftgate.surface import (
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_EVENTS_SET,
    HOOK_SETS,
    FieldTable,
    Place,
    Surface,
    Vocabulary,
)
from driftgate.upstreams.catalogue import UPSTREAMS

_CALLED: Final = re.compile(r"hook|event|lifecycle", re.IGNORECASE)
"""What lists of hook events are called. A list of another name must hold most of them to be taken for one."""

_FULL: Final = 0.6


@dataclass(frozen=True, slots=True)
class Mirror:
    """A set of a project that seems to mirror set `set` of `upstream`.

    `declared` is its name there, `spec` how a configuration names it (None: it cannot be named yet). `same` are the
    names that upstream has too, `missing` those that only upstream has, `beyond` those that only it has.
    """

    set: str
    upstream: str
    declared: str
    place: Place
    path: str
    spec: str | None
    same: tuple[str, ...]
    missing: tuple[str, ...]
    beyond: tuple[str, ...]

    @property
    def is_docs(self) -> bool:
        """Whether it describes the set for people: a table of a text, whose gaps are no drift."""
        return self.path.lower().endswith((".md", ".mdx", ".markdown"))


def mirrors_in(files: Iterable[Path], root: Path, surfaces: Mapping[str, Surface]) -> tuple[Mirror, ...]:
    """Return the mirrors in `files`.

    These are sets of hook events, each of the upstream that it most likely copies, and what the project has of the
    other sets of such an upstream.
    """
    held = [(path, one) for path in files for one in _held(path, root)]
    events = [best for path, one in held if (best := _best(path, _events(path, one, root, surfaces)))]
    found = {mirror.upstream for mirror in events}
    others = [
        mirror
        for path, one in held
        for upstream in surfaces
        if upstream in found
        for mirror in _others(path, one, root, upstream, surfaces[upstream])
    ]
    return (*events, *others)


def chosen_of(found: Iterable[Mirror], upstream: str) -> tuple[Mirror, ...]:
    """Return the mirrors of `upstream` that are to be configured.

    A project may list the events of several programs, and parts of lists. Those with far fewer of the names than the
    fullest one are no mirrors beside it; nor are other sets that do not stand in a folder with a mirror.
    """
    nameable = [mirror for mirror in found if mirror.upstream == upstream and mirror.spec is not None]
    events = [mirror for mirror in nameable if mirror.set == HOOK_EVENTS_SET]
    most = max((len(mirror.same) for mirror in events if not mirror.is_docs), default=0)
    kept = [mirror for mirror in events if mirror.is_docs or len(mirror.same) >= _FULL * most]
    folders = {PurePosixPath(mirror.path).parent for mirror in kept if not mirror.is_docs}
    foreign = {mirror.path for mirror in events} - {mirror.path for mirror in kept}
    beside = (m for m in nameable if m not in events and m.path not in foreign)
    return (*kept, *(mirror for mirror in beside if PurePosixPath(mirror.path).parent in folders))


def _held(path: Path, root: Path) -> tuple[Vocabulary | FieldTable, ...]:
    try:
        return read_file_surface(path, root=root).sets()
    except DriftgateError:  # not every file with such names states a set
        return ()


def _best(path: Path, mirrors: Iterable[Mirror]) -> Mirror | None:
    """Return the likeliest: the one whose upstream has most of the names, then the one that the file speaks of.

    How much of the upstream's set is there says little: copies are stale. Qwen Code has most of Claude Code's names.
    """
    found = tuple(mirrors)
    if len(found) < 2:
        return next(iter(found), None)
    text = path.read_bytes().lower()
    words = {mirror: UPSTREAMS[mirror.upstream].title.split()[0].lower().encode() for mirror in found}
    return max(found, key=lambda mirror: (len(mirror.same), text.count(words[mirror])))


def _events(path: Path, held: Vocabulary | FieldTable, root: Path, surfaces: Mapping[str, Surface]) -> Iterator[Mirror]:
    if isinstance(held, FieldTable):
        return
    called_so = _CALLED.search(_name(held)) is not None
    for upstream, surface in surfaces.items():
        mirror = _mirror(HOOK_EVENTS_SET, upstream, path, held, root, surface)
        same, known = len(mirror.same), len(surface.members(HOOK_EVENTS_SET))
        mostly = same >= 3 and same >= 0.6 * (same + len(mirror.beyond))
        if mostly and same >= (0.2 if called_so else 0.6) * known:
            yield mirror


def _others(path: Path, held: Vocabulary | FieldTable, root: Path, upstream: str, surface: Surface) -> Iterator[Mirror]:
    name = canonical(_name(held))
    if isinstance(held, FieldTable) and held.name == HOOK_ENTRY_FIELDS_TABLE:
        name = HOOK_ENTRY_FIELDS_TABLE
    is_stated = name in surface.tables if isinstance(held, FieldTable) else name in surface.vocabularies
    if name == HOOK_EVENTS_SET or name not in (*HOOK_SETS, HOOK_ENTRY_FIELDS_TABLE) or not is_stated:
        return
    mirror = _mirror(name, upstream, path, held, root, surface)
    if mirror.same and len(mirror.same) > len(mirror.beyond):
        yield mirror


def _mirror(
    name: str, upstream: str, path: Path, held: Vocabulary | FieldTable, root: Path, surface: Surface
) -> Mirror:
    ours = _members(held)
    table = surface.tables.get(name)
    theirs = tuple(table.rows) if table else surface.members(name)
    return Mirror(
        set=name,
        upstream=upstream,
        declared=_name(held),
        place=held.evidence[0].place,
        path=show_path(path, root),
        spec=_spec(name, path, held, root),
        same=tuple(each for each in theirs if each in ours),
        missing=tuple(each for each in theirs if each not in ours),
        beyond=tuple(each for each in ours if each not in theirs),
    )


def _members(held: Vocabulary | FieldTable) -> tuple[str, ...]:
    return tuple(held.rows) if isinstance(held, FieldTable) else held.members or ()


def _name(held: Vocabulary | FieldTable) -> str:
    witnesses = held.evidence[0].witnesses
    return witnesses[0].how if witnesses else held.name


def _spec(name: str, path: Path, held: Vocabulary | FieldTable, root: Path) -> str | None:
    """Return the spec by which the same set is read again; only one that is proven to be so."""
    declared = _name(held)
    for written in (declared, "/" + declared.replace(".", "/"), *_table_columns(path, declared)):
        spec = f"{show_path(path, root)}#{written}"
        try:
            again = read_declared(spec, root=root, vocabulary=name)
        except DriftgateError:
            continue
        if set(_members(again)) == set(_members(held)):
            return spec
    return None


def _table_columns(path: Path, heading: str) -> Iterator[str]:
    if path.suffix.lower() in {".md", ".mdx", ".markdown"}:
        yield from (f"{heading}/{column}" for column in ("Event", "Hook", "Hook event", "Name"))
