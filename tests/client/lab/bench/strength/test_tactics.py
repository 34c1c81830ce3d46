"""The positions of `noughts bench tactics`, and how a bot's answers are counted."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from click.testing import CliRunner

from client.lab.bench.command import bench
from client.lab.bench.strength import tactics
from client.lab.bench.strength.continuous_fours import ContinuousFours
from client.lab.bench.strength.tactics import Puzzle, puzzles, scores, solves
from engine.bots.player import Limit
from engine.bots.roster import bot
from engine.rules.flat import FlatPosition


def test_each_game_has_its_kinds() -> None:
    counted = Counter((puzzle.game, puzzle.kind) for puzzle in puzzles())
    for game in ("mnk:5,5,4", "qubic"):
        assert counted[game, "win"] == counted[game, "save"] == 15
    assert [counted["gomoku", kind] for kind in ("fours", "save", "win")] == [20, 5, 15]
    assert [counted["nine-board", "win"], counted["ultimate", "win"], counted["ultimate", "save"]] == [8, 8, 8]
    assert counted.total() == 124


@pytest.mark.parametrize("game", ["mnk:5,5,4", "qubic", "gomoku", "nine-board", "ultimate"])
def test_the_moves_that_solve_a_position_are_legal_and_others_are_too(game: str) -> None:
    for puzzle in puzzles():
        if puzzle.game == game:
            position = puzzle.position()
            best = [position.rules.parse_move(text) for text in puzzle.best.split()]
            assert best
            assert all(position.is_legal(move) for move in best)
            assert len(best) < len(position.legal_moves())


def test_wins_by_fours_are_such_and_no_longer_than_they_say() -> None:
    """Plain Python finds one that long, and that the first move of `best` begins it."""
    for puzzle in [puzzle for puzzle in puzzles() if puzzle.kind == "fours"][:4]:
        position = puzzle.position()
        assert isinstance(position, FlatPosition)
        slow = ContinuousFours(position.rules)
        assert 11 <= slow.shortest(position, puzzle.plies) == puzzle.plies <= 21
        best = {position.rules.format_move(move) for move in slow.winning(position, puzzle.plies)}
        assert best == set(puzzle.best.split())


def test_strongest_misses_no_win_by_fours_in_a_tenth_of_a_second() -> None:
    """In a tenth of the nodes that it makes in that time beside other programs."""
    (score,) = scores(bot("strongest"), Limit(nodes=12_000), [one for one in puzzles() if one.kind == "fours"])
    assert score.missed == []


def test_strongest_misses_nothing_on_qubic() -> None:
    """In a few milliseconds each."""
    found = scores(bot("strongest"), Limit(nodes=5_000), [one for one in puzzles() if one.game == "qubic"])
    assert [(score.kind, score.solved, score.missed) for score in found] == [("win", 15, []), ("save", 15, [])]


def test_a_win_in_one_is_solved_by_who_sees_it() -> None:
    position = Puzzle("tictactoe", "win", "b2 a2 a1 c2", "c3", 1)
    assert solves(bot("alphabeta:2"), position, Limit(nodes=100)) == (True, "c3")


def test_a_move_that_does_not_save_is_counted_as_missed() -> None:
    wrong = Puzzle("tictactoe", "save", "b2 a1 c3", "b1", 0)
    (score,) = scores(bot("alphabeta:4"), Limit(nodes=1_000), [wrong])
    assert (score.solved, score.of) == (0, 1)
    assert score.missed[0].startswith("b2 a1 c3 | ")


def test_it_prints_what_was_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [Puzzle("tictactoe", "win", "b2 a2 a1 c2", "c3", 1), Puzzle("tictactoe", "save", "b2 a1 c3", "b1", 0)]
    monkeypatch.setattr(tactics, "puzzles", lambda: some)
    done = CliRunner().invoke(bench, ["tactics", "--bot", "alphabeta:4", "--nodes", "1000"])
    assert done.exit_code == 0
    assert done.output.splitlines()[0] == "tictactoe  win     1 of 1"
    assert done.output.splitlines()[-1] == "1 of 2 solved by alphabeta:4."
    told = json.loads(
        CliRunner().invoke(bench, ["tactics", "--bot", "alphabeta:4", "--nodes", "1000", "--json"]).output
    )
    assert [score["solved"] for score in told["scores"]] == [1, 0]


def test_a_game_without_positions_is_refused() -> None:
    done = CliRunner().invoke(bench, ["tactics", "--game", "tictactoe"])
    assert done.exit_code == 2
    assert "There are no positions of tictactoe: choose mnk:5,5,4" in done.output


def test_a_bot_that_does_not_play_a_game_is_refused() -> None:
    done = CliRunner().invoke(bench, ["tactics", "--bot", "osipa"])
    assert done.exit_code == 2
    assert "osipa" in done.output
