"""Bragstad's thirteen tables with all their averages, on 3 x 3 computed over the whole tree too; the readings of his
description that were tried; and what alpha-beta saves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from client.lab.experiments.bragstad_readings import DESCRIBED, READINGS, Reading, log_likelihood, pairing, played
from client.lab.experiments.bragstad_tables import (
    ALPHABETA,
    MINIMAX,
    RANDOM,
    ROWS,
    THREE,
    VARIABLE,
    Pair,
    Row,
    moves_a_game,
    moves_of,
    moves_to_win,
    plies_from_wins,
    plies_to_end,
    searcher,
    short,
    square,
    x_moves_recounted,
)
from client.lab.experiments.estimates import average, compared, meets, ratio, series
from client.lab.experiments.findings import Cell, Estimate, Figure, Plot, Section, Series, Table
from client.lab.experiments.lab import (
    Lab,
    Measured,
    Searcher,
    a_move,
    by_side,
    gain,
    measured,
    mover,
    node_count,
    of_cut,
)
from engine.bots.literature import bragstad
from engine.bots.literature.answer import depth_of, first
from engine.bots.match import Played, Task, Watches
from engine.bots.player import NO_LIMIT
from engine.bots.roster import bot
from engine.rules.flat import FlatPosition
from engine.rules.position import Move, O, Position, Side, X
from engine.rules.registry import rules
from engine.search.fixed import Cut
from engine.stats.exact import Ends, Policy, always, average_plies, ends, mixed, uniform, winners
from engine.stats.score import wilson

SIDES: Final[tuple[Side | None, ...]] = (X, O, None)
SAID: Final = {X: "X wins", O: "O wins", None: "ties"}
PAIRS: Final = tuple(dict.fromkeys(row.pair for row in ROWS))
SAVED: Final = {5: 6.1, 9: 27.6}
"""For plies of his, minimax's time a move to alpha-beta's: 0.02587 s to 0.00423, and 1.15218 s to 0.04169."""
_SAVING_PLIES: Final = range(5, 10)
_SAVING_GAMES: Final = 200
"""For each number of plies and side, at most: the ratios of nodes hardly differ from game to game."""


def run(lab: Lab) -> list[Section]:
    exact = _exact_pairs(lab)
    games = lab.play("games of his tables", {pair: _tasks(lab, pair) for pair in PAIRS})
    savings = lab.measure("games against random, searched with and without cuts", _saving_groups(lab), play)
    return [
        _tables(exact, games),
        _averages(exact, games),
        _reckoned(),
        _readings(lab),
        _saving(savings),
        _times(games, savings),
    ]


def _tasks(lab: Lab, pair: Pair) -> list[Task]:
    """As many games as are asked for; where nothing is left to chance, as many as he played."""
    drawn = RANDOM in pair
    return lab.fixed(*pair, games=None if drawn else min(row.games for row in ROWS if row.pair == pair))


# Whole trees.


def _exact_pairs(lab: Lab) -> dict[Pair, Ends]:
    """The chance of each end, for the pairs on 3 x 3."""
    found: dict[Pair, Ends] = {}
    pairs = [pair for pair in PAIRS if pair[0] == THREE]
    with lab.step("whole trees of 3x3", len(pairs)) as step:
        for pair in pairs:
            _, x, o = pair
            found[pair] = ends(rules(THREE).initial, policy(x), policy(o))
            step.advance()
    return found


def policy(name: str) -> Policy:
    """How a bot chooses, as chances."""
    if name == RANDOM:
        return uniform
    if name == VARIABLE:
        return mixed(tuple(_searching(ply, Cut.NONE) for ply in range(1, bragstad.MOST_PLIES + 1)))
    values = dict(bot(name).parameters)
    return _searching(int(values["ply"]), Cut.NONE if bot(name).entry.family == MINIMAX else Cut.LOOSE)


def _searching(ply: int, cut: Cut) -> Policy:
    def choose(position: Position) -> Move:
        assert isinstance(position, FlatPosition)
        return _move(position, depth_of(position, ply, NO_LIMIT), cut)

    return always(choose)


@cache
def _move(position: FlatPosition, depth: int, cut: Cut) -> Move:
    found = bragstad.searched(position, depth, cut)
    index = first(found)
    assert index is not None
    return found.moves[index]


def _percent(chances: Ends) -> tuple[float, float, float]:
    by_winner = winners(chances)
    return tuple(float(100 * by_winner[side]) for side in SIDES)  # type: ignore[return-value]


# His tables.


def _tables(exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> Section:
    figures = [figure for row in ROWS for figure in _row_figures(row, exact, games)]
    differ = sum(figure.agrees is False for figure in figures)
    return Section(
        "His thirteen tables",
        [
            "Each side's and the ties' share of the games, X moving first. On 3x3 ours are computed over the whole "
            "tree with fractions; larger boards are sampled. A figure of his agrees if the interval that chance gives "
            f"it in the number of his games meets ours: {len(figures) - differ} of {len(figures)} do.",
            _covering(exact, games),
        ],
        [*figures, _first_player()],
        [_check(exact, games)],
        [_plot("x-wins", X, exact, games), _plot("ties", None, exact, games)],
    )


def _first_player() -> Figure:
    """Minimax against alpha-beta with as many plies, too few to see the whole tree: does X win, as he says?"""
    start = rules(THREE).initial
    by_ply = {ply: ends(start, policy(f"{MINIMAX}:{ply}"), policy(f"{ALPHABETA}:{ply}")) for ply in range(1, 9)}
    won = [ply for ply, found in by_ply.items() if winners(found)[X] == 1]
    tied = [ply for ply, found in by_ply.items() if winners(found)[None] == 1]
    assert len(won) + len(tied) == len(by_ply)
    return Figure(
        "numbers of plies from 1 to 8 with which X wins, minimax - alphabeta",
        "all; 3 is shown",
        Estimate(float(len(won))),
        exact=True,
        agrees=not tied,
        note=f"X wins with {_listed(won)} plies; with {_listed(tied)} they do not see the whole tree and tie all the "
        "same.",
    )


def _listed(numbers: Sequence[int]) -> str:
    return " and ".join(", ".join(map(str, numbers)).rsplit(", ", 1))


def _row_figures(row: Row, exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> list[Figure]:
    ours = _ours(row.pair, exact, games)
    found = []
    for side, percent, one in zip(SIDES, row.percent, ours, strict=True):
        low, high = _chance(percent, row.games)
        found.append(
            compared(
                f"{row.name}: {SAID[side]}",
                f"{percent} % of {row.games} ({low:.1f} to {high:.1f})",
                one,
                low,
                high,
                "%",
                exact=row.pair in exact,
                otherwise=_why(row, side, percent, one),
            )
        )
    return found


def _ours(pair: Pair, exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> tuple[Estimate | None, ...]:
    if pair in exact:
        return tuple(Estimate(percent) for percent in _percent(exact[pair]))
    return by_side(games[pair])


def _chance(percent: float, games: int) -> tuple[float, float]:
    low, high = wilson(percent * games / 100, games)
    return 100 * low, 100 * high


def _why(row: Row, side: Side | None, percent: int, ours: Estimate | None) -> str:
    if ours is None:
        return "No games."
    more = "more" if percent > ours.value else "less"
    twin = _twin(row)
    told = (
        f" His table of {short(twin.pair[1])}, which chooses the same moves, has {twin.percent[SIDES.index(side)]} %."
        if twin
        else ""
    )
    if row.pair[0] == THREE:
        return (
            f"He saw {more} than the whole tree gives.{told} Of so many comparisons at 95 % about one in twenty misses "
            "by chance."
        )
    return (
        f"He saw {more} than we do.{told} On larger boards few moves of 3 plies lead to a win or a loss in sight, and "
        "then the first move in the order of the cells is played: what stands there decides these games."
    )


def _twin(row: Row) -> Row | None:
    """His table of the same game with the other of minimax and alpha-beta, which play alike."""
    game, x, o = row.pair
    swap = {MINIMAX: ALPHABETA, ALPHABETA: MINIMAX}
    family, _, ply = x.partition(":")
    if family not in swap:
        return None
    other = (game, f"{swap[family]}:{ply}", o)
    return next((one for one in ROWS if one.pair == other), None)


def _covering(exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> str:
    covered = [
        meets(sampled, value, value)
        for pair in exact
        if RANDOM in pair
        for sampled, value in zip(by_side(games[pair]), _percent(exact[pair]), strict=True)
    ]
    return (
        f"Sampling checks the computing: of {len(covered)} sampled shares that leave something to chance, the 95 % "
        f"intervals of {sum(map(bool, covered))} cover the exact value, and of {len(covered)} about "
        f"{0.95 * len(covered):.0f} should."
    )


def _check(exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> Table:
    rows: list[list[Cell]] = []
    for pair, found in games.items():
        game, x, o = pair
        computed: tuple[float | None, ...] = _percent(exact[pair]) if pair in exact else (None,) * 3
        cells = [cell for both in zip(computed, by_side(found), strict=True) for cell in both]
        rows.append([square(game), f"{short(x)} - {short(o)}", len(found), *cells])
    head = ["board", "X - O", "games"]
    head += [f"{SAID[side]}, {how} %" for side in SIDES for how in ("exact", "sampled")]
    return Table("Computed and sampled", head, rows)


def _plot(name: str, side: Side | None, exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> Plot:
    index = SIDES.index(side)
    his = [Estimate(row.percent[index], *_chance(row.percent[index], row.games)) for row in ROWS]
    ours = [by_side(games[row.pair])[index] for row in ROWS]
    computed = [Estimate(_percent(exact[row.pair])[index]) if row.pair in exact else None for row in ROWS]
    return Plot(
        name,
        f"{SAID[side]}: his tables, ours, and the whole tree",
        "points",
        "",
        "% of games",
        [series("he", his), series("we, sampled", ours), series("whole tree", computed)],
        [row.name for row in ROWS],
    )


# His averages of moves; those of times are below.


def _averages(exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> Section:
    rows: list[list[Cell]] = []
    for pair, found in games.items():
        game, x, o = pair
        rows.append([square(game), f"{short(x)} - {short(o)}", *_moves_cells(found, exact.get(pair))])
    head = ["board", "X - O"]
    head += [f"{what}, {how}" for what in _AVERAGES.values() for how in ("exact", "sampled")]
    figures = [figure for row in ROWS for figure in _average_figures(row, exact.get(row.pair), games[row.pair])]
    differ = sum(figure.agrees is False for figure in figures)
    return Section(
        "His averages of moves",
        [
            "The winner's own moves to a win, for each side, and the moves of both to the end. Where a side won no "
            "game he prints 0, and we a dash. A figure of his agrees if the interval that chance gives an average of "
            "so many games, by the spread of ours, meets ours: "
            f"{len(figures) - differ} of {len(figures)} do. His two averages of X's wins over the bots of 5 plies are "
            "compared twice, as printed and recounted; the next section tells why."
        ],
        figures,
        [Table("Average moves", head, rows)],
    )


_AVERAGES: Final = {X: "X's moves to win", O: "O's moves to win", None: "moves to the end"}


def _average_figures(row: Row, exact: Ends | None, games: list[Played]) -> list[Figure]:
    x_wins, o_wins, _ = row.ended
    said: list[tuple[str, Side | None, float, int]] = []
    if x_wins:
        said.append((_AVERAGES[X], X, row.to_win[0], x_wins))
        if x_moves_recounted(row) != moves_to_win(row, X):
            said.append((f"{_AVERAGES[X]}, recounted", X, x_moves_recounted(row) / x_wins, x_wins))
    if o_wins:
        said.append((_AVERAGES[O], O, row.to_win[1], o_wins))
    said.append((_AVERAGES[None], None, row.to_end, row.games))
    return [_average_figure(row, *one, exact, games) for one in said]


def _average_figure(
    row: Row, what: str, side: Side | None, his: float, number: int, exact: Ends | None, games: list[Played]
) -> Figure:
    lengths = _lengths(side, exact, games)
    mean = math.fsum(moves * weight for moves, weight in lengths)
    half = _Z * math.sqrt(max(0.0, math.fsum((moves - mean) ** 2 * weight for moves, weight in lengths)) / number)
    return compared(
        f"{row.name}: {what}",
        f"{his:.6g}" + (f" of {number} ({his - half:.2f} to {his + half:.2f})" if half else f" of {number}"),
        Estimate(mean) if exact else average(_sampled(side, games)),
        his - half,
        his + half,
        exact=exact is not None,
        otherwise=_why_average(row, side, his),
    )


_Z: Final = 1.96


def _lengths(side: Side | None, exact: Ends | None, games: list[Played]) -> list[tuple[float, float]]:
    """The moves to the end (None) or of a side to its wins, each with its share."""
    if exact is None:
        found = _sampled(side, games)
        return [(moves, 1 / len(found)) for moves in found]
    chances = [
        (float(plies) if side is None else own_moves(plies, side), float(chance))
        for (winner, plies), chance in exact.items()
        if side in (None, winner)
    ]
    total = math.fsum(chance for _, chance in chances)
    return [(moves, chance / total) for moves, chance in chances]


def _sampled(side: Side | None, games: list[Played]) -> list[float]:
    if side is None:
        return [float(len(game.record.cells())) for game in games]
    return [own_moves(len(game.record.cells()), side) for game in games if game.record.winner == side]


def _why_average(row: Row, side: Side | None, his: float) -> str:
    if side == X and his == row.to_win[0] and x_moves_recounted(row) != moves_to_win(row, X):
        return "His other figures of the same table contradict it."
    return "Of so many comparisons at 95 % about one in twenty misses by chance."


def _moves_cells(games: list[Played], exact: Ends | None) -> list[Cell]:
    cells: list[Cell] = []
    for side in (X, O):
        plies = average_plies(exact, (side,)) if exact else None
        cells += [None if plies is None else own_moves(float(plies), side), average(_sampled(side, games))]
    plies = average_plies(exact) if exact else None
    cells += [None if plies is None else float(plies), average(_sampled(None, games))]
    return cells


def own_moves(plies: float, side: Side) -> float:
    """Moves of the winner, in a game of this many plies whose last move it made."""
    return (plies + 1) / 2 if side == X else plies / 2


# What his figures say of each other.


def _reckoned() -> Section:
    return Section(
        "His tables reckoned up",
        [
            "The moves to win and the ties of a table give the plies of all its games, for X wins a game of 2m - 1 "
            "plies with its m-th move and O one of 2m. So do the moves to the end. In eleven tables the two are the "
            "same number. In the two of random against 5 plies they differ by twice the games that X won: it made "
            "one move more in each than is printed, 4.0 and 4.18 instead of 3.0 and 3.18.",
            "His times say so too. The time of a game over that of a move is the moves that the searching side made a "
            "game: 3.33 and 3.39, as the recounted moves have it, and not 3.22 and 3.28.",
            "A program that adds up the loser's moves instead of the winner's prints just that: one less where X wins, "
            "the same where O does. The one that he published as Theobragstad/AI-tictactoe does so if the player who "
            "is second in the menu begins, and in no other tables that he prints did X win such a game. Nor can a win "
            "have been noticed a move late: those games would have lasted an even number of plies, but 11 of them took "
            "77 and 81.",
        ],
        tables=[
            Table(
                "Plies and moves",
                [
                    "board",
                    "X - O",
                    "games",
                    "plies, from the moves to the end",
                    "plies, from the moves to win",
                    "searcher's moves a game, from the times",
                    "as printed",
                    "recounted",
                    "X's moves to win, recounted",
                ],
                [_reckoned_row(row) for row in ROWS],
            )
        ],
    )


def _reckoned_row(row: Row) -> list[Cell]:
    side, printed, recounted = searcher(row), moves_to_win(row, X), x_moves_recounted(row)
    from_times = moves_a_game(row)
    game, x, o = row.pair
    return [
        square(game),
        f"{short(x)} - {short(o)}{row.again}",
        row.games,
        plies_to_end(row),
        plies_from_wins(row),
        None if from_times is None else round(from_times, 2),
        *(None if side is None else round(moves_of(row, side, moves) / row.games, 2) for moves in (printed, recounted)),
        round(recounted / row.ended[0], 2) if row.ended[0] else None,
    ]


# Other readings of his description.


def _readings(lab: Lab) -> Section:
    rows: list[list[Cell]] = [_his_reading_row()]
    likeliest = 0.0
    with lab.step("readings of his description on 3x3", len(READINGS)) as step:
        for reading in READINGS:
            found = played(reading)
            if reading == DESCRIBED:
                likeliest = log_likelihood(found, recounted=True)
            rows.append(_reading_row(reading, found, likeliest))
            step.advance()
    return Section(
        "The readings tried",
        [
            "Each reading is one way to understand his description, computed over the whole tree in plain Python. The "
            "first is his text to the letter, and our bots: a call at depth 0 tests for a win of the other, then of "
            "its own, then for a tie; it goes on to each move in turn while the depth is below the number of plies, "
            "and else a move scores 0; so wins are tested down to as many plies below the root. The first of equal "
            "moves is played, by minimax and by alpha-beta.",
            "The fit is the likelihood of all his figures of 3x3 (wins, ties, moves to win, and so moves to the end) "
            "as a power of ten, against that of the first reading with X's moves recounted. A reading that cannot "
            "give one of his figures at all is impossible. With X's moves as he prints them, no reading comes near: "
            "the best is two million times less likely. So the average is what is wrong, and no reading.",
            "Some others fit as well as the first, within a factor of three: a root that counts as a ply (each bot of "
            "N plies is then ours of N - 1), a leaf worth a half either way or as much as a win, and the last of equal "
            "moves, which on this board is the first one turned round. It is his text that speaks against them: his "
            "figures cannot tell.",
        ],
        tables=[
            Table(
                "3x3, X wins / O wins / ties in %",
                [
                    "reading",
                    "random - 5",
                    "X's moves to win",
                    "random - 10",
                    "9 - random",
                    "variable - random",
                    "9 - 9",
                    "3 - 3",
                    "fit",
                    "fit, as printed",
                ],
                rows,
            )
        ],
    )


_PAIRINGS: Final = (*((RANDOM, "5"), (RANDOM, "10"), ("9", RANDOM), (VARIABLE, RANDOM), ("9", "9"), ("3", "3")),)


def _his_reading_row() -> list[Cell]:
    five = [row for row in ROWS if row.pair[2] in (f"{MINIMAX}:5", f"{ALPHABETA}:5")]
    moves = " and ".join(f"{x_moves_recounted(row) / row.ended[0]:.2f}" for row in five)
    shown = [
        " and ".join("/".join(map(str, row.percent)) for row in ROWS if row.pair[0] == THREE and pairing(row) == pair)
        for pair in _PAIRINGS
    ]
    return ["he", shown[0], f"{moves}, recounted", *shown[1:], None, None]


def _reading_row(reading: Reading, found: Mapping[tuple[str, str], Ends], likeliest: float) -> list[Cell]:
    shown = ["/".join(f"{percent:.1f}" for percent in _percent(found[pair])) for pair in _PAIRINGS]
    plies = average_plies(found[RANDOM, "5"], (X,))
    moves = None if plies is None else round(own_moves(float(plies), X), 2)
    fits = [_fit(log_likelihood(found, recounted) - likeliest) for recounted in (True, False)]
    return [reading.what, shown[0], moves, *shown[1:], *fits]


def _fit(power: float) -> Cell:
    return "impossible" if math.isinf(power) else round(power, 1) + 0.0


# What alpha-beta saves.


def play(task: Task, watches: Watches) -> Measured:
    """A game, and its positions searched with minimax and with alpha-beta."""
    return measured(task, watches, (Cut.NONE, Cut.LOOSE), _searcher)


def _searcher(task: Task, position: Position) -> Searcher | None:
    family, values = mover(task, position)
    if family == RANDOM:
        return None

    def search(position: Position, cut: Cut) -> Any:
        return bragstad.searched(position, depth_of(position, values[0], NO_LIMIT), cut)

    return search


Saving = tuple[int, Side]
"""Plies, and the side that searches."""


def _saving_groups(lab: Lab) -> dict[Saving, list[Task]]:
    games = min(lab.games, _SAVING_GAMES)
    return {
        (ply, side): lab.fixed(THREE, *((name, RANDOM) if side == X else (RANDOM, name)), games)
        for ply in _SAVING_PLIES
        for side in (X, O)
        for name in (f"{ALPHABETA}:{ply}",)
    }


_HIS_SIDE: Final = {5: O, 9: X}
"""In the tables that have both programs at these plies."""


def _saving(savings: dict[Saving, list[Measured]]) -> Section:
    rows: list[list[Cell]] = [
        [
            ply,
            side.upper(),
            a_move(of_cut(games, Cut.NONE), node_count),
            a_move(of_cut(games, Cut.LOOSE), node_count),
            gain(games, node_count),
        ]
        for (ply, side), games in savings.items()
    ]
    figures = []
    for ply, author in SAVED.items():
        side = _HIS_SIDE[ply]
        figures.append(
            compared(
                f"minimax's nodes to alpha-beta's, {ply} plies, as {side.upper()} against random",
                f"{author} (in time)",
                gain(savings[ply, side], node_count),
                author,
                author,
                otherwise="His are times a move and ours nodes: a node of alpha-beta costs no more than one of minimax,"
                " but each move also has a part that no cut saves. His tables of the two are of different games, ours "
                "are the same positions.",
            )
        )
    for ply in SAVED:
        nodes = a_move(of_cut(savings[ply, O], Cut.LOOSE), node_count)
        figures.append(Figure(f"alpha-beta's nodes a move, {ply} plies, as O against random", "", nodes))
    return Section(
        "What alpha-beta saves",
        [
            f"The same positions of {min(map(len, savings.values()))} games against random each, searched by both; "
            "both chose the same move everywhere, which was checked. He compares times a move, from about 6 times at 5 "
            "plies (his bot as O) to 28 at 9 (as X); in his words about ten times, at 5."
        ],
        figures,
        [Table("Nodes of a move", ["plies", "side", "minimax", "alpha-beta", "ratio"], rows)],
        [
            Plot(
                "saving",
                "Minimax's nodes a move to alpha-beta's",
                "points",
                "plies",
                "times",
                [
                    *(
                        _saving_series(f"ours, as {side.upper()}", {ply: savings[ply, side] for ply in _SAVING_PLIES})
                        for side in (X, O)
                    ),
                    Series(
                        "he (time)",
                        [float(_SAVING_PLIES.index(ply)) for ply in SAVED],
                        [float(times) for times in SAVED.values()],
                    ),
                ],
                [str(ply) for ply in _SAVING_PLIES],
            )
        ],
    )


def _saving_series(name: str, by_ply: dict[int, list[Measured]]) -> Series:
    return series(name, [gain(games, node_count) for games in by_ply.values()])


# Times.


def _times(games: dict[Pair, list[Played]], savings: dict[Saving, list[Measured]]) -> Section:
    gains = [_time_gain(ply, author, savings[ply, _HIS_SIDE[ply]]) for ply, author in SAVED.items()]
    return Section(
        "Times",
        [
            "The time of a game is that of all its moves, and that of a move all that the bot does for it; of minimax "
            "and alpha-beta beside each other, that of the search alone. He prints seconds with five digits, so his 0 "
            "is less than 0.005 ms. His times are of another machine and an interpreter: only their ratios can be "
            "compared with ours.",
        ],
        [*(figure for row in ROWS for figure in _row_times(row, games[row.pair])), _nine(savings[9, X]), *gains],
        timed=True,
    )


def _row_times(row: Row, games: list[Played]) -> list[Figure]:
    game = average([sum(one.think_us) / 1000 for one in games])
    found = (("a game", row.game_s, game), *(_move_time(row, games, side) for side in (X, O)))
    return [Figure(f"{row.name}: ms of {what}", f"{1000 * his_s:g}", ours, "ms") for what, his_s, ours in found]


def _move_time(row: Row, games: list[Played], side: Side) -> tuple[str, float, Estimate | None]:
    return f"a move of {side.upper()}", row.move_s[0 if side == X else 1], _side_ms(games, side)


def _nine(games: list[Measured]) -> Figure:
    ms = a_move(of_cut(games, Cut.NONE), lambda search: search.us / 1000)
    nodes = a_move(of_cut(games, Cut.NONE), node_count)
    assert ms is not None
    assert nodes is not None
    (his_s,) = (row.move_s[0] for row in ROWS if row.pair == (THREE, f"{MINIMAX}:9", RANDOM))
    his, ours = nodes.value / his_s, nodes.value / (ms.value / 1000)
    return Figure(
        "ms of a move, minimax:9 as X against random",
        f"{1000 * his_s:,.0f}",
        ms,
        "ms",
        note=f"Interpreted against compiled: with our positions a move his are {his:,.0f} a second, ours {ours:,.0f}.",
    )


def _time_gain(ply: int, author: float, games: list[Measured]) -> Figure:
    times, nodes = gain(games, lambda search: search.us), gain(games, node_count)
    assert times is not None
    assert nodes is not None
    if times.value < nodes.value:
        note = (
            "A small search ends in less time than it takes to call it, which is the same for both, so that the ratio "
            "of times falls behind that of nodes."
        )
    else:
        note = "A position costs minimax more time than it costs alpha-beta here, so the ratio exceeds that of nodes."
    what = f"minimax's time a move to alpha-beta's, {ply} plies, as {_HIS_SIDE[ply].upper()}"
    return compared(what, str(author), times, author, author, otherwise=note)


def _side_ms(games: list[Played], side: Side) -> Estimate | None:
    """The time of a move of a side, in milliseconds."""
    moves = [game.think_us[0 if side == X else 1 :: 2] for game in games]
    return ratio((sum(times) / 1000, len(times)) for times in moves)
