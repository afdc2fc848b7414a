"""Finding the guard events: the set that the reader of single matchers asks about its event.

A release that has guard events judges the matchers of an event one by one (bad ones are dropped, or reject the document
if the event is a guard). So it uses the schema of one matcher by itself, in a function that asks a constant set about
the event: `GUARDS.has(event)`. A release that has none uses that schema only inside `array(...)`: all matchers of an
event stand or fall together, and no code exists that could treat one event differently. Every use of the schema is
looked at, and it is what tells "has none" from "not found".

In the reader the question must stand alone: nothing else may decide about the event. A second witness is the refusal:
what the reader returns where the set has the event, and the severity that its caller gives to that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.extraction.hooks import HooksSchema
from driftgate.extraction.javascript import cut, scopes, syntax, uses
from driftgate.extraction.javascript.evaluate import Evaluator
from driftgate.extraction.javascript.module import Module
from driftgate.extraction.javascript.syntax import Node
from driftgate.extraction.javascript.values import SetOf
from driftgate.surface import Place, Witness

_HOW: Final = "the set that the reader of single matchers asks about its event"
_REFUSAL: Final = "what that reader refuses of such an event, with the severity of it"
_REFUSED: Final = "unloadableGuards"
"""The member of the reader's answer that holds what is refused; a name that no build shortens."""
_FATAL: Final = re.compile(rb"severity\s*:\s*[\"'`](\w+)[\"'`]")
_CALLEE: Final = re.compile(rb"([\w$.\x80-\xff]+)\)?\(\s*(?:\(\s*0\s*,\s*)?\Z")
_FUNCTION: Final = re.compile(rb"\bfunction\b[^(){}]{0,80}\(|(?:\([^()]*\)|[\w$\x80-\xff]+)\s*=>\s*\{")
_BACK: Final = 8 * 1024
"""How far back the beginning of the reader is looked for, in bytes: it is a small function."""

_DECLARED: Final = (re.compile(rb"(?:^|[^\w$.])(?:var|let|const)\s[\w$,\s\x80-\xff]*\Z"), re.compile(rb"\s*[,;]"))
_KEY: Final = (re.compile(rb"[{,]\s*\Z"), re.compile(rb"\s*:(?!:)"))
_GETTER: Final = (re.compile(rb":\s*\(\)\s*=>\s*\Z"), re.compile(rb"\s*[,}]"))
_METHOD: Final = (
    re.compile(rb"(?:[;{}\n]|(?<![\w$.])(?:get|set|static|async)\s|\*)\s*\Z"),
    re.compile(rb"\s*\([^()]*\)\s*\{"),
)
_QUOTED: Final = (re.compile(rb"[\"'`]\Z"), re.compile(rb"[\"'`]"))


class GuardError(ValueError):
    """There is, or may be, a reader of single matchers, and which events it guards could not be read."""


@dataclass(frozen=True, slots=True)
class Guards:
    """The guard events (None: it is established that there are none), where they stand, and how that was found."""

    members: tuple[str, ...] | None
    place: Place
    witnesses: tuple[Witness, ...]


@dataclass(frozen=True, slots=True)
class _Use:
    """One use of the matcher's schema that is not as what a list holds."""

    module: Module
    name: str
    offset: int


def read_guards(evaluator: Evaluator, schema: HooksSchema, schemas: tuple[HooksSchema, ...]) -> Guards:
    """Read the guard events that go with a hooks schema, which is one of `schemas`. Raises GuardError."""
    place = schema.module.place(schema.offset)
    name = schema.matcher_name
    found: list[Guards] = []
    if name is None:
        raise GuardError("the schema of one matcher has no name, so that its other uses could not be looked at")
    if name is not None:
        places = list(evaluator.uses_of(*_definition(evaluator, schema.module, name)))
        singles = [use for module, local in places for use in _single_uses(evaluator, module, local, schemas)]
        found = [_guards_of(evaluator, schema, use) for use in singles]
        if not found and len(places) == 1 and _is_exported(evaluator, schema):
            raise GuardError(f"the schema of one matcher (`{name}`) is exported, and no use of it was seen")
    if not found:
        if any(_REFUSED.encode() in module.text for module in evaluator.program.modules):
            raise GuardError(f"something is refused as `{_REFUSED}`, and no reader of single matchers was found")
        note = (
            f"the schema of one matcher (`{name or 'written in place'}`) is used only inside of array(...): this "
            "release has no reader that judges matchers one by one, so none that could guard an event"
        )
        return Guards(None, place, (Witness(_HOW, place, None, note),))
    if any(set(each.members or ()) != set(found[0].members or ()) for each in found):
        raise GuardError(
            "readers of single matchers ask different sets: " + "; ".join(str(each.members) for each in found)
        )
    return max(found, key=lambda each: len(each.witnesses))


