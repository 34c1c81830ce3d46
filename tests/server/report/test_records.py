"""Game records from the rows of the database, one or many, and their text."""

from __future__ import annotations

import dataclasses
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.record.model import Clock, GameRecord, MalformedRecord
from server.db.store import Store
from server.report import records
from server.report.records import game_record, game_text, public_text, public_texts
from tests.support.database.database_files import (
    BOB,
    BOT,
    add_move,
    opened,
    start_game,
)
from tests.support.engine.record_reader import from_json_line, from_text
from tests.support.report.three_games import DAY, FLAGGED, LINE_X, three_games, whole_game


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    return await three_games(tmp_path)


def recorded(path: Path, game: str | None = None, since_ms: int | None = None) -> list[GameRecord]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        found = records.recorded_games(connection, game=game, since_ms=since_ms)
        return [game_record(*one) for one in found]


def test_all_that_is_recorded_of_a_game_is_in_its_record(path: Path) -> None:
    won, flagged, running = recorded(path)
    assert flagged == FLAGGED, "after an odd start O's clock is the first mover's"
    assert ([move.cell for move in won.moves], won.winner, won.termination, won.clock) == (LINE_X, "x", "line", None)
    assert (won.limits, won.run, won.pair, won.opening) == (None, None, None, None)
    assert (running.started, running.ended) == (2 * DAY, None)
    assert (len(running.moves), running.termination, running.clock) == (1, None, Clock(move_ms=500))


@pytest.mark.parametrize("size", [1, 2, 3, 9, 100])
async def test_games_come_in_order_whatever_the_size_of_a_page(
    path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    async with opened(path) as store:
        for id in range(10, 40, 5):
            await store.write(whole_game(id, started_ms=id * DAY))
    monkeypatch.setattr(records, "PAGE_GAMES", size)
    every = recorded(path)
    assert [game.id for game in every] == [1, 2, 3, *range(10, 40, 5)]
    assert [len(game.moves) for game in every] == [5, 2, 1, *[5] * 6]
    assert recorded(path, "tictactoe") == [game for game in every if game.game == "tictactoe"]
    assert recorded(path, since_ms=15 * DAY) == every[4:]
    assert recorded(path, "qubic", 15 * DAY) == []


async def test_a_server_may_write_meanwhile(path: Path) -> None:
    """An export holds no transaction between pages, and each page is one moment of the database."""
    async with opened(path, busy_timeout_s=0) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            games = records.recorded_games(connection)
            next(games)
            assert not connection.in_transaction
            await store.write(whole_game(4))


async def stored(store: Store, id: int) -> tuple[Any, Any]:
    return await store.game(id), await store.move_rows(id)


async def test_the_text_of_one_game(path: Path) -> None:
    async with opened(path) as store:
        game, moves = await stored(store, 2)
        assert from_json_line(game_text(game, moves, "jsonl")) == FLAGGED
        assert from_text(game_text(game, moves, "txt")) == FLAGGED
        public = dataclasses.replace(FLAGGED, machine=None)
        assert from_json_line(public_text(game, moves, "jsonl")) == public, "the computer's name is not for everybody"
        assert from_text(public_text(game, moves, "txt")) == public
        _, others = await stored(store, 1)
        with pytest.raises(MalformedRecord):
            game_text(game, [*others, *others], "txt")
        assert game.o_player == BOT != BOB


async def test_the_texts_of_several_games(path: Path) -> None:
    async with opened(path) as store:
        await store.write([start_game(4), add_move(4, 0, 5), add_move(4, 1, 5)])
        ids = [3, 2, 4]
        games = [game for id in ids if (game := await store.game(id)) is not None]
        moves = await store.moves_of([*ids, 99])
        assert {id: [move.cell for move in lines] for id, lines in moves.items()} == {2: [63, 1], 3: [0], 4: [5, 5]}
        assert await store.moves_of([]) == {}
    lines = public_texts(games, moves, "jsonl").splitlines()
    assert [from_json_line(line).id for line in lines] == [3, 2], "what breaks the rules is left out"
    assert from_json_line(lines[1]) == dataclasses.replace(FLAGGED, machine=None)
    whole = "".join(public_text(game, moves[game.id], "txt") + "\n" for game in games[:2])
    assert public_texts(games, moves, "txt") == whole
