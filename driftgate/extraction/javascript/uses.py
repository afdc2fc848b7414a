"""Is a value that was read out of a definition still that value when it is used?

JavaScript can change a list, a set or an object wherever it is named. So each place that names one which contributes
to a set must be of a kind that is known to leave it alone; anything else is not understood. Schemas cannot be changed
by what they are given to: of these only assignments to their insides count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from driftgate.extraction.javascript.evaluate import Evaluator, Name
from driftgate.extraction.javascript.module import Module
from driftgate.extraction.javascript.values import Builtin, Function, Maker, Namespace, Record, SetOf, Unknown, Value

READS: Final = (
    b"concat|entries|every|filter|find|findIndex|findLast|flat|flatMap|forEach|has|includes|indexOf|join|keys|lastIndexOf"
    b"|length|map|max|reduce|reduceRight|size|slice|some|toReversed|toSorted|toString|values|at|difference|intersection"
    b"|isDisjointFrom|isSubsetOf|isSupersetOf|union|get|hasOwnProperty"
)
"""Methods and properties that read a list, a set or an object."""

_CHANGERS: Final = b"push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|add|delete|clear|set"
"""Methods that change a list or a set: a name that only looks them up may call them later."""

_FROM_CALLS: Final = (
    rb"new\s+Set|new\s+Map|Array\.from|Array\.isArray|Object\.(?:keys|values|entries|freeze|hasOwn|fromEntries)|String"
    rb"|JSON\.stringify|typeof|Math\.max|Math\.min|Symbol|isArray"
)

HARMLESS: Final[Mapping[str, tuple[re.Pattern[bytes] | None, re.Pattern[bytes] | None, str]]] = MappingProxyType(
    {
        "read": (
            None,
            re.compile(rb"(?:\?\.|\s*\.)\s*(?:" + READS + rb")(?![\w$])"),
            "a method or property that only reads",
        ),
        "element": (
            None,
            re.compile(rb"\s*(?:\?\.)?\[[^\[\]]*\](?!\s*(?:\(|=(?!=|>)|\+\+|--|[-+*/%&|^]=|\?\?=|\|\|=|&&=))"),
            "one element or member, looked up",
        ),
        "member": (
            None,
            re.compile(
                rb"\s*(?:\?\.|\.)\s*(?!(?:" + _CHANGERS + rb")(?![\w$]))[\w$]+"
                rb"(?=\s*(?:[,;:)\]}?&|!<>]|[=!]==|\Z))"
            ),
            "one member of an enum, looked up",
        ),
        "spread": (re.compile(rb"\.\.\.\s*\Z"), None, "copied into another list, set, object or call"),
        "prose": (
            re.compile(
                rb"(?:^|[^\w$.])(?!(?:return|typeof|case|in|of|delete|void|new|await|yield|else|do|instanceof|var|let"
                rb"|const|throw|extends|default|async|static|get|set|function|class) )[A-Za-z']+,? \Z"
            ),
            re.compile(rb",? (?!(?:in|of|instanceof|as|from) )[A-Za-z']+[ ,.;:]"),
            "a word between words: no code has two names side by side",
        ),
        "loop": (re.compile(rb"[\s)]of\s*\Z"), None, "gone through"),
        "loop, chosen": (
            re.compile(rb"[\s)]of\s[^;{}()]{0,60}[?:]\s*\Z"),
            re.compile(rb"\s*\)"),
            "one of two values that is gone through",
        ),
        "lookup": (re.compile(rb"[\s)\"']in\s*\Z"), None, "asked whether it has a member"),
        "copied": (
            re.compile(rb"(?:" + _FROM_CALLS + rb")\s*\(\s*\Z"),
            None,
            "given to a function of the language that reads",
        ),
        "typeof": (re.compile(rb"typeof\s*\Z"), None, "asked what it is"),
        "called": (None, re.compile(rb"\s*\("), "a method of that name: what is no function is not called"),
        "key": (re.compile(rb"[{,]\s*\Z"), re.compile(rb"\s*:(?!:)"), "a key of an object that is called so"),
        "getter": (
            re.compile(rb"(?:=>|\breturn)\s*\Z"),
            re.compile(rb"\s*[,})\];]"),
            "returned by a getter of a bundle's namespace object, which is read-only by construction",
        ),
        "declared": (
            re.compile(rb"(?:^|[^\w$.])(?:var|let|const)\s(?:[\w$,\s]*,)?\s*\Z"),
            re.compile(rb"\s*[,;]"),
            "declared, and given its value elsewhere",
        ),
        "compared": (
            None,
            re.compile(rb"\s*(?:[=!]==?|&&|\|\||\?(?!\.)|<|>|instanceof\b)"),
            "compared, or asked whether it is there",
        ),
        "chosen": (
            re.compile(rb"\([^()]{0,80}[?:|&]\s*\Z"),
            re.compile(rb"(?:\s*:\s*(?:\[\]|[\w$]+))?\s*\)\s*\??\.\s*(?:" + READS + rb")(?![\w$])"),
            "one of two values, of which a method reads",
        ),
        "compared with": (re.compile(rb"(?:[=!]==?|!)\s*\Z"), None, "compared"),
    }
)
"""Kinds of use that leave a list, a set or an object alone: (what stands before, what behind, why)."""

_OF_LIBRARY: Final = re.compile(rb"(?<![\w$\x80-\xff])([\w$\x80-\xff]+(?:\s*\.\s*[\w$\x80-\xff]+)*)\s*\)?\s*\(\s*\Z")
_WRITTEN: Final = re.compile(
    rb"(?:\s*\([^()]*\))?(?:\s*(?:\?\.|\.)\s*[\w$#]+|\s*\[[^\[\]]{0,80}\])+\s*"
    rb"(?:=(?![=>])|(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)=(?!=)|\+\+|--)"
)
_CHANGED: Final = re.compile(rb"\s*(?:(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)=(?!=)|\+\+|--)")
_IN_PATTERN: Final = re.compile(rb"[\[{,:]\s*\Z")
_PATTERN: Final = re.compile(rb"(?!\s*:)\s*(?:=[^=>][^\[\]{}()]{0,80})?[^\[\]{}()=]{0,200}[\]}]+\s*=(?![=>])")
_COMMENT: Final = re.compile(rb"/\*.*?\*/|//[^\n]*\n", re.DOTALL)
_DELETED: Final = re.compile(rb"(?:delete|\+\+|--)\s*\Z")
_DEFINED_ON: Final = re.compile(
    rb"(?:Object\.(?:assign|defineProperty|defineProperties|setPrototypeOf)|Reflect\.\w+)\(\s*\Z"
)
_MEMBER: Final = re.compile(rb"(?:\s*\([^()]*\))?\s*(?:\?\.|\.|\[)")
_ALIASED: Final = re.compile(rb"(?<![\w$.\x80-\xff])([\w$\x80-\xff]+)\s*=\s*\Z")
_QUOTED: Final = re.compile(rb"[\"'`]")


def check(evaluator: Evaluator, names: Iterator[Name] | frozenset[Name], *, as_defined: bool = False) -> Unknown | None:
    """Return what may change one of the modules' names, if anything may.

    Statements that an evaluated value takes in are no change of it; they are for who reads the definition alone
    (`as_defined`).
    """
    for module, name in sorted(names, key=lambda each: (each[0].member, each[0].offset, each[1])):
        if name in module.imports:
            continue  # what it means there is a name of another module, and among the names itself
        problem = _changes(evaluator, module, name, evaluator.global_name(module, name), as_defined=as_defined)
        if problem is not None:
            return problem
    return None


def _changes(evaluator: Evaluator, module: Module, name: str, value: Value, *, as_defined: bool) -> Unknown | None:
    if isinstance(value, Namespace | Maker | Builtin):
        return None  # the library itself, under names that a minifier uses a thousand times
    contains = isinstance(value, tuple | SetOf | Record)
    for other, local in evaluator.uses_of(module, name):
        defined = {each.offset for each in other.defined(local)} if other is module else set()
        if other is module and not as_defined:
            defined |= evaluator.settled.get((module, name), frozenset())
        for offset in other.named(local):
            if offset in defined or other.in_clause(offset):
                continue  # handed to other modules, whose uses are looked at too
            what = _written(other, local, offset, patterns=not isinstance(value, Function))
            if what is None and contains:
                what = _not_known(evaluator, other, local, offset)
            if what is None or not other.scopes.is_code(local.encode(), offset):
                continue
            if not other.is_inner(local, offset):
                return Unknown(f"{what} `{local}`, which the set is read from", other.place(offset))
    return None


def _written(module: Module, name: str, offset: int, *, patterns: bool = True) -> str | None:
    text, end = module.text, offset + len(name.encode())
    before = text[max(0, offset - 48) : offset]
    if _CHANGED.match(text, end) or re.search(rb"(?:\+\+|--)\s*\Z", before[-8:]):
        return "something is assigned to"
    if patterns and _IN_PATTERN.search(before) and _PATTERN.match(text, end):
        return "something is assigned to"
    if _WRITTEN.match(text, end):
        return "something is assigned inside of"
    if _DELETED.search(before) and _MEMBER.match(text, end):
        return "something is deleted from"
    if _DEFINED_ON.search(before):
        return "something is defined on"
    return None


def _not_known(
    evaluator: Evaluator, module: Module, name: str, offset: int, *, again: bool = False, bare: bool = False
) -> str | None:
    text, end = module.text, offset + len(name.encode())
    before, behind = text[max(0, offset - 400) : offset], text[end : end + 400]
    if not bare and (b"/*" in before + behind or b"//" in before + behind):
        without = _not_known(evaluator, module, name, offset, again=again, bare=True)
        if without is None:
            return None
    if bare:
        before, behind = _COMMENT.sub(b" ", before), _COMMENT.sub(b" ", behind)
    for begins, follows, _ in HARMLESS.values():
        if (begins is None or begins.search(before)) and (follows is None or follows.match(behind)):
            return None
    called = _OF_LIBRARY.search(before)
    if called:
        with evaluator.aside():
            if evaluator.factory(module, re.sub(rb"\s", b"", called[1]).decode(errors="replace")) is not None:
                return None
    if _QUOTED.match(behind) and _QUOTED.search(before[-1:]):
        return None
    alias = _ALIASED.search(before)
    if (
        alias
        and not again
        and re.match(rb"\s*[,;)]", behind)
        and _alias_is_left_alone(evaluator, module, alias[1], offset)
    ):
        return None
    return "it is not known what is done to"


def _alias_is_left_alone(evaluator: Evaluator, module: Module, alias: bytes, offset: int) -> bool:
    """Tell whether all uses of an inner variable that is set to the value, at `offset`, leave it alone."""
    name = alias.decode(errors="replace")
    start, end = module.scopes.construct(offset)
    if not module.is_inner(name, offset - 1):
        return False
    uses = [at for at in module.named(name) if start <= at < end and not (offset - len(alias) - 16 <= at < offset)]
    return all(
        _written(module, name, at) is None and _not_known(evaluator, module, name, at, again=True) is None
        for at in uses
    )
