"""Workers that die or hang cost their own search one retry, and other games nothing."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import resource
import signal
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from engine.search.warm import stages
from tests.support.live.searches import QUICK, metric, quick_games, read
from tests.support.live.server import UNLIMITED, Client, Server, eventually, player, serving

THINKER = {"kind": "bot", "bot": "alphabeta:20"}
HOURS = ("--think-ms", "3600000")
"""Bots may think for so long: who waits for one waits longer than any test."""


async def thinking_game(client: Client, move_ms: int) -> str:
    """A room of Qubic whose bot, to move first, searches until its time is up."""
    made = await client.room("create", game="qubic", seat="o", opponent=THINKER, limit={"move_ms": move_ms})
    await client.until(lambda m: m["t"] == "thinking" and m["room"] == made["room"])
    room: str = made["room"]
    return room


async def warm(server: Server) -> None:
    """Until no search is interpreted any more."""
    async with asyncio.timeout(60):
        while not json.loads(await asyncio.to_thread(read, server, "/api/warm-up"))["warm"]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def busiest(server: Server) -> psutil.Process:
    """The worker that searches: the only one that runs, or would if it were its turn."""
    return (await so_many_run(server, 1)).pop()


async def so_many_run(server: Server, count: int) -> set[psutil.Process]:
    """The same workers, and so many, for a while."""

    def running() -> set[psutil.Process]:
        return {worker for worker in server.workers() if worker.status() == psutil.STATUS_RUNNING}

    async def throughout() -> set[psutil.Process] | None:
        with suppress(psutil.NoSuchProcess):
            seen = running()
            for _ in range(15):  # for so long that nothing else is busy and then idle throughout
                await asyncio.sleep(0.02)
                if len(seen) != count or running() != seen:
                    return None
            return seen
        return None

    async with asyncio.timeout(60):
        while (found := await throughout()) is None:
            pass
    return found


async def has_moved(client: Client, room: str) -> bool:
    """Whether the bot of this room has moved by now."""
    await client.sync()
    return any(message.get("e") == "moved" and message["room"] == room for message in client.log)


async def until_metric(server: Server, name: str, value: float) -> None:
    async with asyncio.timeout(60):
        while await metric(server, name) != value:  # noqa: ASYNC110  # nobody is told of it
            await asyncio.sleep(0.05)


async def test_a_killed_worker_costs_one_retry_and_others_nothing(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED, *HOURS, workers=2) as server:
        async with player(server) as thinker, player(server) as other:
            room = await thinking_game(thinker, 3_600_000)
            (await busiest(server)).kill()
            await quick_games(other, 20)
            assert not await has_moved(thinker, room), "they have not waited for it"
            await until_metric(server, "noughts_searches_retried", 1)
            await thinker.ack("act", room=room, game=1, action="resign")
            await so_many_run(server, 0)  # else the next search may be over before it is known which worker has it
            room = await thinking_game(thinker, 4_000)
            (await busiest(server)).kill()
            moved = await thinker.event("moved", room=room)
            assert moved["by"] == "x"
            assert moved["think_ms"] >= 3_900
            assert await metric(server, "noughts_searches_retried") == 2
            assert await metric(server, "noughts_searches_failed") == 0
            # Two at once take a new worker beside the one that has begun again.
            await thinking_game(thinker, 3_600_000)
            await thinking_game(other, 3_600_000)
            assert len(await so_many_run(server, 2)) == 2


async def test_the_only_worker_killed_again_and_again(tmp_path: Path) -> None:
    """Each search is begun twice at most: the second crash loses the bot's game, and only that."""
    with serving(tmp_path, *UNLIMITED, workers=1) as server:
        async with player(server) as client:
            room = await thinking_game(client, 60_000)
            first = await busiest(server)
            first.kill()
            await client.until(lambda m: m["t"] == "thinking", client.mark)
            second = await busiest(server)
            assert second.pid != first.pid
            second.kill()
            ended = await client.event("ended", room=room)
            assert (ended["winner"], ended["termination"]) == ("o", "crash")
            assert await metric(server, "noughts_searches_failed") == 1
            await quick_games(client, 3)


def leave_one_file(server: Server) -> Callable[[], object]:
    """The server may open one more file and no other; what is answered undoes that."""
    pid = server.process.pid
    limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    taken = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
    free = (number for number in itertools.count() if number not in taken)
    next(free)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (next(free), limits[1]))
    return partial(resource.prlimit, pid, resource.RLIMIT_NOFILE, limits)


