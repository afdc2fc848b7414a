"""`driftgate completion`: scripts that the shells take, and what bash offers."""

import shutil
import subprocess

import pytest

from driftgate.commands import COMMANDS
from driftgate.commands.completion_scripts import SHELLS, script
from driftgate.judge.rules import RULES
from driftgate.report import FORMATS


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_takes_it(shell):
    text = script(shell)
    assert all(name in text for name in (*COMMANDS, *FORMATS, "--fail-on", *RULES))
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=text, text=True, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["driftgate", ""], set(COMMANDS)),
        (["driftgate", "che"], {"check"}),
        (["driftgate", "check", "--fa"], {"--fail-on"}),
        (["driftgate", "check", "--format", ""], set(FORMATS)),
        (["driftgate", "export", "--format", "ty"], {"typescript"}),
        (["driftgate", "explain", "shell-"], {"shell-only-upstream", "shell-only-here", "shell-misspelt"}),
    ],
)
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_what_bash_offers(words, offered):
    quoted = " ".join(f"'{word}'" for word in words)
    code = f"""
COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}
$(complete -p driftgate | sed 's/.*-F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    result = subprocess.run(["bash", "-c", script("bash") + code], text=True, capture_output=True, check=True)
    assert set(result.stdout.split()) == offered


def test_an_unknown_shell(run):
    code, _, err = run("completion", "csh")
    assert code == 2
    assert "bash, zsh, fish" in err
