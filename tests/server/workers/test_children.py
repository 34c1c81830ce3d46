"""Child processes on the loop: messages, limits, ends, and a fork server that dies, hangs or has nothing to give."""

from __future__ import annotations

import asyncio
import errno
import itertools
import os
import resource
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import nullcontext
from typing import Any

import psutil
import pytest

from server.workers import children
from server.workers.children import (
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    Child,
    Ending,
    ForkServer,
    Pauses,
    cpu_ms,
)
from server.workers.fork_server import LENGTH, MAX_MESSAGE, Channel, framed
from server.workers.slot import SearchSlot
from tests.support.workers.owned_children import Owner, Pair

# A child at the other end of a socket


@pytest.fixture
async def pair() -> AsyncIterator[Pair]:
    made = Pair()
    yield made
    made.child.kill()
    made.theirs.close()


async def test_messages_are_heard_whole_however_they_come(pair: Pair) -> None:
    data = framed("one") + framed((2, "two")) + framed(b"three" * 100_000)
    for start in range(0, len(data), 9_973):
        pair.theirs.sendall(data[start : start + 9_973])
        await asyncio.sleep(0)
    heard = [await pair.owner.next() for _ in range(3)]
    assert heard == ["one", (2, "two"), b"three" * 100_000]


async def test_a_message_that_does_not_fit_into_the_socket_is_sent_as_it_is_read(pair: Pair) -> None:
    message = os.urandom(3_000_000)
    pair.child.send(message)
    pair.child.send("after")
    channel = Channel(pair.theirs)
    pair.theirs.settimeout(60)
    received = await asyncio.to_thread(lambda: [channel.receive(), channel.receive()])
    assert received == [message, "after"]


async def test_the_end_of_the_socket_is_the_end_of_the_child_and_comes_last(pair: Pair) -> None:
    pair.theirs.sendall(framed("last words"))
    pair.theirs.close()
    assert await pair.owner.until_over() == Ending()
    assert pair.owner.messages == ["last words"]
    assert pair.forks.forgotten == [7]


async def test_the_exit_status_is_waited_for_if_the_fork_server_tells_it(pair: Pair) -> None:
    pair.theirs.close()
    await asyncio.sleep(0)
    assert pair.owner.ending is None
    pair.child.exited(Ending(status=-9))
    assert pair.owner.ending == Ending(status=-9)


async def test_a_status_that_comes_before_the_last_words_does_not_lose_them(pair: Pair) -> None:
    pair.theirs.sendall(framed("last words"))
    pair.child.exited(Ending(status=0))
    assert (pair.owner.messages, pair.owner.ending) == (["last words"], Ending(status=0))


async def test_who_is_killed_is_not_heard_any_more(pair: Pair) -> None:
    pair.theirs.sendall(framed("too late"))
    pair.child.kill()
    pair.child.exited(Ending(status=-9))
    pair.child.send("nothing happens")
    await asyncio.sleep(0)
    assert (pair.owner.messages, pair.owner.ending, pair.forks.killed) == ([], None, [7])


async def test_who_kills_within_a_message_hears_no_other(pair: Pair) -> None:
    def hear_and_kill(message: object) -> None:
        pair.owner.hear(message)
        pair.child.kill()

    pair.child._on_message = hear_and_kill
    pair.theirs.sendall(framed(1) + framed(2))
    assert await pair.owner.next() == 1
    await asyncio.sleep(0)
    assert pair.owner.messages == []


async def test_a_limit_ends_who_is_silent(pair: Pair) -> None:
    pair.child.limit(0)
    assert await pair.owner.until_over() == Ending(hung=True)
    assert pair.forks.killed == [7]


