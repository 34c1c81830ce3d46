"""The statistics of known games, in text and as data."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from msgspec import to_builtins

from client.lab.outputs import Record
from client.lab.simulate import statistics
from client.sdk.text import width
from engine.bots import match
from engine.bots.match import Pairing, Played, Task, one_sided_tasks
from engine.bots.roster import bot
from engine.record.model import GameRecord, RecordedMove
from engine.rules.limit import Limit
from engine.rules.position import O, Side, X, play_all
from engine.rules.registry import rules
from engine.rules.termination import Termination

PAIRING = Pairing("tictactoe", bot("alphabeta:2"), bot("random"), 0, seed=4, plies=0)
X_WINS = "a1 a2 b1 b2 c1"
O_WINS = "a1 b2 a3 b1 c2 b3"
TIE = "a1 b1 c1 a2 c2 b2 a3 c3 b3"


def task(number: int, a_side: Side = X) -> Task:
    return replace(one_sided_tasks(PAIRING, 10)[number], a_side=a_side)


def game(moves: str, number: int = 0, a_side: Side = X) -> Played:
    """Move n takes n + 1 ms."""
    parse = rules("tictactoe").parse_move
    recorded = tuple(RecordedMove(parse(text), think_us=1000 * ply) for ply, text in enumerate(moves.split(), 1))
    position = play_all(rules("tictactoe").initial, (move.cell for move in recorded))
    assert position.outcome is not None
    return _played(task(number, a_side), recorded, position.outcome.winner, position.outcome.termination)


def _played(
    of: Task, moves: tuple[RecordedMove, ...], winner: Side | None, termination: Termination, fault: str | None = None
) -> Played:
    player = match._player(of.x)
    record = GameRecord("tictactoe", x=player, o=player, moves=moves, winner=winner, termination=termination)
    return Played(of, record, fault)


GAMES = [game(X_WINS), game(O_WINS, 1), game(TIE, 2), game(X_WINS, 3)]


def test_what_his_program_prints() -> None:
    found = statistics.statistics(PAIRING, False, reversed(GAMES))
    assert (found.games, found.x.wins, found.o.wins, found.ties) == (4, 2, 1, 1)
    assert found.x.moves_to_win is not None
    assert found.o.moves_to_win is not None
    assert found.moves_to_end is not None
    assert (found.x.moves_to_win.mean, found.o.moves_to_win.mean) == (3, 3)
    assert found.moves_to_end.mean == (5 + 6 + 9 + 5) / 4
    # X makes the moves 1, 3, 5, ... of a game and O 2, 4, ...; move n takes n ms.
    assert (found.x.moves, found.x.total_ms) == (3 + 3 + 5 + 3, 9 + 9 + 25 + 9)
    assert (found.o.moves, found.o.total_ms) == (2 + 3 + 4 + 2, 6 + 12 + 20 + 6)
    assert found.x.move_ms == pytest.approx(52 / 14)
    assert found.total_ms == 52 + 44
    assert found.game_ms is not None
    assert found.game_ms.mean == 96 / 4
    assert found.terminations == {"line": 3, "board_full": 1}
    low, high = found.x.wins_interval
    assert 0 < low < 0.5 < high < 1


@pytest.mark.parametrize(("moves", "side"), [("b2 a3 c3 b3 c2 a1 c1", X), ("a3 b3 a1 a2 c3 c2 c1 b2", O)])
def test_the_winners_own_moves_are_counted(moves: str, side: Side) -> None:
    """Not the loser's, as in two of Bragstad's tables."""
    won = game(moves)
    found = statistics.statistics(PAIRING, False, [won])
    assert won.record.winner == side
    told = found.x if side == X else found.o
    assert told.moves_to_win is not None
    assert told.moves_to_win.mean == 4


def test_swapped_sides_are_told_for_the_bots_too() -> None:
    games = [game(X_WINS, 0, X), game(X_WINS, 1, O), game(O_WINS, 2, O), game(TIE, 3, X)]
    found = statistics.statistics(PAIRING, True, games)
    assert (found.x.wins, found.o.wins) == (2, 1)
    assert found.first_bot == Record(won=2, drawn=1, lost=1)
    shown = statistics.lines(found)
    assert shown[0] == "alphabeta:2 against random, sides swapped: tictactoe, 4 games, seed 4"
    assert "first bot         2 won, 1 drawn, 1 lost" in shown
    assert "second bot        1 won, 1 drawn, 2 lost" in shown


def test_the_text() -> None:
    assert statistics.lines(statistics.statistics(PAIRING, False, GAMES[:1])) == [
        "alphabeta:2 (X) against random (O): tictactoe, 1 game, seed 4",
        "X wins            1 (100.0 %, 20.7 to 100.0)",
        "O wins            0 (0.0 %, 0.0 to 79.3)",
        "ties              0 (0.0 %, 0.0 to 79.3)",
        "average game      15.000 ms, moves only",
        "all games         15.000 ms, moves only",
        "X average move    3.0000 ms; all 3 moves 9.000 ms",
        "O average move    3.0000 ms; all 2 moves 6.000 ms",
        "X moves to win    3.00",
        "O moves to win    -",
        "moves to the end  5.00",
        "ended by          line 1",
        "faults            0",
    ]
    limited = replace(PAIRING, a_limit=Limit(depth=3), b_limit=Limit(depth=3))
    head = statistics.lines(statistics.statistics(limited, False, GAMES))[0]
    assert head == "alphabeta:2 (X) against random (O): tictactoe, 4 games, depth=3, seed 4"


@pytest.mark.parametrize("icons", [("X", "O"), ("❌", "⭕"), ("猫", "o"), ("xx", "o")])
def test_icons_of_any_width_keep_the_columns(icons: tuple[str, str]) -> None:
    shown = statistics.lines(statistics.statistics(PAIRING, False, GAMES, icons))
    assert shown[1].startswith(f"{icons[0]} wins ")
    assert shown[2].startswith(f"{icons[1]} wins ")
    plain = statistics.lines(statistics.statistics(PAIRING, False, GAMES))
    starts = {width(line) - width(plain_line) for line, plain_line in zip(shown[1:], plain[1:], strict=True)}
    assert len(starts) == 1, "every row is moved by the same columns"


def test_no_games_have_no_figures() -> None:
    found = statistics.statistics(PAIRING, False, [])
    assert statistics.lines(found)[1:4] == ["X wins            -", "O wins            -", "ties              -"]
    told = to_builtins(found)
    assert (told["games"], told["game_ms"], told["moves_to_end"], told["ties_share"]) == (0, None, None, None)
    assert (told["x"]["wins_share"], told["x"]["move_ms"], told["x"]["moves_to_win"]) == (None, None, None)
    json.dumps(told, allow_nan=False)


def test_faults_are_told_and_are_no_wins_on_the_board() -> None:
    forfeit = _played(task(1), (), X, "crash", "Game 2, move 1: random (O) raised an error.")
    aborted = _played(task(2), (), None, "aborted", "Game 3 was aborted.")
    found = statistics.statistics(PAIRING, False, [GAMES[0], forfeit, aborted])
    assert (found.games, found.x.wins) == (2, 2)
    assert found.x.moves_to_win is not None
    assert found.x.moves_to_win.mean == 3
    assert statistics.lines(found)[-3:] == [
        "faults            2",
        "  Game 2, move 1: random (O) raised an error.",
        "  Game 3 was aborted.",
    ]


def test_the_data() -> None:
    told = to_builtins(statistics.statistics(replace(PAIRING, a_limit=Limit(depth=3)), False, GAMES[:1]))
    assert told["bots"] == [
        {"name": "alphabeta:2", "version": bot("alphabeta:2").version, "limit": {"depth": 3}},
        {"name": "random", "version": 1, "limit": None},
    ]
    assert (told["game"], told["games"], told["seed"], told["sides_swapped"]) == ("tictactoe", 1, 4, False)
    assert told["x"]["moves_to_win"] == {"mean": 3, "low": None, "high": None}
    assert (told["x"]["wins"], told["x"]["wins_share"], told["x"]["moves"], told["x"]["total_ms"]) == (1, 1, 3, 9)
    assert told["terminations"] == {"line": 1}
    json.dumps(told, allow_nan=False)
