"""A server, its disk, its workers, its network and the people who use it, all of one seed.

    world = World(seed, folder, database)
    world.run(steps)      raises Broken where an invariant does not hold

The server is the product's own `App`; what it takes from its machine comes from here.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

from client.sdk.room_view import RoomView
from server import app as app_module
from server.app import App, CannotServe
from server.config import Settings
from server.machine import Machine
from server.play.writes import StoreUnavailable
from server.workers.children import ForkServer
from tests.simulation.broken import Broken
from tests.simulation.disk import Disk
from tests.simulation.invariants import check_database, check_memory, check_restored, check_views, sessions, stored
from tests.simulation.ledger import Ledger
from tests.simulation.loop import Process, SimulatedLoop, Stuck, simulated_loop
from tests.simulation.medium import Operation
from tests.simulation.network import Line, Network
from tests.simulation.people import Person
from tests.simulation.reads import Read
from tests.simulation.seeded_secrets import SeededSecrets
from tests.simulation.storage import InDoubt, slow
from tests.simulation.story import Step, act
from tests.simulation.wall import Wall
from tests.simulation.workers import SimulatedForkServer, Temper

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
ANSWER_S = 20.0
"""Whoever asks something on a connection that works is answered within this."""
SETTINGS = Settings(
    workers=2,
    ping_s=100.0,
    pace_ms=250,
    think_ms=3000,
    queue=40,
    max_rooms=60,
    address_players=1000.0,
    address_rate=0.0,
)
LAG_S = 5.0
"""The product looks at the lag of its loop 50 times a second, which there is none of here."""
REST_S = 45.0
"""How long everything takes to come to rest once nobody begins anything any more."""
GONE_S = 40 * 60.0
"""After so long nothing is left of people who went: their rooms are over or asleep."""


class SimulatedClock:
    """The server's time."""

    def __init__(self, loop: SimulatedLoop, wall: Wall) -> None:
        self._loop = loop
        self._wall = wall
        self._begun_us = loop.now_us - 7_000_000  # a monotonic clock begins anywhere

    def now_ms(self) -> int:
        return self.now_us() // 1000

    def now_us(self) -> int:
        return self._loop.now_us - self._begun_us

    def unix_ms(self) -> int:
        return self._wall.said()


