"""A plugin of pytest: a failed test of real processes and browsers is tried once more, from scratch and visibly.

A run in which more than `BUDGET` tests needed a second try has failed, even if all of them passed at last. Why, and why
not a library: docs/decisions/0011-second-try.md.
"""

from __future__ import annotations

import gc
import sys
from contextlib import suppress

import pytest
from _pytest.runner import runtestprotocol

FOLDERS = (("tests", "wire"), ("tests", "page"))
BUDGET = 3
SECOND_TRY = "second try"
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
            report.outcome = SECOND_TRY  # type: ignore[assignment]
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
    _forget_what_was_left_open()


def _forget_what_was_left_open() -> None:
    """What a test did not close as it failed would fail another test, or the whole run, once Python finds it."""
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):  # set by pytest, for debuggers
        if hasattr(sys, name):
            delattr(sys, name)
    told, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        gc.collect()
    finally:
        sys.unraisablehook = told


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    return (SECOND_TRY, "2", "SECOND TRY") if report.outcome == SECOND_TRY else None


def _first_failures(config: pytest.Config) -> list[pytest.TestReport]:
    """What failed at first; a process of xdist tells the one that started it, and itself knows of none."""
    reporter: pytest.TerminalReporter | None = config.pluginmanager.get_plugin("terminalreporter")
    return reporter.stats.get(SECOND_TRY, []) if reporter else []


def _over_budget(config: pytest.Config) -> bool:
    return len({report.nodeid for report in _first_failures(config)}) > BUDGET


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.exitstatus == pytest.ExitCode.OK and _over_budget(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    reports = _first_failures(config)
    if reports:
        terminalreporter.section("failed and tried once more", yellow=True)
    for report in reports:
        terminalreporter.write_line(f"{report.nodeid} ({report.when})", bold=True)
        terminalreporter.write_line(report.longreprtext)
    if _over_budget(config):
        terminalreporter.write_line(f"More than {BUDGET} tests needed a second try, so this run has failed.", red=True)
