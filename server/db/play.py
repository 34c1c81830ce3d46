"""What the store answers: rows of the database as structs, and the queries whose columns are in their order.

Pure: showing games needs no database. Times are integer milliseconds, dates among them Unix time.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.rules.position import Move
from engine.rules.registry import rules
from server.wire import Kind, Side, Termination


class PlayerRow(Struct, frozen=True):
    id: int
    name: str
    kind: Kind
    created_ms: int


class RoomRow(Struct, frozen=True):
    """A room; `spec` is JSON, `code` is that of an invite room."""

    number: int
    id: str
    spec: str
    code: str | None
    created_ms: int


class SleepingRow(Struct, frozen=True):
    """Somebody's part in a sleeping room; `made`, `seated` and `waiting` are 0 or 1. The opponent is who else sits."""

    number: int
    id: str
    made: int
    seated: int
    waiting: int
    spec: str
    opponent_id: int | None = None
    opponent_name: str | None = None
    opponent_kind: Kind | None = None


class EventRow(Struct, frozen=True):
    """One entry of a room's history; `body` is JSON."""

    seq: int
    ts: int
    body: str


class GameRow(Struct, frozen=True):
    """A game record without its moves; `ended_ms`, `winner`, `termination` and `plies` are None while it runs.

    `start`, `x_limit` and `o_limit` are JSON; `room` is the room's id on the wire; `x_version` and `o_version` are
    those of bots of the roster; `rated` and `private` are 0 or 1.
    """

    id: int
    room: str | None
    serial: int | None
    source: Literal["room", "match", "experiment", "ladder"]
    game: str
    x_player: int
    x_name: str
    x_kind: Kind
    x_version: int | None
    o_player: int
    o_name: str
    o_kind: Kind
    o_version: int | None
    initial_ms: int | None
    increment_ms: int | None
    move_ms: int | None
    x_limit: str | None
    o_limit: str | None
    start: str
    rated: int
    private: int
    seed: int | None
    run_id: str | None
    pair_id: int | None
    opening_id: str | None
    machine: str
    software: str
    started_ms: int
    ended_ms: int | None
    winner: Side | None
    termination: Termination | None
    plies: int | None

    def visible_to(self, viewer: int | None) -> bool:
        """Whether the player with this id (None: unknown) may see the game; only its players see a private one."""
        return not self.private or viewer in (self.x_player, self.o_player)

    @property
    def keeps_searches(self) -> bool:
        """Whether bots' findings are withheld: in a running rated game they would help their opponents."""
        return self.source == "room" and bool(self.rated) and self.termination is None

    def start_cells(self) -> tuple[Move, ...]:
        """The moves of `start`. Raises UnknownGame, MalformedMove or MsgspecError where they are none of this game."""
        return tuple(map(rules(self.game).parse_move, msgspec.json.decode(self.start, type=list[str])))


class MoveRow(Struct, frozen=True):
    """A move of a game's present line; None for what a person's move or a game without a clock does not have.

    `think_us` is None where the time was measured in milliseconds: of people, and in older records.
    """

    ply: int
    cell: int
    at_ms: int
    think_ms: int
    think_us: int | None
    wait_ms: int | None
    x_ms: int | None
    o_ms: int | None
    nodes: int | None
    depth: int | None
    value: float | None
    win_in: int | None
    pruned: int | None

    def without_search(self) -> MoveRow:
        return replace(self, nodes=None, depth=None, value=None, win_in=None, pruned=None)


class VariationRow(Struct, frozen=True):
    """The principal variation that a bot reported with a move, even one that was taken back; `pv` is JSON."""

    ply: int
    at_ms: int
    pv: str


class RatingRow(Struct, frozen=True):
    """What a player's rated games of one kind came to; `deviation` is as of `updated_ms` and grows from there."""

    game: str
    rating: float
    deviation: float
    games: int
    updated_ms: int


class BotRatingRow(Struct, frozen=True):
    """What the rated games of one kind came to for a version of a bot; `name` is its full one."""

    name: str
    version: int
    rating: float
    deviation: float
    volatility: float
    games: int
    updated_ms: int


class BanRow(Struct, frozen=True):
    """A player who is kept out until then, or for good. Unix milliseconds."""

    player_id: int
    since_ms: int
    until_ms: int | None
    reason: str


class OwnedBotRow(Struct, frozen=True):
    """A bot of somebody's. `withdrawn_ms` is None while it has a token, `last_game_ms` where it has no game yet."""

    id: int
    name: str
    created_ms: int
    withdrawn_ms: int | None
    games: int
    last_game_ms: int | None


