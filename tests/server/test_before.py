"""Files of an earlier release: today's code reads them as they are."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from server.config import Settings, with_settings
from server.db.migrate import check, prepare
from server.ladder.config import parse
from server.ladder.schedule import Schedule
from server.ladder.store import LadderStore
from server.report.export.command import export
from tests.support.database.database_files import opened
from tests.support.database.earlier_files import (
    ANN_TOKEN,
    FOLDER,
    INVITE_CODE,
    INVITE_ROOM,
    RUN_IDS,
    RUNNING_ROOM,
    database,
)

ANN, BOB = 1, 2


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The database, brought up to date."""
    earlier = database(tmp_path)
    prepare(earlier)
    return earlier


def test_the_database_is_sound_and_is_brought_up_to_date(tmp_path: Path) -> None:
    earlier = database(tmp_path)
    [sentence] = prepare(earlier)
    assert "from schema version 5 to" in sentence
    assert prepare(earlier) == []
    sentence = check(earlier).sentence
    assert sentence.endswith("up to date.")


async def test_players_rooms_and_ratings(path: Path) -> None:
    async with opened(path) as store:
        ann = await store.player_by_token(hashlib.sha256(ANN_TOKEN.encode()).digest())
        assert ann is not None
        assert (ann.id, ann.name, ann.kind) == (ANN, "Ann", "person")
        rooms = {room.id: room for room in await store.awake_rooms()}
        assert len(rooms) == 7
        assert rooms[INVITE_ROOM].code == INVITE_CODE
        events = await store.room_events(rooms[RUNNING_ROOM].number)
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        [start] = [json.loads(event.body) for event in events if '"e":"started"' in event.body]
        game = await store.game(start["game"]["id"])
        assert game is not None
        assert start["seed"] == game.seed, "an earlier event had none"
        found = {rating.game: (round(rating.rating), rating.games) for rating in await store.ratings(ANN)}
        assert found == {"qubic": (1662, 1), "tictactoe": (1500, 1)}


async def test_games_of_rooms_and_of_the_ladder(path: Path) -> None:
    async with opened(path) as store:
        mine = await store.games(player=ANN, viewer=ANN)
        assert sorted(game.id for game in mine) == [1, 2, 4, 5, 6]
        assert sorted(game.id for game in await store.games(player=ANN)) == [1, 2, 4, 5], "one is private"
        ends = {game.id: game.termination for game in mine}
        assert ends == {1: "line", 2: "board_full", 4: "resignation", 5: None, 6: "line"}
        assert [(move.ply, move.cell) for move in await store.move_rows(5)] == [(0, 12), (1, 6)]
        listed = [await store.games(run=run) for run in RUN_IDS]
        assert [sorted(game.id for game in games) for games in listed] == [[101, 102], [103, 104]]


async def test_the_explorers_counts_and_a_review_that_is_made_again(path: Path) -> None:
    async with opened(path) as store:
        assert await store.verdicts(2) == {}, "moves are judged differently by now"
        assert await store.unexplored() == 0


def test_every_game_is_exported(path: Path) -> None:
    result = CliRunner().invoke(export, ["--db", str(path), "--format", "jsonl"])
    assert result.exit_code == 0, result.output
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == [*range(1, 7), *range(101, 105)]


def test_the_ladder_resumes_its_lists(path: Path) -> None:
    ladder = parse((FOLDER / "ladder.toml").read_text())
    store = LadderStore(path)
    try:
        for one, run_id in zip(ladder.lists, RUN_IDS, strict=True):
            opened = store.open_list(one)
            # `strongest` has another version by now, so the list in which it plays goes on with a changed line-up.
            has_changed = run_id != RUN_IDS[0]
            assert (opened.list.run_id, opened.list.line_up_changed) == (run_id, has_changed)
            schedule = Schedule(opened.list.pairing)
            schedule.catch_up(opened.scores)
            assert list(opened.scores) == [0]
            assert 0 not in [meeting.pair for meeting in schedule.to_play]
            assert opened.others == ()
    finally:
        store.close()


def test_every_setting_of_the_file_is_understood() -> None:
    seen: list[Settings] = []

    @click.command()
    @with_settings
    def probe(settings: Settings) -> None:
        seen.append(settings)

    result = CliRunner().invoke(probe, ["--config", str(FOLDER / "settings.toml")])
    assert result.exit_code == 0, result.output
    assert seen == [
        Settings(
            host="127.0.0.1",
            port=9000,
            db="games/noughts.db",
            workers=3,
            worker_nice=12,
            worker_session=False,
            queue=50,
            think_ms=5000,
            pace_ms=0,
            max_rooms=200,
            connection_rate=12.5,
            connection_burst=100.0,
            player_rate=0.0,
            address_rate=20.0,
            address_open=0,
            trusted_proxy="127.0.0.1, ::1",
            allow_origin="https://example.org, http://example.org:8080",
            ladder="ladder.toml",
            ping_s=5.0,
            log_level="warning",
            log_format="json",
        )
    ]
