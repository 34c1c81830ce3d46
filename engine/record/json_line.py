"""A game's record as one JSON line."""

from __future__ import annotations

import json
from typing import Any

from engine.record.model import GameRecord, Limits, known_fields


def to_json_line(record: GameRecord) -> str:
    """The record as one line of ASCII JSON, without the line's end. Unknown fields are left out."""
    known = {name: value for name, value in _data(record).items() if value is not None}
    return json.dumps(known, separators=(",", ":"), allow_nan=False)


def _data(record: GameRecord) -> dict[str, Any]:
    format_move = record.rules.format_move
    return {
        "game": record.game,
        "id": record.id,
        "started": record.started,
        "ended": record.ended,
        "x": known_fields(record.x),
        "o": known_fields(record.o),
        "rated": record.rated,
        "clock": known_fields(record.clock) if record.clock else None,
        "limits": _limits(record.limits) if record.limits else None,
        "seed": record.seed,
        "source": record.source,
        "machine": record.machine,
        "software": record.software,
        "run": record.run,
        "pair": record.pair,
        "opening": record.opening,
        "start": [format_move(cell) for cell in record.start] or None,
        "moves": [known_fields(move) | {"cell": format_move(move.cell)} for move in record.moves],
        "winner": record.winner,
        "termination": record.termination,
    }


def _limits(limits: Limits) -> dict[str, Any]:
    return {side: limit.bounds for side, limit in (("x", limits.x), ("o", limits.o)) if limit}
