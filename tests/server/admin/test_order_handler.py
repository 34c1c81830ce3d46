"""An operator's orders, carried out on a lobby and its players."""

from __future__ import annotations

import logging

import pytest

from server.admin.orders import (
    Announce,
    Ban,
    ChangeToken,
    CloseRoom,
    Delete,
    Drain,
    ListPlayers,
    NewBot,
    Rename,
    Unban,
)
from server.play.writes import Statement, StoreUnavailable
from server.rooms.players.players import token_hash
from server.wire import Act, Create, Join, Opponent, Player, Rematch
from tests.support.rooms.admin_orders import Office
from tests.support.rooms.fakes import created, kinds, settle
from tests.support.rooms.lobby_guests import INVITE, asked, member, refusal
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, EVE

SELF = Opponent(kind="self")


async def test_players_are_listed_with_where_they_are() -> None:
    office = Office()
    room = await created(office.lobby, member(office.lobby, ANN), Create(game="qubic", opponent=SELF))
    answer = await office.order(ListPlayers())
    assert answer.said == "2 players."
    assert [(line.name, line.connected, line.rooms) for line in answer.players] == [
        (ANN.name, True, [room.id]),
        (BOB.name, False, []),
    ]
    assert (await office.order(ListPlayers(search=BOB.name))).said == "1 player."


async def test_accents_may_be_typed_apart_from_their_letters() -> None:
    office = Office()
    await office.order(Rename(player=ANN.id, name="Zo\u00eb"))
    assert [line.id for line in (await office.order(ListPlayers(search="Zoe\u0308"))).players] == [ANN.id]


async def test_a_new_name_is_shown_where_the_player_sits() -> None:
    office = Office()
    ann = member(office.lobby, ANN)
    room = await created(office.lobby, ann, Create(game="qubic", opponent=INVITE))
    assert (await office.order(Rename(player=ANN.id, name=" Annabel "))).done
    assert ann.player.name == "Annabel"
    assert [seat.name for seat in room.session.seats.values() if seat is not None] == ["Annabel"]


@pytest.mark.parametrize("name", ["", "x" * 21, "level:3"])
async def test_a_name_that_nobody_may_have_is_refused(name: str) -> None:
    office = Office()
    await office.refused(Rename(player=ANN.id, name=name))
    assert office.register.players[ANN.id] == ANN


async def test_a_name_that_ends_in_a_full_stop_ends_the_sentence() -> None:
    renamed = await Office().order(Rename(player=ANN.id, name="Anna B."))
    assert renamed.said == f"Player {ANN.id} is now called Anna B."


async def test_who_is_banned_is_sent_away_until_the_ban_is_lifted() -> None:
    office = Office()
    ann, bob = member(office.lobby, ANN), member(office.lobby, BOB)
    assert (await office.order(Ban(player=ANN.id, ms=60_000, reason="insults"))).done
    assert office.bans.bans == {ANN.id: (61_000, "insults")}
    assert (ann.open, bob.open) == (False, True)
    (line,) = (await office.order(ListPlayers(search=ANN.name))).players
    assert line.ban == "insults"
    assert (await office.order(Unban(player=ANN.id))).done
    assert "not banned" in await office.refused(Unban(player=ANN.id))


async def test_a_ban_reaches_the_bots_that_its_player_made() -> None:
    office = Office()
    coin, bob = member(office.lobby, Player(id="60", name="coin", kind="bot")), member(office.lobby, BOB)
    office.register.bots.append((coin.player, ANN))
    await office.order(Ban(player=ANN.id, reason="insults"))
    assert office.bans.bans == dict.fromkeys((ANN.id, "60"), (None, "insults"))
    assert (coin.open, bob.open) == (False, True)
    await office.order(Unban(player=ANN.id))
    assert office.bans.bans == {}


