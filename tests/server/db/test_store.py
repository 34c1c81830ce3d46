"""What may be asked of the database by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.stats.glicko import Rating
from server.db.play import RatingPoint, RatingRow, VariationRow
from server.db.store import Conflict, Store, StoreUnavailable
from server.play.writes import Statement, Write
from tests.support.database.database_files import (
    ANN,
    BOB,
    BOT,
    GAME,
    INVITE_ROOM,
    ROOM,
    add_event,
    add_move,
    execute,
    new_database,
    opened,
    people_and_rooms,
    rating_history,
    start_game,
)


async def test_a_file_that_is_no_database_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("Dear diary, this is no database at all. " * 50)
    with pytest.raises(StoreUnavailable, match="not a database"):
        await Store.open(tmp_path / "notes.db")


async def test_everything_is_there_after_reopening(path: Path) -> None:
    async with opened(path) as store:
        await store.write(people_and_rooms())
        await store.write([start_game(GAME), add_move(GAME, 0, value=0.5, nodes=9), add_event(ROOM, 1)])
    async with opened(path) as store:
        assert [room.id for room in await store.awake_rooms()] == ["room-one", "room-two"]
        [move] = await store.move_rows(GAME)
        assert (move.cell, move.value, move.nodes) == (0, 0.5, 9)
        assert len(await store.room_events(ROOM)) == 1


# What the schema refuses and keeps


@pytest.mark.parametrize(
    "write",
    [
        (Statement.ADD_EVENT, (ROOM, 0, 1, "said", "{}")),
        (Statement.ADD_EVENT, (99, 1, 1, "said", "{}")),
        (Statement.ADD_EVENT, (ROOM, 1, "today", "said", "{}")),
        (Statement.ADD_PLAYER, (9, "Eve", "person", b"a" * 32, 1)),
        (Statement.ADD_PLAYER, (9, "Eve", "cat", None, 1)),
        (Statement.ADD_PLAYER, (9, None, "person", None, 1)),
        (Statement.ADD_BOT_VERSION, (ANN, "alphabeta", '{"depth":2}', 1)),
        (Statement.ADD_ROOM, (9, "room-nine", "no json", None, 1)),
        add_move(99, 0),
        add_move(GAME, -1),
        add_move(GAME, 0, value="high"),
        start_game(9, x_player=99),
        start_game(9, source="dream"),
        start_game(9, room_number=ROOM, serial=1),
        start_game(9, move_ms=100, initial_ms=1000),
        (Statement.END_GAME, (5, "x", "boredom", 3, GAME)),
        (Statement.END_GAME, (5, "nobody", "line", 3, GAME)),
        (Statement.END_GAME, (None, "x", "line", 3, GAME)),
    ],
)
async def test_the_schema_refuses(store: Store, write: Write) -> None:
    with pytest.raises(Conflict):
        await store.write([write])
    await store.write([add_move(GAME, 0), add_event(ROOM, 1)])


async def test_a_takeback_keeps_what_the_moves_took(store: Store, path: Path) -> None:
    moves = [
        add_move(GAME, ply, wait_ms=ply, x_ms=9, o_ms=8, nodes=7, depth=6, value=0.5, win_in=-4, pruned=3)
        for ply in range(4)
    ]
    await store.write(moves)
    before = execute(path, "SELECT * FROM moves WHERE ply >= 2")
    await store.write(
        [
            (Statement.KEEP_TAKEN_BACK, (11, GAME, 2)),
            (Statement.DELETE_TAKEN_BACK, (GAME, 2)),
            add_event(ROOM, 11),
        ]
    )
    assert [move.ply for move in await store.move_rows(GAME)] == [0, 1]
    kept = execute(path, "SELECT * FROM moves_taken_back")
    assert [(game, *rest) for game, _, *rest in kept] == before
    assert {seq for _, seq, *_ in kept} == {11}
    await store.write([add_move(GAME, 2, cell=8)])
    await store.write([(Statement.KEEP_TAKEN_BACK, (15, GAME, 2)), (Statement.DELETE_TAKEN_BACK, (GAME, 2))])
    assert execute(path, "SELECT taken_seq, ply, cell FROM moves_taken_back") == [(11, 2, 2), (11, 3, 3), (15, 2, 8)]


# Reading


async def test_players(store: Store) -> None:
    ann = await store.player_by_token(b"a" * 32)
    assert ann is not None
    assert (ann.id, ann.name, ann.kind, ann.created_ms) == (ANN, "Ann", "person", 1)
    await store.write([(Statement.RENAME_PLAYER, ("Anna", ANN))])
    renamed = await store.player(ANN)
    assert renamed is not None
    assert renamed.name == "Anna"
    assert await store.player_by_token(b"unknown") is None
    assert await store.player(99) is None
    assert await store.player(BOT) is None, "a bot of the roster has no token and cannot come"
    assert await store.bot_version("alphabeta", '{"depth":2}', 1) == BOT
    assert await store.bot_version("alphabeta", '{"depth":3}', 1) is None


async def test_players_are_found_by_a_part_of_the_name_or_by_the_whole_number(store: Store) -> None:
    for search, found in (("", [BOB, ANN]), ("O", [BOB]), (str(ANN), [ANN]), (f"{ANN} or so", []), ("alpha", [])):
        assert [player.id for player in await store.players_named(search, 9)] == found, search


async def test_players_are_found_in_capitals_of_any_script(store: Store) -> None:
    await store.write([(Statement.RENAME_PLAYER, ("Zoë Эве Groß", ANN))])
    for search in ("ZOË", "эВЕ", "GROSS", "groß"):
        assert [player.id for player in await store.players_named(search, 9)] == [ANN], search


async def test_a_deleted_player_gets_neither_a_name_nor_a_token_again(store: Store) -> None:
    await store.write([(Statement.ANONYMISE_PLAYER, ("deleted player 1", ANN))])
    await store.write([(Statement.RENAME_PLAYER, ("Ann", ANN)), (Statement.CHANGE_TOKEN, (b"c" * 32, ANN))])
    assert await store.player(ANN) is None
    assert await store.player_by_token(b"c" * 32) is None


async def test_closed_rooms_are_not_open(store: Store) -> None:
    await store.write([(Statement.CLOSE_ROOM, (9, ROOM))])
    [room] = await store.awake_rooms()
    assert (room.number, room.id, room.spec, room.code, room.created_ms) == (2, "room-two", "{}", "secret-code", 5)


async def test_a_game_record(store: Store) -> None:
    await store.write(
        [
            start_game(
                5, room_number=INVITE_ROOM, serial=2, source="room", game="qubic", x_player=BOT, initial_ms=1000,
                increment_ms=0, x_limit='{"depth":2}', start='["a1.1"]', run_id="night", pair_id=3, opening_id="a",
            )
        ]
    )  # fmt: skip
    await store.write([(Statement.END_GAME, (77, "o", "flag", 12, 5))])
    game = await store.game(5)
    assert game is not None
    assert (game.room, game.serial, game.source, game.game) == ("room-two", 2, "room", "qubic")
    assert (game.x_player, game.x_name, game.x_kind, game.x_version) == (BOT, "alphabeta:2", "bot", 1)
    assert (game.o_player, game.o_name, game.o_kind, game.o_version) == (BOB, "Bob", "person", None)
    assert (game.initial_ms, game.increment_ms, game.move_ms) == (1000, 0, None)
    assert (game.x_limit, game.o_limit, game.start) == ('{"depth":2}', None, '["a1.1"]')
    assert (game.run_id, game.pair_id, game.opening_id, game.seed) == ("night", 3, "a", 7)
    assert (game.machine, game.software, game.started_ms) == ("m", "0.1.0", 5)
    assert (game.ended_ms, game.winner, game.termination, game.plies) == (77, "o", "flag", 12)
    assert (game.rated, game.private) == (0, 1)
    assert await store.game(99) is None


async def test_games_of_an_invite_room_are_listed_to_their_players_only(store: Store) -> None:
    await store.write([start_game(2, room_number=INVITE_ROOM, serial=1, source="room", o_player=BOT)])

    async def listed(viewer: int | None) -> list[int]:
        return [game.id for game in await store.games(viewer=viewer)]

    assert await listed(None) == [1]
    assert await listed(BOB) == [1]
    assert await listed(ANN) == [2, 1]
    assert await listed(BOT) == [2, 1]
    private = await store.game(2)
    assert private is not None
    assert [private.visible_to(viewer) for viewer in (None, ANN, BOB, BOT)] == [False, True, False, True]
    public = await store.game(1)
    assert public is not None
    assert public.visible_to(None)


async def test_pages_of_games_newest_first(store: Store) -> None:
    # Ids come in blocks, so a greater one may have started earlier; equal times are told apart by the id.
    started = {1: 1, 2: 50, 3: 40, 4: 40, 5: 30, 6: 60}
    await store.write(
        [
            start_game(
                id,
                started_ms=ms,
                game="qubic" if id in (2, 5) else "tictactoe",
                x_player=BOT if id in (3, 5) else ANN,
                o_player=BOT if id in (3, 6) else BOB,
            )
            for id, ms in started.items()
            if id > 1
        ]
    )

    async def pages(**filters: Any) -> list[list[int]]:
        found: list[list[int]] = []
        before = None
        while page := [game.id for game in await store.games(limit=2, before=before, **filters)]:
            found.append(page)
            before = page[-1]
        return found

    assert await pages() == [[6, 2], [4, 3], [5, 1]]
    assert await pages(game="qubic") == [[2, 5]]
    assert await pages(player=BOT) == [[6, 3], [5]]
    assert await pages(player=ANN, game="tictactoe") == [[6, 4], [1]]
    assert await pages(player=99) == []
    assert await pages(a=BOT) == await pages(player=BOT)
    assert await pages(a=ANN, b=BOT) == await pages(a=BOT, b=ANN) == [[6]]
    assert await pages(player=BOB, a=ANN) == [[2, 4], [1]]
    assert await pages(player=BOB, a=ANN, b=BOT) == []
    assert await pages(a=BOT, b=BOT) == await pages(player=BOT, a=BOT, b=BOT) == [[3]]
    assert await pages(player=ANN, a=BOT, b=BOT) == []
    assert await store.games(before=99) == []


async def test_games_of_a_run_and_its_openings(store: Store) -> None:
    runs = {
        2: ("night/small/1", "a1 b2"),
        3: ("night/small/1", "a1 b2"),
        4: ("night/small/1", "b2 a1"),
        5: ("other", "a1 b2"),
    }
    await store.write(
        [
            start_game(id, source="ladder", run_id=run, pair_id=id, opening_id=opening)
            for id, (run, opening) in runs.items()
        ]
    )

    async def listed(**filters: Any) -> list[int]:
        return [game.id for game in await store.games(**filters)]

    assert await listed(run="night/small/1") == [4, 3, 2]
    assert await listed(run="night/small/1", before=4) == [3, 2]
    assert await listed(run="night/small/1", opening="a1 b2") == [3, 2]
    assert await listed(run="night/small/1", a=BOB, b=ANN, opening="b2 a1") == [4]
    assert await listed(run="night/small/1", a=BOT) == await listed(run="night") == []
    assert await listed(opening="a1 b2") == [5, 3, 2]


async def test_what_bots_told_is_found_in_the_events_of_their_game(store: Store) -> None:
    game = await store.game(GAME)
    assert game is not None
    found = '{"e":"moved","ply":%d,"search":{"depth":2,"pv":["a1","b2"]}}'
    during, before = game.started_ms, game.started_ms - 1
    events = [
        (1, before, "moved", found % 0),  # of an earlier game of the room
        (2, during, "moved", found % 1),
        (3, during, "moved", '{"e":"moved","ply":2}'),
        (4, during, "said", '{"e":"said","text":"pv"}'),
    ]
    await store.write([(Statement.ADD_EVENT, (ROOM, *event)) for event in events])
    assert await store.variations(GAME) == [VariationRow(ply=1, at_ms=during, pv='["a1","b2"]')]


async def test_what_else_is_known_of_a_game(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    async with opened(path) as store:
        pair = {"run_id": "night/small/1", "pair_id": 3}
        await store.write([*people_and_rooms(), *(start_game(id, **pair) for id in (1, 2)), start_game(3)])
        execute(path, "INSERT INTO faults VALUES (2, 1, 'Ann stalled.')")
        first, second, third = [await store.game_extras(id) for id in (1, 2, 3)]
        assert first is not None
        assert second is not None
        assert third is not None
        assert (first.fault, first.pair_game) == (None, 2)
        assert (second.fault, second.pair_game) == ("Ann stalled.", 1)
        assert (third.fault, third.pair_game) == (None, None)
        assert await store.game_extras(99) is None


# Ratings


def rated_end(game: int, player: int, rating: float, games: int, kind: str = "tictactoe") -> list[Write]:
    """What a rated game's end writes of one of its players, at `1000 * game` ms."""
    return [
        (Statement.SET_RATING, (player, kind, rating, 90.5, 0.06, games, 1000 * game)),
        (Statement.ADD_RATING_CHANGE, (game, player, 1500.0, rating, 90.5, 0.06)),
    ]


