"""What the explorer reads and writes: its rows, and the statements whose columns are in their order. Pure."""

from __future__ import annotations

from msgspec import Struct


class ExplorerRow(Struct, frozen=True):
    """A move from one position and how its games ended; `cell` as in `server.explorer.positions.Entry`."""

    cell: int
    x_won: int
    drawn: int
    o_won: int
    last_game: int

    @property
    def games(self) -> int:
        return self.x_won + self.drawn + self.o_won


# (game, key)
MOVES_FROM = "SELECT cell, x_won, drawn, o_won, last_game FROM explorer_moves WHERE game = ? AND key = ?"

_COUNTABLE = "g.ended_ms IS NOT NULL AND g.termination != 'aborted' AND g.private = 0"
_UNEXPLORED = f"{_COUNTABLE} AND NOT EXISTS (SELECT 1 FROM explored_games AS e WHERE e.game_id = g.id)"

# Through an index first: of the games that are explored, nearly all, no row is read.
UNEXPLORED = f"""
SELECT count(*) FROM games AS i LEFT JOIN explored_games AS e ON e.game_id = i.id CROSS JOIN games AS g ON g.id = i.id
WHERE e.game_id IS NULL AND {_COUNTABLE}
"""

# (after, limit): id, game, start and winner of the next ones to count, those that began first before the others
TO_EXPLORE = f"""
SELECT id, game, start, winner FROM (SELECT * FROM games AS g WHERE g.id > ? AND {_UNEXPLORED} ORDER BY g.id LIMIT ?)
ORDER BY started_ms, id
"""

# (ids as a JSON list)
CELLS_OF_GAMES = """
SELECT game_id, cell FROM moves WHERE game_id IN (SELECT value FROM json_each(?)) ORDER BY game_id, ply
"""

# (game_id): refused for a game that is explored already
ADD_EXPLORED = "INSERT INTO explored_games (game_id) VALUES (?)"

# (game, key, cell, x_won, drawn, o_won, last_game). Ids do not tell which game is newer: they come in blocks.
ADD_COUNT = """
INSERT INTO explorer_moves (game, key, cell, x_won, drawn, o_won, last_game) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (game, key, cell) DO UPDATE SET
    x_won = x_won + excluded.x_won, drawn = drawn + excluded.drawn, o_won = o_won + excluded.o_won,
    last_game = coalesce((SELECT id FROM games WHERE id IN (last_game, excluded.last_game)
                          ORDER BY started_ms DESC, id DESC LIMIT 1), last_game)
"""
