"""What a schema accepts, as a normal form: two schemas that accept the same read the same, two that do not never do.

    form = Reader(evaluator).form(schema)
    form.kind, form.values, form.checks, form.required      # "number", None, ("positive",), False
    form.text                                               # "number?(positive)"

The words are those of the snapshots. Two cannot say what a function does: a refinement or a two-parameter transform is
kept as the function's normalised text, and compared as such.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from driftgate.extraction.javascript import schemas
from driftgate.extraction.javascript.coercions import results_of
from driftgate.extraction.javascript.evaluate import Evaluator, describe
from driftgate.extraction.javascript.normal import text_of
from driftgate.extraction.javascript.schemas import PASSTHROUGH, SILENT, STRIP, Shape
from driftgate.extraction.javascript.syntax import walk
from driftgate.extraction.javascript.values import (
    UNDEFINED,
    Function,
    Lazy,
    Record,
    Schema,
    Step,
    Unknown,
    Value,
    is_plain,
    truth,
    written,
)
from driftgate.surface import Place, union_kind

INTERNAL: Final = "@internal"


class NotUnderstoodError(ValueError):
    """A schema holds something that is not understood: `what`, and where."""

    def __init__(self, what: str, place: Place | None) -> None:
        super().__init__(f"{what}, {place}" if place else what)


@dataclass(frozen=True, slots=True)
class Form:
    """What a schema accepts: its kind in the words of the snapshots, an enum's members, and what else must hold.

    `optional`: nothing at all is accepted too. `options` are those of a union, of which `kind` is made.
    """

    kind: str
    values: tuple[str, ...] | None = None
    checks: tuple[str, ...] = ()
    optional: bool = False
    internal: bool = False
    options: tuple[Form, ...] = ()

    @property
    def required(self) -> bool:
        """Whether a field of this form must be there."""
        return not self.optional

    @property
    def text(self) -> str:
        """The form in one word, as it stands inside of another."""
        values = "" if self.values is None else f"({'|'.join(written(each) for each in sorted(self.values))})"
        checks = f"({','.join(sorted(self.checks))})" if self.checks else ""
        return f"{self.kind}{values}{'?' if self.optional else ''}{checks}"


_ANY: Final = frozenset({"any", "unknown"})
_STRING_FORMATS: Final = frozenset(
    {
        *("base64", "base64url", "cidr", "cidrv4", "cidrv6", "cuid", "cuid2", "date", "datetime", "duration", "e164"),
        *("email", "emoji", "guid", "hash", "hex", "hostname", "httpUrl", "ip", "ipv4", "ipv6", "jwt", "ksuid"),
        *(
            "lowercase",
            "mac",
            "nanoid",
            "time",
            "ulid",
            "uppercase",
            "url",
            "uuid",
            "uuidv4",
            "uuidv6",
            "uuidv7",
            "xid",
        ),
    }
)
"""Checks of a text that are known by their name; each is a kind of its own too (`z.email()`)."""

_ISO: Final = "iso."
_ONLY_WORDS: Final = frozenset({"message", "error", "abort", "params", "path", "description", "errorMap", "when", "id"})
"""Options of a check that say what is told about a failure, not what fails."""

_NUMBER_KINDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "number": (),
        "int": ("int",),
        "float32": ("float32",),
        "float64": ("float64",),
        "int32": ("int", "int32"),
        "uint32": ("int", "uint32"),
    }
)
_PLAIN_KINDS: Final = frozenset(
    {
        "boolean",
        "date",
        "bigint",
        "symbol",
        "undefined",
        "null",
        "void",
        "never",
        "nan",
        "file",
        "any",
        "unknown",
        "stringbool",
        "json",
    }
)
_REWRITES: Final = frozenset({"trim", "toLowerCase", "toUpperCase", "normalize", "slugify"})


@dataclass(slots=True)
class _Draft:
    """A form in the making: the bounds so far, the words, and behind which rewriting of the value they stand."""

    kind: str
    values: tuple[str, ...] | None = None
    options: tuple[Form, ...] = ()
    words: list[str] = field(default_factory=list)
    behind: str = ""
    low: tuple[float, bool] | None = None
    high: tuple[float, bool] | None = None
    integer: bool = False
    least: int = 0
    most: float = math.inf
    optional: bool = False
    given: bool = False
    internal: bool = False

    def add(self, word: str) -> None:
        if self.behind + word not in self.words:
            self.words.append(self.behind + word)

    def close(self) -> None:
        """Write the bounds down: what follows is said of another value."""
        bounds: list[str] = ["int"] * self.integer
        if self.integer:
            self.low = _whole(self.low, math.floor, math.ceil)
            self.high = _whole(self.high, math.ceil, math.floor)
        if self.low is not None:
            bounds.append(
                "positive" if self.low == (0, False) else f"{'min' if self.low[1] else 'gt'}({written(self.low[0])})"
            )
        if self.high is not None:
            bounds.append(f"{'max' if self.high[1] else 'lt'}({written(self.high[0])})")
        if self.least:
            bounds.append(f"min({self.least})")
        if self.most != math.inf:
            bounds.append(f"max({written(self.most)})")
        known = set(self.words)
        self.words[:] = [*(self.behind + word for word in bounds if self.behind + word not in known), *self.words]
        self.low = self.high = None
        self.least, self.most, self.integer = 0, math.inf, False

    def rewrite(self, how: str) -> None:
        """Say that from here on another value is looked at, made by `how`."""
        self.close()
        self.add(how)
        self.behind = f"{self.behind}{how}>"

    def form(self) -> Form:
        self.close()
        return Form(self.kind, self.values, tuple(self.words), self.optional or self.given, self.internal, self.options)


def _whole(
    bound: tuple[float, bool] | None, out: Callable[[float], int], into: Callable[[float], int]
) -> tuple[float, bool] | None:
    """Return the bound of whole numbers that a bound of numbers is: above 0 is at least 1."""
    if bound is None:
        return None
    number, inclusive = bound
    if inclusive:
        return into(number), True
    return out(number) + (1 if out is math.floor else -1), True


class Reader:
    """Reads the forms of a program's schemas."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._within: list[int] = []

    def form(self, value: Value) -> Form:
        """Return what a schema accepts. Raises NotUnderstoodError."""
        schema = self.evaluator.force(value)
        if isinstance(schema, Unknown):
            raise NotUnderstoodError(schema.what, schema.place)
        if not isinstance(schema, Schema):
            raise NotUnderstoodError(f"{describe(schema)} stands where a schema should be", None)
        draft = self._base(schema)
        self._describe(draft, schema.args[-1:])
        for step in self._steps(schema):
            self._step(draft, step)
        return draft.form()

    def _steps(self, schema: Schema) -> tuple[Step, ...]:
        if schema.kind in schemas.OBJECTS:
            return self._shape(schema).steps
        if schema.kind in ("enum", "nativeEnum"):
            return tuple(step for step in schema.steps if step.name not in ("exclude", "extract"))
        return schema.steps

    def word(self, step: Step) -> str:
        """Return what one method, a refinement, says in one word. Raises NotUnderstoodError."""
        draft = _Draft("any")
        self._step(draft, step)
        return ",".join(draft.form().checks)

    # --- kinds -------------------------------------------------------------------------------------------------------

    def _base(self, schema: Schema) -> _Draft:
        kind = schema.kind
        how = _KINDS.get(kind)
        if how is not None:
            return how(self, schema)
        if kind in _PLAIN_KINDS:
            draft = _Draft("any" if kind in _ANY else kind)
        elif kind in _NUMBER_KINDS:
            draft = _Draft("number")
            for word in _NUMBER_KINDS[kind]:
                if word == "int":
                    draft.integer = True
                else:
                    draft.add(word)
        elif kind == "string" or kind.removeprefix(_ISO) in _STRING_FORMATS:
            draft = _Draft("string")
            if kind != "string":
                draft.add(self._with_options(kind.removeprefix(_ISO), schema.args))
        else:
            raise NotUnderstoodError(f"the kind `{kind}` of a schema is not known", schema.place)
        self._must_be_known(schema)
        if schema.coerces or self._says(schema.args, "coerce"):
            draft.add("coerce")
            draft.behind = "coerce>"
        return draft

    def _must_be_known(self, schema: Schema) -> None:
        for each in map(self.evaluator.force, schema.args):
            if isinstance(each, Unknown):
                what = f"an argument of `{schema.kind}` is not known: {each.what}"
                raise NotUnderstoodError(what, each.place or schema.place)

    def _says(self, args: tuple[Value, ...], name: str) -> bool:
        given = self._record(args)
        return (
            given is not None
            and name in given.members
            and truth(self.evaluator.force(given.members[name])) is not False
        )

    def _record(self, args: tuple[Value, ...]) -> Record | None:
        given = self.evaluator.force(args[-1]) if args else None
        return given if isinstance(given, Record) else None

    def _array(self, schema: Schema) -> _Draft:
        return _Draft(f"array<{self._inner(schema, 0)}>")

    def _set(self, schema: Schema) -> _Draft:
        return _Draft(f"{schema.kind}<{self._inner(schema, 0)}>")

    def _map(self, schema: Schema) -> _Draft:
        return _Draft(f"map<{self._inner(schema, 0)},{self._inner(schema, 1)}>")

    def _inner(self, schema: Schema, at: int) -> str:
        if len(schema.args) <= at:
            raise NotUnderstoodError(f"`{schema.kind}` without what it holds", schema.place)
        return nested(self.form(schema.args[at]))

    def _entries(self, schema: Schema) -> _Draft:
        schemas_given = [each for each in schema.args if isinstance(self.evaluator.force(each), Schema | Unknown)]
        if not schemas_given:
            raise NotUnderstoodError(f"`{schema.kind}` without what it holds", schema.place)
        if len(schemas_given) == 1:
            return _Draft(f"record<string,{nested(self.form(schemas_given[0]))}>")
        key = self.form(schemas_given[0])
        word = "partialRecord" if schema.kind == "partialRecord" and key.kind == "enum" else "record"
        return _Draft(f"{word}<{nested(key)},{nested(self.form(schemas_given[1]))}>")

    def _tuple(self, schema: Schema) -> _Draft:
        items = self.evaluator.force(schema.args[0]) if schema.args else ()
        if not isinstance(items, tuple):
            raise NotUnderstoodError("the items of a tuple are not known", schema.place)
        words = [nested(self.form(each)) for each in items]
        rest = self.evaluator.force(schema.args[1]) if len(schema.args) > 1 else None
        if isinstance(rest, Schema | Unknown):
            words.append(f"...{nested(self.form(rest))}")
        return _Draft(f"tuple<{','.join(words)}>")

    def _union(self, schema: Schema) -> _Draft:
        options = schemas.options_of(self.evaluator, schema)
        if isinstance(options, Unknown):
            raise NotUnderstoodError(options.what, options.place)
        return _drafted(joined([self.form(each) for each in options]))

    def _intersection(self, schema: Schema) -> _Draft:
        draft = _drafted(self.form(schema.args[0])) if schema.args else _Draft("never")
        for each in schema.args[1:2]:
            self._step(draft, Step("and", (each,), schema.place))
        return draft

    def _enum(self, schema: Schema) -> _Draft:
        members = schemas.members_of_enum(self.evaluator, schema)
        if isinstance(members, Unknown):
            raise NotUnderstoodError(f"the members of its enum cannot be read: {members.what}", members.place)
        if not members or not all(isinstance(each, str) for each in members):
            raise NotUnderstoodError("the members of its enum cannot be read: they are no texts", schema.place)
        return _Draft("enum", tuple(str(each) for each in members))

    def _literal(self, schema: Schema) -> _Draft:
        given = self.evaluator.force(schema.args[0]) if schema.args else UNDEFINED
        listed = given if isinstance(given, tuple) else (given,)
        values = self.evaluator.distinct(listed)
        for value in values:
            if isinstance(value, Unknown):
                raise NotUnderstoodError(f"a literal is not known: {value.what}", value.place or schema.place)
            if not is_plain(value):
                raise NotUnderstoodError("a literal that is no plain value", schema.place)
        texts = tuple(value for value in values if isinstance(value, str))
        others = [_of_literal(value) for value in values if not isinstance(value, str)]
        return _drafted(joined([*([Form("enum", texts)] if texts else []), *others]))

    def _object(self, schema: Schema) -> _Draft:
        shape = self._shape(schema)
        return _Draft(f"object{{{self.members(shape)}}}{self._rest(shape)}")

    def _shape(self, schema: Schema) -> Shape:
        shape = schemas.shape_of(self.evaluator, schema)
        if isinstance(shape, Unknown):
            raise NotUnderstoodError(shape.what, shape.place)
        return shape

    def members(self, shape: Shape) -> str:
        """Return the members of an object in one word, in the order of their names."""
        if len(self._within) > 24:
            return "..."
        self._within.append(0)
        try:
            forms = {name: self.form(value) for name, value in shape.members.items()}
        finally:
            self._within.pop()
        return ",".join(
            f"{name}{'?' if form.optional else ''}:{nested(replace(form, optional=False))}"
            for name, form in sorted(forms.items())
        )

    def _rest(self, shape: Shape) -> str:
        word = self.rest(shape)
        return "" if word == STRIP else f"({word})"

    def rest(self, shape: Shape) -> str:
        """Return what an object does with keys that it does not know: strip, strict, passthrough, or catchall(...)."""
        if isinstance(shape.rest, str):
            return shape.rest
        form = self.form(shape.rest)
        if form.kind == "never":
            return schemas.STRICT
        return PASSTHROUGH if form.kind in _ANY and not form.checks else f"catchall({nested(form)})"

    def _preprocess(self, schema: Schema) -> _Draft:
        if len(schema.args) < 2:
            raise NotUnderstoodError("`preprocess` without a schema", schema.place)
        draft = _drafted(self.form(schema.args[1]))
        function = self.evaluator.force(schema.args[0])
        results = results_of(function)
        if results is not None and draft.values is not None and set(results) <= set(draft.values):
            draft.words.insert(0, "coerced")
            return draft
        if _is_identity(function):
            return draft
        how = f"preprocess({self._function(function, schema.place)})"
        draft.words[:] = [how, *(f"{how}>{word}" for word in draft.words)]
        return draft

    def _pipe(self, schema: Schema) -> _Draft:
        draft = _drafted(self.form(schema.args[0])) if schema.args else _Draft("any")
        for each in schema.args[1:2]:
            self._piped(draft, Step("pipe", (each,), schema.place))
        return draft

    def _transform(self, schema: Schema) -> _Draft:
        draft = _Draft("any")
        self._transformed(draft, Step("transform", schema.args, schema.place))
        return draft

    def _custom(self, schema: Schema) -> _Draft:
        draft = _Draft("any")
        if schema.args:
            draft.add(f"refine({self._function(self.evaluator.force(schema.args[0]), schema.place)})")
        return draft

    def _wrapper(self, schema: Schema) -> _Draft:
        if not schema.args:
            raise NotUnderstoodError(f"`{schema.kind}` of nothing", schema.place)
        draft = _drafted(self.form(schema.args[0]))
        self._step(draft, Step(schema.kind.removeprefix("_"), schema.args[1:], schema.place))
        return draft

    # --- methods -----------------------------------------------------------------------------------------------------

    def _step(self, draft: _Draft, step: Step) -> None:
        if step.name in SILENT:
            if step.name in ("describe", "meta", "register"):
                self._describe(draft, step.args)
            return
        if step.name in _STRING_FORMATS:
            draft.add(self._with_options(step.name, step.args))
            return
        if step.name in _REWRITES:
            draft.rewrite(step.name)
            return
        how = _METHODS.get(step.name)
        if how is None:
            raise NotUnderstoodError(f"the method `.{step.name}` of a schema is not known", step.place)
        how(self, draft, step)

    def _describe(self, draft: _Draft, args: tuple[Value, ...]) -> None:
        for each in args:
            with self.evaluator.aside():
                draft.internal = draft.internal or INTERNAL in self._words_in(each)

    def _words_in(self, value: Value) -> str:
        """Return a text for people, as far as it is written there: what it inserts does not make a field internal."""
        fixed = ""
        if isinstance(value, Lazy):
            parts = [each for each in walk(value.node) if each.type in ("Literal", "TemplateElement")]
            fixed = "".join(str(each.value.cooked if each.type == "TemplateElement" else each.value) for each in parts)
        forced = self.evaluator.force(value)
        if isinstance(forced, Record):
            forced = self.evaluator.force(forced.members.get("description", ""))
            return forced if isinstance(forced, str) else ""
        return forced if isinstance(forced, str) else fixed if isinstance(forced, Unknown) else ""

    def _with_options(self, word: str, args: tuple[Value, ...]) -> str:
        """Return `url`, or `url(hostname=...)` where an option narrows what is accepted."""
        told = []
        for each in args:
            given = self.evaluator.force(each)
            if isinstance(given, Unknown):
                raise NotUnderstoodError(f"an argument of `.{word}` is not known: {given.what}", given.place)
            if isinstance(given, Record):
                told += [
                    f"{name}={self._shown(value, word)}"
                    for name, value in sorted(given.members.items())
                    if name not in _ONLY_WORDS
                ]
        return f"{word}({','.join(told)})" if told else word

    def _shown(self, value: Value, word: str, place: Place | None = None) -> str:
        forced = self.evaluator.force(value)
        if isinstance(forced, Unknown):
            raise NotUnderstoodError(f"an argument of `.{word}` is not known: {forced.what}", forced.place or place)
        if isinstance(forced, tuple):
            return f"[{','.join(self._shown(each, word, place) for each in forced)}]"
        if isinstance(forced, Record):
            members = (f"{name}:{self._shown(each, word, place)}" for name, each in sorted(forced.members.items()))
            return f"{{{','.join(members)}}}"
        shown = text_of(self.evaluator, forced)
        if shown is None:
            raise NotUnderstoodError(f"an argument of `.{word}` is not understood: {describe(forced)}", place)
        return shown

    def _function(self, value: Value, place: Place | None) -> str:
        if isinstance(value, Unknown):
            raise NotUnderstoodError(f"a function is not known: {value.what}", value.place or place)
        shown = text_of(self.evaluator, value) if isinstance(value, Function) else None
        if shown is None:
            raise NotUnderstoodError(f"{describe(value)} stands where a function should be", place)
        return shown

    def _number(self, step: Step) -> float:
        given = self.evaluator.force(step.args[0]) if step.args else UNDEFINED
        if isinstance(given, Unknown):
            raise NotUnderstoodError(
                f"the argument of `.{step.name}` is not known: {given.what}", given.place or step.place
            )
        if isinstance(given, bool) or not isinstance(given, int | float):
            raise NotUnderstoodError(f"the argument of `.{step.name}` is no number", step.place)
        return given

    def _bound(self, draft: _Draft, step: Step) -> None:
        lower, inclusive, fixed = _BOUNDS[step.name]
        number = self._number(step) if fixed is None else fixed
        if draft.kind != "number":
            self._length(draft, step, lower=lower, number=number)
        elif lower:
            draft.low = max(
                draft.low or (-math.inf, True), (number, inclusive), key=lambda bound: (bound[0], not bound[1])
            )
        else:
            draft.high = min(
                draft.high or (math.inf, True), (number, inclusive), key=lambda bound: (bound[0], bound[1])
            )

    def _length(self, draft: _Draft, step: Step, *, lower: bool, number: float) -> None:
        if draft.kind != "string" and not draft.kind.startswith(("array<", "set<", "map<")):
            draft.add(f"{step.name}({written(number)})")
        elif lower:
            draft.least = max(draft.least, math.ceil(number))
        else:
            draft.most = min(draft.most, math.floor(number))

    def _exact_length(self, draft: _Draft, step: Step) -> None:
        number = self._number(step)
        self._length(draft, step, lower=True, number=number)
        self._length(draft, step, lower=False, number=number)

    def _nonempty(self, draft: _Draft, step: Step) -> None:
        self._length(draft, step, lower=True, number=1)

    def _integer(self, draft: _Draft, _: Step) -> None:
        draft.integer = True

    def _finite(self, draft: _Draft, _: Step) -> None:
        """Numbers of a JSON document are finite."""

    def _argued(self, draft: _Draft, step: Step) -> None:
        """Add a check that one argument makes: `regex(/x/)`, `startsWith("./")`."""
        if not step.args:
            raise NotUnderstoodError(f"`.{step.name}` without an argument", step.place)
        shown = self._shown(step.args[0], step.name, step.place)
        draft.add(f"{_SAME_AS.get(step.name, step.name)}({shown})")

    def _optional(self, draft: _Draft, _: Step) -> None:
        if draft.given and not draft.optional and any(word.startswith("default(") for word in draft.words):
            draft.close()
            draft.add("optional>")  # what is not there stays so: the default is never asked for
        draft.optional = True

    def _nonoptional(self, draft: _Draft, _: Step) -> None:
        draft.optional = False

    def _unwrapped(self, draft: _Draft, step: Step) -> None:
        if draft.optional and not draft.given:
            draft.optional = False
        elif "nullable" in draft.words:
            draft.words.remove("nullable")
        else:
            raise NotUnderstoodError(f"what `.{step.name}` unwraps is not understood", step.place)

    def _nullable(self, draft: _Draft, _: Step) -> None:
        draft.close()
        if "nullable" not in draft.words:
            draft.words.append("nullable")

    def _nullish(self, draft: _Draft, step: Step) -> None:
        self._nullable(draft, step)
        self._optional(draft, step)

    def _default(self, draft: _Draft, step: Step) -> None:
        draft.close()
        draft.add(f"{_SAME_AS.get(step.name, step.name)}({self._given(step)})")
        draft.given = True

    def _catch(self, draft: _Draft, step: Step) -> None:
        draft.close()
        word = f"catch({self._given(step)})"
        draft.words = [each for each in draft.words if not each.startswith("catch(")]
        draft.words.append(word)
        draft.given = True

    def _given(self, step: Step) -> str:
        if not step.args:
            raise NotUnderstoodError(f"`.{step.name}` without a value", step.place)
        return self._shown(step.args[0], step.name, step.place)

    def _or(self, draft: _Draft, step: Step) -> None:
        if not step.args:
            raise NotUnderstoodError("`.or` without a schema", step.place)
        made = _drafted(joined([draft.form(), self.form(step.args[0])]))
        _become(draft, made)

    def _and(self, draft: _Draft, step: Step) -> None:
        if not step.args:
            raise NotUnderstoodError("`.and` without a schema", step.place)
        one, other = draft.form(), self.form(step.args[0])
        if one.text == other.text:
            return
        if other.kind in _ANY and not other.checks:
            return
        _become(
            draft,
            _Draft(
                "&".join(sorted({one.text, other.text})),
                optional=one.optional and other.optional,
                internal=one.internal,
            ),
        )

    def _in_array(self, draft: _Draft, _: Step) -> None:
        _become(draft, _Draft(f"array<{nested(draft.form())}>"))

    def _piped(self, draft: _Draft, step: Step) -> None:
        if not step.args:
            raise NotUnderstoodError("`.pipe` without a schema", step.place)
        target = self.evaluator.force(step.args[0])
        if isinstance(target, Schema) and target.kind == "transform":
            self._transformed(draft, Step("transform", target.args, target.place))
            for each in target.steps:
                self._step(draft, each)
            return
        other = self.form(target)
        mine = draft.form()
        if (
            not draft.behind
            and other.kind == mine.kind
            and other.values == mine.values
            and other.optional == mine.optional
            and isinstance(target, Schema)
        ):
            # Nothing was rewritten: what is accepted must hold for both, which is what one chain says.
            fresh = _Draft("")
            if all(each.name in _MERGES for each in target.steps) and not target.coerces and target.kind == mine.kind:
                for each in target.steps:
                    self._step(draft, each)
                return
            del fresh
        draft.close()
        draft.rewrite(f"pipe({other.text})")

    def _transformed(self, draft: _Draft, step: Step) -> None:
        function = self.evaluator.force(step.args[0]) if step.args else UNDEFINED
        if isinstance(function, Unknown):
            raise NotUnderstoodError(f"a transform is not known: {function.what}", function.place or step.place)
        if isinstance(function, Function) and len(function.node.params) < 2:
            draft.rewrite("transform")
        else:
            draft.rewrite(f"transform({self._function(function, step.place)})")

    def _refined(self, draft: _Draft, step: Step) -> None:
        if not step.args:
            raise NotUnderstoodError(f"`.{step.name}` without a function", step.place)
        draft.close()
        draft.add(
            f"{_SAME_AS.get(step.name, step.name)}({self._function(self.evaluator.force(step.args[0]), step.place)})"
        )

    def _checked(self, draft: _Draft, step: Step) -> None:
        for each in step.args:
            check = self.evaluator.force(each)
            if isinstance(check, Schema) and not check.steps:
                self._step(draft, Step(_MINI.get(check.kind, check.kind), check.args, check.place))
            else:
                draft.close()
                draft.add(f"check({self._function(check, step.place)})")

    def _overwritten(self, draft: _Draft, step: Step) -> None:
        function = self.evaluator.force(step.args[0]) if step.args else UNDEFINED
        draft.rewrite(f"overwrite({self._function(function, step.place)})")


