"""Throw generated and mutated documents at the classifier; every answer is compared with the reference's.

    python -m tests.classifier.fuzz [COUNT] [SEED]

Stops at the first uncaught exception or difference, and prints the document; else prints what it has seen.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import Any

from driftgate.hooks_config import classify_hooks_config
from driftgate.hooks_result import HooksClassification
from tests.classifier.documents import Documents
from tests.classifier.reference import Answer, answer


def flat(result: HooksClassification) -> Answer:
    """A result in the reference's form."""
    dropped = [(piece.code.value, piece.path, piece.field) for piece in result.dropped]
    rejections = [(piece.code.value, piece.path, piece.field) for piece in result.rejections]
    return result.outcome.value, result.hooks, dropped, rejections


def fuzz(count: int, seed: int) -> Counter[str]:
    """Compare on `count` documents. Raises `AssertionError` with the document at the first difference."""
    documents = Documents(seed)
    seen: Counter[str] = Counter()
    document: Any = {}
    for number in range(count):
        document = documents.mutated(document) if number % 4 else documents.document()
        before = repr(document)
        mine = flat(classify_hooks_config(document))
        theirs = answer(document)
        # By `repr`, which sees the order of keys, and tells 1 from True and NaN from nothing.
        if repr(mine) != repr(theirs) or repr(document) != before:
            raise AssertionError(f"document: {before}\nclassifier: {mine!r}\nreference:  {theirs!r}")
        seen[mine[0]] += 1
        seen.update({code for code, _, _ in (*mine[2], *mine[3])})
    return seen


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    start = time.monotonic()
    seen = fuzz(count, seed)
    print(f"{count} documents, seed {seed}, {time.monotonic() - start:.0f} s, no exception, no difference")
    for word, number in seen.most_common():
        print(f"  {word}: {number}")


if __name__ == "__main__":
    main()
