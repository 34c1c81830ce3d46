"""Puzzles as one solves them, and that what was solved is remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.terminal.preferences import Preferences
from client.terminal.seating import BadChoice
from client.terminal.studies.puzzles import all_puzzles
from engine.rules import registry
from tests.support.terminal.screen import SMALL, WIDE, choose
from tests.support.terminal.studies import study_screen, told

# The first of tictactoe: X a1 c1, O a3 b1; c3 wins, O holds out with b2, then c2.


async def test_solving_one_in_lines(tmp_path: Path) -> None:
    kept = Preferences(tmp_path / "terminal.json")
    said, _ = await told(
        "puzzles", "retry", "b1", "b2", "retry", "hint", "c3", "b3", "c2", "a2", "next", preferences=kept
    )
    assert "Puzzles, Tic-tac-toe\n" in said
    assert (
        "X to play and win in 2 moves.\nEasy. From a recorded game, Level 2 (X) against Level 4 (O), after 4 moves."
        in said
    )
    assert "There is nothing to take back." in said
    assert "b1 is taken by O." in said
    assert "b2 is not it: O answers c3, and the win is gone." in said
    assert "Hint: it is one of " in said
    assert "c3 is right. O answers b2. Go on." in said
    assert "b3 is not it: O answers c2, and there is no win in 1 move." in said
    assert "c2: X has won. Solved!" in said, "a wrong move is taken back by another one"
    assert "This puzzle is over; next shows another." in said
    assert "Puzzle 1, solved" in said
    again, _ = await told("puzzles", "puzzle 1", preferences=Preferences(tmp_path / "terminal.json"))
    assert again.startswith("Puzzles, Tic-tac-toe\n")
    assert "after 4 moves." in again.split("Retry")[0]
    assert "Puzzle 1, solved" in again


async def test_the_only_move_that_saves() -> None:
    said, _ = await told("puzzles", "puzzle 5", "a2", "b2", "hint", "solution")
    assert "O to play: only one move does not lose." in said
    assert "a2 loses: X answers b1 and will win." in said
    assert "b2 is the only move that does not lose. Solved!" in said
    assert "The solution: O b2." in said


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("puzzle 99", "The numbers go from 1 to 5."),
        ("puzzle 0000019", "The numbers go from 1 to 5."),
        ("zz", "'zz' names no cell"),
        ("mnk:7,7,5", "There are no puzzles"),
    ],
)
async def test_bad_input_goes_on(typed: str, sentence: str) -> None:
    said, _ = await told("puzzles", typed, "qubic")
    assert sentence in said
    assert "Puzzle 1" in said.split(sentence)[1]


async def test_no_puzzles_for_a_game() -> None:
    for asked, sentence in (
        ("puzzles mnk:7,7,5", "There are no puzzles"),
        ("puzzles chess", "There is no game 'chess'"),
    ):
        with pytest.raises(BadChoice, match=sentence):
            await told(asked)


@pytest.mark.parametrize("game", sorted(all_puzzles()))
async def test_every_solution_is_played_by_the_rules(game: str) -> None:
    said, _ = await told(f"puzzles {game}", *(line for at in range(3) for line in (f"puzzle {at + 1}", "solution")))
    assert said.count("The solution: ") == 3


def test_the_games_are_listed_ones() -> None:
    assert set(all_puzzles()) <= {game.id for game in registry.games()}


async def test_progress_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said, _ = await told("puzzles", "c3", "c2", preferences=Preferences(tmp_path / "file" / "terminal.json"))
    assert "Solved! " in said
    assert "solved.json" in said


@pytest.mark.parametrize("size", [WIDE, *(pytest.param(size, marks=pytest.mark.slow) for size in (SMALL, (20, 10)))])
async def test_the_screen(size: tuple[int, int]) -> None:
    async with study_screen("puzzles", size=size) as seen:
        await seen.until("X to play and win in 2 moves.")
        await choose(seen, "Show the solution")
        await seen.until("The solution: X c3, O b2, X c2.")
        await choose(seen, "Next puzzle")
        await seen.type("b2")
        await seen.until("b2 is right.")
