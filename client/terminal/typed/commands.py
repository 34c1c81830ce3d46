"""What a player types: a move, or a command that begins with a slash. Pure; the app and the plain mode share it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from client.sdk import RoomView
from client.terminal.language import t, there_is
from client.terminal.pane_names import PANES, TITLES, PaneName
from client.terminal.preferences import THEMES, ThemeName, theme_named
from client.terminal.words import games as game_words
from engine.rules.position import IllegalMove, MalformedMove, other
from server.wire import Action, OfferKind


@dataclass(frozen=True, slots=True)
class Play:
    move: str


@dataclass(frozen=True, slots=True)
class Do:
    action: Action


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Simple:
    """A command without arguments that is not an `act` of the protocol."""

    name: Literal[
        "rematch", "help", "rules", "board", "moves", "clock", "chat", "mute", "replay", "new", "quit",
        "settings", "premove", "confirm", "thoughts", "cancel",
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fold:
    """A pane beside the board, to be folded or unfolded."""

    pane: PaneName


@dataclass(frozen=True, slots=True)
class Wear:
    """A theme, from now on."""

    theme: ThemeName


Command: TypeAlias = Play | Do | Say | Simple | Fold | Wear


class NotNow(Exception):
    """What was typed cannot be done; the message is a sentence for the player."""


class TooLong(NotNow):
    """A message that is too long."""


_HELP = (
    "/draw", "/takeback", "/accept", "/resign", "/abort", "/claim", "/rematch", "/replay", "/say", "/chat", "/cancel",
    "/rules", "/board", "/pane", "/theme", "/settings", "/premove", "/confirm", "/new", "/quit",
)  # fmt: skip


_WITH_REST = {"/say": "typed.say", "/pane": "typed.pane", "/theme": "typed.theme"}


def help_rows() -> list[tuple[str, str]]:
    """What is typed in a game, and what it does."""
    rows = [(t("typed.move"), t("help.move"))]
    themes = ", ".join(THEMES)
    rows += [
        (t(_WITH_REST[typed]) if typed in _WITH_REST else typed, t(f"help.{typed[1:]}", names=themes))
        for typed in _HELP
    ]
    return rows


_SIMPLE: frozenset[str] = frozenset(
    {"rematch", "help", "rules", "board", "moves", "clock", "chat", "mute", "replay", "new", "quit"}
    | {"settings", "premove", "confirm", "thoughts", "cancel"}
)
_ALIASES = {
    "?": "help",
    "h": "help",
    "keys": "help",
    "q": "quit",
    "exit": "quit",
    "undo": "takeback",
    "r": "rematch",
    "lobby": "new",
    "menu": "new",
    "unmute": "mute",
}


def wear(named: str) -> Wear:
    """Raises NotNow where there is no such theme."""
    theme = theme_named(named)
    if theme is None:
        raise NotNow(t("theme.unknown", names=", ".join(THEMES)))
    return Wear(theme)


def parse(line: str, view: RoomView) -> Command | None:
    """The command in a line, None for an empty one. Raises NotNow with a sentence about what is wrong."""
    text = line.strip()
    if not text:
        return None
    if text == "?":
        return Simple("help")
    if not text.startswith("/"):
        return Play(checked_move(text, view))
    typed, _, rest = text[1:].partition(" ")
    word = _ALIASES.get(typed.lower(), typed.lower())
    if word == "say":
        return _say(rest.strip())
    if word == "pane":
        return _fold(rest.strip().lower())
    if word == "theme":
        return wear(rest.strip())
    if word == "accept" and _offered_to_me(view, "rematch"):
        return Simple("rematch")
    if word in _SIMPLE:
        return Simple(word)  # type: ignore[arg-type]  # the set holds these words only
    action = _ACTIONS.get(word)
    if action is None:
        raise NotNow(_unknown(typed))
    return Do(action(view))


def checked_move(text: str, view: RoomView) -> str:
    """The move as the server takes it. Raises NotNow where the rules forbid it now, whoever is to move."""
    try:
        move = game_words.parse_move(text.lower(), view.rules)
        if view.my_turn:
            game_words.check_move(view.position, move)
    except MalformedMove as error:
        command = _command_named(text.partition(" ")[0])
        raise NotNow(str(error) if command is None else t("command.slash", word=command)) from None
    except IllegalMove as error:
        raise NotNow(str(error)) from None
    return view.rules.format_move(move)


def _unknown(word: str) -> str:
    command = _command_named(word)
    if command is None:
        return t("command.unknown", word=word[:20])
    return t("command.meant", word=word[:20], command=command)


def palette_rows() -> list[tuple[str, str]]:
    """Commands that take nothing more, and what they do."""
    words = sorted(_SIMPLE | set(_ACTIONS))
    rows = [(f"/{word}", t(f"help.{word}") if there_is(f"help.{word}") else "") for word in words]
    return rows + [(f"/pane {pane}", t("palette.pane", name=t(TITLES[pane]))) for pane in PANES]


def _command_named(word: str) -> str | None:
    """The command that a word names, or means in the language that is spoken."""
    word = word.lower()
    if word in _SIMPLE or word in _ACTIONS or word in ("say", "pane", "theme"):
        return word
    return _ALIASES.get(word) or _words().get(word)


def _words() -> dict[str, str]:
    """Names of commands by what people type when they do not know them."""
    return dict(pair.split() for pair in t("command.words").split(","))


def check_turn(view: RoomView) -> None:
    """Raises NotNow where it is not the viewer's turn."""
    if view.you is None:
        raise NotNow(t("command.watching"))
    if view.result is not None:
        raise NotNow(t("command.over"))
    if not view.started:
        raise NotNow(t("command.waiting"))
    if not view.my_turn:
        raise NotNow(t("command.not_your_turn"))


