"""What is mutated: an artefact that is read right today, with the places of its parts, and the mutants made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from driftgate.artefact import Artefact, Member
from driftgate.extraction import read_surface
from driftgate.extraction.published import read_published
from driftgate.surface import Origin, Surface
from driftgate.upstreams.catalogue import UPSTREAMS
from tests.injection.copies import Copy, find_copies
from tests.injection.declared import DeclaredSite
from tests.injection.text import Edit, Source, applied
from tests.injection.truth import Truth, Verdict, judged

Members: TypeAlias = Mapping[str, bytes]

_LITERAL: Final = re.compile(rb"""(hook_event_name)\s*:\s*([\w$.]+)\(\s*["'](\w+)["']\s*\)""")
_SCRIPTS: Final = (".js", ".mjs", ".cjs")


def _as_they_are(members: Members) -> Members:
    return members


@dataclass(frozen=True, eq=False)
class Subject:
    """One artefact. `pack` makes the members that a reader is given of the modules that are mutated."""

    name: str
    members: Members = field(repr=False)
    origin: Origin
    release: str | None
    pack: Callable[[Members], Members] = field(default=_as_they_are, repr=False)

    def read(self, members: Members) -> Surface:
        """Return what driftgate reads of this artefact if these were its members."""
        packed = self.pack(members)

        def open_members() -> Iterator[Member]:
            for name, data in packed.items():
                yield Member(name, len(data), iter((data,)))

        return read_surface(Artefact(self.origin, self.release, open_members))

    @cached_property
    def base(self) -> Surface:
        """What is read of it unchanged."""
        return self.read(self.members)

    @cached_property
    def sources(self) -> Mapping[str, Source]:
        """Its modules."""
        return {name: Source(name, text) for name, text in self.members.items() if not name.endswith(".ts")}

    @cached_property
    def copies(self) -> tuple[Copy, ...]:
        """Each copy of the hooks schema in it."""
        found = tuple(find_copies(self.sources))
        assert found, f"{self.name}: no copy of the hooks schema was located"
        return found

    @cached_property
    def declared(self) -> DeclaredSite:
        """Its declarations; of no text where it has none."""
        files = [(name, text) for name, text in self.members.items() if name.endswith(("sdk.d.ts", "index.d.ts"))]
        return DeclaredSite(*(files[0] if files else ("", b"")))

    @cached_property
    def literals(self) -> tuple[tuple[Source, re.Match[bytes]], ...]:
        """The schemas of hook inputs: where each names its event."""
        return tuple((s, match) for s in self.sources.values() for match in _LITERAL.finditer(s.text))

    def told(
        self, *, add: Iterable[str] = (), drop: Iterable[str] = (), rename: Mapping[str, str] | None = None
    ) -> list[Edit]:
        """Return the edits by which the other witnesses of the events say what the list says."""
        edits = self.declared.events(add=add, drop=drop, rename=rename or {})
        dropped = set(drop)
        for source, match in self.literals:
            event = match[3].decode()
            if event in dropped:
                edits.append(Edit(source.member, *match.span(1), "hook_event_gone"))
            elif rename and event in rename:
                edits.append(Edit(source.member, *match.span(3), rename[event]))
        if self.literals:
            source, match = self.literals[-1]
            text = "".join(f';var zin{at}={{hook_event_name:{match[2].decode()}("{x}")}}' for at, x in enumerate(add))
            edits += [Edit(source.member, len(source.text), len(source.text), text)] if text else []
        return edits


@dataclass(frozen=True, eq=False)
class Sister(Subject):
    """A package of a sister harness: `upstream` is the row of the catalogue that says how its sets are found."""

    upstream: str = ""

    def read(self, members: Members) -> Surface:
        """Return what driftgate reads of this package if these were its members."""

        def open_members() -> Iterator[Member]:
            for name, data in members.items():
                yield Member(name, len(data), iter((data,)))

        return read_published(UPSTREAMS[self.upstream], Artefact(self.origin, self.release, open_members))


@dataclass(frozen=True, eq=False)
class Mutant:
    """A subject after one change. `kind` is the row of the table, `how` the form of the change within it."""

    subject: Subject
    kind: str
    how: str
    edits: tuple[Edit, ...]
    truth: Truth
    cosmetic: bool = False
    more: Mapping[str, bytes | None] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.subject.name}: {self.kind} / {self.how}"

    @property
    def changes_anything(self) -> bool:
        """Whether any byte is another one."""
        members = self.subject.members
        return bool(self.more) or any(members[e.member][e.start : e.end] != e.text.encode() for e in self.edits)

    @property
    def members(self) -> Members:
        """The members after the change."""
        changed = applied(self.subject.members, self.edits)
        changed |= {name: text for name, text in self.more.items() if text is not None}
        return {name: text for name, text in changed.items() if self.more.get(name, b"") is not None}

    def judge(self) -> Verdict:
        """Read it, and hold what is read against the truth."""
        return judged(self.truth, self.subject.base, lambda: self.subject.read(self.members))


CopyEdit: TypeAlias = "Callable[[Copy], Iterable[Edit] | None]"


def everywhere(
    subject: Subject,
    kind: str,
    how: str,
    change: CopyEdit,
    truth: Truth,
    *,
    also: Iterable[Edit] = (),
    cosmetic: bool = False,
) -> Iterator[Mutant]:
    """Yield the mutant whose every copy is changed in the same way, if that can be done to all of them."""
    edits: dict[Edit, None] = {}
    for copy in subject.copies:
        made = change(copy)
        if made is None:
            return
        edits |= dict.fromkeys(made)
    yield Mutant(subject, kind, how, (*edits, *also), truth, cosmetic)
