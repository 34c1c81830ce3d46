"""Only this machine is attacked, and nothing is opened to find out."""

from __future__ import annotations

import socket
import sys

import pytest
from click.testing import CliRunner

from tests.attack.__main__ import attack
from tests.attack.target import Refused, in_namespaces, resolved, target


@pytest.fixture(autouse=True)
def no_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*_: object) -> None:
        raise AssertionError("a socket was connected")

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr("tests.attack.target._listener", lambda port: None)


def test_what_is_missing_outside_the_tests_set_up_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "psutil", None)
    done = CliRunner().invoke(attack, ["--server", "ws://127.0.0.1:8765"])
    assert (done.exit_code, "takes psutil, which comes with what the tests need: `make attack`" in done.output) == (
        1,
        True,
    )


def own() -> set[str]:
    return {"10.0.0.2"}


@pytest.mark.parametrize(
    ("server", "host"),
    [
        ("ws://127.0.0.1:8765", "127.0.0.1"),
        ("http://127.200.3.4:1/path", "127.200.3.4"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("ws://[::1]:8765", "::1"),
        ("ws://10.0.0.2:8765", "10.0.0.2"),
    ],
)
def test_servers_of_this_machine(server: str, host: str) -> None:
    assert target(server, own=own).host == host


def test_a_name_that_leads_here_is_taken_by_its_address() -> None:
    assert target("ws://here:8765", lambda name: ["127.0.0.1", "::1"], own).host == "127.0.0.1"


@pytest.mark.parametrize(
    "server",
    ["ws://192.0.2.1:8765", "ws://128.0.0.1:80", "ws://[2001:db8::1]:80", "ws://0.0.0.0:80", "ws://10.0.0.3:80",
     "ws://[::ffff:192.0.2.1]:80", "ws://169.254.1.1:80"],
)  # fmt: skip
def test_other_machines_are_refused(server: str) -> None:
    with pytest.raises(Refused, match="which is not this machine: attacks go to"):
        target(server, own=own)


@pytest.mark.parametrize("found", [["192.0.2.1"], ["127.0.0.1", "192.0.2.1"], ["10.0.0.2", "192.0.2.1"]])
def test_names_that_lead_elsewhere_are_refused(found: list[str]) -> None:
    with pytest.raises(Refused, match="is not this machine"):
        target("ws://name.example:8765", lambda name: found, own)


@pytest.mark.parametrize("server", ["", "ws://127.0.0.1", "127.0.0.1", "ws://:80", "ws://127.0.0.1:x", "ws://[:80"])
def test_what_names_no_server(server: str) -> None:
    with pytest.raises(Refused, match=r"names no server: write it as ws://127\.0\.0\.1:8765"):
        target(server, own=own)


def test_names_that_do_not_resolve(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", fails)
    with pytest.raises(Refused, match="no name that resolves"):
        resolved("nowhere.invalid")


def test_the_command_refuses_in_one_sentence() -> None:
    done = CliRunner().invoke(attack, ["pings", "--server", "ws://192.0.2.1:8765"])
    assert done.exit_code == 1
    assert done.output.startswith("Error: 192.0.2.1 is 192.0.2.1, which is not this machine")
    assert done.output.count("\n") == 1


def test_namespaces_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {
        "list": '[{"name": "far", "id": 0}]',
        "address": '[{"ifname": "lo"}, {"addr_info": [{"local": "10.9.0.2"}, {"local": "fe80::1"}]}]',
    }
    monkeypatch.setattr("shutil.which", lambda name: "/sbin/ip")
    monkeypatch.setattr("tests.attack.target._told", lambda command: told[command[-1]])
    assert in_namespaces() == {"10.9.0.2", "fe80::1"}
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert in_namespaces() == set()
