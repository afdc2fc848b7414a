"""The classifier's speed against jsonschema with the exported schema and pydantic models of the same shape.

All three read the same documents (1, 30 and 3,000 entries of every type), in turn, in one run. The ratios are the
medians of the rounds, so that a slow spell of the machine hits all three.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

from jsonschema import Draft202012Validator
from pydantic import AnyUrl, BaseModel, Field, StrictBool, StrictStr

from driftgate.classifier.contract import HOOK_EVENTS, HookEvent
from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.schema import hooks_schema

SIZES = (1, 30, 3_000)

Text = Annotated[StrictStr, Field(min_length=1)]
Mode = Literal["continue", "block"]


class Entry(BaseModel):
    if_: StrictStr | None = Field(None, alias="if")
    timeout: Annotated[float, Field(gt=0, strict=True, allow_inf_nan=False)] | None = None
    statusMessage: StrictStr | None = None  # noqa: N815
    once: StrictBool | None = None


class Command(Entry):
    type: Literal["command"]
    command: Text
    shell: Literal["bash", "powershell"] | None = None
    async_: StrictBool | None = Field(None, alias="async")
    asyncRewake: StrictBool | None = None  # noqa: N815
    args: list[StrictStr] | None = None
    onFailure: Mode | None = None  # noqa: N815
    rewakeMessage: Text | None = None  # noqa: N815
    rewakeSummary: Text | None = None  # noqa: N815


class Prompt(Entry):
    type: Literal["prompt"]
    prompt: Text
    model: StrictStr | None = None
    continueOnBlock: StrictBool | None = None  # noqa: N815


class Agent(Entry):
    type: Literal["agent"]
    prompt: Text
    model: StrictStr | None = None


class Http(Entry):
    type: Literal["http"]
    url: AnyUrl
    headers: dict[StrictStr, StrictStr] | None = None
    allowedEnvVars: list[StrictStr] | None = None  # noqa: N815
    onFailure: Mode | None = None  # noqa: N815


class McpTool(Entry):
    type: Literal["mcp_tool"]
    server: StrictStr
    tool: StrictStr
    input: dict[StrictStr, Any] | None = None


class Matcher(BaseModel):
    matcher: StrictStr | None = None
    hooks: list[Annotated[Command | Prompt | Agent | Http | McpTool, Field(discriminator="type")]]


class Settings(BaseModel):
    hooks: dict[HookEvent, list[Matcher]] | None = None


def entry(number: int) -> dict[str, Any]:
    """One of the five types in turn, each with one or two optional fields; no two are the same value."""
    entries: list[dict[str, Any]] = [
        {"type": "command", "command": f"echo {number}", "timeout": 30},
        {"type": "prompt", "prompt": f"Is {number} fine? $ARGUMENTS", "statusMessage": "thinking"},
        {"type": "agent", "prompt": f"Look at {number}", "timeout": 2.5, "model": "small"},
        {"type": "http", "url": f"https://example.com/h/{number}", "headers": {"X-Number": str(number)}},
        {"type": "mcp_tool", "server": "s", "tool": f"t{number}", "input": {"path": "${cwd}", "number": number}},
    ]
    return entries[number % 5]


def document(size: int) -> dict[str, Any]:
    """A settings document with `size` entries, two a matcher, spread over the events; parsed from text as a file is."""
    hooks: dict[str, list[Any]] = {}
    for number in range(0, size, 2):
        entries = [entry(number + offset) for offset in range(min(2, size - number))]
        hooks.setdefault(HOOK_EVENTS[number // 2 % len(HOOK_EVENTS)], []).append({"matcher": "Bash", "hooks": entries})
    parsed: dict[str, Any] = json.loads(json.dumps({"hooks": hooks}))
    return parsed


def measure(readers: list[Callable[[Any], object]], value: Any, rounds: int, seconds: float) -> list[list[float]]:
    """Seconds of one reading, per reader and round."""
    repeats = []
    for read in readers:
        read(value)
        start = time.perf_counter()
        read(value)
        repeats.append(max(1, int(seconds / (time.perf_counter() - start))))
    times: list[list[float]] = [[] for _ in readers]
    for _ in range(rounds):
        for read, repeat, kept in zip(readers, repeats, times, strict=True):
            start = time.perf_counter()
            for _ in range(repeat):
                read(value)
            kept.append((time.perf_counter() - start) / repeat)
    return times


def ratio(others: list[float], ours: list[float]) -> float:
    return statistics.median(other / our for other, our in zip(others, ours, strict=True))


def ratios(rounds: int) -> Iterator[tuple[int, float, float]]:
    """Yield (entries, times faster than jsonschema, pydantic's time over ours), each the median of many rounds."""
    validator = Draft202012Validator(hooks_schema(document=True))
    readers: list[Callable[[Any], object]] = [classify_hooks_config, validator.is_valid, Settings.model_validate]
    for size in SIZES:
        value = document(size)
        assert classify_hooks_config(value).outcome == "loaded"  # noqa: S101 - what is timed must be the plain case
        assert validator.is_valid(value)  # noqa: S101
        ours, schema, pydantic = measure(readers, value, rounds=rounds * (8 if size < 3_000 else 2), seconds=0.002)
        yield size, ratio(schema, ours), ratio(pydantic, ours)
