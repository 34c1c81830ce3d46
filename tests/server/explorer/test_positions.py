"""Which positions are alike, and that games are counted once and as they went."""

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
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.position import IllegalMove, Position, Rules
from engine.rules.registry import rules
from server.db.explorer import ExplorerRow
from server.explorer.index import Done, index, main
from server.explorer.positions import Place, Played, Walk, entries, symmetry_tables
from server.http.answers.explorer import explorer_answer, walk
from tests.support.database.database_files import new_database
from tests.support.database.played_records import Records, random_game, winner

FLAT = ("tictactoe", "mnk:4,3,3", "mnk:19,19,5", "cube:3", "qubic", "cube:5")
NESTED = ("nine-board", "ultimate", "ultimate:count", "super")


def walked(kind: Rules, cells: list[int]) -> Walk:
    there = Walk(kind)
    for cell in cells:
        there.play(cell)
    return there


# Keys


@pytest.mark.parametrize("game", [*FLAT, *NESTED])
@given(random=st.randoms(use_true_random=False), plies=st.integers(0, 80))
def test_a_turned_position_is_the_same_place(game: str, random: Random, plies: int) -> None:
    kind = rules(game)
    cells = random_game(kind, random, plies)
    turn = random.choice(kind.symmetries)
    here, there = walked(kind, cells), walked(kind, [turn[cell] for cell in cells])
    assert here.place.key == there.place.key
    for cell in here.position.legal_moves():
        same = here.tables.canonical(here.place, cell)
        assert same == there.tables.canonical(there.place, turn[cell])


@pytest.mark.parametrize("game", FLAT)
@given(random=st.randoms(use_true_random=False))
def test_the_order_of_moves_does_not_matter(game: str, random: Random) -> None:
    kind = rules(game)
    cells = random_game(kind, random)[:-1]
    xs, os = cells[::2], cells[1::2]
    random.shuffle(xs)
    random.shuffle(os)
    other = [cell for pair in zip(xs, os, strict=False) for cell in pair] + xs[len(os) :]
    assert walked(kind, cells).place == walked(kind, other).place


def reachable(kind: Rules, plies: int) -> dict[Position, list[int]]:
    """Every position within so many plies, and one way there."""
    found: dict[Position, list[int]] = {kind.initial: []}
    edge = dict(found)
    for _ in range(plies):
        edge = {position.play(move): [*way, move] for position, way in edge.items() for move in position.legal_moves()}
        found |= edge
    return found


@pytest.mark.parametrize(
    ("game", "plies", "classes"),
    # 765 is well known of tic-tac-toe. Qubic has 2 first moves and 35 openings of two.
    [("tictactoe", 9, 765), ("qubic", 2, 1 + 2 + 35)],
)
def test_as_many_keys_as_different_positions(game: str, plies: int, classes: int) -> None:
    kind = rules(game)
    assert len({walked(kind, way).place.key for way in reachable(kind, plies).values()}) == classes


@pytest.mark.parametrize(("game", "plies"), [("mnk:4,3,3", 4), ("cube:3", 3), ("nine-board", 3), ("ultimate", 3)])
def test_keys_tell_apart_what_no_symmetry_makes_alike(game: str, plies: int) -> None:
    kind = rules(game)
    keys: dict[int, Any] = {}
    for position, way in reachable(kind, plies).items():
        assert keys.setdefault(walked(kind, way).place.key, smallest_turn(position)) == smallest_turn(position)
    assert len(set(keys.values())) == len(keys)


