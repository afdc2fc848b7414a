"""Reading YAML strictly: no duplicate keys, plain data only, errors with line and column.

The one importer of yaml, and only for text that is not in the plain form that driftgate writes (see `canonical`).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from driftgate.errors import DriftgateError
from driftgate.formats.canonical import parse_canonical


def load_yaml(text: str, *, where: str, error: type[DriftgateError]) -> Any:
    """Return the data of one YAML document.

    Raises `error` with line and column for what is not YAML, for a duplicate key, and for a tag beyond plain data.
    """
    data = parse_canonical(text)
    return load_any_yaml(text, where=where, error=error) if data is None else data


def load_any_yaml(text: str, *, where: str, error: type[DriftgateError]) -> Any:
    """As `load_yaml`, by PyYAML alone."""
    import yaml

    try:
        return yaml.load(text, Loader=_strict_loader())  # noqa: S506 - the loader is a safe one
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark
        at = f"{where}:{mark.line + 1}:{mark.column + 1}" if mark else where
        raise error("not readable as YAML", where=at, found=str(problem.problem)) from problem
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as problem:
        raise error("not readable as YAML", where=where, found=str(problem)) from problem


@cache
def _strict_loader() -> Any:
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class StrictLoader(base):  # type: ignore[misc]
        """A safe loader that refuses a mapping with a key twice: the first would vanish without a word."""

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            seen: set[Any] = set()
            for key_node, _ in node.value:
                key = self.construct_object(key_node, deep=True)
                if key in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key!r} stands here a second time", key_node.start_mark
                    )
                seen.add(key)
            mapping: dict[Any, Any] = super().construct_mapping(node, deep=deep)
            return mapping

    return StrictLoader
