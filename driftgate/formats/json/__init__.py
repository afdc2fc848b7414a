"""The text of a settings document, read as upstream's JSON reader reads it."""

from driftgate.formats.json.faults import FAULTS, Fault, FaultFacts, FaultKind
from driftgate.formats.json.text import BadBytes, Duplicate, JsonText, Location, Spot, read_json_text

__all__ = [
    "FAULTS",
    "BadBytes",
    "Duplicate",
    "Fault",
    "FaultFacts",
    "FaultKind",
    "JsonText",
    "Location",
    "Spot",
    "read_json_text",
]
