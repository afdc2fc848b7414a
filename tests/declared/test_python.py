"""The reader of Python: every spelling of the same set reads the same, and what cannot be read is named."""

from __future__ import annotations

import pytest

from driftgate.declared import mentions, notices, read_declared
from driftgate.errors import DeclaredError
from driftgate.surface import FieldTable, Vocabulary
from tests.declared.conftest import rows

ABC = ("A", "B", "C")

SPELLINGS = {
    "joined names": 'P = "A"\nX = ["" + P, "B", "C"]',
    "annotated members": 'class X(str, Enum):\n    A = "A"\n    B: str = "B"\n    C = See = "C"',
    "functional enum": 'X = Enum("X", {"ONE": "A", "TWO": "B", "SEE": "C"})',
    "tuple": 'X = ("A", "B", "C")',
    "list": 'X = ["A", "B", "C"]',
    "set": 'X = {"A", "B", "C"}',
    "annotated": 'X: Final[tuple[str, ...]] = ("A", "B", "C")',
    "frozenset": 'X = frozenset({"A", "B", "C"})',
    "frozenset of a list": 'X = frozenset(["A", "B", "C"])',
    "dict keys": 'X = {"A": 1, "B": load(), "C": None}',
    "dict()": "X = dict(A=1, B=2, C=3)",
    "keys()": 'D = {"A": 1, "B": 2, "C": 3}\nX = D.keys()',
    "values()": 'D = {1: 2}\nD = {"a": "A", "b": "B", "c": "C"}\nX = tuple(D.values())',
    "fromkeys": 'X = dict.fromkeys(("A", "B", "C"), 0)',
    "read-only": 'X = MappingProxyType({"A": 1, "B": 2, "C": 3})',
    "sorted": 'X = sorted({"A", "B", "C"})',
    "sum": 'Y = ("A",)\nX = Y + ("B",) + ("C",)',
    "tuple of a sum": '_A = ["A"]\n_B = ["B", "C"]\nX = tuple(_A + _B)',
    "unpacked": 'Y = ("A", "B")\nX = (*Y, "C")',
    "unpacked dict": 'Y = {"A": 1, "B": 2}\nX = {**Y, "C": 3}',
    "union": 'X = {"A", "B"} | {"B", "C"}',
    "union method": 'X = frozenset({"A"}).union({"B"}, ["C"])',
    "union of the class": 'X = set.union({"A", "B"}, {"C"})',
    "difference": 'X = {"A", "B", "C", "D"} - {"D"}',
    "intersection": 'X = ["A", "B", "C"]\nX = set(X) & {"C", "B", "A", "Z"}',
    "symmetric difference": 'X = {"A", "B", "D"} ^ {"D", "C"}',
    "merged dicts": 'X = {"A": 1} | {"B": 2, "C": 3}',
    "chain": 'X = tuple(itertools.chain(("A",), ("B", "C")))',
    "literal": 'X = Literal["A", "B", "C"]',
    "union of literals": 'X = Literal["A"] | Literal["B"] | Literal["C"]',
    "Union": 'X = Union[Literal["A"], Literal["B", "C"]]',
    "Optional": 'X = Optional[Literal["A", "B", "C"]]',
    "literal and None": 'X = Literal["A", "B", "C"] | None',
    "nested literal": 'Y = Literal["A", "B"]\nX: TypeAlias = Literal[Y, "C"]',
    "type statement": 'type X = Literal["A", "B", "C"]',
    "get_args": 'Y = Literal["A", "B", "C"]\nX: Final[tuple[Y, ...]] = typing.get_args(Y)',
    "__args__": 'Y = Literal["A", "B", "C"]\nX = frozenset(Y.__args__)',
    "keys of a dict type": 'Y = Literal["A", "B", "C"]\nX = dict[Y, list[int]]',
    "stub": 'X: tuple[Literal["A"], Literal["B"], Literal["C"]]',
    "enum": 'class X(Enum):\n    a = "A"\n    b = "B"\n    c = "C"\n    @property\n    def label(self): return 1',
    "str enum": 'class X(str, enum.Enum):\n    _ignore_ = []\n    a = "A"\n    b = "B"\n    c = "C"',
    "enum with a base": 'class Base(StrEnum):\n    pass\nclass X(Base):\n    a = "A"\n    b = "B"\n    c = "C"',
    "enum members": 'class E(Enum):\n    a = "A"\n    b = "B"\n    c = "C"\nX = (E.a, E.b.value, E.c)',
    "all of an enum": 'class E(Enum):\n    a = "A"\n    b = "B"\n    c = "C"\nX = tuple(E)',
    "enum values": 'class E(Enum):\n    a = "A"\n    b = "B"\n    c = "C"\nX = {e.value for e in E}',
    "literal of an enum": 'class E(Enum):\n    a = "A"\n    b = "B"\n    c = "C"\nX = Literal[E.a, E.b, E.c]',
    "comprehension": 'Y = ["A", "B", "C", "D"]\nX = [e for e in Y if e != "D"]',
    "comprehension with a set": 'Y = ["A", "B", "C", "D"]\nSKIP = {"D"}\nX = tuple(e for e in Y if e not in SKIP)',
    "dict comprehension": 'Y = ("A", "B", "C")\nX = {e: make(e) for e in Y}',
    "augmented": 'X = ("A",)\nX += ("B", "C")',
    "appended": 'X = ["A"]\nX.append("B")\nX.extend(["C"])',
    "bound again": 'X = ("A",)\nX = (*X, "B", "C")',
    "either way": 'if sys.version_info > (3, 12):\n    X = ("A", "B", "C")\nelse:\n    X = ["A", "B", "C"]',
    "unpacking assignment": 'W, X = 1, ("A", "B", "C")',
    "in a with block": 'with suppress(Exception):\n    X = ("A", "B", "C")',
    "walrus": 'X = (Y := ("A", "B", "C"))',
    "cast": 'X = cast("tuple[str, ...]", ("A", "B", "C"))',
    "field names": "class X(TypedDict):\n    A: int\n    B: str\n    C: NotRequired[str]",
    "a union's discriminator": (
        'class P(TypedDict):\n    type: Literal["A"]\nclass Q(TypedDict):\n    type: Literal["B"]\n'
        'class R(TypedDict):\n    type: Literal["C"]\nX = P | Q | R'
    ),
    "lines of Windows": 'X = (\r\n    "A",\r\n    "B",\r\n    "C",\r\n)\r\n',
    "entry of a dict": 'D = {"a": ["A", "B", "C"]}\nX = D["a"]',
    "updated": 'X = {"A": 1}\nX.update({"B": 2})\nX |= {"C": 3}',
    "fallback import": (
        "try:\n    from typing import Literal\nexcept ImportError:\n    from typing_extensions import Literal\n"
        'X = Literal["A", "B", "C"]'
    ),
    "in a with block, appended": 'with lock:\n    X = ["A", "B"]\n    X.append("C")',
    "TypeAliasType": 'X = TypeAliasType("X", Literal["A", "B", "C"])',
    "copied": 'Y = {"A", "B", "C"}\nX = Y.copy()',
    "byte order mark": '\ufeffX = ("A", "B", "C")',
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_the_same_set_reads_the_same(write, spelling):
    found = read_declared("m.py#X", root=write(SPELLINGS[spelling]), vocabulary="hook_events")
    assert isinstance(found, Vocabulary)
    assert sorted(found.members or ()) == sorted(ABC)
    assert all(found.places[name].line is not None for name in ABC)
    assert notices(found) == ()


UNREADABLE = {
    "members of several values": (
        'class X(Enum):\n    A = "A", "first"\n    B = "B", "next"',
        "a member with several values",
        "m.py:2:5",
    ),
    "conditional member": (
        'class X(Enum):\n    A = "A"\n    if flag:\n        B = "B"',
        "members that are not written one by one",
        "m.py:3:5",
    ),
    "own auto": (
        "class X(StrEnum):\n    def _generate_next_value_(n, *a): return n\n    A = auto()",
        "auto(), which _generate_next_value_ decides",
        "m.py:3:5",
    ),
    "functional enum": ('X = Enum("X", "A B")', "an enumeration that is made by a call", "m.py:1:5"),
    "call": ("X = load_events()", "a call of load_events()", "m.py:1:5"),
    "part of a sum": ('X = ("A",) + extra()', "a call of extra()", "m.py:1:14"),
    "f-string": ('X = ("A", f"{p}B")', "an f-string", "m.py:1:11"),
    "conditional": ('X = ("A",) if flag else ("B",)', "a conditional expression", "m.py:1:5"),
    "environment": ('X = os.environ["X"].split(",")', "a call of split()", "m.py:1:5"),
    "number": ('X = ("A", 3)', "the constant 3", "m.py:1:11"),
    "open union": ('X = Literal["A"] | str', "the name str", "m.py:1:20"),
    "set minus a call": ('X = {"A"} - load()', "a call of load()", "m.py:1:13"),
    "loop": ("X = []\nfor e in load():\n    X.append(e)", "changed under a condition", "m.py:3:5"),
    "later removal": ('X = ["A"]\nX.remove("A")', "which a later statement changes", "m.py:2:1"),
    "later deletion": ('X = {"A": 1}\ndel X["A"]', "which a later statement changes", "m.py:2:5"),
    "later entry": ('X = {"A": 1}\nX["B"] = 2', "which a later statement changes", "m.py:2:1"),
    "differing branches": (
        'if f:\n    X = ("A",)\nelse:\n    X = ("B",)',
        "two definitions of X that differ (the other one: m.py:2:9)",
        "m.py:4:9",
    ),
    "own function": ('def tuple(x): return ()\nX = tuple(["A"])', "a call of tuple()", "m.py:2:5"),
    "auto of a plain enum": ("class X(Enum):\n    A = auto()", "auto(), which gives numbers", "m.py:2:5"),
    "itself": ('X = (*X, "A")', "X, which refers to itself", "m.py:1:7"),
    "function": ("def X(): ...", "the function X", "m.py:1:1"),
    "empty class": ("class X:\n    pass", "the class X", "m.py:1:1"),
    "undefined name": ("X = tuple(Y)", "the name Y, which the file does not define", "m.py:1:11"),
    "unpacking loop": ('D = ["A"]\nX = [k for k, v in D]', "a comprehension that unpacks", "m.py:2:12"),
    "unread loop": ("X = [e for e in load()]", "a call of load()", "m.py:1:17"),
    "unread condition": ('X = [e for e in ("A",) if e in load()]', "a comprehension with a condition", "m.py:1:5"),
    "text taken apart": ('X = list("AB")', "a text that is taken apart", "m.py:1:10"),
    "key of an unknown": ("X = {key(): 1}", "a call of key()", "m.py:1:6"),
    "number as a key": ("X = {1: 2}", "the constant 1", "m.py:1:6"),
    "operator": ('X = ("A",) * 2', "the operator Mult", "m.py:1:5"),
    "ellipsis": ("X = (...,)", "an ellipsis", "m.py:1:6"),
    "missing entry": ('D = {"a": ["A"]}\nX = D["b"]', "a missing key", "m.py:2:5"),
    "attribute": ('class E(Enum):\n    a = "A"\nX = (E.a.name,)', "the attribute name", "m.py:3:6"),
    "unknown attribute": ("X = E.a", "the attribute a", "m.py:1:5"),
    "odd growth": ('X = ["A"]\nX.extend(a=1)', "a change of it that cannot be followed", "m.py:2:1"),
    "unpacked into": ("X, Y = load()", "X, which a later statement changes", "m.py:1:1"),
    "typed dict from elsewhere": (
        'X = TypedDict("X", fields)',
        "a TypedDict whose fields do not stand in it",
        "m.py:1:5",
    ),
    "typed dict with a computed field": ('X = TypedDict("X", {f: int})', "not a literal name", "m.py:1:5"),
    "only declared in a class": ("class X:\n    a: ClassVar[int] = 1", "the class X", "m.py:1:1"),
    "two loops": ("X = [a for b in B for a in b]", "a comprehension with several loops", "m.py:1:5"),
    "condition": ('X = [a for a in ("A",) if ok(a)]', "a comprehension with a condition", "m.py:1:5"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_evaluated_is_named_with_its_place(write, case):
    source, what, where = UNREADABLE[case]
    with pytest.raises(DeclaredError) as caught:
        read_declared("m.py#X", root=write(source), vocabulary="hook_events")
    assert what in caught.value.what
    assert caught.value.where == where
    assert caught.value.code == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('X = {"PRE_TOOL_USE": "PreToolUse", "STOP": "Stop"}', ("PreToolUse", "Stop")),
        ('X = {"PreToolUse": "pre_tool_use", "Stop": "stop"}', ("PreToolUse", "Stop")),
        ('X = {"PRE_TOOL_USE": "PreToolUse", "STOP": "Halt"}', ("PreToolUse", "Halt")),
        ('X = {"PRE_TOOL_USE": "PreToolUse", "STOP": 1}', ("PRE_TOOL_USE", "STOP")),
        ('X = {"STOP": "STOP"}', ("STOP",)),
    ],
)
def test_an_object_is_its_keys_unless_all_are_spelt_as_constants_of_names(write, text, expected):
    found = read_declared("m.py#X", root=write(text), vocabulary="hook_events")
    assert isinstance(found, Vocabulary)
    assert found.members == expected


def test_members_have_the_places_of_their_own_literals(write):
    root = write('# 🔴\n_A = ("A",)  # one\nX = tuple(\n    _A + ("é", "C")\n)\n')
    found = read_declared("m.py#X", root=root)
    assert isinstance(found, Vocabulary)
    assert {name: str(place) for name, place in found.places.items()} == {
        "A": "m.py:2:7",
        "é": "m.py:4:11",
        "C": "m.py:4:16",
    }


def test_a_name_listed_twice_is_one_member_and_a_notice(write):
    found = read_declared("m.py#X", root=write('X = (\n"A", "B",\n"A")'))
    assert isinstance(found, Vocabulary)
    assert found.members == ("A", "B")
    assert notices(found) == ("X lists A twice: m.py:2:1 and m.py:3:1",)


IMPORTS = {
    "relative": ("pkg/m.py", "from .names import EVENTS\nX = EVENTS"),
    "relative, renamed": ("pkg/m.py", "from .names import EVENTS as E\nX = tuple(E)"),
    "parent": ("pkg/sub/m.py", "from ..names import EVENTS\nX = EVENTS"),
    "module": ("pkg/m.py", "from . import names\nX = names.EVENTS"),
    "absolute": ("pkg/m.py", "from pkg.names import EVENTS\nX = EVENTS"),
    "dotted module": ("pkg/m.py", "import pkg.names as n\nX = n.EVENTS"),
    "re-exported": ("pkg/m.py", "from pkg import EVENTS as X"),
}


@pytest.mark.parametrize("case", IMPORTS)
def test_imports_of_the_same_project_are_followed(write, case):
    path, text = IMPORTS[case]
    write("from pkg.names import EVENTS", "pkg/__init__.py")
    write('EVENTS = ("A", "B", "C")', "pkg/names.py")
    found = read_declared(f"{path}#X", root=write(text, path))
    assert isinstance(found, Vocabulary)
    assert found.members == ABC
    assert str(found.places["A"]) == "pkg/names.py:1:11"


def test_an_import_that_is_not_in_the_project_is_stated_elsewhere(write):
    root = write("from claude_tools.events import EVENTS\nX = frozenset(EVENTS)")
    with pytest.raises(DeclaredError, match=r"X is stated elsewhere: EVENTS from claude_tools\.events") as caught:
        read_declared("m.py#X", root=root)
    assert caught.value.where == "m.py:1:1"


NAMES = {
    "class attribute": ('class Hooks:\n    EVENTS = ("A", "B", "C")', "Hooks.EVENTS"),
    "attribute from the module": ('Y = ("A", "B")\nclass Hooks:\n    EVENTS = (*Y, "C")', "Hooks.EVENTS"),
    "entry of a dict": ('SETS = {"events": ["A", "B", "C"]}', "SETS.events"),
    "values of a field": ('class Entry(TypedDict):\n    shell: Literal["A", "B", "C"]', "Entry.shell"),
    "values of a dict": ('SETS = {"first": "A", "second": "B", "third": "C"}', "SETS.*"),
    "nested class": ('class A:\n    class B(Enum):\n        a = "A"\n        b = "B"\n        c = "C"', "A.B"),
}


@pytest.mark.parametrize("case", NAMES)
def test_a_name_may_be_dotted(write, case):
    text, name = NAMES[case]
    found = read_declared(f"m.py#{name}", root=write(text), vocabulary="hook_shells")
    assert isinstance(found, Vocabulary)
    assert found.members == ABC


@pytest.mark.parametrize(
    ("name", "what", "found"),
    [
        ("HOOK_EVENT", "HOOK_EVENT not found in m.py", "did you mean HOOK_EVENTS?"),
        ("hook_events", "hook_events not found in m.py", "did you mean HOOK_EVENTS?"),
        ("Hooks.EVENT", "EVENT in Hooks not found in m.py", "did you mean EVENTS?"),
        ("ZZZ", "ZZZ not found in m.py", "HOOK_EVENTS, Hooks"),
    ],
)
def test_a_missing_name_is_an_error_with_near_names(write, name, what, found):
    root = write('HOOK_EVENTS = ("A",)\nclass Hooks:\n    EVENTS = ("A",)')
    with pytest.raises(DeclaredError) as caught:
        read_declared(f"m.py#{name}", root=root)
    assert caught.value.what == what
    assert found in caught.value.found


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"X = (", "m.py cannot be parsed: '(' was never closed"),
        (b"X = '\xff'", "m.py is not UTF-8 (byte 5)"),
        (b"X = '\0'", "m.py cannot be parsed: source code string cannot contain null bytes"),
        (b"X = " + b"-" * 9000 + b"1", "m.py is nested too deeply to be read"),
        (b"X = ''" + b" + ''" * 9000, "m.py is nested too deeply to be read"),
    ],
)
def test_a_file_that_is_no_python_is_an_error(tmp_path, content, what):
    (tmp_path / "m.py").write_bytes(content)
    with pytest.raises(DeclaredError) as caught:
        read_declared("m.py#X", root=tmp_path)
    assert caught.value.what == what


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(DeclaredError, match=r"gone\.py does not exist"):
        read_declared("gone.py#X", root=tmp_path)
    (tmp_path / "d.py").mkdir()
    with pytest.raises(DeclaredError, match=r"d\.py cannot be read"):
        read_declared("d.py#X", root=tmp_path)


