"""One process of a ladder: alone with its database, ended in order by a signal, and what it prints last."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import click
import pytest

from server.console.exits import INTERRUPTED
from server.console.interrupts import Handler, handled
from server.db.lock import claim, ladder_suffix
from server.ladder import process, run
from server.ladder.config import parse
from server.ladder.run import Bounds, LadderRun
from server.ladder.screen import Lines
from server.ladder.store import LadderStore
from server.workers.arena import Chunk
from tests.support.database.database_files import execute
from tests.support.ladder.config import LIST
from tests.support.schemas import checked
from tests.support.workers.fake_arenas import AtOnce


def test_what_a_terminal_sends_suspends_it_or_ends_it_in_order() -> None:
    stopped: list[str] = []
    playing = cast(LadderRun, SimpleNamespace(stop=stopped.append, suspend=lambda _: stopped.append("suspended")))
    # Whatever the tests run under.
    heard: dict[int, Handler] = dict.fromkeys((signal.SIGHUP, signal.SIGTSTP), signal.SIG_DFL)
    with handled(heard), process._stopped_by_signals(playing, Lines()):
        signal.raise_signal(signal.SIGTSTP)
        assert signal.getsignal(signal.SIGHUP) not in (signal.SIG_DFL, signal.SIG_IGN)
        signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGHUP)
    assert stopped == ["suspended", "interrupted"]


SUSPENDED = """
import signal
from types import SimpleNamespace
from server.ladder import process, screen

playing = SimpleNamespace(suspend=lambda stand_still: stand_still())
with process._stopped_by_signals(playing, screen.Lines()):
    signal.raise_signal(signal.SIGTSTP)
    assert signal.getsignal(signal.SIGTSTP) is not signal.SIG_DFL
print("goes on")
"""


def test_what_no_shell_could_continue_is_not_suspended() -> None:
    """As the first process of a session, which `ssh HOST COMMAND` and tmux make."""
    command = [sys.executable, "-c", SUSPENDED]
    done = subprocess.run(command, start_new_session=True, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "goes on\n"


def test_where_it_is_ignored_nothing_is_suspended() -> None:
    ignored: dict[int, Handler] = {signal.SIGTSTP: signal.SIG_IGN}
    with handled(ignored), process._stopped_by_signals(cast(LadderRun, None), Lines()):
        assert signal.getsignal(signal.SIGTSTP) == signal.SIG_IGN


# Games that are played at once, in this process


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "Arena", AtOnce)


def play(path: Path, ladder: str = LIST, games: int | None = 2, *, as_json: bool = False) -> int:
    return process.play(
        parse(ladder), path, Bounds(games=games), jobs=1, cluster=None, nice=0, as_json=as_json, held_from_stdin=False
    )


def test_it_prints_standings_last_or_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = tmp_path / "night.db"
    assert play(db) == 0
    out, err = capsys.readouterr()
    assert out.startswith("tictactoe: 2 games, ")
    assert out.count("\n") == 4, "with a head, and when it will be settled"
    assert "The ladder stopped: 2 games have been played. It recorded 2 games." in err
    assert play(db, as_json=True) == 0
    told = checked("ladder run", capsys.readouterr().out)
    [one] = told.pop("lists")
    assert told == {"ladder": "night", "database": str(db), "stopped": "2 games have been played", "games": 2}
    assert (one["games"], [row["place"] for row in one["standings"]]) == (4, [1, 2])


def test_two_of_one_ladder_do_not_play_into_one_database(tmp_path: Path) -> None:
    db = tmp_path / "night.db"
    taken = rf"^The ladder night is already using {db}: stop it, or give this one another name\.$"
    with claim(db, ladder_suffix("night"), ""):
        with pytest.raises(click.ClickException, match=taken):
            play(db)
        assert play(db, LIST.replace("night", "day")) == 0
    assert play(db) == 0
    assert execute(db, "SELECT count(*) FROM games") == [(4,)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    db = tmp_path / "night.db"
    begin = AtOnce.begin

    def interrupted(arena: AtOnce, chunk: Chunk) -> None:
        begin(arena, chunk)
        signal.raise_signal(number)

    monkeypatch.setattr(AtOnce, "begin", interrupted)
    with handled({signal.SIGHUP: signal.SIG_DFL}):  # whatever the tests run under
        assert play(db, games=None) == INTERRUPTED
    out, err = capsys.readouterr()
    assert "Ending in order; a second Ctrl-C ends it at once." in err
    [(games,)] = execute(db, "SELECT count(*) FROM games")
    assert f"The ladder stopped: interrupted. It recorded {games} games." in err
    assert out.startswith(f"tictactoe: {games} games, ")


def test_an_interrupt_is_obeyed_until_all_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a shell has it ignored, as it does for what it starts in the background."""
    obeyed: list[bool] = []
    close = LadderStore.close

    def closing(store: LadderStore) -> None:
        obeyed.append(signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None))
        close(store)

    monkeypatch.setattr(LadderStore, "close", closing)
    with handled({signal.SIGINT: signal.SIG_IGN}):
        assert play(tmp_path / "night.db") == 0
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    assert obeyed == [True]
