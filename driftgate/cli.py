"""The command line: parse, call one command, turn its result or its error into an exit code."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import sys
from importlib import import_module
from typing import Any, Final, NoReturn

from driftgate import __version__
from driftgate.commands import COMMANDS, IO
from driftgate.errors import BlindError, DriftgateError, ExitCode, UsageError, verdict_line
from driftgate.near import did_you_mean

EXIT_CODES: Final = """\
exit codes:
  0  agrees (classify: everything loads)
  1  drift (classify: something does not load)
  2  usage or configuration error
  3  blind: could not look, or could not be sure of what was seen"""


HELP_WIDTH: Final = 100


class _Parser(argparse.ArgumentParser):
    """argparse whose errors are driftgate's errors."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, next=f"{self.prog} --help")


def _help_formatter(prog: str) -> argparse.HelpFormatter:
    # A stated width: argparse asks for the terminal's whenever an option is added, by way of a slow import.
    return argparse.RawDescriptionHelpFormatter(prog, width=HELP_WIDTH)


def _top_parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    commands = "\n".join(f"  {name:<{width}}  {summary}" for name, summary in COMMANDS.items())
    parser = _Parser(
        prog="driftgate",
        usage="driftgate [--version] [--help] COMMAND ...",
        description="The upstream drift gate for agent hook configuration.",
        epilog=f"commands:\n{commands}\n\n'driftgate COMMAND --help' shows its options and examples.\n\n{EXIT_CODES}",
        formatter_class=_help_formatter,
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
    raise UsageError(
        f"there is no command {args.command!r}" + did_you_mean(args.command, COMMANDS),
        next="driftgate --help lists the commands",
    )


def _parser(name: str, module: Any) -> argparse.ArgumentParser:
    from driftgate.commands.options import add_output_arguments  # not needed to say the version

    summary, _, examples = (module.__doc__ or COMMANDS[name]).partition("\n")
    parser = _Parser(
        prog=f"driftgate {name}",
        description=summary,
        epilog=f"{examples.strip()}\n\n{EXIT_CODES}".strip(),
        formatter_class=_help_formatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    add_output_arguments(parser)
    return parser


def _asked_format(argv: list[str]) -> str:
    """Return the format that the command line or the environment asks for, before anything is parsed."""
    for index, word in enumerate(argv):
        if word.startswith("--format="):
            return word.partition("=")[2]
        if word == "--format":
            return next(iter(argv[index + 1 :]), "")
    return os.environ.get("DRIFTGATE_FORMAT", "text")


def _run(argv: list[str], io: IO) -> ExitCode:
    # A short process: looking for cycles among what its imports make takes longer than anything that it could free.
    gc.set_threshold(50_000, 20, 20)
    name = _command(argv)
    module = import_module(f"driftgate.commands.{name.replace('-', '_')}")
    args = _parser(name, module).parse_args(argv[1:])
    io.color = io.color and not args.no_color
    code: ExitCode = module.run(args, io)
    io.stdout.flush()
    return code


def _fail(error: DriftgateError, argv: list[str], io: IO) -> int:
    """Say what went wrong: to people on standard error and, under --format json, in one document on standard output."""
    # Imported here: only a failure needs them.
    from driftgate.formats.harmless import harmless_lines

    if io.format == "json":
        from driftgate.report.document import dumps, failure_document

        io.out(dumps(failure_document(argv[0] if argv and argv[0] in COMMANDS else "", error)))
    io.err(harmless_lines(f"error: {error}"))
    io.err(verdict_line(error.code))
    return int(error.code)


def main(argv: list[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's own) and return the exit code. Never raises."""
    argv = sys.argv[1:] if argv is None else argv
    io = IO.standard()
    io.format = _asked_format(argv)
    try:
        return int(_run(argv, io))
    except DriftgateError as error:
        return _fail(error, argv, io)
    except KeyboardInterrupt:
        return _fail(BlindError("interrupted; nothing was written"), argv, io)
    except BrokenPipeError:
        # The reader of our output went away (`| head`): the verdict did not reach it, so the code must not be green.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return int(ExitCode.BLIND)
    except OSError as error:
        return _fail(BlindError(error.strerror or str(error), where=str(error.filename or "unknown")), argv, io)
    except Exception as error:
        if os.environ.get("DRIFTGATE_DEBUG"):
            raise
        defect = BlindError(
            f"driftgate failed in a way that it does not know ({type(error).__name__}: {error})",
            next="this is a defect; run again with DRIFTGATE_DEBUG=1 and report what it prints",
        )
        return _fail(defect, argv, io)


def _replace_closed_streams() -> None:
    """Give a process that was started with closed streams (`>&-`, which Python knows as None) ones that go nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - for as long as we run


def run() -> NoReturn:
    """Be the process: run its command line and end it with the exit code.

    Without taking the interpreter apart object by object, which is a good part of a short run: nothing is left that
    would have to be closed, files are written whole or not at all.
    """
    heard = sys.stdout is not None
    _replace_closed_streams()
    code = main() if heard else _fail(BlindError("standard output is closed"), [], IO())
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        code = int(ExitCode.BLIND)  # what was said did not arrive
    os._exit(code)


if __name__ == "__main__":
    run()
