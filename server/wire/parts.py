"""Parts of messages: what requests, events and replies are made of."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from server.wire.fields import (
    BotName,
    ClaimMs,
    DatabaseId,
    Depth,
    Deviation,
    Forced,
    GameId,
    Kind,
    MoveText,
    Ms,
    Name,
    Nodes,
    OfferKind,
    PlayerId,
    Ply,
    Provisional,
    RatingPoints,
    RoomId,
    Serial,
    Side,
    Termination,
    Text,
    UnixMs,
    Value,
    Verdict,
    WinIn,
)

# Of requests


class Form(Struct, forbid_unknown_fields=True, kw_only=True):
    """A part of a client's message."""


class ClockSettings(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Either `initial_ms` with `increment_ms`, or `move_ms`; bounds are checked where a room is made."""

    initial_ms: Ms | None = None
    increment_ms: Ms | None = None
    move_ms: Ms | None = None


class BotLimit(Form, omit_defaults=True):
    """What a bot may spend on one move: exactly one of the three."""

    move_ms: Ms | None = None
    nodes: Nodes | None = None
    depth: Depth | None = None


class Opponent(Form):
    """Who takes the other seat: anyone, an invited one, a bot, one player, or the sender."""

    kind: Literal["open", "invite", "bot", "player", "self"]
    bot: BotName | None = None
    player: PlayerId | None = None


class Bots(Form):
    """Two bots that play each other."""

    x: BotName
    o: BotName


# Of events and replies


class Part(Struct, kw_only=True, omit_defaults=True):
    """A part of a server's message. Fields with a default are left out when they hold it."""


class Player(Part):
    """Who somebody is."""

    id: PlayerId
    name: Name
    kind: Kind


class Author(Part):
    """Who said something, by the name of that time."""

    id: PlayerId
    name: Name


class RatingView(Part):
    """A player's rating in a kind of game; nobody has one before their first rated game of it."""

    value: RatingPoints
    deviation: Deviation
    provisional: Provisional = False
    change: Annotated[int, Meta(description="what the game that is over in this room added to it")] | None = None


class RatingChange(Part):
    """What a rated game made of a player's rating; `deviation` and `provisional` are of the new one."""

    before: RatingPoints
    after: RatingPoints
    deviation: Deviation
    provisional: Provisional = False


def rating_after(change: RatingChange) -> RatingView:
    """What a seat shows after a rated game."""
    return RatingView(
        value=change.after,
        deviation=change.deviation,
        provisional=change.provisional,
        change=change.after - change.before,
    )


class Ratings(Part):
    """What a rated game made of both players' ratings."""

    x: RatingChange
    o: RatingChange


class HeldRoom(Part):
    """A room where the player who is told of it holds a seat."""

    room: RoomId
    game: GameId
    opponent: (
        Annotated[
            Player, Meta(description="the player themself where both seats are theirs; left out while a seat is free")
        ]
        | None
    ) = None


class ListedPlayer(Player):
    """Who sits in a game that the lobby lists, with their rating in this kind of game."""

    rating: RatingView | None = None


class Seat(Part):
    """Who sits: `bot` is set for a bot that this server runs, `rating` where this kind of game has one of theirs."""

    id: PlayerId
    name: Name
    kind: Kind
    present: bool
    bot: BotName | None = None
    rating: RatingView | None = None
    claim_ms: ClaimMs | None = None


class Seats(Part):
    """Who sits on either side, null where the seat is free."""

    x: Seat | None
    o: Seat | None


class ClockView(Part):
    """What either side has left as of `ts`, and whose time runs."""

    x_ms: Ms
    o_ms: Ms
    running: Side | None
    initial_ms: Ms | None = None
    increment_ms: Ms | None = None
    move_ms: Ms | None = None


class Result(Part):
    """How a game ended: who won, apart from why."""

    winner: Side | None
    termination: Termination
    declined: Annotated[bool, Meta(description="aborted because who was challenged does not want to play")] = False


class GameView(Part):
    """A game of a room: `legal`, `to_move` and `forced` are for the position after `moves`."""

    serial: Serial
    id: DatabaseId | None
    game: GameId
    start: list[MoveText]
    moves: list[MoveText]
    to_move: Side | None
    legal: list[MoveText]
    started: bool
    result: Result | None
    last: MoveText | None = None
    line: list[MoveText] | None = None
    forced: Forced | UnsetType | None = UNSET
    fault: Annotated[Text, Meta(description="what a bot did that lost it the game")] | None = None


class RefusedField(Part):
    """Which field of a request was refused, so that a form can say so beside it, in the field's own units."""

    name: Annotated[str, Meta(description="of the field, as in game, clock.initial_ms, opponent.bot")]
    least: Annotated[int, Meta(description="the least that it may be, in its unit on the wire")] | None = None
    most: Annotated[int, Meta(description="the most that it may be")] | None = None


class Offer(Part):
    """An open offer."""

    by: Side
    what: OfferKind


class ChatLine(Part):
    """Something said."""

    by: Author
    text: Text
    ts: UnixMs


class Search(Part):
    """What a bot's search found: `value` in the bot's own scale, from the mover's side."""

    nodes: Nodes
    depth: Depth
    value: Value | None
    win_in: WinIn | None
    pv: list[MoveText]
    proven: Annotated[bool, Meta(description="`value` is the exact result of best play")] = False
    interpreted: Annotated[bool, Meta(description="found before the server had compiled the bot's search")] = False
    at_most: Annotated[
        bool, Meta(description="`win_in` is a bound: it may be sooner; true where it is left out, unlike in reviews")
    ] = True


class JudgedMove(Part):
    """What a review says of a move, for whoever made it: `won`, `drawn` and `lost` are exact, the others estimates."""

    ply: Ply
    verdict: Annotated[Verdict, Meta(description="what the move leads to")]
    exact: Annotated[bool, Meta(description="decided by a solver or a proof, else estimated")]
    value: Annotated[float, Meta(description="1, 0 or -1 where it is exact, else an estimate strictly between")]
    best: Annotated[
        list[MoveText], Meta(description="the best line from before the move; begins with it where none is better")
    ]
    could: Annotated[Verdict, Meta(description="what the first move of `best` leads to")]
    win_in: (
        Annotated[int, Meta(description="plies to the forced end, 1 for the move that ends it, negative: lost")] | None
    ) = None
    at_most: Annotated[bool, Meta(description="`win_in` is a bound: it may be sooner")] = False
    could_in: Annotated[int, Meta(description="plies to the forced end by `best`, as `win_in`")] | None = None
