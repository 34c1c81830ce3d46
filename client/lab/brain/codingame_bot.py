"""A bot for CodinGame's Ultimate Tic-Tac-Toe in one file of plain Python, to be pasted into its editor.

Alpha-beta, deepened ply by ply until the time of the turn is over, with a table of positions. The evaluation is that of
noughts: open lines in boards that nobody has won, won boards, and the lines that these can still form. A won or full
board is closed; with all nine closed and no line the side with more boards wins.

Boards and squares are numbered 0 to 8 in reading order; sets of squares or boards are 9-bit integers. `us` and `them`
are lists of nine such sets, and every value is from the view of the side to move.
"""

from __future__ import annotations

import sys
import time

FIRST_MS = 850
"""Part of the 1000 that the first turn may take; the tables are made before the clock starts."""
MOVE_MS = 88
"""Part of the 100 that every other turn may take."""
LOOK_EVERY = 128
"""Nodes between two looks at the clock: half a millisecond."""
TABLE_SIZE = 200_000
"""Most positions that are remembered; then the table is emptied."""

WIN = 1_000_000
SURE = WIN - 100
"""Values beyond it are wins, and tell in how many plies."""
ALL = 511
LINES = [7, 56, 448, 73, 146, 292, 273, 84]
SMALL = (0, 1, 8, 0)
BIG = (0, 12, 60, 0)
BOARD = 10

SQUARES = [[square for square in range(9) if marks >> square & 1] for marks in range(512)]
COUNT = [len(squares) for squares in SQUARES]
HAS_LINE = [any(marks & line == line for line in LINES) for marks in range(512)]


def lines_value(own: int, others: int, dead: int, weights: tuple[int, ...]) -> int:
    """The open lines of two sets; those through a dead square belong to nobody."""
    value = 0
    for line in LINES:
        if not line & dead:
            if not line & others:
                value += weights[COUNT[line & own]]
            elif not line & own:
                value -= weights[COUNT[line & others]]
    return value


def small_values() -> dict[int, int]:
    """Values of undecided boards by `own << 9 | others`: 0 for a full one, no entry for a won one."""
    values: dict[int, int] = {}
    for own in range(512):
        if not HAS_LINE[own]:
            rest = free = ALL & ~own
            while True:
                if not HAS_LINE[rest]:
                    values[own << 9 | rest] = lines_value(own, rest, 0, SMALL) if own | rest != ALL else 0
                if rest == 0:
                    break
                rest = rest - 1 & free
    return values


VALUES = small_values()


class OutOfTime(Exception):
    """The turn's time is over."""


