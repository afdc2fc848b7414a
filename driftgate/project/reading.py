"""From the text of a configuration to its value; each mistake is named with the nearest right thing.

`[tool.driftgate]` in pyproject.toml, or driftgate.yml. Unknown keys are errors.
"""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from driftgate.errors import ConfigError
from driftgate.formats.files import read_text
from driftgate.formats.yaml import load_yaml
from driftgate.judge.accepted import Accepted
from driftgate.judge.rules import RULES, Severity
from driftgate.near import did_you_mean, nearest, unknown_key
from driftgate.project.configuration import (
    ACCEPTED_KEYS,
    CLASSIFY_FAILS,
    CLASSIFY_KEYS,
    FINDER_KEYS,
    JUDGES,
    KEYS,
    OPTIONS,
    ClassifySettings,
    Config,
)
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_SETS
from driftgate.upstreams.catalogue import known_upstream
from driftgate.upstreams.shipped import pinned_path, snapshots_dir, snapshots_of
from driftgate.versions import is_version, parse_range

if TYPE_CHECKING:
    from driftgate.upstreams.finder import Finder, Form


def load_config(path: Path, *, root: Path | None = None, builtin: bool = False) -> Config:
    """Return the configuration that the file at `path` states. Raises `ConfigError`."""
    return parse_config(read_text(path, ConfigError, "the configuration"), path, root=root, builtin=builtin)


def parse_config(text: str, path: Path, *, root: Path | None = None, builtin: bool = False) -> Config:
    """Return the configuration that `text` states; `path` says in which language, and from where for messages."""
    return _Reader(path).config(_table(text, path), root or path.resolve().parent, builtin=builtin)


def classify_settings(path: Path) -> ClassifySettings:
    """Return how the project with the configuration at `path` has its settings files judged.

    The rest of it is not read: a project that only has settings to classify declares nothing. Raises `ConfigError`.
    """
    table = _table(read_text(path, ConfigError, "the configuration"), path)
    return _Reader(path).classify(table, path.resolve().parent)


def _table(text: str, path: Path) -> Any:
    data = file_data(text, path)
    if path.suffix != ".toml":
        return data
    table = data.get("tool", {}).get("driftgate")
    if table is None:
        raise ConfigError("no [tool.driftgate] in this file", where=str(path), next="`driftgate init` writes one")
    return table


def file_data(text: str, path: Path) -> Any:
    """Return the data of a whole configuration file, that of other tools included. Raises `ConfigError`."""
    return _toml(text, path) if path.suffix == ".toml" else load_yaml(text, where=str(path), error=ConfigError)


