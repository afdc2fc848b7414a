"""The codes that `classify` adds to those of the classifier, and what every code means, in one line."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from driftgate.classifier.result import CODE_MEANINGS
from driftgate.releases.firing import DeadCode
from driftgate.releases.reader import DocumentCode


class FileCode(StrEnum):
    """What is wrong with a file, beyond what the classifier and the releases see."""

    DUPLICATE_KEY = "duplicate-key"
    LOADED_ALREADY = "loaded-already"
    NAMED_TWICE = "named-twice"
    FILE_MISSING = "hooks-file-missing"
    OUTSIDE_PLUGIN = "outside-plugin"
    HOOKS_NOT_READ = "hooks-not-read"
    LOST_HOOK = "lost-hook"


class CautionCode(StrEnum):
    """What loads and is dead, or can be read by some readers only."""

    BYTE_ORDER_MARK = "byte-order-mark"
    INVALID_UTF8 = "invalid-utf8"
    DEEP_NESTING = "deep-nesting"
    EVENT_AT_ROOT = "event-at-root"
    MISSPELT_HOOKS = "misspelt-hooks"
    UNKNOWN_FIELD = "unknown-field"
    SCRIPT_MISSING = "script-missing"
    SCRIPT_NOT_EXECUTABLE = "script-not-executable"
    HOOKS_DISABLED = "hooks-disabled"
    LONG_TIMEOUT = "long-timeout"
    TYPE_NEVER_RUNS = DeadCode.TYPE_NEVER_RUNS.value
    IF_NEVER_HOLDS = DeadCode.IF_NEVER_HOLDS.value
    MATCHER_NOT_LISTED = DeadCode.MATCHER_NOT_LISTED.value
    MATCHER_IGNORED = DeadCode.MATCHER_IGNORED.value
    WATCHES_NOTHING = DeadCode.WATCHES_NOTHING.value
    ONCE_WITHOUT_EFFECT = DeadCode.ONCE_WITHOUT_EFFECT.value
    ON_FAILURE_IGNORED = DeadCode.ON_FAILURE_IGNORED.value


MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{code.value: meaning for code, meaning in CODE_MEANINGS.items()},
        DocumentCode.NOT_JSON: "the text is not JSON as JSON.parse reads it, so nothing of the file applies",
        DocumentCode.BLANK: "the file is blank, which releases before 1.0.66 reject",
        DocumentCode.BYTE_ORDER_MARK: "a byte order mark: releases before 2.0.69 and other readers reject the file",
        DocumentCode.NOT_OBJECT: "the document is not an object, so nothing of the file applies",
        DocumentCode.TOO_LARGE: "the file is larger than the release reads, so nothing of it applies",
        DocumentCode.UNKNOWN_KEY: "a top-level key that a release of 1.0.50 to 1.0.66 does not know rejects the file",
        DocumentCode.PERMISSION_RULE: "a permission rule that is no string, for which releases before 2.1.47 reject",
        DocumentCode.TOO_DEEP: "what is nested deeper than the release reads is cut out",
        FileCode.LOADED_ALREADY: "a plugin's manifest names hooks/hooks.json, which is loaded anyway",
        FileCode.NAMED_TWICE: "a plugin's manifest names a hooks file twice",
        FileCode.FILE_MISSING: "a plugin's manifest names a hooks file that is not there",
        FileCode.OUTSIDE_PLUGIN: "a plugin's manifest names a file outside the plugin, which is not read",
        FileCode.HOOKS_NOT_READ: "hooks in the frontmatter of a plugin's agent or command are not read",
        FileCode.LOST_HOOK: "a hook that loaded in the file of `--before` and does not now",
        FileCode.DUPLICATE_KEY: "a key comes again in the same object: only the last is read, the others are lost",
        DocumentCode.NO_HOOKS: "a plugin's hooks file has no `hooks`, so none of its hooks load",
        DocumentCode.FILE_KEY: "a key of a plugin's hooks file is of the wrong kind, so none of its hooks load",
        DocumentCode.HOOKS_PATH: "the `hooks` of a plugin's manifest name no hooks file, which disables the plugin",
        DocumentCode.MANIFEST_KEY: "a key of a plugin's manifest is not what it must be, which disables the plugin",
        DocumentCode.NO_READER: "the release reads no hooks of plugins",
        CautionCode.INVALID_UTF8: "bytes that are no UTF-8 are read as U+FFFD, so a path with them does not resolve",
        CautionCode.DEEP_NESTING: "newer releases cut what is nested this deep",
        CautionCode.EVENT_AT_ROOT: "an event name at the document root has no effect; it belongs under `hooks`",
        CautionCode.MISSPELT_HOOKS: "there is no `hooks`, and a key that is nearly it",
        CautionCode.UNKNOWN_FIELD: "a field that the release does not know has no effect",
        CautionCode.SCRIPT_MISSING: "the script that a command names in its plugin or project is not there",
        CautionCode.SCRIPT_NOT_EXECUTABLE: "the script that a command runs is there and is not executable",
        CautionCode.HOOKS_DISABLED: "`disableAllHooks` is on, so no hook of any settings file runs",
        CautionCode.LONG_TIMEOUT: "a timeout of hours: the number is of seconds, and may be meant as milliseconds",
        CautionCode.TYPE_NEVER_RUNS: "the release never runs hooks of this type under this event ([tables](firing.md))",
        CautionCode.IF_NEVER_HOLDS: "`if` is evaluated for calls of tools only; elsewhere the hook never runs",
        CautionCode.MATCHER_NOT_LISTED: "the matcher names none of the values listed for the event; it may never fire",
        CautionCode.MATCHER_IGNORED: "the event does not look at `matcher`: the hook runs each time",
        CautionCode.WATCHES_NOTHING: "the event watches the files that `matcher` names, and it names none",
        CautionCode.ONCE_WITHOUT_EFFECT: "`once` has no effect in a settings file: the hook runs each time",
        CautionCode.ON_FAILURE_IGNORED: "`onFailure` is ignored under this event, or for `async` hooks",
    }
)
"""Every code that a verdict can name."""
