"""Pawar and Ren's table of evaluations read in every way that its words allow, and in some that they do not.

Their program wins 76 against a random mover with the last of equal moves and 55 with a coin. Which reading loses a
quarter or half of its games to a random mover?
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from client.lab.experiments.estimates import share
from client.lab.experiments.findings import Cell, Estimate, Section, Table
from client.lab.experiments.lab import Lab
from engine.bots.literature.answer import coin, last
from engine.bots.literature.pawar_ren import line_value
from engine.rules.position import O, Position, Side, X
from engine.rules.registry import rules
from engine.search.fixed import Cut, Scoring, search

PLIES: Final = (1, 2, 3)
GAMES: Final = 25
"""Of each reading, depth, side and choice among equals."""
TIES: Final = ("last", "coin")
_OPEN: Final = (0, 1, 10, 100, 9999)


def _open(own: int, others: int) -> int:
    return 0 if own and others else _OPEN[own] - _OPEN[others]


def _unsigned(own: int, others: int) -> int:
    return abs(line_value(own, others))


def _signed_wins(own: int, others: int) -> int:
    return line_value(own, others) if 4 in (own, others) else _unsigned(own, others)


READINGS: Final[dict[str, Callable[[int, int], int]]] = {
    "the cases in their printed order": line_value,
    "the list above them: lines of one side only": _open,
    "player 2's lines without their sign": _unsigned,
    "the same, but for four in a line": _signed_wins,
    "player 1's lines alone": lambda own, others: max(0, line_value(own, others)),
    "player 2's lines alone": lambda own, others: min(0, line_value(own, others)),
    "the signs the other way round": lambda own, others: -line_value(own, others),
    "nothing": lambda own, others: 0,
}
"""The value of a line by its marks of player 1 and of player 2."""


def scoring(reading: str) -> Scoring:
    value = READINGS[reading]
    lines = tuple(tuple(value(own, others) for others in range(5)) for own in range(5))
    return Scoring(lines=lines, win_adds_lines=True, draw_adds_lines=True)


def section(lab: Lab) -> Section:
    games = min(GAMES, lab.games)
    found: dict[tuple[str, int, Side, str], Estimate | None] = {}
    with lab.step("readings of the table", len(READINGS) * len(PLIES) * 2 * len(TIES)) as step:
        for key in _keys():
            won = sum(winner(*key, lab.seed_of(*key, number)) == key[2] for number in range(games))
            found[key] = share(won, games)
            step.advance()
    rows: list[list[Cell]] = [
        [reading, ply, *(found[reading, ply, side, tie] for side in (X, O) for tie in TIES)]
        for reading in READINGS
        for ply in PLIES
    ]
    return Section(
        "Readings of the table, against the random mover",
        [
            f"{games} games of each reading, depth, side and choice among equal moves. {_told(found)}",
            "Four marks of one's own in a row need no evaluation: in the order of the cells, the program that values "
            "nothing fills the last cells first and is done before a random mover blocks it. So a win in 76 or 55 of "
            "100 games against a random mover asks for a fault that the page does not show.",
        ],
        tables=[
            Table(
                "Games won against random",
                ["a line is worth", "plies", "as X, last %", "as X, coin %", "as O, last %", "as O, coin %"],
                rows,
            )
        ],
    )


def _keys() -> Iterator[tuple[str, int, Side, str]]:
    for reading in READINGS:
        for ply in PLIES:
            for side in (X, O):
                for tie in TIES:
                    yield reading, ply, side, tie


def winner(reading: str, ply: int, side: Side, tie: str, seed: int) -> Side | None:
    """Of one game against random."""
    random = Random(seed)
    judged = scoring(reading)
    position: Position = rules("qubic").initial
    while position.outcome is None:
        if position.to_move == side:
            position = position.play(_chosen(position, judged, ply, tie, random))
        else:
            position = position.play(random.choice(position.legal_moves()))
    return position.outcome.winner


def _chosen(position: Position, judged: Scoring, ply: int, tie: str, random: Random) -> int:
    found = search(position, min(ply, position.rules.cells - position.ply), judged, cut=Cut.LOOSE)
    index = last(found) if tie == "last" else coin(found, random)
    assert index is not None
    return found.moves[index]


def _told(found: dict[tuple[str, int, Side, str], Estimate | None]) -> str:
    """What comes nearest to 76 and 55, and how many win nearly all."""
    shares = {key: one.value for key, one in found.items() if one is not None}
    nearly = sum(value >= 90 for value in shares.values())
    nearest = []
    for tie, author in zip(TIES, (76, 55), strict=True):
        key = min((key for key in shares if key[3] == tie), key=lambda key: abs(shares[key] - author))
        nearest.append(f"to {author} with `{tie}` {shares[key]:.0f} % ({key[0]}, {key[1]} plies, as {key[2].upper()})")
    return f"{nearly} of {len(shares)} win 90 % or more. Nearest come {' and '.join(nearest)}; neither is as printed."
