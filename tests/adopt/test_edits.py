"""What becomes of a source, letter by letter: members and fields, and what is left to people."""
# ruff: noqa: E501, ISC004 - texts before and after stand under one another

import pytest

from driftgate.adopt import adopt
from driftgate.errors import ExitCode
from driftgate.project.configuration import Config
from driftgate.surface import Field, FieldTable, Vocabulary, surface_of

UPSTREAM = ("PreToolUse", "PostToolUse", "Notification", "Stop")
FIELDS = {
    "command": (
        Field("command", "string", True),
        Field("if", "string", False),
        Field("statusMessage", "string", False),
        Field("args", "array<string>", False),
    )
}

# file, text, set, what it becomes: PostToolUze is put right, Notification comes, Foo goes
MEMBERS = {
    "python, grouped with comments": (
        "m.py",
        'E = (\n    "PreToolUse",  # c\n    "PostToolUze",\n    # group\n    "Foo",\n    "Stop"\n)\n',
        'E = (\n    "PreToolUse",  # c\n    "PostToolUse",\n    "Notification",\n    # group\n    "Stop"\n)\n',
    ),
    "python, a tuple of two": ("m.py", 'E = ("Foo", "PreToolUse")\n', 'E = ("PreToolUse", "PostToolUse", "Notification", "Stop")\n'),
    "python, an empty tuple": ("m.py", "E = ()\n", 'E = ("PreToolUse", "PostToolUse", "Notification", "Stop")\n'),
    "python, enum": (
        "m.py",
        'import enum\nclass E(enum.Enum):\n    PRE_TOOL_USE = "PreToolUse"\n    POST_TOOL_UZE = "PostToolUze"\n    # old\n    FOO = "Foo"  # x\n    STOP = "Stop"\n\n    def f(self): ...\n',
        'import enum\nclass E(enum.Enum):\n    PRE_TOOL_USE = "PreToolUse"\n    POST_TOOL_USE = "PostToolUse"\n    NOTIFICATION = "Notification"\n    # old\n    STOP = "Stop"\n\n    def f(self): ...\n',
    ),
    "python, an enum whose member is used": (
        "m.py",
        'import enum\nclass E(enum.Enum):\n    PRE_TOOL_USE = "PreToolUse"\n    POST_TOOL_UZE = "PostToolUze"\n    STOP = "Stop"\nX = E.POST_TOOL_UZE\n',
        'import enum\nclass E(enum.Enum):\n    PRE_TOOL_USE = "PreToolUse"\n    POST_TOOL_UZE = "PostToolUse"\n    NOTIFICATION = "Notification"\n    STOP = "Stop"\nX = E.POST_TOOL_UZE\n',
    ),
    "python, sorted": (
        "m.py",
        'E = [\n    "Foo",\n    "PostToolUze",\n    "PreToolUse",\n    "Stop",\n]\n',
        'E = [\n    "Notification",\n    "PostToolUse",\n    "PreToolUse",\n    "Stop",\n]\n',
    ),
    "python, a union of literals": (
        "m.py",
        'from typing import Literal\nE = (\n    Literal["Foo"]\n    | Literal["PreToolUse"]\n    | Literal["PostToolUze"]\n    | Literal["Stop"]\n)\n',
        'from typing import Literal\nE = (\n    Literal["PreToolUse"]\n    | Literal["PostToolUse"]\n    | Literal["Notification"]\n    | Literal["Stop"]\n)\n',
    ),
    "typescript, the end of a union": (
        "m.ts",
        'export type E =\n  | "PreToolUse"\n  | "PostToolUze" // last\n  | "Foo"; // end\n',
        'export type E =\n  | "PreToolUse"\n  | "PostToolUse" // last\n  | "Notification"\n  | "Stop";\n',
    ),
    "crlf and a byte order mark": (
        "m.ts",
        "\ufeffexport const E = [\r\n\t'PreToolUse',\r\n\t'PostToolUze',\r\n\t'Foo',\r\n\t'Stop'\r\n];",
        "\ufeffexport const E = [\r\n\t'PreToolUse',\r\n\t'PostToolUse',\r\n\t'Notification',\r\n\t'Stop'\r\n];",
    ),
    "go, in columns": (
        "m.go",
        'package m\n\ntype E string\n\nconst (\n\tOnPreToolUse  E = "PreToolUse"\n\tOnPostToolUze E = "PostToolUze" // x\n\tOnFoo         E = "Foo"\n\n\tOnStop E = "Stop"\n)\n',
        'package m\n\ntype E string\n\nconst (\n\tOnPreToolUse   E = "PreToolUse"\n\tOnPostToolUse  E = "PostToolUse" // x\n\tOnNotification E = "Notification"\n\n\tOnStop E = "Stop"\n)\n',
    ),
    "rust, counted": (
        "m.rs",
        'pub const E: [&str; 4] = ["PreToolUse", "PostToolUze", "Foo", "Stop"];\n',
        'pub const E: [&str; 4] = ["PreToolUse", "PostToolUse", "Notification", "Stop"];\n',
    ),
    "rust, documented": (
        "m.rs",
        "pub enum E {\n    /// One.\n    PreToolUse,\n    /// Two.\n    PostToolUze,\n    /// It is Foo.\n    Foo,\n    Stop,\n}\n",
        "pub enum E {\n    /// One.\n    PreToolUse,\n    /// Two.\n    PostToolUse,\n    Notification,\n    Stop,\n}\n",
    ),
    "yaml, with a comment": (
        "m.yaml",
        "/e: 1\nE:\n- PreToolUse\n- PostToolUze # y\n# foo\n- Foo\n- Stop\n\nz: 1\n",
        "/e: 1\nE:\n- PreToolUse\n- PostToolUse # y\n- Notification\n# foo\n- Stop\n\nz: 1\n",
    ),
    "markdown, in columns": (
        "m.md",
        "# E\n\n| E            | What |\n| ------------ | ---- |\n| `PreToolUse` | yes  |\n| `PostToolUz` | yes  |\n| `Stop`       | yes  |\n",
        "# E\n\n| E              | What |\n| -------------- | ---- |\n| `PreToolUse`   | yes  |\n| `PostToolUse`  | yes  |\n| `Notification` | yes  |\n| `Stop`         | yes  |\n",
    ),
}  # fmt: skip