class RatingPoint(Struct, frozen=True):
    """A player's rating after a rated game."""

    game_id: int
    ended_ms: int
    rating: float
    deviation: float


class GameExtras(Struct, frozen=True):
    """What else is known of a game: what a bot did that lost it, and the other game of its pair if all may see it."""

    fault: str | None
    pair_game: int | None


PLAYER_COLUMNS = "SELECT id, name, kind, created_ms FROM players"
PLAYER = f"{PLAYER_COLUMNS} WHERE id = ? AND token_hash IS NOT NULL"
PLAYERS_NAMED = f"""{PLAYER_COLUMNS}
WHERE token_hash IS NOT NULL AND (instr(casefold(name), casefold(?1)) OR CAST(id AS TEXT) = ?1)
ORDER BY id DESC LIMIT ?2
"""
PLAYER_BY_TOKEN = f"{PLAYER_COLUMNS} WHERE token_hash = ?"

BANS = "SELECT player_id, since_ms, until_ms, reason FROM bans"

_ITS_GAMES = "FROM games WHERE x_player = p.id OR o_player = p.id"
OWNED_BOTS = f"""
SELECT p.id, p.name, p.created_ms, b.withdrawn_ms,
       (SELECT count(*) {_ITS_GAMES}), (SELECT max(started_ms) {_ITS_GAMES})
FROM owned_bots AS b JOIN players AS p ON p.id = b.player_id WHERE b.owner_id = ? ORDER BY p.id
"""

BOT_VERSION = "SELECT player_id FROM bot_versions WHERE name = ? AND parameters = ? AND version = ?"

PEOPLE = f"{PLAYER_COLUMNS} WHERE token_hash IS NOT NULL AND id IN (SELECT value FROM json_each(?))"

ROOM_COLUMNS = "SELECT number, id, spec, code, created_ms FROM rooms"
ROOM = f"{ROOM_COLUMNS} WHERE number = ?"
AWAKE_ROOMS = f"{ROOM_COLUMNS} WHERE closed_ms IS NULL AND slept_ms IS NULL ORDER BY number"
_SLEEPS = "closed_ms IS NULL AND slept_ms IS NOT NULL"
SLEEPING_ROOM = f"{ROOM_COLUMNS} WHERE id = ? AND {_SLEEPS}"
SLEEPING_ROOM_BY_CODE = f"{ROOM_COLUMNS} WHERE code = ? AND {_SLEEPS}"
SLEEPING_ROOMS_OF = """
SELECT r.number, r.id, s.made, s.seated, s.waiting, r.spec, p.id, p.name, p.kind
FROM sleeping_rooms AS s JOIN rooms AS r ON r.number = s.room_number
LEFT JOIN sleeping_rooms AS o ON o.room_number = s.room_number AND o.seated = 1 AND o.player_id != s.player_id
LEFT JOIN players AS p ON p.id = o.player_id
WHERE s.player_id = ?
"""
# The number of a room grows with its age, so those that have waited longest come first.
EXPIRED_ROOMS = """
SELECT DISTINCT r.number, r.id, s.made, s.seated, s.waiting, r.spec
FROM sleeping_rooms AS s JOIN rooms AS r ON r.number = s.room_number
WHERE s.waiting = 1 AND r.created_ms < ? ORDER BY s.room_number LIMIT ?
"""

ROOM_EVENTS = "SELECT seq, ts, body FROM events WHERE room_number = ? AND seq > ? ORDER BY seq LIMIT ?"

MOVES = """
SELECT ply, cell, at_ms, think_ms, think_us, wait_ms, x_ms, o_ms, nodes, depth, value, win_in, pruned
FROM moves WHERE game_id = ? ORDER BY ply
"""

CELLS = "SELECT cell FROM moves WHERE game_id = ? ORDER BY ply"

GAME_EXTRAS = """
SELECT (SELECT f.sentence FROM faults AS f WHERE f.game_id = g.id),
       (SELECT min(p.id) FROM games AS p
        WHERE p.run_id = g.run_id AND p.pair_id = g.pair_id AND p.id != g.id AND p.private = 0)
FROM games AS g WHERE g.id = ?
"""

# The rows of moves hold no variations: those are in the events of the room that made them.
VARIATIONS = """
SELECT json_extract(e.body, '$.ply'), e.ts, json_extract(e.body, '$.search.pv')
FROM games AS g JOIN events AS e ON e.room_number = g.room_number
WHERE g.id = ? AND e.type = 'moved' AND e.ts BETWEEN g.started_ms AND coalesce(g.ended_ms, e.ts)
  AND json_extract(e.body, '$.search.pv') IS NOT NULL
"""

