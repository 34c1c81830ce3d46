"""Rows and statements of the ladders: what pages read of them and of players, then what a ladder writes. Pure.

What pages read is public: ladder games always are, and queries about a player's other games leave private ones out.
Each query says what bounds its cost; the figures are for a list of 100,000 games.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from msgspec import Struct

from engine.rules.termination import FAULT_TERMINATIONS
from server.db.stats import START_PLIES
from server.wire import Kind

TIMED_GAMES = 500
"""Newest games in either seat that count for a player's time use."""
_FAULTS = str(FAULT_TERMINATIONS)
"""A tuple of texts is written in SQL as in Python."""


class ListRow(Struct, frozen=True):
    """A list with its number of games; `settings` is JSON, `newest_ms` when its newest pair began."""

    run_id: str
    ladder: str
    list: str
    game: str
    settings: str
    created_ms: int
    rated_ms: int | None
    advantage: float | None
    drawing: float | None
    games: int
    newest_ms: int | None


class StandingRow(Struct, frozen=True):
    """A bot of a list as it was rated last."""

    player_id: int
    place: int
    rating: float
    low: float
    high: float
    superiority: float | None
    retired: int


class BotRow(Struct, frozen=True):
    """A player and, of a bot of the roster, which; `versions` is how many versions of it the database knows."""

    id: int
    name: str
    kind: Kind
    created_ms: int
    family: str | None
    version: int | None
    versions: int


class MeetingRow(Struct, frozen=True):
    """The games of a list in which `x_player` had X and `o_player` O, by their results and forfeits.

    `unrated` ended after the list's ratings were computed.
    """

    x_player: int
    o_player: int
    games: int
    x_won: int
    drawn: int
    o_won: int
    x_faults: int
    o_faults: int
    unrated: int


class OpeningRow(Struct, frozen=True):
    """How often an opening was played; its text is its moves."""

    opening: str
    games: int


class LiveRow(Struct, frozen=True):
    """A game that a ladder is playing; `start` and `moves` are JSON."""

    ladder: str
    run_id: str
    game: str
    x_player: int
    x_name: str
    x_kind: Kind
    o_player: int
    o_name: str
    o_kind: Kind
    start: str
    moves: str
    begun_ms: int
    updated_ms: int


class SampleRow(Struct, frozen=True):
    """The newest sample of a ladder: its process writes one every minute, and a last one."""

    ladder: str
    at_ms: int
    last: bool


class EntryRow(Struct, frozen=True):
    """A player's place in a list of `of` bots; the newest list first."""

    run_id: str
    ladder: str
    list: str
    game: str
    rated_ms: int | None
    place: int
    of: int
    rating: float
    low: float
    high: float
    retired: int


class PlayedRow(Struct, frozen=True):
    """A player's games of a list, in one of the seats."""

    run_id: str
    games: int
    points: float


class TimeRow(Struct, frozen=True):
    """The think times of a player's moves in one game, over their newest games."""

    game: str
    games: int
    moves: int
    median_ms: int
    p90_ms: int


def present_bots(settings: str) -> frozenset[tuple[str, int | None]]:
    """Name and version of each bot that plays in a list, from its settings; others with games in it have left.

    Nobody plays in a list whose row is damaged.
    """
    try:
        told = json.loads(settings)
        entrants = told.get("entrants", told.get("bots", ()))
        bots = told["line_ups"][-1]["bots"] if "line_ups" in told else range(len(entrants))
        return frozenset((entrants[bot]["name"], entrants[bot]["version"]) for bot in bots)
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
        return frozenset()


# Counting is along an index of 100,000 entries and their rows: 20 ms.
LISTS = """
SELECT l.run_id, l.ladder, l.list, l.game, l.settings, l.created_ms, l.rated_ms, l.advantage, l.drawing,
       (SELECT count(*) FROM games WHERE run_id = l.run_id AND source = 'ladder' AND termination != 'aborted'),
       (SELECT started_ms FROM games WHERE run_id = l.run_id ORDER BY pair_id DESC LIMIT 1)
FROM ladder_lists AS l
"""
LIST = f"{LISTS} WHERE l.run_id = ?"
NEWEST_LISTS = f"{LISTS} ORDER BY l.created_ms DESC, l.ladder, l.list LIMIT 200"

STANDINGS = """
SELECT player_id, place, rating, low, high, superiority, retired
FROM ladder_standings WHERE run_id = ? ORDER BY place
"""