TABLE = {
    "command": {
        "command": ("string", True),
        "timeout": ("number", False),
        "shell": ("enum", False, "bash", "powershell"),
    },
    "http": {"url": ("string", True), "headers": ("record<string,string>", False)},
}

TABLES = {
    "TypedDict classes": """
class Command(TypedDict):
    type: Literal["command"]
    command: str
    timeout: NotRequired[float]
    shell: NotRequired[Literal["bash", "powershell"]]
class Http(TypedDict, total=False):
    type: Required[Literal["http"]]
    url: Required[str]
    headers: dict[str, str]
X = Command | Http
""",
    "inherited": """
class Timed(TypedDict, total=False):
    timeout: "float | None"
    shell: Literal["bash", "powershell"]
class Command(Timed):
    type: Literal["command"]
    command: str
class Http(TypedDict):
    type: Literal["http"]
    url: str
    headers: NotRequired[Mapping[str, str]]
X = Union[Command, Http]
""",
    "functional": """
Shell = Literal["bash", "powershell"]
Command = TypedDict("Command", {"type": Literal["command"], "command": str, "timeout": NotRequired[int],
    "shell": NotRequired[Shell]})
Http = TypedDict("Http", {"type": Required[Literal["http"]], "url": Required[str], "headers": Dict[str, str]},
    total=False)
X: TypeAlias = Command | Http
""",
    "dataclasses": """
class Shell(StrEnum):
    BASH = "bash"
    POWERSHELL = auto()
@dataclass
class Command:
    kind: ClassVar[int] = 1
    type: Literal["command"]
    command: str
    timeout: float | None = None
    shell: Shell = Shell.BASH
@dataclass
class Http:
    type: Literal["http"]
    url: str
    headers: dict[str, str] = field(default_factory=dict)
X = Command | Http
""",
    "pydantic": """
class Base(BaseModel):
    model_config: ConfigDict = {}
class Command(Base):
    type: Literal["command"]
    cmd: str = Field(..., alias="command")
    timeout: Optional[float] = None
    shell: Optional[Literal["bash", "powershell"]] = Field(default=None, description="which")
class Http(Base):
    type: Literal["http"]
    url: str
    headers: dict[str, str] | None = None
X = Annotated[Command | Http, Field(discriminator="type")]
""",
    "dict of dicts": """
X = {
    "command": {"command": "string", "timeout": "number?", "shell": "shell?"},
    "http": {"url": "string", "headers": "stringRecord?"},
}
""",
}


