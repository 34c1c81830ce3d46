"""What a server tells over HTTP: recorded games, positions, ladders, players, and how far its bots are warmed up.

Fields that are not needed here, and those of newer servers, are passed over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Struct

from client.sdk.address import is_loopback, page_url
from client.sdk.answers import Explored, LadderList, LadderPage, Profile
from client.sdk.errors import NoRecord, ProtocolError, RequestRefused, ServerUnreachable
from client.sdk.text import clean
from engine.rules import registry
from engine.rules.position import IllegalMove, MalformedMove, UnknownGame, play_all
from server.wire import ClockSettings, ErrorCode, Kind, RatingView, Side, Termination

TIMEOUT_S = 10
LARGEST_BYTES = 4_000_000
"""A longer answer is no record of a game."""
_NOT_NOW: dict[int, ErrorCode] = {429: "too_fast", 503: "unavailable"}
"""Statuses with a sentence as plain text, of a server that has not looked for the record."""


class RecordedPlayer(Struct, frozen=True):
    id: str
    name: str
    kind: Kind


class RecordedMove(Struct, frozen=True):
    ply: int
    move: str
    by: Side
    think_ms: int
    x_ms: int | None = None
    o_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    value: float | None = None
    win_in: int | None = None
    pv: list[str] = []


class RecordedGame(Struct, frozen=True):
    """A played game; `winner`, `termination` and `plies` are None while it runs, `moves` in a list of games."""

    id: int
    game: str
    x: RecordedPlayer
    o: RecordedPlayer
    rated: bool
    start: list[str]
    clock: ClockSettings | None
    started_ms: int
    winner: Side | None = None
    termination: Termination | None = None
    plies: int | None = None
    moves: list[RecordedMove] | None = None


class WarmUp(Struct, frozen=True):
    """How far the searches of the server's bots are compiled; `of` is 0 while that is not known."""

    warm: bool
    done: int
    of: int


class _Page(Struct):
    games: list[RecordedGame]


class _Ladders(Struct):
    lists: list[LadderList]


class ServerBot(Struct, frozen=True):
    """A family of bots of a server; `ratings` are by full name, of those that have played rated games."""

    family: str
    title: str
    character: str
    engine: bool = False
    """another's program, which the server hosts"""
    opening_plies: int | None = None
    """for an engine that follows each game from its start: how many moves a room's start may have"""
    ratings: dict[str, RatingView] = {}

    def takes_start(self, plies: int) -> bool:
        """Whether a room against it may begin with so many moves."""
        return self.opening_plies is None or plies <= self.opening_plies


class _Failure(Struct):
    error: str


Answer = TypeVar("Answer")


class Records:
    """The GET endpoints of a server, for the player whose token is given.

    Each raises NoRecord, ServerUnreachable, ProtocolError, and RequestRefused for what may be asked again later.
    """

    def __init__(self, server: str, token: str | None) -> None:
        self._server = server
        self._token = token

    async def game(self, number: int) -> RecordedGame:
        return await self._get(f"/api/games/{number}", RecordedGame)

    async def games_of(self, player: str, limit: int = 30) -> list[RecordedGame]:
        """A player's games, the newest first, without their moves."""
        return (await self._get(f"/api/games?player={player}&limit={limit}", _Page)).games

    async def games_between(self, run: str, player: str, other: str, limit: int = 30) -> list[RecordedGame]:
        """The games of two bots in a list of a ladder, the newest first, without their moves."""
        query = urlencode({"run": run, "a": player, "b": other, "limit": limit})
        return (await self._get(f"/api/games?{query}", _Page)).games

    async def newest_games(self, limit: int) -> list[RecordedGame]:
        """Public games, the newest first, without their moves."""
        return (await self._get(f"/api/games?limit={limit}", _Page)).games

    async def explored(self, game: str, moves: Sequence[str]) -> Explored:
        """The moves that were played from a position, and how their games ended."""
        answer = await self._get(f"/api/explorer?{urlencode({'game': game, 'moves': ','.join(moves)})}", Explored)
        _check_moves(answer, game, moves)
        return answer

    async def ladder_lists(self) -> list[LadderList]:
        """The lists of every ladder, the newest first."""
        return (await self._get("/api/ladder", _Ladders)).lists

    async def ladder_list(self, run: str) -> LadderPage:
        return await self._get(f"/api/ladder?{urlencode({'run': run})}", LadderPage)

    async def player(self, id: str) -> Profile:
        return await self._get(f"/api/players/{quote(id, safe='')}", Profile)

    async def bots(self, game: str) -> list[ServerBot]:
        """The bots that play a kind of game, with their ratings in it."""
        return await self._get(f"/api/bots?game={game}", list[ServerBot])

    async def warm_up(self) -> WarmUp:
        return await self._get("/api/warm-up", WarmUp)

    async def _get(self, path: str, answer: type[Answer]) -> Answer:
        status, kind, body = await asyncio.to_thread(_fetch, page_url(self._server, path), self._token)
        try:
            if status in _NOT_NOW and kind == "text/plain":
                raise RequestRefused(_NOT_NOW[status], clean(body.decode()))
            if status != 200:
                raise NoRecord(clean(msgspec.json.decode(body, type=_Failure).error))
            return msgspec.json.decode(body, type=answer)
        except (msgspec.MsgspecError, UnicodeError):
            raise ProtocolError(f"The server's answer to {path} (HTTP status {status}) cannot be read.") from None


def _check_moves(explored: Explored, game: str, moves: Sequence[str]) -> None:
    """Raises ProtocolError if a move that was played next is against the rules here, as far as they are known."""
    try:
        rules = registry.rules(game)
        position = play_all(rules.initial, map(rules.parse_move, moves))
    except UnknownGame:
        return
    try:
        for each in (*explored.next, *explored.set_up):
            position.play(rules.parse_move(each.move))
    except (MalformedMove, IllegalMove) as error:
        raise ProtocolError(f"The server sent a move that the rules here forbid. {error}") from None


def _fetch(url: str, token: str | None) -> tuple[int, str, bytes]:
    """Status, type and body of an answer. Raises ServerUnreachable."""
    # Imported when used: most games are played without.
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import ProxyHandler, Request, build_opener

    headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    handlers: list[Any] = [ProxyHandler({})] if is_loopback(url) else []
    try:
        try:
            answer = build_opener(*handlers).open(Request(url, headers=headers), timeout=TIMEOUT_S)
        except HTTPError as error:
            answer = error
        with answer:
            return answer.status, answer.headers.get_content_type(), answer.read(LARGEST_BYTES)
    except (OSError, HTTPException):
        raise ServerUnreachable("The server's records cannot be reached just now.") from None
