"""The history as one page: self-contained, without a network, readable without a script and without colours."""

from driftgate.history.page.build import page

__all__ = ["page"]
