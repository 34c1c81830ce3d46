"""The result of a match: figures, text for people and data for JSON. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any

from client.lab.match.sprt import SprtResult
from client.lab.outputs import Times
from engine.bots.match import Pairing, Played
from engine.rules.limit import Limit
from engine.rules.position import X, other
from engine.stats.score import Interval, Mean, Score, mean, quantile, score, wilson


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of the games that were played."""

    pairing: Pairing
    score: Score
    """Score of bot A, without games that have no result."""
    x_share: float | None
    """Share of the points of the side that moved first; None without games."""
    x_interval: Interval
    draw_share: float | None
    draw_interval: Interval
    plies: Mean | None
    """Plies of a game, including its opening."""
    terminations: dict[str, int]
    a_times: Times | None
    b_times: Times | None
    faults: tuple[str, ...]
    sprt: SprtResult | None = None
    """Result of the sequential test, if there was one."""


def report(pairing: Pairing, games: Iterable[Played], sprt: SprtResult | None = None) -> Report:
    """The figures of finished games, in any order."""
    done = sorted(games, key=lambda game: game.task.number)
    total = score(_by_pair(done, lambda game, points: points))
    as_x = score(_by_pair(done, lambda game, points: points if game.task.a_side == X else 1 - points))
    counted = [game for game in done if game.a_points is not None]
    return Report(
        pairing=pairing,
        score=total,
        x_share=as_x.share if counted else None,
        x_interval=as_x.interval,
        draw_share=total.drawn / total.games if counted else None,
        draw_interval=wilson(total.drawn, total.games),
        plies=mean([len(game.record.cells()) for game in counted]) if counted else None,
        terminations=dict(Counter(str(game.record.termination) for game in done).most_common()),
        a_times=_times(done, of_a=True),
        b_times=_times(done, of_a=False),
        faults=tuple(game.fault for game in done if game.fault is not None),
        sprt=sprt,
    )


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


def lines(report: Report) -> list[str]:
    """The report for people, a line each."""
    pairing, total = report.pairing, report.score
    head = f"{pairing.a.name} against {pairing.b.name}: {pairing.game}, {_count(total.games, 'game')}"
    settings = f"{_limits(pairing)}, openings of {_plies(pairing.plies)}, seed {pairing.seed}"
    if not total.games:
        return [f"{head}; {settings}", *_sprt_lines(report.sprt), *_fault_lines(report.faults)]
    zero, half, one, more, two = total.pairs
    return [
        f"{head}; {settings}",
        f"score         {total.won} won, {total.drawn} drawn, {total.lost} lost",
        f"points        {_percent(total.share)} ({_range(total.interval)})",
        f"Elo           {elo_text(total)}",
        f"stronger      {_percent(total.superiority)} likely",
        f"pairs         {zero} of 0 points, {half} of 1/2, {one} of 1, {more} of 1 1/2, {two} of 2",
        *_sprt_lines(report.sprt),
        f"draws         {_percent(report.draw_share)} ({_range(report.draw_interval)})",
        f"X scores      {_percent(report.x_share)} ({_range(report.x_interval)})",
        f"game length   {_length(report.plies)}",
        f"ended by      {', '.join(f'{name} {number}' for name, number in report.terminations.items())}",
        *_time_lines(report),
        *_fault_lines(report.faults),
    ]


def elo_text(total: Score) -> str:
    """`+36 (-12 to +85)`; with all points or none, a bound on the difference."""
    if total.share == 1:
        return f"> {total.elo_interval.low:+.0f}"
    if total.share == 0:
        return f"< {total.elo_interval.high:+.0f}"
    return f"{total.elo:+.0f} ({total.elo_interval.low:+.0f} to {total.elo_interval.high:+.0f})"


def data(report: Report) -> dict[str, Any]:
    """The report as JSON; infinite numbers are null."""
    pairing, total = report.pairing, report.score
    return {
        "game": pairing.game,
        "a": _bot_data(pairing, of_a=True) | {"times": report.a_times},
        "b": _bot_data(pairing, of_a=False) | {"times": report.b_times},
        "seed": pairing.seed,
        "opening_plies": pairing.plies,
        "games": total.games,
        "won": total.won,
        "drawn": total.drawn,
        "lost": total.lost,
        "points": total.share if total.games else None,
        "points_interval": list(total.interval),
        "elo": _finite(total.elo) if total.games else None,
        "elo_interval": [_finite(bound) for bound in total.elo_interval],
        "superiority": total.superiority,
        "pairs": list(total.pairs),
        "sprt": _sprt_data(report.sprt),
        "draws": report.draw_share,
        "draws_interval": list(report.draw_interval),
        "x_points": report.x_share,
        "x_points_interval": list(report.x_interval),
        "plies": report.plies.mean if report.plies else None,
        "plies_interval": [_finite(bound) for bound in report.plies[1:]] if report.plies else None,
        "terminations": report.terminations,
        "faults": list(report.faults),
    }


def _bot_data(pairing: Pairing, of_a: bool) -> dict[str, Any]:
    bot, limit = (pairing.a, pairing.a_limit) if of_a else (pairing.b, pairing.b_limit)
    return {"name": bot.name, "version": bot.version, "limit": limit.bounds or None}


def _sprt_data(result: SprtResult | None) -> dict[str, Any] | None:
    if result is None:
        return None
    test = result.test
    return asdict(test) | {
        "lower": test.lower,
        "upper": test.upper,
        "llr": result.llr,
        "pairs": result.pairs,
        "verdict": result.verdict,
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _limits(pairing: Pairing) -> str:
    a, b = _limit(pairing.a_limit), _limit(pairing.b_limit)
    return a if a == b else f"A {a}, B {b}"


def _limit(limit: Limit) -> str:
    return " ".join(f"{name}={value}" for name, value in limit.bounds.items()) or "no limit"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _plies(number: int) -> str:
    return "1 ply" if number == 1 else f"{number} plies"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _range(interval: Interval) -> str:
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"


def _length(plies: Mean | None) -> str:
    if plies is None:
        return "-"
    if not math.isfinite(plies.high):
        return f"{plies.mean:.1f} plies"
    return f"{plies.mean:.1f} plies ({plies.low:.1f} to {plies.high:.1f})"


def _sprt_lines(result: SprtResult | None) -> list[str]:
    if result is None:
        return []
    test, verdict = result.test, f"{result.verdict} accepted" if result.verdict else "undecided"
    llr = f"LLR {result.llr:+.2f} ({test.lower:+.2f} to {test.upper:+.2f})"
    return [
        f"SPRT          {verdict} after {_count(result.pairs, 'pair')}: {llr}",
        f"              H0: Elo {_signed(test.elo0)} or less; H1: Elo {_signed(test.elo1)} or more",
    ]


def _signed(elo: float) -> str:
    return f"{elo:+g}" if elo else "0"


def _time_lines(report: Report) -> list[str]:
    rows = [(report.pairing.a.name, report.a_times), (report.pairing.b.name, report.b_times)]
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
