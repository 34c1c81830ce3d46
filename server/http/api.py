"""The GET endpoints: the page and its files, what the server knows as JSON, and how it is."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import mimetypes
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources.abc import Traversable
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from engine.analysis.verdict import MoveVerdict
from engine.bots.roster import bots
from engine.rules.position import IllegalMove, MalformedMove, UnknownGame
from engine.rules.registry import games, rules
from server.db.explorer import ExplorerRow
from server.db.ids import is_number
from server.db.play import GameExtras, GameRow, MoveRow, VariationRow
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
from server.http.ladders import LadderSite, Missing
from server.http.pictures import Pictures
from server.metrics import Metrics
from server.play.writes import StoreUnavailable
from server.wire import Player, RatingView

PAGE_LENGTH = 50
PAGE_LENGTH_MAX = 200
OWN_FORMS = {"jsonl": "application/jsonl", "txt": "text/plain"}
"""What a player's own games are given as."""
PAGES = ("/room/", "/join/", "/game/", "/player/", "/learn/")
"""Paths below these are all the page, which reads the rest itself."""
PAGES_ALONE = ("/", "/ladder", "/stats", "/explorer", "/learn")
"""So are these, with nothing below them."""
TEXTS = "i18n/texts/"
"""Where the page keeps its texts, one file for each language."""
SHARED_TEXTS = "i18n/shared/"
"""Those that the terminal says in the same words; the page is given both as one file."""

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
_PAGE_HEADERS = {"Cross-Origin-Opener-Policy": "same-origin"}
"""What browsers read of a page alone: a page loads seventy other files, each with its head."""

