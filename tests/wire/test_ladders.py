"""`noughts ladder run` as a process: killed, interrupted, held, beside a server, with bots that fail."""

from __future__ import annotations

import os
import pty
import re
import resource
import signal
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import psutil
import pytest

from server.db import migrate
from tests.support.database.database_files import execute
from tests.support.ladder.process import count, done, games, running
from tests.support.live.server import UNLIMITED, players, seated_pair, serving

BOTS = ("random", "alphabeta:1", "faulty:nothing", "alphabeta:2", "faulty:nothing,50")


def written(folder: Path, text: str, name: str = "night") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(f'name = "{name}"\n{text}')
    return path


def finite(folder: Path, bots: int) -> Path:
    """Some hundred games of so many bots, until they have met in every opening; always the same ones."""
    names = ", ".join(f'"{name}"' for name in BOTS[:bots])
    return written(
        folder,
        f'[[lists]]\ngame = "tictactoe"\npairs = 1000\nopening_plies = {4 if bots == 2 else 3}\nbots = [{names}]\n'
        f'[[lists]]\ngame = "mnk:4,4,3"\npairs = 50\nbots = [{names}]\n',
    )


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    text = 'repeat_openings = true\npairs = 10000\nbots = ["random", "faulty:nothing"]\n'
    return written(tmp_path, f'[[lists]]\ngame = "tictactoe"\n{text}', "endless")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "noughts.db"


# Killed and gone on with


def killed_and_gone_on_with(tmp_path: Path, bots: int, kills: int) -> None:
    config, whole, broken = finite(tmp_path, bots), tmp_path / "whole.db", tmp_path / "broken.db"
    status, out, said = done(config, whole, "--jobs", "2")
    assert (status, out.count("complete (every pair of bots has met in every opening)")) == (0, 2), said
    wanted = games(whole)
    random = Random(bots)
    for _ in range(kills):
        with running(config, broken, "--jobs", "2") as ladder:
            if random.random() < 0.3:
                ladder.wait_until(lambda ladder=ladder: ladder.workers() or ladder.ended, "a worker")  # type: ignore[misc]
            else:
                more = count(broken) + random.choice((1, 5, 50, 200))
                ladder.wait_until(lambda ladder=ladder, more=more: count(broken) >= more or ladder.ended, "games")  # type: ignore[misc]
        others = set(games(broken)) - set(wanted)
        instead = [game for game in wanted if game[:2] in {other[:2] for other in others}]
        assert not others, f"{others} instead of {instead}"
    status, _, said = done(config, broken, "--jobs", "1")
    assert status == 0, said
    assert games(broken) == wanted
    assert migrate.check(broken)
    assert execute(broken, "SELECT count(*) FROM ladder_live") == [(0,)]


@pytest.mark.slow
def test_killed_anywhere_it_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    killed_and_gone_on_with(tmp_path, 3, kills=2)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("bots", [2, 3, 5])
def test_killed_often_it_goes_on_as_if_it_had_not_been(tmp_path: Path, bots: int) -> None:
    killed_and_gone_on_with(tmp_path, bots, kills=12)


def test_with_bounds_and_other_numbers_of_workers_the_games_are_the_same(tmp_path: Path, endless: Path) -> None:
    whole, parts = tmp_path / "whole.db", tmp_path / "parts.db"
    status, _, said = done(endless, whole, "--games", "301", "--jobs", "2")
    assert (status, count(whole)) == (0, 302)
    assert "302 games have been played. It recorded 302 games." in said
    assert done(endless, parts, "--games", "31", "--jobs", "1")[0] == 0
    status, _, said = done(endless, parts, "--hours", "0.0001", "--jobs", "3")
    assert (status, "The ladder stopped: 0.0001 h have passed. " in said) == (0, True)
    wanted = games(whole)
    pairs = {game[:2] for game in wanted}
    both = [game for game in games(parts) if game[:2] in pairs]  # the end of the time drops pairs that are half played
    assert len(both) > 31
    assert set(both) <= set(wanted)


# Ended


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_interrupted_it_ends_in_order(endless: Path, db: Path, number: int) -> None:
    with running(endless, db, "--jobs", "1") as ladder:
        ladder.until_games(2)
        status, out, said = ladder.interrupt(number)
    assert status == 130
    [recorded] = re.findall(r"The ladder stopped: interrupted\. It recorded ([\d,]+) games\.\n", said)
    assert "Traceback" not in said
    assert int(recorded.replace(",", "")) == len(games(db))
    assert out.startswith(f"tictactoe: {recorded} games, ")


def test_a_second_interrupt_ends_it_at_once(endless: Path, db: Path) -> None:
    # As a shell has it for what it starts in the background.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with running(endless, db, "--jobs", "1") as ladder, closing(sqlite3.connect(db, isolation_level=None)) as other:
        signal.signal(signal.SIGINT, before)
        ladder.until_games(2)
        other.execute("BEGIN IMMEDIATE")  # the end waits for this
        ladder.process.send_signal(signal.SIGINT)
        ladder.until_said("a second Ctrl-C ends it at once")
        status, _, said = ladder.interrupt()
        other.execute("ROLLBACK")
    assert status == 130, said
    assert "Traceback" not in said


