"""What is typed in the lobby: a game, a code, a link, or a word with what belongs to it.

Pure but for the language that is spoken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from client.sdk import ProtocolError
from client.terminal.language import t
from client.terminal.preferences import THEMES
from client.terminal.records.words import number_in
from client.terminal.seating import (
    BadChoice,
    Seating,
    game_or_seat,
    is_record_link,
    parse_clock,
    seat_asked,
    watch_asked,
)
from client.terminal.studies.table import STUDIES, OpenStudy, study_help
from client.terminal.typed.commands import Wear, wear
from engine.rules.position import Rules
from server.wire import ClockSettings, Opponent


@dataclass(frozen=True, slots=True)
class ReplayGame:
    """A recorded game, by its number."""

    number: int


@dataclass(frozen=True, slots=True)
class Rename:
    name: str


@dataclass(frozen=True, slots=True)
class SetClock:
    clock: ClockSettings | None
    written: str


@dataclass(frozen=True, slots=True)
class Decline:
    """A challenge, by the name of the player who made it; without a name, the only challenge."""

    name: str


Word: TypeAlias = Literal["lobby", "games", "help", "settings", "premove", "confirm", "thoughts", "quit", "back"]
Asked: TypeAlias = Rules | Seating | ReplayGame | Rename | SetClock | Decline | OpenStudy | Wear | Word

_HELP = {
    "game": "", "code": "", "join": "join ROOM", "watch": "watch ROOM", "lobby": "lobby", "decline": "decline [NAME]",
    "games": "games", "replay": "replay NUMBER", "clock": "clock 5+3", "name": "name NAME", "theme": "theme nord",
    "settings": "settings", "back": "back, quit",
}  # fmt: skip
"""What is typed, by its key in the texts; empty where the text says it."""


def help_rows() -> list[tuple[str, str]]:
    """What is typed in the lobby, and what it does."""
    themes = ", ".join(THEMES)
    rows = [(typed or t(f"menu.typed.{key}"), t(f"menu.help.{key}", names=themes)) for key, typed in _HELP.items()]
    return [*rows[:-1], *study_help(), rows[-1]]


_WORDS: dict[str, Word] = {
    "lobby": "lobby",
    "games": "games",
    "help": "help",
    "settings": "settings",
    "premove": "premove",
    "confirm": "confirm",
    "thoughts": "thoughts",
    "?": "help",
    "quit": "quit",
    "exit": "quit",
    "q": "quit",
    "back": "back",
    "new": "back",
}
_WITH_REST = ("join", "room", "watch", "replay", "clock", "name", "theme")


def opponent_asked(text: str) -> Opponent | None:
    """Whom a line means where an opponent is asked for: a way to play or a bot. None for what the lobby takes."""
    match text.lower():
        case "invite" | "open" | "self" as way:
            return Opponent(kind=way)
        case word if " " in word or "/" in word or word in (*_WORDS, *STUDIES, "decline"):
            return None
    return Opponent(kind="bot", bot=text)


def asked(typed: str) -> Asked:
    """What a line means. It may begin with a slash, as in a game. Raises BadChoice, NotNow."""
    text = typed.strip()
    first, _, rest = text.removeprefix("/").partition(" ")
    word, rest = first.lower(), rest.strip()
    if not rest and word in _WORDS:
        return _WORDS[word]
    if word in STUDIES:
        return OpenStudy(word, rest)
    if word == "decline":
        return Decline(rest)
    if word in _WITH_REST:
        if not rest:
            raise BadChoice(t("menu.needs", word=word, example=_HELP["join" if word == "room" else word]))
        return _with_rest(word, rest)
    if text.startswith("/"):
        raise BadChoice(t("menu.unknown", word=word[:20]))
    if is_record_link(text):
        return replay_asked(text)
    if " " in text:
        raise BadChoice(t("menu.nothing"))
    return game_or_seat(text)


def _with_rest(word: str, rest: str) -> Asked:
    match word:
        case "watch":
            return watch_asked(rest)
        case "join" | "room":
            return seat_asked(rest)
        case "replay":
            return replay_asked(rest)
        case "clock":
            return SetClock(parse_clock(rest), rest)
        case "theme":
            return wear(rest)
        case _:
            return Rename(rest)


def replay_asked(text: str) -> ReplayGame:
    """The game that a number or a link names. Raises BadChoice."""
    try:
        return ReplayGame(number_in(text))
    except ProtocolError as error:
        raise BadChoice(str(error)) from None