def _definition(evaluator: Evaluator, module: Module, name: str) -> tuple[Module, str]:
    elsewhere = evaluator.program.resolve(module, name)
    return _definition(evaluator, *elsewhere) if elsewhere is not None else (module, name)


def _is_exported(evaluator: Evaluator, schema: HooksSchema) -> bool:
    module, name = _definition(evaluator, schema.module, schema.matcher_name or "")
    return name in module.exports.values()


def _single_uses(evaluator: Evaluator, module: Module, name: str, schemas: tuple[HooksSchema, ...]) -> Iterator[_Use]:
    """Yield where the matcher's schema is used by itself rather than as what a list holds."""
    text, length = module.text, len(name.encode())
    defined = {each.offset for each in module.defined(name)}
    for offset in module.named(name):
        if offset in defined or module.in_clause(offset):
            continue
        if any(each.module is module and each.offset <= offset < each.end for each in schemas):
            continue
        before, behind = text[max(0, offset - 400) : offset], text[offset + length : offset + length + 400]
        if any(begins.search(before) and ends.match(behind) for begins, ends in (_DECLARED, _KEY, _METHOD, _QUOTED)):
            continue
        if not module.scopes.is_code(name.encode(), offset) or module.is_inner(name, offset):
            continue
        if _GETTER[0].search(before) and _GETTER[1].match(behind):
            continue  # in a bundle's namespace object: what is done through that is not followed, here as elsewhere
        callee = _CALLEE.search(before)
        if callee and evaluator.factory(module, callee[1].decode(errors="replace")) == "array":
            _must_be_a_list(evaluator, module, name, offset - len(callee[0]))
            continue
        yield _Use(module, name, offset)


def _must_be_a_list(evaluator: Evaluator, module: Module, name: str, offset: int) -> None:
    """Raise where a list of matchers, at `offset`, is what a record or an object of settings holds under its keys."""
    closers = scopes.closers_after(module.text, offset)
    if not closers:
        return
    opening = scopes.opening_of(module.text, offset, closers[0])
    if opening is None or module.text[opening : opening + 1] != b"(":
        return
    callee = _CALLEE.search(module.text, max(0, opening - 80), opening + 1)
    if callee and evaluator.factory(module, callee[1].decode(errors="replace")) in ("record", "partialRecord", "map"):
        raise GuardError(
            f"a list of matchers (`{name}`) is also what another record holds, at {module.place(opening)}, whose keys "
            "are not understood"
        )


def _guards_of(evaluator: Evaluator, schema: HooksSchema, use: _Use) -> Guards:
    """Return the set that the reader around a use asks. Raises GuardError."""
    for start, source in _functions_around(use.module, use.offset):
        try:
            function = syntax.parse(source)
        except syntax.JsError as error:
            raise GuardError(
                f"the reader of single matchers at {use.module.place(start)} cannot be parsed: {error}"
            ) from error
        reader = _ReaderOfMatchers(evaluator, schema, use, function, use.module.place(start))
        found = reader.guards()
        if found is not None:
            return found
    raise GuardError(
        f"the schema of one matcher (`{use.name}`) is used by itself at {use.module.place(use.offset)}, so matchers "
        "are judged one by one there; no set of events that is asked there could be read"
    )


def _functions_around(module: Module, offset: int) -> Iterator[tuple[int, bytes]]:
    """Yield the functions that enclose `offset`, the innermost first."""
    begins = [match.start() for match in _FUNCTION.finditer(module.text, max(0, offset - _BACK), offset)]
    for start in reversed(begins):
        try:
            end = cut.end_of_body(module.text, start)
        except cut.CutError:
            continue
        if end > offset:
            yield start, module.text[start:end]


