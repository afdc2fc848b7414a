"""Java, C#, Kotlin, Swift, PHP and Ruby: enumerations and constants, and what is not understood in them."""

from __future__ import annotations

import re
import sys

import pytest

from driftgate.declared import read_declared, read_file_surface
from driftgate.declared.more.java import GRAMMAR
from driftgate.declared.syntax import _parser
from driftgate.errors import DeclaredError
from tests.declared.conftest import members, places

NAMES = ("PreToolUse", "Stop")
SOURCES = {
    "m.java": """\
package a;
public enum HookEvent {
    PRE_TOOL_USE("PreToolUse"), STOP("Stop");
    private final String v;
    HookEvent(String v) { this.v = v; }
}
enum Plain { PreToolUse, Stop }
enum Json { @JsonProperty("PreToolUse") PRE, @JsonProperty("Stop") STOP }
public class H {
    public static final String PRE = "PreToolUse";
    public static final List<String> EVENTS = List.of(PRE, "Stop");
    static final String[] ARRAY = {"PreToolUse", "Stop"};
    static final String[] MADE = new String[] {H.PRE, "Stop"};
    static final Set<String> SET = new HashSet<>(Arrays.asList("PreToolUse", "Stop"));
    static final Set<String> FIXED = Collections.unmodifiableSet(SET);
    static final Map<String, Integer> MAP = Map.of("PreToolUse", 1, "Stop", 2);
    static final List<String> CALL = load();
    static final List<String> GROWS = new ArrayList<>(List.of("PreToolUse"));
    static { GROWS.add("Stop"); }
}
interface I { String[] EVENTS = {"PreToolUse", "Stop"}; }
""",
    "m.cs": """\
namespace N;
public enum HookEvent { PreToolUse, Stop }
public enum Wire { [EnumMember(Value = "PreToolUse")] Pre, [JsonStringEnumMemberName("Stop")] End }
public static class H {
    public const string Pre = "PreToolUse";
    public static readonly string[] Events = { Pre, "Stop" };
    static readonly HashSet<string> Set = new() { "PreToolUse", "Stop" };
    static readonly string[] Short = new[] { H.Pre, "Stop" };
    static readonly IReadOnlyList<string> List = ["PreToolUse", "Stop"];
    static readonly List<string> Long = new List<string> { "PreToolUse", "Stop" };
    static readonly Dictionary<string, int> Map = new() { { "PreToolUse", 1 }, { "Stop", 2 } };
    static readonly string[] Call = Load();
    static readonly List<string> Grows = new List<string> { "PreToolUse" };
    static H() { Grows.Add("Stop"); }
}
""",
    "m.kt": """\
package a
enum class HookEvent(val wire: String) { PRE_TOOL_USE("PreToolUse"), STOP("Stop") }
enum class Plain { PreToolUse, Stop }
enum class Serial { @SerialName("PreToolUse") PRE, @SerialName("Stop") STOP }
val EVENTS = listOf("PreToolUse", "Stop")
object H {
    const val PRE = "PreToolUse"
    val SET = setOf(PRE, "Stop")
    val MAP = mapOf("PreToolUse" to 1, "Stop" to 2)
    val COPY = EVENTS.toSet()
    val CALL = load()
    val GROWS = mutableListOf("PreToolUse")
    init { GROWS.add("Stop") }
}
class K {
    companion object {
        val EVENTS2 = arrayOf("PreToolUse", "Stop")
    }
}
""",
    "m.swift": """\
enum HookEvent: String, Codable {
    case preToolUse = "PreToolUse"
    case stop = "Stop"
}
enum Plain: String { case PreToolUse, Stop }
let events = ["PreToolUse", "Stop"]
struct H {
    static let pre = "PreToolUse"
    static let all: Set<String> = [pre, "Stop"]
    static let made = Set(["PreToolUse", "Stop"])
    static let map = ["PreToolUse": 1, "Stop": 2]
    static let call = load()
    static var grows = ["PreToolUse"]
    static func f() { grows.append("Stop") }
}
""",
    "m.php": """\
<?php
enum HookEvent: string { case Pre = 'PreToolUse'; case End = "Stop"; }
enum Plain { case PreToolUse; case Stop; }
const EVENTS = ['PreToolUse', 'Stop'];
define('DEFINED', ['PreToolUse', 'Stop']);
class H {
    public const PRE = 'PreToolUse';
    const ALL = [self::PRE, 'Stop'];
    const SPREAD = [...EVENTS];
    private static array $old = array('PreToolUse', 'Stop');
    const MAP = ['PreToolUse' => 1, 'Stop' => 2];
    const CALL = [load()];
    private static array $grows = ['PreToolUse'];
    static function f() { self::$grows[] = 'Stop'; }
}
""",
    "m.rb": """\
module Hooks
  EVENTS = %w[PreToolUse Stop].freeze
  PRE = "PreToolUse"
  class K
    ALL = [PRE, "Stop"].freeze
    SPLAT = [*EVENTS].freeze
    SET = Set.new(%w[PreToolUse Stop])
    SHORT = Set["PreToolUse", "Stop"]
    SYMBOLS = %i[PreToolUse Stop]
    MAP = { "PreToolUse" => 1, Stop: 2 }.freeze
    CALL = load
    GROWS = ["PreToolUse"]
    GROWS << "Stop"
  end
end
""",
}
READ = {
    "m.java": ["HookEvent", "Plain", "Json", "H.EVENTS", "H.ARRAY", "H.MADE", "H.SET", "H.FIXED", "H.MAP", "I.EVENTS"],
    "m.cs": ["HookEvent", "Wire", "H.Events", "H.Set", "H.Short", "H.List", "H.Long", "H.Map"],
    "m.kt": ["HookEvent", "Plain", "Serial", "EVENTS", "H.SET", "H.MAP", "H.COPY", "K.EVENTS2"],
    "m.swift": ["HookEvent", "Plain", "events", "H.all", "H.made", "H.map"],
    "m.php": ["HookEvent", "Plain", "EVENTS", "DEFINED", "H::ALL", "H::SPREAD", "H::$old", "H::MAP"],
    "m.rb": [
        "Hooks::EVENTS",
        "Hooks.K.ALL",
        "Hooks::K::SPLAT",
        "Hooks::K::SET",
        "Hooks::K::SHORT",
        "Hooks::K::SYMBOLS",
        "Hooks::K::MAP",
    ],
}
BLIND = {
    "m.java": {"H.CALL": r"a call of load\(\)", "H.GROWS": "which a later statement changes"},
    "m.cs": {"H.Call": r"a call of Load\(\)", "H.Grows": "which a later statement changes"},
    "m.kt": {"H.CALL": r"a call of load\(\)", "H.GROWS": "which a later statement changes"},
    "m.swift": {"H.call": r"a call of load\(\)", "H.grows": "which a later statement changes"},
    "m.php": {"H::CALL": "a function call expression", "H::$grows": "which a later statement changes"},
    "m.rb": {"Hooks::K::CALL": "an? identifier", "Hooks::K::GROWS": "which a later statement changes"},
}


