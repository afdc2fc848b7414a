"""Write the parts of the docs that state what the code states: rules, codes, kinds, keys. Nothing is listed twice.

    python docs/generate.py            write them
    python docs/generate.py --check    exit 1 if any of them is not what the code says

A part stands between `<!-- generated: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from driftgate.classifier.kinds import KINDS
from driftgate.classifier.result import CODE_MEANINGS, DropCode
from driftgate.commands import COMMANDS
from driftgate.declared.languages import READERS
from driftgate.errors import VERDICTS, verdict_line
from driftgate.judge.examples import example_finding
from driftgate.judge.impact import Effect
from driftgate.judge.rules import RULES, Rule, Severity
from driftgate.project.configuration import OPTIONS
from driftgate.releases import firing
from driftgate.report import FORMATS
from driftgate.schemas.config import schema
from driftgate.settings.codes import MEANINGS
from driftgate.versions import version_key

DOCS: Final = Path(__file__).resolve().parent
_PART: Final = re.compile(r"(?P<begin><!-- generated: (?P<name>[\w-]+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)


def code(text: str) -> str:
    """Return `text` as code that may stand in a table."""
    return f"`{text}`".replace("|", "\\|")


def table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def rules() -> Iterator[str]:
    """Yield every rule with its measured example."""
    for rule in RULES.values():
        yield from (f"## {rule.id}", "")
        yield f"{_sentence(rule.summary)} Severity: {_severity(rule)}."
        yield from ("", f"What to do: {rule.remedy}.", "")
        yield from _example(rule)


def _example(rule: Rule) -> Iterator[str]:
    finding = example_finding(rule.id)
    if finding is None:
        return
    yield f"For example {code(finding.subject)}" + (f" ({finding.detail})" if finding.detail else "") + ":"
    yield ""
    rows = (
        (impact.case, f"`{json.dumps(impact.document)}`", impact.upstream, impact.here, impact.effect.severity.value)
        for impact in finding.impacts
    )
    yield from (*table(("Case", "Document", "Upstream", "Here", "Severity"), rows), "")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _severity(rule: Rule) -> str:
    return code(rule.severity) if rule.severity else "by what it does to documents"


def codes() -> Iterator[str]:
    """Yield the table of the classifier's codes."""
    rows = (
        (f"[`{one}`](#{one})", "the piece" if isinstance(one, DropCode) else "the document", meaning)
        for one, meaning in CODE_MEANINGS.items()
    )
    yield from table(("Code", "What goes", "Meaning"), rows)


def file_codes() -> Iterator[str]:
    """Yield the table of the codes that `classify` has for a file and for a release, beyond the classifier's."""
    yield from table(
        ("Code", "Meaning"), ((code(one), meaning) for one, meaning in MEANINGS.items() if one not in CODE_MEANINGS)
    )


def kinds() -> Iterator[str]:
    """Yield the table that joins the contract's kinds with upstream's."""
    rows = (
        (
            code(name),
            code(kind.upstream),
            ", ".join([*map(code, kind.constraints), *map(code, kind.values or ())]) or "none",
        )
        for name, kind in KINDS.items()
    )
    yield from table(("Kind here", "Kind upstream", "Constraints or values"), rows)


def effects() -> Iterator[str]:
    """Yield the table of effects and the severity of each."""
    yield from table(("Severity", "What happens to a document"), ((code(e.severity), e.words) for e in Effect))


def exits() -> Iterator[str]:
    """Yield the table of exit codes."""
    rows = ((str(int(one)), verdict, code(verdict_line(one))) for one, verdict in VERDICTS.items())
    yield from table(("Code", "Verdict", "Last line"), rows)


def formats() -> Iterator[str]:
    """Yield the table of report formats."""
    yield from table(("Format", "For"), ((code(name), purpose) for name, purpose in FORMATS.items()))


def commands() -> Iterator[str]:
    """Yield the table of commands."""
    yield from table(("Command", "What it does"), ((code(name), summary) for name, summary in COMMANDS.items()))


def severities() -> Iterator[str]:
    """Yield the severities in one line."""
    yield ", ".join(map(code, Severity))


def readers() -> Iterator[str]:
    """Yield the table of what can be read where."""
    rows = ((reader.name, code(reader.example), reader.reads.replace("|", "\\|")) for reader in READERS)
    yield from table(("Language", "Example of a place", "What is read"), rows)


def keys() -> Iterator[str]:
    """Yield the table of the configuration's keys."""
    properties = schema()["properties"]
    yield from table(("Key", "What it states"), ((code(key), _described(one)) for key, one in properties.items()))


def accepted_keys() -> Iterator[str]:
    """Yield the table of the keys of an accepted entry."""
    yield from _record(schema()["properties"]["accepted"]["items"])


def vocabulary_keys() -> Iterator[str]:
    """Yield the table of the keys of a set of one's own."""
    yield from _record(schema()["properties"]["vocabularies"]["additionalProperties"])


def _record(record: dict[str, Any]) -> Iterator[str]:
    rows = (
        (code(key), "yes" if key in record["required"] else "no", _described(one))
        for key, one in record["properties"].items()
    )
    yield from table(("Key", "Needed", "What it states"), rows)


