"""The history and the searches against the registry: small packages only."""

from __future__ import annotations

import pytest

from driftgate.anchors import FetchOptions
from driftgate.history import History, history_of, shipped_history
from driftgate.history.bisect import Found, How, bisect, name_for
from driftgate.history.published import Budget, kind_of, plan_of, read_release
from driftgate.history.reading import reading_of
from driftgate.surface import facts
from driftgate.versions import version_key

pytestmark = pytest.mark.upstream


@pytest.fixture(scope="module")
def budget() -> Budget:
    return Budget(120_000_000)


@pytest.fixture(scope="module")
def options(budget: Budget) -> FetchOptions:
    return budget.within(FetchOptions())


def search(text: str, history: History, options: FetchOptions) -> Found:
    (name,) = name_for(text, history)
    return bisect(name, history, plan_of(options).published, lambda version: read_release(version, options))


def test_no_published_release_is_missing(options: FetchOptions) -> None:
    history = shipped_history()
    newest = version_key(history.readings[-1].version)
    plan = plan_of(options)
    missing = {version for version in plan.published if version_key(version) <= newest} - set(history.versions())
    assert missing == set()
    assert {kind_of(version) for version in plan.small} == {"sdk"}


@pytest.mark.parametrize(
    ("text", "first", "before"),
    [
        ("field command.args", "2.1.139", "2.1.138"),
        ("event DirectoryAdded", "2.1.219", "2.1.218"),
        ("guard-event PreToolUse", "2.1.257", "2.1.252"),
    ],
)
def test_three_names_by_two_reads_each(text: str, first: str, before: str, options: FetchOptions) -> None:
    found = search(text, shipped_history(), options)
    assert (found.how, found.first, found.before, len(found.reads)) == (How.HISTORY, first, before, 2)


def test_a_name_that_the_history_lacks(options: FetchOptions) -> None:
    shipped = shipped_history()
    older = [reading for reading in shipped.readings if version_key(reading.version) <= (2, 1, 300)]
    found = search("event PreSkillShellCommand", history_of(shipped.upstream, older, ()), options)
    assert (found.how, found.first, found.before) == (How.SEARCH, "2.1.332", "2.1.331")
    assert len(found.reads) <= 12


def test_a_release_states_what_the_history_says(options: FetchOptions) -> None:
    for version in ("2.1.136", "2.1.200", "2.1.332"):
        reading = shipped_history().get(version)
        assert reading is not None
        observed = read_release(version, options)
        assert facts(reading_of(version, observed).surface) == facts(reading.surface)
        origins = {evidence.origin.integrity for held in observed.sets() for evidence in held.evidence}
        assert reading.origin is not None
        assert origins == {reading.origin.integrity}


def test_it_keeps_to_its_network_use(budget: Budget, options: FetchOptions) -> None:
    plan_of(options)
    assert 0 < budget.used < budget.most
    assert not budget.spent
