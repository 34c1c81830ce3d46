"""`noughts match`: its figures, its files, its errors, and bots that make no moves."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from client.cli import main as cli
from client.lab.match.command import GIVEN_UP, Absences, Recorder, Tally, _play, recording, warn_of_slow
from client.lab.match.sprt import SprtResult
from engine.bots import match
from engine.bots.match import Played, tasks
from engine.bots.player import NO_LIMIT
from engine.bots.roster import bot
from engine.record.model import GameRecord
from engine.rules.position import other
from engine.rules.registry import rules
from engine.stats.sprt import Sprt
from server.console.interrupts import handled
from server.console.progress import progress
from tests.support.engine.record_reader import from_json_line, from_text
from tests.support.foreign_engines.scripts import ARENAS, arenas_toml, toml
from tests.support.lab.interrupts import assert_tells_what_was_played
from tests.support.lab.matches import PAIRING, timed


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, nobody is told that the first game takes long."""
    monkeypatch.setattr("client.lab.match.command.PATIENCE_S", 600)


def run(capfd: pytest.CaptureFixture[str], line: str) -> tuple[int, str, str]:
    status = cli._status(["match", *line.split()])
    shown = capfd.readouterr()
    return status, shown.out, shown.err


def untimed(record: GameRecord) -> GameRecord:
    return replace(record, moves=tuple(replace(move, think_ms=None, think_us=None) for move in record.moves))


def test_the_text_tells_who_won(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capfd, "alphabeta:2 random --game qubic --games 6 --jobs 1 --limit nodes=500")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "alphabeta:2 against random: qubic, 6 games; nodes=500, openings of 2 plies, seed 0"
    assert "6 won, 0 drawn, 0 lost" in lines[1]


