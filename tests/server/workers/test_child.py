"""What a worker does with one job, and what it tells meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.analysis.verdict import MoveVerdict
from engine.bots.player import Decision
from engine.bots.roster import bot
from engine.rules.limit import Limit
from engine.search import table, tree_memory
from engine.search.finding import Stopped
from engine.search.warm import TREES
from server.workers import child
from server.workers.child import Answered, Asked, Done, Failed, GameOver, Job, Ready, ReviewJob, answer
from server.workers.engines import playing
from server.workers.engines.engine import Engine
from server.workers.engines.remembered import LOST
from server.workers.slot import PV_LENGTH, SearchSlot
from tests.support.foreign_engines.scripts import SCRIPT, engine
from tests.support.workers.worker_office import job


@pytest.mark.parametrize("budget_ms", [1, 1000])
def test_no_move_with_a_limit_of_time_comes_without_a_search(budget_ms: int) -> None:
    job = Job(bot=bot("strongest"), game="qubic", cells=(0, 1), limit=Limit(move_ms=1), seed=0, budget_ms=budget_ms)
    done = answer(job, SearchSlot())
    assert isinstance(done, Done)
    assert done.answer.nodes >= 2000


def test_a_budget_below_the_limit_is_kept() -> None:
    job = Job(bot=bot("strongest"), game="qubic", cells=(0, 1), limit=Limit(move_ms=3_600_000), seed=0, budget_ms=1)
    assert isinstance(answer(job, SearchSlot()), Done)


def test_no_worker_inherits_the_memory_of_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would copy each page that it writes to. A tree, which few need, it makes before the bot's time begins."""

    def warm(report: object) -> None:
        with table.lent(), tree_memory.lent(1 << 10):
            pass

    stages: list[str] = []
    monkeypatch.setattr(child, "_loaded", set())
    monkeypatch.setattr(child, "warm", warm)
    monkeypatch.setattr(child, "compile_stage", stages.append)
    child.load_kernels()
    assert (table._spare, tree_memory._spare) == ([], [])
    job = Job(bot=bot("mcts"), game="ultimate", cells=(), limit=Limit(nodes=100), seed=0, budget_ms=60_000)
    for _ in range(2):
        assert isinstance(answer(job, SearchSlot()), Done)
    assert stages == [TREES]


@pytest.fixture
def ended() -> Iterator[None]:
    yield
    playing.end_idle()


@pytest.mark.usefixtures("ended")
def test_an_engine_of_others_decides_as_a_bot_of_ours_does() -> None:
    job = Job(bot=engine().bot, game="tictactoe", cells=(4,), limit=Limit(), seed=0, budget_ms=60_000)
    done = answer(job, SearchSlot())
    assert isinstance(done, Done)
    assert isinstance(done.answer, Decision)
    assert (done.answer.move, done.answer.value) == (0, 0.5)


@pytest.mark.usefixtures("ended")
def test_what_an_engine_does_wrong_is_told_with_its_cost() -> None:
    job = Job(bot=engine("illegal", "1").bot, game="tictactoe", cells=(4,), limit=Limit(), seed=0, budget_ms=60_000)
    assert answer(job, SearchSlot()) == Failed("played 'b2': b2 is taken by X.", "illegal_move")


@pytest.mark.parametrize(
    ("limit", "budget_ms", "told"),
    [
        (Limit(), 3_600_000, Limit(move_ms=60_000)),
        (Limit(), 100, Limit(move_ms=100)),
        (Limit(move_ms=7), 100, Limit(move_ms=7)),
        (Limit(move_ms=700), 100, Limit(move_ms=100)),
        (Limit(nodes=7), 60_000, Limit(nodes=7)),
        (Limit(nodes=7), 100, Limit(move_ms=100)),
    ],
)
def test_an_engine_is_always_told_a_time_that_its_clock_leaves_it(limit: Limit, budget_ms: int, told: Limit) -> None:
    job = Job(bot=engine(limits=("nodes",)).bot, game="qubic", cells=(), limit=limit, seed=0, budget_ms=budget_ms)
    assert child._bounds(job) == (told, None)


def test_an_engine_that_remembers_its_games_must_stay_with_its_worker() -> None:
    def job(protocol: str) -> Job:
        bot = Engine("mine", "mine", "/", protocol).bot
        return Job(bot=bot, game="ultimate", cells=(), limit=Limit(), seed=0, budget_ms=1)

    assert [job(protocol).stays for protocol in ("json", "ugi", "codingame", "servt")] == [False, False, True, True]


