"""Nine-board tic-tac-toe: the first line in any of the nine boards wins the game."""

from __future__ import annotations

from engine.rules import lines
from engine.rules.nested import ALL_BOARDS, NestedRules, family, line_members
from engine.rules.position import Move, O, Outcome, X


class NineBoardRules(NestedRules):
    """A board closes when it is full; a board won is the game won."""

    def __init__(self, game_id: str) -> None:
        super().__init__(
            game_id,
            "Nine-board tic-tac-toe",
            (
                "Nine small boards form a big one; X and O take turns to mark one empty square, and X may start "
                "in any board.",
                "The square you choose names the board your opponent must play in: a top-right square sends them to "
                "the top-right board, and if that board is full they may play anywhere.",
                "The first to make a line of three in any of the small boards wins; if all boards fill up, the game "
                "is a draw.",
            ),
        )

    def judge(self, won_x: int, won_o: int, closed: int) -> Outcome | None:
        if won_x or won_o:
            return Outcome(X if won_x else O, "line")
        return Outcome(None, "board_full") if closed == ALL_BOARDS else None

    def winning_line(self, marks: int, boards: int, last: Move) -> tuple[int, ...]:
        first = last - last % 9
        members = line_members(marks >> first & ALL_BOARDS)
        return tuple(first + square for square in lines.cells_of(members))


NINE_BOARD = family("nine-board", {None: NineBoardRules})
