"""The lobby as lists of lines to choose from, for the full screen and for lines.

Pure but for the language that is spoken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from client.sdk.text import clean
from client.terminal.drawing.boards import Look, Picture
from client.terminal.drawing.thumbnail import thumbnail
from client.terminal.language import t
from client.terminal.seating import BadChoice, JoinRoom, NotThere, Seating, WatchRoom, quoted
from client.terminal.words import room as words
from client.terminal.words.games import game_name
from engine.rules import registry
from engine.rules.position import MalformedMove, UnknownGame, other
from server.wire import HeldRoom, ListedPlayer, Lobby, Player, RunningRoom, Seek, Side


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to choose; its key stays the same while it is listed."""

    key: str
    line: str
    seating: Seating


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    entries: Sequence[Entry]


def sections(
    lobby: Lobby, me: str, mine: Sequence[str] = (), held: Mapping[str, HeldRoom] | None = None
) -> list[Section]:
    """The lists that are not empty: what waits for the player `me` first.

    `mine` are rooms where they have a seat, `held` what is known of these.
    """
    listed = {room.room: running_line(room, me) for room in lobby.rooms}
    waiting = {seek.room: _seek(seek, me) for seek in lobby.seeks}
    seated = {room.room for room in lobby.rooms if me in (room.x.id, room.o.id)}
    seated |= {seek.room for seek in lobby.seeks if seek.by.id == me}
    own = [room for room in mine if room not in seated]
    here = [
        Section(
            t("lobby.yours"),
            [
                *(_back(key, listed[key]) for key in listed if key in seated),
                *(_back(key, waiting[key]) for key in waiting if key in seated),
                *(_back(key, _held(key, (held or {}).get(key), me)) for key in own),
            ],
        ),
        Section(t("lobby.challenges"), [_join(seek, me) for seek in lobby.challenges]),
        Section(t("lobby.open"), [_join(seek, me) for seek in lobby.seeks if seek.room not in seated]),
        Section(
            t("lobby.running"),
            [
                Entry(f"watch {room.room}", listed[room.room], WatchRoom(room.room))
                for room in lobby.rooms
                if room.room not in seated
            ],
        ),
    ]
    return [section for section in here if section.entries]


def board_of(room: RunningRoom, look: Look) -> Picture:
    """A running game's board, small; empty if the server does not send it or the game is unknown here."""
    try:
        rules = registry.rules(room.game)
        last = rules.parse_move(room.last) if room.last is not None else None
    except (UnknownGame, MalformedMove):
        return Picture()
    return thumbnail(rules, room.board or "", room.owners, last, look)


def people(lobby: Lobby, me: str) -> list[Player]:
    """People who may be challenged."""
    return [player for player in lobby.people if player.id != me]


def challenge_line(player: Player) -> str:
    return t("lobby.challenge.bot" if player.kind == "bot" else "lobby.challenge", name=_name(player))


def challenge_by(lobby: Lobby, name: str) -> Seek:
    """The challenge of the player of that name, or the only one. Raises NotThere, BadChoice."""
    if not lobby.challenges:
        raise NotThere(t("lobby.challenges.none"))
    meant = [seek for seek in lobby.challenges if name.casefold() in ("", _name(seek.by).casefold())]
    if not meant:
        raise NotThere(t("lobby.challenges.none_of", name=quoted(name)))
    if not name and len({seek.by.id for seek in meant}) > 1:
        raise BadChoice(t("lobby.challenges.whose", name=_name(meant[0].by)))
    return meant[0]


def declined_words(challenge: Seek) -> str:
    return t("lobby.challenges.declined", name=_name(challenge.by))


def count_words(lobby: Lobby) -> str:
    return t("lobby.alone") if lobby.players <= 1 else t("lobby.players", count=lobby.players)


def _back(room: str, line: str) -> Entry:
    return Entry(f"back {room}", line, JoinRoom(room=room))


def _held(room: str, held: HeldRoom | None, me: str) -> str:
    if held is None:
        return t("lobby.room", room=clean(room))
    if held.opponent is None:
        return " · ".join([t("lobby.you_wait"), name_of(held.game)])
    opponent = t("seat.you") if held.opponent.id == me else _name(held.opponent)
    return " · ".join([f"{t('seat.you')} - {opponent}", name_of(held.game)])


def _join(seek: Seek, me: str) -> Entry:
    return Entry(f"join {seek.room}", _seek(seek, me), JoinRoom(room=seek.room))


def _seek(seek: Seek, me: str) -> str:
    parts = [_rated_name(seek.by), name_of(seek.game), words.clock_settings(seek.clock)]
    if seek.rated:
        parts.append(t("room.rated"))
    side: Side = seek.seat if seek.by.id == me else other(seek.seat)
    parts.append(t("lobby.side", side=side.upper()))
    return " · ".join(parts) if seek.by.id != me else " · ".join([t("lobby.you_wait"), *parts[1:]])


def running_line(room: RunningRoom, me: str = "") -> str:
    """Who plays what, and how far they are; `me` is told as "you"."""
    names = " - ".join(t("seat.you") if player.id == me else _rated_name(player) for player in (room.x, room.o))
    parts = [names, name_of(room.game), t("lobby.moves", count=room.plies)]
    if room.spectators:
        parts.append(t("game.watching", count=room.spectators))
    return " · ".join(parts)


def _rated_name(player: ListedPlayer) -> str:
    rating = player.rating
    return _name(player) if rating is None else f"{_name(player)} {words.rating_text(rating)}"


def _name(player: Player) -> str:
    return words.player_name(player) or t("who.nameless")


def name_of(game: str) -> str:
    """A game's name for people, its id where this version does not know it."""
    try:
        return game_name(registry.rules(game))
    except UnknownGame:
        return clean(game)
