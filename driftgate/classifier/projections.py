"""Strict parsers of the parts of a hooks configuration: projections of the classifier.

A value is accepted if and only if the classifier loads all of it; the parsed value is what it loaded. There is no
second statement of what is valid: the smallest document around the value is classified. A matcher or an entry is put
under an event that guards nothing, so that the codes say what is wrong with the value itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Generic, TypeGuard, TypeVar, cast

from driftgate.classifier.contract import (
    CONTRACT,
    AgentHookEntryDict,
    CommandHookEntryDict,
    Contract,
    HookEntryDict,
    HookMatcherEntryDict,
    HooksConfigDict,
    HttpHookEntryDict,
    McpToolHookEntryDict,
    PromptHookEntryDict,
)
from driftgate.classifier.hooks_config import read_pieces
from driftgate.classifier.outgoing import ConfigPath, render_path
from driftgate.classifier.result import CODE_MEANINGS, Piece
from driftgate.errors import DriftgateError, ExitCode

T = TypeVar("T")


class HooksParseError(DriftgateError, ValueError):
    """A value that does not load whole. `issues` are its bad pieces in order, their paths relative to the value."""

    code: ClassVar[ExitCode] = ExitCode.DRIFT

    def __init__(self, name: str, issues: tuple[Piece, ...], contract: Contract = CONTRACT) -> None:
        self.name = name
        self.issues = issues
        lines = (f"{render_path(issue.path, issue.field, contract=contract)}: {issue.code.value}" for issue in issues)
        super().__init__(
            f"not a {name}: {len(issues)} of its pieces would not load",
            expected="; ".join(dict.fromkeys(CODE_MEANINGS[issue.code] for issue in issues)),
            found=", ".join(lines),
        )


@dataclass(frozen=True)
class StrictParser(Generic[T]):
    """Accepts a value if and only if the classifier loads all of it.

    `name` is for messages; `place` is where the value stands in the document that is classified.
    """

    name: str
    place: ConfigPath
    contract: Contract = CONTRACT

    def parse(self, value: object) -> T:
        """Return what loads of `value`: a new value, with the fields of the contract only.

        Raises `HooksParseError`, with every piece that does not load, if that is not all of it.
        """
        loaded, issues = self._read(value)
        if issues:
            raise HooksParseError(self.name, issues, self.contract)
        return loaded

    def accepts(self, value: object) -> TypeGuard[T]:
        """Return whether the classifier loads all of `value`."""
        return not self._read(value)[1]

    def _read(self, value: object) -> tuple[T, tuple[Piece, ...]]:
        document: Any = value
        for segment in reversed(self.place):
            document = {segment: document} if isinstance(segment, str) else [document]
        loaded, pieces = read_pieces(document, self.contract)
        part: Any = loaded
        if not pieces:
            for segment in self.place[1:]:
                part = part[segment]
        depth = len(self.place)
        return cast("T", part), tuple(piece.within(depth) for piece in pieces)


def _plain_event(contract: Contract) -> str:
    """Return an event in which nothing has to be a guard."""
    return next(event for event in contract.events if event not in contract.guard_events)


def _entry_parser(name: str, *entry_types: str) -> StrictParser[Any]:
    place = ("hooks", _plain_event(CONTRACT), 0, "hooks", 0)
    return StrictParser(name, place, replace(CONTRACT, entry_types=entry_types))


HooksConfig: Final[StrictParser[HooksConfigDict]] = StrictParser("HooksConfig", ("hooks",))
"""The value of `hooks`."""

HookMatcherEntry: Final[StrictParser[HookMatcherEntryDict]] = StrictParser(
    "HookMatcherEntry", ("hooks", _plain_event(CONTRACT), 0)
)
"""One matcher and its hooks."""

HookEntry: Final[StrictParser[HookEntryDict]] = _entry_parser("HookEntry", *CONTRACT.entry_types)
"""One hook of any type."""

CommandHookEntry: Final[StrictParser[CommandHookEntryDict]] = _entry_parser("CommandHookEntry", "command")
PromptHookEntry: Final[StrictParser[PromptHookEntryDict]] = _entry_parser("PromptHookEntry", "prompt")
AgentHookEntry: Final[StrictParser[AgentHookEntryDict]] = _entry_parser("AgentHookEntry", "agent")
HttpHookEntry: Final[StrictParser[HttpHookEntryDict]] = _entry_parser("HttpHookEntry", "http")
McpToolHookEntry: Final[StrictParser[McpToolHookEntryDict]] = _entry_parser("McpToolHookEntry", "mcp_tool")
