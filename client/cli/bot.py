"""`noughts bot`: a network bot as a service."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
from msgspec import Struct, field

from client.sdk.errors import NoughtsError
from server.console.examples import examples
from server.console.files import must_be_writable, named_file
from server.console.group import Group
from server.logs import set_up_logs
from server.typed_toml import TomlError, convert, takes, whole

if TYPE_CHECKING:
    from client.sdk.service import Accepts

RETRY_S = (0.2, 0.5, 1, 2, 5, *(10,) * 100_000)
"""Seconds to wait before each attempt to connect again: eleven days in all."""


class _Accept(Struct, kw_only=True, forbid_unknown_fields=True):
    """See `Accepts`, which says what each is for."""

    games: Annotated[list[str], takes("a list of games")] | None = None
    at_once: Annotated[int, whole(1, 1000)] = 4
    rated: bool = True
    no_clock: bool = True
    least_s: Annotated[int, whole(0, 10_000_000)] | None = None
    most_s: Annotated[int, whole(0, 10_000_000)] | None = None
    least_rating: Annotated[int, whole(0, 10_000)] | None = None
    most_rating: Annotated[int, whole(0, 10_000)] | None = None
    seeks: bool = False


class _File(Struct, kw_only=True, forbid_unknown_fields=True):
    server: str
    name: str
    choose: str
    """`file.py:function`, beside this file"""
    token_file: str
    """where the bot's token is kept, beside this file: made with the first connection"""
    accept: _Accept = field(default_factory=_Accept)


@click.group(cls=Group)
def bot() -> None:
    """Run a network bot as a service."""


@bot.command("serve", epilog=examples("noughts bot serve coin.toml"))
@click.argument("file", type=click.Path(path_type=Path))
def serve(file: Path) -> None:
    """Play as the bot of FILE in many rooms at once, taking the challenges that its rules allow; see docs/bots.md."""
    with named_file(file):
        settings = convert(file.read_text(encoding="utf-8"), _File)
        accepts = _rules(settings.accept)
        program, function = _chosen(file.parent, settings.choose)
    choose = _loaded(program, function)
    token = _Token(file.parent / settings.token_file)
    set_up_logs("info", "auto")
    try:
        asyncio.run(_serve(settings, choose, accepts, token))
    except NoughtsError as error:
        raise click.ClickException(str(error)) from None


class _Token:
    """A bearer secret in a file for this user alone. Raises click.ClickException if it can be neither read nor made."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.kept: str | None = None
        if not path.exists():
            must_be_writable(path)
            return
        self.kept = _kept(path)
        if not self.kept:
            raise click.ClickException(f"{path} is empty: put the bot's token there, or delete it for a new bot.")

    def keep(self, token: str) -> None:
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:  # as where two first starts come at one moment
            raise click.ClickException(f"{self._path} was made by another start: start again to be its bot.") from None
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(f"{token}\n")


async def _serve(settings: _File, choose: Callable[..., str], accepts: Accepts, token: _Token) -> None:
    from client.sdk import connect
    from client.sdk.service import BotService
    from client.sdk.websocket import quiet_websockets

    quiet_websockets()
    place, name = settings.server, settings.name
    async with connect(place, name=name, kind="bot", token=token.kept, delays_s=RETRY_S) as connection:
        if token.kept is None:
            token.keep(connection.token or "")
        click.echo(f"{connection.player.name} plays at {settings.server} as player {connection.player.id}.")
        await BotService(connection, choose, accepts).run()


def _loading_failed(path: Path, error: BaseException) -> str:
    """What a program raises while it is loaded, with the last of its own lines that led there."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    if isinstance(error, SyntaxError) and error.filename == str(path):
        lines.append(error.lineno)
    where = f"{path}, line {lines[-1]}" if lines and lines[-1] else str(path)
    what = " ".join(traceback.format_exception_only(error)[-1].split())
    return f"{where}: {what.rstrip('.')}."


def _check_bounds(accept: _Accept) -> None:
    """Raises TomlError."""
    bounds = {"s": (accept.least_s, accept.most_s), "rating": (accept.least_rating, accept.most_rating)}
    for name, (least, most) in bounds.items():
        if least is not None and most is not None and least > most:
            raise TomlError(
                f"accept.least_{name} is {least}, above accept.most_{name}, {most}: it would accept nobody."
            )


def _rules(accept: _Accept) -> Accepts:
    """Raises TomlError."""
    from client.sdk.service import Accepts
    from engine.rules.position import UnknownGame
    from engine.rules.registry import rules

    _check_bounds(accept)
    try:
        games = None if accept.games is None else frozenset(rules(game).id for game in accept.games)
    except UnknownGame as error:
        raise TomlError(f"accept.games: {error}") from None
    return Accepts(
        games=games,
        at_once=accept.at_once,
        rated=accept.rated,
        no_clock=accept.no_clock,
        least_s=accept.least_s,
        most_s=accept.most_s,
        least_rating=accept.least_rating,
        most_rating=accept.most_rating,
        seeks=accept.seeks,
    )


def _kept(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise click.ClickException(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise click.ClickException(f"{file} is not UTF-8.") from None


def _chosen(folder: Path, place: str) -> tuple[Path, str]:
    """The program and its function that chooses moves. Raises TomlError."""
    name, _, function = place.rpartition(":")
    path = folder / name
    if not name or not function:
        raise TomlError(f"choose must be a file and a function, as coin.py:choose; not {place!r}.")
    if not path.is_file():
        raise TomlError(f"choose names {name}, and there is no such file beside this one.")
    return path, function


def _loaded(path: Path, function: str) -> Callable[..., str]:
    """Raises click.UsageError."""
    from client.sdk.bot import check_choose

    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise click.UsageError(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise click.UsageError(_loading_failed(path, error)) from None
    choose = getattr(module, function, None)
    if not callable(choose):
        raise click.UsageError(f"{path} has no function {function!r}.")
    try:
        check_choose(choose, repr(function))
    except TypeError as error:
        raise click.UsageError(f"{path}: {error}") from None
    return choose  # type: ignore[no-any-return]
