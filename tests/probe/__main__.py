"""`python -m tests.probe plugins|settings|firing|facts`: asks the real client, and records what it said or did.

    python -m tests.probe plugins --count 2500 --seed 20261201 --record
    python -m tests.probe plugins --release 2.1.332 --release 2.1.168 --clients FOLDER
    python -m tests.probe firing --record             sessions with hooks of every type under every event
    python -m tests.probe facts --release 2.1.332 --record     what bundles state of it; writes the package's table

Without `--record` it compares with what is recorded, and ends with 1 if a release says something else.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from packaging.version import Version

from tests.probe import answers, cases, client, firing, generate, settings, table
from tests.probe.plugins import ask as ask_plugins

SEED = 20261201
SETTINGS_COUNT = 640  # of which some 530 differ
SETTINGS_RELEASES = ("2.1.168", "2.1.252", "2.1.257", "2.1.296", "2.1.331", "2.1.332")  # eras E, E, and F
PLUGIN_RELEASES = (  # where the reader of plugins changed, before and after
    "2.1.168",
    "2.1.241",
    "2.1.242",
    "2.1.252",
    "2.1.257",
    "2.1.266",
    "2.1.267",
    "2.1.274",
    "2.1.280",
    "2.1.296",
    "2.1.331",
    "2.1.332",
)


FIRING_RELEASES = (
    "2.1.63",
    "2.1.85",
    "2.1.112",
    "2.1.139",
    "2.1.168",
    "2.1.200",
    "2.1.252",
    "2.1.257",
    "2.1.296",
    "2.1.332",
)


def plugin_documents(seed: int, count: int) -> list[dict[str, Any]]:
    """The plugins that are asked about, once each: those written by hand, then `count` from the seed."""
    once = {str(sorted(files.items())): files for files in (*cases.plugins(), *generate.plugins(seed, count))}
    return [{"files": files} for files in once.values()]


def ask_all(
    releases: Sequence[str], documents: Sequence[dict[str, Any]], clients: Path
) -> dict[str, list[dict[str, Any]]]:
    """Every release's answers; a client that was not there before is deleted when it has answered."""
    said = {}
    for release in releases:
        kept = (clients / release).exists()
        asked = client.fetch(release, clients)
        begun = time.monotonic()
        said[release] = [answer.data() for answer in ask_plugins(asked, [document["files"] for document in documents])]
        print(f"{release}: {len(documents)} plugins in {time.monotonic() - begun:.0f} s", file=sys.stderr)
        if not kept:
            asked.drop()
    return said


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.probe", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["plugins", "settings", "firing", "facts"])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument(
        "--count", type=int, default=2500, help="documents from the seed, besides those written by hand"
    )
    parser.add_argument("--release", action="append", help="a release to ask; default: those that are recorded")
    parser.add_argument("--clients", type=Path, help="a folder that keeps the clients; default: a temporary one")
    parser.add_argument("--record", action="store_true", help="write the answers to tests/data")
    given = parser.parse_args(arguments)
    if (why := client.why_not()) is not None:
        print(f"cannot run the client: {why}", file=sys.stderr)
        return 2
    if given.what == "settings":
        return ask_settings(given.release or SETTINGS_RELEASES, given.clients, given.seed, record=given.record)
    if given.what == "firing":
        return run_sessions(given.release or FIRING_RELEASES, given.clients, record=given.record)
    if given.what == "facts":
        return read_facts(given.release or (), given.clients, record=given.record)
    documents = plugin_documents(given.seed, given.count)
    with tempfile.TemporaryDirectory(prefix="probe-clients-") as folder:
        said = ask_all(given.release or PLUGIN_RELEASES, documents, given.clients or Path(folder))
    if given.record:
        answers.DATA.mkdir(parents=True, exist_ok=True)
        answers.PLUGINS.write_text(answers.lines(documents, said), encoding="utf-8")
        print(f"{len(documents)} plugins, {len(said)} releases -> {answers.PLUGINS}")
        return 0
    return compare(documents, said)


def ask_settings(releases: Sequence[str], clients: Path | None, seed: int, *, record: bool) -> int:
    """Settings files from the seed; those of releases that are recorded already stay as they are."""
    texts = list(dict.fromkeys(generate.settings(seed, SETTINGS_COUNT)))
    said = answers.settings_said(texts)
    with tempfile.TemporaryDirectory(prefix="probe-clients-") as folder:
        for release in releases:
            kept = clients is not None and (clients / release).exists()
            asked = client.fetch(release, clients or Path(folder))
            begun = time.monotonic()
            given = [answer.data() for answer in settings.ask(asked, texts)]
            print(f"{release}: {len(texts)} settings files in {time.monotonic() - begun:.0f} s", file=sys.stderr)
            if not kept:
                asked.drop()
            said[release] = given
            if record:
                ordered = dict(sorted(said.items(), key=lambda item: Version(item[0])))
                answers.SETTINGS.write_text(
                    answers.lines([{"text": text} for text in texts], ordered), encoding="utf-8"
                )
    return 0


def run_sessions(releases: Sequence[str], clients: Path | None, *, record: bool) -> int:
    """Sessions of each release; recorded, or printed."""
    with tempfile.TemporaryDirectory(prefix="probe-clients-") as folder:
        for release in releases:
            kept = clients is not None and (clients / release).exists()
            asked = client.fetch(release, clients or Path(folder))
            fired = firing.fire(asked)
            if not kept:
                asked.drop()
            print(f"{release}: {len(fired.events)} events, {len(fired.marks)} marks", file=sys.stderr)
            if record:
                answers.record_session(fired)
            else:
                print(json.dumps(answers.session_data(fired), indent=1))
    return 0


def read_facts(releases: Sequence[str], clients: Path | None, *, record: bool) -> int:
    """Reads the bundles of `releases`; written to the table of firing with what was known, and with the sessions."""
    known = table.recorded()
    differ = 0
    with tempfile.TemporaryDirectory(prefix="probe-clients-") as folder:
        for release in releases:
            kept = clients is not None and (clients / release).exists()
            asked = client.fetch(release, clients or Path(folder))
            facts = table.read_client(asked)
            if not kept:
                asked.drop()
            differ += known.get(release, facts) != facts
            print(f"{release}: {'as recorded' if known.get(release) == facts else 'new'}", file=sys.stderr)
            known[release] = facts
    if record:
        table.TABLE.write_text(table.text(known), encoding="utf-8")
        return 0
    return 1 if differ else 0


def compare(documents: Sequence[dict[str, Any]], said: dict[str, list[dict[str, Any]]]) -> int:
    """Says where the client differs from the record; 1 if it does anywhere."""
    recorded = {str(record["files"]): answers.by_release(record) for record in answers.read(answers.PLUGINS)}
    compared = differ = 0
    for release, given in said.items():
        for document, answer in zip(documents, given, strict=True):
            expected = recorded.get(str(document["files"]), {}).get(release)
            compared += expected is not None
            if expected is not None and expected != answer:
                differ += 1
                print(f"{release}: {document['files']}\n  recorded {expected}\n  said     {answer}")
    print(f"{compared} answers compared with the record, {differ} differ")
    return 1 if differ or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
