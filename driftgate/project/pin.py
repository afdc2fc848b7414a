"""Moving the pin: which file a release's snapshot goes to, and the one line of the configuration that names it."""

from __future__ import annotations

import re
from pathlib import Path

from driftgate.errors import ConfigError
from driftgate.formats.files import read_text, write_atomically
from driftgate.project.configuration import Config
from driftgate.project.reading import parse_config
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

    The text is edited, not written anew, so that comments and order stay; the edited text must read as exactly the
    wanted configuration before it replaces the file. Raises `ConfigError` where it does not.
    """
    if path == config.snapshot:
        return False
    text = read_text(config.source, ConfigError, "the configuration")
    old, new = config.snapshot.stem, path.stem
    line = re.compile(
        rf"""(?m)^(\s*["']?(?:snapshot|pin)["']?\s*[:=]\s*["']?[^"'#\n]*?){re.escape(old)}(?=["'.\s]|$)"""
    )
    edited, count = line.subn(lambda match: match[1] + new, text)
    if count == 1:
        wanted = parse_config(edited, config.source, root=config.root).snapshot
        if wanted == path:
            crlf = b"\r\n" in config.source.read_bytes()
            write_atomically(config.source.resolve(), edited.replace("\n", "\r\n") if crlf else edited)
            return True
    raise ConfigError(
        "the snapshot was written, and the configuration still names the old one",
        where=str(config.source),
        expected=f"one line that names {old}",
        found=f"{count} such lines",
        next=f"name {path.relative_to(config.root) if path.is_relative_to(config.root) else path} ({version}) by hand",
    )
