"""A plugin as a whole: which files of a folder hold its hooks, and what is wrong between them.

The manifest `.claude-plugin/plugin.json` may name hooks files and hold hooks itself; `hooks/hooks.json` is loaded
anyway; skills may have hooks in their frontmatter, while those of a plugin's agents and commands are not read. A
marketplace names the folders of plugins. Nothing outside the plugin is looked at, and nothing is run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from driftgate.classifier.outgoing import ConfigPath
from driftgate.formats.json import read_json_text
from driftgate.releases import FileKind
from driftgate.releases.plugin_reader import is_hooks_path
from driftgate.settings.codes import FileCode

FOLDER: Final = ".claude-plugin"
MANIFEST: Final = "plugin.json"
MARKETPLACE: Final = "marketplace.json"
AUTOMATIC: Final = "hooks/hooks.json"
_SKILL: Final = "SKILL.md"
_SKILLS: Final = f"skills/*/{_SKILL}"
_NOT_READ: Final = ("agents/**/*.md", "commands/**/*.md")
_HOOKS: Final = "hooks"
MODULES: Final = "modules"
_LARGEST: Final = 16 * 2**20


@dataclass(frozen=True, slots=True)
class PartFault:
    """What is wrong with a file as a part of its plugin: the code, and the coordinate in the file."""

    code: FileCode
    path: ConfigPath


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a plugin. `inline` is its text where it is no file of its own (a plugin in a marketplace)."""

    path: Path
    kind: FileKind
    faults: tuple[PartFault, ...] = ()
    inline: str | None = None
    label: str = ""


def plugin_root(path: Path) -> Path | None:
    """Return the folder of the plugin that `path` is, by its folder or its manifest; None where it is none."""
    if path.name == MANIFEST and path.parent.name == FOLDER:
        return path.parent.parent
    if path.is_dir() and ((path / FOLDER / MANIFEST).is_file() or (path / AUTOMATIC).is_file()):
        return path
    return None


def marketplace_of(path: Path) -> Path | None:
    """Return the file of the marketplace that `path` is, by its folder or itself; None where it is none."""
    file = path / FOLDER / MARKETPLACE if path.is_dir() else path
    return file if file.name == MARKETPLACE and file.parent.name == FOLDER and file.is_file() else None


def parts_of_marketplace(file: Path) -> Iterator[Part]:
    """Yield the parts of the plugins that a marketplace keeps itself, and of the hooks that it states for them."""
    document = _read(file)
    plugins = document.get("plugins") if isinstance(document, dict) else None
    root = file.parent.parent
    base = document.get("metadata") if isinstance(document, dict) else None
    folder = base.get("pluginRoot") if isinstance(base, dict) else None
    for index, plugin in enumerate(plugins if isinstance(plugins, list) else ()):
        if not isinstance(plugin, dict):
            continue
        if plugin.get(_HOOKS) is not None:
            yield Part(
                file,
                FileKind.MANIFEST,
                (),
                json.dumps({"name": "plugin", _HOOKS: plugin[_HOOKS]}),
                f"#plugins[{index}]",
            )
        source = plugin.get("source")
        if isinstance(source, str) and source.startswith("."):
            place = root / (folder if isinstance(folder, str) else "") / source
            if _is_within(place, root) and place.is_dir():
                yield from parts(place)


def parts(root: Path) -> Iterator[Part]:
    """Yield the files of the plugin in the folder `root` that hold hooks, the manifest first."""
    manifest = root / FOLDER / MANIFEST
    document: Any = None
    named: list[tuple[ConfigPath, str]] = []
    if manifest.is_file():
        document = _read(manifest)
        named = list(_named(document))
        yield Part(manifest, FileKind.MANIFEST, tuple(_faults(root, named)))
    automatic = root / AUTOMATIC
    if automatic.is_file():
        yield Part(automatic, FileKind.PLUGIN_HOOKS, tuple(_module_faults(root, automatic)))
    seen = {automatic.resolve()}
    for _, name in named:
        file = (root / name).resolve()
        if file not in seen and _is_within(file, root) and file.is_file():
            seen.add(file)
            place = root / os.path.normpath(name)
            yield Part(place, FileKind.PLUGIN_HOOKS, tuple(_module_faults(root, place)))
    yield from (Part(file, FileKind.PLUGIN_SKILL) for file in _skills(root, document))
    for file in _not_read(root, document):
        yield Part(file, FileKind.FRONTMATTER, (PartFault(FileCode.HOOKS_NOT_READ, (_HOOKS,)),))


