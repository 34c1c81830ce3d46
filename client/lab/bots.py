"""`noughts bots`: the roster."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from typing import Final

import click
from msgspec.structs import replace

from client.lab import outputs
from engine.bots.roster import BotEntry, Number, Parameter
from server.console.arguments import known_roster
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.workers.engines.option import engines_option

_WIDEST: Final = 100
"""Columns in which sentences are easy to read."""


@click.command(epilog=examples("noughts bots", "noughts bots --json | jq -r '.[].name'"))
@engines_option
@json_option("client.lab.outputs:Bots", "one JSON array")
@click.pass_context
def bots(ctx: click.Context, as_json: bool) -> None:
    """List the bots: their names, the games they play, how they play them and where they come from.

    Where a bot is rebuilt from its author's description, "Ours" says what the author left open and what we chose.
    """
    entries = known_roster(ctx).entries
    if as_json:
        print_json([_output(entry) for entry in entries])
        return
    columns = min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)
    heading = textwrap.TextWrapper(columns, subsequent_indent="  ", break_on_hyphens=False)
    wrapper = textwrap.TextWrapper(columns, initial_indent="    ", subsequent_indent="      ", break_on_hyphens=False)
    for entry in entries:
        click.echo(heading.fill(f"{entry.form}  ({', '.join(entry.games)})"))
        for paragraph in _paragraphs(entry):
            click.echo(wrapper.fill(paragraph))
        click.echo()


def _paragraphs(entry: BotEntry) -> Iterator[str]:
    yield entry.character
    for parameter in entry.parameters:
        yield f"{parameter.name.upper()}: {parameter.meaning}, {parameter.range} (default {parameter.default})"
    yield f"Source: {entry.source} (version {entry.version})"
    for choice in entry.chosen:
        yield f"Ours: {choice}"


def _output(entry: BotEntry) -> outputs.Bot:
    return outputs.Bot(
        name=entry.name,
        form=entry.form,
        title=entry.title,
        character=entry.character,
        games=list(entry.games),
        source=entry.source,
        chosen=list(entry.chosen),
        version=entry.version,
        aliases=list(entry.aliases),
        parameters=[_parameter(parameter) for parameter in entry.parameters],
    )


def _parameter(parameter: Parameter) -> outputs.Parameter:
    told = outputs.Parameter(name=parameter.name, meaning=parameter.meaning, default=parameter.default)
    if isinstance(parameter, Number):
        return replace(told, low=parameter.low, high=parameter.high)
    return replace(told, words=list(parameter.words))
