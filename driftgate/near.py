"""Near misses: the known word that someone probably meant."""

from __future__ import annotations

from collections.abc import Iterable


def alike(one: str, other: str) -> float:
    """Return how alike two words are, from 0 to 1; the case of letters aside."""
    from difflib import SequenceMatcher  # only a mistake needs it

    return SequenceMatcher(None, one.lower(), other.lower()).ratio()


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word nearest to `word` (letter case aside), or None where none is near."""
    from difflib import get_close_matches  # only a mistake needs it

    words = {known_word.lower(): known_word for known_word in known}
    close = get_close_matches(word.lower(), words, 1, 0.6)
    return words[close[0]] if close else None


def did_you_mean(word: str, known: Iterable[str], before: str = "; ") -> str:
    """Return "; did you mean 'x'?" for an unknown word, "" where no known one is near."""
    near = nearest(word, known)
    return f"{before}did you mean {near!r}?" if near else ""


def unknown_key(key: str, known: Iterable[str]) -> str:
    """Return the sentence that an unknown key of a file deserves."""
    known = tuple(known)
    return f"unknown key {key!r}" + (did_you_mean(key, known) or f"; known are {', '.join(known)}")
