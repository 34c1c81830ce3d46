"""Rows and statements of the statistics of public games. Pure.

They are bounded however many games there are: games are counted over the newest COUNTED that count, moves over the
newest TIMED, of all games or of one kind. Nothing here names a person.
"""

from __future__ import annotations

from msgspec import Struct

from engine.rules.termination import FAULT_TERMINATIONS
from server.wire import Kind, Side, Termination

COUNTED = 100_000
"""Newest games that are counted: 0.2 s of the pages' connection for each query."""
TIMED = 1_000
"""Newest games whose moves are looked at."""
TIMED_OF_KIND = 200
"""The same of one kind of game."""
TIMED_UNITS = 10
"""A move counts for a rate if it took at least this many units of its measurement: microseconds, or milliseconds in old
records."""
KINDS = 20
"""How many kinds of games are listed: those with most games."""
DAYS = 60
LISTED = 10
"""Rows of what is listed: slowest moves, latest faults."""
_DAY_MS = 86_400_000
_FAULTS = str(FAULT_TERMINATIONS)
"""A tuple of texts is written in SQL as in Python."""

START_PLIES = "iif(json_valid(start), json_array_length(start), 0)"
"""A row that is damaged should not cost the answer about all others."""
_COUNTS = "private = 0 AND termination IS NOT NULL AND termination != 'aborted'"
_NEWEST_FIRST = "ORDER BY started_ms DESC, id DESC"
"""Ids do not give the order: a server and a ladder that share a file number their games in blocks."""
_GAMES = f"newest AS (SELECT * FROM games WHERE {_COUNTS} {_NEWEST_FIRST} LIMIT {COUNTED})"
_MOVES = """
timed AS (
    SELECT n.id, m.ply, n.offset + m.ply AS at, p.id AS player, p.name, p.kind, m.think_ms, m.think_us, m.nodes
    FROM newest AS n JOIN moves AS m ON m.game_id = n.id
    JOIN players AS p ON p.id = iif((n.offset + m.ply) % 2, n.o_player, n.x_player)
)
"""
"""The moves of `newest`, each with its player; `at` counts from 0 with the moves that were made beforehand."""
_OF_ALL = f"""
newest AS (SELECT id, x_player, o_player, {START_PLIES} AS offset
           FROM games WHERE {_COUNTS} {_NEWEST_FIRST} LIMIT {TIMED}), {_MOVES}
"""


class ResultRow(Struct, frozen=True):
    """How many games of a kind ended in the same way."""

    game: str
    winner: Side | None
    termination: Termination
    games: int


class DayRow(Struct, frozen=True):
    """How many games began on a day, in UTC."""

    day_ms: int
    games: int


class LengthRow(Struct, frozen=True):
    """How many games of a kind had this many plies, preset ones included."""

    game: str
    plies: int
    games: int


class SeatedRow(Struct, frozen=True):
    """How many people, or bots, have played."""

    kind: Kind
    players: int


class PlyRow(Struct, frozen=True):
    """What people, or bots, thought about a ply, from 1: the median and the quartiles around it."""

    kind: Kind
    ply: int
    moves: int
    median_ms: int
    low_ms: int
    high_ms: int


class PaceRow(Struct, frozen=True):
    """What all moves of people, or of bots, took."""

    kind: Kind
    moves: int
    median_ms: int
    p90_ms: int


class MoverRow(Struct, frozen=True):
    """What a bot's moves took; `timed_nodes` of its `nodes` were searched in `timed_us`, long enough to be timed."""

    player: int
    name: str
    games: int
    moves: int
    median_ms: int
    p90_ms: int
    longest_ms: int
    nodes: int
    timed_nodes: int
    timed_us: int


class SlowRow(Struct, frozen=True):
    """One of the moves that took bots longest; it came after `ply` moves, not counting preset ones."""

    game_id: int
    ply: int
    player: int
    name: str
    think_ms: int


class ForfeitRow(Struct, frozen=True):
    """How many games a bot lost by a fault."""

    player: int
    name: str
    termination: Termination
    games: int


class FaultRow(Struct, frozen=True):
    """One of the latest faults."""

    game_id: int
    game: str
    player: int
    name: str
    termination: Termination
    sentence: str


