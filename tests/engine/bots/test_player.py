import dataclasses
import pickle

import pytest
from hypothesis import given

from engine.bots.player import NO_LIMIT, Limit, decide
from engine.bots.roster import BotEntry, bot
from engine.rules.position import IllegalMove
from engine.rules.registry import rules
from tests.support.engine_games import GAME_IDS, played, replay
from tests.support.examples import examples


@given(played())
@examples(40)
def test_decisions_are_legal_and_repeat(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    for name in ("random", "alphabeta:1"):
        if position.outcome is not None:
            with pytest.raises(IllegalMove, match="the game is over"):
                decide(bot(name), position)
            continue
        decision = decide(bot(name), position, Limit(nodes=500), seed=3)
        assert position.is_legal(decision.move)
        assert decision.pv[0] == decision.move
        assert decision == decide(bot(name), position, Limit(nodes=500), seed=3)
        assert pickle.loads(pickle.dumps(decision)) == decision


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_random_reaches_every_legal_move(game_id: str) -> None:
    position = rules(game_id).initial
    seen = {decide(bot("random"), position, seed=seed).move for seed in range(position.rules.cells * 12)}
    assert len(seen) > 0.98 * position.rules.cells


def test_the_seed_and_the_ply_make_the_randomness() -> None:
    # Pinned: a seed must give the same game in every process and on every supported Python.
    position = rules("qubic").initial
    moves = []
    for _ in range(6):
        moves.append(decide(bot("random"), position, seed=1).move)
        position = position.play(moves[-1])
    assert len(set(moves)) == 6
    assert moves == [48, 31, 5, 17, 51, 3]


def test_a_bot_is_not_asked_what_it_cannot_do(monkeypatch: pytest.MonkeyPatch) -> None:
    qubic_only = dataclasses.replace(
        bot("random").entry,
        games=("qubic",),
        plays=lambda rules: rules.id == "qubic",
        refuses=lambda limit: "It takes no node limit." if limit.nodes else None,
    )
    monkeypatch.setattr("engine.bots.roster._BY_FAMILY", {"random": qubic_only})
    assert isinstance(bot("random").entry, BotEntry)
    with pytest.raises(ValueError, match="random does not play tictactoe: it plays qubic"):
        decide(bot("random"), rules("tictactoe").initial)
    with pytest.raises(ValueError, match="It takes no node limit"):
        decide(bot("random"), rules("qubic").initial, Limit(nodes=5))
    assert decide(bot("random"), rules("qubic").initial, NO_LIMIT).move in range(64)
