"""Groups whose commands are imported when they are used."""

from __future__ import annotations

import sys

import click
import pytest
from click.testing import CliRunner

from server.console.lazy import Lazy, LazyGroup

TABLE = {
    "bots": Lazy("client.lab.bots:bots", "List the bots."),
    "broken": Lazy("no.such.module:command", "Cannot be imported."),
    "bottles": Lazy("client.lab.bots:bots", "Earlier name of bots.", hidden=True),
}


@click.group(cls=LazyGroup, lazy=TABLE)
def group() -> None:
    """Two commands."""


def test_help_and_completion_import_none() -> None:
    shown = CliRunner().invoke(group, ["--help"]).output
    assert "bots    List the bots." in shown
    assert "broken  Cannot be imported." in shown
    context = click.Context(group)
    assert [item.value for item in group.shell_complete(context, "b")] == ["bots", "broken"]
    assert [item.value for item in group.shell_complete(context, "--h")] == ["--help"]
    assert "no" not in sys.modules


def test_a_command_is_imported_when_it_is_used() -> None:
    assert CliRunner().invoke(group, ["bots"]).output.startswith("random")
    with pytest.raises(ModuleNotFoundError):
        CliRunner().invoke(group, ["broken"], catch_exceptions=False)


def test_an_earlier_name_works_and_is_shown_nowhere() -> None:
    assert CliRunner().invoke(group, ["bottles"]).output.startswith("random")
    assert "bottles" not in CliRunner().invoke(group, ["--help"]).output
    assert "bottles" not in CliRunner().invoke(group, ["sing"]).output


def test_an_unknown_command() -> None:
    result = CliRunner().invoke(group, ["sing"])
    assert result.exit_code == 2
    assert "There is no command 'sing'; the commands are bots, broken." in result.output