BOTS = """
SELECT p.id, p.name, p.kind, p.created_ms, v.name, v.version,
       (SELECT count(*) FROM bot_versions WHERE name = v.name AND parameters = v.parameters)
FROM players AS p LEFT JOIN bot_versions AS v ON v.player_id = p.id
WHERE p.id IN (SELECT value FROM json_each(?))
"""
"""Players by their ids, as a JSON list."""

# One row for each two bots: 100 ms. Only a table of its own would be faster; the site keeps the answer.
MEETINGS = f"""
SELECT x_player, o_player, count(*), count(*) FILTER (WHERE winner = 'x'), count(*) FILTER (WHERE winner IS NULL),
       count(*) FILTER (WHERE winner = 'o'), count(*) FILTER (WHERE winner = 'o' AND termination IN {_FAULTS}),
       count(*) FILTER (WHERE winner = 'x' AND termination IN {_FAULTS}),
       count(*) FILTER (WHERE ended_ms > coalesce((SELECT rated_ms FROM ladder_lists WHERE run_id = ?1), 0))
FROM games WHERE run_id = ?1 AND source = 'ladder' AND termination != 'aborted' GROUP BY x_player, o_player
"""

# 40 ms
OPENINGS = """
SELECT opening_id, count(*) FROM games
WHERE run_id = ? AND source = 'ladder' AND termination != 'aborted' AND opening_id IS NOT NULL
GROUP BY opening_id ORDER BY count(*) DESC, opening_id LIMIT 1000
"""

LIVE = """
SELECT n.ladder, n.run_id, l.game, n.x_player, x.name, x.kind, n.o_player, o.name, o.kind, n.start, n.moves,
       n.begun_ms, n.updated_ms
FROM ladder_live AS n
JOIN ladder_lists AS l ON l.run_id = n.run_id
JOIN players AS x ON x.id = n.x_player
JOIN players AS o ON o.id = n.o_player
ORDER BY n.updated_ms DESC
"""
"""One row for each ladder: its game."""

# `last` is that of the row with the newest time, as SQLite has it for a column beside max.
SAMPLES = "SELECT ladder, max(at_ms), last FROM ladder_samples GROUP BY ladder"

ENTRIES = """
SELECT s.run_id, l.ladder, l.list, l.game, l.rated_ms, s.place,
       (SELECT count(*) FROM ladder_standings WHERE run_id = s.run_id), s.rating, s.low, s.high, s.retired
FROM ladder_standings AS s JOIN ladder_lists AS l ON l.run_id = s.run_id
WHERE s.player_id = ? ORDER BY l.created_ms DESC, l.ladder, l.list LIMIT 200
"""

# Along the two indexes of players: as many rows as the player has games.
PLAYED = """
SELECT run_id, count(*), total(CASE winner WHEN 'x' THEN 1.0 WHEN 'o' THEN 0.0 ELSE 0.5 END) FROM games
WHERE x_player = ?1 AND source = 'ladder' AND run_id IS NOT NULL AND termination != 'aborted' GROUP BY run_id
UNION ALL
SELECT run_id, count(*), total(CASE winner WHEN 'o' THEN 1.0 WHEN 'x' THEN 0.0 ELSE 0.5 END) FROM games
WHERE o_player = ?1 AND source = 'ladder' AND run_id IS NOT NULL AND termination != 'aborted' GROUP BY run_id
"""

# The think time below which half, or nine of ten, of the moves lie: the first that is not less (nearest rank).
TIMES = f"""
WITH newest AS (
    SELECT * FROM (SELECT id, game, 0 AS seat, {START_PLIES} AS offset FROM games
                   WHERE x_player = ?1 AND private = 0 ORDER BY started_ms DESC LIMIT {TIMED_GAMES})
    UNION ALL
    SELECT * FROM (SELECT id, game, 1 AS seat, {START_PLIES} AS offset FROM games
                   WHERE o_player = ?1 AND private = 0 ORDER BY started_ms DESC LIMIT {TIMED_GAMES})
), timed AS (
    SELECT n.game, n.id, m.think_ms,
           row_number() OVER (PARTITION BY n.game ORDER BY m.think_ms) AS rank,
           count(*) OVER (PARTITION BY n.game) AS of
    FROM newest AS n JOIN moves AS m ON m.game_id = n.id
    WHERE (n.offset + m.ply) % 2 = n.seat
)
SELECT game, count(DISTINCT id), count(*), min(think_ms) FILTER (WHERE rank * 2 >= of),
       min(think_ms) FILTER (WHERE rank * 10 >= 9 * of)
FROM timed GROUP BY game ORDER BY count(*) DESC, game
"""


# What is compared of a ladder's runs