_BOUNDS: Final[Mapping[str, tuple[bool, bool, float | None]]] = MappingProxyType(
    {
        "min": (True, True, None),
        "gte": (True, True, None),
        "gt": (True, False, None),
        "max": (False, True, None),
        "lte": (False, True, None),
        "lt": (False, False, None),
        "positive": (True, False, 0),
        "nonnegative": (True, True, 0),
        "negative": (False, False, 0),
        "nonpositive": (False, True, 0),
    }
)
"""Method -> (is it a lower bound, does it include the bound itself, the bound where it is not an argument)."""

_SAME_AS: Final[Mapping[str, str]] = MappingProxyType(
    {"step": "multipleOf", "superRefine": "check", "_default": "default"}
)
_MINI: Final[Mapping[str, str]] = MappingProxyType(
    {
        "minLength": "min",
        "maxLength": "max",
        "minSize": "min",
        "maxSize": "max",
        "minimum": "min",
        "maximum": "max",
        "size": "length",
    }
)
"""Checks of the library's small variant, by the method that says the same."""

_MERGES: Final = frozenset(
    {
        *_BOUNDS,
        *_STRING_FORMATS,
        *SILENT,
        "length",
        "nonempty",
        "int",
        "finite",
        "regex",
        "startsWith",
        "endsWith",
        "includes",
        "multipleOf",
        "step",
        "refine",
    }
)

