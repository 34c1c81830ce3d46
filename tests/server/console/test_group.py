"""Groups that say what their commands do, and which there are."""

from __future__ import annotations

import click
from click.testing import CliRunner

from server.console.group import Group


@click.group(cls=Group)
def group() -> None:
    """One command that is shown."""


@group.command()
def sing() -> None:
    """Sing a song that everybody knows, to the end, and once more where somebody asks for it; whistle elsewhere."""


def test_a_sentence_is_shown_whole() -> None:
    shown = " ".join(CliRunner().invoke(group, ["--help"]).output.split())
    assert f"sing {sing.help}" in shown


def test_whoever_asks_for_another_command_is_told_which_there_are() -> None:
    result = CliRunner().invoke(group, ["sign"])
    assert result.exit_code == 2
    assert "There is no command 'sign' (did you mean sing?); the commands are sing." in result.output
