"""The lobby in lines, and whose challenge is meant."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from client.terminal.seating import BadChoice, JoinRoom, NotThere, WatchRoom
from client.terminal.words import lobby as lobby_words
from server.wire import HeldRoom, Seek
from tests.support.terminal.fake_server import ME
from tests.support.terminal.lobby import BOB, CHALLENGE, FULL


def test_the_lobby_in_lines() -> None:
    told = [(section.title, [entry.line for entry in section.entries]) for section in sections()]
    assert told == [
        ("Your games", ["Bob 1490? - you · newer:9 · 4 moves", WAITING, "room r9"]),
        ("Challenges to you", ["Эве 名 x · Qubic · no clock · you are X"]),
        ("Open games", ["Bob 1490? · Gomoku · 5+3 · rated · you are O"]),
        ("Running games to watch", ["Bob 1490? - Эве 名 x · Tic-tac-toe · 1 move · 2 spectators"]),
    ]


def test_own_rooms_that_the_lobby_does_not_list() -> None:
    held = {
        "r4": HeldRoom(room="r4", game="gomoku", opponent=BOB),
        "r8": HeldRoom(room="r8", game="qubic", opponent=ME),
        "r9": HeldRoom(room="r9", game="newer:9"),
    }
    (section,) = lobby_words.sections(replace(FULL, seeks=[], rooms=[], challenges=[]), ME.id, list(held), held)
    assert [entry.line for entry in section.entries] == [
        "you - Bob · Gomoku", "you - you · Qubic", "You are waiting · newer:9"
    ]  # fmt: skip


WAITING = "You are waiting · Ultimate tic-tac-toe · no clock · you are O"


def sections() -> list[lobby_words.Section]:
    return lobby_words.sections(FULL, ME.id, ["r4", "r9"])


def test_what_a_line_of_the_lobby_does() -> None:
    seatings = [entry.seating for section in sections() for entry in section.entries]
    assert seatings == [*(JoinRoom(room=room) for room in ("r6", "r4", "r9", "r3", "r2")), WatchRoom(room="r5")]
    keys = [entry.key for section in sections() for entry in section.entries]
    assert len(set(keys)) == len(keys)


BOBS = replace(CHALLENGE, room="r8", by=BOB)
BOBS_SECOND = replace(BOBS, room="r9")
SEVERAL = "Several players challenge you, so say whose challenge you decline: decline Bob."


@pytest.mark.parametrize(
    ("challenges", "name", "room"),
    [
        ([CHALLENGE], "", "r3"),
        ([BOBS, BOBS_SECOND], "", "r8"),
        ([CHALLENGE, BOBS], "bob", "r8"),
        ([CHALLENGE, BOBS], "Эве 名 x", "r3"),
    ],
)
def test_which_challenge_is_meant(challenges: list[Seek], name: str, room: str) -> None:
    assert lobby_words.challenge_by(replace(FULL, challenges=challenges), name).room == room


@pytest.mark.parametrize(
    ("challenges", "name", "said"),
    [
        ([], "Bob", "Nobody challenges you just now."),
        ([CHALLENGE], "Bob", "There is no challenge to you from 'Bob'."),
        ([BOBS, CHALLENGE], "", SEVERAL),
        ([BOBS, replace(BOBS, by=replace(BOB, id="p9"))], "", SEVERAL),
    ],
)
def test_a_challenge_that_cannot_be_meant_is_told(challenges: list[Seek], name: str, said: str) -> None:
    with pytest.raises((BadChoice, NotThere), match=f"^{said}$"):
        lobby_words.challenge_by(replace(FULL, challenges=challenges), name)


def test_people_to_challenge() -> None:
    lines = [lobby_words.challenge_line(player) for player in lobby_words.people(FULL, ME.id)]
    assert lines == ["Challenge Bob", "Challenge Eve (a bot)"]
