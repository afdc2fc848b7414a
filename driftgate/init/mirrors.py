"""What in a project seems to mirror a set of an upstream, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Final

from driftgate.declared import read_declared
from driftgate.declared.file_surface import CANONICAL, NothingStatedError, canonical, read_file_surface
from driftgate.declared.naming import snake_case
from driftgate.declared.source import show_path
from driftgate.errors import DriftgateError
from driftgate.init.attribution import about, decided
from driftgate.init.hidden import hidden_sets
from driftgate.init.tree import Candidate
from driftgate.surface import (
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_EVENTS_SET,
    HOOK_SETS,
    FieldTable,
    Place,
    Surface,
    Vocabulary,
)

_CALLED: Final = re.compile(r"hook|event|lifecycle", re.IGNORECASE)
"""What lists of hook events are called. A list of another name must hold most of them to be taken for one."""

_PART: Final = re.compile(
    r"match|support|block|guard|tool|with|skip|ignor|exclud|async|notif|enabled|disabled|default|deprecat|legacy|only"
    r"|requir|allow|deny|can_|_that_|used|session|prompt|core|basic|common|minimal|critical|example|sample|expected",
    re.IGNORECASE,
)
"""Words in the name of a list that is a part of one on purpose: `MATCHER_SUPPORTING_EVENTS`."""

_FULL: Final = 0.6
_FEWEST: Final = 3
_USED: Final = (
    r"[\"'`]?\s*(?::|=>|=)\s*"
    r"(?:\[\s*(?:\{|\]|$)|\{\s*[\"']?(?:hooks|command)\b|-\s*\{?\s*[\"']?(?:hooks|command|matcher|type)\b)"
)
"""What stands behind the name of an event where hooks are configured: a list of matchers, in JSON, code or YAML."""


@dataclass(frozen=True, slots=True)
class Mirror:
    """A set of a project that seems to mirror set `set` of `upstream`.

    `declared` is its name there, `spec` how a configuration names it (None: it cannot be named yet). `same` are the
    names that upstream has too, `missing` those that only upstream has, `beyond` those that only it has. `instead`
    are other upstreams that it may be of, where nothing decides.
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
    instead: tuple[str, ...] = ()

    @property
    def is_docs(self) -> bool:
        """Whether it describes the set for people: a table of a text, whose gaps are no drift."""
        return self.path.lower().endswith((".md", ".mdx", ".markdown"))

    @property
    def members(self) -> frozenset[str]:
        """The names that it holds."""
        return frozenset((*self.same, *self.beyond))


@dataclass(slots=True)
class Found:
    """What the candidates of a project turned out to be.

    `uses` are files that use hooks and mirror nothing, `unread` files in languages without a reader (path -> language),
    `broken` files that could not be read (path -> why), `silent` those in which names of events stand and no set does.
    """

    mirrors: list[Mirror] = field(default_factory=list)
    uses: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    silent: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Held:
    """One set of one file, with the file's text."""

    file: Candidate
    held: Vocabulary | FieldTable


def mirrors_in(files: Iterable[Candidate], root: Path, surfaces: Mapping[str, Surface]) -> Found:
    """Return what `files` are: mirrors of hook events, each of the upstream that it copies, and what stands beside.

    Each file is read once, whatever the number of its sets and of the upstreams.
    """
    found = Found()
    held = [one for file in files for one in _held(file, root, found)]
    project = about(root)
    events = [mirror for one in held if (mirror := _events(one, root, surfaces, project))]
    upstreams = {mirror.upstream for mirror in events}
    others = [
        mirror
        for one in held
        for upstream in surfaces
        if upstream in upstreams
        for mirror in _others(one, root, upstream, surfaces[upstream])
    ]
    found.mirrors = [*events, *others]
    return found