async def test_who_uses_its_processor_has_not_hung_before_it_used_as_much(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    used_ms = itertools.count(1000)  # of jobs before this one
    monkeypatch.setattr(children, "cpu_ms", lambda pid: next(used_ms))
    pair.child.pid = 1
    pair.child.limit(0.02, patient=True)
    assert await pair.owner.until_over() == Ending(hung=True)
    assert next(used_ms) == 1021


async def test_another_limit_replaces_the_first(pair: Pair) -> None:
    pair.child.limit(0)
    pair.child.limit(None)
    await asyncio.sleep(0)
    pair.child.limit(0)
    pair.child.limit(1000)
    await asyncio.sleep(0)
    assert pair.owner.ending is None


async def test_an_answer_that_waits_to_be_read_is_not_late(pair: Pair) -> None:
    """The loop was, which had so much else to do."""

    def hear(message: Any) -> None:
        pair.owner.hear(message)
        pair.child.limit(None)

    pair.child._on_message = hear
    pair.child.limit(1000)
    pair.theirs.sendall(framed("done"))
    pair.child._too_late()
    assert (pair.owner.messages, pair.owner.ending) == (["done"], None)


async def test_who_has_died_by_itself_has_not_hung(pair: Pair) -> None:
    pair.child.limit(1000)
    pair.theirs.close()
    pair.child._too_late()
    assert await pair.owner.until_over() == Ending()


async def test_who_has_died_and_whose_status_is_awaited_has_not_hung(pair: Pair) -> None:
    """Whoever watches it looks at it meanwhile, and it uses no processor time any more."""
    pair.theirs.close()
    assert not pair.child._read()
    pair.child.limit(0)
    assert await pair.owner.until_over() == Ending()


@pytest.mark.parametrize("data", [LENGTH.pack(3) + b"abc", LENGTH.pack(MAX_MESSAGE + 1), framed(None)[:-1] + b"x"])
async def test_what_cannot_be_read_ends_the_child(pair: Pair, data: bytes) -> None:
    pair.theirs.sendall(data)
    assert await pair.owner.until_over() == Ending()
    assert pair.forks.killed == [7]


def test_how_it_ended_is_said_in_a_few_words() -> None:
    endings = [Ending(), Ending(status=-9), Ending(hung=True), Ending(refused=errno.EAGAIN)]
    assert [str(ending) for ending in endings] == [
        "died",
        "died with exit status -9",
        "did not answer in time and was killed",
        "could not be forked: Resource temporarily unavailable",
    ]


def test_pauses_grow_up_to_a_bound_until_something_works() -> None:
    pauses = Pauses()
    taken = [pauses.after_failure() for _ in range(40)]
    assert taken[:4] == [0, FIRST_PAUSE_S, 2 * FIRST_PAUSE_S, 4 * FIRST_PAUSE_S]
    assert taken == sorted(taken)
    assert taken[-1] == LONGEST_PAUSE_S
    pauses.reset()
    assert pauses.after_failure() == 0


# Real processes. What follows runs in them: they import this module and find the functions by name.


def echo(channel: Channel, slot: SearchSlot, *arguments: object) -> None:
    channel.send((os.getpid(), arguments))
    while True:
        message = channel.receive()
        slot.nodes += 1
        channel.send(message)


def leave(channel: Channel, slot: None, status: int) -> None:
    channel.send("leaving")
    os._exit(status)


def stay(channel: Channel, slot: None) -> None:
    signal.pause()


def fail(channel: Channel, slot: None) -> None:
    raise LookupError("on purpose")


def note(channel: Channel, slot: None) -> None:
    channel.send(_LOADED)


_LOADED: list[str] = []


def load() -> None:
    _LOADED.append("loaded")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
async def forks() -> AsyncIterator[ForkServer]:
    server = ForkServer(["no.such.module"], asyncio.get_running_loop())
    yield server
    server.close()


def fork(forks: ForkServer, entry: Callable[..., None] = echo, *arguments: object) -> tuple[Child, Owner]:
    owner = Owner()
    slot = SearchSlot if entry == echo else None
    return forks.fork(entry, arguments, slot, owner.hear, owner.end), owner


async def test_a_child_answers_writes_to_its_slot_and_is_seen_to_die(forks: ForkServer) -> None:
    forks.status_s = 60  # the machine may be busy
    child, owner = fork(forks, echo, 1, "two")
    child.send("early")
    pid, arguments = await owner.next()
    assert arguments == (1, "two")
    assert await owner.next() == "early"
    assert (child.slot.nodes, child.pid) == (1, pid)
    os.kill(pid, signal.SIGKILL)
    assert await owner.until_over() == Ending(status=-9)
    assert not psutil.pid_exists(pid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGTSTP])
async def test_what_a_terminal_sends_does_not_reach_a_fork_server_that_is_just_starting(
    forks: ForkServer, capfd: pytest.CaptureFixture[str], number: signal.Signals
) -> None:
    _, owner = fork(forks)
    started = forks.pid
    assert started is not None
    os.kill(started, number)
    await owner.next()
    assert forks.pid == started
    assert capfd.readouterr().err == ""


async def test_a_child_that_leaves_or_fails_has_a_status(forks: ForkServer, capfd: pytest.CaptureFixture[str]) -> None:
    forks.status_s = 60  # the machine may be busy
    _, leaves = fork(forks, leave, 3)
    _, fails = fork(forks, fail)
    assert await leaves.until_over() == Ending(status=3)
    assert leaves.messages == ["leaving"]
    assert await fails.until_over() == Ending(status=1)
    assert "LookupError: on purpose" in capfd.readouterr().err


async def test_a_child_whose_socket_is_closed_leaves(forks: ForkServer) -> None:
    child, owner = fork(forks)
    pid, _ = await owner.next()
    process = psutil.Process(pid)
    child._close()
    assert await asyncio.to_thread(process.wait, 60) is None


