"""The plain form of YAML that driftgate writes, and its own reader: importing PyYAML takes 20 ms of a check's 75.

A check must stay within 8 times `python -c pass` (`python -m benchmarks start`), and snapshots and the history are read
at every start. So the few forms that our writers use are read here: block mappings and lists two spaces deep, flow
mappings and lists on one line, plain words, and what JSON can say, all of it in printable ASCII (YAML has line breaks
and white space beyond that). Anything else, down to a space too many, is not for here (`None`), and is left to PyYAML;
what is read here means the same there, which the tests hold against it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

_RESERVED: Final = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
"""Words (in any letter case) that are no text in YAML unless they are quoted."""

_WORD: Final = r"[A-Za-z_][A-Za-z0-9_.<>-]*"
_PLAIN: Final = re.compile(_WORD)


def scalar(value: Any) -> str:
    """Return a scalar as YAML that is read back as exactly that: plain where that is safe, else quoted as JSON does."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _RESERVED:
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return quoted if quoted.isascii() and quoted.isprintable() else "".join(map(_escaped, quoted))


def _escaped(character: str) -> str:
    """JSON leaves some characters as they are that YAML takes for line breaks, or refuses."""
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def flow(record: Mapping[str, Any]) -> str:
    """Return a record as a mapping on one line; its values are scalars, and lists and mappings of such."""
    return "{" + ", ".join(f"{scalar(key)}: {_flow_value(value)}" for key, value in record.items()) + "}"


def flow_list(items: Iterable[Any]) -> str:
    """Return scalars as a list on one line."""
    return f"[{', '.join(map(_flow_value, items))}]"


def _flow_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return flow(value)
    return flow_list(value) if isinstance(value, list | tuple) else scalar(value)


# Only ASCII: a class of all the characters that YAML allows takes longer to compile than a snapshot to read.
_QUOTED: Final = r'"(?:[ !#-\[\]-~]|\\["\\bfnrt]|\\u(?!d[89a-f])[0-9a-f]{4})*"'
_NOT_PLAIN: Final = re.compile(r"[^\n -~]")
_LINE: Final = re.compile(rf"( *)(?:(- )|({_WORD}|\d+\.\d+\.\d+|{_QUOTED}):(?: (?=\S)|\Z))(.*)")
_TOKEN: Final = re.compile(rf"{_QUOTED}|{_WORD}|(?<![\w.-])(?:0|[1-9]\d*)(?![\w.-])|\[\]|\{{\}}|[\[\]{{}}]|, |: ")


class _OtherFormError(Exception):
    """The text is not in the plain form."""


def parse_canonical(text: str) -> Any:
    """Return the data of `text`, or None where it is not in the plain form (and may be good YAML all the same)."""
    if _NOT_PLAIN.search(text):
        return None
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    try:
        value, end = _block(lines, 0, 0)
    except (_OtherFormError, IndexError, ValueError, RecursionError):
        return None
    return value if end == len(lines) else None


def _block(lines: list[str], index: int, indent: int) -> tuple[Any, int]:
    """Read the mapping or the list at `indent` that starts at line `index`; return it and the line after it."""
    mapping: dict[str, Any] = {}
    items: list[Any] = []
    while index < len(lines):
        match = _LINE.fullmatch(lines[index])
        if match is None:
            raise _OtherFormError
        spaces, dash, key, rest = match.groups()
        if len(spaces) != indent or (mapping if dash else items):
            break
        index += 1
        if dash:
            items.append(_value(rest))
        elif rest:
            _put(mapping, key, _value(rest))
        else:
            deeper = indent if lines[index].startswith(" " * indent + "- ") else indent + 2
            value, index = _block(lines, index, deeper)
            _put(mapping, key, value)
    if not mapping and not items:
        raise _OtherFormError
    return (items or mapping), index


def _put(mapping: dict[str, Any], key: str, value: Any) -> None:
    name = json.loads(key) if key.startswith('"') else key
    if name in mapping or key.lower() in _RESERVED:
        raise _OtherFormError
    mapping[name] = value


def _value(text: str) -> Any:
    """Read what stands on one line: its plain words quoted, it is JSON."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text:
        raise _OtherFormError
    return json.loads("".join(map(_as_json, tokens)), object_pairs_hook=_once)


_SAME: Final = frozenset({"null", "true", "false"})


def _as_json(token: str) -> str:
    if not (token[0].isalpha() or token[0] == "_") or token in _SAME:
        return token
    if token.lower() in _RESERVED:
        raise _OtherFormError
    return f'"{token}"'


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise _OtherFormError
    return record