def test_json_has_everything_and_no_job_matters(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.jsonl"
        line = f"alphabeta:1 random --game tictactoe --games 8 --limit depth=1 --seed 9 --json --jobs {jobs}"
        status, out, err = run(capfd, f"{line} --record {path}")
        assert (status, err) == (0, "")
        told: dict[str, Any] = json.loads(out)
        assert told["a"].pop("times")["moves"] > 0
        assert set(told["b"].pop("times")) == {"moves", "mean_ms", "median_ms", "p99_ms", "max_ms", "nodes_per_s"}
        records = [untimed(from_json_line(text)) for text in path.read_text().splitlines()]
        assert [record.pair for record in records] == [0, 0, 1, 1, 2, 2, 3, 3]
        assert all(record.software and record.source == "match" for record in records)
        found.append((told, records))
    assert found[0] == found[1]
    told, records = found[0]
    assert told["a"] == {"name": "alphabeta:1", "version": bot("alphabeta:1").version, "limit": {"depth": 1}}
    assert (told["game"], told["games"], told["seed"], told["opening_plies"]) == ("tictactoe", 8, 9, 2)
    assert told["won"] + told["drawn"] + told["lost"] == sum(told["terminations"].values()) == 8
    assert (told["faults"], told["interrupted"]) == ([], False)
    for one, two in zip(records[::2], records[1::2], strict=True):
        assert (one.start, one.x, one.o) == (two.start, two.o, two.x)


def test_each_bot_may_have_its_own_limit(capfd: pytest.CaptureFixture[str]) -> None:
    line = "alphabeta alphabeta:2 --game tictactoe --games 2 --limit nodes=50 --limit-b depth=1 --jobs 1"
    status, out, _ = run(capfd, line)
    assert (status, "; A nodes=50, B depth=1, " in out) == (0, True)
    status, out, _ = run(capfd, f"{line} --json --limit-a nodes=70")
    told = json.loads(out)
    assert (told["a"]["limit"], told["b"]["limit"]) == ({"nodes": 70}, {"depth": 1})


def test_a_test_ends_the_match(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """After the same pair with the same games, however many run at a time."""
    found = []
    for jobs in (1, 3):
        path = tmp_path / f"{jobs}.jsonl"
        line = f"alphabeta:3 random --game mnk:4,4,4 --openings 1 --sprt 0,100 --jobs {jobs} --json --record {path}"
        status, out, _ = run(capfd, line)
        told = json.loads(out)
        told["a"].pop("times")
        told["b"].pop("times")
        found.append((status, told, [untimed(from_json_line(text)) for text in path.read_text().splitlines()]))
    assert found[0] == found[1]
    status, told, records = found[0]
    assert (status, told["interrupted"]) == (0, False)
    tested = told["sprt"]
    assert (tested["elo0"], tested["elo1"], tested["alpha"], tested["beta"]) == (0, 100, 0.05, 0.05)
    assert (tested["verdict"], tested["pairs"]) == ("H1", sum(told["pairs"]))
    assert tested["llr"] == Sprt(0, 100).llr(told["pairs"]) >= tested["upper"] == -tested["lower"]
    assert told["games"] == len(records) == 2 * tested["pairs"] < 100
    assert [record.pair for record in records] == [number // 2 for number in range(len(records))]


def test_an_odd_number_is_rounded_up_and_said(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    status, out, err = run(capfd, f"random random --game tictactoe --games 3 --openings 0 --record {path}")
    assert status == 0
    assert err == "Games come in pairs: playing 4.\n"
    assert "4 games" in out
    games = re.split(r"(?<=\n)(?=\[Game )", path.read_text())
    assert [from_text(game).start for game in games] == [()] * 4


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("random nobody --game qubic", "There is no bot 'nobody'"),
        ("random alphabeta:99 --game qubic", "1..20, not '99'"),
        ("random random --game chess", "There is no game 'chess'"),
        ("random random", "Missing option '--game'"),
        ("random --game qubic", "Missing argument 'B'"),
        ("random random --game qubic --games 0", "0 is not in the range"),
        ("random random --game qubic --limit soon", "'soon' is not a limit: write move_ms=100"),
        ("random random --game qubic --limit depth=0", "'depth=0' is not a limit"),
        ("random random --game qubic --limit nodes=-1", "'nodes=-1' is not a limit"),
        ("random random --game qubic --limit depth=²", "is not a limit"),
        ("random random --game qubic --limit-a soon", "'soon' is not a limit: write move_ms=100"),
        ("random random --game qubic --jobs 0", "0 is not in the range"),
        ("random random --game qubic --sprt 5,0", "the smaller one first, not 5 and 0."),
        ("random random --game qubic --sprt 5,5", "the smaller one first, not 5 and 5."),
        ("random random --game qubic --sprt 0,3000", "from -2000 to 2000"),
        ("random random --game qubic --sprt 5", "'5' is not a test: write two Elo differences, as in --sprt 0,10."),
        ("random random --game qubic --sprt 0,5,10", "'0,5,10' is not a test"),
        ("random random --game qubic --sprt nan,5", "'nan,5' is not a test"),
        ("random random --game qubic --sprt 0,inf", "'0,inf' is not a test"),
        ("random random --game qubic --sprt 0,1_0", "'0,1_0' is not a test"),
        ("random random --game qubic --sprt ,", "',' is not a test"),
        ("random random --game qubic --sprt", "--sprt' requires an argument"),
        ("random random --game tictactoe --openings 9", "No game of tictactoe is still running after 9 plies"),
        ("random random --game qubic --record games.pgn", "name ending in .jsonl or .txt, not 'games.pgn'"),
    ],
)
def test_what_the_user_got_wrong(capfd: pytest.CaptureFixture[str], line: str, sentence: str) -> None:
    status, out, err = run(capfd, line)
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.startswith("noughts: ")
    assert err.endswith(" (noughts match --help)\n") or "requires an argument" in err
    assert err.count("\n") == 1


def test_a_file_that_cannot_be_written_is_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capfd, "random random --game qubic --record /nowhere/games.txt")
    assert (status, out) == (1, "")
    assert err == "noughts: /nowhere/games.txt cannot be written: No such file or directory.\n"


def test_bots_that_do_not_play_are_refused(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    entry = bot("random").entry
    refusing = replace(entry, plays=lambda rules: rules.id == "qubic", refuses=lambda limit: "No, thank you.")
    monkeypatch.setitem(sys.modules["engine.bots.roster"]._BY_FAMILY, "random", refusing)
    status, _, err = run(capfd, "alphabeta random --game tictactoe")
    assert (status, "random does not play tictactoe" in err) == (2, True)
    for limits in ("--limit nodes=1", "--limit-a nodes=1"):
        status, _, err = run(capfd, f"random alphabeta --game qubic {limits}")
        assert (status, err) == (2, "noughts: No, thank you. (noughts match --help)\n")


def test_a_bot_that_takes_ages_is_warned_of_once(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = bot("bragstad-minimax:16")
    warn_of_slow(rules("mnk:4,4,4"), (slow, NO_LIMIT), (slow, NO_LIMIT), (bot("random"), NO_LIMIT))
    told = capfd.readouterr().err
    assert told.startswith("bragstad-minimax:16 looks at some 10^13 positions for its first move on mnk:4,4,4: ")
    assert told.count("\n") == 1
    monkeypatch.setattr("engine.bots.roster._MANY_NODES", 1000)
    line = "bragstad-minimax:4 random --game tictactoe --games 2 --jobs 1"
    status, _, err = run(capfd, line)
    assert (status, err.count("\n")) == (0, 1)
    assert err.startswith("bragstad-minimax:4 looks at some 10^3 positions ")
    status, _, err = run(capfd, f"{line} --limit depth=1")
    assert (status, err) == (0, "")


def test_ctrl_c_sums_up_what_was_played(tmp_path: Path) -> None:
    line = "match random random --game gomoku --games 100000 --openings 1 --jobs 1 --json"
    assert_tells_what_was_played(line.split(), tmp_path)


def test_on_a_terminal_a_bar_is_drawn_on_stderr() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "client.cli", "match", "random", "random", "--game", "tictactoe", "--games", "4"]
    environment = os.environ | {"TERM": "xterm"}
    playing = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment)
    os.close(theirs)
    drawn = b""
    try:
        while read := os.read(ours, 4096):
            drawn += read
    except OSError:  # how Linux tells that the other end is closed
        pass
    os.close(ours)
    out, _ = playing.communicate(timeout=60)
    assert playing.returncode == 0
    assert "4/4" in drawn.decode()
    assert out.startswith("random against random")


def played(number: int) -> Played:
    return match.play(tasks(PAIRING)[number])


def test_a_tally_says_the_score_and_how_far_a_test_has_got() -> None:
    tally = Tally()
    for number in (0, 1):
        tally.add(played(number))
    assert re.fullmatch(r"\d won, \d drawn, \d lost", str(tally))
    tally.sprt = SprtResult(Sprt(0, 10), -1.234, 1, None)
    assert str(tally).endswith(" lost; LLR -1.23")


def test_a_full_disk_is_told_after_the_figures(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.symlink_to("/dev/full")
    line = f"random random --game tictactoe --games 100 --jobs 1 --record {path}"
    status, out, err = run(capfd, line)
    assert status == 1
    assert "random" in out
    assert f"noughts: {path} cannot be written: No space left on device." in err
    assert cli._status(["simulate", "random", "random", "--jobs", "1", "--record", str(path)]) == 1
    shown = capfd.readouterr()
    assert "random" in shown.out
    assert f"noughts: {path} cannot be written: No space left on device." in shown.err


def test_a_game_that_is_counted_is_recorded_though_ctrl_c_comes_between() -> None:
    done: list[Played] = []
    recorded: list[Played] = []

    class Interrupted(Recorder):
        def __init__(self) -> None: ...

        def add(self, played: Played) -> None:
            signal.raise_signal(signal.SIGINT)
            recorded.append(played)

    with (
        handled({signal.SIGINT: signal.default_int_handler}),
        progress() as shows,
        shows.step("games", 2) as step,
        pytest.raises(KeyboardInterrupt),
    ):
        _play(map(played, (0, 1)), 2, done, None, Interrupted(), shows, step)
    assert len(done) == 1
    assert recorded == done


def test_games_are_recorded_in_the_order_of_the_match(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with path.open("w") as file:
        recorder = Recorder(file, path)
        for number in (1, 0, 3, 5):
            recorder.add(played(number))
        assert path.read_text().count("\n") == 2
        recorder.finish()
    seeds = [from_json_line(line).seed for line in path.read_text().splitlines()]
    assert seeds == [tasks(PAIRING)[number].seed for number in (0, 1, 3, 5)]


def test_games_that_wait_for_earlier_ones_are_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with recording(path) as recorder:
        recorder.add(played(3))
        assert path.read_text() == ""
    assert from_json_line(path.read_text()).seed == tasks(PAIRING)[3].seed


def test_an_engine_of_others_plays_and_its_fault_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(toml("illegal", "rash"))
    line = f"rash random --game tictactoe --games 4 --jobs 1 --engines {file}"
    status, out, err = run(capfd, line)
    assert status == 0
    assert "ended by      illegal_move 4" in out
    assert "rash (X) played " in err
    status, _, err = run(capfd, line.replace("rash random", "rush random"))
    assert status == 2
    assert "There is no bot 'rush'" in err
    status, _, err = run(capfd, line.replace("engines.toml", "none.toml"))
    assert (status, err) == (
        2, f"noughts: {tmp_path}/none.toml cannot be read: No such file or directory. (noughts match --help)\n"
    )  # fmt: skip


def test_a_match_with_an_engine_that_makes_no_move_is_given_up(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.lab.match.command.ABSENT", 2)  # from the third start on there are pauses before it
    file = tmp_path / "engines.toml"
    file.write_text('[[engines]]\nname = "absent"\ncommand = "false"\n')
    status, out, err = run(capfd, f"absent random --game tictactoe --games 400 --jobs 1 --json --engines {file}")
    assert status == 1
    assert err.endswith("absent has lost 2 games in a row before its first move: no more are played.\n")
    told = json.loads(out)
    assert (told["games"], told["lost"], told["interrupted"]) == (2, 2, True)


def test_nothing_is_given_up_after_the_last_game() -> None:
    games = [lost(0) for _ in range(5)]
    with progress() as shows, shows.step("games", 5) as step:
        assert _play(iter(games), 5, [], None, None, shows, step) == 0
        assert _play(iter(games), 6, [], None, None, shows, step) == GIVEN_UP


def lost(number: int, moves: str = "") -> Played:
    """By the first bot."""
    one = timed(moves, number)
    return replace(
        one, record=replace(one.record, winner=other(one.task.a_side), termination="stall"), fault="It stalled."
    )


def test_only_games_in_a_row_without_a_move_count() -> None:
    absences = Absences()
    assert [absences.after(lost(number)) for number in (0, 2, 0, 2)] == [None] * 4
    assert absences.after(timed("b2 a1 a2 c2 c1 a3 b3 b1 c3", 1)) is None  # it has moved
    assert [absences.after(lost(number)) for number in (0, 2, 0, 2)] == [None] * 4
    found = absences.after(lost(0))
    assert found is not None
    assert found.name == PAIRING.a.name


def test_bots_of_other_arenas_beat_random(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(arenas_toml())
    for name, game in ARENAS.items():
        line = f"{name} random --game {game} --games 6 --jobs 1 --seed 2 --json --engines {file}"
        status, out, err = run(capfd, f"{line} --openings 0")
        assert (status, err) == (0, ""), name
        told = json.loads(out)
        assert told["won"] > told["lost"], name
        status, _, err = run(capfd, line)
        assert status == (0 if name == "gomocup" else 2)
    assert (
        "servt follows each game from its start: it takes openings of 1 ply at most, and this one has 2 plies." in err
    )
