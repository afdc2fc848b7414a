"""What Codex says of itself: the events of its hooks, printed by its own program, recorded as a snapshot.

    python -m tests.upstreams.codex 0.171.0 > snapshots/codex/0.171.0.yaml

The program holds the JSON Schemas of the hooks' inputs as text, but not of all events (12 of 14 in 0.171.0), so what
stands in the package can be a witness and never the whole. The whole is printed by `app-server generate-json-schema`,
which driftgate itself never runs: this script does, without network, login or environment, and a test marked `client`
runs it again.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from driftgate.anchors import FetchOptions, find_package
from driftgate.snapshot import HEADER, dump_snapshot
from driftgate.surface import HOOK_EVENTS_SET, Evidence, Origin, Place, Surface, Vocabulary, Witness

PACKAGE: Final = "@openai/codex"
PLATFORM: Final = "linux-x64"
_PROGRAM: Final = re.compile(r"package/vendor/[^/]+/bin/codex\Z")
_SCHEMA: Final = re.compile(rb'\{\s*"\$schema"\s*:')
RECORDED: Final = (
    "# What Codex prints of itself, recorded by `python -m tests.upstreams.codex` (which says how); not edited.\n"
)
_NO_EVENTS: Final = {"managedDir", "windowsManagedDir"}


def observed(version: str, folder: Path) -> Surface:
    """Return what the program of a version states; it is unpacked to `folder`. Raises AssertionError, AnchorError."""
    artefact = find_package(PACKAGE, f"{version}-{PLATFORM}", FetchOptions())
    member, program = "", folder / "codex"
    for each in artefact.open_members():
        if _PROGRAM.match(each.name):
            member = each.name
            program.write_bytes(each.read())
    program.chmod(0o755)
    printed = _printed(program, folder)
    names = [name[:1].upper() + name[1:] for name in printed["HookEventName"]["enum"]]
    configured = {name for name in printed["ManagedHooksRequirements"]["properties"] if name not in _NO_EVENTS}
    assert set(names) == configured, (names, configured)
    inputs = dict(_inputs(program.read_bytes()))
    assert set(inputs) < set(names), (inputs, names)
    place = Place(member, offset=min(inputs.values()))
    witnesses = (
        Witness("printed by `codex app-server generate-json-schema`: HookEventName", place, tuple(names)),
        Witness("printed by the same: the properties of ManagedHooksRequirements", place, tuple(names)),
        Witness(f"hook_event_name of the JSON Schemas that the program holds as text ({len(inputs)} of {len(names)})"),
    )
    origin = Origin(PACKAGE, artefact.origin.version, artefact.origin.integrity, artefact.origin.location)
    events = Vocabulary(HOOK_EVENTS_SET, tuple(names), (Evidence(origin, place, witnesses),))
    return Surface(f"Codex {version}", version, MappingProxyType({HOOK_EVENTS_SET: events}))


def _printed(program: Path, folder: Path) -> dict[str, Any]:
    """Return the definitions that the program prints, run alone: no network, no environment, a home of its own."""
    home, out = folder / "home", folder / "out"
    home.mkdir()
    out.mkdir()
    command = [str(program), "app-server", "generate-json-schema", "--out", str(out)]
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    subprocess.run(["unshare", "-rn", *command], env=environment, check=True, timeout=120, capture_output=True)
    schemas = json.loads((out / "codex_app_server_protocol.v2.schemas.json").read_text(encoding="utf-8"))
    definitions: dict[str, Any] = schemas["definitions"]
    return definitions


def _inputs(program: bytes) -> Iterator[tuple[str, int]]:
    """Yield the event that each schema of a hook's input names, and where the schema stands in the program."""
    for found in _SCHEMA.finditer(program):
        text = program[found.start() : found.start() + 64 * 1024].decode(errors="replace")
        schema, _ = json.JSONDecoder().raw_decode(text)
        event = schema.get("properties", {}).get("hook_event_name", {}).get("const")
        if event:
            yield event, found.start()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        text = dump_snapshot(observed(sys.argv[1], Path(folder)), "codex")
        sys.stdout.write(text.replace(HEADER, RECORDED))
