from __future__ import annotations

from itertools import pairwise

import pytest

from engine.bots import skills
from engine.bots.skills import LEVELS
from engine.rules.registry import games, rules
from engine.search import skill
from engine.search.skill import LEARNED

ALL_GAMES = [*(game.id for game in games()), "mnk:3,4,3", "mnk:8,6,5", "mnk:19,19,6", "cube:5"]


@pytest.mark.parametrize("game", ALL_GAMES)
def test_levels_above_the_top_play_as_the_top(game: str) -> None:
    top = skills.top(rules(game))
    assert 1 <= top <= LEVELS
    assert len(skills.levels(rules(game))) == top
    for number in range(top, LEVELS + 1):
        assert skills.level(rules(game), number) == skills.levels(rules(game))[-1]


@pytest.mark.parametrize("game", ALL_GAMES)
def test_no_level_can_do_less_than_the_one_below(game: str) -> None:
    for lower, higher in pairwise(skills.levels(rules(game))):
        assert lower != higher
        assert lower.sees <= higher.sees
        assert lower.depth <= higher.depth
        assert lower.nodes <= higher.nodes


@pytest.mark.parametrize("game", ALL_GAMES)
def test_only_upper_levels_judge_by_learned_weights_and_only_where_there_are_some(game: str) -> None:
    learned = [one.learned for one in skills.levels(rules(game))]
    assert learned == sorted(learned)
    assert not learned[0]
    assert game in LEARNED or skill.by_patterns(rules(game)) or not learned[-1]
