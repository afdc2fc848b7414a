"""The words of `driftgate init`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from driftgate.init.mirrors import Mirror
from driftgate.init.plan import Plan
from driftgate.upstreams.catalogue import UPSTREAMS

_SHOWN = 6


def init_text(plan: Plan, *, dry_run: bool) -> str:
    """Return what was found, why, and what was (or would be) written."""
    if plan.configured is not None:
        return f"already configured: {_shown(plan.configured, plan.root)}; nothing was written"
    return "\n".join(_lines(plan, dry_run=dry_run))


def _lines(plan: Plan, *, dry_run: bool) -> Iterator[str]:
    yield f"mirrors of {plan.release}:"
    yield from (line for mirror in plan.mirrors for line in _mirror(mirror))
    if plan.others:
        yield "also found, and not configured:"
        yield from (line for mirror in plan.others for line in _mirror(mirror, of=True))
    yield ""
    for file in plan.files:
        verb = ("would add to" if dry_run else "added to") if file.appended else "would write" if dry_run else "wrote"
        yield f"{verb} {_shown(file.path, plan.root)}"
        if dry_run:
            yield from (f"  | {line}".rstrip() for line in file.text.splitlines())
    yield from (f"kept {_shown(path, plan.root)}: it is there already" for path in plan.kept)
    if plan.drift:
        yield ""
        yield f"{plan.drift} differences, each in the accepted list with an empty reason, which `check` refuses."
        yield "Fill the reasons in, or adopt the names and delete the entries."
    else:
        yield "no drift: `driftgate check` agrees"


def _mirror(mirror: Mirror, *, of: bool = False) -> Iterator[str]:
    known = len(mirror.same) + len(mirror.missing)
    whose = f" of {UPSTREAMS[mirror.upstream].title}" if of else ""
    yield f"  {mirror.place}  {mirror.declared}: {len(mirror.same)} of the {known} {mirror.set}{whose}"
    for words, names in (("lacks", mirror.missing), ("has besides", mirror.beyond)):
        if names:
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            yield f"    {words} {', '.join(names[:_SHOWN])}{more}"
    if mirror.spec is None:
        yield "    it cannot be named in a configuration: its reader does not find it by name"


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
