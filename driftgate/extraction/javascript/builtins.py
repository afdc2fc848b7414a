"""The functions and methods of the language that lists of names are written with, on values that are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from driftgate.extraction.javascript.values import (
    UNDEFINED,
    Builtin,
    Record,
    SetOf,
    Unknown,
    Value,
    is_plain,
    truth,
    written,
)
from driftgate.surface import Place

if TYPE_CHECKING:
    from driftgate.extraction.javascript.evaluate import Evaluator

Args = tuple[Value, ...]

GLOBALS: Final = frozenset(
    {
        "Array",
        "Boolean",
        "Bun",
        "Date",
        "Error",
        "Function",
        "Intl",
        "JSON",
        "Map",
        "Math",
        "Number",
        "Object",
        "Promise",
        "Proxy",
        "Reflect",
        "RegExp",
        "Set",
        "String",
        "Symbol",
        "URL",
        "WeakMap",
        "WeakSet",
        "console",
        "document",
        "exports",
        "global",
        "globalThis",
        "import",
        "module",
        "process",
        "require",
        "self",
        "structuredClone",
        "this",
        "arguments",
        "window",
    }
)
"""Names that a module need not define."""


def items_of(value: Value) -> Args | Unknown:
    """Return what spreading a value yields."""
    match value:
        case tuple():
            return value
        case SetOf():
            return value.members
        case str():
            return tuple(value)
        case Unknown():
            return value
        case _:
            return Unknown("a spread of what is no list")


def absent(key: str, place: Place | None) -> Value:
    """Return the value of a member that an object does not have."""
    return Unknown(f"the object has no member `{key}`", place)


def member(owner: Value, name: Value, place: Place | None) -> Value:
    """Return a member of a list, a text, a set or a function of the language."""
    if isinstance(owner, Builtin) and isinstance(name, str):
        return Builtin(f"{owner.name}.{name}")
    if isinstance(owner, tuple | str) and name == "length":
        return len(owner)
    if isinstance(owner, SetOf) and name == "size":
        return len(owner.members)
    if isinstance(owner, tuple | str) and isinstance(name, int) and not isinstance(name, bool):
        return owner[name] if 0 <= name < len(owner) else UNDEFINED
    return Unknown(f"the member `{name if isinstance(name, str) else '[...]'}` is not understood", place)


def call(evaluator: Evaluator, function: Builtin, args: Args, place: Place | None) -> Value:
    """Call a function of the language."""
    known = _FUNCTIONS.get(function.name)
    if known is None or not args:
        return Unknown(f"a call of `{function.name}` is not understood", place)
    forced = args if function.name == "Array.of" else tuple(map(evaluator.force, args))
    for each in forced:
        if isinstance(each, Unknown):
            return each
    return known(evaluator, forced, place)


def _freeze(_: Evaluator, args: Args, __: Place | None) -> Value:
    return args[0]


def _record(args: Args, place: Place | None) -> Record | Unknown:
    return args[0] if isinstance(args[0], Record) else Unknown("the members of what is no object literal", place)


def _keys(_: Evaluator, args: Args, place: Place | None) -> Value:
    record = _record(args, place)
    return record if isinstance(record, Unknown) else tuple(record.members)


def _values(_: Evaluator, args: Args, place: Place | None) -> Value:
    record = _record(args, place)
    return record if isinstance(record, Unknown) else tuple(record.members.values())


def _entries(_: Evaluator, args: Args, place: Place | None) -> Value:
    record = _record(args, place)
    return record if isinstance(record, Unknown) else tuple((key, value) for key, value in record.members.items())


def _from_entries(evaluator: Evaluator, args: Args, place: Place | None) -> Value:
    items = items_of(args[0])
    members: dict[str, Value] = {}
    for item in items if not isinstance(items, Unknown) else ():
        pair = evaluator.force(item)
        if not isinstance(pair, tuple) or len(pair) != 2:
            return Unknown("an entry that is no pair", place)
        key = evaluator.force(pair[0])
        if not isinstance(key, str):
            return Unknown("the key of an entry is not known", place)
        members[key] = pair[1]
    return items if isinstance(items, Unknown) else Record(MappingProxyType(members))


def _assign(_: Evaluator, args: Args, place: Place | None) -> Value:
    members: dict[str, Value] = {}
    for each in args:
        if not isinstance(each, Record):
            return Unknown("`Object.assign` of what is no object literal", place)
        members.update(each.members)
    return Record(MappingProxyType(members))


def _array_from(evaluator: Evaluator, args: Args, place: Place | None) -> Value:
    items = items_of(args[0])
    if isinstance(items, Unknown) or len(args) == 1:
        return items
    return _map(evaluator, items, (args[1],), place)


def _array_of(_: Evaluator, args: Args, __: Place | None) -> Value:
    return args


def _is_array(_: Evaluator, args: Args, __: Place | None) -> Value:
    return isinstance(args[0], tuple)


def _text(_: Evaluator, args: Args, place: Place | None) -> Value:
    value = args[0]
    if not is_plain(value):
        return Unknown("the text of what is no plain value", place)
    return value if isinstance(value, str) else written(value)


_FUNCTIONS: Final[Mapping[str, Callable[[Evaluator, Args, Place | None], Value]]] = MappingProxyType(
    {
        "Object.freeze": _freeze,
        "Object.seal": _freeze,
        "structuredClone": _freeze,
        "Object.keys": _keys,
        "Object.values": _values,
        "Object.entries": _entries,
        "Object.fromEntries": _from_entries,
        "Object.assign": _assign,
        "Array.from": _array_from,
        "Array.of": _array_of,
        "Array.isArray": _is_array,
        "String": _text,
    }
)


# --- methods ---------------------------------------------------------------------------------------------------------


def _concat(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    items: list[Value] = list(owner)
    for each in map(evaluator.force, args):
        if isinstance(each, Unknown):
            return Unknown(f"what `concat` adds is not known ({each.what})", place)
        items += each if isinstance(each, tuple) else (each,)
    return tuple(items)


def _map(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    found = tuple(evaluator.call(evaluator.force(args[0]), (item, at), place) for at, item in enumerate(owner))
    return next((each for each in found if isinstance(each, Unknown)), found)


def _flat_map(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    mapped = _map(evaluator, owner, args, place)
    return mapped if isinstance(mapped, Unknown) else _flat(evaluator, mapped, (), place)


def _filter(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    test = evaluator.force(args[0]) if args else Unknown("`filter` without a function", place)
    kept: list[Value] = []
    for at, item in enumerate(owner):
        if isinstance(test, Builtin) and test.name == "Boolean":
            holds = truth(evaluator.force(item))
        else:
            answer = evaluator.call(test, (item, at), place)
            if isinstance(answer, Unknown):
                return Unknown(f"what `filter` keeps is not known ({answer.what})", place)
            holds = truth(answer)
        if holds is None:
            return Unknown("what `filter` keeps is not known", place)
        kept += [item] * holds
    return tuple(kept)


def _flat(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    if args:
        return Unknown("`flat` with a depth is not understood", place)
    items: list[Value] = []
    for each in map(evaluator.force, owner):
        if isinstance(each, Unknown):
            return each
        items += each if isinstance(each, tuple) else (each,)
    return tuple(items)


def _slice(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    bounds: list[int] = []
    for each in map(evaluator.force, args):
        if not isinstance(each, int) or isinstance(each, bool):
            return Unknown("the bounds of `slice` are not known", place)
        bounds.append(each)
    begin, end = (*bounds, None, None)[:2]
    return tuple(owner)[begin:end]


def _spliced(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    numbers = [evaluator.force(each) for each in args[:2]]
    whole = [each for each in numbers if isinstance(each, int) and not isinstance(each, bool)]
    if not numbers or len(whole) != len(numbers):
        return Unknown("the bounds of a splice are not known", place)
    items = list(owner)
    start = max(0, len(items) + whole[0]) if whole[0] < 0 else min(whole[0], len(items))
    count = max(0, whole[1]) if len(whole) > 1 else len(items) - start
    items[start : start + count] = args[2:]
    return tuple(items)


def _index_of(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    items = [evaluator.force(each) for each in owner]
    wanted = evaluator.force(args[0]) if len(args) == 1 else UNDEFINED
    if not all(map(is_plain, (*items, wanted))):
        return Unknown("what is looked for is not known", place)
    return next((at for at, each in enumerate(items) if type(each) is type(wanted) and each == wanted), -1)


def _of_sets(keep: Callable[[bool, bool], bool]) -> Any:
    def combined(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
        other = evaluator.force(args[0]) if len(args) == 1 else UNDEFINED
        if not isinstance(other, SetOf):
            return Unknown("the other set is not known", place)
        mine, theirs = (evaluator.distinct(each.members) for each in (owner, other))
        if not all(map(is_plain, (*mine, *theirs))):
            return Unknown("the members of a set are not known", place)
        return SetOf(tuple(each for each in dict.fromkeys((*mine, *theirs)) if keep(each in mine, each in theirs)))

    return combined


def _sorted(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    items = [evaluator.force(each) for each in owner]
    if args or not all(isinstance(each, str) for each in items):
        return Unknown("an order by a function is not understood", place)
    return tuple(sorted(items, key=str))


def _reversed(_: Evaluator, owner: Any, __: Args, ___: Place | None) -> Value:
    return tuple(reversed(owner))


def _same(_: Evaluator, owner: Any, __: Args, ___: Place | None) -> Value:
    return owner if isinstance(owner, tuple) else tuple(owner.members)


def _includes(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    members = owner.members if isinstance(owner, SetOf) else owner
    wanted = evaluator.force(args[0]) if args else UNDEFINED
    if isinstance(members, str):
        return wanted in members if isinstance(wanted, str) else Unknown("what is looked for is not known", place)
    items = [evaluator.force(each) for each in members]
    if not all(map(is_plain, (*items, wanted))):
        return Unknown("what is looked for is not known", place)
    return any(type(each) is type(wanted) and each == wanted for each in items)


def _join(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    sign = evaluator.force(args[0]) if args else ","
    items = [evaluator.force(each) for each in owner]
    if not isinstance(sign, str) or not all(is_plain(each) for each in items):
        return Unknown("what is joined is not known", place)
    return sign.join(each if isinstance(each, str) else written(each) for each in items)


def _split(evaluator: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    sign = evaluator.force(args[0]) if len(args) == 1 else None
    return tuple(owner.split(sign)) if isinstance(sign, str) and sign else Unknown("`split` is not understood", place)


def _of_text(change: Callable[[str], str]) -> Any:
    def changed(_: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
        return Unknown("arguments of this method are not understood", place) if args else change(owner)

    return changed


def _text_of(_: Evaluator, owner: Any, args: Args, place: Place | None) -> Value:
    return Unknown("arguments of `toString` are not understood", place) if args else owner


METHODS: Final[Mapping[tuple[type, str], Callable[[Evaluator, Any, Args, Place | None], Value]]] = MappingProxyType(
    {
        (tuple, "concat"): _concat,
        (tuple, "map"): _map,
        (tuple, "flatMap"): _flat_map,
        (tuple, "filter"): _filter,
        (tuple, "flat"): _flat,
        (tuple, "slice"): _slice,
        (tuple, "toSpliced"): _spliced,
        (tuple, "indexOf"): _index_of,
        (tuple, "sort"): _sorted,
        (tuple, "toSorted"): _sorted,
        (tuple, "reverse"): _reversed,
        (tuple, "toReversed"): _reversed,
        (tuple, "values"): _same,
        (tuple, "includes"): _includes,
        (tuple, "join"): _join,
        (SetOf, "values"): _same,
        (SetOf, "keys"): _same,
        (SetOf, "has"): _includes,
        (SetOf, "union"): _of_sets(lambda mine, theirs: mine or theirs),
        (SetOf, "difference"): _of_sets(lambda mine, theirs: mine and not theirs),
        (SetOf, "intersection"): _of_sets(lambda mine, theirs: mine and theirs),
        (str, "includes"): _includes,
        (str, "split"): _split,
        (str, "trim"): _of_text(str.strip),
        (str, "toLowerCase"): _of_text(str.lower),
        (str, "toUpperCase"): _of_text(str.upper),
        (str, "toString"): _text_of,
    }
)
"""What is known of a method, by the type of value. One that is not here is not understood."""
