"""Does a name, where it stands, mean the module's name, or an inner variable that hides it?

A minifier gives inner variables the names of outer ones that are not used there, so the same name is declared again and
again. Modules are megabytes, and are not parsed: the construct around the place is found by its brackets, and in it the
places that declare the name.
"""

from __future__ import annotations

import bisect
import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from driftgate.extraction.javascript.cut import CODE, SKIPPED, CutError, end_of_expression, marks

REACH: Final = 64 * 1024
"""The longest construct that is looked into, in bytes. What encloses more is a wrapper around the module."""

_ANCHOR: Final = re.compile(
    rb"(?:^|[;}\n])\s*(?=(?:export )?(?:async )?(?:function[ *]|var |let |const |class |import[ {*]))"
)
_DECLARES: Final = re.compile(rb"(?:^|[^\w$.])(var|let|const|function\s*\*?|class)\s*\Z")
_LIST: Final = re.compile(rb"\s*(?:export\s+)?(?:for\s*\(\s*)?(var|let|const)(?![\w$])")
_NO_PARAMETERS: Final = re.compile(rb"(?:^|[^\w$.])(?:if|for|for\s+await|while|switch|with)\s*\Z")
_CALLED: Final = re.compile(rb"[\w$\x80-\xff\])]\s*\Z|(?:^|[^\w$.])(?:function|async|catch)\s*\*?\s*\Z")
_BINDS: Final = re.compile(rb"(?:[(,{\[:]|\.\.\.)\s*\Z")
_BOUND: Final = re.compile(rb"\s*(?:[,)}\]]|=(?![=>]))")
_BODY: Final = re.compile(rb"(?:\)|=>)\s*\Z")
_BEGINS: Final = re.compile(rb"\s*(?:function|var|let|const|class|import|export|async)(?![\w$])")
_NEW_STATEMENT: Final = re.compile(rb"\s*(?:(?!in\b|of\b|instanceof\b|as\b)[\w$\x80-\xff\"'`{}#@]|\Z)")
"""What stands behind a closing brace that ended a statement, rather than an object or a function in an expression."""
_IN_TEXT: Final = re.compile(rb'"[^"\\\n,:;(){}\[\]]*"')
"""A text without a mark of code, told where the code around it is too far to be taken apart."""
_BEFORE: Final = 48


@dataclass(slots=True)
class _Open:
    """A bracket that is open: where it stands, and where the statement that is being read in it begins."""

    at: int
    mark: bytes
    statement: int


@dataclass(frozen=True, slots=True)
class Scopes:
    """The inner scopes of one module's text, each construct and name looked into once."""

    text: bytes
    _constructs: list[tuple[int, int]] = field(default_factory=list)
    _outside: list[int] = field(default_factory=list)
    """Offsets that are known to stand at the module's own level: from one nearby it is told faster about the next."""
    _extents: dict[tuple[int, int, bytes], tuple[tuple[int, int], ...]] = field(default_factory=dict)

    def is_inner(self, name: bytes, offset: int) -> bool:
        """Tell whether `name` at byte `offset` means an inner variable."""
        start, end = self.construct(offset)
        if start == end:
            return False
        key = (start, end, name)
        if key not in self._extents:
            self._extents[key] = tuple(_extents(self.text, start, end, name))
        return any(first <= offset < last for first, last in self._extents[key])

    def is_code(self, name: bytes, offset: int) -> bool:
        """Tell whether `name` at byte `offset` is code, rather than a part of a text or a comment."""
        anchors = _ANCHOR.finditer(self.text, max(0, offset - REACH), offset)
        start = max((match.end() for match in anchors), default=None)
        if start is None:
            return not _IN_TEXT.match(self.text, max(0, self.text.rfind(b'"', max(0, offset - 200), offset)))
        try:
            return any(
                at == offset for at, mark in _tokens(self.text, start, offset + len(name) + 1, name) if mark == name
            )
        except CutError:
            return False  # a text that began before it, and does not end before it

    def construct(self, offset: int) -> tuple[int, int]:
        """Return (start, end) of the outermost construct around `offset`; an empty one at the module's own level."""
        for start, end in self._constructs:
            if start <= offset < end:
                return start, end
        found = self._from_outside(offset) or _construct(self.text, offset)
        if found[0] < found[1]:
            self._constructs.append(found)
        bisect.insort(self._outside, found[0])
        return found

    def _from_outside(self, offset: int) -> tuple[int, int] | None:
        """Return the construct around `offset`, told from the next place before it that no bracket encloses."""
        at = bisect.bisect_right(self._outside, offset) - 1
        if at < 0 or offset - self._outside[at] > REACH // 2:
            return None
        depth, statement = 0, self._outside[at]
        try:
            for stop, mark in marks(self.text, statement, REACH):
                if stop >= offset and depth == 0:
                    break
                depth += (mark in b"([{") - (mark in b")]}")
                if depth < 0:
                    return None
                if depth == 0 and (mark == b";" or (mark == b"}" and _BEGINS.match(self.text, stop + 1))):
                    if stop >= offset:
                        break
                    statement = stop + 1
            else:
                return None
        except CutError:
            return None
        return statement, min(len(self.text), stop + 1)


