"""The command: `python -m tests.injection [--packages [NAME...]] [--sample N] [--seed N] [--examples]`."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence

from tests.injection.kinds import mutants_of
from tests.injection.small import small_subjects
from tests.injection.subject import Mutant, Subject
from tests.injection.table import Table, kind_class
from tests.injection.truth import Outcome, Verdict


def main(arguments: Sequence[str] | None = None) -> int:
    """Run mutants and print the table by kind; 1 where one was silent, wrong, a crash or a false alarm."""
    parser = argparse.ArgumentParser(prog="python -m tests.injection", description=__doc__)
    parser.add_argument(
        "--packages", nargs="*", metavar="TARGET", help="real packages (of none named: all that are known)"
    )
    parser.add_argument("--no-small", action="store_true", help="leave out the small bundles of the tests")
    parser.add_argument("--only", metavar="TEXT", help="only kinds, forms or subjects that hold this text")
    parser.add_argument("--sample", type=int, metavar="N", help="so many mutants of each subject")
    parser.add_argument("--seed", type=int, default=0, help="which sample (default: 0)")
    parser.add_argument("--failures", action="store_true", help="show what went wrong, by kind and form")
    parser.add_argument("--blind", action="store_true", help="count blind readings of what matters among them")
    given = parser.parse_args(arguments)
    table = Table()
    for subject in _subjects(given):
        began = time.monotonic()
        mutants = [m for m in mutants_of(subject) if not given.only or given.only in str(m)]
        if given.sample is not None and given.sample < len(mutants):
            mutants = random.Random(f"{given.seed} {subject.name}").sample(mutants, given.sample)  # noqa: S311
        for mutant in mutants:
            table.add(mutant, mutant.judge())
        print(f"{subject.name}: {len(mutants)} mutants, {time.monotonic() - began:.0f} s", file=sys.stderr)
    print("\n".join(table.lines()))
    if given.failures:
        print("\n".join(_failures(table, blind=given.blind)))
    bad = table.total()
    cosmetic = table.total("cosmetic")
    return int(bool(bad[Outcome.SILENT] + bad[Outcome.WRONG] + bad[Outcome.CRASH] + cosmetic[Outcome.BLIND]))


def _subjects(given: argparse.Namespace) -> Iterator[Subject]:
    if not given.no_small:
        yield from small_subjects()
    if given.packages is not None:
        from tests.injection.packages import package_subjects  # the network only where it is asked for

        yield from package_subjects(tuple(given.packages)) if given.packages else package_subjects()


def _failures(table: Table, *, blind: bool) -> Iterator[str]:
    """Yield what went wrong, by kind and form; the smallest subject in which it does shows how."""
    groups: dict[tuple[str, str, str], list[tuple[Mutant, Verdict]]] = {}
    for mutant, verdict in table.failed:
        if blind or verdict.outcome != "blind" or mutant.cosmetic:
            groups.setdefault((verdict.outcome, mutant.kind, mutant.how), []).append((mutant, verdict))
    for (outcome, kind, how), listed in sorted(groups.items()):
        mutant, verdict = min(listed, key=lambda pair: sum(map(len, pair[0].subject.members.values())))
        yield f"\n### {outcome}: {kind} / {how} ({len(listed)}, {kind_class(mutant)}; shown: {mutant.subject.name})"
        yield f"{verdict.note.splitlines()[0] if verdict.note else ''}"[:400]
        for edit in mutant.edits[:4]:
            before = mutant.subject.members[edit.member][edit.start : edit.end].decode()
            yield f"- {edit.member} {edit.start}: `{before[:160]}` -> `{edit.text[:240]}`"
        yield from (
            f"- {name}: {'gone' if text is None else text.decode()[:160]}" for name, text in mutant.more.items()
        )


if __name__ == "__main__":
    sys.exit(main())