_KINDS: Final[Mapping[str, Callable[[Reader, Schema], _Draft]]] = MappingProxyType(
    {
        "array": Reader._array,  # noqa: SLF001 - the reader's own table: one row a kind
        "set": Reader._set,  # noqa: SLF001
        "promise": Reader._set,  # noqa: SLF001
        "map": Reader._map,  # noqa: SLF001
        "record": Reader._entries,  # noqa: SLF001
        "partialRecord": Reader._entries,  # noqa: SLF001
        "tuple": Reader._tuple,  # noqa: SLF001
        **dict.fromkeys(schemas.UNIONS, Reader._union),  # noqa: SLF001
        "intersection": Reader._intersection,  # noqa: SLF001
        "enum": Reader._enum,  # noqa: SLF001
        "nativeEnum": Reader._enum,  # noqa: SLF001
        "literal": Reader._literal,  # noqa: SLF001
        **dict.fromkeys(schemas.OBJECTS, Reader._object),  # noqa: SLF001
        "preprocess": Reader._preprocess,  # noqa: SLF001
        "pipe": Reader._pipe,  # noqa: SLF001
        "transform": Reader._transform,  # noqa: SLF001
        "custom": Reader._custom,  # noqa: SLF001
        **dict.fromkeys(
            (
                "optional",
                "nullable",
                "nullish",
                "default",
                "_default",
                "prefault",
                "catch",
                "nonoptional",
                "readonly",
                "exactOptional",
            ),
            Reader._wrapper,  # noqa: SLF001
        ),
    }
)
"""How each kind of schema is read, beside the plain ones. A kind that is in no table is not understood."""

