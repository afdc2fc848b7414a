"""How a release reads a plugin's hooks: the hooks file, and `hooks` in the manifest.

The levels below a map of events are the engine's in `reader`; here is what stands around them, and what a fault costs:
the hooks of one file, or the whole plugin.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.result import DropCode, RejectionCode
from driftgate.releases.eras import ReaderPolicy
from driftgate.releases.plugin_eras import FileForm, PluginPolicy
from driftgate.releases.plugin_manifest import wrong_keys
from driftgate.releases.reader import DocumentCode, DocumentReader, Reach, ReleaseCode, ReleasePiece, ReleaseReading
from driftgate.releases.vocabulary import ReaderVocabulary

_HOOKS: Final = "hooks"
_MODULES: Final = "modules"
_MISSING: Final = object()


def reader_policy(plugin: PluginPolicy, settings: ReaderPolicy, *, manifest: bool) -> ReaderPolicy:
    """Return how the levels below a map of events are read in a plugin, from how the release reads them in settings."""
    return replace(
        settings,
        known_keys=None,
        drops_unknown_events=plugin.lenient,
        drops_containers=plugin.lenient,
        drops_pieces=plugin.lenient,
        unscanned_keys=plugin.unscanned_keys if manifest else frozenset(),
        managed_keys=frozenset(),
        depth_limit=None,
        skips_proto_event=settings.skips_proto_event and not plugin.lenient,
    )


class _PluginReader:
    """What the two readers share. `policy` and `vocabulary` are made for plugins (`reader_policy`)."""

    def __init__(self, plugin: PluginPolicy, policy: ReaderPolicy, vocabulary: ReaderVocabulary) -> None:
        self._plugin = plugin
        self._policy = policy
        self._vocabulary = vocabulary
        self.reading = ReleaseReading(reach=Reach.HOOKS_FILE)

    def refuse(self, reach: Reach, code: ReleaseCode, path: ConfigPath) -> None:
        self.reading.rejections.append(ReleasePiece(code, path))
        if reach is Reach.PLUGIN:
            self.reading.reach = reach

    def read_events(self, value: Any, base: ConfigPath, reach: Reach) -> None:
        """Read what stands where a map of events belongs; what is refused in it costs `reach`."""
        reader = DocumentReader(self._policy, self._vocabulary, base)
        loaded = reader.read_hooks(value)
        reading = reader.reading
        self.reading.hooks = _merged(self.reading.hooks, loaded)
        self.reading.dropped += reading.dropped
        self.reading.rejections += reading.rejections
        self.reading.notices += reading.notices
        if reading.rejections and reach is Reach.PLUGIN:
            self.reading.reach = reach

    def is_sign(self, value: Any) -> bool:
        """Return whether `value` itself may be a lost guard: by one of its keys, or by its shape."""
        guards = self._vocabulary.guards
        return isinstance(value, dict) and (
            any(value[key] is not None and value[key] != [] for key in value if key in guards)
            or self._vocabulary.shape.is_matcher_shaped(value)
        )

    def look_outside(self, document: Any) -> None:
        """Look for lost guards outside `hooks`, of which one is enough."""
        if not isinstance(document, dict):
            found: ConfigPath | None = () if self._vocabulary.signs.within(document, matchers=True) else None
        elif self._vocabulary.shape.is_matcher_shaped(document):
            found = ()
        else:
            found = self._vocabulary.signs.outside(document, frozenset())
        if found is not None:
            self.refuse(Reach.PLUGIN, RejectionCode.GUARD_OUTSIDE_HOOKS, found)


def read_hooks_file(
    document: Any, plugin: PluginPolicy, policy: ReaderPolicy, vocabulary: ReaderVocabulary
) -> ReleaseReading:
    """Read the `document` of a hooks file as the releases of `plugin` do; the rest is as `reader_policy` made it."""
    reader = _FileReader(plugin, policy, vocabulary)
    reader.read(document)
    return reader.reading


class _FileReader(_PluginReader):
    def read(self, document: Any) -> None:
        if self._plugin.form is FileForm.NONE:
            self.refuse(Reach.HOOKS_FILE, DocumentCode.NO_READER, ())
            return
        if self._plugin.lenient:
            self.look_outside(document)
        if not isinstance(document, dict):
            self.refuse(Reach.HOOKS_FILE, DocumentCode.NOT_OBJECT, ())
        elif self._plugin.form is FileForm.BARE:
            self.read_events(document, (), Reach.HOOKS_FILE)
        elif self._plugin.lenient:
            self._read_leniently(document)
        else:
            self._read_keys(document, Reach.HOOKS_FILE)
            if document.get(_HOOKS) is not None:
                self.read_events(document[_HOOKS], (_HOOKS,), Reach.HOOKS_FILE)

    def _read_leniently(self, document: dict[str, Any]) -> None:
        hooks = document.get(_HOOKS)
        if hooks is not None and not isinstance(hooks, dict):
            self.refuse(Reach.PLUGIN, DropCode.HOOKS_NOT_OBJECT, (_HOOKS,))
        elif hooks is not None:
            self.read_events(hooks, (_HOOKS,), Reach.PLUGIN)
        may_guard = self.is_sign(hooks) or self.is_sign(document)
        self._read_keys(document, Reach.PLUGIN if may_guard else Reach.HOOKS_FILE)

    def _read_keys(self, document: dict[str, Any], reach: Reach) -> None:
        """Read what a hooks file holds besides the map of events."""
        if "description" in document and not isinstance(document["description"], str):
            self.refuse(reach, DocumentCode.FILE_KEY, ("description",))
        modules = document.get(_MODULES, _MISSING) if self._plugin.modules else _MISSING
        if modules is not _MISSING and not _is_one_text_at_most(modules):
            self.refuse(reach, DocumentCode.FILE_KEY, (_MODULES,))
        if self._plugin.no_surface and "surface" in document:
            self.refuse(reach, DocumentCode.FILE_KEY, ("surface",))
        if _HOOKS not in document and modules in (_MISSING, []):
            self.refuse(reach, DocumentCode.NO_HOOKS, ())
        elif document.get(_HOOKS, _MISSING) is None:
            self.refuse(reach, DropCode.HOOKS_NOT_OBJECT, (_HOOKS,))


def read_manifest(
    document: Any, plugin: PluginPolicy, policy: ReaderPolicy, vocabulary: ReaderVocabulary
) -> ReleaseReading:
    """Read `hooks` in the `document` of a plugin's manifest; the arguments are as for `read_hooks_file`.

    Files that it names are not looked at, and of its other keys only what disables the plugin in every release.
    """
    reader = _ManifestReader(plugin, policy, vocabulary)
    reader.reading.reach = Reach.PLUGIN
    reader.read(document)
    return reader.reading


class _ManifestReader(_PluginReader):
    def read(self, document: Any) -> None:
        if not isinstance(document, dict):
            self.refuse(Reach.PLUGIN, DocumentCode.NOT_OBJECT, ())
            return
        known = self._plugin.manifest_keys
        for key in document if known is not None else ():
            if known is not None and key not in known:
                self.refuse(Reach.PLUGIN, DocumentCode.UNKNOWN_KEY, (key,))
        for path in wrong_keys(document) if self._plugin.form is not FileForm.NONE else ():
            self.refuse(Reach.PLUGIN, DocumentCode.MANIFEST_KEY, path)
        if self._plugin.lenient:
            found = self._vocabulary.signs.outside(document, frozenset())
            if found is not None:
                self.refuse(Reach.PLUGIN, RejectionCode.GUARD_OUTSIDE_HOOKS, found)
        if _HOOKS in document and self._plugin.form is not FileForm.NONE:
            self._read_stated(document[_HOOKS], (_HOOKS,))

    def _read_stated(self, value: Any, path: ConfigPath) -> None:
        if isinstance(value, list) and len(path) == 1:
            for index, element in enumerate(value):
                self._read_stated(element, (*path, index))
        elif isinstance(value, dict):
            self.read_events(value, path, Reach.PLUGIN)
        elif not (isinstance(value, str) and is_hooks_path(value)):
            self.refuse(Reach.PLUGIN, DocumentCode.HOOKS_PATH, path)


def read_frontmatter(
    document: Any, plugin: PluginPolicy, policy: ReaderPolicy, vocabulary: ReaderVocabulary
) -> ReleaseReading:
    """Read `hooks` in the frontmatter of a skill; the arguments are as for `read_hooks_file`.

    Where something is refused, the skill loads without hooks.
    """
    reader = _FrontmatterReader(plugin, policy, vocabulary)
    reader.read(document)
    reader.reading.reach = Reach.HOOKS_FILE
    return reader.reading


def read_plugin_skill(
    document: Any, plugin: PluginPolicy, policy: ReaderPolicy, vocabulary: ReaderVocabulary
) -> ReleaseReading:
    """Read `hooks` in the frontmatter of a plugin's skill, like `read_frontmatter`."""
    return read_frontmatter(document, replace(plugin, frontmatter=plugin.plugin_skills), policy, vocabulary)


