use serde::{Deserialize, Serialize};

/// When a hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub enum HookEvent {
    PreToolUse,
    PostToolUse,
    PostToolUseFailure,
    Notification,
    #[serde(rename = "UserPromptSubmit")]
    OnUserPromptSubmit,
    #[serde(rename = "UserPromptExpansion")]
    OnUserPromptExpansion,
    #[serde(rename = "SessionStart")]
    OnSessionStart,
    #[serde(rename = "SessionEnd")]
    OnSessionEnd,
    #[serde(rename = "Stop")]
    OnStop,
    #[serde(rename = "StopFailure")]
    OnStopFailure,
    #[serde(rename = "SubagentStart")]
    OnSubagentStart,
    #[serde(rename = "SubAgentStop")]
    OnSubAgentStop,
    #[serde(rename = "PreCompact")]
    OnPreCompact,
    #[serde(rename = "PostCompact")]
    OnPostCompact,
    #[serde(rename = "PermissionRequest")]
    OnPermissionRequest,
    #[serde(rename = "PermissionDenied")]
    OnPermissionDenied,
    #[serde(rename = "PreCommit")]
    OnPreCommit,
    #[serde(rename = "Setup")]
    OnSetup,
    #[serde(rename = "TeammateIdle")]
    OnTeammateIdle,
    #[serde(rename = "TaskCreated")]
    OnTaskCreated,
    #[serde(rename = "TaskCompleted")]
    OnTaskCompleted,
    #[serde(rename = "Elicitation")]
    OnElicitation,
    #[serde(rename = "ElicitationResult")]
    OnElicitationResult,
    #[serde(rename = "ConfigChange")]
    OnConfigChange,
    #[serde(rename = "WorktreeCreate")]
    OnWorktreeCreate,
    #[serde(rename = "WorktreeRemove")]
    OnWorktreeRemove,
    #[serde(rename = "InstructionsLoaded")]
    OnInstructionsLoaded,
    #[serde(rename = "CwdChanged")]
    OnCwdChanged,
    #[serde(rename = "FileChanged")]
    OnFileChanged,
    #[serde(rename = "MessageDisplay")]
    OnMessageDisplay,
    #[serde(rename = "DirectoryAdded")]
    OnDirectoryAdded,
    #[serde(rename = "PreModelSwitch")]
    OnPreModelSwitch,
    #[serde(rename = "PostModelSwitch")]
    OnPostModelSwitch,
}