class World:
    def __init__(self, seed: int, folder: Path, database: Path) -> None:
        self.seed = seed
        self.loop = simulated_loop(str(seed))
        self.network = Network(self.loop, str(seed))
        self.wall = Wall(self.loop)
        self.ledger = Ledger()
        self.random = Random(f"{seed}: world")
        self.temper = Temper(Random(f"{seed}: workers"))
        self.disk = Disk(Random(f"{seed}: disk"), database.read_bytes(), checkpoint_pages=100)
        self.people = [Person(self, number, name) for number, name in enumerate(NAMES)]
        self.told: list[tuple[int, str]] = []
        """what happened, in words, with the time in microseconds"""
        self.codes: list[str] = []
        self.public: list[str] = []
        self.games: dict[str, RoomView] = {}
        """by their ids, as somebody knew them last"""
        self.reads: list[Read] = []
        """that are not over"""
        self.disturbances: list[tuple[int, int]] = []
        """since when and until when the disk was in trouble, or the server ended or began: Unix milliseconds"""
        self.starts = [0]
        """when servers began to run, as Unix time in milliseconds"""
        self.searches_since: dict[int, float] = {}
        """since when searches wait for a worker"""
        self.restarts = 0
        self.app: App
        self.process: Process
        self.clock: SimulatedClock
        self._folder = folder
        self._database = database
        self._secrets = SeededSecrets(Random(f"{seed}: secrets"))
        self._disk_random = Random(f"{seed}: threads")
        self._in_doubt = InDoubt()
        self._broken: Broken | None = None
        self._troubles: dict[str, int] = {}
        """of the disk, and the Unix time in milliseconds since when"""
        """of the disk, which may come together"""
        self._kill_at: int | None = None
        (folder / "page").mkdir()

    # Running

    def run(self, steps: Sequence[Step]) -> None:
        """Raises Broken."""
        logs = _Complaints(self)
        root = logging.getLogger()
        level, handlers, root.handlers = root.level, root.handlers, [logs]
        root.setLevel(logging.WARNING)
        lag, app_module.LAG_EVERY_S = app_module.LAG_EVERY_S, LAG_S
        try:
            self.loop.run_until_complete(self._run(steps))
            self._check_failures()
        except Stuck as stuck:
            raise Broken("nobody waits", str(stuck)) from None
        finally:
            app_module.LAG_EVERY_S = lag
            root.handlers = handlers
            root.setLevel(level)
            self.disk.kill()
            self.loop.close()

    async def _run(self, steps: Sequence[Step]) -> None:
        await self.start()
        for step in steps:
            wait_s = step.at_ms / 1000 - self.loop.time()
            if wait_s > 0:
                await asyncio.sleep(wait_s)
            await act(self, step)
            self._check()
        await self._come_to_rest()
        await self._go_away()

    def guard(self, callback: Callable[..., object], *arguments: Any) -> None:
        """What people find out is wrong ends the run."""
        try:
            callback(*arguments)
        except Broken as broken:
            self.fail(broken)

    def fail(self, broken: Broken) -> None:
        self._broken = self._broken or broken

    def tell(self, sentence: str) -> None:
        self.told.append((self.loop.now_us, sentence))

    def _check(self) -> None:
        self._check_failures()
        for person in self.people:
            for tab in person.tabs:
                reachable = not tab.transport.silent and not tab.transport.lost
                since_us = tab.forgotten_us
                if since_us is not None and self.loop.now_us - since_us > ANSWER_S * 1_000_000 and reachable:
                    raise Broken("forgotten", f"{person.name} was deleted at {since_us} us and is still connected")
                for asked in tab.asked.values():
                    waited_s = (self.loop.now_us - asked.since_us) / 1_000_000
                    if waited_s > ANSWER_S and reachable:
                        raise Broken("nobody waits", f"{person.name} asked {asked.message} {waited_s:.0f} s ago")
        self.reads = [read for read in self.reads if not read.over]
        for read in self.reads:
            waited_s = (self.loop.now_us - read.since_us) / 1_000_000
            if waited_s > ANSWER_S and not read.transport.silent:
                raise Broken("nobody waits", f"{read.person.name} has read {read.path} for {waited_s:.0f} s")
        check_memory(self)

    def _check_failures(self) -> None:
        if self._broken is not None:
            raise self._broken
        for _, message, error in self.loop.failures:
            raise Broken("no surprises", f"{message}: {error!r}") from error

    async def _come_to_rest(self) -> None:
        """Everybody is back, nothing fails, nobody begins anything."""
        self.well()
        for person in self.people:
            person.habits = False
            for tab in person.tabs:
                tab.transport.resume_reading()
            person.arrive()
        await asyncio.sleep(3 * SETTINGS.ping_s)  # lines that are dead are noticed
        for person in self.people:
            person.arrive()
        await asyncio.sleep(REST_S)
        self._check()
        check_views(self)
        await check_database(self)

    async def _go_away(self) -> None:
        for person in self.people:
            person.leave_for_good()
        await asyncio.sleep(GONE_S)
        self._check()
        check_memory(self, nobody_is_here=True)
        await self.stop()
        await self.start()
        await check_database(self)
        await self.stop()

    # The server

    async def start(self) -> None:
        """Again and again while the disk does not let it, as a supervisor does."""
        died = sessions(self) if self.restarts else {}
        in_doubt = set(self._in_doubt.events)
        found = await stored(self)
        while not await self._started():  # noqa: ASYNC110 - nobody tells when
            await asyncio.sleep(2)
        check_restored(self, died, found, in_doubt)

    async def _started(self) -> bool:
        self.restarts += 1
        self.starts.append(self.unix_ms)
        self.process = Process(f"server {self.restarts}")
        self.clock = SimulatedClock(self.loop, self.wall)
        folder = self._folder / f"run-{self.restarts}"
        folder.mkdir()
        place = folder / "noughts.db"
        # The product prepares these files and watches them; what is in the simulated ones was prepared before.
        shutil.copy(self._database, place)
        machine = Machine(
            clock=self.clock,  # type: ignore[arg-type]
            secrets=self._secrets,
            listen=self.network.listen,
            listen_for_orders=lambda path: None,
            open_database=slow(self.disk.opener, self._disk_random, self._in_doubt, self.wall.note),
            fork_server=self._fork_server,
        )
        self.app = App(replace(SETTINGS, db=str(place)), self._folder / "page", machine)
        try:
            await self.loop.create_task(self.app.start(), context=self.process.context())
        except CannotServe as error:
            self.loop.kill(self.process)
            if not self.may_be_unavailable:
                raise Broken("restored", f"The server does not start: {error}") from error
            return False
        return True

    def _fork_server(self, preload: object, loop: object, environment: object = None) -> ForkServer:
        return cast("ForkServer", SimulatedForkServer(self.temper, self.loop))

    async def stop(self) -> None:
        """As by SIGTERM."""
        self.disturbed()
        begun_s = self.loop.time()
        await self.loop.create_task(self.app.stop(), context=self.process.context())
        took_s = self.loop.time() - begun_s
        if took_s > 10:
            raise Broken("nobody waits", f"The server took {took_s:.0f} s to stop")
        self.disk.kill()
        self._check_failures()

    async def kill(self, after_callbacks: int, *, power: bool = False) -> None:
        """Between two callbacks, then started again."""
        goal = self.loop.callbacks + after_callbacks
        while self.loop.callbacks < goal:  # noqa: ASYNC110 - nor here
            await asyncio.sleep(0)
        self.loop.kill(self.process)
        self.network.kill(self.process, silently=power)
        if power:
            self.disk.power_cut()
        else:
            self.disk.kill()
        self.temper.running.clear()
        self.disturbed()
        await asyncio.sleep(self.random.uniform(0.2, 5))
        await self.start()
        await check_database(self)

    @property
    def unix_ms(self) -> int:
        """The true one: the server's clock may be wrong."""
        return self.wall.unix_ms

    # What goes wrong

    def disturbed(self) -> None:
        self.disturbances.append((self.unix_ms, self.unix_ms))

    def troubled_ms(self, since_ms: int, until_ms: int) -> int:
        """For how long clocks may have stood still because of the disk, at most, between two Unix times."""
        spans = [*self.disturbances, *((begun_ms, until_ms) for begun_ms in self._troubles.values())]
        return sum(max(0, min(until_ms, end_ms + 5_000) - max(since_ms, begun_ms)) for begun_ms, end_ms in spans)

    def was_disturbed(self, since_ms: int, until_ms: int) -> bool:
        """Whether clocks may have stood still between two Unix times."""
        spans = [*self.disturbances, *((begun_ms, until_ms) for begun_ms in self._troubles.values())]
        return any(since_ms - 5_000 <= end_ms and begun_ms <= until_ms + 5_000 for begun_ms, end_ms in spans)

    @property
    def may_be_unavailable(self) -> bool:
        return bool(self._troubles) or self.was_disturbed(self.unix_ms - 20_000, self.unix_ms)

    def disk_is_full(self, full: bool) -> None:
        self._trouble("full", full)
        self.disk.full(full)

    def disk_is_locked(self, locked: bool) -> None:
        """By another program."""
        self._trouble("locked", locked)
        self.disk.locked(locked)

    def disk_fails_once(self, operation: Operation, nth: int) -> None:
        """Unless it is mended before."""
        self._trouble("failing", True)
        self.disk.fail(operation, nth)

    def mend_disk(self) -> None:
        self._trouble("failing", False)
        self.disk.mend()

    def _trouble(self, kind: str, begins: bool) -> None:
        if begins:
            self._troubles.setdefault(kind, self.unix_ms)
        elif kind in self._troubles:
            self.disturbances.append((self._troubles.pop(kind), self.unix_ms))

    def well(self) -> None:
        self.temper.worst = 0.0
        if self._troubles:
            self.disk_is_full(False)
            self.disk_is_locked(False)
            self.mend_disk()

    def line(self, random: Random) -> Line:
        """How a connection is."""
        kind = random.random()
        if kind < 0.1:
            return Line(delay_us=(1000, 400_000), piece_bytes=40, torn_bytes=200)
        if kind < 0.3:
            return Line(delay_us=(20_000, 900_000))
        return Line()

    def followed(self, view: RoomView) -> None:
        """Somebody knows of this room: others may hear of it."""
        if view.code is not None and view.code not in self.codes:
            self.codes.append(view.code)
        if view.code is None and view.room not in self.public:
            self.public.append(view.room)
        known = self.games.get(str(view.game_id))
        if view.game_id is not None and (known is None or known.seq <= view.seq):
            self.games[str(view.game_id)] = view

    async def read(self, read: Read, line: Line) -> None:
        try:
            await self.network.connect(read, read.person.address, line)
        except ConnectionRefusedError:
            return
        self.reads.append(read)


class _Complaints(logging.Handler):
    """What the product logs as an exception is a finding, unless the disk was made to fail."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.WARNING)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info is None or record.exc_info[1] is None:
            return
        error = record.exc_info[1]
        if isinstance(error, StoreUnavailable | sqlite3.Error) and self._world.may_be_unavailable:
            return
        self._world.fail(Broken("no surprises", f"{record.getMessage()}: {error!r}"))
