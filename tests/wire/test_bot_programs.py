"""The programs of docs/bots.md that need a server: the service, and bots without our SDK, run as they are written."""

from __future__ import annotations

import asyncio
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.live.http import http_get
from tests.support.live.server import COMMAND, ROOT, TIMEOUT_S, Client, Server, environment, player, serving
from tests.support.page.node import NODE

DOCUMENT = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")


def program(after: str, language: str) -> str:
    """The first one in this language after these words."""
    found = re.search(rf"```{language}\n(.*?)```", DOCUMENT[DOCUMENT.index(after) :], re.DOTALL)
    assert found is not None
    return found[1]


async def ran(server: Server, *command: str) -> str:
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT)
    out, _ = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
    assert process.returncode == 0, out.decode()
    return out.decode()


RESULT = re.compile(r"((x|o) line|(None|null) board_full)\n")


@pytest.mark.parametrize(("language", "program_of"), [("python", (sys.executable, "-c")), ("javascript", (NODE, "-e"))])
async def test_a_bot_without_our_sdk_plays_to_the_end(
    tmp_path: Path, language: str, program_of: tuple[str, str]
) -> None:
    with serving(tmp_path) as server:
        code = program("## Without the SDK", language).replace("127.0.0.1:8765", f"127.0.0.1:{server.port}")
        assert RESULT.fullmatch(await ran(server, *program_of, code))


@contextmanager
def service(folder: Path) -> Iterator[str]:
    """Runs the bot of `coin.toml`; answers its player id."""
    command = (*COMMAND, "bot", "serve", str(folder / "coin.toml"))
    with (folder / "bot.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert "plays at" in line, (folder / "bot.log").read_text()
            yield line.split()[-1].rstrip(".")
        finally:
            process.terminate()
            process.wait(TIMEOUT_S)
            process.stdout.close()  # type: ignore[union-attr]


async def test_a_bot_that_a_person_made_is_served_by_its_token(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        file = program("## A bot as a service", "toml").replace("127.0.0.1:8765", f"127.0.0.1:{server.port}")
        (tmp_path / "coin.toml").write_text(file)
        (tmp_path / "coin.py").write_text(program("`coin.py`:", "python"))
        async with player(server, "Anna") as anna:
            _, made = await http_get(server, "/api/players/me/bots?name=coin", anna.token, method="POST")
            (tmp_path / "coin.token").write_text(made["token"])
            with service(tmp_path) as served:
                assert served == made["bot"]["id"]
                await challenge(anna, served)


async def challenge(client: Client, bot: str) -> None:
    """Play the bot to the end, resigning after a move."""
    against = {"kind": "player", "player": bot}
    room = (await client.room("create", game="tictactoe", seat="x", opponent=against))["room"]
    await client.event("started", room=room)
    await client.ack("move", room=room, game=1, ply=0, move="b2")
    await client.event("moved", room=room, ply=1)
    await client.ack("act", room=room, game=1, action="resign")


async def test_the_documented_service_plays_and_is_the_same_bot_again(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        file = program("## A bot as a service", "toml").replace("127.0.0.1:8765", f"127.0.0.1:{server.port}")
        (tmp_path / "coin.toml").write_text(file)
        (tmp_path / "coin.py").write_text(program("`coin.py`:", "python"))
        async with player(server, "Anna") as anna:
            with service(tmp_path) as first:
                await challenge(anna, first)
                await challenge(anna, first)
            assert stat.S_IMODE((tmp_path / "coin.token").stat().st_mode) == 0o600
            with service(tmp_path) as second:
                assert second == first
                await challenge(anna, second)
