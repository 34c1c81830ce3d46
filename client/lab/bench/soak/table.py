"""A soak as a table: what each quantity was at first and at last, and its slope. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from client.lab.bench.figures import Figure, Part, Table, figure, shown
from client.lab.bench.soak.samples import Piece, Sample, Soak
from client.lab.bench.soak.slopes import Slope, slope

WARM_S = 900.0
"""Start of each life of a server that no slope counts: caches fill, and rooms that people have left pile up until the
first of them end on time."""
_MB = 1024 * 1024


class Quantity(Struct, frozen=True):
    name: str
    unit: str
    of: Callable[[Sample], float]


QUANTITIES = (
    Quantity("server, RSS", "MB", lambda one: one.rss / _MB),
    Quantity("server, PSS", "MB", lambda one: one.pss / _MB),
    Quantity("workers, PSS", "MB", lambda one: one.workers_pss / _MB),
    Quantity("ladder, PSS", "MB", lambda one: one.ladder_pss / _MB),
    Quantity("processes below the server", "", lambda one: one.processes),
    Quantity("descriptors", "", lambda one: one.files),
    Quantity("threads", "", lambda one: one.threads),
    Quantity("tasks", "", lambda one: one.tasks),
    Quantity("rooms awake", "", lambda one: one.rooms),
    Quantity("connections", "", lambda one: one.connections),
)


def part(soak: Soak, warm_s: float = WARM_S) -> Part:
    """What is said of a soak; without the first `warm_s` of each life, in pieces that are long enough."""
    lives = [kept for piece in soak.pieces for life in piece.lives if (kept := _settled(life.samples, warm_s))]
    rows = [_row(quantity, lives) for quantity in QUANTITIES]
    table = Table("by the hour", ("", "first", "last", "an hour", "95 % interval"), rows)
    hours = sum(piece.hours for piece in soak.pieces)
    return Part(
        "soak",
        f"{hours:.1f} hours in {len(soak.pieces)} pieces, {sum(len(piece.lives) for piece in soak.pieces)} starts",
        _figures(soak, lives),
        [table, _joints(soak.pieces)],
        [f"the first {warm_s:.0f} s after each start are left out of slopes", *_errors(soak.pieces)],
    )


def _settled(samples: Sequence[Sample], warm_s: float) -> list[Sample]:
    return [one for one in samples if one.at_s - samples[0].at_s >= warm_s]


def _row(quantity: Quantity, lives: Sequence[Sequence[Sample]]) -> tuple[str, ...]:
    name = f"{quantity.name}, {quantity.unit}" if quantity.unit else quantity.name
    if not lives:
        return (name, "–", "–", "–", "–")
    found = slope([[(one.at_s / 3600, quantity.of(one)) for one in life] for life in lives])
    return (name, shown(quantity.of(lives[0][0])), shown(quantity.of(lives[-1][-1])), *_told(found))


def _told(found: Slope | None) -> tuple[str, str]:
    if found is None:
        return ("–", "–")
    return (f"{found.value:+.2f}", f"{found.low:+.2f} to {found.high:+.2f}")


def _figures(soak: Soak, lives: Sequence[Sequence[Sample]]) -> list[Figure]:
    by_games = slope([[(float(one.games), float(one.database)) for one in life] for life in lives])
    games = lives[-1][-1].games if lives else 0
    figures = [figure("games in the database", "", [games])]
    if by_games is not None:
        figures.append(figure("database, for each game more", "bytes", [by_games.value, by_games.low, by_games.high]))
    return [*figures, figure("reconnects", "", [sum(piece.reconnects for piece in soak.pieces)])]


def _joints(pieces: Sequence[Piece]) -> Table:
    rows = []
    for number, piece in enumerate(pieces, 1):
        endings = [life.ending or "broken off" for life in piece.lives]
        begun = datetime.fromtimestamp(piece.begun_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        rows.append((str(number), begun, f"{piece.hours * 60:.0f}", ", ".join(endings)))
    return Table("pieces, with a joint before each but the first", ("", "began (UTC)", "minutes", "lives"), rows)


def _errors(pieces: Sequence[Piece]) -> list[str]:
    return [f"met by a client: {error}" for piece in pieces for error in piece.errors]
