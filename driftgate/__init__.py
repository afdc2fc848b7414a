"""driftgate: the upstream drift gate for agent hook configuration.

    import driftgate

    report = driftgate.check("path/to/project")
    result = driftgate.classify_hooks_config({"hooks": {}})

What is public is `__all__`; each name is loaded when it is first asked for, so that importing the package costs
nothing. The names are described where they are defined.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it; importing typing would be most of this package's import time

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from driftgate.anchors.options import FetchOptions as FetchOptions
    from driftgate.api import check as check
    from driftgate.api import diff as diff
    from driftgate.api import extract as extract
    from driftgate.api import refresh as refresh
    from driftgate.classifier.contract import CONTRACT as CONTRACT
    from driftgate.classifier.contract import GUARD_EVENTS as GUARD_EVENTS
    from driftgate.classifier.contract import HOOK_ENTRY_FIELDS as HOOK_ENTRY_FIELDS
    from driftgate.classifier.contract import HOOK_ENTRY_TYPES as HOOK_ENTRY_TYPES
    from driftgate.classifier.contract import HOOK_EVENTS as HOOK_EVENTS
    from driftgate.classifier.contract import HOOK_FAILURE_MODES as HOOK_FAILURE_MODES
    from driftgate.classifier.contract import HOOK_SHELLS as HOOK_SHELLS
    from driftgate.classifier.contract import AgentHookEntryDict as AgentHookEntryDict
    from driftgate.classifier.contract import CommandHookEntryDict as CommandHookEntryDict
    from driftgate.classifier.contract import Contract as Contract
    from driftgate.classifier.contract import FieldRule as FieldRule
    from driftgate.classifier.contract import GuardEvent as GuardEvent
    from driftgate.classifier.contract import HookEntryDict as HookEntryDict
    from driftgate.classifier.contract import HookEntryType as HookEntryType
    from driftgate.classifier.contract import HookEvent as HookEvent
    from driftgate.classifier.contract import HookFailureMode as HookFailureMode
    from driftgate.classifier.contract import HookMatcherEntryDict as HookMatcherEntryDict
    from driftgate.classifier.contract import HooksConfigDict as HooksConfigDict
    from driftgate.classifier.contract import HookShell as HookShell
    from driftgate.classifier.contract import HttpHookEntryDict as HttpHookEntryDict
    from driftgate.classifier.contract import McpToolHookEntryDict as McpToolHookEntryDict
    from driftgate.classifier.contract import PromptHookEntryDict as PromptHookEntryDict
    from driftgate.classifier.hooks_config import classify_hooks_config as classify_hooks_config
    from driftgate.classifier.outgoing import outgoing_path as outgoing_path
    from driftgate.classifier.projections import AgentHookEntry as AgentHookEntry
    from driftgate.classifier.projections import CommandHookEntry as CommandHookEntry
    from driftgate.classifier.projections import HookEntry as HookEntry
    from driftgate.classifier.projections import HookMatcherEntry as HookMatcherEntry
    from driftgate.classifier.projections import HooksConfig as HooksConfig
    from driftgate.classifier.projections import HooksParseError as HooksParseError
    from driftgate.classifier.projections import HttpHookEntry as HttpHookEntry
    from driftgate.classifier.projections import McpToolHookEntry as McpToolHookEntry
    from driftgate.classifier.projections import PromptHookEntry as PromptHookEntry
    from driftgate.classifier.projections import StrictParser as StrictParser
    from driftgate.classifier.result import CODE_MEANINGS as CODE_MEANINGS
    from driftgate.classifier.result import DropCode as DropCode
    from driftgate.classifier.result import DroppedPiece as DroppedPiece
    from driftgate.classifier.result import HooksClassification as HooksClassification
    from driftgate.classifier.result import HooksOutcome as HooksOutcome
    from driftgate.classifier.result import Rejection as Rejection
    from driftgate.classifier.result import RejectionCode as RejectionCode
    from driftgate.classifier.schema import hooks_schema as hooks_schema
    from driftgate.errors import BlindError as BlindError
    from driftgate.errors import ConfigError as ConfigError
    from driftgate.errors import DriftgateError as DriftgateError
    from driftgate.errors import ExitCode as ExitCode
    from driftgate.errors import UsageError as UsageError
    from driftgate.gate.outcome import CheckReport as CheckReport
    from driftgate.gate.outcome import Comparison as Comparison
    from driftgate.gate.refresh import RefreshReport as RefreshReport
    from driftgate.judge.comparison import Change as Change
    from driftgate.judge.comparison import ChangeKind as ChangeKind
    from driftgate.judge.comparison import Diff as Diff
    from driftgate.judge.findings import Finding as Finding
    from driftgate.judge.rules import RULES as RULES
    from driftgate.judge.rules import Rule as Rule
    from driftgate.judge.rules import Severity as Severity
    from driftgate.releases import FileKind as FileKind
    from driftgate.releases import Verdict as Verdict
    from driftgate.releases import known_releases as known_releases
    from driftgate.releases import load_verdict as load_verdict
    from driftgate.report import render as render
    from driftgate.surface import Field as Field
    from driftgate.surface import FieldTable as FieldTable
    from driftgate.surface import Surface as Surface
    from driftgate.surface import Vocabulary as Vocabulary

__version__ = "0.1.0"

_MODULES: Final[Mapping[str, tuple[str, ...]]] = {
    "anchors.options": ("FetchOptions",),
    "api": ("check", "diff", "extract", "refresh"),
    "classifier.contract": (
        "CONTRACT",
        "GUARD_EVENTS",
        "HOOK_ENTRY_FIELDS",
        "HOOK_ENTRY_TYPES",
        "HOOK_EVENTS",
        "HOOK_FAILURE_MODES",
        "HOOK_SHELLS",
        "AgentHookEntryDict",
        "CommandHookEntryDict",
        "Contract",
        "FieldRule",
        "GuardEvent",
        "HookEntryDict",
        "HookEntryType",
        "HookEvent",
        "HookFailureMode",
        "HookMatcherEntryDict",
        "HookShell",
        "HooksConfigDict",
        "HttpHookEntryDict",
        "McpToolHookEntryDict",
        "PromptHookEntryDict",
    ),
    "judge.comparison": ("Change", "ChangeKind", "Diff"),
    "errors": ("BlindError", "ConfigError", "DriftgateError", "ExitCode", "UsageError"),
    "judge.findings": ("Finding",),
    "gate.outcome": ("CheckReport", "Comparison"),
    "gate.refresh": ("RefreshReport",),
    "classifier.hooks_config": ("classify_hooks_config",),
    "classifier.result": (
        "CODE_MEANINGS",
        "DropCode",
        "DroppedPiece",
        "HooksClassification",
        "HooksOutcome",
        "Rejection",
        "RejectionCode",
    ),
    "classifier.schema": ("hooks_schema",),
    "classifier.outgoing": ("outgoing_path",),
    "classifier.projections": (
        "AgentHookEntry",
        "CommandHookEntry",
        "HookEntry",
        "HookMatcherEntry",
        "HooksConfig",
        "HooksParseError",
        "HttpHookEntry",
        "McpToolHookEntry",
        "PromptHookEntry",
        "StrictParser",
    ),
    "report": ("render",),
    "releases": ("FileKind", "Verdict", "known_releases", "load_verdict"),
    "judge.rules": ("RULES", "Rule", "Severity"),
    "surface": ("Field", "FieldTable", "Surface", "Vocabulary"),
}
"""The module that defines each public name. (Type checkers read the imports above, which say the same.)"""

_PUBLIC: Final[Mapping[str, str]] = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted([*_PUBLIC, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_PUBLIC[name]}"), name)
    globals()[name] = value  # found once, an ordinary attribute from then on
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
