"""A project: its configuration as a checked value, and the careful edits of it."""
