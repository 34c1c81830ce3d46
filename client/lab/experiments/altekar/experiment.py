"""Altekar's games of Qubic, and what follows from his description without playing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

from client.lab.experiments.altekar import costs, evaluations, fail_soft, times
from client.lab.experiments.altekar.bots import BOTS, CUTS, Bot
from client.lab.experiments.altekar.costs import SOFT
from client.lab.experiments.altekar.lines import Line, along, drawn_line
from client.lab.experiments.estimates import average, meets, share
from client.lab.experiments.findings import Cell, Estimate, Figure, Section, Table
from client.lab.experiments.lab import RANDOM, Lab, Measured, Search, by_bot, by_side, measured, unless_random
from engine.bots.literature import altekar
from engine.bots.match import Played, Task, Watches
from engine.bots.player import Limit
from engine.rules.position import O, Position
from engine.rules.registry import rules
from engine.search.fixed import Cut

MINIMAX_GAME: Final = 43_680
"""His nodes of a game at 2 plies."""
STATES: Final = 4_033
_SOFT_GAMES: Final = 50
_LINES: Final = 20
"""Drawn lines to count along, at most."""
_START: Final = rules("qubic").initial


def run(lab: Lab) -> list[Section]:
    with_searches = lab.measure("games against random and itself, searched with each cut", _groups(lab), play)
    from_openings = lab.play("games against itself from openings", _openings(lab))
    random = {one: with_searches[one, RANDOM] for one in BOTS}
    itself = {one: with_searches[one, "itself"][0] for one in BOTS}
    as_second = {one: [game for game in games if game.task.o.name != RANDOM] for one, games in random.items()}
    lines = _lines(lab)
    soft = _softly(lab, as_second[3, "sum"])
    return [
        _exact(lines),
        costs.section(as_second[2, "sum"], as_second[3, "sum"], lines, soft),
        costs.cuts_section(random, itself),
        _course(lines),
        _results(random, itself, {one: from_openings[one] for one in BOTS}),
        evaluations.section(lab, random),
        times.section(lab, random, as_second, soft),
    ]


# Games.


def play(task: Task, watches: Watches) -> Measured:
    """A game, and its positions searched without a cut, with the loose and with the strict one."""
    return measured(task, watches, tuple(CUTS), unless_random(_searched))


def _searched(position: Position, values: tuple[Any, ...], cut: Cut) -> Any:
    ply, evaluation = values
    return altekar.searched(position, min(ply, 64 - position.ply), evaluation, cut)


def _groups(lab: Lab) -> dict[tuple[Bot, str], list[Task]]:
    groups: dict[tuple[Bot, str], list[Task]] = {}
    for one in BOTS:
        name, limit = _name(one), _limit(one)
        half = (lab.games + 1) // 2
        groups[one, RANDOM] = [
            *lab.fixed("qubic", RANDOM, name, half, limit, a_side=O),
            *lab.fixed("qubic", name, RANDOM, lab.games - half, limit),
        ]
        groups[one, "itself"] = lab.fixed("qubic", name, name, 1, limit)
    return groups


def _openings(lab: Lab) -> dict[Bot, list[Task]]:
    return {one: lab.swapped("qubic", _name(one), _name(one), plies=2, limit=_limit(one)) for one in BOTS}


def _name(one: Bot) -> str:
    return f"altekar-alphabeta:{one[0]},{one[1]}"


def _limit(one: Bot) -> Limit:
    """His 5 s would make games depend on the machine; a limit of its own plies changes nothing else."""
    return Limit(depth=one[0])


# What follows from the description.


def _lines(lab: Lab) -> list[Line]:
    found, number_of_lines = [], min(_LINES, lab.games)
    with lab.step("drawn lines", number_of_lines) as step:
        for number in range(number_of_lines):
            found.append(along(drawn_line(lab.seed_of("line", number))))
            step.advance()
    return found


def _softly(lab: Lab, games: list[Measured]) -> list[list[Search]]:
    """The 3-ply searches of some games again, with true values passed up."""
    found = []
    with lab.step("the third reading of the cut", min(_SOFT_GAMES, len(games))) as step:
        for game in games[:_SOFT_GAMES]:
            found.append(_softly_searched(game))
            step.advance()
    return found


def _softly_searched(game: Measured) -> list[Search]:
    position, searches = _START, []
    for cell in game.record.cells():
        if position.to_move == O:
            begun = time.perf_counter_ns()
            counts = fail_soft.count(position, min(3, 64 - position.ply))
            us = (time.perf_counter_ns() - begun) / 1000
            assert counts.move == cell, "the third reading of the cut chooses another move"
            searches.append(Search(position.ply, Cut.STRICT, counts.nodes, 0, counts.pruned, counts.interior, us))
        position = position.play(cell)
    return searches


def _exact(lines: Sequence[Line]) -> Section:
    totals = [sum(search.nodes for search in line[Cut.NONE]) for line in lines]
    two = altekar.searched(_START, 2, "sum", Cut.NONE)
    three = {cut: altekar.searched(_START, 3, "sum", cut).nodes + 1 for cut in CUTS}
    soft = altekar.searched(_START, 3, "sum", Cut.STRICT_SOFT).nodes + 1
    whole = three[Cut.NONE]
    rows: list[list[Cell]] = [[CUTS[cut], states, 100 * states / whole] for cut, states in three.items()]
    return Section(
        "What follows from the description",
        [
            "Minimax at 2 plies makes n + n(n-1) positions with n cells free: all moves and all replies. The second "
            "player is to move with n = 63, 61, ... 1. Along a game that fills the board these add up to his "
            f"{MINIMAX_GAME:,}, as long as the second player never has a win in hand, since a move that wins has no "
            f"replies. We drew {len(lines)} such games at random and searched along each: "
            + (
                f"all have {totals[0]:,} nodes."
                if len(set(totals)) == 1
                else f"{min(totals):,} to {max(totals):,} nodes."
            ),
            "Whether a cut is strict decides how much it saves. With this evaluation many moves are equal. A reply "
            "that makes a move just equal to the best one so far shows that the move is not better, and the loose cut "
            "stops there; the strict one goes on. In older textbooks' form, which is our bot's, a node without a move "
            "above alpha then answers alpha itself, and that is never beyond its parent's bound: so only parents of "
            "leaves are cut at all, and most of the tree is searched. If such a node answers its best value instead, "
            "the strict cut works again. All choose the same move.",
        ],
        [
            Figure(
                "nodes of a game, minimax, 2 plies, the second player along a drawn line",
                f"{MINIMAX_GAME:,}",
                Estimate(totals[0]) if len(set(totals)) == 1 else average([float(total) for total in totals]),
                exact=True,
                agrees=set(totals) == {MINIMAX_GAME},
            ),
            Figure(
                "states of the 2-ply tree of the empty board",
                f"{STATES:,}",
                Estimate(two.leaves + 1),
                exact=True,
                agrees=two.leaves + 1 == STATES,
                note=f"The {two.leaves:,} leaves and the root; the {two.nodes - two.leaves} positions between them are "
                "not in his count.",
            ),
        ],
        [
            Table(
                "3 plies from the empty board, `sum`, moves in the order of the cells, the root counted",
                ["cut", "states", "of the tree, %"],
                [*rows, [SOFT, soft, 100 * soft / whole]],
            )
        ],
    )


def _course(lines: Sequence[Line]) -> Section:
    """States a move over a game that fills the board; the same in every such line."""
    first = lines[0]
    rows: list[list[Cell]] = [
        [number, 64 - search.ply, *(_mean([line[cut][number - 1].nodes for line in lines]) for cut in CUTS)]
        for number, search in enumerate(first[Cut.NONE], 1)
        if number in (1, 2, 4, 8, 12, 16, 20, 24, 28, 30, 31, 32)
    ]
    start, late = first[Cut.NONE][0].nodes, first[Cut.NONE][-2].nodes
    return Section(
        "States a move over the course of a game",
        [
            "Minimax at 2 plies makes n + n(n-1) = n² positions with n cells free, so that the states of a move fall "
            "from 3,969 to 9 and 1 for the second player. He says that they begin at some 10,000 and end at about 10. "
            "The end fits. The beginning does not fit his own 4,033 for the whole tree either: 10,000 is near the "
            "total that he gives for a game of alpha-beta."
        ],
        [
            Figure(
                "states of the first move, minimax, 2 plies",
                "some 10,000",
                Estimate(start),
                exact=True,
                agrees=9_500 <= start <= 10_500,
                note="63 moves and 63 x 62 replies; no move has more at 2 plies but the first of all, 4,096.",
            ),
            Figure(
                "states of the last move but one, minimax, 2 plies",
                "about 10",
                Estimate(late),
                exact=True,
                agrees=8 <= late <= 12,
            ),
        ],
        [Table("Nodes of a move, along drawn lines", ["move of the bot", "cells free", *CUTS.values()], rows)],
    )


def _mean(values: Sequence[float]) -> Estimate | None:
    return Estimate(values[0]) if len(set(values)) == 1 else average([float(value) for value in values])


# Results.


def _results(
    random: dict[Bot, list[Measured]], itself: dict[Bot, Measured], openings: dict[Bot, list[Played]]
) -> Section:
    draws = sum(game.record.winner is None for game in itself.values())
    return Section(
        "Wins and draws",
        [
            "From the empty board the program always plays one and the same game against itself, so one tie is all "
            'that his "always ties" needs. Which game that is hangs on what he left open: the weights of two and '
            "three marks, the score of a won game, and which of equal moves is played.",
            "His games against its author (1 of 4 won at 2 plies, 2 of 4 at 3) cannot be repeated without him.",
        ],
        [
            *(_against_random(one, random[one]) for one in BOTS),
            Figure(
                "ties of the four programs, each against itself",
                "always",
                Estimate(100 * draws / len(itself)),
                "%",
                exact=True,
                agrees=draws == len(itself),
                note=""
                if draws == len(itself)
                else f"{_endings(itself)} What differs must be among what he left open; we do not tune it to match.",
            ),
            *(_ties(one, games) for one, games in openings.items()),
        ],
        tables=[
            Table(
                "Against itself from openings of two random plies",
                ["plies", "evaluation", "games", "X wins %", "O wins %", "ties %"],
                [[*one, len(games), *by_side(games)] for one, games in openings.items()],
            )
        ],
    )


def _ties(one: Bot, games: list[Played]) -> Figure:
    ply, evaluation = one
    return Figure(
        f"ties with itself from openings of two random plies, {ply} plies, {evaluation}", "", by_side(games)[2], "%"
    )


def _against_random(one: Bot, games: list[Measured]) -> Figure:
    ours, lost, drawn = by_bot(games)
    assert ours is not None
    return Figure(
        f"games won against random, {one[0]} plies, {one[1]}",
        "4 of 4",
        ours,
        "%",
        agrees=meets(ours, *_four_of_four()),
        note=""
        if lost is None or drawn is None or ours.value == 100
        else f"{lost.value:.1f} % lost, {drawn.value:.1f} % drawn.",
    )


def _four_of_four() -> tuple[float, float]:
    found = share(4, 4)
    assert found is not None
    assert found.low is not None
    return found.low, 100.0


def _endings(itself: dict[Bot, Measured]) -> str:
    endings = []
    for (ply, evaluation), game in itself.items():
        winner = game.record.winner
        ended = "a tie" if winner is None else f"won by {winner.upper()}"
        endings.append(f"{ply} plies, {evaluation}: {ended} after {len(game.record.cells())} plies")
    return f"Ours ({'; '.join(endings)})."
