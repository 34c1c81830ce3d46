"""The ways to sit down, or to watch, as the command line and the menu choose them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import urlsplit

from client.sdk import Connection, LiveRoom, NoughtsError, RequestRefused, RoomView, SeatChoice
from client.sdk.address import page_url, websocket_url
from client.sdk.text import clean
from client.terminal.drawing.text import cropped
from client.terminal.language import t
from client.terminal.trouble import trouble_words
from engine.rules import registry
from engine.rules.position import Rules, UnknownGame
from server.wire import BadClock, BotLimit, ClockSettings, HeldRoom, Opponent, PaceAsked, Player, check_clock


class BadChoice(ValueError):
    """Something on the command line or in the menu that makes no sense; the message is one sentence."""


class NotThere(NoughtsError):
    """What was named is not here, or no longer: an invitation, a room, a player's running game."""


@dataclass(frozen=True, slots=True)
class NewRoom:
    """A room of our own: against an opponent, or for two bots to be watched."""

    game: str
    opponent: Opponent | None = None
    bots: tuple[str, str] | None = None
    seat: SeatChoice | None = None
    clock: ClockSettings | None = None
    limit: BotLimit | None = None
    rated: bool | None = None
    start: tuple[str, ...] = ()
    pace: PaceAsked | None = None


@dataclass(frozen=True, slots=True)
class JoinRoom:
    """The free seat of a room, or our own seat again. With both an invitation: where no seat is free, one watches."""

    code: str | None = None
    room: str | None = None


@dataclass(frozen=True, slots=True)
class WatchRoom:
    room: str
    code: str | None = None


@dataclass(frozen=True, slots=True)
class JoinNamed:
    """A seat by what somebody typed, which is an invitation's code or a room's name."""

    name: str


@dataclass(frozen=True, slots=True)
class WatchNamed:
    """A room by its name, or the running game of a player of this name."""

    name: str


Seating: TypeAlias = NewRoom | JoinRoom | JoinNamed | WatchRoom | WatchNamed


async def sit_down(connection: Connection, seating: Seating) -> LiveRoom:
    """Raises NoughtsError."""
    match seating:
        case NewRoom():
            return await connection.create(
                seating.game,
                opponent=seating.opponent,
                bots=seating.bots,
                seat=seating.seat,
                clock=seating.clock,
                limit=seating.limit,
                rated=seating.rated,
                start=seating.start,
                pace=seating.pace,
            )
        case JoinRoom() | WatchRoom():
            with _unless_found():
                return await _enter(connection, seating)
            raise NotThere(t("join.gone" if seating.code is None else "join.expired"))
        case JoinNamed():
            return await _join_named(connection, seating.name)
        case WatchNamed():
            return await _watch_named(connection, seating.name)


async def _join_named(connection: Connection, name: str) -> LiveRoom:
    with _unless_found():
        return await connection.join(code=name)
    with _unless_found():
        return await connection.join(room=name)
    raise NotThere(t("join.nothing", name=quoted(name)))


async def _watch_named(connection: Connection, name: str) -> LiveRoom:
    with _unless_found():
        return await connection.watch(name)
    lobby = await connection.lobby()
    await connection.lobby(False)
    for running in lobby.rooms:
        if name.casefold() in (running.x.name.casefold(), running.o.name.casefold()):
            return await connection.watch(running.room)
    raise NotThere(t("watch.nothing", name=quoted(name)))


@contextmanager
def _unless_found() -> Iterator[None]:
    """Go on after this where nothing was found."""
    try:
        yield
    except RequestRefused as refused:
        if refused.code != "not_found":
            raise


def quoted(typed: str) -> str:
    """What somebody typed, short enough for a sentence."""
    return repr(cropped(clean(typed), 40))


async def _enter(connection: Connection, seating: JoinRoom | WatchRoom) -> LiveRoom:
    """Watch if somebody else has taken the seat of an invitation."""
    room, code = seating.room, seating.code
    if isinstance(seating, WatchRoom):
        return await connection.watch(seating.room, code)
    if room is None or code is None:
        return await connection.join(code=code, room=room)
    try:
        return await connection.join(code=code)
    except RequestRefused as refused:
        if refused.code != "seat_taken":
            raise
        return await connection.watch(room, code)


def held_room(view: RoomView) -> HeldRoom:
    """A room that was left, as the server's greeting would tell it."""
    seat = view.o if view.you in ("x", "both") else view.x
    opponent = Player(id=seat.id, name=seat.name, kind=seat.kind) if seat is not None else None
    return HeldRoom(room=view.room, game=view.rules.id, opponent=opponent)


