"""`noughts admin`: orders to a server that runs on this machine."""

from __future__ import annotations

import re
import time
from pathlib import Path

import click

from server.admin.line import NoServer, TooLong, ask
from server.admin.orders import (
    LISTED,
    MOST_ANNOUNCED,
    MOST_REASON,
    Announce,
    Answer,
    Ban,
    ChangeToken,
    CloseRoom,
    Delete,
    Drain,
    ListPlayers,
    NewBot,
    Order,
    PlayerLine,
    Rename,
    Unban,
)
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.group import Group
from server.console.moments import moment_text
from server.db.options import database_option

DRAIN_LOOKS_S = 1.0
"""How often to ask for the games that are left."""
_UNITS_MS = {"s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def _duration_ms(context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    if text is None:
        return None
    found = re.fullmatch(r"([1-9]\d{0,5})([smhd])", text)
    if found is None:
        raise click.BadParameter(
            f"{text!r} is not a length of time: write it as 90s, 30m, 12h or 7d, with six digits at most."
        )
    return int(found[1]) * _UNITS_MS[found[2]]


class _Text(click.ParamType[str]):
    name = "text"

    def __init__(self, most: int) -> None:
        self._most = most

    def convert(self, value: str, parameter: click.Parameter | None, context: click.Context | None) -> str:
        if len(value) > self._most:
            self.fail(f"it has {len(value)} characters, and at most {self._most} are allowed.", parameter, context)
        return value


@click.group(cls=Group)
def admin() -> None:
    """Give orders to the server that runs on a database: players, rooms."""


@admin.command("players", epilog=examples("noughts admin players", "noughts admin players ann --json"))
@click.argument("search", default="")
@click.option("--limit", type=click.IntRange(1, 1000), default=LISTED, show_default=True, help="How many at most.")
@database_option
@json_option("server.admin.orders:Answer")
def players(search: str, limit: int, path: Path, as_json: bool) -> None:
    """List players, newest first: all, or those with SEARCH in their name or as their number."""
    answer = _ask(path, ListPlayers(search=search, limit=limit))
    if as_json:
        print_json(answer)
        return
    for player in answer.players:
        click.echo(_row(player))
    click.echo(answer.said)


@admin.command("rename", epilog=examples('noughts admin rename 17 "Anna B."'))
@click.argument("player")
@click.argument("name")
@database_option
def rename(player: str, name: str, path: Path) -> None:
    """Rename the player with the number PLAYER; everybody sees the new name at once."""
    click.echo(_ask(path, Rename(player=player, name=name)).said)


@admin.command("ban", epilog=examples("noughts admin ban 17", "noughts admin ban 17 --for 7d --address 1h"))
@click.argument("player")
@click.option("--for", "ms", callback=_duration_ms, help="For how long, as 30m, 12h or 7d; by default for good.")
@click.option("--reason", type=_Text(MOST_REASON), default="", help="What the player is told about it.")
@click.option("--address", "address_ms", callback=_duration_ms, help="How long to ban their address too.")
@database_option
def ban(player: str, ms: int | None, reason: str, address_ms: int | None, path: Path) -> None:
    """Ban the player with the number PLAYER, and the bots that they made: their connections end, and their opponents
    may claim the win."""
    click.echo(_ask(path, Ban(player=player, ms=ms, reason=reason, address_ms=address_ms or 0)).said)


@admin.command("unban", epilog=examples("noughts admin unban 17"))
@click.argument("player")
@database_option
def unban(player: str, path: Path) -> None:
    """Let the player with the number PLAYER come back, also from the address that was banned with them."""
    click.echo(_ask(path, Unban(player=player)).said)


@admin.command("delete", epilog=examples("noughts admin delete 17 --yes"))
@click.argument("player")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@database_option
def delete(player: str, yes: bool, path: Path) -> None:
    """Delete for good what is known about the player with the number PLAYER; their games stay, without a name."""
    if not yes:
        click.confirm(f"Delete player {player} for good?", abort=True)
    click.echo(_ask(path, Delete(player=player)).said)


@admin.command("close", epilog=examples("noughts admin close 5f1c0a93be"))
@click.argument("room")
@database_option
def close(room: str, path: Path) -> None:
    """Close the room whose address has the id ROOM. Its running game ends as aborted and counts for nobody."""
    click.echo(_ask(path, CloseRoom(room=room)).said)


@admin.group("token", cls=Group)
def token_group() -> None:
    """Make tokens for bots, and replace or withdraw those of players."""


@token_group.command("new", epilog=examples("noughts admin token new coin"))
@click.argument("name")
@database_option
def new_token(name: str, path: Path) -> None:
    """Make a bot called NAME, and print the token with which a program plays as this bot until it is withdrawn."""
    _tell_token(_ask(path, NewBot(name=name)))


@token_group.command("renew", epilog=examples("noughts admin token renew 17"))
@click.argument("player")
@database_option
def renew_token(player: str, path: Path) -> None:
    """Withdraw the token of the player with the number PLAYER, and print a new one."""
    _tell_token(_ask(path, ChangeToken(player=player, told=True)))


@token_group.command("withdraw", epilog=examples("noughts admin token withdraw 17"))
@click.argument("player")
@database_option
def withdraw_token(player: str, path: Path) -> None:
    """Withdraw the token of the player with the number PLAYER: nobody can be this player until it is renewed."""
    click.echo(_ask(path, ChangeToken(player=player, told=False)).said)


def _tell_token(answer: Answer) -> None:
    """The token alone goes to stdout, for a file."""
    click.echo(answer.said, err=True)
    click.echo(answer.token)


@admin.command("announce", epilog=examples('noughts admin announce "Restart at noon" --for 2h'))
@click.argument("text", type=_Text(MOST_ANNOUNCED), required=False)
@click.option(
    "--for", "ms", callback=_duration_ms, help="For how long, as 30m or 2h; by default until it is withdrawn."
)
@click.option("--withdraw", is_flag=True, help="Withdraw the announcement.")
@database_option
def announce(text: str | None, ms: int | None, withdraw: bool, path: Path) -> None:
    """Show everybody TEXT, on the page and in the terminal: those who are here, and those who come while it lasts."""
    if (not (text or "").strip()) != withdraw:
        raise click.UsageError("Give either a text or --withdraw.")
    click.echo(_ask(path, Announce(text=text or "", ms=ms)).said)


@admin.command("drain", epilog=examples("noughts admin drain --limit 20m", "noughts admin drain --cancel"))
@click.option(
    "--limit",
    "limit_ms",
    callback=_duration_ms,
    default="10m",
    show_default=True,
    help="How long to wait for running games.",
)
@click.option("--cancel", is_flag=True, help="Let games begin again.")
@database_option
def drain(limit_ms: int, cancel: bool, path: Path) -> None:
    """Stop new games from beginning, and wait until every game with somebody in it has ended.

    Games that nobody is in, and all others when the limit is reached, go on after the restart.
    """
    if cancel:
        click.echo(_ask(path, Drain(on=False)).said)
        return
    deadline_s = time.monotonic() + limit_ms / 1000
    told = ""
    while True:
        answer = _ask(path, Drain())
        if answer.said != told:
            told = answer.said
            click.echo(told)
        if not answer.left:
            return
        if time.monotonic() >= deadline_s:
            raise click.ClickException(f"The limit is reached. {told}")
        time.sleep(DRAIN_LOOKS_S)  # a command of its own process: nobody else waits


def _ask(path: Path, order: Order) -> Answer:
    try:
        answer = ask(path, order)
    except NoServer as error:
        raise click.ClickException(str(error)) from None
    except TooLong as error:
        raise click.UsageError(str(error)) from None
    except UnicodeEncodeError as error:
        raise click.UsageError(f"{error.object!a} is not text in UTF-8.") from None
    if not answer.done:
        raise click.ClickException(answer.said)
    return answer


def _row(player: PlayerLine) -> str:
    since = moment_text(player.since_ms, "%Y-%m-%d", local=False)
    parts = [f"{player.id:>6}  {player.name}", player.kind, f"since {since}"]
    if player.connected:
        parts.append("connected")
    if player.ban is not None:
        parts.append("banned")
    if player.rooms:
        parts.append(f"in {' '.join(player.rooms)}")
    return ", ".join(parts)