GAME_COLUMNS = """
SELECT g.id, r.id, g.serial, g.source, g.game,
       g.x_player, x.name, x.kind, xv.version, g.o_player, o.name, o.kind, ov.version,
       g.initial_ms, g.increment_ms, g.move_ms, g.x_limit, g.o_limit, g.start, g.rated, g.private, g.seed,
       g.run_id, g.pair_id, g.opening_id, g.machine, g.software, g.started_ms, g.ended_ms,
       g.winner, g.termination, g.plies
FROM games AS g
JOIN players AS x ON x.id = g.x_player
JOIN players AS o ON o.id = g.o_player
LEFT JOIN bot_versions AS xv ON xv.player_id = g.x_player
LEFT JOIN bot_versions AS ov ON ov.player_id = g.o_player
LEFT JOIN rooms AS r ON r.number = g.room_number
"""
GAME = f"{GAME_COLUMNS} WHERE g.id = ?"

# For an export: the games after an id, then their moves (ids as a JSON list), each in the order of the ids.
GAMES_AFTER = f"""{GAME_COLUMNS}
WHERE g.id > ?1 AND (?2 IS NULL OR g.game = ?2) AND (?3 IS NULL OR g.started_ms >= ?3) ORDER BY g.id LIMIT ?4
"""
MOVES_OF_GAMES = """
SELECT game_id, ply, cell, at_ms, think_ms, think_us, wait_ms, x_ms, o_ms, nodes, depth, value, win_in, pruned
FROM moves WHERE game_id IN (SELECT value FROM json_each(?)) ORDER BY game_id, ply
"""

SHARE_MADE_MS = "SELECT made_ms FROM shares WHERE game_id = ?"
IS_SHARED = "SELECT 1 FROM shares WHERE game_id = ? AND secret_hash = ?"

RATING = "SELECT rating, deviation, volatility, games, updated_ms FROM ratings WHERE player_id = ? AND game = ?"
# There are far fewer bots than ratings: those of people in the same game are not looked at.
BOT_RATINGS = """
SELECT p.name, b.version, r.rating, r.deviation, r.volatility, r.games, r.updated_ms
FROM bot_versions AS b CROSS JOIN ratings AS r ON r.player_id = b.player_id AND r.game = ?
JOIN players AS p ON p.id = b.player_id
"""
RATINGS = "SELECT game, rating, deviation, games, updated_ms FROM ratings WHERE player_id = ? ORDER BY games DESC, game"
# Oldest first. Ids of games are allocated in blocks and only roughly follow their start; a player's
# games end one by one. CROSS keeps SQLite from looking at everybody's games of this kind.
RATING_HISTORY = """
SELECT c.game_id, g.ended_ms, c.rating, c.deviation
FROM rating_changes AS c CROSS JOIN games AS g ON g.id = c.game_id
WHERE c.player_id = ? AND g.game = ? AND g.private = 0 ORDER BY g.ended_ms, c.game_id
"""
"""Anybody may ask for it, and when private games were played is nobody else's business.""" ""


def games_page(
    *,
    game: bool = False,
    before: bool = False,
    run: bool = False,
    opening: bool = False,
    players: int = 0,
) -> str:
    """SQL for a page of games, newest first, each part of it along one index.

    Parameters by name: `viewer` and `limit`, and those chosen: `game`, `before` (a game's id), `run` and `opening` (as
    the run names it), and of `players` in either seat `first`, or `first` and `second`.
    """
    conditions = ["(private = 0 OR x_player = :viewer OR o_player = :viewer)"]
    if game:
        conditions.append("game = :game")
    if run:
        # The plus keeps SQLite from the run's index: for a player who was never in the run it would scan all of it.
        conditions.append("+run_id = :run" if players else "run_id = :run")
    if opening:
        conditions.append("opening_id = :opening")
    if before:
        conditions.append("(started_ms, id) < (SELECT started_ms, id FROM games WHERE id = :before)")
    seats = [
        ["TRUE"],
        ["x_player = :first", "o_player = :first"],
        ["x_player = :first AND o_player = :second", "x_player = :second AND o_player = :first"],
    ][players]
    # A game of a player against themselves would come along both indexes; IN takes it once.
    page = " UNION ALL ".join(f"SELECT id FROM ({_newest([seat, *conditions])})" for seat in seats)
    return f"{GAME_COLUMNS} WHERE g.id IN ({page}) ORDER BY g.started_ms DESC, g.id DESC LIMIT :limit"


def _newest(conditions: list[str]) -> str:
    return f"SELECT id FROM games WHERE {' AND '.join(conditions)} ORDER BY started_ms DESC, id DESC LIMIT :limit"
