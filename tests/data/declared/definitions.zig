const std = @import("std");
const types = @import("../shared/types.zig");

pub const HookKind = enum {
    before_tool,
    stop,

    pub fn definition(self: HookKind) HookDefinition {
        return switch (self) {
            .before_tool => before_tool,
            .stop => stop,
        };
    }
};

pub const HookDefinition = struct {
    kind: HookKind,
    lifecycle_event: []const u8,
    purpose: []const u8,
};

pub const before_tool = HookDefinition{
    .kind = .before_tool,
    .lifecycle_event = "PreToolUse",
    .purpose = "lets a handler look first",
};
pub const stop = HookDefinition{
    .kind = .stop,
    .lifecycle_event = "Stop",
    .purpose = "lets a handler ask for more",
};
pub const all_hooks = [_]HookDefinition{ before_tool, stop };

pub const ScopeKind = enum { interactive, ask };
pub const Scope = struct { kind: ScopeKind, session_id: ?[]const u8 = null, outcome: types.Outcome };
pub const Limits = struct {
    pub const name_bytes = 128;
    pub const reason_bytes = 4 * 1024;
};
pub const RegistrationError = error{ EmptyName, NameTooLong };
pub const StopAction = union(enum) {
    allow,
    continue_once: []const u8,
};

test "both hooks are there" {
    try std.testing.expectEqual(@as(usize, 2), all_hooks.len);
    try std.testing.expectEqualStrings("PreToolUse", HookKind.before_tool.definition().lifecycle_event);
}
