"""Pawar and Ren's table of evaluations and their pruning, read in every way that their words allow and in some that
they do not: `pawar-ren-reading` against a random mover.

Their program wins 76 with the last of equal moves and 55 with a coin. Which reading loses a quarter or half of its
games?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from client.lab.experiments.estimates import meets, share
from client.lab.experiments.findings import Cell, Estimate, Figure, Section, Table
from client.lab.experiments.lab import RANDOM, Lab
from client.lab.experiments.report import estimate_text
from engine.bots.literature.pawar_ren import APART, PRINTED
from engine.bots.match import Played, Task
from engine.rules.position import O, Side, X

PLIES: Final = (1, 2, 3)
GAMES: Final = 25
"""Games of each reading, depth, side and choice among equals."""
TIES: Final = ("last", "coin")
AUTHORS: Final = (76, 55)
"""Percent won, for each of TIES."""

Reading = tuple[str, str]
"""The bot's table and cut."""
READINGS: Final[dict[str, Reading]] = {
    "the cases in their printed order": (PRINTED, APART),
    "the list above them: lines of one side only": ("list", APART),
    "player 2's lines without their sign": ("unsigned", APART),
    "the same, but for four in a line": ("signed-wins", APART),
    "player 1's lines alone": ("own", APART),
    "player 2's lines alone": ("others", APART),
    "the signs the other way round": ("reversed", APART),
    "nothing": ("nothing", APART),
    "as printed, and pruning makes some worse moves look equal": (PRINTED, "soft"),
    "as printed, and pruning makes all later moves look equal": (PRINTED, "hard"),
}
Key = tuple[str, int, Side, str]
"""Reading, plies, side and choice among equals."""
Games = Mapping[Key, Sequence[Played]]


def name(reading: str, ply: int, tie: str) -> str:
    """The bot that plays by a reading."""
    return f"pawar-ren-reading:{ply},{tie},{','.join(READINGS[reading])}"


def section(lab: Lab) -> Section:
    found = lab.play("readings of the table, against random", _groups(lab))
    nearest = [_nearest(found, tie, author) for tie, author in zip(TIES, AUTHORS, strict=True)]
    again = lab.play("the nearest readings", {key: _tasks(lab, key, lab.games) for key in nearest})
    rows: list[list[Cell]] = [
        [
            reading,
            f"`{','.join(READINGS[reading])}`",
            ply,
            *(_cell(found, (reading, ply, side, tie), nearest) for side in (X, O) for tie in TIES),
        ]
        for reading in READINGS
        for ply in PLIES
    ]
    return Section(
        "Readings of the table and of the pruning, against the random mover",
        [
            f"{min(GAMES, lab.games)} games of each reading, depth, side and choice among equal moves, by "
            f"`pawar-ren-reading:PLY,TIE,TABLE,CUT`. {_told(found, nearest)}",
            "Four marks of one's own in a row need no evaluation: in the order of the cells, the program that values "
            "nothing fills the last cells first and is done before a random mover blocks it. Nor does it need to tell "
            "equal moves from worse ones, which a later maximum after pruning would not do. So a win in 76 or 55 of "
            "100 games against a random mover asks for a fault that the page does not show.",
        ],
        [
            *(_again(key, author, again[key]) for key, author in zip(nearest, AUTHORS, strict=True)),
            *(_of_reading(reading, found) for reading in READINGS),
        ],
        [
            Table(
                "Games won against random",
                [
                    "a line is worth",
                    "TABLE,CUT",
                    "plies",
                    "as X, last %",
                    "as X, coin %",
                    "as O, last %",
                    "as O, coin %",
                ],
                rows,
            )
        ],
    )


def _groups(lab: Lab) -> dict[Key, list[Task]]:
    games = min(GAMES, lab.games)
    keys = [(reading, ply, side, tie) for reading in READINGS for ply in PLIES for side in (X, O) for tie in TIES]
    return {key: _tasks(lab, key, games) for key in keys}


def _tasks(lab: Lab, key: Key, games: int) -> list[Task]:
    reading, ply, side, tie = key
    bot = name(reading, ply, tie)
    return lab.fixed("qubic", *((bot, RANDOM) if side == X else (RANDOM, bot)), games, a_side=side)


def _won(games: Sequence[Played], side: Side) -> Estimate | None:
    return share(sum(game.record.winner == side for game in games), len(games))


def _of_reading(reading: str, found: Games) -> Figure:
    """All its games together."""
    games = {key: played for key, played in found.items() if key[0] == reading}
    won = sum(game.record.winner == key[2] for key, played in games.items() for game in played)
    return Figure(f"games won, {reading}", "", share(won, sum(map(len, games.values()))), "%")


def _nearest(found: Games, tie: str, author: int) -> Key:
    """The reading, plies and side that come nearest to what they report of this choice among equals."""
    keys = [key for key in found if key[3] == tie]
    return min(keys, key=lambda key: abs(_share(found[key], key[2]) - author))


def _share(games: Sequence[Played], side: Side) -> float:
    won = _won(games, side)
    return won.value if won else 0.0


def _cell(found: Games, key: Key, nearest: Sequence[Key]) -> Cell:
    won = _won(found[key], key[2])
    return f"**{estimate_text(won, '%')}**" if key in nearest else won


def _again(key: Key, author: int, games: Sequence[Played]) -> Figure:
    """The nearest reading in as many games as the printed program: of a few, the nearest of many looks too near."""
    reading, ply, side, tie = key
    ours = _won(games, side)
    fits = meets(ours, author, author)
    return Figure(
        f"games won by the reading that comes nearest, {tie}",
        f"{author}",
        ours,
        "%",
        agrees=fits,
        note=f"`{name(reading, ply, tie)}` as {side.upper()}, {len(games)} games: {reading}"
        + (", which is not what they print." if fits else "; more games show that it is none of theirs."),
    )


def _told(found: Games, nearest: Sequence[Key]) -> str:
    """What comes nearest to 76 and 55, and how many win nearly all."""
    nearly = sum(_share(games, key[2]) >= 90 for key, games in found.items())
    told = [
        f"to {author} with `{tie}` {_share(found[reading, ply, side, tie], side):.0f} % ({reading}, plies: {ply}, as "
        f"{side.upper()})"
        for (reading, ply, side, tie), author in zip(nearest, AUTHORS, strict=True)
    ]
    most = f"{nearly} of {len(found)} win 90 % or more."
    return f"{most} Nearest, in bold, come {' and '.join(told)}; neither is as printed."
