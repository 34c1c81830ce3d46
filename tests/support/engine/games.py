"""Games and positions that the engine's tests share."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.rules.flat import FlatRules
from engine.rules.nested import NestedRules
from engine.rules.position import Position, play_all
from engine.rules.registry import games, rules

# Every game that is offered, and boards that are not square, not the longest line, small enough to fill up, or exact.
GAME_IDS = [game.id for game in games()] + ["mnk:3,5,3", "mnk:4,3,4", "mnk:20,20,20", "mnk:7,4,4", "mnk:5,4,3,exact"]

game_ids = st.sampled_from(GAME_IDS)


def flat_rules(game_id: str) -> FlatRules:
    found = rules(game_id)
    assert isinstance(found, FlatRules)
    return found


def nested_rules(game_id: str) -> NestedRules:
    found = rules(game_id)
    assert isinstance(found, NestedRules)
    return found


def replay(game_id: str, moves: list[int]) -> Position:
    return play_all(rules(game_id).initial, moves)


def replay_texts(game_id: str, moves: str) -> Position:
    game = rules(game_id)
    return replay(game_id, [game.parse_move(text) for text in moves.split()])


@st.composite
def played(draw: st.DrawFn, ids: st.SearchStrategy[str] = game_ids, finished: bool = False) -> tuple[str, list[int]]:
    """A game id and the moves of a game of uniformly drawn moves, cut anywhere or played to its end."""
    game_id = draw(ids)
    random = draw(st.randoms(use_true_random=False))
    plies = rules(game_id).cells if finished else draw(st.integers(0, rules(game_id).cells))
    position = rules(game_id).initial
    moves: list[int] = []
    while len(moves) < plies and position.outcome is None:
        moves.append(random.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return game_id, moves
