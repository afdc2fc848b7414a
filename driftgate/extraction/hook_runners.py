"""Which events run their hooks where there is no conversation: the callers of the two functions that run hooks.

One of them says that prompt and agent hooks are "not yet supported outside REPL"; the other refuses them where its
caller hands it no conversation. Which events that concerns is what their callers say in the input that they build.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from driftgate.extraction.javascript.cut import CutError, end_of_body, end_of_brackets

_OUTSIDE: Final = b"Prompt stop hooks are not yet supported outside REPL"
_INSIDE: Final = re.compile(
    rb"ToolUseContext is required for prompt hooks|prompt-type hooks are not supported for \$\{"
)
_NAMED_EVENT: Final = re.compile(rb'hook_event_name:\s*"([A-Za-z]+)"')
_FUNCTION: Final = re.compile(rb"function\*?\s*(?P<name>[\w$]+)\(")
_CONVERSATION: Final = b"toolUseContext"
_HANDS_ON: Final = re.compile(rb"[\w$]+\((?P<argument>[\w$]+)\)")
_ONE_PARAMETER: Final = re.compile(rb"function\*?\s*[\w$]+\((?P<parameter>[\w$]+)\)")

_LOOK_BACK: Final = 128 * 1024
"""How far before a call the head of its function is looked for, in bytes."""


class RunnerError(ValueError):
    """A function that runs hooks is there and has another shape."""


def without_conversation(texts: Sequence[bytes]) -> tuple[str, ...] | None:
    """The events known to run their hooks without a conversation, always; None where the bundle has no such runner.

    It is a list of what was found, not the opposite of one: an event that is not in it is not known to have one.
    """
    outside = {_function_around(text, at) for text in texts for at in _found(text, _OUTSIDE)}
    if not outside:
        return None
    inside = {_function_around(text, match.start()) for text in texts for match in _INSIDE.finditer(text)}
    without: set[str] = set()
    with_one: set[str] = set()
    for runner in outside:
        for _, events in _calls(texts, runner, depth=2):
            without |= events
    for runner in inside:
        for call, events in _calls(texts, runner, depth=2):
            # A spread may hand a conversation on.
            (with_one if _CONVERSATION in call or b"..." in call else without).update(events)
    return tuple(sorted(without - with_one))


def _calls(
    texts: Sequence[bytes], name: str, *, depth: int, below: frozenset[str] = frozenset()
) -> Iterator[tuple[bytes, set[str]]]:
    """Yield each call of function `name`, as written, with the events that its caller builds the input of.

    A caller that hands on its one argument is looked through. One that builds no input was given it: its own callers
    are asked, `depth` levels in all.
    """
    spelt = re.escape(name.encode())
    # Names are short and used again: only a module that defines or imports this one means it.
    known = re.compile(rb"function\*?\s*" + spelt + rb"\(|import\{[^}]*(?<![\w$])" + spelt + rb"(?![\w$])[^}]*\}")
    for text in (text for text in texts if known.search(text)):
        for match in re.finditer(rb"(?<![\w$.])" + spelt + rb"\(", text):
            if text[max(0, match.start() - 12) : match.start()].endswith((b"function ", b"function* ", b"function*")):
                continue
            call = _call(text, match.start(), match.end() - 1)
            caller, body = _caller(text, match.start())
            if caller in below or caller == name:
                continue
            if caller and depth > 1 and _hands_on(call, body):
                yield from _calls(texts, caller, depth=depth, below=below | {name})
                continue
            events = {event.decode() for event in _NAMED_EVENT.findall(body)}
            if not events and caller and depth > 1:
                events = {
                    event
                    for _, found in _calls(texts, caller, depth=depth - 1, below=below | {name})
                    for event in found
                }
            yield call, events


def _hands_on(call: bytes, caller: bytes) -> bool:
    """Whether `call` hands on the one argument that its caller was given."""
    given, taken = _HANDS_ON.fullmatch(call), _ONE_PARAMETER.match(caller)
    return given is not None and taken is not None and given["argument"] == taken["parameter"]


def _call(text: bytes, start: int, bracket: int) -> bytes:
    """The call at `start`; where it cannot be cut (in a text, say), one that may hand anything on."""
    try:
        return text[start : end_of_brackets(text, bracket)]
    except CutError:
        return b"..."


def _caller(text: bytes, at: int) -> tuple[str, bytes]:
    """The name and the text of the innermost named function around `at`; nothing where there is none."""
    heads = list(_FUNCTION.finditer(text, max(0, at - _LOOK_BACK), at))
    for head in reversed(heads):
        try:
            end = end_of_body(text, head.start())
        except CutError:  # the word in a text
            continue
        if end > at:
            return head["name"].decode(), text[head.start() : end]
    return "", b""


def _function_around(text: bytes, at: int) -> str:
    name, _ = _caller(text, at)
    if not name:
        raise RunnerError(f"a runner of hooks that is no named function: {text[max(0, at - 60) : at + 40]!r}")
    return name


def _found(text: bytes, needle: bytes) -> Iterator[int]:
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + 1)
