"""People who play: they speak the wire's protocol over a simulated network, and remember what they were told.

A `Tab` is one connection and what it knows. A `Person` has a token, habits (to move when it is their turn, to answer
offers, to come back when the line was cut) and does, at the steps of a story, what people do.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from client.sdk.codec import Unreadable, decode
from client.sdk.errors import NoughtsError
from client.sdk.room_view import RoomView, SequencedEvent, room_view
from server.wire import Ack, Error, Lobby, Pong, Present, Reply, Room, Spectators, Thinking, Welcome
from tests.simulation.broken import Broken
from tests.simulation.frames import CLOSE, PING, PONG, TEXT, UPGRADE, FrameReader, framed
from tests.simulation.network import HEAD_END, Transport

if TYPE_CHECKING:
    from tests.simulation.world import World


class WrongMove(str):
    """A move that may be nonsense."""


Answered = Callable[["Reply"], None]

ANSWERS: dict[str, tuple[type[Reply], ...]] = {
    "hello": (Welcome,), "create": (Room,), "join": (Room,), "watch": (Room,), "leave": (Ack,), "move": (Ack,),
    "act": (Ack,), "rematch": (Ack,), "say": (Ack,), "resume": (Ack, Room), "lobby": (Lobby,), "ping": (Pong,),
    "review": (Ack,), "cancel_review": (Ack,), "forget": (Ack,),
}  # fmt: skip


class Asked:
    """A request that was sent and not answered yet."""

    def __init__(self, message: dict[str, Any], now_us: int, answered: Answered | None, tops: dict[str, int]) -> None:
        self.message = message
        self.since_us = now_us
        self.answered = answered
        self.top = tops.get(message.get("room", ""), 0)
        """what anybody knew of the room when it was sent: the answer is no older"""


class Tab(asyncio.Protocol):
    """One connection."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.world = person.world
        self.transport: Transport
        self.views: dict[str, RoomView] = {}
        self.asked: dict[int, Asked] = {}
        self.greeted = False
        self.over = False
        self.leaving = False
        """it hangs up by itself"""
        self.forgotten_us: int | None = None
        """since when its player is no more"""
        self.lobby: Lobby | None = None
        """what was said last, while they look at it"""
        self._numbers = 0
        self._head: bytes | None = b""
        self._frames = FrameReader()

    # What the network calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, Transport)
        self.transport = transport
        transport.write(UPGRADE)

    def data_received(self, data: bytes) -> None:
        if self._head is not None:
            self._head += data
            head, found, data = self._head.partition(HEAD_END)
            if not found:
                return
            self._head = None
            if not head.startswith(b"HTTP/1.1 101"):
                self.transport.abort()
                self.end()
                return
            self._hello()
        for frame in self._frames.receive(data):
            if frame.opcode == TEXT:
                self.world.guard(self._receive, frame.data)
            elif frame.opcode == PING:
                self.transport.write(framed(PONG, frame.data))
            elif frame.opcode == CLOSE:
                self.transport.write(framed(CLOSE, frame.data[:2]))
                self.transport.close()

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.end()

    def end(self) -> None:
        if not self.over:
            self.over = True
            self.asked.clear()
            self.person.lost(self)

    # Asking

    @property
    def nobodys(self) -> bool:
        """It has not said yet whose it is."""
        return self._head is not None

    @property
    def usable(self) -> bool:
        return self.greeted and not self.over and not self.leaving and self.forgotten_us is None

    def ask(self, answered: Answered | None = None, **message: Any) -> None:
        if self.over or self.transport.is_closing():
            return
        self._numbers += 1
        message["id"] = self._numbers
        self.asked[self._numbers] = Asked(message, self.world.loop.now_us, answered, self.world.ledger.top)
        self.transport.write(framed(TEXT, json.dumps(message).encode()))

    def hang_up(self) -> None:
        """As a browser does that closes a tab."""
        self.leaving = True
        self.transport.write(framed(CLOSE, b"\x03\xe9"))
        self.transport.close()

    def _hello(self) -> None:
        person = self.person
        if person.token is not None:
            self.ask(self._welcomed, t="hello", v=1, token=person.token)
        else:
            self.ask(self._welcomed, t="hello", v=1, name=person.new_name())

    def _welcomed(self, answer: Reply) -> None:
        person = self.person
        if isinstance(answer, Error):
            if answer.code == "unauthorised" and person.token is not None:
                person.unknown(answer)
            self.hang_up()
            return
        assert isinstance(answer, Welcome)
        self.greeted = True
        person.welcomed(self, answer)

    # Hearing

    def _receive(self, data: bytes) -> None:
        message = decode(data)
        if isinstance(message, Unreadable):
            raise Broken("protocol", f"{self.person.name} cannot read {data[:200]!r}: {message.sentence}")
        self.world.ledger.forgotten.check_shown(data, self.person.name, self.world.loop.now_us)
        if self.forgotten_us is not None:
            return
        if isinstance(message, SequencedEvent):
            self.world.ledger.see(message, self.person.name)
            self._change(message)
            return
        if isinstance(message, Room):
            if message.id is not None or message.room in self.views:
                self._adopt(message)  # else it follows a stale move in a room that they have left
        elif isinstance(message, Present | Spectators | Thinking):
            self._change(message)
        elif isinstance(message, Lobby) and self.lobby is not None:
            self.lobby = message
        if message.id is not None:
            self._answer(message)

    def _adopt(self, message: Room) -> None:
        known = self.views.get(message.room)
        if known is not None and message.seq < known.seq:
            raise Broken(
                "order", f"{self.person.name} is shown room {message.room} at {message.seq}, but knew {known.seq}"
            )
        self.views[message.room] = known.apply(message) if known else room_view(message, self.person.id)
        self.world.ledger.know(message.room, message.seq)
        self.person.changed(self, self.views[message.room])

    def _change(self, message: SequencedEvent | Present | Spectators | Thinking) -> None:
        view = self.views.get(message.room)
        if view is None:
            raise Broken("order", f"{self.person.name} is sent {message!r} of a room that they do not follow")
        try:
            self.views[message.room] = view.apply(message)
        except NoughtsError as error:
            raise Broken("order", f"{self.person.name}: {error}") from None
        if isinstance(message, SequencedEvent):
            self.person.changed(self, self.views[message.room])

    def _answer(self, message: Reply) -> None:
        assert message.id is not None
        asked = self.asked.pop(message.id, None)
        if asked is None:
            raise Broken("protocol", f"{self.person.name} is answered {message!r}, which they did not ask")
        kind = asked.message["t"]
        if not isinstance(message, (*ANSWERS[kind], Error)):
            raise Broken("protocol", f"{self.person.name} asked {asked.message} and is answered {message!r}")
        seq = getattr(message, "seq", None)
        if seq is not None and seq < asked.top and kind not in ("move", "leave"):
            raise Broken(
                "acknowledged",
                f"{self.person.name} asked {asked.message} when event {asked.top} was known, and is answered {seq}",
            )
        if isinstance(message, Error):
            self.person.refused(asked.message, message)
        elif isinstance(message, Ack):
            self._acknowledged(asked.message, message)
        if asked.answered is not None:
            asked.answered(message)

    def _acknowledged(self, asked: dict[str, Any], ack: Ack) -> None:
        kind, ledger, who = asked["t"], self.world.ledger, self.person.name
        if kind == "leave":
            self.views.pop(asked["room"], None)
            self.person.rooms.pop(asked["room"], None)
        if ack.seq is None or kind in ("leave", "resume", "rematch"):
            return
        if kind == "move":
            view = self.views.get(asked["room"])
            mine = {"by": view.you} if view is not None and view.serial == asked["game"] and view.you != "both" else {}
            ledger.acknowledge(asked["room"], ack.seq, who, e="moved", ply=asked["ply"], move=asked["move"], **mine)
        elif kind == "say":
            ledger.acknowledge(asked["room"], ack.seq, who, e="said", text=asked["text"])
        elif kind == "act" and asked["action"] == "resign":
            ledger.acknowledge(asked["room"], ack.seq, who, e="ended", termination="resignation")
        elif kind == "act" and asked["action"] == "abort":
            ledger.acknowledge(asked["room"], ack.seq, who, e="ended", termination="aborted")


