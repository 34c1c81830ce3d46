"""What Bragstad's program prints of a simulation: the figures, and their text for people. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import to_builtins

from client.lab import outputs
from client.lab.outputs import Mean, Record, ShareSpan, SimulatedBot, SimulatedSide, Simulation
from client.sdk.marks import MARKS
from client.sdk.text import width
from engine.bots.match import Pairing, Played
from engine.bots.roster import Bot
from engine.rules.limit import Limit
from engine.rules.position import O, Side, X
from engine.stats.score import mean, wilson

_SIDES: Final[tuple[Side, ...]] = (X, O)


def statistics(
    pairing: Pairing,
    swapped: bool,
    games: Iterable[Played],
    icons: tuple[str, str] = MARKS,
    *,
    interrupted: bool = False,
) -> Simulation:
    """The figures of finished games, in any order. An aborted game has no result and is not counted.

    `icons` stand for X and O.
    """
    done = sorted(games, key=lambda game: game.task.number)
    counted = [game for game in done if game.a_points is not None]
    ties = sum(game.record.winner is None for game in counted)
    times_ms = [sum(game.think_us) / 1000 for game in counted]
    points = Counter(game.a_points for game in counted)
    return Simulation(
        game=pairing.game,
        bots=[_bot(pairing.a, pairing.a_limit), _bot(pairing.b, pairing.b_limit)],
        sides_swapped=swapped,
        seed=pairing.seed,
        games=len(counted),
        x=_side(counted, X),
        o=_side(counted, O),
        ties=ties,
        ties_share=ties / len(counted) if counted else None,
        ties_interval=wilson(ties, len(counted)),
        total_ms=math.fsum(times_ms),
        game_ms=_mean(times_ms),
        moves_to_end=_mean([len(game.record.moves) for game in counted]),
        first_bot=Record(won=points[1.0], drawn=points[0.5], lost=points[0.0]),
        terminations=dict(Counter(str(game.record.termination) for game in done).most_common()),
        faults=[game.fault for game in done if game.fault is not None],
        icons=icons,
        interrupted=interrupted,
    )


def _bot(bot: Bot, limit: Limit) -> SimulatedBot:
    return SimulatedBot(bot.name, bot.version, outputs.Limit(**limit.bounds) if limit.bounds else None)


def _side(games: Sequence[Played], side: Side) -> SimulatedSide:
    first = _SIDES.index(side)
    won = [game for game in games if game.record.winner == side]
    taken_us = [us for game in games for us in game.think_us[first::2]]
    return SimulatedSide(
        wins=len(won),
        wins_share=len(won) / len(games) if games else None,
        wins_interval=wilson(len(won), len(games)),
        moves=len(taken_us),
        total_ms=sum(taken_us) / 1000,
        move_ms=sum(taken_us) / 1000 / len(taken_us) if taken_us else None,
        moves_to_win=_mean([len(game.record.moves[first::2]) for game in won if game.fault is None]),
    )


def _mean(values: Sequence[float]) -> Mean | None:
    """None without values; the mean of one has no bounds."""
    if not values:
        return None
    found = mean(values)
    bounds = (found.low, found.high) if math.isfinite(found.low) else (None, None)
    return Mean(found.mean, *bounds)


def lines(found: Simulation) -> list[str]:
    """The figures for people, a line each."""
    x, o = found.icons
    rows = [
        (f"{x} wins", _share(found.x.wins, found.x.wins_share, found.x.wins_interval)),
        (f"{o} wins", _share(found.o.wins, found.o.wins_share, found.o.wins_interval)),
        ("ties", _share(found.ties, found.ties_share, found.ties_interval)),
        ("average game", f"{_mean_text(found.game_ms, ' ms', 3)}, moves only"),
        ("all games", f"{found.total_ms:,.3f} ms, moves only"),
        (f"{x} average move", _move(found.x)),
        (f"{o} average move", _move(found.o)),
        (f"{x} moves to win", _mean_text(found.x.moves_to_win, "", 2)),
        (f"{o} moves to win", _mean_text(found.o.moves_to_win, "", 2)),
        ("moves to the end", _mean_text(found.moves_to_end, "", 2)),
        *_bot_rows(found),
        ("ended by", ", ".join(f"{name} {number}" for name, number in found.terminations.items()) or "-"),
        ("faults", str(len(found.faults))),
    ]
    wide = max(width(name) for name, _ in rows) + 2
    shown = [f"{name}{' ' * (wide - width(name))}{text}" for name, text in rows]
    return [_head(found), *shown, *(f"  {fault}" for fault in found.faults)]


def _head(found: Simulation) -> str:
    a, b = found.bots
    x, o = found.icons
    swapped = found.sides_swapped
    who = f"{a.name} against {b.name}, sides swapped" if swapped else f"{a.name} ({x}) against {b.name} ({o})"
    games = f"{found.games} game" if found.games == 1 else f"{found.games} games"
    limits = [f"{name}={value}" for name, value in to_builtins(a.limit or {}).items()]
    return ", ".join([f"{who}: {found.game}", games, *limits, f"seed {found.seed}"])


def _bot_rows(found: Simulation) -> list[tuple[str, str]]:
    """Nothing with fixed sides, where they would repeat the wins of the sides."""
    if not found.sides_swapped:
        return []
    a = found.first_bot
    return [
        ("first bot", f"{a.won} won, {a.drawn} drawn, {a.lost} lost"),
        ("second bot", f"{a.lost} won, {a.drawn} drawn, {a.won} lost"),
    ]


def _share(number: int, share: float | None, interval: ShareSpan) -> str:
    if share is None:
        return "-"
    low, high = interval
    return f"{number} ({100 * share:.1f} %, {100 * low:.1f} to {100 * high:.1f})"


def _mean_text(found: Mean | None, unit: str, digits: int) -> str:
    if found is None:
        return "-"
    middle = f"{found.mean:,.{digits}f}{unit}"
    if found.low is None or found.low == found.high:
        return middle
    return f"{middle} ({max(0.0, found.low):,.{digits}f} to {found.high:,.{digits}f})"


def _move(side: SimulatedSide) -> str:
    if side.move_ms is None:
        return "-"
    return f"{side.move_ms:,.4f} ms; all {side.moves:,} moves {side.total_ms:,.3f} ms"
