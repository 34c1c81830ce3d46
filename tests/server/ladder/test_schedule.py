"""Who plays whom next: the schedule follows from plan and results alone, is fair, and ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.stats.davidson import Fit, PairResult, Pairs, fit
from engine.stats.score import Z
from engine.stats.sprt import Sprt
from server.ladder import schedule
from server.ladder.schedule import CERTAIN, LineUp, Meeting, PairingPlan, PairScore, Round, Schedule, doubt
from tests.support.examples import examples

Result = Callable[[Meeting], PairScore]

ENOUGH = 60
"""Pairs after which a schedule that need not end is left."""

plans = st.builds(
    PairingPlan,
    bots=st.integers(2, 6),
    pairs=st.integers(1, 5),
    seed=st.text(max_size=5),
    openings=st.none() | st.integers(1, 8),
)


def chance(seed: int, faults: float = 0.0) -> Result:
    """Bots with lower numbers win more often; faults are those of the bot with the highest number."""

    def result(meeting: Meeting) -> PairScore:
        random = Random(f"{seed}/{meeting.pair}")
        as_x, as_o = (random.choice((1.0, 1.0, 0.5, 0.0)) for _ in range(2))
        if random.random() < 0.05:
            return random.choice((PairScore(None, as_o), PairScore(as_x, None)))
        b_faults = int(random.random() < faults) + int(random.random() < faults)
        return PairScore(as_x, as_o, 0, b_faults)

    return result


results = st.builds(chance, st.integers(0, 1000), st.sampled_from([0.0, 0.0, 0.3]))


def equal(meeting: Meeting) -> PairScore:
    return PairScore(1.0, 0.0)


def followed(plan: PairingPlan, result: Result, enough: int = ENOUGH, order: Random | None = None) -> list[Round]:
    """The rounds of a list, its meetings recorded as they stand or in another order, until its end or so many pairs."""
    schedule = Schedule(plan)
    rounds = [schedule.round]
    while schedule.round.meetings and schedule.round.meetings[0].pair < enough:
        meetings = list(schedule.round.meetings)
        if order is not None:
            order.shuffle(meetings)
        begun = [schedule.record(one.pair, result(one)) for one in meetings]
        assert begun == [False] * (len(meetings) - 1) + [True]
        rounds.append(schedule.round)
    return rounds


def meetings_of(rounds: Sequence[Round]) -> list[Meeting]:
    return [one for round in rounds for one in round.meetings]


# A function of plan and results


@examples(40)
@given(plans, results, st.randoms(use_true_random=False))
def test_no_order_of_results_matters(plan: PairingPlan, result: Result, order: Random) -> None:
    assert followed(plan, result, order=order) == followed(plan, result)


@examples(40)
@given(plans, results, st.data())
def test_after_an_interruption_it_goes_on_as_if_there_had_been_none(
    plan: PairingPlan, result: Result, data: st.DataObject
) -> None:
    rounds = followed(plan, result)
    order = data.draw(st.permutations(meetings_of(rounds[:-1])), "order")
    # Results come in any order within a round, and those of a round after all of the round before.
    order.sort(key=lambda one: next(round.number for round in rounds if one in round.meetings))
    known = order[: data.draw(st.integers(0, len(order)), "known")]
    resumed = Schedule(plan)
    resumed.catch_up({one.pair: result(one) for one in known})
    live = Schedule(plan)
    for one in known:
        live.record(one.pair, result(one))
    assert (resumed.round, resumed.to_play, resumed.results) == (live.round, live.to_play, live.results)
    while resumed.to_play and resumed.round.number < len(rounds) - 1:
        for one in resumed.to_play:
            resumed.record(one.pair, result(one))
    assert resumed.round == rounds[resumed.round.number]


@examples(40)
@given(plans, results, st.data())
def test_a_changed_line_up_is_resumed_as_if_it_had_never_been_stopped(
    plan: PairingPlan, result: Result, data: st.DataObject
) -> None:
    """Bots enter and leave in the middle of rounds; a schedule made of the records alone is that of the ladder that
    played on."""
    line_ups: tuple[LineUp, ...] = (LineUp(0, tuple(range(plan.bots)), plan.pairs),)
    known: dict[int, PairScore] = {}
    bots = plan.bots
    for _ in range(3):
        live = Schedule(replace(plan, bots=bots, line_ups=line_ups))
        live.catch_up(known)
        for _ in range(data.draw(st.integers(0, 12), "pairs")):
            if not live.to_play:
                break
            one = data.draw(st.sampled_from(live.to_play), "next")
            if live.round.number >= line_ups[-1].round:
                assert {one.a, one.b} <= {*line_ups[-1].bots}
            assert one.pair not in known
            known[one.pair] = result(one)
            live.record(one.pair, known[one.pair])
        resumed = Schedule(replace(plan, bots=bots, line_ups=line_ups))
        resumed.catch_up(known)
        assert (resumed.round, set(resumed.to_play)) == (live.round, set(live.to_play))
        assert resumed.results == live.results
        assert resumed.robin_left == live.robin_left
        bots += data.draw(st.integers(0, 2), "entering")
        present = data.draw(st.lists(st.integers(0, bots - 1), min_size=2, unique=True), "line-up")
        begun = live.next_line_up
        line_ups = (*(one for one in line_ups if one.round < begun), LineUp(begun, tuple(sorted(present)), plan.pairs))


@pytest.mark.parametrize(
    ("openings", "before"),
    [
        (4, 4),
        (12, 25),  # into the first round with more than one pair of the same bots, of which the last is played
    ],
)
def test_two_bots_do_not_meet_in_an_opening_again_when_one_comes_back(openings: int, before: int) -> None:
    plan = PairingPlan(3, openings, "7", openings=openings, line_ups=(LineUp(0, (0, 1, 2), openings),))
    met: list[Meeting] = []
    known: dict[int, PairScore] = {}
    for present, most in (((0, 1, 2), before), ((0, 1), 3), ((0, 1, 2), 100)):
        schedule = Schedule(plan)
        schedule.catch_up(known)
        begun = schedule.next_line_up
        earlier = (one for one in plan.line_ups if one.round < begun)
        plan = replace(plan, line_ups=(*earlier, LineUp(begun, present, openings)))
        schedule = Schedule(plan)
        schedule.catch_up(known)
        for _ in range(most):
            if schedule.to_play:
                one = schedule.to_play[-1]
                met.append(one)
                known[one.pair] = equal(one)
                schedule.record(one.pair, known[one.pair])
    assert Counter((one.a, one.b, one.opening) for one in met) == Counter(
        (a, b, opening) for a, b in combinations(range(3), 2) for opening in range(openings)
    )


# Modes and ends


def line_up_of(*bots: int, **aim: Any) -> tuple[LineUp, ...]:
    return (LineUp(0, bots, 2, **aim),)


def test_in_a_gauntlet_new_bots_meet_the_others_only() -> None:
    plan = PairingPlan(5, 2, "7", line_ups=line_up_of(0, 1, 2, 3, 4, mode="gauntlet", new=(1, 4)))
    assert plan.line_up(0).robin == 2 * 6
    rounds = followed(plan, chance(3), enough=100)
    met = Counter((one.a, one.b) for one in meetings_of(rounds))
    assert met.keys() == {(a, b) for a, b in combinations(range(5), 2) if (a in (1, 4)) != (b in (1, 4))}
    assert min(met.values()) >= 2
    first = Schedule(plan)
    assert first.robin_left == 12
    assert len(first.round.meetings) == 6


def test_a_gauntlet_is_complete_when_new_bots_have_their_places() -> None:
    """Of the others' order nothing need be known."""

    def result(one: Meeting) -> PairScore:
        return PairScore(1.0, 1.0) if one.a == 0 else PairScore(0.0, 0.0)

    plan = PairingPlan(3, 2, "7", line_ups=line_up_of(0, 1, 2, mode="gauntlet", new=(0,)))
    last = followed(plan, result, enough=400)[-1]
    assert (last.meetings, last.reason) == ((), "the order is certain")


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        ((1.0, 0.5), "the test accepts H1: a lead of 10 Elo or more"),
        ((0.5, 0.0), "the test accepts H0: a lead of 0 Elo or less"),
    ],
)
@pytest.mark.parametrize("first", [0, 1])
def test_an_sprt_stops_by_itself(points: tuple[float, float], reason: str, first: int) -> None:
    """The points are those of the bot in question, which need not be the first."""

    def result(one: Meeting) -> PairScore:
        as_x, as_o = points if one.pair % 2 else (0.5, 0.5)
        return PairScore(as_x, as_o) if first == 0 else PairScore(1 - as_o, 1 - as_x)

    [line_up] = line_up_of(0, 1, mode="sprt", new=(first,), elo=(0.0, 10.0))
    rounds = followed(PairingPlan(2, 2, "7", line_ups=(line_up,)), result, enough=2000)
    assert (rounds[-1].meetings, rounds[-1].reason) == ((), reason)
    assert all(len(round.meetings) >= 8 for round in rounds[2:-1])


