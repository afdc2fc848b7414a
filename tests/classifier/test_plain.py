"""Copies and comparisons of JSON values without recursion: as `copy.deepcopy` and `==` have them."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given

from driftgate.classifier.plain import copy_value, flat_copy, same_value
from tests.classifier.strategies import json_values


@given(json_values, json_values)
def test_comparing_is_what_equality_is(one, other):
    assert same_value(one, other) == (one == other)
    assert same_value(one, copy.deepcopy(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [({"a": 1}, {"b": 1}), ({"a": 1}, {"a": 1, "b": 1}), ([1], [1, 2]), ([1, 2], [2, 1]), ([], {}), ([{}], [[]])],
)
def test_what_differs(one, other):
    assert not same_value(one, other)
    assert not same_value([one], [other])


@given(json_values)
def test_a_copy_is_equal_and_shares_no_container(value):
    made = copy_value({"a": value})
    before = copy.deepcopy(value)
    assert made == {"a": value}
    if isinstance(value, list):
        made["a"].append(1)
    if isinstance(value, dict):
        made["a"]["new"] = 1
    assert value == before


def test_a_flat_copy_is_of_scalars_only():
    value = {"a": 1}
    assert flat_copy(value) == value
    assert flat_copy(value) is not value
    assert flat_copy({"a": []}) is None
    assert flat_copy({"a": 1, "b": {}}) is None
