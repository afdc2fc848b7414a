"""The page as people meet it: in Chromium, on a phone and on a desktop, light and dark, by sight, key and reader.

Run with `-m browser` (as `.ci/run browser` does, which installs Chromium where it may); a missing Chromium fails.
DRIFTGATE_PICTURES names a folder to keep the pictures in.
"""

from __future__ import annotations

import os
import struct
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from driftgate.history import shipped_history
from driftgate.history.changes import steps
from driftgate.history.lives import Lives
from driftgate.history.page import page
from tests.page.browser import Browser
from tests.page.test_page import hostile_history

pytestmark = pytest.mark.browser

PHONE, DESKTOP = 360, 1280
VIEWS = [(PHONE, False), (PHONE, True), (DESKTOP, False), (DESKTOP, True)]
view = pytest.mark.parametrize(("width", "dark"), VIEWS, ids=["phone", "phone-dark", "desktop", "desktop-dark"])


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    opened = Browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "history.html"
    path.write_text(page(shipped_history()), encoding="utf-8")
    return path


def problems(browser: Browser) -> list[dict[str, Any]]:
    browser.run("0")  # so that everything before it has arrived
    bad = {"Runtime.exceptionThrown", "Log.entryAdded", "Network.loadingFailed"}
    return [event for event in browser.events if event.get("method") in bad]


@view
def test_it_fits_and_is_seen(browser: Browser, file: Path, width: int, dark: bool) -> None:
    browser.open(file, width=width, dark=dark)
    assert browser.run("document.documentElement.scrollWidth") == width
    assert problems(browser) == []
    assert browser.run("getComputedStyle(document.body).backgroundColor") == (
        "rgb(16, 21, 27)" if dark else "rgb(255, 255, 255)"
    )
    picture = browser.picture(height=2000)
    assert struct.unpack(">II", picture[16:24]) == (width, 2000)
    assert len(picture) > 50_000
    if folder := os.environ.get("DRIFTGATE_PICTURES"):
        name = f"{'phone' if width == PHONE else 'desktop'}-{'dark' if dark else 'light'}"
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(folder, f"{name}.png").write_bytes(picture)
        Path(folder, f"{name}-whole.png").write_bytes(browser.picture(height=16000))


BARS = """[...document.querySelectorAll("#names tr[data-name]")].map((row) => {
  const box = row.querySelector("svg").getBoundingClientRect();
  const bars = [...row.querySelectorAll("rect.read, rect.between")].map((bar) => bar.getBoundingClientRect());
  return [box.width, Math.min(...bars.map((bar) => bar.width)), Math.min(...bars.map((bar) => bar.left - box.left)),
    Math.max(...bars.map((bar) => bar.right - box.right))];
})"""


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_the_bars_are_there_and_inside(browser: Browser, file: Path, width: int) -> None:
    browser.open(file, width=width)
    bars = browser.run(BARS)
    assert len(bars) == len(Lives(shipped_history()).names)
    assert min(bar[0] for bar in bars) > width / 4
    assert min(bar[1] for bar in bars) > 0.2
    assert min(bar[2] for bar in bars) > -0.5
    assert max(bar[3] for bar in bars) < 0.5


CONTRAST = """(() => {
  const channel = (c) => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = parts(getComputedStyle(one).backgroundColor);
      if (color.length < 4 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const worst = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || /SCRIPT/.test(element.tagName)) continue;
    const style = getComputedStyle(element);
    const ink = parts(element.namespaceURI.endsWith("svg") ? style.fill : style.color);
    const [high, low] = [light(ink), light(behind(element))].sort((a, b) => b - a);
    const rate = (high + .05) / (low + .05);
    if (rate < 4.5) worst[walker.currentNode.data.trim().slice(0, 40)] = rate;
  }
  return worst;
})()"""


