"""Inputs of a megabyte that are built to take time or memory, each in a process of its own that is measured.

    python -m tests.fuzz bounds [NAME ...]

At most 512 MiB and 20 s for each; prints what each took and how it ended.
"""

from __future__ import annotations

import gzip
import hashlib
import resource
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

from tests.anchors.npm.shapes import END, MANIFEST, member, pax, record
from tests.extraction import bundles

MOST_MEMORY = 512 << 20
MOST_TIME = 20.0
SIZE = 1_000_000
_MB = 1 << 20


def _filled(text: str, size: int = SIZE) -> bytes:
    return (text * (size // len(text) + 1))[:size].encode()


def _packed(*members: bytes) -> bytes:
    return gzip.compress(b"".join((member(MANIFEST, name=b"package/package.json"), *members, END)), mtime=0)


def _large(name: bytes, start: bytes, filling: bytes, size: int) -> bytes:
    """Return a tarball of less than a megabyte with one large member of a repeating text."""
    content = start + filling * (size // len(filling))
    return _packed(member(content, name=b"package/" + name))


def _many_members() -> bytes:
    return _packed(*(member(b"", name=b"package/%07d.mjs" % n) for n in range(60_000)))


def _long_names() -> bytes:
    return _packed(*(pax(("path", b"package/" + b"d/" * 1900 + b"%d" % n)) + member(b"") for n in range(4000)))


def _pax_records() -> bytes:
    notes = b"".join(record(b"k%07d" % n, b"") for n in range(70_000))
    return _packed(member(notes, name=b"p", kind=b"x"), member(b"1", name=b"package/sdk.mjs"))


def _zeros() -> bytes:
    made = zlib.compressobj(9, wbits=31)
    return b"".join((*(made.compress(bytes(_MB)) for _ in range(900)), made.flush()))


_ALIASES = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))
_BOMB = "A0 = ('x',)\n" + "".join(f"A{n} = A{n - 1} + A{n - 1}\n" for n in range(1, 60)) + "HOOK_EVENTS = A59\n"
_DECLARED = bundles.declared().encode()
_BARE = bundles.bare().encode()

HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "pax records": ("x.tgz", _pax_records),
    "many members": ("x.tgz", _many_members),
    "long names": ("x.tgz", _long_names),
    "a gigabyte of zeros": ("x.tgz", _zeros),
    "a large declaration file": (
        "x.tgz",
        lambda: _large(b"sdk.d.ts", _DECLARED, b"export type A = { a: 1 };\n", 90 << 20),
    ),
    "a large file of quotes": ("x.tgz", lambda: _large(b"sdk.d.ts", _DECLARED, b"'", 60 << 20)),
    "a large script": ("x.tgz", lambda: _large(b"sdk.mjs", _BARE, b"var a={b:[c(d)]};", 90 << 20)),
    "a script of brackets": ("x.tgz", lambda: _large(b"sdk.mjs", _BARE, b"[", 60 << 20)),
    "a large package.json": ("x.tgz", lambda: _packed(member(b"[" * 900_000, name=b"package/manifest.json"))),
    "aliases": ("driftgate.yml", lambda: (_ALIASES + "pin: *a9\n").encode()),
    "YAML of brackets": ("driftgate.yml", lambda: _filled("[")),
    "YAML of dashes": ("driftgate.yml", lambda: _filled("- ")),
    "YAML of keys": ("driftgate.yml", lambda: "\n".join(f"k{n}: 1" for n in range(80_000)).encode()),
    "YAML of anchors": ("driftgate.yml", lambda: "\n".join(f"- &a{n} x" for n in range(80_000)).encode()),
    "YAML of comments": ("driftgate.yml", lambda: _filled("# x\n")),
    "TOML of brackets": ("driftgate.toml", lambda: b"a = " + _filled("[")),
    "TOML of tables": ("driftgate.toml", lambda: "".join(f"[a{n}]\n" for n in range(90_000)).encode()),
    "TOML of dots": ("driftgate.toml", lambda: b"a" + b".a" * 400_000 + b" = 1\n"),
    "a snapshot of names": (
        "2.1.400.yaml",
        lambda: (
            b'driftgate: 1\nupstream: claude-code\nversion: "2.1.400"\nanchors: []\nvocabularies:\n  hook_events:\n'
            + "".join(f"  - n{n}\n" for n in range(80_000)).encode()
        ),
    ),
    "Python that doubles": ("m.py", _BOMB.encode),
    "Python of brackets": ("m.py", lambda: b"HOOK_EVENTS = " + _filled("(")),
    "Python of minus signs": ("m.py", lambda: b"HOOK_EVENTS = " + _filled("-") + b"1"),
    "Python of sums": ("m.py", lambda: b"HOOK_EVENTS = " + _filled("('a',) + ") + b"('b',)\n"),
    "Python of names": (
        "m.py",
        lambda: (
            "A0 = ('x',)\n" + "".join(f"A{n} = A{n - 1}\n" for n in range(1, 40_000)) + "HOOK_EVENTS = A39999\n"
        ).encode(),
    ),
    "Python of digits": ("m.py", lambda: b"HOOK_EVENTS = " + _filled("9")),
    "Python of members": (
        "m.py",
        lambda: b"HOOK_EVENTS = (" + "".join(f"'n{n}'," for n in range(90_000)).encode() + b")\n",
    ),
    "TypeScript of quotes": ("m.ts", lambda: b"export const HOOK_EVENTS = " + _filled("'")),
    "TypeScript of backquotes": ("m.ts", lambda: b"export const HOOK_EVENTS = " + _filled("`${")),
    "TypeScript of brackets": ("m.ts", lambda: b"export const HOOK_EVENTS = " + _filled("[")),
    "TypeScript of generics": ("m.ts", lambda: b"export type HookEvent = " + _filled("A<")),
    "TypeScript of arrows": ("m.ts", lambda: b"export const HOOK_EVENTS = " + _filled("(a=>")),
    "TypeScript of unions": (
        "m.ts",
        lambda: b"export type HookEvent = " + "|".join(f"'n{n}'" for n in range(90_000)).encode(),
    ),
    "TypeScript that doubles": (
        "m.ts",
        lambda: (
            "const A0 = ['x'];\n"
            + "".join(f"const A{n} = [...A{n - 1}, ...A{n - 1}];\n" for n in range(1, 60))
            + "export const HOOK_EVENTS = A59;\n"
        ).encode(),
    ),
    "a bundle of brackets": ("cli.js", lambda: _BARE + _filled("[")),
    "a bundle of events": ("cli.js", lambda: _BARE + _filled('["PreToolUse","PostToolUse"],')),
    "a bundle of quotes": ("cli.js", lambda: _BARE + _filled('"')),
    "a bundle of names": ("cli.js", lambda: _BARE + _filled("PreToolUse ")),
    "declarations of quotes": ("sdk.d.ts", lambda: _DECLARED + _filled("'")),
    "declarations of braces": ("sdk.d.ts", lambda: _DECLARED + _filled("{")),
    "declarations of types": ("sdk.d.ts", lambda: _DECLARED + _filled("export type X = { type: 'a' } | ")),
    "Go of brackets": ("m.go", lambda: b"package m\nvar HookEvents = " + _filled("[]")),
    "Go of quotes": ("m.go", lambda: b"package m\nvar HookEvents = " + _filled('"')),
    "Rust of brackets": ("m.rs", lambda: b"pub const HOOK_EVENTS: &[&str] = " + _filled("&[")),
    "Rust of quotes": ("m.rs", lambda: b"pub const HOOK_EVENTS: &[&str] = " + _filled('"')),
    "Zig of brackets": ("m.zig", lambda: b"pub const hook_events = " + _filled(".{")),
    "JSON of brackets": ("m.json", lambda: _filled("[")),
    "JSON of digits": ("m.json", lambda: b'{"hook_events": ' + _filled("9") + b"}"),
    "a schema that refers to itself": (
        "m.schema.json",
        lambda: b'{"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a", "x": "' + _filled("x") + b'"}',
    ),
    "a schema of brackets": ("m.schema.json", lambda: b'{"anyOf": ' + _filled('[{"anyOf": ')),
    "Markdown of pipes": ("m.md", lambda: b"# Hook events\n\n" + _filled("|")),
    "Markdown of brackets": ("m.md", lambda: b"# Hook events\n\n" + _filled("[")),
    "Markdown of quotes": ("m.md", lambda: b"# Hook events\n\n" + _filled("> ")),
    "Markdown of backquotes": ("m.md", lambda: b"# Hook events\n\n" + _filled("`a")),
    "Markdown of rows": ("m.md", lambda: b"# Hook events\n\n| Event |\n|---|\n" + _filled("| `PreToolUse` |\n")),
    "settings of brackets": ("settings.json", lambda: b'{"hooks": ' + _filled("[")),
    "settings of keys": (
        "settings.json",
        lambda: b'{"hooks": {' + ",".join(f'"k{n}": []' for n in range(70_000)).encode() + b"}}",
    ),
    "settings of hooks": (
        "settings.json",
        lambda: b'{"hooks": {"Stop": [' + ",".join(['{"hooks": [{"type": "command"}]}'] * 28_000).encode() + b"]}}",
    ),
    "settings of one key": ("settings.json", lambda: b'{"hooks": {' + ",".join(['"a": 1'] * 120_000).encode() + b"}}"),
    "settings of escapes": ("settings.json", lambda: b'{"hooks": "' + _filled("\\u0041") + b'"}'),
    "settings of digits": ("settings.json", lambda: b'{"hooks": ' + _filled("9") + b"}"),
}
"""What it is -> the file's name, and how to make it."""


