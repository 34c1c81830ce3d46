"""What Bragstad's program prints of a simulation: figures, text for people and data for JSON. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec import structs

from client.lab.outputs import Record
from client.sdk.marks import MARKS
from client.sdk.text import width
from engine.bots.match import Pairing, Played
from engine.rules.position import O, Side, X
from engine.stats.score import Interval, Mean, mean, wilson

_SIDES: Final[tuple[Side, ...]] = (X, O)


@dataclass(frozen=True, slots=True)
class SideFigures:
    """Figures of one side, whichever bot had it."""

    wins: int
    wins_interval: Interval
    moves: int
    """All moves that it made."""
    total_ms: float
    """Time of all these moves."""
    move_ms: float | None
    """Average time of a move; None without moves."""
    moves_to_win: Mean | None
    """Its own moves in the games that it won on the board; None without any."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """All figures of the games that have a result."""

    pairing: Pairing
    swapped: bool
    """Sides change from game to game."""
    games: int
    x: SideFigures
    o: SideFigures
    ties: int
    ties_interval: Interval
    total_ms: float
    """Time of all moves of all games."""
    game_ms: Mean | None
    """Time of a game, its moves only; None without games."""
    moves_to_end: Mean | None
    """Moves of both sides together; None without games."""
    a: Record
    """Of the pairing's first bot, on both sides together."""
    terminations: dict[str, int]
    faults: tuple[str, ...]


def statistics(pairing: Pairing, swapped: bool, games: Iterable[Played]) -> Statistics:
    """The figures of finished games, in any order. An aborted game has no result and is not counted."""
    done = sorted(games, key=lambda game: game.task.number)
    counted = [game for game in done if game.a_points is not None]
    ties = sum(game.record.winner is None for game in counted)
    times_ms = [sum(game.think_us) / 1000 for game in counted]
    points = Counter(game.a_points for game in counted)
    return Statistics(
        pairing=pairing,
        swapped=swapped,
        games=len(counted),
        x=_side(counted, X),
        o=_side(counted, O),
        ties=ties,
        ties_interval=wilson(ties, len(counted)),
        total_ms=math.fsum(times_ms),
        game_ms=mean(times_ms) if counted else None,
        moves_to_end=mean([len(game.record.moves) for game in counted]) if counted else None,
        a=Record(won=points[1.0], drawn=points[0.5], lost=points[0.0]),
        terminations=dict(Counter(str(game.record.termination) for game in done).most_common()),
        faults=tuple(game.fault for game in done if game.fault is not None),
    )


def _side(games: Sequence[Played], side: Side) -> SideFigures:
    first = _SIDES.index(side)
    won = [game for game in games if game.record.winner == side]
    taken_us = [us for game in games for us in game.think_us[first::2]]
    own_moves = [len(game.record.moves[first::2]) for game in won if game.fault is None]
    return SideFigures(
        wins=len(won),
        wins_interval=wilson(len(won), len(games)),
        moves=len(taken_us),
        total_ms=sum(taken_us) / 1000,
        move_ms=sum(taken_us) / 1000 / len(taken_us) if taken_us else None,
        moves_to_win=mean(own_moves) if own_moves else None,
    )


def lines(found: Statistics, icons: tuple[str, str] = MARKS) -> list[str]:
    """The figures for people, a line each; `icons` stand for X and O."""
    x, o = icons
    rows = [
        (f"{x} wins", _share(found.x.wins, found.games, found.x.wins_interval)),
        (f"{o} wins", _share(found.o.wins, found.games, found.o.wins_interval)),
        ("ties", _share(found.ties, found.games, found.ties_interval)),
        ("average game", f"{_mean(found.game_ms, ' ms', 3)}, moves only"),
        ("all games", f"{found.total_ms:,.3f} ms, moves only"),
        (f"{x} average move", _move(found.x)),
        (f"{o} average move", _move(found.o)),
        (f"{x} moves to win", _mean(found.x.moves_to_win, "", 2)),
        (f"{o} moves to win", _mean(found.o.moves_to_win, "", 2)),
        ("moves to the end", _mean(found.moves_to_end, "", 2)),
        *_bot_rows(found),
        ("ended by", ", ".join(f"{name} {number}" for name, number in found.terminations.items()) or "-"),
        ("faults", str(len(found.faults))),
    ]
    wide = max(width(name) for name, _ in rows) + 2
    shown = [f"{name}{' ' * (wide - width(name))}{text}" for name, text in rows]
    return [_head(found, icons), *shown, *(f"  {fault}" for fault in found.faults)]


