"""What a server writes in a while, and whether a disk still has what was acknowledged of it.

Each write set comes with an event of its own, by which it is known again. So what a disk has can be compared, row by
row, with a database to which exactly these sets were written: a half of one shows.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from server.db.connections import transact
from server.db.statements import SQL
from server.db.store import Store
from server.play.writes import Statement, StoreUnavailable, Write
from tests.simulation.apsw_connection import ApswExecutor
from tests.simulation.disk import Disk
from tests.support.database.database_files import ANN, BOB, ROOM, add_event, add_move, people_and_rooms, start_game

T = TypeVar("T")
WriteSet: TypeAlias = tuple[Write, ...]

GAMES: Final = 2
PLIES: Final = 3
ANYWHERE: Final = Path("/anywhere/records.db")
_LONG_TEXT: Final = "x" * 3_000


def rounds() -> list[list[WriteSet]]:
    """Write sets, those of a round handed in at once: people, rooms, moves, a takeback, chat, results, ratings."""
    found: list[list[WriteSet]] = [[(*people_and_rooms(), add_event(ROOM, 1))]]
    for game in range(1, GAMES + 1):
        found.append([_start(game, 100 * game)])
        for ply in range(PLIES):
            chat = (add_event(ROOM, 100 * game + 50 + ply, f'{{"e":"said","text":"{_LONG_TEXT}"}}'),)
            found.append([_move(game, ply, 100 * game + 1 + ply), chat])
        found.append([_takeback(game, 100 * game + 20)])
        found.append([_end(game, 100 * game + 30)])
    return found


def _start(game: int, seq: int) -> WriteSet:
    return start_game(game, room_number=ROOM, serial=game, source="room", rated=1), add_event(ROOM, seq)


def _move(game: int, ply: int, seq: int) -> WriteSet:
    return add_move(game, ply), add_event(ROOM, seq)


def _takeback(game: int, seq: int) -> WriteSet:
    last = PLIES - 1
    return (
        (Statement.KEEP_TAKEN_BACK, (seq, game, last)),
        (Statement.DELETE_TAKEN_BACK, (game, last)),
        add_event(ROOM, seq),
    )


def _end(game: int, seq: int) -> WriteSet:
    ratings = [
        write
        for player in (ANN, BOB)
        for write in (
            (Statement.SET_RATING, (player, "tictactoe", 1500.0 + game, 90.0, 0.06, game, game)),
            (Statement.ADD_RATING_CHANGE, (game, player, 1500.0, 1500.0 + game, 90.0, 0.06)),
        )
    ]
    return (Statement.END_GAME, (1000 * game, "x", "line", PLIES - 1, game)), *ratings, add_event(ROOM, seq)


class Server:
    """Writes all rounds as a server does, in one life or in several, and what is refused once more.

    `on_refusal` is called when the store has become unavailable; then the server waits until it is available again.
    Without it a server that is refused gives up. `before_round` is called with the number of each round.
    """

    def __init__(
        self,
        on_refusal: Callable[[], object] | None = None,
        before_round: Callable[[int], object] = lambda number: None,
    ) -> None:
        self.acknowledged: set[WriteSet] = set()
        """Or found at a start: from then on people see it."""
        self.ids: list[int] = []
        self.refused = 0
        """How often it was refused something."""
        self._on_refusal = on_refusal
        self._before_round = before_round
        self._available = asyncio.Event()

    async def live(self, disk: Disk) -> None:
        """Until all is written, or it gives up."""
        with suppress(_GivenUp):
            store = await self._opened(disk)
            try:
                there = {event.seq for event in await self._until_told(lambda: store.room_events(ROOM))}
                self.acknowledged |= {one for sets in rounds() for one in sets if seq_of(one) in there}
                for number, sets in enumerate(rounds()):
                    self._before_round(number)
                    await self._write(store, [one for one in sets if one not in self.acknowledged])
                    self.ids.append(await self._until_told(lambda: store.next_id("game")))
                    await self._until_told(lambda: store.games(limit=1))
            finally:
                await store.close()

    async def _opened(self, disk: Disk) -> Store:
        self._available.set()
        return await self._until_told(
            lambda: Store.open(
                ANYWHERE, opener=disk.opener, probe_interval_s=0.0, on_availability=self._tell, block_ids=1
            )
        )

    async def _until_told(self, ask: Callable[[], Awaitable[T]]) -> T:
        while True:
            try:
                return await ask()
            except StoreUnavailable:
                await self._recover()

    async def _write(self, store: Store, left: Sequence[WriteSet]) -> None:
        while left:
            answers = await asyncio.gather(*map(store.write, left), return_exceptions=True)
            for answer in answers:
                if answer is not None and not isinstance(answer, StoreUnavailable):
                    raise answer
            self.acknowledged |= {one for one, answer in zip(left, answers, strict=True) if answer is None}
            left = [one for one, answer in zip(left, answers, strict=True) if answer is not None]
            if left:
                await self._recover()

    async def _recover(self) -> None:
        self.refused += 1
        if self._on_refusal is None:
            raise _GivenUp
        self._on_refusal()
        await self._available.wait()

    def _tell(self, available: bool) -> None:
        if available:
            self._available.set()
        else:
            self._available.clear()


class _GivenUp(Exception):
    pass


class Judge:
    """Compares what disks have with what was acknowledged. `prepared` is the database as it was before."""

    def __init__(self, prepared: Path) -> None:
        self._prepared = prepared
        self._by_seq = {seq_of(one): one for sets in rounds() for one in sets}
        self._expected: dict[frozenset[WriteSet], dict[str, list[tuple[object, ...]]]] = {}

    def faults(self, disk: Disk, server: Server) -> list[str]:
        """What is wrong with the files as they are now, in sentences."""
        try:
            with closing(disk.copy().connect()) as connection:
                return self._faults(connection, server)
        except sqlite3.Error as error:
            return [f"The database cannot be read: {error}."]

    def _faults(self, connection: ApswExecutor, server: Server) -> list[str]:
        found = [
            f"The database is damaged: {text}."
            for (text,) in connection.execute("PRAGMA integrity_check")
            if text != "ok"
        ]
        there = frozenset(self._by_seq[seq] for (seq,) in connection.execute("SELECT seq FROM events"))
        lost = server.acknowledged - there
        if lost:
            found.append(f"{len(lost)} acknowledged write sets are lost: {sorted(map(seq_of, lost))}.")
        expected = self._rows(there)
        for table, rows in tables(connection).items():
            if rows != expected[table]:
                found.append(f"{table} has a part of a write set: {rows} instead of {expected[table]}.")
        [[free]] = connection.execute("SELECT next FROM ids WHERE kind = 'game'")
        if len({*server.ids}) != len(server.ids) or any(id >= free for id in server.ids):
            found.append(f"An id was or will be given twice: {server.ids}, next is {free}.")
        return found

    def _rows(self, there: frozenset[WriteSet]) -> dict[str, list[tuple[object, ...]]]:
        if there not in self._expected:
            with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
                with closing(sqlite3.connect(self._prepared)) as prepared:
                    prepared.backup(memory)
                for sets in rounds():
                    for one in sets:
                        if one in there:
                            transact(memory, [(SQL[statement], [values]) for statement, values in one])
                self._expected[there] = tables(memory)
        return self._expected[there]


def tables(connection: sqlite3.Connection | ApswExecutor) -> dict[str, list[tuple[object, ...]]]:
    """All rows of what write sets write."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('ids', 'write_probe') ORDER BY name"
    ).fetchall()
    return {name: sorted(connection.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr) for (name,) in names}


def seq_of(one: WriteSet) -> int:
    """Of its event."""
    [seq] = [values[1] for statement, values in one if statement is Statement.ADD_EVENT]
    assert isinstance(seq, int)
    return seq
