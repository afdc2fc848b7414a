"""The readers, each with the inputs that it is thrown variants of. A reader may refuse; it must not fall over."""

from __future__ import annotations

import contextlib
import functools
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from driftgate.anchors.npmrc import NpmConfig
from driftgate.anchors.options import FetchOptions
from driftgate.anchors.places import Places
from driftgate.anchors.registry import _published
from driftgate.anchors.stream import ArchiveError, inflate
from driftgate.anchors.tar import entries
from driftgate.anchors.transport import proxy_for, trust_of
from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.declared import read_file_surface
from driftgate.errors import ConfigError, DriftgateError, SnapshotError
from driftgate.extraction import read_surface
from driftgate.formats.canonical import parse_canonical
from driftgate.formats.data import parse_data
from driftgate.formats.json import read_json_text
from driftgate.formats.yaml import load_any_yaml
from driftgate.history.store import parse_history
from driftgate.project.reading import parse_config
from driftgate.snapshot import parse_snapshot
from tests.anchors.npm.shapes import SHAPES, tarballs
from tests.extraction import bundles

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """One reader: what it is called, what it reads, and good inputs to begin with."""

    name: str
    read: Callable[[bytes], object]
    seeds: Callable[[], list[bytes]]


def _text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda data: read(data.decode("utf-8", "replace"))


def _tar(data: bytes) -> None:
    places = Places()
    for entry in entries([data]):
        places.take(entry, matters=True)
        for _ in entry.chunks:
            pass


def _gzip(data: bytes) -> None:
    """Both libraries must see the same content, or both refuse."""
    import sys

    seen = []
    for library in (True, False):
        hidden = {} if library else {"isal": None}
        with _modules(sys.modules, hidden):
            try:
                seen.append(b"".join(inflate([data])))
            except ArchiveError:
                seen.append(b"refused")
    assert seen[0] == seen[1], "isal and zlib see different contents"


@contextlib.contextmanager
def _modules(modules: Any, hidden: Mapping[str, object]) -> Iterator[None]:
    before = {name: modules.get(name) for name in hidden}
    modules.update(hidden)
    try:
        yield
    finally:
        modules.update(before)


@functools.cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="driftgate-fuzz-"))


def _npmrc(data: bytes) -> None:
    (_folder() / ".npmrc").write_bytes(data)
    environ = {"HOME": str(_folder()), "PATH": "", "TOKEN": "t"}
    config = NpmConfig(FetchOptions(environ=environ, project=_folder()))
    for ask in (
        lambda: config.registry("@scope/x"),
        lambda: config.credential("https://registry.example/@scope%2fx"),
        lambda: proxy_for("https://registry.example/", config, environ),
        lambda: trust_of(config, environ),
    ):
        with contextlib.suppress(ConfigError):
            ask()


def _metadata(data: bytes) -> None:
    try:
        value = parse_data(data)
    except ValueError:
        return
    _published(value, "x", "1.0.0", "somewhere")


def _canonical(data: bytes) -> None:
    """What the own reader takes must mean the same to PyYAML."""
    text = data.decode("utf-8", "replace")
    value = parse_canonical(text)
    if value is not None:
        assert repr(load_any_yaml(text, where="x", error=SnapshotError)) == repr(value), "YAML reads it otherwise"


def _config(suffix: str) -> Callable[[bytes], object]:
    return _text(lambda text: parse_config(text, _folder() / f"driftgate{suffix}", root=_folder()))


def _settings(data: bytes) -> None:
    text = read_json_text(data)
    classify_hooks_config(text.value)


def _file(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        path = _folder() / name
        path.write_bytes(data)
        return read_file_surface(path)

    return read


def _bundle(name: str) -> Callable[[bytes], object]:
    return lambda data: read_surface(bundles.artefact({name: data.decode("utf-8", "replace")}))


def _mirror(*names: str) -> Callable[[], list[bytes]]:
    return lambda: [(DATA / name).read_bytes() for name in names]


def _snapshots() -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / "snapshots/claude-code").glob("2*.yaml"))]


def _histories() -> list[bytes]:
    whole = (ROOT / "snapshots/claude-code/history.yaml").read_text("utf-8")
    return [yaml.safe_dump(yaml.safe_load(whole))[:30_000].encode(), whole[:30_000].encode()]


