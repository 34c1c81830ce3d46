"""A plugin of pytest: a failed test of real processes and browsers is tried once more, from scratch and visibly.

Why, and why not a library: docs/decisions/0011-second-try.md.
"""

from __future__ import annotations

from contextlib import suppress

import pytest
from _pytest.runner import runtestprotocol

FOLDERS = (("tests", "wire"), ("tests", "page"))
TRIED = pytest.StashKey[bool]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if item.path.relative_to(item.config.rootpath).parts[:2] not in FOLDERS:
        return None
    first = TRIED not in item.stash
    item.stash[TRIED] = True
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    failed = [report for report in reports if report.failed]
    again = first and failed
    for report in failed if again else reports:
        if again:
            report.outcome = "second try"  # type: ignore[assignment]
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    if failed:
        _begin_anew(item.session)
    if again:
        # By the hook, so that the time-out and the watch for warnings begin anew too.
        item.ihook.pytest_runtest_protocol(item=item, nextitem=nextitem)
    return True


def _begin_anew(session: pytest.Session) -> None:
    """Ends every server and browser, shared ones too: the failed test may have broken them."""
    with suppress(Exception):  # as a broken one may; what has failed is told already
        session._setupstate.teardown_exact(None)


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    return ("second try", "2", "SECOND TRY") if report.outcome == "second try" else None  # type: ignore[comparison-overlap]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = terminalreporter.stats.get("second try", [])
    if reports:
        terminalreporter.section("failed and tried once more", yellow=True)
    for report in reports:
        terminalreporter.write_line(f"{report.nodeid} ({report.when})", bold=True)
        terminalreporter.write_line(report.longreprtext)
