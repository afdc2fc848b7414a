"""Answers as they are recorded in `tests/data/`: one document a line, and what each release said of it.

A line is an object: `files` (the plugin's files by path) or `text` (a settings file), and `said`: a list of pairs of
releases and the answer that they gave alike, in the order of the releases.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data" / "probe"
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
