"""`python -m driftgate`."""

from driftgate.cli import run

run()