async def readiness(server: Server) -> tuple[int, str]:
    try:
        return 200, (await asyncio.to_thread(read, server, "/readyz")).decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
    except OSError:  # it has no file for us just now
        return 0, ""


async def test_out_of_files_while_the_only_worker_dies(tmp_path: Path) -> None:
    """Nothing that waits is lost, /readyz says so, and bots answer again once there are files."""
    with serving(tmp_path, *UNLIMITED, workers=1) as server:
        async with player(server) as client:
            await quick_games(client, 1)
            await warm(server)
            await quick_games(client, 1)  # whoever has loaded no kernels leaves, and one that has them takes over
            await eventually(lambda: len(server.workers()) == 1, "one worker")
            undo = leave_one_file(server)
            server.workers()[0].kill()
            room = (await client.room("create", game="tictactoe", seat="o", opponent=QUICK))["room"]
            async with asyncio.timeout(60):
                while (answer := await readiness(server))[0] != 503:
                    pass
            assert answer == (503, "not ready: No worker can be started: Too many open files.\n")
            undo()
            await client.event("moved", room=room)
            assert await readiness(server) == (200, "ready\n")


async def test_the_fork_server_killed(tmp_path: Path) -> None:
    """All workers at once, and what makes them: the pool is made anew."""
    with serving(tmp_path, *UNLIMITED, workers=1) as server:
        async with player(server) as client:
            await quick_games(client, 1)
            for process in server.family():
                process.kill()
            await quick_games(client, 3)


@pytest.mark.slow
async def test_a_hung_worker_is_replaced(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED, *HOURS, workers=2) as server:
        async with player(server) as thinker, player(server) as other:
            room = await thinking_game(thinker, 3_600_000)
            hung = await busiest(server)
            hung.send_signal(signal.SIGSTOP)
            await quick_games(other, 20)
            assert hung.status() == psutil.STATUS_STOPPED, "nobody waited for it"
            hung.send_signal(signal.SIGCONT)
            await thinker.ack("act", room=room, game=1, action="resign")
            room = await thinking_game(thinker, 4_000)
            hung = await busiest(server)
            hung.send_signal(signal.SIGSTOP)
            moved = await thinker.event("moved", room=room)
            assert moved["by"] == "x"
            assert await metric(server, "noughts_searches_retried") == 1
            assert not hung.is_running() or hung.status() == psutil.STATUS_ZOMBIE


async def test_searches_that_are_no_longer_wanted_leave_their_worker(tmp_path: Path) -> None:
    """One worker, and one game after the other that would keep it for an hour."""
    with serving(tmp_path, *UNLIMITED, *HOURS, workers=1) as server:
        async with player(server) as client:
            for action in ("resign", "abort", "offer_takeback"):
                if action == "offer_takeback":
                    made = await client.room("create", game="qubic", seat="x", opponent=THINKER)
                    room = made["room"]
                    await client.ack("move", room=room, game=1, ply=0, move="a1.1")
                else:
                    room = (await client.room("create", game="qubic", seat="o", opponent=THINKER))["room"]
                await client.message("thinking", room=room)
                await client.ack("act", room=room, game=1, action=action)
                await quick_games(client, 1)


async def test_a_person_waits_less_than_those_who_watch(tmp_path: Path) -> None:
    """With one worker and many games of bots, a person's bot still moves after the one search that runs."""
    with serving(tmp_path, *UNLIMITED, "--pace-ms", "0", workers=1) as server:
        async with player(server) as watcher, player(server) as person:
            slow = {"x": "alphabeta:20", "o": "alphabeta:20"}
            for _ in range(8):
                await watcher.room("create", game="qubic", seat="none", bots=slow, limit={"move_ms": 400})
            await watcher.event("moved")
            for _ in range(4):
                made = await person.room("create", game="tictactoe", seat="o", opponent=QUICK)
                moved = await person.event("moved", room=made["room"])
                await watcher.sync()
                others = [m for m in watcher.log if m.get("e") == "moved" and made["ts"] < m["ts"] < moved["ts"]]
                assert len(others) < 5, "in its turn it would come after eight searches"
                await person.ack("act", room=made["room"], game=1, action="resign")


