"""What a run has left in its database holds; each small lie about it is found, under the name of what it breaks."""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from server.db import migrate
from tests.simulation import invariants
from tests.simulation.broken import Broken
from tests.simulation.invariants import Stored, StoredRoom, check_memory, stored
from tests.simulation.run import uncollected
from tests.simulation.story import story
from tests.simulation.world import World

SEED = 7
"""In its story games are rated, taken back and lost on time, people talk, and some are deleted."""


class Left(World):
    """Notes what the database has, and what the invariants say of the server's memory, before everybody goes."""

    found: Stored
    of_memory: list[str]

    async def _go_away(self) -> None:
        self.found = await stored(self)
        self.of_memory = list(self._lies_about_memory())
        await super()._go_away()

    def _lies_about_memory(self) -> Iterator[str]:
        lobby, gate = self.app._lobby, self.app._gate
        gate.open += 1
        yield self._said()
        gate.open -= 1
        lobby._codes["lost"] = next(iter(lobby.rooms.values()))
        del lobby.rooms[(room := lobby._codes["lost"]).id]
        yield self._said()
        lobby.rooms[room.id] = lobby._codes.pop("lost")
        yield self._said()

    def _said(self) -> str:
        try:
            check_memory(self)
        except Broken as broken:
            return str(broken)
        return ""


@pytest.fixture(scope="module")
def left() -> Left:
    with uncollected(), tempfile.TemporaryDirectory(prefix="noughts-invariants-") as folder:
        database = Path(folder) / "prepared.db"
        for _ in migrate.prepare(database):
            pass
        world = Left(SEED, Path(folder), database)
        world.run(story(SEED))
        return world


def check(left: Left, found: Stored) -> None:
    """As `check_database`, of what is found."""
    invariants._check_acknowledged(left, found)
    check_without_witnesses(left, found)


def check_without_witnesses(left: Left, found: Stored) -> None:
    """What nobody has seen must be right as well."""
    for room in found.rooms.values():
        invariants._check_history(left, room, found)
    invariants._check_ratings(found)
    invariants._check_forgotten(left, found)


def room_with(found: Stored, *kinds: str, clock: bool = False) -> StoredRoom:
    """The first whose events are of all these kinds."""
    for room in found.rooms.values():
        there = {json.loads(body)["e"] for _, _, body in room.events}
        if there.issuperset(kinds) and (room.spec.clock is not None or not clock):
            return room
    raise AssertionError(f"no room has {kinds}")


def change(room: StoredRoom, kind: str, **fields: Any) -> None:
    """The last event of this kind."""
    index = max(index for index, (_, _, body) in enumerate(room.events) if json.loads(body)["e"] == kind)
    seq, ts, body = room.events[index]
    room.events[index] = (seq, ts, json.dumps(json.loads(body) | fields))


def test_what_a_run_has_left_holds(left: Left) -> None:
    check(left, left.found)


def lose_the_last_event(found: Stored) -> None:
    room_with(found, "said").events.pop()


def change_what_was_said(found: Stored) -> None:
    for room in found.rooms.values():
        lines = [event for event in (json.loads(body) for _, _, body in room.events) if event["e"] == "said"]
        if lines and int(lines[-1]["by"]["id"]) not in found.deleted:
            change(room, "said", text="something else")
            return
    raise AssertionError("nobody who was not deleted has said anything")


def move_an_event_in_time(found: Stored) -> None:
    events = room_with(found, "moved").events
    seq, ts, body = events[-1]
    events[-1] = (seq, ts + 1, body)


def rename_a_player(found: Stored) -> None:
    found.tables["players"] = [(id, "Mallory", *row) for id, _, *row in found.tables["players"]]


def skip_a_number(found: Stored) -> None:
    events = room_with(found, "moved").events
    seq, ts, body = events[-1]
    events[-1] = (seq + 1, ts, body)


def play_on_after_the_end(found: Stored) -> None:
    room = next(room for room in found.rooms.values() if json.loads(room.events[-1][2])["e"] == "ended")
    _, ts, body = next(event for event in reversed(room.events) if json.loads(event[2])["e"] == "moved")
    room.events.append((room.events[-1][0] + 1, ts, body))


