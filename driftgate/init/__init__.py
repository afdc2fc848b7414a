"""`driftgate init`: from a project that has no configuration to one that is gated."""
