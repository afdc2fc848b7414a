"""The process: `python -m driftgate`, and the console script.

Until the command line is ready there is nothing to clean up and nothing to say, so an interrupt or a request to end
just ends the process, as it ends any other; Python's own way would be a traceback out of some import.
"""

# What `signal` is made of: importing that takes a moment, in which an interrupt would be a traceback.
import _signal  # type: ignore[import-not-found]


def run() -> None:
    """Be the process."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # else somebody wants it ignored
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    from driftgate.cli import run as run_command_line

    run_command_line()


if __name__ == "__main__":
    run()
