"""The GET endpoints, asked directly: no sockets, records from memory."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.resources import files
from typing import Any

from msgspec.structs import replace

from engine.analysis.verdict import MoveVerdict
from engine.bots.roster import OUR_ROSTER
from server.db.explorer import ExplorerRow
from server.db.play import BotRatingRow, GameExtras, GameRow, MoveRow, OwnedBotRow, VariationRow
from server.http.api import HttpApi
from server.http.connections.gate import origin_of
from server.http.heavy import HeavyAnswers
from server.http.ladder_cache import LadderAnswers
from server.http.message import LOCAL, Response, read_request
from server.http.page_files import PageFile, page_files
from server.http.parts import Parts
from server.http.stats import StatsAnswers
from server.metrics import Metrics
from server.play.rate_limit import Refusal
from server.play.session import Session
from server.play.writes import StoreUnavailable
from server.rooms.players.players import token_hash
from server.rooms.refused import Refused
from server.wire import Player

PAGE = files("client").joinpath("web", "dist")
SCRIPT, SHEET = (
    next(file.name for file in PAGE.iterdir() if file.name.startswith(start) and file.name.endswith(end))
    for start, end in (("main-", ".js"), ("page-", ".css"))
)
TOKEN = "ann's secret"
MINE = {"Authorization": f"Bearer {TOKEN}"}
ANN, BOB = 1, 2
PROXY = "203.0.113.1"
NOW_MS = 1_800_000_000_000


def game_row(id: int, **changes: Any) -> GameRow:
    row: dict[str, Any] = {
        "id": id, "room": "abc", "serial": 1, "source": "room", "game": "qubic", "x_player": ANN, "x_name": "Ann",
        "x_kind": "person", "x_version": None, "o_player": BOB, "o_name": "Bob", "o_kind": "person", "o_version": None,
        "initial_ms": 60_000, "increment_ms": 0, "move_ms": None, "x_limit": None, "o_limit": None,
        "start": '["a1.1"]', "rated": 1, "private": 0, "seed": 3, "run_id": None, "pair_id": None, "opening_id": None,
        "machine": "m", "software": "s", "started_ms": 5, "ended_ms": 9, "winner": "o", "termination": "resignation",
        "plies": 1,
    }  # fmt: skip
    return GameRow(**(row | changes))


MOVE = MoveRow(ply=0, cell=21, at_ms=7, think_ms=2, think_us=2_345, wait_ms=0, x_ms=60_000, o_ms=59_998, nodes=None,
               depth=None, value=None, win_in=None, pruned=None)  # fmt: skip


def bot_rating(name: str, version: int, **changes: Any) -> BotRatingRow:
    row: dict[str, Any] = {"rating": 1612.0, "deviation": 80.0, "volatility": 0.06, "games": 50, "updated_ms": NOW_MS}
    return BotRatingRow(name, version, **(row | changes))


class Shelf:
    """Records of three games, one of them private, and no ladder; remembers what it was asked."""

    def __init__(self) -> None:
        self.move = MOVE
        self.rows = {1: game_row(1), 2: game_row(2, private=1, room="hidden"), 3: game_row(3, winner=None)}
        self.asked: list[dict[str, Any]] = []
        self.ratings: list[BotRatingRow] = []
        """of bots in qubic"""
        self.trouble: str | None = None
        """why it cannot be read"""

    async def game(self, id: int) -> GameRow | None:
        self._read()
        return self.rows.get(id)

    async def move_rows(self, game_id: int) -> list[MoveRow]:
        return [self.move]

    async def variations(self, game_id: int) -> list[VariationRow]:
        return [VariationRow(ply=0, at_ms=MOVE.at_ms, pv='["b2.2","a1.2"]')]

    async def games(self, **asked: Any) -> list[GameRow]:
        self.asked.append(asked)
        visible = [row for row in reversed(self.rows.values()) if row.visible_to(asked["viewer"])]
        return visible[: asked["limit"]]

    async def moves_of(self, games: Sequence[int]) -> dict[int, list[MoveRow]]:
        return {game: [self.move] for game in games}

    async def game_extras(self, game_id: int) -> GameExtras | None:
        return GameExtras(fault="Bob stalled.", pair_game=4)

    async def verdicts(self, game_id: int) -> dict[int, MoveVerdict]:
        return {0: MoveVerdict("lost", True, -1.0, -4, False, (22, 0), "won", 3, 99)} if game_id != 3 else {}

    async def explored(self, game: str, key: int) -> list[ExplorerRow]:
        # What a first move in the middle of tic-tac-toe came to.
        return [ExplorerRow(4, 3, 2, 1, 17)] if (game, key) == ("tictactoe", 0) else []

    async def bot_ratings(self, game: str) -> list[BotRatingRow]:
        self._read()
        return self.ratings if game == "qubic" else []

    async def read(self, row: Callable[..., Any], sql: str, parameters: Any = ()) -> list[Any]:
        return []

    def _read(self) -> None:
        if self.trouble is not None:
            raise StoreUnavailable(self.trouble)


class Links:
    """Links to private games, in memory."""

    def __init__(self) -> None:
        self.secrets: dict[int, str] = {}
        self.over: Refusal | None = None

    async def opens(self, game: int, secret: str) -> bool:
        return self.secrets.get(game) == secret

    async def made_ms(self, game: int) -> int | None:
        return NOW_MS if game in self.secrets else None

    def refusal(self, player: str) -> Refusal | None:
        return self.over

    async def make(self, game: int, player: str) -> tuple[str, int]:
        self.secrets[game] = f"secret {len(self.secrets) + 1}"
        return self.secrets[game], NOW_MS

    async def withdraw(self, game: int) -> None:
        self.secrets.pop(game, None)


class OwnBots:
    """Bots of Ann's, in memory."""

    def __init__(self) -> None:
        self.rows: dict[str, OwnedBotRow] = {}
        self.over: Refused | None = None

    async def listed(self, owner: Player) -> list[OwnedBotRow]:
        return list(self.rows.values()) if owner.id == str(ANN) else []

    async def make(self, owner: Player, name: str) -> tuple[OwnedBotRow, str]:
        if self.over is not None:
            raise self.over
        row = OwnedBotRow(40 + len(self.rows), name, NOW_MS, None, 0, None)
        self.rows[str(row.id)] = row
        return row, "first token"

    async def renew(self, owner: Player, id: str) -> tuple[OwnedBotRow, str]:
        self.rows[id] = replace(self._row(id), withdrawn_ms=None)
        return self.rows[id], "another token"

    async def withdraw(self, owner: Player, id: str) -> OwnedBotRow:
        self.rows[id] = replace(self._row(id), withdrawn_ms=NOW_MS)
        return self.rows[id]

    def _row(self, id: str) -> OwnedBotRow:
        if id not in self.rows:
            raise Refused("not_found", f"You have no bot {id}.")
        return self.rows[id]