_METHODS: Final[Mapping[str, Callable[[Reader, _Draft, Step], None]]] = MappingProxyType(
    {
        **dict.fromkeys(_BOUNDS, Reader._bound),  # noqa: SLF001 - the reader's own table: one row a method
        "length": Reader._exact_length,  # noqa: SLF001
        "nonempty": Reader._nonempty,  # noqa: SLF001
        "int": Reader._integer,  # noqa: SLF001
        "safe": Reader._integer,  # noqa: SLF001
        "finite": Reader._finite,  # noqa: SLF001
        **dict.fromkeys(("regex", "startsWith", "endsWith", "includes", "multipleOf", "step"), Reader._argued),  # noqa: SLF001
        "optional": Reader._optional,  # noqa: SLF001
        "exactOptional": Reader._optional,  # noqa: SLF001
        "nonoptional": Reader._nonoptional,  # noqa: SLF001
        "unwrap": Reader._unwrapped,  # noqa: SLF001
        "nullable": Reader._nullable,  # noqa: SLF001
        "nullish": Reader._nullish,  # noqa: SLF001
        "default": Reader._default,  # noqa: SLF001
        "_default": Reader._default,  # noqa: SLF001
        "prefault": Reader._default,  # noqa: SLF001
        "catch": Reader._catch,  # noqa: SLF001
        "or": Reader._or,  # noqa: SLF001
        "and": Reader._and,  # noqa: SLF001
        "array": Reader._in_array,  # noqa: SLF001
        "pipe": Reader._piped,  # noqa: SLF001
        "transform": Reader._transformed,  # noqa: SLF001
        "refine": Reader._refined,  # noqa: SLF001
        "superRefine": Reader._refined,  # noqa: SLF001
        "check": Reader._checked,  # noqa: SLF001
        "with": Reader._checked,  # noqa: SLF001
        "overwrite": Reader._overwritten,  # noqa: SLF001
    }
)
"""How each method is read, beside the formats. A method that is in no table is not understood."""


