"""Which configuration is in force: the nearest one on the way up."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from driftgate.errors import ConfigError, NoConfigError
from driftgate.formats.files import read_text
from driftgate.project.configuration import Config
from driftgate.project.reading import file_data, load_config
from driftgate.upstreams.shipped import PACKAGE

YAML_NAMES: Final = ("driftgate.yml", "driftgate.yaml")
PROJECT_MARKS: Final = (".git", "pyproject.toml", "package.json", "Cargo.toml", "go.mod", "build.zig")
"""What makes a folder a project. One without configuration is an error, never a green answer about something else."""


def find_config(start: Path, explicit: Path | None = None) -> Config:
    """Return the configuration in force in folder `start`: the nearest one on the way up, else driftgate's own.

    Raises `ConfigError` where the file is wrong, where two files compete, and where `start` lies in a project that has
    none: answering for driftgate's own constants there would be green without having looked.
    """
    file = explicit if explicit is not None else config_file(start)
    return own_config() if file is None else load_config(file)


def config_file(start: Path) -> Path | None:
    """Return the file of the configuration in force in folder `start`, None outside every project.

    Raises `ConfigError` where two files compete and where `start` lies in a project that has none.
    """
    for folder in (start, *start.parents):
        files = [path for path in (folder / "pyproject.toml", *(folder / name for name in YAML_NAMES)) if _states(path)]
        if len(files) > 1:
            raise ConfigError(
                "two configurations in one folder",
                where=str(folder),
                found=" and ".join(path.name for path in files),
                next="keep one of them",
            )
        if files:
            return files[0]
        marks = [mark for mark in PROJECT_MARKS if (folder / mark).exists()]
        if marks:
            raise NoConfigError(
                "this project has no driftgate configuration",
                where=f"{folder} (a project: it has {marks[0]})",
                expected="[tool.driftgate] in pyproject.toml, or driftgate.yml",
                next="`driftgate init` writes one; outside a project, `check` checks driftgate's own constants",
            )
    return None


def _states(path: Path) -> bool:
    if not path.is_file():
        return False
    if path.suffix != ".toml":
        return True
    text = read_text(path, ConfigError, "the configuration")
    return "driftgate" in text and "driftgate" in file_data(text, path).get("tool", {})


def own_config() -> Config:
    """Return the configuration with which driftgate checks its own constants; the wheel carries it."""
    return load_config(own_config_path(), root=PACKAGE.parent, builtin=True)


def own_config_path() -> Path:
    """Return driftgate's own pyproject.toml: the one that the wheel carries, in a checkout the repository's."""
    shipped = PACKAGE / "own" / "pyproject.toml"
    return shipped if shipped.is_file() else PACKAGE.parent / "pyproject.toml"
