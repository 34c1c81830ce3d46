"""A server's address as people write it, and the links that come of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.sdk import BadAddress
from client.sdk.address import host_url, is_loopback, page_url, websocket_url


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
        ("https://猫.example:8443/é", "wss://xn--z7x.example:8443/%C3%A9/ws"),
        ("猫.example", "ws://xn--z7x.example:8765/ws"),
        ("http://h/a%20b", "ws://h/a%20b/ws"),
    ],
)
def test_addresses(address: str, url: str) -> None:
    assert websocket_url(address) == url


@pytest.mark.parametrize(
    "address",
    [
        "", "ftp://x", "http://", "http://a:b", "a b", "http://h:99999", "http://[::1",
        "localhost:", "http:/h", "http://a..b", "http://" + "a" * 64, "http://h/\udcff",
    ],
)  # fmt: skip
def test_bad_addresses(address: str) -> None:
    with pytest.raises(BadAddress, match="not a server address"):
        websocket_url(address)


@pytest.mark.parametrize(
    "address", ["http://user@h", "ada:s3cret@h:1", "https://ada:s3/cret@h", "http://ada:s3cret@[::1"]
)
def test_a_password_is_refused_without_being_shown(address: str) -> None:
    with pytest.raises(BadAddress, match="no user or password") as refused:
        websocket_url(address)
    assert "s3" not in str(refused.value)


def test_page_url() -> None:
    assert page_url("https://example.org/noughts", "/join/abc") == "https://example.org/noughts/join/abc"
    assert page_url("h:1") == "http://h:1/"


@given(
    st.sampled_from(("http://", "https://", "ws://", "wss://", "")),
    st.sampled_from(("localhost", "127.0.0.1", "[::1]", "Play.example", "猫.example")),
    st.sampled_from(("", ":80", ":8765")),
    st.sampled_from(("", "/", "/noughts", "/é/", "/ws", "/news")),
)
def test_a_page_is_an_address_of_its_server(scheme: str, host: str, port: str, path: str) -> None:
    url = websocket_url(f"{scheme}{host}{port}{path}")
    assert url.isascii()
    assert websocket_url(url) == websocket_url(page_url(url)) == websocket_url(host_url(url)) == url


def test_this_machine_is_told_from_others() -> None:
    assert all(map(is_loopback, ("ws://localhost:1/ws", "http://127.3.2.1/", "http://[::1]:7/")))
    others = ("ws://localhost.example/ws", "ws://127.example/ws", "http://10.127.0.1/", "http://[::2]/")
    assert not any(map(is_loopback, others))
