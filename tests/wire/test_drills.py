"""What an operator rehearses: a backup is restored, and an upgrade is taken back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from server.db.migrate import Migration, migrations, prepare
from tests.support.live.server import UNLIMITED, player, players, seated_pair, serving

FLAGS = (*UNLIMITED, "--pace-ms", "0")


def told(*arguments: str) -> str:
    """What the command says, on stdout or as an error."""
    done = subprocess.run([sys.executable, "-m", "client", *arguments], capture_output=True, text=True)
    return done.stdout + done.stderr


def put_in_place(backup: Path) -> None:
    """Instead of the database beside it and all that belongs to that."""
    for file in backup.parent.glob("noughts.db*"):
        if file != backup:
            file.unlink()
    backup.rename(backup.with_name("noughts.db"))


async def test_a_backup_made_while_people_play_serves_them(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with serving(tmp_path, *FLAGS) as server:
        async with players(server, "Anna", "Bert") as (a, b):
            room = (await seated_pair(a, b))["room"]
            await a.ack("move", room=room, game=1, ply=0, move="b2")
            assert told("db", "backup", "--db", str(tmp_path / "noughts.db"), "--out", str(copy)).startswith(
                "Backed up"
            )
            await b.ack("move", room=room, game=1, ply=1, move="a1")
            tokens = a.token, b.token
            server.kill()
    put_in_place(copy)
    with serving(tmp_path, *FLAGS) as server:
        async with player(server, token=tokens[0]) as a, player(server, token=tokens[1]) as b:
            assert a.rooms == b.rooms == [room]
            assert (await b.room("watch", room=room))["game"]["moves"] == ["b2"]
            await b.ack("move", room=room, game=1, ply=1, move="c3")


async def test_the_backup_of_an_upgrade_serves_the_release_before(tmp_path: Path) -> None:
    """The next release is this one with a migration more."""
    db = tmp_path / "noughts.db"
    with serving(tmp_path, *FLAGS) as server:
        async with players(server, "Anna", "Bert") as (a, b):
            room = (await seated_pair(a, b))["room"]
            await a.ack("move", room=room, game=1, ply=0, move="b2")
            token = a.token
            assert server.stop() == 0
    known = migrations()
    version = known[-1].version + 1
    prepare(db, known=[*known, Migration(version, "next", "CREATE TABLE later (id INTEGER) STRICT;\n")])
    assert "written by a newer noughts" in told("db", "check", "--db", str(db))
    put_in_place(tmp_path / f"noughts.db.{version - 1}.backup")
    with serving(tmp_path, *FLAGS) as server:
        async with player(server, token=token) as a:
            assert (await a.room("watch", room=room))["game"]["moves"] == ["b2"]
