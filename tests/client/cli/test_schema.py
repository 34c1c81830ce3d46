"""`noughts schema`: what commands print with `--json` has the form that it tells."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from client.cli.main import cli
from server.console.as_json import JsonOption, json_options
from tests.support.schemas import schema


def printed(line: str) -> object:
    done = CliRunner().invoke(cli, line.split())
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_every_json_has_a_schema() -> None:
    options = dict(json_options(cli, click.Context(cli)))
    assert options.keys() >= {
        "bots",
        "match",
        "perft",
        "bench engine",
        "ladder run",
        "report game",
        "db prune",
        "review",
    }
    for name, option in options.items():
        assert isinstance(option, JsonOption), name
        schema(name)


@pytest.mark.parametrize(
    "line",
    [
        "bots",
        "experiment list",
        "perft qubic 2",
        "match random level:1 --game mnk:3,3,3 --games 2 --limit-b nodes=100 --sprt 0,10",
        "simulate random spot --pairs --games 4",
        "simulate random random --games 1",
        "solve mnk:4,3,3",
        "solve mnk:3,3,3 --moves b2",
        "solve super --moves 5/5",
    ],
)
def test_what_is_printed_has_its_form(line: str) -> None:
    name = line if line == "experiment list" else line.split()[0]
    schema(name).validate(printed(f"{line} --json"))


def test_what_is_printed_of_a_proof_has_its_form(tmp_path: Path) -> None:
    printed(f"solve mnk:4,3,3 --json --out {tmp_path / 'proof'}")
    schema("verify").validate(printed(f"verify {tmp_path / 'proof'} --json"))


def test_what_is_printed_of_a_database_has_its_form(tmp_path: Path) -> None:
    CliRunner().invoke(cli, ["db", "migrate", "--db", str(tmp_path / "a.db")])
    for name in ("db check", "db info"):
        schema(name).validate(printed(f"{name} --json --db {tmp_path / 'a.db'}"))


def test_a_schema_refuses_what_is_not_told() -> None:
    told = {"game": "qubic", "counts": [64]}
    assert schema("perft").is_valid(told)
    assert not schema("perft").is_valid(told | {"more": 1})
    assert not schema("perft").is_valid({"game": "qubic"})
    assert schema("bench engine").is_valid({"bench": 1, "cases": {"a": 1}})


def test_the_list_and_a_command_without() -> None:
    listed = CliRunner().invoke(cli, ["schema"]).stdout.splitlines()
    assert {"bots", "db info", "bench cli", "solve"} <= set(listed)
    refused = CliRunner().invoke(cli, ["schema", "play"])
    assert refused.exit_code == 2
    assert "'play' is not a command with a schema" in refused.output
