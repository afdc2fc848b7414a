"""Check: what a project declares, compared with what was observed.

Errors that make one comparison blind are part of its value, so that the others are still made.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared import mentions, notices, parse_spec, read_declared
from driftgate.errors import BlindError, DriftgateError, UsageError
from driftgate.gate.outcome import CheckReport, Comparison, MirrorReport
from driftgate.gate.pinned import origins_of, pinned_integrity, pinned_snapshot, read_as_pinned, uncompared
from driftgate.gate.target import PINNED, SNAPSHOT, Target, TargetKind, release
from driftgate.judge import selfcheck
from driftgate.judge.acceptance import about_entries, accept, leave_out
from driftgate.judge.accepted import Accepted
from driftgate.judge.comparison import ChangeKind, Count, Diff, diff
from driftgate.judge.findings import Breach, Finding, Home, Judgement, breaches, measure, mirrors_disagree, untrue
from driftgate.judge.rules import Severity
from driftgate.project.configuration import Config, Project
from driftgate.project.entries import place_of
from driftgate.surface import FieldTable, Surface, Vocabulary, surface_of
from driftgate.upstreams.catalogue import DEFAULT_UPSTREAM

if TYPE_CHECKING:
    from driftgate.anchors import FetchOptions


@dataclass(frozen=True, slots=True)
class Declaration:
    """One place that declares one set."""

    spec: str
    held: Vocabulary | FieldTable


def declarations(config: Config) -> dict[str, tuple[Declaration, ...]]:
    """Return what the project declares: set name -> the places that declare it, read statically."""
    return {
        name: tuple(Declaration(spec, declared_in(config, name, spec)) for spec in specs)
        for name, specs in config.declared.items()
    }


def declared_in(config: Config, name: str, spec: str) -> Vocabulary | FieldTable:
    """Return what one place of the project states, as what the set `name` is compared as."""
    held = read_declared(spec, root=config.root, vocabulary=name)
    if name not in config.finders:
        return held
    from driftgate.extraction.finders.declared import as_found

    return as_found(held, config.finders[name])


def check(
    config: Config,
    targets: Sequence[Target],
    options: FetchOptions | None,
    *,
    deep: bool = False,
    fail_on: Severity = Severity.NOTICE,
    today: dt.date | None = None,
) -> CheckReport:
    """Compare what one mirror declares with its snapshot, or with each of `targets` instead.

    Targets are those of `observe`, and two that only a project knows: "snapshot", and "pinned", the snapshot's own
    anchor, which then must also say what the snapshot says. `options` may be None where there are no targets. Raises
    `ConfigError`, `UsageError` for targets without options, and `BlindError` where the declared constants or the
    snapshot cannot be read.
    """
    home = Home(str(config.source), str(config.root))
    today = today or dt.datetime.now(tz=dt.UTC).date()
    return CheckReport((_mirror(config, home, targets, options, deep=deep, today=today),), fail_on)


def check_projects(
    projects: Mapping[str, Project | DriftgateError],
    targets: Callable[[Config], Sequence[Target]],
    options: Callable[[Config], FetchOptions],
    *,
    upstream: str | None = None,
    deep: bool = False,
    fail_on: Severity = Severity.NOTICE,
    today: dt.date | None = None,
) -> CheckReport:
    """Compare every mirror of every project as `check` does one; what is wrong with one does not hide the others.

    `projects` maps the path of each configuration, as people know it, to what it states, or to why it cannot be read.
    `targets` and `options` give what a mirror is compared with, and how artefacts are fetched for it. Raises as `check`
    does where there is only one mirror, and `UsageError` for a target that does not say which mirror it is meant for.
    """
    today = today or dt.datetime.now(tz=dt.UTC).date()
    mirrors = [*_mirrors(projects, upstream)]
    wanted = {config.upstream: targets(config) for _, config in mirrors if isinstance(config, Config)}
    _must_be_meant_for_all(wanted)
    found = []
    for home, config in mirrors:
        try:
            if isinstance(config, DriftgateError):
                raise config
            asked = targets(config)
            fetch = options(config) if any(map(_is_fetched, asked)) else None
            found.append(_mirror(config, home, asked, fetch, deep=deep, today=today))
        except DriftgateError as problem:
            if len(mirrors) == 1:
                raise
            named = "" if isinstance(config, DriftgateError) else config.upstream
            found.append(MirrorReport(named, "", home, failure=problem))
    return CheckReport(tuple(found), fail_on)


def _mirrors(
    projects: Mapping[str, Project | DriftgateError], upstream: str | None
) -> Iterator[tuple[Home, Config | DriftgateError]]:
    for path, project in projects.items():
        name = path if len(projects) > 1 else ""
        if isinstance(project, DriftgateError):
            yield Home(path, project=name), project
            continue
        for config in project.of(upstream):
            named = config.upstream if len(project.mirrors) > 1 else ""
            yield Home(str(config.source), str(config.root), name, named), config


def _must_be_meant_for_all(wanted: Mapping[str, Sequence[Target]]) -> None:
    """Raise UsageError for a target that is a thing of one upstream where mirrors of several are looked at."""
    names = [*wanted]
    one_sided = [one.text for targets in wanted.values() for one in targets if one.kind not in _OF_EVERY_UPSTREAM]
    if len(names) > 1 and one_sided:
        raise UsageError(
            f"whose is {one_sided[0]}? This project mirrors {' and '.join(names)}",
            expected="pinned, latest or snapshot for all of them",
            next=f"--upstream {names[0]} (or another) says which mirror is meant",
        )


_OF_EVERY_UPSTREAM: Final = frozenset({TargetKind.PINNED, TargetKind.LATEST, TargetKind.PROJECT})


def _mirror(
    config: Config,
    home: Home,
    targets: Sequence[Target],
    options: FetchOptions | None,
    *,
    deep: bool,
    today: dt.date,
) -> MirrorReport:
    if options is None and any(map(_is_fetched, targets)):
        # The snapshot must never stand in for what was asked for.
        raise UsageError("targets are given, and not how to fetch them", expected="options beside the targets")
    if deep and not any(map(_is_fetched, targets)):
        raise UsageError(
            "deep reads a second artefact, and without a target none is read",
            expected="a target that is a release, e.g. --against pinned --deep",
        )
    declared = declarations(config)
    snapshot = pinned_snapshot(config)
    run = _Check(config, declared, snapshot, today)
    comparisons = tuple(run.against(target, options, deep=deep) for target in targets or (SNAPSHOT,))
    at_pin = [judgement for version, judgement in run.judgements if version == snapshot.version]
    own = [*run.own_findings()]
    for judgement in at_pin[:1]:
        own += about_entries(config.accepted, judgement, snapshot.version, today, lambda entry: place_of(config, entry))
    return MirrorReport(
        config.upstream,
        snapshot.version or "",
        home,
        comparisons=tuple(_at(home, comparison) for comparison in comparisons),
        findings=tuple(replace(finding, home=home) for finding in own),
        used=MappingProxyType(run.used()),
        notices=tuple(note for places in declared.values() for place in places for note in notices(place.held)),
        declared=config.declared,
        subset=config.subset,
    )


def _is_fetched(target: Target) -> bool:
    """Return whether it is anything else than the project's own snapshot."""
    return target.kind is not TargetKind.PROJECT


