"""Edits of a driftgate.yml in its text, at the places where PyYAML finds the nodes: all else stays as it is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any

from driftgate.formats.harmless import quoted
from driftgate.formats.yaml import compose_yaml, value_node
from driftgate.project.entry_text import Entry, yaml_lines


class YamlEditor:
    """One document, to be edited below the keys `table`."""

    def __init__(self, text: str, table: tuple[str, ...]) -> None:
        self.table = table
        self.lines = (text if text.endswith("\n") or not text else text + "\n").splitlines(keepends=True)

    def text(self) -> str:
        """Return the document as it is now."""
        return "".join(self.lines)

    def _node(self, *keys: str) -> Any:
        return value_node(compose_yaml(self.text()), (*self.table, *keys))

    def _item(self, number: int) -> Any:
        return self._node("accepted").value[number - 1]

    def set_value(self, key: str, value: str) -> None:
        """Give a key that is there another value."""
        node = self._node(key)
        self._replace(node, quoted(value) if node.style else value)

    def _replace(self, node: Any, new: str) -> None:
        """Write `new` in the place of a scalar of one line, or of a list in brackets."""
        start, end = node.start_mark, node.end_mark
        text = self.text()
        starts = [0, *accumulate(map(len, self.lines))]
        begin, stop = starts[start.line] + start.column, starts[end.line] + end.column
        self.lines = (text[:begin] + new + text[stop:]).splitlines(keepends=True)

    def change(self, number: int, values: Mapping[str, Any]) -> None:
        """Give the accepted entry `number` (from 1) these values."""
        for key, value in values.items():
            text = value.isoformat() if isinstance(value, dt.date) else quoted(value)
            node = value_node(self._item(number), (key,))
            if node is not None:
                self._replace(node, text)
            else:
                self._insert_key(self._item(number), f"{key}: {text}")

    def _insert_key(self, item: Any, text: str) -> None:
        last = item.value[-1][1]
        if item.flow_style:
            self._replace(last, f"{self._source(last)}, {text}")
        else:
            self.lines.insert(_last_line(item) + 1, f"{' ' * item.value[0][0].start_mark.column}{text}\n")

    def _source(self, node: Any) -> str:
        starts = [0, *accumulate(map(len, self.lines))]
        start, end = node.start_mark, node.end_mark
        return self.text()[starts[start.line] + start.column : starts[end.line] + end.column]

    def drop(self, number: int, subjects: frozenset[str]) -> None:
        """Take `subjects` out of the accepted entry `number`; the entry itself where none is left."""
        item = self._item(number)
        listed = value_node(item, ("subjects",))
        left = [one.value for one in listed.value if one.value not in subjects] if listed is not None else []
        if not left:
            self._drop_item(number)
        elif listed.flow_style:
            self._replace(listed, f"[{', '.join(map(quoted, left))}]")
        else:
            for one in reversed(listed.value):
                if one.value in subjects:
                    del self.lines[one.start_mark.line]

    def _drop_item(self, number: int) -> None:
        sequence = self._node("accepted")
        if sequence.flow_style:
            raise ValueError("a list in brackets")
        item = sequence.value[number - 1]
        del self.lines[item.start_mark.line : _last_line(item) + 1]
        if len(sequence.value) == 1:
            key = self._key_line("accepted")
            self.lines[key] = self.lines[key].replace("accepted:", "accepted: []", 1)

    def _key_line(self, name: str) -> int:
        mapping = self._node()
        return next(int(key.start_mark.line) for key, _ in mapping.value if key.value == name)

    def add(self, entries: Iterable[Entry]) -> None:
        """Put `entries` behind the accepted ones."""
        mapping = self._node()
        if mapping.flow_style:
            raise ValueError("a mapping in braces")
        sequence = value_node(mapping, ("accepted",))
        margin = " " * (mapping.value[0][0].start_mark.column if mapping.value else 0)
        if sequence is not None and sequence.value:
            if sequence.flow_style:
                raise ValueError("a list in brackets")
            at, indent = _last_line(sequence) + 1, " " * sequence.start_mark.column
            self.lines[at:at] = yaml_lines(entries, indent)
            return
        if sequence is not None:
            line = self._key_line("accepted")
            self.lines[line : line + 1] = [f"{margin}accepted:\n", *yaml_lines(entries, margin)]
            return
        at = _last_line(mapping) + 1 if self.table else len(self.lines)
        self.lines[at:at] = [f"{margin}accepted:\n", *yaml_lines(entries, margin)]


def _last_line(node: Any) -> int:
    """Return the line (from 0) in which a node ends; a block's own end is where the next thing begins."""
    if node.id == "scalar" or node.flow_style:
        is_block = node.id == "scalar" and node.style in ("|", ">")
        return int(node.end_mark.line) - (
            is_block or (node.end_mark.column == 0 and node.end_mark.line > node.start_mark.line)
        )
    if not node.value:
        return int(node.start_mark.line)
    last = node.value[-1]
    return _last_line(last[1] if isinstance(last, tuple) else last)
