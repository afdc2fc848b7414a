"""How sets of a project's own are found upstream: the tables `vocabularies.NAME` of a configuration."""

from __future__ import annotations

from typing import Any

from driftgate.extraction.finders.usage import parse_usage
from driftgate.project.checking import Checker
from driftgate.upstreams.finder import LITERALS, Finder, Form


def finder_of(value: dict[str, Any], key: str, check: Checker) -> Finder:
    """Return how the set that `value` describes is found. Raises ConfigError."""
    if ("export" in value) == ("contains" in value):
        raise check.fail(
            f"{key}: how is it found upstream?",
            expected='export = "NAME" (what a .d.ts exports), or contains = ["member", ...] with used-by and least',
        )
    least = value.get("least", 1)
    if not isinstance(least, int) or isinstance(least, bool) or least < 1:
        raise check.fail(f"{key}.least: not a count", expected="a whole number from 1", found=least)
    return Finder(
        export=check.text(value["export"], f"{key}.export") if "export" in value else None,
        contains=check.texts(value["contains"], f"{key}.contains") if "contains" in value else (),
        used_by=_usage(value["used-by"], f"{key}.used-by", check) if "used-by" in value else None,
        least=least,
        forms=_forms(value["form"], f"{key}.form", check) if "form" in value else LITERALS,
        member=check.text(value["member"], f"{key}.member") if "member" in value else None,
    )


def _usage(value: Any, key: str, check: Checker) -> str:
    return parse_usage(check.text(value, key, '"enum(X)"')).text


def _forms(value: Any, key: str, check: Checker) -> tuple[Form, ...]:
    texts = check.texts(value, key)
    for text in texts:
        if text not in list(Form):
            raise check.fail(f"{key}: there is no form {text!r}", expected=", ".join(Form))
    return tuple(map(Form, texts))
