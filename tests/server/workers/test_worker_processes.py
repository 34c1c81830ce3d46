"""Which worker processes there are: for whom one is started, rested, dismissed and replaced."""

from __future__ import annotations

import asyncio
import errno
from typing import Any

import pytest

from server.workers import worker_processes
from server.workers.child import Answered, Done, Ready
from server.workers.children import LONGEST_PAUSE_S, Ending
from server.workers.pool import Workers
from server.workers.worker_processes import FORK_S, HOME_OBEY_S, OBEY_S, START_S
from tests.support.workers.worker_office import (
    DECISION,
    FLAT,
    HUNG,
    KILLED,
    Asker,
    FakeForks,
    fork_server,
    office,
)

# Growing, shrinking, failing to


async def test_there_is_a_worker_for_each_search_up_to_the_bound() -> None:
    async with office(count=3) as here:
        assert len(here.forks.alive) == 1, "before anybody asks"
        for name, workers in (("a", 1), ("b", 2), ("c", 3), ("d", 3)):
            here.submit(name)
            assert len(here.forks.alive) == workers


async def test_idle_workers_leave_but_for_the_last() -> None:
    async with office(count=3) as here:
        for name in "abc":
            here.submit(name)
        for name in "abc":
            here.forks.answer(name)
        first, second, third = here.workers._processes.idle
        for worker in (second, third, first):
            assert worker.leaving is not None
            here.workers._processes._leave(worker)
        alive: list[object] = [*here.forks.alive]
        assert [worker.child for worker in here.workers._processes.idle] == alive == [first.child]
        here.submit("d")
        assert here.forks.running == ["d"]


async def test_who_was_busy_last_is_busy_first() -> None:
    async with office(count=2) as here:
        for name in "ab":
            here.submit(name)
        busy = here.forks.at_work("a")
        for name in "ba":
            here.forks.answer(name)
        here.submit("c")
        assert here.forks.at_work("c") is busy, "the other one may leave"


async def test_out_of_descriptors_while_a_worker_dies_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    async with office() as here:
        monkeypatch.setattr(here.workers._processes, "_loop", Timers(pauses))
        asker = here.submit("a")
        here.forks.trouble = OSError(errno.EMFILE, "Too many open files")
        assert here.workers.unready is None
        here.forks.fail("a", KILLED)
        for _ in range(9):
            assert here.workers.unready == "No worker can be started: Too many open files."
            here.workers._processes._start_again()
        assert pauses == sorted(pauses)
        assert (pauses[0], pauses[-1]) == (0.0, LONGEST_PAUSE_S)
        assert (here.workers.queued, here.workers.running) == (1, 0)
        here.forks.trouble = None
        here.workers._processes._start_again()
        assert here.workers.unready, "it is not there yet"
        here.forks.get_ready()
        assert here.workers.unready is None
        here.forks.answer("a")
        assert asker.told == ["started", "started", "finished"]


class Timers:
    """A loop whose timers never come; it keeps how far away those are that start a worker."""

    def __init__(self, pauses: list[float]) -> None:
        self._pauses = pauses

    def time(self) -> float:
        return 0.0

    def call_later(self, seconds: float, callback: Any, *arguments: Any) -> asyncio.TimerHandle:
        if callback.__name__ == "_start_again":
            self._pauses.append(seconds)
        return asyncio.get_running_loop().call_later(1000, str)


async def test_a_worker_whose_end_has_come_gets_no_search() -> None:
    async with office(count=2) as here:
        for name in "ab":
            here.submit(name)
        here.forks.answer("b")
        gone = next(worker.child for worker in here.workers._processes.idle)
        gone.is_open = False  # type: ignore[misc]
        asker = here.submit("c")
        assert asker.told == []
        here.forks.end(gone, KILLED)  # type: ignore[arg-type]
        here.workers._processes._start_again()
        here.forks.get_ready()
        here.forks.answer("c")
        assert asker.told == ["started", "finished"]


async def test_out_of_descriptors_the_other_workers_go_on() -> None:
    async with office(count=2) as here:
        for name in "abc":
            here.submit(name)
        here.forks.trouble = OSError(errno.EMFILE, "Too many open files")
        here.forks.fail("b", KILLED)
        assert (here.forks.running, here.workers.unready) == (["a"], None)
        for name in "abc":
            here.forks.answer(name)
        assert here.workers.done == 3


