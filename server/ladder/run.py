"""A ladder while it runs: games go to the workers, pairs to the database, and sometimes standings are computed.

    schedule -> chunk of games -> worker -> half a pair waits for the other -> database -> schedule

Which pairs are played depends on configuration, seed and results alone. In which order lists and workers get to them
depends on the machine, and changes nothing: see `server.ladder.schedule`.
"""

from __future__ import annotations

import resource
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from engine.bots import match
from engine.bots.match import Task
from engine.rules.position import O, Side, X
from engine.stats.davidson import Fit, Standing, standings
from server.db.ladder import Sample
from server.ladder.config import BotList, Ladder
from server.ladder.schedule import MAX_FAULT_SHARE, Meeting, PairScore, Schedule
from server.ladder.store import LadderLost, LadderStore, Pair, pair_score
from server.workers.arena import GRACE_MS, Arena, Chunk, Ended, PlaysChunks, Timed, modules
from server.workers.cluster.games import ClusterArena

CHUNK_S: Final = 0.2
"""Short games are sent to a worker in chunks that take about this long."""
CHUNK_GAMES: Final = 200
"""Most games in a chunk."""
TICK_S: Final = 0.5
SAMPLE_S: Final = 60.0
RATING_S: Final = 15.0
"""Shortest time between two computations of a list's standings."""
RATING_SHARE: Final = 0.01
"""Largest share of the time that computing the standings of all lists may take."""
MAX_WAITING: Final = 2_000
"""Jobs waiting to be written; with more, no new game begins until the writer has caught up."""
LIVE_RESAMPLES: Final = 300
RESAMPLES: Final = 1_000
"""Resamples for the final standings: the fewer, the less steady an interval."""
LIVE_S: Final = 2.0
"""Shorter games are not shown to watchers."""
JUMP_S: Final = 5.0
"""If the date deviates this far from the elapsed time, the clock was changed."""

_MODES: Final = {"round-robin": "everybody meets everybody", "gauntlet": "a gauntlet", "sprt": "a test of two bots"}

Say = Callable[[str], None]


@dataclass(slots=True)
class Bounds:
    """When a ladder stops by itself. None is no bound."""

    games: int | None = None
    """Games of this run."""
    hours: float | None = None
    until_s: float | None = None
    """Unix time."""


@dataclass(slots=True)
class Standings:
    """What is known of a list: the fit, and each bot's standing in the order of the list."""

    fitted: Fit
    bots: tuple[Standing, ...]
    retired: frozenset[int]
    unplayed: frozenset[int] = frozenset()
    """Bots without results, and so without a place or a meaningful rating."""
    left: frozenset[int] = frozenset()
    """Bots that have games in the list, but no longer play in it."""

    @property
    def order(self) -> list[int]:
        """Best first, then bots that have not played; without those that left before they did."""
        shown = [bot for bot in range(len(self.bots)) if bot not in self.unplayed & self.left]
        return sorted(shown, key=lambda bot: (bot in self.unplayed, -self.bots[bot].rating))


@dataclass(slots=True)
class _Half:
    """A pair that is being played."""

    meeting: Meeting
    done: dict[Side, Timed] = field(default_factory=dict)
    """Its finished games, by the side of `a`."""