_NPMRC = b"""registry=https://registry.example/npm/
@scope:registry = "https://user:pass@other.example"
//registry.example/npm/:_authToken=${TOKEN}
//other.example/:_auth='dXNlcjpwYXNz'
//other.example/:username=u
//other.example/:_password=cA==
https-proxy=http://u:p@proxy.example:8080 ; comment
noproxy=a.example,b.example
cafile=/etc/none.pem
ca[]="-----BEGIN CERTIFICATE-----\\nAA=="
strict-ssl=true
[section]
registry=x
"""
_METADATA = (
    b'{"name": "x", "version": "1.0.0", "dist": {"tarball": "https://registry.example/x/-/x-1.0.0.tgz", '
    b'"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",'
    b' "shasum": "da39a3ee5e6b4b0d3255bfef95601890afd80709"}}'
)
_YML = b"""pin: "2.1.296"
declared:
  hook_events: [hooks.py#HOOK_EVENTS, "src/a.ts#E"]
  hook_entry_fields: hooks.py#Entry
docs: {hook_events: README.md#Events}
accepted:
- {rule: event-only-upstream, subject: Setup, reason: "later", until: 2027-01-01, versions: ">=2.1.1"}
vocabularies:
  tools: {declared: a.py#T, contains: [A, B], used-by: "record(enum(X))", least: 3}
severity: {event-only-upstream: warning}
classify: {releases: ">=2.1.250"}
against: [latest]
timeout: 30
"""
_TOML = b"""[tool.driftgate]
pin = "2.1.296"
against = ["latest"]
[tool.driftgate.declared]
hook_events = "hooks.py#HOOK_EVENTS"
[[tool.driftgate.accepted]]
rule = "event-only-upstream"
subject = "Setup"
reason = "later"
until = 2027-01-01
"""
_SETTINGS = (
    b'{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x", "timeout": 5}]}],'
    b' "Stop": [{"hooks": [{"type": "http", "url": "https://h.example/"}, {"type": "prompt", "prompt": "p"}]}]}}'
)

TARGETS: dict[str, Fuzzed] = {
    row.name: row
    for row in (
        Fuzzed("tar", _tar, lambda: list(SHAPES.values())),
        Fuzzed("gzip", _gzip, lambda: [data for _, data in tarballs(20)]),
        Fuzzed("npmrc", _npmrc, lambda: [_NPMRC]),
        Fuzzed("metadata", _metadata, lambda: [_METADATA]),
        Fuzzed("canonical", _canonical, _snapshots),
        Fuzzed("snapshot", _text(lambda text: parse_snapshot(text, where="x")), _snapshots),
        Fuzzed("history", _text(lambda text: parse_history(text, where="x")), _histories),
        Fuzzed("yml", _config(".yml"), lambda: [_YML]),
        Fuzzed("toml", _config(".toml"), lambda: [_TOML]),
        Fuzzed("settings", _settings, lambda: [_SETTINGS]),
        Fuzzed(
            "bundle",
            _bundle("cli.js"),
            lambda: [bundles.bare().encode(), bundles.getters().encode(), bundles.plain().encode()],
        ),
        Fuzzed("declarations", _bundle("sdk.d.ts"), lambda: [bundles.declared().encode()]),
        Fuzzed("python", _file("m.py"), _mirror("mirrors/hooks.py", "mirrors/hook_event_enum.py")),
        Fuzzed(
            "typescript", _file("m.ts"), _mirror("mirrors/events.ts", "mirrors/index.d.ts", "declared/contract.d.ts")
        ),
        Fuzzed("zod", _file("z.ts"), _mirror("mirrors/schemas.ts", "declared/schemas.ts")),
        Fuzzed("go", _file("m.go"), _mirror("mirrors/events.go")),
        Fuzzed("rust", _file("m.rs"), _mirror("mirrors/hook_event.rs")),
        Fuzzed("zig", _file("m.zig"), _mirror("mirrors/hooks.zig", "declared/definitions.zig")),
        Fuzzed("json-schema", _file("m.schema.json"), _mirror("mirrors/settings.schema.json")),
        Fuzzed("json", _file("m.json"), _mirror("mirrors/hooks.json")),
        Fuzzed("yaml", _file("m.yaml"), _mirror("mirrors/hooks.yaml")),
        Fuzzed("markdown", _file("m.md"), _mirror("mirrors/hooks.md")),
    )
}
"""Name -> reader."""

ALLOWED = (DriftgateError, ArchiveError)
"""What a reader may raise: an error that says what is wrong."""
