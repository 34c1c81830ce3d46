"""Game records: drawn ones, with every field that may be known, and two to write down."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from hypothesis import strategies as st

from engine.record.model import Clock, GameRecord, Limits, Player, RecordedMove
from engine.rules.limit import Limit
from engine.rules.position import O, Side, X
from engine.rules.termination import Termination
from tests.support.engine.games import played, replay

_counts = st.none() | st.integers(0, 2**63 - 1)
_names = st.text(max_size=20)
_clocks = st.none() | st.builds(Clock, st.integers(0, 10**8), st.integers(0, 10**6)) | st.builds(
    Clock, move_ms=st.integers(0, 10**8)
)  # fmt: skip
_bounds = st.integers(1, 2**63 - 1).flatmap(
    lambda number: st.sampled_from([Limit(move_ms=number), Limit(nodes=number), Limit(depth=number)])
)
_limits = st.none() | st.builds(Limits, _bounds, st.none() | _bounds) | st.builds(Limits, o=_bounds)
_players = st.builds(Player, _names, st.sampled_from(["person", "bot"]), _counts)
_BY_PEOPLE: Final[list[Termination]] = [
    "resignation",
    "flag",
    "illegal_move",
    "crash",
    "stall",
    "disconnection",
    "adjudication",
]


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    game_id, cells = draw(played())
    position = replay(game_id, cells)
    split = draw(st.integers(0, len(cells)))
    winner: Side | None
    termination: Termination | None
    if position.outcome is not None:
        winner, termination = position.outcome.winner, position.outcome.termination
    else:
        ends: list[tuple[Side | None, Termination | None]]
        ends = [(None, None), (None, "aborted"), (None, "agreement"), (None, "adjudication")]
        ends += [(side, how) for side in (X, O) for how in _BY_PEOPLE]
        winner, termination = draw(st.sampled_from(ends))
    figures: st.SearchStrategy[dict[str, Any]] = st.builds(
        dict,
        at=_counts,
        think_ms=_counts,
        think_us=_counts,
        wait_ms=_counts,
        remaining_ms=_counts,
        nodes=_counts,
        depth=_counts,
        value=st.none() | st.floats(allow_nan=False, allow_infinity=False),
        win_in=st.none() | st.integers(-400, 400),
    )
    few = draw(st.lists(figures, max_size=4)) or [{}]
    return GameRecord(
        game=game_id,
        x=draw(_players),
        o=draw(_players),
        start=tuple(cells[:split]),
        moves=tuple(RecordedMove(cell, **few[i % len(few)]) for i, cell in enumerate(cells[split:])),
        winner=winner,
        termination=termination,
        clock=draw(_clocks),
        started=draw(_counts),
        ended=draw(_counts) if termination else None,
        limits=draw(_limits),
        rated=draw(st.booleans()),
        seed=draw(st.none() | st.integers(-(2**63), 2**63 - 1)),
        source=draw(st.none() | _names),
        machine=draw(st.none() | _names),
        software=draw(st.none() | _names),
        run=draw(st.none() | _names),
        pair=draw(_counts),
        opening=draw(st.none() | _names),
        id=draw(_counts),
    )


GAME: Final = GameRecord(
    game="tictactoe",
    x=Player("Zoë", "person"),
    o=Player("alphabeta:2", "bot", 1),
    start=(4,),
    moves=(
        RecordedMove(1, think_ms=12, nodes=64, depth=2, value=-1.5),
        RecordedMove(0, think_ms=2000, remaining_ms=298000),
        RecordedMove(3),
        RecordedMove(8),
    ),
    winner="x",
    termination="line",
    clock=Clock(300000, 2000),
    started=1_700_000_000_000,
    seed=7,
    source="server",
    id=12,
)
"""Little is known of it."""

FULL: Final = dataclasses.replace(
    GAME,
    moves=(dataclasses.replace(GAME.moves[0], at=1_700_000_000_012), *GAME.moves[1:]),
    ended=1_700_000_009_000,
    limits=Limits(Limit(move_ms=5000), Limit(depth=2)),
    machine="here",
    software="0.1.0",
    run="r1",
    pair=5,
    opening="centre",
)
"""The same with all that can be known of a game."""
