"""Shared by the fixed-depth bots: how deep they look, which of equal moves they take, what they report."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from engine.rules.limit import Limit
from engine.rules.position import Move, Position
from engine.search.decision import Decision
from engine.search.fixed import Searched


@dataclass(frozen=True, slots=True)
class Scale:
    """What the values of a search mean."""

    win: int = 1
    """A value at least this large is sure to be that of a won game, its negative that of a lost one."""
    unit: int = 1
    """How many of the search's whole numbers make one in the bot's own scale."""
    faster: bool = False
    """A won value exceeds `win` by the plies of depth that are left at the end."""
    draws: bool = True
    """A drawn game is worth 0."""


def depth_of(position: Position, ply: int, limit: Limit) -> int:
    """How deep to search: the bot's own plies, no more than the limit's depth, and not beyond the last free cell."""
    return min(ply, limit.depth or ply, position.rules.cells - position.ply)


def first(searched: Searched) -> int | None:
    """The index of the first best move; None if no move was finished."""
    return searched.values.index(max(searched.values)) if searched.values else None


def last(searched: Searched) -> int | None:
    """The index of the last best move, as when a later equal replaces the choice; None if no move was finished."""
    equals = _equals(searched)
    return equals[-1] if equals else None


def coin(searched: Searched, random: Random) -> int | None:
    """The index of a best move, each later equal replacing the choice with probability 1/2; None if none is finished.

    So the last of k equals is taken with probability 1/2, the one before it with 1/4, and the first two alike.
    """
    equals = _equals(searched)
    if not equals:
        return None
    choice = equals[0]
    for later in equals[1:]:
        if random.getrandbits(1):
            choice = later
    return choice


def _equals(searched: Searched) -> list[int]:
    best = max(searched.values, default=0)
    return [index for index, value in enumerate(searched.values) if value == best]


def decision(position: Position, searched: Searched, index: int | None, depth: int, scale: Scale) -> Decision:
    """The decision for the root move with this index in `searched`, or, with none finished, for the first legal move.

    A search that its limit ended decides among the moves that it finished; `depth` is then the depth of these.
    """
    if index is None:
        return Decision(
            position.legal_moves()[0],
            nodes=searched.nodes,
            leaves=searched.leaves,
            pruned=searched.pruned,
            interior=searched.interior,
        )
    move, value = searched.moves[index], searched.values[index]
    result = _result(position, searched, value, depth, scale)
    return Decision(
        move=move,
        nodes=searched.nodes,
        leaves=searched.leaves,
        depth=depth,
        value=value / scale.unit,
        win_in=win_in(position, move, value, depth, scale) if result else None,
        proven=result is not None,
        pruned=searched.pruned,
        interior=searched.interior,
        pv=searched.pv if searched.pv[:1] == (move,) else (move,),
    )


def _result(position: Position, searched: Searched, value: int, depth: int, scale: Scale) -> int | None:
    """The proven result of best play, 1, 0 or -1; None if this search proves none.

    A win found is a win, whatever else was left unsearched; a loss or a draw needs every move.
    """
    if value >= scale.win:
        return 1
    if not searched.finished:
        return None
    if value <= -scale.win:
        return -1
    to_the_end = depth == position.rules.cells - position.ply
    return 0 if value == 0 and to_the_end and scale.draws else None


def win_in(position: Position, move: Move, value: int, depth: int, scale: Scale) -> int | None:
    """Plies to the end that a won (or, negative, lost) value of this move stands for; None if that is not certain.

    Without a preference for faster wins the value tells only that the game ends within `depth` plies, the last of
    them the winner's: certain if the move itself wins, or if there is but one such ply that it can be.
    """
    if scale.faster:
        plies = depth - (abs(value) - scale.win)
        return plies if value > 0 else -plies
    if value > 0:
        if position.play(move).outcome is not None:
            return 1
        return 3 if depth in (3, 4) else None
    return -2 if depth in (2, 3) else None
