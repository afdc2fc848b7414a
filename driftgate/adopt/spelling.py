"""How a new name is written where its siblings stand: their text, with each spelling of the name exchanged.

`PRE_TOOL_USE = "PreToolUse"`, `EventPreToolUse Event = "PreToolUse"` and `.{ "PreToolUse", .pre_tool_use }` state one
name in several spellings. Which spelling stands where is deduced from all siblings; where it cannot be, nothing is
written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Final

from driftgate.declared.naming import words

STRING: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`[^`]*`')
"""A text in quotation marks, as most languages write one."""

_MOST: Final = 2000
"""The most combinations of spellings that are tried for one sibling."""


def _joined(separator: str, change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda name: separator.join(change(word) for word in words(name)) or name


STYLES: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {
        "as it is": lambda name: name,
        "SCREAMING_SNAKE": _joined("_", str.upper),
        "snake_case": _joined("_", str.lower),
        "PascalCase": _joined("", str.capitalize),
        "camelCase": lambda name: _joined("", str.capitalize)(name)[:1].lower() + _joined("", str.capitalize)(name)[1:],
        "kebab-case": _joined("-", str.lower),
        "lowercase": _joined("", str.lower),
        "UPPERCASE": _joined("", str.upper),
        "Pascal_Snake": _joined("_", str.capitalize),
        "spaced words": _joined(" ", str.lower),
        "Spaced Words": _joined(" ", str.capitalize),
    }
)
"""The spellings that are known, the more specific first."""


@dataclass(frozen=True, slots=True)
class Form:
    """A sibling's text with its name taken out: `literals` around one slot fewer, each filled in one of `styles`."""

    literals: tuple[str, ...]
    styles: tuple[str, ...]

    def fill(self, name: str) -> str:
        """Return the text for `name`."""
        slots = [STYLES[style](name) for style in self.styles]
        return "".join(part for pair in zip(self.literals, [*slots, ""], strict=True) for part in pair)

    def has_any(self, siblings: Sequence[tuple[str, str]]) -> bool:
        """Return whether any of `siblings`, (name, text), is written so."""
        return any(_same(self.fill(name), text) for name, text in siblings)


def forms(siblings: Sequence[tuple[str, str]]) -> list[tuple[Form, int]]:
    """Return the forms in which `siblings`, (name, text), are written, with how many have each; the most common first.

    Runs of blanks count as one, for columns are aligned with them.
    """
    left = list(siblings)
    found: list[tuple[Form, int]] = []
    while left:
        name, text = left[0]
        best: Form | None = None
        alike: list[tuple[str, str]] = []
        for form in candidates(name, text):
            having = [pair for pair in left if _same(form.fill(pair[0]), pair[1])]
            if len(having) > len(alike):
                best, alike = form, having
        if best is None:
            left.pop(0)
            continue
        found.append((best, len(alike)))
        left = [pair for pair in left if pair not in alike]
    return sorted(found, key=lambda pair: -pair[1])


def form_of(name: str, text: str, siblings: Sequence[tuple[str, str]]) -> Form | None:
    """Return the form of one of `siblings` that most of them share, if `text` has a form that bears `name`."""
    counted = [(sum(_same(form.fill(other), its) for other, its in siblings), form) for form in candidates(name, text)]
    return max(counted, key=lambda pair: pair[0])[1] if counted else None


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()) == " ".join(other.split())


def candidates(name: str, text: str) -> Iterator[Form]:
    """Yield the forms that `text`, which states `name`, may have; those with the plainest spellings first."""
    spellings: dict[str, list[str]] = {}
    for style, spell in STYLES.items():
        spellings.setdefault(spell(name), []).append(style)
    pattern = "|".join(map(re.escape, sorted(spellings, key=len, reverse=True)))
    slots = [*re.finditer(pattern, text)]
    if not slots:
        return
    edges = [0, *(edge for slot in slots for edge in slot.span()), len(text)]
    literals = tuple(text[edges[i] : edges[i + 1]] for i in range(0, len(edges), 2))
    for number, styles in enumerate(product(*(spellings[slot[0]] for slot in slots))):
        if number >= _MOST:
            return
        yield Form(literals, styles)


def says_its_name_alone(name: str, text: str) -> bool:
    """Return whether every text in quotation marks in `text` is a spelling of `name`."""
    spellings = {spell(name) for spell in STYLES.values()}
    return all(any(spelling in found[0] for spelling in spellings) for found in STRING.finditer(text))
