"""What is played where, counted again from the rows."""

from __future__ import annotations

from collections import defaultdict

import polars as pl
import pytest

from engine.rules.registry import rules
from server.report.page import board_figures
from server.report.page.words import ReportData, starts
from tests.support.report.records import Row, grouped, legal_moves_of, spread_of


def test_branching(data: ReportData, games: list[Row], moves: list[Row]) -> None:
    made = grouped(moves, lambda move: move["game_id"])
    for kind, played in grouped(games, lambda game: game["game"]).items():
        by_ply: dict[int, list[float]] = defaultdict(list)
        for game in played:
            for ply, number in enumerate(legal_moves_of(game, made[game["game_id"]])):
                by_ply[ply].append(number)
        of_games, of_moves = data.by_kind[str(kind)]
        found = board_figures.branching(rules(str(kind)), of_games, of_moves, starts(of_games, str(kind)))
        assert found.drop("mean").rows() == [
            (ply, len(numbers), *spread_of(numbers)) for ply, numbers in sorted(by_ply.items())
        ]
        assert found["mean"].to_list() == pytest.approx([sum(one) / len(one) for one in by_ply.values()])


def test_games_with_cells_of_another_board_are_left_out(data: ReportData) -> None:
    games, moves = data.by_kind["tictactoe"]
    spoilt = games["game_id"][0]
    wrong = moves.with_columns(cell=pl.when(game_id=spoilt).then(77).otherwise("cell"))
    found = board_figures.branching(rules("tictactoe"), games, wrong, starts(games, "tictactoe"))
    assert found["moves"][0] == games.height - 1


def test_openings_are_folded_by_symmetry(data: ReportData, games: list[Row], moves: list[Row]) -> None:
    own = {move["game_id"]: move["cell"] for move in reversed(moves)}
    for kind, played in grouped(games, lambda game: game["game"]).items():
        known = rules(str(kind))
        of_games, of_moves = data.by_kind[str(kind)]
        of_starts = starts(of_games, str(kind))
        found = board_figures.openings(known, of_games, of_moves, of_starts)
        assert found is not None
        begun = {game["game_id"]: (*of_starts[game["start"]], own.get(game["game_id"]))[0] for game in played}
        for cell in range(known.cells):
            alike = {symmetry[cell] for symmetry in known.symmetries}
            there = [game for game in played if begun[game["game_id"]] in alike]
            assert found.first[cell] == pytest.approx(len(there) / len(played))
            points = [game["x_points"] for game in there]
            assert found.points[cell] == (pytest.approx(sum(points) / len(points)) if points else None)
            owns = [own[game["game_id"]] for game in played if game["game_id"] in own]
            assert found.chosen[cell] == pytest.approx(sum(one in alike for one in owns) / len(owns))
        assert found.set == sum(game["start_plies"] > 0 for game in played)


def test_no_openings_without_moves(data: ReportData) -> None:
    games, moves = data.by_kind["tictactoe"]
    unopened = games.filter(start="[]")
    assert board_figures.openings(rules("tictactoe"), unopened, moves.clear(), {"[]": ()}) is None


def test_openings_that_favour_a_side_come_first(data: ReportData, games: list[Row]) -> None:
    for kind, played in grouped(games, lambda game: game["game"]).items():
        by_start = grouped((game for game in played if game["start_plies"]), lambda game: game["start"])
        expected = {
            start: (
                len(made),
                pytest.approx(sum(game["x_points"] for game in made) / len(made)),
                max((game["game_id"] for game in made if not game["private"]), default=None),
            )
            for start, made in by_start.items()
            if len(made) >= 2 and 2 * sum(game["x_points"] for game in made) != len(made)
        }
        found = board_figures.one_sided(data.by_kind[str(kind)][0], 2, 1_000)
        assert {start: (number, share, id) for start, number, share, id in found.rows()} == expected
        assert (found["share"] - 0.5).abs().is_sorted(descending=True)
        assert board_figures.one_sided(data.by_kind[str(kind)][0], 2, 1).height == min(1, len(expected))


def test_an_opening_that_favours_nobody_is_no_such_opening() -> None:
    even = {"start": ['["b2"]'] * 2, "start_plies": 1, "x_points": [1.0, 0.0], "game_id": [1, 2], "private": 0}
    assert board_figures.one_sided(pl.DataFrame(even), 1, 1).is_empty()


def test_no_private_game_stands_for_an_opening() -> None:
    games = pl.DataFrame(
        {"start": ['["b2"]'] * 2, "start_plies": 1, "x_points": 1.0, "game_id": [1, 2], "private": [0, 1]}
    )
    assert board_figures.one_sided(games, 1, 1)["game_id"].to_list() == [1]
    assert board_figures.one_sided(games.with_columns(private=1), 1, 1)["game_id"].to_list() == [None]
