"""The answer of GET /api/explorer, from a position and what is counted of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from engine.rules.notation import shown
from engine.rules.position import IllegalMove, MalformedMove
from engine.rules.registry import rules
from server.db.explorer import ExplorerRow
from server.explorer.positions import Walk
from server.http.answers.fields import Answer
from server.wire import GameId, MoveText, Side, Termination

Games = Annotated[int, Meta(description="number of games")]


class ExploredMove(Answer):
    """A move of this position and how the games with it ended."""

    move: MoveText
    alike: Annotated[
        list[MoveText], Meta(description="the other moves that are the same by a symmetry of this position")
    ]
    games: Games
    x_won: Games
    drawn: Games
    o_won: Games
    last_game: Annotated[int, Meta(description="id of the newest game with it")]


class ExplorerAnswer(Answer):
    """A position and its counted games: finished, public, not aborted. Positions that are alike are one.

    `games` and how they ended are those that went on from here; `next` holds the moves that players chose, the most
    frequent first, and `set_up` those that were made beforehand, as in a ladder's openings.
    """

    game: GameId
    moves: list[MoveText]
    to_move: Annotated[Side | None, Meta(description="null when the game is over")]
    legal: list[MoveText]
    line: Annotated[list[MoveText], Meta(description="the cells of the lines that the last move completed")]
    games: Games
    x_won: Games
    drawn: Games
    o_won: Games
    next: list[ExploredMove]
    set_up: list[ExploredMove]
    pending: Annotated[int, Meta(description="finished games that are still to be counted")]
    forced: Annotated[int, Meta(description="the board 1-9 to play in; left out for a free choice")] | None = None
    winner: Side | None = None
    termination: Termination | None = None


def walk(game: str, moves: str) -> Walk:
    """Walk to the position after comma-separated moves. Raises UnknownGame, MalformedMove or IllegalMove."""
    walk = Walk(rules(game))
    parse = walk.position.rules.parse_move
    for number, text in enumerate(moves.split(",") if moves else [], 1):
        try:
            walk.play(parse(text))
        except (MalformedMove, IllegalMove) as error:
            raise type(error)(f"Move {number}, {shown(text)}, cannot be explored. {error}") from None
    return walk


def explorer_answer(walk: Walk, moves: str, found: Sequence[ExplorerRow], pending: int) -> ExplorerAnswer:
    """`moves` is how one walked there, `found` what is counted at its key."""
    position = walk.position
    text = position.rules.format_move
    legal = walk.legal_by_canonical()

    def explored(row: ExplorerRow) -> ExploredMove:
        move, *alike = legal[row.cell if row.cell >= 0 else ~row.cell]
        return ExploredMove(
            move=text(move),
            alike=[text(other) for other in alike],
            games=row.games,
            x_won=row.x_won,
            drawn=row.drawn,
            o_won=row.o_won,
            last_game=row.last_game,
        )

    # Two positions may meet in one key by a chance of 2**-64; a cell that is not open here is that of another.
    known = [row for row in found if (row.cell if row.cell >= 0 else ~row.cell) in legal]
    known.sort(key=lambda row: (-row.games, row.cell))
    outcome = position.outcome
    return ExplorerAnswer(
        game=position.rules.id,
        moves=moves.split(",") if moves else [],
        to_move=position.to_move if outcome is None else None,
        legal=[text(cell) for cell in position.legal_moves()],
        forced=position.forced + 1 if position.forced is not None else None,
        winner=outcome.winner if outcome is not None else None,
        termination=outcome.termination if outcome is not None else None,
        line=[text(cell) for cell in position.line],
        games=sum(row.games for row in known),
        x_won=sum(row.x_won for row in known),
        drawn=sum(row.drawn for row in known),
        o_won=sum(row.o_won for row in known),
        next=[explored(row) for row in known if row.cell >= 0],
        set_up=[explored(row) for row in known if row.cell < 0],
        pending=pending,
    )