class _ReaderOfMatchers:
    """One function that may judge single matchers, and what it asks about its event."""

    def __init__(self, evaluator: Evaluator, schema: HooksSchema, use: _Use, function: Node, place: Place) -> None:
        self._evaluator = evaluator
        self._schema = schema
        self._use = use
        self._function = function
        self._place = place
        self._parents = {id(child): node for node in syntax.walk(function) for child in syntax.children(node)}

    def guards(self) -> Guards | None:
        """Return the set of events that is asked; None where none is. Raises GuardError."""
        asked = [
            (call, name, members) for call, name in self._questions() if (members := self._events(name)) is not None
        ]
        if not asked:
            return None
        names = sorted({name for _, name, _ in asked})
        if len(names) > 1:
            raise GuardError(
                f"the reader of single matchers at {self._place} asks {len(names)} sets of events: {', '.join(names)}"
            )
        name, members = asked[0][1], asked[0][2]
        events = {call.arguments[0].name for call, _, _ in asked}
        if len(events) > 1:
            raise GuardError(f"the reader of single matchers at {self._place} asks about {len(events)} things")
        calls = [call for call, _, _ in asked]
        (event,) = events
        self._must_decide_alone(calls, event)
        self._must_stay(name)
        place = self._evaluator.place_of(self._use.module, name) or self._schema.module.place(self._schema.offset)
        return Guards(members, place, (Witness(_HOW, place, members), self._refusal(calls, members)))

    def _questions(self) -> Iterator[tuple[Node, str]]:
        """Yield each X.has(y), and X."""
        for each in syntax.walk(self._function):
            if (
                each.type == "CallExpression"
                and each.callee.type == "MemberExpression"
                and getattr(each.callee.property, "name", "") == "has"
                and each.callee.object.type == "Identifier"
                and [argument.type for argument in each.arguments] == ["Identifier"]
            ):
                yield each, each.callee.object.name

    def _events(self, name: str) -> tuple[str, ...] | None:
        """Return the members of the set of that name, if all it holds are hook events. Raises GuardError."""
        value = self._evaluator.global_name(self._use.module, name)
        if not isinstance(value, SetOf):
            return None
        members = [self._evaluator.force(each) for each in value.members]
        texts = tuple(each for each in members if isinstance(each, str))
        return texts if texts and len(texts) == len(members) and set(texts) <= set(self._schema.events) else None

    def _must_stay(self, name: str) -> None:
        with self._evaluator.contributions() as used:
            self._evaluator.global_name(self._use.module, name)
        changed = uses.check(self._evaluator, frozenset(used))
        if changed is not None:
            raise GuardError(f"the set of guard events may change: {changed}")

    # --- the question stands alone -----------------------------------------------------------------------------------

    def _must_decide_alone(self, calls: list[Node], event: str) -> None:
        for call in calls:
            self._must_stand_alone(call, event)
        for each in _in_scope(self._function, event):
            if each.type == "Identifier" and each.name == event and not self._is_allowed(each, calls):
                raise GuardError(
                    f"the reader of single matchers at {self._place} does more with its event (`{event}`) than to ask "
                    "the set about it"
                )

    def _must_stand_alone(self, call: Node, event: str) -> None:
        node, parent = call, self._parent(call)
        negated = False
        while parent.type == "UnaryExpression" and parent.operator == "!":
            node, parent, negated = parent, self._parent(parent), not negated
        if parent.type == "VariableDeclarator" and not negated and parent.id.type == "Identifier":
            self._must_not_change(parent.id.name)
            return
        while parent.type == "LogicalExpression":
            other = parent.right if parent.left is node else parent.left
            if event in self._names(other) or self._follows_from(other, event):
                raise GuardError(
                    f"the condition around the set in the reader at {self._place} asks more about the event"
                )
            node, parent = parent, self._parent(parent)
        if parent.type in ("IfStatement", "ConditionalExpression") and parent.test is node:
            return
        raise GuardError(
            f"the answer of the set in the reader at {self._place} is not used by itself: "
            f"{'negated' if negated else f'inside of a {parent.type}'}"
        )

    def _must_not_change(self, name: str) -> None:
        for each in _in_scope(self._function, name):
            target = {"AssignmentExpression": "left", "UpdateExpression": "argument"}.get(each.type)
            if (
                target
                and name in self._names(getattr(each, target))
                and getattr(each, target).type != "MemberExpression"
            ):
                raise GuardError(
                    f"the answer of the set is changed afterwards (`{name}`), in the reader at {self._place}"
                )

    def _follows_from(self, node: Node, event: str) -> bool:
        """Tell whether a condition is made of a variable that is made of the event."""
        names = self._names(node)
        return any(
            each.type == "VariableDeclarator"
            and each.init is not None
            and each.id.type == "Identifier"
            and each.id.name in names
            and event in self._names(each.init)
            for each in syntax.walk(self._function)
        )

    def _is_allowed(self, node: Node, calls: list[Node]) -> bool:
        """Tell whether naming the event there decides nothing: a parameter, the question, a text for people."""
        parent = self._parent(node)
        if any(node is call.arguments[0] for call in calls):
            return True
        match parent.type:
            case "FunctionExpression" | "ArrowFunctionExpression":
                return True
            case "TemplateLiteral":
                return True
            case "BinaryExpression":
                return bool(parent.operator == "+")
            case "Property":
                return bool(parent.value is node and not parent.computed)
            case "MemberExpression":
                return parent.property is node and not parent.computed
            case _:
                return False

    def _parent(self, node: Node) -> Node:
        return self._parents.get(id(node), self._function)

    def _names(self, node: Node) -> set[str]:
        return {each.name for each in syntax.walk(node) if each.type == "Identifier"}

    # --- the refusal -------------------------------------------------------------------------------------------------

    def _refusal(self, calls: list[Node], members: tuple[str, ...]) -> Witness:
        """Return the second witness: what the reader returns for a guard is what is refused. Raises GuardError."""
        answers = [
            each for each in syntax.walk(self._function) if each.type == "ConditionalExpression" and self._answers(each)
        ]
        if not answers:
            return Witness(_REFUSAL, note=f"not seen: the reader returns nothing called `{_REFUSED}`")
        variables = {parent.id.name for call in calls if (parent := self._parent(call)).type == "VariableDeclarator"}
        for each in answers:
            test, negated = each.test, False
            while test.type == "UnaryExpression" and test.operator == "!":
                test, negated = test.argument, not negated
            if not (test in calls or getattr(test, "name", None) in variables):
                raise GuardError(f"what the reader at {self._place} refuses is not told by the set alone")
            guarded, other = (each.alternate, each.consequent) if negated else (each.consequent, each.alternate)
            if not self._refuses(guarded, other):
                raise GuardError(f"the reader at {self._place} refuses what the set does not have")
        severity = self._severity()
        if severity not in (None, "fatal"):
            raise GuardError(f"what the reader at {self._place} refuses is reported as {severity}, not as fatal")
        note = "" if severity else "the severity was not seen"
        return Witness(_REFUSAL, self._place, members, note)

    def _answers(self, node: Node) -> bool:
        return all(
            each.type == "ObjectExpression" and _REFUSED in _members(each) for each in (node.consequent, node.alternate)
        )

    def _refuses(self, guarded: Node, other: Node) -> bool:
        """Tell whether a guard's problems are refused where another event's are dropped."""
        refused = _members(guarded)[_REFUSED]
        dropped = [value for name, value in _members(other).items() if name != _REFUSED]
        return refused.type == "Identifier" and any(getattr(each, "name", None) == refused.name for each in dropped)

    def _severity(self) -> str | None:
        """Return the severity that the caller of the reader gives to what it refuses; None where it is not seen."""
        text = self._use.module.text
        pattern = re.compile(re.escape(_REFUSED.encode()) + rb"\s*:\s*([\w$\x80-\xff]+)\s*[,}]")
        for match in pattern.finditer(text):
            loop = re.compile(rb"\bof\s+" + re.escape(match[1]) + rb"\)").search(text, match.end(), match.end() + 600)
            if loop and (stated := _FATAL.search(text, loop.end(), loop.end() + 800)):
                return stated[1].decode()
        return None


