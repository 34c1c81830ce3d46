"""`noughts play`: from options to a seat, and then to the full screen or to lines."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any

import click

from client.sdk import (
    BadAddress,
    Connection,
    LiveRoom,
    NoRecord,
    NoughtsError,
    RequestRefused,
    RoomView,
    ServerUnreachable,
    connect,
)
from client.sdk.address import DEFAULT_PORT, page_url
from client.sdk.marks import BadMarks, SwappedMarks, UncertainMarks
from client.sdk.records import Records
from client.sdk.websocket import quiet_websockets
from client.terminal import encoding, identity
from client.terminal.drawing.boards import Look
from client.terminal.drawing.text import wrapped
from client.terminal.identity import BadTokenFile
from client.terminal.language import ENGLISH, spoken, t
from client.terminal.menu_words import ReplayGame
from client.terminal.plain import menu_lines, replay_lines
from client.terminal.plain.game_lines import PlainGame, tell_state
from client.terminal.plain.lines import StdinLines, patiently
from client.terminal.play_options import Settings, settings_from
from client.terminal.records.replay import Replay, replay_of
from client.terminal.seating import (
    BadChoice,
    NewRoom,
    NotThere,
    Seating,
    held_room,
    invitation_link,
    rooms_after,
    sit_down,
)
from client.terminal.trouble import trouble_words
from client.terminal.typed.exits import INTERRUPTED, LEFT, Exit
from engine.bots.roster import UnknownBot, bot
from engine.rules.position import UnknownGame
from server.wire import FORM_ERRORS, ErrorCode

MISUSE: frozenset[ErrorCode] = FORM_ERRORS | {
    "bad_game", "bad_clock", "bad_name", "bad_bot", "unknown_bot", "illegal_move",
}  # fmt: skip
"""Refusals that are due to the request itself; any other may be temporary."""
_HERE = f"http://127.0.0.1:{DEFAULT_PORT}"
"""The address of the server unless another is given."""


def run(way: str, options: dict[str, Any]) -> int:
    """The exit status of a game, a replay or the lobby. `way` is the subcommand, or `lobby`."""
    try:
        settings = settings_from(way, options)
        options = {**options, "server": settings.server}  # which a link may have named
        return asyncio.run(_play(settings))
    except RequestRefused as refused:
        failure = click.UsageError if refused.code in MISUSE else click.ClickException
        raise failure(_refusal(refused, options)) from None
    except (BadAddress, BadChoice, BadMarks, UnknownGame) as error:
        raise click.UsageError(_trouble(error, options)) from None
    except (NoughtsError, BadTokenFile) as error:
        told = _trouble(error, options)
        if isinstance(error, ServerUnreachable) and not error.in_doubt:
            wrong = _wrong_bot(options)
            if wrong is not None:
                raise click.UsageError(wrong) from None
            if options["server"] == _HERE:
                told = t("errors.unreachable.here", told=told.removesuffix("."))
        raise click.ClickException(told) from None


def _trouble(error: Exception, options: dict[str, Any]) -> str:
    if spoken() != ENGLISH:
        match error:
            case ServerUnreachable():
                return t("errors.unreachable.at", place=options["server"])
            case BadAddress():
                server = options["server"]
                return t("option.server.user" if "@" in server else "option.server", text=repr(server), example=_HERE)
            case UncertainMarks():
                return t("option.marks.uncertain", text=repr(options["marks"]))
            case SwappedMarks():
                return t("option.marks.swapped", text=repr(options["marks"]))
            case BadMarks():
                return t("option.marks", text=repr(options["marks"]))
    return trouble_words(error)


def _refusal(refused: RequestRefused, options: dict[str, Any]) -> str:
    if refused.code == "unauthorised":
        return t("errors.unauthorised.at", server=options["server"])
    if refused.code == "unknown_bot" and spoken() != ENGLISH:
        return t("option.bot", text=options.get("bot") or f"{options['x']} - {options['o']}")
    return trouble_words(refused)


def _wrong_bot(options: dict[str, Any]) -> str | None:
    """What is wrong with a bot's name, as far as it is known without a server, whose engines have no parameters."""
    for name in map(options.get, ("bot", "x", "o")):
        try:
            if name is not None and ":" in name:
                bot(name)
        except UnknownBot as unknown:
            return _refusal(RequestRefused("unknown_bot", str(unknown)), options)
    return None


