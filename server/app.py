"""The server put together: database, workers, lobby and network, from settings to the last commit."""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import signal
import socket
import sys
from contextlib import AsyncExitStack
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import click
import uvloop

from engine.bots.roster import OUR_ROSTER, Roster
from server import garbage
from server.admin.line import Line, socket_path
from server.admin.order_handler import OrderHandler
from server.config import Settings
from server.console.files import named_file
from server.console.interrupts import ending_signals
from server.console.streams import forget
from server.db import migrate
from server.db.connect import DatabaseError, check_header
from server.db.lock import claim
from server.db.size import file_bytes
from server.db.store import Store
from server.explorer.process import Counting
from server.explorer.process import command as count_games
from server.http.api import HttpApi
from server.http.connections.gate import Gate, origin_of
from server.http.connections.listen import CannotListen, Listener, inherited, make_room_for_files, raise_file_limit
from server.http.heavy import HeavyAnswers
from server.http.ladder_cache import LadderAnswers
from server.http.page_files import page_files
from server.http.parts import Parts
from server.http.stats import StatsAnswers
from server.ladder.subprocess import LadderFailed, LadderHistories, LadderSubprocess
from server.logs import flush_logs, set_up_logs
from server.machine import Machine
from server.metrics import Metrics
from server.play.inputs import Ticket
from server.play.room_spec import Pace
from server.play.writes import Conflict, StoreUnavailable
from server.rooms.announcements import Announcements
from server.rooms.connection import Connection
from server.rooms.connection_context import ConnectionContext, Limits
from server.rooms.fair_queue import FairQueue
from server.rooms.lobby.lobby import Lobby
from server.rooms.lobby.restore import restore_rooms
from server.rooms.players.bans import Bans
from server.rooms.players.deletion import finish_deletions
from server.rooms.players.own_bots import OwnBots
from server.rooms.players.player_names import NewNames
from server.rooms.players.players import Players
from server.rooms.reviews import Reviews
from server.rooms.room.bot_moves import Thinking
from server.rooms.room.load import RoomLoader
from server.rooms.room.rating_book import RatingBook
from server.rooms.room.services import RoomServices, Secrets
from server.rooms.shared_records import SharedRecords
from server.workers.cluster.address import CannotPlayThere, Misused, checked
from server.workers.cluster.link import ClusterLink
from server.workers.engines.files import read_roster
from server.workers.engines.isolation import level
from server.workers.pool import Workers
from server.workers.search_queue import Bounds

log = logging.getLogger(__name__)

LAG_EVERY_S = 0.02
TIDIED_EVERY_S = 3600.0
"""How often sleeping invites are closed that have waited too long, and deletions that were cut short go on."""
QUIET_S = 1.5
"""How long a stop waits for rooms to finish what they have begun."""
SWITCH_S = 0.0002
"""How long a thread of Python may be kept waiting for another. By default it is 5 ms, and a commit waits as
often as it calls SQLite: behind a busy loop, or behind a picture, it took longer than all else that a move needs."""


THIS_MACHINE = Machine()


class CannotServe(Exception):
    """The server cannot start; the message says what to do."""


def software() -> str:
    try:
        return f"noughts {version('noughts')}"
    except PackageNotFoundError:
        return "noughts"


class GameTickets:
    """Numbers and seeds of games."""

    def __init__(self, store: Store, secrets: Secrets) -> None:
        self._store = store
        self._secrets = secrets

    async def new_ticket(self) -> Ticket:
        return Ticket(id=await self._store.next_id("game"), seed=self._secrets.randbits(31))


