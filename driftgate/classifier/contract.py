"""The declared constants: the hook configuration contract that this package implements.

Anchored at Claude Code 2.1.296. Every set stands here once. The closed sets are written as `Literal`s and the field
table as `TypedDict`s, because that is the one spelling which type checkers read too: the tuples and
`HOOK_ENTRY_FIELDS` are computed from them, and the classifier, the JSON Schema and the gate read those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NotRequired, TypeAlias, TypedDict, get_args, get_origin

HookEvent: TypeAlias = Literal[
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PermissionRequest",
    "PermissionDenied",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "MessageDisplay",
    "DirectoryAdded",
    "PreModelSwitch",
    "PostModelSwitch",
]
"""One hook event name (a key under `hooks`)."""

HookEntryType: TypeAlias = Literal["command", "prompt", "agent", "http", "mcp_tool"]
"""The `type` of one hook entry."""

HookShell: TypeAlias = Literal["bash", "powershell"]
"""The `shell` of a command entry."""

GuardEvent: TypeAlias = Literal["PreToolUse", "PermissionRequest"]
"""An event whose hooks may guard permissions: anything bad in it rejects the whole document."""

HookFailureMode: TypeAlias = Literal["continue", "block"]
"""The `onFailure` of an entry."""

HOOK_EVENTS: Final[tuple[HookEvent, ...]] = get_args(HookEvent)
HOOK_ENTRY_TYPES: Final[tuple[HookEntryType, ...]] = get_args(HookEntryType)
HOOK_SHELLS: Final[tuple[HookShell, ...]] = get_args(HookShell)
GUARD_EVENTS: Final[tuple[GuardEvent, ...]] = get_args(GuardEvent)
HOOK_FAILURE_MODES: Final[tuple[HookFailureMode, ...]] = get_args(HookFailureMode)

CHECKED: Final = "checked"
"""Marks a field whose value is checked (a wrong one makes the entry bad) and which a loaded entry does not carry."""

Text: TypeAlias = Annotated[str, "text"]
String: TypeAlias = Annotated[str, "string"]
Url: TypeAlias = Annotated[str, "url"]
Shell: TypeAlias = Annotated[HookShell, "shell"]
Boolean: TypeAlias = Annotated[bool, "boolean"]
Seconds: TypeAlias = Annotated[float, "seconds"]
StringRecord: TypeAlias = Annotated[dict[str, str], "stringRecord"]
StringList: TypeAlias = Annotated[list[str], "stringList"]
Record: TypeAlias = Annotated[dict[str, Any], "record"]
FailureMode: TypeAlias = Annotated[HookFailureMode, "failureMode"]

CommandHookEntryDict = TypedDict(
    "CommandHookEntryDict",
    {
        "type": Literal["command"],
        "if": NotRequired[String],
        "timeout": NotRequired[Seconds],
        "statusMessage": NotRequired[String],
        "once": NotRequired[Boolean],
        "command": Text,
        "shell": NotRequired[Shell],
        "async": NotRequired[Boolean],
        "asyncRewake": NotRequired[Boolean],
        "args": NotRequired[Annotated[StringList, CHECKED]],
        "onFailure": NotRequired[Annotated[FailureMode, CHECKED]],
        "rewakeMessage": NotRequired[Annotated[Text, CHECKED]],
        "rewakeSummary": NotRequired[Annotated[Text, CHECKED]],
    },
)
"""A shell command on the host that runs the hook."""

PromptHookEntryDict = TypedDict(
    "PromptHookEntryDict",
    {
        "type": Literal["prompt"],
        "if": NotRequired[String],
        "timeout": NotRequired[Seconds],
        "statusMessage": NotRequired[String],
        "once": NotRequired[Boolean],
        "prompt": Text,
        "model": NotRequired[String],
        "continueOnBlock": NotRequired[Annotated[Boolean, CHECKED]],
    },
)
"""One evaluation of the hook input by a model."""

AgentHookEntryDict = TypedDict(
    "AgentHookEntryDict",
    {
        "type": Literal["agent"],
        "if": NotRequired[String],
        "timeout": NotRequired[Seconds],
        "statusMessage": NotRequired[String],
        "once": NotRequired[Boolean],
        "prompt": Text,
        "model": NotRequired[String],
    },
)
"""A verifier that works as an agent on the hook input."""

HttpHookEntryDict = TypedDict(
    "HttpHookEntryDict",
    {
        "type": Literal["http"],
        "if": NotRequired[String],
        "timeout": NotRequired[Seconds],
        "statusMessage": NotRequired[String],
        "once": NotRequired[Boolean],
        "url": Url,
        "headers": NotRequired[StringRecord],
        "allowedEnvVars": NotRequired[StringList],
        "onFailure": NotRequired[Annotated[FailureMode, CHECKED]],
    },
)
"""A POST of the hook input to a URL."""

McpToolHookEntryDict = TypedDict(
    "McpToolHookEntryDict",
    {
        "type": Literal["mcp_tool"],
        "if": NotRequired[String],
        "timeout": NotRequired[Seconds],
        "statusMessage": NotRequired[String],
        "once": NotRequired[Boolean],
        "server": String,
        "tool": String,
        "input": NotRequired[Record],
    },
)
"""A call of a tool on an MCP server that is configured already."""

HookEntryDict: TypeAlias = (
    CommandHookEntryDict | PromptHookEntryDict | AgentHookEntryDict | HttpHookEntryDict | McpToolHookEntryDict
)
"""One configured hook, discriminated by `type`."""


class HookMatcherEntryDict(TypedDict):
    """One matcher and the hooks that it fires."""

    matcher: NotRequired[str]
    hooks: list[HookEntryDict]


HooksConfigDict: TypeAlias = dict[HookEvent, list[HookMatcherEntryDict]]
"""The value of a settings document's `hooks` key."""


@dataclass(frozen=True, slots=True)
class FieldRule:
    """What the contract says of one field: its kind (a key of `kinds.KINDS`), and whether it is needed and carried."""

    kind: str
    required: bool
    carried: bool


FieldRules: TypeAlias = Mapping[str, Mapping[str, FieldRule]]
"""Entry type -> field name -> rule, both in the order of the contract."""


def _rule(annotation: Any) -> FieldRule:
    required = get_origin(annotation) is not NotRequired
    kind, *marks = (annotation if required else get_args(annotation)[0]).__metadata__
    return FieldRule(kind=kind, required=required, carried=CHECKED not in marks)


def _rules(entry: Any) -> tuple[str, Mapping[str, FieldRule]]:
    fields = dict(entry.__annotations__)
    (entry_type,) = get_args(fields.pop("type"))
    return entry_type, MappingProxyType({name: _rule(annotation) for name, annotation in fields.items()})


HOOK_ENTRY_FIELDS: Final[FieldRules] = MappingProxyType(dict(_rules(entry) for entry in get_args(HookEntryDict)))
"""The one field table, computed from the entry types above, in the order in which a loaded entry's keys come out."""


@dataclass(frozen=True, slots=True, eq=False)
class Contract:
    """The sets that a classifier reads, as one value. Compared and hashed by identity."""

    events: tuple[str, ...]
    entry_types: tuple[str, ...]
    shells: tuple[str, ...]
    guard_events: tuple[str, ...]
    fields: FieldRules


CONTRACT: Final = Contract(HOOK_EVENTS, HOOK_ENTRY_TYPES, HOOK_SHELLS, GUARD_EVENTS, HOOK_ENTRY_FIELDS)
"""The contract of this package."""
