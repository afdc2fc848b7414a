"""Hook events that the linter knows."""

from typing import Final

_TOOL_EVENTS = frozenset(
    {
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "Notification",
        "UserPromptSubmit",
        "UserPromptExpansion",
        "SessionStart",
        "SessionEnd",
        "Stop",
        "StopFailure",
        "SubagentStart",
        "SubAgentStop",
        "PreCompact",
        "PostCompact",
        "PermissionRequest",
        "PermissionDenied",
    }
)

#: The rest of them.
_OTHER_EVENTS = (
    "PreCommit",
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
)

VALID_HOOK_EVENTS: Final = _TOOL_EVENTS | set(_OTHER_EVENTS)
