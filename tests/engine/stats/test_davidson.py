"""Ratings after Bradley-Terry-Davidson: closed forms, the model written out plainly, other methods, simulations."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.stats import davidson
from engine.stats.davidson import ELO, Fit, PairResult, changes, fit, standings
from engine.stats.score import Z

WON, DRAWN, LOST = (1.0, 1.0), (0.5, 0.5), (0.0, 0.0)
BOTS = 5

points = st.sampled_from([0.0, 0.5, 1.0])
results = st.lists(
    st.builds(
        lambda two, as_x, as_o: PairResult(two[0], two[1], as_x, as_o),
        st.permutations(range(BOTS)).map(lambda order: order[:2]),
        points,
        points,
    ),
    max_size=40,
)


def pairs(a: int, b: int, result: tuple[float, float], times: int) -> list[PairResult]:
    return [PairResult(a, b, *result)] * times


def flipped(pair: PairResult) -> PairResult:
    """The same two games, told by the other bot."""
    return PairResult(pair.b, pair.a, 1 - pair.as_o, 1 - pair.as_x)


class Model:
    """The model of `engine.stats.davidson`, game by game; points are strengths, g and log nu."""

    def __init__(self, number: int, played: Sequence[PairResult]) -> None:
        self.number = number
        self.games = [game for a, b, as_x, as_o in played for game in ((a, b, as_x), (b, a, 1 - as_o))]

    def log_posterior(self, point: Sequence[float]) -> float:
        *strengths, g, log_nu = point
        total = math.fsum(self._chance(strengths[x] - strengths[o] + g, log_nu, won) for x, o, won in self.games)
        total += math.fsum(self._chance(g, log_nu, won) for won in (0.0, 0.5, 1.0))
        return total - math.fsum(2 * math.log(2 * math.cosh(strength / 2)) for strength in strengths)

    @staticmethod
    def _chance(lead: float, log_nu: float, won: float) -> float:
        weights = {1.0: math.exp(lead / 2), 0.5: math.exp(log_nu), 0.0: math.exp(-lead / 2)}
        return math.log(weights[won] / sum(weights.values()))

    def point(self, found: Fit) -> list[float]:
        """The fit's; the strength of the imagined bot, which ratings with mean 0 do not tell, is looked for."""
        low, high = -50.0, 50.0
        for _ in range(100):
            shift = (low + high) / 2
            pull = sum(math.tanh((rating / ELO + shift) / 2) for rating in found.ratings)
            low, high = (shift, high) if pull < 0 else (low, shift)
        return [*(rating / ELO + low for rating in found.ratings), found.advantage / ELO, math.log(found.drawing)]

    def slope(self, point: Sequence[float], along: int, by: float = 1e-4) -> float:
        up, down = list(point), list(point)
        up[along] += by
        down[along] -= by
        return (self.log_posterior(up) - self.log_posterior(down)) / (2 * by)

    def curvature(self, point: Sequence[float], by: float = 1e-3) -> list[list[float]]:
        rows = []
        for along in range(len(point)):
            up, down = list(point), list(point)
            up[along] += by
            down[along] -= by
            rows.append([(self.slope(down, other) - self.slope(up, other)) / (2 * by) for other in range(len(point))])
        return rows


class Ladder:
    """Bots of known strength that play by the model; but openings may differ in what moving first is worth."""

    def __init__(
        self, seed: int, number: int, spread: float, advantage: float = 50.0, nu: float = 0.6, openings: float = 0.0
    ) -> None:
        self.random = Random(seed)
        drawn = [self.random.gauss(0, spread) for _ in range(number)]
        self.ratings = [rating - sum(drawn) / number for rating in drawn]
        self.advantage, self.nu, self.openings = advantage, nu, openings

    def round_robin(self, times: int) -> list[PairResult]:
        number = len(self.ratings)
        return [self.pair(a, b) for a in range(number) for b in range(a) for _ in range(times)]

    def pair(self, a: int, b: int) -> PairResult:
        advantage = self.random.gauss(self.advantage, self.openings) if self.openings else self.advantage
        return PairResult(a, b, self.game(a, b, advantage), 1 - self.game(b, a, advantage))

    def game(self, x: int, o: int, advantage: float) -> float:
        lead = (self.ratings[x] - self.ratings[o] + advantage) / ELO
        weights = [math.exp(lead / 2), self.nu, math.exp(-lead / 2)]
        return self.random.choices([1.0, 0.5, 0.0], weights)[0]