def project(root, of, *specs):
    return Config(root, root / "driftgate.toml", root / "s.yaml", declared={of: specs})


def events(names=UPSTREAM):
    return surface_of((Vocabulary("hook_events", names),), "upstream 1.2.3")


@pytest.mark.parametrize(("name", "text", "becomes"), MEMBERS.values(), ids=MEMBERS)
def test_members(tmp_path, name, text, becomes):
    (tmp_path / name).write_bytes(text.encode())
    report = adopt(project(tmp_path, "hook_events", f"{name}#E"), events())
    assert report.instructions == ()
    assert [change.after.decode() for change in report.changes] == [becomes]
    assert report.exit_code() is ExitCode.AGREES
    assert (tmp_path / name).read_bytes() == text.encode()


TABLES = {
    "interface": (
        "m.ts",
        "interface E {\n  type: 'command';\n  command: string;\n  /** said */\n  statusMesage?: string;\n  old?: boolean;\n}\n",
        "interface E {\n  type: 'command';\n  command: string;\n  if?: string;\n  /** said */\n  statusMessage?: string;\n"
        "  args?: string[];\n}\n",
    ),
    "zod": (
        "m.ts",
        "import { z } from 'zod';\nconst E = z.object({\n  type: z.literal('command'),\n  command: z.string(),\n"
        "  statusMesage: z.string().optional(),\n  old: z.boolean().optional(),\n});\n",
        "import { z } from 'zod';\nconst E = z.object({\n  type: z.literal('command'),\n  command: z.string(),\n"
        "  if: z.string().optional(),\n  statusMessage: z.string().optional(),\n"
        "  args: z.array(z.string()).optional(),\n});\n",
    ),
    "schema": (
        "m.schema.json",
        '{"$defs": {"E": {\n  "properties": {\n    "type": { "const": "command" },\n    "command": { "type": "string" },\n'
        '    "statusMesage": { "type": "string" },\n    "old": { "type": "boolean" }\n  },\n'
        '  "required": ["command", "old"]\n}}}\n',
        '{"$defs": {"E": {\n  "properties": {\n    "type": { "const": "command" },\n    "command": { "type": "string" },\n'
        '    "if": { "type": "string" },\n    "statusMessage": { "type": "string" },\n'
        '    "args": { "type": "array", "items": { "type": "string" } }\n  },\n  "required": ["command"]\n}}}\n',
    ),
    "words": (
        "m.py",
        'E = {\n    "command": {\n        "command": "string",\n        "statusMesage": "string?",\n        "old": "boolean?",\n    },\n}\n',
        'E = {\n    "command": {\n        "command": "string",\n        "if": "string?",\n        "statusMessage": "string?",\n'
        '        "args": "array<string>?",\n    },\n}\n',
    ),
    "rust": (
        "m.rs",
        '#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]\nenum E {\n    Command {\n'
        "        command: String,\n        status_mesage: Option<String>,\n        old: Option<bool>,\n    },\n}\n",
        '#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]\nenum E {\n    Command {\n'
        "        command: String,\n        r#if: Option<String>,\n        status_message: Option<String>,\n"
        "        args: Option<Vec<String>>,\n    },\n}\n",
    ),
}  # fmt: skip


def table(rows=FIELDS):
    return surface_of((FieldTable("hook_entry_fields", rows),), "upstream 1.2.3")


@pytest.mark.parametrize(("name", "text", "becomes"), TABLES.values(), ids=TABLES)
def test_fields(tmp_path, name, text, becomes):
    (tmp_path / name).write_text(text, encoding="utf-8")
    report = adopt(project(tmp_path, "hook_entry_fields", f"{name}#E"), table())
    assert report.instructions == ()
    assert [change.after.decode() for change in report.changes] == [becomes]
    assert report.exit_code() is ExitCode.AGREES


