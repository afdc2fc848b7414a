"""TOML: every fault is one of TOML, and none takes long."""

import time

import pytest

from driftgate.errors import ConfigError
from driftgate.formats.toml import load_toml

FAULTS = {
    "not TOML": ("a = ", "Invalid value"),
    "deep": ("a = " + "[" * 500_000, "nested too deep"),
    "a key of many parts": ("x = 1\na" + ".a" * 400_000 + " = 1", "a key of more than 100 parts"),
    "a header of many parts": ("[a" + " . 'a'" * 100_000 + "]", "a key of more than 100 parts"),
    "digits": ("a = " + "9" * 100_000, "limit"),
    "hexadecimal digits": ("a = [{b = 0x" + "f" * 100_000 + "}]", "a number of more than 64 bits"),
    "large": ("# \n" * 2_000_000, "more than 4 MiB"),
    "a time that is none": ("a = 2001-99-99", "."),
}


@pytest.mark.parametrize(("text", "said"), FAULTS.values(), ids=FAULTS)
def test_faults(text, said):
    started = time.process_time()
    with pytest.raises(ConfigError, match=f"(?s)not readable as TOML.*{said}"):
        load_toml(text, where="x.toml", error=ConfigError)
    assert time.process_time() - started < 10


def test_what_is_read():
    text = 'a.b."c d" = [1, 2.5]\n[tool.x]\ny = "a.b.c.d"\nz = 18446744073709551615\n'
    assert load_toml(text, where="x", error=ConfigError) == {
        "a": {"b": {"c d": [1, 2.5]}},
        "tool": {"x": {"y": "a.b.c.d", "z": 2**64 - 1}},
    }
