"""Completion scripts, made by shtab from the same argument parsers that read the command line."""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from typing import Final

import shtab

from driftgate.commands import COMMANDS
from driftgate.commands.options import add_output_arguments
from driftgate.judge.rules import RULES

SHELLS: Final = ("bash", "zsh", "fish")

_PATHS: Final = frozenset({"FILE", "WHAT", "A", "B", "DIR"})
"""What the help calls arguments that may be paths."""

_CHOICES: Final = re.compile(r"[a-z][a-z-]*(?: \| [a-z][a-z-]*)+")
"""How the help lists what an argument may be: "text | json (default: text)"."""


def script(shell: str) -> str:
    """Return the completion script of `shell`, one of `SHELLS`."""
    text: str = shtab.complete(_whole_parser(), shell=shell)
    return text


def _whole_parser() -> argparse.ArgumentParser:
    """Return one parser with every command below it; the command line itself only ever builds the one it needs."""
    parser = argparse.ArgumentParser(prog="driftgate")
    parser.add_argument("--version", action="version", version="")
    commands = parser.add_subparsers(dest="command")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, allow_abbrev=False)
        import_module(f"driftgate.commands.{name.replace('-', '_')}").add_arguments(command)
        add_output_arguments(command)
        for action in command._actions:  # noqa: SLF001 - argparse has no other way to list them
            _complete(action)
    return parser


def _complete(action: argparse.Action) -> None:
    choices = _CHOICES.match(action.help or "")
    if action.metavar == "RULE":
        action.choices = tuple(RULES)
    elif choices and action.choices is None:
        action.choices = tuple(choices[0].split(" | "))
    elif action.metavar in _PATHS:
        action.complete = shtab.FILE  # type: ignore[attr-defined]