def test_an_sprt_goes_on_where_an_order_would_be_certain() -> None:
    [line_up] = line_up_of(0, 1, mode="sprt", new=(0,), elo=(150.0, 232.0))
    rounds = followed(PairingPlan(2, 2, "7", line_ups=(line_up,)), lambda one: PairScore(1.0, one.pair % 2), enough=150)
    assert rounds[-1].meetings


def test_an_sprt_counts_the_games_of_its_two_bots_alone() -> None:
    test = LineUp(1, (0, 1), 1, mode="sprt", new=(0,), elo=(0.0, 20.0))
    schedule = Schedule(PairingPlan(3, 1, "7", line_ups=(LineUp(0, (0, 1, 2), 1), test)))
    for one in schedule.to_play:
        schedule.record(one.pair, PairScore(0.5, 0.5) if (one.a, one.b) == (0, 1) else PairScore(1.0, 1.0))
    assert schedule.llr(test) == Sprt(0.0, 20.0).llr([0, 0, 1, 0, 0])


def test_an_end_by_rounds_or_by_width() -> None:
    def even(one: Meeting) -> PairScore:
        return PairScore(1.0, 0.0) if one.pair % 2 else PairScore(0.0, 1.0)

    by_rounds = followed(PairingPlan(3, 2, "7", line_ups=line_up_of(0, 1, 2, rounds=3)), equal)
    assert (len(by_rounds) - 1, by_rounds[-1].reason) == (3, "3 rounds have been played")
    by_width = [
        followed(PairingPlan(3, 2, "7", line_ups=line_up_of(0, 1, 2, width=width)), even, enough=1000)
        for width in (160.0, 80.0)
    ]
    assert [rounds[-1].reason for rounds in by_width] == [
        "no interval is wider than 160 Elo", "no interval is wider than 80 Elo",
    ]  # fmt: skip
    for rounds, width in zip(by_width, (160.0, 80.0), strict=True):
        for end, narrow in ((-2, False), (-1, True)):
            played = meetings_of(rounds[:end])
            fitted = fit(3, [PairResult(one.a, one.b, float(one.pair % 2), 1.0 - one.pair % 2) for one in played])
            assert (max(2 * Z * fitted.error(bot) for bot in range(3)) <= width) is narrow


