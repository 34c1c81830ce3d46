"""Groups of commands that say what they take."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

import click

_WHOLE: Final = 1000
"""More characters than a sentence has: click cuts it where the line ends."""


class Group(click.Group):
    """A group that describes its commands in whole sentences, and lists them when an unknown one is asked for."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        named = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, command.get_short_help_str(_WHOLE)) for name, command in named if command]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else "-"
        if not name.startswith("-") and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            names = self.list_commands(ctx)
            meant = "".join(f" (did you mean {near}?)" for near in get_close_matches(name, names, 1))
            ctx.fail(f"There is no command {name!r}{meant}; the commands are {', '.join(names)}.")
        return super().resolve_command(ctx, args)
