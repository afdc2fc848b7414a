"""Writing what was planned: new files only where none is, and additions only behind what a file holds."""

from __future__ import annotations

from pathlib import Path

from driftgate.errors import ConfigError
from driftgate.formats.files import write_atomically, write_new
from driftgate.init.plan import NewFile, Plan


def write(plan: Plan) -> tuple[Path, ...]:
    """Write the files of `plan`, the configuration last: half a set-up is then never taken for a whole one.

    Returns what was written. Raises `ConfigError` where a file has appeared meanwhile, OSError where it cannot be
    written.
    """
    configuration, *others = plan.files or (None,)
    files = (*others, configuration)
    return tuple(_write(file) for file in files if file is not None)


def _write(file: NewFile) -> Path:
    try:
        if file.appended:
            write_atomically(file.path.resolve(), file.path.read_bytes().decode() + file.text)
        else:
            write_new(file.path, file.text)
    except FileExistsError as problem:
        raise ConfigError(
            "a file is there already, and is not overwritten",
            where=str(file.path),
            next="run `driftgate init` again, or move it away",
        ) from problem
    return file.path
