"""The policy rows: they cover the line of releases once, and each change comes when it came."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from driftgate.errors import UsageError
from driftgate.releases.eras import (
    CHANGES,
    FIRST_RELEASE,
    POLICIES,
    SCREENS,
    VERIFIED_RANGES,
    Screen,
    is_verified,
    last_verified,
    policy_of,
    screen_of,
)
from driftgate.versions import version_key

ERAS = [
    ("A", "1.0.23", "1.0.48"),
    ("B", "1.0.50", "1.0.66"),
    ("C", "1.0.67", "2.1.100"),
    ("D", "2.1.101", "2.1.121"),
    ("E", "2.1.122", "2.1.252"),
    ("F", "2.1.257", "2.1.296"),
    ("F", "2.1.332", "2.1.332"),
]


@pytest.mark.parametrize(("era", "first", "last"), ERAS)
def test_eras(era: str, first: str, last: str) -> None:
    assert policy_of(first).era == policy_of(last).era == era


@pytest.mark.parametrize("rows", [POLICIES, SCREENS])
def test_rows_tile_the_line_of_releases(rows: Any) -> None:
    assert rows[0].since == FIRST_RELEASE
    starts = [version_key(row.since) for row in rows]
    assert all(before < after for before, after in pairwise(starts))
    for row, following in pairwise(rows):
        major, minor, patch = version_key(following.since)
        before = f"{major}.{minor}.{patch - 1}" if patch else row.since
        look_up = screen_of if isinstance(row, Screen) else policy_of
        assert look_up(row.since) is row
        assert look_up(before) is row
        assert look_up(following.since) is following


def test_every_change_changes_something() -> None:
    assert len(POLICIES) == len(CHANGES) + 1
    for change, before, after in zip(CHANGES, POLICIES, POLICIES[1:], strict=False):
        assert all(getattr(before, name) != getattr(after, name) for name in change.fields)


# what the row says, the last release where it does not hold, the first where it does
BOUNDARIES: list[tuple[str, Any, str, str]] = [
    ("accepts_blank", True, "1.0.65", "1.0.66"),
    ("accepts_bom", True, "2.0.68", "2.0.69"),
    ("skips_proto", True, "2.0.76", "2.0.77"),
    ("infinite_numbers", False, "2.0.76", "2.0.77"),
    ("filters_rules", True, "2.1.46", "2.1.47"),
    ("drops_unknown_events", True, "2.1.100", "2.1.101"),
    ("drops_containers", True, "2.1.121", "2.1.122"),
    ("size_limit", 2_097_152, "2.1.213", "2.1.214"),
    ("drops_pieces", True, "2.1.252", "2.1.257"),
    ("managed_keys", {"managedMcpServers"}, "2.1.258", "2.1.259"),
    ("managed_keys", {"managedMcpServers", "isolation"}, "2.1.272", "2.1.273"),
]


@pytest.mark.parametrize(("name", "value", "before", "since"), BOUNDARIES)
def test_boundaries(name: str, value: Any, before: str, since: str) -> None:
    assert getattr(policy_of(before), name) != value
    assert getattr(policy_of(since), name) == value


@pytest.mark.parametrize("release", ["1.0.22", "0.2.100"])
def test_older_releases_are_a_usage_error(release: str) -> None:
    with pytest.raises(UsageError, match=f"{release}(.|\n)*{FIRST_RELEASE}"):
        policy_of(release)


@pytest.mark.parametrize("release", ["", "latest", "2.1", "2.1.0-beta"])
def test_no_release_is_a_usage_error(release: str) -> None:
    with pytest.raises(UsageError, match="not a release"):
        policy_of(release)


@pytest.mark.parametrize(
    ("release", "verified", "last"),
    [
        ("1.0.23", True, "1.0.23"),
        ("2.1.296", True, "2.1.296"),
        ("2.1.297", False, "2.1.296"),
        ("2.1.331", False, "2.1.296"),
        ("2.1.332", True, "2.1.332"),
        ("2.1.340", False, "2.1.332"),
        ("3.0.0", False, "2.1.332"),
    ],
)
def test_verified(release: str, verified: bool, last: str) -> None:
    assert (is_verified(release), last_verified(release)) == (verified, last)


def test_verified_ranges_are_in_order() -> None:
    ends = [version_key(end) for one in VERIFIED_RANGES for end in one]
    assert ends == sorted(ends)
