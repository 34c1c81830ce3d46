"""`noughts play`: from options to a seat, and then to the full screen or to lines."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import click

from client.sdk import (
    BadAddress,
    Connection,
    LiveRoom,
    NoRecord,
    NoughtsError,
    RequestRefused,
    ServerUnreachable,
    connect,
)
from client.sdk.address import page_url, websocket_url
from client.sdk.records import Records
from client.terminal import game_words, identity, line_menu, plain_replay, preferences, spelling
from client.terminal.identity import BadTokenFile
from client.terminal.language import ENGLISH, languages, speak, spoken, t, wanted
from client.terminal.lines import StdinLines
from client.terminal.menu_words import ReplayGame, replay_asked
from client.terminal.plain import PlainGame, tell_state
from client.terminal.preferences import Preferences
from client.terminal.render import BadMarks, Look, parse_marks
from client.terminal.replay import Replay, replay_of
from client.terminal.seating import (
    BadChoice,
    JoinRoom,
    NewRoom,
    Seating,
    WatchRoom,
    link_parts,
    parse_clock,
    rooms_after,
    sit_down,
)
from client.terminal.trouble import trouble_words
from engine.rules import registry
from engine.rules.position import IllegalMove, MalformedMove, Rules, UnknownGame
from server.wire import BotLimit, Opponent

DEFAULT_SERVER = "http://127.0.0.1:8765"


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


@click.command(context_settings={"max_content_width": 100})
@click.option(
    "--server", envvar="NOUGHTS_SERVER", default=DEFAULT_SERVER, show_default=True, help="The server's address."
)
@click.option("--game", help="Game id: tictactoe (default), qubic, ultimate, gomoku, mnk:5,4,4 and so on.")
@click.option("--bot", help="Play this bot; `noughts bots` lists them.")
@click.option("--invite", is_flag=True, help="Print a code and a link for a friend, and wait.")
@click.option("--open", "seek", is_flag=True, help="Wait in the lobby for anyone.")
@click.option("--self", "both", is_flag=True, help="Two players at this screen.")
@click.option("--bots", nargs=2, metavar="X O", help="Watch two bots.")
@click.option("--join", metavar="CODE", help="Join by an invitation's code or link.")
@click.option("--room", metavar="ROOM", help="Take the free seat in a room, or return to yours.")
@click.option("--watch", metavar="ROOM", help="Watch a room, given as its name or link.")
@click.option("--code", help="The code of an invite room to watch.")
@click.option("--replay", metavar="GAME", help="Replay a recorded game, given as its number or link.")
@click.option("--seat", type=click.Choice(["x", "o", "random"]), help="Your seat; X moves first. [random]")
@click.option("--clock", metavar="CLOCK", help="5+3 is minutes and increment in seconds, 10s is for each move. [none]")
@click.option("--depth", type=click.IntRange(min=1), help="Maximum depth of the bot's search, in plies.")
@click.option("--nodes", type=click.IntRange(min=1), help="Most positions the bot may search for a move.")
@click.option("--think", metavar="TIME", help="How long the bot may search for a move: 500ms, 2s.")
@click.option("--human-pace", is_flag=True, help="Let bots answer at a human-like pace.")
@click.option("--rated", is_flag=True, help="Make the game rated; it needs a clock.")
@click.option("--start", metavar="MOVES", help="Moves played before the game starts: 'a1 b2'.")
@click.option("--plain", is_flag=True, help="Lines only; automatic in a pipe.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--marks", metavar="X,O", help="Your own marks, one or two characters each.")
@click.option("--language", type=click.Choice(languages()), help="The language to use. [that of your terminal]")
@click.option("--name", help="Your name, up to 20 characters.")
@click.option("--token-file", type=click.Path(path_type=Path), help="File with your identity.")
@click.option("--new-identity", is_flag=True, help="Be a new player from now on.")
@click.option("--guest", is_flag=True, help="Be a new player just this once.")
def play(**options: Any) -> None:
    """Play a bot, a friend or anybody, in the terminal.

    Without options it begins in the lobby. Moves are typed: b2 on a flat board, a1.1 in a cube, 5/3 on nine boards;
    /help lists the commands. In a pipe, or with --plain, only the opponent's moves go to stdout, one a line.
    """
    speak(options["language"] or wanted(os.environ))
    try:
        settings = _settings(options)
        status = asyncio.run(_play(settings))
    except RequestRefused as refused:
        raise click.UsageError(_refusal(refused, options)) from None
    except (NoughtsError, BadChoice, BadMarks, BadTokenFile, UnknownGame) as error:
        raise click.UsageError(_trouble(error, options)) from None
    click.get_current_context().exit(status)


def _trouble(error: Exception, options: dict[str, Any]) -> str:
    if spoken() != ENGLISH:
        match error:
            case ServerUnreachable():
                return t("errors.unreachable.at", place=options["server"])
            case BadAddress():
                return t("option.server", text=repr(options["server"]), example=DEFAULT_SERVER)
            case BadMarks():
                return t("option.marks", text=repr(options["marks"]))
    return trouble_words(error)


def _refusal(refused: RequestRefused, options: dict[str, Any]) -> str:
    if refused.code == "unauthorised":
        return t("errors.unauthorised.at", server=options["server"])
    if refused.code == "unknown_bot" and spoken() != ENGLISH:
        return t("option.bot", text=options["bot"] or " - ".join(options["bots"]))
    return trouble_words(refused)


# Options


def _settings(options: dict[str, Any]) -> Settings:
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
            return linked or server, _existing_room(way, name, options["code"])
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


# Playing


async def _play(settings: Settings) -> int:
    spelling.spell_what_is_missing(sys.stdout, sys.stderr)
    token = _kept_token(settings)
    name = settings.name or (identity.guest_name() if token is None else None)
    async with connect(settings.server, name=name, token=token) as connection:
        if settings.token_file is not None and connection.token not in (None, token):
            identity.keep_token(settings.token_file, page_url(settings.server), connection.token or "")
        if settings.plain:
            return await _play_plain(settings, connection)
        return await _play_full_screen(settings, connection)


def _kept_token(settings: Settings) -> str | None:
    if settings.token_file is None or settings.new_identity:
        return None
    return identity.read_token(settings.token_file, page_url(settings.server))


@dataclass(frozen=True, slots=True)
class _LineMode:
    """What a game or a replay in lines needs."""

    settings: Settings
    connection: Connection
    records: Records
    lines: StdinLines
    look: Look


async def _play_plain(settings: Settings, connection: Connection) -> int:
    connection.on_state = tell_state(_to_stderr)
    mode = _LineMode(
        settings,
        connection,
        Records(settings.server, connection.token),
        StdinLines(sys.stdin.fileno()),
        replace(settings.look, width=shutil.get_terminal_size().columns),
    )
    if settings.seating is not None:
        status = await _play_on(settings.seating, mode)
        if status is not None:
            return status
    while (seating := await _choose(mode)) is not None:
        try:
            status = await _play_on(seating, mode)
        except (RequestRefused, NoRecord) as problem:
            _to_stderr(trouble_words(problem))  # a room or a game that is gone: there are others
        else:
            if status is not None and not isinstance(seating, ReplayGame):
                return status
    return 1


async def _choose(mode: _LineMode) -> Seating | ReplayGame | None:
    return await line_menu.choose(mode.lines, _to_stderr, mode.connection, mode.records, mode.settings.preferences)


async def _play_on(asked: Seating | ReplayGame, mode: _LineMode) -> int | None:
    """A game or a replay, and the games that are played on from replays."""
    following: Seating | ReplayGame | int | None = asked
    while following is not None and not isinstance(following, int):
        following = await _play_one(following, mode)
    return following


async def _play_one(asked: Seating | ReplayGame, mode: _LineMode) -> NewRoom | int | None:
    """A game or a replay in lines: the exit status, a room to play on in, None for the lobby."""
    if isinstance(asked, ReplayGame):
        return await _replay_plainly(asked, mode)
    room = await sit_down(mode.connection, asked)
    game = PlainGame(
        room,
        mode.lines,
        _to_stdout,
        _to_stderr,
        mode.look,
        interactive=sys.stdin.isatty(),
        records=mode.records,
        preferences=mode.settings.preferences,
        link=page_url(mode.settings.server, f"/join/{room.view.code}"),
    )
    status = await game.run()
    if not game.to_lobby and game.plays_on is None:
        return status
    await room.leave()
    mode.connection.rooms = rooms_after(mode.connection.rooms, room)
    return game.plays_on


async def _replay_plainly(asked: ReplayGame, mode: _LineMode) -> NewRoom | int:
    replay = replay_of(await mode.records.game(asked.number), mode.connection.player.id)
    if sys.stdin.isatty():
        return await plain_replay.go_through(replay, mode.lines, _to_stderr, mode.look, mode.connection) or 0
    plain_replay.tell_whole(replay, _to_stdout, _to_stderr, mode.look)
    return 0


def _to_stdout(text: str) -> None:
    click.echo(text)


def _to_stderr(text: str) -> None:
    click.echo(text, err=True)


async def _play_full_screen(settings: Settings, connection: Connection) -> int:
    # Textual takes a third of a second to import, which pipes need not pay.
    from client.terminal.app import TerminalApp

    first = await _first(settings, connection)
    app = TerminalApp(connection, settings.server, settings.look, first, settings.preferences)
    return await app.run_async() or 0


async def _first(settings: Settings, connection: Connection) -> LiveRoom | Replay | None:
    """Where the full screen begins; None for the lobby."""
    asked = settings.seating
    if isinstance(asked, ReplayGame):
        record = await Records(settings.server, connection.token).game(asked.number)
        return replay_of(record, connection.player.id)
    return await sit_down(connection, asked) if asked is not None else None
