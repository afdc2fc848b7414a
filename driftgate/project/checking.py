"""Checks of single values of a configuration; each mistake is named with its key and its place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from driftgate.errors import ConfigError
from driftgate.near import unknown_key


class Checker:
    """Checks the values of one file, below the keys `table` of it."""

    def __init__(self, path: Path, table: tuple[str, ...] = ()) -> None:
        self.path = path
        self.table = table

    def fail(
        self,
        what: str,
        *,
        expected: str = "",
        found: object = "",
        next: str = "",  # noqa: A002
        where: str = "",
    ) -> ConfigError:
        """Return the error that a wrong value deserves."""
        shown = found if isinstance(found, str) else repr(found)
        named = ".".join((*self.table, what)) if self.table else what
        return ConfigError(named, where=where or str(self.path), expected=expected, found=shown, next=next)

    def mapping(self, value: Any, key: str, known: Iterable[str] | None = None) -> dict[str, Any]:
        """Return a table of keys, only the known ones where these are given."""
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value):
            raise self.fail(f"{key}: not a table", expected="a table of keys", found=value)
        if known is not None:
            allowed = tuple(known)
            for name in value:
                if name not in allowed:
                    raise self.fail(f"{key}: {unknown_key(name, allowed)}")
        return value

    def text(self, value: Any, key: str, example: str = "") -> str:
        """Return a text that says something."""
        if not isinstance(value, str) or not value.strip():
            raise self.fail(f"{key}: not a text", expected=f"a text{example and f', e.g. {example}'}", found=value)
        return value

    def texts(self, value: Any, key: str) -> tuple[str, ...]:
        """Return one text or a list of them."""
        items = value if isinstance(value, list) else [value]
        if not items:
            raise self.fail(f"{key}: empty", expected="at least one text")
        return tuple(self.text(item, key) for item in items)

    def date(self, value: Any, key: str) -> dt.date | None:
        """Return a day, None where there is none."""
        if value is None or (isinstance(value, dt.date) and not isinstance(value, dt.datetime)):
            return value
        try:
            return dt.date.fromisoformat(value)
        except (TypeError, ValueError) as problem:
            raise self.fail(f"{key}: not a date", expected="YYYY-MM-DD", found=value) from problem
