"""The processes that are measured: how they begin and end, and what a page of theirs weighs."""

from __future__ import annotations

import asyncio
import gzip
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from client.lab.bench import processes
from client.lab.bench.processes import Measured, get
from client.lab.bench.wire import BenchError


def shell(script: str, folder: Path, **environment: str) -> Measured:
    return Measured(["sh", "-c", script], folder / "log", environment)


@pytest.mark.parametrize("line", ["4711", "noughts on http://127.0.0.1:4711 (Ctrl-C ends it)"])
def test_a_process_says_its_port_and_is_ended(tmp_path: Path, line: str) -> None:
    with shell(f"echo '{line}'; exec sleep 60", tmp_path) as measured:
        assert measured.port == 4711
    assert measured._process.returncode == -15


def test_settings_of_ours_are_not_measured_but_those_asked_for_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_PORT", "1")
    with shell("echo ${NOUGHTS_PORT:-2}$NOUGHTS_DB", tmp_path, NOUGHTS_DB="3") as measured:
        assert measured.port == 23


def test_it_hears_who_measures_it(tmp_path: Path) -> None:
    with shell("echo $NOUGHTS_PARENT_PID", tmp_path) as measured:
        assert measured.port == os.getpid()


@pytest.mark.parametrize("started", [processes.noughts, processes.relay])
def test_it_ends_with_whoever_measures_it(tmp_path: Path, started: Callable[[Path], Measured]) -> None:
    environment = {**os.environ, "NOUGHTS_PARENT_PID": str(2**22 + 1)}  # more than any has: gone
    done = subprocess.run(started(tmp_path)._command, env=environment, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (1, b"")


@pytest.mark.parametrize(
    ("script", "said"), [("echo No room. >&2; exit 1", "No room."), ("echo Hello.; exec sleep 60", "Hello.")]
)
def test_one_that_does_not_start_is_ended_and_its_words_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    monkeypatch.setattr(processes, "STOP_S", 0)
    measured = shell(script, tmp_path)
    with pytest.raises(BenchError, match=f"A process to be measured did not start: {said}"), measured:
        pass
    assert measured._process.returncode is not None


def test_one_is_ended_though_it_is_interrupted_as_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(command: list[str], **options: Any) -> subprocess.Popen[str]:
        process: subprocess.Popen[str] = begin(command, **options)
        monkeypatch.setattr(process.stdout, "readline", interrupt)
        return process

    def interrupt() -> str:
        raise KeyboardInterrupt

    begin = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", start)
    measured = shell("exec sleep 60", tmp_path)
    with pytest.raises(KeyboardInterrupt), measured:
        pass
    assert measured._process.returncode == -signal.SIGTERM


@pytest.mark.parametrize("packed", [False, True])
async def test_a_page_weighs_what_came_over_the_wire(packed: bool) -> None:
    sent = gzip.compress(b"Hello. " * 100) if packed else b"Hello. " * 100
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n" % len(sent)
    answer += b"Content-Encoding: gzip\r\n\r\n" * packed or b"\r\n"
    answer += sent

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        assert request.startswith(b"GET /hello HTTP/1.1\r\n")
        assert b"\r\nAccept-Encoding: gzip\r\n" in request
        writer.write(answer)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        found = await get(server.sockets[0].getsockname()[1], "/hello")
    assert (found.body, found.kind, found.bytes) == (b"Hello. " * 100, "text/plain", len(answer))