def smallest_turn(position: Position) -> Any:
    """The same by brute force, from what may be seen of a position."""
    kind = position.rules
    marks = [(cell, side) for cell in range(kind.cells) if (side := position.mark(cell)) is not None]
    forced = position.forced
    return min(
        (tuple(sorted((turn[cell], side) for cell, side in marks)), turn[9 * forced] // 9 if forced is not None else -1)
        for turn in kind.symmetries
    )


def test_who_won_a_board_of_super_is_part_of_the_place() -> None:
    """Both sides fill a column of board 1, in two orders: the same marks, but another owner."""
    x_column = ["1/2", "2/1", "1/5", "5/1", "1/8", "8/1"]
    to_o = ["1/4", "4/7", "7/1"]
    o_column = ["1/3", "3/1", "1/6", "6/1", "1/9", "9/1"]
    to_x = ["1/7", "7/4", "4/1"]
    kind = rules("super")
    x_first, o_first = (
        walked(kind, [kind.parse_move(text) for text in texts])
        for texts in (x_column + to_o + o_column + to_x, to_o + o_column + to_x + x_column)
    )
    marks = [(there.position.x, there.position.o, there.position.forced) for there in (x_first, o_first)]  # type: ignore[attr-defined]
    assert marks[0] == marks[1]
    assert x_first.position != o_first.position
    assert x_first.place.key != o_first.place.key


@pytest.mark.parametrize(
    ("game", "moves", "key"),
    [
        ("tictactoe", "", 0),
        ("tictactoe", "b2,a1", -9_024_624_046_674_377_737),
        ("qubic", "a1.1,b2.2", -9_169_423_100_941_739_143),
        ("ultimate", "5/5,5/1", -9_015_328_322_751_034_593),
    ],
)
def test_keys_never_change(game: str, moves: str, key: int) -> None:
    """Databases hold them."""
    assert walk(game, moves).place.key == key


def test_cells_are_alike_by_the_symmetry_of_the_position() -> None:
    kind = rules("tictactoe")
    assert sorted(walked(kind, []).legal_by_canonical().values()) == [[0, 2, 6, 8], [1, 3, 5, 7], [4]]
    assert sorted(walked(kind, [0]).legal_by_canonical().values()) == [[1, 3], [2, 6], [4], [5, 7], [8]]
    assert len(walked(kind, [0, 1]).legal_by_canonical()) == 7
    assert walked(kind, [0, 3, 1, 4, 2]).legal_by_canonical() == {}
    assert {len(alike) for alike in walked(rules("qubic"), []).legal_by_canonical().values()} == {16, 48}


def test_an_illegal_move_changes_nothing() -> None:
    there = walked(rules("tictactoe"), [0])
    before = there.place
    with pytest.raises(IllegalMove):
        there.play(0)
    assert there.place == before


# Counting


@pytest.fixture
def records(tmp_path: Path) -> Records:
    return Records(new_database(tmp_path))


def test_counts_are_those_of_a_plain_recount(records: Records) -> None:
    random = Random(3)
    expected: Counter[tuple[str, int, int, str | None]] = Counter()
    newest: dict[tuple[str, int, int], int] = {}
    for id in range(1, 61):
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
    assert done == Done(60, expected.total(), 0)
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


# The answer


def test_moves_come_back_in_the_orientation_that_was_asked_for() -> None:
    kind = rules("tictactoe")
    played = Played(4, 1, [8, 4, 7, 6], "o")
    counted = {(key, cell): ExplorerRow(cell, 0, 0, 1, 4) for _, key, cell in entries(kind, played)}

    def asked(moves: str) -> Any:
        there = walk("tictactoe", moves)
        key = there.place.key
        return explorer_answer(there, moves, [row for (at, _), row in counted.items() if at == key], 0)

    root = asked("")
    assert root.next == []
    assert [(move.move, move.alike) for move in root.set_up] == [("a1", ["c1", "a3", "c3"])]
    for corner in ("a1", "c1", "a3", "c3"):
        assert [(move.move, move.alike) for move in asked(corner).next] == [("b2", [])]
    # a1 b2: b1 and a2 are alike, once c1 b2 is played b1 and c2 are.
    assert [(move.move, move.alike) for move in asked("a1,b2").next] == [("b1", ["a2"])]
    assert [(move.move, move.alike) for move in asked("c1,b2").next] == [("b1", ["c2"])]
    assert [move.move for move in asked("c1,b2,c2").next] == ["c3"]
    assert asked("a1,b2,c3").next == []


def test_places_are_of_all_symmetries_that_fit() -> None:
    kind = rules("tictactoe")
    assert symmetry_tables(kind).place(0) == Place(0, tuple(range(8)))
    assert len(walked(kind, [0]).place.symmetries) == 2
    assert len(walked(kind, [0, 1]).place.symmetries) == 1
