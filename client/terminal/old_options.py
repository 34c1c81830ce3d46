"""The options by which `noughts play` was told how to play before it had subcommands. They go on working."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

from client.terminal.language import t

_WAYS: Final = {
    "bot": "bot", "invite": "invite", "seek": "open", "both": "self", "bots": "bots", "join": "join", "room": "join",
    "watch": "watch", "replay": "replay",
}  # fmt: skip
"""Name of the old option -> subcommand."""
_NEW_GAME: Final = ("game", "seat", "clock", "depth", "nodes", "think", "human_pace", "rated", "start")
_LIMITS: Final = {"depth": "depth={}", "nodes": "nodes={}", "think": "{}"}


def _text(*names: str) -> Callable[..., Any]:
    return click.option(*names, hidden=True)


def _flag(*names: str) -> Callable[..., Any]:
    return click.option(*names, is_flag=True, hidden=True)


OLD_OPTIONS: Final = (
    *(_text(f"--{name}") for name in ("bot", "join", "room", "watch", "replay")),
    click.option("--bots", nargs=2, hidden=True),
    *(_flag("--invite"), _flag("--open", "seek"), _flag("--self", "both")),
    *(_text(f"--{name}") for name in ("game", "seat", "clock", "depth", "nodes", "think", "start", "code")),
    *(_flag("--human-pace"), _flag("--rated")),
)


def said_the_old_way(options: dict[str, Any]) -> list[str]:
    """The old options that were given, as they are written."""
    written = {"seek": "--open", "both": "--self"}
    names = (*_WAYS, *_NEW_GAME, "code")
    return [written.get(name, f"--{name.replace('_', '-')}") for name in names if options[name]]


def command_line(options: dict[str, Any]) -> list[str]:
    """The subcommand with its arguments that means the same. Raises click.UsageError."""
    ways = [name for name in _WAYS if options[name]]
    if len(ways) > 1:
        raise click.UsageError(t("option.one_way", ways=t("option.ways")))
    if not ways:
        raise click.UsageError(t("option.needs_way", option=said_the_old_way(options)[0], ways=t("option.ways")))
    [way] = ways
    value = options[way]
    arguments = [] if value is True else list(value) if isinstance(value, tuple) else [value]
    # Options of a new game meant nothing to a game that was there already.
    taken = ("code",) if way == "watch" else () if way in ("join", "room", "replay") else _NEW_GAME
    return [_WAYS[way], *arguments, *_options(options, taken)]


def _options(options: dict[str, Any], taken: tuple[str, ...]) -> list[str]:
    line: list[str] = []
    limits = [name for name in taken if name in _LIMITS and options[name]]
    if len(limits) > 1:
        raise click.UsageError(t("option.limits"))
    for name in taken:
        value = options[name]
        if not value:
            continue
        option = "--limit" if name in _LIMITS else f"--{name.replace('_', '-')}"
        line += [option] if value is True else [option, _LIMITS.get(name, "{}").format(value)]
    return line
