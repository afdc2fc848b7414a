"""Throw generated and mutated documents at the classifier; every answer is compared with the reference's.

    python tests/classifier/fuzz.py [COUNT] [SEED]

Stops at the first uncaught exception or difference, and prints the document; else prints what it has seen.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from documents import Documents
from reference import answer

from driftgate.hooks_config import classify_hooks_config
from driftgate.hooks_result import HooksClassification


def flat(result: HooksClassification) -> tuple[str, Any, list, list]:
    """A result in the reference's form."""
    dropped = [(piece.code.value, piece.path, piece.field) for piece in result.dropped]
    rejections = [(piece.code.value, piece.path, piece.field) for piece in result.rejections]
    return result.outcome.value, result.hooks, dropped, rejections


def key_order(hooks: Any) -> Any:
    """The keys of everything that loads, in order: `==` does not see it."""
    if isinstance(hooks, dict):
        return [(key, key_order(value)) for key, value in hooks.items()]
    return [key_order(value) for value in hooks] if isinstance(hooks, list) else None


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
        same = repr(mine) == repr(theirs) and key_order(mine[1]) == key_order(theirs[1])
        if not same or repr(document) != before:
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
