"""Games between two bots, the list of games of a match, and bots that do wrong."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.bots import roster
from engine.bots.match import MoveWatch, Pairing, Task, forfeited, one_sided_tasks, play, tasks, warm_up
from engine.bots.player import Limit, decide
from engine.bots.roster import Bot, BotEntry, bot
from engine.record.model import Limits
from engine.record.tagged_text import to_text
from engine.rules.position import IllegalMove, Position, Side
from engine.rules.registry import rules
from engine.search.decision import Decision
from tests.support.engine.bot_games import play_game
from tests.support.engine.games import GAME_IDS, replay
from tests.support.engine.record_reader import from_text

QUBIC = Pairing("qubic", bot("alphabeta:1"), bot("random"), 3, Limit(nodes=200), Limit(depth=1), seed=5)
TICTACTOE = Pairing("tictactoe", bot("random"), bot("random"), 2)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_game_is_played_to_its_end_and_recorded(game_id: str) -> None:
    limits: dict[Side, Limit] = {"x": Limit(nodes=300), "o": Limit(depth=1)}
    record = play_game(bot("alphabeta"), bot("random"), rules(game_id), limits, seed=2)
    assert record.final_position().outcome is not None
    assert (record.x.name, record.o.name) == ("alphabeta:2", "random")
    assert all(move.nodes is None or move.nodes <= 300 for move in record.moves)
    assert all(move.think_ms is None for move in record.moves)
    assert record.limits == Limits(Limit(nodes=300), Limit(depth=1))
    assert from_text(to_text(record)) == record


def test_the_seed_makes_the_game() -> None:
    game = rules("qubic")
    one, two, three = (play_game(bot("alphabeta:2"), bot("random"), game, seed=seed) for seed in (1, 1, 2))
    assert one == two
    assert one.cells() != three.cells()


def test_a_game_goes_on_from_its_start() -> None:
    record = play_game(bot("random"), bot("random"), rules("ultimate"), start=(40, 36))
    assert record.start == (40, 36)
    assert record.cells()[:2] == (40, 36)
    with pytest.raises(IllegalMove):
        play_game(bot("random"), bot("random"), rules("ultimate"), start=(40, 40))
    with pytest.raises(IllegalMove, match="a finished game"):
        play_game(bot("random"), bot("random"), rules("tictactoe"), start=(0, 3, 1, 4, 2))


def test_looking_ahead_beats_random_moves() -> None:
    won = 0
    for seed in range(10):
        record = play_game(bot("alphabeta:2"), bot("random"), rules("qubic"), seed=seed)
        won += record.winner == "x"
        record = play_game(bot("random"), bot("alphabeta:2"), rules("qubic"), seed=seed)
        won += record.winner == "o"
    assert won == 20


class FakeWatch(MoveWatch):
    """A clock that stands at so many microseconds."""

    def __init__(self, us: int) -> None:
        self.us = us

    def elapsed_us(self) -> int:
        return self.us


def test_each_move_has_a_watch_of_its_own() -> None:
    seen: list[tuple[int, ...]] = []

    def watches(moves: Sequence[int]) -> FakeWatch:
        seen.append(tuple(moves))
        return FakeWatch(1500 * len(moves))

    task = tasks(QUBIC)[0]
    played = play(task, watches)
    cells = played.record.cells()
    assert seen == [cells[:ply] for ply in range(2, len(cells))]
    assert played.think_us == tuple(1500 * ply for ply in range(2, len(cells)))
    assert [move.think_ms for move in played.record.moves] == [us // 1000 for us in played.think_us]


def test_without_a_limit_the_record_has_none() -> None:
    record = play_game(bot("random"), bot("random"), rules("tictactoe"))
    assert record.limits is None
    limits: dict[Side, Limit] = {"x": Limit(), "o": Limit(nodes=9)}
    assert play_game(bot("random"), bot("random"), rules("tictactoe"), limits).limits == Limits(None, Limit(nodes=9))


def test_the_games_of_a_pair_share_the_opening_and_swap_sides() -> None:
    listed = tasks(QUBIC)
    assert [task.number for task in listed] == list(range(6))
    assert [task.pair for task in listed] == [0, 0, 1, 1, 2, 2]
    for one, two in zip(listed[::2], listed[1::2], strict=True):
        assert one.start == two.start
        assert (one.x, one.x_limit, one.a_side) == (QUBIC.a, QUBIC.a_limit, "x")
        assert (two.o, two.o_limit, two.a_side) == (QUBIC.a, QUBIC.a_limit, "o")
        assert (one.o, two.x) == (QUBIC.b, QUBIC.b)
        assert one.limits["o"] == two.limits["x"] == QUBIC.b_limit
    assert len({task.seed for task in listed}) == 6
    assert len({task.start for task in listed}) == 3


def test_the_list_is_made_by_its_arguments_alone() -> None:
    assert tasks(QUBIC) == tasks(QUBIC)
    assert tasks(replace(QUBIC, pairs=5))[:6] == tasks(QUBIC)
    assert tasks(replace(QUBIC, seed=6)) != tasks(QUBIC)
    with pytest.raises(ValueError, match="No game of tictactoe"):
        tasks(replace(TICTACTOE, plies=9))


def test_tasks_and_games_travel_between_processes() -> None:
    task = tasks(QUBIC)[1]
    played = play(task)
    assert pickle.loads(pickle.dumps(task)) == task
    assert pickle.loads(pickle.dumps(played)) == played
    assert play(task) == played
    assert played.record.pair == 0
    assert played.record.seed == task.seed
    assert played.fault is None


def test_points_are_those_of_the_first_bot() -> None:
    points: dict[tuple[str, str | None], float | None] = {}
    for task in tasks(replace(TICTACTOE, pairs=60)):
        played = play(task)
        points[task.a_side, played.record.winner] = played.a_points
    assert points == {("x", "x"): 1, ("x", "o"): 0, ("o", "x"): 0, ("o", "o"): 1, ("x", None): 0.5, ("o", None): 0.5}


def raising(*_: Any) -> Decision:
    raise RuntimeError("the sky\n fell")


def playing_the_first_cell(*_: Any) -> Decision:
    return Decision(0)


def answering_nothing(*_: Any) -> None:
    return None


def playing_what_is_legal(values: tuple[int, ...], position: Position, *_: Any) -> Decision:
    return Decision(position.legal_moves()[0])


@pytest.fixture
def bad_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for function in (raising, playing_the_first_cell, answering_nothing):
        family = function.__name__
        entry = BotEntry(family, family, "Does wrong.", "a test", 1, f"{__name__}:{family}")
        monkeypatch.setitem(roster._BY_ALIAS, family, entry)
        monkeypatch.setitem(roster._BY_FAMILY, family, entry)
    yield
    roster.bot.cache_clear()


def bad_task(name: str, a_side: str = "x") -> Task:
    listed = tasks(Pairing("tictactoe", bot(name), bot("random"), 1, plies=2))
    return next(task for task in listed if task.a_side == a_side)


@pytest.mark.usefixtures("bad_bots")
@pytest.mark.parametrize("a_side", ["x", "o"])
@pytest.mark.parametrize(
    ("name", "termination", "sentence"),
    [
        ("raising", "crash", "raised RuntimeError: the sky fell."),
        ("playing_the_first_cell", "illegal_move", "played the illegal move 0."),
        ("answering_nothing", "crash", "raised AttributeError"),
    ],
)
def test_what_a_bot_does_wrong_costs_it_the_game(name: str, termination: str, sentence: str, a_side: str) -> None:
    task = bad_task(name, a_side)
    played = play(task, lambda moves: FakeWatch(1))
    assert played.record.termination == termination
    assert played.a_points == 0
    assert played.record.winner == ("o" if a_side == "x" else "x")
    assert replay("tictactoe", list(played.record.cells())).to_move == a_side
    assert played.fault is not None
    assert sentence in played.fault
    assert f"{name} ({a_side.upper()})" in played.fault
    assert "\n" not in played.fault
    assert len(played.think_us) == len(played.record.moves)
    assert from_text(to_text(played.record)) == played.record


def test_a_bot_may_need_longer_for_its_first_move(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = playing_what_is_legal.__name__
    entry = BotEntry(slow, slow, "Has to be started.", "a test", 1, f"{__name__}:{slow}", first_ms=900)
    monkeypatch.setitem(roster._BY_FAMILY, slow, entry)
    limit = Limit(move_ms=100)
    pairing = Pairing("tictactoe", Bot(slow, slow, (), 1), bot("random"), 1, limit, limit, plies=0)
    played = play(tasks(pairing)[0], lambda moves: FakeWatch(0 if len(moves) % 2 else 900_000), overrun_ms=0)
    assert played.fault == f"Game 1, move 3: {slow} (X) took 900 ms of its 100."


@pytest.mark.usefixtures("bad_bots")
def test_elsewhere_what_a_bot_raises_is_not_hidden() -> None:
    with pytest.raises(RuntimeError, match="the sky"):
        decide(bot("raising"), rules("tictactoe").initial)
    warm_up(bot("raising"), rules("tictactoe"))


def test_a_lost_process_forfeits_for_the_side_to_move() -> None:
    task = tasks(TICTACTOE)[1]
    move = next(move for move in range(9) if move not in task.start)
    lost = forfeited(task, [move], "o", "crash", "died")
    assert (lost.record.winner, lost.record.termination, lost.a_points) == ("x", "crash", 0)
    assert lost.record.cells() == (*task.start, move)
    assert lost.fault == "Game 2, move 4: random (O) died."
    nobodys = forfeited(task, [], None, "crash", "died twice")
    assert (nobodys.record.winner, nobodys.record.termination, nobodys.a_points) == (None, "aborted", None)
    assert nobodys.fault == "Game 2 was aborted: its process died twice."


def test_what_could_never_be_played_is_refused() -> None:
    task = tasks(TICTACTOE)[0]
    with pytest.raises(IllegalMove):
        play(replace(task, start=(4, 4)))


def test_one_sided_tasks_have_a_as_x_and_a_seed_of_their_own() -> None:
    games = one_sided_tasks(QUBIC, 5)
    assert [task.number for task in games] == [task.pair for task in games] == list(range(5))
    assert {(task.x, task.o, task.a_side, task.start) for task in games} == {(QUBIC.a, QUBIC.b, "x", ())}
    assert {(task.x_limit, task.o_limit) for task in games} == {(QUBIC.a_limit, QUBIC.b_limit)}
    assert len({task.seed for task in games}) == 5
    assert one_sided_tasks(QUBIC, 3) == games[:3]
    assert one_sided_tasks(replace(QUBIC, seed=6), 1)[0].seed != games[0].seed
