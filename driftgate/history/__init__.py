"""Which release stated what: every published release with its surface, and how that is known."""

from driftgate.history.record import History, Known, Reading, Run, history_of
from driftgate.history.store import dump_history, load_history, parse_history, shipped_history, write_history

__all__ = [
    "History",
    "Known",
    "Reading",
    "Run",
    "dump_history",
    "history_of",
    "load_history",
    "parse_history",
    "shipped_history",
    "write_history",
]
