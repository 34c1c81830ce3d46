"""`--json`: an option that knows the type of what it prints, so that the schema can be printed too."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from types import UnionType
from typing import Any, TypeVar, get_args

import click

Callback = TypeVar("Callback", bound=Callable[..., Any])


class JsonOption(click.Option):
    """`output` is `module:attribute` of the type, which is imported for its schema alone."""

    def __init__(self, *arguments: Any, output: str, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.output = output

    def schema(self) -> dict[str, Any]:
        """JSON Schema 2020-12 of what is printed; of several types any, as of `A | B`."""
        import msgspec

        module, _, attribute = self.output.partition(":")
        output = getattr(importlib.import_module(module), attribute)
        types = get_args(output) if isinstance(output, UnionType) else (output,)
        forms, definitions = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
        form = forms[0] if len(forms) == 1 else {"anyOf": list(forms)}
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", **form, "$defs": definitions}


def json_option(output: str, what: str = "one JSON object") -> Callable[[Callback], Callback]:
    """`output` as in JsonOption."""
    words = f"Print {what} instead of text; `noughts schema` describes it."
    return click.option("--json", "as_json", cls=JsonOption, output=output, is_flag=True, help=words)


def print_json(value: object) -> None:
    """A struct, or a list of them; JSON is UTF-8 whatever the terminal is."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value)))


def json_options(command: click.Command, ctx: click.Context, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command below this one that has `--json`, by its words, with that option."""
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            below = command.get_command(ctx, name)
            if below is not None:
                yield from json_options(below, ctx, (*path, name))
    for parameter in command.params:
        if "--json" in parameter.opts:
            yield " ".join(path), parameter
