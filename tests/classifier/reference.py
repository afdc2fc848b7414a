"""A second reading of the classifier's page, to compare the first with.

Recursive and slow, one function a section, written from the page and not from the code. It knows the event names and
the field table from the contract and nothing else.
"""

from __future__ import annotations

import math
from typing import Any

from ada_url import check_url

from driftgate.classifier.contract import CONTRACT, Contract

Path = tuple[Any, ...]
Answer = tuple[str, Any, list[Any], list[Any]]  # outcome, hooks, dropped, rejections: pieces as (code, path, field)
Found = list[tuple[str, str, Path, str | None]]  # ("dropped" or "rejected", code, path, field)

JS_BLANKS = "".join(map(chr, [*range(9, 14), 32, 160, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F]))
JS_BLANKS += "\u3000\ufeff"


class Reference:
    def __init__(self, contract: Contract = CONTRACT) -> None:
        self.c = contract

    # Words

    def is_matcher_shaped(self, value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        a = "matcher" in value or not any(key in self.c.events for key in value)
        hooks = value.get("hooks")
        if isinstance(hooks, list):
            b = hooks != []
        elif isinstance(hooks, dict):
            b = "matcher" in value or isinstance(hooks.get("type"), str)
        else:
            b = False
        return a and b

    def is_guard_member(self, key: Any, value: Any) -> bool:
        return key in self.c.guard_events and value is not None and not (isinstance(value, list) and len(value) == 0)

    def signs(self, value: Any, path: Path, *, legal: bool, legal_elements: bool) -> list[Path]:
        """Paths of the outermost signs that `value` is or holds."""
        if isinstance(value, dict):
            if not legal and self.is_matcher_shaped(value):
                return [path]
            return self.member_signs(value, path)
        if isinstance(value, list):
            found: list[Path] = []
            for i, element in enumerate(value):
                found += self.signs(element, (*path, i), legal=legal_elements, legal_elements=False)
            return found
        return []

    def member_signs(self, value: dict[Any, Any], path: Path, skip: str | None = None) -> list[Path]:
        found: list[Path] = []
        for key, member in value.items():
            if skip is not None and key == skip:
                continue
            if self.is_guard_member(key, member):
                found.append((*path, key))
            else:
                found += self.signs(member, (*path, key), legal=False, legal_elements=key in self.c.events)
        return found

    def sign_in(self, value: Any, *, legal: bool = False, legal_elements: bool = False) -> bool:
        return self.signs(value, (), legal=legal, legal_elements=legal_elements) != []

    # Levels

    def classify(self, document: Any) -> Answer:
        found: Found = []
        hooks = self.level0(document, found)
        rejections = [(code, path, field) for what, code, path, field in found if what == "rejected"]
        dropped = [(code, path, field) for what, code, path, field in found if what == "dropped"]
        if rejections:
            return "rejected", None, [], rejections
        return ("loaded-partial" if dropped else "loaded"), hooks, dropped, []

    def level0(self, document: Any, found: Found) -> Any:
        if not isinstance(document, dict):
            for path in self.signs(document, (), legal=False, legal_elements=False):
                found.append(("rejected", "guard-outside-hooks", path, None))
            return None
        itself = "matcher" in document and self.is_matcher_shaped(document)
        if itself:
            found.append(("rejected", "guard-outside-hooks", (), None))
        hooks = None
        for key, value in document.items():
            if key == "hooks":
                hooks = self.level1(value, found)
            elif not itself:
                for path in self.member_signs({key: value}, ()):
                    found.append(("rejected", "guard-outside-hooks", path, None))
        return hooks

    def level1(self, value: Any, found: Found) -> Any:
        if isinstance(value, list):
            if any(isinstance(element, (dict, list)) for element in value):
                found.append(("rejected", "hooks-is-matcher", ("hooks",), None))
            else:
                found.append(("dropped", "hooks-not-object", ("hooks",), None))
            return None
        if not isinstance(value, dict):
            found.append(("dropped", "hooks-not-object", ("hooks",), None))
            return None
        entry = isinstance(value.get("type"), str) and not any(key in self.c.events for key in value)
        if self.is_matcher_shaped(value) or entry:
            found.append(("rejected", "hooks-is-matcher", ("hooks",), None))
            return None
        loaded: dict[Any, Any] = {}
        for name, event in value.items():
            self.level2(name, event, loaded, found)
        return loaded

    def level2(self, name: Any, value: Any, loaded: dict[Any, Any], found: Found) -> None:
        path = ("hooks", name)
        if name not in self.c.events:
            if self.sign_in(value, legal_elements=True):
                found.append(("rejected", "guard-under-unknown-event", path, None))
            else:
                found.append(("dropped", "unknown-event", path, None))
        elif isinstance(value, list):
            loaded[name] = []
            for i, matcher in enumerate(value):
                self.level3(name, matcher, (*path, i), loaded[name], found)
        elif (name in self.c.guard_events and value is not None) or self.sign_in(value):
            found.append(("rejected", "guard-event-not-array", path, None))
        else:
            found.append(("dropped", "event-not-array", path, None))

    def level3(self, event: str, matcher: Any, path: Path, loaded: list[Any], found: Found) -> None:
        guard = event in self.c.guard_events
        bad, field = False, None
        if not isinstance(matcher, dict):
            bad = True
        elif "matcher" in matcher and not isinstance(matcher["matcher"], str):
            bad, field = True, "matcher"
        elif "hooks" not in matcher or not isinstance(matcher["hooks"], list):
            bad, field = True, "hooks"
        if bad:
            if guard or self.sign_in(matcher, legal=True):
                found.append(("rejected", "guard-matcher-invalid", path, field))
            else:
                found.append(("dropped", "matcher-invalid", path, field))
            return
        if self.member_signs(matcher, (), skip="hooks"):
            found.append(("rejected", "guard-matcher-invalid", path, None))
            return
        entries: list[Any] = []
        for j, entry in enumerate(matcher["hooks"]):
            self.level4(guard, entry, (*path, "hooks", j), entries, found)
        loaded.append({**({"matcher": matcher["matcher"]} if "matcher" in matcher else {}), "hooks": entries})

    def level4(self, guard: bool, entry: Any, path: Path, loaded: list[Any], found: Found) -> None:
        field = self.wrong_field(entry) if isinstance(entry, dict) else None
        sign = self.sign_in(entry)
        if isinstance(entry, dict) and field is None and not sign:
            row = self.c.fields[entry["type"]]
            carried = [name for name, rule in row.items() if rule.carried and name in entry]
            loaded.append({name: entry[name] for name in ["type", *carried]})
        elif guard or sign:
            found.append(("rejected", "guard-entry-invalid", path, field))
        else:
            found.append(("dropped", "entry-invalid", path, field))

    def wrong_field(self, entry: dict[Any, Any]) -> str | None:
        kind = entry.get("type")
        if not isinstance(kind, str) or kind not in self.c.entry_types:
            return "type"
        row = self.c.fields[kind]
        for carried in (True, False):
            for name, rule in row.items():
                if rule.carried is not carried:
                    continue
                if name not in entry:
                    if rule.required:
                        return name
                elif not self.of_kind(entry[name], rule.kind):
                    return name
        return None

    def of_kind(self, value: Any, kind: str) -> bool:
        text = isinstance(value, str)
        return {
            "text": lambda: text and value != "",
            "string": lambda: text,
            "url": lambda: text and check_url(as_scalar_values(value.strip(JS_BLANKS))),
            "shell": lambda: text and value in self.c.shells,
            "failureMode": lambda: text and value in ("continue", "block"),
            "boolean": lambda: value is True or value is False,
            "seconds": lambda: is_seconds(value),
            "stringRecord": lambda: isinstance(value, dict) and all(isinstance(item, str) for item in value.values()),
            "stringList": lambda: isinstance(value, list) and all(isinstance(item, str) for item in value),
            "record": lambda: isinstance(value, dict),
        }[kind]()


def is_seconds(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        number = float(value)
    except OverflowError:
        return False
    return math.isfinite(number) and number > 0


def as_scalar_values(text: str) -> str:
    out = []
    i = 0
    while i < len(text):
        high = ord(text[i])
        low = ord(text[i + 1]) if i + 1 < len(text) else 0
        if 0xD800 <= high < 0xDC00 and 0xDC00 <= low < 0xE000:
            out.append(chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)))
            i += 1
        else:
            out.append("\ufffd" if 0xD800 <= high < 0xE000 else text[i])
        i += 1
    return "".join(out)


def answer(document: Any, contract: Contract = CONTRACT) -> Answer:
    """(outcome, hooks, dropped, rejections), the pieces as (code, path, field)."""
    return Reference(contract).classify(document)
