"""What a finding says is to be done: the command that adopts it, where one does."""

import pytest

from driftgate.judge.findings import Finding
from driftgate.judge.rules import RULES, Severity

REASON = ", or accept the drift with a reason"


@pytest.mark.parametrize(
    ("rule", "subject", "against", "remedy"),
    [
        ("event-only-upstream", "Setup", "snapshot", f"driftgate adopt event-only-upstream Setup{REASON}"),
        ("event-only-upstream", "Setup", "pinned", f"driftgate adopt event-only-upstream Setup{REASON}"),
        (
            "event-only-upstream",
            "Setup",
            "latest",
            f"driftgate adopt event-only-upstream Setup --against latest{REASON}",
        ),
        ("field-only-upstream", "command.if", "", f"driftgate adopt field-only-upstream command.if{REASON}"),
        ("event-only-upstream", "$(rm x)", "", f"adopt it here{REASON}"),
        ("event-misspelt", "Setpu", "", "spell it as upstream does: driftgate adopt event-misspelt Setpu"),
        ("event-only-here", "Setup", "", RULES["event-only-here"].remedy),
    ],
)
def test_the_command_that_adopts_it_is_named(rule, subject, against, remedy):
    finding = Finding(RULES[rule], subject, "hook_events", Severity.ERROR, against=against)
    assert finding.remedy == remedy


def test_what_is_left_to_do_here_goes_before_the_rule():
    finding = Finding(RULES["event-only-upstream"], "Setup", "hook_events", Severity.ERROR, advice="ask")
    assert finding.remedy == "ask"
