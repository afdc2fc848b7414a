"""`--output FORMAT:FILE`: the same report once more, in another format, into a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from driftgate.errors import UsageError
from driftgate.formats.files import write_atomically
from driftgate.gate.outcome import CheckReport
from driftgate.near import did_you_mean
from driftgate.report import FORMATS, Style, render

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class Output:
    """One report to write: its format, and the file; None is standard output."""

    format: str
    path: Path | None


def parse_outputs(texts: Iterable[str], folder: Path) -> tuple[Output, ...]:
    """Return the outputs that `texts` ask for; relative files start at `folder`.

    Raises UsageError for an unknown format, a missing file, and a file that is named twice.
    """
    outputs = tuple(_parse(text, folder) for text in texts)
    paths = [output.path and output.path.resolve() for output in outputs]
    for path in paths:
        if paths.count(path) > 1:
            raise UsageError("two reports into one place", where="--output", found=str(path or STANDARD_OUTPUT))
    return outputs


def _parse(text: str, folder: Path) -> Output:
    name, colon, file = text.partition(":")
    if not colon or not file:
        raise UsageError(
            "--output needs a format and a file", expected="FORMAT:FILE, e.g. sarif:driftgate.sarif", found=repr(text)
        )
    if name not in FORMATS:
        raise UsageError(
            f"there is no format {name!r}" + did_you_mean(name, FORMATS),
            where=f"--output {text}",
            expected=f"FORMAT:FILE with one of {', '.join(FORMATS)}",
        )
    return Output(name, None if file == STANDARD_OUTPUT else folder / file)


def write_outputs(report: CheckReport, outputs: Iterable[Output], style: Style) -> None:
    """Write `report` to the files of `outputs`, each whole or not at all. Raises OSError.

    A file holds the whole report, whatever is quiet, narrow or coloured on the terminal.
    """
    plain = replace(style, color=False, width=Style().width, quiet=False)
    for output in outputs:
        if output.path is not None:
            _write(output.path, render(report, output.format, plain) + "\n")


def _write(path: Path, text: str) -> None:
    if path.exists() and not path.is_file():  # a pipe or a device is written to, never replaced
        path.write_text(text, encoding="utf-8")  # by the name given: what /dev/stdout leads to may have none
    else:
        write_atomically(path.resolve(), text)  # through a link, which stays one
