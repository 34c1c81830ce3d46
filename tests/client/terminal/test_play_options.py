"""What a subcommand of `noughts play` and its options come to."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client.terminal import command, identity
from client.terminal.drawing.boards import Look
from client.terminal.play_options import Settings, cannot_draw, settings_from
from client.terminal.seating import BadChoice, JoinNamed, JoinRoom, NewRoom, WatchNamed, WatchRoom
from server.wire import BotLimit, ClockSettings
from tests.support.terminal.commands import asked, play

__all__ = ["asked"]


def new_room(asked: list[Settings], line: str) -> NewRoom:
    assert play(line) == 0
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
    assert play(line) == 0
    assert (asked[0].server, asked[0].seating) == (server or command.DEFAULT_SERVER, seating)


def test_a_replay(asked: list[Settings]) -> None:
    assert play("replay http://h:3/game/7") == 0
    assert (asked[0].server, asked[0].seating.number) == ("http://h:3", 7)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("term", "cannot"), [("dumb", True), ("unknown", True), ("xterm-256color", False), ("linux", False), (None, False)]
)
def test_terminals_that_only_take_lines(term: str | None, cannot: bool) -> None:
    assert cannot_draw(term) is cannot


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("bot random --limit 3", "'3' is not a limit: write 500ms, 2s, depth=4 or nodes=10000."),
        ("bot random --limit depth=0", "'depth=0' is not a limit"),
        ("bot random --limit 5+3", "'5+3' is not a limit"),
        ("bot random --limit never", "'never' is not a limit"),
        ("bot random --rated", "A rated game needs a clock: add --clock 5+3."),
        ("self --start z9", "The start is wrong at move 1: 'z9' names no cell"),
        ("bots random random --game super --start 5/5,5/5", "The start is wrong at move 1"),
    ],
)
def test_what_no_game_can_have(
    asked: list[Settings], line: str, sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert play(line) == 2
    assert sentence in capfd.readouterr().err
    assert asked == []


def test_the_first_wrong_move_of_a_start_is_named() -> None:
    options = {"server": "h:1", "game": "tictactoe", "clock": None, "start": "A1 b2 a1 z9"}
    with pytest.raises(BadChoice, match=r"^The start is wrong at move 3: a1 is taken by X\.$"):
        settings_from("self", options)


IN_THE_LOBBY: dict[str, Any] = {
    "server": "h:1", "plain": False, "marks": None, "ascii_only": False,
    "name": None, "guest": False, "token_file": None, "new_identity": False,
}  # fmt: skip


def terminal(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A terminal on all three streams; no fixture, since pytest takes them back before a test is called."""
    stream = SimpleNamespace(isatty=lambda: True, encoding="UTF-8")
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, stream)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_a_terminal_is_drawn_on_in_its_own_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = terminal(monkeypatch)
    settings = settings_from("lobby", IN_THE_LOBBY)
    assert (settings.seating, settings.plain, settings.look) == (None, False, Look(level="level {level}"))
    assert settings_from("lobby", IN_THE_LOBBY | {"plain": True}).plain
    assert settings_from("lobby", IN_THE_LOBBY | {"ascii_only": True}).look.ascii
    assert settings_from("lobby", IN_THE_LOBBY | {"marks": "#,@"}).look.marks == ("#", "@")
    stream.encoding = "latin-1"
    assert settings_from("lobby", IN_THE_LOBBY).look.ascii


def test_lines_are_for_terminals_that_cannot_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal(monkeypatch)
    monkeypatch.setenv("TERM", "dumb")
    assert settings_from("lobby", IN_THE_LOBBY).plain


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
def test_the_lobby_needs_a_terminal_on_all_streams(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal(monkeypatch)
    monkeypatch.setattr(sys, name, SimpleNamespace(isatty=lambda: False, encoding="UTF-8"))
    with pytest.raises(BadChoice, match=r"^Choose how to play: play bot NAME"):
        settings_from("lobby", IN_THE_LOBBY)
    assert settings_from("replay", IN_THE_LOBBY | {"target": "7"}).plain


def test_a_guest_is_nobody_the_next_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    terminal(monkeypatch)
    kept = tmp_path / "tokens"
    for options, file in (
        ({}, identity.default_path()),
        ({"token_file": kept}, kept),
        ({"guest": True}, None),
        ({"guest": True, "token_file": kept}, None),
    ):
        assert settings_from("lobby", IN_THE_LOBBY | options).token_file == file
