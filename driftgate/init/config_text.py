"""The text of a configuration, in TOML for pyproject.toml or in YAML for driftgate.yml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from driftgate.formats.harmless import quoted
from driftgate.init.mirrors import Mirror
from driftgate.upstreams.catalogue import DEFAULT_UPSTREAM


@dataclass(frozen=True, slots=True)
class Draft:
    """What a configuration is to say of one upstream.

    `subset` maps the sets that lack names of upstream to the reason that is to be confirmed, `looser` are the fields
    whose constraints no declaration of their kind can state.
    """

    upstream: str
    snapshot: str
    mirrors: tuple[Mirror, ...]
    subset: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    looser: tuple[str, ...] = ()

    def places(self, *, docs: bool) -> Mapping[str, Sequence[Mirror]]:
        """Return set name -> the mirrors of it that can be named, those in docs or all the others."""
        found: dict[str, list[Mirror]] = {}
        for mirror in self.mirrors:
            if mirror.spec is not None and mirror.is_docs is docs:
                found.setdefault(mirror.set, []).append(mirror)
        return found


_LOOSER = "to confirm: declarations of this kind state no constraints; upstream refuses more than they do"


def toml_text(drafts: Sequence[Draft]) -> str:
    """Return the tables to append to a pyproject.toml: one of each upstream where there are several."""
    return "\n\n".join("\n".join(_toml(draft, is_only=len(drafts) == 1)) for draft in drafts) + "\n"


def _toml(draft: Draft, *, is_only: bool) -> Iterator[str]:
    table = "tool.driftgate" if is_only else f"tool.driftgate.{draft.upstream}"
    yield f"[{table}]"
    if is_only and draft.upstream != DEFAULT_UPSTREAM:
        yield f"upstream = {quoted(draft.upstream)}"
    yield f"snapshot = {quoted(draft.snapshot)}"
    for name, docs in (("declared", False), ("docs", True)):
        places = draft.places(docs=docs)
        plain = {key: mirrors for key, mirrors in places.items() if docs or key not in draft.subset}
        if plain:
            yield from ("", f"[{table}.{name}]")
            yield from (f"{key} = {_specs(mirrors)}" for key, mirrors in plain.items())
        for key in (key for key in places if key not in plain):
            yield from ("", f"[{table}.{name}.{key}]", f"place = {_specs(places[key])}")
            yield f"subset = {quoted(draft.subset[key])}"
    if draft.looser:
        yield from ("", f"[[{table}.accepted]]", 'rule = "field-looser"')
        yield f"subjects = [{', '.join(map(quoted, draft.looser))}]"
        yield f"reason = {quoted(_LOOSER)}"


def yaml_text(drafts: Sequence[Draft]) -> str:
    """Return the text of a driftgate.yml: a mapping of each upstream where there are several."""
    if len(drafts) == 1:
        head = [f"upstream: {drafts[0].upstream}"] if drafts[0].upstream != DEFAULT_UPSTREAM else []
        return "\n".join([*head, *_yaml(drafts[0])]) + "\n"
    lines = [line for draft in drafts for line in (f"{draft.upstream}:", *(f"  {line}" for line in _yaml(draft)))]
    return "\n".join(lines) + "\n"


def _yaml(draft: Draft) -> Iterator[str]:
    yield f"snapshot: {quoted(draft.snapshot)}"
    for table, docs in (("declared", False), ("docs", True)):
        places = draft.places(docs=docs)
        if places:
            yield f"{table}:"
        for name, mirrors in places.items():
            if docs or name not in draft.subset:
                yield f"  {name}: {_specs(mirrors)}"
            else:
                yield from (f"  {name}:", f"    place: {_specs(mirrors)}", f"    subset: {quoted(draft.subset[name])}")
    if draft.looser:
        yield from ("accepted:", '  - rule: "field-looser"')
        yield f"    subjects: [{', '.join(map(quoted, draft.looser))}]"
        yield f"    reason: {quoted(_LOOSER)}"


def _specs(mirrors: Sequence[Mirror]) -> str:
    specs = [quoted(mirror.spec or "") for mirror in mirrors]
    return specs[0] if len(specs) == 1 else f"[{', '.join(specs)}]"