@pytest.mark.parametrize("spelling", TABLES)
def test_every_spelling_of_the_same_table_reads_the_same(write, spelling):
    assert rows(read_declared("m.py#X", root=write(TABLES[spelling]))) == TABLE


def test_kind_words_and_marks_give_upstreams_words(write):
    root = write(
        'Seconds = Annotated[float, "seconds"]\nCHECKED = "checked"\n'
        'X = TypedDict("X", {"type": Literal["command"], "a": Annotated[str, "text"], "t": NotRequired[Seconds],\n'
        '  "l": NotRequired[Annotated[list[str], CHECKED]], "p": Annotated[int, Field(gt=0)], "q": Json,\n'
        '  "m": Annotated[str, MinLen(2)], "u": HttpUrl, "n": str | int, "o": dict[str, Any]})\n'
    )
    table = read_declared("m.py#X", root=root, vocabulary="hook_entry_fields")
    assert rows(table) == {
        "command": {
            "a": ("string", True, "min(1)"),
            "t": ("number", False, "positive"),
            "l": ("array<string>", False),
            "p": ("number", True, "positive"),
            "q": ("Json", True),
            "m": ("string", True, "min(2)"),
            "u": ("string", True, "url"),
            "n": ("string | number", True),
            "o": ("record<string,unknown>", True),
        }
    }
    assert isinstance(table, FieldTable)
    assert [f.name for f in table.rows["command"] if not f.carried] == ["l"]
    assert str(table.rows["command"][0].place) == "m.py:3:49"


