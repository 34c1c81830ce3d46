"""Altekar's figures for Qubic: nodes, pruned branches, branching factors, times, wins."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from client.lab.experiments import altekar_evaluations, fail_soft
from client.lab.experiments.altekar_lines import Line, along, drawn_line
from client.lab.experiments.altekar_matrix import LINE_MATRIX, look_ups, state_of, winner_by_loops, winner_by_matrix
from client.lab.experiments.estimates import average, compared, meets, ratio, series, share
from client.lab.experiments.findings import Cell, Estimate, Figure, Plot, Section, Table
from client.lab.experiments.lab import (
    RANDOM,
    Lab,
    Measured,
    Search,
    Searcher,
    a_move,
    by_bot,
    by_side,
    gain,
    measured,
    mover,
    timed,
)
from client.lab.experiments.report import estimate_text
from engine.bots.literature import altekar
from engine.bots.match import Played, Task, Watches
from engine.bots.player import Limit
from engine.rules.position import O, Position, Side
from engine.rules.registry import rules
from engine.search.fixed import Cut

PLIES: Final = (2, 3)
EVALUATIONS: Final = ("sum", "weighted")
CUTS: Final = {Cut.NONE: "no cut", Cut.LOOSE: "alpha >= beta", Cut.STRICT: "alpha > beta"}
MINIMAX_GAME: Final = 43_680
"""His nodes of a game at 2 plies."""
STATES: Final = 4_033
THREE_A_GAME: Final = 97_281
THREE_A_MOVE: Final = 22_600
_SOFT: Final = "alpha > beta, true values passed up"
_SOFT_GAMES: Final = 50
_LINES: Final = 20
"""Drawn lines to count along, at most."""
_DETECTED: Final = 5
"""Games in whose positions wins are looked for."""
_MOST_SHOWN: Final = 10
"""Plots end at the last move that one game in this many reaches."""
_START: Final = rules("qubic").initial

Bot = tuple[int, str]
"""Plies and evaluation."""
BOTS: Final[tuple[Bot, ...]] = tuple((ply, evaluation) for evaluation in EVALUATIONS for ply in PLIES)


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
        _costs(as_second[2, "sum"], as_second[3, "sum"], lines, soft),
        _cuts(random, itself),
        _course(lines),
        _results(random, itself, {one: from_openings[one] for one in BOTS}),
        altekar_evaluations.section(lab, random),
        _times(lab, random, as_second, soft),
    ]


# Games.


def play(task: Task, watches: Watches) -> Measured:
    """A game, and its positions searched without a cut, with the loose and with the strict one."""
    return measured(task, watches, tuple(CUTS), _searcher)


def _searcher(task: Task, position: Position) -> Searcher | None:
    family, values = mover(task, position)
    if family == RANDOM:
        return None
    ply, evaluation = values

    def search(position: Position, cut: Cut) -> Any:
        return altekar.searched(position, min(ply, 64 - position.ply), evaluation, cut)

    return search


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
    soft = fail_soft.count(_START, 3).nodes + 1
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
            "stops there; the strict one goes on. In the textbook's form, which is our bot's, a node without a move "
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
                [*rows, [_SOFT, soft, 100 * soft / whole]],
            )
        ],
    )


# What searches cost.

Per = Callable[[Search], float]


def _costs(two: list[Measured], three: list[Measured], lines: Sequence[Line], soft: list[list[Search]]) -> Section:
    readings = {CUTS[cut]: _games(three, cut) for cut in (Cut.LOOSE, Cut.STRICT)} | {_SOFT: soft}
    return Section(
        "His figures of nodes, cuts and branching",
        [
            "He gives one number for each; against whom, as which side and how long the games were is not said. Ours "
            "are of the second player with `sum` and, as he writes, alpha > beta, against random; the tables have the "
            "other readings. With every cut the same moves were chosen, which was checked at each.",
            _told_of_two(two, lines),
            _told_of_three(three, readings),
        ],
        [*_two_ply_figures(two), *_three_ply_figures(three), *_saved(three)],
        [_two_ply_table(two, lines), _three_ply_table(readings)],
        [
            _nodes_plot("nodes-2", "Nodes of a move at 2 plies, second player against random", two),
            _nodes_plot("nodes-3", "Nodes of a move at 3 plies, second player against random", three),
            _pruned_plot(two, three),
        ],
    )


def _told_of_two(games: list[Measured], lines: Sequence[Line]) -> str:
    moves = average([float(len(game.of(Cut.NONE))) for game in games])
    plain = _branching(_games(games, Cut.NONE))
    assert moves is not None
    assert plain is not None
    pruning = [
        f"{CUTS[cut]} {where}"
        for cut in (Cut.LOOSE, Cut.STRICT)
        for where, searched in (
            ("against random", _games(games, cut)),
            ("along drawn lines", [one[cut] for one in lines]),
        )
        if meets(_pruned(searched), 81.5, 82.5)
    ]
    return (
        "At 2 plies his branching factor falls from 62 to 0: that is n-1 for n = 63, 61, ... 1, the factor of the tree "
        "without cuts in a game that fills the board. But then its average is 31. An average of 42 is that of a game "
        f"of 21 moves of the bot; ours against random have {moves.value:.1f} and an average of {plain.value:.1f}. "
        f"Of the readings in the table {_listed(pruning)} his 82 % of branches pruned in the interval."
    )


def _told_of_three(games: list[Measured], readings: dict[str, list[list[Search]]]) -> str:
    moves = average([float(len(game.of(Cut.NONE))) for game in games])
    assert moves is not None
    his = THREE_A_GAME / THREE_A_MOVE
    game = {name: _a_game(found) for name, found in readings.items()}
    nearest = min(
        (abs(math.log(one.value / THREE_A_GAME)), name) for name, one in game.items() if one is not None and one.value
    )[1]
    fits = meets(moves, his, his)
    evaluated = any(meets(a_move(found, _states), 900, 1_000) for found in readings.values())
    return (
        f"At 3 plies {THREE_A_GAME:,} nodes a game and {THREE_A_MOVE:,} a move make games of {his:.1f} moves of the "
        f"bot; ours against random have {estimate_text(moves)}, "
        + ("so his may well be of such games too. " if fits else "so his were others. ")
        + f'The reading nearest to his nodes a game is "{nearest}". The 900 to 1,000 positions evaluated that he also '
        + f"speaks of contradict his other figures; {'one' if evaluated else 'no'} reading has them."
    )


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names)} {'has' if len(names) == 1 else 'have'}" if names else "none has"


def _two_ply_figures(games: list[Measured]) -> list[Figure]:
    searched, loose = _games(games, Cut.STRICT), _games(games, Cut.LOOSE)
    first = _first_states(searched)
    nodes, pruned = _a_game(searched), _pruned(searched)
    plain = _branching(_games(games, Cut.NONE))
    order = "The order in which he tried moves is not given, and it decides what is cut."
    return [
        compared(
            "states at the first move, 2 plies",
            "443",
            first,
            443,
            443,
            otherwise=f"With the loose cut {estimate_text(_first_states(loose))}. {order}",
        ),
        compared(
            "nodes of a game, 2 plies",
            "about 10,000",
            nodes,
            9_500,
            10_500,
            otherwise=f"With the loose cut {estimate_text(_a_game(loose))}; longer games have more.",
        ),
        compared(
            "branches pruned, 2 plies",
            "82 %",
            pruned,
            81.5,
            82.5,
            "%",
            note="The branches that cuts left unsearched of all branches, over whole games: at 2 plies also the share "
            f"of minimax's positions that were never made. With the loose cut {estimate_text(_pruned(loose), '%')} %.",
        ),
        compared(
            "branching factor, 2 plies, without cuts",
            "42, from 62 falling to 0",
            plain,
            41.5,
            42.5,
            otherwise="It is decided by how long the games are.",
        ),
    ]


def _three_ply_figures(games: list[Measured]) -> list[Figure]:
    searched = _games(games, Cut.STRICT)
    found = (
        ("nodes of a game, 3 plies", THREE_A_GAME, 1, _a_game(searched)),
        ("states of a move, 3 plies", THREE_A_MOVE, 50, a_move(searched, _states)),
        ("pruned branches of a move, 3 plies", 3_138, 1, a_move(searched, _cut_branches)),
        ("branching factor, 3 plies", 47, 0.5, _branching(searched)),
    )
    strict, loose = _a_game(searched), _a_game(_games(games, Cut.LOOSE))
    why = "The experiment has it with the other cuts too" + (
        f"; the strict one makes {strict.value / loose.value:.0f} times the loose one's nodes."
        if strict and loose
        else "."
    )
    return [
        compared(what, f"{author:,}", ours, author - rounding, author + rounding, otherwise=why)
        for what, author, rounding, ours in found
    ]


def _saved(games: list[Measured]) -> list[Figure]:
    """Minimax beside both cuts, at 3 plies."""
    without, strict, loose = (a_move(_games(games, cut), lambda search: search.nodes) for cut in _SHOWN)
    figures = [
        Figure(f"nodes of a move, 3 plies, {CUTS[cut]}", "", nodes)
        for cut, nodes in zip(_SHOWN, (without, strict, loose), strict=True)
    ]
    figures.append(
        Figure("states of a move, 3 plies, alpha >= beta", "", a_move(_games(games, Cut.LOOSE), _states)),
    )
    for cut in (Cut.STRICT, Cut.LOOSE):
        times = gain(games, lambda search: search.nodes, cut)
        several = times is not None and times.value >= 2
        figures.append(
            Figure(
                f"minimax's nodes to alpha-beta's, 3 plies, {CUTS[cut]}",
                "several (in time)",
                times,
                agrees=several,
                note="" if several else "The strict cut in the textbook's form saves too little for his figures.",
            )
        )
    return figures


_SHOWN: Final = (Cut.NONE, Cut.STRICT, Cut.LOOSE)


def _two_ply_table(games: list[Measured], lines: Sequence[Line]) -> Table:
    rows: list[list[Cell]] = [["he", "443", "about 10,000", "82", "42"]]
    settings = [
        ("against random", {cut: _games(games, cut) for cut in CUTS}),
        ("along drawn lines", {cut: [line[cut] for line in lines] for cut in CUTS}),
    ]
    for where, by_cut in settings:
        for cut, searched in by_cut.items():
            cells = (_first_states(searched), _a_game(searched), _pruned(searched), _branching(searched))
            rows.append([f"{CUTS[cut]}, {where}", *cells])
    return Table(
        "2 plies", ["reading", "states at the first move", "nodes a game", "pruned %", "branching factor"], rows
    )


def _three_ply_table(readings: dict[str, list[list[Search]]]) -> Table:
    rows: list[list[Cell]] = [["he", f"{THREE_A_GAME:,}", f"{THREE_A_MOVE:,}", "3,138", "47"]]
    for name, searched in readings.items():
        cells = (_a_game(searched), a_move(searched, _states), a_move(searched, _cut_branches), _branching(searched))
        rows.append([name, *cells])
    return Table(
        "3 plies, against random",
        ["cut", "nodes a game", "states a move", "branches pruned a move", "branching factor"],
        rows,
        f"The last row is of the first {len(readings[_SOFT])} of the same games.",
    )


def _cuts(random: dict[Bot, list[Measured]], itself: dict[Bot, Measured]) -> Section:
    head = ["plies", "evaluation", "cut", "nodes a move", "nodes a game", "pruned %", "branching factor"]
    return Section(
        "Strict and loose cuts, both evaluations",
        [
            "The same games searched in each way: as both sides against random, and the one game that the program "
            "plays against itself from the empty board, which has no interval."
        ],
        tables=[
            Table("Against random", head, [_cost_row(one, cut, random[one]) for one in BOTS for cut in CUTS]),
            Table("Against itself", head, [_cost_row(one, cut, [itself[one]]) for one in BOTS for cut in CUTS]),
        ],
    )


def _cost_row(one: Bot, cut: Cut, games: list[Measured]) -> list[Cell]:
    searched = _games(games, cut)
    nodes = a_move(searched, lambda search: search.nodes)
    return [*one, CUTS[cut], nodes, _a_game(searched), _pruned(searched), _branching(searched)]


def _states(search: Search) -> float:
    return search.nodes + 1


def _cut_branches(search: Search) -> float:
    return search.pruned


def _games(games: list[Measured], cut: Cut) -> list[list[Search]]:
    """The bot's searches in each game in which it moved."""
    return [searches for searches in (game.of(cut) for game in games) if searches]


