"""The formatters that projects use, as far as they lay out lists: how wide a line may be, and what becomes of others.

black and ruff: https://black.readthedocs.io/en/stable/the_black_code_style/current_style.html;
prettier: https://prettier.io/docs/rationale and its option printWidth; rustfmt: its options max_width and array_width.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from driftgate.adopt.draft import Edit
from driftgate.adopt.series import Series, indent_of
from driftgate.adopt.workspace import Workspace

_PRETTIER: Final = (".prettierrc", ".prettierrc.json", ".prettierrc.yaml", ".prettierrc.yml", ".prettierrc.toml")
_PRETTIER_CODE: Final = (".prettierrc.js", ".prettierrc.cjs", ".prettierrc.mjs", "prettier.config.js")
_WIDTH: Final = re.compile(r"""["']?(?:printWidth|lineWidth)["']?\s*[:=]\s*(\d+)""")


@dataclass(frozen=True, slots=True)
class Formatter:
    """One formatter: `language`, the widest line, `array` (the widest list in one line, where that has its own limit),
    the indentation of one level, and whether the last of elements in lines of their own has a separator."""

    language: str
    width: int
    indent: str
    array: int | None = None
    trailing: bool = True

    def fits(self, series: Series, line: str) -> bool:
        """Return whether a series may stand in one line, which `line` would be."""
        inner = len(self.one_line(series).strip())
        return len(line.expandtabs(4)) <= self.width and (self.array is None or inner <= self.array)

    def joins(self, series: Series) -> bool:
        """Return whether a series that has lines of its own is put into one again where it fits."""
        if self.language == "python":
            return series.elements[-1].after == series.elements[-1].end
        return series.form != "object"

    def one_line(self, series: Series) -> str:
        """Return the elements in one line, with the blanks that brackets have inside."""
        texts = [series.data[one.start : one.end].decode() for one in series.elements]
        if series.separator == "|":
            return " | ".join(texts)
        blank = " " if series.form == "object" else ""
        return blank + f"{series.separator} ".join(texts) + blank

    def spread(self, series: Series) -> list[Edit]:
        """Return the edits that give each element a line of its own."""
        data = series.data
        outer = indent_of(data, series.start).decode()
        if series.separator == "|":
            return list(_spread_union(series, outer + self.indent))
        if self.language == "python":
            return _spread_python(self, series, outer)
        return [self._spread_inside(series, outer)]

    def _spread_inside(self, series: Series, outer: str) -> Edit:
        texts = [series.data[one.start : one.end].decode() for one in series.elements]
        body = f",\n{outer}{self.indent}".join(texts)
        end = "," if self.trailing else ""
        return Edit(series.start, series.end, f"\n{outer}{self.indent}{body}{end}\n{outer}")

    def join(self, series: Series) -> list[Edit]:
        """Return the edits that put the elements into one line."""
        if series.separator == "|":
            start = len(series.data[: series.start].rstrip())
            return [Edit(start, series.elements[-1].end, " " + self.one_line(series))]
        return [Edit(series.start, series.end, self.one_line(series))]


def _spread_union(series: Series, indent: str) -> Iterator[Edit]:
    texts = [series.data[one.start : one.end].decode() for one in series.elements]
    start = len(series.data[: series.elements[0].start].rstrip(b" "))
    yield Edit(start, series.elements[-1].end, "".join(f"\n{indent}| {text}" for text in texts))


def _spread_python(formatter: Formatter, series: Series, outer: str) -> list[Edit]:
    """Black splits at the outermost brackets first; a list gets a line for each element, an index only if needed."""
    data, step = series.data, formatter.indent
    pairs = _brackets_around(series)
    level = outer + step * len(pairs)
    texts = [data[one.start : one.end].decode() for one in series.elements]
    start, end = pairs[0] if pairs else (series.start, series.end)
    whole = f"{outer}{step}{data[start:end].decode()}"
    if pairs and len(whole) <= formatter.width and series.elements[-1].after == series.elements[-1].end:
        return [Edit(start, start, f"\n{outer}{step}"), Edit(end, end, f"\n{outer}")]
    if not pairs and series.form in ("subscript", "type_parameter") and len(whole) <= formatter.width:
        return [Edit(start, start, f"\n{outer}{step}"), Edit(end, end, f"\n{outer}")]
    body = "".join(f"\n{level}{step}{text}," for text in texts) + f"\n{level}"
    edits = [Edit(series.start, series.end, body)]
    for depth, (opening, closing) in enumerate(pairs):
        edits.append(Edit(opening, opening, f"\n{outer}{step * (depth + 1)}"))
        edits.append(Edit(closing, closing, f"\n{outer}{step * depth}"))
    return edits


def _brackets_around(series: Series) -> list[tuple[int, int]]:
    """Return the calls' brackets that hold nothing but this list, the outermost first, by what is inside of them."""
    data, found = series.data, []
    start, end = series.start - 1, series.end + 1
    while start > 0 and data[start - 1 : start] == b"(" and data[end : end + 1] == b")":
        found.append((start, end))
        name = re.search(rb"[\w.]+\Z", data[: start - 1])
        start, end = (name.start() if name else start - 1), end + 1
    return found[::-1]


def formatter_of(workspace: Workspace, path: Path) -> Formatter | None:
    """Return the formatter that the project says it uses for a file; rustfmt for every Rust file."""
    data = workspace.draft(path).data
    if path.suffix in (".py", ".pyi"):
        width = next(_python_widths(workspace, path), None)
        return Formatter("python", width, "    ") if width else None
    if path.suffix == ".rs":
        width = next(_numbers(workspace, path, ("rustfmt.toml", ".rustfmt.toml"), "max_width"), 100)
        return Formatter("rust", width, "    ", array=60 * width // 100)
    if path.suffix in (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"):
        width = next(_prettier_widths(workspace, path), None)
        if width:
            return Formatter("typescript", width, _step(data), trailing=path.suffix != ".json" and _trails(data))
    return None


def _folders(workspace: Workspace, path: Path) -> Iterator[Path]:
    root = workspace.root.resolve()
    for folder in path.parents:
        yield folder
        if folder == root:
            return


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _numbers(workspace: Workspace, path: Path, names: tuple[str, ...], key: str) -> Iterator[int]:
    for folder in _folders(workspace, path):
        for name in names:
            found = _toml(folder / name).get(key)
            if isinstance(found, int):
                yield found


def _python_widths(workspace: Workspace, path: Path) -> Iterator[int]:
    for folder in _folders(workspace, path):
        for name in ("ruff.toml", ".ruff.toml"):
            if (folder / name).is_file():
                yield int(_toml(folder / name).get("line-length", 88))
        tool = _toml(folder / "pyproject.toml").get("tool", {})
        for name in ("ruff", "black"):
            if isinstance(tool, dict) and isinstance(tool.get(name), dict):
                yield int(tool[name].get("line-length", 88))


def _prettier_widths(workspace: Workspace, path: Path) -> Iterator[int]:
    for folder in _folders(workspace, path):
        for name in (*_PRETTIER, *_PRETTIER_CODE, "biome.json", "biome.jsonc"):
            if (folder / name).is_file():
                found = _WIDTH.search((folder / name).read_text(encoding="utf-8", errors="replace"))
                yield int(found[1]) if found else 80
        package = _package(folder / "package.json")
        own = package.get("prettier")
        if isinstance(own, dict):
            yield int(own.get("printWidth", 80))
        if "prettier" in {**package.get("devDependencies", {}), **package.get("dependencies", {})}:
            yield 80


def _package(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _step(data: bytes) -> str:
    """Return the indentation of one level, as the file has it."""
    if re.search(rb"^\t", data, re.MULTILINE):
        return "\t"
    found = [len(match[1]) for match in re.finditer(rb"^( +)\S", data, re.MULTILINE) if not match[0].endswith(b"*")]
    return " " * min(found, default=2)


def _trails(data: bytes) -> bool:
    """Return whether the last element of a list with lines of its own has a comma, as most in the file do."""
    with_comma = len(re.findall(rb",\n\s*[\])}]", data))
    without = len(re.findall(rb"[\w\"'`)\]}]\n\s*[\])]", data))
    return with_comma >= without