def test_two_bots_without_draws() -> None:
    found = fit(2, pairs(0, 1, WON, 30_000) + pairs(0, 1, LOST, 10_000))
    assert found.ratings[0] - found.ratings[1] == pytest.approx(400 * math.log10(3), abs=0.1)
    assert found.advantage == pytest.approx(0, abs=1e-6)
    assert found.drawing < 1e-4


def test_equals_of_whom_the_first_to_move_is_better_off() -> None:
    """X won 40,000 games, 20,000 were drawn, O won 10,000: each bot its half."""
    found = fit(2, pairs(0, 1, (1.0, 0.0), 20_000) + pairs(0, 1, DRAWN, 10_000) + pairs(0, 1, (0.0, 1.0), 5_000))
    assert found.ratings == pytest.approx((0, 0), abs=1e-6)
    assert found.advantage == pytest.approx(400 * math.log10(4), abs=0.1)
    assert found.drawing == pytest.approx(20_000 / math.sqrt(40_000 * 10_000), abs=1e-3)
    assert found.expected(0, 1) == pytest.approx((4 / 7, 2 / 7, 1 / 7), abs=1e-4)


@given(results)
def test_nothing_is_likelier(played: list[PairResult]) -> None:
    """The slopes of the model, written out plainly, are 0 there: it is concave, so that there is no other maximum."""
    found = fit(BOTS, played)
    model = Model(BOTS, played)
    point = model.point(found)
    assert [model.slope(point, along) for along in range(len(point))] == pytest.approx([0] * len(point), abs=1e-5)
    assert sum(found.ratings) == pytest.approx(0, abs=1e-6)


def test_errors_are_those_of_the_curvature() -> None:
    played = Ladder(1, 4, 150).round_robin(10)
    found = fit(4, played)
    model = Model(4, played)
    spread = np.linalg.inv(np.array(model.curvature(model.point(found))))
    for i in range(4):
        for j in range(4):
            variance = spread[i, i] + spread[j, j] - 2 * spread[i, j]
            assert found.errors[i][j] == pytest.approx(ELO * math.sqrt(max(0, variance)), rel=1e-3, abs=1e-3)


def test_against_another_method_without_draws() -> None:
    """The MM algorithm of Hunter (Annals of Statistics 32, 2004) for Bradley-Terry with an effect of order."""
    random = Random(3)
    number = 4
    won_as_x = defaultdict[tuple[int, int], float](float)
    won_as_o = defaultdict[tuple[int, int], float](float)
    played: list[PairResult] = []
    for a in range(number):
        for b in range(a):
            for result in (WON, LOST, (1.0, 0.0), (0.0, 1.0)):
                times = random.randrange(2_000, 10_000)
                played += pairs(a, b, result, times)
                for x, o, won in ((a, b, result[0]), (b, a, 1 - result[1])):
                    won_as_x[x, o] += times * won
                    won_as_o[o, x] += times * (1 - won)
    strength, order = [1.0] * number, 1.0
    games = {(x, o): won_as_x[x, o] + won_as_o[o, x] for x in range(number) for o in range(number) if x != o}
    for _ in range(500):
        met = {(x, o): times / (order * strength[x] + strength[o]) for (x, o), times in games.items()}
        order = sum(won_as_x[two] for two in games) / sum(met[x, o] * strength[x] for x, o in games)
        met = {(x, o): times / (order * strength[x] + strength[o]) for (x, o), times in games.items()}
        strength = [
            sum(won_as_x[bot, rival] + won_as_o[bot, rival] for rival in range(number) if rival != bot)
            / sum(order * met[bot, rival] + met[rival, bot] for rival in range(number) if rival != bot)
            for bot in range(number)
        ]
    found = fit(number, played)
    mean = sum(math.log(value) for value in strength) / number
    assert found.ratings == pytest.approx([ELO * (math.log(value) - mean) for value in strength], abs=0.05)
    assert found.advantage == pytest.approx(ELO * math.log(order), abs=0.05)


