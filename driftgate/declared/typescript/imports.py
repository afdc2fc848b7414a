"""Where an imported TypeScript or JavaScript module stands as a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from driftgate.declared.source import Source

_SUFFIXES: Final = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx")
_WRITTEN: Final = re.compile(r"\.(?:d\.[cm]?ts|[cm]?[jt]sx?)$")


def module_files(module: str, source: Source) -> Iterator[Path]:
    """Yield the files that `module`, as written in `source`, may mean, the likeliest first.

    A path that begins with a dot is relative to the file; another one is looked for from each folder above the file
    up to the root (`baseUrl`), without the leading `@/` or `~/` that aliases have. TypeScript writes `./x.js` for
    x.ts. The files given beside the source are known by their stem.
    """
    here = source.path.resolve().parent
    if module.startswith("."):
        yield from _files(here / module)
    else:
        written = re.sub(r"^[@~]/", "", module)
        root = source.root.resolve()
        for folder in (here, *here.parents):
            if folder == root or root in folder.parents:
                yield from _files(folder / written)
                yield from _files(folder / "src" / written)
    stem = _WRITTEN.sub("", module).rpartition("/")[2]
    yield from (file for file in source.beside if _WRITTEN.sub("", file.name) == stem)


def _files(base: Path) -> Iterator[Path]:
    bare = base.with_name(_WRITTEN.sub("", base.name)) if base.name else base
    candidates = [base]
    candidates += [bare.with_name(bare.name + suffix) for suffix in _SUFFIXES]
    candidates += [base / f"index{suffix}" for suffix in _SUFFIXES]
    yield from (file for file in candidates if file.is_file())
