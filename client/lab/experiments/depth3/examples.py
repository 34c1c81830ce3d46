"""Two games of the kinds that the report shows in pictures: threes that must be blocked up to a fork, and a draw."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from client.lab.experiments.findings import Cell, Estimate, Figure, Section, Table
from engine.bots.literature.depth3 import winning_cells
from engine.bots.match import Played
from engine.rules.position import Position, other
from engine.rules.registry import rules

THREES: Final = 3
"""Threes in a row that the first player of the report's six pictures makes, one after the other; the last is a fork."""


def section(at_2: Iterable[Played], defensive: Iterable[Played]) -> Section:
    forked = [game for game in at_2 if game.a_points == 1.0 and threes(moves(game)) >= THREES]
    drawn = [game for game in defensive if game.record.winner is None]
    examples = {"threes up to a fork": _first(forked), "a draw against defensive": _first(drawn)}
    rows: list[list[Cell]] = [
        [what, f"`{game.task.x.name}`", f"`{game.task.o.name}`", f"`{text(game)}`"]
        for what, game in examples.items()
        if game is not None
    ]
    return Section(
        "Example games",
        [
            "The report shows six consecutive turns in which player 1 makes three after three, each of which player 2 "
            "has to block, until two are open at once; and the end of a draw against the defensive program. The "
            "pictures are not in the text, so these are games of ours of the same kinds, the first that were played."
        ],
        [
            _shown(f"games won with {THREES} threes in a row up to a fork, or more", forked),
            _shown("draws against defensive", drawn),
        ],
        [Table("Games", ["what", "X", "O", "moves"], rows)],
    )


def _first(games: Sequence[Played]) -> Played | None:
    return games[0] if games else None


def _shown(what: str, games: Sequence[Played]) -> Figure:
    note = "" if games else "There is none in these games."
    return Figure(what, "one is shown", Estimate(float(len(games))), exact=True, agrees=bool(games), note=note)


def moves(game: Played) -> list[int]:
    return list(game.record.cells())


def text(game: Played) -> str:
    return " ".join(map(rules("qubic").format_move, moves(game)))


def threes(cells: list[int]) -> int:
    """How many threats to win the winner made in a row right before winning: the last of them a fork, the others
    blocked at once. 0 if the game was not won by a fork.
    """
    positions: list[Position] = [rules("qubic").initial]
    for cell in cells:
        positions.append(positions[-1].play(cell))
    winner = other(positions[-1].to_move)
    number = 0
    at = len(cells) - 2
    while at > 0:
        threats = winning_cells(positions[at], winner)
        if len(threats) < (2 if number == 0 else 1):
            break
        number += 1
        at -= 2
    return number
