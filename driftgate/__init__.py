"""driftgate: the upstream drift gate for agent hook configuration."""

__version__ = "0.1.0"
