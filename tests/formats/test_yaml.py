"""YAML by PyYAML: strict, bounded, and every fault is one of YAML."""

import time
import tracemalloc
from contextlib import nullcontext

import pytest

from driftgate.errors import ConfigError
from driftgate.formats.yaml import load_yaml

NESTED = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))
BOMBS = {
    "aliases": f"a0: &a0 [x]\n{NESTED}pin: *a9\n",
    "merges": "a0: &a0 {x: 1, y: 2}\n"
    + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 20)}]}}\n" for n in range(1, 12)),
    "a long text many times": f"a: &a '{'x' * 100_000}'\nb: [{', '.join(['*a'] * 1000)}]\n",
    "itself": "a: &a [*a]\n",
    "itself as a key": "&a ? *a\n: 1\n",
    "deep": "[" * 300_000,
    "deep and whole": "[" * 900 + "]" * 900,
    "deep blocks": "- " * 500_000 + "a",
    "large": "# \n" * (2 << 20),
    "digits": f"pin: {'9' * 1_000_000}\n",
    "hexadecimal digits": f"pin: 0x{'f' * 1_000_000}\n",
    "many keys": "\n".join(f"k{n}: 'x'" for n in range(60_000)),
}
READ = {"many keys"}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_takes_neither_time_nor_memory(name):
    tracemalloc.start()
    started = time.process_time()
    with pytest.raises(ConfigError, match="not readable as YAML") if name not in READ else nullcontext():
        load_yaml(BOMBS[name], where="x.yml", error=ConfigError)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert time.process_time() - started < 15
    assert most < 300 << 20


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: !!bool maybe", "maybe"),
        ("a: !!int ''", "IndexError"),
        ("a: !!timestamp x", "AttributeError"),
        ("a: 2001-99-01", "month"),
        ("a: !!float x", "x"),
        ("a: !!binary é", "ascii"),
        ("a: !!python/object:os.system x", "could not determine a constructor"),
        ("? [a]\n: b", "unhashable"),
        ("a: 1\na: 2", "a second time"),
        ("a: *x", "undefined alias"),
        ("--- 1\n--- 2", "document"),
        ("a: &x [1]\nb: [*x", "expected"),
        ("a: \0", "control characters|unacceptable"),
        ("a: &a [*a]", "inside what it stands for"),
        (BOMBS["aliases"], "aliases written out"),
        (BOMBS["large"], "characters"),
    ],
)
def test_every_fault_is_one_of_yaml(text, said):
    with pytest.raises(ConfigError, match=said) as caught:
        load_yaml(text, where="x.yml", error=ConfigError)
    assert caught.value.what == "not readable as YAML"
    assert caught.value.where.startswith("x.yml")


def test_aliases_in_reason_are_read():
    text = "a: &a [x, y]\nb: *a\n"
    assert load_yaml(text, where="x", error=ConfigError) == {"a": ["x", "y"], "b": ["x", "y"]}


def test_a_document_of_nothing():
    assert load_yaml("# nothing\n", where="x", error=ConfigError) is None
