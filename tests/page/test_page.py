"""The page as text: complete, the same bytes each time, nothing fetched, nothing injected."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from html.parser import HTMLParser

import pytest

from driftgate.cli import main
from driftgate.history import History, Known, Reading, history_of, shipped_history
from driftgate.history.changes import changes_between, steps
from driftgate.history.lives import Lives
from driftgate.history.page import page
from driftgate.history.page.build import inlined, page_data
from driftgate.surface import Field, Origin
from tests.history.world import COMMAND, World, surface

HOSTILE = "</script><img src=x onerror=pwned=1>{{data}}<!--"


class Parsed(HTMLParser):
    """The elements of a page, its ids and links, and the texts of its scripts and style."""

    void = frozenset({"meta", "link", "input", "img", "br", "wbr", "hr"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.void:
            self.open.append(tag)
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value or "")
            if tag == "a" and name == "href":
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)


@pytest.fixture(scope="module")
def shipped() -> str:
    return page(shipped_history())


def test_it_is_well_formed_and_its_links_lead_somewhere(shipped: str) -> None:
    parsed = Parsed(shipped)
    assert parsed.open == []
    assert len(parsed.ids) == len(set(parsed.ids))
    assert {link.removeprefix("#") for link in parsed.links} <= set(parsed.ids)
    assert len(parsed.links) > 150


def test_it_fetches_nothing(shipped: str) -> None:
    parsed = Parsed(shipped)
    addresses = [value for _, name, value in parsed.attributes if name in ("src", "href", "action", "srcset")]
    assert {address for address in addresses if not address.startswith("#")} == {"data:,"}
    assert not re.search(r"url\(|@import|https?://|fetch\(|XMLHttpRequest|innerHTML", shipped)


def test_its_policy_allows_exactly_its_own_style_and_script(shipped: str) -> None:
    policy = next(value for tag, name, value in Parsed(shipped).attributes if tag == "meta" and "default-src" in value)
    style = re.search(r"<style>(.*?)</style>", shipped, re.DOTALL)
    script = re.search(r"<script>(.*?)</script>", shipped, re.DOTALL)
    assert style
    assert script
    for text in (style[1], script[1]):
        assert f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in policy
    assert "unsafe" not in policy


def test_every_name_has_a_row_and_every_release_its_evidence(shipped: str) -> None:
    history = shipped_history()
    parsed = Parsed(shipped)
    rows = [value for tag, name, value in parsed.attributes if name == "data-name"]
    assert len(rows) == len(Lives(history).names)
    assert {f"r-{version}" for version in history.published()} <= set(parsed.ids)
    for reading in history.read().values():
        assert reading.origin is not None
        assert str(reading.origin.integrity).replace("+", "+") in shipped
    assert {f"c-{step.release.version}" for step in steps(history)} <= set(parsed.ids)


def test_the_same_history_gives_the_same_bytes(shipped: str) -> None:
    assert page(shipped_history()) == shipped


def test_the_contract_is_compared_with_the_pin_and_the_newest(shipped: str) -> None:
    text = shipped[shipped.index('id="contract-title"') : shipped.index('id="evidence-title"')]
    assert "2.1.296: the pin" in text
    assert "<strong>Agrees.</strong>" in text
    assert f"{shipped_history().readings[-1].version}: the newest known release" in text
    assert "<strong>Drift.</strong>" in text
    assert "PreSkillShellCommand" in text


def test_the_data_tell_the_difference_of_any_two_releases() -> None:
    """What the script computes from the data is what the history says."""
    history = shipped_history()
    data = json.loads(inlined(page_data(history)))
    surfaces = {version: data["surfaces"][index] for version, index, _ in data["releases"]}
    versions = list(surfaces)
    for one, two in ((versions[0], versions[-1]), (versions[100], versions[300]), (versions[-1], versions[50])):
        old, new = history.get(one), history.get(two)
        assert old is not None
        assert new is not None
        changes = changes_between(old.surface, new.surface)
        came = {data["names"][int(index)][1] for index in surfaces[two] if index not in surfaces[one]}
        changed = {
            data["names"][int(index)][1]
            for index, words in surfaces[one].items()
            if index in surfaces[two] and surfaces[two][index] != words
        }
        assert came == {name.text for name in changes.added}
        assert changed == {change.name.text for change in changes.changed}


def hostile_history() -> History:
    origin = Origin(HOSTILE, "1.0.0", f"sha512-{HOSTILE}")
    field = Field(HOSTILE, "enum", required=False, values=(HOSTILE,), constraints=(HOSTILE,))
    one = surface(("Stop", HOSTILE), (*COMMAND, field), shells=(HOSTILE,))
    readings = [
        Reading("1.0.0", surface(), Known.READ, origin),
        Reading("1.0.2", one, Known.READ, origin),
        Reading("1.0.3", surface(("Stopp",)), Known.READ, origin),
    ]
    return history_of("claude-code", readings, ["1.0.1"])


def test_what_an_artefact_names_is_text_and_nothing_else() -> None:
    plain = page(World("Stop", "Stop").history())
    text = page(hostile_history())
    assert "<img" not in text
    assert "onerror=pwned=1>" not in text
    parsed = Parsed(text)
    assert parsed.open == []
    assert parsed.tags.count("script") == Parsed(plain).tags.count("script") == 2
    data = text[text.index('id="data">') + 10 :].partition("</script>")[0]
    assert ["event", HOSTILE] in json.loads(data)["names"]


def test_unknown_releases_are_said() -> None:
    text = page(hostile_history())
    assert '<tr id="r-1.0.1"><th scope="row">1.0.1</th><td>not known</td>' in text
    assert "or in 1.0.1, of which nothing is known" in text


def test_the_command_writes_it(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["history", "--html", "out/history.html"]) == 0
    assert (tmp_path / "out" / "history.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert capsys.readouterr().out.endswith("driftgate: agrees, exit 0\n")
