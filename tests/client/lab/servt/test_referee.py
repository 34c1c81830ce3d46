"""The referee of nine-board games, with agents that say what a test says."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from client.lab.brain.servt import Servt
from client.lab.servt.referee import NINE_BOARD, TooLate, play
from engine.bots.fault import BotFault
from engine.rules.position import O, X
from engine.search.decision import Decision


class FakeAgent:
    """Answers by a function, and keeps what it hears."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        self.heard: list[str] = []
        self._answer = answer

    def tell(self, line: str) -> None:
        self.heard.append(line)

    def ask(self, line: str) -> str:
        self.heard.append(line)
        return self._answer(line)


def brain(seed: int) -> FakeAgent:
    """One that follows the game by our own brain and plays at random, which fails where it is told wrongly."""
    random = Random(seed)
    follows = Servt(lambda position, move_ms, moves, game: Decision(random.choice(position.legal_moves())), 1000)
    agent = FakeAgent(lambda line: follows.hear(line)[0])

    def tell(line: str) -> None:
        agent.heard.append(line)
        follows.hear(line)

    agent.tell = tell  # type: ignore[method-assign]
    return agent


def cell(text: str) -> int:
    return NINE_BOARD.parse_move(text)


def cells(texts: str) -> tuple[int, ...]:
    return tuple(map(cell, texts.split()))


def saying(*answers: str) -> FakeAgent:
    left = list(answers)
    return FakeAgent(lambda line: left.pop(0))


def test_a_game_is_told_to_both_until_its_end() -> None:
    x, o = saying("1", "1"), saying("1", "1", "1")
    game = play({X: x, O: o}, cell("1/2"))
    # X 1/2, O 2/1, X 1/1, O 1/1 is taken
    assert x.heard[:3] == ["start(x).", "third_move(1,2,1).", "win(illegal_move)."]
    assert o.heard == ["start(o).", "second_move(1,2).", "next_move(1).", "loss(illegal_move)."]
    assert (game.winner, game.cause, game.fault) == (X, "illegal_move", "played 1: 1/1 is taken by X.")
    assert game.moves == (cell("1/2"), cell("2/1"), cell("1/1"))


def test_three_in_a_row_win() -> None:
    moves = cells("1/2 2/1 1/3 3/1 1/1")
    x, o = saying("3", "1"), saying("1", "1")
    game = play({X: x, O: o}, moves[0])
    assert (game.moves, game.winner, game.cause, game.fault) == (moves, X, "triple", None)
    assert o.heard[-2:] == ["last_move(1).", "loss(triple)."]
    assert x.heard[-1] == "win(triple)."


def test_a_full_board_draws() -> None:
    moves = cells("1/3 3/8 8/3 3/1 1/4 4/1 1/8 8/1 1/1 1/7 7/1 1/9 9/1 1/5 5/1 1/6 6/1 1/2 2/1")
    x, o = (saying(*(str(move % 9 + 1) for move in moves[side::2])) for side in (2, 1))
    game = play({X: x, O: o}, moves[0])
    assert (game.winner, game.cause, game.moves) == (None, "full_board", moves)
    assert (x.heard[-1], o.heard[-2:]) == ("draw(full_board).", ["last_move(1).", "draw(full_board)."])


@pytest.mark.parametrize(
    ("error", "cause"), [(TooLate("has left"), "timeout"), (BotFault("illegal_move", "has left"), "illegal_move")]
)
def test_what_an_agent_does_wrong_loses(error: Exception, cause: str) -> None:
    def fail(line: str) -> str:
        raise error

    x, o = saying("1"), FakeAgent(fail)
    game = play({X: x, O: o}, cell("5/5"))
    assert (game.winner, game.cause, game.fault) == (X, cause, "has left")
    assert (x.heard[-1], o.heard[-1]) == (f"win({cause}).", f"loss({cause}).")


def test_our_own_brain_follows_any_game() -> None:
    random = Random(1)
    x, o = brain(2), brain(3)
    for _ in range(30):
        game = play({X: x, O: o}, random.choice(NINE_BOARD.initial.legal_moves()))
        assert game.fault is None
