"""The figures of reports, each against the same counted in plain Python from what the views say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.termination import FAULT_TERMINATIONS
from engine.stats.score import quantile, score, wilson
from server.report.page import figures
from server.report.page.words import ReportData
from tests.support.report.records import Row, grouped, spread_of


@given(st.lists(st.integers(-5, 50), min_size=1, max_size=60), st.floats(0, 1))
def test_quantiles_are_the_engines(values: list[int], share: float) -> None:
    assert pl.DataFrame({"v": values}).select(figures.quantile("v", share)).item() == quantile(values, share)


# Results


def test_advantages(data: ReportData, games: list[Row]) -> None:
    found = {one.game: one.score for one in figures.advantages(data.games)}
    of_game = grouped(games, lambda game: game["game"])
    assert found.keys() == of_game.keys()
    assert list(found) == sorted(found, key=lambda game: -len(of_game[game]))
    for kind, played in of_game.items():
        units = grouped(
            played, lambda game: (game["run_id"], game["pair_id"]) if game["pair_id"] is not None else game["game_id"]
        )
        pairs = [[game["x_points"] for game in unit] for unit in units.values()]
        expected, one = score(pairs), found[str(kind)]
        assert (one.won, one.drawn, one.lost) == (expected.won, expected.drawn, expected.lost)
        assert one.share == pytest.approx(expected.share)
        assert one.interval == pytest.approx(expected.interval)
    for told_of in figures.advantages(data.games):
        set_up = {game["opening_id"] for game in of_game[told_of.game] if game["source"] == "ladder"}
        assert told_of.openings == len(set_up) < figures.OPENINGS
        assert told_of.interval == told_of.score.interval


def ladder_games(by_opening: Sequence[Sequence[float]], others: Sequence[float] = ()) -> pl.DataFrame:
    """X's points in pairs of a ladder, opening by opening, and in games of people."""
    rows = [(str(opening), points) for opening, played in enumerate(by_opening) for points in played]
    number = len(rows)
    return pl.DataFrame(
        {
            "game_id": range(number + len(others)),
            "game": "qubic",
            "source": ["ladder"] * number + ["room"] * len(others),
            "run_id": ["night"] * number + [None] * len(others),
            "pair_id": [*(place // 2 for place in range(number)), *(None for _ in others)],
            "opening_id": [*(opening for opening, _ in rows), *(None for _ in others)],
            "x_points": [*(points for _, points in rows), *map(float, others)],
        }
    )


def test_many_games_of_few_openings_are_few_observations() -> None:
    """X wins all games of three openings of six, and loses those of the others."""

    def width(by_opening: Sequence[Sequence[float]], others: Sequence[float] = ()) -> float:
        [one] = figures.advantages(ladder_games(by_opening, others))
        assert one.openings == len(by_opening)
        assert one.score.share == 0.5
        return one.interval.high - one.interval.low

    [alike] = figures.advantages(ladder_games([[1.0] * 200, [0.0] * 200] * 3))
    # As `score` has it of six observations, which happen to be openings here.
    assert alike.interval == pytest.approx(score([[1.0], [0.0]] * 3).interval)
    assert width([[1.0, 0.0] * 100] * 6) == pytest.approx(score([[0.5]] * 6).interval.high * 2 - 1)
    assert width([[1.0, 0.0] * 90 + [1.0] * 20, [1.0, 0.0] * 90 + [0.0] * 20] * 3) < 0.2 * width([[1.0], [0.0]] * 3)
    # Many games of people hide nothing: nearly all the games are of the six openings.
    assert width([[1.0] * 200, [0.0] * 200] * 3, [1.0, 0.0] * 30) > 0.9 * width([[1.0], [0.0]] * 3)
    # Openings that all went alike say nothing of how much others differ.
    assert figures.advantages(ladder_games([[1.0, 0.0, 0.0]] * 6))[0].interval == pytest.approx(wilson(2, 6))
    # Of four openings it is not known how much openings differ.
    assert width([[1.0] * 200, [0.0] * 200] * 2) < 0.1


def test_pair_results(data: ReportData, games: list[Row]) -> None:
    for run in data.frames.lists["run_id"]:
        standings = data.frames.standings.filter(run_id=run)
        places = dict(standings.select("player_id", "place").rows())
        counted: Counter[float] = Counter()
        for pair in grouped((game for game in games if game["run_id"] == run), lambda game: game["pair_id"]).values():
            if len(pair) == 2:
                better = min(pair[0]["x_id"], pair[0]["o_id"], key=lambda id: places[id])
                counted[sum(game["x_points"] if game["x_id"] == better else 1 - game["x_points"] for game in pair)] += 1
        found = figures.pair_results(data.games.filter(run_id=run), places)
        assert found == tuple(counted[points / 2] for points in range(5))
        assert sum(found) > 1
    assert figures.pair_results(data.games, {}) == (0, 0, 0, 0, 0)


def test_the_crosstable(data: ReportData, games: list[Row]) -> None:
    found = figures.crosstable(data.games)
    for (player, against), meeting in found.items():
        as_x = [game["x_points"] for game in games if (game["x_id"], game["o_id"]) == (player, against)]
        as_o = [1 - game["x_points"] for game in games if (game["o_id"], game["x_id"]) == (player, against)]
        assert (meeting.points, meeting.games) == (sum(as_x) + sum(as_o), len(as_x) + len(as_o))
        mirrored = found[against, player]
        assert (meeting.points + mirrored.points, meeting.games) == (meeting.games, mirrored.games)
    assert sum(meeting.games for meeting in found.values()) == 2 * len(games)


def test_terminations_and_faults(data: ReportData, games: list[Row]) -> None:
    found = figures.terminations(data.games)
    assert {(kind, end): number for kind, counts in found.items() for end, number in counts.items()} == Counter(
        (game["game"], game["termination"]) for game in games
    )
    lost: dict[int, Counter[str]] = defaultdict(Counter)
    played: Counter[int] = Counter()
    for game in games:
        played.update((game["x_id"], game["o_id"]))
        if game["termination"] in FAULT_TERMINATIONS and game["winner"]:
            lost[game["o_id" if game["winner"] == "x" else "x_id"]][game["termination"]] += 1
    faults = figures.faults(data.games)
    assert {one.player_id: one.by_termination for one in faults} == lost
    assert all(one.games == played[one.player_id] for one in faults)
    shares = [one.number / one.games for one in faults]
    assert shares == sorted(shares, reverse=True)
    assert faults


def test_a_game_of_a_bot_against_itself_is_one_of_its_games(data: ReportData) -> None:
    alone = data.games.with_columns(o_id="x_id")
    assert {one.player_id: one.games for one in figures.faults(alone)}.items() <= Counter(alone["x_id"]).items()


# Lengths, plies, time


@pytest.mark.parametrize("bins", [3, 40])
def test_lengths(data: ReportData, games: list[Row], bins: int) -> None:
    for kind, played in grouped(games, lambda game: game["game"]).items():
        lengths = [game["start_plies"] + game["plies"] for game in played]
        found = figures.lengths(data.games.filter(game=kind), bins)
        assert found is not None
        assert len(found.first) <= bins
        for first, number in zip(found.first, found.games, strict=True):
            assert number == sum(first <= length < first + found.width for length in lengths)
        assert sum(found.games) == len(lengths)
        assert [found.median, found.low, found.high] == spread_of(lengths)
    assert figures.lengths(data.games.clear()) is None


@pytest.mark.parametrize("column", ["think_us", "nodes", "depth"])
def test_by_ply(data: ReportData, moves: list[Row], column: str) -> None:
    for kind, made in grouped(moves, lambda move: move["game"]).items():
        values = grouped((move for move in made if move[column] is not None), lambda move: move["ply"])
        expected = [
            (ply, len(there), *spread_of([move[column] for move in there])) for ply, there in sorted(values.items())
        ]
        assert figures.by_ply(data.moves.filter(game=kind), column).rows() == expected


def test_by_player(data: ReportData, moves: list[Row]) -> None:
    bots = grouped((move for move in moves if move["kind"] == "bot"), lambda move: move["player"])
    found = {row["player"]: row for row in figures.by_player(data.moves).rows(named=True)}
    assert found.keys() == bots.keys()
    for bot, made in bots.items():
        row = found[str(bot)]
        times = [move["think_us"] for move in made]
        assert [row["think_us"], row["think_us_low"], row["think_us_high"]] == spread_of(times)
        assert (row["moves"], row["longest_us"]) == (len(made), max(times))
        assert row["nodes"] == quantile([move["nodes"] for move in made], 0.5)
        timed = [move for move in made if move["think_us"] >= figures.TIMED * move["resolution_us"]]
        rate = sum(move["nodes"] for move in timed) * 1_000_000 / sum(move["think_us"] for move in timed)
        assert row["rate"] == pytest.approx(rate)


def test_no_rate_of_moves_too_short_to_be_timed(data: ReportData) -> None:
    coarse = data.moves.with_columns(think_us=1_000 * pl.col("think_ms"), is_coarse=pl.lit(True))
    short = coarse.with_columns(think_us=pl.lit(2_000, pl.Int64))
    assert figures.by_player(short)["rate"].null_count() == figures.by_player(short).height
    finely = short.with_columns(is_coarse=pl.lit(False))
    assert figures.by_player(finely)["rate"].null_count() == 0
    mostly_short = coarse.with_columns(
        nodes=pl.when(pl.col("think_us") < 1_000 * figures.TIMED).then(10**6).otherwise(1)
    )
    assert figures.by_player(mostly_short)["rate"].null_count() == figures.by_player(mostly_short).height
    unsearched = data.moves.with_columns(nodes=pl.lit(None, pl.Int64))
    assert figures.by_player(unsearched)["rate"].null_count() == figures.by_player(unsearched).height


def test_limits(data: ReportData, moves: list[Row]) -> None:
    limited = [move for move in moves if move["limit_ms"] is not None]
    found = {(row["game"], row["player"]): row for row in figures.limits(data.moves).rows(named=True)}
    expected = grouped(limited, lambda move: (move["game"], data.players[move["player_id"]]))
    assert len(found) == len(expected) == 6
    for key, made in expected.items():
        row = found[key]  # type: ignore[index]
        used = [move["think_us"] / (1_000 * move["limit_ms"]) for move in made]
        beyond = [move["think_us"] - 1_000 * move["limit_ms"] for move in made]
        assert [row["share"], row["share_low"], row["share_high"], row["most"]] == [*spread_of(used), max(used)]
        assert (row["moves"], row["over"]) == (len(made), sum(one > 0 for one in beyond))
        assert row["worst_us"] == max(0, *beyond)


def test_a_move_that_takes_all_of_its_limit_is_not_over_it() -> None:
    moves = pl.DataFrame({"game": "g", "player": "p", "think_us": [1_000_000, 1_000_001], "limit_ms": 1_000})
    assert figures.limits(moves)["over"].to_list() == [1]


def test_slowest(data: ReportData, moves: list[Row]) -> None:
    for kind in ("bot", "person"):
        made = [move for move in moves if move["kind"] == kind]
        expected = sorted(made, key=lambda move: (-move["think_us"], move["game_id"], move["ply"]))[:20]
        found = figures.slowest(data.moves, kind, 20)
        assert found.select("game_id", "at", "think_us").rows() == [
            (move["game_id"], move["ply"], move["think_us"]) for move in expected
        ]