class Night(NamedTuple):
    """One process of a ladder."""

    begun_ms: int
    ended_ms: int
    """When it was last heard of."""
    games: int


LADDERS = "SELECT DISTINCT ladder FROM ladder_lists ORDER BY ladder"
LISTS_OF = f"{LISTS} WHERE l.ladder = ? ORDER BY l.list, l.created_ms, l.run_id"
NIGHTS = """
SELECT begun_ms, max(at_ms), max(games) FROM ladder_samples WHERE ladder = ? GROUP BY begun_ms ORDER BY begun_ms
"""
# (run_id, end_ms)
PLAYED_PAIRS = """
SELECT pair_id, x_id, x, x_version, o_id, o, o_version, winner, termination, ended_ms FROM v_games
WHERE run_id = ? AND source = 'ladder' AND ended_ms < ? ORDER BY pair_id, game_id
"""


# What a ladder's process reads and writes, with the parameters that it is given


class Sample(NamedTuple):
    """The state of a ladder; see the table `ladder_samples`."""

    ladder: str
    at_ms: int
    begun_ms: int
    games: int
    memory_kb: int
    workers_kb: int
    cpu_ms: int
    workers_ms: int
    schedule_ms: int
    write_ms: int
    last: bool


# (name, parameters, version)
BOT_PLAYER = "SELECT player_id FROM bot_versions WHERE name = ? AND parameters = ? AND version = ?"
# (id, name, created_ms)
ADD_BOT = "INSERT INTO players VALUES (?, ?, 'bot', NULL, ?)"
# (player_id, name, parameters, version)
ADD_BOT_VERSION = "INSERT INTO bot_versions VALUES (?, ?, ?, ?)"
# One more than the ids that the caller may use.
PLAYER_ID = "UPDATE ids SET next = next + 1 WHERE kind = 'player' RETURNING next"
TWO_GAME_IDS = "UPDATE ids SET next = next + 2 WHERE kind = 'game' RETURNING next"

# (id, game, x_player, o_player, x_limit, o_limit, start, seed, run_id, pair_id, opening_id, machine, software,
# started_ms, ended_ms, winner, termination, plies)
ADD_GAME = """
INSERT INTO games (id, source, game, x_player, o_player, x_limit, o_limit, start, rated, private, seed, run_id, pair_id,
                   opening_id, machine, software, started_ms, ended_ms, winner, termination, plies)
VALUES (?, 'ladder', ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
# (game_id, ply, cell, at_ms, think_ms, think_us, nodes, depth, value, win_in)
ADD_MOVE = """
INSERT INTO moves (game_id, ply, cell, at_ms, think_ms, think_us, nodes, depth, value, win_in)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

# (run_id, ladder, list, game, settings, created_ms)
ADD_LIST = """
INSERT INTO ladder_lists (run_id, ladder, list, game, settings, created_ms) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (run_id) DO NOTHING
"""
# (ladder, list)
RUNS = "SELECT run_id, settings FROM ladder_lists WHERE ladder = ? AND list = ? ORDER BY created_ms DESC, run_id"
# (run_id)
SETTINGS = "SELECT settings FROM ladder_lists WHERE run_id = ?"
# (settings, run_id)
SET_SETTINGS = "UPDATE ladder_lists SET settings = ? WHERE run_id = ?"
# (name, version)
BOT_OF_VERSION = """
SELECT p.id, v.name, v.parameters FROM bot_versions AS v JOIN players AS p ON p.id = v.player_id
WHERE p.name = ? AND v.version = ?
"""
# (run_id)
RESULTS = """
SELECT pair_id, x_player, o_player, winner, termination FROM games
WHERE run_id = ? AND source = 'ladder' ORDER BY pair_id, id
"""

# (run_id)
DROP_STANDINGS = "DELETE FROM ladder_standings WHERE run_id = ?"
# (run_id, player_id, place, rating, low, high, superiority, retired)
ADD_STANDING = """
INSERT INTO ladder_standings (run_id, player_id, place, rating, low, high, superiority, retired)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
# (rated_ms, advantage, drawing, run_id)
SET_RATED = "UPDATE ladder_lists SET rated_ms = ?, advantage = ?, drawing = ? WHERE run_id = ?"

# A Sample
ADD_SAMPLE = "INSERT OR REPLACE INTO ladder_samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
# (ladder, run_id, x_player, o_player, start, moves, begun_ms, updated_ms)
SHOW_LIVE = "INSERT OR REPLACE INTO ladder_live VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
# (ladder)
HIDE_LIVE = "DELETE FROM ladder_live WHERE ladder = ?"
