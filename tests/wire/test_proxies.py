"""Behind the proxies of `deploy/`, as they are configured there, but for their port and certificate."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.live.server import ROOT, TIMEOUT_S, Server, eventually, free_port, open_client, serving

DEPLOY = ROOT / "deploy"


class Proxied:
    """A server as clients find it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"ws://127.0.0.1:{port}/ws"


@contextmanager
def running(*command: str, env: Mapping[str, str] = os.environ) -> Iterator[None]:
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(TIMEOUT_S)


@contextmanager
def caddy(folder: Path, server: Server) -> Iterator[Proxied]:
    proxied = Proxied(free_port())
    names = {"NOUGHTS_DOMAIN": f"http://127.0.0.1:{proxied.port}", "NOUGHTS_UPSTREAM": f"127.0.0.1:{server.port}"}
    file = folder / "Caddyfile"
    file.write_text("{\n\tadmin off\n}\n" + (DEPLOY / "Caddyfile").read_text())
    env = {**os.environ, "HOME": str(folder), **names}
    with running("caddy", "run", "--adapter", "caddyfile", "--config", str(file), env=env):
        yield proxied


@contextmanager
def nginx(folder: Path, server: Server) -> Iterator[Proxied]:
    proxied = Proxied(free_port())
    lines = (DEPLOY / "nginx.conf").read_text().replace("127.0.0.1:8765", f"127.0.0.1:{server.port}").splitlines()
    site = [line for line in lines if "ssl" not in line]
    site.insert(site.index("server {") + 1, f"listen 127.0.0.1:{proxied.port};")
    head = f"daemon off; pid {folder}/pid; events {{}} http {{ access_log off; client_body_temp_path {folder}/body;"
    (folder / "nginx.conf").write_text("\n".join((head, *site, "}", "")))
    with running("nginx", "-e", "stderr", "-c", str(folder / "nginx.conf")):
        yield proxied


PROXIES = {"caddy": caddy, "nginx": nginx}


@pytest.mark.parametrize("name", PROXIES)
async def test_a_game_is_played_and_addresses_are_the_clients(tmp_path: Path, name: str) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    with serving(tmp_path, "--trusted-proxy", "--address-players", "1") as server:
        with PROXIES[name](tmp_path, server) as proxied:
            await eventually(lambda: _answers(proxied.port), "the proxy listens")
            client = await open_client(proxied, origin=f"http://127.0.0.1:{proxied.port}")  # as a page does
            await client.hello()
            room = (await client.room("create", game="tictactoe", opponent={"kind": "self"}))["room"]
            await client.ack("move", room=room, game=1, ply=0, move="b2")
            await client.close()
            other = await open_client(proxied)
            await other.error("too_fast", "hello", v=1)
            await other.close()
        assert server.stop() == 0
        assert "address_players" in server.log.read_text(), "of the client, whom the proxy names"


def _answers(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0
