"""What a room has been asked to do, in order."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from server.rooms.members import Origin
from server.rooms.room.mailbox import MAILBOX_LENGTH, Mail, Mailbox
from tests.support.rooms.fakes import FakeMember
from tests.support.rooms.session_driver import ANN


async def work(argument: Any, at_ms: int) -> None: ...


async def leave(argument: Any, at_ms: int) -> None: ...


async def test_mails_come_out_in_order_and_what_is_put_back_first() -> None:
    box = Mailbox("room1")
    box.filled = asyncio.get_running_loop().create_future()
    first, second = Mail(work, 1, 0), Mail(work, 2, 0)
    for mail in (first, second):
        box.post(mail)
    assert box.filled.done()
    assert box.mails.popleft() is first
    box.put_back(first)
    assert list(box.mails) == [first, second]


async def test_what_is_posted_without_a_beginning_waits_for_one_or_for_other_mail() -> None:
    box = Mailbox("room1")
    box.filled = asyncio.get_running_loop().create_future()
    box.begin()
    assert not box.filled.done(), "there is nothing to begin on"
    box.post(Mail(work, 1, 0), begin=False)
    assert not box.filled.done()
    box.begin()
    assert box.filled.done()
    box.filled = asyncio.get_running_loop().create_future()
    box.post(Mail(work, 2, 0), begin=False)
    box.post(Mail(work, 3, 0))
    assert box.filled.done()
    assert [mail.argument for mail in box.mails] == [1, 2, 3]


async def test_who_gives_way_is_passed_by_all_others_and_time_never_goes_back() -> None:
    box, ann, bob = Mailbox("room1"), FakeMember(ANN), FakeMember(ANN)
    line, other = (Mail(work, None, at_ms, sender=member, gives_way=True) for at_ms, member in ((1, ann), (2, bob)))
    news, move = Mail(work, None, 3), Mail(work, None, 4)
    for mail in (line, other, news, move):
        box.post(mail)
    assert list(box.mails) == [news, move, line, other]
    assert [mail.at_ms for mail in box.mails] == [3, 4, 4, 4]


async def test_what_one_connection_asks_stays_in_its_order() -> None:
    box, ann, bob = Mailbox("room1"), FakeMember(ANN), FakeMember(ANN)
    sits, line = (Mail(work, None, 0, sender=member, gives_way=True) for member in (ann, bob))
    move = Mail(work, None, 0, sender=ann)
    for mail in (sits, line, move):
        box.post(mail)
    assert list(box.mails) == [sits, move, line]


async def test_nobody_waits_for_what_comes_after_the_end() -> None:
    box = Mailbox("room1")
    box.end("not_found", "There is no such room.")
    late = Mail(work, None, 0, done=asyncio.get_running_loop().create_future())
    box.post(late)
    assert late.done is not None
    assert late.done.done()
    assert not box.mails


async def test_past_its_length_a_request_is_busy() -> None:
    box, ann = Mailbox("room1"), FakeMember(ANN)
    for _ in range(MAILBOX_LENGTH - 1):
        box.post(Mail(work, None, 0))
    assert not box.is_busy_for(Origin(ann, 4), gives_way=False)
    box.post(Mail(work, None, 0))
    assert box.is_busy_for(Origin(ann, 5), gives_way=False)
    (error,) = ann.take()
    assert (error["id"], error["code"], error["room"]) == (5, "busy", "room1")
    assert ann.errors == ["busy"]


async def test_what_gives_way_fills_it_only_for_its_like() -> None:
    box, ann = Mailbox("room1"), FakeMember(ANN)
    for _ in range(2 * MAILBOX_LENGTH):
        box.post(Mail(work, None, 0, gives_way=True))
    assert box.is_busy_for(Origin(ann, 1), gives_way=True)
    for _ in range(MAILBOX_LENGTH):
        assert not box.is_busy_for(Origin(ann, 2), gives_way=False)
        box.mails.appendleft(Mail(work, None, 0))
    assert box.is_busy_for(Origin(ann, 3), gives_way=False)


async def test_requests_are_refused_and_the_rest_stays() -> None:
    box, ann = Mailbox("room1"), FakeMember(ANN)
    news, left = Mail(work, None, 0), Mail(leave, None, 0, Origin(ann, 2))
    for mail in (news, Mail(work, None, 0, Origin(ann, 1)), left):
        box.post(mail)
    box.refuse_requests(leave, "unavailable", "Not now.")
    assert list(box.mails) == [news, left]
    assert [(error["id"], error["code"]) for error in ann.take()] == [(1, "unavailable")]


async def test_at_the_end_everybody_hears_of_it() -> None:
    box, ann = Mailbox("room1"), FakeMember(ANN)
    done = asyncio.get_running_loop().create_future()
    box.post(Mail(work, None, 0, done=done))
    box.post(Mail(work, None, 0, Origin(ann, 1)))
    box.end("not_found", "There is no such room.")
    assert done.done()
    assert [error["code"] for error in ann.take()] == ["not_found"]
    assert not box.mails


async def test_nobody_who_is_gone_keeps_it_from_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    box, ann, bob = Mailbox("room1"), FakeMember(ANN), FakeMember(ANN)

    def fail(frames: bytes) -> None:
        raise OSError("broken")

    monkeypatch.setattr(ann, "write", fail)
    for member in (ann, bob):
        box.post(Mail(work, None, 0, Origin(member, 1)))
    box.end("not_found", "There is no such room.")
    assert len(bob.take()) == 1


async def test_who_waits_no_longer_is_told_nothing() -> None:
    done = asyncio.get_running_loop().create_future()
    done.cancel()
    Mail(work, None, 0, done=done).signal()
    Mail(work, None, 0).signal()