class HttpDesk:
    """The endpoints with what they are given; `ask` is a request. It is all other parts itself, in small."""

    def __init__(self) -> None:
        self.shelf = Shelf()
        self.links = Links()
        self.own_bots = OwnBots()
        self.connected: set[str] = set()
        """players"""
        self.sessions: dict[str, Session] = {}
        """of public rooms"""
        self.metrics = Metrics()
        self.trouble: str | None = None
        self.warming: tuple[int, int] | None = None
        self.parts = Parts(
            records=self.shelf,
            tokens=self,
            roster=OUR_ROSTER,
            rooms=self,
            shares=self.links,
            own_bots=self.own_bots,
            explorer=self,
            readiness=self,
            ladders=LadderAnswers(self.shelf, lambda: NOW_MS, self.history),
            stats=StatsAnswers(self.shelf, lambda: NOW_MS),
            metrics=self.metrics,
            files=_page(),
            heavy=HeavyAnswers(lambda: 0),
            embedders=frozenset({"https://blog.example", "https://news.example:8443"}),
            unix_ms=lambda: NOW_MS,
            origin=partial(origin_of, {PROXY}),
        )
        self.api = HttpApi(self.parts)

    async def by_token(self, hashed: bytes) -> Player | None:
        return Player(id=str(ANN), name="Ann", kind="person") if hashed == token_hash(TOKEN) else None

    async def history(self, run: str) -> str | None:
        return None

    def is_connected(self, player: str) -> bool:
        return player in self.connected

    def public_session(self, id: str) -> Session | None:
        return self.sessions.get(id)

    async def pending(self) -> int:
        return 5

    async def ask(self, path: str, method: str = "GET", address: str = LOCAL, **headers: str) -> Response:
        sent = [(name.replace("_", "-"), value) for name, value in headers.items()]
        return await self.api.answer(read_request(method, path, sent, address))

    async def json(self, path: str, status: int = 200, /, method: str = "GET", **headers: str) -> Any:
        response = await self.ask(path, method, **headers)
        assert response.status == status, response.body
        assert response.headers["Content-Type"] == "application/json"
        return json.loads(response.body)


@functools.cache
def _page() -> dict[str, PageFile]:
    """Reading and packing the files takes longer than all the rest of a test."""
    return page_files(PAGE)


def game_text(row: GameRow, moves: Sequence[MoveRow], form: str) -> str:
    """In place of a record's text."""
    searched = "".join(f", {move.nodes} nodes" for move in moves if move.nodes is not None)
    return f"{form} of {row.id} with {len(moves)}{searched}\n"


def game_texts(games: Sequence[GameRow], moves: Mapping[int, Sequence[MoveRow]], form: str) -> str:
    return "".join(game_text(game, moves[game.id], form) for game in games)
