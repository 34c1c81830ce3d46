"""Reviews as rows of the records: the query, and what is judged to and from its columns. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable

from engine.analysis.verdict import VERSION, MoveVerdict, Verdict
from server.play.writes import Statement, Write

# (game_id, version): the moves that are judged, the last first
JUDGED = """
SELECT m.ply, m.verdict, m.exact, m.value, m.win_in, m.at_most, m.best, m.could, m.could_in, m.nodes
FROM reviews AS r JOIN review_moves AS m ON m.game_id = r.game_id
WHERE r.game_id = ? AND r.version = ? ORDER BY m.ply DESC
"""


def judged_row(
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
    """A ply and what is said of it, from the columns of JUDGED."""
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