def test_the_types_of_fields_in_other_spellings(write):
    write('class Shell(StrEnum):\n    BASH = "bash"\nMode = Literal["a", "b"]', "names.py")
    root = write(
        "import names\nfrom names import Shell, Mode as M\nfrom far import Far\nfrom typing import Any as A\n"
        "class Inner(TypedDict):\n    x: int\nLong: TypeAlias = dict[str, list[float]]\nNever = None\n"
        "class X(TypedDict, total=False):\n"
        '    type: Literal["t"]\n    shell: Shell\n    mode: Optional[M]\n    dotted: names.Mode\n'
        "    far: Far\n    any: A\n"
        '    inner: Inner\n    long: Long\n    quoted: "list[str] | None"\n    broken: "list["\n    nothing: None\n'
        "    union: Union[Literal['p'], Literal['q'], None]\n    mixed: Union[str, list[str]]\n    bare: dict\n"
        "    number: Literal[1, 2]\n    read: ReadOnly[Required[str]]\n    call: f()\n    other: Foo[int]\n"
        "    dotted2: t.Any\n    nested: list[dict[str, Any]]\n    unknown: somewhere.Thing\n    never: Never\n"
    )
    assert rows(read_declared("m.py#X", root=root))["t"] == {
        "shell": ("enum", False, "bash"),
        "mode": ("enum", False, "a", "b"),
        "dotted": ("enum", False, "a", "b"),
        "far": ("Far", False),
        "any": ("unknown", False),
        "inner": ("Inner", False),
        "long": ("record<string,array<number>>", False),
        "quoted": ("array<string>", False),
        "broken": ("list[", False),
        "nothing": ("null", False),
        "union": ("enum", False, "p", "q"),
        "mixed": ("string | array<string>", False),
        "bare": ("record<string,unknown>", False),
        "number": ("a Literal without texts", False),
        "read": ("string", True),
        "call": ("a Call expression", False),
        "other": ("Foo[int]", False),
        "dotted2": ("unknown", False),
        "nested": ("array<record<string,unknown>>", False),
        "unknown": ("somewhere.Thing", False),
        "never": ("null", False),
    }


