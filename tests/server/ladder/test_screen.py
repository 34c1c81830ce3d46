"""How a running ladder is shown: lines, standings, and what fits on a terminal."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, cast

import pytest

from engine.bots.player import NO_LIMIT
from engine.bots.roster import bot
from engine.stats.davidson import PairResult, standings
from server.ladder import screen
from server.ladder.config import Begun, BotList, Ladder, parse
from server.ladder.run import LadderRun, RunningList, Standings
from server.ladder.schedule import PairScore
from server.ladder.screen import Lines, duration, leaders, rooms, standing_lines, summary

NAMES = ("random", "level:1", "alphabeta:2", "level:8")


def listed(bots: int = 3, name: str = "small", played: int | None = None) -> RunningList:
    """In which the bot with the higher number won all its games; with so many results, or all of its first round."""
    plan = BotList(
        ladder="night", name=name, seed=0, game="tictactoe", limit=NO_LIMIT, bots=tuple(map(bot, NAMES[:bots])),
        pairs=2, opening_plies=2, repeat_openings=False, overrun_ms=200, stall_ms=60_000,
    )  # fmt: skip
    scores = {number: PairScore(0.0, 0.0) for number in range(bots * (bots - 1) // 2 if played is None else played)}
    return RunningList(plan, scores)


def rated(one: RunningList) -> RunningList:
    one.rate(0.0, 50)
    return one


@dataclass
class Running:
    """What the screen asks of a ladder."""

    lists: list[RunningList]
    games: int = 1234
    hours: float = 0.5
    left_s: float | None = None
    held: bool = False
    ladder: Ladder = field(default_factory=lambda: Ladder("night", ()))


def run_of(*lists: RunningList, **settings: Any) -> LadderRun:
    return cast(LadderRun, Running([*lists], **settings))


def test_the_summary() -> None:
    assert summary(run_of()) == "1,234 games, 2,468/h"
    assert (
        summary(run_of(left_s=7300.0, held=True)) == "1,234 games, 2,468/h, 2 h 02 min left, paused while people play"
    )
    assert summary(run_of(games=0, hours=0.0)) == "0 games, 0/h"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 min"), (89, "1 min"), (3569, "59 min"), (3571, "1 h 00 min"), (36_000, "10 h 00 min")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_the_leaders() -> None:
    assert leaders(run_of(listed(played=0))) == "small 0%"
    found = leaders(run_of(rated(listed()), listed(4, "other")))
    assert found.startswith("small 50%: alphabeta:2 +")
    assert found.endswith(", other 50%")


def test_standings_as_text() -> None:
    one = rated(listed())
    title, *bots, last = standing_lines(one)
    assert title == "small: 6 games, 50% of the round robin"
    assert [line.split()[:2] for line in bots] == [["1", "alphabeta:2"], ["2", "level:1"], ["3", "random"]]
    assert one.standings is not None
    assert bots[0].split()[2] == f"{one.standings.bots[2].rating:+.0f}"
    assert all(line.endswith("% stronger than next") for line in bots[:2])
    assert bots[2].endswith(")")
    assert len({line.index("(") for line in bots}) == len({line.index(")") for line in bots}) == 1
    assert last == f"  moving first is worth {one.standings.fitted.advantage:+.0f} Elo"


def test_nobody_is_said_to_be_stronger_for_certain() -> None:
    one = rated(listed())
    assert one.standings is not None
    first = one.standings.order[0]
    bots = list(one.standings.bots)
    bots[first] = bots[first]._replace(superiority=0.9975)
    one.standings.bots = tuple(bots)
    assert standing_lines(one)[1].endswith("  99 % stronger than next")


def test_bots_without_games_stand_below_without_a_place() -> None:
    one = rated(listed(4, played=1))  # of one pair, in which the second lost both games
    assert one.standings is not None
    assert len(one.standings.unplayed) == 2
    _, *bots, _ = standing_lines(one)
    assert [line.split()[0] for line in bots[:2]] == ["1", "2"]
    assert {tuple(line.split()) for line in bots[2:]} == {
        (NAMES[bot], "no", "games", "yet") for bot in one.standings.unplayed
    }
    assert "stronger than next" not in bots[1]


def test_a_retired_bot_is_named_in_the_standings() -> None:
    one = listed()
    fitted, bots = standings(3, Counter({PairResult(a, b, 0.0, 0.0): 1 for a, b in combinations(range(3), 2)}))
    one.standings = Standings(fitted, bots, frozenset({1}))
    assert [line.endswith("  retired") for line in standing_lines(one)[1:4]] == [False, True, False]


def test_before_the_first_games_there_is_nothing_to_rate() -> None:
    assert standing_lines(listed(played=0)) == ["small: 0 games, 0% of the round robin", "  no standings yet"]
    assert standing_lines(rated(listed(played=0))) == standing_lines(listed(played=0))
    assert standing_lines(listed()) == ["small: 6 games, 50% of the round robin", "  no standings yet"]
    assert len(standing_lines(listed(), room=0)) == 1


def test_what_a_list_is_at() -> None:
    one = listed()
    while one.progress < 1:
        one.schedule.record(one.schedule.to_play[0].pair, PairScore(1.0, 0.0))
        one.pairs += 1
    assert standing_lines(one)[0] == "small: 12 games, round 3"
    while not one.complete:
        one.schedule.record(one.schedule.to_play[0].pair, PairScore(1.0, 1.0))
    assert " games, complete (" in standing_lines(one)[0]
    assert " round robin" not in standing_lines(one)[0]


@pytest.mark.parametrize(
    ("lines", "given"),
    [(0, [0, 0]), (2, [0, 0]), (3, [1, 0]), (6, [2, 2]), (7, [2, 3]), (8, [2, 4]), (99, [2, 4])],
)
def test_a_terminal_has_room_for_some(lines: int, given: list[int]) -> None:
    run = run_of(listed(2), listed(4, "other"))
    assert rooms(run, lines) == given


@pytest.mark.parametrize(("height", "bots"), [(5, 1), (8, 4), (50, 6)])
def test_a_page_fits(height: int, bots: int) -> None:
    run = run_of(rated(listed(2)), rated(listed(4, "other")))
    lines = screen._page(run, height).plain.split("\n")
    assert lines[0] == "night: 1,234 games, 2,468/h"
    assert len(lines) == 3 + bots <= height - 1
    assert all(len(line) < 80 for line in lines)
    assert len({line.index("(") for line in lines if "(" in line}) == 1


def test_a_line_now_and_then(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = Lines(every_s=60)
    shown = []
    for now_s in (1000.0, 1009.9, 1010.0, 1069.9, 1070.0, 1200.0):
        monkeypatch.setattr(time, "monotonic", lambda now_s=now_s: now_s)
        lines.show(run_of(listed()))
        shown.append(bool(capsys.readouterr().err))
    assert shown == [False, False, True, False, True, True]
    lines.say("Something happened.")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(" Something happened.\n")
    assert err[2] == ":"


def test_how_far_a_test_is() -> None:
    text = 'name = "n"\n[[lists]]\ngame = "tictactoe"\nbots = ["random", "level:1"]\nmode = "sprt"\nsprt = "0,10"\n'
    [config] = parse(text).lists
    known = replace(config, begun=Begun(config.run_id, config.bots, (config.line_up(),)))
    one = RunningList(known, {0: PairScore(0.0, 0.5), 1: PairScore(0.0, 0.0)})
    one.rate(0.0, 20)
    assert standing_lines(one)[-2].startswith("  log-likelihood ratio -0.")
    assert standing_lines(one)[-2].endswith(" (the test ends outside -2.94 to 2.94)")
