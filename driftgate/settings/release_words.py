"""What a release's own reader refuses or drops, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from driftgate.classifier.contract import HOOK_EVENTS, Contract
from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.plain import kind_word
from driftgate.classifier.result import DropCode, DroppedPiece, Rejection
from driftgate.releases import Verdict
from driftgate.releases.plugin_manifest import expected_of
from driftgate.releases.reader import DocumentCode, ReleasePiece
from driftgate.settings import forms
from driftgate.settings.explain import explain, value_at
from driftgate.settings.pieces import Words


def words_of(
    piece: ReleasePiece, document: Any, contract: Contract, released: Verdict | None
) -> tuple[Words, ConfigPath]:
    """Return the words for `piece` of `document`, and the coordinate that they are about."""
    if isinstance(piece.code, DocumentCode):
        value = value_at(document, piece.path)
        return _DOCUMENT.get(piece.code, _refused)(piece, value), piece.path
    field = piece.fields[0] if piece.fields else None
    path = piece.path[:-1] if field == "type" else piece.path
    release = released.release if released is not None else None
    if isinstance(piece.code, DropCode):
        return explain(DroppedPiece(piece.code, path, field), document, contract, release)
    return explain(Rejection(piece.code, path, field), document, contract, release)


def _unknown_key(_piece: ReleasePiece, _value: Any) -> Words:
    says = "a top-level key that this release does not know; it takes no others"
    return Words(says, "a top-level key that it knows", "another", "leave it out for this release")


def _permission_rule(_piece: ReleasePiece, value: Any) -> Words:
    found = kind_word(value)
    return Words(f"expected a string, found {found}; this release rejects the whole file", "a string", found)


def _too_deep(_piece: ReleasePiece, _value: Any) -> Words:
    return Words("nested too deep for this release, which cuts it", "fewer levels", "more")


def _no_hooks(_piece: ReleasePiece, value: Any) -> Words:
    bare = isinstance(value, dict) and not set(HOOK_EVENTS).isdisjoint(value)
    fix = "put the events under it" if bare else "add it"
    return Words("`hooks` missing", "an object with a `hooks` key", "none", fix, forms.part("hooks"))


_KEYS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "description": ("a string", "write it as a string"),
        "modules": ("a list of at most one path", "name one module"),
        "surface": ("no such key", "remove it"),
    }
)
"""What a hooks file may hold besides `hooks`: what it must be, and how to write it right."""


def _file_key(piece: ReleasePiece, value: Any) -> Words:
    expected, fix = _KEYS[str(piece.path[-1])]
    found = kind_word(value)
    return Words(f"expected {expected}, found {found}; none of the file's hooks load for it", expected, found, fix)


def _hooks_path(_piece: ReleasePiece, value: Any) -> Words:
    expected = "a path that starts with `./` and ends with `.json`, an object of events, or a list of these"
    found = "another string" if isinstance(value, str) else kind_word(value)
    return Words(f"expected {expected}, found {found}", expected, found, "write it like ./hooks/more.json")


def _manifest_key(piece: ReleasePiece, value: Any) -> Words:
    if not piece.path:
        return Words("the manifest has no `name`", "a name", "none", "add it", '{"name": "my-plugin"}')
    expected = expected_of(str(piece.path[0]))
    expected = expected.partition(", or a list")[0] if len(piece.path) > 1 else expected
    found = kind_word(value) if not isinstance(value, str) else "another string"
    return Words(f"expected {expected}, found {found}", expected, found)


def _no_reader(_piece: ReleasePiece, _value: Any) -> Words:
    return Words("this release reads no hooks here", "a release that does", "an older one")


def _refused(piece: ReleasePiece, value: Any) -> Words:
    if piece.code is DocumentCode.NOT_OBJECT:
        return Words(f"document root: expected an object, found {kind_word(value)}", "an object", kind_word(value))
    return Words(f"the document is refused: {piece.code.value}")


_Explainer: TypeAlias = Callable[[ReleasePiece, Any], Words]

_DOCUMENT: Final[Mapping[DocumentCode, _Explainer]] = MappingProxyType(
    {
        DocumentCode.UNKNOWN_KEY: _unknown_key,
        DocumentCode.PERMISSION_RULE: _permission_rule,
        DocumentCode.TOO_DEEP: _too_deep,
        DocumentCode.NO_HOOKS: _no_hooks,
        DocumentCode.FILE_KEY: _file_key,
        DocumentCode.HOOKS_PATH: _hooks_path,
        DocumentCode.MANIFEST_KEY: _manifest_key,
        DocumentCode.NO_READER: _no_reader,
    }
)
