// zod schemas in the structure of a settings reader: factories, lazy wrappers, sets from other modules.
import { HOOK_EVENTS, type HookEvent } from 'src/core/events.js'
import { z } from 'zod/v4'
import { lazily } from '../utils/lazily.js'
import { SHELL_TYPES } from './shells.js'

const ConditionSchema = lazily(() => z.string().optional().describe('When ' + 'it runs.'))

function buildSchemas() {
  const CommandSchema = z.object({
    type: z.literal('command').describe('Runs a command'),
    command: z.string().describe('The command'),
    if: ConditionSchema(),
    shell: z.enum(SHELL_TYPES).optional().describe("'bash' or 'powershell'"),
    timeout: z.number().positive().optional(),
  })
  const HttpSchema = z.object({
    type: z.literal('http'),
    url: z.string().url(),
    headers: z.record(z.string(), z.string()).optional(),
    allowedEnvVars: z.array(z.string()).optional(),
  })
  return { CommandSchema, HttpSchema }
}

export const EntrySchema = lazily(() => {
  const { HttpSchema, CommandSchema } = buildSchemas()
  return z.discriminatedUnion('type', [CommandSchema, HttpSchema])
})

export const MatcherSchema = lazily(() =>
  z.object({ matcher: z.string().optional(), hooks: z.array(EntrySchema()) }),
)

export const HooksSchema = lazily(() => z.partialRecord(z.enum(HOOK_EVENTS), z.array(MatcherSchema())))

export type Entry = z.infer<ReturnType<typeof EntrySchema>>
export type CommandEntry = Extract<Entry, { type: 'command' }>
export type HooksSettings = Partial<Record<HookEvent, string[]>>