@lru_cache(maxsize=1)  # looking for the configuration reads the same file that is then loaded
def _toml(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise ConfigError("not readable as TOML", where=str(path), found=str(problem)) from problem


class _Reader:
    """Checks a configuration's data while turning it into values."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fail(self, what: str, *, expected: str = "", found: object = "", next: str = "") -> ConfigError:  # noqa: A002
        shown = found if isinstance(found, str) else repr(found)
        return ConfigError(what, where=str(self.path), expected=expected, found=shown, next=next)

    def mapping(self, value: Any, key: str, known: tuple[str, ...] | None = None) -> dict[str, Any]:
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value):
            raise self.fail(f"{key}: not a table", expected="a table of keys", found=value)
        for name in value:
            if known is not None and name not in known:
                raise self.fail(f"{key}: {unknown_key(name, known)}")
        return value

    def text(self, value: Any, key: str, example: str = "") -> str:
        if not isinstance(value, str) or not value.strip():
            raise self.fail(f"{key}: not a text", expected=f"a text{example and f', e.g. {example}'}", found=value)
        return value

    def texts(self, value: Any, key: str) -> tuple[str, ...]:
        items = value if isinstance(value, list) else [value]
        if not items:
            raise self.fail(f"{key}: empty", expected="at least one text")
        return tuple(self.text(item, key) for item in items)

    def config(self, data: Any, root: Path, *, builtin: bool) -> Config:
        top = self.mapping(data, "driftgate", KEYS)
        finders = self.mapping(top.get("vocabularies", {}), "vocabularies")
        declared = {
            name: self.specs(value, f"declared.{name}", (*HOOK_SETS, HOOK_ENTRY_FIELDS_TABLE))
            for name, value in self.mapping(top.get("declared", {}), "declared").items()
        }
        docs = {
            name: self.specs(value, f"docs.{name}", (*HOOK_SETS, HOOK_ENTRY_FIELDS_TABLE, *finders))
            for name, value in self.mapping(top.get("docs", {}), "docs").items()
        }
        for name, value in finders.items():
            record = self.mapping(value, f"vocabularies.{name}", FINDER_KEYS)
            if name in declared or name in (*HOOK_SETS, HOOK_ENTRY_FIELDS_TABLE):
                raise self.fail(f"vocabularies.{name}: the name is taken", next="choose another name for the set")
            if "declared" not in record:
                raise self.fail(f"vocabularies.{name}: where is it declared?", expected='declared = "path#NAME"')
            declared[name] = self.texts(record["declared"], f"vocabularies.{name}.declared")
        if not declared:
            raise self.fail(
                "declared: nothing is declared, so there is nothing to check",
                expected='e.g. declared.hook_events = "src/constants.py#HOOK_EVENTS"',
            )
        return Config(
            root=root,
            source=self.path,
            snapshot=self.snapshot(top, root, builtin=builtin),
            declared=MappingProxyType(declared),
            docs=MappingProxyType(docs),
            upstream=self.upstream(top.get("upstream", "claude-code")),
            accepted=tuple(self.accepted(top.get("accepted", []))),
            finders=MappingProxyType({name: self.finder(value, name) for name, value in finders.items()}),
            severity=MappingProxyType(self.severity(top.get("severity", {}))),
            options=MappingProxyType(self.options(top)),
            releases=self.releases(top.get("classify", {})),
            builtin=builtin,
        )

    def options(self, top: dict[str, Any]) -> dict[str, Any]:
        options: dict[str, Any] = {name: top[name] for name in OPTIONS if name in top}
        for name, value in options.items():
            if name == "offline":
                if not isinstance(value, bool):
                    raise self.fail("offline: not on or off", expected="true or false", found=value)
            elif name == "timeout":
                if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
                    raise self.fail("timeout: not a number of seconds above 0", expected="e.g. 300", found=value)
            elif name == "against":
                self.texts(value, name)
            elif self.text(value, name) not in list(Severity) and name == "fail-on":
                raise self.fail("fail-on: not a severity", expected=", ".join(Severity), found=value)
        return options

    def upstream(self, value: Any) -> str:
        return known_upstream(self.text(value, "upstream"), where=str(self.path), error=ConfigError)

    def specs(self, value: Any, key: str, known: tuple[str, ...]) -> tuple[str, ...]:
        name = key.partition(".")[2]
        if name not in known:
            raise self.fail(
                f"{key}: not a built-in set" + did_you_mean(name, known),
                expected=", ".join(known),
                next=f"for a set of your own, use [tool.driftgate.vocabularies.{name}]",
            )
        return self.texts(value, key)

    def snapshot(self, top: dict[str, Any], root: Path, *, builtin: bool) -> Path:
        if ("snapshot" in top) == ("pin" in top):
            raise self.fail(
                "exactly one of `snapshot` and `pin` is needed",
                expected='snapshot = "path/to/snapshot.yaml" (your own), or pin = "2.1.296" (a release)',
            )
        if "snapshot" in top:
            return root / self.text(top["snapshot"], "snapshot", '"snapshots/claude-code/2.1.296.yaml"')
        pin, upstream = self.text(top["pin"], "pin"), top.get("upstream", "claude-code")
        own = pinned_path(root, str(upstream), pin)
        path = snapshots_dir() / str(upstream) / own.name
        if is_version(pin) and own.is_file() and not builtin:
            return own
        if not is_version(pin) or not path.is_file():
            shipped = ", ".join(snapshots_of(str(upstream))) or "none"
            raise self.fail(
                f"pin: driftgate ships no snapshot of {upstream} {pin}",
                expected=f"one of {shipped}, or {own.relative_to(root)} of your own",
                next="pin one of them; `driftgate refresh --to VERSION` then writes your own and moves the pin",
            )
        return path

    def accepted(self, value: Any) -> Iterator[Accepted]:
        if not isinstance(value, list):
            raise self.fail("accepted: not a list", expected="a list of tables with rule, subject and reason")
        for index, item in enumerate(value, 1):
            key = f"accepted entry {index}"
            record = self.mapping(item, key, ACCEPTED_KEYS)
            for needed, why in _NEEDED.items():
                if not str(record.get(needed, "")).strip():
                    raise self.fail(f"{key}: needs a {needed} ({why})", next=_ENTRY_FORM)
            entry = Accepted(
                rule=self.rule(record["rule"], f"{key}: rule"),
                subject=self.text(record["subject"], f"{key}: subject"),
                reason=self.text(record["reason"], f"{key}: reason"),
                until=self.date(record.get("until"), f"{key}: until"),
                versions=record.get("versions"),
                where=f"{self.path}, {key}",
            )
            if entry.versions is not None:
                parse_range(self.text(entry.versions, f"{key}: versions"), where=entry.where, error=ConfigError)
            yield entry

    def rule(self, value: Any, key: str) -> str:
        rule = self.text(value, key)
        if rule not in RULES:
            near = nearest(rule, RULES)
            hint = f"did you mean {near!r}? " if near else ""
            raise self.fail(f"{key}: there is no rule {rule!r}", next=f"{hint}`driftgate rules` lists them")
        return rule

    def severity(self, value: Any) -> dict[str, str]:
        chosen = self.mapping(value, "severity")
        for rule, severity in chosen.items():
            self.rule(rule, f"severity.{rule}")
            if severity not in list(Severity):
                raise self.fail(f"severity.{rule}: not a severity", expected=", ".join(Severity), found=severity)
        return chosen

    def date(self, value: Any, key: str) -> dt.date | None:
        if value is None or (isinstance(value, dt.date) and not isinstance(value, dt.datetime)):
            return value
        try:
            return dt.date.fromisoformat(value)
        except (TypeError, ValueError) as problem:
            raise self.fail(f"{key}: not a date", expected="YYYY-MM-DD", found=value) from problem

    def finder(self, value: dict[str, Any], name: str) -> Finder:
        from driftgate.upstreams.finder import (  # only a configuration with such a set needs it
            LITERALS,
            Finder,
        )

        key = f"vocabularies.{name}"
        if ("export" in value) == ("contains" in value):
            raise self.fail(
                f"{key}: how is it found upstream?",
                expected='export = "NAME" (what a .d.ts exports), or contains = ["member", ...] with used-by and least',
            )
        least = value.get("least", 1)
        if not isinstance(least, int) or isinstance(least, bool) or least < 1:
            raise self.fail(f"{key}.least: not a count", expected="a whole number from 1", found=least)
        return Finder(
            export=self.text(value["export"], f"{key}.export") if "export" in value else None,
            contains=self.texts(value["contains"], f"{key}.contains") if "contains" in value else (),
            used_by=self.usage(value["used-by"], f"{key}.used-by") if "used-by" in value else None,
            least=least,
            forms=self.forms(value["form"], f"{key}.form") if "form" in value else LITERALS,
            member=self.text(value["member"], f"{key}.member") if "member" in value else None,
        )

    def usage(self, value: Any, key: str) -> str:
        from driftgate.extraction.finders.usage import parse_usage

        return parse_usage(self.text(value, key, '"enum(X)"')).text

    def forms(self, value: Any, key: str) -> tuple[Form, ...]:
        from driftgate.upstreams.finder import Form

        texts = self.texts(value, key)
        for text in texts:
            if text not in list(Form):
                raise self.fail(f"{key}: there is no form {text!r}", expected=", ".join(Form))
        return tuple(map(Form, texts))

    def classify(self, data: Any, root: Path) -> ClassifySettings:
        top = self.mapping(data, "driftgate", KEYS)
        table = self.mapping(top.get("classify", {}), "classify", CLASSIFY_KEYS)
        pins = top.get("upstream", "claude-code") == "claude-code" and ("pin" in top or "snapshot" in top)
        return ClassifySettings(
            releases=self.releases(table),
            judge=self.choice(table, "judge", JUDGES),
            fail_on=self.choice(table, "fail-on", CLASSIFY_FAILS),
            snapshot=self.snapshot(top, root, builtin=False) if pins else None,
        )

    def choice(self, table: dict[str, Any], key: str, known: tuple[str, ...]) -> str | None:
        value = table.get(key)
        if value is not None and value not in known:
            raise self.fail(f"classify.{key}: not known", expected=", ".join(known), found=value)
        return value

    def releases(self, value: Any) -> str | None:
        releases = self.mapping(value, "classify", CLASSIFY_KEYS).get("releases")
        if releases is not None:
            parse_range(self.text(releases, "classify.releases"), where=str(self.path), error=ConfigError)
        return releases


_NEEDED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "rule": "one of `driftgate rules`",
        "subject": "the event, type or field name; a rule alone is too broad",
        "reason": "an acceptance without one is only silence",
    }
)
_ENTRY_FORM: Final = "an entry is rule + subject + reason (and until, versions), never message text"
