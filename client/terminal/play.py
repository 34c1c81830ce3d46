"""`noughts play`: from options to a seat, and then to the full screen or to lines."""

from __future__ import annotations

import asyncio
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from client.connection import BadAddress, Connection, Refused, Unreachable, connect, page_url, websocket_url
from client.game_view import NotUnderstood
from client.render import BadMarks, Look, parse_marks
from client.terminal import identity, line_menu
from client.terminal.identity import BadTokenFile
from client.terminal.plain import PlainGame, StdinLines, tell_state
from client.terminal.seating import (
    BadChoice,
    JoinRoom,
    NewRoom,
    Seating,
    WatchRoom,
    link_parts,
    parse_clock,
    sit_down,
)
from server.protocol import BotLimit, Opponent

DEFAULT_SERVER = "http://127.0.0.1:8765"
_WAYS = "--bot NAME, --invite, --open, --self, --bots X O, --join CODE, --room ROOM or --watch ROOM"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the options come to."""

    server: str
    seating: Seating | None
    """None: choose in the menu."""
    plain: bool
    look: Look
    name: str | None
    token_file: Path | None
    """None: a new identity that is not kept."""
    new_identity: bool


@click.command(context_settings={"max_content_width": 100})
@click.option(
    "--server", envvar="NOUGHTS_SERVER", default=DEFAULT_SERVER, show_default=True, help="The server's address."
)
@click.option("--game", help="Game id: tictactoe (default), qubic, ultimate, gomoku, mnk:5,4,4 and so on.")
@click.option("--bot", help="Play this bot; `noughts bots` lists them.")
@click.option("--invite", is_flag=True, help="Print a code and a link for a friend, and wait.")
@click.option("--open", "seek", is_flag=True, help="Wait for anybody in the lobby.")
@click.option("--self", "both", is_flag=True, help="Two people at this screen.")
@click.option("--bots", nargs=2, metavar="X O", help="Watch two bots.")
@click.option("--join", metavar="CODE", help="Join by an invitation's code or link.")
@click.option("--room", metavar="ROOM", help="Take the free seat of a room, or come back to yours.")
@click.option("--watch", metavar="ROOM", help="Watch a room, given as its name or link.")
@click.option("--code", help="The code of an invite room to watch.")
@click.option("--seat", type=click.Choice(["x", "o", "random"]), help="Your seat; X moves first. [random]")
@click.option("--clock", metavar="CLOCK", help="5+3 is minutes and seconds a move, 10s is for each move. [none]")
@click.option("--depth", type=click.IntRange(min=1), help="How deep the bot may search.")
@click.option("--nodes", type=click.IntRange(min=1), help="How many positions the bot may search for a move.")
@click.option("--think", metavar="TIME", help="How long the bot may search for a move: 500ms, 2s.")
@click.option("--human-pace", is_flag=True, help="Let bots answer after a time that a person might take.")
@click.option("--rated", is_flag=True, help="Let the game count for ratings; it needs a clock.")
@click.option("--start", metavar="MOVES", help="Moves made before the game begins: 'a1 b2'.")
@click.option("--plain", is_flag=True, help="Lines only; automatic in a pipe.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--marks", metavar="X,O", help="Your own marks, one or two characters each.")
@click.option("--name", help="Your name, up to 20 characters.")
@click.option("--token-file", type=click.Path(path_type=Path), help="Where your identity is kept.")
@click.option("--new-identity", is_flag=True, help="Be a new player from now on.")
@click.option("--guest", is_flag=True, help="Be a new player for this once.")
def play(**options: Any) -> None:
    """Play a bot, a friend or anybody, in the terminal.

    Without options a menu asks. Moves are typed: b2 on a flat board, a1.1 in a cube, 5/3 on nine boards; /help lists
    the commands. In a pipe, or with --plain, only the opponent's moves go to stdout, one a line.
    """
    try:
        settings = _settings(options)
        status = asyncio.run(_play(settings))
    except (BadAddress, BadChoice, BadMarks, BadTokenFile, Unreachable, NotUnderstood) as error:
        raise click.UsageError(str(error)) from None
    except Refused as refused:
        raise click.UsageError(_refusal(refused, options)) from None
    click.get_current_context().exit(status)


def _refusal(refused: Refused, options: dict[str, Any]) -> str:
    if refused.code == "unauthorised":
        return (
            f"The server at {options['server']} does not know your identity, perhaps because its records are new: "
            "--new-identity makes you a new one, --guest plays without."
        )
    return refused.message


# Options


def _settings(options: dict[str, Any]) -> Settings:
    _check_text(options)
    terminal = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))  # Textual draws on stderr
    server, seating = _seating(options)
    websocket_url(server)
    if seating is None and not terminal:
        raise BadChoice(f"Say what to play: {_WAYS}.")
    encoding = (sys.stderr.encoding or "ascii").lower()
    return Settings(
        server=server,
        seating=seating,
        plain=options["plain"] or not terminal,
        look=Look(
            marks=parse_marks(options["marks"]) if options["marks"] else ("X", "O"),
            ascii=options["ascii_only"] or not encoding.startswith("utf"),
        ),
        name=options["name"],
        token_file=None if options["guest"] else options["token_file"] or identity.default_path(),
        new_identity=options["new_identity"],
    )


def _check_text(options: dict[str, Any]) -> None:
    """Bytes that are no text arrive as characters that no message can hold."""
    for name, value in options.items():
        written = "".join(value) if isinstance(value, tuple) else value
        if isinstance(written, str) and not written.isprintable():
            raise BadChoice(f"--{name.replace('_', '-')} holds characters that are no text: {written!a}.")


def _seating(options: dict[str, Any]) -> tuple[str, Seating | None]:
    """The server and the way to sit down; a link names both."""
    ways = [way for way in ("bot", "invite", "seek", "both", "bots", "join", "room", "watch") if options[way]]
    if len(ways) > 1:
        raise BadChoice(f"Choose one of {_WAYS}.")
    server: str = options["server"]
    for way in ("join", "room", "watch"):
        if options[way]:
            linked, name = link_parts(options[way])
            return linked or server, _existing_room(way, name, options["code"])
    opponent = _opponent(options)
    if opponent is None and not options["bots"]:
        _refuse_without_way(options)
        return server, None
    return server, NewRoom(
        game=options["game"] or "tictactoe",
        opponent=opponent,
        bots=options["bots"] or None,
        seat=options["seat"],
        clock=parse_clock(options["clock"] or "none"),
        limit=_limit(options),
        rated=options["rated"] or None,
        start=tuple((options["start"] or "").split()),
        pace="human" if options["human_pace"] else None,
    )


def _existing_room(way: str, name: str, code: str | None) -> Seating:
    if way == "watch":
        return WatchRoom(room=name, code=code)
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
            raise BadChoice(f"--{name.replace('_', '-')} needs an opponent: {_WAYS}.")


def _limit(options: dict[str, Any]) -> BotLimit | None:
    given = [name for name in ("depth", "nodes", "think") if options[name]]
    if not given:
        return None
    if len(given) > 1:
        raise BadChoice("Limit a bot by one of --depth, --nodes and --think.")
    if options["think"]:
        clock = parse_clock(options["think"])
        if clock is None or clock.move_ms is None:
            raise BadChoice(f"{options['think']!r} is no time to think: write 500ms or 2s.")
        return BotLimit(move_ms=clock.move_ms)
    return BotLimit(depth=options["depth"], nodes=options["nodes"])


# Playing


async def _play(settings: Settings) -> int:
    token = _kept_token(settings)
    async with connect(settings.server, name=settings.name, token=token) as connection:
        if settings.token_file is not None and connection.token not in (None, token):
            identity.keep_token(settings.token_file, page_url(settings.server), connection.token or "")
        if settings.plain:
            return await _play_plain(settings, connection)
        return await _play_full_screen(settings, connection)


def _kept_token(settings: Settings) -> str | None:
    if settings.token_file is None or settings.new_identity:
        return None
    return identity.read_token(settings.token_file, page_url(settings.server))


async def _play_plain(settings: Settings, connection: Connection) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a name may hold what the terminal's encoding does not
    connection.on_state = tell_state(_to_stderr)
    lines = StdinLines()
    seating = settings.seating or await line_menu.choose(lines, _to_stderr)
    if seating is None:
        return 1
    room = await sit_down(connection, seating)
    game = PlainGame(
        room,
        lines,
        _to_stdout,
        _to_stderr,
        replace(settings.look, width=shutil.get_terminal_size().columns),
        interactive=sys.stdin.isatty(),
        link=page_url(settings.server, f"/join/{room.view.code}"),
    )
    return await game.run()


def _to_stdout(text: str) -> None:
    click.echo(text)


def _to_stderr(text: str) -> None:
    click.echo(text, err=True)


async def _play_full_screen(settings: Settings, connection: Connection) -> int:
    # Textual takes a third of a second to import, which pipes need not pay.
    from client.terminal.app import TerminalApp

    room = await sit_down(connection, settings.seating) if settings.seating is not None else None
    app = TerminalApp(connection, settings.server, settings.look, room)
    return await app.run_async() or 0