@pytest.mark.parametrize(("name", "at"), [(name, at) for name, all_ in READ.items() for at in all_])
def test_enumerations_and_constants_are_read(write, name, at):
    found = read_declared(f"{name}#{at}", root=write(SOURCES[name], name), vocabulary="hook_events")
    assert members(found) == NAMES


@pytest.mark.parametrize(
    ("name", "at", "what"), [(n, at, what) for n, each in BLIND.items() for at, what in each.items()]
)
def test_what_is_not_understood_is_blind(write, name, at, what):
    with pytest.raises(DeclaredError) as caught:
        read_declared(f"{name}#{at}", root=write(SOURCES[name], name), vocabulary="hook_events")
    assert re.search(what, caught.value.what), caught.value.what


@pytest.mark.parametrize("name", SOURCES)
def test_the_whole_file_states_the_events(write, name):
    surface = read_file_surface(write(SOURCES[name], name) / name)
    assert surface.vocabularies["hook_events"].members == NAMES


@pytest.mark.parametrize("name", SOURCES)
def test_a_missing_name_is_said_with_near_ones(write, name):
    with pytest.raises(DeclaredError, match="not found in") as caught:
        read_declared(f"{name}#HookEvents", root=write(SOURCES[name], name))
    assert "did you mean" in caught.value.found or name == "m.rb"


def test_members_stand_at_their_texts(write):
    found = read_declared("m.java#HookEvent", root=write(SOURCES["m.java"], "m.java"))
    assert places(found) == {"PreToolUse": "m.java:3:18", "Stop": "m.java:3:38"}


def test_a_grammar_that_is_not_installed_names_the_extra(write, monkeypatch):
    _parser.cache_clear()
    monkeypatch.setitem(sys.modules, GRAMMAR.module, None)
    try:
        with pytest.raises(DeclaredError) as caught:
            read_declared("other.java#X", root=write("class X {}", "other.java"))
    finally:
        _parser.cache_clear()
    assert caught.value.next == "pip install 'driftgate[languages]'"