@pytest.mark.parametrize("held", [pytest.param(False, marks=pytest.mark.slow), True])
def test_killed_it_leaves_no_process_behind(tmp_path: Path, db: Path, held: bool) -> None:
    """Not even those that search, and those that stand still while they do."""
    text = '[[lists]]\ngame = "tictactoe"\nlimit = "move_ms=100000"\nbots = ["random", "faulty:flag"]\n'
    config = written(tmp_path, text)
    with running(config, db, "--jobs", "1", "--held-from-stdin", stdin=subprocess.PIPE) as ladder:
        ladder.wait_until(lambda: [1 for worker in ladder.workers() if worker.cpu_times().user > 0.6], "a search")
        if held:
            ladder.tell("hold")
            ladder.wait_until(lambda: rests(ladder.workers()), "a search that stands still")
        ladder.kill()


# Held


def rests(workers: list[psutil.Process]) -> bool:
    """Whether one of them needs next to no time: a search that is held reads its clock and waits."""
    before = [worker.cpu_times().user for worker in workers]
    psutil.cpu_percent(0.3)
    return any(worker.cpu_times().user - was < 0.05 for worker, was in zip(workers, before, strict=True))


def test_held_it_stands_still_and_goes_on(endless: Path, db: Path) -> None:
    with running(endless, db, "--jobs", "1", "--held-from-stdin", stdin=subprocess.PIPE) as ladder:
        ladder.until_games(2)
        ladder.tell("hold")
        # Twice: on a busy machine a worker may go without a processor for a moment.
        ladder.wait_until(lambda: rests(ladder.workers()) and rests(ladder.workers()), "rest")
        held = count(db)
        assert rests(ladder.workers())
        assert count(db) - held <= 400  # what was played and not yet written
        held = count(db)
        ladder.tell("go")
        ladder.until_games(held + 2)
        assert ladder.process.stdin is not None
        ladder.process.stdin.close()
        ladder.process.stdin = None
        status, _, said = ladder.end()
    assert status == 0
    assert "The ladder stopped: the server has ended." in said


def test_it_ends_by_itself_while_its_stdin_is_open(endless: Path, db: Path) -> None:
    with running(endless, db, "--games", "2", "--jobs", "1", "--held-from-stdin", stdin=subprocess.PIPE) as ladder:
        ladder.wait_until(lambda: ladder.ended, "its end")
        assert ladder.process.returncode == 0, ladder.rest()


# Others


async def test_a_server_works_on_the_same_records(endless: Path, tmp_path: Path, db: Path) -> None:
    with serving(tmp_path, *UNLIMITED) as server, running(endless, db, "--jobs", "1") as ladder:
        assert server.db == db
        ladder.until_games(2)
        async with players(server, "Xenia", "Otto") as (x, o):
            for _ in range(3):
                before = count(db)
                room = (await seated_pair(x, o))["room"]
                for ply, (client, move) in enumerate([(x, "a1"), (o, "b2"), (x, "a2"), (o, "c3"), (x, "a3")]):
                    await client.ack("move", room=room, game=1, ply=ply, move=move)
                ladder.until_games(before + 2)
        status, _, said = ladder.interrupt()
    assert status == 130, said
    assert execute(db, "SELECT count(*) FROM games WHERE source = 'room' AND termination = 'line'") == [(3,)]
    assert games(db)
    assert migrate.check(db)


def test_a_worker_killed_from_outside_costs_its_game_only(endless: Path, db: Path) -> None:
    whole = db.with_name("whole.db")
    assert done(endless, whole, "--jobs", "1", "--games", "600")[0] == 0
    with running(endless, db, "--jobs", "1", "--games", "600") as ladder:
        ladder.until_games(2)
        for worker in ladder.workers():
            worker.kill()
        status, _, said = ladder.end()
    assert status == 0, said
    there, wanted = games(db), games(whole)
    assert len(there) == len(wanted) == 600
    lost = [game for game, other in zip(there, wanted, strict=True) if game != other]
    assert len(lost) == said.count("died with exit status -9") <= 1
    assert all(game[6] in ("crash", "aborted") for game in lost)


