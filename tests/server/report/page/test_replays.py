"""Replays of the games that a report links to."""

from __future__ import annotations

from typing import Final

import pytest

from engine.rules.registry import rules
from server.report.page import replays
from server.report.page.words import ReportData
from server.report.plots import Link, Part, Table
from tests.support.report.records import Row

GAMES: Final = ("tictactoe", "mnk:7,4,4", "gomoku", "qubic", "cube:3", "cube:5", "nine-board", "ultimate", "super")


@pytest.mark.parametrize("game", GAMES)
def test_every_cell_has_a_place_of_its_own_on_a_block(game: str) -> None:
    known = rules(game)
    board = replays.layout(known)
    places = [replays.place(known, cell) for cell in range(known.cells)]
    on_blocks = {
        (row + down, column + right)
        for row, column in board.blocks
        for down in range(board.block_rows)
        for right in range(board.block_columns)
    }
    assert len(set(places)) == known.cells
    assert set(places) == on_blocks
    for row, column in places:
        assert board.row_tracks[row - 1]
        assert board.column_tracks[column - 1]


def test_boards_stand_as_they_are_read() -> None:
    """Rank 1 at the bottom of flat boards; the first of nine boards at the top left."""
    assert replays.place(rules("tictactoe"), 0) == (3, 1)
    assert replays.place(rules("ultimate"), 0) == (1, 1)
    assert replays.place(rules("ultimate"), 80) == (11, 11)
    assert replays.place(rules("qubic"), 63) == (6, 9)


def linked(*ids: int) -> list[Part]:
    return [
        Part("a", "A", parts=(Part("b", "B", tables=(Table("", ("game",), [(Link("", game_id=id),) for id in ids]),)),))
    ]


def test_a_replay_has_every_move(data: ReportData, games: list[Row], moves: list[Row]) -> None:
    for game in games[:: len(games) // 12]:
        if game["private"]:
            continue
        [replay] = replays.replays(data, linked(game["game_id"], game["game_id"]))
        own = [move for move in moves if move["game_id"] == game["game_id"]]
        texts = rules(game["game"]).texts
        assert len(replay.opening) == game["start_plies"]
        assert [(mark.text, mark.side, mark.think_us) for mark in replay.moves] == [
            (texts[move["cell"]], move["side"], move["think_us"]) for move in own
        ]
        assert [mark.number for mark in replay.moves] == [*range(1, len(own) + 1)]


def test_private_and_unknown_games_have_none(data: ReportData, games: list[Row]) -> None:
    private = [game["game_id"] for game in games if game["private"]]
    assert private
    assert replays.replays(data, linked(*private, 424242)) == []


def test_there_are_only_so_many(data: ReportData, games: list[Row]) -> None:
    ids = [game["game_id"] for game in games if not game["private"]]
    found = replays.replays(data, linked(*ids))
    assert [replay.game_id for replay in found] == ids[: replays.MOST]
