"""One JavaScript module as bytes, and the program that several of them make up.

Nothing is parsed here: definitions are found by name and cut out, imports and exports are read by their fixed form.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final, TypeAlias

from driftgate.extraction.javascript import cut
from driftgate.extraction.javascript.scopes import Scopes
from driftgate.surface import Place

_IMPORT: Final = re.compile(
    rb"import\s*(?:(?P<default>[\w$\x80-\xff]+)\s*,?\s*)?"
    rb'(?:\{(?P<names>[^{}"\']*)\}|\*\s*as\s+(?P<all>[\w$\x80-\xff]+))?\s*(?<=[\s\w$}\x80-\xff])from\s*["\'](?P<from>[^"\']+)["\']'
)
_EXPORT: Final = re.compile(rb"export\s*\{([^{}\"']*)\}(?!\s*from\b)")
_EXPORTED: Final = re.compile(rb"export\s+(?:async\s+)?(?:function\s*\*?|class|var|let|const)\s+([\w$\x80-\xff]+)")
_NOT_CODE: Final = re.compile(rb"/\*[^*]*(?:\*(?!/)[^*]*)*\*/|//[^\n]*\n|\s+")
_FUNCTION: Final = re.compile(rb"function ([\w$\x80-\xff]+)\s*\(")
_CLASS: Final = re.compile(rb"class ([\w$\x80-\xff]+)(?=\s*\{| extends)")
_COMMON: Final = 8
_SAMPLE: Final = 1 << 16
_INNER: Final = re.compile(rb"[\w$.#\x80-\xff]\Z")

EndOf: TypeAlias = Callable[[bytes, int], int]


@dataclass(frozen=True, slots=True)
class Import:
    """Where a name of a module comes from: the name that the other module exports, and how that module is written."""

    name: str
    specifier: str


ALL: Final = "*"
DEFAULT: Final = "default"
"""What `import * as x` and `import x` import."""


@dataclass(frozen=True, slots=True)
class Slice:
    """A piece cut out of a module: what stands at byte `offset` of the module's text."""

    offset: int
    source: bytes


