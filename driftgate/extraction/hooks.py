"""Finding the hooks schema in a program's modules, by what refers to what.

The anchor is the schema of a document's `hooks`: `record(enum(EVENTS), array(MATCHER))`, where MATCHER is an object one
of whose fields is an array of entries, and an entry is an object with a literal `type`, or a union of such. That use is
what makes a list of names the list of events: bundles hold a dozen other lists and sets of event names, and some of
them are longer.

Each part may be written in any way that evaluates to it. What looks like the anchor and is not understood is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.extraction.accepts import NotUnderstoodError, Reader
from driftgate.extraction.javascript import cut, schemas, syntax
from driftgate.extraction.javascript.evaluate import Evaluator, Name
from driftgate.extraction.javascript.module import Module, found_at
from driftgate.extraction.javascript.schemas import SILENT, Shape
from driftgate.extraction.javascript.values import Schema, Unknown, Value

DISCRIMINATOR: Final = "type"
ENTRIES_MEMBER: Final = "hooks"
_RECORDS: Final = frozenset({"record", "partialRecord", "looseRecord"})
_ALWAYS: Final = "PreToolUse"
"""An event of every release: a record that has it as a key and lists of something is a hooks schema, or about hooks."""

_SPACE: Final = rb"(?:\s|/\*[^*]*(?:\*(?!/)[^*]*)*\*/|//[^\n]*\n)*"
_COMMAND: Final = re.compile(rb"""\btype["'`]?\]?\s*:\s*[\w$.()\[\], \x80-\xff]+\(\s*\[?\s*(["'`])command\1""")
_NAME: Final = rb"[\w$\x80-\xff]+"
_DOTTED: Final = _NAME + rb"(?:" + _SPACE + rb"\." + _SPACE + _NAME + rb")*"
_CALLEE: Final = rb"(?:\(" + _SPACE + rb"0" + _SPACE + rb"," + _SPACE + _DOTTED + _SPACE + rb"\)|" + _DOTTED + rb")"
_BRACKETS: Final = rb"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
_METHODS: Final = rb"(?:\s*\.\s*[\w$]+\(" + _BRACKETS + rb"\))*"
_SHORT: Final = rb"(?:\(\s*0\s*,\s*)?[\w$.\x80-\xff]+\)?"
_USE: Final = re.compile(
    rb"(?<![\w$.#\x80-\xff])(?P<record>" + _SHORT + rb")\(\s*(?:/\*[^*]*\*/\s*)?"
    rb"(?P<enum>" + _SHORT + rb")\(" + _BRACKETS + rb"\)" + _METHODS + rb"\s*,\s*(?:/\*[^*]*\*/\s*)?"
    rb"(?P<array>" + _SHORT + rb")\("
)
"""The shape of record(enum(EVENTS), array(MATCHER)); what each helper makes is looked up afterwards."""

_LOOSE: Final = re.compile(rb"(?<![\w$.#\x80-\xff])(?P<record>" + _CALLEE + rb")" + _SPACE + rb"\(")
"""Any call, where nothing has the usual shape: which ones make records is looked up."""

_NEAR: Final = 96 * 1024
"""How far from the entry schema its use is first looked for, in bytes. Elsewhere it is looked for only after that."""


@dataclass(frozen=True, slots=True)
class HooksSchema:
    """A hooks schema that was found: where it stands (from byte `offset` to `end` of its module), and its parts.

    `events_name` and `matcher_name` are the module's names that stand in it for the list of events and the schema of
    one matcher; None where these are written in place. `options` are the entry schemas in the order of their union;
    `union` is what wraps them. `entry_offset` is where the first of them stands. `used` are all the modules' names that
    it is made of.
    """

    module: Module
    offset: int
    end: int
    events: tuple[str, ...]
    events_name: str | None
    matcher_name: str | None
    matcher: Shape
    entries_member: str
    options: tuple[Value, ...]
    unions: tuple[Schema, ...]
    entry_offset: int
    used: frozenset[Name]


def find_schemas(evaluator: Evaluator, module: Module) -> Iterator[HooksSchema]:
    """Yield each hooks schema of a module, in order. Usually there is one. Raises NotUnderstoodError."""
    text = module.text
    literals = [match.start() for at in _commands(text) if (match := _COMMAND.search(text, max(0, at - 80), at + 2))]
    if not literals:
        return
    for windows in (_windows(literals, len(text)), [(0, len(text))]):
        found = list(_in_windows(evaluator, module, literals, windows, _USE))
        if found:
            yield from found
            return


def find_anywhere(evaluator: Evaluator, module: Module) -> Iterator[HooksSchema]:
    """Yield each hooks schema of a module, however it is spelt. For modules of an artefact in which none was found."""
    yield from _in_windows(evaluator, module, [], [(0, len(module.text))], _LOOSE)


def _commands(text: bytes) -> Iterator[int]:
    """Yield the offsets behind each word "command" in quotes. Searching for that and then looking back is fast."""
    for quoted in (b'"command"', b"'command'", b"`command`"):
        for offset in found_at(text, quoted):
            yield offset + len(quoted)


def _windows(offsets: list[int], length: int) -> list[tuple[int, int]]:
    """Return the stretches around `offsets`, merged where they overlap."""
    merged: list[tuple[int, int]] = []
    for offset in sorted(offsets):
        start, end = max(0, offset - _NEAR), min(length, offset + _NEAR)
        if merged and start <= merged[-1][1]:
            start = merged.pop()[0]
        merged.append((start, end))
    return merged


def _in_windows(
    evaluator: Evaluator,
    module: Module,
    literals: list[int],
    windows: Iterable[tuple[int, int]],
    form: re.Pattern[bytes],
) -> Iterator[HooksSchema]:
    for start, end in windows:
        for offset in _candidates(evaluator, module, form, start, end):
            schema = _schema_at(evaluator, module, offset, _nearest(literals, offset))
            if schema is not None:
                yield schema


def _nearest(offsets: list[int], to: int) -> int:
    return min(offsets, key=lambda offset: abs(offset - to), default=to)


def _candidates(evaluator: Evaluator, module: Module, form: re.Pattern[bytes], start: int, end: int) -> Iterator[int]:
    """Yield where calls of the form stand whose callee makes records."""
    at = start
    while (match := form.search(module.text, at, end)) is not None:
        at = match.start() + len(match["record"])
        with evaluator.aside():
            if _kind(evaluator, module, match["record"]) not in _RECORDS:
                continue
            if form is _USE and evaluator.factory(module, _called(match["array"])) != "array":
                continue
        yield match.start()


def _kind(evaluator: Evaluator, module: Module, callee: bytes) -> str | None:
    name = _called(callee)
    if "." in name and name.rpartition(".")[2] not in _RECORDS:
        return None
    if "." not in name and not (module.has_body(name) or name in module.imports):
        return None
    return evaluator.factory(module, name)


def _called(callee: bytes) -> str:
    """Return the name in `name` or `(0, name)`, without the space in it."""
    bare = re.sub(rb"/\*.*?\*/|//[^\n]*\n|[\s()]", b"", callee, flags=re.DOTALL)
    return bare.removeprefix(b"0,").decode(errors="replace")


_STEP: Final = re.compile(_SPACE + rb"\??\." + _SPACE + _NAME + _SPACE + rb"(?=\()")
_CALLED: Final = re.compile(_CALLEE + _SPACE)


def _end_of_call(text: bytes, offset: int) -> int | None:
    """Return the end of a call and of the methods called on what it makes."""
    callee = _CALLED.match(text, offset)
    if callee is None:
        return None
    try:
        end = cut.end_of_brackets(text, callee.end())
        while step := _STEP.match(text, end):
            end = cut.end_of_brackets(text, step.end())
    except cut.CutError:
        return None
    return end


def _schema_at(evaluator: Evaluator, module: Module, offset: int, entry: int) -> HooksSchema | None:
    end = _end_of_call(module.text, offset)
    if end is None:
        return None
    source = module.text[offset:end]
    with evaluator.contributions() as used:
        value = evaluator.source(module, source, offset)
        if not isinstance(value, Schema) or value.kind not in _RECORDS or len(value.args) < 2:
            return None
        found = _parts(evaluator, value)
    if found is None:
        return None
    _must_stand_by_itself(evaluator, module, offset, end)
    events, matcher, entries, options, unions = found
    events_name, matcher_name = _names_in(source)
    return HooksSchema(
        module,
        offset,
        end,
        events,
        events_name,
        matcher_name,
        matcher,
        entries,
        options,
        unions,
        entry,
        frozenset(used),
    )


_KEY: Final = rb"[{,]" + _SPACE + rb"(?:" + _NAME + rb"|\"[^\"]*\"|'[^']*'|\[[^\]]*\])" + _SPACE + rb":"
_BEFORE: Final = re.compile(rb"(?:=>|(?<![=!<>])=|\breturn|" + _KEY + rb")" + _SPACE + rb"\Z")
_BY_ITSELF: Final = re.compile(rb"(?:\A|[;{}(,\n])" + _SPACE + rb"\Z")
_BEHIND: Final = re.compile(_SPACE + rb"(?:[,;)}\]]|\Z|\n)")
_GIVEN_TO: Final = re.compile(rb"(" + _CALLEE + rb")" + _SPACE + rb"\(" + _SPACE + rb"\Z")
_WRAPS: Final = frozenset({"optional", "nullable", "nullish", "lazy", "readonly", "default", "catch", "prefault"})


def _must_stand_by_itself(evaluator: Evaluator, module: Module, offset: int, end: int) -> None:
    """Raise where what stands around a hooks schema may make another one of it: a condition, an unknown function."""
    before = module.text[max(0, offset - 200) : offset]
    given = _GIVEN_TO.search(before)
    if given and given[1] not in (b"return", b"=>"):
        known = evaluator.factory(module, _called(given[1])) in _WRAPS
    else:
        known = bool(_BEFORE.search(before) or _BY_ITSELF.search(before))
    if not known or not _BEHIND.match(module.text, end):
        raise NotUnderstoodError("what is made of the hooks schema is not understood", module.place(offset))


_Parts = tuple[tuple[str, ...], Shape, str, tuple[Value, ...], tuple[Schema, ...]]


def _parts(evaluator: Evaluator, record: Schema) -> _Parts | None:
    """Return (events, matcher, list of entries, entry schemas, unions) of a hooks schema; None for another record.

    Raises NotUnderstoodError where it is one, or may be one, and a part of it is not understood.
    """
    keys, values = (evaluator.force(each) for each in record.args[:2])
    events = _events(evaluator, keys)
    about_hooks = events is not None and _ALWAYS in events
    listed = values if isinstance(values, Schema) and values.kind == "array" and values.args else None
    if listed is None:
        if about_hooks and isinstance(values, Unknown):
            raise NotUnderstoodError(f"the lists of matchers are not understood: {values.what}", values.place)
        return None
    item = evaluator.force(listed.args[0])
    matcher = schemas.shape_of(evaluator, item)
    if isinstance(matcher, Unknown):
        if about_hooks and (isinstance(item, Unknown) or item.kind in schemas.OBJECTS):  # type: ignore[union-attr]
            raise NotUnderstoodError(f"the matchers of hook events are not understood: {matcher.what}", matcher.place)
        return None
    found = _entries(evaluator, matcher, required=about_hooks)
    if found is None:
        return None
    if events is None:
        raise NotUnderstoodError(
            f"the hook events are not understood: {_why(evaluator, keys)}", getattr(keys, "place", None)
        )
    for step in (*(each for each in record.steps if each.name != "optional"), *listed.steps):
        if step.name not in SILENT:
            raise NotUnderstoodError(f"`.{step.name}` of the lists of matchers is not understood", step.place)
    return events, matcher, *found


def _why(evaluator: Evaluator, keys: Value) -> str:
    """Return why the keys of a record are no list of events."""
    if isinstance(keys, Unknown):
        return keys.what
    if isinstance(keys, Schema) and keys.kind in ("enum", "nativeEnum"):
        members = schemas.members_of_enum(evaluator, keys)
        if isinstance(members, Unknown):
            return members.what
        for step in keys.steps:
            if step.name not in {*SILENT, "exclude", "extract"}:
                return f"`.{step.name}` of their enum"
    return "the keys of the record are no enum of texts"


def _events(evaluator: Evaluator, keys: Value) -> tuple[str, ...] | None:
    try:
        form = Reader(evaluator).form(keys)
    except NotUnderstoodError:
        return None
    return form.values if form.kind == "enum" and not form.checks and not form.optional else None


def _entries(
    evaluator: Evaluator, matcher: Shape, *, required: bool
) -> tuple[str, tuple[Value, ...], tuple[Schema, ...]] | None:
    """Return (member, entry schemas, unions) of the member that holds the entries; None where no member does."""
    members = dict(matcher.members)
    ordered = [
        *((ENTRIES_MEMBER,) if ENTRIES_MEMBER in members else ()),
        *(each for each in members if each != ENTRIES_MEMBER),
    ]
    for name in ordered:
        field = evaluator.force(members[name])
        if isinstance(field, Unknown) and name == ENTRIES_MEMBER and required:
            raise NotUnderstoodError(f"the field `{name}` of a matcher is not understood: {field.what}", field.place)
        if not (isinstance(field, Schema) and field.kind == "array" and field.args):
            continue
        unions: list[Schema] = []
        item = evaluator.force(field.args[0])
        options = _options(evaluator, item, unions)
        if options is None:
            if name == ENTRIES_MEMBER and required and isinstance(item, Unknown):
                raise NotUnderstoodError(f"the entries of a matcher are not understood: {item.what}", item.place)
            continue
        return name, options, tuple(unions)
    return None


def _options(evaluator: Evaluator, item: Value, unions: list[Schema]) -> tuple[Value, ...] | None:
    """Return the entry schemas of a union, or of an object by itself; None where none of them has a `type`."""
    if not isinstance(item, Schema):
        return None
    if item.kind in schemas.UNIONS:
        listed = schemas.options_of(evaluator, item)
        if isinstance(listed, Unknown):
            raise NotUnderstoodError(f"the union of entry schemas is not understood: {listed.what}", listed.place)
        unions.append(item)
        found = [each for option in listed for each in (_options(evaluator, option, unions) or (option,))]
        alternatives = [step for step in item.steps if step.name == "or"]
    else:
        found = [item]
        alternatives = [step for step in item.steps if step.name == "or"]
        if alternatives:
            at = item.steps.index(alternatives[0])
            found = [Schema(item.kind, item.args, item.steps[:at], item.place, item.coerces)]
            unions.append(Schema("union", (), item.steps[at:], item.place))
    for step in alternatives:
        other = evaluator.force(step.args[0]) if step.args else Unknown("`.or` of nothing", step.place)
        if isinstance(other, Unknown):
            raise NotUnderstoodError(f"an entry schema is not understood: {other.what}", other.place)
        found += _options(evaluator, other, unions) or (other,)
    return tuple(found) if any(_has_type(evaluator, each) for each in found) else None


def _has_type(evaluator: Evaluator, option: Value) -> bool:
    if not isinstance(option, Schema) or option.kind not in schemas.OBJECTS:
        return False
    shape = schemas.shape_of(evaluator, option)
    return not isinstance(shape, Unknown) and DISCRIMINATOR in shape.members


def _names_in(source: bytes) -> tuple[str | None, str | None]:
    """Return the names that stand in `record(enum(NAME), array(NAME()))` for the list and for the matcher's schema."""
    try:
        call = syntax.parse(source)
    except syntax.JsError:
        return None, None
    record = _without_methods(call)
    keys, values = record.arguments[:2]
    return _argument_name(keys), _argument_name(values)


def _without_methods(node: syntax.Node) -> syntax.Node:
    """Return the call in `f(...).g().h()` that everything else is called on."""
    while (
        node.type == "CallExpression"
        and node.callee.type == "MemberExpression"
        and node.callee.object.type == "CallExpression"
    ):
        node = node.callee.object
    return node


def _argument_name(node: syntax.Node) -> str | None:
    """Return the name in `f(NAME)`, `f(NAME())`, `f(NAME).g()`."""
    node = _without_methods(node)
    if node.type == "CallExpression" and len(node.arguments) == 1:
        node = node.arguments[0]
        if node.type == "CallExpression" and not node.arguments:
            node = node.callee
    while node.type == "SequenceExpression":
        node = node.expressions[-1]
    return node.name if node.type == "Identifier" else None
