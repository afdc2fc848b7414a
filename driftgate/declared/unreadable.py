"""The errors of readers, worded in one place: each names the construct, the place, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from driftgate.declared.source import Source
from driftgate.declared.values import Foreign, Items, Opaque, Value
from driftgate.errors import DeclaredError
from driftgate.surface import Place


def unreadable(name: str, what: str, place: Place, *, expected: str = "literal values") -> DeclaredError:
    """`name` was found and holds something that cannot be evaluated without running the file."""
    return DeclaredError(
        f"{name} cannot be read: it holds {what}",
        where=str(place),
        expected=expected,
        next="write the values as literals, or point to where they stand as literals (path#NAME)",
    )


def missing(name: str, source: Source, known: Iterable[str], *, inside: str = "") -> DeclaredError:
    """`name` is not defined in the file (or `inside` a name of it); near names, else some that are there, are shown."""
    from difflib import get_close_matches  # only a mistake needs it

    whole = f"{name} in {inside}" if inside else name
    names = sorted(set(known))
    near = [n for n in names if n.rpartition(".")[2].casefold() == name.casefold()]
    near = near[:3] or get_close_matches(name, names, n=3)
    if near:
        found = f"did you mean {' or '.join(near)}?"
    elif names:
        found = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    else:
        found = "no names at all"
    return DeclaredError(
        f"{whole} not found in {source.shown}",
        where=source.shown,
        expected=f"a definition of {whole}",
        found=found,
        next="correct the name after the '#'",
    )


def no_part(part: str, value: Value, source: Source, known: Iterable[str], *, inside: str) -> DeclaredError:
    """`inside` was found and has no part of this name, or cannot be read at all."""
    names = tuple(known)
    held = (value, *value.items) if isinstance(value, Items) else (value,)
    unread = next((each for each in held if isinstance(each, Opaque)), None)
    if unread is not None and not names:
        return unreadable(inside, unread.what, unread.place)
    return missing(part, source, names, inside=inside)


def elsewhere(name: str, foreign: Foreign) -> DeclaredError:
    """`name` depends on something that another module states."""
    return DeclaredError(
        f"{name} is stated elsewhere: {foreign.name} from {foreign.module}",
        where=str(foreign.place),
        expected="a set that stands in this file, or in a module that can be found beside it",
        next=f"declare the set where it is written: path/to/that/file#{foreign.name}",
    )


@contextmanager
def not_too_deep(source: Source) -> Iterator[None]:
    """Turn the limits of parsers and of recursion into an error about the file."""
    try:
        yield
    except (RecursionError, MemoryError) as e:
        raise DeclaredError(f"{source.shown} is nested too deeply to be read", where=source.shown) from e


def unparsable(source: Source, line: int, byte_column: int, why: str, *, or_else: str = "") -> DeclaredError:
    """The file is not valid in its language; `or_else` is what else may be the matter."""
    place = source.place(line, byte_column)
    return DeclaredError(
        f"{source.shown} cannot be parsed: {why}",
        where=str(place),
        next="correct the file, or name another reader" + or_else,
    )