def _head(found: Statistics, icons: tuple[str, str]) -> str:
    pairing = found.pairing
    a, b = pairing.a.name, pairing.b.name
    who = f"{a} against {b}, sides swapped" if found.swapped else f"{a} ({icons[0]}) against {b} ({icons[1]})"
    games = f"{found.games} game" if found.games == 1 else f"{found.games} games"
    limits = [f"{name}={value}" for name, value in pairing.a_limit.bounds.items()]
    return ", ".join([f"{who}: {pairing.game}", games, *limits, f"seed {pairing.seed}"])


def _bot_rows(found: Statistics) -> list[tuple[str, str]]:
    """Nothing with fixed sides, where they would repeat the wins of the sides."""
    if not found.swapped:
        return []
    a = found.a
    return [
        ("first bot", f"{a.won} won, {a.drawn} drawn, {a.lost} lost"),
        ("second bot", f"{a.lost} won, {a.drawn} drawn, {a.won} lost"),
    ]


def _share(number: int, games: int, interval: Interval) -> str:
    if not games:
        return "-"
    return f"{number} ({100 * number / games:.1f} %, {100 * interval.low:.1f} to {100 * interval.high:.1f})"


def _mean(found: Mean | None, unit: str, digits: int) -> str:
    if found is None:
        return "-"
    middle = f"{found.mean:,.{digits}f}{unit}"
    if not math.isfinite(found.low) or found.low == found.high:
        return middle
    return f"{middle} ({max(0.0, found.low):,.{digits}f} to {found.high:,.{digits}f})"


def _move(side: SideFigures) -> str:
    if side.move_ms is None:
        return "-"
    return f"{side.move_ms:,.4f} ms; all {side.moves:,} moves {side.total_ms:,.3f} ms"


def data(found: Statistics) -> dict[str, Any]:
    """The figures as JSON; a bound that is missing is null."""
    pairing = found.pairing
    limits = (pairing.a_limit, pairing.b_limit)
    return {
        "game": pairing.game,
        "bots": [
            {"name": bot.name, "version": bot.version, "limit": limit.bounds or None}
            for bot, limit in zip((pairing.a, pairing.b), limits, strict=True)
        ],
        "sides_swapped": found.swapped,
        "seed": pairing.seed,
        "games": found.games,
        "x": _side_data(found.x, found.games),
        "o": _side_data(found.o, found.games),
        "ties": found.ties,
        "ties_share": found.ties / found.games if found.games else None,
        "ties_interval": list(found.ties_interval),
        "total_ms": found.total_ms,
        "game_ms": _mean_data(found.game_ms),
        "moves_to_end": _mean_data(found.moves_to_end),
        "first_bot": structs.asdict(found.a),
        "terminations": found.terminations,
        "faults": list(found.faults),
    }


def _side_data(side: SideFigures, games: int) -> dict[str, Any]:
    return {
        "wins": side.wins,
        "wins_share": side.wins / games if games else None,
        "wins_interval": list(side.wins_interval),
        "moves": side.moves,
        "total_ms": side.total_ms,
        "move_ms": side.move_ms,
        "moves_to_win": _mean_data(side.moves_to_win),
    }


def _mean_data(found: Mean | None) -> dict[str, float | None] | None:
    if found is None:
        return None
    return {name: value if math.isfinite(value) else None for name, value in found._asdict().items()}
