"""Events as the database keeps them: those of the wire, with what only the server may know. Pure."""

from __future__ import annotations

from typing import Annotated, TypeAlias, Union

import msgspec
from msgspec import Meta

from server.play.room_spec import RoomSpec
from server.wire import (
    Declined,
    Ended,
    Moved,
    Offered,
    RoomEvent,
    Said,
    Seated,
    Started,
    TakenBack,
    encode_event,
)


class SeededStart(Started, tag="started"):
    """A game began. Whoever knew a bot's seed could predict its moves."""

    seed: Annotated[int, Meta(description="of the game's bots")] = 0


StoredEvent: TypeAlias = Union[  # noqa: UP007
    Seated, SeededStart, Moved, Ended, Offered, Declined, TakenBack, Said
]
_decoder = msgspec.json.Decoder(StoredEvent)


def decode_stored(body: str | bytes) -> RoomEvent:
    event: RoomEvent = _decoder.decode(body)
    return event


def public_body(event: RoomEvent, body: bytes, spec: RoomSpec) -> bytes:
    """What members are shown of a committed event.

    What a bot found in a rated game stays in the database: the moves that it expects would help its opponent.
    """
    if type(event) is Moved:
        if event.search is not None and spec.rated:
            return encode_event(msgspec.structs.replace(event, search=None))
    elif type(event) is SeededStart:
        return encode_event(Started(game=event.game, clock=event.clock))
    return body
