"""The JSON answers of the GET endpoints, and the rows they are made from. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from engine.analysis.verdict import VERSION, MoveVerdict
from engine.bots.roster import BotEntry
from engine.bots.roster import Number as NumberParameter
from engine.bots.roster.ours import OURS
from engine.bots.roster.strength import strengths
from engine.rules.position import IllegalMove, MalformedMove, Rules
from engine.rules.registry import games
from engine.rules.registry import rules as find_rules
from server.db.play import GameExtras, GameRow, MoveRow, VariationRow
from server.wire import (
    BotLimit,
    BotName,
    ClockSettings,
    Depth,
    GameId,
    JudgedMove,
    Kind,
    MoveText,
    Ms,
    Nodes,
    Player,
    Plies,
    Ply,
    RatingView,
    RecordId,
    RoomId,
    Serial,
    Side,
    Termination,
    Text,
    UnixMs,
    Value,
    WinIn,
)
from server.wire.review_view import judged_moves


class Answer(Struct, kw_only=True, omit_defaults=True):
    """An answer or a part of one. Fields with their default value are omitted."""


class Failure(Answer):
    """Why a request got no answer."""

    error: Text


class WarmUpAnswer(Answer):
    """How far the searches of this server's bots are compiled; until then bots with compiled searches wait."""

    warm: bool
    done: Annotated[int, Meta(description="stages that are done")]
    of: Annotated[int, Meta(description="all stages, 0 while they are not known")]


class ParameterAnswer(Answer):
    """A parameter of a family of bots: a whole number from `min` to `max`, or one of `choices`; else `default`."""

    name: Annotated[str, Meta(description="as in the names of bots, in small letters")]
    meaning: Text
    default: int | str
    min: int | None = None
    max: int | None = None
    choices: list[str] | None = None


class BotAnswer(Answer):
    """A family of bots; `name` has every default filled in."""

    family: Annotated[str, Meta(description="the name without parameters")]
    name: BotName
    title: Text
    character: Annotated[str, Meta(description="one sentence on how it plays")]
    games: Annotated[str, Meta(description="what it plays, for people: every game, or their ids")]
    plays: Annotated[
        list[GameId], Meta(description="what it plays of the games that are listed; ask with game= of others")
    ]
    ours: Annotated[bool, Meta(description="false for a bot of the literature")]
    version: Annotated[int, Meta(description="raised when its play changes")]
    source: Annotated[str, Meta(description="where the idea is from")]
    parameters: list[ParameterAnswer]
    strengths: Annotated[
        dict[BotName, Text],
        Meta(description="in the game that was asked for, of names of this family that were measured"),
    ] = {}
    ratings: Annotated[
        dict[BotName, RatingView],
        Meta(description="in the game that was asked for, of names of this family that played rated games of it"),
    ] = {}


class RulesAnswer(Answer):
    """A game as a page needs it: `dimensions` are columns, rows and, of a cube, levels."""

    id: GameId
    name: Annotated[str, Meta(description="of the game, for people")]
    sentences: Annotated[list[str], Meta(description="the rules in three")]
    dimensions: list[int]
    nested: bool


class MoveAnswer(Answer):
    """Times in ms, `at_ms` Unix time; the search figures are a bot's."""

    ply: Ply
    move: MoveText
    by: Side
    at_ms: UnixMs
    think_ms: Ms
    wait_ms: Annotated[int, Meta(description="for a worker, costs nothing")] | None = None
    x_ms: Annotated[int, Meta(description="what x had left after the move")] | None = None
    o_ms: Annotated[int, Meta(description="what o had left after the move")] | None = None
    nodes: Nodes | None = None
    depth: Depth | None = None
    value: Value | None = None
    win_in: WinIn | None = None
    pruned: Annotated[int, Meta(description="branches that a cut left unsearched")] | None = None
    pv: Annotated[list[MoveText], Meta(description="the best play of both sides that it found, from this move on")] = []


class GameAnswer(Answer):
    """A recorded game; `winner`, `termination`, `plies` and `ended_ms` are null while it runs."""

    id: RecordId
    game: GameId
    source: Annotated[str, Meta(description="where it was played: room, match, experiment or ladder")]
    x: Player
    o: Player
    rated: bool
    start: list[MoveText]
    clock: ClockSettings | None
    started_ms: UnixMs
    ended_ms: UnixMs | None
    winner: Side | None
    termination: Termination | None
    plies: Plies | None
    room: RoomId | None = None
    serial: Serial | None = None
    private: bool = False
    x_version: Annotated[int, Meta(description="of a bot that plays x")] | None = None
    o_version: Annotated[int, Meta(description="of a bot that plays o")] | None = None
    x_limit: BotLimit | None = None
    o_limit: BotLimit | None = None
    run: Annotated[str, Meta(description="of a ladder's game its list: LADDER/LIST/DIGEST")] | None = None
    pair: Annotated[int, Meta(description="its pair in the run: two games, one opening, sides swapped")] | None = None
    pair_game: Annotated[int, Meta(description="the other game of the pair; told with the moves")] | None = None
    opening: Annotated[str, Meta(description="the moves of the opening, with spaces between")] | None = None
    fault: Annotated[str, Meta(description="what a bot did that lost it the game; told with the moves")] | None = None
    moves: list[MoveAnswer] | None = None
    line: Annotated[list[MoveText], Meta(description="the cells of the winning line; told with the moves")] = []


