"""What loads and is dead all the same, or what only some readers of the file can take: the warnings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from driftgate.classifier.contract import Contract
from driftgate.classifier.outgoing import STRUCTURE, ConfigPath
from driftgate.formats.json import JsonText
from driftgate.releases import FileKind, surface_of
from driftgate.releases.depth import is_deeper
from driftgate.releases.eras import POLICIES
from driftgate.releases.firing import DeadCode, dead_entries
from driftgate.releases.plugin_eras import plugin_policy_of
from driftgate.settings.codes import CautionCode
from driftgate.settings.hints import near_field, near_key
from driftgate.settings.pieces import Caution, Words
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE

_HOOKS: Final = "hooks"
_AT_ROOT: Final = (
    "are event names at the document root; they have no effect there, they belong under `hooks`",
    "is an event name at the document root; it has no effect there, it belongs under `hooks`",
)
"""For several names, and for one."""


def text_warnings(text: JsonText) -> Iterator[Caution]:
    """Yield the warnings about the text itself."""
    if text.bom:
        says = "starts with a UTF-8 byte order mark; other readers of this file reject it"
        yield Caution(CautionCode.BYTE_ORDER_MARK, (), text.spot(0), Words(says, fix="save it as UTF-8 without a mark"))
    if text.bad_bytes:
        first = text.bad_bytes[0]
        more = f" (and in {len(text.bad_bytes) - 1} more places)" if len(text.bad_bytes) > 1 else ""
        effect = "JavaScript readers substitute U+FFFD, so the path will not resolve"
        says = f"invalid UTF-8 at byte {first.byte}{more}; {effect}"
        yield Caution(CautionCode.INVALID_UTF8, (), text.spot(first.at), Words(says, fix="save the file as UTF-8"))
    cutting = next((policy for policy in POLICIES if policy.depth_limit is not None), None)
    if cutting is not None and cutting.depth_limit is not None and is_deeper(text.value, cutting.depth_limit):
        says = f"nested deeper than {cutting.depth_limit} levels; releases from {cutting.since} on cut what is deeper"
        yield Caution(CautionCode.DEEP_NESTING, (), None, Words(says))


def document_warnings(
    text: JsonText,
    document: dict[str, Any],
    bad: frozenset[ConfigPath],
    contract: Contract,
    release: str,
    kind: FileKind,
) -> Iterator[Caution]:
    """Yield the warnings about the hooks of `document`; `bad` are the coordinates of what does not load anyway.

    `contract` has the vocabulary of `release`.
    """
    if kind is FileKind.SETTINGS:
        yield from _root(text, document, contract)
    elif kind is FileKind.PLUGIN_HOOKS:
        yield from _plugin_keys(text, document, release)
    if kind is FileKind.SETTINGS and document.get(_DISABLED) is True and document.get(_HOOKS):
        says = f"`{_DISABLED}` is on, so none of these hooks runs"
        fix = "leave it out where they are to run"
        yield Caution(CautionCode.HOOKS_DISABLED, (_DISABLED,), _key_spot(text, (_DISABLED,)), Words(says, fix=fix))
    hooks = document.get(_HOOKS)
    for event, matchers in hooks.items() if isinstance(hooks, dict) else ():
        for index, matcher in enumerate(matchers if isinstance(matchers, list) and event in contract.events else ()):
            path: ConfigPath = (_HOOKS, event, index)
            if isinstance(matcher, dict) and path not in bad:
                yield from _matcher(text, matcher, path, bad, contract, release)
    yield from _never_fires(text, hooks, bad, release, kind)


def _never_fires(
    text: JsonText, hooks: Any, bad: frozenset[ConfigPath], release: str, kind: FileKind
) -> Iterator[Caution]:
    """What loads and cannot fire on `release`, or has no effect there, with the evidence."""
    for dead in dead_entries(hooks, release):
        if dead.code is DeadCode.ONCE_WITHOUT_EFFECT and kind is not FileKind.SETTINGS:
            continue  # it counts in a skill, and of a plugin's hooks file nothing is known
        if not any(dead.path[:length] in bad for length in (3, 5)):
            says = f"{dead.says} (Claude Code: {dead.evidence})"
            yield Caution(CautionCode(dead.code.value), dead.path, _key_spot(text, dead.path), Words(says))


def _plugin_keys(text: JsonText, document: dict[str, Any], release: str) -> Iterator[Caution]:
    policy = plugin_policy_of(release)
    shown = "; the client names it at every start" if policy.names_unknown_keys else ""
    for key in document:
        if key == _SCHEMA:
            says = f"`{_SCHEMA}` has no effect in a hooks file; releases {_SCHEMA_NAMED} name it at every start"
            yield Caution(CautionCode.UNKNOWN_FIELD, (key,), _key_spot(text, (key,)), Words(says))
        elif key not in policy.silent_keys:
            words = Words(f"key unknown in a hooks file; it has no effect{shown}", name=key)
            yield Caution(CautionCode.UNKNOWN_FIELD, (key,), _key_spot(text, (key,)), words)


_SCHEMA: Final = "$schema"
_SCHEMA_NAMED: Final = "2.1.267 to 2.1.273"
"""The releases whose client names `$schema` as unknown: between the two changes of `plugin_eras`."""


def _root(text: JsonText, document: dict[str, Any], contract: Contract) -> Iterator[Caution]:
    events = [key for key in document if key in contract.events]
    if events:
        says = f"{', '.join(events)} {_AT_ROOT[len(events) == 1]}"
        yield Caution(CautionCode.EVENT_AT_ROOT, (events[0],), _key_spot(text, (events[0],)), Words(says))
    if _HOOKS not in document:
        for key in document:
            if near_key(key, _HOOKS):
                words = Words("this key is not `hooks`; did you mean hooks", name=key, suggestion=_HOOKS)
                yield Caution(CautionCode.MISSPELT_HOOKS, (key,), _key_spot(text, (key,)), words)


def _matcher(
    text: JsonText,
    matcher: dict[str, Any],
    path: ConfigPath,
    bad: frozenset[ConfigPath],
    contract: Contract,
    release: str,
) -> Iterator[Caution]:
    for key in matcher:
        if key not in STRUCTURE[:2]:
            near = near_field(key, [name for name in ("matcher",) if name not in matcher])
            hint = f"; did you mean {near}" if near else ""
            words = Words(f"field unknown in a matcher; it has no effect{hint}", name=key, suggestion=near)
            yield Caution(CautionCode.UNKNOWN_FIELD, (*path, key), _key_spot(text, (*path, key)), words)
    for index, entry in enumerate(matcher.get(_HOOKS) or ()):
        where = (*path, _HOOKS, index)
        if isinstance(entry, dict) and where not in bad:
            yield from _entry(text, entry, where, contract, release)


def _entry(
    text: JsonText, entry: dict[str, Any], path: ConfigPath, contract: Contract, release: str
) -> Iterator[Caution]:
    entry_type = entry["type"]
    fields = contract.fields[entry_type]
    timeout = entry.get("timeout")
    if isinstance(timeout, int | float) and timeout >= _LONG and timeout % _ROUND == 0 and "timeout" in fields:
        says = f"a timeout of {_duration(timeout)}: it is in seconds, and looks like milliseconds"
        words = Words(says, fix=f"write {timeout / 1000:g} for {timeout:g} milliseconds")
        place = (*path, "timeout")
        yield Caution(CautionCode.LONG_TIMEOUT, place, _key_spot(text, place), words)
    for key in entry:
        if key == "type" or key in fields or key in _fields_upstream(release, entry_type):
            continue
        near = near_field(key, [field for field in fields if field not in entry])
        unit = " (seconds)" if near is not None and fields[near].kind == "seconds" else ""
        hint = f"; did you mean {near}{unit}" if near else ""
        words = Words(f"field unknown for type {entry_type}{hint}", name=key, suggestion=near)
        yield Caution(CautionCode.UNKNOWN_FIELD, (*path, key), _key_spot(text, (*path, key)), words)


_DISABLED: Final = "disableAllHooks"
_LONG: Final = 1000
"""Seconds from which on a timeout is taken for milliseconds if it is also a multiple of `_ROUND`."""
_ROUND: Final = 500


def _duration(seconds: float) -> str:
    return f"{seconds / 3600:.1f} hours" if seconds >= 3600 else f"{seconds / 60:.0f} minutes"


@cache
def _fields_upstream(pin: str, entry_type: str) -> frozenset[str]:
    """Fields that the pinned release has and the contract leaves out: they are not dead."""
    surface = surface_of(pin)
    table = surface.tables.get(HOOK_ENTRY_FIELDS_TABLE) if surface else None
    return frozenset(field.name for field in table.rows.get(entry_type, ())) if table else frozenset()


def _key_spot(text: JsonText, path: ConfigPath) -> Any:
    location = text.locate(path)
    return location and (location.key or location.value)
