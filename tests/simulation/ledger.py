"""What the server has acknowledged or shown to anybody: it must be true for good, whatever is killed."""

from __future__ import annotations

from msgspec.structs import replace

from client.sdk.room_view import SequencedEvent
from server.wire import Moved, RoomEvent, Started, TakenBack, decode_event, encode_event
from tests.simulation.broken import Broken
from tests.simulation.forgotten import Forgotten


class Ledger:
    """By room and number of the event."""

    def __init__(self) -> None:
        self.seen: dict[tuple[str, int], tuple[int, bytes]] = {}
        """events with their time, as everybody must see them"""
        self.acknowledged: dict[tuple[str, int], tuple[str, dict[str, object]]] = {}
        """who was told that their request made this event, and what must be in it"""
        self.top: dict[str, int] = {}
        """the last event that anybody knows of"""
        self.forgotten = Forgotten()

    def see(self, message: SequencedEvent, who: str) -> None:
        """Raises Broken."""
        assert message.event is not None
        body = encode_event(common(message.event))
        known = self.seen.setdefault((message.room, message.seq), (message.ts, body))
        if known != (message.ts, body) and not self._differs_by_a_deletion(known, message):
            raise Broken(
                "one history",
                f"event {message.seq} of room {message.room} is {body!r} at {message.ts} to {who}, "
                f"but others saw {known[1]!r} at {known[0]}",
            )
        self.know(message.room, message.seq)

    def _differs_by_a_deletion(self, known: tuple[int, bytes], message: SequencedEvent) -> bool:
        assert message.event is not None
        ts, body = known
        return ts == message.ts and self.forgotten.same(decode_event(body), common(message.event))

    def acknowledge(self, room: str, seq: int, who: str, **fields: object) -> None:
        self.acknowledged[room, seq] = (who, fields)
        self.know(room, seq)

    def know(self, room: str, seq: int) -> None:
        self.top[room] = max(seq, self.top.get(room, 0))


def common(event: RoomEvent) -> RoomEvent:
    """The event without what only one of its viewers is shown."""
    if isinstance(event, Moved | TakenBack):
        return replace(event, legal=None) if event.legal is not None else event
    if isinstance(event, Started):
        return replace(event, game=replace(event.game, legal=[]))
    return event