def nested(form: Form) -> str:
    """Return a form in one word for use inside of another: there "unknown" is the word for what takes anything."""
    return replace(form, kind="unknown").text if form.kind == "any" else form.text


def _of_literal(value: Value) -> Form:
    if value is UNDEFINED:
        return Form("undefined", optional=True)
    return Form("null") if value is None else Form(f"literal<{written(value)}>")


def _drafted(form: Form) -> _Draft:
    return _Draft(
        form.kind, form.values, form.options, list(form.checks), optional=form.optional, internal=form.internal
    )


def _become(draft: _Draft, other: _Draft) -> None:
    for name in _Draft.__slots__:
        setattr(draft, name, getattr(other, name))


def joined(forms: Iterable[Form]) -> Form:
    """Return the form of what takes whatever one of `forms` takes."""
    options: list[Form] = []
    for form in forms:
        options += [replace(each, optional=each.optional or form.optional) for each in form.options] or [form]
    optional = any(each.optional for each in options)
    nullable = any(each.kind == "null" or "nullable" in each.checks for each in options)
    bare = [
        replace(each, optional=False, options=(), checks=tuple(word for word in each.checks if word != "nullable"))
        for each in options
        if each.kind not in ("null", "undefined", "never")
    ]
    left = _without_parts(_merged_literals(bare))
    if not left:
        return Form("null" if nullable else "undefined" if optional else "never", optional=optional)
    checks = ("nullable",) if nullable else ()
    internal = any(each.internal for each in options)
    if len(left) == 1:
        only = left[0]
        return replace(only, checks=(*only.checks, *checks), optional=optional, internal=internal)
    kept = tuple(replace(each, internal=False) for each in left)
    return Form(union_kind(each.text for each in kept), None, checks, optional, internal, kept)


