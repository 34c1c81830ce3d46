"""Deletes what is known of a player and of the bots that they made, in the database and in every room.

    begin     -> let rooms finish what is under way -> no game runs? -> end what waits
              -> one transaction: the player is deleted -> names and words in slices -> rooms drop what they hold

From the first step on the player can begin nothing, on any connection, and what was begun before has ended or is
known by the second: so nothing of theirs is written after the transaction that deletes it. Games of their bots are no
reason to wait: whoever deletes their data may have no program any more that could end them.

Somebody may have said a hundred thousand things, and a transaction keeps all others from writing. So those go a few at
a time, and what a crash or a full disk leaves of them goes at the next start, or within the hour. Rooms that are read
before that show nothing of it: see `RoomLoader`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Protocol

from server.play.writes import DELETED_TEXT, Statement, StoreUnavailable, Write
from server.rooms.anonymous import anonymous
from server.rooms.lobby.lobby import Lobby
from server.rooms.refused import Refused
from server.wire import Player

log = logging.getLogger(__name__)


def deletion_writes(player: Player) -> list[Write]:
    """Delete a player, but not what rooms say of them: one write set, committed whole or not at all."""
    id, name = int(player.id), anonymous(player).name
    return [
        (Statement.ANONYMISE_PLAYER, (name, id)),
        (Statement.DROP_RATINGS, (id,)),
        (Statement.DROP_RATING_CHANGES, (id,)),
        (Statement.DROP_SHARES, (id,)),
        (Statement.UNBAN_PLAYER, (id,)),
        (Statement.END_TOKENS_OF_OWNED_BOTS, (id,)),
        (Statement.DROP_OWNED_BOTS, (id,)),
    ]


class Forgetter(Protocol):
    """See `Players`. Raises StoreUnavailable."""

    async def forget(self, players: Sequence[Player] | None = None) -> None: ...


class Register(Forgetter, Protocol):
    """See `Players`. Each raises StoreUnavailable."""

    async def bots_of(self, owner: Player) -> list[Player]: ...

    async def delete(self, players: Sequence[Player]) -> None: ...


async def _check_plays(lobby: Lobby, player: Player) -> None:
    if await lobby.plays(player.id):
        raise Refused("not_now", "You have a running game: end it first, then your data can be deleted.")


async def delete_player(lobby: Lobby, player: Player, register: Register) -> None:
    """Delete the data of a player and of their bots, whose games end as aborted.

    Raises Refused, or what the register raises: then nothing was deleted, but what waited may have ended. Once they are
    deleted nothing is raised: if their words cannot be stored as deleted, `finish_deletions` does it later.
    """
    if not lobby.begin_deletion(player.id):
        raise Refused("not_now", "Your data is already being deleted.")
    gone = [player]
    try:
        await lobby.settle()
        await _check_plays(lobby, player)
        gone += [bot for bot in await register.bots_of(player) if lobby.begin_deletion(bot.id)]
        await _close_rooms_of(lobby, gone[1:])
        for one in gone:
            await lobby.withdraw(one.id)
        for one in gone:
            await _check_plays(lobby, one)  # somebody may have sat down first
            if lobby.rooms_of(one.id) or await lobby.waits(one.id):
                raise Refused("unavailable", "The server cannot store anything just now: nothing was deleted.")
        await register.delete(gone)
    except BaseException:
        for one in gone:
            lobby.cancel_deletion(one.id)
        raise
    await _forget(register, gone)
    for one in gone:
        await lobby.on_player_deleted(anonymous(one), DELETED_TEXT)
    for bot in gone[1:]:
        lobby.end_connections(bot.id, "the owner of this bot is deleted")


async def finish_deletions(register: Forgetter) -> None:
    """Go on with deletions that a crash or the store has cut short."""
    await _forget(register, None)


async def _forget(register: Forgetter, players: Sequence[Player] | None) -> None:
    try:
        await register.forget(players)
    except StoreUnavailable as error:
        log.warning("what deleted players said cannot be deleted now", extra={"error": str(error)})


async def _close_rooms_of(lobby: Lobby, bots: Sequence[Player]) -> None:
    if bots:
        await lobby.settle()
    for bot in bots:
        for room in await lobby.unfinished_rooms_of(bot.id):
            await lobby.close_room(room)
