"""The JSON answers of the GET endpoints, and the records they are made from. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from engine.position import Rules
from engine.roster import BotEntry
from engine.roster import Number as NumberParameter
from engine.rules.registry import rules as find_rules
from server.protocol import ClockSettings, Kind, Player, Side, Termination
from server.rows import GameRow, MoveRow


class Answer(Struct, kw_only=True, omit_defaults=True):
    """An answer or a part of one. Fields with a default are left out when they hold it."""


class Failure(Answer):
    """Why a request got no answer."""

    error: str


class ParameterAnswer(Answer):
    name: str
    meaning: str
    default: int | str
    min: int | None = None
    max: int | None = None
    choices: list[str] | None = None


class BotAnswer(Answer):
    """A family of bots; `name` has every default filled in."""

    family: str
    name: str
    title: str
    character: str
    games: str
    version: int
    source: str
    parameters: list[ParameterAnswer]


class RulesAnswer(Answer):
    """A game as a page needs it: `dimensions` are columns, rows and, of a cube, levels."""

    id: str
    name: str
    sentences: list[str]
    dimensions: list[int]
    nested: bool


class MoveAnswer(Answer):
    """Times in ms, `at_ms` Unix time; the search figures are a bot's."""

    ply: int
    move: str
    by: Side
    at_ms: int
    think_ms: int
    wait_ms: int | None = None
    x_ms: int | None = None
    o_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    value: float | None = None
    win_in: int | None = None
    pruned: int | None = None


class GameAnswer(Answer):
    """A recorded game; `winner`, `termination`, `plies` and `ended_ms` are null while it runs."""

    id: int
    game: str
    source: str
    x: Player
    o: Player
    rated: bool
    start: list[str]
    clock: ClockSettings | None
    started_ms: int
    ended_ms: int | None
    winner: Side | None
    termination: Termination | None
    plies: int | None
    room: str | None = None
    serial: int | None = None
    moves: list[MoveAnswer] | None = None


class GamesAnswer(Answer):
    """A page of games, newest first; ask on with `before` = `next`."""

    games: list[GameAnswer]
    next: int | None


def bot_answer(entry: BotEntry) -> BotAnswer:
    return BotAnswer(
        family=entry.family,
        name=entry.name,
        title=entry.title,
        character=entry.character,
        games=entry.games,
        version=entry.version,
        source=entry.source,
        parameters=[_parameter(parameter) for parameter in entry.parameters],
    )


def _parameter(parameter: Any) -> ParameterAnswer:
    if isinstance(parameter, NumberParameter):
        return ParameterAnswer(
            name=parameter.name,
            meaning=parameter.meaning,
            default=parameter.default,
            min=parameter.low,
            max=parameter.high,
        )
    return ParameterAnswer(
        name=parameter.name, meaning=parameter.meaning, default=parameter.default, choices=list(parameter.words)
    )


def rules_answer(rules: Rules) -> RulesAnswer:
    return RulesAnswer(
        id=rules.id,
        name=rules.name,
        sentences=list(rules.sentences),
        dimensions=list(rules.dimensions),
        nested=rules.nested,
    )


def game_answer(row: GameRow, moves: Sequence[MoveRow] | None = None) -> GameAnswer:
    start: list[str] = msgspec.json.decode(row.start)
    clock = ClockSettings(initial_ms=row.initial_ms, increment_ms=row.increment_ms, move_ms=row.move_ms)
    return GameAnswer(
        id=row.id,
        game=row.game,
        source=row.source,
        x=_player(row.x_player, row.x_name, row.x_kind),
        o=_player(row.o_player, row.o_name, row.o_kind),
        rated=bool(row.rated),
        start=start,
        clock=clock if clock != ClockSettings() else None,
        started_ms=row.started_ms,
        ended_ms=row.ended_ms,
        winner=row.winner,
        termination=row.termination,  # type: ignore[arg-type] # the schema's CHECK lists just these
        plies=row.plies,
        room=row.room if not row.private else None,
        serial=row.serial,
        moves=_moves(row.game, len(start), moves) if moves is not None else None,
    )


def _moves(game: str, offset: int, moves: Sequence[MoveRow]) -> list[MoveAnswer]:
    text = find_rules(game).format_move
    return [
        MoveAnswer(
            ply=move.ply,
            move=text(move.cell),
            by="x" if (offset + move.ply) % 2 == 0 else "o",
            at_ms=move.at_ms,
            think_ms=move.think_ms,
            wait_ms=move.wait_ms,
            x_ms=move.x_ms,
            o_ms=move.o_ms,
            nodes=move.nodes,
            depth=move.depth,
            value=move.value,
            win_in=move.win_in,
            pruned=move.pruned,
        )
        for move in moves
    ]


def _player(id: int, name: str, kind: Kind) -> Player:
    return Player(id=str(id), name=name, kind=kind)