@pytest.mark.slow
async def test_waiting_for_a_worker_costs_a_bot_no_time(tmp_path: Path) -> None:
    """The only worker is busy for longer than the bot has on its clock."""
    with serving(tmp_path, *UNLIMITED, workers=1) as server:
        await warm(server)
        async with player(server) as first, player(server) as second:
            busy = await thinking_game(first, 4_000)
            bot = {"kind": "bot", "bot": "alphabeta:2"}
            clock = {"initial_ms": 2_000, "increment_ms": 0}
            made = await second.room("create", game="tictactoe", seat="o", opponent=bot, clock=clock)
            assert not [m for m in first.log if m.get("e") == "moved"]
            moved = await second.event("moved")
            assert moved["ts"] >= (await first.event("moved", room=busy))["ts"]
            assert moved["clock"]["x_ms"] == 2_000 - moved["think_ms"] > 0
            # Nor does it look as if its time ran while it waited.
            assert made["clock"]["x_ms"] == 2_000
            [record] = (await game_of(server, made["game"]["id"]))["moves"]
            assert record["wait_ms"] >= 500


async def game_of(server: Server, id: int) -> Any:
    def read() -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/api/games/{id}", timeout=10) as answer:
            return json.load(answer)

    return await asyncio.to_thread(read)


async def test_a_full_queue_is_busy(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED, "--queue", "2", workers=1) as server:
        async with player(server) as client:
            await thinking_game(client, 5_000)
            answers = [await client.ask("create", game="qubic", seat="o", opponent=THINKER) for _ in range(6)]
            assert [answer["t"] for answer in answers[:2]] == ["room", "room"]
            assert answers[-1].get("code") == "busy"
            # Who needs no bot is not kept out.
            await client.room("create", game="qubic", opponent={"kind": "self"})


@pytest.mark.parametrize("rated", [False, True])
async def test_thoughts_are_shown_but_not_about_the_opponents_bot_in_a_rated_game(tmp_path: Path, rated: bool) -> None:
    with serving(tmp_path, *UNLIMITED, workers=1) as server:
        async with player(server) as client:
            made = await client.room(
                "create",
                game="qubic",
                seat="o",
                opponent=THINKER,
                limit={"move_ms": 1_200},
                rated=rated,
                clock={"initial_ms": 600_000, "increment_ms": 0},
            )
            moved = await client.event("moved")
            thoughts = [m for m in client.log if m["t"] == "thinking"]
            # Four a second, and one more before or after: the bot thinks on another clock than its room.
            assert len(thoughts) <= 2 + 4 * moved["think_ms"] / 1000
            if rated:
                assert not thoughts
            else:
                assert thoughts[0]["room"] == made["room"]
                assert {type(cell) for thought in thoughts for cell in thought["pv"]} == {str}


async def first_move(client: Client, bot: str) -> Any:
    await client.room("create", game="tictactoe", seat="o", opponent={"kind": "bot", "bot": bot})
    return await client.event("moved", since=client.mark)


async def test_a_cache_that_cannot_be_written_costs_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write anywhere, but not below a file. Kernels run as Python here, since they would be compiled anew."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with serving(tmp_path, *UNLIMITED, "--log-format", "json", workers=2) as server:
        async with player(server) as client:
            assert (await first_move(client, "alphabeta:2"))["search"]["depth"] == 2
        await warm(server)
        lines = server.log.read_text().splitlines()
    warnings = [json.loads(line) for line in lines if "warning" in line.lower()]
    assert len(warnings) == 1
    assert "NUMBA_CACHE_DIR" in warnings[0]["message"]


@pytest.mark.slow
async def test_the_first_compile_keeps_nobody_from_playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    with serving(tmp_path, *UNLIMITED, workers=1) as server:
        async with player(server) as client:
            thinker = {"kind": "bot", "bot": "alphabeta:5"}
            waiting = (await client.room("create", game="tictactoe", seat="o", opponent=thinker))["room"]
            await client.room("create", game="tictactoe", opponent={"kind": "self"})
            await first_move(client, "random")
            compiling = await so_many_run(server, min(os.cpu_count() or 1, len(stages())))
            for process in compiling:
                process.suspend()  # or it might be done before the next bot has moved
            interpreted = await first_move(client, "alphabeta:2")
            assert interpreted["search"]["interpreted"]
            assert not json.loads(read(server, "/api/warm-up"))["warm"]
            assert not [m for m in client.log if m.get("e") == "moved" and m["room"] == waiting]
            for process in compiling:
                process.resume()
            moved = await client.until(lambda m: m.get("e") == "moved" and m["room"] == waiting, within_s=110)
            assert moved["think_ms"] < 1_000, "the wait is not the bot's"
            assert "interpreted" not in moved["search"]
        warm_up = json.loads(read(server, "/api/warm-up"))
        assert warm_up["warm"] or warm_up["done"], "its own kernels are compiled, perhaps not yet all"