class _FrontmatterReader(_PluginReader):
    def read(self, document: Any) -> None:
        hooks = document.get(_HOOKS) if isinstance(document, dict) else None
        if not self._plugin.frontmatter:
            if hooks:
                self.refuse(Reach.HOOKS_FILE, DocumentCode.NO_READER, (_HOOKS,))
            return
        if self._plugin.lenient and isinstance(document, dict):
            found = self._vocabulary.signs.outside(document, frozenset())
            if found is not None:
                self.refuse(Reach.HOOKS_FILE, RejectionCode.GUARD_OUTSIDE_HOOKS, found)
        if hooks and not isinstance(hooks, dict):
            self.refuse(Reach.HOOKS_FILE, DropCode.HOOKS_NOT_OBJECT, (_HOOKS,))
        elif hooks:
            self.read_events(hooks, (_HOOKS,), Reach.HOOKS_FILE)


def is_hooks_path(value: str) -> bool:
    """Return whether a manifest may name a hooks file by `value`."""
    return value.startswith("./") and value.endswith(".json")


def _is_one_text_at_most(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 1 and all(isinstance(element, str) for element in value)


def _merged(hooks: dict[str, Any] | None, more: dict[str, Any] | None) -> dict[str, Any] | None:
    if hooks is None or more is None:
        return more if hooks is None else hooks
    return {event: [*hooks.get(event, []), *more.get(event, [])] for event in {**hooks, **more}}
