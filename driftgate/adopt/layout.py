"""Edits of a series: an element more, less, or another one, in the layout that its neighbours have."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from driftgate.adopt.draft import Edit
from driftgate.adopt.series import COMMENT, Element, Series, indent_of, line_end, line_start
from driftgate.adopt.unsafe import CannotEditError

_NEVER_EMPTY: Final = frozenset({"union_type", "subscript", "type_parameter", "set", "block", "run", "binary_operator"})


def insert(series: Series, at: int, text: str) -> list[Edit]:
    """Return the edits that put an element `text` before the named element number `at`, or after the last one.

    Raises `CannotEditError` where the layout has no place for it.
    """
    named = series.named
    if not named:
        return [*_into_empty(series, text), *_counted(series, 1)]
    if all(_has_lines(series, element) for element in named) and (len(named) > 1 or _is_open(series)):
        edits = _lines_after(series, named[at - 1], text) if at else _lines_before(series, named[0], text)
    else:
        edits = _beside(series, at, text)
    return [*edits, *_counted(series, 1)]


def remove(series: Series, element: Element) -> list[Edit]:
    """Return the edits that take `element` out. Raises `CannotEditError` where nothing valid would be left."""
    others = [one for one in series.elements if one is not element]
    if not others and series.form in _NEVER_EMPTY:
        raise CannotEditError("nothing would be left of it")
    edits = _without_lines(series, element) if _has_lines(series, element) else _without(series, element)
    if series.alone and len(others) == 1 and others[0].after == others[0].end:
        edits.append(Edit(others[0].end, others[0].end, ","))
    return [*edits, *_counted(series, -1)]


def _counted(series: Series, more: int) -> list[Edit]:
    if series.length is None:
        return []
    start, end = series.length
    return [Edit(start, end, str(int(series.data[start:end]) + more))]


# --- where elements have lines of their own --------------------------------------------------------------------------


def _has_lines(series: Series, element: Element) -> bool:
    """Whether nothing else stands in the lines of an element, but for its separator and a comment."""
    data = series.data
    before = data[line_start(data, element.outer) : element.outer].decode().strip()
    after = data[element.after : line_end(data, element.after)]
    begins = before in ("", series.prefix.strip()) or (series.separator == "|" and before == "|")
    return begins and _is_end(after)


def _is_end(rest: bytes) -> bool:
    """Whether the rest of a line is no element: nothing, a comment, or the end of the statement."""
    return not rest.strip(b" \t;") or COMMENT.match(rest.lstrip(b" \t;")) is not None


def _is_open(series: Series) -> bool:
    """Whether the brackets of a series stand in other lines than its elements."""
    return not series.brackets or b"\n" in series.data[series.start : series.elements[0].outer]


def _line(series: Series, near: Element, text: str) -> str:
    """A line for a new element, as the line of `near` begins."""
    lead = "| " if series.separator == "|" else series.prefix
    return indent_of(series.data, near.outer).decode() + lead + text


def _lines_after(series: Series, near: Element, text: str) -> list[Edit]:
    data, line, sign = series.data, _line(series, near, text), series.separator
    if sign == "|":
        return _moving_the_end(series, near, line)
    end = line_end(data, near.after)
    if sign and near is series.elements[-1] and near.after == near.end:
        return [Edit(near.end, near.end, sign), Edit(end, end, "\n" + line)]
    return [Edit(end, end, "\n" * _distance(series) + line + sign)]


def _distance(series: Series) -> int:
    """How many line ends are between two elements: more than one where blank lines part all of them."""
    named, data = series.named, series.data
    gaps = [data[one.after : other.outer].count(b"\n") for one, other in pairwise(named)]
    blank = [b"\n\n" in data[one.after : other.outer] for one, other in pairwise(named)]
    return min(gaps) if gaps and all(blank) and not series.separator else 1


def _moving_the_end(series: Series, near: Element, line: str) -> list[Edit]:
    """After the last member of a union, the end of the statement moves behind the new one; comments stay."""
    data, end = series.data, line_end(series.data, near.end)
    rest = re.match(rb"[^\S\n]*;?", data[near.end : end])
    moved = rest[0].decode() if rest and near is series.elements[-1] else ""
    edits = [Edit(near.end, near.end + len(moved), "")] if moved.strip() else []
    return [*edits, Edit(end, end, "\n" + line + moved.strip())]


def _lines_before(series: Series, first: Element, text: str) -> list[Edit]:
    data, start = series.data, line_start(series.data, first.outer)
    if series.separator == "|" and not data[start : first.outer].strip():  # the first one has no sign of its own
        indent = indent_of(data, first.outer).decode()
        return [Edit(first.outer, first.outer, f"{text}\n{indent}| ")]
    sign = "" if series.separator == "|" else series.separator
    return [Edit(start, start, f"{_line(series, first, text)}{sign}\n" + "\n" * (_distance(series) - 1))]


def _without_lines(series: Series, element: Element) -> list[Edit]:
    data, sign = series.data, series.separator
    if sign == "|" and element is series.elements[0] and not series.leading:
        return [Edit(element.outer, series.elements[1].outer, "")]  # the next one begins the union, without a sign
    start, end = line_start(data, element.outer), min(line_end(data, element.after) + 1, len(data))
    edits = []
    at = series.elements.index(element)
    if element is series.elements[-1] and at and sign:
        before = series.elements[at - 1]
        if sign == "|":
            tail = re.match(rb"[^\S\n]*;?", data[element.end : line_end(data, element.end)])
            edits += [Edit(before.end, before.end, tail[0].decode().strip())] if tail and tail[0].strip() else []
        elif element.after == element.end and before.after > before.end and not (series.alone and at == 1):
            edits.append(Edit(before.end, before.after, ""))
    above, below = data[:start].endswith(b"\n\n"), data[end : end + 1] == b"\n"
    closes = re.match(rb"[ \t]*[)\]}]", data[end:]) is not None
    opens = re.search(rb"[(\[{:][ \t]*\n\Z", data[:start]) is not None
    if above and closes:
        start -= 1
    elif below and (above or opens):
        end += 1
    return [*edits, Edit(start, end, "")]


# --- where they share lines ------------------------------------------------------------------------------------------


def _gap(series: Series) -> str:
    """What parts two elements in one line, the separator aside."""
    data, elements = series.data, series.elements
    gaps = [data[one.after : other.outer] for one, other in pairwise(elements)]
    plain = [gap.decode() for gap in gaps if not gap.strip() and b"\n" not in gap]
    return plain[0] if plain else " "


def _beside(series: Series, at: int, text: str) -> list[Edit]:
    sign, named = series.separator, series.named
    if series.form == "run":
        gap = series.data[series.elements[0].end : series.elements[1].start].decode()
        near = named[at - 1] if at else named[0]
        return [Edit(near.end, near.end, gap + text)] if at else [Edit(near.start, near.start, text + gap)]
    if not sign or (series.prefix.strip() and series.prefix != "- "):
        raise CannotEditError("its elements stand neither in lines of their own nor between separators")
    if sign == "|":
        near = named[at - 1] if at else named[0]
        return [Edit(near.end, near.end, f" | {text}")] if at else [Edit(near.outer, near.outer, f"{text} | ")]
    gap = _gap(series)
    if not at:
        return [Edit(named[0].outer, named[0].outer, text + sign + gap)]
    near = named[at - 1]
    if near is not series.elements[-1]:
        return [Edit(near.after, near.after, gap + text + sign)]
    if near.after > near.end:  # a separator after the last one: kept, unless it is there for a single element's sake
        kept = "" if series.alone and len(series.elements) == 1 else sign
        return [Edit(near.after, near.after, gap + text + kept)]
    return [Edit(near.end, near.end, sign + gap + text)]


def _without(series: Series, element: Element) -> list[Edit]:
    data, elements = series.data, series.elements
    at = elements.index(element)
    before = elements[at - 1] if at else None
    after = elements[at + 1] if at + 1 < len(elements) else None
    if after and b"\n" not in data[element.end : after.outer]:
        return [Edit(element.outer, after.outer, "")]
    if before and b"\n" not in data[before.end : element.outer]:
        if series.form == "run":
            return [Edit(before.end, element.end, "")]
        if after or element.after > element.end:
            return [Edit(before.after, element.after, "")]
        kept = series.alone and at == 1
        return [Edit(before.after if kept else before.end, element.end, "")]
    if before is None and after is None:
        return [Edit(element.outer, element.after, "")]
    raise CannotEditError("it shares its lines with something else")


def _into_empty(series: Series, text: str) -> list[Edit]:
    if not series.brackets or series.data[series.start : series.end].strip():
        raise CannotEditError("it is empty, and so says nothing about how a member is written")
    return [Edit(series.start, series.end, text + ("," if series.alone else ""))]