def rooms_after(rooms: list[str], left: LiveRoom) -> list[str]:
    """The rooms to come back to after leaving one of them, which is included while its game waits or runs, or may
    again."""
    others = [room for room in rooms if room != left.id]
    may_go_on = left.view.result is None or any(offer.what == "rematch" for offer in left.view.offers)
    waits = left.view.you is not None and may_go_on
    return [*others, left.id] if waits else others


_BASED = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,3})?)(?:\+([0-9]{1,4}(?:\.[0-9]{1,3})?))?")
_PER_MOVE = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?) ?(ms|s|m|h)")
_UNIT_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}


def parse_clock(written: str) -> ClockSettings | None:
    """`5+3` is five minutes and three seconds a move, `10s` ten seconds for each move, `none` no clock.

    Raises BadChoice, also for a clock that no game can have.
    """
    clock = clock_written(written)
    try:
        return clock and check_clock(clock)
    except BadClock as error:
        raise BadChoice(trouble_words(error)) from None


def clock_written(written: str) -> ClockSettings | None:
    """As `parse_clock`, whatever its bounds."""
    text = written.strip().lower()
    if text in ("", "none"):
        return None
    if match := _PER_MOVE.fullmatch(text):
        return ClockSettings(move_ms=round(float(match[1]) * _UNIT_MS[match[2]]))
    if match := _BASED.fullmatch(text):
        return ClockSettings(
            initial_ms=round(float(match[1]) * 60_000), increment_ms=round(float(match[2] or "0") * 1_000)
        )
    raise BadChoice(t("menu.no_clock", text=repr(written)))


def link_parts(text: str) -> tuple[str | None, str]:
    """A code or room, perhaps in a link: (server, the code or room). The server is None for a bare one.

    Raises BadChoice.
    """
    if "@" in text and "/" in text:  # a link: what is before it is not shown, since it may be a password
        raise BadChoice(t("option.server.user"))
    if "://" not in text:
        return None, text.strip()
    try:
        parts = urlsplit(text.strip())
        home, _, last = parts.path.rstrip("/").rpartition("/")
        server = f"{parts.scheme}://{parts.netloc}{home.rpartition('/')[0]}"
        websocket_url(server)
    except ValueError:
        last = ""
    if not last:
        raise BadChoice(t("menu.no_link", text=repr(text)))
    return server, last


def link_code(text: str) -> str | None:
    """The code of a room's link, behind the #; None without one."""
    return text.strip().partition("#")[2] or None if "://" in text else None


def invitation_link(server: str, room: str, code: str) -> str:
    """The code is in the part that browsers send to nobody."""
    return page_url(server, f"/room/{room}#{code}")


_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Name of a room or an invitation: anything else that was pasted need not be sent."""


def game_or_seat(text: str) -> Rules | JoinRoom | JoinNamed:
    """What somebody who was asked for a game typed: its id, or what `seat_asked` takes. Raises BadChoice."""
    try:
        return registry.rules(text)
    except UnknownGame as unknown:
        if ":" in text and "://" not in text:
            raise BadChoice(trouble_words(unknown)) from None
    return seat_asked(text)


def seat_asked(text: str) -> JoinRoom | JoinNamed:
    """The seat that an invitation's code, a room's name, or the link to either means. Raises BadChoice."""
    server, name = _room_link_parts(text)
    if not _NAME.fullmatch(name):
        raise BadChoice(t("menu.no_game", text=quoted(text)))
    code = link_code(text)
    if code is not None:
        return JoinRoom(code=code, room=name)
    if server is None:
        return JoinNamed(name)
    return JoinRoom(room=name) if "/room/" in text else JoinRoom(code=name)


def _room_link_parts(text: str) -> tuple[str | None, str]:
    """As `link_parts`; a link to a recorded game is refused, for it leads to no room."""
    parts = link_parts(text)
    if is_record_link(text):
        raise BadChoice(t("menu.record_link", text=quoted(text)))
    return parts


def is_record_link(text: str) -> bool:
    return "://" in text and "/game/" in text


def watch_asked(text: str, code: str | None = None) -> WatchRoom | WatchNamed:
    """What a room's name or link, or a player's name, means to somebody who wants to watch. Raises BadChoice."""
    server, name = _room_link_parts(text)
    code = link_code(text) or code
    return WatchRoom(room=name, code=code) if server is not None or code is not None else WatchNamed(name)
