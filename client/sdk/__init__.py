"""The public face of the SDK: everything that a bot or another client of a noughts server needs.

A bot is a function from what it sees to a move:

    import random
    from client.sdk import run

    run("127.0.0.1:8765", lambda view: random.choice(view.legal), name="coin", game="tictactoe", against="random")

docs/bots.md documents every name.
"""

from client.sdk.bot import Choose, play, run
from client.sdk.connection import Connection, ConnectionState, SeatChoice, connect
from client.sdk.errors import (
    BadAddress,
    MissedEvents,
    NoRecord,
    NoughtsError,
    ProtocolError,
    RequestRefused,
    ServerUnreachable,
)
from client.sdk.room import LiveRoom, RoomUpdate
from client.sdk.room_view import RoomView
from client.sdk.service import Accepts, BotService
from server.wire import Action, BotLimit, ClockSettings, Lobby, Opponent, Player, Result, Review, Seat, Side

__all__ = [
    "Accepts",
    "Action",
    "BadAddress",
    "BotLimit",
    "BotService",
    "Choose",
    "ClockSettings",
    "Connection",
    "ConnectionState",
    "LiveRoom",
    "Lobby",
    "MissedEvents",
    "NoRecord",
    "NoughtsError",
    "Opponent",
    "Player",
    "ProtocolError",
    "RequestRefused",
    "Result",
    "Review",
    "RoomUpdate",
    "RoomView",
    "Seat",
    "SeatChoice",
    "ServerUnreachable",
    "Side",
    "connect",
    "play",
    "run",
]
