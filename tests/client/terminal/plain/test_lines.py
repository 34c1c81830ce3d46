"""Typed lines, read by a thread."""

from __future__ import annotations

import asyncio
import os
import threading

import pytest

from client.terminal.plain import lines as plain_lines
from client.terminal.plain.lines import LINE_BYTES, WAITING_LINES, StdinLines, patiently


async def _all(descriptor: int) -> list[str]:
    lines, found = StdinLines(descriptor), []
    while (line := await lines.next()) is not None:
        found.append(line)
    return found


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (b"", []),
        (b"b2\na1\n", ["b2", "a1"]),
        (b"b2", ["b2"]),
        (b"b2\n\nlast", ["b2", "", "last"]),
        (b"\xff\n", ["\ufffd"]),
        (b"x" * (LINE_BYTES + 1), ["x" * (LINE_BYTES + 1)]),
        (b"".join(b"%d\n" % i for i in range(3 * WAITING_LINES)), [str(i) for i in range(3 * WAITING_LINES)]),
    ],
)
async def test_lines_come_in_order_to_the_end(written: bytes, lines: list[str]) -> None:
    reading, writing = os.pipe()
    os.write(writing, written)
    os.close(writing)
    assert await _all(reading) == lines
    os.close(reading)


def test_reading_ends_quietly_once_nobody_reads() -> None:
    reading, writing = os.pipe()

    async def begin() -> threading.Thread:
        before = set(threading.enumerate())
        StdinLines(reading)
        (thread,) = set(threading.enumerate()) - before
        return thread

    thread = asyncio.run(begin())
    os.write(writing, b"b2\n")
    os.close(writing)
    thread.join()
    os.close(reading)


async def test_a_line_without_an_end_comes_in_pieces() -> None:
    reading, writing = os.pipe()
    source = StdinLines(reading)
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(b"x" * (2 * LINE_BYTES + 1) + b"\nend")
    read = []
    while (line := await source.next()) is not None:
        read.append(line)
    os.close(reading)
    assert read[-1] == "end"
    assert max(map(len, read)) <= 2 * LINE_BYTES


@pytest.mark.parametrize(("patience_s", "told"), [(0.0, ["Waiting for the server."]), (1e6, [])])
async def test_a_server_that_takes_long_is_waited_for_aloud(
    patience_s: float, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_lines, "PATIENCE_S", patience_s)
    said: list[str] = []

    async def answer() -> int:
        for _ in range(3):  # turns of the loop
            await asyncio.sleep(0)
        return 7

    assert await patiently(said.append, answer()) == 7
    assert said == told
