"""Who may connect, ask and open a websocket. Over a socket: test_conversation beside it, and tests/wire."""

from __future__ import annotations

from typing import Any

import pytest

from server.config import Settings
from server.http.connections.gate import LEAST, MORE, Gate, origin_of
from server.http.message import Request, read_request
from server.metrics import Metrics

UPGRADE = [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Host", "a")]


def gate(closing: bool = False, **settings: Any) -> Gate:
    return Gate(Settings(**settings), Metrics(), lambda: 0, lambda: closing)


def opening(address: str = "192.0.2.1", *more: tuple[str, str]) -> Request:
    return read_request("GET", "/ws", [*UPGRADE, *more], address)


def test_a_connection_counts_for_its_address_until_it_leaves() -> None:
    door = gate(address_open=1)
    assert door.enter("192.0.2.1") == ("192.0.2.1", None)
    address, response = door.enter("192.0.2.1")
    assert response is not None
    assert (address, response.status, door.open) == ("192.0.2.1", 429, 2)
    door.leave(address)
    door.leave(address)
    assert (door.open, door.enter("192.0.2.1")[1]) == (0, None)


def test_a_connection_that_becomes_a_websocket_is_not_one_more() -> None:
    door = gate(address_open=1)
    address, _ = door.enter("192.0.2.1")
    assert door.admit(opening(), address) == ("192.0.2.1", None)
    door.leave("192.0.2.1")
    assert door.enter("192.0.2.1")[1] is None


def test_a_refused_websocket_still_counts_as_the_connection_that_it_is() -> None:
    door = gate(address_rate=1, address_open=5)
    counted, _ = door.enter("192.0.2.1")
    assert door.admit(opening(), counted) == (counted, None)
    again, response = door.admit(opening(), counted)
    assert response is not None
    assert (again, response.status, response.headers["Retry-After"]) == (counted, 429, "1")
    door.leave(again)
    assert door._limiter.open_from("192.0.2.1") == 0


def test_those_of_a_proxy_count_for_whom_it_names() -> None:
    door = gate(address_open=1, trusted_proxy="192.0.2.1")
    for number in range(3):
        counted, response = door.enter("192.0.2.1")
        assert (counted, response) == (None, None)
        named = f"203.0.113.{number}"
        assert door.admit(opening("192.0.2.1", ("X-Forwarded-For", named)), counted) == (named, None)
    counted, response = door.admit(opening("192.0.2.1", ("X-Forwarded-For", "203.0.113.2")), None)
    assert response is not None
    assert (counted, response.status) == (None, 429)


def test_past_the_limit_of_files_some_are_told_and_more_are_dropped() -> None:
    door = gate()
    door.allowed = 2
    answers = [door.enter(f"192.0.2.{number}")[1] for number in range(2 + MORE)]
    assert [answer and answer.status for answer in answers] == [None, None] + [503] * MORE
    assert not door.crowded("192.0.2.9")
    door.enter("198.51.100.1")
    assert door.crowded("198.51.100.1")


def test_requests_cost_what_they_take() -> None:
    asked = read_request("GET", "/", [], "192.0.2.1")
    for cost, answered in ((1, 200), (5, 40), (20, 10)):
        door = gate(address_rate=10)
        for _ in range(answered):
            assert door.charge(asked, cost) is None
        response = door.charge(asked, cost)
        assert response is not None
        assert (response.status, response.headers["Retry-After"]) == (429, "1")
        assert response.body == b"Too many requests from your address: come back in 1 s.\n"


def test_a_server_that_closes_and_an_origin_that_may_not() -> None:
    assert [gate(closing).admit(opening(), None)[1] is None for closing in (False, True)] == [True, False]
    response = gate().admit(opening("192.0.2.1", ("Origin", "http://evil.example")), None)[1]
    assert response is not None
    assert response.status == 403


@pytest.mark.parametrize(
    ("host", "origin", "opens"),
    [("a.example:443", "https://a.example", True), ("A.example:80", "http://a.example", True),
     ("a.example:80", "http://a.example:80", True), ("a.example:443", "http://a.example", False),
     ("a.example:8443", "https://a.example", False), ("a.example", "https://a.example:8443", False),
     ("", "null", False)],
)  # fmt: skip
def test_a_proxy_may_write_out_the_port_that_an_origin_leaves_out(host: str, origin: str, opens: bool) -> None:
    headers = [("Host", host), ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Origin", origin)]
    response = gate(host="0.0.0.0").admit(read_request("GET", "/ws", headers, "192.0.2.1"), None)[1]
    assert (None if response is None else response.status) == (None if opens else 403)


@pytest.mark.parametrize(
    ("origins", "opens"),
    [
        ([], True), (["http://127.0.0.1:8765"], True), (["HTTP://127.0.0.1:8765"], True),
        (["https://127.0.0.1:8765"], True), (["https://Friend.example"], True), (["http://evil.example"], False),
        (["http://127.0.0.1"], False), (["http://127.0.0.1:8765.evil.example"], False),
        (["http://friend.example"], False), (["https://friend.example.evil.example"], False),
        (["https://sub.friend.example"], False), (["https://friend.example:444"], False), (["null"], False),
        ([""], False), (["file://"], False), (["http://["], False), (["127.0.0.1:8765"], False),
        (["http://127.0.0.1:8765", "http://evil.example"], False),
    ],
)  # fmt: skip
def test_origins_that_may_connect(origins: list[str], opens: bool) -> None:
    headers = [("Host", "127.0.0.1:8765"), *UPGRADE[:2], *(("Origin", origin) for origin in origins)]
    asked = read_request("GET", "/ws", headers, "127.0.0.1")
    response = gate(allow_origin="https://friend.example").admit(asked, None)[1]
    assert (None if response is None else response.status) == (None if opens else 403)


@pytest.mark.parametrize(
    ("upgrade", "connection", "opens"),
    [
        ("websocket", "Upgrade", True),
        ("WebSocket", "keep-alive, upgrade", True),
        ("websocket", "keep-alive", False),
        ("websocket", "upgraded", False),
        ("h2c", "Upgrade", False),
        ("", "", False),
    ],
)
def test_what_is_no_upgrade_is_told_which_one_there_is(upgrade: str, connection: str, opens: bool) -> None:
    asked = read_request("GET", "/ws", [("Host", "a"), ("Upgrade", upgrade), ("Connection", connection)], "192.0.2.1")
    response = gate().admit(asked, None)[1]
    assert (response is None) == opens
    if response is not None:
        assert (response.status, response.headers["Upgrade"], response.headers["Connection"]) == (
            426,
            "websocket",
            "Upgrade",
        )


OWN = (
    "localhost", "localhost:8765", "localhost.", "play.localhost", "127.0.0.1:8765", "192.0.2.7", "[::1]:8765", "[::1]",
    "[::ffff:192.0.2.7]:80", "box:80", "", "friend.example",
)  # fmt: skip
FOREIGN = ("evil.example", "evil.example:8765", "127.0.0.1.evil.example", "evil.example.", "a.b")


@pytest.mark.parametrize("host", OWN)
def test_names_that_are_ours_or_nobodys(host: str) -> None:
    asked = read_request("GET", "/ws", [("Host", host)], "127.0.0.1")
    assert gate(allow_origin="https://Friend.example").misdirected(asked) is None


@pytest.mark.parametrize("host", FOREIGN)
def test_a_name_that_may_be_somebody_elses(host: str) -> None:
    """Who owns it may have it lead here, so that a page of theirs has our origin."""
    headers = [("Host", host), ("Upgrade", "websocket"), ("Origin", f"http://{host}")]
    asked = read_request("GET", "/ws", headers, "127.0.0.1")
    response = gate().misdirected(asked)
    assert response is not None
    assert (response.status, response.body.endswith(b".\n")) == (421, True)
    admitted = gate().admit(asked, None)[1]
    assert admitted is not None
    assert admitted.status == 421
    assert gate(trusted_proxy="127.0.0.1").misdirected(asked) is None, "a proxy has any name"
    assert gate(host="0.0.0.0").misdirected(asked) is None, "others may know it by any name"


def test_where_it_listens_decides_and_not_where_it_was_to() -> None:
    """As on a socket of the service manager's."""
    asked = read_request("GET", "/ws", [("Host", "play.example.org")], "192.0.2.7")
    public, local = gate(), gate(host="0.0.0.0")
    public.listens_at("0.0.0.0")
    local.listens_at("127.0.0.1")
    assert public.misdirected(asked) is None
    assert local.misdirected(asked) is not None


@pytest.mark.parametrize(
    ("proxy", "peer"), [("127.0.0.1", "::ffff:127.0.0.1"), ("2001:DB8::5", "2001:db8::5"), ("::1", "0:0:0:0:0:0:0:1")]
)
def test_a_proxy_is_known_however_its_address_is_written(proxy: str, peer: str) -> None:
    door = gate(trusted_proxy=proxy)
    assert door.enter(peer) == (None, None)
    assert door.admit(opening(peer, ("X-Forwarded-For", "203.0.113.9")), None) == ("203.0.113.9", None)
    assert origin_of(Settings(trusted_proxy=proxy).trusted_proxies, opening(peer)) == "https://a"


@pytest.mark.parametrize(
    ("named", "counted"),
    [("203.0.113.9:51342", "203.0.113.9"), ("[2001:db8::9]:51342", "2001:db8::/64"), ("[2001:db8::9]", "2001:db8::/64"),
     ("2001:db8::9", "2001:db8::/64"), ("unknown", "unknown"), ("", "192.0.2.1")],
)  # fmt: skip
def test_a_proxy_may_name_a_port_too(named: str, counted: str) -> None:
    asked = opening("192.0.2.1", ("X-Forwarded-For", named))
    assert gate(trusted_proxy="192.0.2.1").counted(asked) == counted


@pytest.mark.parametrize("named", [["198.51.100.4, 203.0.113.9"], ["198.51.100.4", "203.0.113.9"]])
def test_nobody_but_our_proxy_names_an_address(named: list[str]) -> None:
    asked = opening("192.0.2.1", *(("X-Forwarded-For", one) for one in named))
    assert gate(trusted_proxy="192.0.2.1").counted(asked) == "203.0.113.9", "not what the client has put in front"
    assert gate().counted(asked) == "192.0.2.1"


def test_behind_a_proxy_an_address_has_no_more_than_are_left_either() -> None:
    door = gate(trusted_proxy="192.0.2.1", address_rate=0)
    door.allowed = 4 * LEAST
    asked = opening("192.0.2.1", ("X-Forwarded-For", "203.0.113.9"))
    for _ in range(2 * LEAST):
        counted, _ = door.enter("192.0.2.1")
        assert door.admit(asked, counted)[1] is None
    counted, _ = door.enter("192.0.2.1")
    refused = door.admit(asked, counted)[1]
    assert refused is not None
    other = opening("192.0.2.1", ("X-Forwarded-For", "198.51.100.1"))
    assert door.admit(other, counted) == ("198.51.100.1", None)


def test_which_limit_was_met_is_counted() -> None:
    door = gate(address_open=1)
    for _ in range(3):
        door.enter("192.0.2.77")
    door.allowed = 1
    door.enter("198.51.100.1")
    assert door._metrics.turned_away == 3
    assert door._metrics.limits.counts == {"address_open": 2, "open_files": 1}
    assert [network for _, network, _ in door._metrics.limits.recent()] == ["192.0.2.0/24", "198.51.100.0/24"]


def test_an_address_has_no_more_connections_than_are_left() -> None:
    door = gate()
    door.allowed = 4 * LEAST
    for _ in range(2 * LEAST):
        assert door.enter("192.0.2.1")[1] is None
    response = door.enter("192.0.2.1")[1]
    assert response is not None
    assert (response.status, door._metrics.limits.counts) == (503, {"open_files": 1})
    assert b"your address has many" in response.body
    assert door.enter("192.0.2.2")[1] is None


def test_an_address_without_a_limit_may_have_all_connections() -> None:
    door = gate(address_open=0)
    door.allowed = 4 * LEAST
    assert all(door.enter("192.0.2.1")[1] is None for _ in range(4 * LEAST))
