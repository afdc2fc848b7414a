"""Where an imported Python module stands as a file, found without importing anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from driftgate.declared.python.scope import Import
from driftgate.declared.source import Source


def module_files(imported: Import, source: Source) -> Iterator[tuple[Path, str | None]]:
    """Yield (file, name in it or None for the module itself) for what `imported` may mean, the likeliest first.

    `from .a import b` is the name b of a.py, or the module a/b.py. Absolute modules are looked for from each folder
    above the file up to the root; then among the files that were given beside it.
    """
    parts = tuple(part for part in imported.module.split(".") if part)
    for folder in _folders(imported, source):
        base = folder.joinpath(*parts)
        if imported.name is not None:
            yield from ((file, imported.name) for file in _module(base))
            yield from ((file, None) for file in _module(base / imported.name))
        else:
            yield from ((file, None) for file in _module(base))
    for file in source.beside:
        if parts and file.stem == parts[-1]:
            yield file, imported.name


def _folders(imported: Import, source: Source) -> Iterator[Path]:
    here = source.path.resolve().parent
    if imported.level:
        yield here.parents[imported.level - 2] if imported.level > 1 else here
        return
    root = source.root.resolve()
    for folder in (here, *here.parents):
        if folder == root or root in folder.parents:
            yield folder
            yield folder / "src"


def _module(base: Path) -> Iterator[Path]:
    for file in (base.with_name(f"{base.name}.py"), base / "__init__.py", base.with_name(f"{base.name}.pyi")):
        if base.name and file.is_file():
            yield file
