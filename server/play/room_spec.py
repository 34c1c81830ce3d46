"""What a room was made for, and how its bots keep time."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from server.wire import BotLimit, ClockSettings, PaceAsked, Player, Seat


class RoomSpec(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a room was made for; kept as JSON in the database. `kind` says how its seats are filled."""

    game: str
    kind: str
    """open, invite, player, bot, self or bots"""
    creator: Player
    x: Seat | None
    o: Seat | None
    target: str | None = None
    """the only player who may take the free seat of a challenge"""
    clock: ClockSettings | None = None
    limit: BotLimit | None = None
    rated: bool = False
    start: list[str] = []
    pace: PaceAsked | None = None
    """how its bots answer; None is as soon as they can"""
    takebacks: bool = True
    """Whether moves may be taken back in casual games: some bots cannot go back"""


class Pace(Struct, frozen=True):
    """How long bots take: at most `think_ms`, whatever limit was asked for; two bots `between_ms` apart."""

    think_ms: int = 30_000
    between_ms: int = 250


_spec_decoder = msgspec.json.Decoder(RoomSpec)


def encode_spec(spec: RoomSpec) -> str:
    return msgspec.json.encode(spec).decode()


def decode_spec(text: str | bytes) -> RoomSpec:
    return _spec_decoder.decode(text)
