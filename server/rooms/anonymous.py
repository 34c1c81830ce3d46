"""What is left of a deleted player."""

from __future__ import annotations

from server.wire import Player


def anonymous(player: Player) -> Player:
    """The name that games show for a deleted player."""
    return Player(id=player.id, name=f"deleted player {player.id}", kind=player.kind)
