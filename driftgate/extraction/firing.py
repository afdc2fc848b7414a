"""What a bundle states of when hooks fire: which value a matcher meets, which entry types an event refuses, and so on.

Each fact is read from one place of known shape, found by what only that place says:

- the table that describes each event to people: `matcherMetadata` where an event's matcher is used, and what each exit
  code means;
- the switch over `hook_event_name` that picks the value which matchers are compared with: the second witness of it;
- the events for which http hooks are skipped, beside the message that says so;
- the events of which an `if` condition is evaluated;
- the callers of the two functions that run hooks, of which one never has a conversation (`hook_runners`).

A part that a release does not have is None ("not stated"); one that is there and not understood is an error. Nothing
is run. Kept apart from the surface: nothing but the firing tables needs it, and it costs a second look at the bundle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from driftgate.artefact import Artefact
from driftgate.errors import ExtractionError
from driftgate.extraction.hook_runners import RunnerError, without_conversation
from driftgate.extraction.javascript import windows
from driftgate.extraction.javascript.cut import CutError, end_of_brackets
from driftgate.extraction.javascript.syntax import JsError, Node, parse, walk

_T = TypeVar("_T")
NEEDLES: Final = (
    b"matcherMetadata",  # the table of events
    b"hook_event_name",  # the switch, the sets of events, and the callers that say which event they run
    b"outside REPL",  # the function that runs hooks without a conversation
    b"HTTP hooks are not supported",
    b"Ignored for async hooks and on ",  # the description of `onFailure`
)
_CODE: Final = b"function"
"""What a module holds, and a single text of a program's table of constants does not."""

_SCRIPTS: Final = (".js", ".mjs", ".cjs")
NO_MATCHER: Final = "none"
"""In place of the field that a matcher is compared with: the matcher is not looked at."""

_TABLE: Final = re.compile(rb'\{\s*"?[A-Za-z]+"?\s*:\s*\{\s*summary\s*:')
_USED: Final = re.compile(rb"matcherMetadata\s*:\s*\{")
_SWITCH: Final = re.compile(rb'switch\((?P<input>[\w$]+)\.hook_event_name\)\{case\s*"PreToolUse"')
_IS_EVENT: Final = rb'(?:[\w$]+==="[A-Za-z]+"(?:\|\|)?)+'
_NO_HTTP: Final = re.compile(
    rb"=(?P<events>" + _IS_EVENT + rb")\?[\w$]+\.filter\(\(?[\w$]+\)?=>\{if\([\w$.]+===\"http\"\)"
)
_NO_AGENT_SAID: Final = re.compile(rb"agent-type hooks are not supported for ([A-Z][A-Za-z]+) events")
_IF_SAID: Final = b"cannot be evaluated for non-tool event"
_EVENT_TEXT: Final = re.compile(rb'"([A-Za-z]+)"')
_HAS_IF: Final = re.compile(
    rb"if\((?P<events>(?:[\w$]+\.hook_event_name!==\"[A-Za-z]+\"(?:&&)?){3,})\)"
    rb"return(?:;|\}|\s*void 0|\s*[\w$]+\(`Hook if)"
)
_NO_AGENT: Final = re.compile(
    rb'if\([\w$]+==="(?P<event>[A-Za-z]+)"\)throw Error\(`?"?agent-type hooks are not supported for'
)
EXIT_TWO: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("blocks", re.compile(r"\b(block|deny|prevent|stop|erase)\b|doesn't run|does not run")),
    ("continues", re.compile(r"\bcontinue\b")),
    ("tells the model", re.compile(r"stderr to (model|subagent|Claude)")),
    ("tells the user", re.compile(r"stderr to user|shown to user")),
)
"""What exit code 2 may do, by what the table says of it; the first that fits."""

