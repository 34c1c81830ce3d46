"""The moves of bots, as rooms ask for them: most in a worker, and those that cost nothing at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from engine.bots.cold import may_be_interpreted, needs
from engine.bots.player import Decision, Limit, decide
from engine.bots.roster import OUR_ROSTER, Bot, Roster, UnknownBot
from engine.rules.registry import rules as find_rules
from server.play.effects import Think
from server.rooms.fair_queue import FairQueue
from server.rooms.room.engine_games import FollowedGames
from server.rooms.room.services import SearchReport
from server.workers.child import Job, position
from server.workers.engines.engine import EngineBot
from server.workers.pool import Workers
from server.workers.search import Priority, Search
from server.workers.search_queue import Owner, QueueFull

log = logging.getLogger(__name__)

EXHIBITION_COST = 4
"""What a move of a game between bots counts for in turns. It takes less of the loop, but nobody waits for it, and
hundreds of such games would keep the workers and the commits busy all the time."""


class Thinking:
    """`address_of` gives the address of a connected player as limits count it, and nothing for others; `limit_met` is
    called with a limit that kept a search out and the address; `now_us` is monotonic; games between bots make their
    moves in `fair_queue`; `roster` has the bots that can be asked."""

    def __init__(
        self,
        workers: Workers,
        address_of: Callable[[str], str],
        limit_met: Callable[[str, str], None],
        now_us: Callable[[], int],
        fair_queue: FairQueue,
        roster: Roster = OUR_ROSTER,
    ) -> None:
        self.bot = roster.bot
        """by name; raises UnknownBot"""
        self._workers = workers
        self._address_of = address_of
        self._limit_met = limit_met
        self._now_us = now_us
        self._fair_queue = fair_queue
        self._followed = FollowedGames(now_us)

    def refusal(self, bot: Bot, person: str) -> str | None:
        """Why this bot cannot play this person now, in one sentence; None where it can."""
        owner = self._owner(person)
        no_place = self._followed.refusal(_holder(owner)) if _follows(bot) else None
        if no_place is not None:
            return no_place
        refusal = None if bot.entry.instant else self._workers.refusal(owner)
        if refusal is None:
            return None
        self._limit_met(refusal.limit, owner.address)
        return refusal.sentence

    def think(self, game: str, think: Think, watched: bool, report: SearchReport) -> Callable[[], None] | None:
        """Have a move decided. What stops it, or None where no worker takes it now."""
        try:
            bot = self.bot(think.bot)
        except UnknownBot:  # an engine that was here before a restart
            return _soon(lambda: report.faulted("crash", "is not among the bots of this server any more"))
        owner = self._owner(think.person)
        if _follows(bot) and not self._followed.take(think.seed, think.side, _holder(owner)):
            return None
        limit, rules = think.limit, find_rules(game)
        job = Job(
            game=game,
            cells=think.cells,
            bot=bot,
            limit=Limit(limit.move_ms, limit.nodes, limit.depth),
            budget_ms=max(think.budget_ms, _least_ms(bot)),
            seed=think.seed,
        )
        begin: Callable[[], Callable[[], None] | None]
        if bot.entry.instant:
            begin = partial(_decide_soon, job, report, self._now_us)
        else:
            unwaited = Priority.WATCHED if watched else Priority.BACKGROUND
            search = Search(
                job,
                Priority.PERSON if think.human_waiting else unwaited,
                owner,
                report.started,
                report.progressed,
                report.finished,
                report.failed,
                report.faulted,
                needs=needs(bot, rules),
                interpretable=not think.rated and may_be_interpreted(bot, rules, job.limit),
            )
            begin = partial(self._submit, search)
        if think.human_waiting:
            return begin()
        in_turn = _InTurn(begin, report)
        # In a queue of their own, or everything else that their creator asks for would wait behind them.
        self._fair_queue.take(f"exhibitions of {owner.address}", EXHIBITION_COST, in_turn.begin)
        return in_turn.stop

    def end_game(self, seed: int) -> None:
        """The game of this seed is over: the engines that have followed it need not any more."""
        if self._followed.end(seed):
            self._workers.end_game(seed)

    def _submit(self, search: Search[Decision]) -> Callable[[], None] | None:
        try:
            self._workers.submit(search)
        except QueueFull as full:
            self._limit_met(full.limit, search.owner.address)
            return None
        return partial(self._workers.stop, search)

    def _owner(self, person: str) -> Owner:
        return Owner(person, self._address_of(person))


def _follows(bot: Bot) -> bool:
    return isinstance(bot, EngineBot) and bot.engine.remembers


def _holder(owner: Owner) -> str:
    return owner.address or owner.person


def _least_ms(bot: Bot) -> int:
    """An engine that cannot be told its time gets its full `move_ms` for each move, and its clock decides."""
    return bot.engine.least_ms if isinstance(bot, EngineBot) else 0


class _InTurn:
    """A move that nobody waits for: it may be stopped before its turn has come."""

    def __init__(self, begin: Callable[[], Callable[[], None] | None], report: SearchReport) -> None:
        self._begin = begin
        self._report = report
        self._stop: Callable[[], None] | None = None
        self._stopped = False

    def begin(self) -> None:
        if self._stopped:
            return
        self._stop = self._begin()
        if self._stop is None:
            self._report.failed("busy")

    def stop(self) -> None:
        self._stopped = True
        if self._stop is not None:
            self._stop()


def _decide_soon(job: Job, report: SearchReport, now_us: Callable[[], int]) -> Callable[[], None]:
    def run() -> None:
        report.started()
        begun_us = now_us()
        try:
            decision = decide(job.bot, position(job), job.limit, job.seed)
        except Exception:
            # No fault of the bot: the room asks again in a moment.
            log.exception("a bot failed to decide", extra={"bot": job.bot.name, "game": job.game})
            report.failed("busy")
        else:
            report.finished(decision, now_us() - begun_us)

    return _soon(run)


def _soon(run: Callable[[], None]) -> Callable[[], None]:
    """Run it in the next turn of the loop; return what stops it."""
    return asyncio.get_running_loop().call_soon(run).cancel
