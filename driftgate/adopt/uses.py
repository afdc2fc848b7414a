"""Where else in the project a name is used that a set gained or lost: nothing there is edited, and it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from driftgate.adopt.series import Element, Series, line_of
from driftgate.adopt.task import Action, Task
from driftgate.adopt.workspace import Workspace

_SHOWN: Final = 6
_NAMING: Final = frozenset(
    {"enum_variant_list", "enum_declaration", "union_declaration", "const_declaration", "enum_body", "source_file"}
    | {"block", "module", "declaration_list", "program", "match_block"}
)
"""The forms of series whose elements are names that other code uses."""

_IDENTIFIER: Final = re.compile(r"(?<![\w$\"'`])[A-Za-z_$][\w$]*(?![\w$\"'`])")
_LONGEST_GAP: Final = 3


def name_of(series: Series, element: Element) -> str | None:
    """Return the name by which other code calls what an element defines; None where it defines nothing."""
    if series.form not in _NAMING:
        return None
    text = series.data[element.start : element.end].decode()
    if series.form == "match_block":
        text = text.partition("=>")[0]
    words = _IDENTIFIER.findall(re.sub(r"\b(?:const|pub|export|let|var|static|readonly)\b", "", text))
    return (words[-1] if series.form == "match_block" else words[0]) if words else None


def is_used(workspace: Workspace, path: Path, series: Series, element: Element, new: str) -> bool:
    """Return whether the name that `element` defines, and that is no more where it becomes `new`, is used elsewhere."""
    name = name_of(series, element)
    if name is None or re.search(rf"\b{re.escape(name)}\b", new):
        return False
    return any(True for _ in uses(workspace, path, name, series, element))


def uses(workspace: Workspace, path: Path, name: str, series: Series, element: Element) -> Iterator[str]:
    """Yield where, outside of `element` in the file at `path`, the project's files of that kind use `name`."""
    word = re.compile(rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?![\w$])")
    for draft in workspace.files(path.suffix):
        data = series.data if draft.path == path else draft.data
        if name.encode() not in data:
            continue
        for match in word.finditer(data):
            if draft.path == path and element.outer <= match.start() < element.end:
                continue
            yield f"{draft.shown}:{line_of(data, match.start())}"


def notes_on_uses(workspace: Workspace, path: Path, series: Series, task: Task) -> list[str]:
    """Return what to look at elsewhere where a name goes: the uses of it."""
    if task.action is Action.ADD:
        return []
    element = series.element(task.old or "")
    name = name_of(series, element) if element else None
    if element is None or name is None:
        return []
    found = list(dict.fromkeys(uses(workspace, path, name, series, element)))
    verb = "is used" if task.action is Action.REMOVE else "is what others call it"
    return [f"{name} {verb} at {_some(found)}: look at that too"] if found else []


def told_apart(workspace: Workspace, path: Path, series: Series, new: Sequence[str]) -> list[str]:
    """Return what to look at where names have come: the places that match or switch on their siblings."""
    if series.language not in ("rust", "go", "zig") or series.form not in _NAMING:
        return []
    names = [name for element in series.named if (name := name_of(series, element))]
    arm = _arms(series, names)
    found = []
    for draft in workspace.files(path.suffix) if names else ():
        data = draft.data
        last = -_LONGEST_GAP - 1
        for number, line in enumerate(data.split(b"\n"), 1):
            if arm.match(line):
                if number - last > _LONGEST_GAP and not _is_inside(series, draft.path == path, data, number):
                    found.append(f"{draft.shown}:{number}")
                last = number
    come = ", ".join(new)
    return [f"the siblings of {come} are told apart at {_some(found)}: look what belongs there"] if found else []


def _arms(series: Series, names: list[str]) -> re.Pattern[bytes]:
    word = b"(?:" + b"|".join(re.escape(name.encode()) for name in names) + b")"
    if series.language == "go":
        return re.compile(rb"\s*case\s+(?:[\w.\"]+\s*,\s*)*(?:\w+\.)?" + word + rb"\b")
    if series.language == "zig":
        return re.compile(rb"\s*(?:\.\w+\s*,\s*)*\." + word + rb"\b.*=>")
    enum = re.search(rb"\benum\s+(\w+)[^{}]*\{\s*\Z", series.data[: series.start])
    path = rb"(?:\w+::)*(?:Self|" + (re.escape(enum[1]) if enum else rb"\w+") + rb")::"
    matched = rb"\s*(?:\|\s*)?(?:[\w:\"]+\s*\|\s*)*" + path + word + rb"\b[^;]*=>"
    return re.compile(matched + rb"|.*=>\s*(?:\w+\()?" + path + word + rb"\b")


def _is_inside(series: Series, same_file: bool, data: bytes, number: int) -> bool:
    return same_file and line_of(data, series.start) <= number <= line_of(data, min(series.end, len(data)))


def _some(places: list[str]) -> str:
    more = len(places) - _SHOWN
    return ", ".join(places[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
