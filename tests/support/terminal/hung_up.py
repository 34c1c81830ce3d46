"""A proxy in front of the server that hangs up on whoever connects."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import pytest


@contextmanager
def proxy_that_hangs_up(monkeypatch: pytest.MonkeyPatch, answer: bytes = b"") -> Iterator[None]:
    """The proxy of this process, for one connection, which gets this answer to its first bytes."""

    def hang_up() -> None:
        with suppress(OSError), proxy.accept()[0] as connection:  # the test may have failed before it connects
            connection.recv(10_000)
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as proxy:
        place = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, place)
        thread = Thread(target=hang_up, daemon=True)
        thread.start()
        yield
        thread.join()
