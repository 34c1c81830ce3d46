"""The GET endpoints: the page and its files, what the server knows as JSON, and how it is."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import mimetypes
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources import files
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from engine.position import IllegalMove, MalformedMove, UnknownGame
from engine.roster import bots
from engine.rules.registry import games, rules
from server.answers import Failure, GamesAnswer, WarmUpAnswer, bot_answer, game_answer, rules_answer
from server.explorer_answers import explorer_answer, walk
from server.explorer_rows import ExplorerRow
from server.ladder_site import LadderSite, Missing
from server.metrics import Metrics
from server.pictures import Pictures
from server.rows import BesideRow, GameRow, MoveRow, VariationRow

PAGE_LENGTH = 50
PAGE_LENGTH_MAX = 200
PAGES = ("/room/", "/join/", "/game/", "/player/")
"""Paths below these are all the page, which reads the rest itself."""
PAGES_ALONE = ("/", "/ladder", "/stats", "/explorer")
"""So are these, with nothing below them."""

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

Query = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Records:
    """What the endpoints read of the records. A viewer is a player id, None for anybody."""

    game: Callable[[int], Awaitable[GameRow | None]]
    moves: Callable[[int], Awaitable[list[MoveRow]]]
    variations: Callable[[int], Awaitable[list[VariationRow]]]
    games: Callable[..., Awaitable[list[GameRow]]]
    """game, player, before, run, a, b, opening, viewer, limit"""
    viewer: Callable[[str], Awaitable[int | None]]
    """whose token that is"""
    text: Callable[[GameRow, list[MoveRow], str], str]
    """a game in the form jsonl or txt"""
    beside: Callable[[int], Awaitable[BesideRow | None]]
    explored: Callable[[str, int], Awaitable[list[ExplorerRow]]]
    """the counted moves of a game's positions with a key"""
    pending: Callable[[], Awaitable[int]]
    """how many games the explorer has not counted; starts to count them"""
    ladder: LadderSite
    pictures: Pictures


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the page, as it is and packed with gzip. The tags differ, as the bytes do."""

    body: bytes
    packed: bytes
    kind: str
    tag: str
    packed_tag: str


class Site:
    """Answers a request by its path.

    `ready` tells whether the server can play, `warming` how many stages of the bots' warm-up are done, of how many,
    and None once it is over.
    """

    def __init__(
        self,
        records: Records,
        metrics: Metrics,
        ready: Callable[[], bool],
        warming: Callable[[], tuple[int, int] | None] = lambda: None,
    ) -> None:
        self._records = records
        self._metrics = metrics
        self._ready = ready
        self._warming = warming
        self._files = _load_files()

    async def answer(self, request: Request) -> Response:
        """The response to a request that is no websocket's."""
        if request.method not in ("GET", "HEAD"):
            response = _text(HTTPStatus.METHOD_NOT_ALLOWED, f"Nothing here answers {request.method}: use GET.\n")
            response.headers["Allow"] = "GET, HEAD"
            return response
        response = await self._get(request)
        if request.method == "HEAD":
            response.body = b""
        return response

    async def _get(self, request: Request) -> Response:
        target = split_target(request.path)
        path = unquote(target.path)
        query = dict(parse_qsl(target.query))
        if path.startswith("/api/"):
            return await self._api(path.removeprefix("/api/"), query, request)
        if path.startswith("/static/"):
            return self._file(path.removeprefix("/static/"), request)
        if path == "/healthz":
            return _text(HTTPStatus.OK, "ok\n")
        if path == "/readyz":
            return self._readiness()
        if path == "/metrics":
            return _response(HTTPStatus.OK, generate_latest(self._metrics.registry), CONTENT_TYPE_LATEST)
        if path == "/favicon.ico":
            return self._file("favicon.svg", request)
        if path in PAGES_ALONE or path.startswith(PAGES):
            return self._file("index.html", request)
        return _text(HTTPStatus.NOT_FOUND, f"There is nothing at {path}. The page is at /.\n")

    def _readiness(self) -> Response:
        if not self._ready():
            return _text(HTTPStatus.SERVICE_UNAVAILABLE, "not ready\n")
        warming = self._warming()
        if warming is None:
            return _text(HTTPStatus.OK, "ready\n")
        # People can play, and what needs no compiled search too.
        return _text(HTTPStatus.OK, "ready; the bots are warming up: {} of {}\n".format(*warming))

    def _file(self, name: str, request: Request) -> Response:
        found = self._files.get(name)
        if found is None:
            return _text(HTTPStatus.NOT_FOUND, f"There is no file {name}.\n")
        packed = _takes_gzip(header(request, "Accept-Encoding"))
        tag = found.packed_tag if packed else found.tag
        if tag in header(request, "If-None-Match"):  # a list, perhaps marked as weak by a proxy
            response = _response(HTTPStatus.NOT_MODIFIED, b"", found.kind, tag)
        else:
            response = _response(HTTPStatus.OK, found.packed if packed else found.body, found.kind, tag)
            if packed:
                response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        return response

    async def _api(self, path: str, query: Query, request: Request) -> Response:
        if path == "bots":
            return _bots(query)
        if path == "rules":
            return _rules(query)
        if path == "warm-up":
            done, of = self._warming() or (0, 0)
            return _json(HTTPStatus.OK, WarmUpAnswer(warm=self._warming() is None, done=done, of=of))
        if path == "ladder" or path.startswith(("ladder/", "players/")):
            return await self._ladder_or_player(path, query)
        if path == "stats":
            return _json(HTTPStatus.OK, await self._records.pictures.answer())
        if path.startswith("stats/"):
            return self._picture(path.removeprefix("stats/"), request)
        viewer = await self._viewer(request)
        if path == "games":
            return await self._games(query, viewer)
        if path.startswith("games/"):
            return await self._game(path.removeprefix("games/"), header(request, "Accept"), viewer)
        if path == "explorer":
            return await self._explorer(query)
        return _json(HTTPStatus.NOT_FOUND, Failure(error=f"There is nothing at /api/{path}."))

    async def _viewer(self, request: Request) -> int | None:
        """Players see their games of invite rooms by sending their token as a bearer token."""
        scheme, _, token = header(request, "Authorization").partition(" ")
        return await self._records.viewer(token) if scheme.lower() == "bearer" and token else None

    async def _games(self, query: Query, viewer: int | None) -> Response:
        try:
            game = rules(query["game"]).id if "game" in query else None
            numbers = {name: _number(query, name) for name in ("player", "before", "a", "b")}
            limit = min(_number(query, "limit") or PAGE_LENGTH, PAGE_LENGTH_MAX)
            if "opening" in query and "run" not in query:
                raise ValueError("opening= goes with run=: every run names its own openings.")
        except (UnknownGame, ValueError) as error:
            return _json(HTTPStatus.BAD_REQUEST, Failure(error=str(error)))
        texts = {name: query.get(name) for name in ("run", "opening")}
        found = await self._records.games(game=game, viewer=viewer, limit=limit, **numbers, **texts)
        answer = GamesAnswer(
            games=[game_answer(row) for row in found], next=found[-1].id if len(found) == limit else None
        )
        return _json(HTTPStatus.OK, answer)

    async def _game(self, name: str, accept: str, viewer: int | None) -> Response:
        number, _, form = name.partition(".")
        form = form or _accepted_form(accept)
        if form not in ("json", "jsonl", "txt"):
            return _json(HTTPStatus.NOT_FOUND, Failure(error="A game is given as json, jsonl or txt."))
        row = await self._records.game(int(number)) if is_number(number) else None
        if row is None or not row.visible_to(viewer):
            return _json(HTTPStatus.NOT_FOUND, Failure(error=f"There is no game {number}."))
        moves = await self._records.moves(row.id)
        if form == "json":
            variations, beside = await self._records.variations(row.id), await self._records.beside(row.id)
            return _json(HTTPStatus.OK, game_answer(row, moves, variations, beside))
        kind = "application/jsonl" if form == "jsonl" else "text/plain"
        return _response(HTTPStatus.OK, self._records.text(row, moves, form).encode(), f"{kind}; charset=utf-8")

    async def _ladder_or_player(self, path: str, query: Query) -> Response:
        ladder = self._records.ladder
        try:
            if path == "ladder":
                answer = await ladder.list_page(query["run"]) if "run" in query else await ladder.ladder()
                return _json(HTTPStatus.OK, answer)
            if path == "ladder/live":
                return _json(HTTPStatus.OK, await ladder.live(query.get("ladder")))
            player = path.removeprefix("players/")
            if path.startswith("players/") and is_number(player):
                return _json(HTTPStatus.OK, await ladder.player(int(player)))
        except Missing as error:
            return _json(HTTPStatus.NOT_FOUND, Failure(error=str(error)))
        return _json(HTTPStatus.NOT_FOUND, Failure(error=f"There is nothing at /api/{path}."))

    def _picture(self, name: str, request: Request) -> Response:
        found = self._records.pictures.file(name.removesuffix(".svg")) if name.endswith(".svg") else None
        if found is None:
            return _json(HTTPStatus.NOT_FOUND, Failure(error="There is no such picture; /api/stats names them all."))
        tag = f'"{found.tag}"'
        known = tag in header(request, "If-None-Match")
        return _response(
            *((HTTPStatus.NOT_MODIFIED, b"") if known else (HTTPStatus.OK, found.body)), "image/svg+xml", tag
        )

    async def _explorer(self, query: Query) -> Response:
        game, moves = query.get("game", ""), query.get("moves", "")
        if not game:
            return _json(HTTPStatus.BAD_REQUEST, Failure(error="Name a game to explore, as in game=tictactoe."))
        try:
            # In a thread: the tables of a cube take a tenth of a second, once.
            there = await asyncio.to_thread(walk, game, moves)
        except (UnknownGame, MalformedMove, IllegalMove) as error:
            return _json(HTTPStatus.BAD_REQUEST, Failure(error=str(error)))
        found = await self._records.explored(there.position.rules.id, there.place.key)
        return _json(HTTPStatus.OK, explorer_answer(there, moves, found, await self._records.pending()))


