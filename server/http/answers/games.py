"""The JSON answers about played games, and the rows they are made from. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, field

from engine.analysis.verdict import VERSION, MoveVerdict
from engine.rules.position import IllegalMove, MalformedMove, play_all
from engine.rules.registry import rules as find_rules
from server.db.play import GameExtras, GameRow, MoveRow, VariationRow
from server.http.answers.fields import Answer
from server.wire import (
    BotLimit,
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
    RecordId,
    RoomId,
    Serial,
    Side,
    Termination,
    UnixMs,
    Value,
    WinIn,
)
from server.wire.review_view import judged_moves


class MoveAnswer(Answer):
    """Times in ms, `at_ms` Unix time; the search figures are a bot's."""

    ply: Ply
    move: MoveText
    by: Side
    at_ms: UnixMs
    think_ms: Ms
    think_us: Annotated[int, Meta(description="the same in microseconds; null where it was measured in ms")] | None = (
        None
    )
    wait_ms: Annotated[int, Meta(description="time spent waiting for a worker; it does not count")] | None = None
    x_ms: Annotated[int, Meta(description="time that x had left after the move")] | None = None
    o_ms: Annotated[int, Meta(description="time that o had left after the move")] | None = None
    nodes: Nodes | None = None
    depth: Depth | None = None
    value: Value | None = None
    win_in: WinIn | None = None
    pruned: Annotated[int, Meta(description="branches cut off unsearched")] | None = None
    pv: Annotated[list[MoveText], Meta(description="the best line that it found, from this move on")] = field(
        default_factory=list
    )


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
    x_version: Annotated[int, Meta(description="version of the bot that plays x")] | None = None
    o_version: Annotated[int, Meta(description="version of the bot that plays o")] | None = None
    x_limit: BotLimit | None = None
    o_limit: BotLimit | None = None
    run: (
        Annotated[str, Meta(description="the list of the ladder that it was played for: LADDER/LIST/DIGEST")] | None
    ) = None
    pair: (
        Annotated[int, Meta(description="its pair in the run: two games with the same opening and sides swapped")]
        | None
    ) = None
    pair_game: Annotated[int, Meta(description="the other game of the pair; sent with the moves only")] | None = None
    opening: Annotated[str, Meta(description="the moves of the opening, separated by spaces")] | None = None
    fault: Annotated[str, Meta(description="what a bot did that lost it the game; sent with the moves only")] | None = (
        None
    )
    moves: list[MoveAnswer] | None = None
    line: Annotated[list[MoveText], Meta(description="the cells of the winning line; sent with the moves only")] = (
        field(default_factory=list)
    )


class GamesAnswer(Answer):
    """A page of games, newest first; continue with `before` = `next`."""

    games: list[GameAnswer]
    next: Annotated[int, Meta(description="what `before` of the next page is; null on the last page")] | None


class ReviewAnswer(Answer):
    """What is stored of a game's review; asking here judges nothing."""

    game: RecordId
    version: Annotated[int, Meta(description="version of the review; when it rises, games are judged again")]
    done: Annotated[int, Meta(description="moves judged so far, starting from the last")]
    of: Plies
    moves: list[JudgedMove]


class ShareAnswer(Answer):
    """Whether a private game has a link for whoever holds it, which the page has at `/game/{id}#share=SECRET`."""

    shared: bool
    made_ms: UnixMs | None = None
    secret: (
        Annotated[str, Meta(description="goes into the header X-Share; sent once, when the link is made")] | None
    ) = None


def game_answer(
    row: GameRow,
    moves: Sequence[MoveRow] | None = None,
    variations: Sequence[VariationRow] = (),
    extras: GameExtras | None = None,
) -> GameAnswer:
    start = _start(row.start)
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


def _start(json: str) -> list[str]:
    """Nothing where the row is damaged, which should cost no other game of a page."""
    try:
        return msgspec.json.decode(json, type=list[str])
    except (msgspec.MsgspecError, RecursionError):
        return []


def _limit(json: str | None) -> BotLimit | None:
    """The bot's limit; None also for anything else, since an experiment may have limits of its own."""
    try:
        return msgspec.json.decode(json, type=BotLimit) if json is not None else None
    except msgspec.MsgspecError:
        return None


def _line(game: str, start: Sequence[str], moves: Sequence[MoveRow]) -> list[str]:
    """Where a record ends with a line, its cells; nothing for moves that break the rules."""
    rules = find_rules(game)
    try:
        position = play_all(rules.initial, [*map(rules.parse_move, start), *(move.cell for move in moves)])
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
            think_us=move.think_us,
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
