"""What is typed in the menu and the lobby."""

from __future__ import annotations

import pytest

from client.terminal import menu_words
from client.terminal.menu_words import Asked, Decline, Rename, ReplayGame, SetClock
from client.terminal.seating import BadChoice, JoinNamed, JoinRoom, WatchNamed, WatchRoom
from client.terminal.typed.commands import NotNow, Wear
from engine.rules.registry import rules
from tests.support.terminal.lobby import BLITZ


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("qubic", rules("qubic")),
        ("watch Ada Lovelace", WatchNamed("Ada Lovelace")),
        ("/watch http://h:1/room/r5", WatchRoom(room="r5")),
        ("join r2", JoinNamed("r2")),
        ("join http://h/join/CODE", JoinRoom(code="CODE")),
        ("join http://h/room/r5#CODE", JoinRoom(code="CODE", room="r5")),
        ("watch http://h/room/r5#CODE", WatchRoom(room="r5", code="CODE")),
        ("http://h/room/r5#CODE", JoinRoom(code="CODE", room="r5")),
        ("CODE", JoinNamed("CODE")),
        ("http://h/room/r1", JoinRoom(room="r1")),
        ("replay 12", ReplayGame(12)),
        ("replay http://h/game/12/", ReplayGame(12)),
        ("http://h/game/12", ReplayGame(12)),
        ("clock 5+3", SetClock(BLITZ, "5+3")),
        ("clock none", SetClock(None, "none")),
        ("name  Ada Lovelace", Rename("Ada Lovelace")),
        ("decline", Decline("")),
        ("/decline Ada Lovelace", Decline("Ada Lovelace")),
        ("theme Nord", Wear("nord")),
        ("GAMES", "games"),
        ("/lobby", "lobby"),
        ("?", "help"),
        ("/q", "quit"),
    ],
)
def test_what_is_typed(typed: str, asked: Asked) -> None:
    assert menu_words.asked(typed) == asked


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("theme sky", "There is no such theme; choose one of: terminal, textual-dark"),
        ("watch", "watch needs something after it, as in: watch ROOM."),
        ("replay soon", "'soon' is not a game number"),
        ("replay " + "9" * 99, "is not a game number"),
        ("clock late", "'late' is not a clock"),
        ("/sing", "There is no command /sing here"),
        ("mnk:2,2,2", "cannot have 2 columns"),
        ("two words", "not a game, a code or a link"),
        ("<script>alert(1)</script>", "not a game, a code or a link"),
        ("ünïcode", "not a game, a code or a link"),
        ("x" * 5000, "not a game, a code or a link"),
        ("http://", "not a link to a room"),
        ("http://[", "not a link to a room"),
        ("http://h/room/%00", "not a game, a code or a link"),
    ],
)
def test_pasted_nonsense_is_a_sentence(typed: str, sentence: str) -> None:
    with pytest.raises((BadChoice, NotNow)) as bad:
        menu_words.asked(typed)
    assert sentence in str(bad.value)
    assert len(str(bad.value)) < 200
