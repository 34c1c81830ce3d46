"""`--json`: what is printed, and the schema that tells its form."""

from __future__ import annotations

import io
import json
from typing import Annotated, Any

import click
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from msgspec import Meta

from server.console.as_json import JsonOption, json_option, json_options, print_json
from server.console.output import Output


class Inner(Output):
    name: str


class One(Output):
    count: Annotated[int, Meta(ge=1)]
    inner: Inner | None


class Other(Output):
    names: list[Inner]


Either = One | Other
PRINTED = {"one": One(3, Inner("fünf")), "other": Other([Inner("a"), Inner("b")])}


@click.group
def cli() -> None: ...


@cli.command
@json_option(f"{__name__}:Either", "an object of two kinds")
@click.argument("kind")
def told(kind: str, as_json: bool) -> None:
    if as_json:
        print_json(PRINTED[kind])


@cli.group
def more() -> None: ...


@more.command
@json_option(f"{__name__}:One")
def alone(as_json: bool) -> None: ...


@more.command
def silent() -> None: ...


OPTIONS: dict[str, JsonOption] = dict(json_options(cli, click.Context(cli)))


def validator(command: str) -> Draft202012Validator:
    form: dict[str, Any] = OPTIONS[command].schema()
    Draft202012Validator.check_schema(form)
    return Draft202012Validator(form)


def test_commands_with_json_are_found_by_their_words() -> None:
    assert OPTIONS.keys() == {"told", "more alone"}


@pytest.mark.parametrize("kind", PRINTED)
def test_what_is_printed_has_the_form_that_is_told(kind: str) -> None:
    printed = json.loads(CliRunner().invoke(cli, ["told", kind, "--json"]).stdout)
    validator("told").validate(printed)
    assert validator("more alone").is_valid(printed) == (kind == "one")
    assert not validator("told").is_valid(printed | {"more": 1})


def test_a_form_keeps_its_bounds() -> None:
    assert validator("more alone").is_valid({"count": 1, "inner": None})
    assert not validator("more alone").is_valid({"count": 0, "inner": None})
    assert not validator("more alone").is_valid({"count": 1})


def test_what_is_printed_is_utf_8_whatever_the_terminal_is(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="latin-1"))
    print_json(PRINTED["one"])
    assert json.loads(written.getvalue())["inner"] == {"name": "fünf"}


def test_help_says_what_is_printed() -> None:
    assert "Print an object of two kinds instead of" in CliRunner().invoke(cli, ["told", "--help"]).stdout
