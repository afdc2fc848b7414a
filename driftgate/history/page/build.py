"""Putting the page together: the template, its style and script, the sections, and the data for the script.

The page allows itself exactly the one style and the one script that it carries, by their digests; everything that
came from an artefact is escaped where it is put in.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from html import escape
from importlib.resources import files
from typing import Any

from driftgate import __version__
from driftgate.history.lives import Lives
from driftgate.history.page.contract import contract_section
from driftgate.history.page.sections import changes_section, evidence_section, options_of
from driftgate.history.page.timeline import sort_options, timeline_section
from driftgate.history.record import History, Known
from driftgate.history.sentences import SORTS, known_line
from driftgate.history.stated import names_of
from driftgate.project.configuration import Config
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, Surface
from driftgate.upstreams.catalogue import title_of


def page(history: History, config: Config | None = None) -> str:
    """Return the page of `history`, which must know a release; `config` says whose constants are compared with it.

    Without a configuration these are driftgate's own. The same history and constants give the same bytes.
    """
    lives = Lives(history)
    script, style = _part("page.js"), _part("page.css")
    newest, middle = history.readings[-1].version, history.readings[max(0, len(history.readings) - 50)].version
    parts = {
        "policy": escape(
            "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
            f"style-src {_digest(style)}; script-src {_digest(script)}"
        ),
        "title": escape(title_of(history.upstream)),
        "known": escape(known_line(history)),
        "style": style,
        "script": script,
        "data": inlined(page_data(history)),
        "timeline": timeline_section(lives),
        "sorts": sort_options(),
        "options-a": options_of(history, middle),
        "options-b": options_of(history, newest),
        "changes": changes_section(history),
        "contract": contract_section(history, config),
        "evidence": evidence_section(history),
        "version": escape(__version__),
    }
    return _filled(_part("page.html"), parts)


def page_data(history: History) -> dict[str, Any]:
    """Return what the script needs to compare two releases: every name once, and what each surface states of it.

    `names` are [sort, name]; a surface maps the index of a name to its words (a field's type), or to "" where there
    are none; `releases` are [version, index of its surface, whether it was read itself].
    """
    names: dict[tuple[str, str], int] = {}
    surfaces: dict[int, tuple[int, dict[int, str]]] = {}
    for reading in history.readings:
        if id(reading.surface) not in surfaces:
            stated = {
                names.setdefault((SORTS[name.sort], name.text), len(names)): words
                for name, words in _with_words(reading.surface)
            }
            surfaces[id(reading.surface)] = (len(surfaces), stated)
    return {
        "names": [list(name) for name in names],
        "surfaces": [stated for _, stated in surfaces.values()],
        "releases": [
            [reading.version, surfaces[id(reading.surface)][0], reading.known is Known.READ]
            for reading in history.readings
        ],
    }


def _with_words(surface: Surface) -> list[tuple[Any, str]]:
    table = surface.tables.get(HOOK_ENTRY_FIELDS_TABLE)
    rows = table.rows if table else {}
    words = {f"field {row}.{field.name}": field.words for row, fields in rows.items() for field in fields}
    return [(name, words.get(str(name), "")) for name in names_of(surface)]


def inlined(data: Any) -> str:
    """Return data as JSON that can stand in a script element: nothing in it can end the element or begin a comment."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _part(name: str) -> str:
    return files("driftgate.history.page").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _filled(template: str, parts: dict[str, str]) -> str:
    """Put each part into its slot, in one pass: what a part contains is never taken for a slot."""
    pieces = template.split("{{")
    done = [pieces[0]]
    for piece in pieces[1:]:
        slot, _, rest = piece.partition("}}")
        done += [parts[slot], rest]
    return "".join(done)
