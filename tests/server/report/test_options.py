"""Which games a report is of: `--since`, and the choice in words."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from server.report.options import chosen, since_option


@click.command
@since_option
def told(since_ms: int | None) -> None:
    click.echo(f"{since_ms} {chosen('qubic', since_ms)}")


@pytest.mark.parametrize(
    ("since", "words"),
    [
        ([], "None games of qubic"),
        (["--since", "1970-01-02"], "86400000 games of qubic since 1970-01-02 00:00 (UTC)"),
        (["--since", "1970-01-02T00:00:00.001+01:00"], "82800001 games of qubic since 1970-01-01 23:00 (UTC)"),
        (["--since", "0001-01-01"], "-62135596800000 games of qubic since 0001-01-01 00:00 (UTC)"),
        (["--since", "9999-12-31T23:59"], "253402300740000 games of qubic since 9999-12-31 23:59 (UTC)"),
    ],
)
def test_the_choice_in_words(since: list[str], words: str) -> None:
    done = CliRunner().invoke(told, since)
    assert (done.stdout, done.exit_code) == (f"{words}\n", 0)


def test_all_games_are_all() -> None:
    assert chosen(None, None) == "all games"


@pytest.mark.parametrize("since", ["", "yesterday", "2026-02-30", "9999-12-31T23:59-12:00", "0001-01-01T00:00+14:00"])
def test_what_is_no_date(since: str) -> None:
    done = CliRunner().invoke(told, ["--since", since])
    assert (done.exit_code, f"'{since}' is not a date: write it as 2026-11-21" in done.stderr) == (2, True)