def test_true_strengths_are_found_again() -> None:
    ladder = Ladder(7, 8, 250)
    found, placed = standings(8, ladder.round_robin(200))
    assert found.ratings == pytest.approx(ladder.ratings, abs=40)
    assert found.advantage == pytest.approx(ladder.advantage, abs=10)
    assert found.drawing == pytest.approx(ladder.nu, abs=0.05)
    assert [standing.rating for standing in placed] == list(found.ratings)


@pytest.mark.slow
@given(results, st.randoms(use_true_random=False))
def test_the_order_does_not_matter(played: list[PairResult], random: Random) -> None:
    shuffled = [pair if random.random() < 0.5 else flipped(pair) for pair in random.sample(played, len(played))]
    assert fit(BOTS, shuffled) == fit(BOTS, played)
    assert standings(BOTS, shuffled, seed=5, resamples=20) == standings(BOTS, played, seed=5, resamples=20)


@given(results, st.permutations(range(BOTS)))
def test_names_do_not_matter(played: list[PairResult], names: list[int]) -> None:
    found = fit(BOTS, played)
    renamed = fit(BOTS, [pair._replace(a=names[pair.a], b=names[pair.b]) for pair in played])
    assert [renamed.ratings[name] for name in names] == pytest.approx(found.ratings, abs=1e-6)
    assert renamed.advantage == pytest.approx(found.advantage, abs=1e-6)
    assert renamed.errors[names[0]][names[1]] == pytest.approx(found.errors[0][1], abs=1e-6)


@pytest.mark.slow
@given(results)
def test_the_other_way_round(played: list[PairResult]) -> None:
    """Who won lost: ratings and advantage change their signs."""
    found = fit(BOTS, played)
    turned = fit(BOTS, [pair._replace(as_x=1 - pair.as_x, as_o=1 - pair.as_o) for pair in played])
    assert turned.ratings == pytest.approx([-rating for rating in found.ratings], abs=1e-6)
    assert turned.advantage == pytest.approx(-found.advantage, abs=1e-6)
    assert turned.drawing == pytest.approx(found.drawing)


@given(results, st.integers(0, BOTS - 1), st.integers(0, BOTS - 1), st.booleans())
def test_winning_more_is_rated_higher(played: list[PairResult], a: int, b: int, level: bool) -> None:
    if a == b:
        return
    before, after = fit(BOTS, played), fit(BOTS, [*played, PairResult(a, b, 1.0, 1.0)])
    assert after.ratings[a] - after.ratings[b] > before.ratings[a] - before.ratings[b]


def test_chances_are_those_of_the_model() -> None:
    found = Fit((200.0, -200.0), 100.0, 0.5, ((0.0, 0.0), (0.0, 0.0)))
    win, draw, loss = found.expected(0, 1)
    assert win + draw + loss == pytest.approx(1)
    assert win / loss == pytest.approx(10 ** (500 / 400))
    assert draw**2 / (win * loss) == pytest.approx(0.25)
    win, draw, loss = found.expected(1, 0)
    assert win / loss == pytest.approx(10 ** (-300 / 400))
    assert Fit((1e7, -1e7), 0.0, 0.5, ()).expected(0, 1) == pytest.approx((1, 0, 0))


def test_winning_all_gives_a_finite_rating_and_an_open_interval() -> None:
    """The upper bound is the prior's; below, it is about where the bot would lose 3.7 of its games."""
    field = [pair for a in range(1, 6) for b in range(1, a) for won in (WON, LOST) for pair in pairs(a, b, won, 50)]
    found, placed = standings(6, field + [pair for b in range(1, 6) for pair in pairs(0, b, WON, 20)], resamples=4000)
    best, *rest = placed
    assert found.ratings[0] == pytest.approx(-5 * found.ratings[1])
    assert best.superiority is not None
    assert 0.999 < best.superiority < 1
    lead = 6 / 5  # from the mean of all to the mean of the rest
    assert lead * best.low == pytest.approx(400 * math.log10(200 / 3.7), abs=50)
    assert best.high - best.rating > 1.5 * (best.rating - best.low)
    assert all(standing.high - standing.low < best.high - best.low for standing in rest)


def test_two_bots_one_of_which_won_all() -> None:
    found, (best, worst) = standings(2, pairs(0, 1, WON, 10))
    assert 300 < found.ratings[0] - found.ratings[1] < 1000
    assert found.ratings[0] == pytest.approx(-found.ratings[1])
    assert best.superiority is not None
    assert 0.98 < best.superiority < 1
    assert worst.superiority is None
    assert 100 < best.low < best.high < 2000