async def test_a_worker_that_dies_idle_is_replaced_after_a_pause_that_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    async with office() as here:
        monkeypatch.setattr(here.workers._processes, "_loop", Timers(pauses))
        for _ in range(3):
            [idle] = here.forks.alive
            here.forks.end(idle, KILLED)
            assert here.workers.unready == "No worker can be started: the last one died with exit status -9."
            here.workers._processes._start_again()
            here.forks.get_ready()
        assert pauses == [0.0, 0.05, 0.1]
        here.submit("a")
        here.forks.answer("a")
        here.forks.end(here.forks.alive[0], KILLED)
        assert pauses[-1] == 0.0, "it is of use again"


async def test_a_worker_that_answers_twice_is_replaced() -> None:
    async with office() as here:
        asked = here.submit("a")
        [confused] = here.forks.alive
        here.forks.answer("a")
        confused.heard(Answered(1, Done(DECISION, 5)))
        assert not confused.alive
        here.workers._processes._start_again()
        here.forks.get_ready()
        here.submit("b")
        here.forks.answer("b")
        assert asked.told == ["started", "finished"]


@pytest.mark.parametrize("message", [Answered(1, Done(DECISION, 5)), Answered(3, Done(DECISION, 5)), "nonsense"])
async def test_what_is_no_answer_to_the_search_that_runs_costs_the_worker(message: object) -> None:
    async with office() as here:
        here.submit("a")
        here.forks.answer("a")
        running = here.submit("b")
        confused = here.forks.at_work("b")
        confused.heard(message)
        assert not confused.alive
        here.forks.get_ready()
        here.forks.answer("b")
        assert running.told == ["started", "started", "finished"], "by another worker"


async def test_a_worker_that_never_gets_ready_takes_the_fork_server_with_it() -> None:
    fresh = FakeForks()
    workers = Workers(count=1, fork_server=lambda *_, **__: fork_server(fresh))
    workers.start()
    [starting] = fresh.alive
    assert starting.limit_s == START_S
    starting.alive = False
    starting.ended(HUNG)
    assert fresh.restarts == 1
    await workers.close()


async def test_a_fork_server_that_has_loaded_is_given_less_time_for_a_worker() -> None:
    async with office() as here:
        here.forks.is_loaded = True
        here.forks.end(here.forks.alive[0], Ending())
        assert here.forks.alive == []
        here.workers._processes._start_again()
        assert [starting.limit_s for starting in here.forks.alive] == [FORK_S]


# Games that stay with their worker


async def test_engines_that_remember_their_games_are_asked_in_one_worker() -> None:
    async with office(count=2) as here:
        here.submit("stays-a")
        home = here.forks.at_work("stays-a")
        here.submit("stays-b")
        here.submit("c")
        assert here.forks.running == ["stays-a", "c"]
        here.submit("d")
        here.forks.answer("c")
        assert here.forks.running == ["stays-a", "d"]
        here.forks.answer("stays-a")
        assert here.forks.at_work("stays-b") is home
        here.forks.answer("stays-b")
        here.forks.answer("d")
        other = here.submit("e")
        assert here.forks.at_work("e") is not home
        other.search.stopped = True


async def test_their_worker_neither_leaves_nor_makes_room_for_one_with_kernels() -> None:
    async with office(count=2, warm_up=True) as here:
        here.submit("stays-a")
        home = here.forks.at_work("stays-a")
        here.submit("b")
        here.forks.answer("stays-a")
        await here.warm()
        assert home.alive
        here.submit("stays-c")
        assert here.forks.at_work("stays-c") is home
        here.forks.answer("stays-c")
        [worker] = [worker for worker in here.workers._processes.all if worker.child is home]  # type: ignore[comparison-overlap]
        here.workers._processes._leave(worker)
        assert home.alive


async def test_a_stop_gives_their_worker_more_time_to_end_one_process() -> None:
    async with office(count=2) as here:
        staying, other = here.submit("stays-a"), here.submit("b")
        here.workers.stop(staying.search)
        here.workers.stop(other.search)
        assert (here.forks.at_work("stays-a").limit_s, here.forks.at_work("b").limit_s) == (HOME_OBEY_S, OBEY_S)


async def test_their_worker_is_told_the_end_of_a_game_also_while_it_is_busy() -> None:
    async with office(count=2) as here:
        here.workers.end_game(1)
        here.submit("stays-a")
        here.submit("b")
        home, other = here.forks.at_work("stays-a"), here.forks.at_work("b")
        here.workers.end_game(2)
        here.forks.answer("stays-a")
        here.workers.end_game(3)
        assert (home.games_over, other.games_over) == ([2, 3], [])


