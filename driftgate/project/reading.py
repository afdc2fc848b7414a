"""From the text of a configuration to its value; each mistake is named with the nearest right thing.

`[tool.driftgate]` in pyproject.toml, or driftgate.yml. Unknown keys are errors.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from driftgate.errors import ConfigError
from driftgate.formats.files import read_text
from driftgate.formats.yaml import load_yaml
from driftgate.judge.rules import RULES, Severity
from driftgate.near import did_you_mean
from driftgate.project.checking import Checker
from driftgate.project.configuration import (
    CLASSIFY_FAILS,
    CLASSIFY_KEYS,
    DECLARED_KEYS,
    FINDER_KEYS,
    JUDGES,
    KEYS,
    MIRROR_KEYS,
    OPTIONS,
    ClassifySettings,
    Config,
    Project,
)
from driftgate.project.entries import EntryReader
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_SETS
from driftgate.upstreams.catalogue import DEFAULT_UPSTREAM, UPSTREAMS, known_upstream
from driftgate.upstreams.shipped import pinned_path, snapshots_dir, snapshots_of
from driftgate.versions import is_version, parse_range

_BUILT_IN: Final = (*HOOK_SETS, HOOK_ENTRY_FIELDS_TABLE)
_STATES_A_MIRROR: Final = tuple(key for key in MIRROR_KEYS if key != "severity")


def load_project(path: Path, *, root: Path | None = None, builtin: bool = False, unreasoned: bool = False) -> Project:
    """Return the configuration that the file at `path` states, with all its mirrors.

    `unreasoned` lets accepted entries without a reason pass: for who is about to fill them in. Raises `ConfigError`.
    """
    text = read_text(path, ConfigError, "the configuration")
    return parse_project(text, path, root=root, builtin=builtin, unreasoned=unreasoned)


def load_config(path: Path, *, root: Path | None = None, builtin: bool = False) -> Config:
    """Return the one mirror that the file at `path` states. Raises `ConfigError`; UsageError where there are more."""
    return load_project(path, root=root, builtin=builtin).one(None)


def parse_project(
    text: str, path: Path, *, root: Path | None = None, builtin: bool = False, unreasoned: bool = False
) -> Project:
    """Return the configuration that `text` states; `path` says in which language, and from where for messages."""
    reader = _Reader(path, root or path.resolve().parent, text, builtin=builtin, unreasoned=unreasoned)
    return reader.project(table_of(text, path))


def parse_config(text: str, path: Path, *, root: Path | None = None) -> Config:
    """Return the one mirror that `text` states. Raises as `load_config` does."""
    return parse_project(text, path, root=root).one(None)


def classify_settings(path: Path) -> ClassifySettings:
    """Return how the project with the configuration at `path` has its settings files judged.

    The rest of it is not read: a project that only has settings to classify declares nothing. Raises `ConfigError`.
    """
    text = read_text(path, ConfigError, "the configuration")
    return _Reader(path, path.resolve().parent, text).classify(table_of(text, path))


def table_of(text: str, path: Path) -> Any:
    """Return what the file says to driftgate: its own table of a pyproject.toml, else the whole. Raises ConfigError."""
    data = file_data(text, path)
    if path.suffix != ".toml":
        return data
    tool = data.get("tool")
    table = tool.get("driftgate") if isinstance(tool, dict) else None
    if table is None:
        raise ConfigError("no [tool.driftgate] in this file", where=str(path), next="`driftgate init` writes one")
    return table


def file_data(text: str, path: Path) -> Any:
    """Return the data of a whole configuration file, that of other tools included. Raises `ConfigError`."""
    return _toml(text, path) if path.suffix == ".toml" else load_yaml(text, where=str(path), error=ConfigError)


@lru_cache(maxsize=1)  # looking for the configuration reads the same file that is then loaded
def _toml(text: str, path: Path) -> dict[str, Any]:
    from driftgate.formats.toml import load_toml  # a configuration in YAML needs none of it

    return load_toml(text, where=str(path), error=ConfigError)


class _Reader:
    """Checks a configuration's data while turning it into values."""

    def __init__(self, path: Path, root: Path, text: str, *, builtin: bool = False, unreasoned: bool = False) -> None:
        self.check = Checker(path)
        self.path = path
        self.root = root
        self.text = text
        self.builtin = builtin
        self.unreasoned = unreasoned

    def project(self, data: Any) -> Project:
        top = self.check.mapping(data, "driftgate", (*KEYS, *UPSTREAMS))
        options, releases = self.options(top), self.releases(top)
        tables = {name: top[name] for name in UPSTREAMS if name in top}
        mirrors = []
        if not tables or any(key in top for key in _STATES_A_MIRROR):
            mirrors.append(self.mirror(top, self.upstream(top.get("upstream", DEFAULT_UPSTREAM)), ()))
        elif "upstream" in top:
            raise self.check.fail(
                "upstream: it belongs to nothing here",
                found=f"tables of {', '.join(tables)}, and nothing declared beside them",
                next="remove it: the name of a table says whose sets it mirrors",
            )
        for name, table in tables.items():
            if mirrors and mirrors[0].upstream == name:
                raise self.check.fail(f"{name}: stated twice: at the top, and in a table", next="keep one of them")
            mirrors.append(self.mirror({"severity": top.get("severity", {}), **self.table(table, name)}, name, (name,)))
        shared = {"options": MappingProxyType(options), "releases": releases}
        return Project(self.path, tuple(_with(mirror, shared) for mirror in mirrors))

    def table(self, value: Any, name: str) -> dict[str, Any]:
        return self.check.mapping(value, name, MIRROR_KEYS)

    def mirror(self, top: dict[str, Any], upstream: str, table: tuple[str, ...]) -> Config:
        check = Checker(self.path, table)
        finders = {
            name: check.mapping(value, f"vocabularies.{name}", FINDER_KEYS)
            for name, value in check.mapping(top.get("vocabularies", {}), "vocabularies").items()
        }
        stated = {
            name: self.stated(value, f"declared.{name}", _BUILT_IN, check)
            for name, value in check.mapping(top.get("declared", {}), "declared").items()
        }
        docs = {
            name: self.places(value, f"docs.{name}", (*_BUILT_IN, *finders), check)
            for name, value in check.mapping(top.get("docs", {}), "docs").items()
        }
        for name, record in finders.items():
            if name in stated or name in _BUILT_IN:
                raise check.fail(f"vocabularies.{name}: the name is taken", next="choose another name for the set")
            if "declared" not in record:
                raise check.fail(f"vocabularies.{name}: where is it declared?", expected='declared = "path#NAME"')
            stated[name] = (
                check.texts(record["declared"], f"vocabularies.{name}.declared"),
                self.subset(record, f"vocabularies.{name}", check),
            )
        if not stated:
            raise check.fail(
                "declared: nothing is declared, so there is nothing to check",
                expected='e.g. declared.hook_events = "src/constants.py#HOOK_EVENTS"',
            )
        reader = EntryReader(check, stated, self.text, unreasoned=self.unreasoned)
        return Config(
            root=self.root,
            source=self.path,
            snapshot=self.snapshot(top, upstream, check),
            declared=MappingProxyType({name: places for name, (places, _) in stated.items()}),
            docs=MappingProxyType(docs),
            upstream=upstream,
            accepted=tuple(reader.entries(top.get("accepted", []))),
            subset=MappingProxyType({name: reason for name, (_, reason) in stated.items() if reason is not None}),
            finders=MappingProxyType(_finders(finders, check)),
            severity=MappingProxyType(self.severity(top.get("severity", {}), check)),
            table=table,
            builtin=self.builtin,
        )

    def upstream(self, value: Any) -> str:
        if isinstance(value, list):
            names = [str(name) for name in value]
            raise self.check.fail(
                "upstream: one name; a project that mirrors several has a table for each",
                found=", ".join(names),
                expected=_several(names, is_toml=self.path.suffix == ".toml"),
                next="each table has its own pin or snapshot, declared and accepted",
            )
        return known_upstream(self.check.text(value, "upstream"), where=str(self.path), error=ConfigError)

    def stated(self, value: Any, key: str, known: Iterable[str], check: Checker) -> tuple[tuple[str, ...], str | None]:
        """Return the places of a declared set, and why it is a subset if it is one."""
        if not isinstance(value, dict):
            return self.places(value, key, known, check), None
        record = check.mapping(value, key, DECLARED_KEYS)
        if "place" not in record:
            raise check.fail(f"{key}: where is it declared?", expected='place = "path#NAME"')
        return self.places(record["place"], key, known, check), self.subset(record, key, check)

    def subset(self, record: dict[str, Any], key: str, check: Checker) -> str | None:
        if "subset" not in record:
            return None
        reason = record["subset"]
        if not isinstance(reason, str) or not reason.strip():
            raise check.fail(
                f"{key}.subset: needs a reason",
                expected='why it is right that names of upstream are left out, e.g. subset = "this agent has no teams"',
                found=reason,
            )
        return reason

    def places(self, value: Any, key: str, known: Iterable[str], check: Checker) -> tuple[str, ...]:
        name, known = key.partition(".")[2], tuple(known)
        if name not in known:
            raise check.fail(
                f"{key}: not a built-in set" + did_you_mean(name, known),
                expected=", ".join(known),
                next=f"for a set of your own, use [tool.driftgate.vocabularies.{name}]",
            )
        return check.texts(value, key)

    def snapshot(self, top: dict[str, Any], upstream: str, check: Checker) -> Path:
        if ("snapshot" in top) == ("pin" in top):
            raise check.fail(
                "exactly one of `snapshot` and `pin` is needed",
                expected='snapshot = "path/to/snapshot.yaml" (your own), or pin = "2.1.296" (a release)',
            )
        if "snapshot" in top:
            return self.root / check.text(top["snapshot"], "snapshot", '"snapshots/claude-code/2.1.296.yaml"')
        pin = check.text(top["pin"], "pin")
        own = pinned_path(self.root, upstream, pin)
        path = snapshots_dir() / upstream / own.name
        if is_version(pin) and own.is_file() and not self.builtin:
            return own
        if not is_version(pin) or not path.is_file():
            shipped = ", ".join(snapshots_of(upstream)) or "none"
            raise check.fail(
                f"pin: driftgate ships no snapshot of {upstream} {pin}",
                expected=f"one of {shipped}, or {own.relative_to(self.root)} of your own",
                next="pin one of them; `driftgate refresh --to VERSION` then writes your own and moves the pin",
            )
        return path

    def severity(self, value: Any, check: Checker) -> dict[str, str]:
        chosen = check.mapping(value, "severity")
        for rule, severity in chosen.items():
            if rule not in RULES:
                raise check.fail(
                    f"severity.{rule}: there is no rule {rule!r}" + did_you_mean(rule, RULES),
                    next="`driftgate rules` lists them",
                )
            if severity not in list(Severity):
                raise check.fail(f"severity.{rule}: not a severity", expected=", ".join(Severity), found=severity)
        return chosen

    def options(self, top: dict[str, Any]) -> dict[str, Any]:
        options: dict[str, Any] = {name: top[name] for name in OPTIONS if name in top}
        for name, value in options.items():
            if name == "offline" and not isinstance(value, bool):
                raise self.check.fail("offline: not on or off", expected="true or false", found=value)
            if name == "timeout" and not _is_a_time(value):
                raise self.check.fail("timeout: not a number of seconds above 0", expected="e.g. 300", found=value)
            if name == "against":
                self.check.texts(value, name)
            if name in ("format", "fail-on", "registry", "cache"):
                self.check.text(value, name)
            if name == "fail-on" and value not in list(Severity):
                raise self.check.fail("fail-on: not a severity", expected=", ".join(Severity), found=value)
        return options

    def classify(self, data: Any) -> ClassifySettings:
        top = self.check.mapping(data, "driftgate", (*KEYS, *UPSTREAMS))
        table = self.check.mapping(top.get("classify", {}), "classify", CLASSIFY_KEYS)
        below = (DEFAULT_UPSTREAM,) if DEFAULT_UPSTREAM in top else ()
        mirror = self.table(top[DEFAULT_UPSTREAM], DEFAULT_UPSTREAM) if below else top
        pins = mirror.get("upstream", DEFAULT_UPSTREAM) == DEFAULT_UPSTREAM and (
            "pin" in mirror or "snapshot" in mirror
        )
        return ClassifySettings(
            releases=self.releases(top),
            judge=self.choice(table, "judge", JUDGES),
            fail_on=self.choice(table, "fail-on", CLASSIFY_FAILS),
            snapshot=self.snapshot(mirror, DEFAULT_UPSTREAM, Checker(self.path, below)) if pins else None,
        )

    def choice(self, table: dict[str, Any], key: str, known: tuple[str, ...]) -> str | None:
        value = table.get(key)
        if value is not None and value not in known:
            raise self.check.fail(f"classify.{key}: not known", expected=", ".join(known), found=value)
        return value

    def releases(self, top: dict[str, Any]) -> str | None:
        releases = self.check.mapping(top.get("classify", {}), "classify", CLASSIFY_KEYS).get("releases")
        if releases is not None:
            parse_range(self.check.text(releases, "classify.releases"), where=str(self.path), error=ConfigError)
        return releases


def _is_a_time(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 < value < float("inf")


def _finders(records: dict[str, dict[str, Any]], check: Checker) -> dict[str, Any]:
    if not records:
        return {}
    from driftgate.project.own_sets import finder_of  # only a configuration with such a set needs it

    return {name: finder_of(record, f"vocabularies.{name}", check) for name, record in records.items()}


def _with(mirror: Config, shared: dict[str, Any]) -> Config:
    from dataclasses import replace

    return replace(mirror, **shared)


def _several(names: list[str], *, is_toml: bool) -> str:
    if is_toml:
        return "; ".join(f"[tool.driftgate.{name}]" for name in names)
    return "; ".join(f"{name}: {{pin: ..., declared: ...}}" for name in names)