def header(request: Request, name: str) -> str:
    """A header's value, empty without it; one that is given several times is one list."""
    return ", ".join(request.headers.get_all(name))


def split_target(target: str) -> SplitResult:
    """A request's target in parts: a path, a whole URL as proxies send it, or anything else."""
    try:
        parts = urlsplit(target)
    except ValueError:
        return SplitResult("", "", target, "", "")
    return parts if parts.path else parts._replace(path="/")


def _bots(query: Query) -> Response:
    if "game" not in query:
        return _json(HTTPStatus.OK, [bot_answer(entry) for entry in bots()])
    try:
        game = rules(query["game"])
    except UnknownGame as error:
        return _json(HTTPStatus.BAD_REQUEST, Failure(error=str(error)))
    return _json(HTTPStatus.OK, [bot_answer(entry, game) for entry in bots() if entry.plays(game)])


def _rules(query: Query) -> Response:
    if "game" not in query:
        return _json(HTTPStatus.OK, [rules_answer(game) for game in games()])
    try:
        return _json(HTTPStatus.OK, rules_answer(rules(query["game"])))
    except UnknownGame as error:
        return _json(HTTPStatus.BAD_REQUEST, Failure(error=str(error)))


def _number(query: Query, name: str) -> int | None:
    text = query.get(name)
    if text is None:
        return None
    if not is_number(text):
        raise ValueError(f"{name} is a whole number, not {text[:40]!r}.")
    return int(text)


