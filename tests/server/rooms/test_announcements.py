"""What the operator tells everybody, and for how long."""

from __future__ import annotations

from server.rooms.announcements import Announcements
from server.rooms.members import MEMBERS_AT_ONCE
from tests.support.rooms.fakes import FakeMember, World, settle
from tests.support.rooms.session_driver import ANN, BOB


async def test_whoever_is_there_and_whoever_comes_is_told() -> None:
    ann, bob = FakeMember(ANN), FakeMember(BOB)
    announcements = Announcements(lambda: [ann], lambda: 7)
    announcements.greet(ann)
    assert ann.take() == []
    announcements.announce("Restart at noon", None)
    assert ann.take() == [{"t": "announcement", "text": "Restart at noon", "ts": 7}]
    announcements.greet(bob)
    assert [message["text"] for message in bob.take()] == ["Restart at noon"]


async def test_thousands_are_told_a_few_at_a_time_and_in_order() -> None:
    members = [FakeMember(ANN) for _ in range(40)]
    announcements = Announcements(lambda: members, lambda: 7)
    announcements.announce("Restart at noon", None)
    assert sum(bool(member.payloads) for member in members) == MEMBERS_AT_ONCE
    announcements.withdraw()
    await settle()
    assert all([message["text"] for message in member.take()] == ["Restart at noon", ""] for member in members)


async def test_it_ends_by_itself_and_a_later_one_begins_its_own_time() -> None:
    world, ann = World(), FakeMember(ANN)
    announcements = Announcements(lambda: [ann], world.clock.unix_ms)
    announcements.announce("Restart at noon", 60_000)
    await world.wait(59_000)
    announcements.announce("Restart at one", 60_000)
    ann.take()
    await world.wait(59_000)
    assert ann.take() == []
    await world.wait(1_000)
    assert [message["text"] for message in ann.take()] == [""]
    announcements.greet(ann)
    assert ann.take() == []
    assert not announcements.withdraw()