async def _play(settings: Settings) -> int:
    encoding.spell_what_is_missing(sys.stdout, sys.stderr)
    quiet_websockets()
    token = _kept_token(settings)
    name = settings.name or (identity.guest_name() if token is None else None)
    async with AsyncExitStack() as stack:
        greeted = stack.enter_async_context(connect(settings.server, name=name, token=token))
        connection = await patiently(_to_stderr, greeted)
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
    connection.on_announcement = _announce
    if connection.announcement:
        _announce(connection.announcement)
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
        except (RequestRefused, NoRecord, NotThere) as problem:
            _to_stderr(trouble_words(problem))  # a room or a game that is gone: there are others
        else:
            if status is not None:
                return status
    return 1


def _announce(text: str) -> None:
    _to_stderr(t("announcement", text=text))


async def _choose(mode: _LineMode) -> Seating | ReplayGame | None:
    preferences = mode.settings.preferences
    return await menu_lines.choose(mode.lines, _to_stderr, mode.connection, mode.records, preferences, mode.look)


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
    room = await patiently(_to_stderr, sit_down(mode.connection, asked))
    game = PlainGame(
        mode.connection,
        room,
        mode.lines,
        _to_stdout,
        _to_stderr,
        mode.look,
        interactive=sys.stdin.isatty(),
        records=mode.records,
        preferences=mode.settings.preferences,
        left=lambda: _left(mode.settings, room.view),
        link=invitation_link(mode.settings.server, room.id, room.view.code or ""),
    )
    status = await game.run()
    if not game.to_lobby and game.plays_on is None:
        return status
    await room.leave()
    mode.connection.rooms = rooms_after(mode.connection.rooms, room)
    mode.connection.held[room.id] = held_room(room.view)
    return game.plays_on


async def _replay_plainly(asked: ReplayGame, mode: _LineMode) -> NewRoom | int | None:
    record = await patiently(_to_stderr, mode.records.game(asked.number))
    replay = replay_of(record, mode.connection.player.id)
    if sys.stdin.isatty():
        after = await replay_lines.go_through(replay, mode.lines, _to_stderr, mode.look, mode.connection, mode.records)
        return {Exit.BACK: None, Exit.QUIT: 0}[after] if isinstance(after, Exit) else after
    replay_lines.tell_whole(replay, _to_stdout, _to_stderr, mode.look)
    return 0


def _to_stdout(text: str) -> None:
    click.echo(text)


def _to_stderr(text: str) -> None:
    if sys.stderr.isatty():
        text = wrapped(text, shutil.get_terminal_size().columns)
    click.echo(text, err=True)


async def _play_full_screen(settings: Settings, connection: Connection) -> int:
    # Textual takes a third of a second to import, which pipes need not pay.
    from client.terminal.full_screen.app import TerminalApp
    from client.terminal.full_screen.signals import ended_by_signals

    first = await patiently(_to_stderr, _first(settings, connection))
    app = TerminalApp(connection, settings.server, settings.look, first, settings.preferences)
    with ended_by_signals(app.exit):
        status = await app.run_async()
    room = app.room
    if room is not None and room.view.you is not None and room.view.result is None and status in (LEFT, INTERRUPTED):
        _to_stderr(_left(settings, room.view))
    return status if status is not None else 1  # without a status it broke down


def _left(settings: Settings, view: RoomView) -> str:
    """How whoever leaves a seat returns to it: with those of their options that the next command needs too."""
    if settings.token_file is None:
        return t("plain.left.guest")
    here = settings.server == (os.environ.get("NOUGHTS_SERVER") or _HERE)
    command = ["noughts", "play", "join", view.room if here else page_url(settings.server, f"/room/{view.room}")]
    if settings.token_file != identity.default_path():
        command += ["--token-file", str(settings.token_file)]
    # Without an invitation, a room that waits is an open game or a challenge, which the server soon cancels.
    waits = view.code is None and not view.started
    return t("plain.left.offer" if waits else "plain.left.seat", command=shlex.join(command))


async def _first(settings: Settings, connection: Connection) -> LiveRoom | Replay | None:
    """Where the full screen begins; None for the lobby."""
    asked = settings.seating
    if isinstance(asked, ReplayGame):
        record = await Records(settings.server, connection.token).game(asked.number)
        return replay_of(record, connection.player.id)
    return await sit_down(connection, asked) if asked is not None else None
