/** A contract in the structure of a published declaration file: constants with their types, and types from them. */
import type { ConfigPath } from "./paths.js";
/** The closed set of event names. */
export declare const HOOK_EVENTS: readonly ["PreToolUse", "PostToolUse", "Stop"];
type EventWord = (typeof HOOK_EVENTS)[number];
export declare const HOOK_ENTRY_TYPES: readonly ["command", "http"];
export type HookEntryType = (typeof HOOK_ENTRY_TYPES)[number];
declare const HOOK_SHELLS: readonly ["bash", "powershell"];
/** The field table. */
declare const HOOK_ENTRY_FIELDS: {
    readonly command: {
        readonly if: "string?";
        readonly timeout: "seconds?";
        readonly command: "text";
        readonly shell: "shell?";
    };
    readonly http: {
        readonly url: "text";
        readonly headers: "stringRecord?";
        readonly allowedEnvVars: "stringList?";
    };
};
type FieldValue<B> = B extends "text" | "string" ? string : B extends "shell" ? (typeof HOOK_SHELLS)[number] : never;
type EntryOf<T extends HookEntryType, F = (typeof HOOK_ENTRY_FIELDS)[T]> = {
    -readonly [K in keyof F as F[K] extends `${string}?` ? never : K]: FieldValue<F[K]>;
} & { type: T };
export type CommandHookEntry = EntryOf<"command">;
export type HookEntry = {
    [T in HookEntryType]: EntryOf<T>;
}[HookEntryType];
export type HookMatcherEntry = {
    matcher?: string;
    hooks: HookEntry[];
};
export type HooksConfig = Partial<Record<EventWord, HookMatcherEntry[]>>;
export declare const OUTCOMES: readonly ["loaded", "partial", "rejected"];
export declare const DROPPED_CODES: readonly ["not-object", "unknown-event"];
export type DroppedCode = (typeof DROPPED_CODES)[number];
export interface Dropped {
    readonly code: DroppedCode;
    readonly path: ConfigPath;
}
export declare function classify(document: unknown): readonly Dropped[];
export declare const HookEntry: z.ZodType<HookEntry>;
export {};
