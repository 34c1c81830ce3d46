"""The figures of Bragstad's thirteen simulations as he prints them, and what they say of each other. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.rules.position import O, Side, X

Pair = tuple[str, str, str]
"""Game, X and O."""
RANDOM: Final = "random"
THREE: Final = "tictactoe"
FOUR: Final = "mnk:4,4,4"
FIVE: Final = "mnk:5,5,5"
MINIMAX: Final = "bragstad-minimax"
ALPHABETA: Final = "bragstad-alphabeta"
VARIABLE: Final = "bragstad-variable"
SIZES: Final = {THREE: 3, FOUR: 4, FIVE: 5}


@dataclass(frozen=True, slots=True)
class Row:
    """One of his tables. He prints seconds; an average over no game is printed as 0."""

    pair: Pair
    ended: tuple[int, int, int]
    """Games that X won, that O won, and ties."""
    to_win: tuple[float, float]
    """The average moves of X to its wins, and of O."""
    to_end: float
    """The average moves of both to the end."""
    game_s: float
    move_s: tuple[float, float]
    again: str = ""
    """Tells his second table of the same two from the first."""

    @property
    def games(self) -> int:
        return sum(self.ended)

    @property
    def name(self) -> str:
        game, x, o = self.pair
        return f"{square(game)}, {short(x)} - {short(o)}{self.again}"

    @property
    def percent(self) -> tuple[int, int, int]:
        x, o, ties = (100 * number // self.games for number in self.ended)
        return x, o, ties


ROWS: Final = (
    Row((THREE, RANDOM, RANDOM), (56, 28, 16), (4.17857, 3.67857), 7.62, 2e-05, (0, 0)),
    Row((THREE, RANDOM, RANDOM), (58, 23, 19), (4.10345, 3.73913), 7.61, 2e-05, (0, 0), again=" (again)"),
    Row((THREE, VARIABLE, RANDOM), (95, 4, 1), (3.21053, 3.25), 5.5, 1.50061, (0.46458, 0)),
    Row((THREE, RANDOM, f"{MINIMAX}:5"), (11, 77, 12), (3.0, 3.27273), 6.89, 0.08615, (0, 0.02587)),
    Row((THREE, RANDOM, f"{ALPHABETA}:5"), (11, 78, 11), (3.18182, 3.33333), 7.0, 0.01434, (0, 0.00423)),
    Row((THREE, RANDOM, f"{ALPHABETA}:10"), (0, 82, 18), (0, 3.5122), 7.38, 0.03298, (0, 0.00916)),
    Row((THREE, f"{MINIMAX}:9", RANDOM), (100, 0, 0), (3.27, 0), 5.54, 3.76765, (1.15218, 0)),
    Row((THREE, f"{ALPHABETA}:9", RANDOM), (98, 0, 2), (3.34694, 0), 5.76, 0.14091, (0.04169, 0)),
    Row((FOUR, f"{MINIMAX}:3", RANDOM), (77, 0, 23), (4.88312, 0), 10.43, 0.1403, (0.02505, 0)),
    Row((FOUR, f"{ALPHABETA}:3", RANDOM), (79, 2, 19), (4.8481, 7.0), 10.19, 0.01462, (0.00266, 0)),
    Row((FIVE, f"{ALPHABETA}:3", RANDOM), (79, 0, 21), (6.24051, 0), 14.32, 0.04701, (0.00614, 0)),
    Row((THREE, f"{MINIMAX}:9", f"{ALPHABETA}:9"), (0, 0, 10), (0, 0), 9.0, 3.74845, (0.74627, 0.00428)),
    Row((THREE, f"{MINIMAX}:3", f"{ALPHABETA}:3"), (10, 0, 0), (4.0, 0), 7.0, 0.01899, (0.00415, 0.0008)),
)


def short(name: str) -> str:
    return name.removeprefix("bragstad-")


def square(game: str) -> str:
    return f"{SIZES[game]}x{SIZES[game]}"


def moves_to_win(row: Row, side: Side) -> int:
    """The moves of a side in all the games that it won, as printed: his average times their number is a whole one."""
    index = 0 if side == X else 1
    return round(row.to_win[index] * row.ended[index])


def plies_to_end(row: Row) -> int:
    """The plies of all games, from his moves to the end."""
    return round(row.to_end * row.games)


def plies_from_wins(row: Row) -> int:
    """The same from his moves to win: X ends a game of 2m - 1 plies with its m-th move, O one of 2m, and a tie fills
    the board."""
    x_wins, _, ties = row.ended
    return 2 * moves_to_win(row, X) - x_wins + 2 * moves_to_win(row, O) + SIZES[row.pair[0]] ** 2 * ties


def x_moves_recounted(row: Row) -> int:
    """The moves of X in all the games that it won, such that the plies add up to his moves to the end."""
    return moves_to_win(row, X) + (plies_to_end(row) - plies_from_wins(row)) // 2


def moves_of(row: Row, side: Side, x_moves: int) -> int:
    """All moves of a side, if X made `x_moves` in the games that it won."""
    x_wins, _, ties = row.ended
    cells = SIZES[row.pair[0]] ** 2
    if side == X:
        return x_moves + moves_to_win(row, O) + (cells + 1) // 2 * ties
    return x_moves - x_wins + moves_to_win(row, O) + cells // 2 * ties


def searcher(row: Row) -> Side | None:
    """The side that searches against random moves, which take no time that he prints; None without one."""
    x_s, o_s = row.move_s
    if x_s and not o_s:
        return X
    return O if o_s and not x_s else None


def moves_a_game(row: Row) -> float | None:
    """Moves a game of the side that searches, from his times: that of a game over that of its move."""
    side = searcher(row)
    return None if side is None else row.game_s / row.move_s[0 if side == X else 1]
