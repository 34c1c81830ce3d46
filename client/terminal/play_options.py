"""What the options of `noughts play` come to."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from client.sdk.address import websocket_url
from client.sdk.marks import parse_marks
from client.terminal import game_words, identity, preferences
from client.terminal.language import t
from client.terminal.menu_words import ReplayGame, replay_asked
from client.terminal.preferences import Preferences
from client.terminal.render import Look
from client.terminal.seating import BadChoice, JoinRoom, NewRoom, Seating, WatchRoom, link_code, link_parts, parse_clock
from engine.rules import registry
from engine.rules.position import IllegalMove, MalformedMove, Rules
from server.wire import BotLimit, Opponent


@dataclass(frozen=True, slots=True)
class Settings:
    """What the options come to."""

    server: str
    seating: Seating | ReplayGame | None
    """None: choose in the lobby."""
    plain: bool
    look: Look
    name: str | None
    token_file: Path | None
    """None: a new identity that is not kept."""
    new_identity: bool
    preferences: Preferences


def settings_from(options: dict[str, Any]) -> Settings:
    _check_text(options)
    terminal = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))  # Textual draws on stderr
    server, seating = _seating(options)
    websocket_url(server)
    if seating is None and not terminal:
        raise BadChoice(t("option.no_way", ways=t("option.ways")))
    encoding = (sys.stderr.encoding or "ascii").lower()
    return Settings(
        server=server,
        seating=seating,
        plain=options["plain"] or not terminal or cannot_draw(os.environ.get("TERM")),
        look=Look(
            marks=parse_marks(options["marks"]) if options["marks"] else ("X", "O"),
            ascii=options["ascii_only"] or not encoding.startswith("utf"),
            level=t("board.level"),
        ),
        name=options["name"],
        token_file=None if options["guest"] else options["token_file"] or identity.default_path(),
        new_identity=options["new_identity"],
        preferences=Preferences(preferences.default_path()),
    )


def cannot_draw(term: str | None) -> bool:
    """Whether a terminal of this kind cannot move its cursor, so that only lines are of use to it."""
    return term in ("dumb", "unknown")


_JOINERS: Final = str.maketrans("", "", "\u200c\u200d")
"""Persian, Indic scripts and families of emoji are spelt with them; the server says where they may stand."""


def _check_text(options: dict[str, Any]) -> None:
    """Bytes that are no text arrive as characters that no message can hold."""
    for name, value in options.items():
        written = "".join(value) if isinstance(value, tuple) else value
        if isinstance(written, str) and not written.translate(_JOINERS).isprintable():
            raise BadChoice(t("option.no_text", option=_option(name), text=ascii(written)))


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _seating(options: dict[str, Any]) -> tuple[str, Seating | ReplayGame | None]:
    """The server and the way to sit down; a link names both."""
    ways = [way for way in ("bot", "invite", "seek", "both", "bots", "join", "room", "watch", "replay") if options[way]]
    if len(ways) > 1:
        raise BadChoice(t("option.one_way", ways=t("option.ways")))
    server: str = options["server"]
    for way in ("join", "room", "watch"):
        if options[way]:
            linked, name = link_parts(options[way])
            return linked or server, _existing_room(way, name, link_code(options[way]), options["code"])
    if options["replay"]:
        linked, _ = link_parts(options["replay"])
        return linked or server, replay_asked(options["replay"])
    opponent = _opponent(options)
    if opponent is None and not options["bots"]:
        _refuse_without_way(options)
        return server, None
    game = registry.rules(options["game"] or "tictactoe")
    clock = parse_clock(options["clock"] or "none")
    if options["rated"] and clock is None:
        raise BadChoice(t("option.rated"))
    return server, NewRoom(
        game=game.id,
        opponent=opponent,
        bots=options["bots"] or None,
        seat=options["seat"],
        clock=clock,
        limit=_limit(options),
        rated=options["rated"] or None,
        start=_start(options["start"] or "", game),
        pace="human" if options["human_pace"] else None,
    )


def _start(written: str, game: Rules) -> tuple[str, ...]:
    """The moves as the server takes them. Raises BadChoice with what is wrong with the first wrong one."""
    moves, position = tuple(written.lower().split()), game.initial
    for number, text in enumerate(moves, 1):
        try:
            move = game_words.parse_move(text, game)
            game_words.check_move(position, move)
        except (MalformedMove, IllegalMove) as error:
            raise BadChoice(t("option.start", number=number, reason=error)) from None
        position = position.play(move)
    return moves


def _existing_room(way: str, name: str, linked: str | None, code: str | None) -> Seating:
    """`linked` is the code that a room's link has, `code` that of an option."""
    if way == "watch":
        return WatchRoom(room=name, code=linked or code)
    if linked is not None:
        return JoinRoom(code=linked, room=name)
    return JoinRoom(code=name) if way == "join" else JoinRoom(room=name)


def _opponent(options: dict[str, Any]) -> Opponent | None:
    if options["bot"]:
        return Opponent(kind="bot", bot=options["bot"])
    if options["invite"]:
        return Opponent(kind="invite")
    if options["seek"]:
        return Opponent(kind="open")
    return Opponent(kind="self") if options["both"] else None


def _refuse_without_way(options: dict[str, Any]) -> None:
    """Options that shape a game mean nothing to the menu."""
    for name in ("game", "seat", "clock", "depth", "nodes", "think", "human_pace", "rated", "start"):
        if options[name]:
            raise BadChoice(t("option.needs_way", option=_option(name), ways=t("option.ways")))


def _limit(options: dict[str, Any]) -> BotLimit | None:
    given = [name for name in ("depth", "nodes", "think") if options[name]]
    if not given:
        return None
    if len(given) > 1:
        raise BadChoice(t("option.limits"))
    if options["think"]:
        return BotLimit(move_ms=_think_ms(options["think"]))
    return BotLimit(depth=options["depth"], nodes=options["nodes"])


def _think_ms(written: str) -> int:
    """Written like a clock for each move. Raises BadChoice."""
    with suppress(BadChoice):
        clock = parse_clock(written)
        if clock is not None and clock.move_ms is not None:
            return clock.move_ms
    raise BadChoice(t("option.think", text=repr(written)))
