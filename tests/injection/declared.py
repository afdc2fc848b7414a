"""The declarations beside a bundle: what a release would change there when it changes the bundle."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tests.injection.text import Edit

_CONSTANT: Final = re.compile(rb"HOOK_EVENTS\s*:\s*readonly\s*(\[[^\]]*\])")
_UNION: Final = re.compile(rb"\btype\s+HookEvent\s*=\s*([^;]*);")
_INPUT: Final = re.compile(rb"\bhook_event_name\s*:\s*'(\w+)'\s*;")
_ENTRIES: Final = re.compile(rb"\bhooks:\s*\(")
_TYPE: Final = re.compile(rb"\btype\s*:\s*'([\w-]+)'\s*;")


@dataclass(frozen=True, slots=True)
class DeclaredSite:
    """A declaration file; one without text changes nothing."""

    member: str
    text: bytes = field(repr=False)

    def __bool__(self) -> bool:
        return bool(self.text)

    def events(self, *, add: Iterable[str], drop: Iterable[str], rename: Mapping[str, str]) -> list[Edit]:
        """Return the edits that say the new set of events in all three ways."""
        if not self.text:
            return []
        edits = []
        for pattern, mark in ((_CONSTANT, "]"), (_UNION, "")):
            found = pattern.search(self.text)
            if found is None:
                continue
            names = re.findall(r"'(\w+)'", found[1].decode())
            names = [rename.get(each, each) for each in names if each not in set(drop)] + list(add)
            quoted = [f"'{each}'" for each in names]
            text = f"[{', '.join(quoted)}]" if mark else " | ".join(quoted)
            edits.append(Edit(self.member, *found.span(1), text))
        for found in _INPUT.finditer(self.text):
            event = found[1].decode()
            if event in set(drop):
                edits.append(Edit(self.member, *found.span(), "hook_event_gone: string;"))
            elif event in rename:
                edits.append(Edit(self.member, *found.span(1), rename[event]))
        if any(_INPUT.finditer(self.text)):
            text = "".join(
                f"\nexport declare type Zin{at} = {{\n    hook_event_name: '{x}';\n}};\n" for at, x in enumerate(add)
            )
            edits += [Edit(self.member, len(self.text), len(self.text), text)] if text else []
        return edits

    @property
    def options(self) -> Mapping[str, tuple[int, int]]:
        """Where each entry type's object stands: from its brace to behind it."""
        found: dict[str, tuple[int, int]] = {}
        for start in (each.end() for each in _ENTRIES.finditer(self.text)):
            at, depth, opened = start, 1, start
            while depth:
                at = _next_mark(self.text, at)
                mark = self.text[at : at + 1]
                if mark in b"{(":
                    depth += 1
                    opened = at if depth == 2 else opened
                else:
                    depth -= 1
                    if depth == 1:
                        name = _TYPE.search(self.text, opened, at)
                        if name:
                            found[name[1].decode()] = (opened, at + 1)
                at += 1
            if found:
                return found
        return found

    def _option(self, kind: str) -> tuple[int, int] | None:
        return self.options.get(kind) if self.text else None

    def add_field(self, kind: str, text: str) -> list[Edit]:
        """Return the edit that adds a member, `name?: string`, to an entry type."""
        option = self._option(kind)
        return [Edit(self.member, option[1] - 1, option[1] - 1, f"{text};\n")] if option else []

    def field(self, kind: str, name: str) -> re.Match[bytes] | None:
        """Return where a field of an entry type is declared: groups name, mark and type; None where it is not."""
        option = self._option(kind)
        pattern = re.compile(
            rb"(?<![\w'])(?P<name>" + name.encode() + rb")(?P<mark>\??):\s*(?P<type>[^;{]*(?:\{[^}]*\})?[^;]*);"
        )
        if option is None:
            return None
        at = option[0]
        blank = re.sub(rb"/\*.*?\*/", lambda m: b" " * len(m[0]), self.text[option[0] : option[1]], flags=re.DOTALL)
        found = pattern.search(blank)
        return pattern.match(self.text, at + found.start()) if found else None

    def drop_field(self, kind: str, name: str) -> list[Edit]:
        """Return the edit that removes a field."""
        found = self.field(kind, name)
        return [Edit(self.member, *found.span(), "")] if found else []

    def change_field(
        self, kind: str, name: str, *, to: str | None = None, mark: str | None = None, renamed: str | None = None
    ) -> list[Edit]:
        """Return the edits that change a field's type, its requiredness ("?" or ""), or its name."""
        found = self.field(kind, name)
        if not found:
            return []
        made = [("type", to), ("mark", mark), ("name", renamed)]
        return [Edit(self.member, *found.span(part), text) for part, text in made if text is not None]

    def add_type(self, text: str) -> list[Edit]:
        """Return the edit that adds an entry type, `{ type: 'x'; a: string; }`."""
        options = list(self.options.values()) if self.text else []
        return [Edit(self.member, options[-1][1], options[-1][1], f" | {text}")] if options else []

    def drop_type(self, kind: str) -> list[Edit]:
        """Return the edit that removes an entry type."""
        option = self._option(kind)
        if option is None:
            return []
        start, end = option
        first = min(self.options.values())[0] == start
        while self.text[start - 1 : start] != (b"(" if first else b"|"):
            start -= 1
        if first:
            while self.text[end : end + 1] != b"|":
                end += 1
            return [Edit(self.member, start, end + 1, "")]
        return [Edit(self.member, start - 1, end, "")]

    def rename_type(self, kind: str, to: str) -> list[Edit]:
        """Return the edit that calls an entry type otherwise."""
        option = self._option(kind)
        if option is None:
            return []
        found = _TYPE.search(self.text, *option)
        assert found is not None
        return [Edit(self.member, *found.span(1), to)]


def _next_mark(text: bytes, at: int) -> int:
    """Return the next bracket that is code: comments and strings are passed over."""
    while True:
        found = re.compile(rb"/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|[{}()]", re.DOTALL).search(text, at)
        assert found is not None, "a declaration that never ends"
        if len(found[0]) == 1:
            return found.start()
        at = found.end()
