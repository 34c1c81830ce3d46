"""`noughts schema`: the form of what commands print with `--json`."""

from __future__ import annotations

import json

import click
from click.shell_completion import CompletionItem

from server.console.arguments import items
from server.console.as_json import JsonOption, json_options


def _known(ctx: click.Context) -> dict[str, JsonOption]:
    options = json_options(ctx.find_root().command, ctx)
    return {name: option for name, option in options if isinstance(option, JsonOption)}


def _next_words(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    typed = tuple(ctx.params[param.name or ""] or ())
    names = (tuple(name.split()) for name in _known(ctx))
    following = dict.fromkeys(name[len(typed)] for name in names if name[: len(typed)] == typed != name)
    return items(incomplete, ((word, None) for word in following))


@click.command(epilog="\b\nExamples:\n  noughts schema\n  noughts schema match\n  noughts schema db info\n")
@click.argument("command", nargs=-1, shell_complete=_next_words)
@click.pass_context
def schema(ctx: click.Context, command: tuple[str, ...]) -> None:
    """Print the JSON Schema of what COMMAND prints with --json; without COMMAND, list the commands that have one."""
    known = _known(ctx)
    if not command:
        click.echo("\n".join(known))
        return
    name = " ".join(command)
    if name not in known:
        raise click.UsageError(f"{name!r} is not a command with a schema: `noughts schema` lists those.")
    click.echo(json.dumps(known[name].schema(), indent=2, ensure_ascii=False))
