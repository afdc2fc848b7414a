"""Moving the pin: which file a release's snapshot goes to, and the value of the configuration that names it."""

from __future__ import annotations

import re
from pathlib import Path

from driftgate.errors import ConfigError
from driftgate.formats.files import read_text
from driftgate.project.configuration import Config
from driftgate.project.editing import move_pin
from driftgate.project.reading import table_of
from driftgate.upstreams.shipped import pinned_path, snapshots_dir
from driftgate.versions import is_version


def path_of(config: Config, version: str) -> Path:
    """Return where the snapshot of `version` goes: beside the present one, or over it if that has no version's name.

    Where the pin names a snapshot that driftgate ships, the new one is the project's own, where the pin finds it.
    """
    if config.snapshot.parent.parent == snapshots_dir() and not config.is_own:
        return pinned_path(config.root, config.upstream, version)
    return config.snapshot.with_stem(version) if is_version(config.snapshot.stem) else config.snapshot


def move(config: Config, path: Path, version: str) -> bool:
    """Make the configuration name the snapshot at `path`. Returns whether the file had to change.

    The text is edited, not written anew, so that comments and order stay. Raises `ConfigError` where the edited text
    would not read as exactly the wanted configuration.
    """
    if path == config.snapshot:
        return False
    table = table_of(read_text(config.source, ConfigError, "the configuration"), config.source)
    for key in config.table:
        table = table[key]
    try:
        if "pin" in table:
            move_pin(config, "pin", version, path)
        else:
            move_pin(config, "snapshot", _renamed(table["snapshot"], config.snapshot.stem, path.stem), path)
    except ConfigError as problem:
        shown = path.relative_to(config.root) if path.is_relative_to(config.root) else path
        raise ConfigError(
            "the snapshot was written, and the configuration still names the old one",
            where=str(config.source),
            expected=f"a line that names {config.snapshot.stem} and can be edited",
            next=f"name {shown} ({version}) by hand",
        ) from problem
    return True


def _renamed(text: str, old: str, new: str) -> str:
    """Return the path `text` with the last `old` in it, the name of the file, made `new`."""
    return re.sub(rf"{re.escape(old)}(?=\.[^./\\]*$)", new, text)