class Person:
    """`habits` can be switched off, so that everything comes to rest."""

    def __init__(self, world: World, number: int, name: str) -> None:
        self.world = world
        self.number = number
        self.name = name
        self.address = f"10.0.1.{number + 1}"
        self.id: str | None = None
        self.token: str | None = None
        self.tabs: list[Tab] = []
        self.habits = True
        self.away = False
        self.gone = False
        self.rooms: dict[str, RoomView] = {}
        """those they follow, as they knew them last"""
        self.called = name
        """what all names of theirs begin with: another word for each player that they become"""
        self.names = [name]
        """the one they go by, and those that they asked for since"""
        self._lives = 0
        self._planned: set[tuple[Any, ...]] = set()
        self._connections = 0
        self._connecting = False

    def random(self, *what: object) -> Random:
        """Chance that depends on the seed and on this alone."""
        return Random(f"{self.world.seed}: {self.number} {what}")

    @property
    def tab(self) -> Tab | None:
        return next((tab for tab in self.tabs if tab.usable), None)

    # Coming and going

    async def connect(self) -> None:
        """Once; who is refused comes again later."""
        self._connections += 1
        tab = Tab(self)
        line = self.world.line(self.random("line", self._connections))
        self._connecting = True
        try:
            await self.world.network.connect(tab, self.address, line)
        except ConnectionRefusedError:
            self._come_back()
            return
        finally:
            self._connecting = False
        self.tabs.append(tab)

    def arrive(self) -> None:
        self.away = False
        self._again()

    def leave_for_good(self) -> None:
        self.gone = self.away = True
        for tab in list(self.tabs):
            tab.hang_up()

    def lost(self, tab: Tab) -> None:
        if tab in self.tabs:
            self.tabs.remove(tab)
            if not self.tabs and not self.away:
                self._come_back()

    def _come_back(self) -> None:
        pause_s = self.random("pause", self._connections).uniform(0.3, 4)
        self.world.loop.call_later(pause_s, self._again)

    def _again(self) -> None:
        if not (self.away or self.gone or self.tabs) and not self._connecting:
            self.world.loop.create_task(self.connect())

    def new_name(self) -> str:
        """Of the player that they become next."""
        self.called = f"{self.name}{self._lives or ''}"
        self.names = [self.called]
        self._lives += 1
        return self.called

    def welcomed(self, tab: Tab, welcome: Welcome) -> None:
        if welcome.token is not None:
            self.token, self.id = welcome.token, welcome.player.id
        elif welcome.player.id != self.id:
            raise Broken(
                "acknowledged", f"{self.name}'s token is now that of player {welcome.player.id}, not {self.id}"
            )
        else:
            self.world.ledger.forgotten.known_still(welcome.player.id, self.world.restarts)
        for room in {**dict.fromkeys(welcome.rooms), **self.rooms}:
            self._follow_again(tab, room, is_seated=room in welcome.rooms)

    def _follow_again(self, tab: Tab, room: str, *, is_seated: bool) -> None:
        def answered(answer: Reply) -> None:
            if isinstance(answer, Ack):
                view = tab.views[room]
                if view.running and view.clock is not None:  # clocks stood while a server restarted
                    tab.ask(t="watch", room=room)
            if not isinstance(answer, Error):
                return
            if answer.code != "not_found":
                self.world.loop.call_later(2, again)
                return
            if is_seated:
                raise Broken("acknowledged", f"{self.name} sits in room {room}, which is not found")
            self.rooms.pop(room, None)
            tab.views.pop(room, None)

        def again() -> None:
            self._follow_again(tab, room, is_seated=is_seated)

        if room in self.rooms:
            tab.views[room] = self.rooms[room]
            tab.ask(answered, t="resume", room=room, seq=self.rooms[room].seq)
        else:
            tab.ask(answered, t="watch", room=room)

    def rename(self, name: str, tab: Tab) -> None:
        self.names.append(name)

        def answered(answer: Reply) -> None:
            if isinstance(answer, Welcome):
                self.names = self.names[self.names.index(name) :]

        tab.ask(answered, t="hello", v=1, name=name)

    # Being forgotten

    def forget(self) -> None:
        """Ask for it; other tabs stay open."""
        tab, id, forgotten = self.tab, self.id, self.world.ledger.forgotten
        assert tab is not None
        assert id is not None
        forgotten.ask(id, self.world.restarts)

        def answered(answer: Reply) -> None:
            if isinstance(answer, Ack):
                self._forgotten()
            elif isinstance(answer, Error) and answer.code != "unavailable":  # a disk may keep what it refused
                forgotten.refuse(id)

        tab.ask(answered, t="forget")

    def unknown(self, error: Error) -> None:
        """Their token is. Raises Broken where they never asked for that."""
        if self.id not in self.world.ledger.forgotten.asked:
            raise Broken("acknowledged", f"{self.name}'s token is unknown: {error.message}")
        self._forgotten()

    def _forgotten(self) -> None:
        """They come again as somebody new, on a tab that is only opening or once those of the old player have ended."""
        assert self.id is not None
        self.world.ledger.forgotten.confirm(self.id, self.called, self.world.loop.now_us)
        self.id = self.token = None
        self.rooms.clear()
        for tab in self.tabs:
            if not tab.nobodys:
                tab.forgotten_us = self.world.loop.now_us
                tab.asked.clear()

    # Habits

    def changed(self, tab: Tab, view: RoomView) -> None:
        """A room is now like this."""
        self.rooms[view.room] = view
        self.world.followed(view)
        if not self.habits:
            return
        if view.my_turn:
            key = ("move", view.room, view.serial, len(view.moves), view.seq)
            if key not in self._planned:
                self._planned.add(key)
                think_s = self.random(*key).choice((0.1, 0.3, 1, 2, 5, 9, 25))
                self.world.loop.call_later(think_s, self.world.guard, self._move, view.room, view.seq)
        for offer in view.offers:
            if view.you in ("x", "o") and offer.by != view.you:
                offered = ("answer", view.room, view.serial, len(view.moves), view.seq, offer.what)
                if offered not in self._planned:
                    self._planned.add(offered)
                    wait_s = self.random(*offered).uniform(0.5, 4)
                    self.world.loop.call_later(wait_s, self.world.guard, self._reply, view.room, view.seq, offer.what)

    def view(self, room: str) -> tuple[Tab, RoomView] | None:
        """What their first tab that follows a room knows of it."""
        return next(((tab, tab.views[room]) for tab in self.tabs if tab.usable and room in tab.views), None)

    def _move(self, room: str, seq: int) -> None:
        found = self.view(room)
        if found is None or not found[1].my_turn or not self.habits:
            return
        tab, view = found
        if view.seq != seq:
            return
        move = self.random("move", room, view.serial, len(view.moves), seq).choice(view.legal)
        tab.ask(
            self._moved(room, seq),
            t="move", room=room, game=view.serial, ply=len(view.moves), move=move, after=view.seq,
        )  # fmt: skip

    def _moved(self, room: str, seq: int) -> Answered:
        def answered(answer: Reply) -> None:
            if isinstance(answer, Error) and answer.code in ("unavailable", "busy", "too_fast", "shutting_down"):
                self.world.loop.call_later(2.0, self.world.guard, self._move, room, seq)
            elif isinstance(answer, Error) and answer.code not in ("stale", "game_over"):
                raise Broken("rules", f"{self.name}'s legal move in room {room} is refused: {answer.message}")

        return answered

    def _reply(self, room: str, seq: int, what: str) -> None:
        found = self.view(room)
        if found is None or found[1].seq != seq or not self.habits:
            return
        tab, view = found
        mood = self.random("reply", room, seq).random()
        if what == "rematch" and mood < 0.7:
            tab.ask(t="rematch", room=room)
        elif mood < 0.9:
            word = "accept" if mood < 0.5 and what != "rematch" else "decline"
            tab.ask(t="act", room=room, game=view.serial, action=f"{word}_{what}")

    def refused(self, asked: dict[str, Any], error: Error) -> None:
        """Raises Broken where it should not have been."""
        if error.code == "malformed" and not isinstance(asked.get("move"), WrongMove):
            raise Broken("protocol", f"{self.name} asked {asked} and is told that it is {error.code}: {error.message}")
        if error.code == "unavailable" and not self.world.may_be_unavailable:
            raise Broken("nobody waits", f"{self.name} asked {asked} and is told: {error.message}")
