import { z } from 'zod'

const HookMatcherSchema = z.object({
  matcher: z.string().optional(),
  hooks: z.array(z.unknown()),
})

export const HookEventSchema = z.enum([
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
])

export const HooksSchema = z.partialRecord(HookEventSchema, z.array(HookMatcherSchema))
