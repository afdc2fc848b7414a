"""The words of `driftgate init`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from driftgate.init.mirrors import Mirror
from driftgate.init.plan import Plan
from driftgate.report.phrases import plural
from driftgate.upstreams.catalogue import UPSTREAMS

_SHOWN = 6
_SHOWN_FINDINGS = 12


def init_text(plan: Plan, *, dry_run: bool) -> str:
    """Return what was found, why, and what was (or would be) written."""
    if plan.configured is not None:
        return f"already configured: {_shown(plan.configured, plan.root)}; nothing was written"
    return "\n".join(_lines(plan, dry_run=dry_run))


def _lines(plan: Plan, *, dry_run: bool) -> Iterator[str]:
    yield f"mirrors of {' and '.join(plan.releases)}:"
    several = len(plan.releases) > 1
    yield from (line for mirror in plan.mirrors for line in _mirror(mirror, of=several))
    if plan.others:
        yield "also found, and not configured:"
        yield from (line for mirror in plan.others for line in _mirror(mirror, of=True))
    yield from _besides(plan)
    yield ""
    for file in plan.files:
        verb = ("would add to" if dry_run else "added to") if file.appended else "would write" if dry_run else "wrote"
        yield f"{verb} {_shown(file.path, plan.root)}"
        if dry_run:
            yield from (f"  | {line}".rstrip() for line in file.text.splitlines())
    yield from (f"kept {_shown(path, plan.root)}: it is there already" for path in plan.kept)
    yield ""
    yield from _verdict(plan)


def _besides(plan: Plan) -> Iterator[str]:
    """Yield what was seen and is no mirror, and what was not seen."""
    found = plan.found
    if found.uses:
        yield f"uses of hooks, which mirror nothing: {_some(found.uses)}"
        yield "    `driftgate classify FILE` says whether they load"
    for language in dict.fromkeys(found.unread.values()):
        paths = [path for path, one in found.unread.items() if one == language]
        yield f"names of hook events in {language}, which driftgate does not read: {_some(paths)}"
    if found.unread:
        yield "    write the names to a JSON list that is declared here, and compare the two in a test"
    if found.broken:
        yield f"{plural(len(found.broken), 'file')} with names of hook events could not be read:"
        yield from (f"    {path}: {why}" for path, why in [*found.broken.items()][:_SHOWN])
    if found.silent:
        yield f"names of hook events, in no set that can be named: {_some(found.silent)}"
    if plan.skipped:
        names = [f"{name} ({count})" if count > 1 else name for name, count in sorted(plan.skipped.items())]
        yield f"not looked into: {_some(names)}"


def _verdict(plan: Plan) -> Iterator[str]:
    if plan.left_out:
        left_out = plural(plan.left_out, "name")
        yield f"{left_out} of upstream left out, as a subset on purpose: confirm the reason, or adopt them"
    if plan.drift:
        yield f"`driftgate check` is red: {plural(len(plan.drift), 'difference')} that nobody can mean:"
        yield from (f"  {severity} {subject}: {what}" for severity, subject, what in plan.drift[:_SHOWN_FINDINGS])
        if len(plan.drift) > _SHOWN_FINDINGS:
            yield f"  and {len(plan.drift) - _SHOWN_FINDINGS} more"
        yield "put them right, or accept them: driftgate accept RULE SUBJECT --reason ..."
    else:
        yield "`driftgate check` agrees"


def _some(words: list[str]) -> str:
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return f"{', '.join(words[:_SHOWN])}{more}"


def _mirror(mirror: Mirror, *, of: bool = False) -> Iterator[str]:
    known = len(mirror.same) + len(mirror.missing)
    names = (mirror.upstream, *mirror.instead)
    whose = f" of {' or '.join(UPSTREAMS[name].title for name in names)}" if of else ""
    yield f"  {mirror.place}  {mirror.declared}: {len(mirror.same)} of the {known} {mirror.set}{whose}"
    for words, held in (("lacks", mirror.missing), ("has besides", mirror.beyond)):
        if held:
            yield f"    {words} {_some([*held])}"


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
