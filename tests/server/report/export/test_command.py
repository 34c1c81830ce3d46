from __future__ import annotations

import dataclasses
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.record.model import Clock, GameRecord, Limits, MalformedRecord, Player, RecordedMove
from engine.rules.limit import Limit
from engine.rules.termination import Termination
from server.db.store import Store
from server.play.writes import Statement, Write
from server.report import records
from server.report.export.command import export
from server.report.records import game_record, game_text, public_text, public_texts
from server.wire import fields
from tests.support.database.database_files import (
    BOB,
    BOT,
    INVITE_ROOM,
    add_move,
    new_database,
    opened,
    people_and_rooms,
    start_game,
)
from tests.support.engine.record_reader import from_json_line, from_text

DAY = 24 * 60 * 60 * 1000
LINE_X = [0, 3, 1, 4, 2]
"""On the small board: X takes the first row."""


def ended(game: int, winner: str | None, termination: str, plies: int) -> Write:
    return Statement.END_GAME, (99, winner, termination, plies, game)


def whole_game(id: int, **changes: Any) -> list[Write]:
    moves = [add_move(id, ply, cell) for ply, cell in enumerate(LINE_X)]
    return [start_game(id, **changes), *moves, ended(id, "x", "line", 5)]


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A game won, one of an invite room lost on time after a start, and one that runs."""
    path = new_database(tmp_path)
    async with opened(path) as store:
        await store.write(people_and_rooms())
        await store.write(whole_game(1))
        with_clock = {"initial_ms": 60_000, "increment_ms": 1000, "start": '["a1.1"]', "started_ms": DAY, "rated": 1}
        of_run = {"o_limit": '{"depth":2}', "run_id": "r1", "pair_id": 5, "opening_id": "corner", "machine": "here"}
        by_bot = {"wait_ms": 2, "nodes": 7, "depth": 3, "value": -0.5, "win_in": -8, "pruned": 1}
        await store.write(
            [
                start_game(
                    2, game="qubic", room_number=INVITE_ROOM, source="room", o_player=BOT, **with_clock, **of_run
                ),
                add_move(2, 0, 63, x_ms=60_000, o_ms=50_000, **by_bot),
                add_move(2, 1, 1, wait_ms=0, x_ms=40_000, o_ms=50_000),
                ended(2, "x", "flag", 2),
            ]
        )
        await store.write([start_game(3, started_ms=2 * DAY, move_ms=500), add_move(3, 0)])
    return path


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(export, ["--db", str(path), *arguments])


def exported(path: Path, *arguments: str) -> list[int | None]:
    """Ids of the games that an export has."""
    result = run(path, *arguments)
    assert result.exit_code == 0, result.output
    return [from_json_line(line).id for line in result.stdout.splitlines()]


FLAGGED = GameRecord(
    game="qubic",
    x=Player("Ann", "person"),
    o=Player("alphabeta:2", "bot", 1),
    start=(0,),
    moves=(
        RecordedMove(63, at=0, think_ms=10, wait_ms=2, remaining_ms=50_000, nodes=7, depth=3, value=-0.5, win_in=-8),
        RecordedMove(1, at=1000, think_ms=11, remaining_ms=40_000),
    ),
    winner="x",
    termination="flag",
    clock=Clock(initial_ms=60_000, increment_ms=1000),
    started=DAY,
    ended=99,
    limits=Limits(o=Limit(depth=2)),
    rated=True,
    seed=7,
    source="room",
    machine="here",
    software="0.1.0",
    run="r1",
    pair=5,
    opening="corner",
    id=2,
)


def test_json_lines(path: Path) -> None:
    result = run(path)
    assert result.exit_code == 0
    won, flagged, running = [from_json_line(line) for line in result.stdout.splitlines()]
    assert flagged == FLAGGED, "after an odd start O's clock is the first mover's"
    assert ([move.cell for move in won.moves], won.winner, won.termination, won.clock) == (LINE_X, "x", "line", None)
    assert (won.limits, won.run, won.pair, won.opening) == (None, None, None, None)
    assert (running.started, running.ended) == (2 * DAY, None)
    assert (len(running.moves), running.termination, running.clock) == (1, None, Clock(move_ms=500))


def test_text_keeps_the_same(path: Path) -> None:
    result = run(path, "--format", "txt")
    games = [from_text("[Game " + part) for part in result.stdout.split("[Game ")[1:]]
    assert games == [from_json_line(line) for line in run(path).stdout.splitlines()]
    assert result.stdout.endswith("*\n\n")


def test_filters(path: Path) -> None:
    assert exported(path) == [1, 2, 3]
    assert exported(path, "--game", "tictactoe") == [1, 3]
    assert exported(path, "--game", "mnk:3,3,3") == [1, 3], "another name of the same game"
    assert exported(path, "--game", "ultimate") == []
    assert exported(path, "--since", "1970-01-02") == [2, 3]
    assert exported(path, "--since", "1970-01-02T00:00:01") == [3]
    assert exported(path, "--since", "1970-01-02T01:00:00+01:00") == [2, 3]
    assert exported(path, "--since", "1970-01-02", "--game", "tictactoe") == [3]


def test_a_date_without_a_zone_is_in_utc(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert exported(path, "--since", "1970-01-02") == [2, 3]
        assert exported(path, "--since", "1970-01-02T00:00:00.001") == [3]
    finally:
        monkeypatch.undo()
        time.tzset()


async def test_many_pages(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(path) as store:
        for id in range(10, 40, 5):
            await store.write(whole_game(id))
    for page in (1, 2, 3, 100):
        monkeypatch.setattr(records, "PAGE_GAMES", page)
        assert exported(path) == [1, 2, 3, *range(10, 40, 5)]


async def test_a_server_may_write_meanwhile(path: Path) -> None:
    """An export holds no transaction between pages, and each page is one moment of the database."""
    async with opened(path, busy_timeout_s=0) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            games = records.recorded_games(connection)
            next(games)
            assert not connection.in_transaction
            await store.write(whole_game(4))


def test_out_file(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    out.write_text("old\n")
    result = run(path, "--out", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_text() == run(path).stdout
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "chess"], "chess"),
        (["--game", "mnk:2,2,9"], "mnk"),
        (["--since", "yesterday"], "'yesterday' is not a date"),
        (["--since", "2026-02-30"], "'2026-02-30' is not a date"),
        (["--format", "pgn"], "pgn"),
        (["--out", "/nowhere/games.txt"], "cannot be written"),
    ],
)
def test_bad_arguments(path: Path, arguments: list[str], sentence: str) -> None:
    result = run(path, *arguments)
    assert result.exit_code == (1 if sentence == "cannot be written" else 2)
    assert sentence in result.stderr
    assert result.stdout == ""


def test_the_database_is_never_overwritten(path: Path) -> None:
    before = path.read_bytes()
    result = run(path, "--out", str(path))
    assert (result.exit_code, "the database itself" in result.stderr) == (2, True)
    assert path.read_bytes() == before


def test_no_database(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    result = run(tmp_path / "missing.db", "--out", str(out))
    assert (result.exit_code, "There is no database" in result.stderr) == (1, True)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_database(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    result = run(tmp_path / "empty.db", "--out", str(tmp_path / "games.jsonl"))
    assert (result.exit_code, "noughts db migrate" in result.stderr) == (1, True)
    assert [file.name for file in tmp_path.iterdir()] == ["empty.db"]


def test_nothing_to_write_is_told(path: Path, tmp_path: Path) -> None:
    result = run(path, "--game", "ultimate")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{path} has no game that these options let through.\n"
    (tmp_path / "new").mkdir()
    empty = new_database(tmp_path / "new")
    assert run(empty).stderr == f"{empty} has no game.\n"


async def test_what_breaks_the_rules_is_named_and_spares_the_rest(path: Path) -> None:
    async with opened(path) as store:
        await store.write([start_game(4), add_move(4, 0, 5), add_move(4, 1, 5)])
        await store.write([start_game(5, game="chess")])
        await store.write([start_game(6, start='["z9"]')])
        await store.write([start_game(8, o_limit='{"depth":"two"}')])
        await store.write([start_game(9, o_limit="{}")])
        await store.write(whole_game(7))
    result = run(path)
    assert result.exit_code == 1
    assert [from_json_line(line).id for line in result.stdout.splitlines()] == [1, 2, 3, 7]
    for id in (4, 5, 6, 8, 9):
        assert f"Game {id} is excluded: " in result.stderr
    assert "5 games" in result.stderr


async def stored(store: Store, id: int) -> tuple[Any, Any]:
    return await store.game(id), await store.move_rows(id)


async def test_the_text_of_one_game(path: Path) -> None:
    async with opened(path) as store:
        game, moves = await stored(store, 2)
        assert game_record(game, moves) == FLAGGED
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


def test_the_engine_and_the_wire_know_the_same_terminations() -> None:
    assert fields.Termination is Termination
