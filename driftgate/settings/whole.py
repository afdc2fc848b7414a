"""A document as a whole: what refuses the text, keys that come twice, and counts. For the contract and for releases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.plain import kind_word
from driftgate.formats.json import Duplicate, JsonText, Spot
from driftgate.releases.reader import DocumentCode
from driftgate.releases.verdict import Rules, refusal
from driftgate.settings import forms
from driftgate.settings.codes import FileCode
from driftgate.settings.pieces import Counts, PieceEffect, Problem, Words

LISTED: Final = 500
"""How many problems of a file are put into words (and as many warnings); the others are counted."""


def document_problem(text: JsonText, rules: Rules) -> Problem | None:
    """Return what is wrong with the text as a whole, as the releases of `rules` read it, if anything is."""
    code = refusal(text, rules)
    if code is None and not text.blank and not isinstance(text.value, dict):
        code = DocumentCode.NOT_OBJECT
    if code is None:
        return None
    spot: Spot | None = text.spot(0)
    match code:
        case DocumentCode.TOO_LARGE:
            spot, words = None, too_large(text.size, rules.policy.size_limit or 0)
        case DocumentCode.NOT_OBJECT:
            found = kind_word(text.value).removeprefix("a ") if text.value is None else kind_word(text.value)
            says = f"document root: expected an object, found {found}"
            words = Words(says, "an object", found, sample=forms.part("hooks"))
        case DocumentCode.NOT_JSON if text.fault is not None:
            spot = text.spot(text.fault.at)
            facts = text.fault.facts
            says = f"not JSON: {facts.found} at line {spot.line}, column {spot.column}"
            words = Words(says, facts.expected, facts.found, facts.fix)
        case DocumentCode.BYTE_ORDER_MARK:
            says = "starts with a UTF-8 byte order mark, which this release does not read"
            words = Words(says, "UTF-8 without a mark", "a mark", "save it as UTF-8 without a mark")
        case DocumentCode.BLANK:
            words = Words("the file is blank, which this release does not read", "an object", "nothing", "write {}")
        case _:
            words = Words(f"the text is refused: {code.value}")
    return Problem(PieceEffect.REJECTS, code.value, (), spot, words)


def too_large(size: int, limit: int) -> Words:
    """Return the words for a file of `size` bytes where `limit` is the limit."""
    mebibytes = f" ({limit // 2**20} MiB)" if limit % 2**20 == 0 else ""
    says = f"{size} bytes; the limit is {limit}{mebibytes}"
    return Words(says, f"at most {limit} bytes", f"{size} bytes", "make it smaller: split it over several scopes")


def duplicates(text: JsonText) -> Iterator[Problem]:
    """Yield each member that is not read because its key comes again, up to `LISTED`."""
    shown = [(one, one.path) for one in text.duplicates[:LISTED]]
    times = Counter(path for _, path in shown)
    seen: Counter[ConfigPath] = Counter()
    for duplicate, path in shown:
        seen[path] += 1
        yield _duplicate(duplicate, path, seen[path], times[path] + 1)


def _duplicate(duplicate: Duplicate, path: ConfigPath, at: int, times: int) -> Problem:
    often = "twice" if times == 2 else f"{times} times"
    words = Words(
        f"key {{name}} occurs {often}; only the last is read",
        "each key once in an object",
        "a key that comes again",
        f"keep one: the last is in line {duplicate.kept.line}",
        name=str(path[-1]),
    )
    nth = "first occurrence" if at == 1 else f"occurrence {at}"
    note = f"{nth}, line {duplicate.key.line}"
    return Problem(PieceEffect.DROPPED, FileCode.DUPLICATE_KEY.value, path, duplicate.key, words, note=note)


def counts_of(hooks: Any) -> Counts:
    """Return how much there is in `hooks`, a value that loads."""
    events = hooks or {}
    matchers = [matcher for value in events.values() for matcher in value]
    return Counts(len(events), len(matchers), sum(len(matcher["hooks"]) for matcher in matchers))
