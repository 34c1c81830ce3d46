"""What a subcommand of `noughts play` and its options come to."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from client.sdk.address import websocket_url
from client.sdk.marks import parse_marks
from client.terminal import identity, preferences
from client.terminal.drawing.boards import Look
from client.terminal.language import t
from client.terminal.menu_words import ReplayGame, replay_asked
from client.terminal.preferences import Preferences
from client.terminal.seating import (
    BadChoice,
    NewRoom,
    Seating,
    clock_written,
    link_parts,
    parse_clock,
    seat_asked,
    watch_asked,
)
from client.terminal.words import games as game_words
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


def settings_from(way: str, options: dict[str, Any]) -> Settings:
    """`way` is the subcommand, or `lobby`."""
    terminal = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))  # Textual draws on stderr
    server, seating = _seating(way, options)
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


def _seating(way: str, options: dict[str, Any]) -> tuple[str, Seating | ReplayGame | None]:
    """The server and the way to sit down; a link names both."""
    server: str = options["server"]
    target = options.get("target")
    if target is not None:
        linked, _ = link_parts(target)
        return linked or server, _existing(way, target, options.get("code"))
    return server, None if way == "lobby" else _new_room(way, options)


def _existing(way: str, target: str, code: str | None) -> Seating | ReplayGame:
    match way:
        case "replay":
            return replay_asked(target)
        case "watch":
            return watch_asked(target, code)
        case _:
            return seat_asked(target)


def _new_room(way: str, options: dict[str, Any]) -> NewRoom:
    game = registry.rules(options["game"])
    clock = parse_clock(options["clock"] or "none")
    rated = options.get("rated") or None
    if rated and clock is None:
        raise BadChoice(t("option.rated"))
    return NewRoom(
        game=game.id,
        opponent=_opponent(way, options),
        bots=(options["x"], options["o"]) if way == "bots" else None,
        seat=options.get("seat"),
        clock=clock,
        limit=_limit(options.get("limit")),
        rated=rated,
        start=_start(options["start"] or "", game),
        pace="human" if options.get("human_pace") else None,
    )


def _opponent(way: str, options: dict[str, Any]) -> Opponent | None:
    match way:
        case "bot":
            return Opponent(kind="bot", bot=options["bot"])
        case "invite" | "open" | "self":
            return Opponent(kind=way)
        case _:
            return None


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


_BOUND: Final = re.compile(r"(depth|nodes|move_ms)=([0-9]{1,18})")


def _limit(written: str | None) -> BotLimit | None:
    """`depth=4`, `nodes=1000`, or a time like a clock for each move. Raises BadChoice."""
    if written is None:
        return None
    if (bound := _BOUND.fullmatch(written)) and int(bound[2]) > 0:
        return BotLimit(**{bound[1]: int(bound[2])})
    with suppress(BadChoice):
        clock = clock_written(written)
        if clock is not None and clock.move_ms is not None:
            return BotLimit(move_ms=clock.move_ms)
    raise BadChoice(t("option.limit", text=repr(written)))