def _merged_literals(forms: list[Form]) -> list[Form]:
    texts = [value for form in forms if form.kind == "enum" and not form.checks for value in form.values or ()]
    others = [form for form in forms if form.kind != "enum" or form.checks]
    kinds = {form.kind for form in others}
    if {"literal<true>", "literal<false>"} <= kinds:
        others = [form for form in others if form.kind not in ("literal<true>", "literal<false>")]
        others.append(Form("boolean"))
    internal = any(form.internal for form in forms if form.kind == "enum")
    enums = [Form("enum", tuple(dict.fromkeys(texts)), internal=internal)] if texts else []
    return [*enums, *others]


def _without_parts(forms: list[Form]) -> list[Form]:
    """Return the forms without those that another one takes in: each once, no text beside every text."""
    every = {form.kind for form in forms if not form.checks}
    if every & _ANY:
        return [Form("any")]
    kept: dict[str, Form] = {}
    for form in forms:
        part = (
            (form.kind == "enum" and "string" in every)
            or (bool(form.checks) and form.values is None and form.kind in every and "coerce" not in form.checks)
            or (form.kind in ("literal<true>", "literal<false>") and "boolean" in every)
            or (form.kind.startswith("literal<") and form.kind[8:9] in "-0123456789" and "number" in every)
        )
        if not part:
            kept.setdefault(form.text, form)
    return list(kept.values())


def _is_identity(function: Value) -> bool:
    """Tell whether a function returns what it is given."""
    node = function.node if isinstance(function, Function) else None
    return (
        node is not None
        and len(node.params) == 1
        and node.params[0].type == "Identifier"
        and node.body.type == "Identifier"
        and node.body.name == node.params[0].name
    )
