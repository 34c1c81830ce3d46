"""What a room commits: events as rows, with the ratings that they make, and as the payloads that members are sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from engine.stats.glicko import Rating
from server.play.effects import Commit, RatedGame, SequencedEvent, with_ratings
from server.play.history import RowBuilder, rate
from server.play.inputs import CommitFailed, Committed, StoreBack
from server.play.session import Session
from server.play.stored_events import public_body
from server.play.writes import Statement, Write
from server.rooms.room.services import RoomServices
from server.wire import Ratings, encode_event, envelope

log = logging.getLogger(__name__)

COMMIT_RETRY_S = 1.0


class Commits:
    """`payloads` are those of the last commit."""

    def __init__(
        self, row_builder: RowBuilder, services: RoomServices, post_input: Callable[[StoreBack], None]
    ) -> None:
        self.row_builder = row_builder
        self.first_writes: list[Write] = []
        """rows that go with the next commit: the room itself, or that it is awake"""
        self.payloads: list[bytes] = []
        self._services = services
        self._post_input = post_input

    async def commit(self, session: Session, commit: Commit) -> Committed | CommitFailed:
        """Never raises: what cannot be committed did not happen."""
        try:
            if commit.rates is None:
                writes, payloads, done = self._made(session, commit.entries)
                await self._services.committer.write(writes)
            else:
                async with self._services.ratings.held(commit.rates) as (x, o):
                    writes, payloads, done = self._made(session, commit.entries, (commit.rates, x, o))
                    await self._services.committer.write(writes)
        except Exception as error:
            log.warning("not committed", extra={"room": session.room, "error": repr(error)})
            if self._services.committer.available:
                # The store works and refused only this: wait a while, so that a fault does not become a busy loop.
                asyncio.get_running_loop().call_later(COMMIT_RETRY_S, self._post_input, StoreBack())
            return CommitFailed()
        self.first_writes = []
        self.payloads = payloads
        return done

    @property
    def wakes(self) -> bool:
        """Whether the database has the room as a sleeping one until the next commit."""
        return any(write[0] is Statement.WAKE_ROOM for write in self.first_writes)

    def forget_room_row(self) -> None:
        """The room itself is committed."""
        self.first_writes = [write for write in self.first_writes if write[0] is not Statement.ADD_ROOM]

    def _made(
        self,
        session: Session,
        entries: tuple[SequencedEvent, ...],
        rated: tuple[RatedGame, Rating, Rating] | None = None,
    ) -> tuple[list[Write], list[bytes], Committed]:
        """What is to be written, sent and answered. `rated` is a game that these entries end, and the ratings of X and
        O before it."""
        ts = self._services.clock.unix_ms()
        writes = self.first_writes
        ratings: Ratings | None = None
        if rated is not None:
            ratings, rating_writes = rate(*rated, ts)
            entries = with_ratings(entries, ratings)
            writes = writes + rating_writes
        bodies = [encode_event(entry.event) for entry in entries]
        rows = self.row_builder.writes(session, entries, bodies, ts)
        payloads = [
            envelope(session.room, entry.seq, ts, public_body(entry.event, body, session.spec))
            for entry, body in zip(entries, bodies, strict=True)
        ]
        return (writes + rows if writes else rows), payloads, Committed(ts, ratings)
