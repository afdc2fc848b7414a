"""An accepted entry as it is written: one subject or several under one reason."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from driftgate.formats.harmless import quoted
from driftgate.judge.accepted import Accepted


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the list. `of` is "" where the rule alone says which set is meant."""

    rule: str
    subjects: tuple[str, ...]
    reason: str
    of: str = ""
    until: dt.date | None = None
    versions: str | None = None

    def values(self) -> dict[str, Any]:
        """Return its keys and values, in the order in which they are written."""
        subject: dict[str, Any] = {"subject": self.subjects[0]}
        stated: dict[str, Any] = {"rule": self.rule}
        stated |= subject if len(self.subjects) == 1 else {"subjects": list(self.subjects)}
        optional = {"of": self.of or None, "reason": self.reason, "until": self.until, "versions": self.versions}
        return stated | {key: value for key, value in optional.items() if value is not None}


def grouped(accepted: Iterable[Accepted]) -> tuple[Entry, ...]:
    """Return the entries that state `accepted`: those that differ in the subject alone are one."""
    groups: dict[tuple[Any, ...], list[str]] = {}
    for one in accepted:
        of = one.of if one.rule.startswith(("member-", "field-")) and one.of not in _SAID_BY_THE_RULE else ""
        groups.setdefault((one.rule, one.reason, of, one.until, one.versions), []).append(one.subject)
    return tuple(
        Entry(rule, tuple(subjects), reason, of, until, versions)
        for (rule, reason, of, until, versions), subjects in groups.items()
    )


_SAID_BY_THE_RULE = frozenset({"", "hook_entry_fields"})


def toml_entry(entry: Entry) -> str:
    """Return `entry` as a table of TOML."""
    return "".join(
        ("[[tool.driftgate.accepted]]\n", *(f"{key} = {_text(value)}\n" for key, value in entry.values().items()))
    )


def yaml_entry(entry: Entry) -> str:
    """Return `entry` as an item of a YAML list."""
    return "- " + "  ".join(f"{key}: {_text(value)}\n" for key, value in entry.values().items())


def yaml_lines(entries: Iterable[Entry], indent: str = "") -> Iterator[str]:
    """Yield the lines of a YAML list of `entries`."""
    yield from (f"{indent}{line}\n" for entry in entries for line in yaml_entry(entry).splitlines())


def _text(value: Any) -> str:
    if isinstance(value, dt.date):
        return value.isoformat()
    return f"[{', '.join(map(quoted, value))}]" if isinstance(value, list) else quoted(value)
