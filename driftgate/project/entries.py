"""The accepted entries of a configuration: read, and found again in its text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from driftgate.errors import ConfigError
from driftgate.formats.files import read_text
from driftgate.judge.accepted import Accepted
from driftgate.judge.rules import RULES, speaks_of
from driftgate.near import did_you_mean
from driftgate.project.checking import Checker
from driftgate.project.configuration import ACCEPTED_KEYS, Config
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_SETS, Place
from driftgate.versions import parse_range

_NEEDED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "rule": "one of `driftgate rules`",
        "subject": "the event, type or field name, or `subjects`, a list of them; a rule alone is too broad",
        "reason": "an acceptance without one is only silence",
    }
)
_FORM: Final = "an entry is rule + subject (or subjects) + reason (and of, until, versions), never message text"
_MOST_PREFIXES: Final = 100


class EntryReader:
    """Reads the accepted entries below `table` of one file, for a mirror that declares the sets `names`."""

    def __init__(self, check: Checker, names: Iterable[str], text: str, *, unreasoned: bool = False) -> None:
        self.check = check
        self.names = tuple(names)
        self.text = text
        self.unreasoned = unreasoned

    def entries(self, value: Any) -> Iterator[Accepted]:
        """Yield an acceptance for each subject of each entry. Raises ConfigError."""
        if not isinstance(value, list):
            raise self.check.fail("accepted: not a list", expected="a list of tables with rule, subject and reason")
        without_reason = [number for number, item in enumerate(value, 1) if not _has_reason(item)]
        for number, item in enumerate(value, 1):
            yield from self.entry(item, number, without_reason)

    def entry(self, item: Any, number: int, without_reason: list[int]) -> Iterator[Accepted]:
        key = f"accepted entry {number}"
        record = self.check.mapping(item, key, ACCEPTED_KEYS)
        subjects = self.subjects(record, key, number)
        if not self.unreasoned and number in without_reason:
            raise self.no_reason(key, number, without_reason)
        rule = self.rule(record.get("rule"), key, number)
        of = self.set_of(rule, record.get("of"), key, number)
        until = self.check.date(record.get("until"), f"{key}: until")
        versions = record.get("versions")
        if versions is not None:
            parse_range(self.check.text(versions, f"{key}: versions"), where=self.where(number), error=ConfigError)
        reason = record.get("reason", "")
        reason = "" if self.unreasoned and not str(reason).strip() else self.check.text(reason, f"{key}: reason")
        for subject in subjects:
            yield Accepted(rule, subject, reason, until, versions, of, number)

    def subjects(self, record: dict[str, Any], key: str, number: int) -> tuple[str, ...]:
        if "subject" in record and "subjects" in record:
            raise self.fail(f"{key}: subject and subjects", number, expected="one of them")
        if "subjects" in record:
            subjects = self.check.texts(record["subjects"], f"{key}: subjects")
            twice = {name for name in subjects if subjects.count(name) > 1}
            if twice:
                raise self.fail(f"{key}: {', '.join(sorted(twice))} stands there twice", number)
            return subjects
        if not str(record.get("subject", "")).strip():
            raise self.needs("subject", key, number)
        return (self.check.text(record["subject"], f"{key}: subject"),)

    def rule(self, value: Any, key: str, number: int) -> str:
        if not str(value or "").strip():
            raise self.needs("rule", key, number)
        rule = self.check.text(value, f"{key}: rule")
        if rule not in RULES:
            hint = did_you_mean(rule, RULES, "") and did_you_mean(rule, RULES, "") + " "
            raise self.fail(
                f"{key}: rule: there is no rule {rule!r}", number, next=f"{hint}`driftgate rules` lists them"
            )
        if not RULES[rule].is_acceptable:
            raise self.fail(f"{key}: {rule} cannot be accepted: {RULES[rule].summary}", number, next=RULES[rule].remedy)
        return rule

    def set_of(self, rule: str, stated: Any, key: str, number: int) -> str:
        """Return the set that an entry speaks of; it need only be stated where it could be one of several."""
        known = (*self.names, *(name for name in (*HOOK_SETS, HOOK_ENTRY_FIELDS_TABLE) if name not in self.names))
        possible = tuple(name for name in known if speaks_of(rule, name))
        if stated is not None:
            of = self.check.text(stated, f"{key}: of")
            if of not in possible:
                raise self.fail(
                    f"{key}: of: {rule} is not about a set {of!r}" + did_you_mean(of, possible),
                    number,
                    expected=", ".join(possible) or "a set of this project",
                )
            return of
        declared = tuple(name for name in possible if name in self.names)
        if HOOK_ENTRY_FIELDS_TABLE in declared:
            return HOOK_ENTRY_FIELDS_TABLE
        if len(declared) > 1:
            raise self.fail(
                f"{key}: in which set? The name could be in several",
                number,
                expected=" or ".join(f'of = "{name}"' for name in declared),
                next="an acceptance that is meant for one set must not hide the same name in another",
            )
        return next(iter((*declared, *possible)), "")

    # --- errors ------------------------------------------------------------------------------------------------------

    def needs(self, name: str, key: str, number: int) -> ConfigError:
        return self.fail(f"{key}: needs a {name} ({_NEEDED[name]})", number, next=_FORM)

    def no_reason(self, key: str, number: int, without: list[int]) -> ConfigError:
        others = len(without) - 1
        more = f"; so {'does' if others == 1 else 'do'} {others} more" if others else ""
        return self.fail(
            f"{key}: needs a reason ({_NEEDED['reason']}){more}",
            number,
            next='write why, or `driftgate accept --all --reason "..."`, which fills in every empty one',
        )

    def fail(self, what: str, number: int, *, expected: str = "", next: str = "") -> ConfigError:  # noqa: A002
        return self.check.fail(what, where=self.where(number), expected=expected, next=next)

    def where(self, number: int) -> str:
        return str(entry_place(self.check.path, self.text, self.check.table, number))


def _has_reason(item: Any) -> bool:
    return not isinstance(item, dict) or bool(str(item.get("reason", "")).strip())


# --- where an entry stands -------------------------------------------------------------------------------------------


def place_of(config: Config, entry: Accepted) -> Place:
    """Return where the configuration states `entry`: its file, and the line as far as it can be told."""
    try:
        text = read_text(config.source, ConfigError, "the configuration")
    except ConfigError:
        return Place(str(config.source))
    return entry_place(config.source, text, config.table, entry.entry)


def entry_place(path: Path, text: str, table: tuple[str, ...], number: int) -> Place:
    """Return where the accepted entry with this number (from 1) stands in the text of a configuration."""
    lines = (_toml_lines if path.suffix == ".toml" else _yaml_lines)(text, table)
    line = lines[number - 1] if 0 < number <= len(lines) else next(iter(lines), None)
    return Place(str(path), line=line)


@lru_cache(maxsize=8)
def _toml_lines(text: str, table: tuple[str, ...]) -> tuple[int, ...]:
    keys = ("tool", "driftgate", *table, "accepted")
    header = r"^[ \t]*\[\[[ \t]*" + r"[ \t]*\.[ \t]*".join(rf"[\"']?{re.escape(key)}[\"']?" for key in keys)
    found = [match.start() for match in re.finditer(header + r"[ \t]*\]\]", text, re.MULTILINE)]
    if len(found) <= _MOST_PREFIXES:  # a header that stands in a text is none: what precedes it is no document
        found = [start for start in found if _is_toml(text[:start])]
    if not found:
        found = [match.start() for match in re.finditer(r"^[ \t]*accepted[ \t]*=", text, re.MULTILINE)][:1]
    return tuple(text.count("\n", 0, start) + 1 for start in found)


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


@lru_cache(maxsize=8)
def _yaml_lines(text: str, table: tuple[str, ...]) -> tuple[int, ...]:
    from driftgate.formats.yaml import compose_yaml, value_node  # only a message about an entry needs it

    node = value_node(compose_yaml(text), (*table, "accepted"))
    items = getattr(node, "value", None)
    return tuple(item.start_mark.line + 1 for item in items) if isinstance(items, list) else ()
