"""Rows as the store answers them."""

from __future__ import annotations

from msgspec.structs import replace

from server.rows import GameRow, MoveRow

GAME = GameRow(
    id=17,
    room="r1",
    serial=1,
    source="room",
    game="tictactoe",
    x_player=1,
    x_name="Ann",
    x_kind="person",
    x_version=None,
    o_player=9,
    o_name="random",
    o_kind="bot",
    o_version=1,
    initial_ms=60_000,
    increment_ms=0,
    move_ms=None,
    x_limit=None,
    o_limit='{"depth":2}',
    start='["a1"]',
    rated=0,
    private=0,
    seed=7,
    run_id=None,
    pair_id=None,
    opening_id=None,
    machine="here",
    software="noughts 0",
    started_ms=1_700_000_000_000,
    ended_ms=1_700_000_060_000,
    winner="o",
    termination="resignation",
    plies=1,
)
MOVE = MoveRow(
    ply=0,
    cell=1,
    at_ms=1_700_000_000_500,
    think_ms=500,
    wait_ms=0,
    x_ms=60_000,
    o_ms=59_500,
    nodes=10,
    depth=2,
    value=0.5,
    win_in=None,
    pruned=3,
)
RUNNING_GAME = replace(GAME, ended_ms=None, winner=None, termination=None, plies=None, initial_ms=None)