async def test_a_ban_reaches_a_bot_that_is_made_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    office = Office()
    ban = office.bans.ban

    async def slowly(player: str, until_ms: int | None, reason: str) -> None:
        await ban(player, until_ms, reason)
        if player == ANN.id:
            office.register.bots.append((Player(id="60", name="coin", kind="bot"), ANN))

    monkeypatch.setattr(office.bans, "ban", slowly)
    await office.order(Ban(player=ANN.id, reason="insults"))
    assert set(office.bans.bans) == {ANN.id, "60"}


async def test_a_ban_with_the_address_sends_away_whoever_is_there() -> None:
    office = Office()
    ann, bob = member(office.lobby, ANN), member(office.lobby, BOB)
    ann.address = bob.address = "192.0.2.1"
    eve = member(office.lobby, EVE)
    assert (await office.order(Ban(player=ANN.id, address_ms=60_000))).said.endswith("with their address.")
    assert office.bans.bans == {ANN.id: (None, "")}, "for good"
    assert office.bans.addresses == {"192.0.2.1": (61_000, ANN.id)}
    assert (ann.open, bob.open, eve.open) == (False, False, True)


async def test_the_address_of_who_is_not_here_cannot_be_banned() -> None:
    office = Office()
    assert "not connected" in (await office.order(Ban(player=ANN.id, address_ms=60_000))).said
    assert office.bans.addresses == {}


async def test_a_bot_is_made_with_a_token_that_is_told_once() -> None:
    office = Office()
    answer = await office.order(NewBot(name=" coin "))
    assert office.register.players["50"] == Player(id="50", name="coin", kind="bot")
    assert answer.token is not None
    assert office.register.hashes["50"] == token_hash(answer.token)
    assert await office.refused(NewBot(name="level:3"))


async def test_a_token_is_withdrawn_with_its_connections_and_renewed() -> None:
    office = Office()
    ann = member(office.lobby, ANN)
    assert (await office.order(ChangeToken(player=ANN.id, told=False))).token is None
    withdrawn = office.register.hashes[ANN.id]
    assert office.register.withdrawn[ANN.id]
    assert not ann.open
    answer = await office.order(ChangeToken(player=ANN.id, told=True))
    assert answer.token is not None
    assert office.register.hashes[ANN.id] == token_hash(answer.token) != withdrawn
    assert not office.register.withdrawn[ANN.id]


async def test_no_token_is_told_of_a_player_who_is_deleted_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    office = Office()

    async def delete(player: Player, hashed: bytes, *, withdrawn: bool) -> None:
        del office.register.players[player.id]

    monkeypatch.setattr(office.register, "change_token", delete)
    assert f"There is no player {ANN.id}" in await office.refused(ChangeToken(player=ANN.id, told=True))


async def test_who_is_deleted_is_sent_away() -> None:
    office = Office()
    ann = member(office.lobby, ANN)
    assert (await office.order(Delete(player=ANN.id))).done
    assert ANN.id not in office.register.players
    assert not ann.open


async def test_who_plays_is_not_deleted_before_the_room_is_closed() -> None:
    office = Office()
    room = await created(office.lobby, member(office.lobby, ANN), Create(game="qubic", opponent=SELF))
    assert room.id in await office.refused(Delete(player=ANN.id))
    assert (await office.order(CloseRoom(room=room.id))).done
    assert (await office.order(Delete(player=ANN.id))).done


async def test_a_closed_room_aborts_its_game_and_is_gone() -> None:
    office = Office()
    ann = member(office.lobby, ANN)
    room = await created(office.lobby, ann, Create(game="qubic", opponent=SELF, clock=BLITZ))
    ann.take()
    assert (await office.order(CloseRoom(room=room.id))).done
    (ended,) = [message for message in ann.take() if message["t"] == "event"]
    assert (ended["e"], ended["winner"], ended["termination"]) == ("ended", None, "aborted")
    assert room.id not in office.lobby.rooms
    assert len(office.world.recorded(Statement.CLOSE_ROOM)) == 1
    assert not ann.following