class RunningList:
    """One list of a running ladder."""

    def __init__(self, config: BotList, scores: dict[int, PairScore]) -> None:
        self.config = config
        self.pairs = len(scores)
        """Recorded pairs, those of earlier runs among them."""
        self.schedule = Schedule(config.pairing)
        self.schedule.catch_up(scores)
        self.standings: Standings | None = None
        self.rated_s = float("-inf")
        self.rated_pairs = 0
        self.rating_took_s = 0.0
        self.games = 0
        """Games played in this run."""
        self.game_s = 0.0
        """Time that a game takes a worker, smoothed; 0 before the first."""
        self._halves: dict[int, _Half] = {}
        self._waiting = deque(self.schedule.to_play)

    @property
    def complete(self) -> bool:
        return not self.schedule.round.meetings

    @property
    def progress(self) -> float:
        """How much of the round robin is played; beyond 1 after it."""
        robin = self.config.line_up().robin
        left = self.schedule.robin_left
        return max(0.0, 1 - left / robin) if left else max(1.0, self.pairs / robin)

    @property
    def ready(self) -> bool:
        """Whether there is a pair to begin: while a round ends there may be none."""
        return bool(self._waiting)

    def next_tasks(self, most: int) -> tuple[Task, ...]:
        """The games of the next pairs, at least one pair and about as many games as asked for."""
        tasks: list[Task] = []
        while self._waiting and (not tasks or len(tasks) + 2 <= most):
            meeting = self._waiting.popleft()
            self._halves[meeting.pair] = _Half(meeting)
            tasks += [self._task(meeting, side) for side in (X, O)]
        return tuple(tasks)

    def end(self, game: Timed) -> Pair | None:
        """Takes a game; answers its pair if that is now whole."""
        half = self._halves[game.played.task.pair]
        half.done[game.played.task.a_side] = game
        if len(half.done) < 2:
            return None
        del self._halves[half.meeting.pair]
        pair = Pair(half.meeting.pair, (half.done[X], half.done[O]))
        self.games += 2
        self.pairs += 1
        if self.schedule.record(pair.number, pair_score(pair.games, self.config.entrants)):
            self._waiting = deque(self.schedule.to_play)
        return pair

    def extend(self) -> bool:
        """Begin another round although the order is certain; False if nobody is left to meet."""
        extended = self.schedule.extend()
        self._waiting = deque(self.schedule.to_play)
        return extended

    def took(self, seconds: float, games: int) -> None:
        """Notes how long a worker was busy with how many games."""
        each = seconds / games
        self.game_s = each if self.game_s == 0 else 0.7 * self.game_s + 0.3 * each

    def rate(self, now_s: float, resamples: int) -> Standings:
        """Computes the standings from everything so far."""
        begun_s = time.thread_time()
        fitted, bots = standings(len(self.config.entrants), self.schedule.results, abs(self.config.seed), resamples)
        self.standings = Standings(fitted, bots, self.schedule.too_faulty, self.schedule.unplayed, self.config.left)
        self.rating_took_s = time.thread_time() - begun_s
        self.rated_s = now_s
        self.rated_pairs = self.pairs
        return self.standings

    def rating_due(self, now_s: float, lists: int) -> bool:
        """Whether there are new results and enough time has passed, in a ladder of this many lists."""
        return self.pairs > self.rated_pairs and now_s - self.rated_s >= max(
            RATING_S, lists * self.rating_took_s / RATING_SHARE
        )

    def _task(self, meeting: Meeting, side: Side) -> Task:
        """`a` has this side."""
        config = self.config
        x, o = (meeting.a, meeting.b) if side == X else (meeting.b, meeting.a)
        seed = Random(f"{config.seed}/{config.name}/{meeting.pair}/{side}").getrandbits(48)
        return Task(
            number=2 * meeting.pair + (side == O),
            pair=meeting.pair,
            a_side=side,
            game=config.game,
            x=config.entrants[x],
            o=config.entrants[o],
            x_limit=config.limit,
            o_limit=config.limit,
            start=config.opening(meeting.opening),
            seed=seed,
        )