def _skills(root: Path, manifest: Any) -> Iterator[Path]:
    """Yield the skills of a plugin: those in its own folder for them, and in the folders that its manifest names."""
    found = dict.fromkeys(sorted(root.glob(_SKILLS)))
    for place in _places(root, manifest, "skills"):
        found |= dict.fromkeys([*sorted(place.glob(_SKILL)), *sorted(place.glob(f"*/{_SKILL}"))])
    yield from found


def _not_read(root: Path, manifest: Any) -> Iterator[Path]:
    """Yield the agents and commands of a plugin, whose hooks are not read."""
    found = dict.fromkeys(file for pattern in _NOT_READ for file in sorted(root.glob(pattern)))
    for key in ("agents", "commands"):
        for place in _places(root, manifest, key):
            found |= dict.fromkeys([place] if place.is_file() else sorted(place.glob("**/*.md")))
    yield from found


def _places(root: Path, manifest: Any, key: str) -> Iterator[Path]:
    """Yield the files and folders inside the plugin that its manifest names under `key`."""
    stated = manifest.get(key) if isinstance(manifest, dict) else None
    for name in stated if isinstance(stated, list) else [stated]:
        if isinstance(name, str) and name.startswith("."):
            place = root / os.path.normpath(name)
            if _is_within(place, root) and place.exists():
                yield place


def _read(file: Path) -> Any:
    """Return the document of a file, None where it has none: that is said where the file itself is judged."""
    try:
        with file.open("rb") as opened:
            return read_json_text(opened.read(_LARGEST)).value
    except OSError:
        return None


def _named(document: Any) -> Iterator[tuple[ConfigPath, str]]:
    """Yield the hooks files that a manifest names, each with the coordinate of the name."""
    stated = document.get(_HOOKS) if isinstance(document, dict) else None
    if isinstance(stated, str):
        yield (_HOOKS,), stated
    for index, name in enumerate(stated if isinstance(stated, list) else ()):
        if isinstance(name, str):
            yield (_HOOKS, index), name


def _module_faults(root: Path, file: Path) -> Iterator[PartFault]:
    """Yield what is wrong with the module that a hooks file names, by its place beside the file."""
    document = _read(file)
    modules = document.get(MODULES) if isinstance(document, dict) else None
    for index, name in enumerate(modules if isinstance(modules, list) else ()):
        if isinstance(name, str):
            module = file.parent / name.lstrip("/")  # an absolute path is one below the file's folder too
            if not _is_within(module, root):
                yield PartFault(FileCode.OUTSIDE_PLUGIN, (MODULES, index))
            elif not module.is_file():
                yield PartFault(FileCode.FILE_MISSING, (MODULES, index))


def _faults(root: Path, named: list[tuple[ConfigPath, str]]) -> Iterator[PartFault]:
    seen: set[Path] = set()
    automatic = (root / AUTOMATIC).resolve()
    for path, name in named:
        if not is_hooks_path(name):
            continue  # the manifest's own reader says so
        file = (root / name).resolve()
        if not _is_within(file, root):
            yield PartFault(FileCode.OUTSIDE_PLUGIN, path)
        elif not file.is_file():
            yield PartFault(FileCode.FILE_MISSING, path)
        elif file == automatic:
            yield PartFault(FileCode.LOADED_ALREADY, path)
        elif file in seen:
            yield PartFault(FileCode.NAMED_TWICE, path)
        seen.add(file)


def _is_within(path: Path, root: Path) -> bool:
    return path.resolve().is_relative_to(root.resolve())
