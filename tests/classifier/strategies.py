"""Hypothesis strategies for settings documents: mostly right ones, with whatever JSON can hold mixed in."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

from driftgate.classifier.contract import CONTRACT, GUARD_EVENTS, HOOK_ENTRY_TYPES, HOOK_EVENTS
from tests.classifier.documents import GOOD_VALUES, PLAIN_EVENTS

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
words = st.sampled_from(("hooks", "matcher", "type", *GUARD_EVENTS, "Stop", "command", "env", "foo"))
keys = words | st.text(max_size=5)
json_values = st.recursive(
    scalars,
    lambda values: st.lists(values, max_size=3) | st.dictionaries(keys, values, max_size=3),
    max_leaves=8,
)

harmless_keys = st.text(max_size=6).filter(
    lambda key: (
        key not in {"hooks", "matcher", *HOOK_EVENTS, *(name for row in CONTRACT.fields.values() for name in row)}
        and key != "type"
    )
)
harmless_values = st.recursive(
    scalars,
    lambda values: st.lists(values, max_size=3) | st.dictionaries(harmless_keys, values, max_size=3),
    max_leaves=5,
)
"""Values without any sign: no key in them is a word of the contract."""


@st.composite
def good_entries(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(HOOK_ENTRY_TYPES))
    entry: dict[str, Any] = {"type": kind}
    for name, rule in CONTRACT.fields[kind].items():
        if rule.required or draw(st.booleans()):
            entry[name] = copy.deepcopy(draw(st.sampled_from(GOOD_VALUES[rule.kind])))  # tests change what they draw
    return dict(draw(st.permutations(list(entry.items()))))


def matchers(entries: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"hooks": st.lists(entries, max_size=3)}, optional={"matcher": st.text(max_size=3)})


def hooks_of(names: st.SearchStrategy[str], entries: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(names, st.lists(matchers(entries), max_size=2), max_size=3)


good_hooks = hooks_of(st.sampled_from(HOOK_EVENTS), good_entries())
good_documents = st.fixed_dictionaries({"hooks": good_hooks})

_mixed_entries = good_entries() | good_entries() | json_values
_mixed_events = st.lists(matchers(_mixed_entries) | json_values, max_size=3) | json_values
mixed_hooks = st.dictionaries(st.sampled_from(HOOK_EVENTS) | keys, _mixed_events, max_size=4) | json_values
documents = (
    st.dictionaries(keys, json_values, max_size=2).flatmap(
        lambda others: mixed_hooks.map(lambda hooks: {**others, "hooks": hooks})
    )
    | json_values
)

guardless_documents = st.fixed_dictionaries({
    "hooks": st.dictionaries(
        st.sampled_from(PLAIN_EVENTS) | harmless_keys,
        st.lists(matchers(good_entries() | harmless_values) | harmless_values, max_size=3) | harmless_values,
        max_size=4,
    )
})  # fmt: skip
"""Documents of which pieces are dropped, and that never reject."""
