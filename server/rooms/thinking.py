"""The moves of bots, as rooms ask for them: most in a worker, and those that cost nothing at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from engine.bots.cold import may_be_interpreted, needs
from engine.bots.player import Limit, decide
from engine.bots.roster import OUR_ROSTER, Bot, Roster, UnknownBot
from engine.rules.registry import rules as find_rules
from server.play.effects import Think
from server.rooms.room_services import SearchReport
from server.workers.child import Job, position
from server.workers.pool import Priority, Search, Workers
from server.workers.search_queue import Owner, QueueFull

log = logging.getLogger(__name__)


class Thinking:
    """`address_of` gives the address of a connected player as limits count it, and nothing for others; `limit_met` is
    called with a limit that kept a search out and the address; `now_us` is monotonic; `roster` has the bots that can be
    asked."""

    def __init__(
        self,
        workers: Workers,
        address_of: Callable[[str], str],
        limit_met: Callable[[str, str], None],
        now_us: Callable[[], int],
        roster: Roster = OUR_ROSTER,
    ) -> None:
        self.bot = roster.bot
        """by name; raises UnknownBot"""
        self._workers = workers
        self._address_of = address_of
        self._limit_met = limit_met
        self._now_us = now_us

    def refusal(self, bot: Bot, person: str) -> str | None:
        """Why this bot cannot play this person now, in one sentence; None where it can."""
        owner = self._owner(person)
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
        limit, rules = think.limit, find_rules(game)
        job = Job(
            game=game,
            cells=think.cells,
            bot=bot,
            limit=Limit(limit.move_ms, limit.nodes, limit.depth),
            budget_ms=think.budget_ms,
            seed=think.seed,
        )
        if bot.entry.instant:
            return _decide_soon(job, report, self._now_us)
        unwaited = Priority.WATCHED if watched else Priority.BACKGROUND
        owner = self._owner(think.person)
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
        try:
            self._workers.submit(search)
        except QueueFull as full:
            self._limit_met(full.limit, owner.address)
            return None
        return partial(self._workers.stop, search)

    def _owner(self, person: str) -> Owner:
        return Owner(person, self._address_of(person))


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
    """What stops it."""
    return asyncio.get_running_loop().call_soon(run).cancel
