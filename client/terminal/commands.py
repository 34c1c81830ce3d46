"""What a player types: a move, or a command that begins with a slash. Pure; the app and the plain mode share it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from client.game_view import RoomView
from engine.position import IllegalMove, MalformedMove, other
from server.protocol import Action, OfferKind


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

    name: Literal["rematch", "help", "rules", "board", "moves", "clock", "new", "quit"]


Command: TypeAlias = Play | Do | Say | Simple


class NotNow(Exception):
    """What was typed cannot be done; the message is a sentence for whoever typed it."""


HELP: tuple[tuple[str, str], ...] = (
    ("a move", "play it: b2, in a cube a1.1, on nine boards 5/3"),
    ("/draw", "offer a draw, or accept the one offered"),
    ("/takeback", "ask to take back your move, or allow it"),
    ("/decline", "decline an offer"),
    ("/resign", "give the game up"),
    ("/abort", "end it without a result before both have moved"),
    ("/claim", "claim the win when the opponent has been gone for a minute"),
    ("/rematch", "play again with sides swapped"),
    ("/say TEXT", "chat"),
    ("/rules", "the rules in three sentences"),
    ("/board", "the board; /moves and /clock likewise"),
    ("/new", "choose another game (full screen only)"),
    ("/quit", "leave; your seat stays yours"),
)

_SIMPLE: frozenset[str] = frozenset({"rematch", "help", "rules", "board", "moves", "clock", "new", "quit"})
_ALIASES = {"?": "help", "h": "help", "q": "quit", "exit": "quit", "undo": "takeback", "r": "rematch"}


def parse(line: str, view: RoomView) -> Command | None:
    """The command in a line, None for an empty one. Raises NotNow with a sentence about what is wrong."""
    text = line.strip()
    if not text:
        return None
    if text == "?":
        return Simple("help")
    if not text.startswith("/"):
        return Play(checked_move(text, view))
    word, _, rest = text[1:].partition(" ")
    word = _ALIASES.get(word.lower(), word.lower())
    if word == "say":
        return _say(rest.strip())
    if word in _SIMPLE:
        return Simple(word)  # type: ignore[arg-type]  # the set holds these words only
    action = _ACTIONS.get(word)
    if action is None:
        raise NotNow(f"There is no command /{word[:20]}; /help lists them.")
    return Do(action(view))


def checked_move(text: str, view: RoomView) -> str:
    """The move as the server takes it. Raises NotNow where the rules forbid it now, whoever is to move."""
    try:
        move = view.rules.parse_move(text.lower())
        if view.running:
            view.position.play(move)
    except (MalformedMove, IllegalMove) as error:
        raise NotNow(str(error)) from None
    return view.rules.format_move(move)


def check_turn(view: RoomView) -> None:
    """Raises NotNow where it is not the viewer's turn."""
    if view.you is None:
        raise NotNow("You are watching: the players move.")
    if view.result is not None:
        raise NotNow("The game is over: /rematch plays again.")
    if not view.started:
        raise NotNow("The game has not started: the other seat is free.")
    if not view.my_turn:
        raise NotNow("It is your opponent's turn.")


def _say(text: str) -> Say:
    if not text:
        raise NotNow("Say what? Write /say and your words.")
    if len(text) > 300:
        raise NotNow(f"At most 300 characters can be said at once: these are {len(text)}.")
    return Say(text)


def _draw(view: RoomView) -> Action:
    return "accept_draw" if _offered_to_me(view, "draw") else "offer_draw"


def _takeback(view: RoomView) -> Action:
    return "accept_takeback" if _offered_to_me(view, "takeback") else "offer_takeback"


def _decline(view: RoomView) -> Action:
    if _offered_to_me(view, "takeback"):
        return "decline_takeback"
    if _offered_to_me(view, "draw"):
        return "decline_draw"
    raise NotNow("There is no offer to decline.")


def _accept(view: RoomView) -> Action:
    if _offered_to_me(view, "takeback"):
        return "accept_takeback"
    if _offered_to_me(view, "draw"):
        return "accept_draw"
    raise NotNow("There is no offer to accept.")


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
