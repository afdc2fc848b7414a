"""Which names of a module mean the schema library as a whole (`z`), rather than an object of the program's own.

Three forms have been shipped: an import from the library's package, and the library bundled as a namespace object whose
members are the library's own functions: `Object.freeze({__proto__:null, ..., object:f, ...})`, or an object that is
filled by a helper, `fill(z, {object:()=>f, ...})`.
"""

from __future__ import annotations

import re
from typing import Final

from driftgate.extraction.javascript import cut
from driftgate.extraction.javascript.module import Module, found_at

_PACKAGE: Final = re.compile(r"(?:npm:)?zod(?:@[^/]*)?(?:/.*)?\Z|@zod/[\w./-]+\Z")
_MEMBERS: Final = (b"object", b"string", b"array", b"literal", b"enum", b"union", b"number", b"boolean")
"""Functions that every version of the library has; a namespace that has them all is the library."""
KIND_NAMES: Final = frozenset(
    {"array", "discriminatedUnion", "enum", "literal", "looseRecord", "map", "nativeEnum", "object", "partialRecord"}
    | {"record", "set", "strictObject", "looseObject", "tuple", "union", "lazy", "string", "number", "boolean"}
)
"""Names of members of a namespace that are worth asking what they are; any program has others of its own."""

_USED: Final = re.compile(rb"\s*\??\.\s*(?:" + "|".join(sorted({*KIND_NAMES, "coerce"})).encode() + rb")(?![\w$])")

_FILLED: Final = re.compile(rb"(?:^|[^\w$.])[\w$.\x80-\xff]+\(\s*\Z")
_FROZEN: Final = re.compile(rb"\s*=\s*(?:/\*[^*]*\*/\s*)?Object\.freeze\(\s*(?=\{)")
_LIST: Final = re.compile(rb"\s*,\s*(?=\{)")
_IN_PATTERN: Final = re.compile(rb"[{,:\[]\s*\Z")
_PATTERN_END: Final = re.compile(rb"\s*[,}\]]")


def is_library(specifier: str) -> bool:
    """Tell whether what is imported from `specifier` is the schema library."""
    return _PACKAGE.match(specifier) is not None


def may_be_namespace(source: bytes) -> bool:
    """Tell whether a definition may be that of a namespace object: an empty object, or a frozen one."""
    return source.startswith(b"Object.freeze(") or re.fullmatch(rb"\{\s*\}", source) is not None


def is_namespace(module: Module, name: str) -> bool:
    """Tell whether a module's `name` is the library, bundled as a namespace object."""
    text, spelt = module.text, name.encode()
    for follows, form in ((b",", _LIST), (b"=", _FROZEN), (b" =", _FROZEN), (b" ,", _LIST)):
        for offset in found_at(text, spelt + follows):
            members = form.match(text, offset + len(spelt))
            if members is None or not _is_whole(text, offset):
                continue
            if form is _LIST and not _FILLED.search(text, max(0, offset - 40), offset):
                continue
            if _has_members(text, members.end()):
                return True
    return False


def is_free(module: Module, name: str) -> bool:
    """Tell whether a name that is defined nowhere can be the library, as a global: it makes schemas."""
    text, length = module.text, len(name.encode())
    used = False
    for offset in module.named(name):
        used = used or _USED.match(text, offset + length) is not None
        if _IN_PATTERN.search(text, max(0, offset - 4), offset) and _PATTERN_END.match(text, offset + length):
            return False
    return used or not module.text


def _is_whole(text: bytes, offset: int) -> bool:
    return offset == 0 or not re.match(rb"[\w$.\x80-\xff]", text[offset - 1 : offset])


def _has_members(text: bytes, offset: int) -> bool:
    try:
        members = text[offset : cut.end_of_brackets(text, offset)]
    except cut.CutError:
        return False
    return all(re.search(rb"[{,]\s*[\"']?" + name + rb"[\"']?\s*[:,(}]", members) for name in _MEMBERS)
