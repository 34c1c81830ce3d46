"""Rows that still have what a deleted player was called or said. A deletion goes through them in slices, and what cuts
it short leaves some."""

from __future__ import annotations

from typing import Literal, NamedTuple

from server.play.writes import DELETED_TEXT, Statement, Write


class NamingRow(NamedTuple):
    """A room or an event that still has what a deleted player was called or said; `seq` is 0 for a room."""

    room_number: int
    seq: int
    type: Literal["room", "seated", "said"]
    player_id: int
    player_name: str

    @property
    def anonymised(self) -> Write:
        """What makes it name nobody."""
        if self.type == "room":
            return Statement.ANONYMISE_ROOM, (self.player_name, str(self.player_id), self.room_number)
        if self.type == "seated":
            return Statement.ANONYMISE_SEAT, (self.player_name, self.room_number, self.seq)
        return Statement.ANONYMISE_LINE, (self.player_name, DELETED_TEXT, self.room_number, self.seq)


def _naming_deleted(of: str) -> str:
    """SQL for rows that still name players who are deleted, `of` such a condition: along an index, player by player.

    A row that is damaged keeps no other from being found.
    """
    deleted = f"p.token_hash IS NULL AND p.name = 'deleted player ' || p.id AND {of}"
    id = "p.id || ''"  # text without a type of its own, since a CAST would keep SQLite from the indexes
    return f"""
SELECT r.number, 0, 'room', p.id, p.name
FROM players AS p CROSS JOIN rooms AS r ON json_extract(r.spec, '$.creator.id') = {id}
WHERE {deleted} AND iif(json_valid(r.spec), json_extract(r.spec, '$.creator.name') != p.name, FALSE)
UNION ALL
SELECT e.room_number, e.seq, e.type, p.id, p.name
FROM players AS p CROSS JOIN events AS e ON e.type = 'seated' AND json_extract(e.body, '$.seat.id') = {id}
WHERE {deleted}
  AND iif(json_valid(e.body),
          json_extract(e.body, '$.seat.name') != p.name OR json_type(e.body, '$.seat.rating') IS NOT NULL, FALSE)
UNION ALL
SELECT e.room_number, e.seq, e.type, p.id, p.name
FROM players AS p CROSS JOIN events AS e ON e.type = 'said' AND json_extract(e.body, '$.by.id') = {id}
WHERE {deleted}
  AND iif(json_valid(e.body),
          json_extract(e.body, '$.by.name') != p.name OR json_extract(e.body, '$.text') != '{DELETED_TEXT}', FALSE)
LIMIT :limit
"""


NAMING_DELETED = _naming_deleted("TRUE")
NAMING_DELETED_OF = _naming_deleted("p.id IN (SELECT value FROM json_each(:players))")
