"""The language of `used-by`: what a pattern takes and what it does not."""

import pytest

from driftgate.errors import ConfigError
from driftgate.extraction.finders.usage import parse_usage, texts_so_used

MATCHES = [
    ("enum(X)", "a=z.enum(@);"),
    ("enum(X)", "a=enum ( @ )"),
    ("enum(X)", "a=s(@)", "the short name of a helper"),
    ("Object.values(X)", "let v=Object.values(@);"),
    ("Object.values(X)", "let v=Object.values(/* all of them */ @)"),
    ("record(enum(X), ...)", "p=z.record(z.enum(@),z.array(m()))"),
    ("record(enum(X), array(...))", "p=z.record(z.enum(@),z.array(m({a:1})))"),
    ("[...X]", "b=[...@]"),
    ("hooks: {..., properties: X", "hooks:{type:'object',default:{},properties:@,x:1}"),
    ("_.has(X)", "if(names.all.has(@))"),
    ('kind === "all" && X', "kind==='all'&&@"),
]

DOES_NOT = [
    ("enum(X)", "a=z.array(@)"),
    ("enum(X)", "a=z.enum(@,1)"),
    ("enum(X)", "a=t(@)", "the short name of another helper"),
    ("Object.values(X)", "let v=Object.keys(@)"),
    ("Object.values(X)", "let v=my.Object.values(@)"),
    ("record(enum(X), array(...))", "p=z.record(z.enum(@),z.string())"),
    ("record(enum(X), ...)", "p=z.record(z.string(),z.enum(@))"),
    ("hooks: {..., properties: X", "hooks:{a:1},tools:{b:2,properties:@}"),
]


def used(pattern: str, code: str) -> bool:
    text = code.replace("@", "SET").encode()
    at = text.find(b"SET")
    return parse_usage(pattern).matches(text, at, at + 3, {"s": "enum", "t": "string"}.get)


@pytest.mark.parametrize(("pattern", "code"), [case[:2] for case in MATCHES])
def test_it_is_used_so(pattern, code):
    assert used(pattern, code)


@pytest.mark.parametrize(("pattern", "code"), [case[:2] for case in DOES_NOT])
def test_it_is_not_used_so(pattern, code):
    assert not used(pattern, code)


@pytest.mark.parametrize("pattern", ["enum()", "X(X)", "", "Xs"])
def test_a_pattern_without_one_place_for_the_set_is_an_error(pattern):
    with pytest.raises(ConfigError, match="where the set stands"):
        parse_usage(pattern)


def test_the_texts_that_something_is_called_with():
    code = b"""x({...this.fire("a" /* A */),y:1}); fire('b.c'); misfire("d"); fire("e", 2); fire(f); other("g")"""
    assert [text for _, _, text in texts_so_used(code, parse_usage("fire(X)"))] == ["a", "b.c", None]