@pytest.mark.parametrize(("number", "least", "most"), [(1, 0.9, 0.97), (2, 0.97, 0.99), (40, 0.999, 1)])
def test_few_pairs_make_nobody_certain(number: int, least: float, most: float) -> None:
    """With the same prior, the exact chance is 0.918 after one pair won by 2-0 and 0.983 after two."""
    _, (best, _) = standings(2, pairs(0, 1, WON, number))
    assert best.superiority is not None
    assert least < best.superiority < most


def test_after_few_pairs_an_interval_reaches_further() -> None:
    """As Student's t does, whose quantile with 11 degrees of freedom is 2.201, and resamples vary 11/12 as much."""
    assert davidson._further(12) == pytest.approx(math.sqrt(12 / 11) * 2.200985, rel=1e-5)
    assert davidson._further(1e6) == pytest.approx(Z, rel=1e-5)


def test_the_one_with_fewer_pairs_decides_how_sure_an_order_is() -> None:
    rare = pairs(1, 2, WON, 1) + pairs(0, 2, WON, 1)
    _, (_, middle, _) = standings(3, pairs(0, 1, (1.0, 0.5), 40) + rare)
    assert middle.superiority is not None
    assert 0.5 < middle.superiority < 0.78


def test_only_draws() -> None:
    found, placed = standings(3, pairs(0, 1, DRAWN, 20) + pairs(1, 2, DRAWN, 20))
    assert found.ratings == pytest.approx((0, 0, 0), abs=1e-6)
    assert found.drawing > 20
    assert all(standing.low < 0 < standing.high for standing in placed)
    assert sorted(standing.superiority or 0 for standing in placed) == [0, 0.5, 0.5], "equals, whatever is drawn"


def test_the_one_with_the_higher_rating_is_never_told_to_be_likely_the_weaker() -> None:
    for seed in range(10):
        _, (best, _) = standings(2, pairs(0, 1, WON, 10) + pairs(1, 0, WON, 9), seed, resamples=1)
        assert best.superiority is not None
        assert best.superiority >= 0.5


@pytest.mark.slow
def test_a_long_chain_of_bots_that_each_beat_the_next() -> None:
    played = [pair for bot in range(29) for pair in pairs(bot, bot + 1, WON, 1000)]
    found, placed = standings(30, played, resamples=50)
    assert list(found.ratings) == sorted(found.ratings, reverse=True)
    assert all(800 < one - two < 1500 for one, two in pairwise(found.ratings))
    assert all(standing.superiority is not None and standing.superiority > 0.95 for standing in placed[:-1])


def test_a_bot_far_out_whose_only_pair_is_left_out_of_a_resample() -> None:
    """Newton's steps are far too long where its search begins; they lead back to the middle all the same."""
    weak = [pair for bot in range(1, 6) for pair in pairs(0, bot, WON, 20_000)]
    _, placed = standings(7, [*weak, PairResult(6, 0, 1.0, 1.0)])
    assert placed[6].rating > placed[0].rating > 1200
    assert placed[6].low < 0
    assert 2000 < placed[6].high < 6000


def test_bots_without_games() -> None:
    found, placed = standings(4, pairs(1, 2, WON, 5))
    assert found.ratings[0] == pytest.approx(found.ratings[3], abs=1e-6)
    assert found.errors[0][3] > 340
    assert placed[0].high - placed[0].low > 800
    assert placed[1].superiority is not None
    assert 0.5 < placed[1].superiority < 1
    assert standings(3, pairs(0, 1, (1.0, 0.0), 20))[1][1].superiority is None, "nobody who played is behind it"


def test_no_games_at_all() -> None:
    found, placed = standings(3, [])
    assert (found.ratings, found.advantage, found.drawing) == ((0, 0, 0), 0, 1)
    assert all(standing.low < -300 and standing.high > 300 for standing in placed)
    assert placed[0].superiority == pytest.approx(0.5, abs=0.06)
    assert standings(1, []) == (fit(1, []), ((0, 0, 0, None),))
    assert standings(0, []) == (fit(0, []), ())
    assert fit(0, []).ratings == ()


