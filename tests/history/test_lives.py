"""Names: how they are asked for, where they live, what each release changed."""

from __future__ import annotations

import pytest

from driftgate.history import History, Known, Reading, history_of
from driftgate.history.changes import changes_between, steps
from driftgate.history.lives import Lives
from driftgate.history.sentences import change_lines, life_lines, step_lines
from driftgate.history.stated import Name, Sort, matching, names_of, near, parse
from driftgate.surface import Field, Origin, Surface
from tests.history.world import COMMAND, World, surface

FIELDS = (*COMMAND, Field("shell", "enum", required=False, values=("bash", "powershell")))
STATED = names_of(surface(("PreToolUse", "Stop"), FIELDS, guards=("PreToolUse",), shells=("bash",), http=COMMAND))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PreToolUse", ["event PreToolUse", "guard-event PreToolUse"]),
        ("event PreToolUse", ["event PreToolUse"]),
        ("guard event PreToolUse", ["guard-event PreToolUse"]),
        ("guard-event Stop", []),
        ("field command.shell", ["field command.shell"]),
        ("command.shell", ["field command.shell"]),
        ("command", ["type command", "field command.command", "field http.command"]),
        ("field command", ["field command.command", "field http.command"]),
        ("types http", ["type http"]),
        ("bash", ["shell bash", "value command.shell=bash"]),
        ("shell", ["field command.shell"]),
        ("value powershell", ["value command.shell=powershell"]),
        ("pretooluse", []),
        ("", []),
    ],
)
def test_what_a_text_stands_for(text: str, expected: list[str]) -> None:
    assert [str(name) for name in matching(text, STATED)] == expected


def test_parse() -> None:
    assert parse("guard_event X") == (Sort.GUARD_EVENT, "X")
    assert parse("event") == (None, "event")
    assert parse("event  a b") == (Sort.EVENT, "a b")


def test_near() -> None:
    assert str(near("event PreTolUse", STATED)[0]) == "event PreToolUse"
    assert near("zzzz", STATED) == ()


def spans(history: History, text: str) -> list[tuple[str | None, str, str, str | None]]:
    (life,) = Lives(history).find(text)
    return [
        (
            one.before.version if one.before else None,
            one.first.version,
            one.last.version,
            one.after.version if one.after else None,
        )
        for one in life.spans
    ]


def test_a_name_that_comes_goes_and_comes_back() -> None:
    history = World("A", "A B", "A", "A", "A B", "A B C").history()
    assert spans(history, "B") == [("2.0.0", "2.0.1", "2.0.1", "2.0.2"), ("2.0.3", "2.0.4", "2.0.5", None)]
    assert spans(history, "A") == [(None, "2.0.0", "2.0.5", None)]
    (life,) = Lives(history).find("B")
    assert life.lives
    text = "\n".join(life_lines(life, "2.0.5"))
    assert "since 2.0.1 (read: @example/program@2.0.1 sha512-2.0.1); the release before, 2.0.0, lacks it" in text
    assert "gone from 2.0.2" in text
    assert "back from 2.0.4" in text


def test_a_name_that_went() -> None:
    (life,) = Lives(World("A B", "A").history()).find("B")
    assert not life.lives
    assert "has it" not in list(life_lines(life, "2.0.1"))[-1].replace("still has it", "")


def test_the_bracket_of_what_is_not_known_is_said() -> None:
    history = World("A", "A", "A", "A B", "A B", "A B", "A").history(0, 3, 5, 6)
    assert history.unknown == ("2.0.1", "2.0.2")
    (life,) = Lives(history).find("B")
    (span,) = life.spans
    assert span.unread_before == ("2.0.1", "2.0.2")
    assert (span.read, len(span.readings)) == (2, 3)
    text = "\n".join(life_lines(life, "2.0.6"))
    assert "some release after 2.0.0 and up to 2.0.3" in text
    assert "nothing is known of 2.0.1, 2.0.2" in text
    assert "1 between two equal readings (not read" in text
    (step, *_) = [one for one in steps(history) if one.unread]
    assert any("or in 2.0.1, 2.0.2" in line for line in step_lines(step))


def test_steps_are_newest_first() -> None:
    found = steps(World("A", "A B", "B").history())
    assert [(one.release.version, one.before.version) for one in found] == [("2.0.2", "2.0.1"), ("2.0.1", "2.0.0")]


CHANGES: list[tuple[Surface, Surface, list[str]]] = [
    (surface(("A",)), surface(("A",)), []),
    (surface(("A", "B")), surface(("B", "A")), []),
    (surface(("A",)), surface(("A", "Zed")), ["+ event Zed"]),
    (surface(("A", "Zed")), surface(("A",)), ["- event Zed"]),
    (surface(), surface(http=(Field("url", "string", required=True),)), ["+ type http (with url)"]),
    (surface(http=COMMAND), surface(), ["- type http (with command)"]),
    (surface(), surface(fields=FIELDS), ["+ field command.shell"]),
    (surface(), surface(guards=("Stop",)), ["+ guard event Stop"]),
    (surface(), surface(shells=("bash",)), ["+ shell bash"]),
    (
        surface(),
        surface(fields=(Field("command", "number", required=False),)),
        ["~ field command.command: required string -> optional number"],
    ),
    (
        surface(fields=FIELDS),
        surface(fields=(*COMMAND, Field("shell", "enum", required=False, values=("bash", "fish")))),
        [
            "+ value command.shell=fish",
            "- value command.shell=powershell",
            "~ field command.shell: optional enum of bash | powershell -> optional enum of bash | fish",
        ],
    ),
    (
        surface(("PreCompact", "Stop")),
        surface(("PreCompaction", "Stop")),
        ["+ event PreCompaction", "- event PreCompact", "? renamed? event PreCompact -> PreCompaction"],
    ),
    (surface(("PreCompact",)), surface(("Stop",)), ["+ event Stop", "- event PreCompact"]),
]


@pytest.mark.parametrize(("old", "new", "expected"), CHANGES)
def test_changes(old: Surface, new: Surface, expected: list[str]) -> None:
    assert list(change_lines(changes_between(old, new))) == expected


def test_each_name_is_in_one_renaming_at_the_most() -> None:
    changes = changes_between(surface(("SubagentStop", "SubagentStopped")), surface(("SubagentStopping",)))
    assert [str(pair.old) for pair in changes.renamed] == ["event SubagentStop"]


def test_names_of_different_owners_are_no_renaming() -> None:
    old = surface(http=(Field("timeout", "number", required=False),))
    new = surface(fields=(*COMMAND, Field("timeouts", "number", required=False)), http=())
    assert changes_between(old, new).renamed == ()


def test_names_are_ordered_and_hashable() -> None:
    assert len({Name(Sort.EVENT, "A"), Name(Sort.EVENT, "A")}) == 1


def test_history_of_nothing() -> None:
    assert history_of("x", [], ["1.0.0"]).unknown == ("1.0.0",)
    assert Lives(History("x", ())).find("A") == ()
    one = history_of("x", [Reading("1.0.0", surface(), Known.READ, Origin("p", "1", "i"))], [])
    assert steps(one) == ()