def change_a_result(found: Stored) -> None:
    change_row(found, "games", lambda row: row[1] is not None, 1, "nobody")


def lose_a_row_of_a_game(found: Stored) -> None:
    found.tables["games"].pop(0)


def lose_a_row_of_a_move(found: Stored) -> None:
    found.tables["moves"].pop()


def charge_for_longer_than_it_took(found: Stored) -> None:
    change(room_with(found, "moved", clock=True), "moved", think_ms=10_000_000)


def give_time_to_a_clock(found: Stored) -> None:
    room = room_with(found, "moved", clock=True)
    _, _, body = next(event for event in reversed(room.events) if json.loads(event[2])["e"] == "moved")
    clock = json.loads(body)["clock"]
    change(room, "moved", clock={**clock, "x_ms": clock["x_ms"] + 1_000, "o_ms": clock["o_ms"] + 1_000})


def rate_a_game_once(found: Stored) -> None:
    found.tables["changes"].pop()


def change_a_rating(found: Stored) -> None:
    change_row(found, "ratings", lambda row: True, 2, 1.0)


def count_a_game_twice(found: Stored) -> None:
    change_row(found, "ratings", lambda row: True, 3, 99)


def keep_the_token(found: Stored) -> None:
    change_row(found, "players", lambda row: row[0] in found.deleted, 3, b"hash")


def lose_a_token(found: Stored) -> None:
    change_row(found, "players", lambda row: row[3] is not None, 3, None)


def keep_the_name(found: Stored) -> None:
    change_row(found, "players", lambda row: row[0] in found.deleted, 1, "Ada")


def keep_a_rating(found: Stored) -> None:
    change_row(found, "ratings", lambda row: True, 0, next(iter(found.deleted)))


def keep_the_name_anywhere(found: Stored) -> None:
    found.texts["bans"] = "Ada 1, Bob, Cleo, Dan, Eve, Finn, Gus and Hana are away"


def change_row(found: Stored, table: str, which: Callable[[tuple[Any, ...]], bool], column: int, value: object) -> None:
    rows = found.tables[table]
    index = next(index for index, row in enumerate(rows) if which(row))
    rows[index] = (*rows[index][:column], value, *rows[index][column + 1 :])


@pytest.mark.parametrize(
    "lie",
    [lose_the_last_event, change_what_was_said, move_an_event_in_time, rename_a_player],
    ids=lambda lie: lie.__name__,
)
def test_what_somebody_has_seen_cannot_change(left: Left, lie: Callable[[Stored], None]) -> None:
    found = copy.deepcopy(left.found)
    lie(found)
    with pytest.raises(Broken, match=r"^acknowledged: "):
        check(left, found)


@pytest.mark.parametrize(
    "lie",
    [keep_the_token, lose_a_token, keep_the_name, keep_a_rating, keep_the_name_anywhere],
    ids=lambda lie: lie.__name__,
)
def test_who_is_forgotten_is_so_wholly(left: Left, lie: Callable[[Stored], None]) -> None:
    found = copy.deepcopy(left.found)
    lie(found)
    with pytest.raises(Broken, match=r"^forgotten: "):
        invariants._check_forgotten(left, found)


@pytest.mark.parametrize(
    ("lie", "name"),
    [
        (skip_a_number, "order"),
        (play_on_after_the_end, "one result"),
        (change_a_result, "one result"),
        (lose_a_row_of_a_game, "one result"),
        (lose_a_row_of_a_move, "rules"),
        (charge_for_longer_than_it_took, "clocks"),
        (give_time_to_a_clock, "clocks"),
        (rate_a_game_once, "ratings"),
        (change_a_rating, "ratings"),
        (count_a_game_twice, "ratings"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_contradicts_itself(left: Left, lie: Callable[[Stored], None], name: str) -> None:
    found = copy.deepcopy(left.found)
    lie(found)
    with pytest.raises(Broken, match=f"^{name}: "):
        check_without_witnesses(left, found)


def test_what_the_server_counts_wrong_in_memory(left: Left) -> None:
    too_many, lost, mended = left.of_memory
    assert too_many.startswith("bounds: ")
    assert "connections are counted" in too_many
    assert lost.startswith("bounds: ")
    assert mended == ""
