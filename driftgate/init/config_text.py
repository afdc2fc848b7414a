"""The text of a configuration, in TOML for pyproject.toml or in YAML for driftgate.yml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from driftgate.formats.harmless import quoted
from driftgate.init.mirrors import Mirror
from driftgate.upstreams.catalogue import DEFAULT_UPSTREAM

_REASONS = "why is it right that this side differs? Fill in, or delete the entry and adopt the name"


@dataclass(frozen=True, slots=True)
class Draft:
    """What a configuration is to say. `accepted` holds the (rule, subject) of each drift to be accepted or adopted."""

    upstream: str
    snapshot: str
    mirrors: tuple[Mirror, ...]
    accepted: tuple[tuple[str, str], ...] = ()

    def places(self, *, docs: bool) -> Mapping[str, Sequence[Mirror]]:
        """Return set name -> the mirrors of it that can be named, those in docs or all the others."""
        found: dict[str, list[Mirror]] = {}
        for mirror in self.mirrors:
            if mirror.spec is not None and mirror.is_docs is docs:
                found.setdefault(mirror.set, []).append(mirror)
        return found


def toml_text(draft: Draft) -> str:
    """Return the tables to append to a pyproject.toml."""
    return "\n".join(_toml(draft)) + "\n"


def _toml(draft: Draft) -> Iterator[str]:
    yield "[tool.driftgate]"
    if draft.upstream != DEFAULT_UPSTREAM:
        yield f"upstream = {quoted(draft.upstream)}"
    yield f"snapshot = {quoted(draft.snapshot)}"
    for table, docs in (("declared", False), ("docs", True)):
        places = draft.places(docs=docs)
        if places:
            yield ""
            yield f"[tool.driftgate.{table}]"
            yield from (f"{name} = {_specs(mirrors)}" for name, mirrors in places.items())
    for rule, subject in draft.accepted:
        yield ""
        yield "[[tool.driftgate.accepted]]"
        yield f"rule = {quoted(rule)}"
        yield f"subject = {quoted(subject)}"
        yield f'reason = ""  # {_REASONS}'


def yaml_text(draft: Draft) -> str:
    """Return the text of a driftgate.yml."""
    return "\n".join(_yaml(draft)) + "\n"


def _yaml(draft: Draft) -> Iterator[str]:
    if draft.upstream != DEFAULT_UPSTREAM:
        yield f"upstream: {draft.upstream}"
    yield f"snapshot: {quoted(draft.snapshot)}"
    for table, docs in (("declared", False), ("docs", True)):
        places = draft.places(docs=docs)
        if places:
            yield f"{table}:"
            yield from (f"  {name}: {_specs(mirrors)}" for name, mirrors in places.items())
    if draft.accepted:
        yield "accepted:"
    for rule, subject in draft.accepted:
        yield f"  - rule: {quoted(rule)}"
        yield f"    subject: {quoted(subject)}"
        yield f'    reason: ""  # {_REASONS}'


def _specs(mirrors: Sequence[Mirror]) -> str:
    specs = [quoted(mirror.spec or "") for mirror in mirrors]
    return specs[0] if len(specs) == 1 else f"[{', '.join(specs)}]"
