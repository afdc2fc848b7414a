"""The reader of Rust."""

from __future__ import annotations

import re

import pytest

from driftgate.declared import read_declared
from driftgate.declared.naming import restyle, restyle_snake
from driftgate.errors import DeclaredError
from tests.declared.conftest import members, places, rows

ABC = ("A", "B", "C")

SPELLINGS = {
    "under a condition": 'const X: &[&str] = &["A", #[cfg(feature = "b")] "B", "C"];',
    "serde under a condition": (
        '#[cfg_attr(feature = "s", derive(Serialize), serde(rename_all = "UPPERCASE"))]\n'
        'enum X { a, b, #[cfg_attr(feature = "s", serde(rename = "C"))] See }'
    ),
    "rename_all in both directions": (
        '#[serde(rename_all(serialize = "lowercase", deserialize = "UPPERCASE"))] enum X { a, b, c }'
    ),
    "joined": 'const X: &[&str] = &["A", "B", concat!("", "C")];',
    "as_str after prose": (
        'enum X { One, Two, Three }\nimpl X { fn doc(&self) -> &str { match self { X::One => "one", _ => "other" } }\n'
        'fn about(&self) -> &str { match self { X::One => "1", X::Two => "2", X::Three => "3" } }\n'
        'fn as_str(&self) -> &str { match self { X::One => "A", X::Two => "B", X::Three => "C" } } }'
    ),
    "the outer one of two": 'mod old { const X: &[&str] = &["D"]; }\nconst X: &[&str] = &["A", "B", "C"];',
    "array": 'pub const X: [&str; 3] = ["A", "B", "C"];',
    "slice": 'static X: &[&str] = &["A", r"B", r#"C"#];',
    "names": 'const B: &str = "B";\nconst X: &[&str] = &["A", B, "C"];',
    "vec": 'static X: LazyLock<Vec<&str>> = LazyLock::new(|| vec!["A", "B", "C"]);',
    "set": 'static X: Lazy<HashSet<&str>> = Lazy::new(|| HashSet::from(["A", "B", "C"]));',
    "collected": 'static X: LazyLock<HashSet<&str>> = LazyLock::new(|| ["A", "B", "C"].into_iter().collect());',
    "block": 'static X: LazyLock<HashSet<&str>> = LazyLock::new(|| { ["A", "B", "C"].into() });',
    "phf set": 'static X: phf::Set<&str> = phf_set! { "A", "B", "C", };',
    "phf map": 'static X: phf::Map<&str, K> = phf::phf_map! { "A" => K::A, "B" => K::B, "C" => K::C };',
    "pairs": 'const X: &[(&str, bool)] = &[("A", true), ("B", false), ("C", true)];',
    "renamed": 'enum X { #[serde(rename = "A")] One, #[serde(rename = "B")] Two(u8), C { a: u8 } }',
    "plain": "pub enum X { A, B, C }",
    "with skipped": (
        "enum X { A, B, C, #[serde(other)] Other, #[serde(skip)] Hidden, #[serde(untagged)] Unknown(String) }"
    ),
    "rename_all": '#[derive(Deserialize)]\n#[serde(rename_all = "UPPERCASE")]\npub enum X { a, b, c }',
    "one way": 'enum X { A, B, #[serde(rename(serialize = "c", deserialize = "C"))] See }',
    "strum": '#[strum(serialize_all = "UPPERCASE")]\nenum X { a, #[strum(serialize = "B")] Q, c }',
    "alias": 'enum X { A, #[serde(alias = "C")] B }',
    "as_str": (
        "enum X { One, Two, Three }\nimpl X { pub fn as_str(&self) -> &'static str {\n"
        'match self { Self::One => "A", X::Two => "B", Self::Three => "C" } } }'
    ),
    "variants": 'enum E { A, B, #[serde(rename = "C")] See }\nconst X: [E; 3] = [E::A, E::B, E::See];',
    "constant of the type": (
        "enum E { A, B, C }\nimpl E { const ALL: &'static [Self] = &[Self::A, E::B, E::C]; }\nconst X: &[E] = E::ALL;"
    ),
    "in a module": 'mod names { pub const Y: &[&str] = &["A", "B", "C"]; }\npub const X: &[&str] = names::Y;',
    "tag": '#[serde(tag = "type")]\nenum X { A { a: u8 }, B, C(Inner) }',
    "match": 'fn X(s: &str) -> u8 { match s { "A" | "B" => 1, "C" if s != "D" => 2, other => 3 } }',
    "matches": 'fn X(s: &str) -> bool { matches!(s, "A" | "B" | "C") }',
    "alias of a type": "enum Y { A, B, C }\ntype X = Y;",
    "commented": 'enum X {\n /// first\n A, // a\n /* b */ B,\n #[doc = "x"] C }',
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_the_same_set_reads_the_same(write, spelling):
    found = read_declared("m.rs#X", root=write(SPELLINGS[spelling], "m.rs"), vocabulary="hook_events")
    assert members(found) == ABC


UNREADABLE = {
    "two definitions": (
        '#[cfg(unix)]\nconst X: &[&str] = &["A"];\n#[cfg(windows)]\nconst X: &[&str] = &["B"];',
        "two definitions of X that differ",
        "m.rs:4:1",
    ),
    "call": ("const X: &[&str] = load();", "a call of load()", "m.rs:1:20"),
    "macro": ('static X: &[&str] = names!["A"];', "a call of names!", "m.rs:1:21"),
    "filter": (
        'static X: Vec<&str> = ["A"].iter().filter(f).collect();',
        'a call of ["A"].iter().filter()',
        "m.rs:1:23",
    ),
    "undefined": ("const X: &[&str] = &[Y];", "the name Y, which the file does not define", "m.rs:1:22"),
    "number": ("const X: &[u8] = &[1];", "a integer literal", "m.rs:1:20"),
    "function": ("fn X() -> u8 { 1 }", "a function", "m.rs:1:1"),
    "unit struct": ("struct X(String);", "the struct X, which has no named fields", "m.rs:1:1"),
    "itself": ("const X: &[&str] = &[X];", "X, which refers to itself", "m.rs:1:22"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_evaluated_is_named_with_its_place(write, case):
    source, what, where = UNREADABLE[case]
    with pytest.raises(DeclaredError, match=re.escape(what)) as caught:
        read_declared("m.rs#X", root=write(source, "m.rs"), vocabulary="hook_events")
    assert caught.value.where == where


@pytest.mark.parametrize(
    "text", ["use other::EVENTS;\nconst X: &[&str] = EVENTS;", "const X: &[&str] = other::EVENTS;"]
)
def test_a_name_of_another_module_is_stated_elsewhere(write, text):
    with pytest.raises(DeclaredError, match="X is stated elsewhere: EVENTS from other"):
        read_declared("m.rs#X", root=write(text, "m.rs"))


@pytest.mark.parametrize("name", ["HookEvent::ALL", "HookEvent.ALL", "inner::ALL", "inner.ALL"])
def test_a_name_may_be_a_path(write, name):
    root = write(
        'enum HookEvent { A, B, C }\nimpl HookEvent { pub const ALL: &[&str] = &["A", "B", "C"]; }\n'
        'mod inner { pub const ALL: &[&str] = &["A", "B", "C"]; }',
        "m.rs",
    )
    assert members(read_declared(f"m.rs#{name}", root=root)) == ABC


def test_a_missing_name_is_an_error_with_near_names(write):
    root = write("enum HookEvent { A }\nimpl HookEvent { const ALL: u8 = 1; }", "m.rs")
    with pytest.raises(DeclaredError, match="did you mean HookEvent"):
        read_declared("m.rs#HookEvents", root=root)
    with pytest.raises(DeclaredError, match=r"AL in HookEvent not found in m\.rs"):
        read_declared("m.rs#HookEvent.AL", root=root)


def test_members_stand_where_their_names_are_written(write):
    root = write(
        '#[serde(rename_all = "PascalCase")]\nenum X {\n  A,\n  #[serde(rename = "é", alias = "e")]\n  B,\n}', "m.rs"
    )
    assert places(read_declared("m.rs#X", root=root)) == {"A": "m.rs:3:3", "é": "m.rs:4:20", "e": "m.rs:4:33"}


STYLES = {
    "lowercase": ("pretooluse", "mcp_tool"),
    "UPPERCASE": ("PRETOOLUSE", "MCP_TOOL"),
    "PascalCase": ("PreToolUse", "McpTool"),
    "camelCase": ("preToolUse", "mcpTool"),
    "snake_case": ("pre_tool_use", "mcp_tool"),
    "SCREAMING_SNAKE_CASE": ("PRE_TOOL_USE", "MCP_TOOL"),
    "kebab-case": ("pre-tool-use", "mcp-tool"),
    "SCREAMING-KEBAB-CASE": ("PRE-TOOL-USE", "MCP-TOOL"),
}


@pytest.mark.parametrize("style", STYLES)
def test_names_are_restyled_as_serde_does(style):
    variant, field = STYLES[style]
    assert restyle("PreToolUse", style) == variant
    assert restyle_snake("mcp_tool", style) == field


def test_each_capital_begins_a_word_for_serde():
    assert restyle("MCPTool", "snake_case") == "m_c_p_tool"
    assert restyle("Stop", "no such style") == "Stop"


TABLE = {
    "command": {
        "command": ("string", True),
        "if": ("string", False),
        "statusMessage": ("string", False),
        "shell": ("enum", False, "bash", "powershell"),
        "timeout": ("number", False),
        "args": ("array<string>", False),
    },
    "http": {"url": ("string", True), "headers": ("record<string,string>", False), "body": ("unknown", True)},
}


def test_a_tagged_enumeration_is_a_field_table(write):
    root = write(
        """
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shell { Bash, PowerShell }

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum HookEntry {
    Command {
        command: String,
        #[serde(rename = "if")]
        condition: Option<String>,
        #[serde(default)]
        status_message: String,
        shell: Option<Shell>,
        timeout: Option<f64>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        args: Vec<String>,
        #[serde(skip)]
        seen: bool,
    },
    Http(HttpEntry),
}

#[serde(rename_all = "camelCase")]
pub struct HttpEntry {
    url: String,
    #[serde(flatten)]
    more: More,
}
struct More { headers: Option<HashMap<String, String>>, body: serde_json::Value }
""",
        "m.rs",
    )
    assert rows(read_declared("m.rs#HookEntry", root=root)) == TABLE
    assert members(read_declared("m.rs#HookEntry", root=root, vocabulary="hook_entry_types")) == ("command", "http")
    assert members(read_declared("m.rs#Shell", root=root)) == ("bash", "powershell")