class LadderRun:
    """A ladder from its configuration to its end. Use `run`, then `close`."""

    def __init__(
        self,
        ladder: Ladder,
        store: LadderStore,
        jobs: int,
        bounds: Bounds,
        say: Say,
        nice: int = 0,
        cluster: str | None = None,
    ) -> None:
        """Opens every list. Plays `jobs` games at a time here, or those of a whole cluster.

        Raises DatabaseError, LadderLost if the stored games do not allow resuming, and CannotPlayThere.
        """
        self.ladder = ladder
        self.lists: list[RunningList] = []
        self.games = 0
        """Games recorded in this run."""
        self.begun_s = time.monotonic()
        self.bounds = bounds
        self._store = store
        self._say = say
        self._stop_reason: str | None = None
        self.held = False
        self._suspended: Callable[[], None] | None = None
        self._begun_ms = _unix_ms()
        self._drift_s = _drift_s()
        self._sampled_s = self.begun_s
        self._schedule_ns = 0
        self._worker_us = 0
        self._started = 0
        self._on_the_way: dict[Chunk, tuple[RunningList, float]] = {}
        self._again: deque[tuple[RunningList, Chunk]] = deque()
        self._watched: tuple[Task, int] | None = None
        self._named: set[tuple[str, int]] = set()
        for config in ladder.lists:
            self._open(config)
        bots = [bot for one in ladder.lists for bot in one.bots]
        self._arena: PlaysChunks = (
            Arena(jobs, modules(bots), GRACE_MS, nice) if cluster is None else ClusterArena(cluster, say, bots)
        )

    @property
    def jobs(self) -> int:
        """Games at a time."""
        return self._arena.jobs

    @property
    def hours(self) -> float:
        """Since the beginning, without those in which it was suspended or the machine slept."""
        return (time.monotonic() - self.begun_s) / 3600

    @property
    def left_s(self) -> float | None:
        """Remaining time, as far as its bounds determine it; None without bounds."""
        left = []
        if self.bounds.hours is not None:
            left.append(self.bounds.hours * 3600 - (time.monotonic() - self.begun_s))
        if self.bounds.until_s is not None:
            left.append(self.bounds.until_s - time.time())
        if self.bounds.games is not None and self.games:
            left.append((self.bounds.games - self.games) * (time.monotonic() - self.begun_s) / self.games)
        return max(0.0, min(left)) if left else None

    def stop(self, reason: str) -> None:
        """Ends the run soon: games under way are given up, and their pairs played again another time."""
        self._stop_reason = self._stop_reason or reason

    def hold(self, held: bool) -> None:
        """While paused, no search runs and no time counts."""
        self.held = held
        self._arena.hold(held)

    def suspend(self, stand_still: Callable[[], None]) -> None:
        """Calls `stand_still` once what is under way is held, so that no bot loses on time until it returns."""
        self._suspended = stand_still
        self._arena.hold(True)

    def run(self, show: Callable[[LadderRun], None]) -> str:
        """Plays until a bound is reached, every list is complete, or `stop`; answers why it ended.

        `show` is called about twice a second. Raises LadderLost when nothing more can be recorded.
        """
        ticked_s = float("-inf")
        while self._stop_reason is None:
            self._begin_chunks()
            if not self._arena.busy:
                if all(one.complete for one in self.lists) and not self._extended():
                    return "every list is complete"
                if self._enough:
                    return f"{self.games:,} games have been played"
            ended = self._arena.next(TICK_S)
            if ended is not None:
                self._end(ended)
            elif self._suspended is not None:
                stand_still, self._suspended = self._suspended, None
                stood_s = time.monotonic()
                stand_still()
                self._leave_out(time.monotonic() - stood_s)
                self._arena.hold(self.held)
            now_s = time.monotonic()
            if now_s - ticked_s >= TICK_S:
                ticked_s = now_s
                self._tick(now_s)
                show(self)
        return self._stop_reason

    def close(self) -> None:
        """Ends the workers and stores the last standings. The database stays open."""
        last = self._sample(last=True)  # while the workers' memory can be measured
        self._arena.close()
        for one in self.lists:
            if one.pairs:
                self._rate(one, time.monotonic(), RESAMPLES)
        self._store.hide(self.ladder.name)
        self._store.sample(last)

    def _leave_out(self, stood_s: float) -> None:
        """Time in which nothing was played counts neither as `hours` nor as that of a game."""
        self.begun_s += stood_s
        for chunk, (one, begun_s) in self._on_the_way.items():
            self._on_the_way[chunk] = (one, begun_s + stood_s)

    # Lists and their games

    def _open(self, config: BotList) -> None:
        opened = self._store.open_list(config)
        one = _resumed(opened.list, opened.scores)
        changed = opened.list.line_up_changed
        if changed:
            config = opened.list.with_line_up(one.schedule.next_line_up)
            self._store.set_line_up(config)
            one = _resumed(config, opened.scores)
        self.lists.append(one)
        if opened.scores:
            self._say(f"{config.name}: resumes after {2 * len(opened.scores):,} games{_news(opened.list, changed)}.")
        elif opened.others:
            self._say(
                f"{config.name}: its settings have changed, so it starts over; "
                f"the games of {opened.others[-1]} are kept."
            )
        self._name_retired(one)

    @property
    def _enough(self) -> bool:
        return self.bounds.games is not None and self._started >= self.bounds.games

    def _extended(self) -> bool:
        """Whether lists whose order is certain go on, because more games were asked for.

        An SPRT does not: games after its answer could change it, and its error rates would no longer hold.
        """
        if self.bounds.games is None or self._enough:
            return False
        # Each of them, not only the first.
        extended = [one.extend() for one in self.lists if one.config.line_up().test is None]
        return any(extended)

    def _begin_chunks(self) -> None:
        while self._arena.free > 0 and not self.held and self._suspended is None:
            begun_ns = time.thread_time_ns()
            found = self._next_chunk()
            self._schedule_ns += time.thread_time_ns() - begun_ns
            if found is None:
                return
            one, chunk = found
            self._on_the_way[chunk] = (one, time.monotonic())
            self._arena.begin(chunk)

    def _next_chunk(self) -> tuple[RunningList, Chunk] | None:
        """The next chunk of the list that is least far in its round robin."""
        if self._again:
            return self._again.popleft()
        if self._enough or self._store.waiting > MAX_WAITING:
            return None
        ready = [one for one in self.lists if one.ready]
        if not ready:
            return None
        one = min(ready, key=lambda one: one.progress)
        most = min(CHUNK_GAMES, int(CHUNK_S / one.game_s)) if one.game_s else 2
        if self.bounds.games is not None:
            most = min(most, self.bounds.games - self._started)
        tasks = one.next_tasks(most)
        self._started += len(tasks)
        play = partial(match.play, overrun_ms=one.config.overrun_ms, adjudication=one.config.adjudication)
        return one, Chunk(tasks, play, one.config.stall_ms)

    def _end(self, ended: Ended) -> None:
        begun_ns = time.thread_time_ns()
        one, begun_s = self._on_the_way.pop(ended.chunk)
        self._again.extend((one, chunk) for chunk in ended.again)
        self._worker_us += ended.cpu_us
        if ended.games:
            one.took(time.monotonic() - begun_s, len(ended.games))
        for game in ended.games:
            if game.played.fault is not None:
                self._say(f"{one.config.name}, {game.played.fault[0].lower()}{game.played.fault[1:]}")
            pair = one.end(game)
            if pair is not None:
                self.games += 2
                self._store.add(one.config, pair)
        self._name_retired(one)
        self._schedule_ns += time.thread_time_ns() - begun_ns

    def _name_retired(self, one: RunningList) -> None:
        for bot in one.schedule.round.retired:
            if (one.config.run_id, bot) not in self._named:
                self._named.add((one.config.run_id, bot))
                self._say(
                    f"{one.config.name}: {one.config.label(bot)} is retired: more than {MAX_FAULT_SHARE:.0%} of "
                    "its games ended through its own faults."
                )

    # Now and then

    def _tick(self, now_s: float) -> None:
        self._store.check()
        self._watch_date()
        if self.bounds.hours is not None and self.hours >= self.bounds.hours:
            self.stop(f"{self.bounds.hours:g} h have passed")
        if self.bounds.until_s is not None and time.time() >= self.bounds.until_s:
            self.stop("the time to stop was reached")
        due = [one for one in self.lists if one.rating_due(now_s, len(self.lists))]
        if due:  # one list at a time, since workers wait meanwhile, and each in its turn
            self._rate(min(due, key=lambda one: one.rated_s), now_s, LIVE_RESAMPLES)
        self._show_a_game()
        if now_s - self._sampled_s >= SAMPLE_S:
            self._store.sample(self._sample())

    def _watch_date(self) -> None:
        """Somebody may set the wall clock while a ladder runs. Durations are measured otherwise; only `until` goes by
        the wall clock."""
        drift_s = _drift_s()
        jump_s = drift_s - self._drift_s
        if abs(jump_s) >= JUMP_S:
            self._drift_s = drift_s
            way = "forward" if jump_s > 0 else "back"
            self._say(f"The clock was set {way} by {abs(jump_s):,.0f} s. Move times are not affected.")

    def _rate(self, one: RunningList, now_s: float, resamples: int) -> None:
        begun_ns = time.thread_time_ns()
        found = one.rate(now_s, resamples)
        self._store.stand(one.config, found.fitted, found.bots, found.retired, found.order)
        self._schedule_ns += time.thread_time_ns() - begun_ns

    def _show_a_game(self) -> None:
        """Shows spectators one game to its end: the oldest that is long enough to be watched."""
        live = {one.task: one for one in self._arena.live()}
        if self._watched is None or self._watched[0] not in live:
            slow = [one for one in live.values() if self._list_of(one.task).game_s > LIVE_S]
            if self._watched is not None and not slow:
                self._store.hide(self.ladder.name)
            self._watched = (slow[0].task, _unix_ms()) if slow else None
        if self._watched is not None:
            task, begun_ms = self._watched
            self._store.show(self._list_of(task).config, live[task], begun_ms)

    def _list_of(self, task: Task) -> RunningList:
        return next(one for chunk, (one, _) in self._on_the_way.items() if task in chunk.tasks)

    def _sample(self, *, last: bool = False) -> Sample:
        self._sampled_s = time.monotonic()
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return Sample(
            ladder=self.ladder.name,
            at_ms=_unix_ms(),
            begun_ms=self._begun_ms,
            games=self.games,
            memory_kb=_resident_kb("self"),
            workers_kb=sum(_resident_kb(str(pid)) for pid in self._arena.pids),
            cpu_ms=round(1000 * (usage.ru_utime + usage.ru_stime)),
            workers_ms=self._worker_us // 1000,
            schedule_ms=self._schedule_ns // 1_000_000,
            write_ms=self._store.cpu_ms,
            last=last,
        )


