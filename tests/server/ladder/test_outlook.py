"""What the coming hours will settle."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import cast

import pytest

from server.ladder.config import Begun, parse
from server.ladder.outlook import outlook, span, still_open
from server.ladder.run import LadderRun, RunningList
from server.ladder.schedule import PairScore

BOTS = '"random", "level:1", "level:2", "level:3"'


def listed(pairs: int = 24, settings: str = "", points: float = 0.5, bots: str = BOTS) -> RunningList:
    """In which of two bots the second won one game of some pairs, and all others are drawn."""
    [config] = parse(f'name = "n"\n[[lists]]\ngame = "qubic"\nbots = [{bots}]\npairs = 9\n{settings}').lists
    config = replace(config, begun=Begun(config.run_id, config.bots, (config.line_up(),)))
    one = RunningList(config, {number: PairScore(points, 0.0 if number % 2 else 0.5) for number in range(pairs)})
    one.rate(0.0, 20)
    one.games = 2 * pairs
    return one


@dataclass
class Running:
    """What the outlook asks of a ladder."""

    lists: list[RunningList]
    games: int = 12
    hours: float = 1.0
    left_s: float | None = None
    held: bool = field(default=False)


def line(*lists: RunningList, hours: float = 1.0, left_s: float | None = None, games: int = 12) -> str:
    return outlook(cast(LadderRun, Running([*lists], games, hours, left_s)))


def test_what_is_open() -> None:
    one = listed()
    found = still_open(one, 1.0)
    assert 1 <= len(found) <= 3
    assert [other.hours for other in still_open(one, 2.0)] == pytest.approx([2 * each.hours for each in found])
    assert one.standings is not None
    names = [one.config.label(bot) for bot in one.standings.order]
    assert all(names.index(each.behind) == names.index(each.ahead) + 1 for each in found)


def test_who_left_is_passed_over_and_a_test_has_its_own_line() -> None:
    one = listed()
    assert one.standings is not None
    one.standings.left = frozenset(one.standings.order[1:])
    assert still_open(one, 1.0) == []
    assert still_open(listed(settings='mode = "sprt"\nsprt = "0,10"\n', bots='"random", "level:1"'), 1.0) == ()
    gauntlet = still_open(listed(settings='mode = "gauntlet"\nnew = ["level:1"]\n'), 1.0)
    assert [each[:2] for each in gauntlet] == [("level:3", "level:1")], "who is the better of two others does not count"


def test_the_line() -> None:
    """Half the lead of 1.645 errors that it takes: four times the 48 games of two hours, of which 48 are played."""
    one = listed(bots='"level:1", "random"')
    assert one.standings is not None
    first, second = one.standings.order
    names = one.config.label(first), one.config.label(second)
    ratings = {first: 1.644854, second: 0.0}
    one.standings.fitted = replace(
        one.standings.fitted, ratings=(ratings[0], ratings[1]), errors=((0.0, 2.0), (2.0, 0.0))
    )
    [between] = still_open(one, 2.0)
    assert (between.ahead, between.behind) == names
    assert between.hours == pytest.approx(6.0, rel=1e-5)
    told = f"{names[0]} over {names[1]}"
    assert line(one, hours=2.0) == f"the next 8 h should settle 1 of 1 open neighbours ({told} in 6 h)"
    later = line(one, hours=2.0, left_s=3600 * 5.9)
    assert later == f"the next 6 h should settle 0 of 1 open neighbours; {told} needs 6 h"
    stopped = cast(LadderRun, Running([one], left_s=0.0))
    assert outlook(stopped, ended=True) == line(one), "what going on would settle"


def test_open_neighbours_share_the_games_to_come() -> None:
    one = listed()
    assert one.standings is not None
    found = still_open(one, 1.0)
    assert len(found) > 1
    for each in found:
        assert 0 < each.hours < math.inf
        one.standings.left = frozenset(bot for bot in one.standings.order if one.config.label(bot) not in each[:2])
        [alone] = still_open(one, 1.0)
        assert each.hours == pytest.approx(len(found) * alone.hours)


def test_few_games_say_nothing() -> None:
    assert still_open(listed(pairs=6), 1.0) == []


def test_nothing_to_tell() -> None:
    assert line() == line(listed(), games=0) == line(listed(), hours=0.0) == ""
    fresh = listed()
    fresh.standings = None
    assert line(fresh) == ""


@pytest.mark.parametrize(
    ("hours", "text"),
    [(0.001, "1 min"), (0.5, "30 min"), (1.6, "2 h"), (1000, "1000 h"), (float("inf"), "over 1,000 h")],
)
def test_spans(hours: float, text: str) -> None:
    assert span(hours) == text
