"""How far the levels lie apart, as data, and the page that says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from client.lab.bench.strength import level_table
from client.lab.bench.strength.level_table import GAMES, Game, Match, Measured
from engine.bots import skills
from engine.bots.roster import strength as told
from engine.rules.registry import rules

DOCS = Path(__file__).parents[5] / "docs"
MEASURED = level_table.read((DOCS / "levels.json").read_bytes())
STEPS = [(game.game, step) for game in MEASURED.games for step in game.steps]


def test_the_page_says_what_was_measured() -> None:
    assert level_table.read(level_table.written(MEASURED)) == MEASURED
    assert (DOCS / "levels.md").read_text(encoding="utf-8") == level_table.page(MEASURED)


def test_every_game_is_measured_with_the_levels_that_it_has() -> None:
    assert tuple(game.game for game in MEASURED.games) == GAMES
    for game in MEASURED.games:
        assert game.skills == skills.levels(rules(game.game)), f"{game.game}: measure it again"
        assert [step.bot for step in game.steps] == [f"level:{number}" for number in range(2, len(game.skills) + 1)]
        assert [step.against for step in game.steps] == [f"level:{number}" for number in range(1, len(game.skills))]


@pytest.mark.parametrize(("game", "step"), STEPS, ids=lambda value: value if isinstance(value, str) else value.bot)
def test_each_level_is_shown_to_beat_the_one_below(game: str, step: Match) -> None:
    assert sum(step.pairs) == 100
    assert step.won + step.drawn + step.lost == 200
    assert step.score.interval.low > 0.5
    assert 2 * step.won + step.drawn == sum(points * pairs for points, pairs in enumerate(step.pairs))


def test_fewer_levels_only_where_the_top_one_is_perfect() -> None:
    assert {game.game for game in MEASURED.games if len(game.skills) < skills.LEVELS} == set(level_table.PERFECT)


def test_the_roster_tells_the_strengths_that_were_measured() -> None:
    assert level_table.strengths(MEASURED) == told._MEASURED


def match(bot: str, against: str, pairs: tuple[int, int, int, int, int]) -> Match:
    return Match(bot, against, 1, pairs, 0, 0, 0, 0.0)


def test_a_bot_is_as_strong_as_the_level_nearest_to_it() -> None:
    low, even, high = (10, 0, 0, 0, 0), (0, 0, 10, 0, 0), (0, 0, 0, 0, 10)
    assert level_table.nearest(
        [match("b", "level:3", high), match("b", "level:5", low), match("b", "level:4", even)]
    ) == ("about level 4")
    assert level_table.nearest([match("b", "level:1", low)]) == "below level 1"
    assert level_table.nearest([match("b", "level:4", high), match("b", "level:8", high)]) == "above level 8"
    assert level_table.nearest([match("b", "level:8", low), match("b", "level:4", low)]) == "below level 4"


def test_a_bot_far_from_every_level_is_told_by_the_nearer_side() -> None:
    beaten, lost_to = match("b", "level:3", (1, 0, 0, 0, 9)), match("b", "level:4", (19, 0, 0, 0, 1))
    assert level_table.nearest([beaten, lost_to]) == "above level 3"
    assert level_table.nearest([match("b", "level:3", (1, 0, 0, 0, 19)), match("b", "level:4", (9, 0, 0, 0, 1))]) == (
        "below level 4"
    )


def test_of_levels_equally_near_the_lower_one_is_named() -> None:
    above, below = match("b", "level:5", (0, 5, 0, 0, 0)), match("b", "level:2", (0, 0, 0, 5, 0))
    assert level_table.nearest([above, below]) == "about level 2"


def test_a_step_is_unproven_whose_interval_reaches_down_to_half_though_its_share_is_more() -> None:
    clear, close = match("level:2", "level:1", (0, 0, 0, 0, 20)), match("level:3", "level:2", (4, 5, 5, 5, 6))
    assert close.score.share == 0.54
    assert level_table.unproven([clear, close]) == [close]


def test_a_game_or_a_bot_measured_again_takes_its_place() -> None:
    once, again = (0, 0, 0, 0, 1), (1, 0, 0, 0, 0)
    games = [Game(name, (), (), (match("a", "level:1", once), match("b", "level:1", once))) for name in GAMES[:3]]
    measured = Measured("here", ())
    for game in (games[2], games[0], games[1]):
        measured = measured.with_game(game)
    assert measured.games == tuple(games)
    new = games[1].with_bot([match("a", "level:2", again), match("a", "level:3", again)])
    assert [(one.bot, one.against) for one in new.bots] == [("a", "level:2"), ("a", "level:3"), ("b", "level:1")]
    assert measured.with_game(new).games == (games[0], new, games[2])
    assert measured.game(GAMES[1]) == games[1]
    assert measured.game("chess") is None


def test_a_step_is_dropped_with_the_level_below_it() -> None:
    now = skills.levels(rules("tictactoe"))[:3]
    steps = tuple(match(f"level:{number}", f"level:{number - 1}", (0, 0, 0, 0, 1)) for number in (2, 3))
    measured = Game("tictactoe", (replace(now[0], sees=0.1), *now[1:]), steps)
    assert measured.with_steps(now, []).steps == steps[1:]
