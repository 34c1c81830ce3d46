"""The GET endpoints: the page and its files, what the server knows as JSON, and how it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from importlib.resources.abc import Traversable

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from engine.bots.roster import bots
from engine.rules.position import IllegalMove, MalformedMove, UnknownGame
from engine.rules.registry import games, rules
from server.db.ids import is_number
from server.db.play import GameRow, MoveRow
from server.http.answers.explorer import explorer_answer, walk
from server.http.answers.games import (
    Failure,
    GamesAnswer,
    WarmUpAnswer,
    bot_answer,
    game_answer,
    review_answer,
    rules_answer,
)
from server.http.ladders import Missing
from server.http.message import Request, Response
from server.http.page_files import file_response, page_files
from server.http.queries import HttpQueries
from server.http.responses import body_response, json_response, text_response
from server.metrics import Metrics
from server.play.writes import StoreUnavailable
from server.wire import Player

PAGE_LENGTH = 50
PAGE_LENGTH_MAX = 200
OWN_FORMS = {"jsonl": "application/jsonl", "txt": "text/plain"}
"""What a player's own games are given as."""
PAGES = ("/room/", "/join/", "/game/", "/player/", "/learn/")
"""Paths below these are all the page, which reads the rest itself."""
PAGES_ALONE = ("/", "/ladder", "/stats", "/explorer", "/learn")
"""So are these, with nothing below them."""

Query = Mapping[str, str]


