"""Ratings as they are committed, held by one game at a time."""

from __future__ import annotations

import asyncio
import gc

import pytest

from engine.stats.glicko import NEW, Rating
from server.play.effects import RatedGame
from server.rooms.room.rating_book import RatingBook
from tests.support.rooms.fakes import settle

STRONG = Rating(rating=1800.0, deviation=50.0, games=30, updated_ms=1)


def rated(x: str, o: str, game: str = "qubic") -> RatedGame:
    return RatedGame(id=1, game=game, x=x, o=o, x_points=1.0)


class Records:
    """Ratings by player and game."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], Rating] = {}
        self.book = RatingBook(self)
        self.log: list[str] = []

    async def rating(self, player: int, game: str) -> Rating | None:
        await asyncio.sleep(0)
        return self.rows.get((str(player), game))

    async def end(self, name: str, game: RatedGame, committed: asyncio.Event) -> None:
        async with self.book.held(game):
            self.log.append(f"{name} begins")
            await committed.wait()
            self.log.append(f"{name} ends")


async def test_who_never_played_this_game_rated_has_no_rating() -> None:
    records = Records()
    records.rows["1", "qubic"] = STRONG
    assert await records.book.known("qubic", ["1", "2"]) == {"1": STRONG}
    assert await records.book.known("ultimate", ["1", "2"]) == {}
    async with records.book.held(rated("2", "1")) as before:
        assert before == (NEW, STRONG)


async def test_games_that_share_a_player_are_held_one_after_the_other() -> None:
    records, committed = Records(), asyncio.Event()
    games = {"first": rated("1", "2"), "second": rated("2", "1"), "third": rated("3", "2")}
    async with asyncio.TaskGroup() as tasks:
        for name, game in games.items():
            tasks.create_task(records.end(name, game, committed))
        await settle()
        assert records.log == ["first begins"]
        committed.set()
    assert sorted(records.log[::2]) == [f"{name} begins" for name in games]
    for begun, ended in zip(records.log[::2], records.log[1::2], strict=True):
        assert begun.split()[0] == ended.split()[0], "one at a time"


@pytest.mark.parametrize("other", [rated("3", "4"), rated("1", "2", "ultimate")])
async def test_games_that_share_nothing_do_not_wait(other: RatedGame) -> None:
    records, committed = Records(), asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(records.end("first", rated("1", "2"), committed))
        tasks.create_task(records.end("second", other, committed))
        await settle()
        assert records.log == ["first begins", "second begins"]
        committed.set()


async def test_a_circle_of_players_never_stands_still() -> None:
    records, committed = Records(), asyncio.Event()
    committed.set()
    pairs = [("1", "2"), ("2", "3"), ("3", "1"), ("2", "1"), ("3", "2"), ("1", "3")] * 5
    async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
        for x, o in pairs:
            tasks.create_task(records.end("a game", rated(x, o), committed))
    assert len(records.log) == 2 * len(pairs)


async def test_a_game_that_fails_lets_the_next_one_go_on() -> None:
    records = Records()
    with pytest.raises(OSError, match="disk"):
        async with records.book.held(rated("1", "2")):
            raise OSError("the disk is full")
    async with asyncio.timeout(60), records.book.held(rated("1", "2")):
        pass


async def test_players_who_are_gone_are_forgotten() -> None:
    records = Records()
    for number in range(50):
        async with records.book.held(rated(str(number), str(number + 1))):
            pass
    gc.collect()
    assert len(records.book._locks) == 0
