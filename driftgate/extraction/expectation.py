"""What each kind of artefact of each release must state, and which witnesses it has: what is missing is blind, or said.

The table was read from what has been shipped. A release beyond its last row is expected to state what the newest does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.artefact import Artefact
from driftgate.errors import ExtractionError
from driftgate.extraction.contents import Contents
from driftgate.extraction.not_shown import where_in
from driftgate.surface import FieldTable, Vocabulary
from driftgate.versions import is_version, version_key

_SDK: Final = "claude-agent-sdk"
_DECLARATIONS: Final = (".d.ts", ".d.mts", ".d.cts")


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the SDK's package of the releases `since` to `until` has: the schema in a bundle, and declarations."""

    since: str
    until: str | None
    bundle: bool
    declarations: bool

    def holds_for(self, version: str) -> bool:
        """Tell whether a release is one of those."""
        key = version_key(version)
        return version_key(self.since) <= key and (self.until is None or key <= version_key(self.until))


SDK_PACKAGE: Final = (
    Expectation("0.0.0", "2.1.112", bundle=True, declarations=False),  # with a cli.js of its own
    Expectation("2.1.113", "2.1.135", bundle=False, declarations=True),  # the program is a package of its own
    Expectation("2.1.136", None, bundle=True, declarations=True),
)
"""Every artefact but the SDK's package, and a declaration file by itself, must have the schema in a bundle."""


def _expected(artefact: Artefact) -> Expectation | None:
    version = artefact.upstream_version
    if version is None or not is_version(version):
        return None
    return next((row for row in SDK_PACKAGE if row.holds_for(version)), None)


def must_be_declared_only(artefact: Artefact, contents: Contents, doubts: tuple[str, ...]) -> None:
    """Raise unless an artefact in which no hooks schema was found is one that states hooks in declarations alone."""
    if all(seen.name.endswith(_DECLARATIONS) for seen in contents.seen):
        return
    row = _expected(artefact)
    if row is not None and not row.bundle:
        return
    raise ExtractionError(
        "hook events: anchor not found in any script; declarations alone state a part of it",
        where=where_in(artefact),
        expected="one use record(enum(EVENTS), array(MATCHER)) in a script, which every package has but those of "
        + " and ".join(f"{each.since} to {each.until}" for each in SDK_PACKAGE if not each.bundle),
        found=f"none in {len(contents.modules)} modules, and declarations"
        + (f"; unclear: {'; '.join(doubts)}" if doubts else ""),
        next="to read the declarations all the same, give the .d.ts itself; else report this release",
    )


def lost_witnesses(
    artefact: Artefact, vocabularies: Iterable[Vocabulary], tables: Iterable[FieldTable], *, declared: bool
) -> Iterator[str]:
    """Yield a line for each witness that such an artefact is known to have, and this one does not."""
    row = _expected(artefact)
    if row is None or not row.declarations:
        return
    if not declared:
        if _SDK in (artefact.origin.package or ""):
            yield f"{artefact.origin}: no declaration file states hooks: a witness is lost"
        return
    sets: tuple[Vocabulary | FieldTable, ...] = (*vocabularies, *tables)
    for held in sets:
        for witness in (each for evidence in held.evidence for each in evidence.witnesses):
            if witness.members is None and witness.place is None and "form that is known" in witness.note:
                yield f"{held.name}: a witness is lost: {witness.how} ({witness.note})"
