"""The snapshots that driftgate ships, one a release, in a folder for each upstream."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from driftgate.versions import is_version, version_key

PACKAGE: Final = Path(__file__).resolve().parents[1]


def snapshots_dir() -> Path:
    """Return the folder of the snapshots that driftgate ships (in a checkout: the repository's own)."""
    shipped = PACKAGE / "snapshots"
    return shipped if shipped.is_dir() else PACKAGE.parent / "snapshots"


def pinned_path(root: Path, upstream: str, version: str) -> Path:
    """Return where a project at `root` that states a pin keeps its own snapshot of `version`."""
    return root / "snapshots" / upstream / f"{version}.yaml"


def snapshots_of(upstream: str) -> dict[str, Path]:
    """Return the snapshots of an upstream that driftgate ships: version -> file, oldest first."""
    files = {path.stem: path for path in (snapshots_dir() / upstream).glob("*.yaml") if is_version(path.stem)}
    return {version: files[version] for version in sorted(files, key=version_key)}
