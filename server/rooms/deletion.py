"""Deletes what is known of a player, in the database and in every room.

    begin     -> let rooms finish what is under way -> no game runs? -> end what waits
              -> one transaction -> rooms drop what they hold

From the first step on the player can begin nothing, on any connection, and what was begun before has ended or is
known by the second: so nothing of theirs is written after the transaction that deletes it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from server.play.writes import DELETED_TEXT, Statement, Write
from server.rooms.lobby import Lobby
from server.rooms.refused import Refused
from server.wire import Player


def anonymous(player: Player) -> Player:
    """As whom the games of a deleted player name them."""
    return Player(id=player.id, name=f"deleted player {player.id}", kind=player.kind)


def deletion_writes(player: Player) -> list[Write]:
    """The rows of a player without what they are known by: one write set, committed whole or not at all."""
    id, name = int(player.id), anonymous(player).name
    return [
        (Statement.ANONYMISE_PLAYER, (name, id)),
        (Statement.ANONYMISE_ROOMS, (name, player.id)),
        (Statement.ANONYMISE_SEATS, (name, player.id)),
        (Statement.ANONYMISE_CHAT, (name, DELETED_TEXT, player.id)),
        (Statement.DROP_RATINGS, (id,)),
        (Statement.DROP_RATING_CHANGES, (id,)),
        (Statement.DROP_SHARES, (id,)),
        (Statement.UNBAN_PLAYER, (id,)),
    ]


async def _check_plays(lobby: Lobby, player: Player) -> None:
    if await lobby.plays(player.id):
        raise Refused("not_now", "You have a running game: end it first, then your data can be deleted.")


async def delete_player(lobby: Lobby, player: Player, delete: Callable[[Player], Awaitable[None]]) -> None:
    """Delete a player's data; `delete` commits it.

    Raises Refused, or what `delete` raises: then nothing was deleted, but what waited may have ended.
    """
    if not lobby.begin_deletion(player.id):
        raise Refused("not_now", "Your data is already being deleted.")
    try:
        await lobby.settle()
        await _check_plays(lobby, player)
        await lobby.withdraw(player.id)
        await _check_plays(lobby, player)  # somebody may have sat down first
        if lobby.rooms_of(player.id) or await lobby.waits(player.id):
            raise Refused("unavailable", "The server cannot store anything just now: nothing was deleted.")
        await delete(player)
    except BaseException:
        lobby.cancel_deletion(player.id)
        raise
    await lobby.on_player_deleted(anonymous(player), DELETED_TEXT)
