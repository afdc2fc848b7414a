"""Where a set is declared: `path#NAME`, with the reader chosen by the file's suffix or spelled out before the path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from driftgate.declared.languages import reader_for, readers
from driftgate.errors import ConfigError
from driftgate.near import did_you_mean

_SIDES: Final[tuple[Literal["keys", "values"], ...]] = ("keys", "values")


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed spec: the reader's name, the path as written, and the name (or pointer, or heading) within the file.

    `side` says whether the keys or the values of a mapping are meant, where the spec does.
    """

    text: str
    reader: str
    path: str
    name: str
    side: Literal["", "keys", "values"] = ""


def parse_spec(text: str) -> Spec:
    """Parse `path#NAME` or `reader:path#NAME`.

    Raises:
        ConfigError: no '#', nothing before or after it, an unknown reader, or a suffix that no reader knows.
    """
    place, hash_, name = text.partition("#")
    reader, path = _reader_and_path(place, text)
    if not (hash_ and path and name.strip()):
        example = readers()[reader or "python"].example
        raise ConfigError(f"'{text}' does not say where the set stands", expected=f"path#NAME, for example {example}")
    for side in _SIDES:
        if name.strip().endswith(f"{{{side}}}"):
            return Spec(text, reader or reader_for(path), path, name.strip().removesuffix(f"{{{side}}}"), side)
    return Spec(text, reader or reader_for(path), path, name.strip())


def _reader_and_path(place: str, text: str) -> tuple[str | None, str]:
    prefix, colon, rest = place.partition(":")
    if not colon or len(prefix) == 1 or "/" in prefix or "\\" in prefix:  # no prefix; or a drive letter
        return None, place
    if prefix not in readers():
        raise ConfigError(
            f"'{text}' names a reader that does not exist: {prefix}",
            expected="one of " + ", ".join(sorted(readers())),
            found=did_you_mean(prefix, readers(), ""),
        )
    return prefix, rest