def _held(file: Candidate, root: Path, found: Found) -> Iterator[_Held]:
    shown = show_path(file.path, root)
    if file.language:
        found.unread[shown] = file.language
        return
    try:
        sets = _sets(file, shown, root)
    except DriftgateError as problem:
        found.broken[shown] = f"{problem.what}" + (f" ({problem.found})" if problem.found else "")
        return
    except Exception as problem:  # noqa: BLE001 - one file of many; that it was not read is said
        found.broken[shown] = f"a defect of driftgate ({type(problem).__name__}: {problem})"
        return
    if not any(len(_members(one)) >= _FEWEST for one in sets):
        found.silent.append(shown)
    is_schema = _SCHEMA in file.text
    used = [one for one in sets if isinstance(one, Vocabulary) and not is_schema and _is_use(one, file.text)]
    if used:
        found.uses.append(shown)
    yield from (_Held(file, one) for one in sets if one not in used)


def _sets(file: Candidate, shown: str, root: Path) -> tuple[Vocabulary | FieldTable, ...]:
    try:
        sets = read_file_surface(file.path, root=root).sets()
    except NothingStatedError:  # not every file with such names states a set
        sets = ()
    return (*sets, *hidden_sets(file, shown, root, sets))


_SCHEMA: Final = "json-schema.org"


def _is_use(vocabulary: Vocabulary, text: str) -> bool:
    """Return whether the names are keys below which hooks are configured: a settings document, not a list of events."""
    names = [name for name in vocabulary.members or () if _CALLED_SO.fullmatch(name)]
    lines = text.split("\n")
    used = 0
    for name in names:
        place = vocabulary.places.get(name)
        line = place.line if place is not None else None
        if line is None or line > len(lines):
            continue
        column = max((place.column or 1) - 1, 0) if place is not None else 0
        rest = "\n".join([lines[line - 1][column:], *lines[line : line + 2]])
        used += re.match(rf"[\"'`]?{re.escape(name)}{_USED}", rest) is not None
    return used > 0 and 2 * used >= len(names)


_CALLED_SO: Final = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)*|[a-z]+(?:\.[a-z]+)+")
"""How hook events are spelt."""


# --- whose it is -----------------------------------------------------------------------------------------------------


def _events(one: _Held, root: Path, surfaces: Mapping[str, Surface], project: str) -> Mirror | None:
    name, members = _name(one.held), _members(one.held)
    same = {upstream: _shared(members, surface) for upstream, surface in surfaces.items()}
    possible = {
        upstream: count
        for upstream, count in same.items()
        if count >= max(_FEWEST, _FULL * len(members)) and _is_list(one, count, surfaces[upstream])
    }
    if not possible:
        return None
    path = show_path(one.file.path, root)
    upstream, *instead = decided(members, possible, (name, path), one.file.text, project)
    return replace(_mirror(HOOK_EVENTS_SET, upstream, one, root, surfaces[upstream]), instead=tuple(instead))


def _shared(members: Iterable[str], surface: Surface) -> int:
    return len({*members} & {*surface.members(HOOK_EVENTS_SET)})


def _is_list(one: _Held, count: int, surface: Surface) -> bool:
    """Return whether a set may be the list: by its name or its file's; one named as a part must hold most of it."""
    name = _name(one.held)
    if canonical(name) == HOOK_EVENTS_SET or (_CALLED.search(name) and not _PART.search(snake_case(name))):
        return True
    return count >= _FULL * len(surface.members(HOOK_EVENTS_SET))


def _others(one: _Held, root: Path, upstream: str, surface: Surface) -> Iterator[Mirror]:
    held = one.held
    name = canonical(_name(held))
    if isinstance(held, FieldTable) and held.name == HOOK_ENTRY_FIELDS_TABLE:
        name = HOOK_ENTRY_FIELDS_TABLE
    is_stated = name in surface.tables if isinstance(held, FieldTable) else name in surface.vocabularies
    if name == HOOK_EVENTS_SET or name not in (*HOOK_SETS, HOOK_ENTRY_FIELDS_TABLE) or not is_stated:
        return
    mirror = _mirror(name, upstream, one, root, surface)
    if mirror.same and len(mirror.same) > len(mirror.beyond):
        yield mirror


def _mirror(name: str, upstream: str, one: _Held, root: Path, surface: Surface) -> Mirror:
    ours = _members(one.held)
    table = surface.tables.get(name)
    theirs = tuple(table.rows) if table else surface.members(name)
    return Mirror(
        set=name,
        upstream=upstream,
        declared=_name(one.held),
        place=one.held.evidence[0].place,
        path=show_path(one.file.path, root),
        spec=None,
        same=tuple(each for each in theirs if each in ours),
        missing=tuple(each for each in theirs if each not in ours),
        beyond=tuple(each for each in ours if each not in theirs),
    )


