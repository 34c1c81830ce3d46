"""Readings of Bragstad's description, in plain Python on 3 x 3: what each makes of his tables, and how well it fits.

The whole tree gives the chance of each end, and so the likelihood of what he printed: of the numbers of wins and ties,
and, given these, of the moves of each side to its wins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, Literal

from client.lab.experiments.bragstad.tables import RANDOM, ROWS, THREE, VARIABLE, Row, moves_to_win, x_moves_recounted
from engine.bots.literature.bragstad import MOST_PLIES
from engine.rules.flat import FlatPosition
from engine.rules.position import Move, O, Position, Side, X
from engine.rules.registry import rules
from engine.stats.exact import Ends, Policy, ends, mixed, uniform

_LINES: Final = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
_FULL: Final = 0o777


@dataclass(frozen=True, slots=True)
class Reading:
    """His player, read in one way."""

    what: str
    more: int = 0
    """Plies that are searched beyond the number that he gives."""
    ends: Literal["all", "none", "won", "lost"] = "all"
    """Which games end above the last ply: all that are over, none, or those that the bot has won, or lost."""
    tie: Literal["first", "last", "any"] = "first"
    """Which of equal moves is played."""
    drawn: int = 0
    leaf: float = 0
    """What a position at the last ply that is not over is worth to the bot."""
    replies: Literal["best", "average", "own"] = "best"
    """How the other moves in between: best for itself, at random, or not at all, so that the bot makes every move."""


DESCRIBED: Final = Reading("as he describes it")
READINGS: Final = (
    DESCRIBED,
    Reading("plies counted from the root's moves: one more", more=1),
    Reading("the root counted as a ply: one less", more=-1),
    Reading("two plies less", more=-2),
    Reading("wins tested at the last ply only", ends="none"),
    Reading("only a win of the bot ends a game above the last ply", ends="won"),
    Reading("only a loss of the bot ends a game above the last ply", ends="lost"),
    Reading("a tie counts as lost", drawn=-1),
    Reading("a tie counts as won", drawn=1),
    Reading("a leaf at the limit is worth a half", leaf=0.5),
    Reading("a leaf at the limit costs a half", leaf=-0.5),
    Reading("a leaf at the limit counts as won", leaf=1),
    Reading("a leaf at the limit counts as lost", leaf=-1),
    Reading("the other replies at random", replies="average"),
    Reading("the bot makes every move in between", replies="own"),
    Reading("the last of equal moves", tie="last"),
    Reading("one less, and the last of equal moves", more=-1, tie="last"),
    Reading("any of equal moves", tie="any"),
)


def player(reading: Reading, plies: int) -> Policy:
    """The player that looks so many plies ahead, by this reading."""
    depth = plies + reading.more
    value = _values(reading)

    @cache
    def choose(bot: int, other: int) -> Mapping[Move, Fraction]:
        moves = [move for move, bit in enumerate(_BITS) if not (bot | other) & bit]
        if depth < 1:
            return {moves[0]: Fraction(1)}
        values = [value(bot | _BITS[move], other, reading.replies == "own", depth - 1) for move in moves]
        best = [move for move, found in zip(moves, values, strict=True) if found == max(values)]
        chosen = {"first": best[:1], "last": best[-1:], "any": best}[reading.tie]
        return {move: Fraction(1, len(chosen)) for move in chosen}

    def policy(position: Position) -> Mapping[Move, Fraction]:
        assert isinstance(position, FlatPosition)
        marks = (position.x, position.o)
        return choose(*(marks if position.to_move == X else marks[::-1]))

    return policy


@lru_cache(maxsize=1)
def _values(reading: Reading) -> Callable[[int, int, bool, int], float]:
    """What a position is worth by this reading; players of different numbers of plies share what is known."""

    @cache
    def value(bot: int, other: int, mine: bool, left: int) -> float:
        """The value for the bot of these marks, with `left` plies to look ahead; `mine` if the bot is to move."""
        full = bot | other == _FULL
        last = left == 0 or full
        if _HAS_LINE[other] and (last or reading.ends in ("all", "lost")):
            return -1
        if _HAS_LINE[bot] and (last or reading.ends in ("all", "won")):
            return 1
        if last:
            return reading.drawn if full else reading.leaf
        bits = [bit for bit in _BITS if not (bot | other) & bit]
        if mine:
            return max(value(bot | bit, other, reading.replies == "own", left - 1) for bit in bits)
        values = [value(bot, other | bit, True, left - 1) for bit in bits]
        return sum(values) / len(values) if reading.replies == "average" else min(values)

    return value


_BITS: Final = tuple(1 << cell for cell in range(9))
_HAS_LINE: Final = tuple(any(marks & line == line for line in _LINES) for marks in range(_FULL + 1))


def played(reading: Reading) -> dict[tuple[str, str], Ends]:
    """The chance of each end of his pairings on 3 x 3, by X and O. Minimax and alpha-beta choose alike."""

    @cache
    def policy(plies: str) -> Policy:
        if plies == RANDOM:
            return uniform
        if plies == VARIABLE:
            return mixed(tuple(player(reading, ply) for ply in range(1, MOST_PLIES + 1)))
        return player(reading, int(plies))

    found: dict[tuple[str, str], Ends] = {}
    for row in THREES:
        key = pairing(row)
        if key not in found:
            found[key] = ends(rules(THREE).initial, policy(key[0]), policy(key[1]))
    return found


def pairing(row: Row) -> tuple[str, str]:
    """X and O, each as its plies, `random` or the variable program."""
    _, x, o = row.pair
    return x.rpartition(":")[2], o.rpartition(":")[2]


THREES: Final = tuple(row for row in ROWS if row.pair[0] == THREE)


def log_likelihood(found: Mapping[tuple[str, str], Ends], recounted: bool) -> float:
    """The log-likelihood of all his figures of wins, ties and moves on 3 x 3, to base 10; -inf for what cannot be.

    `recounted` takes X's moves to win that agree with his moves to the end, instead of those that he prints.
    """
    return math.fsum(_log_of_row(row, found[pairing(row)], recounted) for row in THREES)


def _log_of_row(row: Row, chances: Ends, recounted: bool) -> float:
    by_moves = {side: _by_moves(chances, side) for side in (X, O)}
    x_share, o_share = (math.fsum(by_moves[side].values()) for side in (X, O))
    result = _multinomial(row.ended, (x_share, o_share, max(0.0, 1 - x_share - o_share)))
    totals = (x_moves_recounted(row) if recounted else moves_to_win(row, X), moves_to_win(row, O))
    for side, wins, total, share in zip((X, O), row.ended, totals, (x_share, o_share), strict=False):
        if wins and share:
            result += _log10(_chance_of_sum(by_moves[side], wins, total) / share**wins)
    return result


def _by_moves(chances: Ends, side: Side) -> dict[int, float]:
    """The chance that a side wins with so many moves."""
    return {(plies + 1) // 2: float(chance) for (winner, plies), chance in chances.items() if winner == side}


def _multinomial(numbers: tuple[int, int, int], chances: tuple[float, float, float]) -> float:
    result = math.lgamma(sum(numbers) + 1) / math.log(10)
    for number, chance in zip(numbers, chances, strict=True):
        result += (number * _log10(chance) if number else 0) - math.lgamma(number + 1) / math.log(10)
    return result


def _chance_of_sum(chances: Mapping[int, float], number: int, total: int) -> float:
    """The chance that this many independent numbers, each with these chances, add up to `total`."""
    sums = {0: 1.0}
    for _ in range(number):
        longer: dict[int, float] = {}
        for before, chance in sums.items():
            for moves, more in chances.items():
                longer[before + moves] = longer.get(before + moves, 0.0) + chance * more
        sums = longer
    return sums.get(total, 0.0)


def _log10(chance: float) -> float:
    return math.log10(chance) if chance > 1e-300 else -math.inf