class Game:
    """A position, and the search in it. `us` is the side to move at the root."""

    def __init__(self) -> None:
        self.big: dict[int, int] = {}
        self.table: dict[tuple[int, ...], tuple[int, int, int, int]] = {}
        """depth, bound (-1 at most, 0 exact, 1 at least), value and best cell, by marks and forced board"""
        self.us, self.them = [0] * 9, [0] * 9
        self.won_us = self.won_them = self.closed = 0
        self.forced = -1
        self.deadline_s = 0.0
        self.nodes = 0
        self.depth = 0

    def play(self, cell: int) -> None:
        """The side to move marks a cell, 9 * board + square, and the other is to move."""
        board, square = divmod(cell, 9)
        self.us[board] |= 1 << square
        if HAS_LINE[self.us[board]]:
            self.won_us |= 1 << board
        if HAS_LINE[self.us[board]] or self.us[board] | self.them[board] == ALL:
            self.closed |= 1 << board
        self.forced = -1 if self.closed >> square & 1 else square
        self.us, self.them = self.them, self.us
        self.won_us, self.won_them = self.won_them, self.won_us

    def choose(self, allowed: list[int], milliseconds: int) -> int:
        """The best of these cells that is found in time."""
        self.deadline_s = time.perf_counter() + milliseconds / 1000
        self.nodes = 0
        static = sum(
            VALUES[self.us[board] << 9 | self.them[board]] for board in range(9) if not self.closed >> board & 1
        )
        best = allowed[0]
        order = list(allowed)
        try:
            for depth in range(1, 82 - sum(COUNT[self.us[b] | self.them[b]] for b in range(9))):
                value, best = self.at_root(order, depth, static)
                self.depth = depth
                order.remove(best)
                order.insert(0, best)
                if abs(value) > SURE:
                    break
        except OutOfTime:
            best = order[0]
        return best

    def at_root(self, order: list[int], depth: int, static: int) -> tuple[int, int]:
        """The value of the best cell and the cell. A better one comes first in `order` as soon as it is known."""
        alpha, best = -WIN, order[0]
        us, them = self.us[:], self.them[:]
        for cell in list(order):
            try:
                value = self.after(
                    cell, us, them, self.won_us, self.won_them, self.closed, static, depth, alpha, WIN, 1
                )
            except OutOfTime:
                order.remove(best)
                order.insert(0, best)
                raise
            if value > alpha:
                alpha, best = value, cell
        return alpha, best

    def after(
        self,
        cell: int,
        us: list[int],
        them: list[int],
        won_us: int,
        won_them: int,
        closed: int,
        static: int,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
    ) -> int:
        """The value of marking a cell, for the side that marks it."""
        self.nodes += 1
        if not self.nodes % LOOK_EVERY and time.perf_counter() > self.deadline_s:
            raise OutOfTime
        board, square = divmod(cell, 9)
        before = us[board]
        marked = before | 1 << square
        static -= VALUES[before << 9 | them[board]]
        if HAS_LINE[marked]:
            won_us |= 1 << board
            closed |= 1 << board
            if HAS_LINE[won_us]:
                return WIN - ply
        elif marked | them[board] == ALL:
            closed |= 1 << board
        else:
            static += VALUES[marked << 9 | them[board]]
        if closed == ALL:
            ours, theirs = COUNT[won_us], COUNT[won_them]
            return 0 if ours == theirs else WIN - ply if ours > theirs else ply - WIN
        if depth == 1:
            return static + self.big_value(won_us, won_them, closed)
        forced = -1 if closed >> square & 1 else square
        us[board] = marked
        try:
            return -self.best(them, us, won_them, won_us, closed, forced, -static, depth - 1, -beta, -alpha, ply + 1)
        finally:
            us[board] = before

    def best(
        self,
        us: list[int],
        them: list[int],
        won_us: int,
        won_them: int,
        closed: int,
        forced: int,
        static: int,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
    ) -> int:
        """The value of a position for the side to move, within the window."""
        key = (*us, *them, forced)
        known = self.table.get(key)
        first = -1
        if known is not None:
            known_depth, bound, value, first = known
            is_enough = bound == 0 or (bound > 0 and value >= beta) or (bound < 0 and value <= alpha)
            if known_depth >= depth and abs(value) < SURE and is_enough:
                return value
        lowest, highest, found = alpha, -WIN, -1
        for cell in self.ordered(us, them, won_us, closed, forced, first):
            value = self.after(cell, us, them, won_us, won_them, closed, static, depth, alpha, beta, ply)
            if value > highest:
                highest, found = value, cell
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
        if len(self.table) >= TABLE_SIZE:
            self.table.clear()
        self.table[key] = depth, (highest >= beta) - (highest <= lowest), highest, found
        return highest

    def ordered(self, us: list[int], them: list[int], won_us: int, closed: int, forced: int, first: int) -> list[int]:
        """The cells that may be marked: the best so far, then those that gain most and give no free choice."""
        rated = []
        for board in SQUARES[ALL & ~closed] if forced < 0 else (forced,):
            own, others = us[board], them[board]
            here = VALUES[own << 9 | others]
            for square in SQUARES[ALL & ~(own | others)]:
                marked = own | 1 << square
                cell = 9 * board + square
                if HAS_LINE[marked]:
                    gain = 1000 if HAS_LINE[won_us | 1 << board] else 60
                else:
                    gain = VALUES.get(marked << 9 | others, 0) - here
                if cell == first:
                    gain = 2000
                elif closed >> square & 1:
                    gain -= 20
                rated.append((-gain, cell))
        rated.sort()
        return [cell for _, cell in rated]

    def big_value(self, own: int, others: int, closed: int) -> int:
        """The value of the won boards. A board that is closed and nobody's closes the lines through it."""
        key = own << 18 | others << 9 | closed
        value = self.big.get(key)
        if value is None:
            value = BOARD * (COUNT[own] - COUNT[others]) + lines_value(own, others, closed & ~(own | others), BIG)
            self.big[key] = value
        return value


def cell_at(row: int, column: int) -> int:
    return 9 * (row // 3 * 3 + column // 3) + row % 3 * 3 + column % 3


def place_of(cell: int) -> str:
    board, square = divmod(cell, 9)
    return f"{board // 3 * 3 + square // 3} {board % 3 * 3 + square % 3}"


def main() -> None:
    game = Game()
    milliseconds = FIRST_MS
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        row, column = map(int, line.split())
        allowed = [cell_at(*map(int, sys.stdin.readline().split())) for _ in range(int(sys.stdin.readline()))]
        if row >= 0:
            game.play(cell_at(row, column))
        move = game.choose(allowed, milliseconds)
        game.play(move)
        print(place_of(move), flush=True)
        milliseconds = MOVE_MS


if __name__ == "__main__":
    main()
