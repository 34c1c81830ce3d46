"""Options that are numbers."""

from __future__ import annotations

import click
import pytest

from client.cli import main as cli
from server.console.finite import FiniteRange


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "2"])
def test_numbers_out_of_range_are_refused(text: str) -> None:
    assert FiniteRange(0, 1).convert("0.5", None, None) == 0.5
    with pytest.raises(click.BadParameter):
        FiniteRange(0, 1).convert(text, None, None)


@pytest.mark.parametrize(
    "command",
    [
        "learn nine-board --mix",
        "bench soak --hours",
        "bench soak --life-minutes",
        "bench cube --seconds",
        "ladder run none.toml --hours",
        "sql --timeout",
    ],
)
def test_no_command_takes_nan(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli._status([*command.split(), "nan"]) == 2
    assert "nan is not a finite number" in capfd.readouterr().err
