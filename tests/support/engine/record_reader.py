"""Readers of a game record's two texts, for round trips: the product only writes them.

They share the model with the writers and nothing else, and fail in whatever way on what is no record.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, Final

from engine.record.model import Clock, GameRecord, Limits, Player, RecordedMove
from engine.rules.limit import Limit
from engine.rules.position import O, X
from engine.rules.registry import rules

_NUMBERS: Final = ("id", "started", "ended", "seed", "pair")
_WORDS: Final = ("source", "machine", "software", "run", "opening", "termination")


def from_json_line(text: str) -> GameRecord:
    data = json.loads(text)
    cell = rules(data["game"]).parse_move
    parts: dict[str, Any] = {side: Player(**data[side]) for side in (X, O)}
    parts["start"] = tuple(map(cell, data.get("start", ())))
    parts["moves"] = tuple(RecordedMove(**{**move, "cell": cell(move["cell"])}) for move in data["moves"])
    if "clock" in data:
        parts["clock"] = Clock(**data["clock"])
    if "limits" in data:
        parts["limits"] = Limits(**{side: Limit(**limit) for side, limit in data["limits"].items()})
    return GameRecord(**(data | parts))


def from_text(text: str) -> GameRecord:
    head, _, body = text.partition("\n\n")
    tags = dict(_tag(line) for line in head.split("\n"))
    game = rules(tags["Game"])
    start = tuple(map(game.parse_move, tags.pop("Start", "").split()))
    moves: list[RecordedMove] = []
    *words, result = re.findall(r"{[^}]*}|\S+", body)
    for word in words:
        if word.startswith("{"):
            moves[-1] = replace(moves[-1], **_figures(word[1:-1]))
        elif word.endswith("."):
            ply = len(start) + len(moves)
            assert word == f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"
        else:
            moves.append(RecordedMove(game.parse_move(word)))
    x, o = (_limit(tags.pop(tag)) if tag in tags else None for tag in ("XLimit", "OLimit"))
    known: dict[str, Any] = {name: int(tags.pop(name.title())) for name in _NUMBERS if name.title() in tags}
    known |= {name: tags.pop(name.title()) for name in _WORDS if name.title() in tags}
    record = GameRecord(
        game=tags.pop("Game"),
        x=_player(tags, "X"),
        o=_player(tags, "O"),
        moves=tuple(moves),
        start=start,
        winner={"1-0": X, "0-1": O}.get(result),
        rated={"yes": True, "no": False}[tags.pop("Rated")],
        clock=_clock(tags.pop("Clock")) if "Clock" in tags else None,
        limits=Limits(x, o) if x or o else None,
        **known,
    )
    assert (record.result, tags) == (result, {})
    return record


def _tag(line: str) -> tuple[str, str]:
    match = re.fullmatch(r'\[(\w+) (".*")\]', line)
    assert match
    return match[1], json.loads(match[2])


def _player(tags: dict[str, str], side: str) -> Player:
    version = tags.pop(f"{side}Version", None)
    return Player(tags.pop(side), tags.pop(f"{side}Kind"), None if version is None else int(version))  # type: ignore[arg-type]


def _clock(text: str) -> Clock:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return Clock(*numbers) if "+" in text else Clock(move_ms=numbers[0])


def _limit(text: str) -> Limit:
    match text.split():
        case ["depth", number]:
            return Limit(depth=int(number))
        case [number, "nodes"]:
            return Limit(nodes=int(number))
        case [number, "ms", "a", "move"]:
            return Limit(move_ms=int(number))
    raise AssertionError(text)


def _figures(text: str) -> dict[str, Any]:
    pairs = (figure.split(" ") for figure in text.split(", "))
    return {name: float(number) if name == "value" else int(number) for name, number in pairs}
