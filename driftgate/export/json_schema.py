"""The hooks of one release as a JSON Schema: what driftgate's classifier would load whole with that release's sets."""

from __future__ import annotations

from driftgate.classifier.schema import hooks_schema
from driftgate.classifier.surfaces import contract_of
from driftgate.errors import UsageError
from driftgate.export.spelling import header
from driftgate.report.document import dumps
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_EVENTS_SET, Surface


def export(surface: Surface) -> str:
    """Return the schema's text. Raises UsageError where the surface states no hook events, or no entries for them."""
    contract = contract_of(surface, surface)
    if contract is None or not contract.events or not contract.fields:
        raise UsageError(
            "this surface cannot be a schema of hooks",
            where=surface.title,
            expected=f"{HOOK_EVENTS_SET} and {HOOK_ENTRY_FIELDS_TABLE}",
            found=", ".join(held.name for held in surface.sets()) or "nothing",
        )
    return dumps({"$comment": "\n".join(header(surface)), **hooks_schema(contract)}) + "\n"