def test_the_end_of_a_game_is_heard_between_two_jobs_and_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = [GameOver(7), Asked(1, job("random")), GameOver(8)]
    said: list[Any] = []

    class Heard:
        def waits(self, seconds: float) -> bool:
            return True

        def receive(self) -> Any:
            if not heard:
                raise EOFError
            return heard.pop(0)

        def send(self, message: Any) -> None:
            said.append(message)

    monkeypatch.setattr(playing, "end_game", said.append)
    with pytest.raises(EOFError):
        child.work(Heard(), SearchSlot(), 0, False)  # type: ignore[arg-type]
    assert [type(one) for one in said] == [Ready, int, Answered, int]


@pytest.mark.usefixtures("ended")
def test_a_game_is_known_by_its_seed_until_it_is_over() -> None:
    bot = Engine(
        "mine", sys.executable, str(SCRIPT.parent), "codingame", ("codingame_bot.py", "good"), move_ms=30_000
    ).bot
    asked = Job(game="tictactoe", cells=(), bot=bot, limit=Limit(), seed=7, budget_ms=60_000)
    first = answer(asked, SearchSlot())
    assert isinstance(first, Done)
    move = first.answer.move  # type: ignore[union-attr]
    cells = (move, 0 if move else 1)
    assert answer(replace(asked, cells=cells, seed=8), SearchSlot()) == Failed(LOST, "crash")
    playing.end_game(8)
    assert isinstance(answer(replace(asked, cells=cells), SearchSlot()), Done)
    playing.end_game(7)
    assert playing._remembered._games == []


def test_a_long_variation_is_cut() -> None:
    slot = SearchSlot()
    child._SlotWatch(slot, 1000).report(1, 30, 0.0, tuple(range(30)))
    assert list(slot.pv[: slot.pv_length]) == list(range(PV_LENGTH))


def test_a_search_stops_at_its_budget_or_its_flag() -> None:
    slot = SearchSlot()
    assert not child._SlotWatch(slot, 60_000).stopped()
    assert child._SlotWatch(slot, 0).stopped()
    slot.stop = 1
    assert child._SlotWatch(slot, 60_000).stopped()


def test_kernels_are_loaded_once_and_before_a_bots_time_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    watch = child._SlotWatch

    def watched(slot: SearchSlot, budget_ms: int) -> Any:
        done.append("time")
        return watch(slot, budget_ms)

    monkeypatch.setattr(child, "_loaded", set())
    monkeypatch.setattr(child, "compile_stage", done.append)
    monkeypatch.setattr(child, "_SlotWatch", watched)
    thinks = job("alphabeta:1", "tictactoe", limit=Limit(nodes=10))
    for _ in range(2):
        answer(thinks, SearchSlot())
    answer(job("random"), SearchSlot())
    assert done == ["flat boards", "time", "time", "time"]


def test_a_job_is_a_decision_in_the_position_that_its_moves_make() -> None:
    # x has two in a row and the third cell is free.
    threat = Job(game="tictactoe", cells=(0, 4, 1, 5), bot=bot("alphabeta:2"), limit=Limit(), budget_ms=10_000, seed=1)
    done = answer(threat, SearchSlot())
    assert isinstance(done, Done)
    assert isinstance(done.answer, Decision)
    assert (done.answer.move, done.answer.win_in) == (2, 1)
    assert 0 <= done.took_us < 10_000_000


def test_a_review_job_is_a_judgement_of_the_move_after_those_before() -> None:
    # x has two in a row; the third cell is free, and left.
    missed = ReviewJob(game="tictactoe", cells=(0, 4, 1, 5), move=3, budget_ms=60_000)
    done = answer(missed, SearchSlot())
    assert isinstance(done, Done)
    judged = done.answer
    assert isinstance(judged, MoveVerdict)
    assert (judged.exact, judged.best[0], judged.best_verdict, judged.best_win_in) == (True, 2, "won", 1)
    assert judged.verdict != "won" or judged.win_in != 1
    assert 0 <= done.took_us < 60_000_000


def test_a_review_stops_when_it_is_told_to() -> None:
    stopped = answer(ReviewJob(game="tictactoe", cells=(), move=3, budget_ms=60_000), SearchSlot(stop=1))
    assert stopped == Failed(repr(Stopped()))


def test_whatever_a_search_raises_is_an_answer() -> None:
    assert "KeyError" in answer(job("nobody"), SearchSlot()).error  # type: ignore[union-attr]
