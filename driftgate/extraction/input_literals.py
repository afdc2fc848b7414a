"""The second witness inside a bundle: the event that each hook's input names, `hook_event_name: literal("...")`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from driftgate.extraction.javascript.evaluate import Evaluator
from driftgate.extraction.javascript.module import Module, found_at
from driftgate.surface import Witness

_HOW: Final = 'hook_event_name: literal("...") of the hook inputs'
_PROPERTY: Final = b"hook_event_name"
_LITERAL: Final = re.compile(
    rb"""hook_event_name\s*:\s*(?P<callee>[\w$.]+)\(\s*(?P<quote>["'])(?P<event>[A-Za-z]+)(?P=quote)\s*\)"""
)
_ABSENT: Final = "the bundle has none: releases before 2.1.32, and the SDK's own bundles, describe no hook inputs"


def read_literals(evaluator: Evaluator, modules: Iterable[Module]) -> Witness:
    """Read the events that the schemas of hook inputs name, over all modules."""
    members: dict[str, None] = {}
    place = None
    for module in modules:
        for offset in found_at(module.text, _PROPERTY):
            match = _LITERAL.match(module.text, offset)
            if match and evaluator.factory(module, match["callee"].decode()) == "literal":
                place = place or module.place(offset)
                members[match["event"].decode()] = None
    return Witness(_HOW, place, tuple(members)) if members else Witness(_HOW, None, None, _ABSENT)
