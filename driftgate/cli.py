"""The command line: parse, call one command, turn its result or its error into an exit code."""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import signal
import sys
from importlib import import_module
from typing import Any, Final, NoReturn, TextIO

from driftgate import __version__
from driftgate.commands import COMMANDS, IO
from driftgate.errors import BlindError, DriftgateError, ExitCode, UsageError, verdict_line
from driftgate.formats.files import WRITTEN
from driftgate.near import did_you_mean

EXIT_CODES: Final = """\
exit codes:
  0  agrees (classify: everything loads)
  1  drift (classify: something does not load)
  2  usage or configuration error
  3  blind: could not look, or could not be sure of what was seen"""


_NOT_TAKEN: Final = (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EBADF)

_SOON: Final = 0.01

HELP_WIDTH: Final = 100


class _Parser(argparse.ArgumentParser):
    """argparse whose errors are driftgate's errors."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, next=f"{self.prog} --help")

    def _print_message(self, message: str, file: Any = None) -> None:
        (file or sys.stderr).write(message)  # argparse takes it lightly where that fails


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
    name = _command(argv)
    module = import_module(f"driftgate.commands.{name.replace('-', '_')}")
    args = _parser(name, module).parse_args(argv[1:])
    io.color = io.color and not args.no_color
    code: ExitCode = module.run(args, io)
    io.stdout.flush()
    return code


def _fail(error: DriftgateError, argv: list[str], io: IO) -> int:
    """Say what went wrong: to people on standard error and, under --format json, in one document on standard output.

    Never raises: a stream that takes nothing is no reason to say less on the other.
    """
    # Imported here: only a failure needs them.
    from driftgate.formats.harmless import harmless_lines

    if io.format == "json":
        from driftgate.report.document import dumps, failure_document

        with contextlib.suppress(OSError, ValueError):
            io.out(dumps(failure_document(argv[0] if argv and argv[0] in COMMANDS else "", error)))
    with contextlib.suppress(OSError, ValueError):
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
    except SystemExit as done:  # argparse, behind --help and --version
        return int(done.code or 0)
    except DriftgateError as error:
        return _fail(error, argv, io)
    except KeyboardInterrupt as interrupt:
        _end_at_once()
        return _fail(_interrupted(interrupt), argv, io)
    except BrokenPipeError:
        # The reader of our output went away (`| head`): the verdict did not reach it, so the code must not be green.
        return int(ExitCode.BLIND)
    except OSError as error:
        # Our own files are named by who writes them, so what has no name is a stream.
        where = str(error.filename or ("standard output" if error.errno in _NOT_TAKEN else "unknown"))
        return _fail(BlindError(error.strerror or str(error), where=where), argv, io)
    except Exception as error:
        if os.environ.get("DRIFTGATE_DEBUG"):
            raise
        defect = BlindError(
            f"driftgate failed in a way that it does not know ({type(error).__name__}: {error})",
            next="this is a defect; run again with DRIFTGATE_DEBUG=1 and report what it prints",
        )
        return _fail(defect, argv, io)


class _Terminated(KeyboardInterrupt):
    """The process was asked to end (SIGTERM): it ends as it does on Ctrl-C."""


def _interrupted(interrupt: KeyboardInterrupt) -> BlindError:
    how = "ended by a signal" if isinstance(interrupt, _Terminated) else "interrupted"
    if not WRITTEN:
        return BlindError(f"{how}; nothing was written")
    return BlindError(
        f"{how}; some files were written before",
        found=", ".join(map(str, dict.fromkeys(WRITTEN))),
        next="each of them is whole; run again for the rest",
    )


def _terminated(*_: object) -> NoReturn:
    raise _Terminated


def _interruptible() -> None:
    """Let Ctrl-C and SIGTERM unwind what is under way; before, they ended the process where it stood."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminated)
    sys.unraisablehook = _not_lost


def _not_lost(unraisable: sys.UnraisableHookArgs) -> None:
    """Have an interrupt that came while something was being freed come again: Python would print it and go on."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    from threading import Timer  # seldom needed

    number = signal.SIGTERM if issubclass(unraisable.exc_type, _Terminated) else signal.SIGINT
    again = Timer(_SOON, signal.raise_signal, (number,))  # at once it would be lost in here
    again.daemon = True
    again.start()


def _end_at_once() -> None:
    """Let a further Ctrl-C or SIGTERM end the process where it stands: there is nothing left to clean up."""
    for number, handlers in (
        (signal.SIGINT, (signal.default_int_handler,)),
        (signal.SIGTERM, (_terminated,)),
    ):
        if signal.getsignal(number) in handlers:
            signal.signal(number, signal.SIG_DFL)


def _replace_closed_streams() -> None:
    """Give a process that was started with closed streams (`>&-`, which Python knows as None) ones that go nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - for as long as we run


def _flushed(stream: TextIO) -> bool:
    """Return whether all of a stream arrived. What did not is dropped: Python would complain of it at the very end."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            stream.flush()
        return False
    return True


def _code() -> int:
    heard = sys.stdout is not None
    _replace_closed_streams()
    code = main() if heard else _fail(BlindError("standard output is closed"), [], IO())
    _flushed(sys.stderr)
    return code if _flushed(sys.stdout) else int(ExitCode.BLIND)  # a verdict that did not arrive is none


def run() -> NoReturn:
    """Be the process: run its command line and end it with the exit code."""
    try:
        _interruptible()
        code = _code()
        _end_at_once()
    except KeyboardInterrupt as interrupt:  # before or after the command itself
        _end_at_once()
        code = _fail(_interrupted(interrupt), [], IO())
    sys.exit(code)


if __name__ == "__main__":
    run()
