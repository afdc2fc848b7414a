"""Which configuration is in force: the nearest one on the way up, and never one that cannot be read."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from driftgate.errors import ConfigError, NoConfigError
from driftgate.formats.files import read_text
from driftgate.project.configuration import Config, Project
from driftgate.project.reading import file_data, load_config, load_project
from driftgate.upstreams.shipped import PACKAGE

YAML_NAMES: Final = ("driftgate.yml", "driftgate.yaml")
NAMES: Final = ("pyproject.toml", *YAML_NAMES)
_REPOSITORY: Final = ".git"
_ALMOST: Final = re.compile(
    r"\.?drift[-_.]?gate(?:[-_.]?(?:config|rc))?\.(?:ya?ml|toml|jsonc?|json5|ini|cfg)|\.?drift[-_]?gaterc",
    re.IGNORECASE,
)
"""What a configuration is called that driftgate does not look at, and that somebody surely meant for one."""
_SKIPPED: Final = frozenset({"node_modules", "site-packages", "__pycache__"})


def find_project(start: Path, explicit: Path | None = None, *, unreasoned: bool = False) -> Project:
    """Return the configuration in force in folder `start`: the nearest one on the way up to the repository's root.

    Raises `NoConfigError` where there is none (answering for something else would be green without having looked), and
    `ConfigError` where it is wrong, where two files compete, and where one is there and cannot be read. `unreasoned`
    lets accepted entries without a reason pass.
    """
    return load_project(explicit if explicit is not None else config_file(start), unreasoned=unreasoned)


def find_config(start: Path, explicit: Path | None = None) -> Config:
    """Return the one mirror of the configuration in force. Raises as `find_project`, UsageError for several mirrors."""
    return find_project(start, explicit).one(None)


def config_file(start: Path) -> Path:
    """Return the file of the configuration in force in folder `start`. Raises as `find_project`."""
    if not start.is_dir():
        raise ConfigError(
            "the folder does not exist (any more)", where=str(start), next="run it in the project's folder"
        )
    for folder in (start, *start.parents):
        file = config_in(folder)
        if file is not None:
            return file
        if (folder / _REPOSITORY).exists():
            break
    raise NoConfigError(
        "there is no driftgate configuration here",
        where=f"{start}" + (f" and the folders above it, up to {folder}" if folder != start else ""),
        expected="[tool.driftgate] in pyproject.toml, or driftgate.yml",
        next="`driftgate init` writes one; `driftgate check --self` checks driftgate's own constants",
    )


def config_in(folder: Path) -> Path | None:
    """Return the configuration's file in `folder`, None where it has none. Raises as `find_project`."""
    files = [path for path in (folder / name for name in NAMES) if _states(path)]
    if len(files) > 1:
        raise ConfigError(
            "two configurations in one folder",
            where=str(folder),
            found=" and ".join(path.name for path in files),
            next="keep one of them",
        )
    if not files:
        _refuse_other_spellings(folder)
    return files[0] if files else None


def _refuse_other_spellings(folder: Path) -> None:
    try:
        names = sorted(name for name in os.listdir(folder) if _ALMOST.fullmatch(name) and name not in NAMES)  # noqa: PTH208
    except OSError:
        return
    if names:
        raise ConfigError(
            "a configuration under a name that driftgate does not read",
            where=str(folder / names[0]),
            expected="driftgate.yml, or [tool.driftgate] in pyproject.toml",
            next=f"rename it to {YAML_NAMES[0]}" if names[0].lower().endswith(("yml", "yaml")) else "",
        )


def _states(path: Path) -> bool:
    """Return whether the file is a configuration. Raises ConfigError for one that is there and cannot be read."""
    try:
        mode = path.lstat().st_mode
        mode = path.stat().st_mode if stat.S_ISLNK(mode) else mode
    except FileNotFoundError as problem:
        if not path.is_symlink():
            return False
        raise _unreadable(path, f"a link to {os.readlink(path)}, which does not exist") from problem  # noqa: PTH115
    except NotADirectoryError:
        return False
    except OSError as problem:  # a loop of links, a folder that may not be entered
        raise _unreadable(path, problem.strerror or str(problem)) from problem
    if not stat.S_ISREG(mode):
        raise _unreadable(path, "a folder" if stat.S_ISDIR(mode) else "no regular file")
    if path.suffix != ".toml":
        return True
    text = read_text(path, ConfigError, "the configuration")
    return "driftgate" in text and "driftgate" in file_data(text, path).get("tool", {})


def _unreadable(path: Path, found: str) -> ConfigError:
    return ConfigError(
        "the configuration is there and cannot be read",
        where=str(path),
        expected="a file",
        found=found,
        next="put it right, or remove it",
    )


def projects_below(folder: Path) -> Iterator[Path]:
    """Yield every configuration in and below `folder`, in order of their paths; installed packages are left out."""
    for here, folders, _ in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
        file = config_in(Path(here))
        if file is not None:
            yield file


def repository_root(start: Path) -> Path | None:
    """Return the root of the git repository that folder `start` lies in, None outside of one."""
    return next((folder for folder in (start, *start.parents) if (folder / _REPOSITORY).exists()), None)


def own_config() -> Config:
    """Return the configuration with which driftgate checks its own constants; the wheel carries it."""
    return load_config(own_config_path(), root=PACKAGE.parent, builtin=True)


def own_config_path() -> Path:
    """Return driftgate's own pyproject.toml: the one that the wheel carries, in a checkout the repository's."""
    shipped = PACKAGE / "own" / "pyproject.toml"
    return shipped if shipped.is_file() else PACKAGE.parent / "pyproject.toml"
