"""When hooks fire, as a bundle states it: a bundle of our own in the structure of the real ones."""

from __future__ import annotations

import pytest

from driftgate.errors import ExtractionError
from driftgate.extraction.firing import facts_of
from driftgate.releases import firing
from tests.probe import table as probe_table

TABLE = """function about(t){return{
PreToolUse:{summary:"a",description:"Exit code 0 - fine\\nExit code 2 - show stderr to model and block it",
matcherMetadata:{values:t}},
PostToolUse:{summary:"b",description:`Exit code 2 - show stderr to model`,matcherMetadata:{values:t}},
SessionStart:{summary:"c",description:"x",matcherMetadata:{values:["startup","resume"]}},
Notification:{summary:"d",description:"x",matcherMetadata:{values:[...more,"idle"]}},
FileChanged:{summary:"e",description:"The matcher field specifies filenames to watch here."},
Stop:{summary:"f",description:"Exit code 2 - show stderr to model and continue"}}}"""
SWITCH = """function value(e){let v;switch(e.hook_event_name){case"PreToolUse":case"PostToolUse":v=e.tool_name;break;
case"SessionStart":v=e.source;break;case"Notification":v=e.notification_type;break;
case"Stop":break;case"FileChanged":v=base(e.file_path);break;default:break}return v}"""
HTTP = """let s=n==="SessionStart"||n==="Setup"?m.filter((h)=>{if(h.hook.type==="http")
return log(`Skipping ${h} \u2014 HTTP hooks are not supported for ${n}`),!1;return!0}):m;"""
IF = """function when(e){
if(e.hook_event_name!=="PreToolUse"&&e.hook_event_name!=="PostToolUse"&&\
e.hook_event_name!=="PermissionRequest")return;return 1}"""
OUTSIDE = """async function out({hookInput:e,signal:s=n()}){
if(h.type==="prompt")return{output:"Prompt stop hooks are not yet supported outside REPL"}}
function ended(r){let i={...base(),hook_event_name:"SessionEnd",reason:r};return out({hookInput:i})}
function moved(i){return out({hookInput:i})}function cwd(){let i={hook_event_name:"CwdChanged"};return moved(i)}"""
INSIDE = """async function*run({hookInput:e,toolUseContext:c}){
if(!c)throw Error("ToolUseContext is required for prompt hooks. This is a bug.")}
async function*pass(e){yield*run(e)}
function start(){let i={hook_event_name:"SessionStart"};return pass({hookInput:i,signal:s})}
function tool(c){let i={hook_event_name:"PreToolUse"};return pass({hookInput:i,toolUseContext:c})}
function prompted(c){let i={hook_event_name:"UserPromptSubmit"};
return c?pass({hookInput:i,toolUseContext:c}):pass({hookInput:i})}
function spread(c){let i={hook_event_name:"Stop"};return pass({hookInput:i,...c})}"""
AGENT = """function*go(){
if(n==="PermissionRequest")throw Error("agent-type hooks are not supported for PermissionRequest events")}"""
WHOLE = ";".join((TABLE, SWITCH, f"function pick(n){{{HTTP}}}", IF, OUTSIDE, INSIDE, AGENT))


def read(text: str):
    return facts_of([text.encode()])


def test_every_part_is_read():
    facts = read(WHOLE)
    assert facts.described == {
        "PreToolUse": True, "PostToolUse": True, "SessionStart": True, "Notification": True, "FileChanged": False,
        "Stop": False,
    }  # fmt: skip
    assert facts.values == {"SessionStart": ("startup", "resume")}
    assert facts.compared == {
        "PreToolUse": "tool_name", "PostToolUse": "tool_name", "SessionStart": "source",
        "Notification": "notification_type", "Stop": "none", "FileChanged": "file_path",
    }  # fmt: skip
    assert facts.no_http == ("SessionStart", "Setup")
    assert facts.with_if == ("PermissionRequest", "PostToolUse", "PreToolUse")
    assert facts.without_conversation == ("CwdChanged", "SessionEnd", "SessionStart")
    assert facts.no_agent == ("PermissionRequest",)
    assert facts.exit_codes == {"PreToolUse": "blocks", "PostToolUse": "tells the model", "Stop": "continues"}
    assert facts.watching == ("FileChanged",)
    assert facts.no_on_failure is None


def test_what_is_not_there_is_not_stated():
    facts = read("function nothing(){}")
    assert (facts.described, facts.compared, facts.no_http, facts.with_if, facts.without_conversation) == (None,) * 5


# What must not be read in part: a change of the bundle, and a word of the error.
UNKNOWN = [
    (TABLE.replace('description:"x"', "description:make()", 1), "description"),
    (TABLE.replace('summary:"c",', 'summary:"c",more:1,'), "more"),
    (TABLE.replace("stderr to model and block it", "rejoice"), "rejoice"),
    (TABLE + TABLE.replace("FileChanged:{", "CwdChanged:{"), "two copies"),
    (SWITCH.replace("v=e.source", "v=e.source+e.cwd"), "source"),
    (SWITCH + SWITCH.replace("e.source", "e.trigger"), "two copies"),
    (HTTP.replace('n==="SessionStart"||n==="Setup"', "some.has(n)"), "http"),
    (HTTP + HTTP.replace('||n==="Setup"', ""), "two copies"),
    (AGENT.replace('n==="PermissionRequest"', "some.has(n)"), "agent hooks are refused"),
    ("function w(e){if(!tools.has(e.hook_event_name))log(`cannot be evaluated for non-tool event`)}", "`if` cannot"),
    ('var o=(e)=>"Prompt stop hooks are not yet supported outside REPL"', "named function"),
]


@pytest.mark.parametrize(("text", "word"), UNKNOWN, ids=[word for _, word in UNKNOWN])
def test_another_shape_is_an_error(text, word):
    with pytest.raises(ExtractionError, match=word):
        read(text)


@pytest.mark.upstream
@pytest.mark.parametrize(
    "package", ["@anthropic-ai/claude-code@2.1.112", "@anthropic-ai/claude-code-linux-x64@2.1.332"]
)
def test_a_release_states_what_is_recorded_of_it(package):
    from driftgate.anchors import FetchOptions, find_package
    from driftgate.extraction.firing import read_firing

    name, version = package.rsplit("@", 1)
    facts = probe_table.facts_data(read_firing(find_package(name, version, FetchOptions())))
    assert facts == probe_table.recorded()[version]
    assert version in firing.looked_at()[0]
