"""The ladder: lists, standings, meetings and games, in lines and in full screen."""

from __future__ import annotations

import pytest
from textual.widgets import OptionList

from client.terminal.full_screen.replay_screen import ReplayScreen
from client.terminal.seating import BadChoice
from client.terminal.typed.exits import Exit
from tests.support.terminal.german import german
from tests.support.terminal.ladder import PAGE, PAGES, RUN, standing
from tests.support.terminal.screen import SMALL, WIDE, choose
from tests.support.terminal.studies import study_screen, told

__all__ = ["german"]


async def test_from_the_lists_to_a_game_in_lines() -> None:
    said, after = await told("ladder", "1", "level 2", "alphabeta:1", "1", "back", "back", "profile", "back",
                             "sing", "back", "help", "back", "back", pages=PAGES)  # fmt: skip
    assert after is Exit.BACK
    assert "  1  night · Tic-tac-toe, 500 positions a move · 20 games\n" in said
    assert "  2  night · Qubic, each bot’s own limit · own · 20 games · running" in said
    assert "  1   1. Level 2                     +31  -12 to +80         62 %  10 · 5 · 5\n" in said
    assert "  2   2. alphabeta:1 (version 3)     -31  -80 to +12         62 %  10 · 5 · 5  retired" in said
    assert "  1  against alphabeta:1 (version 3): 12.5 of 20 (62 %)" in said
    assert "against Random" not in said
    assert "Level 2 against alphabeta:1 (version 3)\nGames, the newest first:" in said
    assert "Tic-tac-toe · game 5 · no clock · 1970-01-01." in said
    assert "No game to replay." in said
    assert "'sing' does nothing here" in said
    assert "a bot's name    what that bot scored" in said


@pytest.mark.parametrize(
    ("asked", "count"), [("ladder qubic", 1), ("ladder NIGHT", 2), ("ladder night/own/2a", 1), ("ladder", 2)]
)
async def test_lists_of_one_game_or_ladder(asked: str, count: int) -> None:
    said, _ = await told(asked, pages=PAGES)
    assert said.count(" · 20 games") == count


async def test_no_such_list_and_no_ladder_at_all() -> None:
    with pytest.raises(BadChoice, match="No ladder has a list for 'chess'"):
        await told("ladder chess", pages=PAGES)
    said, _ = await told("ladder chess", pages={"/api/ladder": {"lists": []}})
    assert "No ladder has been played here yet." in said


async def test_a_list_without_ratings_or_without_games() -> None:
    page = f"/api/ladder?run={RUN.replace('/', '%2F')}"
    bare = {**PAGE, "standings": [standing("7", "level:2")]}
    said, _ = await told("ladder", RUN, pages={**PAGES, page: bare})
    assert "The ratings have not been computed yet" in said
    said, _ = await told("ladder", RUN, pages={**PAGES, page: {**PAGE, "standings": []}})
    assert "No pair of games has finished yet." in said


@pytest.mark.parametrize("size", [WIDE, *(pytest.param(size, marks=pytest.mark.slow) for size in (SMALL, (20, 10)))])
async def test_by_keys_and_mouse(size: tuple[int, int]) -> None:
    async with study_screen("ladder", pages=PAGES, size=size) as seen:
        await choose(seen, "night · Tic-tac-toe")
        await choose(seen, " 1. Level 2")
        await choose(seen, "against alphabeta:1")
        await choose(seen, "Tic-tac-toe: Level 2")
        await seen.settles(lambda: isinstance(seen.app.screen, ReplayScreen))
        await seen.pilot.press("escape")
        await seen.until("Games, the newest first:")
        await seen.pilot.press("f2")
        await seen.pilot.press("escape")
        await seen.until("Points against each other bot")
        await seen.pilot.press("escape")
        await seen.until("Place, bot, rating")
        assert len(seen.app.screen.query_one("#choices", OptionList).options) == 3


@pytest.mark.usefixtures("german")
async def test_in_german() -> None:
    said, _ = await told("ladder", "1", pages=PAGES)
    assert "500 Stellungen je Zug · 20 Spiele" in said
    assert "Stufe 2                     +31  -12 bis +80" in said
