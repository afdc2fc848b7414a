"""The process: `python -m driftgate`, and the console script.

Until the command line is ready there is nothing to clean up and nothing to say, so an interrupt or a request to end
just ends the process, as it ends any other; Python's own way would be a traceback out of some import.
"""

# What `signal` is made of: importing that takes a moment, in which an interrupt would be a traceback.
import _signal  # type: ignore[import-not-found]
import os
import sys

from driftgate import __version__


def run() -> None:
    """Be the process."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # else somebody wants it ignored
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    if sys.argv[1:] == ["--version"]:  # scripts ask for it often, and it needs nothing of what comes below
        try:
            os.write(1, f"driftgate {__version__}\n".encode())
        except OSError:
            pass  # nobody can read it: the command line says so, as of any other output
        else:
            return
    from driftgate.cli import run as run_command_line

    run_command_line()


if __name__ == "__main__":
    run()
