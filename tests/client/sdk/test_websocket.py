"""Opening the websocket."""

from __future__ import annotations

import asyncio

import pytest

from client.sdk import ServerUnreachable, run, websocket
from tests.support.terminal.hung_up import proxy_that_hangs_up


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<html></html>"])
def test_a_bot_hears_of_a_proxy_that_hangs_up_without_a_traceback(
    answer: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with proxy_that_hangs_up(monkeypatch, answer), pytest.raises(ServerUnreachable, match=r"https://noughts\.invalid"):
        run("https://noughts.invalid", lambda view: view.legal[0], name="coin", game="tictactoe")
    assert not caplog.text


async def test_other_failures_of_callbacks_are_told(caplog: pytest.LogCaptureFixture) -> None:
    websocket.quiet_websockets()
    for context in ({"message": "one"}, {"message": "two", "exception": ValueError()}):
        asyncio.get_running_loop().call_exception_handler(context)
        assert str(context["message"]) in caplog.text


@pytest.mark.parametrize(
    "proxy",
    ["nonsense", "http://ada:s3cret@", "http://ada:s3cret@h:x", "http://ada:s3%ff@h", "http://ada:s3/cret@h"],
)
async def test_a_proxy_that_is_none_is_told_without_its_password(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setenv("https_proxy", proxy)
    with pytest.raises(ServerUnreachable) as told:
        await websocket.open_socket("wss://noughts.invalid/ws")
    trouble = "its address must be one like http://host:port"
    assert str(told.value) == f"https://noughts.invalid cannot be reached through the proxy: {trouble}."