class App:
    """A running server. `start`, then `stop`; `host` and `port` are where it listens."""

    def __init__(self, settings: Settings, page: Traversable, machine: Machine = THIS_MACHINE) -> None:
        self.settings = settings
        self._machine = machine
        self._clock = machine.clock
        self._page = page
        self.host, self.port = settings.host, settings.port
        self._metrics = Metrics(self._clock.now_ms)
        self._gate = Gate(settings, self._metrics, self._clock.now_ms, lambda: self._context.closing)
        self._ends = AsyncExitStack()
        """what has begun, to be ended in reverse"""
        self._ladder: LadderSubprocess | None = None
        self._roster: Roster
        self._store: Store
        self._workers: Workers
        self._lobby: Lobby
        self._context: ConnectionContext
        self._listener: Listener

    async def start(self) -> None:
        """Raises CannotServe, DatabaseError or click.UsageError with one sentence, and leaves nothing running."""
        try:
            await self._start()
        except BaseException:
            await self._ends.aclose()
            raise

    async def _start(self) -> None:
        self._raise_limits()
        listening = self._listen()  # first of all, so that a port in use is found before anything is made
        self._roster = self._read_roster()
        cluster = self._find_cluster()
        await self._check_ladder()
        orders = self._claim_database()
        self._store = await self._open_store()
        self._ends.push_async_callback(self._store.close)
        self._workers = self._make_workers(cluster)
        self._workers.start()
        self._ends.push_async_callback(self._workers.close)
        self._put_together()
        self._ends.callback(self._stop_rooms)
        try:
            await self._bans.load()
            await finish_deletions(self._players)
            await restore_rooms(self._lobby, self._store, self._loader, self._store.write, self._clock.unix_ms)
        except StoreUnavailable as error:
            raise CannotServe(f"The rooms cannot be restored. {error}") from None
        if self._ladder is not None:
            self._ladder.start()
            self._ends.push_async_callback(self._ladder.close)
        if orders is not None:
            await self._take_orders(orders)
        self._listener.start(listening)
        self._ends.push_async_callback(self._listener.close)
        self._ends.callback(asyncio.create_task(self._watch_lag()).cancel)
        self._ends.callback(asyncio.create_task(self._tidy()).cancel)

    async def stop(self) -> None:
        """Finish what is begun, close every connection with 1012, commit, end the workers."""
        self._context.closing = True
        if self._ladder is not None:
            self._ladder.stop()
        self._listener.stop_accepting()
        self._lobby.on_ending()
        await self._until_quiet()
        await self._ends.aclose()

    @property
    def connections_allowed(self) -> float:
        """By the limit of open files."""
        return self._gate.allowed

    @property
    def players(self) -> int:
        """How many are connected."""
        return self._lobby.players

    @property
    def trouble(self) -> str | None:
        """Why people, or bots, cannot play now, in one sentence; None where they can."""
        if self._context.closing:
            return "The server is restarting."
        return self._store.trouble or self._workers.unready

    @property
    def warming(self) -> tuple[int, int] | None:
        """See `Workers.warming`."""
        return self._workers.warming

    # Parts

    def _listen(self) -> Any:
        """What `Listener.start` takes."""
        try:
            found = inherited() or self._machine.listen(self.settings.host, self.settings.port)
            listening = self._ends.enter_context(found)
        except CannotListen as error:
            raise CannotServe(str(error)) from None
        self.host, self.port = listening.getsockname()[:2]
        self._gate.listens_at(self.host)
        return listening

    def _claim_database(self) -> socket.socket | None:
        """Where orders to this server come in, if they can. The database has the present schema then."""
        db = self.settings.db
        check_header(Path(db))
        self._ends.enter_context(
            claim(Path(db), ".lock", f"Another server is already using {db}; stop it or choose another --db.")
        )
        orders = self._machine.listen_for_orders(socket_path(db))
        if orders is not None:
            self._ends.enter_context(orders)
            self._ends.callback(partial(socket_path(db).unlink, missing_ok=True))
        for sentence in migrate.prepare(db):
            log.info(sentence)
        return orders

    def _raise_limits(self) -> None:
        try:
            self._gate.allowed = raise_file_limit()
        except CannotListen as error:
            raise CannotServe(str(error)) from None
        make_room_for_files(self._gate.allowed)

    async def _check_ladder(self) -> None:
        if not self.settings.ladder:
            return
        self._ladder = LadderSubprocess(self.settings.ladder, self.settings.db)
        try:
            await self._ladder.check()
        except LadderFailed as error:
            raise click.UsageError(str(error)) from None

    def _read_roster(self) -> Roster:
        if not self.settings.engines:
            return OUR_ROSTER
        log.info(level())
        with named_file(self.settings.engines):
            return read_roster(Path(self.settings.engines))

    def _find_cluster(self) -> ClusterLink | None:
        if not self.settings.cluster:
            return None
        try:
            cluster = ClusterLink(checked(self.settings.cluster), self._machine.fork_server)
        except Misused as error:
            raise click.UsageError(error.message) from None
        except CannotPlayThere as error:
            raise CannotServe(error.message) from None
        self._metrics.gauges["noughts_cluster_threads"] = (
            "Threads of the cluster that searches can use.",
            lambda: cluster.seats,
        )
        return cluster

    def _human_waiting(self, wait: bool) -> None:
        if self._ladder is not None:
            self._ladder.hold(wait)

    def _make_workers(self, cluster: ClusterLink | None) -> Workers:
        settings = self.settings
        return Workers(
            count=settings.workers,
            nice=settings.worker_nice,
            own_session=settings.worker_session,
            bounds=Bounds(settings.queue, settings.queue_person, settings.queue_address),
            warm_up=True,
            on_human_waiting=self._human_waiting,
            fork_server=self._machine.fork_server,
            elsewhere=cluster,
        )

    def _put_together(self) -> None:
        """Make all that lies between the database, the workers and the port."""
        self._ladder_answers = LadderAnswers(
            self._store, self._clock.unix_ms, LadderHistories(self.settings.db).history, self._roster
        )
        self._players = Players(self._store, self._clock.unix_ms, self._ladder_answers.on_player_deleted)
        self._new_names = NewNames(self._roster)
        self._bans = Bans(self._store, self._clock.unix_ms)
        self._fair_queue = FairQueue(self._clock.now_us, bounded=bool(self.settings.connection_rate))
        self._lobby = self._make_lobby()
        self._reviews = Reviews(self._store, self._workers, self._store, self._clock.unix_ms)
        self._ends.push_async_callback(self._reviews.close)
        self._announcements = Announcements(lambda: self._lobby.members, self._clock.unix_ms)
        self._context = self._make_context()
        self._listener = self._make_listener()
        self._add_metrics()

    def _make_lobby(self) -> Lobby:
        thinking = Thinking(
            self._workers,
            lambda player: self._lobby.address_of(player),
            self._metrics.limits.met,
            self._clock.now_us,
            self._fair_queue,
            self._roster,
        )
        self._loader = RoomLoader(self._store, self._pace, self._clock.now_ms, self._clock.unix_ms)
        services = RoomServices(
            clock=self._clock,
            secrets=self._machine.secrets,
            committer=self._store,
            loader=self._loader,
            tickets=GameTickets(self._store, self._machine.secrets),
            ratings=RatingBook(self._store),
            thinking=thinking,
        )
        return Lobby(
            services,
            self._store,
            self._players,
            thinking,
            self._metrics.limits,
            pace=self._pace,
            machine=platform.node() or "unknown",
            software=software(),
            max_rooms=self.settings.max_rooms,
            address_rooms=self.settings.address_rooms,
        )

    def _make_context(self) -> ConnectionContext:
        settings = self.settings
        limits = Limits(
            settings.connection_rate,
            settings.connection_burst,
            settings.player_rate,
            settings.chat_rate,
            settings.address_players,
        )
        return ConnectionContext(
            self._lobby,
            self._reviews,
            self._players,
            self._new_names,
            self._bans,
            self._announcements,
            limits,
            self._metrics,
            self._clock.now_ms,
            self._clock.now_us,
            self._clock.unix_ms,
            self._machine.secrets,
            self._fair_queue,
        )

    def _make_listener(self) -> Listener:
        return Listener(
            self._gate,
            self._metrics,
            self.settings.ping_s,
            self._clock.now_ms,
            HttpApi(self._make_parts()),
            partial(Connection, context=self._context),
            self._fair_queue,
        )

    def _make_parts(self) -> Parts:
        explorer = Counting(count_games(self.settings.db), self._store.unexplored, lambda: self._clock.now_ms() / 1000)
        self._ends.push_async_callback(explorer.close)
        return Parts(
            records=self._store,
            tokens=self._players,
            roster=self._roster,
            rooms=self._lobby,
            shares=SharedRecords(self._store, self._clock.now_ms, self._clock.unix_ms, self._machine.secrets),
            own_bots=OwnBots(
                self._store,
                self._players,
                self._lobby,
                self._bans,
                self._new_names,
                self._clock.now_ms,
                self._machine.secrets,
            ),
            explorer=explorer,
            readiness=self,
            ladders=self._ladder_answers,
            stats=StatsAnswers(self._store, self._clock.unix_ms),
            heavy=HeavyAnswers(self._clock.now_us),
            metrics=self._metrics,
            files=page_files(self._page),
            embedders=self.settings.embedders,
            unix_ms=self._clock.unix_ms,
            origin=partial(origin_of, self.settings.trusted_proxies),
        )

    async def _take_orders(self, listening: socket.socket) -> None:
        orders = OrderHandler(
            self._lobby,
            self._players,
            self._new_names,
            self._store,
            self._bans,
            self._announcements,
            self._clock.unix_ms,
        )
        line = Line(listening, orders.carry_out)
        await line.start()
        self._ends.callback(line.close)

    def _add_metrics(self) -> None:
        self._metrics.gauges.update(
            noughts_sockets=(
                "Open connections, including those that are not websockets.",
                lambda: len(self._listener.sockets),
            ),
            noughts_sockets_allowed=("Connections that the limit of open files allows.", lambda: self._gate.allowed),
            noughts_tasks=("Tasks of the event loop.", lambda: len(asyncio.all_tasks())),
            noughts_rooms=("Rooms awake.", lambda: len(self._lobby.rooms)),
            noughts_players=("Players connected.", lambda: self._lobby.players),
            noughts_searches_queued=("Searches waiting for a worker.", lambda: self._workers.queued),
            noughts_searches_running=("Searches running.", lambda: self._workers.running),
            noughts_reviews_running=("Games being reviewed.", lambda: self._reviews.running),
            noughts_warm_up_done=("Stages of the bots' warm-up that are done.", lambda: self._workers.warm_up_done),
            noughts_warm_up_of=("Stages of the bots' warm-up.", lambda: self._workers.warm_up_of),
            noughts_database_bytes=(
                "Size of the database and its log, in bytes.",
                lambda: file_bytes(Path(self.settings.db)),
            ),
            noughts_store_available=("1 while the records can be written.", lambda: int(self._store.available)),
        )
        self._metrics.counters.update(
            noughts_searches_done=("Searches finished since the start.", lambda: self._workers.done),
            noughts_searches_retried=("Searches begun again since the start.", lambda: self._workers.retried),
            noughts_searches_failed=("Searches given up since the start.", lambda: self._workers.failures),
            noughts_moves_judged=("Moves judged by reviews since the start.", lambda: self._workers.judged),
            noughts_commits=("Transactions committed since the start.", lambda: self._store.writer.commits),
        )

    @property
    def _pace(self) -> Pace:
        return Pace(think_ms=self.settings.think_ms, between_ms=self.settings.pace_ms)

    async def _open_store(self) -> Store:
        try:
            return await Store.open(
                self.settings.db,
                on_availability=self._store_available,
                on_commit=self._metrics.commit_time.observe,
                opener=self._machine.open_database,
            )
        except StoreUnavailable as error:
            raise CannotServe(str(error)) from None

    def _stop_rooms(self) -> None:
        for room in list(self._lobby.rooms.values()):
            room.stop()

    # What rooms and the lobby need

    def _store_available(self, available: bool) -> None:
        log.log(
            logging.INFO if available else logging.ERROR, "store available again" if available else "store unavailable"
        )
        if self._ladder is not None:
            self._ladder.on_store_available(available)
        self._lobby.on_store_available(available)

    async def _watch_lag(self) -> None:
        # Not by the loop's own clock: uvloop's stands still while callbacks run.
        while True:
            due_us = self._clock.now_us() + round(LAG_EVERY_S * 1_000_000)
            await asyncio.sleep(LAG_EVERY_S)
            self._clock.now_ms()  # a long time without a reading is taken for a standstill of the process
            self._metrics.loop_lag.observe(max(0, self._clock.now_us() - due_us) / 1000)

    async def _tidy(self) -> None:
        while True:
            try:
                await self._lobby.close_expired()
            except (StoreUnavailable, Conflict):
                log.warning("invites that have waited too long cannot be closed now")
            await asyncio.sleep(TIDIED_EVERY_S)
            # Not whenever the store is back: a row that it cannot write would take it from everybody again each time.
            await finish_deletions(self._players)

    async def _until_quiet(self) -> None:
        """Let rooms finish what arrived before the stop."""
        deadline_ms = self._clock.now_ms() + round(QUIET_S * 1000)
        # Polled: thousands of rooms are asked once in a server's life.
        while self._clock.now_ms() < deadline_ms and not all(  # noqa: ASYNC110
            room.idle for room in self._lobby.rooms.values()
        ):
            await asyncio.sleep(0.02)


