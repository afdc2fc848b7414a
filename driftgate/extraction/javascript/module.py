"""One JavaScript module as bytes, and the program that several of them make up.

Nothing is parsed here: definitions are found by name and cut out, imports and exports are read by their fixed form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final, TypeAlias

from driftgate.extraction.javascript import cut
from driftgate.surface import Place

_IMPORT: Final = re.compile(rb'import\s*\{([^{}"\']*)\}\s*from\s*["\']([^"\']+)["\']')
_EXPORT: Final = re.compile(rb"export\s*\{([^{}\"']*)\}")
_FUNCTION: Final = re.compile(rb"function ([\w$]+)\s*\(")
_CLASS: Final = re.compile(rb"class ([\w$]+)(?=\s*\{| extends)")
_SAMPLE: Final = 1 << 16
_INNER: Final = re.compile(rb"[\w$.]\Z")

_DECLARED: Final = re.compile(rb"\b(?:var|let|const) [\w$]+=\Z")

EndOf: TypeAlias = Callable[[bytes, int], int]


@dataclass(frozen=True, slots=True)
class Import:
    """Where a name of a module comes from: the name that the other module exports, and how that module is written."""

    name: str
    specifier: str


@dataclass(frozen=True, slots=True)
class Slice:
    """A piece cut out of a module: what stands at byte `offset` of the module's text."""

    offset: int
    source: bytes


@dataclass(frozen=True, eq=False)
class Module:
    """A module's text, and where it stands: at byte `offset` of the artefact's member `member`.

    `file` is the module's own file name where it has one; a module inside a native binary has none that a reader of
    text could rely on. Compared by identity.
    """

    member: str
    offset: int
    text: bytes = field(repr=False)
    file: str | None = None
    _known: dict[tuple[str, re.Pattern[bytes], bool], list[Slice]] = field(default_factory=dict, repr=False)

    def place(self, offset: int) -> Place:
        """Return the place of byte `offset` of this module, in the artefact."""
        return Place(self.member, offset=self.offset + offset)

    def definitions(self, name: str, form: re.Pattern[bytes], *, assigned: bool = True) -> list[Slice]:
        """Return each function, class or (if `assigned`) assigned value of that name that begins as `form` says.

        A minifier gives inner variables the names of outer ones that are not used there, so the same name is defined
        again and again; those are left out. Of several others those are meant that no function encloses, if there is
        such a one: all may be assigned inside of lazy initialisers. More than one may be left: it is for the caller to
        tell by what they hold.
        """
        key = (name, form, assigned)
        if key not in self._known:
            self._known[key] = self._find(name, form, assigned=assigned)
        return self._known[key]

    def _find(self, name: str, form: re.Pattern[bytes], *, assigned: bool) -> list[Slice]:
        found = [
            Slice(start, self.text[start:end])
            for start, end_of in self._sites(name.encode(), assigned=assigned)
            if form.match(self.text, start) and (end := _end(end_of, self.text, start))
        ]
        inner = [each for each in found if self._is_inner(each)]
        found = [each for each in found if each not in inner]
        if len(found) < 2:
            return found
        return [each for each in found if not cut.is_enclosed(self.text, each.offset + len(each.source))] or found

    def _is_inner(self, each: Slice) -> bool:
        """Tell whether a definition is some function's variable: declared where it is assigned, inside of brackets."""
        declared = _DECLARED.search(self.text, max(0, each.offset - 80), each.offset)
        return bool(declared) and cut.is_enclosed(self.text, each.offset + len(each.source))

    def _sites(self, name: bytes, *, assigned: bool) -> list[tuple[int, EndOf]]:
        """Return where `name` is defined, in the order of the text; each with the way to find the definition's end."""
        sites = [(offset, cut.end_of_body) for offset in self._bodies.get(name, ())]
        if assigned:
            sites += [(offset, cut.end_of_expression) for offset in self._assignments(name)]
        return sorted(sites, key=lambda site: site[0])

    @cached_property
    def _bodies(self) -> Mapping[bytes, list[int]]:
        """The functions and classes of the module, by name: one sweep for all of them, since aliases are many."""
        found: dict[bytes, list[int]] = {}
        for pattern in (_FUNCTION, _CLASS):
            for match in pattern.finditer(self.text):
                found.setdefault(match[1], []).append(match.start())
        return found

    @cached_property
    def _spaced(self) -> bool:
        """Whether the text is written for people rather than minified."""
        return self.text.count(b" = ", 0, _SAMPLE) * 256 > min(len(self.text), _SAMPLE)

    def _assignments(self, name: bytes) -> Iterator[int]:
        for sign in (b"=", b" = ") if self._spaced else (b"=",):
            for offset in found_at(self.text, name + sign):
                end = offset + len(name) + len(sign)
                if not _INNER.search(self.text, offset - 1, offset) and not self.text.startswith((b"=", b">"), end):
                    yield end

    @cached_property
    def imports(self) -> Mapping[str, Import]:
        """The names that this module imports."""
        found = {}
        for match in _IMPORT.finditer(self.text):
            for exported, local in _names(match[1]):
                found[local] = Import(exported, match[2].decode(errors="replace"))
        return MappingProxyType(found)

    @cached_property
    def exports(self) -> Mapping[str, str]:
        """Exported name -> the module's own name for it."""
        return MappingProxyType({out: own for match in _EXPORT.finditer(self.text) for own, out in _names(match[1])})


def _end(end_of: EndOf, text: bytes, start: int) -> int | None:
    try:
        return end_of(text, start)
    except cut.CutError:
        return None


def found_at(text: bytes, what: bytes) -> Iterator[int]:
    """Yield each offset of `what`."""
    offset = text.find(what)
    while offset >= 0:
        yield offset
        offset = text.find(what, offset + 1)


def _names(clause: bytes) -> Iterator[tuple[str, str]]:
    for part in clause.decode(errors="replace").split(","):
        first, _, second = part.strip().partition(" as ")
        if first:
            yield first.strip(), (second or first).strip()


@dataclass(frozen=True, slots=True)
class Program:
    """The modules of one artefact that were kept, and how they reach each other."""

    modules: tuple[Module, ...]

    def resolve(self, module: Module, name: str) -> tuple[Module, str] | None:
        """Return the module that defines what `module` imports as `name`, and the name it has there.

        A module that has a file is found by it. One inside a native binary is found by what it exports: minified
        names of exports are unique in a build. None where nothing is imported by that name, where the module was not
        kept, or where more than one could be meant.
        """
        imported = module.imports.get(name) if len(self.modules) > 1 else None
        if imported is None:
            return None
        candidates = [
            other
            for other in self.modules
            if other is not module
            and imported.name in other.exports
            and (other.file is None or other.file == imported.specifier.rsplit("/", 1)[-1])
        ]
        if len(candidates) != 1:
            return None
        (other,) = candidates
        return other, other.exports[imported.name]