def test_any_end_can_be_extended() -> None:
    schedule = Schedule(PairingPlan(3, 2, "7", line_ups=line_up_of(0, 1, 2, rounds=1)))
    for one in schedule.to_play:
        schedule.record(one.pair, equal(one))
    assert not schedule.round.meetings
    assert schedule.extend()


def test_an_example_written_out() -> None:
    """If this changes, recorded ladders cannot be gone on with: then VERSION is another."""
    assert schedule.VERSION == 2
    rounds = followed(PairingPlan(3, 2, "7/qubic"), chance(3), enough=12)
    assert [[tuple(one) for one in round.meetings] for round in rounds] == [
        [(0, 0, 1, 0), (1, 1, 2, 26), (2, 0, 2, 7)],
        [(3, 0, 1, 1), (4, 0, 2, 8), (5, 1, 2, 27)],
        [(6, 1, 2, 28), (7, 1, 2, 29), (8, 0, 2, 9)],
        [(9, 1, 2, 30), (10, 1, 2, 31), (11, 0, 1, 2)],
        [(12, 1, 2, 32), (13, 1, 2, 33), (14, 1, 2, 34)],
    ]


@examples(40)
@given(plans, results)
def test_seeds_deal_other_orders_of_the_same_round_robin(plan: PairingPlan, result: Result) -> None:
    firsts = [
        Schedule(PairingPlan(plan.bots, plan.pairs, seed, plan.openings)).round.meetings for seed in map(str, range(9))
    ]
    assert len({frozenset((one.a, one.b) for one in first) for first in firsts}) == 1
    if plan.bots > 2:
        assert len({tuple((one.a, one.b) for one in first) for first in firsts}) > 1


