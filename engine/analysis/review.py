"""Reviewing a game: was a move a mistake, what was possible, and is that certain?

`engine.search.assess` says what is found of the positions before and after a move. Here it is put together: a move is
never worth more than its position, and where one of the two is decided, that may decide the other. Each move is judged
apart from the others of its game. Naming this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Final, Literal, TypeAlias

from engine.analysis.verdict import VERSION, Judged, Verdict
from engine.rules.position import Move, Position, Side
from engine.search.finding import Finding, Stopped, raise_if_stopped
from engine.search.limits import NO_WATCH, Watch

__all__ = ["VERSION", "Grade", "Judged", "Stopped", "Verdict", "grade", "judge", "words"]

Grade: TypeAlias = Literal["good", "slow", "doubtful", "mistake"]
"""A mistake is proven to have cost the result, a slow move some plies only; doubtful is what an estimate says so of."""

EVEN: Final = 0.2
"""Estimates nearer to 0 than this favour nobody."""
_CLEARLY: Final = 0.1
"""Estimates of two moves that differ by less are as good as each other."""

_RANKS: Final[dict[Verdict, int]] = {"won": 3, "better": 1, "even": 0, "drawn": 0, "worse": -1, "lost": -3}
_CERTAIN_PLIES: Final = 2
"""No win or loss within so many plies is overlooked, so their number is no bound."""
_DOUBT: Final = 2
"""An estimate that is one step worse may be noise."""


def judge(position: Position, move: Move, watch: Watch = NO_WATCH) -> Judged:
    """What a move is worth for who makes it in `position`, and what else was possible.

    The answer is the same each time, as nodes bound the work: some tenths of a second, two seconds at worst. Raises
    Stopped once `watch` says so, and IllegalMove.
    """
    raise_if_stopped(watch)
    after = position.play(move)
    assess: Any = import_module("engine.search.assess")
    before: Finding = assess.assess(position, watch)
    nodes = before.nodes

    def through(move: Move, after: Position) -> _Way:
        nonlocal nodes
        if after.outcome is not None:
            return _ended(after.outcome.winner, position.to_move, move)
        found: Finding = assess.assess(after, watch)
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
        # What was made and what the search thought best are lost for sure: what else was there?
        rest: Finding | None = assess.others(position, (move, *before.line[:1]), watch)
        if rest is not None:
            nodes += rest.nodes
            other = _of(rest) if other is None or _is_better(_of(rest), other) else other
    best = other if other is not None and _is_better(other, made) else made
    if best is made and before.line[:1] == (move,) and before.exact == made.exact:
        best = replace(made, line=_longer(made, before.line))
    return Judged(
        verdict=_verdict(made),
        exact=made.exact,
        value=made.value,
        win_in=made.win_in,
        at_most=made.at_most,
        best=best.line,
        could=_verdict(best),
        could_in=best.win_in,
        nodes=nodes,
    )


@dataclass(frozen=True, slots=True)
class _Way:
    """What a move leads to, for who makes it."""

    exact: bool
    value: float
    win_in: int | None
    at_most: bool
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
    """By a move to a position that is not over."""
    win_in = after.win_in
    if win_in is not None:
        win_in = -win_in - 1 if win_in > 0 else 1 - win_in
    # 0.0 - value, as a draw is worth 0.0 and not -0.0.
    return _Way(after.exact, 0.0 - after.value, win_in, after.at_most, (move, *after.line))


def _of(before: Finding) -> _Way:
    """By the best move that is known."""
    return _Way(before.exact, before.value, before.win_in, before.at_most, before.line)


def _sharpened(made: _Way, before: Finding, move: Move) -> _Way:
    """With what the position before the move says of it."""
    if not before.exact:
        return made
    is_best = move in before.best
    if not made.exact and not is_best and before.value >= 0:
        if before.value == 0 and before.is_all:
            return replace(made, exact=True, value=-1.0)
        return replace(made, value=min(made.value, before.value))
    if made.exact and not (made.value == before.value and (is_best or before.value < 0) and _is_closer(before, made)):
        return made
    # Of other moves nothing is known but that they lose as well, and no later.
    at_most = before.win_in is not None and (before.at_most or not is_best)
    return _Way(True, before.value, before.win_in, at_most, made.line)


def _is_closer(before: Finding, made: _Way) -> bool:
    """Does a position say more than a move about when the same end comes?"""
    if before.win_in is None or made.win_in is None:
        return before.win_in is not None
    if abs(before.win_in) == abs(made.win_in):
        return made.at_most and not before.at_most
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
    """Of two lines, as far as they keep to the plies of a way."""
    kept = [one for one in (way.line, line) if way.win_in is None or len(one) <= abs(way.win_in)]
    return max(kept, key=len, default=way.line)


def _verdict(way: _Way) -> Verdict:
    if way.exact:
        return "won" if way.value > 0 else "lost" if way.value < 0 else "drawn"
    return "better" if way.value >= EVEN else "worse" if way.value <= -EVEN else "even"


def grade(judged: Judged, move: Move, bounded: bool = False) -> Grade:
    """How good a move was. `bounded`: in this game numbers of plies may be bounds, so losses cannot be compared."""
    if judged.best[:1] == (move,):
        return "good"
    lost = _RANKS[judged.could] - _RANKS[judged.verdict]
    if not (judged.exact and judged.could in ("won", "drawn", "lost")):
        # Who had a win that was proven and still looks better may well have another.
        return "doubtful" if lost >= _DOUBT and judged.verdict != "better" else "good"
    if lost > 0:
        return "mistake"
    if judged.win_in is None or judged.could_in is None or judged.at_most or (bounded and judged.verdict == "lost"):
        return "good"
    return "slow" if judged.could_in < judged.win_in else "good"


def words(judged: Judged, move: Move, texts: Sequence[str], bounded: bool = False) -> str:
    """What a review says of a move, in a few words; `texts` are those of the cells. Plies count the move itself.

    `bounded` as for `grade`: then the plies of what was possible are "at most" so many.
    """
    # Of a win that only an estimate says was let go nobody knows whether its number is a bound.
    could_in = _plies(judged.could_in, bounded or not judged.exact)
    if judged.exact:
        return f"exact: {_decided(judged, move, texts, could_in)}"
    own = f"estimated: {judged.verdict} ({judged.value:+.2f})"
    return own if judged.best[:1] == (move,) else f"{own}; {_missed(judged, texts, could_in)}"


def _decided(judged: Judged, move: Move, texts: Sequence[str], could_in: str) -> str:
    is_best = judged.best[:1] == (move,)
    if judged.verdict == "won":
        won = "wins at once" if judged.win_in == 1 else f"wins{_within(judged)}"
        return won if is_best else f"{won}, {texts[judged.best[0]]}{could_in}"
    if judged.verdict == "drawn":
        if is_best:
            return "keeps the draw"
        if judged.could == "won":
            return f"threw away the win{could_in}: a draw"
        return f"a draw; {_missed(judged, texts, could_in)}"
    lost = f"lost{_within(judged)}"
    if is_best:
        return f"{lost} whatever is played"
    if judged.could == "lost":
        return f"{lost}, {texts[judged.best[0]]} lasts up to {abs(judged.could_in or 0)}"
    if judged.could in ("won", "drawn"):
        return f"threw away {f'the win{could_in}' if judged.could == 'won' else 'the draw'}: {lost}"
    return f"{lost}; {_missed(judged, texts, could_in)}"


def _within(judged: Judged) -> str:
    if judged.win_in is None:
        return ""
    return f"{_plies(judged.win_in, judged.at_most)} {'ply' if abs(judged.win_in) == 1 else 'plies'}"


def _plies(win_in: int | None, at_most: bool) -> str:
    """ " in 7", " in at most 7", or nothing where none are proven."""
    if win_in is None:
        return ""
    return f" in {'at most ' if at_most and abs(win_in) > _CERTAIN_PLIES else ''}{abs(win_in)}"


def _missed(judged: Judged, texts: Sequence[str], could_in: str) -> str:
    """What the best move, another one, would have been, where one of the two is estimated."""
    other = texts[judged.best[0]]
    if judged.could == "won":
        return f"{other} wins{could_in}"
    if judged.could == "drawn":
        return f"{other} is a draw"
    if judged.could == judged.verdict:
        return f"{other} looked stronger"
    if judged.exact and judged.could == "worse":
        return f"{other} looked bad, but is not proven lost"
    return f"{other} looked {judged.could}"