@dataclass(frozen=True, slots=True)
class Definition:
    """A place that gives a module's name a value: byte `offset` of the name, and the value's text.

    `value` is None where the value's end is not found.
    """

    offset: int
    value: Slice | None


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
    _names: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False)
    _places: dict[str, list[tuple[int, int, EndOf]]] = field(default_factory=dict, repr=False)
    _defined: dict[str, tuple[Definition, ...]] = field(default_factory=dict, repr=False)

    def place(self, offset: int) -> Place:
        """Return the place of byte `offset` of this module, in the artefact."""
        return Place(self.member, offset=self.offset + offset)

    def named(self, name: str) -> tuple[int, ...]:
        """Return where `name` stands as a whole identifier, in strings and comments too."""
        if name not in self._names:
            self._names[name] = tuple(cut.occurrences(self.text, name.encode()))
        return self._names[name]

    @cached_property
    def scopes(self) -> Scopes:
        """The inner scopes of the module."""
        return Scopes(self.text)

    def is_inner(self, name: str, offset: int) -> bool:
        """Tell whether `name` at byte `offset` means an inner variable rather than the module's."""
        return self.scopes.is_inner(name.encode(), offset)

    def is_common(self, name: str) -> bool:
        """Tell whether a name is given values in so many places that most of these are inner variables."""
        return len(self._all_sites(name)) > _COMMON

    def _all_sites(self, name: str) -> list[tuple[int, int, EndOf]]:
        if name not in self._places:
            self._places[name] = self._sites(name.encode(), assigned=True) or self._spread_out(name)
        return self._places[name]

    def _spread_out(self, name: str) -> list[tuple[int, int, EndOf]]:
        """Return the assignments to a name that are written with space or comments in between."""
        length = len(name.encode())
        found: list[tuple[int, int, EndOf]] = []
        for offset in self.named(name):
            sign = _behind_space(self.text, offset + length)
            if self.text.startswith(b"=", sign) and not self.text.startswith((b"==", b"=>"), sign):
                found.append((offset, _behind_space(self.text, sign + 1), cut.end_of_expression))
        return found

    def has_body(self, name: str) -> bool:
        """Tell whether a function or class of the module has that name."""
        return name.encode() in self._bodies

    def defined(self, name: str) -> tuple[Definition, ...]:
        """Return each place that gives the module's `name` a value, in order; inner variables do not count.

        A name that contributes to a set must have one.
        """
        if name not in self._defined:
            sites = self._all_sites(name)
            if len(sites) > 1:
                code = (each for each in sites if self.scopes.is_code(name.encode(), each[0]))
                sites = [each for each in code if not self.is_inner(name, each[0])]
            self._defined[name] = tuple(Definition(site, self._cut(end_of, start)) for site, start, end_of in sites)
        return self._defined[name]

    def _cut(self, end_of: EndOf, start: int) -> Slice | None:
        end = _end(end_of, self.text, start)
        return None if end is None else Slice(start, self.text[start:end])

    def definitions(self, name: str, form: re.Pattern[bytes], *, assigned: bool = True) -> list[Slice]:
        """Return each function, class or (if `assigned`) assigned value of that name that begins as `form` says.

        For helpers, of which there are many: only what begins as it must is cut out. Inner variables do not count.
        """
        key = (name, form, assigned)
        if key not in self._known:
            self._known[key] = self._find(name, form, assigned=assigned)
        return self._known[key]

    def _find(self, name: str, form: re.Pattern[bytes], *, assigned: bool) -> list[Slice]:
        found = [
            (site, Slice(start, self.text[start:end]))
            for site, start, end_of in self._sites(name.encode(), assigned=assigned)
            if form.match(self.text, start) and (end := _end(end_of, self.text, start))
        ]
        if len(found) == 1 and not assigned:
            return [found[0][1]]
        return [each for site, each in found if not self.is_inner(name, site)]

    def _sites(self, name: bytes, *, assigned: bool) -> list[tuple[int, int, EndOf]]:
        """Return where `name` is defined, in the order of the text: the name, the value, and how its end is found."""
        sites = [(at + self.text.index(name, at) - at, at, cut.end_of_body) for at in self._bodies.get(name, ())]
        if assigned:
            sites += [(offset, value, cut.end_of_expression) for offset, value in self._assignments(name)]
        return sorted(sites, key=lambda site: site[1])

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
        return self.text.count(b" =", 0, _SAMPLE) * 256 > min(len(self.text), _SAMPLE)

    def _assignments(self, name: bytes) -> Iterator[tuple[int, int]]:
        """Yield (name, value) of each assignment to a name."""
        for sign in (b"=", b" =") if self._spaced else (b"=",):
            for offset in found_at(self.text, name + sign):
                end = offset + len(name) + len(sign)
                inner = offset and _INNER.search(self.text, offset - 1, offset)
                if not inner and not self.text.startswith((b"=", b">"), end):
                    yield offset, _behind_space(self.text, end)

    @cached_property
    def imports(self) -> Mapping[str, Import]:
        """The names that this module imports."""
        found = {}
        for match in self._clauses(b"import", _IMPORT):
            specifier = match["from"].decode(errors="replace")
            for exported, local in _names(match["names"] or b""):
                found[local] = Import(exported, specifier)
            for group, imported in (("default", DEFAULT), ("all", ALL)):
                if match[group]:
                    found[match[group].decode(errors="replace")] = Import(imported, specifier)
        return MappingProxyType(found)

    @cached_property
    def exports(self) -> Mapping[str, str]:
        """Exported name -> the module's own name for it."""
        found = {out: own for match in self._clauses(b"export", _EXPORT) for own, out in _names(match[1])}
        for match in self._clauses(b"export", _EXPORTED):
            name = match[1].decode(errors="replace")
            found[name] = name
        return MappingProxyType(found)

    @cached_property
    def _spans(self) -> tuple[tuple[int, int], ...]:
        forms = ((b"import", _IMPORT), (b"export", _EXPORT))
        return tuple(sorted(match.span() for word, form in forms for match in self._clauses(word, form)))

    def in_clause(self, offset: int) -> bool:
        """Tell whether a byte is part of an import or export clause."""
        at = bisect.bisect_right(self._spans, (offset, len(self.text))) - 1
        return at >= 0 and self._spans[at][0] <= offset < self._spans[at][1]

    def _clauses(self, word: bytes, form: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
        for offset in found_at(self.text, word):
            if not _INNER.search(self.text, max(0, offset - 1), offset) and (match := form.match(self.text, offset)):
                yield match


def _behind_space(text: bytes, at: int) -> int:
    while space := _NOT_CODE.match(text, at):
        at = space.end()
    return at


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
