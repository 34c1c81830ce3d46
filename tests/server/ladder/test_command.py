"""`noughts ladder`: what it takes, what it refuses, and when `--until` is."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import click
import pytest

from client.cli import main as cli
from server.ladder.command import until
from server.ladder.config_file import EXAMPLES
from tests.support.foreign_engines.scripts import toml
from tests.support.ladder.config import LIST
from tests.support.schemas import checked


def run(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = cli._status(["ladder", *map(str, arguments)])
    shown = capfd.readouterr()
    return status, shown.out, shown.err


def test_help_names_every_example(capfd: pytest.CaptureFixture[str]) -> None:
    for command in ("check", "run"):
        out = run(capfd, command, "--help")[1]
        assert all(example.stem in out for example in EXAMPLES.glob("*.toml"))


def test_what_a_mode_plays_first(config: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config.write_text(LIST + 'mode = "sprt"\nsprt = "0,10"\n')
    assert "openings of 2 plies, SPRT that begins with a round of 4 games" in run(capfd, "check", config)[1]
    assert json.loads(run(capfd, "check", config, "--json")[1])["lists"][0]["mode"] == "sprt"


def test_engines_of_others_play_and_their_faults_are_recorded(
    config: Path, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    config.write_text(f'engines = "engines.toml"\n{LIST}'.replace("level:1", 'calm", "rash'))
    (tmp_path / "engines.toml").write_text(toml("good", "calm") + toml("illegal", "rash"))
    assert run(capfd, "check", config)[1].startswith("tictactoe: tictactoe, 3 bots, ")
    db = tmp_path / "night.db"
    status, out, _ = run(capfd, "run", config, "--db", db, "--jobs", "1", "--games", "6", "--json")
    assert status == 0
    assert json.loads(out)["games"] == 6
    with closing(sqlite3.connect(db)) as connection:
        ends = connection.execute("SELECT termination FROM games").fetchall()
        faults = connection.execute("SELECT p.name, f.sentence FROM faults f JOIN players p ON p.id = f.player_id")
        lost = faults.fetchall()
    assert len(ends) == 6
    assert len(lost) == ends.count(("illegal_move",)) == 4
    assert {name for name, _ in lost} == {"rash"}
    assert all(re.fullmatch(r"rash \([XO]\) played '..': .. is taken by [XO]\.", sentence) for _, sentence in lost)


def test_a_configuration_may_say_until_when(config: Path, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    config.write_text('until = "2020-01-01T07:00"\n' + LIST)
    status, _, err = run(capfd, "run", config, "--db", tmp_path / "n.db")
    assert (status, "'2020-01-01T07:00' is in the past" in err) == (2, True)
    status, out, err = run(capfd, "check", config)
    assert (status, out.startswith("tictactoe: "), "'2020-01-01T07:00' is in the past" in err) == (0, True, True)
    status, _, err = run(capfd, "run", config, "--db", tmp_path / "n.db", "--held-from-stdin")
    assert (status, "'2020-01-01T07:00' is in the past" in err) == (0, True), "a server's ladder has ended"


# --until


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In the night to 29 March 2026 the clock goes from 2 to 3, in that to 25 October from 3 back to 2."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


def local(text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(fold=fold).astimezone()


@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize(
    ("now", "text", "minutes"),
    [
        ("2026-11-21T06:59", "07:00", 1),
        ("2026-11-21T07:00", "07:00", 24 * 60),
        ("2026-11-21T07:01", "7:00", 24 * 60 - 1),
        ("2026-11-21T23:00", "2026-11-22T07:00", 8 * 60),
        ("2026-11-21T23:00", "2026-11-22", 60),
        ("2026-11-21T23:00", "2026-11-22T07:00+00:00", 9 * 60),
        ("2026-12-31T23:00", "07:00", 8 * 60),
        ("2026-10-24T23:00", "07:00", 9 * 60),
        ("2026-03-28T23:00", "07:00", 7 * 60),
        ("2026-10-24T23:00", "2026-10-25T07:00", 9 * 60),
        ("2026-10-25T01:50", "02:50", 60),
        ("2026-10-25T02:40", "02:50", 10),
        ("2026-10-25T02:50", "02:10", 20),
        ("2026-10-25T02:50", "02:50", 60),
        ("2026-03-29T03:10", "02:30", 23 * 60 + 20),
        ("2026-03-29T01:00", "02:30", 90),
        ("2026-03-29T01:50", "02:30", 40),
        ("2026-03-29T01:00", "03:00", 60),
    ],
)
def test_until(now: str, text: str, minutes: int) -> None:
    assert until(text, local(now)) == local(now).timestamp() + 60 * minutes


@pytest.mark.usefixtures("berlin")
def test_until_in_the_hour_that_comes_a_second_time() -> None:
    now = local("2026-10-25T02:40", fold=1)
    assert until("02:50", now) == now.timestamp() + 600
    assert until("02:30", now) == local("2026-10-26T02:30").timestamp()


@pytest.mark.parametrize("text", ["2026-11-21T06:59", "2026-11-20", "1999-12-31T23:59"])
def test_until_a_date_that_is_past(text: str) -> None:
    with pytest.raises(click.UsageError, match=rf"^'{text}' is in the past: give a future time, or only a time of day"):
        until(text, local("2026-11-21T06:59"))


# What is wrong


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--until", "1999-01-01T07:00"), "'1999-01-01T07:00' is in the past: give a future time"),
        (("--until", "soon"), "'soon' is not a time: write --until 07:00"),
        (("--hours", "0"), "'--hours': 0.0 is not in the range"),
        (("--hours", "-1"), "'--hours': -1.0 is not in the range"),
        (("--hours", "nan"), "'--hours': nan is not a finite number"),
        (("--hours", "inf"), "'--hours': inf is not in the range"),
        (("--games", "0"), "'--games': 0 is not in the range"),
        (("--jobs", "0"), "'--jobs': 0 is not in the range"),
        (("--jobs", "9999"), "'--jobs': 9999 is not in the range"),
        (("--nice", "20"), "'--nice': 20 is not in the range"),
        (("--db", "."), ". is a folder: name a database file in it."),
        (("--db", "/"), "name a database file"),
        (("--db", "/nowhere/noughts.db"), "The folder /nowhere for the database noughts.db does not exist"),
        (("--db", "n" * 300), "cannot be the name of a database"),
        (("--nights", "3"), "No such option"),
    ],
)
def test_what_the_user_got_wrong(
    capfd: pytest.CaptureFixture[str],
    config: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capfd, "run", config, *arguments)
    assert (status, out) == (1 if "--db" in arguments else 2, "")
    assert sentence in err
    assert err.startswith("noughts: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"name = ", "This is not valid TOML"),
        (b"\xff\xfe", "is not text in UTF-8."),
        (LIST.replace("level:1", "nobody").encode(), "List tictactoe: There is no bot 'nobody': `noughts bots`"),
        (LIST.replace("level:1", "faulty:crash").encode(), "There is no bot 'faulty:crash'"),
        (LIST.replace("tictactoe", "chess").encode(), "There is no game 'chess': write one of"),
        (LIST.replace('"random", "level:1"', "").encode(), "lists[0].bots must be 2 to 100 bots"),
        (LIST.encode() + b'limit = "soon"', 'lists[0].limit must be "move_ms=100"'),
        (LIST.replace("level:1", "osipa-tree").encode() + b'limit = "nodes=5"', "takes a limit of time"),
    ],
)
@pytest.mark.parametrize("command", ["run", "check"])
def test_a_configuration_that_is_wrong(
    capfd: pytest.CaptureFixture[str], config: Path, command: str, content: bytes, sentence: str
) -> None:
    config.write_bytes(content)
    status, out, err = run(capfd, command, config)
    assert (status, out) == (2, "")
    assert err.startswith(f"noughts: {config}")
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["run", "check"])
def test_a_configuration_that_cannot_be_read(capfd: pytest.CaptureFixture[str], tmp_path: Path, command: str) -> None:
    status, _, err = run(capfd, command, tmp_path / "nothing.toml")
    assert status == 2
    hint = f"(noughts ladder {command} --help)\n"
    assert err == f"noughts: {tmp_path / 'nothing.toml'} cannot be read: No such file or directory. {hint}"
    assert run(capfd, command, tmp_path)[2].endswith(f" cannot be read: Is a directory. {hint}")
    assert run(capfd, command)[2] == f"noughts: Missing argument 'CONFIG'. (noughts ladder {command} --help)\n"


def test_records_of_another_kind(capfd: pytest.CaptureFixture[str], config: Path, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("Not a database, and long enough to be looked at as one.\n" * 99)
    status, out, err = run(capfd, "run", config, "--db", tmp_path / "text.db")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "is not a SQLite database: name another file" in err


def test_records_nobody_may_write(capfd: pytest.CaptureFixture[str], config: Path, tmp_path: Path) -> None:
    status, _, err = run(capfd, "run", config, "--db", "/proc/noughts.db")
    assert (status, err.count("\n")) == (1, 1)
    assert "/proc/noughts.db cannot be opened: give this user read and write access" in err


# What is said without playing


def test_check_says_what_is_asked_for(capfd: pytest.CaptureFixture[str], config: Path) -> None:
    config.write_text(
        LIST + '[[lists]]\nname = "fast"\ngame = "qubic"\nlimit = "nodes=7"\nopening_plies = 3\n'
        'bots = ["random", "level:1", "level:2"]\n'
    )
    assert run(capfd, "check", config) == (
        0,
        "tictactoe: tictactoe, 2 bots, own limits, 12 openings of 2 plies, round robin of 4 games\n"
        "fast: qubic, 3 bots, nodes=7, many openings of 3 plies, round robin of 12 games\n",
        "",
    )


@pytest.mark.parametrize(
    ("setting", "told"),
    [("opening_plies = 1", "3 openings of 1 ply"), ("opening_plies = 0", "1 opening of 0 plies"),
     ('openings = "book.txt"', "1 opening of a file")],
)  # fmt: skip
def test_check_counts_openings(capfd: pytest.CaptureFixture[str], config: Path, setting: str, told: str) -> None:
    (config.parent / "book.txt").write_text("a1\n")
    config.write_text(LIST + setting + "\n")
    assert f"own limits, {told}, round robin" in run(capfd, "check", config)[1]


def test_check_as_json(capfd: pytest.CaptureFixture[str], config: Path) -> None:
    status, out, err = run(capfd, "check", config, "--json")
    assert (status, err) == (0, "")
    told = checked("ladder check", out)
    assert (told["ladder"], told["file"]) == ("night", str(config))
    [one] = told["lists"]
    assert one.pop("run").startswith("night/tictactoe/")
    assert one == {
        "list": "tictactoe", "game": "tictactoe", "limit": None, "bots": ["random", "level:1"], "opening_plies": 2,
        "openings": 12, "mode": "round-robin", "games": 4,
    }  # fmt: skip


def test_help(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capfd, "--help")
    assert status == 0
    for word in ("run", "check"):
        assert f"\n  {word} " in out
    status, out, _ = run(capfd, "run", "--help")
    assert status == 0
    for word in ("CONFIG", "--db", "--until", "--hours", "--games", "--jobs", "--nice", "resumes", "Ctrl-C"):
        assert word in out
    assert "stdin" not in out
