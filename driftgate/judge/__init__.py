"""Judgement: what differs, which differences are findings, what they would do to users, and which are accepted."""
