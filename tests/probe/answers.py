"""Answers as they are recorded in `tests/data/`: one document a line, and what each release said of it.

A line is an object: `files` (the plugin's files by path) or `text` (a settings file), and `said`: a list of pairs of
releases and the answer that they gave alike, in the order of the releases.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.version import Version

if TYPE_CHECKING:
    from tests.probe.firing import Fired

DATA = Path(__file__).parents[1] / "data" / "probe"
PAYLOADS = DATA.parent / "payloads"
SESSIONS = DATA / "sessions.json"
PLUGINS = DATA / "plugin-answers.jsonl"
SETTINGS = DATA / "settings-answers.jsonl"


def lines(documents: Iterable[Mapping[str, Any]], said: Mapping[str, list[dict[str, Any]]]) -> str:
    """The text of a file of answers; `said` maps each release to its answers, in the order of the documents."""
    made = []
    for number, document in enumerate(documents):
        alike: list[tuple[list[str], dict[str, Any]]] = []
        for release, answers in said.items():
            for releases, answer in alike:
                if answer == answers[number]:
                    releases.append(release)
                    break
            else:
                alike.append(([release], answers[number]))
        made.append(json.dumps({**document, "said": alike}, ensure_ascii=True, separators=(",", ":")))
    return "\n".join(made) + "\n"


def read(path: Path) -> list[dict[str, Any]]:
    """The recorded lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def by_release(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Each release's answer to the document of `record`."""
    return {release: answer for releases, answer in record["said"] for release in releases}


def settings_said(texts: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """The recorded answers on settings files by release, if they are on these `texts`."""
    records = read(SETTINGS) if SETTINGS.exists() else []
    if [record["text"] for record in records] != list(texts):
        return {}
    said: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        for release, answer in by_release(record).items():
            said.setdefault(release, []).append(answer)
    return said


def session_data(fired: "Fired") -> dict[str, Any]:
    """What fired in the sessions of a release: each event that happened, with the tags of the hooks that ran.

    `runs`: how often the plain command hook ran, and the one that says `once`.
    """
    marks: dict[str, list[str]] = {}
    for mark in sorted(fired.marks):
        event, tag = mark.split(".", 1)
        if event in fired.payloads:
            marks.setdefault(event, []).append(tag)
    runs = {event: list(counts) for event, counts in sorted(fired.runs.items())}
    return {"fired": marks, "runs": runs}


def sessions() -> dict[str, dict[str, Any]]:
    """The recorded sessions by release."""
    return dict(json.loads(SESSIONS.read_text(encoding="utf-8"))) if SESSIONS.exists() else {}


def record_session(fired: "Fired") -> None:
    """Writes what fired, and what its command hooks were given, in place of what was recorded of that release."""
    from tests.probe.firing import shapes

    known = sessions() | {fired.release: session_data(fired)}
    ordered = dict(sorted(known.items(), key=lambda item: Version(item[0])))
    text = json.dumps(ordered, indent=1).replace("[\n    ", "[").replace(",\n    ", ", ").replace("\n   ]", "]")
    SESSIONS.write_text(text + "\n", encoding="utf-8")
    PAYLOADS.mkdir(exist_ok=True)
    data = {"release": fired.release, "payloads": shapes(fired.payloads)}
    target = PAYLOADS / f"{fired.release}.json"
    target.write_text(json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
