"""Games are counted once and as they went."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from engine.rules.registry import rules
from server.explorer.index import Done, index, main
from tests.support.database.database_files import new_database
from tests.support.database.played_records import Records, random_game, walked, winner


@pytest.fixture
def records(tmp_path: Path) -> Records:
    return Records(new_database(tmp_path))


def test_counts_are_those_of_a_plain_recount(records: Records) -> None:
    random = Random(3)
    expected: Counter[tuple[str, int, int, str | None]] = Counter()
    newest: dict[tuple[str, int, int], int] = {}
    for id in range(1, 25):
        game = ("tictactoe", "ultimate", "qubic")[id % 3]
        kind = rules(game)
        cells, set_up = random_game(kind, random), id % 4
        records.add(id, cells, game=game, set_up=set_up)
        for ply, cell in enumerate(cells):
            there = walked(kind, cells[:ply])
            canonical = min(there.tables.symmetries[number][cell] for number in there.place.symmetries)
            entry = (game, there.place.key, canonical if ply >= set_up else -1 - canonical)
            expected[(*entry, winner(kind, cells))] += 1
            newest[entry] = id
    done = records.index(batch_games=7)
    assert done == Done(24, expected.total(), 0)
    assert records.counted() == {
        entry: (*(expected[(*entry, who)] for who in ("x", None, "o")), last) for entry, last in newest.items()
    }


def test_only_finished_public_games_that_count_are_counted(records: Records) -> None:
    cells = [0, 3, 1, 4, 2]
    records.add(1, cells, private=1)
    records.add(2, [], ended_ms=None, winner=None, termination=None, plies=None)
    records.add(3, cells, termination="aborted", winner=None)
    assert records.unexplored == 0
    assert records.index() == Done(0, 0, 0)
    records.add(4, cells[:3], termination="resignation", winner="o")
    assert records.unexplored == 1
    assert records.index() == Done(1, 3, 0)
    assert sum(x_won for x_won, *_ in records.counted().values()) == 0
    # The one that ran ends: its id is lower than those that are counted.
    with records.opened() as connection:
        connection.execute("UPDATE games SET ended_ms = 9, termination = 'line', winner = 'x', plies = 0 WHERE id = 2")
    assert records.index() == Done(1, 0, 0)
    assert records.unexplored == 0


def test_counting_again_counts_nothing_twice(records: Records) -> None:
    records.add(1, [0, 3, 1, 4, 2])
    assert records.index() == Done(1, 5, 0)
    before = records.counted()
    assert records.index() == Done(0, 0, 0)
    assert records.counted() == before
    records.add(2, [0, 3, 1, 4, 2])
    assert records.index() == Done(1, 5, 0)
    assert records.counted() == dict.fromkeys(before, (2, 0, 0, 2))


@pytest.mark.parametrize("batch_games", [1, 10])
def test_the_last_game_is_the_one_that_began_last_whatever_was_counted_last(records: Records, batch_games: int) -> None:
    for number, (id, began_ms) in enumerate([(5, 300), (2, 200), (6, 100), (3, 400)], 1):
        records.add(id, [0, 3, 1, 4, 2], started_ms=began_ms, ended_ms=began_ms + 1)
        if batch_games == 1:
            records.index()
            assert set(records.counted().values()) == {(number, 0, 0, 3 if id == 3 else 5)}
    records.index(batch_games=batch_games)
    assert set(records.counted().values()) == {(4, 0, 0, 3)}


class Killed(BaseException):
    """As if the process were gone."""


def test_whoever_is_killed_in_the_middle_counts_whole_batches_once(records: Records) -> None:
    for id in range(1, 8):
        records.add(id, [0, 3, 1, 4, 2])

    def killed_at(batch: int) -> Callable[[], None]:
        commits = iter(range(1, batch + 1))

        def before_commit() -> None:
            if next(commits) == batch:
                raise Killed

        return before_commit

    with pytest.raises(Killed):
        records.index(batch_games=2, before_commit=killed_at(3))
    assert records.unexplored == 3
    assert {count[0] for count in records.counted().values()} == {4}
    assert records.index(batch_games=2) == Done(3, 15, 0)
    assert {count[0] for count in records.counted().values()} == {7}


def test_two_at_once_count_each_game_once(records: Records) -> None:
    """The second one takes games while the first is about to commit the same."""
    for id in range(1, 6):
        records.add(id, [0, 3, 1, 4, 2])
    inner: list[Done] = []

    class Late(sqlite3.Connection):
        """Reads a batch, and finds at its own turn that another was first."""

        def executemany(self, sql: str, parameters: Any, /) -> sqlite3.Cursor:
            return super().executemany(sql, parameters)

        def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
            if sql == "BEGIN IMMEDIATE" and not inner:
                inner.append(records.index(batch_games=3))
            return super().execute(sql, parameters)

    with closing(sqlite3.connect(records.path, isolation_level=None, factory=Late)) as connection:
        assert index(connection, batch_games=2) == Done(0, 0, 0)
    assert inner == [Done(5, 25, 0)]
    assert {count[0] for count in records.counted().values()} == {5}


def test_games_that_break_the_rules_are_left_out_and_not_asked_again(records: Records) -> None:
    records.add(1, [0, 0, 1])
    records.add(2, [0, 99])
    records.add(3, [0, 3, 1, 4, 2])
    records.add(4, [0], start='["z9"]')
    records.add(5, [0], start="7")
    records.add(6, [0, 3, 1, 4, 2], game="tictactoe")
    with records.opened() as connection:
        connection.execute("UPDATE games SET game = 'chess' WHERE id = 6")
    assert records.index() == Done(1, 5, 5)
    assert records.unexplored == 0
    assert set(records.counted().values()) == {(1, 0, 0, 3)}


def test_the_command(records: Records) -> None:
    records.add(1, [0, 3, 1, 4, 2])
    records.add(2, [0, 0])
    result = CliRunner().invoke(main, ["--db", str(records.path)])
    assert result.exit_code == 0
    assert result.stdout.startswith("Counted 5 moves in 1 games in ")
    assert result.stderr == "1 games are excluded: their moves break the rules.\n"
    missing = CliRunner().invoke(main, ["--db", str(records.path.with_name("none.db"))])
    assert missing.exit_code == 1
    assert missing.stderr.startswith("Error: There is no database")