async def test_a_room_that_waits_or_is_over_is_closed_as_well() -> None:
    office = Office()
    ann = member(office.lobby, ANN)
    room = await created(office.lobby, ann, Create(game="qubic"))
    ann.take()
    assert (await office.order(CloseRoom(room=room.id))).done
    assert kinds(ann.take())[:1] == ["ended"]
    assert "no open room" in await office.refused(CloseRoom(room=room.id))


async def test_a_room_whose_end_cannot_be_stored_stays_open() -> None:
    office = Office()
    room = await created(office.lobby, member(office.lobby, ANN), Create(game="qubic", opponent=SELF))
    office.world.failure = StoreUnavailable("The disk is full.")
    await office.refused(CloseRoom(room=room.id))
    assert office.lobby.rooms[room.id] is room
    assert room.session.game.running


async def test_no_game_begins_while_the_server_drains() -> None:
    office = Office()
    ann, bob = member(office.lobby, ANN), member(office.lobby, BOB)
    seek = await created(office.lobby, ann, Create(game="tictactoe"))
    mine = await created(office.lobby, ann, Create(game="tictactoe", opponent=SELF))
    assert (await office.order(Drain())).left == 1
    assert await refusal(office.lobby, bob, Create(game="qubic")) == "shutting_down"
    bob.take()
    seek.post_request(asked(bob, Join(room=seek.id)), 0)
    await settle()
    assert kinds(bob.take()) == ["shutting_down"]
    ann.take()
    seek.post_request(asked(ann, Join(room=seek.id)), 0)
    await settle()
    assert kinds(ann.take()) == ["room"], "who sits may come back"
    mine.post_request(asked(ann, Act(room=mine.id, game=1, action="resign")), 0)
    mine.post_request(asked(ann, Rematch(room=mine.id)), 0)
    await settle()
    assert kinds(ann.take())[-1] == "shutting_down"
    assert (await office.order(Drain())).left == 0
    assert (await office.order(Drain(on=False))).left is None
    seek.post_request(asked(bob, Join(room=seek.id)), 0)
    await settle()
    assert seek.session.game.running


async def test_a_game_that_nobody_is_in_is_not_waited_for() -> None:
    office = Office()
    ann = member(office.lobby, ANN)
    room = await created(office.lobby, ann, Create(game="qubic", opponent=SELF))
    room.leave(ann)
    office.lobby.on_disconnect(ann)
    await settle()
    assert room.session.game.running
    assert (await office.order(Drain())).said == "No game is left to wait for; no new one can begin."


async def test_an_announcement_is_one_line_for_everybody_until_it_is_withdrawn() -> None:
    office = Office()
    ann = member(office.lobby, ANN)
    assert (await office.order(Announce(text=" Restart \n at noon "))).said == "Announced to 1 connection."
    assert ann.take() == [{"t": "announcement", "text": "Restart at noon", "ts": 1000}]
    assert (await office.order(Announce(text=""))).done
    assert ann.take()[0]["text"] == ""
    await office.refused(Announce(text=" "))


async def test_who_is_not_there_and_what_cannot_be_read_is_told() -> None:
    office = Office()
    assert "no player 99" in await office.refused(Rename(player="99", name="Anna"))
    office.register.failure = StoreUnavailable("The disk is full.")
    assert "The disk is full." in await office.refused(Delete(player=ANN.id))


async def test_every_order_leaves_a_line_without_names(caplog: pytest.LogCaptureFixture) -> None:
    office = Office()
    with caplog.at_level(logging.INFO, "server.admin"):
        await office.order(Rename(player=ANN.id, name="Annabel"))
        await office.order(CloseRoom(room="nowhere"))
    told = [vars(record) for record in caplog.records]
    assert [(line["order"], line.get("player"), line.get("room"), line["done"]) for line in told] == [
        ("rename", ANN.id, None, True),
        ("close", None, "nowhere", False),
    ]
    assert "Annabel" not in str(told)
