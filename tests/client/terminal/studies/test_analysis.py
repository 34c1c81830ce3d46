"""The analysis board: moves for both sides, judged."""

from __future__ import annotations

from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.seating import NewRoom
from server.wire import Create, JudgedMove, Opponent
from tests.support.terminal.screen import choose
from tests.support.terminal.studies import FakeJudge, fake_judge, study_screen, told

__all__ = ["fake_judge"]


async def test_the_last_move_is_judged_and_taken_back(fake_judge: type[FakeJudge]) -> None:
    fake_judge.judged = JudgedMove(
        ply=1, verdict="lost", exact=True, value=-1, win_in=-6, best=["a1"], could="drawn", could_in=None
    )
    said, after = await told("analyse", "b2", "b1", "p", "1", "play strongest")
    assert "Review: it leads to a loss in 6 plies; a1 would have drawn." in said
    assert "Forward: b1" in said
    assert "Back: b2" in said
    assert after == NewRoom("tictactoe", Opponent(kind="bot", bot="strongest"), seat="x", start=("b2", "a1"))


async def test_the_end_of_a_game_is_judged_too(fake_judge: type[FakeJudge]) -> None:
    fake_judge.found["a1 a2 b1 b2 c1"] = None
    said, _ = await told("analyse tictactoe a1 a2 b1 b2 c1", "play", "c3")
    assert "After 5 moves the game is over: X has won." in said
    assert "go back to a position where a move is possible" in said
    assert "The game is over" in said


async def test_playing_on_from_the_screen(fake_judge: type[FakeJudge]) -> None:
    async with study_screen("analyse") as seen:
        await seen.until("Proven: a draw.")
        await choose(seen, "Best line: a1 b2")
        await seen.until("After 1 move, O to move.")
        await seen.type("play level:1")
        assert (await seen.server.hears(Create)).start == ["a1"]
        await seen.settles(lambda: isinstance(seen.app.screen, GameScreen))
