"""What stands between us and an engine that connects to a port: our lines go to it, and its lines come back.

It runs in the engine's process group and behind the engine's walls, so that port and engine are reached by nobody else.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Final

from server.workers.lifeline import die_with

_LOOK_S: Final = 0.05
"""How often a program that has not connected is looked at, which may have ended."""
_END_S: Final = 1.0
"""How long a program that has closed its connection may take to end by itself."""
_BYTES: Final = 1 << 16


def main(port_word: str, connected_line: str, command: Sequence[str]) -> None:
    """Our first line says that the program has connected. `port_word` stands for the port among its arguments.

    Never returns; the exit status is the program's, or 1 for one that goes on without its connection.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        relay = os.getpid()
        program = subprocess.Popen(
            [part.replace(port_word, port) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # an agent may show its boards there
            preexec_fn=lambda: die_with(relay) if sys.platform == "linux" else None,
        )
        connected = _accepted(listening, program)
    if connected is not None:
        _write(f"{connected_line}\n".encode())
        threading.Thread(target=_copy_to, args=(connected,), daemon=True).start()
        while data := _received(connected):
            _write(data)
    try:
        status = program.wait(_END_S)
    except subprocess.TimeoutExpired:
        program.kill()
        status = 1
    os._exit(status if status >= 0 else 128 - status)


def _accepted(listening: socket.socket, program: subprocess.Popen[bytes]) -> socket.socket | None:
    """The connection; None where the program ends first."""
    listening.settimeout(_LOOK_S)
    while program.poll() is None:
        try:
            connected, _ = listening.accept()
        except TimeoutError:
            continue
        connected.settimeout(None)
        return connected
    return None


def _copy_to(connected: socket.socket) -> None:
    try:
        while data := os.read(sys.stdin.fileno(), _BYTES):
            connected.sendall(data)
    except OSError:
        return  # its end is noticed where it is read


def _received(connected: socket.socket) -> bytes:
    try:
        return connected.recv(_BYTES)
    except OSError:
        return b""


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(sys.stdout.fileno(), data) :]
