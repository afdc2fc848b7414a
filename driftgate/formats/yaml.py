"""Reading YAML strictly: no duplicate keys, plain data only, errors with line and column, bounded.

The one importer of yaml for our own files, and only for text that is not in the plain form that driftgate writes (see
`canonical`).
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from driftgate.errors import DriftgateError
from driftgate.formats.canonical import parse_canonical

_LARGEST: Final = 4 << 20
"""Characters of a document."""

_MOST: Final = 2 * _LARGEST
"""Characters and nodes of a document with each alias written out; nested aliases multiply."""


_MOST_BITS: Final = 64


def load_yaml(text: str, *, where: str, error: type[DriftgateError]) -> Any:
    """Return the data of one YAML document.

    Raises `error` with line and column for what is not YAML, for a duplicate key, and for a tag beyond plain data;
    `error` too for a document of more than 4 MiB, or of more than 8 MiB with its aliases written out.
    """
    if len(text) > _LARGEST:
        raise error(
            "not readable as YAML",
            where=where,
            expected=f"at most {_LARGEST >> 20} MiB",
            found=f"{len(text)} characters",
        )
    data = parse_canonical(text)
    return load_any_yaml(text, where=where, error=error) if data is None else data


def load_any_yaml(text: str, *, where: str, error: type[DriftgateError]) -> Any:
    """As `load_yaml`, by PyYAML alone."""
    import yaml

    try:
        loader = _strict_loader()(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _weigh(node, {})
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark
        at = f"{where}:{mark.line + 1}:{mark.column + 1}" if mark else where
        raise error("not readable as YAML", where=at, found=str(problem.problem)) from problem
    except RecursionError as problem:
        raise error("not readable as YAML", where=where, found="it is nested too deep") from problem
    # PyYAML lets through what its converters raise, e.g. KeyError for `!!bool maybe`, IndexError for `!!int ""`.
    except (yaml.YAMLError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as problem:
        raise error("not readable as YAML", where=where, found=f"{problem} ({type(problem).__name__})") from problem


def _weigh(node: Any, known: dict[int, int | None]) -> int:
    """Return how many characters and nodes are under `node`, each alias written out. Raises MarkedYAMLError."""
    import yaml

    key = id(node)
    if key in known:
        weight = known[key]
        if weight is None:
            raise yaml.MarkedYAMLError(
                problem="an alias stands inside what it stands for", problem_mark=node.start_mark
            )
        return weight
    known[key] = None
    if isinstance(node.value, str):
        weight = 1 + len(node.value)
    else:
        inner = (each for item in node.value for each in (item if isinstance(item, tuple) else (item,)))
        weight = 1 + sum(_weigh(each, known) for each in inner)
    if weight > _MOST:
        raise yaml.MarkedYAMLError(
            problem=f"it is more than {_MOST >> 20} MiB with its aliases written out", problem_mark=node.start_mark
        )
    known[key] = weight
    return weight


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

        def construct_yaml_int(self, node: Any) -> int:
            number: int = super().construct_yaml_int(node)
            if number.bit_length() > _MOST_BITS:  # Python refuses to print numbers of thousands of digits
                raise yaml.constructor.ConstructorError(
                    None, None, f"a number of more than {_MOST_BITS} bits", node.start_mark
                )
            return number

    StrictLoader.add_constructor("tag:yaml.org,2002:int", StrictLoader.construct_yaml_int)
    return StrictLoader


def compose_yaml(text: str) -> Any:
    """Return the node tree of one YAML document, whose nodes know where they stand; None for what is not YAML."""
    import yaml

    try:
        return yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


def value_node(node: Any, keys: tuple[str, ...]) -> Any:
    """Return the node below `node` that the keys of mappings lead to, None where there is none."""
    for key in keys:
        pairs = node.value if getattr(node, "id", "") == "mapping" else ()
        node = next((value for name, value in pairs if name.value == key), None)
    return node
