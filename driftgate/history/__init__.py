"""Which release stated what: every published release with its surface, and how that is known."""

from driftgate.history.store import (
    History,
    Known,
    Reading,
    dump_history,
    load_history,
    parse_history,
    shipped_history,
    write_history,
)

__all__ = [
    "History",
    "Known",
    "Reading",
    "dump_history",
    "load_history",
    "parse_history",
    "shipped_history",
    "write_history",
]
