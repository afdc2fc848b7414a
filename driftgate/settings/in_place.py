"""A file where it lies: what is wrong with it as a part of its plugin, and the scripts that its commands name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.result import HooksOutcome
from driftgate.formats.json import JsonText, Spot
from driftgate.releases import FileKind
from driftgate.releases.plugin_eras import NamedTwice
from driftgate.releases.verdict import Rules
from driftgate.settings.classify import stricter
from driftgate.settings.codes import CautionCode, FileCode
from driftgate.settings.pieces import Caution, FileVerdict, PieceEffect, Problem, Words
from driftgate.settings.plugin import MODULES, PartFault
from driftgate.settings.scripts import script_faults
from driftgate.settings.sources import Source

_WORDS: Final[Mapping[FileCode, Words]] = MappingProxyType(
    {
        FileCode.LOADED_ALREADY: Words("names hooks/hooks.json: the file is loaded already", fix="remove the key"),
        FileCode.NAMED_TWICE: Words("names a file that is named already", fix="name it once"),
        FileCode.FILE_MISSING: Words(
            "names a file that is not there, and does not load",
            "a file of the plugin",
            "none",
            "add it, or the right path",
        ),
        FileCode.OUTSIDE_PLUGIN: Words(
            "names a file outside the plugin, which is not read",
            "a file of the plugin",
            "another",
            "move it into the plugin",
        ),
        FileCode.HOOKS_NOT_READ: Words(
            "hooks in the frontmatter of a plugin's agent or command are not read",
            fix="move them to hooks/hooks.json, or to a skill",
        ),
    }
)


def in_place(file: FileVerdict, text: JsonText, source: Source, rules: Rules) -> FileVerdict:
    """Return `file` with what is wrong with its `source` where it lies, `text` being what was read of it."""
    problems = [_problem(fault, text, rules) for fault in source.faults if _is_read(fault, rules)]
    if file.contract is None:  # what the release takes without a word, only the contract minds
        problems = [problem for problem in problems if problem.effect is not PieceEffect.CONTRACT]
    hooks = file.released.hooks if file.released is not None else None
    warnings = tuple(_scripts(hooks, text, source.folders))
    if not problems:
        return replace(file, warnings=(*file.warnings, *warnings))
    partial = HooksOutcome.LOADED_PARTIAL
    dropped = any(problem.effect is PieceEffect.DROPPED for problem in problems)
    return replace(
        file,
        problems=(*file.problems, *problems),
        warnings=(*file.warnings, *warnings),
        outcome=stricter(file.outcome, partial) if dropped or file.released is None else file.outcome,
        contract=stricter(file.contract, partial) if file.contract is not None else None,
    )


def _is_read(fault: PartFault, rules: Rules) -> bool:
    return fault.path[:1] != (MODULES,) or (rules.plugin is not None and rules.plugin.modules)


def not_read(name: str, kind: FileKind) -> FileVerdict:
    """Return the verdict on a file called `name` whose hooks are not read."""
    problem = Problem(
        PieceEffect.DROPPED, FileCode.HOOKS_NOT_READ.value, ("hooks",), None, _WORDS[FileCode.HOOKS_NOT_READ]
    )
    return FileVerdict(name, kind, HooksOutcome.LOADED_PARTIAL, (problem,))


def without_places(file: FileVerdict) -> FileVerdict:
    """Return `file` without the places of its problems and warnings."""
    return replace(
        file,
        problems=tuple(replace(problem, spot=None) for problem in file.problems),
        warnings=tuple(replace(caution, spot=None) for caution in file.warnings),
    )


def _problem(fault: PartFault, text: JsonText, rules: Rules) -> Problem:
    loads_anyway = rules.plugin is not None and rules.plugin.named_twice is NamedTwice.SILENT
    silent = fault.code is FileCode.LOADED_ALREADY and loads_anyway
    effect = PieceEffect.CONTRACT if silent else PieceEffect.DROPPED
    words = _WORDS[fault.code]
    if fault.code is FileCode.LOADED_ALREADY and len(fault.path) > 1:
        words = replace(words, fix="take it out of the list")
    return Problem(effect, fault.code.value, fault.path, _spot(text, fault.path), words)


def _scripts(hooks: Any, text: JsonText, folders: Mapping[str, Path]) -> Iterator[Caution]:
    for path, code, name in script_faults(hooks, dict(folders)):
        says = _SCRIPT_WORDS[code]
        yield Caution(code, path, _spot(text, path), Words(says, fix=_SCRIPT_FIXES[code], name=name))


_SCRIPT_WORDS: Final = {
    CautionCode.SCRIPT_MISSING: "its script {name} is not there; the hook fails, and a guard that fails lets pass",
    CautionCode.SCRIPT_NOT_EXECUTABLE: "its script {name} is not executable; the hook fails",
}
_SCRIPT_FIXES: Final = {
    CautionCode.SCRIPT_MISSING: "add the script, or name the right one",
    CautionCode.SCRIPT_NOT_EXECUTABLE: "chmod +x it, or name its interpreter",
}


def _spot(text: JsonText, path: ConfigPath) -> Spot | None:
    location = text.locate(path)
    return location.value if location is not None else None