_WATCHES: Final = "matcher field specifies filenames to watch"
_NO_ON_FAILURE: Final = re.compile(rb"Ignored for async hooks and on ([A-Za-z, ]+)\.")
_EXIT_LINE: Final = re.compile(r"^(Exit code (\d+)|Other exit codes) - (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FiringFacts:
    """What a bundle states; None for a part that it does not state.

    `described`: each event of the table to whether its matcher is used; `values`: the values that the table lists for
    a matcher (only where they are all written there). `compared`: each event to the field of its input that a matcher
    is compared with (`none`: with nothing). `no_http`: events for which http hooks are skipped. `with_if`: events for
    which an `if` is evaluated; under others it never holds. `without_conversation`: events whose hooks run where there
    is no conversation, so that prompt and agent hooks fail. `no_agent`: events that refuse agent hooks besides.
    `exit_codes`: what exit code 2 of a hook does by the table, per event that it says it of: a word of `EXIT_TWO`.
    `watching`: events whose matcher names the files to watch, by the table: without one they watch nothing.
    `no_on_failure`: events under which `onFailure` is ignored, by the description of that field.
    """

    described: Mapping[str, bool] | None
    values: Mapping[str, tuple[str, ...]]
    compared: Mapping[str, str] | None
    no_http: tuple[str, ...] | None
    with_if: tuple[str, ...] | None
    without_conversation: tuple[str, ...] | None
    no_agent: tuple[str, ...]
    exit_codes: Mapping[str, str]
    watching: tuple[str, ...]
    no_on_failure: tuple[str, ...] | None


def read_firing(artefact: Artefact) -> FiringFacts:
    """Return what `artefact` states of when hooks fire.

    Raises ExtractionError where a part is there and not understood, or where two copies of it differ; AnchorError as a
    pass over the artefact does.
    """
    runs = (run.text for member in artefact.open_members() for run in _runs(member.name, member.chunks))
    return facts_of([text for text in runs if _CODE in text], str(artefact.origin))


def _runs(name: str, chunks: Iterator[bytes]) -> Iterator[windows.Run]:
    if name.endswith(_SCRIPTS):
        yield from windows.whole(chunks)
    elif "." not in name.rsplit("/", 1)[-1] or name.endswith(".exe"):
        yield from windows.runs(chunks, NEEDLES)


def facts_of(texts: Sequence[bytes], where: str = "") -> FiringFacts:
    """As `read_firing`, of the texts of modules; `where` is what they are called in errors."""
    try:
        table = _one(_tables(texts), "the table of events")
        return FiringFacts(
            described={event: row.uses_matcher for event, row in table.items()} if table else None,
            values={event: row.values for event, row in (table or {}).items() if row.values},
            compared=_one(_compared(texts), "the value that matchers are compared with"),
            no_http=_one(_no_http(texts), "the events that skip http hooks"),
            with_if=_one(_with_if(texts), "the events that evaluate `if`"),
            without_conversation=without_conversation(texts),
            no_agent=_no_agent(texts),
            exit_codes={event: row.exit_two for event, row in (table or {}).items() if row.exit_two},
            watching=tuple(sorted(event for event, row in (table or {}).items() if row.watches)),
            no_on_failure=_one(_no_on_failure(texts), "the events that ignore `onFailure`"),
        )
    except (CutError, JsError, RunnerError, _NotUnderstoodError) as error:
        raise ExtractionError(
            "when hooks fire is not understood",
            where=where,
            expected="the table of events, the switch over hook_event_name and the callers of the hook runners",
            found=str(error),
            next="report this release",
        ) from error


class _NotUnderstoodError(ValueError):
    """A part is there and has another shape."""


def _one(found: Iterator[_T], what: str) -> _T | None:
    """The one value that every copy states; None where there is no copy."""
    copies = list(found)
    if any(copy != copies[0] for copy in copies):
        raise _NotUnderstoodError(f"{what}: two copies that differ: {copies[0]} and {copies[-1]}")
    return copies[0] if copies else None


# --- the table that describes events ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    """What the table says of one event."""

    uses_matcher: bool
    values: tuple[str, ...]
    exit_two: str
    watches: bool


def _tables(texts: Sequence[bytes]) -> Iterator[Mapping[str, _Row]]:
    for text in texts:
        if not _USED.search(text):
            continue
        found = [table for match in _TABLE.finditer(text) if (table := _table(text, match.start())) is not None]
        if not found:
            raise _NotUnderstoodError("`matcherMetadata`, and no table of events around it")
        yield from found


def _table(text: bytes, start: int) -> Mapping[str, _Row] | None:
    """The table of events that begins at `start`; None where another object does."""
    source = text[start : end_of_brackets(text, start)]
    if not _USED.search(source):
        return None
    rows = {_name(each.key): each.value for each in parse(source).properties}
    return {event: _row(node) for event, node in rows.items()} if "PreToolUse" in rows else None


def _row(node: Node) -> _Row:
    members = {_name(each.key): each.value for each in node.properties}
    if not {"summary", "description"} <= set(members) or set(members) - {"summary", "description", "matcherMetadata"}:
        raise _NotUnderstoodError(f"a row of the table of events with {sorted(members)}")
    description = _text(members["description"])
    effects = {code or "other": effect for _, code, effect in _EXIT_LINE.findall(description)}
    metadata = members.get("matcherMetadata")
    return _Row(metadata is not None, _values(metadata), exit_two(effects.get("2", "")), _WATCHES in description)


def exit_two(text: str) -> str:
    """What exit code 2 does, in a word of ours, by the table's text; empty for an empty one."""
    found = next((word for word, pattern in EXIT_TWO if pattern.search(text)), "")
    if text and not found:
        raise _NotUnderstoodError(f"an effect of exit code 2 that is not known: {text}")
    return found


def _values(metadata: Node | None) -> tuple[str, ...]:
    """The values of a matcher that are all written in the table; empty where they are not, or there are none."""
    listed = next((p.value for p in metadata.properties if _name(p.key) == "values"), None) if metadata else None
    if listed is None or listed.type != "ArrayExpression" or any(e.type != "Literal" for e in listed.elements):
        return ()
    return tuple(element.value for element in listed.elements)


def _text(node: Node) -> str:
    if node.type == "Literal" and isinstance(node.value, str):
        return node.value
    if node.type == "TemplateLiteral" and not node.expressions:
        return str(node.quasis[0].value.cooked)
    raise _NotUnderstoodError(f"a description of an event that is a {node.type}")


def _name(key: Node) -> str:
    return str(key.name if key.type == "Identifier" else key.value)


# --- what a matcher is compared with ----------------------------------------------------------------------------------


def _compared(texts: Sequence[bytes]) -> Iterator[Mapping[str, str]]:
    for text in texts:
        for match in _SWITCH.finditer(text):
            start = text.index(b"{", match.start())
            body = text[match.start() : end_of_brackets(text, start)]
            if b".tool_name" not in body or b".notification_type" not in body:
                continue  # another switch over events: not the one that picks a matcher's value
            switch = parse(b"function(){" + body + b"}").body.body[0]
            yield _cases(switch, match["input"].decode())


def _cases(switch: Node, name: str) -> dict[str, str]:
    compared: dict[str, str] = {}
    waiting: list[str] = []
    for case in switch.cases:
        if case.test is not None:
            waiting.append(str(case.test.value))
        if not case.consequent:
            continue
        fields = {
            each.property.name
            for statement in case.consequent
            for each in walk(statement)
            if each.type == "MemberExpression" and each.object.type == "Identifier" and each.object.name == name
        }
        if len(fields) > 1:
            raise _NotUnderstoodError(f"a matcher of {waiting} that is compared with {sorted(fields)}")
        compared |= dict.fromkeys(waiting, next(iter(fields), NO_MATCHER))
        waiting = []
    return compared


# --- which hooks are refused ------------------------------------------------------------------------------------------


def _no_http(texts: Sequence[bytes]) -> Iterator[tuple[str, ...]]:
    for text in texts:
        at = text.find(b"HTTP hooks are not supported for")
        while at >= 0:
            before = text[max(0, at - 400) : at]
            found = list(_NO_HTTP.finditer(before))
            if not found:
                raise _NotUnderstoodError("http hooks are refused, and for which events is not understood")
            yield tuple(sorted(event.decode() for event in _EVENT_TEXT.findall(found[-1]["events"])))
            at = text.find(b"HTTP hooks are not supported for", at + 1)


def _no_agent(texts: Sequence[bytes]) -> tuple[str, ...]:
    found = {match["event"].decode() for text in texts for match in _NO_AGENT.finditer(text)}
    said = {event.decode() for text in texts for event in _NO_AGENT_SAID.findall(text)}
    if found != said:
        raise _NotUnderstoodError(f"agent hooks are refused for {sorted(said)}, and where is not understood")
    return tuple(sorted(found))


def _with_if(texts: Sequence[bytes]) -> Iterator[tuple[str, ...]]:
    found = False
    for text in texts:
        for match in _HAS_IF.finditer(text):
            events = tuple(sorted(event.decode() for event in _EVENT_TEXT.findall(match["events"])))
            if "PreToolUse" in events and "PostToolUse" in events:
                found = True
                yield events
    if not found and any(_IF_SAID in text for text in texts):
        raise _NotUnderstoodError("an `if` cannot be evaluated for some events, and for which is not understood")


def _no_on_failure(texts: Sequence[bytes]) -> Iterator[tuple[str, ...]]:
    for text in texts:
        for match in _NO_ON_FAILURE.finditer(text):
            yield tuple(sorted(re.findall(r"[A-Z][A-Za-z]+", match[1].decode())))
