export type HookEvent =
    | "PreToolUse"
    | "PostToolUse"
    | "PostToolUseFailure"
    | "Notification"
    | "UserPromptSubmit"
    | "UserPromptExpansion"
    | "SessionStart"
    | "SessionEnd"
    | "Stop"
    | "StopFailure"
    | "SubagentStart"
    | "SubAgentStop"
    | "PreCompact"
    | "PostCompact"
    | "PermissionRequest"
    | "PermissionDenied"
    | "PreCommit"
    | "Setup"
    | "TeammateIdle"
    | "TaskCreated"
    | "TaskCompleted"
    | "Elicitation"
    | "ElicitationResult"
    | "ConfigChange"
    | "WorktreeCreate"
    | "WorktreeRemove"
    | "InstructionsLoaded"
    | "CwdChanged"
    | "FileChanged"
    | "MessageDisplay"
    | "DirectoryAdded"
    | "PreModelSwitch"
    | "PostModelSwitch";
export interface HookMatcher {
    matcher?: string;
    hooks: unknown[];
}
export type HooksConfig = Partial<Record<HookEvent, HookMatcher[]>>;