def test_errors_agree_with_the_bootstrap_where_games_of_a_pair_are_independent() -> None:
    found, placed = standings(2, Ladder(5, 2, 50).round_robin(300), resamples=2000)
    bootstrap = (placed[0].high - placed[0].low) / (2 * 1.96)  # of one rating: half the difference of two
    assert found.errors[0][1] / 2 == pytest.approx(bootstrap, rel=0.1)


def test_the_error_of_a_rating_is_that_against_the_mean() -> None:
    played = [PairResult(a, b, 1.0, 0.0) for a, b in [(0, 1), (1, 2), (0, 2), (2, 3)] * 30]
    fitted, bots = standings(4, played, resamples=2000)
    for bot, standing in enumerate(bots):
        apart = [error for other, error in enumerate(fitted.errors[bot]) if other != bot]
        assert min(apart) / 2 < fitted.error(bot) < max(apart)
        assert standing.low < fitted.ratings[bot] < standing.high
    two = fit(2, [PairResult(0, 1, 1.0, 0.0)] * 30)
    assert two.error(0) == two.error(1) == pytest.approx(two.errors[0][1] / 2)


def test_pairs_whose_games_agree_are_less_sure() -> None:
    """As if every opening decided the pair: 100 pairs then say no more than 100 games."""
    agreeing = pairs(0, 1, WON, 50) + pairs(0, 1, LOST, 50)
    crossing = pairs(0, 1, WON, 25) + pairs(0, 1, LOST, 25) + pairs(0, 1, (1.0, 0.0), 25) + pairs(0, 1, (0.0, 1.0), 25)
    (one, _), (two, _) = (standings(2, played, resamples=4000)[1] for played in (agreeing, crossing))
    assert one.high - one.low == pytest.approx(math.sqrt(2) * (two.high - two.low), rel=0.1)


def test_superiority_is_over_the_next_in_rating() -> None:
    played = pairs(0, 1, LOST, 40) + pairs(1, 2, (1.0, 0.5), 3) + pairs(0, 2, LOST, 40)
    _, placed = standings(3, played)
    ranked = sorted(range(3), key=lambda bot: -placed[bot].rating)
    assert ranked[2] == 0
    first, second, last = (placed[bot].superiority for bot in ranked)
    assert last is None
    assert first is not None
    assert second is not None
    assert 0.5 < first < second
    assert second > 0.99


def test_the_interval_of_a_rating_holds_it_though_no_resample_does() -> None:
    _, placed = standings(3, [PairResult(0, 1, 1.0, 0.5), PairResult(1, 2, 1.0, 0.0)] * 4, resamples=1)
    assert all(standing.low <= standing.rating <= standing.high for standing in placed)


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 4])
def test_intervals_cover_the_truth(number: int) -> None:
    covered = 0
    for seed in range(200):
        ladder = Ladder(seed, number, 200)
        _, placed = standings(number, ladder.round_robin(12), seed=seed, resamples=400)
        covered += sum(s.low <= truth <= s.high for s, truth in zip(placed, ladder.ratings, strict=True))
    assert 0.9 <= covered / (200 * number) <= 0.99


@pytest.mark.slow
def test_intervals_cover_what_endless_pairs_would_give_where_openings_favour_a_side() -> None:
    ladder = Ladder(1, 4, 200, openings=600)
    truth = fit(4, ladder.round_robin(5000)).ratings
    assert 0.3 < (max(truth) - min(truth)) / (max(ladder.ratings) - min(ladder.ratings)) < 0.7
    covered = 0
    for seed in range(200):
        _, placed = standings(4, ladder.round_robin(12), seed=seed, resamples=400)
        covered += sum(s.low <= one <= s.high for s, one in zip(placed, truth, strict=True))
    assert 0.9 <= covered / 800 <= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("openings", [0.0, 600.0])
@pytest.mark.parametrize("shared", [False, True])
def test_the_interval_of_a_change_covers_none_where_bots_have_not_changed(shared: bool, openings: float) -> None:
    ladder = Ladder(1, 4, 200, openings=openings)
    covered = 0
    for seed in range(100):
        before, after = ladder.round_robin(20), ladder.round_robin(20)
        past, news = (before, []) if shared else ([], before)
        found = changes(4, past, news, after, seed=seed, resamples=300)
        covered += sum(one is not None and one.low <= 0 <= one.high for one in found)
    assert 0.9 <= covered / 400 <= 0.99


