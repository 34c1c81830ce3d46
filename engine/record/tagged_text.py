"""A game's record as tags with numbered moves, as chess players write them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from engine.record.model import Clock, GameRecord, Limits, known_fields
from engine.rules.limit import Limit


def to_text(record: GameRecord) -> str:
    """The record as tags, an empty line, and one line for each pair of moves; ends with the result and a newline."""
    tags = [f"[{tag} {_quoted(str(value))}]" for tag, value in _tags(record) if value is not None]
    return "\n".join([*tags, "", *_move_lines(record), record.result, ""])


def _tags(record: GameRecord) -> Iterator[tuple[str, str | int | None]]:
    """Every tag, in order; None where nothing is known."""
    limits = record.limits or Limits()
    yield from (("Game", record.game), ("Id", record.id), ("Started", record.started), ("Ended", record.ended))
    yield from (("X", record.x.name), ("XKind", record.x.kind), ("XVersion", record.x.version))
    yield from (("O", record.o.name), ("OKind", record.o.kind), ("OVersion", record.o.version))
    yield "Rated", "yes" if record.rated else "no"
    yield "Clock", _clock(record.clock) if record.clock else None
    yield "XLimit", _limit(limits.x) if limits.x else None
    yield "OLimit", _limit(limits.o) if limits.o else None
    yield from (("Seed", record.seed), ("Source", record.source), ("Machine", record.machine))
    yield from (("Software", record.software), ("Run", record.run), ("Pair", record.pair), ("Opening", record.opening))
    yield "Start", " ".join(map(record.rules.format_move, record.start)) or None
    yield "Termination", record.termination


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=not value.isprintable())


def _clock(clock: Clock) -> str:
    if clock.move_ms is not None:
        return f"{clock.move_ms} ms a move"
    return f"{clock.initial_ms}+{clock.increment_ms} ms"


def _limit(limit: Limit) -> str:
    if limit.move_ms is not None:
        return f"{limit.move_ms} ms a move"
    return f"depth {limit.depth}" if limit.nodes is None else f"{limit.nodes} nodes"


def _move_lines(record: GameRecord) -> Iterator[str]:
    line: list[str] = []
    for ply, move in enumerate(record.moves, len(record.start)):
        if ply % 2 == 0 or not line:
            line.append(f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}")
        line.append(record.rules.format_move(move.cell))
        figures = [f"{name} {value!r}" for name, value in known_fields(move).items() if name != "cell"]
        if figures:
            line.append(f"{{{', '.join(figures)}}}")
        if ply % 2:
            yield " ".join(line)
            line = []
    if line:
        yield " ".join(line)
