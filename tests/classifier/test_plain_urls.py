"""The URLs that are taken without asking the parser are URLs to the parser."""

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftgate.classifier.predicates import _PLAIN_URL


@given(st.from_regex(_PLAIN_URL, fullmatch=True))
def test_the_parser_takes_every_plain_url(text):
    assert ada_url.URL.can_parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "http://",
        "http:///",
        "https://a..b/",
        "http://a b/",
        "HTTP://a/",
        "http://a/%",
        "http://1.2/",
        "http://a\n",
        "x",
        "",
    ],
)
def test_others_are_not_plain(text):
    assert _PLAIN_URL.fullmatch(text) is None
