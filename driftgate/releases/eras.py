"""What each release's settings reader does, as data: one row for every range of releases that behaves alike.

Read out by running each release's own reader (every published version up to 2.1.112, natives and SDK readers after
that). A row is the row before it and what changed, so rows leave no gap and do not overlap. What a person sees is a
second table of the same form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeVar

from driftgate.errors import UsageError
from driftgate.versions import is_version, version_key

FIRST_RELEASE: Final = "1.0.23"
"""The first release with a reader that was run; older ones have no hooks, or none that are known here."""

VERIFIED_RANGES: Final = ((FIRST_RELEASE, "2.1.296"), ("2.1.332", "2.1.332"))
"""From and up to which releases the reader was run. The rows in between and after are taken from what is around."""


class UrlForm(StrEnum):
    """In which form the `url` of an entry loads."""

    AS_WRITTEN = "as written"
    NORMALISED = "normalised"
    TRIMMED = "trimmed"


@dataclass(frozen=True, slots=True)
class ReaderPolicy:
    """What the reader of the releases from `since` on does.

    `known_keys`: the only top-level keys that it accepts, None where it accepts any. `drops_*`: the piece is left out
    and the rest loads; otherwise it rejects the document. `drops_pieces`: matchers and entries too, and then guard
    events reject instead, and guard signs are looked for everywhere but under `unscanned_keys` and in `managed_keys`
    (which only managed settings honour, and which are deleted first). `filters_rules`: permission rules that are no
    strings are left out instead of rejecting. `size_limit` is in bytes; what stands deeper than `depth_limit` levels
    is cut. `infinite_numbers`: Infinity is a number. `skips_proto`: the key `__proto__` of a record is passed over.
    `skips_proto_event`: so it is among the events.
    """

    era: str
    since: str
    accepts_bom: bool = False
    accepts_blank: bool = False
    known_keys: frozenset[str] | None = None
    drops_unknown_events: bool = False
    drops_containers: bool = False
    drops_pieces: bool = False
    unscanned_keys: frozenset[str] = frozenset()
    managed_keys: frozenset[str] = frozenset()
    filters_rules: bool = False
    size_limit: int | None = None
    depth_limit: int | None = None
    infinite_numbers: bool = True
    skips_proto: bool = False
    skips_proto_event: bool = False
    url_form: UrlForm = UrlForm.AS_WRITTEN


_KEYS_1_0_50: Final = frozenset(
    {
        "apiKeyHelper",
        "cleanupPeriodDays",
        "env",
        "includeCoAuthoredBy",
        "permissions",
        "model",
        "enableAllProjectMcpServers",
        "enabledMcpjsonServers",
        "disabledMcpjsonServers",
        "hooks",
        "learnMode",
        "forceLoginMethod",
    }
)
_KEYS_1_0_53: Final = _KEYS_1_0_50 | {"awsCredentialExport", "awsAuthRefresh", "otelHeadersHelper"}
_KEYS_1_0_63: Final = _KEYS_1_0_53 | {"outputMode"}
_KEYS_1_0_64: Final = _KEYS_1_0_63 | {"feedbackSurveyState", "statusLine"}
_KEYS_1_0_65: Final = _KEYS_1_0_64 | {"$schema"}
_KEYS_1_0_66: Final = _KEYS_1_0_65 - {"feedbackSurveyState"}

_UNSCANNED_2_1_257: Final = frozenset(
    {
        "mcpServers",
        "lspServers",
        "pluginConfigs",
        "enabledPlugins",
        "extraKnownMarketplaces",
        "env",
        "skillOverrides",
        "modelSettings",
    }
)
_MANAGED_2_1_273: Final = frozenset({"managedMcpServers", "isolation"})

ALIASES: Final[Mapping[str, str]] = MappingProxyType({"additionalMarketplaces": "extraKnownMarketplaces"})
"""Top-level keys that are renamed before the search for guard signs, where that takes them out of it."""

FILTERED_RULES: Final = ("allow", "deny", "ask")
"""The lists of permission rules."""


@dataclass(frozen=True, slots=True)
class ReaderChange:
    """What is different from release `since` on, in words and as fields of a policy."""

    since: str
    what: str
    fields: Mapping[str, Any]


CHANGES: Final = (
    ReaderChange(
        "1.0.50",
        "a top-level key that the release does not know rejects the file",
        {"era": "B", "known_keys": _KEYS_1_0_50},
    ),
    ReaderChange("1.0.53", "three more top-level keys are known", {"known_keys": _KEYS_1_0_53}),
    ReaderChange("1.0.63", "one more top-level key is known", {"known_keys": _KEYS_1_0_63}),
    ReaderChange("1.0.64", "two more top-level keys are known", {"known_keys": _KEYS_1_0_64}),
    ReaderChange("1.0.65", "`$schema` is known", {"known_keys": _KEYS_1_0_65}),
    ReaderChange(
        "1.0.66",
        "a blank file is accepted, as no settings; one top-level key is no longer known",
        {"accepts_blank": True, "known_keys": _KEYS_1_0_66},
    ),
    ReaderChange("1.0.67", "unknown top-level keys are accepted again", {"era": "C", "known_keys": None}),
    ReaderChange("2.0.69", "a leading byte order mark is accepted", {"accepts_bom": True}),
    ReaderChange(
        "2.0.77",
        "an infinite number rejects, and a key `__proto__` under `hooks` is passed over",
        {"infinite_numbers": False, "skips_proto": True, "skips_proto_event": True},
    ),
    ReaderChange("2.1.47", "permission rules that are no strings are left out", {"filters_rules": True}),
    ReaderChange("2.1.48", "the url of an http entry loads normalised", {"url_form": UrlForm.NORMALISED}),
    ReaderChange("2.1.101", "an unknown event is dropped", {"era": "D", "drops_unknown_events": True}),
    ReaderChange(
        "2.1.122",
        "`hooks` that is no object and an event that is no array are dropped",
        {"era": "E", "drops_containers": True},
    ),
    ReaderChange("2.1.214", "a file above 2 MiB is rejected", {"size_limit": 2 * 1024 * 1024}),
    ReaderChange(
        "2.1.257",
        "a bad matcher or entry is dropped, and rejects in a guard event; misplaced guards reject; a url is trimmed",
        {
            "era": "F",
            "drops_pieces": True,
            "unscanned_keys": _UNSCANNED_2_1_257,
            "url_form": UrlForm.TRIMMED,
        },
    ),
    ReaderChange(
        "2.1.259",
        "`managedMcpServers` is not searched for guards, and is deleted first",
        {
            "unscanned_keys": _UNSCANNED_2_1_257 | {"managedMcpServers"},
            "managed_keys": frozenset({"managedMcpServers"}),
        },
    ),
    ReaderChange("2.1.273", "`isolation` is deleted first", {"managed_keys": _MANAGED_2_1_273}),
    ReaderChange(
        "2.1.283",
        "`deniedModels` and `availableModelsMatch` are deleted first",
        {"managed_keys": _MANAGED_2_1_273 | {"deniedModels", "availableModelsMatch"}},
    ),
    ReaderChange("2.1.326", "what is nested deeper than 64 levels is cut", {"depth_limit": 64}),
)
"""Every change of the reader, in the order of releases."""

POLICIES: Final[tuple[ReaderPolicy, ...]] = tuple(
    accumulate(
        CHANGES,
        lambda policy, change: replace(policy, since=change.since, **change.fields),
        initial=ReaderPolicy("A", FIRST_RELEASE),
    )
)
"""The reader of every release: each row holds from its `since` up to the next row."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What a person sees, from release `since` on, of a file that is rejected and of pieces that are dropped."""

    since: str
    rejected: str
    dropped: str | None = None


