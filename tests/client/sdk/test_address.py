"""A server's address as people write it, and the links that come of it."""

from __future__ import annotations

import pytest

from client.sdk import BadAddress
from client.sdk.address import page_url, websocket_url


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("http://127.0.0.1:8765", "ws://127.0.0.1:8765/ws"),
        ("http://127.0.0.1:8765/", "ws://127.0.0.1:8765/ws"),
        ("https://play.example", "wss://play.example/ws"),
        ("https://example.org/noughts", "wss://example.org/noughts/ws"),
        ("ws://h:1/ws", "ws://h:1/ws"),
        ("wss://h", "wss://h/ws"),
        ("localhost:9000", "ws://localhost:9000/ws"),
        ("localhost", "ws://localhost:8765/ws"),
        (" [::1]:7 ", "ws://[::1]:7/ws"),
    ],
)
def test_addresses(address: str, url: str) -> None:
    assert websocket_url(address) == url


@pytest.mark.parametrize("address", ["", "ftp://x", "http://", "http://a:b", "a b", "http://h:99999", "http://[::1"])
def test_bad_addresses(address: str) -> None:
    with pytest.raises(BadAddress, match="not a server address"):
        websocket_url(address)


def test_page_url() -> None:
    assert page_url("https://example.org/noughts", "/join/abc") == "https://example.org/noughts/join/abc"
    assert page_url("h:1") == "http://h:1/"
