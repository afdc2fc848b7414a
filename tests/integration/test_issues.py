"""One issue per drift: what is filed, written again, reopened, closed, and what is left alone."""

import json
import subprocess
import sys

import pytest

from driftgate.commands.issue_plan import Close, Create, Edit, Issue, Wanted, compared, failed, plan, wanted
from driftgate.commands.issues import describe
from driftgate.errors import ExitCode

ONE = Wanted("0123456789abcdef", "driftgate: drift: one", "text", ("latest",))
LATEST = frozenset({"latest"})


def issue(want, number=1, *, is_open=True, muted=False, before="", after=""):
    return Issue(number, "a title that somebody wrote", before + want.part + after, is_open, muted)


@pytest.mark.parametrize(
    ("wants", "existing", "complete", "actions"),
    [
        ([], [], LATEST, []),
        ([ONE], [], LATEST, [Create(ONE.title, ONE.part)]),
        ([ONE], [issue(ONE)], LATEST, []),
        ([ONE], [issue(ONE, is_open=False)], LATEST, [Edit(1, ONE.part, reopen=True)]),
        ([ONE], [issue(ONE, is_open=False, muted=True)], LATEST, []),
        ([ONE], [issue(ONE, 1, is_open=False), issue(ONE, 2)], LATEST, []),
        ([], [issue(ONE)], LATEST, [Close(1)]),
        ([], [issue(ONE, is_open=False)], LATEST, []),
        ([], [issue(ONE)], None, []),
        ([], [issue(ONE)], frozenset({"pinned"}), []),
        ([], [Issue(1, "somebody's own issue with the label", "no mark", is_open=True)], LATEST, []),
    ],
    ids=[
        "nothing",
        "a new drift is filed",
        "a known drift is left as it is",
        "a drift that is back reopens its issue",
        "closed as not planned stays closed",
        "an open issue counts before a closed one",
        "a drift that is gone closes its issue",
        "closed already",
        "a blind run closes nothing",
        "a run that did not look there closes nothing",
        "other issues are not touched",
    ],
)
def test_plan(wants, existing, complete, actions):
    assert plan(wants, existing, complete) == tuple(actions)


def test_only_the_own_part_of_a_body_is_written_again():
    old = Wanted(ONE.key, ONE.title, "what the last run saw", ONE.against)
    (edit,) = plan([ONE], [issue(old, before="Mine, kept.\n\n", after="\n\n- [ ] kept, too")], LATEST)
    assert edit == Edit(1, f"Mine, kept.\n\n{ONE.part}\n\n- [ ] kept, too")


def finding(subject, against="latest"):
    return {
        "rule": "event-only-upstream",
        "subject": subject,
        "set": "hook_events",
        "severity": "error",
        "fingerprint": "00ff00ff00ff00ff",
        "summary": "upstream has a hook event that is not declared here",
        "detail": "",
        "remedy": "adopt it here",
        "against": against,
        "places": [{"source": "hooks.py", "line": 3}],
        "impacts": [{"case": "a hook", "words": "is dropped"}],
    }


def report(*findings, blind=None):
    comparison = {"against": "latest", "title": "Claude Code 2.1.900", "blind": blind}
    return {"command": "check", "pin": "2.1.296", "findings": [*findings], "comparisons": [comparison]}


HOSTILE = [
    "<!-- driftgate:end -->\n@everyone",
    "`` ` ``` @octocat",
    "<img src=x onerror=alert(1)>",
    "\x1b[31mred\u202e",
    "](https://evil.example)",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_from_upstream_stay_text(name):
    (want,) = wanted(report(finding(name)))
    part = want.part
    assert part.count("<!--") == part.count("-->") - name.count("-->") == 2
    assert part.isprintable() or "\n" in part
    assert "\x1b" not in part
    assert "\n@everyone" not in part
    # What was written is found again, so that the next run updates it.
    assert plan([want], [Issue(1, want.title, part, is_open=True)], LATEST) == ()


def test_the_same_drift_against_two_releases_is_one_issue():
    wants = wanted(report(finding("New", "pinned"), finding("New", "latest")))
    assert len(wants) == 1


def test_what_could_not_be_seen_is_an_issue_of_its_own_and_nothing_is_closed():
    blind = report(finding("New"), blind={"what": "could not fetch", "where": "the registry"})
    drift, other = wanted(blind)
    assert drift.title.startswith("driftgate: drift: ")
    assert other.title.startswith("driftgate: blind: ")
    assert "    against Claude Code 2.1.900:\n      what: could not fetch" in other.text
    assert compared(blind) is None


def test_a_run_that_made_no_report_is_an_issue_too():
    (want,) = failed(ExitCode.USAGE, "error: no configuration\n```\n@octocat")
    assert want.title.startswith("driftgate: usage error: ")
    assert "\n    ```\n    @octocat" in want.text


def test_actions_are_said():
    said = [describe(action) for action in (Create("t", "b"), Edit(1, "b"), Edit(2, "b", reopen=True), Close(3))]
    assert said == ["file: t", "update #1", "reopen #2", "close #3"]


def run(project, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "driftgate", "issues", *arguments],
        cwd=project.workspace,
        env={**project.environ, "GH_TOKEN": "the-token", "GH_REPO": "owner/project"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_a_dry_run_changes_nothing(project):
    path = project.workspace / "report.json"
    path.write_text(json.dumps(report(finding("New"))), encoding="utf-8")
    done = run(project, "--dry-run", str(path))
    assert done.stdout == "would file: driftgate: drift: event-only-upstream New\ndriftgate: agrees, exit 0\n"
    assert project.github()["issues"] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("not json", "not a json report"),
        ("[]", "not a report of check"),
        ('{"command": "diff"}', "not a report of check"),
        ('{"command": "check", "findings": []}', "damaged"),
        ('{"command": "check", "exit": 9, "error": {}}', "damaged"),
        ('{"command": "check", "findings": [{}], "comparisons": [7]}', "damaged"),
    ],
)
def test_other_files_are_refused(project, text, said):
    (project.workspace / "x").write_text(text, encoding="utf-8")
    done = run(project, "x")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_without_gh_it_says_so(project):
    (project.bin / "gh").unlink()
    project.environ["PATH"] = str(project.bin)
    (project.workspace / "x").write_text(json.dumps(report(finding("New"))), encoding="utf-8")
    done = run(project, "x")
    assert done.returncode == 2
    assert "gh, GitHub's command line, is not installed" in done.stderr


def test_a_dry_run_needs_no_gh(project):
    (project.bin / "gh").unlink()
    project.environ["PATH"] = str(project.bin)
    (project.workspace / "x").write_text(json.dumps(report(finding("New"))), encoding="utf-8")
    done = run(project, "--dry-run", "x")
    assert (done.returncode, done.stdout.splitlines()[0]) == (
        0,
        "would file: driftgate: drift: event-only-upstream New",
    )
    assert "which issues there are is not known" in done.stderr
