"""What a review says of one move: data, its grade and its words. `engine.analysis.review` makes it by searching."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.rules.position import Move

VERSION = 2
"""Grows when moves are judged differently, so that stored reviews are made again."""

Verdict: TypeAlias = Literal["won", "drawn", "lost", "better", "even", "worse"]
"""Verdict for the side that made the move; the first three only where it is exact."""

Grade: TypeAlias = Literal["good", "slow", "doubtful", "mistake"]
"""A mistake is proven to have cost the result, a slow move to have cost plies; a doubtful move is only estimated to."""

_RANKS: Final[dict[Verdict, int]] = {"won": 3, "better": 1, "even": 0, "drawn": 0, "worse": -1, "lost": -3}
_CERTAIN_PLIES: Final = 2
"""Ends this near are never overlooked, so their plies are exact."""
_DOUBT: Final = 2
"""Ranks by which an estimate must be worse: a single one may be noise."""


@dataclass(frozen=True, slots=True)
class MoveVerdict:
    """One move of a finished game. Plies to the end count the move itself; a negative number is a loss."""

    verdict: Verdict
    exact: bool
    value: float
    """-1 to 1, for the side that made the move: 1, 0 or -1 where it is exact, else an estimate strictly between."""
    win_in: int | None
    """Plies to the forced end, 1 for a move that completes a line; None where none is proven."""
    bound: bool
    """`win_in` is a bound: the end may come sooner."""
    best: tuple[Move, ...]
    """The best line from before the move; it begins with the move itself where none is better."""
    best_verdict: Verdict
    """What the first move of `best` leads to."""
    best_win_in: int | None
    """The plies it takes, as `win_in`."""
    nodes: int


def grade(verdict: MoveVerdict, move: Move, bounded: bool = False) -> Grade:
    """How good a move was. `bounded`: plies may be bounds in this game, so that losses cannot be compared."""
    if verdict.best[:1] == (move,):
        return "good"
    lost = _RANKS[verdict.best_verdict] - _RANKS[verdict.verdict]
    if not (verdict.exact and verdict.best_verdict in ("won", "drawn", "lost")):
        # A side that missed a proven win but still looks better may well have another one.
        return "doubtful" if lost >= _DOUBT and verdict.verdict != "better" else "good"
    if lost > 0:
        return "mistake"
    if (
        verdict.win_in is None
        or verdict.best_win_in is None
        or verdict.bound
        or (bounded and verdict.verdict == "lost")
    ):
        return "good"
    return "slow" if verdict.best_win_in < verdict.win_in else "good"


def words(verdict: MoveVerdict, move: Move, texts: Sequence[str], bounded: bool = False) -> str:
    """What a review says of a move, in a few words; `texts` are those of the cells. Plies count the move itself.

    `bounded` as for `grade`: the plies of the best line are then given as "at most".
    """
    # After an estimated move, nobody knows whether the plies of the missed win are a bound.
    in_plies = _plies(verdict.best_win_in, bounded or not verdict.exact)
    if verdict.exact:
        return f"exact: {_decided(verdict, move, texts, in_plies)}"
    own = f"estimated: {verdict.verdict} ({verdict.value:+.2f})"
    return own if verdict.best[:1] == (move,) else f"{own}; {_missed(verdict, texts, in_plies)}"


def _decided(verdict: MoveVerdict, move: Move, texts: Sequence[str], in_plies: str) -> str:
    is_best = verdict.best[:1] == (move,)
    if verdict.verdict == "won":
        won = "wins at once" if verdict.win_in == 1 else f"wins{_within(verdict)}"
        return won if is_best else f"{won}, {texts[verdict.best[0]]}{in_plies}"
    if verdict.verdict == "drawn":
        if is_best:
            return "keeps the draw"
        if verdict.best_verdict == "won":
            return f"threw away the win{in_plies}: a draw"
        return f"a draw; {_missed(verdict, texts, in_plies)}"
    lost = f"lost{_within(verdict)}"
    if is_best:
        return f"{lost} whatever is played"
    if verdict.best_verdict == "lost":
        return f"{lost}, {texts[verdict.best[0]]} lasts up to {abs(verdict.best_win_in or 0)}"
    if verdict.best_verdict in ("won", "drawn"):
        return f"threw away {f'the win{in_plies}' if verdict.best_verdict == 'won' else 'the draw'}: {lost}"
    return f"{lost}; {_missed(verdict, texts, in_plies)}"


def _within(verdict: MoveVerdict) -> str:
    if verdict.win_in is None:
        return ""
    return f"{_plies(verdict.win_in, verdict.bound)} {'ply' if abs(verdict.win_in) == 1 else 'plies'}"


def _plies(win_in: int | None, bound: bool) -> str:
    """ " in 7", " in at most 7", or nothing where no end is proven."""
    if win_in is None:
        return ""
    return f" in {'at most ' if bound and abs(win_in) > _CERTAIN_PLIES else ''}{abs(win_in)}"


def _missed(verdict: MoveVerdict, texts: Sequence[str], in_plies: str) -> str:
    """What another, better move would have led to, where one of the two is estimated."""
    other = texts[verdict.best[0]]
    if verdict.best_verdict == "won":
        return f"{other} wins{in_plies}"
    if verdict.best_verdict == "drawn":
        return f"{other} is a draw"
    if verdict.best_verdict == verdict.verdict:
        return f"{other} looked stronger"
    if verdict.exact and verdict.best_verdict == "worse":
        return f"{other} looked bad, but is not proven lost"
    return f"{other} looked {verdict.best_verdict}"