def is_number(text: str) -> bool:
    """Whether text is a whole number that the database can hold."""
    return text.isascii() and text.isdigit() and len(text) < 19


def _accepted_form(accept: str) -> str:
    for part in accept.split(","):
        form = {"application/json": "json", "application/jsonl": "jsonl", "text/plain": "txt"}.get(
            part.partition(";")[0].strip().lower()
        )
        if form is not None:
            return form
    return "json"


def _takes_gzip(accept_encoding: str) -> bool:
    for part in accept_encoding.lower().split(","):
        coding, _, quality = part.partition(";")
        if coding.strip() == "gzip":
            return quality.replace(" ", "").rstrip("0") not in ("q=", "q=0.")
    return False


def _load_files() -> dict[str, PageFile]:
    """The page's files by name. Read and packed once: the page is small."""
    loaded: dict[str, PageFile] = {}
    for entry in files("client").joinpath("web").iterdir():
        if entry.is_file() and not entry.name.startswith("."):
            body = entry.read_bytes()
            kind = mimetypes.guess_type(entry.name)[0] or "application/octet-stream"
            kind = "text/javascript" if entry.name.endswith(".js") else kind
            charset = "; charset=utf-8" if kind.startswith("text/") else ""
            digest = hashlib.sha256(body).hexdigest()[:16]
            packed = gzip.compress(body, mtime=0)
            loaded[entry.name] = PageFile(body, packed, kind + charset, f'"{digest}"', f'"{digest}-gzip"')
    return loaded


def _json(status: HTTPStatus, answer: Any) -> Response:
    return _response(status, msgspec.json.encode(answer), "application/json")


def _text(status: HTTPStatus, text: str) -> Response:
    return _response(status, text.encode(), "text/plain; charset=utf-8")


def _response(status: HTTPStatus, body: bytes, kind: str, tag: str | None = None) -> Response:
    headers = Headers(_HEADERS)
    headers["Content-Type"] = kind
    headers["Content-Length"] = str(len(body))
    headers["Connection"] = "close"
    headers["Cache-Control"] = "no-cache" if tag is not None else "no-store"
    if tag is not None:
        headers["ETag"] = tag
    return Response(status.value, status.phrase, headers, body)


def refusal(status: HTTPStatus, sentence: str) -> Response:
    """Why a websocket may not be opened."""
    return _text(status, sentence + "\n")
