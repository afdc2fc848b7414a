"""The closed sets that stand in one module of a bundle as literals, and hold certain members.

Forms, in the words of ESTree: an array of texts; a `new Set` of one; a TypeScript enum as compilers write it (a
function that assigns `E["A"] = "a"`, called with the enum); an array of calls with one text each, which is how a union
of literals is written with a schema library; the keys of an object; the texts that a function is called with.

A set of which a part is not understood (a member that is no text, a spread, a method called on it where it stands) is
a candidate like any other, and says so: whoever chooses it is blind.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.errors import ExtractionError
from driftgate.extraction.finders.usage import Usage, texts_so_used
from driftgate.extraction.javascript import cut, syntax
from driftgate.extraction.javascript.module import Module, found_at
from driftgate.extraction.javascript.syntax import Node
from driftgate.upstreams.finder import Form

_REACH: Final = 64 * 1024
"""How far a literal may stretch to either side of one of its members, in bytes."""

_MOST_MENTIONS: Final = 5000
_MOST_OPENINGS: Final = 500
_OUTWARD: Final = 4
"""How many brackets outward from a member its set is looked for: an enum's assignments nest deepest."""

_OPENING: Final = re.compile(rb"[(\[{]")
_NAMED: Final = re.compile(
    rb"(?P<name>[\w$]+)\s*=\s*(?:/\*[^*]*\*/\s*)?(?P<set>new Set\(\s*)?(?:Object\.freeze\(\s*)?\Z"
)
_IN_SET: Final = re.compile(rb"new Set\(\s*\Z")
_ENUM_CALL: Final = re.compile(rb"\s*\)*\s*\(\s*(?P<name>[\w$]+)\s*(?:=\s*(?P=name)\s*)?\|\|")
_BEHIND: Final = re.compile(rb"\s*(?:\)|(?:\?\.|\.)\s*(?P<method>[\w$]+))")
_LEAVES: Final = frozenset(
    (
        *("includes", "has", "indexOf", "lastIndexOf", "join", "forEach", "some", "every", "find", "findIndex"),
        *("length", "size", "at", "describe", "optional", "nullable", "nullish", "default", "catch", "meta", "brand"),
        *("readonly", "register", "parse", "safeParse", "parseAsync", "safeParseAsync", "options", "enum", "Values"),
    )
)
"""Methods that a set, or the schema that is made of it where it stands, may be asked: they leave its members alone."""

_FUNCTION: Final = re.compile(rb"(?:=>|function\s*[\w$]*\s*\([\w$]*\)|\([\w$]*\))\s*\Z")


@dataclass(frozen=True, slots=True)
class Literal:
    """One set that stands in a module from byte `start` to `end`; `name` is what it is bound to, if it is.

    `unread` says what of it is not understood, and where; `members` are the others then. `made`: it is made of another
    one that has a name.
    """

    form: Form
    members: tuple[str, ...]
    module: Module
    start: int
    end: int
    name: str | None = None
    unread: str = ""
    made: bool = False


def literals(module: Module, contains: tuple[str, ...], forms: Iterable[Form]) -> tuple[Literal, ...]:
    """Return the sets of `module` that hold all of `contains`, in order."""
    wanted = frozenset(forms)
    found: dict[tuple[Form, int], Literal] = {}
    for at in _mentions(module.text, contains):
        for literal in _around(module, at):
            if literal.form in wanted and set(contains) <= set(literal.members):
                found.setdefault((literal.form, literal.start), literal)
                break
    return tuple(sorted(found.values(), key=lambda literal: literal.start))


def called_with(module: Module, contains: tuple[str, ...], usage: Usage) -> Iterator[Literal]:
    """Yield the texts of `module` that are used as `usage` says, as one set, if it holds all of `contains`."""
    found = list(texts_so_used(module.text, usage))
    members = _once(text for _, _, text in found)
    if set(contains) <= set(members):
        other = next((f"a call with no text, {module.place(start)}" for start, _, text in found if text is None), "")
        yield Literal(Form.CALLS, members, module, *found[0][:2], unread=other)


def _mentions(text: bytes, contains: tuple[str, ...]) -> Iterator[int]:
    """Yield where the rarest of the members stands with all the others within reach."""
    places = {name: list(_spelt(text, name.encode())) for name in contains}
    rarest = min(places, key=lambda name: len(places[name]))
    if len(places[rarest]) > _MOST_MENTIONS:
        raise ExtractionError(
            f"{rarest!r} stands in too many places to look at each",
            expected=f"at most {_MOST_MENTIONS}",
            found=str(len(places[rarest])),
            next="name rarer members in `contains`",
        )
    for at in places[rarest]:
        near = text[max(0, at - _REACH) : at + _REACH]
        if all(name.encode() in near for name in contains):
            yield at


def _spelt(text: bytes, name: bytes) -> Iterator[int]:
    """Yield where a member stands: in quotes, or as a plain key of an object."""
    for at in found_at(text, name):
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 24]
        quoted = before in (b'"', b"'") and after[:1] == before
        if quoted or (before in b"{, \n\t" and re.match(rb"\s*:", after)):
            yield at


