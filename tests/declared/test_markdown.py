"""The reader of Markdown: cells of a table under a heading, and nothing else."""

from __future__ import annotations

import re

import pytest

from driftgate.declared import notices, read_declared
from driftgate.errors import DeclaredError
from tests.declared.conftest import members, places

PAGE = """\
---
title: Hooks
---
# Hooks ![flag](https://img.test/{n}.svg)

Menu: [{n}](a) | [two](b)

| Nothing | here |
| - | - |
| PreToolUse | x |

## Hook events {{#events}}

Prose {n} with `Stop` in it, and | a pipe.

```md
## Hook events
| Event | When |
|---|---|
| InCode | never |
```
<!-- | Event |
|---|
| InComment | -->

| Event | When it fires | Matcher |
|:------|:-------------:|---------|
| `A`   | before {n}    | `tool`, `x` |
| [`B`](#b) | after, see `A` \\| `C` | |
| **C** | often         | none |

### Later {n}

| Name | Event |
|------|-------|
| x    | `D`   |

## Other

| Shell |
|-------|
| `bash`, `zsh` |
| `fish` (new in {n}, like `bash`) |
"""


def page(n: str = "one") -> str:
    return PAGE.format(n=n)


READ = {
    "Hook events/Event": ("A", "B", "C"),
    "hook EVENTS/event": ("A", "B", "C"),
    "Hook events": ("A", "B", "C"),
    "Hook events/Matcher": ("tool", "x", "none"),
    "Hook events/Name": ("x",),
    "Later one/Event": ("D",),
    "Other": ("bash", "zsh", "fish"),
    "Hooks/Nothing": ("PreToolUse",),
}


@pytest.mark.parametrize("name", READ)
def test_the_cells_of_a_column_are_read(write, name):
    assert members(read_declared(f"m.md#{name}", root=write(page(), "m.md"), vocabulary="hook_events")) == READ[name]


def test_prose_images_and_menus_never_matter(write):
    one = read_declared("m.md#Hook events/Event", root=write(page("one"), "m.md"))
    other = read_declared("m.md#Hook events/Event", root=write(page("2") + "\nmore\n", "m.md"))
    assert members(one) == members(other)


def test_members_stand_at_their_cells(write):
    found = read_declared("m.md#Hook events/Event", root=write(page(), "m.md"))
    assert places(found) == {"A": "m.md:28:3", "B": "m.md:29:3", "C": "m.md:30:3"}


def test_a_name_listed_twice_is_one_member_and_a_notice(write):
    found = read_declared("m.md#E", root=write("# E\na | b\n--|--\nX | 1\nX | 2\n", "m.md"))
    assert members(found) == ("X",)
    assert notices(found) == ("E lists X twice: m.md:4:1 and m.md:5:1",)


def test_a_heading_may_be_underlined_and_hold_a_slash(write):
    root = write("Events/hooks\n===\n| Name |\n|--|\n| A |\n\nSub\n---\ntext\n", "m.md")
    assert members(read_declared("m.md#Events/hooks", root=root)) == ("A",)
    assert members(read_declared("m.md#Events/hooks/Name", root=root)) == ("A",)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Hook event list/Event", "the headings Hooks, Hook events, Later one, Other"),
        ("Hook events/Evnt", "a table with the columns Event, When it fires, Matcher"),
        ("Empty/Event", "the heading, and no table under it"),
    ],
)
def test_a_table_that_moved_is_blind(write, name, found):
    root = write(page() + "\n## Empty\n\ntext\n", "m.md")
    with pytest.raises(DeclaredError, match=re.escape(f"table {name} not found in docs source")) as caught:
        read_declared(f"m.md#{name}", root=root)
    assert (caught.value.found, caught.value.code) == (found, 3)