async def test_a_child_is_killed_before_its_process_is_known(forks: ForkServer) -> None:
    child, owner = fork(forks, stay)
    child.kill()
    assert child.pid is None
    _, other = fork(forks)
    await other.next()
    assert forks.pid is not None
    async with asyncio.timeout(60):
        while len(psutil.Process(forks.pid).children()) > 1:  # noqa: ASYNC110  # nobody is told
            await asyncio.sleep(0.001)
    assert owner.ending is None


async def test_a_stopped_child_is_noticed_by_its_limit_and_its_death_without_the_fork_server(forks: ForkServer) -> None:
    hung, hung_owner = fork(forks)
    killed, killed_owner = fork(forks)
    await hung_owner.next()
    await killed_owner.next()
    assert hung.pid is not None
    assert killed.pid is not None
    assert forks.pid is not None
    os.kill(hung.pid, signal.SIGSTOP)
    hung.limit(0.001)
    assert await hung_owner.until_over() == Ending(hung=True)
    os.kill(forks.pid, signal.SIGSTOP)
    os.kill(killed.pid, signal.SIGKILL)
    assert await killed_owner.until_over() == Ending(), "the end of its socket says it, and nobody its status"


async def test_whether_it_has_nothing_to_do_but_to_fork(forks: ForkServer, caplog: pytest.LogCaptureFixture) -> None:
    assert not forks.is_loaded
    _, owner = fork(forks)
    assert not forks.is_loaded, "it loads its modules"
    await owner.next()
    assert forks.is_loaded
    loaded = asyncio.get_running_loop().create_future()
    forks.load(load, loaded.set_result)
    assert not forks.is_loaded
    assert await loaded
    assert forks.is_loaded
    forks.restart()
    assert not forks.is_loaded
    assert caplog.messages == ["the fork server hangs and is started again"]


async def test_a_fork_server_that_is_killed_takes_its_children_along_and_is_started_again(forks: ForkServer) -> None:
    child, owner = fork(forks)
    await owner.next()
    first = forks.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert await owner.until_over() == Ending(orphaned=True)
    assert child.pid is not None
    await gone(child.pid)
    _, again = fork(forks)
    await again.next()
    assert forks.pid not in (None, first)


async def gone(pid: int) -> None:
    async with asyncio.timeout(60):
        while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def test_what_is_loaded_is_there_in_all_children_to_come(forks: ForkServer) -> None:
    loaded: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    forks.load(load, loaded.set_result)
    assert await asyncio.wait_for(loaded, 60)
    for restarted in (False, True):
        if restarted:
            forks.restart()
        _, owner = fork(forks, note)
        assert await owner.next() == ["loaded"]


async def test_a_load_that_kills_is_not_repeated(forks: ForkServer) -> None:
    loaded: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    forks.load(die, loaded.set_result)
    _, owner = fork(forks)
    assert await owner.until_over() == Ending(orphaned=True)
    assert not await asyncio.wait_for(loaded, 60)
    _, again = fork(forks)
    await again.next()


def spare_descriptors() -> Iterator[int]:
    """Until there are none left."""
    while True:
        try:
            yield os.dup(0)
        except OSError:
            return


@pytest.mark.parametrize("left", range(5))
async def test_without_descriptors_nothing_is_started_and_nothing_leaks(forks: ForkServer, left: int) -> None:
    _, first = fork(forks)
    await first.next()
    before = len(os.listdir("/proc/self/fd"))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before + 50, hard))
    try:
        taken = list(spare_descriptors())
        for descriptor in taken[:left]:
            os.close(descriptor)
        try:
            with pytest.raises(OSError, match="Too many open files") if left < 4 else nullcontext():
                fork(forks)
        finally:
            for descriptor in taken[left:]:
                os.close(descriptor)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if left < 4:
        assert len(os.listdir("/proc/self/fd")) == before
    _, after = fork(forks)
    await after.next()


async def test_a_fork_server_that_cannot_be_started_is_tried_again(
    forks: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "Popen", refuse)
        with pytest.raises(OSError, match="Cannot allocate memory"):
            fork(forks)
        assert forks.pid is None
    _, owner = fork(forks)
    await owner.next()


async def test_nothing_of_it_is_left_after_the_close(forks: ForkServer) -> None:
    before = len(os.listdir("/proc/self/fd"))
    child, owner = fork(forks)
    await owner.next()
    server = forks.pid
    forks.close()
    assert server is not None
    assert child.pid is not None
    await gone(server)
    await gone(child.pid)
    assert owner.ending is None
    del child, owner
    assert len(os.listdir("/proc/self/fd")) <= before + 1, "but for the memory of a slot"


def test_the_processor_time_of_a_process_is_known_while_it_lives() -> None:
    before = cpu_ms(os.getpid())
    assert before is not None
    spent = time.process_time() + 0.03
    while time.process_time() < spent:
        pass
    after = cpu_ms(os.getpid())
    assert after is not None
    assert after > before
    assert cpu_ms(1 << 30) is None
