"""`noughts play`: where its options may stand, and its help; games are not played here."""

from __future__ import annotations

import click
import pytest

from client.terminal import command
from client.terminal.play_options import Settings
from tests.support.terminal.commands import asked, play

__all__ = ["asked"]

TERMINAL_OPTIONS = {"server", "plain", "ascii_only", "marks", "language", "name", "token_file", "new_identity", "guest"}


def test_options_of_the_terminal_go_before_or_after(
    asked: list[Settings], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOUGHTS_SERVER", "http://elsewhere:1")
    for line in (
        "--server h:2 --ascii bot random",
        "bot random --ascii --server h:2",
        "--server h:3 --ascii bot --server h:2",
        "bot --ascii",
    ):
        assert play(line) == 0
    assert [settings.server for settings in asked] == ["h:2", "h:2", "h:2", "http://elsewhere:1"]
    assert all(settings.look.ascii for settings in asked)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("subcommand", command.play.commands.values(), ids=lambda subcommand: str(subcommand.name))
def test_help_needs_no_documentation(subcommand: click.Command) -> None:
    context = click.Context(subcommand, info_name=subcommand.name)
    options = [each for each in subcommand.params if isinstance(each, click.Option)]
    assert {str(option.name) for option in options} >= TERMINAL_OPTIONS
    assert all(option.help for option in options)
    assert "Example" in subcommand.get_help(context)
    assert f"noughts play {subcommand.name}" in subcommand.get_help(context)
    assert not subcommand.get_short_help_str(80).endswith("...")


def test_the_old_options_are_not_offered() -> None:
    shown = command.play.get_help(click.Context(command.play))
    assert "--bot" not in shown
    assert "--join" not in shown
