"""What a ladder writes and reads: its lists, its pairs of games, its standings.

One thread writes. It takes whatever has been handed in since its last commit as one transaction, so that no game ever
waits for the disk. The two games of a pair are committed together or not at all.
"""

from __future__ import annotations

import json
import platform
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from engine.bots.roster import Bot
from engine.record.model import RecordedMove
from engine.rules.position import Side
from engine.rules.registry import rules
from engine.rules.termination import FAULT_TERMINATIONS
from engine.stats.davidson import Fit, Standing
from server.db import ladder as ladder_rows
from server.db import migrate
from server.db.connect import Connection, connect, transaction, use_log
from server.db.ladder import Sample
from server.db.statements import SQL
from server.ladder.config import Begun, BotList, lasting
from server.ladder.schedule import LineUp, PairScore
from server.play.writes import Statement
from server.workers.arena import Live, Timed

BATCH_S: Final = 0.25
"""Least time between two commits, so that others get their turn and short games share one."""
PATIENCE_S: Final = 60.0
"""How long another program may keep the database locked before a ladder gives up."""
_LISTEN_S: Final = 0.5

_AGAIN: Final = "and run the same command again: it resumes after the last recorded pair."

Job = Callable[[sqlite3.Connection], object]


class LadderLost(Exception):
    """Nothing more can be recorded; one sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A list as it was recorded."""

    list: BotList
    """With the line-ups that have begun."""
    scores: dict[int, PairScore]
    """By pair."""
    others: tuple[str, ...]
    """Run ids of lists with the same name and other settings, the oldest first."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair that was played: its number in the list, and both games."""

    number: int
    games: tuple[Timed, Timed]


