"""Bragstad's averages of moves, and his tables reckoned up."""

from __future__ import annotations

import math
from typing import Final

from client.lab.experiments.bragstad.tables import (
    ROWS,
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
from client.lab.experiments.estimates import average, compared
from client.lab.experiments.findings import Cell, Estimate, Figure, Section, Table
from engine.bots.match import Played
from engine.rules.position import O, Side, X
from engine.stats.exact import Ends, average_plies

_AVERAGES: Final = {X: "X's moves to win", O: "O's moves to win", None: "moves to the end"}
_Z: Final = 1.96


def section(exact: dict[Pair, Ends], games: dict[Pair, list[Played]]) -> Section:
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


def reckoned_section() -> Section:
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
