"""A referee who follows a room by the rules of the game alone and compares all that the server says of it."""

from __future__ import annotations

import random
from typing import Any

from engine.rules.position import Position, Rules
from engine.rules.registry import rules
from tests.support.live.server import Client, Message

FLAT_CELLS_WITH_LEGAL = 81


class Referee:
    """Built from a `room` message and fed with the events that follow it."""

    def __init__(self, room: Message) -> None:
        view = room["game"]
        self.rules: Rules = rules(view["game"])
        assert view["game"] == self.rules.id
        self.you = room["you"]
        self.seq: int = room["seq"]
        self.serial: int = view["serial"]
        self.start: list[str] = view["start"]
        self.moves: list[str] = []
        self.result: Message | None = view["result"]
        self.position = self._replayed(view["moves"])
        self.compare(room)

    def _replayed(self, moves: list[str]) -> Position:
        self.moves = list(moves)
        position = self.rules.initial
        for text in (*self.start, *moves):
            position = position.play(self.rules.parse_move(text))
        return position

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def to_move(self) -> str | None:
        return None if self.over or self.position.outcome is not None else self.position.to_move

    @property
    def legal(self) -> list[str]:
        return [] if self.to_move is None else self._texts(self.position.legal_moves())

    def _texts(self, cells: Any) -> list[str]:
        return [self.rules.format_move(cell) for cell in cells]

    def compare(self, room: Message) -> None:
        """A `room` of this moment says just what the rules say."""
        view = room["game"]
        assert room["seq"] == self.seq
        assert view["moves"] == self.moves
        assert view["result"] == self.result
        if not view["started"]:
            assert view["to_move"] is None
            assert view["legal"] == []
            return
        assert view["to_move"] == self.to_move
        assert view["legal"] == self.legal
        assert view.get("last") == (self.moves[-1] if self.moves else None)
        expected_line = self._texts(self.position.line) if self.position.outcome and self.position.line else None
        assert view.get("line") == expected_line
        self._compare_forced(view)

    def _compare_forced(self, message: Message) -> None:
        """1-9, null for a free choice or when over, absent on flat boards."""
        assert ("forced" in message) == self.rules.nested, message
        if self.rules.nested:
            forced = self.position.forced if self.to_move is not None else None
            assert message["forced"] == (None if forced is None else forced + 1)

    def _compare_legal(self, message: Message) -> None:
        """Told to the member whose turn it is; not on flat boards of more than 81 cells."""
        mine = self.to_move is not None and self.you in (self.to_move, "both")
        told = mine and (self.rules.nested or self.rules.cells <= FLAT_CELLS_WITH_LEGAL)
        assert message.get("legal") == (self.legal if told else None), message

    def take(self, event: Message) -> None:
        """Follow one event of the room."""
        assert event["seq"] == self.seq + 1, f"{event} after {self.seq}"
        self.seq = event["seq"]
        take = {"started": self._started, "moved": self._moved, "ended": self._ended, "takenback": self._taken_back}
        if event["e"] in take:
            take[event["e"]](event)

    def _started(self, event: Message) -> None:
        view = event["game"]
        assert (view["moves"], view["result"], view["started"]) == ([], None, True)
        assert view["start"] == self.start
        self.serial = view["serial"]
        self.result = None
        self.position = self._replayed([])
        assert view["to_move"] == self.to_move
        self._compare_forced(view)

    def _moved(self, event: Message) -> None:
        assert event["ply"] == len(self.moves)
        assert event["by"] == self.to_move
        assert event["move"] in self.legal
        self.moves.append(event["move"])
        self.position = self.position.play(self.rules.parse_move(event["move"]))
        assert event["to_move"] == self.to_move
        self._compare_forced(event)
        self._compare_legal(event)

    def _ended(self, event: Message) -> None:
        assert not self.over
        outcome = self.position.outcome
        if outcome is not None:
            assert (event["winner"], event["termination"]) == (outcome.winner, outcome.termination)
            assert event.get("line") == (self._texts(self.position.line) or None)
        else:
            assert event["termination"] not in ("line", "board_full", "count")
            assert event.get("line") is None
        said = ("winner", "termination", "declined")
        self.result = {name: event[name] for name in said if name in event}

    def _taken_back(self, event: Message) -> None:
        assert event["ply"] in (len(self.moves) - 1, len(self.moves) - 2)
        assert event["moves"] == self.moves[: event["ply"]]
        self.position = self._replayed(event["moves"])
        assert event["to_move"] == self.to_move
        self._compare_forced(event)
        self._compare_legal(event)


class Follower:
    """A client and the referee of one of its rooms."""

    def __init__(self, client: Client, room: Message) -> None:
        self.client = client
        self.id: str = room["room"]
        # What arrived before the answer belongs to what came before it.
        self._read = client.place(room) + 1
        self.referee = Referee(room)

    async def next(self) -> Message:
        """The next event of the room, judged."""
        event = await self.client.message("event", self._read, room=self.id)
        self._read = self.client.place(event) + 1
        self.referee.take(event)
        return event

    async def next_move(self) -> Message:
        """Events up to the next move or the end."""
        while True:
            event = await self.next()
            if event["e"] in ("moved", "ended"):
                return event

    async def to_the_end(self) -> None:
        while not self.referee.over:
            await self.next()

    async def play(self, move: str) -> Message:
        """Make a move and wait for its acknowledgement."""
        referee = self.referee
        return await self.client.ack(
            "move", room=self.id, game=referee.serial, ply=len(referee.moves), move=move, after=referee.seq
        )

    async def play_any(self, rng: random.Random) -> Message:
        return await self.play(rng.choice(self.referee.legal))

    async def compare(self) -> None:
        """Ask for the whole room and compare it."""
        room = await self.client.room("watch", room=self.id)
        self._read = max(self._read, self.client.place(room) + 1)
        self.referee.compare(room)
