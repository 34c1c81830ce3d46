"""Judging the moves of a finished game: was a move a mistake, what was possible, and is that certain?

`engine.search.assess` judges the positions before and after a move. Here the two are combined: a move is never worth
more than its position, and where one of the two is decided, that may decide the other. Each move is judged
independently of the others in its game. Code that only reads verdicts imports `engine.analysis.verdict`, which loads no
kernel.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.analysis.verdict import MoveVerdict, Verdict
from engine.rules.position import Move, Position, Side
from engine.search import assess
from engine.search.finding import Finding, raise_if_stopped
from engine.search.watch import NO_WATCH, Watch

EVEN: Final = 0.2
"""Estimates closer to 0 than this favour nobody."""
_CLEARLY: Final = 0.1
"""Estimates of two moves that differ by less count as equal."""


def judge(position: Position, move: Move, watch: Watch = NO_WATCH) -> MoveVerdict:
    """What a move is worth for the side that makes it in `position`, and what else was possible.

    Nodes bound the work, so the answer is always the same: some tenths of a second, two seconds at worst. Raises
    Stopped once `watch` says so, and IllegalMove.
    """
    raise_if_stopped(watch)
    after = position.play(move)
    before = assess.assess(position, watch)
    nodes = before.nodes

    def through(move: Move, after: Position) -> _Way:
        nonlocal nodes
        if after.outcome is not None:
            return _ended(after.outcome.winner, position.to_move, move)
        found = assess.assess(after, watch)
        nodes += found.nodes
        return _reached(move, found)

    made = _sharpened(through(move, after), before, move)
    other: _Way | None = None
    if before.exact and before.best:
        if move not in before.best:
            other = _of(before)
    elif before.line[:1] != (move,):
        first = before.line[0]
        other = through(first, position.play(first))
    if not (before.exact and (before.best or before.value < 0)) and all(
        way is None or way.is_lost for way in (made, other)
    ):
        # The move and the best one found both lose for certain: is there another?
        rest = assess.others(position, (move, *before.line[:1]), watch)
        if rest is not None:
            nodes += rest.nodes
            other = _of(rest) if other is None or _is_better(_of(rest), other) else other
    best = other if other is not None and _is_better(other, made) else made
    if best is made and before.line[:1] == (move,) and before.exact == made.exact:
        best = replace(made, line=_longer(made, before.line))
    return MoveVerdict(
        verdict=_verdict(made),
        exact=made.exact,
        value=made.value,
        win_in=made.win_in,
        bound=made.bound,
        best=best.line,
        best_verdict=_verdict(best),
        best_win_in=best.win_in,
        nodes=nodes,
    )


@dataclass(frozen=True, slots=True)
class _Way:
    """What a move leads to, for the side that makes it."""

    exact: bool
    value: float
    win_in: int | None
    bound: bool
    line: tuple[Move, ...]
    """The move and how the game goes on."""

    @property
    def is_lost(self) -> bool:
        return self.exact and self.value < 0


def _ended(winner: Side | None, mover: Side, move: Move) -> _Way:
    if winner is None:
        return _Way(True, 0.0, None, False, (move,))
    value = 1 if winner == mover else -1
    return _Way(True, float(value), value, False, (move,))


def _reached(move: Move, after: Finding) -> _Way:
    """The way of a move to a position that is not over."""
    win_in = after.win_in
    if win_in is not None:
        win_in = -win_in - 1 if win_in > 0 else 1 - win_in
    # 0.0 - value, as a draw is worth 0.0 and not -0.0.
    return _Way(after.exact, 0.0 - after.value, win_in, after.bound, (move, *after.line))


def _of(before: Finding) -> _Way:
    """The way of the best known move."""
    return _Way(before.exact, before.value, before.win_in, before.bound, before.line)


def _sharpened(made: _Way, before: Finding, move: Move) -> _Way:
    """The way sharpened by what is known of the position before the move."""
    if not before.exact:
        return made
    is_best = move in before.best
    if not made.exact and not is_best and before.value >= 0:
        if before.value == 0 and before.is_all:
            return replace(made, exact=True, value=-1.0)
        return replace(made, value=min(made.value, before.value))
    if made.exact and not (made.value == before.value and (is_best or before.value < 0) and _is_closer(before, made)):
        return made
    # Other moves are only known to lose as well, and no later.
    bound = before.win_in is not None and (before.bound or not is_best)
    return _Way(True, before.value, before.win_in, bound, made.line)


def _is_closer(before: Finding, made: _Way) -> bool:
    """Whether the position bounds the same end more closely than the move does."""
    if before.win_in is None or made.win_in is None:
        return before.win_in is not None
    if abs(before.win_in) == abs(made.win_in):
        return made.bound and not before.bound
    return abs(before.win_in) < abs(made.win_in)


def _is_better(other: _Way, made: _Way) -> bool:
    if other.exact and made.exact:
        if other.value != made.value:
            return other.value > made.value
        # Sooner won, or later lost.
        return other.win_in is not None and made.win_in is not None and other.win_in < made.win_in
    for way, sign in ((other, 1), (made, -1)):
        if way.exact and way.value:
            return way.value * sign > 0
    return other.value - made.value >= _CLEARLY


def _longer(way: _Way, line: tuple[Move, ...]) -> tuple[Move, ...]:
    """The longer of two lines that do not exceed the plies of a way."""
    kept = [one for one in (way.line, line) if way.win_in is None or len(one) <= abs(way.win_in)]
    return max(kept, key=len, default=way.line)


def _verdict(way: _Way) -> Verdict:
    if way.exact:
        return "won" if way.value > 0 else "lost" if way.value < 0 else "drawn"
    return "better" if way.value >= EVEN else "worse" if way.value <= -EVEN else "even"