@pytest.mark.parametrize("seed", range(3))
def test_the_last_digits_of_the_ratings_do_not_matter(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not the same on every processor."""
    plan = PairingPlan(10, 1, str(seed), 35)
    exact = meetings_of(followed(plan, chance(seed), enough=300))
    random = Random(seed)

    def nearly(number: float) -> float:
        return number * (1 + random.uniform(-1e-12, 1e-12)) + random.uniform(-1e-12, 1e-12)

    def wavering(bots: int, pairs: Pairs) -> Fit:
        found = fit(bots, pairs)
        errors = tuple(tuple(map(nearly, row)) for row in found.errors)
        return replace(found, ratings=tuple(map(nearly, found.ratings)), errors=errors)

    monkeypatch.setattr(schedule, "fit", wavering)
    assert meetings_of(followed(plan, chance(seed), enough=300)) == exact


def test_all_openings_are_played_from_the_beginning() -> None:
    first = Schedule(PairingPlan(20, 1, "1", 35)).round.meetings
    assert len({one.opening for one in first}) > 30


# What is played


@examples(40)
@given(plans, results)
def test_numbers_openings_and_bots_of_the_pairs(plan: PairingPlan, result: Result) -> None:
    meetings = meetings_of(followed(plan, result))
    assert [one.pair for one in meetings] == list(range(len(meetings)))
    assert all(0 <= one.a < one.b < plan.bots for one in meetings)
    for pair in combinations(range(plan.bots), 2):
        openings = [one.opening for one in meetings if (one.a, one.b) == pair]
        if plan.openings is None:
            assert openings == list(range(openings[0], openings[0] + len(openings)))
        else:
            assert openings == [(openings[0] + number) % plan.openings for number in range(len(openings))]
            assert len(openings) <= plan.openings


@examples(40)
@given(plans, results)
def test_the_round_robin_is_equal_for_all(plan: PairingPlan, result: Result) -> None:
    rounds = followed(plan, result)
    times: Counter[tuple[int, int]] = Counter()
    due = min(plan.pairs, plan.openings or plan.pairs)
    for round in rounds:
        able = list(combinations(sorted(set(range(plan.bots)) - round.retired), 2))
        met = {times[pair] for pair in able}
        if not able or min(met) >= due:
            break
        # Whole rounds of all against all: whoever is still there has met each other equally often.
        assert len(met) == 1
        played = Counter((one.a, one.b) for one in round.meetings)
        assert set(played) == set(able)
        assert len(set(played.values())) == 1
        assert sum(played.values()) <= max(1, met.pop() // 4) * len(able)
        times += played
    else:
        assert rounds[-1].meetings  # left before its end


def test_a_long_round_robin_has_few_rounds() -> None:
    rounds = followed(PairingPlan(2, 400, ""), equal, enough=400)
    assert sum(len(round.meetings) for round in rounds[:-1]) == 400
    assert len(rounds) < 30


# Faults


def faulty(share: Callable[[int], bool], result: Result = equal) -> Result:
    """Bot 2 loses by a fault in both games of those of its pairs, counted from 0, of which `share` is true."""
    seen: dict[int, int] = {}

    def faulted(meeting: Meeting) -> PairScore:
        if meeting.b != 2:
            return result(meeting)
        count = seen.setdefault(meeting.pair, len(seen))
        return PairScore(1.0, 1.0, 0, 2) if share(count) else result(meeting)

    return faulted


def test_a_bot_with_too_many_faults_meets_nobody_any_more() -> None:
    rounds = followed(PairingPlan(4, 20, ""), faulty(lambda count: True))
    gone = next(round.number for round in rounds if round.retired)
    # Three pairs a round: 12 games after the second. Before the tenth game nobody is judged.
    assert gone == 2
    assert all(round.retired == {2} for round in rounds[gone:])
    assert not [one for one in meetings_of(rounds[gone:]) if 2 in one[1:3]]
    assert Counter(bot for one in rounds[gone].meetings for bot in one[1:3]) == {0: 2, 1: 2, 3: 2}


@pytest.mark.parametrize(("faults", "retired"), [(1, False), (2, True)])
def test_a_tenth_of_faults_is_allowed(faults: int, retired: bool) -> None:
    schedule = Schedule(PairingPlan(2, 5, ""))
    for number in range(5):  # ten games
        schedule.record(number, PairScore(1.0, 0.0, b_faults=int(number < faults)))
    assert schedule.too_faulty == ({1} if retired else set())
    assert schedule.round.retired == schedule.too_faulty
    assert bool(schedule.round.meetings) is not retired


def test_eight_games_are_too_few_to_judge_by() -> None:
    schedule = Schedule(PairingPlan(2, 10, ""))
    for number in range(4):
        schedule.record(number, PairScore(1.0, 1.0, b_faults=2))
    assert schedule.too_faulty == set()
    schedule.record(4, PairScore(1.0, 1.0, b_faults=2))
    assert schedule.too_faulty == {1}


def test_faults_of_either_bot_are_counted() -> None:
    schedule = Schedule(PairingPlan(2, 10, ""))
    for number in range(5):
        schedule.record(number, PairScore(0.0, 0.0, a_faults=2))
    assert schedule.round == Round(5, (), frozenset({0}), "fewer than two bots remain")


def test_nobody_is_retired_in_the_middle_of_a_round() -> None:
    schedule = Schedule(PairingPlan(3, 400, ""))
    while len(schedule.round.meetings) < 30:
        for one in schedule.round.meetings:
            schedule.record(one.pair, PairScore(1.0, 0.0))
    before = schedule.round
    for one in before.meetings[:-1]:
        schedule.record(one.pair, PairScore(1.0, 1.0, b_faults=2))
        assert schedule.round is before
    assert schedule.too_faulty
    assert schedule.round.retired == set()


# Ends


def test_it_ends_when_the_standing_is_certain() -> None:
    rounds = followed(PairingPlan(3, 2, ""), lambda one: PairScore(1.0, 1.0), enough=10_000)
    last = rounds[-1]
    assert (last.meetings, last.reason, last.retired) == ((), "the order is certain", frozenset())
    pairs = Counter(PairResult(one.a, one.b, 1.0, 1.0) for one in meetings_of(rounds))
    fitted = fit(3, pairs)
    assert list(fitted.ratings) == sorted(fitted.ratings, reverse=True)
    assert all(doubt(fitted, a, b) < 1 - CERTAIN for a, b in pairwise(range(3)))
    # Not before it had to be: without its last round it was open.
    fewer = fit(3, Counter(PairResult(one.a, one.b, 1.0, 1.0) for one in meetings_of(rounds[:-2])))
    assert any(doubt(fewer, a, b) >= 1 - CERTAIN for a, b in pairwise(range(3)))


def extended(schedule: Schedule, result: Result) -> list[Meeting]:
    """Of one more round, played."""
    assert schedule.extend()
    meetings = list(schedule.round.meetings)
    for one in meetings:
        schedule.record(one.pair, result(one))
    return meetings


def test_a_certain_list_is_extended_by_whole_rounds() -> None:
    def won(one: Meeting) -> PairScore:
        return PairScore(1.0, 1.0)

    plan = PairingPlan(3, 2, "")
    played = meetings_of(followed(plan, won, enough=10_000))
    schedule = Schedule(plan)
    schedule.catch_up({one.pair: won(one) for one in played})
    assert (schedule.to_play, schedule.round.reason) == ((), "the order is certain")
    more = extended(schedule, won)
    assert [one.pair for one in more] == [*range(len(played), len(played) + len(more))]
    assert (schedule.to_play, schedule.round.reason) == ((), "the order is certain")
    more += extended(schedule, won)

    # An interruption in the extension, with a pair of it recorded before one that was chosen earlier.
    resumed = Schedule(plan)
    resumed.catch_up({one.pair: won(one) for one in [*played, *more[:-2], more[-1]]})
    assert resumed.to_play == (more[-2],)
    assert resumed.record(more[-2].pair, won(more[-2]))
    assert (resumed.round, resumed.results) == (schedule.round, schedule.results)


def test_where_nobody_is_left_to_meet_nothing_is_extended() -> None:
    plan = PairingPlan(3, 10, "", openings=2)
    schedule = Schedule(plan)
    schedule.catch_up({one.pair: equal(one) for one in meetings_of(followed(plan, equal))})
    assert not schedule.extend()
    assert schedule.round.reason == "every pair of bots has met in every opening"


def test_the_round_robin_is_played_to_its_end_though_all_is_certain() -> None:
    rounds = followed(PairingPlan(2, 60, ""), lambda one: PairScore(1.0, 1.0))
    assert len(meetings_of(rounds)) == 60
    assert rounds[-1].reason == "the order is certain"


def test_equal_bots_never_end_by_themselves_while_there_are_openings() -> None:
    assert followed(PairingPlan(2, 2, ""), equal, enough=500)[-1].meetings
    rounds = followed(PairingPlan(2, 2, "", openings=30), equal, enough=500)
    assert (len(meetings_of(rounds)), rounds[-1].reason) == (30, "every pair of bots has met in every opening")


def test_it_ends_when_every_two_have_met_in_every_opening() -> None:
    rounds = followed(PairingPlan(3, 10, "", openings=4), equal)
    assert len(meetings_of(rounds)) == 12
    assert rounds[-1].reason == "every pair of bots has met in every opening"


def test_a_growing_round_goes_no_further_than_the_openings() -> None:
    assert len(meetings_of(followed(PairingPlan(2, 100, "", openings=9), equal))) == 9


def test_without_two_bots_there_is_nobody_to_meet() -> None:
    rounds = followed(PairingPlan(2, 50, ""), faulty(lambda _: True, lambda one: PairScore(1.0, 1.0, 0, 1)))
    assert rounds[-1].reason == "fewer than two bots remain"
    assert rounds[-1].retired == {1}
    assert len(meetings_of(rounds)) == 5


def test_a_complete_list_is_caught_up_with() -> None:
    plan = PairingPlan(3, 10, "", openings=2)
    met = {one.pair: equal(one) for one in meetings_of(followed(plan, equal))}
    schedule = Schedule(plan)
    schedule.catch_up(met)
    assert schedule.round.reason == "every pair of bots has met in every opening"
    assert schedule.to_play == ()


@examples(40)
@given(st.integers(2, 6), st.integers(0, 100))
def test_games_without_a_result_never_stop_a_list(bots: int, seed: int) -> None:
    rounds = followed(PairingPlan(bots, 3, str(seed)), lambda one: PairScore(None, None), enough=60)
    assert rounds[-1].meetings


# After the round robin


def test_who_is_unsure_meets_most() -> None:
    """Bots 0 and 1 are equal, 2 and 3 too and far below them, and 4 is far below all: two orders are open."""
    places = [0, 0, 2, 2, 4]

    def result(meeting: Meeting) -> PairScore:
        if places[meeting.a] == places[meeting.b]:
            return PairScore(1.0, 0.0) if meeting.pair % 2 else PairScore(0.0, 1.0)
        return PairScore(1.0, 1.0)

    rounds = followed(PairingPlan(5, 6, "1"), result, enough=400)
    adaptive = [one for one in meetings_of(rounds) if one.pair >= 60]
    times = Counter((one.a, one.b) for one in adaptive)
    assert times[0, 1] + times[2, 3] > 0.9 * len(adaptive) > 300
    assert 0.5 < times[0, 1] / times[2, 3] < 2


def test_a_round_has_a_twentieth_of_what_was_played_and_no_less_than_one_for_each_bot() -> None:
    rounds = followed(PairingPlan(3, 1, ""), equal, enough=600)
    before = 0
    for round in rounds:
        if before >= 3:
            assert len(round.meetings) == max(3, before // 20)
        before += len(round.meetings)


def test_openness_is_the_variance_of_the_points() -> None:
    fitted = fit(3, [PairResult(0, 1, 1.0, 0.5), PairResult(1, 2, 1.0, 1.0), PairResult(0, 2, 0.5, 1.0)] * 3)
    for a, b in combinations(range(3), 2):
        variances = []
        for chances in (fitted.expected(a, b), fitted.expected(b, a)):
            mean = sum(points * chance for points, chance in zip((1, 0.5, 0), chances, strict=True))
            variances.append(
                sum((points - mean) ** 2 * chance for points, chance in zip((1, 0.5, 0), chances, strict=True))
            )
        assert schedule._openness(fitted, a, b) == pytest.approx(sum(variances) / 2)


def test_of_two_open_orders_the_one_is_asked_whose_games_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = fit(3, [])
    able = [(0, 1), (0, 2), (1, 2)]
    for open_one in able:
        for name, weights in (("doubt", (0.4, 0.1)), ("_openness", (0.25, 0.05))):
            with monkeypatch.context() as patch:
                much, little = weights
                patch.setattr(schedule, name, lambda _, a, b, much=much, one=open_one, little=little:
                              much if (a, b) == one else little)  # fmt: skip
                assert schedule._neediest(able, fitted, 1, PairingPlan(3, 1, ""), Counter()) == [open_one]


def test_a_long_round_is_shared_by_all_who_need_it() -> None:
    """The need of a pair falls with each time it is chosen; after thousands of them it is still a number."""
    fitted = fit(3, Counter({PairResult(a, b, 1.0, 0.0): 50 for a, b in combinations(range(3), 2)}))
    able = list(combinations(range(3), 2))
    chosen = schedule._neediest(able, fitted, 9_000, PairingPlan(3, 1, ""), Counter())
    assert Counter(chosen) == dict.fromkeys(able, 3_000)


# What is said to be wrong


def test_results_of_others_are_refused() -> None:
    schedule = Schedule(PairingPlan(3, 2, ""))
    one = schedule.to_play[0]
    other = ({0, 1, 2} - {one.a, one.b}).pop()
    with pytest.raises(ValueError, match=rf"^Pair {one.pair} is one of bots {one.a} and {one.b}, not of "):
        schedule.record(one.pair, PairScore(1.0, 1.0, bots=(one.a, other)))
    assert not schedule.record(schedule.to_play[0].pair, PairScore(1.0, 0.0, bots=schedule.to_play[0][1:3]))


def test_doubt_of_a_bot_about_itself_is_the_greatest() -> None:
    fitted = fit(2, [PairResult(0, 1, 1.0, 1.0)] * 9)
    assert doubt(fitted, 0, 0) == 0.5
    assert 0 < doubt(fitted, 0, 1) < 0.02
    assert doubt(fitted, 0, 1) == pytest.approx(doubt(fitted, 1, 0))