@view
def test_every_text_can_be_read(browser: Browser, file: Path, width: int, dark: bool) -> None:
    """WCAG 2.2, 1.4.3: text and what is behind it differ at least 4.5 to 1."""
    browser.open(file, width=width, dark=dark)
    assert browser.run(CONTRAST) == {}
    rates = browser.run(
        "['--bar', '--low', '--focus', '--quiet'].map((name) => getComputedStyle(document.documentElement)"
        ".getPropertyValue(name).trim())"
    )
    paper = (16, 21, 27) if dark else (255, 255, 255)
    for color in rates:  # 1.4.11: what is drawn, 3 to 1
        assert contrast(tuple(bytes.fromhex(color.lstrip("#"))), paper) >= 3


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    def light(color: tuple[int, ...]) -> float:
        parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color]
        return float(sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True)))

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def role(node: dict[str, Any]) -> str:
    return str(node["role"]["value"])


def name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", ""))


def level(node: dict[str, Any]) -> int:
    return next((int(one["value"]["value"]) for one in node.get("properties", ()) if one["name"] == "level"), 0)


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_what_a_screen_reader_reads(browser: Browser, file: Path, width: int) -> None:
    browser.open(file, width=width)
    tree = browser.tree()
    roles = Counter(map(role, tree))
    landmarks = ("banner", "main", "contentinfo", "search")
    assert {one: roles[one] for one in landmarks} == dict.fromkeys(landmarks, 1)
    assert [name(node) for node in tree if role(node) == "navigation"] == ["Sections"]
    headings = [(level(node), name(node)) for node in tree if role(node) == "heading"]
    assert [text for depth, text in headings if depth == 1] == ["Claude Code: hooks, release by release"]
    assert [text for depth, text in headings if depth == 2] == [
        "Timeline",
        "Compare two releases",
        "What each release changed",
        "The declared contract",
        "Evidence",
    ]
    depths = [depth for depth, _ in headings]
    assert all(after <= before + 1 for before, after in pairwise(depths))
    tables = [name(node) for node in tree if role(node) == "table"]
    assert tables[0] == "Names and the releases that have them"
    assert tables[-1] == "How each release is known"
    history = shipped_history()
    assert roles["rowheader"] >= len(Lives(history).names) + len(history.published())
    assert roles["columnheader"] >= 5
    fields = {name(node) for node in tree if role(node) in ("searchbox", "combobox")}
    assert fields == {"Name contains", "Show", "Release A", "Release B"}
    interactive = ("link", "button", "searchbox", "combobox", "table", "region", "navigation", "form", "search")
    assert [role(node) for node in tree if role(node) in interactive and not name(node).strip()] == []
    sections = [text for depth, text in headings if depth == 2]
    regions = sorted(name(node) for node in tree if role(node) == "region")
    assert regions == sorted([*sections, "What differs", "How each release is known"])
    assert browser.run("document.documentElement.lang") == "en"


def test_the_whole_page_is_read_in_order_with_what_a_name_means(browser: Browser, file: Path) -> None:
    browser.open(file, width=DESKTOP)
    cells = [name(node) for node in browser.tree() if role(node) == "rowheader"]
    (setup,) = [cell for cell in cells if cell.startswith("Setup")]
    assert "since 2.1.10" in setup


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_by_keyboard(browser: Browser, file: Path, width: int) -> None:
    browser.open(file, width=width)
    focus = "(document.activeElement.textContent || document.activeElement.id).trim()"
    browser.key("Tab")
    assert browser.run(focus) == "Skip to the content"
    browser.run("new Promise((done) => setTimeout(done, 50))")
    seen = browser.run(
        "(() => { const box = document.activeElement.getBoundingClientRect();"
        "return [box.top >= 0, getComputedStyle(document.activeElement).outlineStyle,"
        "parseFloat(getComputedStyle(document.activeElement).outlineWidth)]; })()"
    )
    assert seen == [True, "solid", 3]
    browser.key("Enter", "\r")
    assert browser.run("document.activeElement.id") == "main"
    browser.key("Tab")
    assert browser.run("document.activeElement.id") == "filter-name"
    browser.do("Input.insertText", text="precompact")
    assert browser.run(SHOWN) == ["event precompact"]
    assert browser.run("document.getElementById('filter-status').textContent").startswith("1 of ")
    browser.key("Tab")
    assert browser.run("document.activeElement.id") == "filter-sort"


SHOWN = (
    "[...document.querySelectorAll('#names tr[data-name]')].filter((row) => row.checkVisibility())"
    ".map((row) => row.dataset.name)"
)


