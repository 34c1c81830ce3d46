"""The result of a match: its figures, and their text for people. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from statistics import fmean, median

from msgspec import to_builtins

from client.lab import outputs
from client.lab.match.sprt import SprtResult
from client.lab.outputs import Match, MatchBot, ShareSpan, Span, Test, Times
from engine.bots.match import Pairing, Played
from engine.bots.roster import Bot
from engine.rules.limit import Limit
from engine.rules.position import X, other
from engine.stats.score import mean, quantile, score, wilson
from server.console.counted import counted


def report(
    pairing: Pairing, games: Iterable[Played], sprt: SprtResult | None = None, *, interrupted: bool = False
) -> Match:
    """The figures of finished games, in any order; infinite numbers are None."""
    done = sorted(games, key=lambda game: game.task.number)
    total = score(_by_pair(done, lambda game, points: points))
    as_x = score(_by_pair(done, lambda game, points: points if game.task.a_side == X else 1 - points))
    plies = [len(game.record.cells()) for game in done if game.a_points is not None]
    length = mean(plies) if plies else None
    return Match(
        game=pairing.game,
        a=_bot(pairing.a, pairing.a_limit, _times(done, of_a=True)),
        b=_bot(pairing.b, pairing.b_limit, _times(done, of_a=False)),
        seed=pairing.seed,
        opening_plies=pairing.plies,
        games=total.games,
        won=total.won,
        drawn=total.drawn,
        lost=total.lost,
        points=total.share if total.games else None,
        points_interval=total.interval,
        elo=_finite(total.elo) if total.games else None,
        elo_interval=_span(total.elo_interval),
        superiority=total.superiority,
        pairs=total.pairs,
        sprt=None if sprt is None else _test(sprt),
        draws=total.drawn / total.games if total.games else None,
        draws_interval=wilson(total.drawn, total.games),
        x_points=as_x.share if total.games else None,
        x_points_interval=as_x.interval,
        plies=None if length is None else length.mean,
        plies_interval=None if length is None else _span((length.low, length.high)),
        terminations=dict(Counter(str(game.record.termination) for game in done).most_common()),
        faults=[game.fault for game in done if game.fault is not None],
        interrupted=interrupted,
    )


def _bot(bot: Bot, limit: Limit, times: Times | None) -> MatchBot:
    return MatchBot(bot.name, bot.version, outputs.Limit(**limit.bounds) if limit.bounds else None, times)


def _test(result: SprtResult) -> Test:
    test = result.test
    return Test(
        **asdict(test), lower=test.lower, upper=test.upper, llr=result.llr, pairs=result.pairs, verdict=result.verdict
    )


def _span(bounds: tuple[float, float]) -> Span:
    low, high = bounds
    return _finite(low), _finite(high)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _by_pair(games: Sequence[Played], points: Callable[[Played, float], float]) -> list[list[float]]:
    pairs: dict[int, list[float]] = {}
    for game in games:
        if game.a_points is not None:
            pairs.setdefault(game.task.pair, []).append(points(game, game.a_points))
    return list(pairs.values())


def _times(games: Sequence[Played], of_a: bool) -> Times | None:
    taken_us: list[int] = []
    nodes = searched_us = 0
    for game in games:
        side = game.task.a_side if of_a else other(game.task.a_side)
        for ply, (move, us) in enumerate(zip(game.record.moves, game.think_us, strict=False), len(game.task.start)):
            if (ply % 2 == 0) != (side == X):
                continue
            taken_us.append(us)
            if move.nodes is not None:
                nodes += move.nodes
                searched_us += us
    if not taken_us:
        return None
    return Times(
        moves=len(taken_us),
        mean_ms=fmean(taken_us) / 1000,
        median_ms=median(taken_us) / 1000,
        p99_ms=quantile(taken_us, 0.99) / 1000,
        max_ms=max(taken_us) / 1000,
        nodes_per_s=nodes / searched_us * 1e6 if searched_us else None,
    )


def lines(match: Match) -> list[str]:
    """The report for people, a line each."""
    head = f"{match.a.name} against {match.b.name}: {match.game}, {counted(match.games, 'game')}"
    settings = f"{_limits(match)}, openings of {counted(match.opening_plies, 'ply', 'plies')}, seed {match.seed}"
    if match.points is None:
        return [f"{head}; {settings}", *_sprt_lines(match.sprt), *_fault_lines(match.faults)]
    zero, half, one, more, two = match.pairs
    return [
        f"{head}; {settings}",
        f"score         {match.won} won, {match.drawn} drawn, {match.lost} lost",
        f"points        {_percent(match.points)} ({_range(match.points_interval)})",
        f"Elo           {_elo(match)}",
        f"stronger      {_percent(match.superiority)} likely",
        f"pairs         {zero} of 0 points, {half} of 1/2, {one} of 1, {more} of 1 1/2, {two} of 2",
        *_sprt_lines(match.sprt),
        f"draws         {_percent(match.draws)} ({_range(match.draws_interval)})",
        f"X scores      {_percent(match.x_points)} ({_range(match.x_points_interval)})",
        f"game length   {_length(match)}",
        f"ended by      {', '.join(f'{name} {number}' for name, number in match.terminations.items())}",
        *_time_lines(match),
        *_fault_lines(match.faults),
    ]


def _elo(match: Match) -> str:
    """`+36 (-12 to +85)`; with all points or none, a bound on the difference."""
    low, high = match.elo_interval
    if match.elo is None:
        return f"< {high:+.0f}" if low is None else f"> {low:+.0f}"
    return f"{match.elo:+.0f} ({low:+.0f} to {high:+.0f})"


def _limits(match: Match) -> str:
    a, b = _limit(match.a.limit), _limit(match.b.limit)
    return a if a == b else f"A {a}, B {b}"


def _limit(limit: outputs.Limit | None) -> str:
    return "no limit" if limit is None else " ".join(f"{name}={value}" for name, value in to_builtins(limit).items())


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _range(interval: ShareSpan) -> str:
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f}"


def _length(match: Match) -> str:
    low, high = match.plies_interval or (None, None)
    return f"{match.plies:.1f} plies" + ("" if low is None else f" ({low:.1f} to {high:.1f})")


def _sprt_lines(test: Test | None) -> list[str]:
    if test is None:
        return []
    verdict = f"{test.verdict} accepted" if test.verdict else "undecided"
    llr = f"LLR {test.llr:+.2f} ({test.lower:+.2f} to {test.upper:+.2f})"
    return [
        f"SPRT          {verdict} after {counted(test.pairs, 'pair')}: {llr}",
        f"              H0: Elo {_signed(test.elo0)} or less; H1: Elo {_signed(test.elo1)} or more",
    ]


def _signed(elo: float) -> str:
    return f"{elo:+g}" if elo else "0"


def _time_lines(match: Match) -> list[str]:
    rows = [(bot.name, bot.times) for bot in (match.a, match.b)]
    wide = max(12, *(len(name) for name, _ in rows))
    head = f"{'move times':<{wide}}  {'moves':>7} {'mean':>9} {'median':>9} {'p99':>9} {'max ms':>9} {'nodes/s':>11}"
    return [head, *(f"{name:<{wide}}  {_time_columns(times)}" for name, times in rows)]


def _time_columns(times: Times | None) -> str:
    if times is None:
        return f"{0:>7}"
    figures = " ".join(f"{ms:>9.2f}" for ms in (times.mean_ms, times.median_ms, times.p99_ms, times.max_ms))
    rate = "-" if times.nodes_per_s is None else f"{times.nodes_per_s:,.0f}"
    return f"{times.moves:>7} {figures} {rate:>11}"


def _fault_lines(faults: Sequence[str]) -> list[str]:
    return [f"faults        {len(faults)}", *(f"  {fault}" for fault in faults)]