def _described(one: dict[str, Any]) -> str:
    said = [one["description"]] if "description" in one else []
    choice = next((part["enum"] for part in (one, *one.get("anyOf", ())) if "enum" in part), None)
    if choice == [rule.id for rule in RULES.values() if rule.is_acceptable]:
        said.append("one of [the rules](rules.md) about a difference to upstream")
    elif choice:
        said.append(", ".join(map(code, choice)))
    if one.get("format") == "date":
        said.append("the last day on which it holds, `YYYY-MM-DD`")
    return "; ".join(said).replace("|", "\\|")


def options() -> Iterator[str]:
    """Yield the table of layered options."""
    rows = ((code(f"--{name}"), code("DRIFTGATE_" + name.upper().replace("-", "_")), code(name)) for name in OPTIONS)
    yield from table(("Flag", "Environment", "Configuration"), rows)


def firing_types() -> Iterator[str]:
    """Yield the table of what fires: event by type of entry by range of releases."""
    read, seen = firing.looked_at()
    points = sorted({*read, *seen}, key=version_key)
    events = sorted({event for release in points for event in firing.events_of(release)})
    rows = ((code(event), *(_firing_cell(event, each, points) for each in firing.TYPES)) for event in events)
    yield from table(("Event", *map(code, firing.TYPES)), rows)


def _firing_cell(event: str, entry_type: str, points: list[str]) -> str:
    cells = [(release, firing.cell(event, entry_type, release)) for release in points]
    stated = [(release, cell) for release, cell in cells if cell.runs is not firing.Runs.UNKNOWN]
    parts = []
    for runs, group in groupby(stated, lambda each: each[1].runs):
        releases = [release for release, _ in group]
        span = releases[0] if len(releases) == 1 else f"{releases[0]} to {releases[-1]}"
        read, seen = (
            sum(how(event, entry_type, each) for each in releases) for how in (firing.is_read, firing.is_seen)
        )
        known = ", ".join(f"{word} {count}" for word, count in (("read", read), ("seen", seen)) if count)
        parts.append(f"{runs}: {span} ({known})")
    return "; ".join(parts)


def firing_matchers() -> Iterator[str]:
    """Yield the table of what matchers are compared with."""
    newest = firing.looked_at()[0][-1]
    rows = []
    for event in sorted(firing.events_of(newest)):
        field, _ = firing.matched_field(event, newest)
        compared = {None: "", firing.NOTHING: "not looked at"}.get(field, code(field or ""))
        values = ", ".join(map(code, firing.listed_values(event, newest)))
        rows.append((code(event), compared, values, firing.exit_two(event, newest)))
    yield f"As of {newest}:"
    yield ""
    yield from table(("Event", "Its matcher is compared with", "Values listed", "Exit code 2"), rows)


def firing_fields() -> Iterator[str]:
    """Yield what is known of fields that have an effect in some places only."""
    newest = firing.looked_at()[0][-1]
    events, silent = firing.if_events(newest), firing.on_failure_ignored(newest)
    yield f"- `if` is evaluated under {_listed(events)} as of {newest}; under any other event the hook never runs."
    yield f"- `onFailure` is ignored for `async` hooks, and under {_listed(silent)}, as {newest} describes it."
    yield (
        "- `once` has no effect in a settings file: in the sessions, hooks with it ran as often as those without. "
        "It is for hooks that a skill or an agent brings along."
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(code, sorted(names)))


def firing_basis() -> Iterator[str]:
    """Yield what the tables rest on."""
    read, seen = firing.looked_at()
    yield f"Bundles read ({len(read)}): {', '.join(read)}."
    yield ""
    yield f"Releases whose client was run ({len(seen)}): {', '.join(seen)}."
    yield ""
    yield f"In the sessions, {firing.seen_cells()} cells (a type of entry under an event of a release) were seen"
    yield "to fire or not to."


PARTS: Final[dict[str, Callable[[], Iterator[str]]]] = {
    "rules": rules,
    "codes": codes,
    "file-codes": file_codes,
    "kinds": kinds,
    "effects": effects,
    "exits": exits,
    "formats": formats,
    "commands": commands,
    "severities": severities,
    "readers": readers,
    "keys": keys,
    "accepted-keys": accepted_keys,
    "vocabulary-keys": vocabulary_keys,
    "options": options,
    "firing-types": firing_types,
    "firing-matchers": firing_matchers,
    "firing-fields": firing_fields,
    "firing-basis": firing_basis,
}


def filled(text: str) -> str:
    """Return a page's text with every generated part as it is now. Raises KeyError for a part that does not exist."""
    return _PART.sub(
        lambda part: part["begin"] + "\n" + "\n".join(PARTS[part["name"]]()).strip() + "\n\n" + part["end"], text
    )


def main(arguments: list[str]) -> int:
    """Write the pages, or with --check say which are out of date."""
    stale = [page for page in sorted(DOCS.glob("*.md")) if filled(page.read_text("utf-8")) != page.read_text("utf-8")]
    for page in stale:
        if "--check" not in arguments:
            page.write_text(filled(page.read_text("utf-8")), "utf-8", newline="\n")
        sys.stdout.write(f"{page.name}: {'out of date' if '--check' in arguments else 'written'}\n")
    return int("--check" in arguments and bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
