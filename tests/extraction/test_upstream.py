"""The real thing, for a few small artefacts. The whole comparison is `python tests/compare_facts.py --all`."""

from __future__ import annotations

import pytest

from tests import compare_facts

pytestmark = pytest.mark.upstream


def test_recorded_facts_are_what_is_read():
    assert compare_facts.main([]) == 0
