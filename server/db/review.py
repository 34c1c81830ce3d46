"""Reviews as rows: the query, verdicts to and from its columns, and both for programs that have a connection."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable

from engine.analysis.verdict import VERSION, MoveVerdict, Verdict
from server.db.connect import transaction
from server.db.statements import SQL
from server.play.writes import Statement, Write

# (game_id, version): the moves that are judged, the last first
VERDICTS = """
SELECT m.ply, m.verdict, m.exact, m.value, m.win_in, m.at_most, m.best, m.could, m.could_in, m.nodes
FROM reviews AS r JOIN review_moves AS m ON m.game_id = r.game_id
WHERE r.game_id = ? AND r.version = ? ORDER BY m.ply DESC
"""


# Games that --run, --game and --since choose: parameters `run`, `game`, `since_ms`. A run's id begins with its ladder
# and list, either of which stands for all of its runs.
_CHOSEN = """
g.termination IS NOT NULL AND g.termination != 'aborted' AND (:game IS NULL OR g.game = :game)
AND (:since_ms IS NULL OR g.started_ms >= :since_ms)
AND (:run IS NULL OR g.run_id = :run OR substr(g.run_id, 1, length(:run) + 1) = :run || '/')
"""
# With `version`: games with moves that it has not judged, and how many.
UNJUDGED = f"""
SELECT g.id, count(*) FROM games AS g JOIN moves AS m ON m.game_id = g.id
LEFT JOIN reviews AS r ON r.game_id = g.id AND r.version = :version
LEFT JOIN review_moves AS v ON v.game_id = r.game_id AND v.ply = m.ply
WHERE v.ply IS NULL AND {_CHOSEN} GROUP BY g.id ORDER BY g.id
"""
# Players of the games chosen: name, moves judged, blunders, doubtful moves, moves proven; most blunders a move first.
JUDGED_PLAYERS = f"""
SELECT m.player, count(m.blunder) AS moves, total(m.blunder) AS blunders, total(m.grade = 'doubtful'), total(m.exact),
       m.player_id
FROM games AS g JOIN v_moves AS m ON m.game_id = g.id
WHERE m.blunder IS NOT NULL AND {_CHOSEN} GROUP BY m.player_id ORDER BY blunders / moves DESC, m.player, m.player_id
"""


def verdict_row(
    ply: int,
    verdict: Verdict,
    exact: int,
    value: float,
    win_in: int | None,
    at_most: int,
    best: str,
    could: Verdict,
    could_in: int | None,
    nodes: int,
) -> tuple[int, MoveVerdict]:
    """A ply and what is said of it, from the columns of VERDICTS."""
    line = tuple(json.loads(best))
    return ply, MoveVerdict(verdict, bool(exact), value, win_in, bool(at_most), line, could, could_in, nodes)


def review_writes(game_id: int, moves: Iterable[tuple[int, MoveVerdict]], now_ms: int) -> list[Write]:
    """Moves (ply, judged) of this version's review, with all that the first of them needs; `now_ms` is Unix time."""
    return [
        (Statement.DROP_OLD_REVIEW, (game_id, VERSION)),
        (Statement.BEGIN_REVIEW, (game_id, VERSION, now_ms)),
        *((Statement.ADD_JUDGED, _row(game_id, ply, judged)) for ply, judged in moves),
    ]


def _row(game_id: int, ply: int, judged: MoveVerdict) -> tuple[object, ...]:
    return (
        game_id,
        ply,
        judged.verdict,
        int(judged.exact),
        judged.value,
        judged.win_in,
        int(judged.bound),
        json.dumps(judged.best),
        judged.best_verdict,
        judged.best_win_in,
        judged.nodes,
    )


def stored_verdicts(connection: sqlite3.Connection, game_id: int) -> dict[int, MoveVerdict]:
    """What this version's review says of a game's moves, by ply; empty where nobody has judged any."""
    return dict(verdict_row(*row) for row in connection.execute(VERDICTS, (game_id, VERSION)))


def store_verdicts(connection: sqlite3.Connection, judged: Iterable[tuple[int, int, MoveVerdict]]) -> None:
    """Keep what was judged (game, ply, verdict), in one transaction. Moves that another version judged are forgotten.

    Games that were archived or pruned meanwhile are passed over.

    `connection` is in autocommit, as those of `server.db.connect.connect` are.
    """
    with transaction(connection):
        now_ms = time.time_ns() // 1_000_000
        for game_id, ply, verdict in judged:
            if connection.execute("SELECT 1 FROM games WHERE id = ?", (game_id,)).fetchone() is None:
                continue
            for statement, parameters in review_writes(game_id, [(ply, verdict)], now_ms):
                connection.execute(SQL[statement], parameters)
