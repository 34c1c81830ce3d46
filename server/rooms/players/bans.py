"""Whom the operator keeps out: players, kept in the database, and for a time the addresses from which they came.

Addresses are never stored, so those bans end with the process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from server.db.play import BanRow
from server.db.store import Store
from server.play.writes import Statement


class Bans:
    """Reading and committing raise StoreUnavailable. Times are Unix milliseconds."""

    def __init__(self, store: Store, unix_ms: Callable[[], int]) -> None:
        self._store = store
        self._unix_ms = unix_ms
        self._players: dict[str, BanRow] = {}
        self._addresses: dict[tuple[str, str], int] = {}
        """until when, by address and by the player who was banned with it"""

    async def load(self) -> None:
        """Read the bans that the database has."""
        self._players = {str(row.player_id): row for row in await self._store.bans()}

    async def ban(self, player: str, until_ms: int | None, reason: str) -> None:
        """Replaces an earlier ban; None means for good."""
        row = BanRow(int(player), self._unix_ms(), until_ms, reason)
        await self._store.write([(Statement.BAN_PLAYER, (row.player_id, row.since_ms, until_ms, reason))])
        self._players[player] = row

    def ban_addresses(self, addresses: Iterable[str], until_ms: int, player: str) -> None:
        """`player` is banned with them: `unban` of that player lets the addresses in again too."""
        now_ms = self._unix_ms()
        self._addresses = {ban: until for ban, until in self._addresses.items() if until > now_ms}
        self._addresses.update({(address, player): until_ms for address in addresses})

    async def unban(self, player: str) -> bool:
        """Return whether there was a ban."""
        known = self.sentence(player) is not None
        await self._store.write([(Statement.UNBAN_PLAYER, (int(player),))])
        self._players.pop(player, None)
        self._addresses = {ban: until for ban, until in self._addresses.items() if ban[1] != player}
        return known

    def sentence(self, player: str) -> str | None:
        """Why this player is kept out now; None where they are not."""
        row = self._players.get(player)
        if row is None or (row.until_ms is not None and row.until_ms <= self._unix_ms()):
            return None
        until = _until(row.until_ms) if row.until_ms is not None else ""
        return f"You are banned{until}: {row.reason}" if row.reason else f"You are banned{until}."

    def address_sentence(self, address: str) -> str | None:
        """Why nobody may come from here now; None where everybody may."""
        until_ms = max((until for (banned, _), until in self._addresses.items() if banned == address), default=0)
        if until_ms <= self._unix_ms():
            return None
        return f"Nobody may play from your address{_until(until_ms)}."


def _until(ms: int) -> str:
    """Nothing for a time beyond the calendar, as a row that was edited by hand may have: that is for good."""
    try:
        return f" until {datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return ""
