"""A position that is reached by moves for both sides: what may be asked for, and what is said of it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from client.sdk import NoughtsError
from client.terminal.drawing.boards import Look
from client.terminal.language import ENGLISH, speak
from client.terminal.preferences import Preferences
from client.terminal.seating import BadChoice, NewRoom
from client.terminal.studies.judge import Found
from client.terminal.studies.position import PositionStudy, replay_of_moves, rules_and_moves
from client.terminal.studies.study import StudyContext
from client.terminal.typed.commands import NotNow
from engine.rules.position import Move
from engine.rules.registry import rules
from server.wire import Opponent
from tests.support.terminal.studies import FakeJudge, fake_judge, told

__all__ = ["fake_judge"]


def found(value: float, win_in: int | None = None, *, exact: bool = True, bound: bool = False) -> Found:
    return Found(exact=exact, value=value, even=0.2, win_in=win_in, bound=bound, line=["c3", "a3"])


@pytest.mark.parametrize(
    ("moves", "answer", "sentence"),
    [
        ("", found(0.0), "Proven: a draw."),
        ("", found(1.0, 7), "Proven: X wins in 7 plies."),
        ("a1", found(1.0, 1), "Proven: O wins in 1 ply."),
        ("a1", found(-1.0, -6, bound=True), "Proven: X wins in at most 6 plies."),
        ("", found(-1.0), "Proven: O wins."),
        ("", found(0.1, exact=False), "Estimated: even."),
        ("a1", found(-0.35, exact=False), "Estimated: X is probably better (+0.35)."),
    ],
)
async def test_what_a_position_is_worth(fake_judge: type[FakeJudge], moves: str, answer: Found, sentence: str) -> None:
    fake_judge.found[moves] = answer
    said, _ = await told(f"analyse tictactoe {moves}")
    assert sentence in said
    assert "  1  Best line: c3 a3" in said


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [("explore chess", "There is no game 'chess'"), ("explore mnk:2,2,2", "cannot have 2 columns")],
)
async def test_no_game(asked: str, sentence: str) -> None:
    with pytest.raises(BadChoice, match=sentence):
        await told(asked)


@pytest.mark.parametrize("word", ["explore", "analyse", "puzzles", "lessons"])
async def test_a_game_that_there_is_not_is_told_in_the_language_that_is_spoken(word: str) -> None:
    speak("de")
    try:
        with pytest.raises(BadChoice, match="Dieses Spiel gibt es nicht"):
            await told(f"{word} chess")
    finally:
        speak(ENGLISH)


@pytest.mark.parametrize(
    ("rest", "game", "moves"),
    [
        ("", "tictactoe", ()),
        (" qubic ", "qubic", ()),
        ("qubic  a1.1 b2.2", "qubic", ("a1.1", "b2.2")),
        ("tictactoe b2,a1, c3", "tictactoe", ("b2", "a1", "c3")),
        ("mnk:5,5,4 c3", "mnk:5,5,4", ("c3",)),
    ],
)
def test_a_game_and_moves_are_written_after_a_word(rest: str, game: str, moves: tuple[str, ...]) -> None:
    assert rules_and_moves(rest) == (rules(game), moves)


@pytest.mark.parametrize("game", ["mnk:4,4,3", "qubic", "ultimate"])
def test_moves_that_are_played_for_both_sides_are_a_replay(game: str) -> None:
    random, position, moves = Random(3), rules(game).initial, list[Move]()
    while position.outcome is None:
        moves.append(random.choice(position.legal_moves()))
        position = position.play(moves[-1])
    texts = tuple(map(rules(game).format_move, moves))
    replay = replay_of_moves(rules(game), tuple(text.upper() for text in texts))
    assert replay.last_view.moves == texts
    assert replay.positions[-1].outcome == position.outcome
    assert [move.by for move in replay.moves] == [at.to_move for at in replay.positions[:-1]]


def study_of(game: str, moves: str) -> PositionStudy:
    nothing: Any = None
    context = StudyContext(nothing, nothing, Look(), Preferences())
    return PositionStudy(context, rules(game), tuple(moves.split()))


@pytest.mark.parametrize(
    ("game", "moves", "words"),
    [
        ("tictactoe", "", "The first position, X to move."),
        ("tictactoe", "b2", "After 1 move, O to move."),
        ("ultimate", "", "The first position, X to move anywhere."),
        ("ultimate", "5/9", "After 1 move, O to move in board 9."),
        ("tictactoe", "a1 a2 b1 b2 c1", "After 5 moves the game is over: X has won."),
        ("tictactoe", "a1 a2 b1 b2 c3 c2", "After 6 moves the game is over: O has won."),
        ("tictactoe", "a1 b1 c1 a2 b2 c3 c2 a3 b3", "After 9 moves the game is over: a draw."),
    ],
)
async def test_who_is_to_move_where_is_told(game: str, moves: str, words: str) -> None:
    study = study_of(game, moves)
    await study.open()
    assert study.where_words() == words


@pytest.fixture
def study() -> PositionStudy:
    return study_of("tictactoe", "b2 a1 c3")


async def test_moves_are_gone_through_in_both_directions(study: PositionStudy) -> None:
    await study.open()
    gone = [study.moves]
    for typed in ("p", "previous", "n", "START", "next", "p", "n", "end", "p", "n"):
        assert await study.obey(typed) is None
        gone.append(study.moves)
    assert [len(moves) for moves in gone] == [3, 2, 1, 2, 0, 1, 0, 1, 3, 2, 3]
    assert all(study.line[: len(moves)] == moves for moves in gone)
    with pytest.raises(NotNow, match="This is the end"):
        await study.obey("n")
    await study.obey("start")
    with pytest.raises(NotNow, match="This is the start"):
        await study.obey("p")
    assert (study.ply, len(study.line)) == (0, 3)


async def test_a_move_goes_on_in_the_line_and_another_begins_a_new_one(study: PositionStudy) -> None:
    await study.open()
    await study.obey("start")
    await study.obey("B2")
    assert (study.moves, study.line) == (("b2",), ("b2", "a1", "c3"))
    await study.obey("a2")
    assert study.moves == study.line == ("b2", "a2")
    for wrong in ("b2", "z9", "2"):
        with pytest.raises(BadChoice):
            await study.obey(wrong)
    assert study.moves == study.line == ("b2", "a2")


async def test_what_cannot_be_learnt_of_a_position_leaves_the_one_before(
    study: PositionStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(moves: tuple[str, ...]) -> None:
        raise NoughtsError("The server is away.")

    await study.open()
    monkeypatch.setattr(study, "arrive", fail)
    for typed in ("p", "a2", "start"):
        with pytest.raises(NoughtsError):
            await study.obey(typed)
    assert (study.moves, study.position.ply, study.view.moves) == (("b2", "a1", "c3"), 3, ("b2", "a1", "c3"))


async def test_playing_on_begins_with_the_position_that_is_shown(study: PositionStudy) -> None:
    await study.open()
    await study.obey("p")
    for typed, bot in (("play", "level:4"), ("PLAY  random ", "random")):
        assert await study.obey(typed) == NewRoom(
            "tictactoe", Opponent(kind="bot", bot=bot), seat="x", start=("b2", "a1")
        )
