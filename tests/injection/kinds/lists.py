"""The forms in which a list of strings can be written otherwise: with more in it, with less, or with the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from tests.injection.copies import ListSite
from tests.injection.text import Edit, Node

Form: TypeAlias = "tuple[str, str]"
"""The name of a form, and the expression."""

_STATEMENTS = ("variable_declaration", "lexical_declaration", "expression_statement")


def quoted(names: Iterable[str]) -> str:
    """Return an array literal."""
    return "[" + ",".join(f'"{name}"' for name in names) + "]"


def keyed(names: Iterable[str], value: str = "1") -> str:
    """Return an object literal with these keys; `*` in `value` is the name."""
    return "{" + ",".join(f"{name}:{value.replace('*', name)}" for name in names) + "}"


def numbered(names: Iterable[str]) -> str:
    """Return an object literal with these values."""
    return "{" + ",".join(f'k{at}:"{name}"' for at, name in enumerate(names)) + "}"


def literals(word: str, names: Iterable[str]) -> str:
    """Return an array literal of schemas of one literal each."""
    return "[" + ",".join(f'{word}("{name}")' for name in names) + "]"


def grown(names: tuple[str, ...], x: str) -> Iterator[Form]:
    """Yield expressions for `names` and `x`."""
    all_, base, more = quoted((*names, x)), quoted(names), f'"{x}"'
    half = len(names) // 2
    yield "literal, last", all_
    yield "literal, first", quoted((x, *names))
    yield "literal, middle", quoted((*names[:half], x, *names[half:]))
    yield "literal, trailing comma", f"{all_[:-1]},]"
    yield "spread of a literal, then the name", f"[...{base},{more}]"
    yield "the name, then a spread", f"[{more},...{base}]"
    yield "two spreads", f"[...{quoted(names[:half])},...{quoted((*names[half:], x))}]"
    yield "a spread within", f"{base[:-1]},...[{more}]]"
    yield "concat of a name", f"{base}.concat({more})"
    yield "concat of a list", f"{base}.concat([{more}])"
    yield "concat onto the name", f"[{more}].concat({base})"
    yield "concat onto nothing", f"[].concat({base},{more})"
    yield "Object.freeze", f"Object.freeze({all_})"
    yield "Object.freeze of a spread", f"Object.freeze([...{base},{more}])"
    yield "Object.keys", f"Object.keys({keyed((*names, x))})"
    yield "Object.values", f"Object.values({numbered((*names, x))})"
    yield "a Set spread", f"[...new Set({all_})]"
    yield "a Set spread, with a spread in it", f"[...new Set([...{base},{more}])]"
    yield "Array.from a Set", f"Array.from(new Set({all_}))"
    yield "Array.of", f"Array.of({all_[1:-1]})"
    yield "a condition that is true", f"!0?{all_}:{base}"
    yield "a condition that is false", f"!1?{base}:{all_}"
    yield "true && ", f"!0&&{all_}"
    yield "a sequence", f"(0,{all_})"
    yield "an arrow called", f"(()=>{all_})()"
    yield "a function called", f"(function(){{return {all_}}})()"
    yield "an arrow with the list as argument", f"((q)=>[...q,{more}])({base})"
    yield "split", f'"{",".join((*names, x))}".split(",")'
    yield "filter(Boolean)", f"{all_}.filter(Boolean)"
    yield "map to itself", f"{all_}.map((q)=>q)"
    yield "slice", f"{all_}.slice()"
    yield "sort", f"{all_}.sort()"
    yield "flat", f"[{base},[{more}]].flat()"
    yield "a name joined from two texts", f'{base[:-1]},"{x[:3]}"+"{x[3:]}"]'
    yield "a name as a template", f"{base[:-1]},`{x}`]"
    yield "a name by an escape", f'{base[:-1]},"\\x{ord(x[0]):02x}{x[1:]}"]'
    yield "a name through a template's insertion", f'{base[:-1]},`{x[:3]}${{"{x[3:]}"}}`]'


def shrunk(names: tuple[str, ...], x: str) -> Iterator[Form]:
    """Yield expressions for `names` without `x`, which is one of them."""
    base, rest = quoted(names), quoted(name for name in names if name != x)
    at = names.index(x)
    yield "literal", rest
    yield "filter", f'{base}.filter((q)=>q!=="{x}")'
    yield "filter, negated includes", f'{base}.filter((q)=>!["{x}"].includes(q))'
    yield "two slices", f"[...{base}.slice(0,{at}),...{base}.slice({at + 1})]"
    yield "toSpliced", f"{base}.toSpliced({at},1)"
    yield "destructured", f"(([{'q,' * at},...r])=>r)({base})" if at == 0 else f"[...{rest}]"
    yield "a condition that is true", f"!0?{rest}:{base}"
    yield "a condition that is false", f"!1?{base}:{rest}"
    yield "nothing spread", f"[...{rest},...[]]"


def kept(names: tuple[str, ...]) -> Iterator[Form]:
    """Yield other expressions for the same names. What they say has not changed."""
    base = quoted(names)
    half = len(names) // 2
    yield "a spread", f"[...{base}]"
    yield "two spreads", f"[...{quoted(names[:half])},...{quoted(names[half:])}]"
    yield "Object.freeze", f"Object.freeze({base})"
    yield "a Set spread", f"[...new Set({base})]"
    yield "slice", f"{base}.slice()"
    yield "a member twice", f'{base[:-1]},"{names[0]}"]'
    yield "Object.keys", f"Object.keys({keyed(names)})"
    yield "a condition that is true", f"!0?{base}:[]"
    yield "nothing concatenated", f"{base}.concat([])"


def unknowable(names: tuple[str, ...], x: str) -> Iterator[Form]:
    """Yield expressions whose members depend on what is not in the artefact."""
    base, all_ = quoted(names), quoted((*names, x))
    yield "a condition on the environment", f"process.env.ZQ?{all_}:{base}"
    yield "&& on the environment, spread", f'[...{base},...(process.env.ZQ&&["{x}"]||[])]'
    yield "a spread of the environment", f"[...{base},...process.env.ZQ.split()]"
    yield "a member from the environment", f"{base[:-1]},process.env.ZQ]"
    yield "a member from a call", f"{base[:-1]},zq()]"
    yield "a member of a name that is not there", f"{base[:-1]},zq9]"
    yield "a spread of a name that is not there", f"[...{base},...zq9]"
    yield "concat with what is not there", f"{base}.concat(zq9)"
    yield "a template with an insertion", f"{base[:-1]},`${{zq9}}Use`]"
    yield "a filter by what is not there", f"{base}.filter(zq9)"
    yield "a map by what is not there", f"{base}.map((q)=>zq9[q]||q)"
    yield "a call of what is not there", f"zq9({base})"


def grown_after(name: str, x: str) -> Iterator[Form]:
    """Yield statements that put `x` into the list `name`."""
    more = f'"{x}"'
    yield "push", f"{name}.push({more})"
    yield "push by key", f'{name}["push"]({more})'
    yield "push of a spread", f"{name}.push(...[{more}])"
    yield "unshift", f"{name}.unshift({more})"
    yield "splice", f"{name}.splice(1,0,{more})"
    yield "by index", f"{name}[{name}.length]={more}"
    yield "assigned with a spread", f"{name}=[...{name},{more}]"
    yield "assigned with concat", f"{name}={name}.concat({more})"
    yield "push if true", f"if(!0)){name}.push({more})".replace("(!0))", "(!0)")
    yield "push in a loop", f"for(let q of[{more}]){name}.push(q)"
    yield "push in a callback", f"[{more}].forEach((q)=>{name}.push(q))"
    yield "push in a called arrow", f"(()=>{{{name}.push({more})}})()"
    yield "push in a try", f"try{{{name}.push({more})}}catch{{}}"
    yield "push in a block", f"{{{name}.push({more})}}"
    yield "push by call", f"Array.prototype.push.call({name},{more})"
    yield "push through an alias", f"var zal={name};zal.push({more})"
    yield "push in a function called", f"function zfn(q){{q.push({more})}}zfn({name})"
    yield "copyWithin and push", f"{name}.push({more}),{name}.reverse()"
    yield "push after a test", f"{name}.includes({more})||{name}.push({more})"


def shrunk_after(name: str, names: tuple[str, ...], x: str) -> Iterator[Form]:
    """Yield statements that take `x` out of the list `name`."""
    at = names.index(x)
    yield "splice", f"{name}.splice({at},1)"
    yield "splice by indexOf", f'{name}.splice({name}.indexOf("{x}"),1)'
    yield "assigned with filter", f'{name}={name}.filter((q)=>q!=="{x}")'
    yield "assigned anew", f"{name}={quoted(n for n in names if n != x)}"
    yield "delete", f"delete {name}[{at}]"
    if at == len(names) - 1:
        yield "pop", f"{name}.pop()"
        yield "length", f"{name}.length={at}"
    if at == 0:
        yield "shift", f"{name}.shift()"


def after(site: ListSite | Node, text: str) -> Iterable[Edit] | None:
    """Return the edit that puts a statement behind the one in which a list is bound; None where there is none."""
    node = site.array if isinstance(site, ListSite) else site
    statement = node.up(*_STATEMENTS, "arrow_function")
    if statement is None or statement.type == "arrow_function":
        return None
    closed = statement.text.endswith(";")
    return [statement.span.after(f"{'' if closed else ';'}{text};")]
