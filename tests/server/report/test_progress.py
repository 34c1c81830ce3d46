"""The line that says what is being made."""

from __future__ import annotations

import pytest

from server.report.progress import Progress


def test_a_line_replaces_the_one_before_and_is_gone_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    line = Progress(is_shown=True)
    line("Reading 10 games")
    line("Drawing")
    line.end()
    assert capsys.readouterr().err == "\rReading 10 games\rDrawing         \r       \r"


def test_a_line_fits_the_window(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    Progress(is_shown=True)("Reading 12,000 of 67,214 games")
    assert capsys.readouterr().err == "\rReading 12,000 of 6"


def test_nothing_is_shown_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    line = Progress(is_shown=False)
    line("Reading")
    line.end()
    assert capsys.readouterr().err == ""