@pytest.mark.slow
def test_each_fault_has_its_termination_and_retires_its_bot(tmp_path: Path, db: Path) -> None:
    faulty = ("crash", "die", "stall", "illegal")
    names = ", ".join(f'"faulty:{fault}"' for fault in faulty)
    config = written(
        tmp_path,
        f'[[lists]]\nname = "nodes"\ngame = "tictactoe"\nlimit = "nodes=20"\nstall_ms = 1500\nopening_plies = 2\n'
        f'bots = ["random", "faulty:nothing", {names}]\n'
        '[[lists]]\nname = "time"\ngame = "tictactoe"\nlimit = "move_ms=20"\npairs = 1\n'
        'bots = ["faulty:nothing", "faulty:flag,100"]\n',
    )
    with running(config, db, "--jobs", "2") as ladder:
        for fault in faulty:
            ladder.until_said(f"nodes: faulty:{fault},100 is retired: more than 10% of its games ended through its own")
        ladder.wait_until(
            lambda: (
                execute(db, "SELECT 1 FROM games WHERE run_id LIKE '%/time/%'")
                and execute(db, "SELECT pair_id FROM games WHERE run_id LIKE '%/nodes/%' AND pair_id > 15")
            ),
            "flags, and games of the others after the first round",
        )
        ladder.interrupt()
    told = execute(
        db,
        "SELECT p.name, g.termination, sentence FROM faults JOIN games g ON g.id = game_id "
        "JOIN players p ON p.id = player_id",
    )
    by_bot = {name: {termination for one, termination, _ in told if one == name} for name, _, _ in told}
    assert by_bot == {
        "faulty:crash,100": {"crash"},
        "faulty:die,100": {"crash"},
        "faulty:stall,100": {"stall"},
        "faulty:illegal,100": {"illegal_move"},
        "faulty:flag,100": {"flag"},
    }
    for name, _, sentence in told:
        assert sentence.startswith(f"{name} (")
    for text in (
        "a crash on command",
        "died with exit status -11",
        "did not answer in time",
        "illegal move",
        "of its 20",
    ):
        assert any(text in sentence for _, _, sentence in told), text
    # Nobody else lost a game in such a way, and nobody retired plays after the round in which it was.
    lost = execute(db, "SELECT count(*) FROM games WHERE termination IN ('crash', 'stall', 'illegal_move', 'flag')")
    assert lost == [(len(told),)]
    later = execute(db, "SELECT DISTINCT x FROM v_games WHERE list = 'nodes' AND pair_id >= 15")
    assert {name for (name,) in later} == {"random", "faulty:nothing,100"}


# The disk


@pytest.mark.slow
def test_on_a_full_disk_it_stops_and_later_goes_on(endless: Path, db: Path) -> None:
    assert done(endless, db, "--games", "200", "--jobs", "1")[0] == 0
    with running(endless, db, "--jobs", "1") as ladder:
        ladder.until_games(202)
        largest = max(file.stat().st_size for file in db.parent.glob("noughts.db*"))
        process = psutil.Process(ladder.process.pid)
        process.rlimit(psutil.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
        ladder.wait_until(lambda: ladder.ended, "its end")
        status, out, said = ladder.end()
    assert (status, out) == (1, "")
    assert said.splitlines()[-1].startswith(f"noughts: {db} cannot grow (")
    assert "disk is probably full; make room and run the same command again: it resumes after the" in said
    assert "Traceback" not in said
    recorded = games(db)
    status, _, said = done(endless, db, "--games", "200", "--jobs", "1")
    assert (status, len(games(db))) == (0, len(recorded) + 200)
    assert games(db)[: len(recorded)] == recorded
    assert migrate.check(db)


@pytest.mark.slow
def test_records_that_are_removed_are_noticed(endless: Path, db: Path) -> None:
    with running(endless, db, "--jobs", "1") as ladder:
        ladder.until_games(2)
        db.rename(db.with_name("moved.db"))
        ladder.wait_until(lambda: ladder.ended, "its end")
        status, _, said = ladder.end()
    assert status == 1
    assert said.splitlines()[-1].startswith(
        f"noughts: {db} was moved, deleted or replaced while the ladder was running; "
    )
    db.with_name("moved.db").rename(db)
    before = count(db)
    assert before
    assert done(endless, db, "--games", "2", "--jobs", "1")[0] == 0
    assert count(db) == before + 2


# On a terminal


def test_tables_on_a_terminal(endless: Path, db: Path) -> None:
    screen, stderr = pty.openpty()
    with running(endless, db, "--jobs", "1", stderr=stderr) as ladder:
        os.close(stderr)
        ladder.read_from(screen)
        ladder.until_said("random")
        ladder.until_said("stronger than next")
        ladder.process.send_signal(signal.SIGINT)
        ladder.until_said("The ladder stopped: interrupted.")
        ladder.wait_until(lambda: ladder.ended, "its end")
        assert ladder.process.returncode == 130
        assert "Traceback" not in ladder.said


def test_the_last_standings_stay_on_a_terminal(endless: Path, db: Path) -> None:
    screen, terminal = pty.openpty()
    with running(endless, db, "--jobs", "1", "--games", "20", stdout=terminal, stderr=terminal) as ladder:
        os.close(terminal)
        ladder.read_from(screen)
        ladder.until_said("The ladder stopped")
        ladder.until_said("moving first is worth")
        with suppress(OSError):  # Linux's word for the end of a terminal
            while data := os.read(screen, 65536):
                ladder.said += data.decode(errors="replace")
        standings = ladder.said.index("20 games, ", ladder.said.rindex("The ladder stopped"))
        assert "\x1b[2K" not in ladder.said[standings:]