async def test_another_worker_takes_their_place_when_it_dies() -> None:
    async with office(count=2) as here:
        asker = here.submit("stays-a")
        home = here.forks.at_work("stays-a")
        here.forks.fail("stays-a", KILLED)
        again = here.forks.at_work("stays-a")
        assert again is not home
        here.forks.answer("stays-a")
        assert asker.told == ["started", "started", "finished"]
        here.submit("stays-b")
        assert here.forks.at_work("stays-b") is again


# Loaded kernels


async def test_workers_that_have_loaded_the_kernels_take_over() -> None:
    async with office(count=2, warm_up=True) as here:
        here.submit("busy")
        here.submit("soon idle")
        here.forks.answer("soon idle")
        busy, _ = here.forks.children
        await here.warm()
        assert here.forks.alive == [busy]
        here.forks.answer("busy")
        [after] = here.forks.alive
        assert after is not busy
        here.submit("next")
        here.forks.answer("next")
        assert here.forks.alive == [after], "that one stays"


async def test_a_worker_that_was_starting_when_the_kernels_came_is_replaced() -> None:
    async with office(count=2, warm_up=True) as here:
        here.submit("busy")
        here.workers.submit(Asker("waits for a worker").search)
        _, starting = here.forks.alive
        here.warm_up.end(complete=True)
        for _ in range(3):
            await asyncio.sleep(0)
        here.forks.loads[0](True)
        for _ in range(3):
            await asyncio.sleep(0)
        starting.is_ready = True
        starting.heard(Ready())
        here.forks.get_ready()
        assert not starting.alive
        assert here.forks.running == ["busy", "waits for a worker"]


async def test_where_loading_kills_the_fork_server_searches_do_for_themselves() -> None:
    async with office(warm_up=True) as here:
        here.submit("a", needs=FLAT)
        [worker] = here.forks.alive
        await here.warm(loaded=False)
        assert (here.forks.running, here.forks.alive, here.workers.warming) == (["a"], [worker], None)


async def test_where_loading_hangs_the_fork_server_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "START_S", 0.0)
    async with office(warm_up=True) as here:
        here.submit("a", needs=FLAT)
        here.warm_up.end(complete=True)
        async with asyncio.timeout(60):
            while here.workers.warming is not None:  # noqa: ASYNC110 # nobody is told
                await asyncio.sleep(0)
        assert (here.forks.restarts, here.forks.running) == (1, ["a"])


# Plain Python until then


async def test_once_all_is_compiled_the_interpreter_ends_when_it_is_done() -> None:
    async with office(warm_up=True) as here:
        idle = here.submit("a", needs=FLAT, interpretable=True)
        here.plain_forks.get_ready()
        await here.warm()
        assert here.plain_forks.running == ["a"]
        here.plain_forks.answer("a")
        assert idle.told == ["started", "finished"]
        assert (here.plain_forks.alive, here.plain_forks.closed) == ([], True)
    async with office(warm_up=True) as here:
        here.submit("a", needs=FLAT, interpretable=True)
        here.plain_forks.get_ready()
        here.plain_forks.answer("a")
        await here.warm()
        assert (here.plain_forks.alive, here.plain_forks.closed) == ([], True)


@pytest.mark.parametrize("ending", [KILLED, HUNG], ids=["dies", "hangs"])
async def test_an_interpreter_that_dies_costs_its_search_nothing_but_time(ending: Ending) -> None:
    async with office(warm_up=True) as here:
        asker = here.submit("a", needs=FLAT, interpretable=True)
        here.plain_forks.get_ready()
        here.plain_forks.fail("a", ending)
        assert (here.workers.queued, here.workers.retried, asker.told) == (1, 0, ["started"])
        here.submit("b", needs=FLAT, interpretable=True)
        assert here.plain_forks.running == [], "the next waits for the compiler at once"
        await here.warm()
        here.forks.answer("a")
        assert asker.decision == DECISION


async def test_no_interpreter_can_be_started_for_a_while() -> None:
    async with office(warm_up=True) as here:
        here.plain_forks.trouble = OSError(errno.EMFILE, "Too many open files")
        here.submit("a", needs=FLAT, interpretable=True)
        here.submit("b", needs=FLAT, interpretable=True)
        assert here.plain_forks.children == []
        here.plain_forks.trouble = None
        here.workers._processes._start_again()
        here.plain_forks.get_ready()
        assert here.plain_forks.running == ["a"]