def closers_after(text: bytes, offset: int) -> list[int]:
    """Return where the brackets close that enclose `offset`, the innermost first, as far as the reach goes."""
    found = []
    depth = 0
    try:
        for at, mark in marks(text, offset, REACH):
            depth += (mark in b"([{") - (mark in b")]}")
            if depth < 0:
                found.append(at)
                depth = 0
    except CutError:
        pass
    return found


def _construct(text: bytes, offset: int) -> tuple[int, int]:
    closers = closers_after(text, offset)
    if not closers:
        return _statement(text, offset)
    lowest = max(0, offset - REACH)
    anchors = [match.end() for match in _ANCHOR.finditer(text, lowest, offset)]
    if lowest == 0:
        anchors.insert(0, 0)
    begins, depth = offset, 0
    best = offset
    for anchor in reversed(anchors):
        opened = _depth(text, anchor, begins)
        if opened is None:
            continue
        begins, depth = anchor, depth + opened
        best = anchor
        if depth >= len(closers):
            break
    # An anchor inside of the construct is better than none: what it encloses is seen.
    index = min(depth, len(closers)) - 1
    return (best, closers[index] + 1) if index >= 0 else (offset, offset)


def _statement(text: bytes, offset: int) -> tuple[int, int]:
    """Return the statement of the module's own level that `offset` stands in, as far back as its begin is seen."""
    anchor = max((match.end() for match in _ANCHOR.finditer(text, max(0, offset - REACH), offset)), default=offset)
    if _depth(text, anchor, offset) != 0:
        return offset, offset
    depth = 0
    try:
        for at, mark in marks(text, offset, REACH):
            depth += (mark in b"([{") - (mark in b")]}")
            if depth == 0 and mark == b";":
                return anchor, at
    except CutError:
        pass
    return anchor, min(len(text), offset + REACH)


def _depth(text: bytes, start: int, end: int) -> int | None:
    """Return how many more brackets open than close between two places."""
    depth = 0
    try:
        for at, mark in marks(text, start, end - start):
            if at >= end:
                break
            depth += (mark in b"([{") - (mark in b")]}")
    except CutError:
        return None
    return depth


def _extents(text: bytes, start: int, end: int, name: bytes) -> Iterator[tuple[int, int]]:
    """Yield where a construct has a variable of that name, told by the brackets that its declarations stand in."""
    finder = _Extents(text, name, start)
    for at, mark in _until_unclear(_tokens(text, start, end, name)):
        if mark == name:
            yield from finder.named(at)
        elif mark in b"([{":
            finder.stack.append(_Open(at, mark, at + 1))
        elif mark == b";":
            finder.stack[-1].statement = at + 1
        elif len(finder.stack) > 1:
            yield from finder.closed(at, mark)


