"""Compare what extraction reads with recorded facts, artefact by artefact.

  python tests/compare_facts.py                        a few small artefacts, one of each form
  python tests/compare_facts.py --all                  every record, and the SDK's package of each release
  python tests/compare_facts.py 2.1.296-linux-x64      single records
  python tests/compare_facts.py --all --folder DIR     tarballs as `npm pack` names them, where DIR has them

Artefacts come through driftgate's own anchors: from the cache, else from the registry of npm's configuration. Prints a
line for each artefact and a total. Exit code 1 if anything differs or could not be read.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from driftgate.anchors import FetchOptions
from driftgate.errors import DriftgateError
from driftgate.extraction import read_surface
from driftgate.gate.observe import artefacts_of
from driftgate.gate.target import parse_target
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_SETS, Field, Surface

FACTS = Path(__file__).resolve().parent / "data" / "facts"
SDK = "@anthropic-ai/claude-agent-sdk"
FEW = ("1.0.23-cli", "2.0.53-cli", "2.1.33-cli", "2.1.112-cli")


@dataclass(frozen=True)
class Job:
    """One artefact to read, and the record that it must agree with. `pinned`: the record names this very artefact."""

    name: str
    package: str
    version: str
    facts: dict[str, Any]
    pinned: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="*", help="names of records")
    parser.add_argument("--all", action="store_true", help="every record, and the SDK of each release")
    parser.add_argument("--facts", type=Path, default=FACTS, help="folder of the records")
    parser.add_argument("--folder", type=Path, help="folder of tarballs")
    options = parser.parse_args(arguments)
    chosen = options.records or ([path.stem for path in sorted(options.facts.glob("*.yaml"))] if options.all else FEW)
    results = [report(job, options.folder) for job in jobs(options.facts, chosen, sdk=options.all)]
    agreed = results.count(True)
    print(f"{agreed} of {len(results) - results.count(None)} artefacts agree; {results.count(None)} not published")
    return int(False in results)


def jobs(folder: Path, names: Sequence[str], *, sdk: bool) -> Iterator[Job]:
    """Yield the artefacts of the records, and those of the SDK once for each release."""
    releases = set()
    for name in names:
        facts = yaml.safe_load((folder / f"{name}.yaml").read_text(encoding="utf-8"))
        yield Job(name, facts["package"], facts["version"], facts, pinned=True)
        release = facts["version"]
        if sdk and release not in releases:
            releases.add(release)
            for version in sdk_versions(release):
                yield Job(f"{release}-sdk", SDK, version, facts, pinned=False)


def sdk_versions(release: str) -> tuple[str, ...]:
    """Return the versions that the SDK's package of a release may have."""
    major, minor, patch = release.split(".")
    lines = {("2", "0"): ("0.1",), ("2", "1"): ("0.3",) if int(patch) > 141 else ("0.2",)}
    return tuple(f"{line}.{patch}" for line in lines.get((major, minor), ()))


def report(job: Job, folder: Path | None) -> bool | None:
    """Read one artefact and print how it compares; None where that version was never published."""
    started = time.monotonic()
    try:
        differences = list(compare(job, read_surface(artefact_of(job, folder))))
    except DriftgateError as error:
        if not job.pinned and "never published" in str(error):
            print(f"{job.name:24} {job.package}@{job.version}: not published")
            return None
        differences = str(error).splitlines()
    took = time.monotonic() - started
    verdict = "differs" if differences else "agrees"
    print(f"{job.name:24} {job.package}@{job.version}: {verdict} ({took:.1f} s)", flush=True)
    for line in differences:
        print(f"    {line}")
    return not differences


def artefact_of(job: Job, folder: Path | None) -> Any:
    """Find the artefact: in `folder`, else by its package and version."""
    if folder is not None:
        for spelt in (job.package.replace("/", "_").replace("@", "_"), job.package.replace("/", "-").replace("@", "")):
            if (path := folder / f"{spelt}-{job.version}.tgz").is_file():
                return artefacts_of(parse_target(str(path)), FetchOptions())[0]
    return artefacts_of(parse_target(f"npm:{job.package}@{job.version}"), FetchOptions())[0]


def compare(job: Job, surface: Surface) -> Iterator[str]:
    """Yield a line for each difference between a record and what was read."""
    table = surface.tables.get(HOOK_ENTRY_FIELDS_TABLE)
    origins = {evidence.origin.integrity for held in surface.vocabularies.values() for evidence in held.evidence}
    if job.pinned and origins != {job.facts["integrity"]}:
        yield f"integrity: {origins}"
    for name in HOOK_SETS:
        held = surface.vocabularies.get(name)
        stated = job.facts[name]
        if held is None:
            if job.pinned or (table is not None and table.complete):
                yield f"{name}: not stated"
        elif (list(held.members) if held.members is not None else None) != stated:
            yield f"{name}: recorded {stated}, read {held.members}"
    if table is None:
        if job.pinned:
            yield "fields: not stated"
        return
    recorded = job.facts["hook_entry_fields"]
    for entry_type in dict.fromkeys(chain(recorded, table.rows)):
        fields = [one for one in recorded.get(entry_type, []) if table.complete or not one.get("internal")]
        read = [as_record(field, complete=table.complete) for field in table.rows.get(entry_type, ())]
        wanted = fields if table.complete else [{k: v for k, v in one.items() if k != "constraints"} for one in fields]
        if read != wanted:
            yield f"fields of {entry_type}: recorded {wanted}"
            yield f"fields of {entry_type}: read     {read}"


def as_record(field: Field, *, complete: bool) -> dict[str, Any]:
    """Return a field in the form of the records."""
    record: dict[str, Any] = {"name": field.name, "kind": field.kind, "required": field.required}
    if field.values is not None:
        record["values"] = list(field.values)
    if field.constraints and complete:
        record["constraints"] = list(field.constraints)
    if field.internal:
        record["internal"] = True
    return record


if __name__ == "__main__":
    sys.exit(main())