RESULTS = f"""
WITH {_GAMES} SELECT game, winner, termination, count(*) FROM newest GROUP BY game, winner, termination
"""
DAYS_PLAYED = f"""
WITH {_GAMES} SELECT started_ms / {_DAY_MS} * {_DAY_MS} AS day_ms, count(*) FROM newest
GROUP BY day_ms ORDER BY day_ms DESC LIMIT {DAYS}
"""
LENGTHS = f"""
WITH {_GAMES} SELECT game, {START_PLIES} + plies AS length, count(*) FROM newest
GROUP BY game, length ORDER BY game, length
"""
SEATED = f"""
WITH {_GAMES} SELECT kind, count(*) FROM players
WHERE id IN (SELECT x_player FROM newest UNION SELECT o_player FROM newest) GROUP BY kind
"""
FORFEITS = f"""
WITH {_GAMES}, lost AS (SELECT iif(winner = 'x', o_player, x_player) AS player, termination FROM newest
                        WHERE termination IN {_FAULTS} AND winner IS NOT NULL)
SELECT p.id, p.name, l.termination, count(*) FROM lost AS l JOIN players AS p ON p.id = l.player
WHERE p.kind = 'bot' GROUP BY p.id, l.termination ORDER BY count(*) DESC, p.id LIMIT 100
"""
# CROSS keeps SQLite from looking for the fault of every game.
LATEST_FAULTS = f"""
SELECT g.id, g.game, p.id, p.name, g.termination, f.sentence
FROM faults AS f CROSS JOIN games AS g ON g.id = f.game_id JOIN players AS p ON p.id = f.player_id
WHERE g.private = 0 AND g.termination IS NOT NULL AND p.kind = 'bot'
ORDER BY g.started_ms DESC, g.id DESC LIMIT {LISTED}
"""
PACES = f"""
WITH {_OF_ALL}, ranked AS (
    SELECT *, row_number() OVER (PARTITION BY kind ORDER BY think_ms) AS rank, count(*) OVER (PARTITION BY kind) AS of
    FROM timed
)
SELECT kind, count(*), min(think_ms) FILTER (WHERE rank * 2 >= of), min(think_ms) FILTER (WHERE rank * 10 >= 9 * of)
FROM ranked GROUP BY kind
"""
MOVERS = f"""
WITH {_OF_ALL}, ranked AS (
    SELECT *, row_number() OVER (PARTITION BY player ORDER BY think_ms) AS rank,
           count(*) OVER (PARTITION BY player) AS of, coalesce(think_us, 1000 * think_ms) AS us,
           nodes IS NOT NULL AND iif(think_us IS NULL, think_ms, think_us) >= {TIMED_UNITS} AS is_timed
    FROM timed WHERE kind = 'bot'
)
SELECT player, name, count(DISTINCT id), count(*), min(think_ms) FILTER (WHERE rank * 2 >= of),
       min(think_ms) FILTER (WHERE rank * 10 >= 9 * of), max(think_ms), total(nodes),
       total(nodes) FILTER (WHERE is_timed), total(us) FILTER (WHERE is_timed)
FROM ranked GROUP BY player ORDER BY 5 DESC, 7 DESC, player LIMIT 50
"""
SLOWEST = f"""
WITH {_OF_ALL} SELECT id, ply + 1, player, name, think_ms FROM timed WHERE kind = 'bot'
ORDER BY think_ms DESC, id, ply LIMIT {LISTED}
"""
PLIES = f"""
WITH newest AS (SELECT id, x_player, o_player, {START_PLIES} AS offset FROM games
                WHERE game = ?1 AND {_COUNTS} {_NEWEST_FIRST} LIMIT {TIMED_OF_KIND}), {_MOVES},
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY kind, at ORDER BY think_ms) AS rank,
           count(*) OVER (PARTITION BY kind, at) AS of
    FROM timed
)
SELECT kind, at + 1, count(*), min(think_ms) FILTER (WHERE rank * 2 >= of),
       min(think_ms) FILTER (WHERE rank * 4 >= of), min(think_ms) FILTER (WHERE rank * 4 >= 3 * of)
FROM ranked GROUP BY kind, at ORDER BY kind, at
"""