def _at(home: Home, comparison: Comparison) -> Comparison:
    """Return the comparison as one of the mirror at `home`."""

    def ours(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(replace(finding, home=home) for finding in findings)

    return replace(
        comparison,
        home=home,
        findings=ours(comparison.findings),
        accepted=ours(comparison.accepted),
        left_out=ours(comparison.left_out),
    )


def compare_with(config: Config, observed: Surface, *, today: dt.date, pinned: Surface | None = None) -> Comparison:
    """Compare what the project declares with `observed` alone, as `check` does.

    `pinned` is the project's snapshot, which need not be there yet: without it, `observed` is what it will hold.
    """
    return _Check(config, declarations(config), pinned or observed, today).compare(SNAPSHOT.text, observed)


class _Check:
    """One run of `check`: what every comparison of it shares."""

    def __init__(
        self,
        config: Config,
        declared: Mapping[str, tuple[Declaration, ...]],
        snapshot: Surface,
        today: dt.date,
    ) -> None:
        self.config = config
        self.declared = declared
        self.snapshot = snapshot
        self.today = today
        self.surface = surface_of((places[0].held for places in declared.values()), "declared")
        self.docs = [
            (name, spec, declared_in(config, name, spec)) for name, specs in config.docs.items() for spec in specs
        ]
        self.judgements: list[tuple[str | None, Judgement]] = []

    def against(self, target: Target, options: FetchOptions | None, *, deep: bool) -> Comparison:
        """Observe `target` and compare; what cannot be observed becomes a blind comparison."""
        if target.kind is TargetKind.PROJECT or options is None:
            return self.compare(SNAPSHOT.text, self.snapshot)
        try:
            if target.kind is TargetKind.PINNED:
                observed = self._pinned(options, deep=deep)
                return self.compare(PINNED.text, observed, tuple(untrue(observed, self.snapshot)))
            self._must_be_another(target)
            return self.compare(target.text, self._observe(target, options, deep=deep))
        except BlindError as problem:
            return Comparison(against=target.text, title=target.text, problem=problem)

    def _pinned(self, options: FetchOptions, *, deep: bool) -> Surface:
        """Return what the snapshot's own anchor says, which must be the one that the snapshot pins."""
        # Imported here: the offline check needs none of it and starts faster so.
        from driftgate.upstreams.catalogue import UPSTREAMS

        where = str(self.config.snapshot)
        pins = pinned_integrity(self.snapshot, where) if UPSTREAMS[self.config.upstream].package else {}
        observed = self._observe(release(self.snapshot.version or ""), options, deep=deep, pinned=pins)
        return read_as_pinned(observed, pins, where)

    def _must_be_another(self, target: Target) -> None:
        """Raise UsageError for a target that is one of the declared files: that always agrees with itself."""
        for spec in (place.spec for places in self.declared.values() for place in places):
            parsed = parse_spec(spec)
            same_name = target.spec is None or parse_spec(target.spec).name == parsed.name
            if target.path and same_name and _is_same(target.path, self.config.root / parsed.path):
                raise UsageError(
                    f"{target.text} is what is declared itself, so comparing with it says nothing",
                    where=f"{self.config.source}: {spec}",
                    expected="a release, latest, pinned, or a file that is another source",
                )

    def _observe(
        self, target: Target, options: FetchOptions, *, deep: bool, pinned: Mapping[str, str] | None = None
    ) -> Surface:
        from driftgate.gate.observe import observe  # the offline check needs none of it and starts faster so

        config = self.config
        return observe(target, options, deep=deep, pinned=pinned, upstream=config.upstream, finders=config.finders)

    def compare(self, against: str, observed: Surface, extra: tuple[Finding, ...] = ()) -> Comparison:
        """Compare every declared place with `observed` and judge the changes."""
        result = self._diff(observed)
        if result.uncompared:
            return Comparison(against, observed.title, observed.version, problem=uncompared(result, observed))
        found, left_out = leave_out(breaches(result.changes, against), self.config.subset, self.snapshot)
        stands, accepted, used = accept(found, self.config.accepted, observed.version, self.today)
        findings = (*extra, *map(self._also, self._measure(stands, observed)))
        judgement = Judgement(findings, accepted, used)
        self.judgements.append((observed.version, judgement))
        return Comparison(
            against=against,
            title=observed.title,
            version=observed.version,
            findings=judgement.findings,
            accepted=judgement.accepted,
            left_out=left_out,
            counts=result.counts,
            anchors=origins_of(observed),
            notices=(*observed.notices, *self._docs_gaps(observed), *self._whole_subsets(observed, result.counts)),
        )

    def _measure(self, stands: tuple[Breach, ...], observed: Surface) -> tuple[Finding, ...]:
        """Measure the impact with the classifier, which speaks for Claude Code and for no other upstream."""
        severity = self.config.severity
        if self.config.upstream == DEFAULT_UPSTREAM:
            return measure(stands, observed, self.surface, severity)
        return measure(stands, Surface(observed.title), Surface("declared"), severity, Severity.WARNING)

    def _also(self, finding: Finding) -> Finding:
        """Say where else this side states a name that its set lacks: close by, and no proof that the set holds it."""
        if not finding.rule.id.endswith("-only-upstream") or finding.of in self.surface.tables:
            return finding
        found = (
            f"{what} at {place} states it"
            for declaration in self.declared.get(finding.of, ())
            for what, place in mentions(declaration.spec, finding.subject, root=self.config.root)
        )
        return replace(finding, also=tuple(dict.fromkeys(found)))

    def _docs_gaps(self, observed: Surface) -> Iterator[str]:
        """Yield the names that only one of `observed` and a docs table holds: worth saying, no drift."""
        for name, spec, held in self.docs:
            changes = diff(observed, surface_of((held,), spec)).changes
            for kind, words in ((ChangeKind.ADDED, "absent from docs"), (ChangeKind.REMOVED, "only in docs")):
                names = ", ".join(change.subject for change in changes if change.kind is kind)
                if names:
                    yield f"{name} {names}: {words} {spec} (compared with {observed.title})"

    def _whole_subsets(self, observed: Surface, counts: Mapping[str, Count]) -> Iterator[str]:
        """Yield the sets that are called a subset and lack nothing."""
        for name in self.config.subset if observed.version == self.snapshot.version else ():
            if name in counts and not counts[name].only_upstream:
                yield f"{name}: it lacks nothing that upstream has, so `subset` can go"

    def _diff(self, observed: Surface) -> Diff:
        first = diff(observed, self.surface)
        changes, unknown = [*first.changes], [*first.uncompared]
        for places in self.declared.values():
            for place in places[1:]:
                more = diff(observed, surface_of((place.held,), place.spec))
                changes += more.changes
                unknown += more.uncompared
        return replace(first, changes=tuple(changes), uncompared=tuple(dict.fromkeys(unknown)))

    def own_findings(self) -> Iterator[Finding]:
        """Yield what is wrong on this side alone: mirrors that disagree, constants that contradict each other."""
        for name, places in self.declared.items():
            yield from mirrors_disagree(name, [(place.spec, place.held) for place in places])
        reported = {finding.subject for _, judgement in self.judgements for finding in judgement.findings}
        yield from (
            finding
            for finding in selfcheck.contradictions(self.surface, shipped=self.config.is_own)
            if finding.subject not in reported
        )

    def used(self) -> dict[Accepted, int]:
        """Return how many findings each accepted entry matched in this run."""
        used: dict[Accepted, int] = {}
        for _, judgement in self.judgements:
            for entry, count in judgement.used.items():
                used[entry] = used.get(entry, 0) + count
        return used


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
