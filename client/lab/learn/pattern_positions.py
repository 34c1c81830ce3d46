"""The positions that patterns are learned from, and what a search said of them.

Worths are learned from positions off the games: a few arbitrary moves of the most promising lead there from positions
of the games. In the games themselves a three is where a three is good, but a search judges threes anywhere; worths
fitted to the games' own positions and results predict games better and play worse (docs/strength/gomoku.md). And they
are learned only where a search would judge: it answers threats to win instead of judging them, and regression would
make other worths pay for those positions. Promises are learned from the moves that searches chose, there and in the
games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from client.lab.learn.records import Games, expected
from engine.kernels import fours, patterns
from engine.kernels.patterns import COMPLETING, PATTERNS, QUIET, SETS, WINNING, PatternBoard
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.position import Move, Position
from engine.search import patterned
from engine.search.decision import Decision
from engine.search.pattern_evaluation import PROMISE_UNIT, UNIT

_OFF_EACH_GAME: Final = 12
"""Positions off each game, of which a search would judge about a third."""
_OF_EACH_GAME: Final = 4
"""Choices from the game itself."""
_ASTRAY: Final = 4
"""Most moves that lead off a game, each one of the `_PROMISING` most promising."""
_PROMISING: Final = 12
_FOURS: Final = 12
"""Moves of a search for a win by fours, as at a leaf."""


class Judged(NamedTuple):
    """One row for each position, from the view of the side to move."""

    is_held_out: Any
    """bool[n]."""
    counts: Any
    """float32[n, 2 * SETS]: the empty cells by the sets of their patterns, those of the side to move first."""
    chances: Any
    """float64[n]: the result that the search expects, 0 to 1."""


class Choices(NamedTuple):
    """The moves that there were to choose from, those of a position one after the other."""

    is_held_out: Any
    """bool[n]: of each position."""
    begins: Any
    """int64[n]: where each position's moves begin."""
    chosen: Any
    """int64[n]: which of all moves the search chose."""
    own: Any
    """int64[moves]: the set of the move's pattern for the side to move."""
    others: Any
    """int64[moves]: the same for the other side."""
    centre: Any
    """float64[moves]: what nearness to the centre adds, in logits."""


class _Choice(NamedTuple):
    is_held_out: bool
    own: Any
    others: Any
    centre: Any
    chosen: int
    """Index of the chosen one among this position's moves."""


def studied(
    rules: FlatRules,
    games: Games,
    seed: int,
    search: Callable[[Position], Decision],
    report: Callable[[], None],
) -> tuple[Judged, Choices]:
    """Positions off the games with what a search says, and choices; every tenth game is held out.

    Choices of the games themselves are of positions that are neither won nor lost for certain; off the games such are
    kept, whatever the search says (docs/strength/gomoku.md). Forced moves are left out. `report` is called after each
    game.
    """
    rows: list[tuple[bool, Any, float]] = []
    choices: list[_Choice] = []
    for number, (moves, values) in enumerate(zip(games.moves, games.values, strict=True)):
        is_held_out, random = number % 10 == 9, Random(f"{rules.id}/{seed}/off/{number}")
        along = _along(rules, moves)
        searched = [
            (position, move) for position, move, value in zip(along, moves, values, strict=True) if 0 < value < 1
        ]
        for position, move in random.sample(searched, min(_OF_EACH_GAME, len(searched))):
            choices += _choice(is_held_out, patterned.pattern_board(position), move)
        for _ in range(_OFF_EACH_GAME):
            position = _astray(random.choice(along[1:]), random)
            board = patterned.pattern_board(position)
            if position.outcome is not None or not _is_judged(board):
                continue
            decision = search(position)
            if decision.value is not None:
                rows.append((is_held_out, _counts(board), expected(decision.value, 0, UNIT)))
                choices += _choice(is_held_out, board, decision.move)
        report()
    held_out, counts, chances = zip(*rows, strict=True)
    return Judged(np.array(held_out), np.stack(counts), np.array(chances)), _together(choices)


def _along(rules: FlatRules, moves: Sequence[Move]) -> list[FlatPosition]:
    """The positions in which a game's moves were made."""
    position = rules.initial
    found = []
    for move in moves:
        found.append(position)
        position = position.play(move)
    return found


def _astray(position: FlatPosition, random: Random) -> FlatPosition:
    for _ in range(random.randint(1, _ASTRAY)):
        if position.outcome is not None:
            break
        board, side = patterned.pattern_board(position), position.ply & 1
        near = _near(board)
        places = near if len(near) else _empty(board)
        promising = places[np.argsort(-patterns.promises(board, places, side), kind="stable")]
        position = position.play(int(board.cell[random.choice(promising[:_PROMISING].tolist())]))
    return position


def _is_judged(board: PatternBoard) -> bool:
    """Whether a search judges the position at a leaf: the other side threatens no win, and fours win none at once."""
    side = int(board.numbers[0]) & 1
    if any(patterns.of_kind(board, 1 - side, kind) for kind in (COMPLETING, WINNING)):
        return False
    return bool(fours.search(board, fours.fours(board.cells), side, _FOURS) <= 0)


def _counts(board: PatternBoard) -> Any:
    found = [np.bincount(of_side, minlength=SETS) for of_side in _sets(board, _empty(board))]
    return np.concatenate(found).astype(np.float32)


def _choice(is_held_out: bool, board: PatternBoard, move: Move) -> list[_Choice]:
    """Nothing if the move is forced, or the chosen one is not among those that promises put in order."""
    if any(patterns.of_kind(board, side, COMPLETING) for side in range(2)):
        return []
    places = _near(board)
    chosen = np.flatnonzero(places == board.at[move])
    if not len(chosen):
        return []
    return [_Choice(is_held_out, *_sets(board, places), board.centre[places] / PROMISE_UNIT, int(chosen[0]))]


def _empty(board: PatternBoard) -> Any:
    """int64[..]: the places of the empty cells."""
    content = board.lines[board.line[board.at, 0]] >> board.shift[board.at, 0] & 3
    return board.at[content == 0]


def _near(board: PatternBoard) -> Any:
    """int64[..]: those where a move of either side has some effect, which are the ones that a search lists."""
    kinds = board.kinds[board.at]
    return board.at[np.maximum(kinds & 15, kinds >> 4) >= QUIET]


def _sets(board: PatternBoard, places: Any) -> tuple[Any, Any]:
    """int64[places]: the sets of their patterns for the side to move and for the other."""
    of_places = board.patterns[places]
    x, o = (patterns.sets_of(of_places >> shift & PATTERNS - 1) for shift in (0, 12))
    return (o, x) if int(board.numbers[0]) & 1 else (x, o)


def _together(choices: Sequence[_Choice]) -> Choices:
    held_out, own, others, centre, chosen = zip(*choices, strict=True)
    begins = np.cumsum([0, *map(len, own[:-1])])
    return Choices(
        np.array(held_out), begins, begins + np.array(chosen), np.concatenate(own), np.concatenate(others),
        np.concatenate(centre),
    )  # fmt: skip
