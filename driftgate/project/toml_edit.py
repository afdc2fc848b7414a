"""Edits of a pyproject.toml by tomlkit: comments, order and spelling of everything else stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tomlkit
from tomlkit.container import OutOfOrderTableProxy
from tomlkit.items import AoT, Array, Table

from driftgate.project.entry_text import Entry, toml_entry


class TomlEditor:
    """One document, to be edited below `[tool.driftgate]` and the further keys `table`."""

    def __init__(self, text: str, table: tuple[str, ...]) -> None:
        self.document: Any = tomlkit.parse(text)
        self.path = ("tool", "driftgate", *table)
        node: Any = self.document
        for key in self.path:
            node = node[key]
        self.node = node

    def text(self) -> str:
        """Return the document as it is now."""
        return str(tomlkit.dumps(self.document))

    def set_value(self, key: str, value: str) -> None:
        """Give a key that is there another value."""
        self.node[key] = value

    def change(self, number: int, values: Mapping[str, Any]) -> None:
        """Give the accepted entry `number` (from 1) these values."""
        for key, value in values.items():
            self.node["accepted"][number - 1][key] = value

    def drop(self, number: int, subjects: frozenset[str]) -> None:
        """Take `subjects` out of the accepted entry `number`; the entry itself where none is left."""
        entry = self.node["accepted"][number - 1]
        left = [str(name) for name in entry.get("subjects", []) if name not in subjects]
        if not left:
            # What stands behind its last key, up to the next header, belongs to what follows.
            tail = _take_tail(entry) if isinstance(entry, Table) else []
            del self.node["accepted"][number - 1]
            self._put_tail(number, tail)
        elif len(left) == 1:
            entry["subject"] = left[0]
            del entry["subjects"]
        else:
            array = entry["subjects"]
            for name in [str(name) for name in array]:
                if name in subjects:
                    array.remove(name)

    def _put_tail(self, number: int, tail: list[Any]) -> None:
        """Put the lines behind an entry that is gone behind what now stands before them."""
        entries = self.node["accepted"]
        if isinstance(entries, AoT) and number > 1:
            _give_tail(entries.body[number - 2], tail)
        else:
            _give_tail(_last_table(self.node, before="accepted"), tail)
        if not len(entries):
            del self.node["accepted"]

    def add(self, entries: Iterable[Entry]) -> None:
        """Put `entries` behind the accepted ones, in the form that these have."""
        if isinstance(self.node, OutOfOrderTableProxy):
            # Its tables stand in several places of the file: the end of the file is one more.
            text = self.text().rstrip() + "\n\n" + "\n".join(map(toml_entry, entries))
            self.document = tomlkit.parse(text)
            return
        there = self.node.get("accepted")
        if isinstance(there, Array | list) and not isinstance(there, AoT) and len(there):
            for entry in entries:
                inline = tomlkit.inline_table()
                inline.update(entry.values())
                there.append(inline)
            return
        tail = _take_tail(_last_table(self.node))
        if not isinstance(there, AoT):
            if there is not None:
                del self.node["accepted"]
            there = tomlkit.aot()
            self._append(there, entries, tail)
            self.node.append("accepted", there)
        else:
            self._append(there, entries, tail)

    def _append(self, there: AoT, entries: Iterable[Entry], tail: list[Any]) -> None:
        tables = [_table(entry) for entry in entries]
        for table in tables[:-1]:
            table.add(tomlkit.nl())
        for table in tables:
            there.append(table)
        tables[-1].value.body.extend([(None, tomlkit.nl()), *_trimmed(tail)] if _trimmed(tail) else tail)


def _table(entry: Entry) -> Table:
    table = tomlkit.table()
    for key, value in entry.values().items():
        table.add(key, value)
    return table


def _last_table(node: Any, before: str = "") -> Any:
    """Return the table below `node` that ends last in the text; with `before`, the last before that key."""
    while True:
        below = []
        for key, item in node.value.body:
            if before and key is not None and key.key == before:
                break
            if isinstance(item, Table | AoT):
                below.append(item)
        if not below:
            return node
        node, before = below[-1], ""
        if isinstance(node, AoT):
            node = node.body[-1]


def _give_tail(table: Any, tail: list[Any]) -> None:
    if _trimmed(tail):
        _take_tail(table).clear()
        table.value.body.extend(_trimmed(tail))


def _take_tail(table: Any) -> list[Any]:
    """Take the empty lines and comments out that stand behind the last key of a table; one empty line stays."""
    body = table.value.body
    tail: list[Any] = []
    while body and body[-1][0] is None:
        tail.insert(0, body.pop())
    body.append((None, tomlkit.nl()))
    return tail


def _trimmed(tail: list[Any]) -> list[Any]:
    start = next((i for i, (_, item) in enumerate(tail) if item.as_string().strip()), len(tail))
    return tail[start:]