def _around(module: Module, at: int) -> Iterator[Literal]:
    """Yield the sets that the brackets around byte `at` hold, the innermost first."""
    for start, end in brackets(module.text, at):
        source = module.text[start:end]
        with contextlib.suppress(syntax.JsError):
            match source[:1]:
                case b"[":
                    yield from _list(module, start, end)
                case b"{" if enum := _enum(module, start, end, b"function()" + source):
                    yield enum
                case b"{":
                    yield from _keys(module, start, end)
                case _ if enum := _enum(module, start, end, b"()=>" + source):
                    yield enum


def brackets(text: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Yield where the brackets around byte `at` open and end, the innermost first."""
    outward = 0
    lowest = max(0, at - _REACH)
    openings = [found.start() for found in _OPENING.finditer(text, lowest, at)]
    for opening in reversed(openings[-_MOST_OPENINGS:]):
        try:
            end = cut.end_of_brackets(text, opening)
        except cut.CutError:
            continue
        if end > at:
            yield opening, end
            outward += 1
        if outward == _OUTWARD or end - opening > 2 * _REACH:
            return


def _list(module: Module, start: int, end: int) -> Iterator[Literal]:
    elements = syntax.parse(module.text[start:end]).elements
    texts = [_text(element) for element in elements]
    calls = [_text_of_call(element) for element in elements]
    is_union = sum(text is not None for text in calls) > sum(text is not None for text in texts)
    read = calls if is_union else texts
    if any(text is not None for text in read):
        in_set = _IN_SET.search(module.text, max(0, start - 40), start)
        form = Form.UNION if is_union else Form.SET if in_set else Form.ARRAY
        first = next((at for at, text in enumerate(read) if text is None), None)
        unread = "" if first is None else f"member {first + 1} of {len(read)} is no text, {module.place(start)}"
        yield Literal(
            form, _once(read), module, start, end, bound_to(module, start), unread or changed_in_place(module, end)
        )


def bound_to(module: Module, start: int) -> str | None:
    """Return the name that what begins at `start` is bound to."""
    named = _NAMED.search(module.text, max(0, start - 120), start)
    return named["name"].decode() if named else None


def changed_in_place(module: Module, end: int) -> str:
    """Return what is called on a set where it stands, if that is not known to leave it as it is."""
    at = end
    while behind := _BEHIND.match(module.text, at):
        if behind["method"]:
            method = behind["method"].decode()
            return "" if method in _LEAVES else f"`.{method}` is called on it, {module.place(behind.start('method'))}"
        at = behind.end()
    return ""


def _enum(module: Module, start: int, end: int, source: bytes) -> Literal | None:
    """Return the enum whose function body stands from `start` to `end`, written as a function in `source`."""
    called = _ENUM_CALL.match(module.text, end)
    if not called or not _FUNCTION.search(module.text, max(0, start - 80), start):
        return None
    body = syntax.parse(source).body
    statements = body.body if body.type == "BlockStatement" else [body]
    values = [value for statement in statements for value in _assigned(statement)]
    if not any(isinstance(value, str) for value in values):
        return None
    odd = next((each for each in values if not isinstance(each, str)), None)
    unread = f"{odd.type} among its members, {module.place(start)}" if odd is not None else ""
    texts = _once(value for value in values if isinstance(value, str))
    return Literal(Form.ENUM, texts, module, start, end, called["name"].decode(), unread)


def _assigned(node: Node) -> Iterator[str | Node]:
    """Yield the texts that a statement of an enum's function assigns to its members; else the node that does not."""
    match node.type:
        case "ExpressionStatement":
            yield from _assigned(node.expression)
        case "SequenceExpression":
            for part in node.expressions:
                yield from _assigned(part)
        case "AssignmentExpression" if node.left.type == "MemberExpression" and node.operator == "=":
            value = _text(node.right)
            yield node.right if value is None else value
        case "Identifier" | "EmptyStatement" | "Directive":
            return
        case "ReturnStatement" if node.argument is None or node.argument.type == "Identifier":
            return
        case _:
            yield node


def _keys(module: Module, start: int, end: int) -> Iterator[Literal]:
    node = syntax.parse(module.text[start:end])
    if node.type != "ObjectExpression":
        return
    keys = [_key(member) for member in node.properties]
    if any(key is not None for key in keys):
        first = next((at for at, key in enumerate(keys) if key is None), None)
        unread = "" if first is None else f"member {first + 1} of {len(keys)} has no plain key, {module.place(start)}"
        yield Literal(Form.KEYS, _once(keys), module, start, end, bound_to(module, start), unread)


def _key(member: Node) -> str | None:
    key = getattr(member, "key", None)
    if key is None or (member.computed and key.type != "Literal"):
        return None
    return key.name if key.type == "Identifier" else str(key.value)


def _text(node: Node | None) -> str | None:
    """Return the text that an expression is: a literal, a template that inserts nothing, or several joined."""
    match node.type if node is not None else "":
        case "Literal" if node is not None and isinstance(node.value, str):
            return str(node.value)
        case "TemplateLiteral" if node is not None and not node.expressions:
            return str(node.quasis[0].value.cooked)
        case "BinaryExpression" if node is not None and node.operator == "+":
            left, right = _text(node.left), _text(node.right)
            return None if left is None or right is None else left + right
    return None


def _text_of_call(node: Node | None) -> str | None:
    is_call = node is not None and node.type == "CallExpression" and len(node.arguments) == 1
    return _text(node.arguments[0]) if node is not None and is_call else None


def _once(texts: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text is not None))
