"""Careful edits of a configuration: entries added, filled in, renewed and taken out; the pin moved.

Comments, order and line ends stay. The edited text must read as exactly the wanted configuration, and all else in the
file as before; otherwise nothing is written, and the error says what a person is to change.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from driftgate.errors import ConfigError, DriftgateError, UsageError
from driftgate.formats.files import write_atomically
from driftgate.formats.harmless import neutral
from driftgate.judge.accepted import Accepted
from driftgate.project.configuration import Config
from driftgate.project.entries import place_of
from driftgate.project.entry_text import Entry, grouped, toml_entry, yaml_entry
from driftgate.project.reading import file_data, parse_project

if TYPE_CHECKING:
    from driftgate.project.toml_edit import TomlEditor
    from driftgate.project.yaml_edit import YamlEditor

    Editor = TomlEditor | YamlEditor


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to become of the accepted entries.

    `drop` are those that go, `fill` maps the numbers of entries without a reason to one, `renew` those to a new last
    day; `add` are new ones.
    """

    add: tuple[Accepted, ...] = ()
    drop: tuple[Accepted, ...] = ()
    fill: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    renew: Mapping[int, dt.date] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, accepted: Iterable[Accepted]) -> Iterator[Accepted]:
        """Yield what `accepted` are after the changes."""
        for one in accepted:
            if one not in self.drop:
                reason, until = self.fill.get(one.entry, one.reason), self.renew.get(one.entry, one.until)
                yield replace(one, reason=reason, until=until)
        yield from self.add


def add(config: Config, entries: Sequence[Accepted]) -> None:
    """Write `entries` to the end of the accepted entries of `config`, into its own file. Raises as `change_entries`."""
    change_entries(config, Changes(add=tuple(entries)))


def change_entries(config: Config, changes: Changes) -> None:
    """Make the accepted entries of `config` what `changes` say, in its own file.

    Raises UsageError for an entry that is there already, ConfigError where the file cannot be edited safely.
    """
    _refuse_doubles(config, changes)
    wanted = (*changes.of(config.accepted),)

    def edit(editor: Editor) -> None:
        for number, reason in changes.fill.items():
            editor.change(number, {"reason": reason})
        for number, until in changes.renew.items():
            editor.change(number, {"until": until})
        numbers = sorted({one.entry for one in changes.drop}, reverse=True)
        for number in numbers:
            editor.drop(number, frozenset(one.subject for one in changes.drop if one.entry == number))
        if changes.add:
            editor.add(grouped(changes.add))

    def is_wanted(new: Config) -> bool:
        pairs = zip(sorted(new.accepted, key=_key), sorted(wanted, key=_key), strict=False)
        same = all(_key(one) == _key(other) and other.of in ("", one.of) for one, other in pairs)
        return same and len(new.accepted) == len(wanted)

    _edit(config, edit, is_wanted, _by_hand(config, changes), "accepted")


def _key(one: Accepted) -> tuple[str, ...]:
    return one.rule, one.subject, one.reason, str(one.until), str(one.versions)


def _by_hand(config: Config, changes: Changes) -> str:
    write: Callable[[Entry], str] = toml_entry if config.source.suffix == ".toml" else yaml_entry
    parts = ["add this by hand:\n" + "\n".join(map(write, grouped(changes.add)))] * bool(changes.add)
    parts += [f"take out by hand: {', '.join(one.title for one in changes.drop)}"] * bool(changes.drop)
    parts += [f"entry {number}: reason: {reason}" for number, reason in changes.fill.items()]
    parts += [f"entry {number}: until: {until}" for number, until in changes.renew.items()]
    return "\n".join(parts)


def _refuse_doubles(config: Config, changes: Changes) -> None:
    for new in changes.add:
        for old in config.accepted:
            same = (old.rule, old.subject, old.versions) == (new.rule, new.subject, new.versions)
            if same and new.of in ("", old.of) and old not in changes.drop:
                raise UsageError(
                    f"{new.rule} {neutral(new.subject)} is accepted already",
                    where=str(place_of(config, old)),
                    found=f"reason: {old.reason}" + (f"; until {old.until}" if old.until else ""),
                    next="change that entry, e.g. its `until` by --renew, instead of adding a second one",
                )


def move_pin(config: Config, key: str, value: str, snapshot: Path) -> None:
    """Give `pin` or `snapshot` of `config` another value, so that it names `snapshot`. Raises ConfigError."""
    _edit(
        config,
        lambda editor: editor.set_value(key, value),
        lambda new: new.snapshot == snapshot and new.accepted == config.accepted,
        f'write {key} = "{value}" by hand',
        key,
    )


_NOT_EDITABLE = (LookupError, TypeError, ValueError, AttributeError)
"""What the editors raise for a place that is written in another way than theirs."""

# --- the edit --------------------------------------------------------------------------------------------------------


def _edit(
    config: Config, edit: Callable[[Editor], None], is_wanted: Callable[[Config], bool], by_hand: str, key: str
) -> None:
    if config.builtin:
        raise ConfigError("there is no project here whose configuration could be edited", where=str(config.source))
    raw = config.source.read_bytes().decode("utf-8-sig")
    crlf = "\r\n" in raw
    text = raw.replace("\r\n", "\n")
    edited = _edited(text, config, edit)
    if edited is None or not _says_just_that(edited, text, config, is_wanted, key):
        raise ConfigError(
            "this configuration is written in a way that cannot be edited safely",
            where=str(config.source),
            next=by_hand,
        )
    write_atomically(config.source.resolve(), edited.replace("\n", "\r\n") if crlf else edited)


def _edited(text: str, config: Config, edit: Callable[[Editor], None]) -> str | None:
    try:
        editor = _editor(text, config)
        edit(editor)
        return editor.text()
    except _NOT_EDITABLE:
        return None


def _editor(text: str, config: Config) -> Editor:
    # Imported here: only an edit needs their parsers.
    if config.source.suffix == ".toml":
        from driftgate.project.toml_edit import TomlEditor

        return TomlEditor(text, config.table)
    from driftgate.project.yaml_edit import YamlEditor

    return YamlEditor(text, config.table)


def _says_just_that(edited: str, text: str, config: Config, is_wanted: Callable[[Config], bool], key: str) -> bool:
    try:
        project = parse_project(edited, config.source, root=config.root, unreasoned=True)
        new = next((one for one in project.mirrors if one.table == config.table), None)
        before, after = (file_data(one, config.source) for one in (text, edited))
    except DriftgateError:
        return False
    keys = (*(("tool", "driftgate") if config.source.suffix == ".toml" else ()), *config.table)
    return new is not None and is_wanted(new) and _without(before, (*keys, key)) == _without(after, (*keys, key))


def _without(data: Any, keys: tuple[str, ...]) -> Any:
    """Return the data of a whole configuration file without what stands at `keys`."""
    if not isinstance(data, dict) or keys[0] not in data:
        return data
    if len(keys) == 1:
        return {key: value for key, value in data.items() if key != keys[0]}
    return {**data, keys[0]: _without(data[keys[0]], keys[1:])}
