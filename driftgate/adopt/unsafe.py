"""What cannot be edited safely, and why."""

from __future__ import annotations


class CannotEditError(Exception):
    """An edit that nobody should make unseen; `str()` of it says why. It becomes an instruction for people."""
