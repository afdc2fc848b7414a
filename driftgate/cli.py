"""The command line: parse, call one command, turn its result or its error into an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from typing import Any, Final, NoReturn

from driftgate import __version__
from driftgate.commands import COMMANDS, IO
from driftgate.errors import DriftgateError, ExitCode, UsageError, verdict_line

EXIT_CODES: Final = """\
exit codes:
  0  agrees (classify: everything loads)
  1  drift (classify: something does not load)
  2  usage or configuration error
  3  blind: could not look, or could not be sure of what was seen"""


class _Parser(argparse.ArgumentParser):
    """argparse whose errors are driftgate's errors."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, next=f"{self.prog} --help")


def _common(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    volume = group.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="only the last line, with the verdict")
    volume.add_argument("-v", "--verbose", action="store_true", help="also what agrees, and the evidence")
    group.add_argument("--no-color", action="store_true", help="no colours (so does NO_COLOR)")


def _top_parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    commands = "\n".join(f"  {name:<{width}}  {summary}" for name, summary in COMMANDS.items())
    parser = _Parser(
        prog="driftgate",
        usage="driftgate [--version] [--help] COMMAND ...",
        description="The upstream drift gate for agent hook configuration.",
        epilog=f"commands:\n{commands}\n\n'driftgate COMMAND --help' shows its options and examples.\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=True,
    )
    parser.add_argument("--version", action="version", version=f"driftgate {__version__}")
    parser.add_argument("command", metavar="COMMAND", nargs="?", help=argparse.SUPPRESS)
    return parser


def _command(argv: list[str]) -> str:
    """Return the command named first in `argv`; answers --help and --version by itself."""
    if argv and argv[0] in COMMANDS:
        return argv[0]
    args = _top_parser().parse_args(argv[:1])
    if args.command is None:
        raise UsageError("no command given", next="driftgate --help")
    from difflib import get_close_matches

    close = get_close_matches(args.command, COMMANDS, 1)
    raise UsageError(
        f"there is no command {args.command!r}",
        next=f"did you mean {close[0]!r}? driftgate --help lists them"
        if close
        else "driftgate --help lists the commands",
    )


def _parser(name: str, module: Any) -> argparse.ArgumentParser:
    summary, _, examples = (module.__doc__ or COMMANDS[name]).partition("\n")
    parser = _Parser(
        prog=f"driftgate {name}",
        description=summary,
        epilog=f"{examples.strip()}\n\n{EXIT_CODES}".strip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    _common(parser)
    return parser


def _run(argv: list[str]) -> ExitCode:
    name = _command(argv)
    module = import_module(f"driftgate.commands.{name.replace('-', '_')}")
    args = _parser(name, module).parse_args(argv[1:])
    code: ExitCode = module.run(args, IO.standard(no_color=args.no_color))
    return code


def _fail(text: str, code: ExitCode) -> int:
    sys.stderr.write(f"{text}\n{verdict_line(code)}\n")
    return int(code)


def main(argv: list[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's own) and return the exit code. Never raises."""
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except DriftgateError as error:
        return _fail(f"error: {error}", error.code)
    except KeyboardInterrupt:
        return _fail("interrupted; nothing was written", ExitCode.BLIND)
    except BrokenPipeError:
        # The reader of our output went away (`| head`): the verdict did not reach it, so the code must not be green.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return int(ExitCode.BLIND)
    except OSError as error:
        return _fail(f"error: {error.strerror or error}\n  where:    {error.filename or 'unknown'}", ExitCode.BLIND)
    except Exception as error:
        if os.environ.get("DRIFTGATE_DEBUG"):
            raise
        return _fail(
            f"error: driftgate failed in a way that it does not know ({type(error).__name__}: {error})\n"
            "  next:     this is a defect; run again with DRIFTGATE_DEBUG=1 and report what it prints",
            ExitCode.BLIND,
        )
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
