"""Groups of commands that say what they take."""

from __future__ import annotations

from difflib import get_close_matches

import click


class Group(click.Group):
    """A group that names its commands to whoever asks for another."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else "-"
        if not name.startswith("-") and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            names = self.list_commands(ctx)
            meant = "".join(f" (did you mean {near}?)" for near in get_close_matches(name, names, 1))
            ctx.fail(f"There is no command {name!r}{meant}; the commands are {', '.join(names)}.")
        return super().resolve_command(ctx, args)
