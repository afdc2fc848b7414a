"""Print the completion script of a shell.

examples:
  driftgate completion bash > ~/.local/share/bash-completion/completions/driftgate
  driftgate completion zsh  > ~/.zfunc/_driftgate       with ~/.zfunc in fpath
  driftgate completion fish > ~/.config/fish/completions/driftgate.fish
"""

from __future__ import annotations

import argparse

from driftgate.commands import IO
from driftgate.commands.completion_scripts import SHELLS, script
from driftgate.errors import ExitCode, UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("shell", metavar="SHELL", help=" | ".join(SHELLS))


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    if args.shell not in SHELLS:
        raise UsageError(f"no completion for {args.shell!r}", expected=", ".join(SHELLS))
    io.out(script(args.shell))
    return ExitCode.AGREES
