"""Small packages in memory, as the anchors hand them on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from driftgate.artefact import Artefact, Member
from driftgate.surface import Origin


def artefact(files: Mapping[str, str], *, package: str = "@example/tool", version: str = "1.2.3") -> Artefact:
    """Return an artefact whose members are `files`, named below package/."""

    def members() -> Iterator[Member]:
        for name, text in files.items():
            data = text.encode()
            yield Member(f"package/{name}", len(data), iter([data[:7], data[7:]]))

    return Artefact(Origin(package, version, "sha512-AA==", f"npm:{package}@{version}"), version, members)
