"""Groups of commands that are imported when they are used, so that help, errors and completion come at once."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click
from click.shell_completion import CompletionItem

from server.console.group import Group


@dataclass(frozen=True, slots=True)
class Lazy:
    """A subcommand that is not imported yet."""

    path: str
    """`module:attribute` of a click command."""
    help: str
    hidden: bool = False
    """An earlier name, which goes on working."""


class LazyGroup(Group):
    """A group whose table says enough to list the commands without importing them."""

    def __init__(self, *arguments: Any, lazy: Mapping[str, Lazy], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.lazy = lazy
        """Commands in the order in which they are shown."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, lazy in self.lazy.items() if not lazy.hidden]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        lazy = self.lazy.get(cmd_name)
        if lazy is None:
            return None
        module, _, attribute = lazy.path.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.lazy[name].help) for name in self.list_commands(ctx)])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        commands = [CompletionItem(name, help=self.lazy[name].help) for name in self.list_commands(ctx)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [item for item in commands if item.value.startswith(incomplete)] + options
