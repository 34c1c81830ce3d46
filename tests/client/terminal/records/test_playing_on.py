"""Playing on from a position of a recorded game."""

from __future__ import annotations

import pytest

from client.sdk.records import ServerBot
from client.terminal.records.playing_on import bots_to_play_on, room_to_play_on
from client.terminal.records.replay import replay_of
from client.terminal.typed.commands import NotNow
from tests.support.terminal.fake_server import ME
from tests.support.terminal.records import AFTER_TWO, WON, recorded

REPLAY = replay_of(WON, ME.id)


def test_the_side_to_move_plays_on_after_the_moves_so_far() -> None:
    assert room_to_play_on(REPLAY, 2, "level") == AFTER_TWO
    started = replay_of(recorded("b1 a2", start=["a1"], winner=None), ME.id)
    room = room_to_play_on(started, 1, "random")
    assert (room.seat, room.start) == ("x", ("a1", "b1"))
    assert room_to_play_on(started, 0, "random").seat == "o"


def test_who_follows_games_from_their_start_is_offered_there_alone() -> None:
    listed = [ServerBot("Old", "Old", "Remembers.", engine=True, opening_plies=0)]
    assert ["Old" in bots_to_play_on(REPLAY, ply, listed) for ply in (0, 1, 2)] == [True, False, False]


@pytest.mark.parametrize(
    ("ply", "bot", "sentence"),
    [(5, "random", "The game is over here"), (2, "osipa", "no bot 'osipa' for this game"), (2, "x" * 99, "no bot")],
)
def test_what_cannot_be_played_on(ply: int, bot: str, sentence: str) -> None:
    with pytest.raises(NotNow, match=sentence):
        room_to_play_on(REPLAY, ply, bot)