_BLOCKS: Final = frozenset({"BlockStatement", "ForStatement", "ForOfStatement", "ForInStatement", "CatchClause"})
_FUNCTIONS: Final = frozenset({"FunctionExpression", "ArrowFunctionExpression", "FunctionDeclaration"})


def _in_scope(function: Node, name: str) -> Iterator[Node]:
    """Yield the nodes of a function in which `name` means what it means in the function itself."""
    pending = [function]
    while pending:
        node = pending.pop()
        yield node
        pending += [child for child in syntax.children(node) if child is function.body or not _hides(child, name)]


def _hides(node: Node, name: str) -> bool:
    """Tell whether a function or block declares `name` for itself."""
    if node.type in _FUNCTIONS:
        bound = [*node.params]
        statements = node.body.body if node.body.type == "BlockStatement" else []
    elif node.type in _BLOCKS:
        bound = [node.param] if node.type == "CatchClause" and node.param is not None else []
        first = getattr(node, "init", None) or getattr(node, "left", None)
        statements = node.body if node.type == "BlockStatement" else [first] if first is not None else []
    else:
        return False
    for statement in statements:
        if statement.type == "VariableDeclaration" and (statement.kind != "var" or node.type in _FUNCTIONS):
            bound += [declared.id for declared in statement.declarations]
    return any(each.type == "Identifier" and each.name == name for part in bound for each in syntax.walk(part))


def _members(node: Node) -> dict[str, Node]:
    return {
        member.key.name: member.value
        for member in node.properties
        if member.type == "Property" and member.key.type == "Identifier" and not member.computed
    }
