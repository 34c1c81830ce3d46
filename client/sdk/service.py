"""A bot in many rooms at once: it takes the challenges that its rules allow, and comes back after a lost connection."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from msgspec import Struct

from client.sdk.bot import Choose, Thinker, check_choose, insist, play_with
from client.sdk.connection import Connection, ConnectionState, News
from client.sdk.errors import NoughtsError, RequestRefused
from client.sdk.patience import until_possible
from client.sdk.room import LiveRoom
from server.wire import ClockSettings, Lobby, Seek

log = logging.getLogger(__name__)

LOOK_S = 30.0
"""How often to look at the lobby, besides at each of its changes, and how long a refused challenge is left alone."""
MOVES = 40
"""A clock's total counts the increments of this many moves of one side."""


class Accepts(Struct, frozen=True, kw_only=True):
    """Which challenges a bot takes. None for no bound; ratings are those of the challenger in that game."""

    games: frozenset[str] | None = None
    at_once: int = 4
    rated: bool = True
    """whether it plays rated games too"""
    no_clock: bool = True
    """whether it plays without a clock too"""
    least_s: int | None = None
    """seconds that a clock gives one side for 40 moves"""
    most_s: int | None = None
    least_rating: int | None = None
    most_rating: int | None = None
    seeks: bool = False
    """whether it also sits down where anybody may"""


def accepts(rules: Accepts, seek: Seek) -> bool:
    """Whether a bot with these rules takes a challenge or an open seek, leaving aside how many games it is playing."""
    if rules.games is not None and seek.game not in rules.games:
        return False
    if seek.rated and not rules.rated:
        return False
    if seek.clock is None:
        if not rules.no_clock:
            return False
    elif not _within(rules.least_s, _seconds(seek.clock), rules.most_s):
        return False
    if rules.least_rating is None and rules.most_rating is None:
        return True
    rating = seek.by.rating
    return rating is not None and _within(rules.least_rating, rating.value, rules.most_rating)


def _seconds(clock: ClockSettings) -> float:
    if clock.move_ms is not None:
        return MOVES * clock.move_ms / 1000
    return ((clock.initial_ms or 0) + MOVES * (clock.increment_ms or 0)) / 1000


def _within(least: float | None, value: float, most: float | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


def _is_no_move(error: NoughtsError) -> bool:
    """Whether it says that what `choose` returned is no legal move."""
    return isinstance(error, RequestRefused) and error.code in ("illegal_move", "malformed", "too_large")


def _both(ours: Callable[[News], None], theirs: Callable[[News], None] | None, news: News) -> None:
    ours(news)
    if theirs is not None:
        theirs(news)


class BotService:
    """`choose` is called in threads, for several rooms at once. Raises TypeError if it cannot be called."""

    def __init__(self, connection: Connection, choose: Choose, rules: Accepts) -> None:
        check_choose(choose)
        self._connection = connection
        self._choose = choose
        self._rules = rules
        self._rooms: dict[str, asyncio.Task[None]] = {}
        self._refused: dict[str, float] = {}
        """until when we leave alone each room that refused us"""
        self._look_now = asyncio.Event()

    async def run(self) -> None:
        """Play until the connection is lost for good. The connection's callbacks are called as before.

        Raises ServerUnreachable then, or RequestRefused where the server no longer lets us in.
        """
        lobby_changed, on_state = self._connection.lobby_changed, self._connection.on_state
        self._connection.lobby_changed = partial(_both, self._look, lobby_changed)
        self._connection.on_state = partial(_both, self._on_state, on_state)
        for room in self._connection.rooms:
            self._begin(room, self._rejoined)
        try:
            while True:
                self._look(await until_possible(self._connection.lobby))
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._look_now.wait(), LOOK_S)
                self._look_now.clear()
        finally:
            self._connection.lobby_changed, self._connection.on_state = lobby_changed, on_state
            for task in self._rooms.values():
                task.cancel()

    def _on_state(self, state: ConnectionState) -> None:
        log.info(state.sentence)
        if not state.connected:
            self._look_now.set()  # the next connection must ask for the lobby; without one, this ends

    def _look(self, lobby: Lobby) -> None:
        now_s = asyncio.get_running_loop().time()
        self._refused = {room: until_s for room, until_s in self._refused.items() if until_s > now_s}
        for seek in (*lobby.challenges, *(lobby.seeks if self._rules.seeks else ())):
            if len(self._rooms) >= self._rules.at_once:
                return
            if seek.room not in self._rooms and seek.room not in self._refused and accepts(self._rules, seek):
                self._begin(seek.room, self._joined)

    def _begin(self, room: str, sit: Callable[[str], Awaitable[LiveRoom | None]]) -> None:
        self._rooms[room] = asyncio.create_task(self._play(room, sit))

    async def _play(self, id: str, sit: Callable[[str], Awaitable[LiveRoom | None]]) -> None:
        thinker = Thinker(self._choose)
        try:
            await self._play_in(id, sit, thinker)
            if not thinker.idle.is_set():
                log.info("choose still thinks about a game that is over", extra={"room": id})
                await thinker.idle.wait()  # otherwise those that never return would pile up
        finally:
            del self._rooms[id]
            self._look_now.set()

    async def _play_in(self, id: str, sit: Callable[[str], Awaitable[LiveRoom | None]], thinker: Thinker) -> None:
        try:
            room = await sit(id)
            if room is not None:
                log.info("plays", extra={"room": id, "game": room.view.rules.id})
                await self._play_out(room, thinker)
                await until_possible(room.leave)
        except NoughtsError as error:
            log.warning("the game is left", extra={"room": id, "error": str(error)})

    async def _rejoined(self, id: str) -> LiveRoom:
        """A room where we have a seat."""
        return await until_possible(partial(self._connection.join, room=id))

    async def _joined(self, id: str) -> LiveRoom | None:
        """The room; None if it refuses us."""
        try:
            return await self._connection.join(room=id)
        except RequestRefused as refused:
            log.info("does not play", extra={"room": id, "error": refused.message})
            self._refused[id] = asyncio.get_running_loop().time() + LOOK_S
            return None

    async def _play_out(self, room: LiveRoom, thinker: Thinker) -> None:
        """Play the game. Whatever `choose` does wrong loses only this game, even if it would have ended the program."""
        try:
            await play_with(room, thinker)
        except (Exception, SystemExit) as error:
            if isinstance(error, NoughtsError) and not _is_no_move(error):
                raise
            log.exception("the bot failed and resigns", extra={"room": room.id})
            await insist(partial(room.act, "resign"))
