"""`noughts play` and its subcommands: each has only the options that mean something to it.

What plays is imported when a game starts, so that help and completion come at once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from client.terminal.language import languages, speak, t, wanted
from client.terminal.old_options import OLD_OPTIONS, command_line, said_the_old_way
from server.console.arguments import complete_bot, complete_game, items
from server.console.group import Group

DEFAULT_SERVER: Final = "http://127.0.0.1:8765"
CLOCKS: Final = ("1+0", "3+2", "5+3", "10+5", "10s", "none")
LIMITS: Final = ("500ms", "2s", "depth=2", "depth=4", "nodes=1000", "nodes=100000")

Callback = TypeVar("Callback", bound=Callable[..., Any])


def _examples(*offered: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem[str]]]:
    return lambda ctx, param, incomplete: items(incomplete, ((one, None) for one in offered))


def _together(*options: Callable[[Callback], Callback]) -> Callable[[Callback], Callback]:
    def decorate(callback: Callback) -> Callback:
        for option in reversed(options):
            callback = option(callback)
        return callback

    return decorate


_game = click.option(
    "--game",
    default="tictactoe",
    show_default=True,
    shell_complete=complete_game,
    help="Game id: qubic, ultimate, gomoku, mnk:5,4,4 and so on.",
)
_seat = click.option(
    "--seat", type=click.Choice(["x", "o", "random"]), help="Your seat; X moves first.  [default: random]"
)
_clock = click.option(
    "--clock",
    metavar="CLOCK",
    shell_complete=_examples(*CLOCKS),
    help="5+3 is minutes and increment in seconds, 10s is for each move.  [default: none]",
)
_rated = click.option("--rated", is_flag=True, help="Make the game rated; it needs a clock.")
_start = click.option("--start", metavar="MOVES", help="Moves played before the game starts: 'a1 b2'.")
_limit = click.option(
    "--limit",
    metavar="BOUND",
    shell_complete=_examples(*LIMITS),
    help="Limit of a bot's search for a move: 500ms, 2s, depth=4 or nodes=10000.  [default: the bot's own]",
)
_human_pace = click.option("--human-pace", is_flag=True, help="Let bots answer at a human-like pace.")

terminal_options = _together(
    click.option(
        "--server", envvar="NOUGHTS_SERVER", default=DEFAULT_SERVER, show_default=True, help="The server's address."
    ),
    click.option("--plain", is_flag=True, help="Lines only; automatic in a pipe."),
    click.option("--ascii", "ascii_only", is_flag=True, help="Draw boards with ASCII characters only."),
    click.option("--marks", metavar="X,O", help="Your own marks, one or two characters each."),
    click.option("--language", type=click.Choice(languages()), help="The language.  [default: that of your terminal]"),
    click.option("--name", help="Your name, up to 20 characters."),
    click.option(
        "--token-file",
        type=click.Path(path_type=Path),
        help="File with your identity.  [default: in ~/.config/noughts]",
    ),
    click.option("--new-identity", is_flag=True, help="Be a new player from now on."),
    click.option("--guest", is_flag=True, help="Be a new player just this once."),
)
"""Server, identity and looks: what `play` and all its subcommands take, before or after the subcommand."""

_PLAY_EXAMPLES: Final = """\b
Examples:
  noughts play                               the lobby
  noughts play bot level:3                   a bot that makes mistakes as people do
  noughts play bot --game qubic --seat o     the other games, the other seat
  noughts play invite --game ultimate        a code and a link for a friend
  noughts play join CODE                     what a friend sent you
"""


@click.group(cls=Group, invoke_without_command=True, epilog=_PLAY_EXAMPLES)
@terminal_options
@_together(*OLD_OPTIONS)
def play(**options: Any) -> None:
    """Play a bot, a friend or anybody, in the terminal.

    Without a subcommand it begins in the lobby. Moves are typed: b2 on a flat board, a1.1 in a cube, 5/3 on nine
    boards; /help lists the commands. In a pipe, or with --plain, only the opponent's moves go to stdout, one a line.
    """
    ctx = click.get_current_context()
    _speak(options)
    _check_text(ctx)
    old = said_the_old_way(options)
    if ctx.invoked_subcommand is not None:
        if old:
            raise click.UsageError(f"{old[0]} goes after the subcommand {ctx.invoked_subcommand}.")
    elif old:
        name, *arguments = line = command_line(options)
        ctx.obj = ["noughts", "play", *line]
        subcommand = play.commands[name]
        with subcommand.make_context(name, arguments, parent=ctx) as asked:
            subcommand.invoke(asked)
    else:
        _begin("lobby")


@play.command(
    epilog="""\b
Examples:
  noughts play bot                           level:3 at tictactoe
  noughts play bot level:5 --clock 5+3 --rated
  noughts play bot alphabeta:4 --game qubic --limit 2s --human-pace
  printf 'b2\\na1\\nc3\\n' | noughts play bot random