Query = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Records:
    """What the endpoints read of the records. A viewer is a player id, None for anybody."""

    game: Callable[[int], Awaitable[GameRow | None]]
    moves: Callable[[int], Awaitable[list[MoveRow]]]
    variations: Callable[[int], Awaitable[list[VariationRow]]]
    games: Callable[..., Awaitable[list[GameRow]]]
    """game, player, before, run, a, b, opening, viewer, limit"""
    owner: Callable[[str], Awaitable[Player | None]]
    """whose token that is"""
    moves_of: Callable[[list[int]], Awaitable[dict[int, list[MoveRow]]]]
    """of several games"""
    text: Callable[[GameRow, list[MoveRow], str], str]
    """a game in the form jsonl or txt"""
    texts: Callable[[list[GameRow], dict[int, list[MoveRow]], str], str]
    """several, those left out that cannot be written"""
    extras: Callable[[int], Awaitable[GameExtras | None]]
    verdicts: Callable[[int], Awaitable[dict[int, MoveVerdict]]]
    """what a review has said so far of a game's moves"""
    explored: Callable[[str, int], Awaitable[list[ExplorerRow]]]
    """the counted moves of a game's positions with a key"""
    pending: Callable[[], Awaitable[int]]
    """how many games the explorer has not counted; starts to count them"""
    bot_ratings: Callable[[str], Awaitable[Mapping[tuple[str, int], RatingView]]]
    """in a game, by full name and version"""
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

    `page` is the folder of the page's files. `ready` tells whether the server can play, `warming` how many stages of
    the bots' warm-up are done, of how many, and None once it is over.
    """

    def __init__(
        self,
        records: Records,
        metrics: Metrics,
        page: Traversable,
        ready: Callable[[], bool],
        warming: Callable[[], tuple[int, int] | None] = lambda: None,
    ) -> None:
        self._records = records
        self._metrics = metrics
        self._ready = ready
        self._warming = warming
        self._files = page_files(page)

    async def answer(self, request: Request) -> Response:
        """The response to a request that is no websocket's."""
        if request.method not in ("GET", "HEAD"):
            response = _text(HTTPStatus.METHOD_NOT_ALLOWED, f"{request.method} is not supported here: use GET.\n")
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
        return self._nothing(path, request)

    def _readiness(self) -> Response:
        if not self._ready():
            return _text(HTTPStatus.SERVICE_UNAVAILABLE, "not ready\n")
        warming = self._warming()
        if warming is None:
            return _text(HTTPStatus.OK, "ready\n")
        # People can play, and what needs no compiled search too.
        return _text(HTTPStatus.OK, "ready; the bots are starting: {} of {}\n".format(*warming))

    def _nothing(self, path: str, request: Request) -> Response:
        """A browser gets the page, which says so in its reader's language and leads on."""
        if _takes_html(header(request, "Accept")):
            response = self._file("index.html", request, HTTPStatus.NOT_FOUND)
        else:
            response = _text(HTTPStatus.NOT_FOUND, f"There is nothing at {path}. The page is at /.\n")
        response.headers.pop("Vary", None)  # else there were two
        response.headers["Vary"] = "Accept, Accept-Encoding"
        return response

    def _file(self, name: str, request: Request, status: HTTPStatus = HTTPStatus.OK) -> Response:
        found = self._files.get(name)
        if found is None:
            return _text(HTTPStatus.NOT_FOUND, f"There is no file {name}.\n")
        packed = _takes_gzip(header(request, "Accept-Encoding"))
        tag = found.packed_tag if packed else found.tag
        # A list, perhaps marked as weak by a proxy.
        if status is HTTPStatus.OK and tag in header(request, "If-None-Match"):
            response = _response(HTTPStatus.NOT_MODIFIED, b"", found.kind, tag)
        else:
            response = _response(status, found.packed if packed else found.body, found.kind, tag)
            if packed:
                response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        return response

    async def _api(self, path: str, query: Query, request: Request) -> Response:
        if path == "bots":
            return await self._bots(query)
        if path == "rules":
            return _rules(query)
        if path == "warm-up":
            done, of = self._warming() or (0, 0)
            return _json(HTTPStatus.OK, WarmUpAnswer(warm=self._warming() is None, done=done, of=of))
        if path == "players/me" or path.startswith("players/me/"):
            return await self._mine(path.removeprefix("players/me"), query, request)
        if path == "ladder" or path.startswith(("ladder/", "players/")):
            return await self._ladder_or_player(path, query)
        if path == "stats":
            return _json(HTTPStatus.OK, await self._records.pictures.answer())
        if path.startswith("stats/"):
            return self._picture(path.removeprefix("stats/"), request)
        viewer = await self._viewer(request)
        if path == "games":
            return await self._games(query, viewer)
        if path.startswith("games/") and path.endswith("/review"):
            return await self._review(path.removeprefix("games/").removesuffix("/review"), viewer)
        if path.startswith("games/"):
            return await self._game(path.removeprefix("games/"), header(request, "Accept"), viewer)
        if path == "explorer":
            return await self._explorer(query)
        return _json(HTTPStatus.NOT_FOUND, Failure(error=f"There is nothing at /api/{path}."))

    async def _viewer(self, request: Request) -> int | None:
        """Players see their games of invite rooms by sending their token as a bearer token."""
        player = await self._owner(request)
        return int(player.id) if player is not None else None

    async def _owner(self, request: Request) -> Player | None:
        scheme, _, token = header(request, "Authorization").partition(" ")
        return await self._records.owner(token) if scheme.lower() == "bearer" and token else None

    async def _mine(self, path: str, query: Query, request: Request) -> Response:
        """What is there for a player alone: who a token makes one, and all one's games."""
        player = await self._owner(request)
        if player is None:
            sentence = "No player has this token: send yours as `Authorization: Bearer TOKEN`."
            response = _json(HTTPStatus.UNAUTHORIZED, Failure(error=sentence))
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
        if not path:
            return _json(HTTPStatus.OK, player)
        form = path.removeprefix("/games.")
        if form not in OWN_FORMS:
            sentence = f"There is nothing at /api/players/me{path}: games are at games.jsonl and games.txt."
            return _json(HTTPStatus.NOT_FOUND, Failure(error=sentence))
        return await self._own_games(int(player.id), form, query)

    async def _own_games(self, player: int, form: str, query: Query) -> Response:
        """A page of them, newest first, with a link to the next."""
        try:
            before = _number(query, "before")
            limit = min(_number(query, "limit") or PAGE_LENGTH, PAGE_LENGTH_MAX)
        except ValueError as error:
            return _json(HTTPStatus.BAD_REQUEST, Failure(error=str(error)))
        found = await self._records.games(player=player, viewer=player, before=before, limit=limit)
        known = await self._records.moves_of([row.id for row in found])
        moves = {row.id: _shown(row, known.get(row.id, [])) for row in found}
        # In a thread: two hundred long games take a few tenths of a second.
        text = await asyncio.to_thread(self._records.texts, found, moves, form)
        response = _response(HTTPStatus.OK, text.encode(), f"{OWN_FORMS[form]}; charset=utf-8")
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
        row = await self._visible_game(number, viewer)
        if row is None:
            return _json(HTTPStatus.NOT_FOUND, Failure(error=f"There is no game {number}."))
        moves = _shown(row, await self._records.moves(row.id))
        if form == "json":
            variations = [] if row.keeps_searches else await self._records.variations(row.id)
            extras = await self._records.extras(row.id)
            return _json(HTTPStatus.OK, game_answer(row, moves, variations, extras))
        kind = "application/jsonl" if form == "jsonl" else "text/plain"
        return _response(HTTPStatus.OK, self._records.text(row, moves, form).encode(), f"{kind}; charset=utf-8")

    async def _review(self, number: str, viewer: int | None) -> Response:
        row = await self._visible_game(number, viewer)
        if row is None:
            return _json(HTTPStatus.NOT_FOUND, Failure(error=f"There is no game {number}."))
        verdicts = await self._records.verdicts(row.id) if row.termination is not None else {}
        plies = row.plies if row.plies is not None else len(await self._records.moves(row.id))
        return _json(HTTPStatus.OK, review_answer(row, plies, verdicts))

    async def _visible_game(self, number: str, viewer: int | None) -> GameRow | None:
        """None for a game that does not exist and for one of others alike."""
        row = await self._records.game(int(number)) if is_number(number) else None
        return row if row is not None and row.visible_to(viewer) else None

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

    async def _bots(self, query: Query) -> Response:
        if "game" not in query:
            return _json(HTTPStatus.OK, [bot_answer(entry) for entry in bots()])
        try:
            game = rules(query["game"])
        except UnknownGame as error:
            return _json(HTTPStatus.BAD_REQUEST, Failure(error=str(error)))
        try:
            ratings = await self._records.bot_ratings(game.id)
        except StoreUnavailable:
            ratings = {}  # the bots are there all the same
        return _json(HTTPStatus.OK, [bot_answer(entry, game, ratings) for entry in bots() if entry.plays(game)])

    def _picture(self, name: str, request: Request) -> Response:
        found = self._records.pictures.file(name.removesuffix(".svg")) if name.endswith(".svg") else None
        if found is None:
            return _json(HTTPStatus.NOT_FOUND, Failure(error="There is no such chart; /api/stats lists them all."))
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


