"""`python -m server.ladder`: the commands of `noughts ladder`, as a server starts them in a process of their own."""

from __future__ import annotations

import sys

import click

from server.console.exits import INTERRUPTED
from server.ladder.group import ladder


def main() -> int:
    """The exit status and the one sentence for what is wrong, as those of `noughts`."""
    try:
        status = ladder.main(prog_name="noughts ladder", standalone_mode=False)
    except click.ClickException as error:
        hint = f" ({error.ctx.command_path} --help)" if isinstance(error, click.UsageError) and error.ctx else ""
        click.echo(f"noughts: {' '.join(error.format_message().split())}{hint}", err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return status if isinstance(status, int) else 0


if __name__ == "__main__":
    sys.exit(main())
