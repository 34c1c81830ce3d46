"""The SQL of what is written to the database: one statement for each that `server.play.writes` names.

Those that come with every move say OR ROLLBACK, since a batch that meets a conflict is rolled back anyway: SQLite
then keeps no journal of its own for an INSERT of many rows.
"""

from __future__ import annotations

from server.play.writes import Statement

SQL: dict[Statement, str] = {
    Statement.ADD_PLAYER: "INSERT INTO players (id, name, kind, token_hash, created_ms) VALUES (?, ?, ?, ?, ?)",
    Statement.RENAME_PLAYER: "UPDATE players SET name = ? WHERE id = ? AND token_hash IS NOT NULL",
    Statement.CHANGE_TOKEN: "UPDATE players SET token_hash = ? WHERE id = ? AND token_hash IS NOT NULL",
    Statement.ADD_OWNED_BOT: (
        "INSERT INTO owned_bots (player_id, owner_id) "
        "VALUES (?, (SELECT id FROM players WHERE id = ? AND token_hash IS NOT NULL))"
    ),
    Statement.SET_WITHDRAWN: "UPDATE owned_bots SET withdrawn_ms = ? WHERE player_id = ?",
    Statement.BAN_PLAYER: "INSERT OR REPLACE INTO bans (player_id, since_ms, until_ms, reason) VALUES (?, ?, ?, ?)",
    Statement.UNBAN_PLAYER: "DELETE FROM bans WHERE player_id = ?",
    Statement.ADD_BOT_VERSION: "INSERT INTO bot_versions (player_id, name, parameters, version) VALUES (?, ?, ?, ?)",
    Statement.ADD_ROOM: "INSERT INTO rooms (number, id, spec, code, created_ms) VALUES (?, ?, ?, ?, ?)",
    Statement.WAKE_ROOM: "UPDATE rooms SET slept_ms = NULL, closed_ms = NULL WHERE number = ?",
    Statement.LET_ROOM_SLEEP: "UPDATE rooms SET slept_ms = ? WHERE number = ?",
    Statement.DROP_SLEEPERS: "DELETE FROM sleeping_rooms WHERE room_number = ?",
    Statement.ADD_SLEEPER: (
        "INSERT INTO sleeping_rooms (player_id, room_number, made, seated, waiting) VALUES (?, ?, ?, ?, ?)"
    ),
    Statement.CLOSE_ROOM: "UPDATE rooms SET closed_ms = ? WHERE number = ?",
    Statement.START_GAME: (
        "INSERT INTO games (id, room_number, serial, source, game, x_player, o_player, initial_ms, increment_ms, "
        "move_ms, x_limit, o_limit, start, rated, seed, run_id, pair_id, opening_id, machine, software, started_ms, "
        "private) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, "
        "?20, ?21, coalesce((SELECT code IS NOT NULL FROM rooms WHERE number = ?2), 0))"
    ),
    Statement.ADD_MOVE: (
        "INSERT OR ROLLBACK INTO moves (game_id, ply, cell, at_ms, think_ms, think_us, wait_ms, x_ms, o_ms, nodes, "
        "depth, value, win_in, pruned) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    ),
    # Without the columns that would be NULL: Python's sqlite3 takes ten times as long to bind a None as an int.
    Statement.ADD_PERSONS_MOVE: (
        "INSERT OR ROLLBACK INTO moves (game_id, ply, cell, at_ms, think_ms, x_ms, o_ms) VALUES (?, ?, ?, ?, ?, ?, ?)"
    ),
    Statement.KEEP_TAKEN_BACK: (
        "INSERT INTO moves_taken_back (taken_seq, game_id, ply, cell, at_ms, think_ms, think_us, wait_ms, x_ms, o_ms, "
        "nodes, depth, value, win_in, pruned) SELECT ?, game_id, ply, cell, at_ms, think_ms, think_us, wait_ms, "
        "x_ms, o_ms, nodes, depth, value, win_in, pruned FROM moves WHERE game_id = ? AND ply >= ?"
    ),
    Statement.DELETE_TAKEN_BACK: "DELETE FROM moves WHERE game_id = ? AND ply >= ?",
    Statement.END_GAME: "UPDATE games SET ended_ms = ?, winner = ?, termination = ?, plies = ? WHERE id = ?",
    Statement.ADD_FAULT: "INSERT INTO faults (game_id, player_id, sentence) VALUES (?, ?, ?)",
    Statement.SET_RATING: (
        "INSERT INTO ratings (player_id, game, rating, deviation, volatility, games, updated_ms) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (player_id, game) DO UPDATE SET "
        "rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility, "
        "games = CASE excluded.games WHEN games + 1 THEN excluded.games END, updated_ms = excluded.updated_ms"
    ),
    Statement.ADD_RATING_CHANGE: (
        "INSERT INTO rating_changes (game_id, player_id, before, rating, deviation, volatility) "
        "VALUES (?, ?, ?, ?, ?, ?)"
    ),
    Statement.DROP_OLD_REVIEW: (
        "DELETE FROM review_moves WHERE game_id = ?1 AND (SELECT version FROM reviews WHERE game_id = ?1) != ?2"
    ),
    Statement.BEGIN_REVIEW: (
        "INSERT INTO reviews (game_id, version, begun_ms) VALUES (?, ?, ?) ON CONFLICT (game_id) DO UPDATE SET "
        "version = excluded.version, begun_ms = excluded.begun_ms WHERE version != excluded.version"
    ),
    Statement.ADD_JUDGED: (
        "INSERT OR REPLACE INTO review_moves (game_id, ply, verdict, exact, value, win_in, at_most, best, could, "
        "could_in, nodes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    ),
    Statement.SHARE_GAME: (
        "INSERT INTO shares (game_id, secret_hash, made_ms) "
        "SELECT ?, ?, ? FROM players WHERE id = ? AND token_hash IS NOT NULL ON CONFLICT (game_id) DO UPDATE SET "
        "secret_hash = excluded.secret_hash, made_ms = excluded.made_ms"
    ),
    Statement.WITHDRAW_SHARE: "DELETE FROM shares WHERE game_id = ?",
    Statement.ADD_EVENT: (
        "INSERT OR ROLLBACK INTO events (room_number, seq, ts, type, body) VALUES (?, ?, ?, ?, CAST(? AS TEXT))"
    ),
    Statement.ANONYMISE_PLAYER: "UPDATE players SET name = ?, token_hash = NULL WHERE id = ?",
    Statement.ANONYMISE_ROOM: (
        "UPDATE rooms SET spec = json_replace(spec, '$.creator.name', ?1, "
        "CASE json_extract(spec, '$.x.id') WHEN ?2 THEN '$.x.name' ELSE '$.creator.name' END, ?1, "
        "CASE json_extract(spec, '$.o.id') WHEN ?2 THEN '$.o.name' ELSE '$.creator.name' END, ?1) "
        "WHERE number = ?3"
    ),
    Statement.ANONYMISE_SEAT: (
        "UPDATE events SET body = json_remove(json_replace(body, '$.seat.name', ?1), '$.seat.rating') "
        "WHERE room_number = ?2 AND seq = ?3"
    ),
    Statement.ANONYMISE_LINE: (
        "UPDATE events SET body = json_replace(body, '$.by.name', ?1, '$.text', ?2) WHERE room_number = ?3 AND seq = ?4"
    ),
    Statement.DROP_RATINGS: "DELETE FROM ratings WHERE player_id = ?",
    Statement.DROP_RATING_CHANGES: "DELETE FROM rating_changes WHERE player_id = ?",
    Statement.DROP_SHARES: (
        "DELETE FROM shares WHERE EXISTS (SELECT 1 FROM games WHERE id = game_id AND ?1 IN (x_player, o_player))"
    ),
    Statement.END_TOKENS_OF_OWNED_BOTS: (
        # With the name of one that was made since the deletion began.
        "UPDATE players SET token_hash = NULL, name = 'deleted player ' || id "
        "WHERE id IN (SELECT player_id FROM owned_bots WHERE owner_id = ?)"
    ),
    Statement.DROP_OWNED_BOTS: "DELETE FROM owned_bots WHERE ?1 IN (player_id, owner_id)",
}