class LadderStore:
    """The database as one ladder uses it. Made by `LadderStore(path)`, ended by `close`."""

    def __init__(self, path: Path | str, patience_s: float = PATIENCE_S) -> None:
        """Makes the database or checks it. Raises DatabaseError."""
        self._path = Path(path)
        self._patience_s = patience_s
        migrate.prepare(self._path)
        self._software = f"noughts {version('noughts')}"
        self._machine = platform.node() or "unknown"
        self._players: dict[Bot, int] = {}
        self._jobs: list[Job] = []
        self._wake = threading.Condition()
        self._closing = False
        self._error: str | None = None
        self._cpu_ns = 0
        self._is = _file(self._path)
        with connect(self._path, "rw", patience_s) as connection:
            use_log(connection, patience_s)
        self._thread = threading.Thread(target=self._run, name="ladder writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Jobs that wait to be written."""
        return len(self._jobs)

    @property
    def cpu_ms(self) -> int:
        """CPU time spent on writing."""
        return self._cpu_ns // 1_000_000

    def check(self) -> None:
        """Raises LadderLost if writing has failed, or the file was moved or deleted."""
        if _file(self._path) != self._is:
            # SQLite itself would keep writing to the deleted file, or would call it a full disk.
            self._error = (
                f"{self._path} was moved, deleted or replaced while the ladder was running; put it back {_AGAIN}"
            )
        if self._error is not None:
            raise LadderLost(self._error)

    def close(self) -> None:
        """Writes what waits and ends. Raises LadderLost if that fails."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        # In pieces: a signal that comes just before a wait does not end it, and is heard of only after.
        while self._thread.is_alive():
            self._thread.join(_LISTEN_S)
        self.check()

    # Reading, and what must be there before the first game

    def open_list(self, one: BotList) -> Opened:
        """Makes the list if it is new. Raises LadderLost where the list is recorded, but one of its bots is not.

        Of several lists with its name and settings it is the one with its line-up, else the newest.
        """
        with connect(self._path, "rw", self._patience_s) as connection:
            with transaction(connection):
                runs = dict(connection.execute(ladder_rows.RUNS, (one.ladder, one.name)).fetchall())
                recorded = {run_id: json.loads(settings) for run_id, settings in runs.items()}
                same = [run_id for run_id, settings in recorded.items() if lasting(settings) == lasting(one.settings)]
                if not same:
                    settings = one.settings
                    row = (one.run_id, one.ladder, one.name, one.game, json.dumps(settings, sort_keys=True), _unix_ms())
                    connection.execute(ladder_rows.ADD_LIST, row)
                    same, recorded[one.run_id] = [one.run_id], settings
                for bot in one.bots:
                    self._players[bot] = _player(connection, bot)
            known = [self._begun(connection, one, run_id, recorded[run_id]) for run_id in same]
            opened = next((each for each in known if not each.line_up_changed), known[0])
            others = tuple(run_id for run_id in reversed(runs) if run_id not in same)
            return Opened(opened, self._results(connection, opened), others)

    def _begun(self, connection: sqlite3.Connection, one: BotList, run_id: str, settings: dict[str, Any]) -> BotList:
        entrants = settings.get("entrants", settings["bots"])
        bots = tuple(self._entrant(connection, one, each["name"], each["version"]) for each in entrants)
        whole = [{"round": 0, "bots": range(len(bots)), "pairs": settings["pairs"]}]
        line_ups = settings.get("line_ups", whole)
        return replace(one, begun=Begun(run_id, bots, tuple(map(_line_up, line_ups))))

    def _entrant(self, connection: sqlite3.Connection, one: BotList, name: str, version: int) -> Bot:
        """A bot of the list, or one that left it and may not exist any more."""
        for bot in one.bots:
            if (bot.name, bot.version) == (name, version):
                return bot
        row = connection.execute(ladder_rows.BOT_OF_VERSION, (name, version)).fetchone()
        if row is None:
            raise LadderLost(
                f"{self._path} has a list {one.ladder}/{one.name} with the bot {name} (version {version}), but not "
                "that bot: give the list another name."
            )
        id, family, parameters = row
        bot = Bot(name, family, tuple(json.loads(parameters).items()), version)
        self._players[bot] = id
        return bot

    def set_line_up(self, one: BotList) -> None:
        """Records who plays in the list from now on."""
        assert one.begun is not None
        with connect(self._path, "rw", self._patience_s) as connection, transaction(connection):
            [(settings,)] = connection.execute(ladder_rows.SETTINGS, (one.run_id,)).fetchall()
            entrants = [{"name": bot.name, "version": bot.version} for bot in one.entrants]
            line_ups = list(map(_told, one.begun.line_ups))
            told = json.loads(settings) | {"entrants": entrants, "line_ups": line_ups}
            connection.execute(ladder_rows.SET_SETTINGS, (json.dumps(told, sort_keys=True), one.run_id))

    def _results(self, connection: sqlite3.Connection, one: BotList) -> dict[int, PairScore]:
        index = {self._players[bot]: place for place, bot in enumerate(one.entrants)}
        rows = connection.execute(ladder_rows.RESULTS, (one.run_id,))
        pairs: dict[int, list[tuple[int, int, str | None, str]]] = {}
        for pair, x, o, winner, termination in rows:
            pairs.setdefault(pair, []).append((index[x], index[o], winner, termination))
        return {pair: score_of(games) for pair, games in pairs.items()}

    # Writing

    def add(self, one: BotList, pair: Pair) -> None:
        """Records a pair."""
        self._put(lambda connection: self._write_pair(connection, one, pair))

    def stand(
        self, one: BotList, fitted: Fit, standings: Sequence[Standing], retired: Iterable[int], order: Sequence[int]
    ) -> None:
        """Records a list's standings in place of those before. `order` has every bot, best first."""
        gone = frozenset(retired)
        rows = [
            (one.run_id, self._players[one.entrants[bot]], place, *standings[bot], int(bot in gone))
            for place, bot in enumerate(order, start=1)
        ]
        rated = (_unix_ms(), fitted.advantage, fitted.drawing, one.run_id)

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(ladder_rows.DROP_STANDINGS, (one.run_id,))
            connection.executemany(ladder_rows.ADD_STANDING, rows)
            connection.execute(ladder_rows.SET_RATED, rated)

        self._put(write)

    def sample(self, sample: Sample) -> None:
        """Records how the ladder does."""
        self._put(lambda connection: connection.execute(ladder_rows.ADD_SAMPLE, sample))

    def show(self, one: BotList, live: Live, begun_ms: int) -> None:
        """Shows a running game to spectators."""
        text = rules(one.game).format_move
        start, moves = live.task.start, live.moves[len(live.task.start) :]
        row = (
            one.ladder,
            one.run_id,
            self._players[live.task.x],
            self._players[live.task.o],
            json.dumps([text(move) for move in start]),
            json.dumps([text(move) for move in moves]),
            begun_ms,
            _unix_ms(),
        )
        self._put(lambda connection: connection.execute(ladder_rows.SHOW_LIVE, row))

    def hide(self, ladder: str) -> None:
        """No game is running any more."""
        self._put(lambda connection: connection.execute(ladder_rows.HIDE_LIVE, (ladder,)))

    def _put(self, job: Job) -> None:
        with self._wake:
            self._jobs.append(job)
            self._wake.notify()

    def _write_pair(self, connection: sqlite3.Connection, one: BotList, pair: Pair) -> None:
        [(end,)] = connection.execute(ladder_rows.TWO_GAME_IDS).fetchall()
        text = rules(one.game).format_move
        limit = json.dumps(one.limit.bounds) if one.limit.bounds else None
        start = [text(move) for move in pair.games[0].played.task.start]
        for id, (played, started_ms, ended_ms) in zip((end - 2, end - 1), pair.games, strict=True):
            record, task = played.record, played.task
            row = (
                *(id, one.game, self._players[task.x], self._players[task.o], limit, limit, json.dumps(start)),
                *(task.seed, one.run_id, pair.number, " ".join(start), self._machine, self._software),
                *(started_ms, ended_ms, record.winner, record.termination, len(record.moves)),
            )
            connection.execute(ladder_rows.ADD_GAME, row)
            connection.executemany(ladder_rows.ADD_MOVE, _moves(id, record.moves, started_ms))
            if played.fault is not None and record.winner is not None:
                loser = task.bot("o" if record.winner == "x" else "x")
                sentence = played.fault.partition(": ")[2]
                connection.execute(SQL[Statement.ADD_FAULT], (id, self._players[loser], sentence))

    def _run(self) -> None:
        try:
            with closing(Connection(self._path, timeout=self._patience_s, isolation_level=None)) as connection:
                while self._write_next(connection):
                    pass
        except Exception as error:  # whatever it is, the games that follow would be lost in silence
            self._error = _explained(self._path, error, self._patience_s)

    def _write_next(self, connection: sqlite3.Connection) -> bool:
        """Writes what waits; False when all is written and no more will come."""
        with self._wake:
            self._wake.wait_for(lambda: self._jobs or self._closing)
            jobs, self._jobs = self._jobs, []
        if not jobs:
            return False
        begun_ns, begun_s = time.thread_time_ns(), time.monotonic()
        with transaction(connection):
            for job in jobs:
                job(connection)
        self._cpu_ns += time.thread_time_ns() - begun_ns
        with self._wake:
            self._wake.wait_for(lambda: self._closing, max(0.0, begun_s + BATCH_S - time.monotonic()))
        return True


def _told(line_up: LineUp) -> dict[str, Any]:
    """A line-up as it is recorded: without default values."""
    usual = LineUp._field_defaults
    return {name: value for name, value in line_up._asdict().items() if name not in usual or value != usual[name]}


def _line_up(told: Mapping[str, Any]) -> LineUp:
    known: dict[str, Any] = {name: tuple(v) if isinstance(v, list | range) else v for name, v in told.items()}
    return LineUp(**known)


def _player(connection: sqlite3.Connection, bot: Bot) -> int:
    parameters = json.dumps(dict(bot.parameters), sort_keys=True, separators=(",", ":"))
    found = connection.execute(ladder_rows.BOT_PLAYER, (bot.family, parameters, bot.version)).fetchone()
    if found is not None:
        return int(found[0])
    [(end,)] = connection.execute(ladder_rows.PLAYER_ID).fetchall()
    id = int(end) - 1
    connection.execute(ladder_rows.ADD_BOT, (id, bot.name, _unix_ms()))
    connection.execute(ladder_rows.ADD_BOT_VERSION, (id, bot.family, parameters, bot.version))
    return id


def score_of(games: Sequence[tuple[int, int, str | None, str]]) -> PairScore:
    """The result of a pair's games, each (x, o, winner, termination): bot `a` is the one with the lower index."""
    points: dict[bool, float | None] = {}
    faults = {True: 0, False: 0}
    bots = (min(games[0][:2]), max(games[0][:2]))
    for x, o, winner, termination in games:
        side: Side = "x" if x < o else "o"
        won = 0.5 if winner is None else float(winner == side)
        points[side == "x"] = None if termination == "aborted" else won
        if termination in FAULT_TERMINATIONS:
            faults[winner != side] += 1
    return PairScore(points.get(True), points.get(False), faults[True], faults[False], bots)


def pair_score(games: tuple[Timed, Timed], bots: Sequence[Bot]) -> PairScore:
    """The result of a pair that has just been played."""
    place = {bot: index for index, bot in enumerate(bots)}
    return score_of(
        [
            (place[one.played.task.x], place[one.played.task.o], one.played.record.winner,
             one.played.record.termination or "aborted")
            for one in games
        ]
    )  # fmt: skip


def _moves(game: int, moves: Iterable[RecordedMove], started_ms: int) -> Iterable[tuple[object, ...]]:
    spent_us = 0
    for ply, move in enumerate(moves):
        # A game that was lost with its worker has its moves, but not their times.
        spent_us += move.think_us or 0
        yield (
            *(game, ply, move.cell, started_ms + spent_us // 1000, move.think_ms or 0, move.think_us),
            *(move.nodes, move.depth, move.value, move.win_in),
        )


def _explained(path: Path, error: Exception, patience_s: float) -> str:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        why, what = f"{path} cannot grow ({error}): the disk is probably full", "make room"
    elif code == sqlite3.SQLITE_BUSY:
        why, what = f"{path} was locked by another program for {patience_s:g} s", "end that program"
    else:
        why, what = f"{path} cannot be written ({error})", "fix that"
    return f"{why}; {what} {_AGAIN}"


def _file(path: Path) -> tuple[int, int] | None:
    """Which file it is; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _unix_ms() -> int:
    return time.time_ns() // 1_000_000