def ended_game(game: int, kind: str = "tictactoe") -> list[Write]:
    return [start_game(game, game=kind), (Statement.END_GAME, (1000 * game, "x", "line", 5, game))]


async def test_a_player_without_rated_games_has_no_rating(store: Store) -> None:
    assert await store.rating(ANN, "tictactoe") is None
    assert await store.ratings(ANN) == []
    assert await rating_history(store, ANN, "tictactoe") == []


async def test_a_rating_and_how_it_came_about(store: Store) -> None:
    await store.write([*ended_game(20), *rated_end(20, ANN, 1600.25, 1), *rated_end(20, BOB, 1400.0, 1)])
    await store.write([*ended_game(12), *ended_game(30), *rated_end(30, ANN, 1650.5, 2)])
    await store.write([*ended_game(40, "qubic"), *rated_end(40, ANN, 1480.0, 1, "qubic")])
    assert await store.rating(ANN, "tictactoe") == Rating(
        rating=1650.5, deviation=90.5, volatility=0.06, games=2, updated_ms=30_000
    )
    assert await store.ratings(ANN) == [
        RatingRow(game="tictactoe", rating=1650.5, deviation=90.5, games=2, updated_ms=30_000),
        RatingRow(game="qubic", rating=1480.0, deviation=90.5, games=1, updated_ms=40_000),
    ]
    assert await rating_history(store, ANN, "tictactoe") == [
        RatingPoint(game_id=20, ended_ms=20_000, rating=1600.25, deviation=90.5),
        RatingPoint(game_id=30, ended_ms=30_000, rating=1650.5, deviation=90.5),
    ]
    assert [point.game_id for point in await rating_history(store, BOB, "tictactoe")] == [20]


