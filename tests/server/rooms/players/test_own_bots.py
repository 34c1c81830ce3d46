"""Bots that people make for programs of theirs, in a real database."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from engine.bots.roster import OUR_ROSTER
from server.db.store import Store
from server.rooms.players import own_bots
from server.rooms.players.bans import Bans
from server.rooms.players.deletion import delete_player
from server.rooms.players.own_bots import OwnBots
from server.rooms.players.player_names import NewNames
from server.rooms.players.players import Players, token_hash
from server.rooms.refused import Refused
from server.wire import Create, Opponent, Player
from tests.support.database.database_files import new_database, opened, people_and_rooms, start_game
from tests.support.rooms.fakes import World, created
from tests.support.rooms.lobby_guests import member

ANN, BOB = (Player(id=id, name=name, kind="person") for id, name in (("1", "Ann"), ("2", "Bob")))
SELF = Opponent(kind="self")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_database(tmp_path)


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with opened(path, block_ids=100) as store:
        await store.write(people_and_rooms())
        for _ in people_and_rooms():
            await store.next_id("player")  # those have the first numbers already
        yield store


class Workshop:
    def __init__(self, store: Store) -> None:
        self.lobby = World().lobby()
        self.unix_ms = 5
        self.players = Players(store, lambda: self.unix_ms, lambda id: None)
        self.bans = Bans(store, lambda: 5)
        self.now_ms = 0
        names = NewNames(OUR_ROSTER)
        self.bots = OwnBots(store, self.players, self.lobby, self.bans, names, lambda: self.now_ms, secrets)

    async def refused(self, owner: Player, name: str) -> Refused:
        with pytest.raises(Refused) as refused:
            await self.bots.make(owner, name)
        return refused.value


@pytest.fixture
async def workshop(store: Store) -> Workshop:
    return Workshop(store)


async def test_a_bot_is_whoever_has_its_token(workshop: Workshop) -> None:
    made, token = await workshop.bots.make(ANN, " coin ")
    assert (made.name, made.created_ms, made.games, made.last_game_ms, made.withdrawn_ms) == ("coin", 5, 0, None, None)
    assert await workshop.players.by_token(token_hash(token)) == Player(id=str(made.id), name="coin", kind="bot")
    assert await workshop.bots.listed(ANN) == [made]
    assert await workshop.bots.listed(BOB) == []


async def test_the_token_itself_is_kept_nowhere(workshop: Workshop, path: Path) -> None:
    _, token = await workshop.bots.make(ANN, "coin")
    with closing(sqlite3.connect(path)) as connection:
        hashes = [row[0] for row in connection.execute("SELECT token_hash FROM players WHERE name = 'coin'")]
    assert hashes == [token_hash(token)]


async def test_its_games_are_counted(workshop: Workshop, store: Store) -> None:
    made, _ = await workshop.bots.make(ANN, "coin")
    other, _ = await workshop.bots.make(ANN, "dice")
    await store.write([start_game(7, x_player=made.id), start_game(9, o_player=made.id)])
    await store.write([start_game(8, x_player=made.id, o_player=made.id)])
    coin, dice = await workshop.bots.listed(ANN)
    assert (coin.games, coin.last_game_ms) == (3, 9)
    assert (dice.id, dice.games, dice.last_game_ms) == (other.id, 0, None)


async def test_another_token_ends_the_former_one_and_its_connections(workshop: Workshop) -> None:
    made, first = await workshop.bots.make(ANN, "coin")
    bot = Player(id=str(made.id), name="coin", kind="bot")
    program = member(workshop.lobby, bot)
    _, second = await workshop.bots.renew(ANN, bot.id)
    assert await workshop.players.by_token(token_hash(first)) is None
    assert await workshop.players.by_token(token_hash(second)) == bot
    assert not program.open


async def test_a_withdrawn_bot_is_nobody_until_it_gets_another_token(workshop: Workshop) -> None:
    made, token = await workshop.bots.make(ANN, "coin")
    program = member(workshop.lobby, Player(id=str(made.id), name="coin", kind="bot"))
    for workshop.unix_ms in (5, 6):
        assert (await workshop.bots.withdraw(ANN, str(made.id))).withdrawn_ms == 5
    assert await workshop.players.by_token(token_hash(token)) is None
    assert not program.open
    [listed] = await workshop.bots.listed(ANN)
    assert (listed.name, listed.withdrawn_ms) == ("coin", 5)
    again, _ = await workshop.bots.renew(ANN, str(made.id))
    assert again.withdrawn_ms is None


async def test_whose_token_the_operator_withdraws_is_withdrawn_here_too(workshop: Workshop) -> None:
    made, _ = await workshop.bots.make(ANN, "coin")
    await workshop.players.change_token(Player(id=str(made.id), name="coin", kind="bot"), b"x" * 32, withdrawn=True)
    [listed] = await workshop.bots.listed(ANN)
    assert listed.withdrawn_ms == 5


@pytest.mark.parametrize("id", ["", "x", "2", "3", "99", "9" * 30, "-1"])
async def test_bots_of_others_are_not_there(workshop: Workshop, id: str) -> None:
    made, token = await workshop.bots.make(ANN, "coin")
    for bot in (id, str(made.id)):
        for change in (workshop.bots.renew, workshop.bots.withdraw):
            with pytest.raises(Refused) as refused:
                await change(BOB, bot)
            assert refused.value.code == "not_found"
    assert await workshop.players.by_token(token_hash(token)) is not None


@pytest.mark.parametrize("name", ["", "x" * 21, "level:3", "Stufe 2", "Random", "a\nb"])
async def test_a_name_that_nobody_may_have_is_refused(workshop: Workshop, name: str) -> None:
    assert (await workshop.refused(ANN, name)).code == "bad_name"
    assert await workshop.bots.listed(ANN) == []


async def test_a_person_has_so_many_bots_and_no_more(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_bots, "MOST", 2)
    first, _ = await workshop.bots.make(ANN, "one")
    await workshop.bots.make(ANN, "two")
    await workshop.bots.withdraw(ANN, str(first.id))
    assert "You have 2 bots" in str(await workshop.refused(ANN, "three"))
    await workshop.bots.make(BOB, "three")


async def test_tokens_come_at_a_bounded_rate(workshop: Workshop) -> None:
    made, _ = await workshop.bots.make(ANN, "coin")
    for _ in range(own_bots.AT_ONCE - 1):
        await workshop.bots.renew(ANN, str(made.id))
    with pytest.raises(Refused, match="try again in 180 s") as refused:
        await workshop.bots.renew(ANN, str(made.id))
    assert (refused.value.code, refused.value.wait_s) == ("too_fast", 180)
    await workshop.bots.withdraw(ANN, str(made.id))  # at any time
    workshop.now_ms = 180_000
    await workshop.bots.renew(ANN, str(made.id))


async def test_bots_and_the_banned_make_none(workshop: Workshop) -> None:
    made, _ = await workshop.bots.make(ANN, "coin")
    bot = Player(id=str(made.id), name="coin", kind="bot")
    assert "Only people" in str(await workshop.refused(bot, "dice"))
    await workshop.bans.ban(ANN.id, None, "insults")
    assert "insults" in str(await workshop.refused(ANN, "dice"))
    with pytest.raises(Refused, match="insults"):
        await workshop.bots.renew(ANN, bot.id)


async def test_bots_go_with_their_owner(workshop: Workshop, store: Store, path: Path) -> None:
    made, token = await workshop.bots.make(ANN, "coin")
    kept, others = await workshop.bots.make(BOB, "dice")
    await workshop.bots.withdraw(ANN, str((await workshop.bots.make(ANN, "lost"))[0].id))
    program = member(workshop.lobby, Player(id=str(made.id), name="coin", kind="bot"))
    plays = await created(workshop.lobby, program, Create(game="tictactoe", opponent=SELF))
    await delete_player(workshop.lobby, ANN, workshop.players)
    assert not program.open
    assert plays.session.game.result is not None
    assert plays.session.game.result.termination == "aborted"
    assert program.player.name == f"deleted player {made.id}"
    assert workshop.lobby.is_deleted(str(made.id))
    assert await workshop.players.by_token(token_hash(token)) is None
    assert await workshop.players.by_token(token_hash(others)) is not None
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM players WHERE name IN ('Ann', 'coin', 'lost')").fetchall() == []
        assert connection.execute("SELECT player_id FROM owned_bots").fetchall() == [(kept.id,)]


async def test_a_bot_that_is_made_while_its_owner_is_deleted_keeps_no_name(
    workshop: Workshop, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    withdraw = workshop.lobby.withdraw

    async def withdraw_late(player: str) -> None:
        assert (await workshop.refused(ANN, "late")).code == "not_now"
        await workshop.players.add("coin", "bot", b"its token", ANN)  # its request had been checked before
        await withdraw(player)

    monkeypatch.setattr(workshop.lobby, "withdraw", withdraw_late)
    await delete_player(workshop.lobby, ANN, workshop.players)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM players WHERE name IN ('Ann', 'coin', 'late')").fetchall() == []
    assert await workshop.players.by_token(b"its token") is None


async def test_bots_begin_nothing_while_their_owner_is_deleted(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _ = await workshop.bots.make(ANN, "coin")
    delete = workshop.players.delete
    held: dict[str, bool] = {}

    async def delete_late(players: Sequence[Player]) -> None:
        held.update({one.id: workshop.lobby.is_being_deleted(one.id) for one in players})
        await delete(players)

    monkeypatch.setattr(workshop.players, "delete", delete_late)
    await delete_player(workshop.lobby, ANN, workshop.players)
    assert held == {ANN.id: True, str(made.id): True}


async def test_who_is_deleted_meanwhile_makes_no_bot(workshop: Workshop) -> None:
    await workshop.players.delete([ANN])
    refused = await workshop.refused(ANN, "coin")
    assert (refused.code, refused.message) == ("not_now", "Your data is being deleted.")
    assert await workshop.bots.listed(ANN) == []
