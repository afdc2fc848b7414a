"""Near misses: the known word that someone probably meant."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word nearest to `word` (letter case aside), or None where none is near."""
    from difflib import get_close_matches  # only a mistake needs it

    words = {known_word.lower(): known_word for known_word in known}
    close = get_close_matches(word.lower(), words, 1, 0.6)
    return words[close[0]] if close else None


def unknown_key(key: str, known: Iterable[str]) -> str:
    """Return the sentence that an unknown key of a file deserves."""
    known = tuple(known)
    near = nearest(key, known)
    return f"unknown key {key!r}; " + (f"did you mean {near!r}?" if near else f"known are {', '.join(known)}")