async def test_the_ratings_of_bots_are_those_of_bots_in_that_game(store: Store) -> None:
    await store.write([*ended_game(20), *rated_end(20, ANN, 1600.0, 1), *rated_end(20, BOT, 1712.5, 1)])
    await store.write([*ended_game(21, "qubic"), *rated_end(21, BOT, 1300.0, 1, "qubic")])
    [row] = await store.bot_ratings("tictactoe")
    assert (row.name, row.version, row.rating, row.games) == ("alphabeta:2", 1, 1712.5, 1)
    assert (row.deviation, row.volatility, row.updated_ms) == (90.5, 0.06, 20_000)
    assert await store.bot_ratings("gomoku") == []


async def test_a_rating_made_from_one_that_is_no_longer_true_is_a_conflict(store: Store) -> None:
    await store.write([*ended_game(20), *rated_end(20, ANN, 1600.0, 1)])
    await store.write([*ended_game(21), *rated_end(21, ANN, 1620.0, 2)])
    for stale in (1, 2, 4):
        with pytest.raises(Conflict):
            await store.write([*ended_game(22), *rated_end(22, ANN, 1700.0, stale)])
    assert [point.rating for point in await rating_history(store, ANN, "tictactoe")] == [1600.0, 1620.0]
    assert (await store.ratings(ANN))[0].rating == 1620.0
    assert await store.game(22) is None


async def test_a_game_rates_a_player_once(store: Store) -> None:
    await store.write([*ended_game(20), *rated_end(20, ANN, 1600.0, 1)])
    with pytest.raises(Conflict):
        await store.write(rated_end(20, ANN, 1700.0, 2))
    assert (await store.ratings(ANN))[0].rating == 1600.0
