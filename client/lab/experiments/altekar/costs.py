"""What Altekar's searches cost: nodes, pruned branches, branching factors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from client.lab.experiments.altekar.bots import BOTS, CUTS, Bot
from client.lab.experiments.altekar.lines import Line
from client.lab.experiments.estimates import average, compared, meets, ratio, series
from client.lab.experiments.findings import Cell, Estimate, Figure, Plot, Section, Table
from client.lab.experiments.lab import Measured, Search, a_move, gain
from client.lab.experiments.report import estimate_text
from engine.search.fixed import Cut

THREE_A_GAME: Final = 97_281
THREE_A_MOVE: Final = 22_600
"""His nodes at 3 plies."""
SOFT: Final = "alpha > beta, true values passed up"
_MOST_SHOWN: Final = 10
"""Plots end at the last move that one game in this many reaches."""
_SHOWN: Final = (Cut.NONE, Cut.STRICT, Cut.LOOSE)

Per = Callable[[Search], float]


def section(two: list[Measured], three: list[Measured], lines: Sequence[Line], soft: list[list[Search]]) -> Section:
    readings = {CUTS[cut]: games_of(three, cut) for cut in (Cut.LOOSE, Cut.STRICT)} | {SOFT: soft}
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
    plain = _branching(games_of(games, Cut.NONE))
    assert moves is not None
    assert plain is not None
    pruning = [
        f"{CUTS[cut]} {where}"
        for cut in (Cut.LOOSE, Cut.STRICT)
        for where, searched in (
            ("against random", games_of(games, cut)),
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
    searched, loose = games_of(games, Cut.STRICT), games_of(games, Cut.LOOSE)
    first = _first_states(searched)
    nodes, pruned = _a_game(searched), _pruned(searched)
    plain = _branching(games_of(games, Cut.NONE))
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
    searched = games_of(games, Cut.STRICT)
    found = (
        ("nodes of a game, 3 plies", THREE_A_GAME, 1, _a_game(searched)),
        ("states of a move, 3 plies", THREE_A_MOVE, 50, a_move(searched, _states)),
        ("pruned branches of a move, 3 plies", 3_138, 1, a_move(searched, _cut_branches)),
        ("branching factor, 3 plies", 47, 0.5, _branching(searched)),
    )
    strict, loose = _a_game(searched), _a_game(games_of(games, Cut.LOOSE))
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
    without, strict, loose = (a_move(games_of(games, cut), lambda search: search.nodes) for cut in _SHOWN)
    figures = [
        Figure(f"nodes of a move, 3 plies, {CUTS[cut]}", "", nodes)
        for cut, nodes in zip(_SHOWN, (without, strict, loose), strict=True)
    ]
    figures.append(
        Figure("states of a move, 3 plies, alpha >= beta", "", a_move(games_of(games, Cut.LOOSE), _states)),
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
                note="" if several else "The strict cut in older textbooks' form saves too little for his figures.",
            )
        )
    return figures


def _two_ply_table(games: list[Measured], lines: Sequence[Line]) -> Table:
    rows: list[list[Cell]] = [["he", "443", "about 10,000", "82", "42"]]
    settings = [
        ("against random", {cut: games_of(games, cut) for cut in CUTS}),
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
        f"The last row is of the first {len(readings[SOFT])} of the same games.",
    )


def cuts_section(random: dict[Bot, list[Measured]], itself: dict[Bot, Measured]) -> Section:
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
    searched = games_of(games, cut)
    nodes = a_move(searched, lambda search: search.nodes)
    return [*one, CUTS[cut], nodes, _a_game(searched), _pruned(searched), _branching(searched)]


def _states(search: Search) -> float:
    return search.nodes + 1


def _cut_branches(search: Search) -> float:
    return search.pruned


def games_of(games: list[Measured], cut: Cut) -> list[list[Search]]:
    """The bot's searches in each game in which it moved."""
    return [searches for searches in (game.of(cut) for game in games) if searches]


def _first_states(games: list[list[Search]]) -> Estimate | None:
    return average([_states(searches[0]) for searches in games])


def _a_game(games: list[list[Search]]) -> Estimate | None:
    return average([float(sum(search.nodes for search in searches)) for searches in games])


def _pruned(games: list[list[Search]]) -> Estimate | None:
    """Pruned branches, in percent of all branches at nodes whose moves were searched."""
    return ratio(
        (100 * sum(s.pruned for s in searches), sum(s.pruned + s.nodes for s in searches)) for searches in games
    )


def _branching(games: list[list[Search]]) -> Estimate | None:
    """The mean over moves of nodes / (interior + 1), as an author does who prints it for each move."""
    return a_move(games, lambda search: search.nodes / (search.interior + 1))


def _by_number(games: list[Measured], cut: Cut, of: Per) -> tuple[list[Estimate | None], list[float]]:
    """Averages for the bot's first, second, ... move over the games that reach it, and the numbers of these moves."""
    all_games = games_of(games, cut)
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
