"""Slots of shared memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from engine.rules.position import O, X
from server.workers.slot import GameSlot, Work, attach, share

MOST_READS = 8
"""Of fields in `GameSlot.work`, and more."""
FIELDS = {name for name, _ in GameSlot._fields_}


class Interrupted(GameSlot):
    """A reader's view, in which the worker gets a turn right before a field is read for the nth time."""

    def __getattribute__(self, name: str) -> Any:
        if name in FIELDS:
            self.reads -= 1
            if self.reads == 0:
                self.turn()
        return super().__getattribute__(name)

    reads: int
    turn: Callable[[], object]


def play_next(slot: GameSlot) -> None:
    slot.leave()
    slot.index += 1
    slot.loading = 1
    slot.enter(X)


def decide(slot: GameSlot) -> None:
    slot.leave()
    slot.enter(O)


@pytest.mark.parametrize("turn", [GameSlot.leave, GameSlot.enter, play_next, decide])
@pytest.mark.parametrize("reads", range(1, MOST_READS + 1))
def test_what_is_read_of_a_worker_belongs_together(turn: Callable[..., object], reads: int) -> None:
    worker = GameSlot()
    play_next(worker)
    worker.used_ms = 1_000_000  # no time of this process
    before = worker.work()
    assert before is not None
    reader = Interrupted.from_buffer(worker)
    reader.turn = (lambda: turn(worker, O)) if turn is GameSlot.enter else lambda: turn(worker)
    reader.reads = reads
    assert reader.work() in (None, before, worker.work())


def move(slot: GameSlot) -> None:
    slot.moves[slot.length] = 9
    slot.length += 1


def begin_next(slot: GameSlot) -> None:
    slot.length = 0
    slot.index += 1
    for _ in range(5):
        move(slot)


@pytest.mark.parametrize("turn", [move, begin_next])
@pytest.mark.parametrize("reads", range(1, MOST_READS + 1))
def test_what_is_read_of_a_game_is_of_one_game(turn: Callable[[GameSlot], None], reads: int) -> None:
    worker = GameSlot(length=3)
    worker.moves[:3] = (4, 5, 6)
    reader = Interrupted.from_buffer(worker)
    reader.turn = lambda: turn(worker)
    reader.reads = reads
    found = reader.played()
    assert found in (None, (0, (4, 5, 6)), worker.played())
    assert found is not None or turn is begin_next, "a move more hides no game"


def test_between_decisions_there_is_no_work() -> None:
    slot = GameSlot()
    assert slot.work() is None
    since_ns = slot.enter(O)
    assert slot.work() == Work(0, O, False, since_ns, slot.used_ms)
    slot.leave()
    assert slot.work() is None


def test_two_who_share_a_slot_see_the_same() -> None:
    ours, descriptor = share(GameSlot)
    theirs = attach(GameSlot, descriptor)
    os.close(descriptor)
    theirs.enter(X)
    assert ours.work() is not None
    assert ours.work() == theirs.work()
