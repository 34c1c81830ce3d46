"""One of every message on the wire, with all its fields and with as few as it may have.

`tests/data/protocol_client.jsonl` and `protocol_server.jsonl` hold them as they are sent, line for line. A change there
is a change of the protocol; after one that is meant, `python -m tests.support.rooms.wire_examples` writes them anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from server.wire import (
    Ack,
    Act,
    Announcement,
    Author,
    BotLimit,
    Bots,
    CancelReview,
    ChatLine,
    ClientMessage,
    ClockSettings,
    ClockView,
    Create,
    Declined,
    Ended,
    Error,
    Forget,
    GameView,
    Hello,
    Join,
    JudgedMove,
    Leave,
    ListedPlayer,
    Lobby,
    LobbyRequest,
    Move,
    Moved,
    Offer,
    Offered,
    Opponent,
    Ping,
    Player,
    Pong,
    Present,
    RatingChange,
    Ratings,
    RatingView,
    Rematch,
    Result,
    Resume,
    Review,
    ReviewRequest,
    Room,
    RoomEvent,
    RunningRoom,
    Said,
    Say,
    Search,
    Seat,
    Seated,
    Seats,
    Seek,
    ServerReply,
    Spectators,
    Started,
    TakenBack,
    Thinking,
    Watch,
    Welcome,
    encode,
    encode_event,
    envelope,
)

CLIENT_LINES = Path(__file__).parents[2] / "data" / "protocol_client.jsonl"
SERVER_LINES = Path(__file__).parents[2] / "data" / "protocol_server.jsonl"

SEQ, TS = 7, 1_700_000_000_000

REQUESTS: list[ClientMessage] = [
    Hello(v=1),
    Hello(id=1, v=1, token="secret", name="Ann", kind="person"),
    Create(game="tictactoe"),
    Create(
        id=2,
        game="mnk:5,4,4",
        seat="x",
        opponent=Opponent(kind="bot", bot="alphabeta:2"),
        clock=ClockSettings(initial_ms=60_000, increment_ms=1_000),
        limit=BotLimit(depth=2),
        rated=False,
        start=["a1"],
    ),
    Create(game="qubic", seat="none", bots=Bots(x="random", o="random"), clock=ClockSettings(move_ms=1_000)),
    Create(game="qubic", opponent=Opponent(kind="player", player="2"), limit=BotLimit(nodes=1_000)),
    Join(id=3, room="r1"),
    Join(code="c0de"),
    Watch(room="r1"),
    Watch(id=4, room="r1", code="c0de"),
    Leave(id=5, room="r1"),
    Move(room="r1", game=1, ply=0, move="a1"),
    Move(id=6, room="r1", game=1, ply=0, move="a1", after=3),
    Act(id=7, room="r1", game=1, action="offer_draw"),
    Rematch(id=8, room="r1"),
    Say(id=9, room="r1", text="hello"),
    Resume(id=10, room="r1", seq=3),
    LobbyRequest(id=11, on=True),
    ReviewRequest(id=13, game=17),
    CancelReview(id=14, game=17),
    Forget(id=15),
    Ping(id=12, ts=TS),
]

ANN = Player(id="1", name="Ann", kind="person")
BOB = Player(id="2", name="Bob", kind="person")
CLOCK = ClockView(x_ms=60_000, o_ms=59_000, running="x", initial_ms=60_000, increment_ms=1_000)
LEFT = ClockView(x_ms=60_000, o_ms=59_000, running="o")
OVER = ClockView(x_ms=60_000, o_ms=59_000, running=None)
SEARCH = Search(nodes=99, depth=3, value=0.5, win_in=None, pv=["b2", "c3"])
RATINGS = Ratings(
    x=RatingChange(before=1500, after=1662, deviation=290, provisional=True),
    o=RatingChange(before=1600, after=1588, deviation=58),
)
ANN_LISTED = ListedPlayer(id="1", name="Ann", kind="person", rating=RatingView(value=1500, deviation=60))
BOB_LISTED = ListedPlayer(id="2", name="Bob", kind="person")
RATED_SEAT = Seat(
    id="1",
    name="Ann",
    kind="person",
    present=True,
    rating=RatingView(value=1662, deviation=290, provisional=True, change=162),
)
ANNS_SEAT = Seat(id="1", name="Ann", kind="person", present=True)
BOTS_SEAT = Seat(id="9", name="random", kind="bot", present=True, bot="random")
WAITING = GameView(
    serial=1,
    id=None,
    game="tictactoe",
    start=[],
    moves=[],
    to_move=None,
    legal=[],
    started=False,
    result=None,
)
RUNNING = GameView(
    serial=2,
    id=17,
    game="ultimate",
    start=["5/5"],
    moves=["5/1"],
    to_move="x",
    legal=["1/1", "1/2"],
    started=True,
    result=None,
    last="5/1",
    forced=1,
)
FINISHED = GameView(
    serial=2,
    id=17,
    game="tictactoe",
    start=[],
    moves=["a1", "b1", "a2", "b2", "a3"],
    to_move=None,
    legal=[],
    started=True,
    result=Result(winner="x", termination="line"),
    last="a3",
    line=["a1", "a2", "a3"],
)
SEEK = Seek(
    room="r1",
    game="qubic",
    clock=ClockSettings(move_ms=1_000),
    rated=True,
    by=ANN_LISTED,
    seat="x",
)

EXACT_MOVE = JudgedMove(
    ply=0, verdict="lost", exact=True, value=-1.0, best=["b2", "a1"], could="won", win_in=-6, at_most=True, could_in=7
)
ESTIMATED_MOVE = JudgedMove(ply=1, verdict="even", exact=False, value=0.125, best=["b2"], could="even")

EVENTS: list[RoomEvent] = [
    Seated(side="x", seat=ANNS_SEAT),
    Seated(side="o", seat=BOTS_SEAT),
    Seated(side="x", seat=RATED_SEAT),
    Started(
        game=GameView(
            serial=1,
            id=17,
            game="tictactoe",
            start=[],
            moves=[],
            to_move="x",
            legal=[],
            started=True,
            result=None,
        ),
        clock=CLOCK,
    ),
    Moved(ply=0, move="a1", by="x", think_ms=5, clock=None, to_move="o"),
    Moved(ply=1, move="5/1", by="o", think_ms=5, clock=LEFT, to_move="x", forced=None, search=SEARCH),
    Moved(ply=1, move="5/1", by="o", think_ms=5, clock=LEFT, to_move="x", legal=["1/1"], forced=1),
    Ended(winner="x", termination="line", clock=OVER, line=["a1", "a2", "a3"]),
    Ended(winner=None, termination="aborted", clock=None),
    Ended(winner="x", termination="line", clock=OVER, line=["a1", "a2", "a3"], ratings=RATINGS),
    Offered(by="x", what="takeback"),
    Declined(by="o", what="draw"),
    TakenBack(ply=1, moves=["a1"], clock=LEFT, to_move="o"),
    TakenBack(ply=0, moves=[], clock=None, to_move="x", legal=["5/5"], forced=None),
    Said(by=Author(id="1", name="Ann"), text='<b>"hello"</b> \\ "legal":[] \U0001f600'),
]

REPLIES: list[ServerReply] = [
    Welcome(v=1, player=ANN, rooms=[]),
    Welcome(id=1, v=1, player=ANN, rooms=["r1"], token="secret"),
    Room(
        room="r1",
        seq=1,
        game=WAITING,
        seats=Seats(x=ANNS_SEAT, o=None),
        clock=None,
        ts=TS,
        offers=[],
        chat=[],
        spectators=0,
        rated=False,
        you=None,
    ),
    Room(
        id=2,
        room="r1",
        seq=9,
        game=RUNNING,
        seats=Seats(x=ANNS_SEAT, o=BOTS_SEAT),
        clock=CLOCK,
        ts=TS,
        offers=[Offer(by="o", what="draw")],
        chat=[ChatLine(by=Author(id="1", name="Ann"), text="hello", ts=TS)],
        spectators=3,
        rated=True,
        you="both",
        code="c0de",
    ),
    Room(
        room="r1",
        seq=12,
        game=FINISHED,
        seats=Seats(x=RATED_SEAT, o=BOTS_SEAT),
        clock=OVER,
        ts=TS,
        offers=[],
        chat=[],
        spectators=0,
        rated=True,
        you="x",
    ),
    Ack(),
    Ack(id=3, room="r1", seq=9),
    Error(code="malformed", message="No."),
    Error(id=4, code="not_found", message="There is no such room.", room="r1"),
    Lobby(seeks=[], rooms=[], players=0, challenges=[], people=[]),
    Lobby(
        id=5,
        seeks=[SEEK],
        rooms=[
            RunningRoom(room="r2", game="qubic", x=ANN_LISTED, o=BOB_LISTED, plies=3, spectators=1),
            RunningRoom(
                room="r3",
                game="nine-board",
                x=BOB_LISTED,
                o=ANN_LISTED,
                plies=2,
                spectators=0,
                clock=ClockSettings(initial_ms=60_000, increment_ms=1_000),
                rated=True,
                board="o........x" + "." * 71,
                owners="." * 9,
                last="1/1",
            ),
        ],
        players=2,
        challenges=[SEEK],
        people=[ANN, BOB],
    ),
    Pong(id=6, ts=TS, server_ms=TS + 1),
    Present(room="r1", side="x", present=False),
    Spectators(room="r1", count=3),
    Announcement(text="The server restarts at noon.", ts=1_700_000_000_000),
    Announcement(text="", ts=1_700_000_000_000),
    Thinking(room="r1", nodes=1_000, depth=3, value=0.5, pv=["a1"]),
    Thinking(room="r1", nodes=1_000, depth=3, value=None, pv=[]),
    Review(game=17, done=0, of=5, moves=[]),
    Review(id=7, game=17, done=2, of=2, moves=[EXACT_MOVE, ESTIMATED_MOVE]),
    Error(code="unavailable", message="A worker failed.", game=17),
]


def event_line(event: RoomEvent) -> bytes:
    return envelope("r1", SEQ, TS, encode_event(event))


def client_lines() -> list[bytes]:
    """Requests as a client may send them: without the fields that are null."""
    fields = [msgspec.to_builtins(request) for request in REQUESTS]
    return [msgspec.json.encode(_without_nulls(message)) for message in fields]


def server_lines() -> list[bytes]:
    return [*map(encode, REPLIES), *map(event_line, EVENTS)]


def _without_nulls(fields: dict[str, object]) -> dict[str, object]:
    return {
        name: _without_nulls(value) if isinstance(value, dict) else value
        for name, value in fields.items()
        if value is not None
    }


def minimal(t: str) -> dict[str, Any]:
    """The shortest example of a request."""
    lines = [json.loads(line) for line in client_lines()]
    found: dict[str, Any] = min((line for line in lines if line["t"] == t), key=len)
    found.pop("id", None)
    return found


if __name__ == "__main__":
    CLIENT_LINES.write_bytes(b"\n".join([*client_lines(), b""]))
    SERVER_LINES.write_bytes(b"\n".join([*server_lines(), b""]))
