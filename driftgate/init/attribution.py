"""Whose set it is: the names decide, then what the set, its file and the project are called and speak of.

Sisters share most of their names: a short list of Claude Code's is a list of Qwen Code's as well. How much of an
upstream's set a list has says nothing, for copies are stale; only names that one of them alone has do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from driftgate.upstreams.catalogue import UPSTREAMS

_WORDS: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(rf"(?<![a-z]){re.escape(name.split('-')[0])}(?![a-z])", re.IGNORECASE) for name in UPSTREAMS
}
"""The word by which people call each upstream: "claude", "gemini", ..."""

_ABOUT: Final = ("package.json", "pyproject.toml", "Cargo.toml", "go.mod", "README.md", "README.rst", "README")
_HEAD: Final = 4000
_MUCH_MORE: Final = 3


def decided(
    names: Sequence[str], same: Mapping[str, int], called: Iterable[str], text: str, about: str
) -> tuple[str, ...]:
    """Return the upstream that a list copies; several where nothing decides between them.

    `same` maps each possible upstream to how many of `names` it has. `called` are the names of the set and of its file,
    `text` the file's text, `about` what the project says of itself.
    """
    most = max(same.values(), default=0)
    tied = tuple(name for name, count in same.items() if count == most)
    spoken = "\n".join(re.sub(r"([a-z])([A-Z])", r"\1 \2", word).replace("_", " ") for word in called)
    for level in (spoken, _without(text, names), about):
        if len(tied) < 2:
            break
        tied = _spoken_of(tied, level)
    return tied


def _without(text: str, names: Iterable[str]) -> str:
    """Return the text without the names themselves, none of which may speak for anybody."""
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(pattern, " ", text) if pattern else text


def _spoken_of(tied: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return those of `tied` that a text speaks of: much more than of the others, or alone."""
    counts = {name: len(_WORDS[name].findall(text)) for name in tied}
    most = max(counts.values())
    spoken = tuple(name for name, count in counts.items() if most and count * _MUCH_MORE > most)
    return spoken or tied


def about(root: Path) -> str:
    """Return what a project says of itself: the name of its folder, its manifests and the head of its README."""
    return "\n".join(_about(root))


def _about(root: Path) -> Iterator[str]:
    yield root.resolve().name
    for name in _ABOUT:
        try:
            with (root / name).open(encoding="utf-8", errors="replace") as file:
                yield file.read(_HEAD)
        except OSError:
            continue