class HttpApi:
    """Answers a request by its path.

    `page` is the folder of the page's files. `ready` says whether the server can play, `warming` how many stages of
    the bots' warm-up are done, of how many, and None once it is over.
    """

    def __init__(
        self,
        queries: HttpQueries,
        metrics: Metrics,
        page: Traversable,
        ready: Callable[[], bool],
        warming: Callable[[], tuple[int, int] | None] = lambda: None,
    ) -> None:
        self._queries = queries
        self._metrics = metrics
        self._ready = ready
        self._warming = warming
        self._files = page_files(page)

    async def answer(self, request: Request) -> Response:
        """The response to a request that is no websocket's."""
        if request.method not in ("GET", "HEAD"):
            response = text_response(
                HTTPStatus.METHOD_NOT_ALLOWED, f"{request.method} is not supported here: use GET.\n"
            )
            response.headers["Allow"] = "GET, HEAD"
            return response
        response = await self._get(request)
        if request.method == "HEAD":
            response.body = b""
        return response

    async def _get(self, request: Request) -> Response:
        path = request.path
        if path.startswith("/api/"):
            return await self._api(path.removeprefix("/api/"), request.query, request)
        if path.startswith("/static/"):
            return file_response(self._files, path.removeprefix("/static/"), request)
        if path == "/healthz":
            return text_response(HTTPStatus.OK, "ok\n")
        if path == "/readyz":
            return self._readiness()
        if path == "/metrics":
            return body_response(HTTPStatus.OK, generate_latest(self._metrics.registry), CONTENT_TYPE_LATEST)
        if path == "/favicon.ico":
            return file_response(self._files, "favicon.svg", request)
        if path in PAGES_ALONE or path.startswith(PAGES):
            return file_response(self._files, "index.html", request)
        return self._nothing(path, request)

    def _readiness(self) -> Response:
        if not self._ready():
            return text_response(HTTPStatus.SERVICE_UNAVAILABLE, "not ready\n")
        warming = self._warming()
        if warming is None:
            return text_response(HTTPStatus.OK, "ready\n")
        # People can play, and what needs no compiled search too.
        return text_response(HTTPStatus.OK, "ready; the bots are starting: {} of {}\n".format(*warming))

    def _nothing(self, path: str, request: Request) -> Response:
        """A browser gets the page, which says so in its reader's language and leads on."""
        if _takes_html(request.header("Accept")):
            response = file_response(self._files, "index.html", request, HTTPStatus.NOT_FOUND)
        else:
            response = text_response(HTTPStatus.NOT_FOUND, f"There is nothing at {path}. The page is at /.\n")
        response.headers["Vary"] = "Accept, Accept-Encoding"
        return response

    async def _api(self, path: str, query: Query, request: Request) -> Response:
        if path == "bots":
            return await self._bots(query)
        if path == "rules":
            return _rules(query)
        if path == "warm-up":
            done, of = self._warming() or (0, 0)
            return json_response(HTTPStatus.OK, WarmUpAnswer(warm=self._warming() is None, done=done, of=of))
        if path == "players/me" or path.startswith("players/me/"):
            return await self._mine(path.removeprefix("players/me"), query, request)
        if path == "ladder" or path.startswith(("ladder/", "players/")):
            return await self._ladder_or_player(path, query)
        if path == "stats":
            return json_response(HTTPStatus.OK, await self._queries.pictures.answer())
        if path.startswith("stats/"):
            return self._picture(path.removeprefix("stats/"), request)
        viewer = await self._viewer(request)
        if path == "games":
            return await self._games(query, viewer)
        if path.startswith("games/") and path.endswith("/review"):
            return await self._review(path.removeprefix("games/").removesuffix("/review"), viewer)
        if path.startswith("games/"):
            return await self._game(path.removeprefix("games/"), request.header("Accept"), viewer)
        if path == "explorer":
            return await self._explorer(query)
        return _failure(HTTPStatus.NOT_FOUND, f"There is nothing at /api/{path}.")

    async def _viewer(self, request: Request) -> int | None:
        """Players see their games of invite rooms by sending their token as a bearer token."""
        player = await self._owner(request)
        return int(player.id) if player is not None else None

    async def _owner(self, request: Request) -> Player | None:
        scheme, _, token = request.header("Authorization").partition(" ")
        return await self._queries.owner(token) if scheme.lower() == "bearer" and token else None

    async def _mine(self, path: str, query: Query, request: Request) -> Response:
        """What is there for a player alone: who a token makes one, and all one's games."""
        player = await self._owner(request)
        if player is None:
            sentence = "No player has this token: send yours as `Authorization: Bearer TOKEN`."
            response = _failure(HTTPStatus.UNAUTHORIZED, sentence)
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
        if not path:
            return json_response(HTTPStatus.OK, player)
        form = path.removeprefix("/games.")
        if form not in OWN_FORMS:
            sentence = f"There is nothing at /api/players/me{path}: games are at games.jsonl and games.txt."
            return _failure(HTTPStatus.NOT_FOUND, sentence)
        return await self._own_games(int(player.id), form, query)

    async def _own_games(self, player: int, form: str, query: Query) -> Response:
        """A page of them, newest first, with a link to the next."""
        try:
            before = _number(query, "before")
            limit = min(_number(query, "limit") or PAGE_LENGTH, PAGE_LENGTH_MAX)
        except ValueError as error:
            return _failure(HTTPStatus.BAD_REQUEST, str(error))
        found = await self._queries.games(player=player, viewer=player, before=before, limit=limit)
        known = await self._queries.moves_of([row.id for row in found])
        moves = {row.id: _shown(row, known.get(row.id, [])) for row in found}
        # In a thread: two hundred long games take a few tenths of a second.
        text = await asyncio.to_thread(self._queries.texts, found, moves, form)
        response = body_response(HTTPStatus.OK, text.encode(), f"{OWN_FORMS[form]}; charset=utf-8")
        if len(found) == limit:
            following = f"/api/players/me/games.{form}?before={found[-1].id}&limit={limit}"
            response.headers["Link"] = f'<{following}>; rel="next"'
        return response

    async def _games(self, query: Query, viewer: int | None) -> Response:
        try:
            game = rules(query["game"]).id if "game" in query else None
            numbers = {name: _number(query, name) for name in ("player", "before", "a", "b")}
            limit = min(_number(query, "limit") or PAGE_LENGTH, PAGE_LENGTH_MAX)
            if "opening" in query and "run" not in query:
                raise ValueError("opening= needs run=: every run has its own openings.")
        except (UnknownGame, ValueError) as error:
            return _failure(HTTPStatus.BAD_REQUEST, str(error))
        texts = {name: query.get(name) for name in ("run", "opening")}
        found = await self._queries.games(game=game, viewer=viewer, limit=limit, **numbers, **texts)
        answer = GamesAnswer(
            games=[game_answer(row) for row in found], next=found[-1].id if len(found) == limit else None
        )
        return json_response(HTTPStatus.OK, answer)

    async def _game(self, name: str, accept: str, viewer: int | None) -> Response:
        number, _, form = name.partition(".")
        form = form or _accepted_form(accept)
        if form not in ("json", "jsonl", "txt"):
            return _failure(HTTPStatus.NOT_FOUND, "A game is given as json, jsonl or txt.")
        row = await self._visible_game(number, viewer)
        if row is None:
            return _failure(HTTPStatus.NOT_FOUND, f"There is no game {number}.")
        moves = _shown(row, await self._queries.moves(row.id))
        if form == "json":
            variations = [] if row.keeps_searches else await self._queries.variations(row.id)
            extras = await self._queries.extras(row.id)
            return json_response(HTTPStatus.OK, game_answer(row, moves, variations, extras))
        kind = "application/jsonl" if form == "jsonl" else "text/plain"
        return body_response(HTTPStatus.OK, self._queries.text(row, moves, form).encode(), f"{kind}; charset=utf-8")

    async def _review(self, number: str, viewer: int | None) -> Response:
        row = await self._visible_game(number, viewer)
        if row is None:
            return _failure(HTTPStatus.NOT_FOUND, f"There is no game {number}.")
        verdicts = await self._queries.verdicts(row.id) if row.termination is not None else {}
        plies = row.plies if row.plies is not None else len(await self._queries.moves(row.id))
        return json_response(HTTPStatus.OK, review_answer(row, plies, verdicts))

    async def _visible_game(self, number: str, viewer: int | None) -> GameRow | None:
        """None for a game that does not exist and for one of others alike."""
        row = await self._queries.game(int(number)) if is_number(number) else None
        return row if row is not None and row.visible_to(viewer) else None

    async def _ladder_or_player(self, path: str, query: Query) -> Response:
        ladder = self._queries.ladder
        try:
            if path == "ladder":
                answer = await ladder.list_page(query["run"]) if "run" in query else await ladder.ladder()
                return json_response(HTTPStatus.OK, answer)
            if path == "ladder/live":
                return json_response(HTTPStatus.OK, await ladder.live(query.get("ladder")))
            player = path.removeprefix("players/")
            if path.startswith("players/") and is_number(player):
                return json_response(HTTPStatus.OK, await ladder.player(int(player)))
        except Missing as error:
            return _failure(HTTPStatus.NOT_FOUND, str(error))
        return _failure(HTTPStatus.NOT_FOUND, f"There is nothing at /api/{path}.")

    async def _bots(self, query: Query) -> Response:
        if "game" not in query:
            return json_response(HTTPStatus.OK, [bot_answer(entry) for entry in bots()])
        try:
            game = rules(query["game"])
        except UnknownGame as error:
            return _failure(HTTPStatus.BAD_REQUEST, str(error))
        try:
            ratings = await self._queries.bot_ratings(game.id)
        except StoreUnavailable:
            ratings = {}  # the bots are there all the same
        return json_response(HTTPStatus.OK, [bot_answer(entry, game, ratings) for entry in bots() if entry.plays(game)])

    def _picture(self, name: str, request: Request) -> Response:
        found = self._queries.pictures.file(name.removesuffix(".svg")) if name.endswith(".svg") else None
        if found is None:
            return json_response(
                HTTPStatus.NOT_FOUND, Failure(error="There is no such chart; /api/stats lists them all.")
            )
        tag = f'"{found.tag}"'
        known = tag in request.header("If-None-Match")
        return body_response(
            *((HTTPStatus.NOT_MODIFIED, b"") if known else (HTTPStatus.OK, found.body)), "image/svg+xml", tag
        )

    async def _explorer(self, query: Query) -> Response:
        game, moves = query.get("game", ""), query.get("moves", "")
        if not game:
            return _failure(HTTPStatus.BAD_REQUEST, "Name a game to explore, as in game=tictactoe.")
        try:
            # In a thread: the tables of a cube take a tenth of a second, once.
            there = await asyncio.to_thread(walk, game, moves)
        except (UnknownGame, MalformedMove, IllegalMove) as error:
            return _failure(HTTPStatus.BAD_REQUEST, str(error))
        found = await self._queries.explored(there.position.rules.id, there.place.key)
        return json_response(HTTPStatus.OK, explorer_answer(there, moves, found, await self._queries.pending()))


def _shown(row: GameRow, moves: Sequence[MoveRow]) -> list[MoveRow]:
    return [move.without_search() for move in moves] if row.keeps_searches else list(moves)


def _rules(query: Query) -> Response:
    if "game" not in query:
        return json_response(HTTPStatus.OK, [rules_answer(game) for game in games()])
    try:
        return json_response(HTTPStatus.OK, rules_answer(rules(query["game"])))
    except UnknownGame as error:
        return _failure(HTTPStatus.BAD_REQUEST, str(error))


def _number(query: Query, name: str) -> int | None:
    text = query.get(name)
    if text is None:
        return None
    if not is_number(text):
        raise ValueError(f"{name} must be a whole number, not {text[:40]!r}.")
    return int(text)


def _accepted_form(accept: str) -> str:
    for part in accept.split(","):
        form = {"application/json": "json", "application/jsonl": "jsonl", "text/plain": "txt"}.get(
            part.partition(";")[0].strip().lower()
        )
        if form is not None:
            return form
    return "json"


def _failure(status: HTTPStatus, sentence: str) -> Response:
    return json_response(status, Failure(error=sentence))


def _takes_html(accept: str) -> bool:
    return any(part.partition(";")[0].strip().lower() == "text/html" for part in accept.split(","))
