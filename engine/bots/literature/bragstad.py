"""Minimax and alpha-beta on n x n boards with n in a row, after Bragstad.

Positions PLY plies below the root are tested for a win, +1 or -1, and else score 0; moves are tried row by row, the
first best one is taken, and alpha-beta cuts when alpha >= beta. A third program draws its plies from 1 to 10 for each
move.

His description tests each position above the last ply for an end too, and so did the program that he published
(github.com/Theobragstad/tictactoe): the exact 3x3 results agree with all that he measured. Tested for wins at the last
ply only, the program of 9 plies would lose to random moves; with the plies counted from the root's moves on, 3 plies
would hold the draw against 3. `client/lab/experiments/bragstad_readings.py` tries these readings and others. A drawn
game scores 0.
"""

from __future__ import annotations

from random import Random
from typing import Final

from engine.bots.literature.answer import Scale, decision, depth_of, first
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