def _shown(row: GameRow, moves: Sequence[MoveRow]) -> list[MoveRow]:
    return [move.without_search() for move in moves] if row.keeps_searches else list(moves)


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


def _takes_html(accept: str) -> bool:
    return any(part.partition(";")[0].strip().lower() == "text/html" for part in accept.split(","))


def _takes_gzip(accept_encoding: str) -> bool:
    for part in accept_encoding.lower().split(","):
        coding, _, quality = part.partition(";")
        if coding.strip() == "gzip":
            return quality.replace(" ", "").rstrip("0") not in ("q=", "q=0.")
    return False


def page_files(folder: Traversable) -> dict[str, PageFile]:
    """The page's files by their paths below `folder`. Read and packed once: the page is small.

    The names of the texts are the languages that there are: index.html names them to the page.
    """
    bodies = dict(_bodies(folder))
    for shared in [name for name in bodies if name.startswith(SHARED_TEXTS)]:
        texts = TEXTS + shared.removeprefix(SHARED_TEXTS)
        both = msgspec.json.decode(bodies[texts]) | msgspec.json.decode(bodies.pop(shared))
        bodies[texts] = msgspec.json.encode(both)
    languages = " ".join(sorted(name[len(TEXTS) :].removesuffix(".json") for name in bodies if name.startswith(TEXTS)))
    bodies["index.html"] = bodies["index.html"].replace(b"{languages}", languages.encode())
    return {name: _packed(name, body) for name, body in bodies.items()}


def _bodies(folder: Traversable, path: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _bodies(entry, f"{path}{entry.name}/")
        else:
            yield path + entry.name, entry.read_bytes()


def _packed(name: str, body: bytes) -> PageFile:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    kind = "text/javascript" if name.endswith(".js") else kind
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    digest = hashlib.sha256(body).hexdigest()[:16]
    return PageFile(body, gzip.compress(body, mtime=0), kind + charset, f'"{digest}"', f'"{digest}-gzip"')


def _json(status: HTTPStatus, answer: Any) -> Response:
    return _response(status, msgspec.json.encode(answer), "application/json")


def _text(status: HTTPStatus, text: str) -> Response:
    return _response(status, text.encode(), "text/plain; charset=utf-8")


def _response(status: HTTPStatus, body: bytes, kind: str, tag: str | None = None) -> Response:
    headers = Headers(_HEADERS | _PAGE_HEADERS if kind.startswith("text/html") else _HEADERS)
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
