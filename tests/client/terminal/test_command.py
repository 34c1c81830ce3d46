"""`noughts play`: what its subcommands and their options come to; games are not played here."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from client.cli import main as cli
from client.terminal import command, language
from client.terminal import play as playing
from client.terminal.play_options import Settings
from client.terminal.seating import JoinNamed, JoinRoom, NewRoom, WatchNamed, WatchRoom
from server.wire import BotLimit, ClockSettings

TERMINAL_OPTIONS = {"server", "plain", "ascii_only", "marks", "language", "name", "token_file", "new_identity", "guest"}


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("NOUGHTS_SERVER", raising=False)
    monkeypatch.setenv("LC_ALL", "C")
    yield
    language.speak(language.ENGLISH)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """What each command that is run here would play."""
    seen: list[Settings] = []

    async def remember(settings: Settings) -> int:
        seen.append(settings)
        return 0

    monkeypatch.setattr(playing, "_play", remember)
    return seen


def new_room(asked: list[Settings], line: str) -> NewRoom:
    assert cli._status(["play", *line.split()]) == 0
    seating = asked.pop().seating
    assert isinstance(seating, NewRoom)
    return seating


def test_a_bot(asked: list[Settings]) -> None:
    room = new_room(asked, "bot alphabeta:3 --game qubic --seat o --clock 5+3 --limit depth=4 --start a1.1 --rated")
    assert room.opponent is not None
    assert (room.game, room.opponent.kind, room.opponent.bot, room.seat) == ("qubic", "bot", "alphabeta:3", "o")
    assert room.clock == ClockSettings(initial_ms=300_000, increment_ms=3_000)
    assert (room.limit, room.start, room.rated, room.pace) == (BotLimit(depth=4), ("a1.1",), True, None)
    plain = new_room(asked, "bot")
    assert plain.opponent is not None
    assert (plain.game, plain.opponent.bot, plain.limit, plain.clock) == ("tictactoe", "level:3", None, None)


@pytest.mark.parametrize(
    ("written", "limit"),
    [
        ("2s", BotLimit(move_ms=2_000)),
        ("500ms", BotLimit(move_ms=500)),
        ("move_ms=500", BotLimit(move_ms=500)),
        ("nodes=1000", BotLimit(nodes=1000)),
        ("depth=4", BotLimit(depth=4)),
    ],
)
def test_limits(asked: list[Settings], written: str, limit: BotLimit) -> None:
    assert new_room(asked, f"bot random --limit {written}").limit == limit


@pytest.mark.parametrize("way", ["invite", "open", "self"])
def test_people(asked: list[Settings], way: str) -> None:
    room = new_room(asked, f"{way} --game super --clock 10s --start 5/5")
    assert room.opponent is not None
    assert (room.game, room.opponent.kind, room.opponent.bot, room.start) == ("super", way, None, ("5/5",))
    assert room.clock == ClockSettings(move_ms=10_000)


def test_two_bots(asked: list[Settings]) -> None:
    room = new_room(asked, "bots random alphabeta --limit 500ms --human-pace")
    assert (room.opponent, room.bots, room.pace) == (None, ("random", "alphabeta"), "human")


@pytest.mark.parametrize(
    ("line", "server", "seating"),
    [
        ("join CODE", None, JoinNamed("CODE")),
        ("join -abcdefghijklmnopqrstu --guest", None, JoinNamed("-abcdefghijklmnopqrstu")),
        ("join http://h:1/join/CODE", "http://h:1", JoinRoom(code="CODE")),
        ("join http://h:1/room/r1", "http://h:1", JoinRoom(room="r1")),
        ("join http://h:4/room/r1#C", "http://h:4", JoinRoom(code="C", room="r1")),
        ("watch Ada", None, WatchNamed("Ada")),
        ("watch r1 --code C", None, WatchRoom("r1", "C")),
        ("watch http://h:4/room/r1", "http://h:4", WatchRoom("r1")),
        ("watch http://h:4/room/r1#C", "http://h:4", WatchRoom("r1", "C")),
    ],
)
def test_rooms(asked: list[Settings], line: str, server: str | None, seating: object) -> None:
    assert cli._status(["play", *line.split()]) == 0
    assert (asked[0].server, asked[0].seating) == (server or command.DEFAULT_SERVER, seating)


def test_a_replay(asked: list[Settings]) -> None:
    assert cli._status(["play", "replay", "http://h:3/game/7"]) == 0
    assert (asked[0].server, asked[0].seating.number) == ("http://h:3", 7)  # type: ignore[union-attr]


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
        assert cli._status(["play", *line.split()]) == 0
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