def command(path: Path) -> list[str]:
    """Return how driftgate is made to read such a file."""
    driftgate = [sys.executable, "-m", "driftgate"]
    if path.stem == "driftgate":
        return [*driftgate, "check", "--config", str(path)]
    if path.name == "settings.json":
        return [*driftgate, "classify", str(path)]
    return [*driftgate, "extract", str(path)]


def measure(path: Path) -> tuple[int, float, int, str]:
    """Read a file in a process of its own. Returns its code, seconds of CPU, most bytes of memory, and what it said."""
    code = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "said = done.stderr.decode('utf-8', 'replace')[-3000:]\n"
        "print(done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss, said, end='')\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, *command(path)], capture_output=True, text=True, check=False, preexec_fn=_limits
    )
    if run.returncode:
        return -9, 120.0, 0, run.stderr[-300:]
    returned, seconds, most, said = run.stdout.split(" ", 3)
    return int(returned), float(seconds), int(most) << 10, said


def _limits() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # a machine should survive what is looked for


def bounds(names: list[str]) -> int:
    """Measure every hostile input, or those that are named, and print a row for each."""
    import tempfile

    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names or HOSTILE:
            file, make = HOSTILE[name]
            place = Path(folder) / hashlib.sha256(name.encode()).hexdigest()[:8]
            place.mkdir()
            data = make()
            (place / file).write_bytes(data)
            code, seconds, memory, said = measure(place / file)
            lines = [line for line in said.splitlines() if line.strip()]
            unknown = "Traceback" in said or "does not know" in said
            fault = code not in (0, 1, 2, 3) or seconds > MOST_TIME or memory > MOST_MEMORY or unknown
            bad += fault
            print(
                f"{'BAD ' if fault else 'ok  '} {name:<32} {len(data) / 1e6:4.1f} MB in, {seconds:6.1f} s, "
                f"{memory / _MB:6.0f} MiB, exit {code}  {lines[0][:110] if lines and (fault or code) else ''}",
                flush=True,
            )
    print(
        f"{len(names or HOSTILE)} inputs; {bad} beyond {MOST_TIME:g} s or {MOST_MEMORY >> 20} MiB, or without an answer"
    )
    return int(bool(bad))