def _until_unclear(tokens: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield tokens as far as the text can be taken apart: what stands behind that is of no inner scope then."""
    with contextlib.suppress(CutError):
        yield from tokens


class _Extents:
    """What is open while a construct is gone through, and the declarations whose end is not reached."""

    def __init__(self, text: bytes, name: bytes, start: int) -> None:
        self.stack = [_Open(start, b"", start)]
        self._text = text
        self._name = name
        self._declared: list[_Open] = []
        self._parameters: list[_Open] = []
        """Parentheses that bind the name if they are those of a function: it depends on what follows."""

    def named(self, at: int) -> Iterator[tuple[int, int]]:
        """Look at the name: is it declared there?"""
        declared = _declared(self._text, at, self._name, self.stack)
        if declared is not None:
            first, scope = declared
            if scope is None:
                yield first, _arrow_end(self._text, at + len(self._name))
            elif scope.mark:
                self._declared.append(scope)
        elif _binds(self._text, at, self._name):
            self._parameters += [each for each in self.stack if each.mark == b"("]

    def closed(self, at: int, mark: bytes) -> Iterator[tuple[int, int]]:
        """Look at a bracket that closes."""
        closed = self.stack.pop()
        if any(each is closed for each in self._declared):
            yield closed.at, at + 1
        if mark == b")" and any(each is closed for each in self._parameters):
            end = _body_after(self._text, closed.at, at + 1)
            if end is not None:
                yield closed.at, end
        if mark == b"}" and _NEW_STATEMENT.match(self._text, at + 1):
            self.stack[-1].statement = at + 1


def _tokens(text: bytes, start: int, end: int, name: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the brackets and semicolons of a construct, and the whole identifiers `name`, in order."""
    spelt = re.compile(rb"(?<![\w$#\x80-\xff])" + re.escape(name) + rb"(?![\w$\x80-\xff])")
    behind = start
    for at, mark in marks(text, start, end - start, gaps=True):
        if mark == CODE:
            for found in spelt.finditer(text, behind, at):
                before = text[max(0, found.start() - 3) : found.start()]
                if not before.endswith(b".") or before == b"...":
                    yield found.start(), name
        elif mark not in (SKIPPED, b","):
            yield at, mark
        behind = at
        if at >= end:
            return


def _declared(text: bytes, at: int, name: bytes, stack: list[_Open]) -> tuple[int, _Open | None] | None:
    """Return where the scope of a declaration begins, and its bracket (None: an arrow function's); None for a use."""
    before = text[max(0, at - _BEFORE) : at]
    behind = text[at + len(name) : at + len(name) + 8]
    if re.match(rb"\s*=>", behind):
        return at, None
    if keyword := _DECLARES.search(before):
        return at, _scope_of(text, keyword[1], stack)
    listed = _LIST.match(text, stack[-1].statement)
    if listed and re.search(rb",\s*\Z", before) and re.match(rb"\s*(?:[,;)]|=(?!=)|\Z|in\b|of\b)", behind):
        return at, _scope_of(text, listed[1], stack)
    if len(stack) > 1 and _binds(text, at, name):
        # In a pattern: the declaration is that of a bracket further out.
        for depth in range(len(stack) - 1, 0, -1):
            if stack[depth].mark not in b"{[" or not _begins_pattern(text, stack[depth]):
                return None
            outer = stack[depth - 1]
            if (listed := _LIST.match(text, outer.statement)) and re.search(
                rb"(?:var|let|const|,)\s*\Z", text[max(0, stack[depth].at - 8) : stack[depth].at]
            ):
                return at, _scope_of(text, listed[1], stack[:depth])
    return None


def _begins_pattern(text: bytes, bracket: _Open) -> bool:
    return bool(re.search(rb"(?:var|let|const|[,{\[:(])\s*\Z", text[max(0, bracket.at - 8) : bracket.at]))


def _binds(text: bytes, at: int, name: bytes) -> bool:
    return bool(_BINDS.search(text, max(0, at - _BEFORE), at) and _BOUND.match(text, at + len(name)))


def _scope_of(text: bytes, keyword: bytes, stack: list[_Open]) -> _Open:
    """Return the bracket whose end is the end of what is declared."""
    for each in reversed(stack[1:]):
        if each.mark == b"{" and (keyword != b"var" or _is_function_body(text, each.at)):
            return each
        if each.mark == b"(" and re.search(rb"\bfor\s*(?:await\s*)?\Z", text[max(0, each.at - 12) : each.at]):
            continue
    return stack[0]


def _is_function_body(text: bytes, at: int) -> bool:
    if not _BODY.search(text, max(0, at - 8), at):
        return False
    if text[max(0, at - 8) : at].rstrip().endswith(b"=>"):
        return True
    opening = _opening_of(text, at)
    return (
        opening is not None
        and not _NO_PARAMETERS.search(text, max(0, opening - 16), opening)
        and not re.search(rb"(?:^|[^\w$.])catch\s*\Z", text[max(0, opening - 12) : opening])
    )


def opening_of(text: bytes, before: int, close: int) -> int | None:
    """Return where the bracket opens that closes at `close`, looking back from `before`; None where it is not found."""
    sign = {b")": b"(", b"]": b"[", b"}": b"{"}[text[close : close + 1]]
    offset = text.rfind(sign, max(0, before - REACH), before)
    while offset >= 0:
        try:
            if _closes(text, offset) == close:
                return offset
        except CutError:
            pass
        offset = text.rfind(sign, max(0, before - REACH), offset)
    return None


def _opening_of(text: bytes, at: int) -> int | None:
    """Return where the parentheses open that close right before `at`: a list of parameters, or a condition."""
    close = text.rfind(b")", 0, at)
    return opening_of(text, close, close)


def _closes(text: bytes, start: int) -> int:
    depth = 0
    for at, mark in marks(text, start, REACH):
        depth += (mark in b"([{") - (mark in b")]}")
        if depth == 0:
            return at
    raise CutError("a bracket that never closes")


def _body_after(text: bytes, opening: int, at: int) -> int | None:
    """Return the end of the function whose parameters close at `at`; None where these are no parameters."""
    if arrow := re.compile(rb"\s*=>").match(text, at):
        return _arrow_end(text, arrow.start())
    if not (brace := re.compile(rb"\s*\{").match(text, at)):
        return None
    if _NO_PARAMETERS.search(text, max(0, opening - 16), opening) or not _CALLED.search(
        text, max(0, opening - 40), opening
    ):
        return None
    try:
        return _closes(text, brace.end() - 1) + 1
    except CutError:
        return len(text)


def _arrow_end(text: bytes, at: int) -> int:
    """Return the end of the arrow function whose arrow stands at `at`."""
    arrow = re.compile(rb"\s*=>\s*").match(text, at)
    begins = arrow.end() if arrow else at
    try:
        return _closes(text, begins) + 1 if text.startswith(b"{", begins) else end_of_expression(text, begins)
    except CutError:
        return len(text)