# --- which are configured --------------------------------------------------------------------------------------------


def chosen_of(found: Sequence[Mirror], upstream: str, root: Path) -> tuple[Mirror, ...]:
    """Return the mirrors of `upstream` that are to be configured, each with the spec that was proven to read it.

    A project may list the events of several programs, and parts of lists. The fullest list that is called so is the
    mirror; further places count where they hold the very same (two that differ would contradict each other), and other
    sets where they stand in a folder with a mirror.
    """
    ours = [mirror for mirror in found if mirror.upstream == upstream and not mirror.instead]
    events = [mirror for mirror in ours if mirror.set == HOOK_EVENTS_SET]
    # A table that could be of several programs describes the one whose list stands in the project; one of a few names
    # describes nothing whole.
    docs = [one for one in found if one.is_docs and upstream in (one.upstream, *one.instead)]
    kept = [*_equal(events, root)]
    enough = _FULL * len(kept[0].same) if kept else 0
    whole = (one for one in docs if kept and (len(one.same) >= enough or canonical(one.declared) == HOOK_EVENTS_SET))
    kept += _named((one for one in whole if one.set == HOOK_EVENTS_SET), root)
    folders = {PurePosixPath(mirror.path).parent for mirror in kept if not mirror.is_docs}
    lists = {mirror.path for mirror in found if mirror.set == HOOK_EVENTS_SET}
    foreign = lists - {mirror.path for mirror in kept}
    beside = [
        mirror
        for mirror in ours
        if mirror not in events and mirror.path not in foreign and PurePosixPath(mirror.path).parent in folders
    ]
    for name in dict.fromkeys(mirror.set for mirror in beside):
        kept += _equal([mirror for mirror in beside if mirror.set == name], root)
    return tuple(kept)


def _equal(mirrors: Iterable[Mirror], root: Path) -> Iterator[Mirror]:
    """Yield the best of `mirrors` that can be named, and those that hold the same as it."""
    best: Mirror | None = None
    for mirror in sorted((one for one in mirrors if not one.is_docs), key=_rank):
        if best is None or mirror.members == best.members:
            for named in _named([mirror], root):
                best = best or named
                yield named


def _rank(mirror: Mirror) -> tuple[bool, int, int, int, str]:
    is_called_so = CANONICAL[mirror.set].match(snake_case(mirror.declared.rpartition(".")[2])) is not None
    return not is_called_so, -len(mirror.same), len(mirror.beyond), mirror.path.count("/"), mirror.path


def _named(mirrors: Iterable[Mirror], root: Path) -> Iterator[Mirror]:
    for mirror in mirrors:
        spec = _spec(mirror, root)
        if spec is not None:
            yield replace(mirror, spec=spec)


def _spec(mirror: Mirror, root: Path) -> str | None:
    """Return the spec by which the same set is read again; only one that is proven to be so."""
    for written in _spellings(mirror):
        try:
            again = read_declared(written, root=root, vocabulary=mirror.set)
        except DriftgateError:
            continue
        if frozenset(_members(again)) == mirror.members:
            return written
    return None


def _spellings(mirror: Mirror) -> Iterator[str]:
    pointer = "/" + mirror.declared.replace(".", "/")
    yield f"{mirror.path}#{mirror.declared}"
    yield f"{mirror.path}#{pointer}"
    if mirror.path.lower().endswith(".json"):
        yield from (f"jsonschema:{mirror.path}#{name}" for name in (mirror.declared, pointer))
    if mirror.is_docs:
        yield from (f"{mirror.path}#{mirror.declared}/{column}" for column in ("Event", "Hook", "Hook event", "Name"))


def _members(held: Vocabulary | FieldTable) -> tuple[str, ...]:
    return tuple(held.rows) if isinstance(held, FieldTable) else held.members or ()


def _name(held: Vocabulary | FieldTable) -> str:
    witnesses = held.evidence[0].witnesses
    return witnesses[0].how if witnesses else held.name