"""
)
@click.argument("bot", default="level:3", shell_complete=complete_bot)
@_together(_game, _seat, _clock, _limit, _human_pace, _rated, _start)
@terminal_options
def bot(**options: Any) -> None:
    """Play a bot. It is level:3 unless you name another; `noughts bots` lists them."""
    _begin("bot")


@play.command(epilog="\b\nExample:\n  noughts play invite --game ultimate --clock 5+3 --seat x\n")
@_together(_game, _seat, _clock, _rated, _start)
@terminal_options
def invite(**options: Any) -> None:
    """Print a code and a link for a friend, and wait."""
    _begin("invite")


@play.command("open", epilog="\b\nExample:\n  noughts play open --game gomoku --clock 10+5\n")
@_together(_game, _seat, _clock, _rated, _start)
@terminal_options
def open_(**options: Any) -> None:
    """Wait in the lobby for anyone."""
    _begin("open")


class _TakesCodes(click.Command):
    """Codes may begin with a dash, as options do."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        codes = [argument for argument in args if _DASHED_CODE.fullmatch(argument)]
        others = [argument for argument in args if argument not in codes]
        return super().parse_args(ctx, [*others, "--", *codes] if codes else others)


_DASHED_CODE: Final = re.compile(r"-[\w-]{21}", re.ASCII)


@play.command(
    cls=_TakesCodes,
    epilog="""\b
Examples:
  noughts play join Sj0zRkBcQ1m2nV9yT4xLwA
  noughts play join http://example.org/room/4f2a90c1d7#Sj0zRkBcQ1m2nV9yT4xLwA
""",
)
@click.argument("target", metavar="CODE|LINK|ROOM")
@terminal_options
def join(**options: Any) -> None:
    """Join by invitation or room. A room's name takes its free seat, or your own again."""
    _begin("join")


@play.command(epilog="\b\nExamples:\n  noughts play watch 4f2a90c1d7\n  noughts play watch Ada\n")
@click.argument("target", metavar="ROOM|LINK|PLAYER")
@click.option("--code", help="The code of an invite room.")
@terminal_options
def watch(**options: Any) -> None:
    """Watch a room or a player. A player's name finds their running game."""
    _begin("watch")


@play.command(
    epilog="""\b
Examples:
  noughts play replay 12
  noughts play replay 12 --plain </dev/null    the moves, one a line
"""
)
@click.argument("target", metavar="GAME|LINK")
@terminal_options
def replay(**options: Any) -> None:
    """Replay a recorded game, by its number or link."""
    _begin("replay")


@play.command("self", epilog="\b\nExample:\n  noughts play self --game super\n")
@_together(_game, _clock, _start)
@terminal_options
def self_(**options: Any) -> None:
    """Two players at this screen."""
    _begin("self")


@play.command(epilog="\b\nExample:\n  noughts play bots alphabeta:2 random --game mnk:4,4,3 --limit depth=2\n")
@click.argument("x", shell_complete=complete_bot)
@click.argument("o", shell_complete=complete_bot)
@_together(_game, _clock, _limit, _human_pace, _start)
@terminal_options
def bots(**options: Any) -> None:
    """Watch bot X, who begins, against bot O."""
    _begin("bots")


def _begin(way: str) -> None:
    """Play this way, and exit with the game's status."""
    ctx = click.get_current_context()
    options = _with_those_of_the_group(ctx)
    _speak(options)
    _check_text(ctx)
    from client.terminal.play import run

    status = run(way, options)
    if ctx.obj is not None:
        click.echo(t("option.hint", command=_quoted(ctx.obj)), err=True)
    ctx.exit(status)


def _with_those_of_the_group(ctx: click.Context) -> dict[str, Any]:
    """The options, and those that were given before the subcommand and not after it."""
    options = dict(ctx.params)
    group = ctx.parent
    if group is not None:
        for name, value in group.params.items():
            given = group.get_parameter_source(name) is ParameterSource.COMMANDLINE
            if given and name in options and ctx.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
                options[name] = value
    return options


def _speak(options: dict[str, Any]) -> None:
    speak(options["language"] or wanted(os.environ))


_JOINERS: Final = str.maketrans("", "", "\u200c\u200d")
"""Persian, Indic scripts and families of emoji are spelt with them; the server says where they may stand."""


def _check_text(ctx: click.Context) -> None:
    """Bytes that are no text arrive as characters that no message can hold."""
    for parameter in ctx.command.params:
        value = ctx.params.get(parameter.name or "")
        written = "".join(value) if isinstance(value, tuple) else value
        if isinstance(written, str) and not written.translate(_JOINERS).isprintable():
            name = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name
            raise click.UsageError(t("option.no_text", option=name, text=ascii(written)))


def _quoted(words: list[str]) -> str:
    from shlex import join as quoted

    return quoted(words)
