/** Hook events, newest documentation. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubAgentStop',
  'PreCompact',
  'PostCompact',
  'PermissionRequest',
  'PermissionDenied',
  'PreCommit',
  'Setup',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'MessageDisplay',
  'DirectoryAdded',
  'PreModelSwitch',
  'PostModelSwitch',
] as const;

export type HookEventName = (typeof HOOK_EVENTS)[number];

export const isHookEvent = (name: string): name is HookEventName =>
  (HOOK_EVENTS as readonly string[]).includes(name);