def choose(browser: Browser, element: str, value: str) -> None:
    browser.run(
        f"(() => {{ const one = document.getElementById('{element}'); one.value = '{value}';"
        "one.dispatchEvent(new Event(one.type === 'search' ? 'input' : 'change')); })()"
    )


def test_the_filter(browser: Browser, file: Path) -> None:
    browser.open(file, width=DESKTOP)
    choose(browser, "filter-sort", "guard-event")
    assert len(browser.run(SHOWN)) == 3
    choose(browser, "filter-name", "permission")
    assert browser.run(SHOWN) == ["guard event permissionrequest"]
    choose(browser, "filter-name", "nothing at all")
    assert browser.run(SHOWN) == []
    assert browser.run("document.getElementById('filter-status').textContent").startswith("0 of ")
    choose(browser, "filter-name", "")
    choose(browser, "filter-sort", "")
    assert len(browser.run(SHOWN)) == len(Lives(shipped_history()).names)


def test_comparing_two_releases(browser: Browser, file: Path) -> None:
    browser.open(file, width=PHONE)
    step = next(one for one in steps(shipped_history()) if one.release.version == "2.1.118")
    choose(browser, "release-a", step.before.version)
    choose(browser, "release-b", "2.1.118")
    text = browser.run("document.getElementById('difference').innerText")
    assert "Only in 2.1.118" in text
    assert "event PostToolBatch" in text
    assert "type mcp_tool" in text
    choose(browser, "release-a", "2.1.118")
    assert browser.run("document.getElementById('difference').innerText") == "2.1.118 and 2.1.118 state the same."
    assert browser.run("document.getElementById('difference').getAttribute('aria-live')") == "polite"


def test_it_asks_nobody_for_anything(browser: Browser, file: Path) -> None:
    browser.open(file, width=DESKTOP)
    browser.run("0")
    asked = [event for event in browser.events if event.get("method") == "Network.requestWillBeSent"]
    addresses = {event["params"]["request"]["url"] for event in asked}
    assert {address for address in addresses if not address.startswith("data:")} == {file.resolve().as_uri()}


def test_without_a_script_everything_but_the_controls_is_there(browser: Browser, file: Path) -> None:
    browser.do("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(file, width=PHONE)
        roles = Counter(map(role, browser.tree()))
    finally:
        browser.do("Emulation.setScriptExecutionDisabled", value=False)
    assert roles["searchbox"] == roles["combobox"] == 0
    assert roles["rowheader"] > len(shipped_history().published())


def test_on_paper(browser: Browser, file: Path) -> None:
    browser.open(file, width=DESKTOP, media="print", dark=True)
    hidden = "['nav', '#filter', '#comparison'].every((one) => !document.querySelector(one).checkVisibility())"
    assert browser.run(hidden)
    assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.run(
        "document.querySelector('.scroll').scrollHeight <= document.querySelector('.scroll').clientHeight"
    )
    pdf = browser.do("Page.printToPDF", printBackground=True)["data"]
    assert len(pdf) > 100_000


def test_targets_are_large_enough(browser: Browser, file: Path) -> None:
    """WCAG 2.2, 2.5.8: 24 by 24, but for links inside a sentence."""
    browser.open(file, width=PHONE)
    small = browser.run(
        "[...document.querySelectorAll('nav a, input, select')].map((one) => one.getBoundingClientRect())"
        ".filter((box) => box.width < 24 || box.height < 24).length"
    )
    assert small == 0


def test_text_twice_as_large_still_fits(browser: Browser, file: Path) -> None:
    """WCAG 2.2, 1.4.4 and 1.4.10: at 200 % on a desktop there is no scrolling to the side."""
    browser.open(file, width=DESKTOP // 2)
    browser.run("document.documentElement.style.fontSize = '200%'")
    assert browser.run("document.documentElement.scrollWidth") <= DESKTOP // 2


def test_hostile_names_run_nothing(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(page(hostile_history()), encoding="utf-8")
    browser.open(path, width=PHONE)
    assert problems(browser) == []
    assert browser.run("typeof pwned") == "undefined"
    assert browser.run("document.images.length") == 0
    assert "onerror" in browser.run("document.querySelector('#names').innerText")
    assert browser.run("document.documentElement.scrollWidth") == PHONE