def _resumed(config: BotList, scores: dict[int, PairScore]) -> RunningList:
    try:
        return RunningList(config, scores)
    except ValueError as error:
        raise LadderLost(
            f"The records of {config.run_id} do not match its schedule ({error}): give the ladder another name."
        ) from None


def _news(before: BotList, changed: bool) -> str:
    """Who enters and who leaves; versions only where a bot's name does both."""
    if not changed or before.begun is None:
        return ""
    was = [before.entrants[bot] for bot in before.begun.line_ups[-1].bots]
    enters = [one for one in before.bots if one not in was]
    leaves = [one for one in was if one not in before.bots]
    both = {one.name for one in enters} & {one.name for one in leaves}
    parts = []
    for who, what in ((enters, "enter"), (leaves, "leave")):
        if who:
            names = [f"{one.name} (version {one.version})" if one.name in both else one.name for one in who]
            parts.append(f"; {', '.join(names)} {what}{'s' if len(who) == 1 else ''}")
    if before.mode != before.begun.line_ups[-1].mode:
        parts.append(f"; from now on {_MODES[before.mode]}")
    return "".join(parts)


def _resident_kb(process: str) -> int:
    """Memory of a process; 0 if it is gone or the system does not report it."""
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
        return pages * resource.getpagesize() // 1024
    return 0


def _drift_s() -> float:
    """How far the date is ahead of a clock that nobody sets, and that goes on while the machine sleeps."""
    return time.time() - time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def _unix_ms() -> int:
    return time.time_ns() // 1_000_000
