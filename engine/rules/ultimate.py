"""Ultimate tic-tac-toe and its two relatives: three won boards in a line win the game."""

from __future__ import annotations

from typing import Final

from engine.rules import lines
from engine.rules.nested import ALL_BOARDS, HAS_LINE, NestedRules, family, line_members
from engine.rules.position import Move, O, Outcome, X

_BOARDS: Final = "Nine small boards form a big one; you win a small board with the first line of three in it, and the \
game with three won boards in a line."
_TARGET: Final = "The square you choose names the board your opponent must play in, as the top-right square sends them \
to the top-right board"


class UltimateRules(NestedRules):
    """A won or full board is closed. With every board closed and no line of boards, the game is a draw."""

    def __init__(self, game_id: str) -> None:
        super().__init__(
            game_id,
            "Ultimate tic-tac-toe",
            (
                _BOARDS,
                f"{_TARGET}; if that board is already won or full, and on the first move, any open board will do.",
                "Won and full boards are closed to both; when all nine are closed without a line, the game is a draw.",
            ),
        )

    def judge(self, won_x: int, won_o: int, closed: int) -> Outcome | None:
        if HAS_LINE[won_x]:
            return Outcome(X, "line")
        if HAS_LINE[won_o]:
            return Outcome(O, "line")
        return self.judge_closed(won_x, won_o) if closed == ALL_BOARDS else None

    def judge_closed(self, won_x: int, won_o: int) -> Outcome:
        """The result once no legal move is left and nobody has a line of boards."""
        return Outcome(None, "board_full")

    def winning_line(self, marks: int, boards: int, last: Move) -> tuple[int, ...]:
        members = lines.cells_of(line_members(boards))
        return tuple(9 * board + square for board in members for square in range(9))


class UltimateCountRules(UltimateRules):
    """CodinGame's rule: with every board closed and no line, more won boards win. Equal numbers are a draw."""

    def __init__(self, game_id: str) -> None:
        NestedRules.__init__(
            self,
            game_id,
            "Ultimate tic-tac-toe, boards counted",
            (
                _BOARDS,
                f"{_TARGET}; if that board is already won or full, and on the first move, any open board will do.",
                "Won and full boards are closed to both; when all nine are closed without a line, the side with more "
                "won boards wins, and equal numbers are a draw.",
            ),
        )

    def judge_closed(self, won_x: int, won_o: int) -> Outcome:
        lead = won_x.bit_count() - won_o.bit_count()
        if lead == 0:
            return Outcome(None, "board_full")
        return Outcome(X if lead > 0 else O, "count")


class SuperRules(UltimateRules):
    """The old rule: a won board stays in play until it is full, and keeps the owner who won it first."""

    closes_won_boards = False

    def __init__(self, game_id: str) -> None:
        NestedRules.__init__(
            self,
            game_id,
            "Super tic-tac-toe",
            (
                _BOARDS,
                f"{_TARGET}; only if that board is full, and on the first move, any board with room will do.",
                "A won board stays in play until it is full, and whoever won it first keeps it; when every square is "
                "taken without a line of boards, the game is a draw.",
            ),
        )


ULTIMATE = family("ultimate", {None: UltimateRules, "count": UltimateCountRules})
SUPER = family("super", {None: SuperRules})
