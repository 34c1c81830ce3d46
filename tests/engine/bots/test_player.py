import dataclasses
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bots.player import NO_LIMIT, Limit, decide
from engine.bots.roster import BotEntry, bot, bots
from engine.rules.position import IllegalMove
from engine.rules.registry import rules
from tests.support.engine.games import GAME_IDS, played, replay, replay_texts
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


NAMES = sorted({entry.name for entry in bots()} | {f"level:{number}" for number in range(1, 9)} | {"mcts:random,1"})


@given(played(), st.integers(1, 3) | st.integers(1, 300), st.integers(0, 9))
@examples(60)
def test_no_bot_passes_a_limit_of_nodes(game: tuple[str, list[int]], nodes: int, seed: int) -> None:
    position, limit = replay(*game), Limit(nodes=nodes)
    if position.outcome is not None:
        return
    for asked in map(bot, NAMES):
        # On Qubic perfect looks for threats whatever the limit, or it would not keep what it announced.
        if asked.plays(position.rules) and asked.takes(limit) is None and (asked.name, game[0]) != ("perfect", "qubic"):
            decision = decide(asked, position, limit, seed)
            assert position.is_legal(decision.move)
            assert decision.nodes <= nodes, asked.name


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


@pytest.mark.parametrize("name", ["alphabeta:1", "alphabeta:2", "level:8", "strongest"])
def test_a_line_that_is_too_long_is_no_win(name: str) -> None:
    # d1 makes six on the first rank; e4 makes five, once X has a4.
    moves = "a1 a15 b1 c15 c1 e15 e1 g15 f1 i15 b4 k15 c4 m15 d4 o15"
    position = replay_texts("mnk:15,15,5,exact", moves)
    assert (decide(bot(name), position, Limit(nodes=2_000)).win_in or 9) > 1
    decision = decide(bot(name), replay_texts("mnk:15,15,5,exact", f"{moves} a4 b13"), Limit(nodes=2_000))
    assert (position.rules.format_move(decision.move), decision.win_in) == ("e4", 1)


def test_a_bot_that_needs_longer_lines_to_win_refuses_exact_boards() -> None:
    with pytest.raises(ValueError, match=r"perfect does not play mnk:5,5,4,exact: it plays mnk:M,N,K with at most 30"):
        decide(bot("perfect"), rules("mnk:5,5,4,exact").initial)
