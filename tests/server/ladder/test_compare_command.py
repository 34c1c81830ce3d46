"""`noughts ladder runs` and `compare` as they are typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.cli import main as cli
from tests.support.database.database_files import execute, new_database
from tests.support.ladder.records import add_list, add_nights
from tests.support.schemas import checked

BOTS = ("level:2", "alphabeta:2", "random")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_database(tmp_path)


def run(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = cli._status(["ladder", *map(str, arguments)])
    shown = capfd.readouterr()
    return status, shown.out, shown.err


def test_the_runs_that_there_are(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "has no ladder yet" in run(capfd, "runs", "--db", path)[1]
    add_list(path, bots=BOTS)
    add_nights(path)
    status, out, _ = run(capfd, "runs", "--db", path)
    lines = out.splitlines()
    assert (status, len(lines)) == (0, 4)
    assert lines[0].startswith("night/small/000000000000  12 games, begun 20")
    assert lines[1].startswith("  night@1  6 games, 20")
    told = checked("ladder runs", run(capfd, "runs", "--db", path, "--json")[1])
    assert [night["night"] for night in told["ladders"][0]["nights"]] == [1, 2, 3]
    assert told["ladders"][0]["lists"][0]["run"] == "night/small/000000000000"


def test_a_run_of_no_year_is_told_too(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    add_list(path, bots=BOTS)
    execute(path, "UPDATE ladder_lists SET created_ms = 9000000000000000")
    status, out, _ = run(capfd, "runs", "--db", path)
    assert (status, out) == (0, "night/small/000000000000  12 games, begun an impossible time\n")


def test_two_nights(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "other"):
        add_list(path, list=name, bots=BOTS, pairs=4)
    add_nights(path)
    status, out, err = run(capfd, "compare", "night@1", "night", "--db", path)
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == 2 * (1 + 3 + 1)
    told = checked("ladder compare", run(capfd, "compare", "night/one@1", "night/other@2", "--db", path, "--json")[1])
    [one] = told["lists"]
    assert (one["list"], one["before"]["games"], one["after"]["games"]) == ("other", 6, 12)


def test_what_cannot_be_compared(path: Path, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    add_list(path, bots=BOTS)
    add_list(path, list="other", bots=BOTS)
    add_list(path, ladder="noon", list="large", game="mnk:4,4,4", bots=BOTS)
    cases = [
        ("night/small", "noon", "is of tictactoe and noon/large/000000000000 of mnk:4,4,4: compare two of one game."),
        ("night", "noon", "The runs have no list in common: other, small and large."),
        ("night", "day", "There is no run 'day'"),
    ]
    for before, after, sentence in cases:
        status, out, err = run(capfd, "compare", before, after, "--db", path)
        assert (status, out) == (2, "")
        assert sentence in err
    status, _, err = run(capfd, "compare", "night", "night", "--db", tmp_path / "none.db")
    assert (status, "There is no database" in err) == (1, True)


def test_the_history_of_a_run(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    add_list(path, bots=BOTS, pairs=4)
    add_nights(path)
    out = run(capfd, "history", "night", "--db", path, "--points", 3)[1].splitlines()
    assert out[1].split() == ["games", "8", "16", "24"]
    assert {line.split()[0] for line in out[2:]} == {*BOTS}
    last = [int(line.split()[-1]) for line in out[2:]]
    assert last == sorted(last, reverse=True)
    [one] = checked("ladder history", run(capfd, "history", "night@2", "--db", path, "--points", 2, "--json")[1])[
        "lists"
    ]
    assert one["games"] == [6, 12]
    assert one["ended_ms"] == sorted(one["ended_ms"])
    assert one["run"] == "night/small/000000000000"
    for bot in one["bots"]:
        assert all(
            low < rating < high for low, rating, high in zip(bot["low"], bot["rating"], bot["high"], strict=True)
        )
    assert run(capfd, "history", "day", "--db", path)[0] == 2


def test_a_run_without_games_has_no_history(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    add_list(path, bots=BOTS, pairs=0)
    [one] = checked("ladder history", run(capfd, "history", "night", "--db", path, "--json")[1])["lists"]
    assert (one["games"], one["bots"]) == ([], [])
    assert len(run(capfd, "history", "night", "--db", path)[1].splitlines()) == 2
