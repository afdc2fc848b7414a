package hooks

// HookEvent is the name of a lifecycle event.
type HookEvent string

const (
	HookPreToolUse HookEvent = "PreToolUse"
	HookPostToolUse HookEvent = "PostToolUse"
	HookPostToolUseFailure HookEvent = "PostToolUseFailure"
	HookNotification HookEvent = "Notification"
	HookUserPromptSubmit HookEvent = "UserPromptSubmit"
	HookUserPromptExpansion HookEvent = "UserPromptExpansion"
	HookSessionStart HookEvent = "SessionStart"
	HookSessionEnd HookEvent = "SessionEnd"
	HookStop HookEvent = "Stop"
	HookStopFailure HookEvent = "StopFailure"
	HookSubagentStart HookEvent = "SubagentStart"
	HookSubAgentStop HookEvent = "SubAgentStop"
	HookPreCompact HookEvent = "PreCompact"
	HookPostCompact HookEvent = "PostCompact"
	HookPermissionRequest HookEvent = "PermissionRequest"
	HookPermissionDenied HookEvent = "PermissionDenied"
	HookPreCommit HookEvent = "PreCommit"
	HookSetup HookEvent = "Setup"
	HookTeammateIdle HookEvent = "TeammateIdle"
	HookTaskCreated HookEvent = "TaskCreated"
	HookTaskCompleted HookEvent = "TaskCompleted"
	HookElicitation HookEvent = "Elicitation"
	HookElicitationResult HookEvent = "ElicitationResult"
	HookConfigChange HookEvent = "ConfigChange"
	HookWorktreeCreate HookEvent = "WorktreeCreate"
	HookWorktreeRemove HookEvent = "WorktreeRemove"
	HookInstructionsLoaded HookEvent = "InstructionsLoaded"
	HookCwdChanged HookEvent = "CwdChanged"
	HookFileChanged HookEvent = "FileChanged"
	HookMessageDisplay HookEvent = "MessageDisplay"
	HookDirectoryAdded HookEvent = "DirectoryAdded"
	HookPreModelSwitch HookEvent = "PreModelSwitch"
	HookPostModelSwitch HookEvent = "PostModelSwitch"
)

var blocking = map[HookEvent]bool{HookPreToolUse: true}