async def _run(settings: Settings, page: Traversable) -> None:
    app = App(settings, page)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signal_number in (signal.SIGINT, *ending_signals()):
        loop.add_signal_handler(signal_number, stop.set)
    await app.start()
    looks = [
        asyncio.create_task(garbage.look_among_young()),
        asyncio.create_task(garbage.look_among_all(lambda: app.players)),
    ]
    try:
        _tell_where(app, settings)
        await stop.wait()
    finally:
        for look in looks:
            look.cancel()
        log.info("stopping")
        await app.stop()
        log.info("stopped")


def _tell_where(app: App, settings: Settings) -> None:
    host = "127.0.0.1" if app.host in ("0.0.0.0", "::") else app.host
    shown = f"[{host}]" if ":" in host else host
    try:
        click.echo(f"noughts serves at http://{shown}:{app.port} (database {settings.db}; Ctrl-C stops it)")
    except OSError:  # its reader is gone, or its disk is full
        forget(sys.stdout)
    told = {"host": app.host, "port": app.port, "db": settings.db, "pid": os.getpid()}
    log.info("serving", extra=told | {"connections_allowed": app.connections_allowed})


def serve(settings: Settings, page: Traversable) -> None:
    """Run the server until a signal ends it. `page` is the folder of the page's files."""
    set_up_logs(settings.log_level, settings.log_format)
    sys.setswitchinterval(SWITCH_S)
    garbage.spare_the_loop()
    try:
        uvloop.run(_run(settings, page))
    except (CannotServe, DatabaseError) as error:
        raise click.ClickException(str(error)) from None
    finally:
        flush_logs()  # so that a refusal is the last that is read
