"""A bot that plays over the network: say how it chooses a move, `play` or `run` does the rest.

`choose` runs in a thread of its own, so that a long search does not starve the connection. It is given the room as
the bot sees it: `view.legal` are the moves as text, `view.position` is the position with the rules of the game.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Thread
from typing import TypeAlias

from client.sdk.connection import Connection, connect
from client.sdk.errors import NoughtsError, RequestRefused
from client.sdk.patience import until_possible
from client.sdk.room import LiveRoom
from client.sdk.room_view import RoomView
from client.sdk.websocket import quiet_websockets
from engine.rules.position import other
from server.wire import Action, ClockSettings, OfferKind, Opponent, Result

Choose: TypeAlias = Callable[[RoomView], str]

_DECLINES: dict[OfferKind, Action] = {"draw": "decline_draw", "takeback": "decline_takeback"}
_OVERTAKEN = ("stale", "game_over", "not_your_turn", "not_now")
"""Errors of a request that the game has overtaken: there is a new view to look at."""


def run(
    server: str,
    choose: Choose,
    *,
    name: str,
    game: str | None = None,
    against: str | None = None,
    code: str | None = None,
    clock: ClockSettings | None = None,
    games: int | None = 1,
    token: str | None = None,
) -> list[Result]:
    """Connect and play this many games, or as many as the opponent wants if None; returns their results.

    Sits down at the room of an invitation's `code`, or opens a room of `game`: against one of the server's bots
    (`against`), or for whoever comes. Raises what `connect` and its requests raise, ValueError for neither or both of
    `game` and `code`, or for no games, and TypeError for a `choose` that cannot be called.
    """
    check_choose(choose)
    if (game is None) == (code is None):
        raise ValueError("A bot needs either a game to offer or an invitation's code.")
    _check_games(games)

    async def connected() -> list[Result]:
        quiet_websockets()
        async with connect(server, name=name, kind="bot", token=token) as connection:
            room = await _sit(connection, game, against, code, clock)
            return await play(room, choose, games=games)

    return asyncio.run(connected())


def check_choose(choose: Choose, name: str = "choose") -> None:
    """Raises TypeError if it cannot be called with a view alone, or is async."""
    if inspect.iscoroutinefunction(choose):
        raise TypeError(f"{name} is async; write a plain function, which runs in a thread.")
    try:
        inspect.signature(choose).bind(None)
    except ValueError:
        return  # not every built-in function says what it takes
    except TypeError as error:
        raise TypeError(f"{name} must take one argument, the view: {error}.") from None


def _check_games(games: int | None) -> None:
    if games is not None and games < 1:
        raise ValueError(f"A bot plays at least one game, not {games}; games=None sets no limit.")


async def _sit(
    connection: Connection, game: str | None, against: str | None, code: str | None, clock: ClockSettings | None
) -> LiveRoom:
    if game is None:
        return await connection.join(code=code)
    opponent = Opponent(kind="bot", bot=against) if against else Opponent(kind="open")
    return await connection.create(game, opponent=opponent, clock=clock)


async def play(room: LiveRoom, choose: Choose, *, games: int | None = 1) -> list[Result]:
    """Play this many games in a room where the bot has a seat, asking for a rematch after each but the last.

    Offers are declined. Between two games it waits for an opponent who wants another. A room that is aborted before
    its game has started, as a declined challenge is, ends it. Raises ValueError for no games, and TypeError for a
    `choose` that cannot be called.
    """
    return await play_with(room, Thinker(choose), games)


class Thinker:
    """Calls `choose` in a thread, which holds up neither other rooms nor the end of the program.

    One view at a time: it may still be thinking about a game that is over, since a thread cannot be ended.
    """

    def __init__(self, choose: Choose) -> None:
        check_choose(choose)
        self._choose = choose
        self.idle = asyncio.Event()
        """Set while it thinks about nothing."""
        self.idle.set()

    def ask(self, view: RoomView) -> asyncio.Future[object]:
        """What `choose` returns. Only while it is idle."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[object] = loop.create_future()

        def end(tell: Callable[[], None]) -> None:
            self.idle.set()
            if not answer.done():
                tell()

        def think() -> None:
            tell: Callable[[], None]
            try:
                tell = partial(answer.set_result, self._choose(view))
            except (StopIteration, asyncio.CancelledError) as stopped:
                # The first no future can hold, the second would look as if we were cancelled.
                error = RuntimeError(f"choose raised {type(stopped).__name__}.")
                error.__cause__ = stopped
                tell = partial(answer.set_exception, error)
            except BaseException as raised:
                tell = partial(answer.set_exception, raised)
            with suppress(RuntimeError):  # the program has ended
                loop.call_soon_threadsafe(end, tell)

        Thread(target=copy_context().run, args=(think,), name="choose", daemon=True).start()
        self.idle.clear()
        return answer


async def play_with(room: LiveRoom, thinker: Thinker, games: int | None = 1) -> list[Result]:
    """As `play`, with a thinker that may outlast the game."""
    _check_games(games)
    results: list[Result] = []
    serial = 0
    async for view in room:
        if view.result is not None and view.serial != serial:
            serial = view.serial
            results.append(view.result)
            if len(results) == games or not view.started:
                break  # an invitation that came to nothing has no rematch
            await insist(room.rematch)
        elif view.my_turn:
            move = await _chosen(room, thinker, view)
            if move is not None:
                await insist(partial(_move, room, view, move))
        else:
            await _decline(room, view)
    return results


async def _chosen(room: LiveRoom, thinker: Thinker, view: RoomView) -> str | None:
    """What the thinker answers; None where the game ends first, or the connection."""
    ending = asyncio.create_task(_end(room, view.serial))
    idle = asyncio.create_task(thinker.idle.wait())
    answer: asyncio.Future[object] | None = None
    try:
        await asyncio.wait((idle, ending), return_when=asyncio.FIRST_COMPLETED)
        if ending.done():
            return None
        answer = thinker.ask(view)
        await asyncio.wait((answer, ending), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for waited in (ending, idle, answer):
            if waited is not None:
                waited.cancel()
    if answer.cancelled():
        return None
    move = answer.result()
    if not isinstance(move, str):
        raise TypeError(f"choose must return a move as text, not {move!r:.80}.")
    return str(move)  # also of a class of its own, such as numpy's


async def _end(room: LiveRoom, serial: int) -> None:
    """Wait for the end of this game, or of the connection, which the reader of the room learns of by itself."""
    with suppress(NoughtsError):
        async for view in room:
            if view.serial != serial or view.result is not None:
                return


async def insist(ask: Callable[[], Awaitable[object]]) -> None:
    """Ask until the server can do it, or the game has overtaken it."""
    try:
        await until_possible(ask)
    except RequestRefused as refused:
        if refused.code not in _OVERTAKEN:
            raise


async def _move(room: LiveRoom, view: RoomView, move: str) -> None:
    """Play what was chosen for this view, unless another program with our token has played meanwhile."""
    if (room.view.serial, room.view.moves) == (view.serial, view.moves):
        await room.move(move)


async def _decline(room: LiveRoom, view: RoomView) -> None:
    if view.you not in ("x", "o"):
        return
    for what, decline in _DECLINES.items():
        if view.offered(what, other(view.you)):
            await insist(partial(room.act, decline))
