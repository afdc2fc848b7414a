"""A mirror in each language, with one name missing, one too many and one misspelt: exactly these three are found."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import pytest

from driftgate.classifier.contract import HOOK_EVENTS
from driftgate.declared import read_declared
from driftgate.judge.comparison import diff
from driftgate.judge.findings import breaches
from driftgate.surface import HOOK_EVENTS_SET, Surface, Vocabulary
from tests.declared.conftest import members

MIRRORS = Path(__file__).parent.parent / "data" / "mirrors"

# spec -> where the set stands that lacks PostToolBatch, where PreCommit stands, and where SubAgentStop stands
EXPECTED = {
    "hooks.py#VALID_HOOK_EVENTS": ("hooks.py:6:5", "hooks.py:28:5", "hooks.py:18:9"),
    "hook_event_enum.py#HookEvent": ("hook_event_enum.py:4:1", "hook_event_enum.py:23:18", "hook_event_enum.py:18:22"),
    "events.ts#HOOK_EVENTS": ("events.ts:2:28", "events.ts:19:3", "events.ts:14:3"),
    "events.ts#HookEventName": ("events.ts:38:29", "events.ts:19:3", "events.ts:14:3"),
    "index.d.ts#HookEvent": ("index.d.ts:2:5", "index.d.ts:18:7", "index.d.ts:13:7"),
    "index.d.ts#HooksConfig": ("index.d.ts:39:35", "index.d.ts:18:7", "index.d.ts:13:7"),
    "zod:schemas.ts#HookEventSchema": ("schemas.ts:8:32", "schemas.ts:25:3", "schemas.ts:20:3"),
    "zod:schemas.ts#HooksSchema": ("schemas.ts:44:28", "schemas.ts:25:3", "schemas.ts:20:3"),
    "hooks.zig#HookKind.eventName": ("hooks.zig:38:5", "hooks.zig:56:28", "hooks.zig:51:32"),
    "hook_event.rs#HookEvent": ("hook_event.rs:6:1", "hook_event.rs:35:22", "hook_event.rs:25:22"),
    "events.go#HookEvent": ("events.go:4:6", "events.go:23:28", "events.go:18:31"),
    "events.go#Hook*": ("events.go:7:29", "events.go:23:28", "events.go:18:31"),
    "settings.schema.json#hookEvent": (
        "settings.schema.json:7:15",
        "settings.schema.json:24:9",
        "settings.schema.json:19:9",
    ),
    "settings.schema.json#/properties/hooks": (
        "settings.schema.json:47:24",
        "settings.schema.json:24:9",
        "settings.schema.json:19:9",
    ),
    "hooks.json#/events/*/name": ("hooks.json:3:13", "hooks.json:20:15", "hooks.json:15:15"),
    "hooks.yaml#/events": ("hooks.yaml:3:3", "hooks.yaml:35:3", "hooks.yaml:25:3"),
    "hooks.md#Hook events/Event": ("hooks.md:7:1", "hooks.md:25:3", "hooks.md:20:3"),
}


@pytest.mark.parametrize("spec", EXPECTED)
def test_exactly_the_three_differences_are_found_at_their_places(spec):
    observed = surface(Vocabulary(HOOK_EVENTS_SET, HOOK_EVENTS))
    mirror = read_declared(spec, root=MIRRORS, vocabulary=HOOK_EVENTS_SET)
    assert isinstance(mirror, Vocabulary)
    changes = diff(observed, surface(mirror)).changes
    found = {b.finding.subject: (b.finding.rule.id, *map(str, b.finding.places)) for b in breaches(changes, "2.1.296")}
    lacking, extra, misspelt = EXPECTED[spec]
    assert found == {
        "PostToolBatch": ("event-only-upstream", lacking),
        "PreCommit": ("event-only-here", extra),
        "SubAgentStop": ("event-misspelt", misspelt),
    }


def surface(vocabulary: Vocabulary) -> Surface:
    return Surface("test", vocabularies=MappingProxyType({vocabulary.name: vocabulary}))


def test_every_mirror_is_tested():
    tested = {spec.rpartition(":")[2].partition("#")[0] for spec in EXPECTED}
    assert tested == {path.name for path in MIRRORS.iterdir() if path.suffix != ".pyc" and path.is_file()}


@pytest.mark.parametrize("spec", EXPECTED)
def test_all_other_names_agree(spec):
    found = members(read_declared(spec, root=MIRRORS, vocabulary=HOOK_EVENTS_SET))
    agreed = set(found) - {"PreCommit", "SubAgentStop"}
    assert agreed == set(HOOK_EVENTS) - {"PostToolBatch", "SubagentStop"}
    assert len(found) == 33