STRUCT = 'package m\n\ntype E struct {\n\tCommand      string `json:"command"`\n\tStatusMesage string `json:"statusMesage,omitempty"`\n}\n'


def test_fields_of_go_keep_their_columns(tmp_path):
    (tmp_path / "m.go").write_text(STRUCT, encoding="utf-8")
    report = adopt(project(tmp_path, "hook_entry_fields", "m.go#E"), table({"E": FIELDS["command"]}))
    (change,) = report.changes
    assert change.after.decode() == (
        'package m\n\ntype E struct {\n\tCommand       string   `json:"command"`\n'
        '\tIf            string   `json:"if,omitempty"`\n\tStatusMessage string   `json:"statusMessage,omitempty"`\n'
        '\tArgs          []string `json:"args,omitempty"`\n}\n'
    )


def test_a_field_called_as_a_word_of_python_is_left_to_people(tmp_path):
    text = "from typing import TypedDict, NotRequired\nclass E(TypedDict):\n    command: str\n    statusMessage: NotRequired[str]\n"
    (tmp_path / "m.py").write_text(text, encoding="utf-8")
    report = adopt(project(tmp_path, "hook_entry_fields", "m.py#E"), table({"E": FIELDS["command"]}))
    assert [(one.where, one.what) for one in report.instructions] == [("m.py:3:5", "add if (optional string) to E, E")]
    assert report.exit_code() is ExitCode.DRIFT
    assert report.changes[0].after.decode() == text + "    args: NotRequired[list[str]]\n"


BY_HAND = {
    "computed from two lists": (
        'A = ["PreToolUse", "PostToolUse"]\nB = ["Notification"]\nE = A + B\n',
        ("m.py:2:6", "add Stop to E, after Notification", "its names stand in several places"),
    ),
    "each with its own words": (
        'E = {"PreToolUse": "before", "PostToolUse": "after", "Notification": "told"}\n',
        ("m.py:1:54", "add Stop to E, after Notification",
         "its elements say more than their names, and how this one would go on is not known"),
    ),
    "each with its own class": (
        'class P: ...\nclass O: ...\nclass N: ...\nE = {"PreToolUse": P, "PostToolUse": O, "Notification": N}\n',
        ("m.py:4:41", "add Stop to E, after Notification",
         "its elements say more than their names, and how this one would go on is not known"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "told"), BY_HAND.values(), ids=BY_HAND)
def test_what_cannot_be_edited_safely_is_told(tmp_path, text, told):
    (tmp_path / "m.py").write_text(text, encoding="utf-8")
    report = adopt(project(tmp_path, "hook_events", "m.py#E"), events())
    assert [(one.where, one.what, one.why) for one in report.instructions] == [told]
    assert report.changes == ()
    assert report.exit_code() is ExitCode.DRIFT


def test_every_place_of_a_set_is_edited(tmp_path):
    (tmp_path / "m.py").write_text('E = ["PreToolUse", "PostToolUse", "Stop"]\n', encoding="utf-8")
    (tmp_path / "n.ts").write_text("type E = 'PreToolUse' | 'PostToolUse' | 'Notification'\n", encoding="utf-8")
    report = adopt(project(tmp_path, "hook_events", "m.py#E", "n.ts#E"), events())
    assert [change.after.decode() for change in report.changes] == [
        'E = ["PreToolUse", "PostToolUse", "Notification", "Stop"]\n',
        "type E = 'PreToolUse' | 'PostToolUse' | 'Notification' | 'Stop'\n",
    ]


def test_where_siblings_are_told_apart_is_said(tmp_path):
    (tmp_path / "m.rs").write_text(
        "pub enum E {\n    PreToolUse,\n    PostToolUse,\n    Foo,\n    Stop,\n}\n", encoding="utf-8"
    )
    (tmp_path / "run.rs").write_text(
        "fn f(e: E) -> u8 {\n    match e {\n        E::PreToolUse => 1,\n        E::Foo => 2,\n        _ => 3,\n    }\n}\n",
        encoding="utf-8",
    )
    report = adopt(project(tmp_path, "hook_events", "m.rs#E"), events())
    assert report.notes == (
        "Foo is used at run.rs:4: look at that too",
        "the siblings of Notification are told apart at run.rs:3: look what belongs there",
    )
    assert [change.shown for change in report.changes] == ["m.rs"]


def test_only_what_is_asked_for_is_adopted(tmp_path):
    (tmp_path / "m.py").write_text('E = ["PreToolUse", "Foo", "Stop"]\n', encoding="utf-8")
    config = project(tmp_path, "hook_events", "m.py#E")
    everything = adopt(config, events()).before.findings
    one = [finding for finding in everything if finding.subject == "Notification"]
    report = adopt(config, events(), one)
    assert report.changes[0].after == b'E = ["PreToolUse", "Notification", "Foo", "Stop"]\n'
    assert report.exit_code() is ExitCode.AGREES
    assert {finding.subject for finding in report.after.findings} == {"PostToolUse", "Foo"}