def test_a_union_is_told_apart_by_another_field_than_type(write):
    root = write(
        'class P(TypedDict):\n    hook_event_name: Literal["A"]\n    x: int\n'
        'class Q(TypedDict):\n    hook_event_name: Literal["B"]\n    x: str\nX = P | Q'
    )
    assert rows(read_declared("m.py#X", root=root)) == {"A": {"x": ("number", True)}, "B": {"x": ("string", True)}}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("class P(TypedDict):\n    x: int\nclass Q(TypedDict):\n    x: int\nX = P | Q", "tells its members apart"),
        ('X = ("A", "B")', "something other than fields"),
        ('X = {"command": {"a": ["string"]}}', "a nested value"),
        ('X = {"command": load()}', "a call of load()"),
        ("X = load()", "a call of load()"),
        ("from far import X", "X is stated elsewhere: X from far"),
    ],
)
def test_what_is_no_table_is_named(write, text, what):
    with pytest.raises(DeclaredError, match=what.replace("(", r"\(").replace(")", r"\)")):
        read_declared("m.py#X", root=write(text), vocabulary="hook_entry_fields")


def test_a_class_for_a_name_that_the_union_lacks_is_mentioned(write):
    root = write(
        'HookEvent = Literal["A"] | Literal["B"]\n\n'
        'class SubagentStartHookInput(TypedDict):\n    hook_event_name: Literal["SubagentStart"]\n'
    )
    (what, place), *rest = mentions("m.py#HookEvent", "SubagentStart", root=root)
    assert (what, str(place), rest) == ("type SubagentStartHookInput", "m.py:4:30", [])
    assert mentions("m.py#HookEvent", "A", root=root) == ()
    assert mentions("m.py#HookEvent", "Nowhere", root=root) == ()
