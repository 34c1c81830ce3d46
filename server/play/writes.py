"""What may be written to the database: a closed list of statements, in the order in which a batch executes them.

The order keeps every reference whole: players before rooms before games before moves. A batch groups by statement
the writes of many rooms, so a write set must mean the same in this order: it may not, say, take moves back and play
a new one. Pure: whoever decides what to record needs no database.

The two that come with every move say OR ROLLBACK, since a batch that meets a conflict is rolled back anyway: SQLite
then keeps no journal of its own for an INSERT of many rows.
"""

from __future__ import annotations

from enum import IntEnum, unique
from typing import TypeAlias


@unique
class Statement(IntEnum):
    """One kind of write; the comment above each names its parameters. Times are integer milliseconds."""

    sql: str

    def __new__(cls, sql: str) -> Statement:
        """Numbers the statements from 0 in the order of this file."""
        number = len(cls.__members__)
        member = int.__new__(cls, number)
        member._value_ = number
        member.sql = sql
        return member

    # (id, name, kind, token_hash, created_ms): kind is person or bot, token_hash bytes or None
    ADD_PLAYER = "INSERT INTO players (id, name, kind, token_hash, created_ms) VALUES (?, ?, ?, ?, ?)"

    # (name, id)
    RENAME_PLAYER = "UPDATE players SET name = ? WHERE id = ?"

    # (player_id, name, parameters, version): parameters as JSON with sorted keys
    ADD_BOT_VERSION = "INSERT INTO bot_versions (player_id, name, parameters, version) VALUES (?, ?, ?, ?)"

    # (number, id, spec, code, created_ms): spec as JSON, code only for an invite room
    ADD_ROOM = "INSERT INTO rooms (number, id, spec, code, created_ms) VALUES (?, ?, ?, ?, ?)"

    # (closed_ms, number)
    CLOSE_ROOM = "UPDATE rooms SET closed_ms = ? WHERE number = ?"

    # (id, room_number, serial, source, game, x_player, o_player, initial_ms, increment_ms, move_ms, x_limit, o_limit,
    # start, rated, seed, run_id, pair_id, opening_id, machine, software, started_ms): limits and start as JSON;
    # room_number, serial, the clock, limits and the ids of a run may be None. A game of an invite room is private.
    START_GAME = (
        "INSERT INTO games (id, room_number, serial, source, game, x_player, o_player, initial_ms, increment_ms, "
        "move_ms, x_limit, o_limit, start, rated, seed, run_id, pair_id, opening_id, machine, software, started_ms, "
        "private) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, "
        "?20, ?21, coalesce((SELECT code IS NOT NULL FROM rooms WHERE number = ?2), 0))"
    )

    # (game_id, ply, cell, at_ms, think_ms, wait_ms, x_ms, o_ms, nodes, depth, value, win_in, pruned)
    ADD_MOVE = (
        "INSERT OR ROLLBACK INTO moves (game_id, ply, cell, at_ms, think_ms, wait_ms, x_ms, o_ms, nodes, depth, "
        "value, win_in, pruned) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )

    # (taken_seq, game_id, from_ply): taken_seq is the seq of the takeback's event
    KEEP_TAKEN_BACK = (
        "INSERT INTO moves_taken_back (taken_seq, game_id, ply, cell, at_ms, think_ms, wait_ms, x_ms, o_ms, nodes, "
        "depth, value, win_in, pruned) SELECT ?, game_id, ply, cell, at_ms, think_ms, wait_ms, x_ms, o_ms, nodes, "
        "depth, value, win_in, pruned FROM moves WHERE game_id = ? AND ply >= ?"
    )

    # (game_id, from_ply)
    DELETE_TAKEN_BACK = "DELETE FROM moves WHERE game_id = ? AND ply >= ?"

    # (ended_ms, winner, termination, plies, game_id): winner x, o or None
    END_GAME = "UPDATE games SET ended_ms = ?, winner = ?, termination = ?, plies = ? WHERE id = ?"

    # (player_id, game, rating, deviation, volatility, games, updated_ms): refused where `games` is not one more than
    # the row has, since the new rating would then be made from one that is no longer true
    SET_RATING = (
        "INSERT INTO ratings (player_id, game, rating, deviation, volatility, games, updated_ms) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (player_id, game) DO UPDATE SET "
        "rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility, "
        "games = CASE excluded.games WHEN games + 1 THEN excluded.games END, updated_ms = excluded.updated_ms"
    )

    # (game_id, player_id, before, rating, deviation, volatility)
    ADD_RATING_CHANGE = (
        "INSERT INTO rating_changes (game_id, player_id, before, rating, deviation, volatility) "
        "VALUES (?, ?, ?, ?, ?, ?)"
    )

    # (game_id, version): forget what another version judged
    DROP_OLD_REVIEW = (
        "DELETE FROM review_moves WHERE game_id = ?1 AND (SELECT version FROM reviews WHERE game_id = ?1) != ?2"
    )

    # (game_id, version, begun_ms): of a review that is there already nothing changes
    BEGIN_REVIEW = (
        "INSERT INTO reviews (game_id, version, begun_ms) VALUES (?, ?, ?) ON CONFLICT (game_id) DO UPDATE SET "
        "version = excluded.version, begun_ms = excluded.begun_ms WHERE version != excluded.version"
    )

    # (game_id, ply, verdict, exact, value, win_in, at_most, best, could, could_in, nodes): best as JSON. Judging is
    # repeatable, so who judges a move again, as two programs at once may, writes the same.
    ADD_JUDGED = (
        "INSERT OR REPLACE INTO review_moves (game_id, ply, verdict, exact, value, win_in, at_most, best, could, "
        "could_in, nodes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )

    # (room_number, seq, ts, type, body): body as JSON, str or UTF-8 bytes
    ADD_EVENT = "INSERT OR ROLLBACK INTO events (room_number, seq, ts, type, body) VALUES (?, ?, ?, ?, CAST(? AS TEXT))"

    # What deletes somebody. Last, so that nothing of a batch is written behind it; ids in JSON are text.
    # (name, id)
    ANONYMISE_PLAYER = "UPDATE players SET name = ?, token_hash = NULL WHERE id = ?"

    # (name, id as text): of rooms that they made
    ANONYMISE_ROOMS = (
        "UPDATE rooms SET spec = json_replace(spec, '$.creator.name', ?1, "
        "CASE json_extract(spec, '$.x.id') WHEN ?2 THEN '$.x.name' ELSE '$.creator.name' END, ?1, "
        "CASE json_extract(spec, '$.o.id') WHEN ?2 THEN '$.o.name' ELSE '$.creator.name' END, ?1) "
        "WHERE json_extract(spec, '$.creator.id') = ?2"
    )

    # (name, id as text)
    ANONYMISE_SEATS = (
        "UPDATE events SET body = json_remove(json_replace(body, '$.seat.name', ?1), '$.seat.rating') "
        "WHERE type = 'seated' AND json_extract(body, '$.seat.id') = ?2"
    )

    # (name, text, id as text)
    ANONYMISE_CHAT = (
        "UPDATE events SET body = json_replace(body, '$.by.name', ?1, '$.text', ?2) "
        "WHERE type = 'said' AND json_extract(body, '$.by.id') = ?3"
    )

    # (player_id)
    DROP_RATINGS = "DELETE FROM ratings WHERE player_id = ?"

    # (player_id)
    DROP_RATING_CHANGES = "DELETE FROM rating_changes WHERE player_id = ?"


Write: TypeAlias = tuple[Statement, tuple[object, ...]]


class StoreUnavailable(Exception):
    """Nothing can be committed now, and nothing of this write set was. The message is one sentence for a log."""


class Conflict(Exception):
    """The schema refuses this write set, which changed nothing: a second row for a ply, an unknown player."""
