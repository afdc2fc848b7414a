"""What reading a tarball cannot do without: decompress it; with a second argument, its SHA-512 besides."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from isal import igzip


def main() -> None:
    """Decompress the file that is named first."""
    path = Path(sys.argv[1])
    with path.open("rb") as raw, igzip.open(raw, "rb") as file:  # type: ignore[no-untyped-call]
        while file.read(1 << 20):
            pass
    if len(sys.argv) > 2:
        digest = hashlib.sha512()
        with path.open("rb") as raw:
            while block := raw.read(1 << 20):
                digest.update(block)


if __name__ == "__main__":
    main()
