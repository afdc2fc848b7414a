"""Throw generated and mutated documents at the classifier, and compare every eighth answer with the reference's.

    python -m tests.classifier.fuzz [COUNT] [SEED]

Stops at the first uncaught exception, changed document or other answer, and prints the document; else prints what it
has seen.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import Any

from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.result import HooksClassification
from tests.classifier.documents import Documents
from tests.classifier.reference import Answer, answer


def flat(result: HooksClassification) -> Answer:
    """A result in the reference's form."""
    dropped = [(piece.code.value, piece.path, piece.field) for piece in result.dropped]
    rejections = [(piece.code.value, piece.path, piece.field) for piece in result.rejections]
    return result.outcome.value, result.hooks, dropped, rejections


COMPARED = 8
"""The reference and the comparison take ten times as long as the classifier: one document in so many has them."""


def fuzz(count: int, seed: int) -> Counter[str]:
    """Classify `count` documents. Raises `AssertionError` with the document at the first difference."""
    documents = Documents(seed)
    seen: Counter[str] = Counter()
    document: Any = {}
    for number in range(count):
        document = documents.mutated(document) if number % 4 else documents.document()
        if number % COMPARED == number // COMPARED % COMPARED:
            compare(document)
        result = classify_hooks_config(document)
        seen[result.outcome.value] += 1
        seen.update({piece.code.value for piece in result.pieces})
    return seen


def compare(document: Any) -> None:
    before = repr(document)
    mine = flat(classify_hooks_config(document))
    theirs = answer(document)
    # By `repr`, which sees the order of keys, and tells 1 from True and NaN from nothing.
    if repr(mine) != repr(theirs) or repr(document) != before:
        raise AssertionError(f"document: {before}\nclassifier: {mine!r}\nreference:  {theirs!r}")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    start = time.monotonic()
    seen = fuzz(count, seed)
    print(
        f"{count} documents, {count // COMPARED} compared, seed {seed}, {time.monotonic() - start:.0f} s: no exception"
    )
    for word, number in seen.most_common():
        print(f"  {word}: {number}")


if __name__ == "__main__":
    main()
