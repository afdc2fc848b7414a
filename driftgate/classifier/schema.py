"""The contract as a JSON Schema (2020-12), for editors and for validators in other languages.

It is derived from the field table that the classifier reads, and accepts what the classifier loads whole. What JSON
Schema cannot say is named in the schema's own `description`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from driftgate.classifier.contract import CONTRACT, Contract, FieldRule
from driftgate.classifier.kinds import FieldKind, field_kinds

Schema: TypeAlias = dict[str, Any]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_LIMITS: Final = (
    "Valid here is what driftgate loads whole, but for what JSON Schema cannot say. Of a `url` the pattern asks only "
    "for a scheme: a URL parser refuses more, such as a port that is too large. Of a `timeout`, integers just above "
    "the largest double, which JavaScript rounds down to it, are refused here only. What parsing the text hides "
    "(duplicate keys, a byte order mark, the size of the file) no schema sees, and a validator may give up on a "
    "document that is nested very deeply. `loads` does not mean that a hook fires."
)

_ENTRY_HELP: Final[Mapping[str, str]] = MappingProxyType(
    {
        "command": "Runs a shell command; the hook input is its standard input.",
        "prompt": "Has a model evaluate the hook input once.",
        "agent": "Has an agent verify the hook input.",
        "http": "Posts the hook input to a URL.",
        "mcp_tool": "Calls a tool of an MCP server that is configured already.",
    }
)

_FIELD_HELP: Final[Mapping[str, str]] = MappingProxyType(
    {
        "if": "Runs only for tool calls that this permission rule matches.",
        "timeout": "Seconds after which the hook is given up. There is no value for `never`; leave the field out.",
        "statusMessage": "Shown while the hook runs.",
        "once": "Runs once in a session and is then removed.",
        "command": "The command line. Needed, also where there are `args`.",
        "shell": "The shell that reads the command.",
        "async": "Runs in the background; nothing waits for it.",
        "asyncRewake": "Runs in the background, and wakes the model when it exits with code 2.",
        "args": "Arguments of the command.",
        "onFailure": "Whether to go on or to block when the hook fails.",
        "rewakeMessage": "What the model is told when it is woken.",
        "rewakeSummary": "What the user is shown when the model is woken.",
        "prompt": "The prompt; $ARGUMENTS in it is the hook input as JSON.",
        "model": "The model to ask.",
        "continueOnBlock": "Goes on when the answer is to block.",
        "url": "Where to post to.",
        "headers": "Headers to send. Values may name variables of `allowedEnvVars`, as $NAME.",
        "allowedEnvVars": "The environment variables that `headers` may use.",
        "server": "The name of the MCP server.",
        "tool": "The name of the tool.",
        "input": "The arguments of the tool; strings in it may take values from the hook input, as ${path}.",
    }
)


def hooks_schema(contract: Contract = CONTRACT, *, document: bool = False) -> Schema:
    """Return the JSON Schema of the value of `hooks`; with `document`, of a whole settings document.

    The document's schema also refuses guard hooks that stand outside `hooks`, and anything but an object, which the
    classifier leaves to whoever reads the file.
    """
    definitions = {**_sign_definitions(contract), **_entry_definitions(contract), **_matcher_definitions()}
    hooks = {"type": "object", "properties": _events(contract), "additionalProperties": False}
    if not document:
        return {
            "$schema": _DIALECT,
            "title": "Hooks",
            "description": f"The `hooks` of a settings document. {_LIMITS}",
            **hooks,
            "$defs": definitions,
        }
    outside = _no_sign_inside(contract)
    return {
        "$schema": _DIALECT,
        "title": "Settings",
        "description": f"A settings document, of which only the hooks are looked at. {_LIMITS}",
        "type": "object",
        "properties": {**outside["properties"], "hooks": {"$ref": "#/$defs/hooks"}},
        "additionalProperties": outside["additionalProperties"],
        "not": {"allOf": [{"required": ["matcher"]}, {"$ref": "#/$defs/matcherShaped"}]},
        "$defs": {"hooks": {"title": "Hooks", **hooks}, **definitions},
    }


def _events(contract: Contract) -> Schema:
    guard = " It may guard permissions: anything wrong in it makes Claude Code refuse the whole document."
    return {
        event: {
            "description": f"The hooks of {event}.{guard if event in contract.guard_events else ''}",
            "$ref": "#/$defs/matchers",
        }
        for event in contract.events
    }


def _matcher_definitions() -> Schema:
    return {
        "matchers": {"type": "array", "items": {"$ref": "#/$defs/matcher"}},
        "matcher": {
            "title": "Matcher",
            "description": "Hooks, and what they run for.",
            "type": "object",
            "properties": {
                "matcher": {"description": "What the hooks run for; everything if left out.", "type": "string"},
                "hooks": {"description": "The hooks to run.", "type": "array", "items": {"$ref": "#/$defs/entry"}},
            },
            "required": ["hooks"],
            "allOf": [{"$ref": "#/$defs/noSignInside"}],
        },
    }


def _entry_definitions(contract: Contract) -> Schema:
    kinds = field_kinds(contract)
    by_type = [
        {
            "if": {"properties": {"type": {"const": name}}, "required": ["type"]},
            "then": {"$ref": f"#/$defs/entry.{name}"},
        }
        for name in contract.entry_types
    ]
    entry = {
        "title": "Hook",
        "description": "One hook. Fields that its type does not know are ignored.",
        "type": "object",
        "properties": {"type": {"description": "What the hook does.", "enum": list(contract.entry_types)}},
        "required": ["type"],
        "allOf": by_type,
    }
    rows = {f"entry.{name}": _entry(name, contract.fields.get(name, {}), kinds) for name in contract.entry_types}
    return {"entry": entry, **rows}


def _entry(name: str, fields: Mapping[str, FieldRule], kinds: Mapping[str, FieldKind]) -> Schema:
    return {
        "title": f"Hook of type {name}",
        **({"description": _ENTRY_HELP[name]} if name in _ENTRY_HELP else {}),
        "properties": {
            "type": {"const": name},
            **{field: _field(field, kinds[rule.kind]) for field, rule in fields.items()},
        },
        "required": [field for field, rule in fields.items() if rule.required],
    }


def _field(name: str, kind: FieldKind) -> Schema:
    description = f"{_FIELD_HELP[name]} " if name in _FIELD_HELP else ""
    return {"description": f"{description}Must be {kind.expected}.", **kind.schema}


def _no_sign_inside(contract: Contract) -> Schema:
    """Return the schema of a value in whose members or elements there is no guard sign."""
    plain = [event for event in contract.events if event not in contract.guard_events]
    return {
        "properties": {
            **{event: {"$ref": "#/$defs/noSignUnderEvent"} for event in plain},
            **{event: {"enum": [None, []]} for event in contract.guard_events},
        },
        "additionalProperties": {"$ref": "#/$defs/noSign"},
        "items": {"$ref": "#/$defs/noSign"},
    }


def _sign_definitions(contract: Contract) -> Schema:
    has_matcher = {"required": ["matcher"]}
    hooks_is_object = {"properties": {"hooks": {"type": "object"}}}
    hooks_is_list = {"properties": {"hooks": {"type": "array", "minItems": 1}}}
    hooks_is_entry = {
        "properties": {"hooks": {"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]}}
    }
    no_event = {"propertyNames": {"not": {"enum": list(contract.events)}}}
    return {
        "matcherShaped": {
            "$comment": "What looks like a matcher, wherever it stands.",
            "type": "object",
            "required": ["hooks"],
            "allOf": [
                {"anyOf": [has_matcher, no_event]},
                {"anyOf": [hooks_is_list, hooks_is_entry, {"allOf": [has_matcher, hooks_is_object]}]},
            ],
        },
        "noSign": {
            "$comment": "A value that is no misplaced guard and holds none.",
            "allOf": [{"not": {"$ref": "#/$defs/matcherShaped"}}, {"$ref": "#/$defs/noSignInside"}],
        },
        "noSignInside": {
            "$comment": "A value that holds no misplaced guard, whatever it is itself.",
            **_no_sign_inside(contract),
        },
        "noSignUnderEvent": {
            "$comment": "The value of an event's name: in a list under it matchers are in their place.",
            "if": {"type": "array"},
            "then": {"items": {"$ref": "#/$defs/noSignInside"}},
            "else": {"$ref": "#/$defs/noSign"},
        },
    }
