"""Which server may be attacked: one on a loopback address, or in a network namespace of this machine. No other."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from client.lab.bench.machine import cpu_s

MANY = ip_network("127.0.0.0/8")
"""From any of its addresses a client may come to a server on another of them."""


class Refused(Exception):
    """This server is not to be attacked; the message says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where the server listens: a literal address, so that no name can lead elsewhere later."""

    host: str
    port: int
    pid: int | None = None
    """of the process that listens, where this one may know"""

    @property
    def has_many_sources(self) -> bool:
        return ip_address(self.host) in MANY

    def cpu_s(self) -> float:
        """Processor time so far, 0 where nobody can tell."""
        return cpu_s(self.pid) if self.pid is not None else 0.0


def resolved(name: str) -> list[str]:
    """All addresses of a name."""
    try:
        return sorted({str(info[4][0]) for info in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)})
    except OSError:
        raise Refused(f"{name} is no address and no name that resolves.") from None


def in_namespaces() -> set[str]:
    """The addresses in the network namespaces of this machine that `ip netns` knows."""
    ip = shutil.which("ip")
    if ip is None:
        return set()
    listed = _told([ip, "-json", "netns", "list"])
    names = [namespace["name"] for namespace in json.loads(listed or "[]")]
    links = [link for name in names for link in json.loads(_told([ip, "-json", "-n", name, "address"]) or "[]")]
    return {address["local"] for link in links for address in link.get("addr_info", ())}


def target(
    server: str,
    resolve: Callable[[str], list[str]] = resolved,
    own: Callable[[], set[str]] = in_namespaces,
) -> Target:
    """Of `ws://127.0.0.1:8765`, say. Raises Refused before any socket is opened."""
    try:
        parts = urlsplit(server if "//" in server else f"//{server}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or not port:
        raise Refused(f"{server} names no server: write it as ws://127.0.0.1:8765.")
    found = [host] if _is_literal(host) else resolve(host)
    foreign = [one for one in found if not ip_address(one).is_loopback]
    if foreign and not set(foreign) <= own():
        raise Refused(
            f"{host} is {foreign[0]}, which is not this machine: attacks go to 127.0.0.0/8, ::1 and the network "
            "namespaces of this machine only."
        )
    return Target(found[0], port, _listener(port))


def _is_literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _listener(port: int) -> int | None:
    """The process that listens, where this one may know. Raises Refused."""
    try:
        import psutil  # which no server of our own needs
    except ModuleNotFoundError:
        raise Refused(
            "To attack a server of yours takes psutil, which comes with what the tests need: `make attack` in the "
            "checkout installs that and attacks."
        ) from None
    try:
        connections = psutil.net_connections("tcp")
    except psutil.AccessDenied:
        return None
    listening = (
        one for one in connections if one.status == psutil.CONN_LISTEN and one.laddr and one.laddr.port == port
    )
    return next((one.pid for one in listening), None)


def _told(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
