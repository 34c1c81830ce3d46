"""Programs as child processes: what they say, how they end, and how they are ended."""

from __future__ import annotations

import asyncio
import itertools
import os
import sys

import psutil
import pytest

from server.workers.program import TAIL_BYTES, Finished, Program


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


DEAF = "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', file=sys.stderr, flush=True); "


async def test_a_program_says_things_and_has_a_status() -> None:
    program = await Program.start(python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"))
    assert await program.finish() == Finished(3, "err")
    assert await program.end() == 3


async def test_both_channels_are_heard_as_one() -> None:
    said = "print('out', flush=True); print('err', file=sys.stderr)"
    program = await Program.start(python(f"import sys; {said}"), stdout=True)
    assert await program.finish() == Finished(0, "out\nerr")


async def test_only_the_last_it_says_is_kept() -> None:
    program = await Program.start(python("print('x' * 1_000_000 + 'end')"), stdout=True)
    _, said = await program.finish()
    assert (len(said), said[-4:]) == (TAIL_BYTES - 1, "xend")


async def test_more_of_what_it_says_is_kept_where_that_is_asked_for() -> None:
    program = await Program.start(python("print('x' * 200_000)"), stdout=True)
    assert len((await program.finish(kept_bytes=1 << 20)).said) == 200_000


async def test_one_that_listens_is_told_lines_and_asked_to_end_by_the_end_of_them() -> None:
    program = await Program.start(
        python("import sys\nfor line in sys.stdin: print('heard', line, file=sys.stderr, flush=True, end='')"),
        listens=True,
    )
    program.tell("one")
    async for line in program.lines():
        assert line == "heard one"
        break
    assert await program.end(60) == 0
    program.tell("it is over")


async def test_one_that_does_not_listen_is_asked_by_a_signal() -> None:
    program = await Program.start(python("import signal; signal.pause()"))
    assert await program.end(60) == -15


async def test_one_that_does_not_end_is_killed() -> None:
    program = await Program.start(python(DEAF + "signal.pause(); signal.pause()"))
    async for _ in program.lines():
        break
    assert await program.end(0.01) == -9
    assert not psutil.pid_exists(program.pid)


async def test_one_that_takes_too_long_still_runs() -> None:
    program = await Program.start(python("import signal; signal.pause()"))
    with pytest.raises(TimeoutError):
        await program.finish(0)
    assert psutil.pid_exists(program.pid)
    assert await program.end() == -9


async def test_one_that_works_is_waited_for_and_all_it_says_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    used_ms = itertools.count(10, 10)
    monkeypatch.setattr("server.workers.program.cpu_ms", lambda pid: next(used_ms))
    program = await Program.start(
        python("import sys\nprint('one', file=sys.stderr, flush=True)\ninput(); print('two', file=sys.stderr)"),
        listens=True,
    )
    finishing = asyncio.create_task(program.finish_unless_hung(0))
    async with asyncio.timeout(60):
        while program._kept != b"one\n" or next(used_ms) < 100:  # noqa: ASYNC110 # another process makes it true
            await asyncio.sleep(0)
    program.tell("go")
    assert await finishing == Finished(0, "one\ntwo")


async def test_one_that_uses_no_processor_time_has_hung(monkeypatch: pytest.MonkeyPatch) -> None:
    used_ms = iter([10, 20, None, None, 20, 20])
    monkeypatch.setattr("server.workers.program.cpu_ms", lambda pid: next(used_ms))
    program = await Program.start(python("import signal; signal.pause()"))
    with pytest.raises(TimeoutError):
        await program.finish_unless_hung(0)
    assert next(used_ms, "all") == "all"
    assert await program.end() == -9


async def test_it_steps_back_as_far_as_it_is_told() -> None:
    program = await Program.start(python("import signal; signal.pause()"), nice=19, own_session=True)
    assert os.getpriority(os.PRIO_PROCESS, program.pid) == 19
    assert os.getsid(program.pid) == program.pid
    await program.end()


async def test_a_program_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        await Program.start(["no-such-program"])
