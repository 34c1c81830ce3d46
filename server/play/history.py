"""A room's history: events to rows of the database, and rows back to a session. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engine.rules.position import Rules, other
from engine.stats.glicko import Rating, after_game
from server.play.effects import MoveStats, RatedGame, SequencedEvent
from server.play.room_spec import Pace, RoomSpec
from server.play.session import Session
from server.play.stored_events import SeededStart, decode_stored
from server.play.writes import Statement, Write
from server.wire import (
    BotLimit,
    ClockSettings,
    Ended,
    Moved,
    RatingChange,
    Ratings,
    Seat,
    Seated,
    TakenBack,
)


class RowBuilder:
    """Makes the writes of one room. `number` is the room's in the database; `machine` and `software` say who ran it."""

    __slots__ = ("machine", "number", "software")

    def __init__(self, number: int, machine: str, software: str) -> None:
        self.number = number
        self.machine = machine
        self.software = software

    def writes(
        self, session: Session, entries: tuple[SequencedEvent, ...], bodies: list[bytes], ts: int
    ) -> list[Write]:
        """The rows of events with their encoded events, committed at Unix time `ts`, before they are applied."""
        game_id = session.game.id
        writes: list[Write] = []
        for entry, body in zip(entries, bodies, strict=True):
            event = entry.event
            kind = event.__struct_config__.tag
            writes.append((Statement.ADD_EVENT, (self.number, entry.seq, ts, kind, body.decode())))
            if type(event) is Moved:
                writes.append(_move(game_id, event, entry.stats, ts))
            elif type(event) is SeededStart:
                writes.append((Statement.START_GAME, self._game_row(session, event, entries, ts)))
            elif type(event) is Ended and game_id is not None:
                plies = len(session.game.cells) + sum(type(entry.event) is Moved for entry in entries)
                writes.append((Statement.END_GAME, (ts, event.winner, event.termination, plies, game_id)))
                if event.fault is not None and event.winner is not None:
                    loser = session.seats[other(event.winner)]
                    assert loser is not None, "a bot that sits has lost"
                    writes.append((Statement.ADD_FAULT, (game_id, int(loser.id), event.fault)))
            elif type(event) is TakenBack:
                writes.append((Statement.KEEP_TAKEN_BACK, (entry.seq, game_id, event.ply)))
                writes.append((Statement.DELETE_TAKEN_BACK, (game_id, event.ply)))
        return writes

    def _game_row(
        self, session: Session, event: SeededStart, entries: tuple[SequencedEvent, ...], ts: int
    ) -> tuple[object, ...]:
        spec = session.spec
        clock = spec.clock or ClockSettings()
        newly_seated = {entry.event.side: entry.event.seat for entry in entries if type(entry.event) is Seated}
        x, o = (newly_seated.get(side, session.seats[side]) for side in ("x", "o"))
        assert x is not None, "a game starts with both seats taken"
        assert o is not None, "a game starts with both seats taken"
        return (
            event.game.id,
            self.number,
            event.game.serial,
            "room",
            event.game.game,
            int(x.id),
            int(o.id),
            clock.initial_ms,
            clock.increment_ms,
            clock.move_ms,
            _limit(spec.limit, x),
            _limit(spec.limit, o),
            msgspec.json.encode(event.game.start).decode(),
            int(spec.rated),
            event.seed,
            None,
            None,
            None,
            self.machine,
            self.software,
            ts,
        )


def rate(rated: RatedGame, x: Rating, o: Rating, ts: int) -> tuple[Ratings, list[Write]]:
    """New ratings of X and O after a game that ended at Unix time `ts`: for the event, and as rows."""
    new_x, new_o = after_game(x, o, rated.x_points, ts)
    writes = [*_rating_rows(rated, rated.x, x, new_x), *_rating_rows(rated, rated.o, o, new_o)]
    return Ratings(x=_change(x, new_x, ts), o=_change(o, new_o, ts)), writes


def _rating_rows(rated: RatedGame, player: str, old: Rating, new: Rating) -> list[Write]:
    stats = (new.rating, new.deviation, new.volatility)
    return [
        (Statement.SET_RATING, (int(player), rated.game, *stats, new.games, new.updated_ms)),
        (Statement.ADD_RATING_CHANGE, (rated.id, int(player), old.rating, *stats)),
    ]


def _change(old: Rating, new: Rating, ts: int) -> RatingChange:
    return RatingChange(
        before=round(old.rating),
        after=round(new.rating),
        deviation=round(new.deviation),
        provisional=new.provisional_at(ts),
    )


def _limit(limit: BotLimit | None, seat: Seat) -> str | None:
    return msgspec.json.encode(limit).decode() if limit is not None and seat.bot is not None else None


def _move(game_id: int | None, event: Moved, stats: MoveStats | None, ts: int) -> Write:
    assert stats is not None, "a move is committed with its stats"
    clock, found = event.clock, stats.decision
    x_ms, o_ms = (clock.x_ms, clock.o_ms) if clock is not None else (None, None)
    row = (game_id, event.ply, stats.cell, ts, event.think_ms)
    if found is None:
        return Statement.ADD_PERSONS_MOVE, (*row, x_ms, o_ms)
    search = (found.nodes, found.depth, found.value, found.win_in, found.pruned)
    return Statement.ADD_MOVE, (*row, stats.think_us, stats.wait_ms, x_ms, o_ms, *search)


def rebuild(
    room: str,
    spec: RoomSpec,
    rules: Rules,
    events: Iterable[tuple[int, int, bytes | str]],
    *,
    opened_ms: int,
    pace: Pace,
) -> Session:
    """The session as its committed events (seq, Unix time, JSON) left it; no clock runs before `Restored`."""
    session = Session(room, spec, rules, opened_ms=opened_ms, pace=pace)
    for seq, ts, body in events:
        session.restore(seq, ts, decode_stored(body))
    return session
