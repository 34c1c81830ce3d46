"""`noughts schema`: the form of what commands print with `--json`."""

from __future__ import annotations

import json

import click

from server.console.as_json import JsonOption, json_options


@click.command(epilog="\b\nExamples:\n  noughts schema\n  noughts schema match\n  noughts schema db info\n")
@click.argument("command", nargs=-1)
@click.pass_context
def schema(ctx: click.Context, command: tuple[str, ...]) -> None:
    """Print the JSON Schema of what COMMAND prints with --json; without COMMAND, list the commands that have one."""
    root = ctx.find_root().command
    known = {name: option for name, option in json_options(root, ctx) if isinstance(option, JsonOption)}
    if not command:
        click.echo("\n".join(known))
        return
    name = " ".join(command)
    if name not in known:
        raise click.UsageError(f"{name!r} is not a command with a schema: `noughts schema` lists those.")
    click.echo(json.dumps(known[name].schema(), indent=2, ensure_ascii=False))