NOTHING_IN_PRINT_MODE: Final = "with -p nothing is printed; the hooks just do not run"

_DIALOG: Final = "a dialog at start (Settings Error): leave and fix the file, or go on without it"

SCREENS: Final = (
    Screen(FIRST_RELEASE, "nothing on the screen, nothing from /doctor; one line in the error log"),
    Screen("1.0.50", "a banner at start: there are invalid settings files, they are ignored, run /doctor"),
    Screen("1.0.128", "a status line: how many invalid settings were found, run /doctor"),
    Screen("2.0.72", _DIALOG),
    Screen("2.1.101", _DIALOG, "a dialog at start (Settings Warning): these values were skipped, the rest applies"),
)
"""What a person sees, by release, in the order of releases."""


@lru_cache(maxsize=1024)
def policy_of(release: str) -> ReaderPolicy:
    """Return what the reader of `release` does. Raises UsageError where that was never read."""
    return row_of(release, POLICIES)


@lru_cache(maxsize=1024)
def screen_of(release: str) -> Screen:
    """Return what a person sees on `release`. Raises UsageError like `policy_of`."""
    return row_of(release, SCREENS)


@lru_cache(maxsize=1024)
def is_verified(release: str) -> bool:
    """Return whether the reader of `release` was run, or lies between two that were run and behave alike."""
    key = version_key(release)
    return any(version_key(first) <= key <= version_key(last) for first, last in VERIFIED_RANGES)


@lru_cache(maxsize=1024)
def last_verified(release: str) -> str:
    """Return the newest release up to `release` whose reader was run."""
    key = version_key(release)
    return [
        release if key <= version_key(last) else last for first, last in VERIFIED_RANGES if key >= version_key(first)
    ][-1]


class _Dated(Protocol):
    @property
    def since(self) -> str: ...


_Row = TypeVar("_Row", bound=_Dated)


def row_of(release: str, rows: tuple[_Row, ...]) -> _Row:
    """Return the row that holds for `release`: the last that is not newer. Raises UsageError like `policy_of`."""
    if not is_version(release):
        raise UsageError("not a release", found=repr(release), expected="a version such as 2.1.296")
    key = version_key(release)
    rows_until = [row for row in rows if version_key(row.since) <= key]
    if not rows_until:
        raise UsageError(
            f"nothing is known of release {release}",
            expected=f"{FIRST_RELEASE} or newer",
            next="older releases have no hooks that driftgate knows",
        )
    return rows_until[-1]
