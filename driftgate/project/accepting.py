"""Writing accepted drift into the configuration: a careful edit of its text, checked before it replaces the file.

Comments, order and line ends stay. The edited text must read as exactly the old configuration with the new entries at
the end of its list; otherwise nothing is written, and the error holds the entry for a person to put in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from driftgate.errors import ConfigError, DriftgateError, UsageError
from driftgate.formats.files import write_atomically
from driftgate.formats.harmless import neutral, quoted
from driftgate.judge.accepted import Accepted
from driftgate.project.configuration import Config
from driftgate.project.reading import file_data, parse_config

_HEADER: Final = re.compile(r"^[ \t]*\[", re.MULTILINE)
_OUR_HEADER: Final = re.compile(r"^[ \t]*\[\[?[ \t]*tool[ \t]*\.[ \t]*[\"']?driftgate\b.*$", re.MULTILINE)
_TOML_EMPTY: Final = re.compile(
    r"(^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*driftgate[ \t]*\].*\n(?:(?![ \t]*\[).*\n)*?)"
    r"[ \t]*accepted[ \t]*=[ \t]*\[\s*\][ \t]*(?:#.*)?(?:\n|\Z)",
    re.MULTILINE,
)
_YAML_LIST: Final = re.compile(r"^accepted:[ \t]*(?:#.*)?\n(?:[ \t]+.*\n|-.*\n|#.*\n|[ \t]*\n)*", re.MULTILINE)
_YAML_EMPTY: Final = re.compile(r"^accepted:[ \t]*\[[ \t]*\][ \t]*(?:#.*)?$", re.MULTILINE)


def add(config: Config, entries: Sequence[Accepted]) -> None:
    """Write `entries` to the end of the accepted entries of `config`, into its own file.

    Raises UsageError for an entry that is there already, ConfigError where the file cannot be edited safely.
    """
    _refuse_doubles(config, entries)
    if config.builtin:
        raise ConfigError("there is no project here whose configuration could be edited", where=str(config.source))
    raw = config.source.read_bytes().decode("utf-8-sig")
    crlf = "\r\n" in raw
    text = raw.replace("\r\n", "\n")
    is_toml = config.source.suffix == ".toml"
    write = toml_entry if is_toml else yaml_entry
    for edited in (_toml_edits if is_toml else _yaml_edits)(text, entries):
        if _says_just_that(edited, text, config, entries):
            write_atomically(config.source.resolve(), edited.replace("\n", "\r\n") if crlf else edited)
            return
    raise ConfigError(
        "this configuration is written in a way that cannot be edited safely",
        where=str(config.source),
        next="add this by hand:\n" + "\n".join(map(write, entries)),
    )


def _refuse_doubles(config: Config, entries: Sequence[Accepted]) -> None:
    for entry in entries:
        for old in config.accepted:
            if (old.rule, old.subject, old.versions) == (entry.rule, entry.subject, entry.versions):
                raise UsageError(
                    f"{entry.rule} {neutral(entry.subject)} is accepted already",
                    where=old.where,
                    found=f"reason: {old.reason}" + (f"; until {old.until}" if old.until else ""),
                    next="change that entry, e.g. its `until`, instead of adding a second one",
                )


def _says_just_that(edited: str, text: str, config: Config, entries: Sequence[Accepted]) -> bool:
    try:
        new = parse_config(edited, config.source, root=config.root)
        before, after = (file_data(one, config.source) for one in (text, edited))
    except DriftgateError:
        return False
    return new.accepted == (*config.accepted, *entries) and _without_entries(before) == _without_entries(after)


def _without_entries(data: Any) -> Any:
    """Return the data of a whole configuration file without the accepted entries."""
    if not isinstance(data, dict):
        return data
    kept = {key: value for key, value in data.items() if key != "accepted"}
    tool = kept.get("tool")
    if isinstance(tool, dict) and isinstance(tool.get("driftgate"), dict):
        ours = {key: value for key, value in tool["driftgate"].items() if key != "accepted"}
        kept["tool"] = {**tool, "driftgate": ours}
    return kept


# --- where it could go -----------------------------------------------------------------------------------------------


def _toml_edits(text: str, entries: Sequence[Accepted]) -> Iterator[str]:
    """Yield the text with the entries after the last of our tables, then with them at the end.

    An empty list that is written out makes way for them: TOML has no two ways to state one list.
    """
    block = "\n".join(map(toml_entry, entries))
    text = _TOML_EMPTY.sub(r"\1", text)
    ours = [*_OUR_HEADER.finditer(text)]
    if ours:
        after = _HEADER.search(text, ours[-1].end())
        end = after.start() if after else len(text)
        yield _between(text[:end], block, text[end:])
    yield _between(text, block, "")


def _between(before: str, block: str, after: str) -> str:
    # A comment right above the next table belongs to that table.
    comment = re.search(r"(?:^[ \t]*#.*\n)+\Z", before, re.MULTILINE)
    if after and comment:
        before, after = before[: comment.start()], before[comment.start() :] + after
    return f"{before.rstrip()}\n\n{block}" + (f"\n{after}" if after else "")


def _yaml_edits(text: str, entries: Sequence[Accepted]) -> Iterator[str]:
    """Yield the text with the entries at the end of the list, or with a list of them at its end."""
    text = text if text.endswith("\n") else text + "\n"
    there = _YAML_LIST.search(text)
    if there:
        written = there[0].rstrip()
        indent = next((match[1] for match in re.finditer(r"(?m)^([ \t]*)- ", written)), "")
        rest = text[there.start() + len(written) :].removeprefix("\n")
        yield f"{text[: there.start()]}{written}\n{_yaml_list(entries, indent)}{rest}"
    empty = _YAML_EMPTY.search(text)
    if empty:
        rest = text[empty.end() :].removeprefix("\n")
        yield f"{text[: empty.start()]}accepted:\n{_yaml_list(entries)}{rest}"
    yield text + "accepted:\n" + _yaml_list(entries)


def _yaml_list(entries: Sequence[Accepted], indent: str = "") -> str:
    lines = (line for entry in entries for line in yaml_entry(entry).splitlines())
    return "".join(f"{indent}{line}\n" for line in lines)


# --- how it is written -----------------------------------------------------------------------------------------------


def toml_entry(entry: Accepted) -> str:
    """Return `entry` as a table of TOML."""
    return "".join(("[[tool.driftgate.accepted]]\n", *(f"{key} = {value}\n" for key, value in _values(entry))))


def yaml_entry(entry: Accepted) -> str:
    """Return `entry` as an item of a YAML list."""
    lines = [f"{key}: {value}\n" for key, value in _values(entry)]
    return "- " + "  ".join(lines)


def _values(entry: Accepted) -> Iterator[tuple[str, str]]:
    yield "rule", quoted(entry.rule)
    yield "subject", quoted(entry.subject)
    yield "reason", quoted(entry.reason)
    if entry.until is not None:
        yield "until", entry.until.isoformat()
    if entry.versions is not None:
        yield "versions", quoted(entry.versions)