class GamesAnswer(Answer):
    """A page of games, newest first; ask on with `before` = `next`."""

    games: list[GameAnswer]
    next: Annotated[int, Meta(description="the game to ask on from, null on the last page")] | None


class ReviewAnswer(Answer):
    """What is stored of a game's review; nothing is judged by asking here."""

    game: RecordId
    version: Annotated[int, Meta(description="of the review; where it grows, games are judged anew")]
    done: Annotated[int, Meta(description="moves that are judged, from the last move on")]
    of: Plies
    moves: list[JudgedMove]


def bot_answer(
    entry: BotEntry, game: Rules | None = None, ratings: Mapping[tuple[str, int], RatingView] | None = None
) -> BotAnswer:
    """`game` is the one that was asked for, `ratings` those of bots in it, by full name and version."""
    return BotAnswer(
        family=entry.family,
        name=entry.name,
        title=entry.title,
        character=entry.character,
        games=", ".join(entry.games),
        plays=[listed.id for listed in games() if entry.plays(listed)],
        ours=entry in OURS,
        version=entry.version,
        source=entry.source,
        parameters=[_parameter(parameter, game) for parameter in entry.parameters],
        strengths=strengths(entry.family, game.id) if game is not None else {},
        ratings={
            name: rating
            for (name, version), rating in (ratings or {}).items()
            if version == entry.version and name.partition(":")[0] == entry.family
        },
    )


def _parameter(parameter: Any, game: Rules | None = None) -> ParameterAnswer:
    if isinstance(parameter, NumberParameter):
        return ParameterAnswer(
            name=parameter.name,
            meaning=parameter.meaning,
            default=parameter.default,
            min=parameter.low,
            max=parameter.high if game is None else parameter.high_in(game),
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


def game_answer(
    row: GameRow,
    moves: Sequence[MoveRow] | None = None,
    variations: Sequence[VariationRow] = (),
    extras: GameExtras | None = None,
) -> GameAnswer:
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
        termination=row.termination,
        plies=row.plies,
        room=row.room if not row.private else None,
        serial=row.serial,
        private=bool(row.private),
        x_version=row.x_version,
        o_version=row.o_version,
        x_limit=_limit(row.x_limit),
        o_limit=_limit(row.o_limit),
        run=row.run_id,
        pair=row.pair_id,
        pair_game=extras.pair_game if extras is not None else None,
        opening=row.opening_id,
        fault=extras.fault if extras is not None else None,
        moves=_moves(row.game, len(start), moves, variations) if moves is not None else None,
        line=_line(row.game, start, moves) if moves and row.termination == "line" else [],
    )


def review_answer(row: GameRow, plies: int, verdicts: Mapping[int, MoveVerdict]) -> ReviewAnswer:
    moves = judged_moves(row.game, ((ply, said) for ply, said in verdicts.items() if ply < plies))
    return ReviewAnswer(game=row.id, version=VERSION, done=len(moves), of=plies, moves=moves)


def _limit(json: str | None) -> BotLimit | None:
    """None too for what is no limit of a bot, as an experiment may have its own."""
    try:
        return msgspec.json.decode(json, type=BotLimit) if json is not None else None
    except msgspec.MsgspecError:
        return None


def _line(game: str, start: Sequence[str], moves: Sequence[MoveRow]) -> list[str]:
    """Where a record ends with a line, its cells; nothing for moves that break the rules."""
    rules = find_rules(game)
    position = rules.initial
    try:
        for cell in [*map(rules.parse_move, start), *(move.cell for move in moves)]:
            position = position.play(cell)
    except (MalformedMove, IllegalMove):
        return []
    return [rules.format_move(cell) for cell in position.line]


def _moves(game: str, offset: int, moves: Sequence[MoveRow], variations: Sequence[VariationRow]) -> list[MoveAnswer]:
    text = find_rules(game).format_move
    # A ply that was taken back and played again has several; the time identifies each.
    told = {(variation.ply, variation.at_ms): variation.pv for variation in variations}
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
            pv=msgspec.json.decode(told.get((move.ply, move.at_ms), "[]")),
        )
        for move in moves
    ]


def _player(id: int, name: str, kind: Kind) -> Player:
    return Player(id=str(id), name=name, kind=kind)