def _first_states(games: list[list[Search]]) -> Estimate | None:
    return average([_states(searches[0]) for searches in games])


def _a_game(games: list[list[Search]]) -> Estimate | None:
    return average([float(sum(search.nodes for search in searches)) for searches in games])


def _pruned(games: list[list[Search]]) -> Estimate | None:
    """In percent of all branches at nodes whose moves were searched."""
    return ratio(
        (100 * sum(s.pruned for s in searches), sum(s.pruned + s.nodes for s in searches)) for searches in games
    )


def _branching(games: list[list[Search]]) -> Estimate | None:
    """The mean over moves of nodes / (interior + 1), as an author does who prints it for each move."""
    return a_move(games, lambda search: search.nodes / (search.interior + 1))


def _by_number(games: list[Measured], cut: Cut, of: Per) -> tuple[list[Estimate | None], list[float]]:
    """For the first, second, ... move of the bot the average over the games that reach it."""
    all_games = _games(games, cut)
    least = max(2, len(all_games) // _MOST_SHOWN)
    values = {
        number + 1.0: [of(searches[number]) for searches in all_games if len(searches) > number] for number in range(32)
    }
    found = {number: average(some) for number, some in values.items() if len(some) >= least}
    return list(found.values()), list(found)


def _nodes_plot(name: str, title: str, games: list[Measured]) -> Plot:
    return Plot(
        name,
        title,
        "lines",
        "move of the bot",
        "nodes",
        [series(CUTS[cut], *_by_number(games, cut, lambda search: search.nodes)) for cut in CUTS],
        log_y=True,
    )


def _pruned_plot(two: list[Measured], three: list[Measured]) -> Plot:
    def pruned(search: Search) -> float:
        return 100 * search.pruned / (search.pruned + search.nodes)

    return Plot(
        "pruned",
        "Share of branches pruned, second player against random",
        "lines",
        "move of the bot",
        "% of branches",
        [
            series(f"{ply} plies, {CUTS[cut]}", *_by_number(games, cut, pruned))
            for ply, games in ((2, two), (3, three))
            for cut in (Cut.LOOSE, Cut.STRICT)
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


# Times.


def _times(
    lab: Lab, random: dict[Bot, list[Measured]], as_second: dict[Bot, list[Measured]], soft: list[list[Search]]
) -> Section:
    matrix, loops, positions = _detectors(lab, random[2, "sum"])
    figures = [
        _time(
            "ms of a move, minimax, 2 plies", "4,000 to 5,000 at first, under 1,000 late", as_second[2, "sum"], Cut.NONE
        ),
        _time("ms of a move, alpha-beta, 2 plies, alpha >= beta", "95", as_second[2, "sum"], Cut.LOOSE),
        _time("ms of a move, alpha-beta, 2 plies, alpha > beta", "95", as_second[2, "sum"], Cut.STRICT),
        _time("ms of a move, alpha-beta, 3 plies, alpha >= beta", "8,000", as_second[3, "sum"], Cut.LOOSE),
        _time("ms of a move, alpha-beta, 3 plies, alpha > beta", "8,000", as_second[3, "sum"], Cut.STRICT),
        _slower(as_second[2, "sum"]),
        Figure("million nodes a second, compiled, minimax, 3 plies", "", _rate(_games(as_second[3, "sum"], Cut.NONE))),
        Figure("million nodes a second, plain Python, alpha-beta, 3 plies", "", _rate(soft)),
        Figure("µs to look for a win by the matrix", "", matrix),
        Figure("µs to look for a win by loops", "", loops),
    ]
    text = [
        "A move's time is that of its search alone. His are of a compiled Lisp program; ours are "
        "of compiled kernels that keep the value up to date move by move instead of multiplying matrices, so the times "
        "say nothing of his method."
    ]
    if matrix and loops:
        faster, times = (
            ("matrix", loops.value / matrix.value)
            if matrix.value < loops.value
            else ("loops", matrix.value / loops.value)
        )
        text.append(
            f"Both his win detectors, the 76 x 64 matrix of lines times the 64 x 2 state and loops over lines and "
            f"cells, were timed in Python with numpy on {positions} positions and agree on all of them; here the "
            f"{faster} {'is' if faster == 'matrix' else 'are'} {times:.1f} times as fast."
        )
        products, looked = LINE_MATRIX.size * 2, _looked(random[2, "sum"])
        text.append(
            f"Why it is the other way round with him: a product of the matrices is {products:,} multiplications "
            f"whatever the position, the loops make {looked:.0f} look-ups on average, for a line is left at its first "
            "empty cell. One language for both, as his Lisp was, makes the loops faster. Here numpy multiplies in "
            f"compiled code, {1000 * matrix.value / products:.1f} ns each, and the loops are interpreted, "
            f"{1000 * loops.value / looked:.0f} ns for each look-up."
        )
    return Section("Times", text, figures, timed=True)


def _slower(games: list[Measured]) -> Figure:
    times = gain(games, lambda search: search.us, Cut.STRICT)
    slightly = times is not None and 1 < times.value < 2
    return Figure(
        "minimax's time a move to alpha-beta's, 2 plies",
        "slightly longer",
        times,
        agrees=slightly,
        note="" if slightly else "That is more than slightly.",
    )


def _rate(games: list[list[Search]]) -> Estimate | None:
    """Nodes a microsecond."""
    return ratio(
        (sum(search.nodes for search in searches), sum(search.us for search in searches)) for searches in games
    )


def _time(what: str, author: str, games: list[Measured], cut: Cut) -> Figure:
    return Figure(what, author, a_move(_games(games, cut), lambda search: search.us / 1000), "ms")


def _detectors(lab: Lab, games: list[Measured]) -> tuple[Estimate | None, Estimate | None, int]:
    """The times of both, in microseconds, and the number of positions. Raises AssertionError if they disagree."""
    states = [state for game in games[:_DETECTED] for state in _states_of(game)]
    times: dict[Callable[[NDArray[np.int8]], Side | None], list[float]] = {winner_by_matrix: [], winner_by_loops: []}
    with lab.step("win detectors", len(states)) as step:
        for state in states:
            found = set()
            for detector, taken in times.items():
                winner, us = timed(partial(detector, state))
                found.add(winner)
                taken.append(us)
            assert len(found) == 1, "the two win detectors disagree"
            step.advance()
    matrix, loops = times.values()
    return average(matrix), average(loops), len(states)


def _looked(games: list[Measured]) -> float:
    """The loops' look-ups in a position, on average."""
    counts = [look_ups(state) for game in games[:_DETECTED] for state in _states_of(game)]
    return sum(counts) / len(counts)


def _states_of(game: Played) -> list[NDArray[np.int8]]:
    position, states = _START, []
    for cell in game.record.cells():
        position = position.play(cell)
        states.append(state_of(position))
    return states