class SecondThought:
    """Resigning asks first: only a second /resign, with nothing in between, counts."""

    def __init__(self) -> None:
        self._asked: tuple[int, int] | None = None
        """The game and the ply at which it was asked."""

    def check(self, command: Command | None, view: RoomView) -> None:
        """Called before every command is carried out. Raises NotNow with the question."""
        asked, self._asked = self._asked, None
        if command != Do("resign") or view.you is None or not view.running:
            return
        here = (view.serial, len(view.moves))
        if asked != here:
            self._asked = here
            raise NotNow(t("command.resign"))


def game_to_replay(view: RoomView) -> int:
    """The number of the game that is over. Raises NotNow."""
    if view.result is None or view.game_id is None:
        raise NotNow(t("command.replay"))
    return view.game_id


def _say(text: str) -> Say:
    if not text:
        raise NotNow(t("command.say"))
    if len(text) > 300:
        raise TooLong(t("command.long", count=len(text)))
    return Say(text)


def _fold(named: str) -> Fold:
    for pane in PANES:
        if named in (pane, t(TITLES[pane]).lower()):
            return Fold(pane)
    raise NotNow(t("command.pane"))


def _draw(view: RoomView) -> Action:
    return "accept_draw" if _offered_to_me(view, "draw") else "offer_draw"


def _takeback(view: RoomView) -> Action:
    return "accept_takeback" if _offered_to_me(view, "takeback") else "offer_takeback"


def _decline(view: RoomView) -> Action:
    if _offered_to_me(view, "takeback"):
        return "decline_takeback"
    if _offered_to_me(view, "draw"):
        return "decline_draw"
    if _offered_to_me(view, "rematch"):
        return "decline_rematch"
    raise NotNow(t("command.decline"))


def _accept(view: RoomView) -> Action:
    if _offered_to_me(view, "takeback"):
        return "accept_takeback"
    if _offered_to_me(view, "draw"):
        return "accept_draw"
    raise NotNow(t("command.accept"))


def _offered_to_me(view: RoomView, what: OfferKind) -> bool:
    return view.you in ("x", "o") and view.offered(what, other(view.you))


_ACTIONS: dict[str, Callable[[RoomView], Action]] = {
    "draw": _draw,
    "takeback": _takeback,
    "decline": _decline,
    "accept": _accept,
    "resign": lambda view: "resign",
    "abort": lambda view: "abort",
    "claim": lambda view: "claim_win",
}
