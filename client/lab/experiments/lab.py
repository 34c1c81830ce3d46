"""Where experiments are run: games in parallel processes, with the searches of their positions measured if asked for.

What is played and counted depends on the seed and the number of games alone; times depend on the machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from random import Random
from typing import Any, Final, TypeAlias, TypeVar, cast

from client.lab.experiments.estimates import ratio, share
from client.lab.experiments.findings import Estimate, Series
from engine.bots import match
from engine.bots.literature.answer import first
from engine.bots.match import Pairing, Played, Task, Watches
from engine.bots.player import NO_LIMIT, Limit
from engine.bots.roster import bot
from engine.rules.position import O, Position, Side, X
from engine.rules.registry import rules
from engine.search.fixed import Cut, Searched
from engine.stats.score import score
from server.console.progress import Progress, Step
from server.workers import arena
from server.workers.cluster.games import played_anywhere

K = TypeVar("K")
T = TypeVar("T")

RANDOM: Final = "random"
_TIMES: Final = 3


class ExperimentError(Exception):
    """A bot broke the rules, so there is nothing to report. One sentence."""


@dataclass(frozen=True, slots=True)
class Search:
    """What one search of one position cost."""

    ply: int
    """Ply of the game, before the move that is searched for."""
    cut: Cut
    nodes: int
    leaves: int
    pruned: int
    interior: int
    us: float


@dataclass(frozen=True, slots=True)
class Measured(Played):
    """A game with searches of its positions."""

    searches: tuple[Search, ...] = ()

    def of(self, cut: Cut) -> list[Search]:
        return [search for search in self.searches if search.cut == cut]


Searcher: TypeAlias = Callable[[Position, Cut], Searched]


class Lab:
    """What an experiment can use."""

    def __init__(
        self, games: int, seed: int, jobs: int, progress: Progress, name: str, cluster: str | None = None
    ) -> None:
        self.games = games
        self.seed = seed
        self._jobs = jobs
        self._cluster = cluster
        self._progress = progress
        self._name = name

    def step(self, what: str, total: int) -> AbstractContextManager[Step]:
        """Shows the progress of something that takes a while and is done in `total` pieces."""
        return self._progress.step(f"{self._name}: {what}", total)

    def play(self, what: str, groups: Mapping[K, Sequence[Task]]) -> dict[K, list[Played]]:
        """Plays groups of tasks and answers the games of each in the order of its tasks."""
        return self._played(what, groups, play)

    def measure(
        self, what: str, groups: Mapping[K, Sequence[Task]], play: Callable[[Task, Watches], Measured]
    ) -> dict[K, list[Measured]]:
        """The same with searches of the games' positions. `play` is a function of a module."""
        return cast(dict[K, list[Measured]], self._played(what, groups, play))

    def _played(self, what: str, groups: Mapping[K, Sequence[Task]], play: arena.Play) -> dict[K, list[Played]]:
        keys = [key for key, tasks in groups.items() for _ in tasks]
        listed = (task for tasks in groups.values() for task in tasks)
        tasks = [replace(task, number=number) for number, task in enumerate(listed)]
        games: list[Played] = []
        with self.step(what, len(tasks)) as step, closing(self._games(tasks, play)) as played:
            for game in played:
                if game.fault is not None:
                    raise ExperimentError(game.fault)
                games.append(game)
                step.advance()
        found: dict[K, list[Played]] = {key: [] for key in groups}
        for game in sorted(games, key=lambda game: game.task.number):
            found[keys[game.task.number]].append(game)
        return found

    def _games(self, tasks: Sequence[Task], play: arena.Play) -> Generator[Played]:
        return played_anywhere(tasks, self._jobs, self._cluster, self._progress.say, play)

    def fixed(
        self, game: str, x: str, o: str, games: int | None = None, limit: Limit = NO_LIMIT, a_side: Side = X
    ) -> list[Task]:
        """Games from the empty board in which `x` moves first; `by_bot` counts the results of `a_side`."""
        return [
            Task(
                number,
                number,
                a_side,
                game,
                bot(x),
                bot(o),
                *_limits(x, o, limit),
                (),
                self.seed_of(game, x, o, number),
            )
            for number in range(self.games if games is None else games)
        ]

    def swapped(self, game: str, a: str, b: str, plies: int = 0, limit: Limit = NO_LIMIT) -> list[Task]:
        """Pairs of games from openings of `plies` seeded random plies, bot A moving first in one and B in the other.

        Without an opening each bot moves first in every second game.
        """
        seed = self.seed_of(game, a, b)
        pairing = Pairing(rules(game).id, bot(a), bot(b), (self.games + 1) // 2, *_limits(a, b, limit), seed, plies)
        return list(match.tasks(pairing))

    def seed_of(self, *names: object) -> int:
        """A seed for what has this name, so that experiments do not depend on each other."""
        return Random("/".join(map(str, (self.seed, *names)))).getrandbits(48)


# In the worker processes.


def play(task: Task, watches: Watches) -> Played:
    """Plays a game after a warm-up game in the same process, so that no move's time includes loading."""
    _warm_up(replace(task, number=0, pair=0, seed=0, start=()))
    return match.play(task, watches)


@cache
def _warm_up(task: Task) -> None:
    match.play(task)


def _limits(one: str, two: str, limit: Limit) -> tuple[Limit, Limit]:
    """The limit for each; the random bot does not search."""
    return tuple(NO_LIMIT if name == RANDOM else limit for name in (one, two))  # type: ignore[return-value]


def measured(
    task: Task, watches: Watches, cuts: Sequence[Cut], searcher: Callable[[Task, Position], Searcher | None]
) -> Measured:
    """Plays a game and searches its positions again, one after the other, in every way asked for.

    `searcher` answers how a position is searched, or None for one that is not. Raises ExperimentError where the ways
    do not choose the same move.
    """
    played = play(task, watches)
    searches: list[Search] = []
    position = rules(task.game).initial
    for cell in played.record.cells():
        search = searcher(task, position)
        if search is not None:
            if not searches:  # once without counting, so that nothing is loaded in a search's time
                _searches(position, cuts, search)
            searches += _searches(position, cuts, search)
        position = position.play(cell)
    return Measured(**{field.name: getattr(played, field.name) for field in fields(Played)}, searches=tuple(searches))


def unless_random(
    search: Callable[[Position, tuple[Any, ...], Cut], Searched],
) -> Callable[[Task, Position], Searcher | None]:
    """What `measured` asks for: a search with the parameters of the bot to move, and none for the random bot."""

    def searcher(task: Task, position: Position) -> Searcher | None:
        family, values = mover(task, position)
        if family == RANDOM:
            return None
        return lambda position, cut: search(position, values, cut)

    return searcher


def _searches(position: Position, cuts: Sequence[Cut], search: Searcher) -> list[Search]:
    searches, chosen = [], set()
    for cut in cuts:
        # Processor time: a busy machine interrupts every run of a long search, and hardly one of a short one.
        found, us = timed(partial(search, position, cut), time.thread_time_ns)
        index = first(found)
        assert index is not None
        chosen.add(found.moves[index])
        searches.append(Search(position.ply, cut, found.nodes, found.leaves, found.pruned, found.interior, us))
    if len(chosen) > 1:
        raise ExperimentError(
            f"With and without cuts, different moves were chosen at ply {position.ply}: {sorted(chosen)}."
        )
    return searches


def timed(do: Callable[[], T], now_ns: Callable[[], int] = time.perf_counter_ns) -> tuple[T, float]:
    """The result and its time in microseconds: the shortest of a few runs, since other programs only add to it."""
    us = math.inf
    for _ in range(_TIMES):
        begun = now_ns()
        answer = do()
        us = min(us, (now_ns() - begun) / 1000)
    return answer, us


def mover(task: Task, position: Position) -> tuple[str, tuple[Any, ...]]:
    """The family and the parameters of the bot that is to move."""
    one = task.bot(position.to_move)
    return one.entry.family, tuple(value for _, value in one.parameters)


# Results of games.


def won(games: Iterable[Played], side: Side | None) -> int:
    """How many were won by a side; for None, how many were drawn."""
    return sum(game.record.winner == side for game in games)


Shares: TypeAlias = tuple[Estimate | None, Estimate | None, Estimate | None]


def by_side(games: Sequence[Played]) -> Shares:
    """The shares won by X, won by O and drawn, in percent."""
    x, o, drawn = (_share(games, [game.record.winner == side for game in games]) for side in (X, O, None))
    return x, o, drawn


def by_bot(games: Sequence[Played]) -> Shares:
    """The shares won by the first bot, lost by it and drawn, in percent."""
    won_, lost, drawn = (_share(games, [game.a_points == points for game in games]) for points in (1.0, 0.0, 0.5))
    return won_, lost, drawn


def _share(games: Sequence[Played], true_of: Sequence[bool]) -> Estimate | None:
    """The two games of a pair from one opening are not independent, so with openings it is pairs that are counted."""
    if not any(game.task.start for game in games):
        return share(sum(true_of), len(games))
    pairs: dict[int, list[float]] = {}
    for game, true in zip(games, true_of, strict=True):
        pairs.setdefault(game.task.pair, []).append(float(true))
    found = score(list(pairs.values()))
    return Estimate(100 * found.share, 100 * found.interval.low, 100 * found.interval.high)


def points(found: Mapping[tuple[str, str], Sequence[Played]], row: str, column: str) -> list[float]:
    """What `row` scored in its games against `column`, 0 to 100 each, whichever of them the pairing names first."""
    if (row, column) in found:
        return [100 * game.a_points for game in found[row, column] if game.a_points is not None]
    return [100 - 100 * game.a_points for game in found[column, row] if game.a_points is not None]


def results(matches: Sequence[Sequence[Played]]) -> list[Series]:
    """Won, drawn and lost, in percent, for a plot of stacked bars."""
    shares = [by_bot(games) for games in matches]
    x = [float(number) for number in range(len(matches))]
    named = (("won", 0), ("drawn", 2), ("lost", 1))
    return [
        Series(name, x, [one.value if (one := share_[index]) else 0.0 for share_ in shares]) for name, index in named
    ]


def a_move(games: Iterable[Sequence[Search]], of: Callable[[Search], float]) -> Estimate | None:
    """The average over the searches of games."""
    return ratio((sum(map(of, searches)), len(searches)) for searches in games)


def gain(games: Iterable[Measured], of: Callable[[Search], float], cut: Cut = Cut.LOOSE) -> Estimate | None:
    """The ratio of what searching takes without cuts to what it takes with them."""
    return ratio((sum(map(of, game.of(Cut.NONE))), sum(map(of, game.of(cut)))) for game in games)


def of_cut(games: Iterable[Measured], cut: Cut) -> list[list[Search]]:
    return [game.of(cut) for game in games]


def node_count(search: Search) -> float:
    return search.nodes


def move_ms(games: Iterable[Played], name: str) -> Estimate | None:
    """The time of a move of the bot with this name, in milliseconds."""
    return ratio((sum(times) / 1000, len(times)) for times in (times_us(game, name) for game in games))


def times_us(game: Played, name: str) -> list[int]:
    """The times of the moves that a bot made in a game."""
    first_ply = len(game.task.start)
    return [
        us for ply, us in enumerate(game.think_us, first_ply) if game.task.bot(X if ply % 2 == 0 else O).name == name
    ]