def test_the_seed_decides() -> None:
    played = Ladder(2, 3, 100).round_robin(10)
    assert standings(3, played, seed=1) == standings(3, played, seed=1)
    assert standings(3, played, seed=1) != standings(3, played, seed=2)


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        (PairResult(0, 0, 1, 1), "Bots 0 and 0 make no pair"),
        (PairResult(0, 3, 1, 1), "two of 0 to 2 are needed"),
        (PairResult(-1, 2, 1, 1), "Bots -1 and 2 make no pair"),
        (PairResult(0, 1, 2, 1), "0, 0.5 or 1 points, not 2"),
        (PairResult(0, 1, 1, math.nan), "0, 0.5 or 1 points, not nan"),
    ],
)
def test_what_is_no_pair(pair: PairResult, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        fit(3, [pair])


def test_no_resamples() -> None:
    with pytest.raises(ValueError, match="at least one resample, not 0"):
        standings(2, [], resamples=0)


# Changes


def test_nothing_new_is_no_change() -> None:
    played = [PairResult(0, 1, 1.0, 0.5), PairResult(1, 2, 1.0, 0.0), PairResult(0, 2, 0.5, 1.0)] * 5
    for change in changes(4, played, [], [], resamples=50)[:3]:
        assert change is not None
        assert change.before == change.after
        assert (change.low, change.high) == (0.0, 0.0)
    assert changes(4, played, [], [], resamples=50)[3] is None, "it has no pairs"
    assert changes(2, [], [], [PairResult(0, 1, 1.0, 1.0)]) == (None, None), "nobody has pairs on both sides"


def test_new_pairs_move_ratings_by_no_more_than_they_can() -> None:
    """An interval of pairs that share most of their past is narrower than that of two lists apart."""
    random = Random(5)
    drawn = [PairResult(a, b, random.choice((1.0, 0.5)), random.choice((0.0, 0.5))) for a, b in [(0, 1), (1, 2)] * 60]
    more = [PairResult(0, 1, 1.0, 1.0)] * 12
    nested = changes(3, drawn, [], more, resamples=200)
    apart = changes(3, [], drawn, [*drawn, *more], resamples=200)
    for one, other in zip(nested, apart, strict=True):
        assert one is not None
        assert other is not None
        assert (one.before, one.after) == pytest.approx((other.before, other.after))
        assert one.high - one.low < 0.7 * (other.high - other.low)
    first = nested[0]
    assert first is not None
    assert 0 < first.low < first.after - first.before < first.high


def test_lists_that_have_nothing_in_common_have_imagined_games_of_their_own() -> None:
    played = {PairResult(0, 1, 1.0, 1.0): 6}
    [change, _] = changes(2, (), played, played)
    assert change is not None
    assert change.low < -500
    assert change.high > 500


@pytest.mark.parametrize("result", [WON, LOST])
def test_who_goes_on_winning_or_losing_all_has_not_changed_for_certain(result: tuple[float, float]) -> None:
    for change in changes(2, pairs(0, 1, result, 4), [], pairs(0, 1, result, 10)):
        assert change is not None
        assert change.low < 0 < change.high


def test_the_interval_of_a_change_holds_it_though_no_resample_does() -> None:
    for change in changes(2, (), {PairResult(0, 1, 1.0, 0.5): 9}, {PairResult(0, 1, 0.5, 0.5): 9}, resamples=1):
        assert change is not None
        assert change.low <= change.after - change.before <= change.high


def test_changes_are_against_who_is_on_both_sides() -> None:
    """A strong bot that enters moves the mean of the list, but not the others."""
    played = [PairResult(0, 1, 1.0, 0.0)] * 40
    [first, second, third] = changes(3, played, [], [PairResult(2, bot, 1.0, 0.5) for bot in (0, 1)] * 20, resamples=50)
    assert third is None
    assert first is not None
    assert second is not None
    assert abs(first.after - first.before) < 1
    assert first.after + second.after == pytest.approx(0)


def test_changes_need_resamples() -> None:
    with pytest.raises(ValueError, match="Intervals need at least one resample, not 0"):
        changes(2, [], [], [], resamples=0)
