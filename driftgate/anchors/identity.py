"""Which package, and which release of which program, a package.json says that it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from driftgate.errors import AnchorError
from driftgate.upstreams.catalogue import program_of
from driftgate.upstreams.program import Program
from driftgate.versions import is_version


@dataclass(frozen=True, slots=True)
class Identity:
    """A package version, and the release that it belongs to; None for what is not known."""

    package: str | None = None
    version: str | None = None
    release: str | None = None


def identity_of(manifest: Mapping[str, Any]) -> Identity:
    """Return what a package.json says. Of a package that is not in the catalogue, no release is known."""
    package, version = manifest.get("name"), manifest.get("version")
    if not isinstance(package, str) or not isinstance(version, str):
        return Identity()
    known = program_of(package)
    if known is None:
        return Identity(package, version)
    program, row = known
    stated = manifest.get(program.states_release) if program.states_release else None
    return Identity(package, version, stated if isinstance(stated, str) else row.release_of(version))


def refuse_stub(identity: Identity) -> None:
    """Raise AnchorError for the package that only names the packages of the platforms, and holds no script."""
    known = program_of(identity.package) if identity.package else None
    if known and identity.package and identity.version and is_version(identity.version):
        program, _ = known
        if program.is_stub(identity.package, identity.version):
            raise AnchorError(
                f"{identity.package}@{identity.version} is a stub without a script",
                expected=f"a package that holds {program.title}; after {program.last_script} this one does not",
                next=instead_of_stub(program, identity.version),
            )


def instead_of_stub(program: Program, version: str) -> str:
    """Return what to ask for where a release's main package is a stub."""
    native = next(program.natives())[1].name
    return f"{version} for the small package that states the same, or npm:{native}@{version} for the program"
