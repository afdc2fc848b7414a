"""The use case: problems in words with places, warnings, counts, and nothing of the user's in the output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from driftgate.classifier.contract import CONTRACT
from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.result import DropCode, HooksOutcome, RejectionCode
from driftgate.cli import main
from driftgate.formats.json import read_json_text
from driftgate.releases.reader import DocumentCode
from driftgate.settings import FileKind, FileVerdict, classify_text, json_report, text_report
from driftgate.settings.codes import MEANINGS, CautionCode, FileCode
from driftgate.settings.forms import documents
from driftgate.settings.outcome import ClassifyReport
from driftgate.settings.whole import LISTED

PIN = "2.1.296"


def verdict(document: Any, kind: FileKind = FileKind.SETTINGS) -> FileVerdict:
    text = document if isinstance(document, bytes | str) else json.dumps(document)
    return classify_text(read_json_text(text), "settings.json", kind, PIN)


def says(document: Any) -> list[str]:
    return [problem.words.says for problem in verdict(document).problems]


ENTRY = {"type": "command", "command": "echo ok"}


def stop(*entries: Any) -> dict[str, Any]:
    return {"hooks": {"Stop": [{"hooks": list(entries)}]}}


FIRST = "hooks.Stop[0].hooks[0]"
SECONDS = "expected a finite number above 0 (seconds)"
TEXT = "expected a string that is not empty"
MISPLACED = "holds what looks like a guard's hooks where none belong"
OUTSIDE = "a guard event outside `hooks`; it has no effect there, it belongs under `hooks`"

# a document, the coordinate and the sentence of its only problem
SENTENCES: list[tuple[Any, str, str]] = [
    ({"hooks": None}, "hooks", "expected an object keyed by event name, found null"),
    ({"hooks": 1}, "hooks", "expected an object keyed by event name, found a number"),
    ({"hooks": True}, "hooks", "expected an object keyed by event name, found a boolean"),
    ({"hooks": [[]]}, "hooks", "expected an object keyed by event name, found an array"),
    ({"hooks": {"hooks": [ENTRY]}}, "hooks", "expected an object keyed by event name, found a single matcher"),
    ({"hooks": ENTRY}, "hooks", "expected an object keyed by event name, found a single hook entry"),
    ({"hooks": {"Foo": 1}}, "hooks.Foo", "not an event in this vocabulary"),
    (
        {"hooks": {"Foo": {"PreToolUse": [1]}}},
        "hooks.Foo",
        "not an event in this vocabulary, and what stands under it looks like a guard's hooks",
    ),
    ({"hooks": {"Stop": "x"}}, "hooks.Stop", "expected an array, found a string"),
    ({"hooks": {"PreToolUse": {}}}, "hooks.PreToolUse", "expected an array, found an object"),
    ({"hooks": {"Stop": [None]}}, "hooks.Stop[0]", "expected an object with a `hooks` array, found null"),
    ({"hooks": {"Stop": [{}]}}, "hooks.Stop[0]", "no `hooks` array"),
    ({"hooks": {"Stop": [{"hooks": {}}]}}, "hooks.Stop[0].hooks", "expected an array, found an object"),
    ({"hooks": {"Stop": [{"matcher": 1, "hooks": []}]}}, "hooks.Stop[0].matcher", "expected a string, found a number"),
    (
        {"hooks": {"Stop": [{"hooks": [], "PreToolUse": [1]}]}},
        "hooks.Stop[0]",
        MISPLACED,
    ),
    (stop(1), FIRST, "expected an object, found a number"),
    (stop({}), FIRST, "type is required"),
    (
        stop({"type": 1}),
        f"{FIRST}.type",
        "expected one of command, prompt, agent, http, mcp_tool, found a number",
    ),
    (
        stop({"type": "nope"}),
        f"{FIRST}.type",
        "unknown type; expected one of command, prompt, agent, http, mcp_tool",
    ),
    (stop({"type": "bash"}), f"{FIRST}.type", "unknown type; did you mean command"),
    (stop({"type": "command"}), f"{FIRST}.command", "command is required"),
    (stop({"type": "http"}), f"{FIRST}.url", "url is required"),
    (stop({**ENTRY, "command": ""}), f"{FIRST}.command", f"{TEXT}, found an empty string"),
    (stop({**ENTRY, "command": 1}), f"{FIRST}.command", f"{TEXT}, found a number"),
    (stop({**ENTRY, "timeout": -1}), f"{FIRST}.timeout", "must be greater than 0"),
    (stop({**ENTRY, "timeout": True}), f"{FIRST}.timeout", f"{SECONDS}, found a boolean"),
    (stop({**ENTRY, "timeout": "5"}), f"{FIRST}.timeout", f"{SECONDS}, found a string"),
    (stop({**ENTRY, "once": None}), f"{FIRST}.once", "expected true or false, found null"),
    (stop({**ENTRY, "shell": "zsh"}), f"{FIRST}.shell", "expected one of bash, powershell, found another string"),
    (
        stop({**ENTRY, "args": ["a", 1]}),
        f"{FIRST}.args",
        "expected a list of strings, found an array that holds a number",
    ),
    (stop({**ENTRY, "args": "a"}), f"{FIRST}.args", "expected a list of strings, found a string"),
    (
        stop({"type": "http", "url": "https://example.com/", "headers": {"a": None}}),
        f"{FIRST}.headers",
        "expected an object whose values are strings, found an object that holds null",
    ),
    (stop({**ENTRY, "PreToolUse": [1]}), FIRST, MISPLACED),
    ({"a": {"PreToolUse": [1]}}, "a.PreToolUse", OUTSIDE),
    ({"a": {"hooks": [1]}}, "a", "looks like a matcher outside `hooks`, where it guards nothing"),
    ({"matcher": "x", "hooks": [1]}, "document", "the document itself has the shape of a matcher"),
]


@pytest.mark.parametrize(
    ("document", "where", "sentence"), SENTENCES, ids=[where + ": " + s[:20] for _, where, s in SENTENCES]
)
def test_sentences(document: Any, where: str, sentence: str) -> None:
    (file,) = json_report.report_document(ClassifyReport(PIN, (verdict(document),)), reveal=True)["files"]
    found = [
        (piece["coordinate"], piece["says"]) for piece in file["rejections"] + file["dropped"] + file["contract_only"]
    ]
    assert (where, sentence) in found


def test_infinite_timeouts() -> None:
    assert says(json.dumps(stop({**ENTRY, "timeout": 7})).replace("7", "1e999")) == [
        "must be finite; this number is too large"
    ]


def test_the_sentences_cover_every_code() -> None:
    codes = {problem.code for document, _, _ in SENTENCES for problem in verdict(document).problems}
    assert {*map(str, DropCode), *map(str, RejectionCode)} <= codes


def test_a_url_that_is_none() -> None:
    (sentence,) = says(stop({"type": "http", "url": "/p"}))
    assert sentence.startswith("expected a URL")
    assert sentence.endswith("found a string that is no URL")


@pytest.mark.parametrize(("name", "document", "shown"), list(documents()), ids=[name for name, _, _ in documents()])
def test_every_sample_loads_whole_and_is_part_of_its_document(name: str, document: Any, shown: Any) -> None:
    assert classify_hooks_config(document).outcome is HooksOutcome.LOADED
    assert json.dumps(shown) in json.dumps(document)
    assert not verdict(document).warnings


def test_every_sample_that_is_shown_is_one_of_the_tested() -> None:
    tested = {json.dumps(shown) for _, _, shown in documents()}
    shown = {problem.words.sample for document, _, _ in SENTENCES for problem in verdict(document).problems}
    assert len(shown) > 10
    assert shown - {""} <= tested


# a text, and the codes of its warnings
WARNINGS: list[tuple[Any, list[str]]] = [
    ({}, []),
    (stop(ENTRY), []),
    (stop({**ENTRY, "timeout_ms": 5}), ["unknown-field"]),
    (stop({**ENTRY, "cloud": "device"}), []),
    ({"hooks": {"Stop": [{"hooks": [], "note": 1}]}}, ["unknown-field"]),
    ({"hooks": {"Stop": [{"hooks": [{**ENTRY, "timeout": 0, "zzz": 1}]}]}}, []),
    ({"hooks": {"Foo": [{"hooks": [{**ENTRY, "zzz": 1}]}]}}, []),
    ({"Stop": []}, ["event-at-root"]),
    ({"PreToolUse": []}, ["event-at-root"]),
    ({"Hooks": {}}, ["misspelt-hooks"]),
    ({"hooks": {}, "Hooks": {}}, []),
    (b"\xef\xbb\xbf{}", ["byte-order-mark"]),
    (b'{"a": "\xff"}', ["invalid-utf8"]),
    ("[" * 65 + "]" * 65, []),
    ('{"a": ' + "[" * 63 + "]" * 63 + "}", []),
    ('{"a": ' + "[" * 64 + "]" * 64 + "}", ["deep-nesting"]),
    (b"\xef\xbb\xbf{", ["byte-order-mark"]),
]


@pytest.mark.parametrize(("document", "codes"), WARNINGS)
def test_warnings(document: Any, codes: list[str]) -> None:
    found = verdict(document)
    if isinstance(document, str) and document.startswith("["):
        assert found.outcome is HooksOutcome.REJECTED
        return
    assert [caution.code for caution in found.warnings] == codes


def test_every_code_has_its_meaning() -> None:
    codes = (*DropCode, *RejectionCode, *DocumentCode, *FileCode, *CautionCode)
    assert {code.value for code in codes} == set(MEANINGS)


def test_bad_entries_beyond_the_limit_are_not_looked_at_for_warnings() -> None:
    found = verdict({"hooks": {"Stop": [{"hooks": [{}] * (LISTED + 1) + [{**ENTRY, "zzz": 1}]}]}})
    assert [caution.code for caution in found.warnings] == [CautionCode.UNKNOWN_FIELD]
    assert found.omitted == 1


def test_a_suggested_field_is_one_that_the_entry_lacks() -> None:
    (caution,) = verdict(stop({**ENTRY, "timeout": 5, "timeout_ms": 5})).warnings
    assert caution.words.suggestion is None


def test_places_are_those_of_the_named_thing() -> None:
    text = (
        '{"hooks": {\n "Foo": 1,\n "Stop": [{"hooks": [\n  {"type": "command", "command": "x", "timeout": 0},\n  5]}]}}'
    )
    places = [(problem.spot.line, problem.spot.column) for problem in verdict(text).problems if problem.spot]
    assert places == [(2, 2), (4, 50), (5, 3)]


def test_counts() -> None:
    document = {"hooks": {"Stop": [{"hooks": [ENTRY, ENTRY]}, {"hooks": []}], "PreCompact": []}}
    loads = verdict(document).loads
    assert (loads.events, loads.matchers, loads.entries) == (2, 2, 2)
    rejected = verdict({"hooks": {**document["hooks"], "PreToolUse": 1}})
    assert (rejected.loads.entries, rejected.lost.entries) == (0, 2)


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_blank_file_is_no_settings(text: str) -> None:
    assert verdict(text).outcome is HooksOutcome.LOADED
    assert verdict(text, FileKind.PLUGIN_HOOKS).outcome is HooksOutcome.REJECTED


def test_a_plugin_file_needs_hooks() -> None:
    assert verdict({}).outcome is HooksOutcome.LOADED
    plugin = verdict({"description": "x"}, FileKind.PLUGIN_HOOKS)
    assert [(problem.code, problem.words.says) for problem in plugin.problems] == [("no-hooks", "`hooks` missing")]
    assert verdict({"hooks": {}}, FileKind.PLUGIN_HOOKS).outcome is HooksOutcome.LOADED


SECRET = "sk-live-0123456789abcdef"


@pytest.mark.parametrize(
    "document",
    [
        {"hooks": {SECRET: 1}},
        {"hooks": {SECRET: {"PreToolUse": [1]}}},
        {SECRET: {"PreToolUse": [1]}},
        {"Hooks": 1, SECRET: 1},
        stop({**ENTRY, SECRET: 1}),
        {"hooks": {"Stop": [{"hooks": [], SECRET: 1}]}},
        stop({"type": SECRET}),
        stop({"type": "http", "url": SECRET}),
        stop({**ENTRY, "shell": SECRET}),
        stop({**ENTRY, "timeout": SECRET}),
        f'{{"{SECRET}": 1, "{SECRET}": 2}}',
        f'{{"hooks": {{"{SECRET}": 1, "{SECRET}": 2}}}}',
        f"{{{SECRET}: 1}}",
        f"[{SECRET}]",
        f'"{SECRET}"',
    ],
)
def test_nothing_of_the_users_leaves(document: Any) -> None:
    report = ClassifyReport(PIN, (verdict(document),))
    for output in (text_report.render(report), json_report.render(report)):
        assert SECRET not in output
        assert SECRET[:6] not in output


def test_show_names_shows_them() -> None:
    report = ClassifyReport(PIN, (verdict({"hooks": {"pre-commit": 1}}),))
    assert 'hooks["pre-commit"]' in text_report.render(report, reveal=True)
    assert (
        'hooks["pre-commit"]'
        in json.loads(json_report.render(report, reveal=True))["files"][0]["dropped"][0]["coordinate"]
    )


def test_a_terminal_is_never_obeyed() -> None:
    report = ClassifyReport(PIN, (verdict({"hooks": {"\x1b[31m": 1}}),))
    assert "\x1b" not in text_report.render(report, reveal=True)


def test_many_problems_are_listed_up_to_a_limit_and_counted() -> None:
    found = verdict({"hooks": {"Stop": [None] * (LISTED + 7)}})
    assert (len(found.problems), found.omitted) == (LISTED, 7)
    assert "7 more problems" in text_report.render(ClassifyReport(PIN, (found,)))


@pytest.mark.parametrize(
    "text",
    [
        '{"hooks": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"a":' * 100_000 + '{"PreToolUse": [1]}' + "}" * 100_000,
        '{"a":1,"a":' * 20_000 + "1" + "}" * 20_000,
    ],
    ids=["arrays", "a guard far below", "duplicates"],
)
def test_depth_is_an_answer(text: str) -> None:
    report = ClassifyReport(PIN, (verdict(text),))
    assert max(map(len, text_report.render(report).splitlines())) < 1000
    json.loads(json_report.render(report))


def test_the_pinned_release_is_shown_where_it_is_milder() -> None:
    found = verdict(stop({**ENTRY, "command": ""}))
    assert (found.outcome, found.contract) == (HooksOutcome.LOADED, HooksOutcome.LOADED_PARTIAL)
    assert not found.all_loads
    assert found.milder == ("it takes an empty string",)
    assert not verdict(stop(None)).milder
    assert not verdict({"hooks": {"PreToolUse": 1}}).milder


def test_the_law_over_the_recorded_documents() -> None:
    """What the release rejects is rejected here too, and what is loaded here is loaded there."""
    lines = (Path(__file__).parents[1] / "data" / "classifier-cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1240
    for line in lines:
        record = json.loads(line)
        found = verdict(record["text"])
        if record["cc"]["rejected"]:
            assert (found.outcome, found.contract) == (HooksOutcome.REJECTED,) * 2, record["id"]
        if any(note["severity"] == "warning" for note in record["cc"]["notes"]):
            assert found.contract is not HooksOutcome.LOADED, record["id"]
            assert found.outcome is not HooksOutcome.LOADED, record["id"]


def test_color_and_quiet() -> None:
    report = ClassifyReport(PIN, (verdict({"hooks": 1}),))
    assert "\x1b[31m" in text_report.render(report, color=True)
    assert text_report.render(report, quiet=True) == "driftgate: drift, exit 1"


def test_no_file_is_blind() -> None:
    assert ClassifyReport(PIN, ()).exit_code == 3


def test_the_vocabulary_is_named() -> None:
    counts = f"({len(CONTRACT.events)} events, {len(CONTRACT.entry_types)} entry types)"
    assert f"vocabulary: Claude Code 2.1.296 {counts}" in text_report.render(ClassifyReport(PIN, (verdict({}),)))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"hooks":{"hooks":{"Stop":[]}}}', "hooks.hooks: not an event; `hooks` stands inside `hooks`"),
        ('{"matcher":"x","hooks":[1]}', "and not at the document itself"),
        ('{"hooks":{"Stop":[{"Hooks":[]}]}}', "no `hooks` array; it has <H...>: did you mean hooks"),
        ('{"hooks":{"Stop":[{"hooks":[{"Type":"command","command":"x"}]}]}}', "did you mean type"),
        ('{"hooks":{"Stop":[{"hooks":[{"type":"command","Command":"x"}]}]}}', "it has <C...>: did you mean command"),
        ('{"hooks":{"Stop":[{"hooks":[{"type":"http","uri":"x"}]}]}}', "did you mean url"),
        (
            '{"hooks":{"Stop":[{"Matcher":"x","hooks":[]}]}}',
            "field unknown in a matcher; it has no effect; did you mean",
        ),
    ],
)
def test_what_was_meant_and_what_is_milder(
    text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "x.json").write_text(text)
    main(["classify", str(file)])
    assert says in capsys.readouterr().out
