"""Minimax and alpha-beta on n x n boards with n in a row, after Bragstad.

Positions PLY plies below the root are tested for a win, +1 or -1, and else score 0; moves are tried row by row, the
first best one is taken, and alpha-beta cuts when alpha >= beta. A third program draws its plies from 1 to 10 for each
move.

His description tests each position above the last ply for an end too, and so did the program that he published
(github.com/Theobragstad/tictactoe): the exact 3x3 results agree with all that he measured. Tested for wins at the last
ply only, the program of 9 plies would lose to random moves; with the plies counted from the root's moves on, 3 plies
would hold the draw against 3. `client/lab/experiments/bragstad/readings.py` tries these readings and others. A drawn
game scores 0.

His figures cannot tell these readings from a few others, which his text speaks against: `bragstad-reading` plays the
last of equal moves, or counts a position at the last ply as half won, half lost or won. (A root that counts as a ply is
PLY less one.)
"""

from __future__ import annotations

from random import Random
from typing import Final

from engine.bots.literature.answer import Scale, decision, depth_of, first, last
from engine.rules.flat import FlatPosition
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.position import Position
from engine.search.decision import Decision
from engine.search.fixed import Cut, Scoring, Searched, search
from engine.search.watch import NO_WATCH, Watch

SCORING: Final = Scoring(win=1)
_SCALE: Final = Scale(win=1)
MOST_PLIES: Final = 10
"""The variable program draws from 1 to this."""


def minimax(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    return _decide(position, int(values[0]), Cut.NONE, limit, watch)


def alphabeta(
    values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch
) -> Decision:
    return _decide(position, int(values[0]), Cut.LOOSE, limit, watch)


def variable(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    return _decide(position, random.randint(1, MOST_PLIES), Cut.NONE, limit, watch)


def searched(position: Position, depth: int, cut: Cut, limit: Limit = NO_LIMIT, watch: Watch = NO_WATCH) -> Searched:
    """His search, `depth` plies deep: `Cut.NONE` is his minimax, `Cut.LOOSE` his alpha-beta."""
    return search(position, depth, SCORING, cut=cut, first_only=True, limit=limit, watch=watch)


def _decide(position: Position, ply: int, cut: Cut, limit: Limit, watch: Watch) -> Decision:
    depth = depth_of(position, ply, limit)
    found = searched(position, depth, cut, limit, watch)
    return decision(position, found, first(found), depth, _SCALE)


# Other readings.

LEAVES: Final = {"even": 0, "half-won": 1, "half-lost": -1, "won": 2}
"""What a position at the last ply that is not over is worth to the bot, in halves of a win."""


def reading(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    ply, tie, leaf = values
    depth = depth_of(position, int(ply), limit)
    scoring, scale = _judged(position, LEAVES[str(leaf)])
    found = search(position, depth, scoring, cut=Cut.LOOSE, first_only=tie == "first", limit=limit, watch=watch)
    return decision(position, found, last(found) if tie == "last" else first(found), depth, scale)


def _judged(position: Position, halves: int) -> tuple[Scoring, Scale]:
    """A leaf is worth the same whatever is on it: as much as there are lines, by the sign of `halves`."""
    assert isinstance(position, FlatPosition)
    length, lines = position.rules.length, len(position.rules.lines)
    if halves == 0:
        return SCORING, _SCALE
    each = 1 if halves > 0 else -1
    win = lines * 2 // abs(halves)
    table = ((each,) * (length + 1),) * (length + 1)
    # Where a leaf counts as won, the value of a won game proves nothing.
    return Scoring(lines=table, win=win), Scale(win=win + (abs(halves) == 2), unit=win)
