"""`noughts learn`: what it writes and says, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from client.cli import main as cli
from client.lab.learn import command, nested, patterned
from client.lab.learn.subject import Found
from engine.search import pattern_evaluation, qubic_weights, weights


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_LEAST_GAMES", 30)
    monkeypatch.setattr(patterned, "STUDIED_NODES", 100)
    monkeypatch.setattr(patterned, "_EVEN_NODES", 100)


READ = {
    "gomoku": pattern_evaluation.from_bytes,
    "nine-board": weights.from_bytes,
    "qubic": qubic_weights.from_bytes,
}


def run(capfd: pytest.CaptureFixture[str], *line: str) -> tuple[int, str, str]:
    status = cli._status(["learn", *line])
    shown = capfd.readouterr()
    return status, shown.out, shown.err


@pytest.mark.parametrize("game", READ)
def test_games_of_its_own_make_weights_that_are_compared(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, game: str
) -> None:
    line = (game, "--self-play", "30", "--nodes", "50", "--passes", "1", "--pairs", "1", "--pair-nodes", "50")
    contents = []
    for name in ("first", "second"):
        path = tmp_path / name
        status, said, _ = run(capfd, *line, "--out", str(path))
        assert status == 0
        assert f"Written: {path}" in said
        assert "Against today's weights, 2 games at 50 nodes" in said
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]
    _, made = READ[game](contents[0])
    assert (made["game"], made["games"], made["self_play"], made["nodes"]) == (game, 30, 30, 50)
    assert made["trained"] > 0 < made["held_out"]
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["first", "second"]


@pytest.mark.parametrize(
    "game", ["qubic", *(pytest.param(game, marks=pytest.mark.slow) for game in ("gomoku", "nine-board"))]
)
def test_games_that_were_recorded_are_learned_from_again(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, game: str
) -> None:
    log, first, second = tmp_path / "games.jsonl", tmp_path / "first", tmp_path / "second"
    mix = 0 if game == "gomoku" else 0.5
    line = (game, "--passes", "1", "--mix", str(mix))
    own = ("--self-play", "30", "--nodes", "50", "--record", str(log), "--out", str(first))
    assert run(capfd, *line, *own)[0] == 0
    assert run(capfd, *line, str(log), "--out", str(second))[0] == 0
    (one, made), (other, _) = READ[game](first.read_bytes()), READ[game](second.read_bytes())
    assert made["mix"] == mix
    assert all(np.array_equal(*pair) for pair in zip(one, other, strict=True))


def test_too_few_games_are_refused(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('{"game":"ultimate","moves":[{"cell":"1/1"},{"cell":"2/2"}]}\n')
    status, _, said = run(capfd, "ultimate", str(path), "--self-play", "3")
    assert status == 2
    assert "games.jsonl, line 1: 2/2 is not in board 1" in said
    assert "There are too few games to learn from, 3: give at least 30" in said


def test_weights_do_not_replace_the_games_they_are_learned_from(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("games")
    for named in ((str(path),), ("--self-play", "30", "--record", str(tmp_path / "." / "games.jsonl"))):
        status, _, said = run(capfd, "nine-board", *named, "--out", str(path))
        assert status == 2
        assert f"{path} holds games, which the weights would replace: name another file with --out." in said
    assert path.read_text() == "games"


def test_a_fit_that_failed_is_not_written(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = Found(lambda made: b"weights", None, float("nan"), 0.5, 1, 1)
    monkeypatch.setattr(nested.NestedSubject, "fitted", lambda *arguments: failed)
    line = ("nine-board", "--self-play", "30", "--nodes", "50", "--out", str(tmp_path / "weights"))
    status, said, complaint = run(capfd, *line)
    assert (status, said) == (1, "")
    assert "No weights are written" in complaint
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--record", "log"], "--record changes nothing without --self-play."),
        (["--nodes", "7"], "--nodes changes nothing without --self-play."),
        (["--self-play", "30", "--pair-nodes", "3"], "--pair-nodes changes nothing without --pairs."),
    ],
)
def test_options_that_would_change_nothing_are_refused(
    capfd: pytest.CaptureFixture[str], options: list[str], complaint: str
) -> None:
    status, said, told = run(capfd, "nine-board", *options)
    assert (status, said) == (2, "")
    assert complaint in told


def test_what_searches_say_of_gomoku_is_not_mixed_with_results(capfd: pytest.CaptureFixture[str]) -> None:
    status, _, said = run(capfd, "gomoku", "--self-play", "30", "--mix", "0.5")
    assert status == 2
    assert "gomoku is learned from what searches say alone: leave out --mix." in said


@pytest.mark.parametrize("game", ["tictactoe", "ultimate:count"])
def test_a_game_without_weights_of_its_own_is_refused(capfd: pytest.CaptureFixture[str], game: str) -> None:
    status, _, said = run(capfd, game)
    assert status == 2
    assert f"{game} has no weights to learn: choose gomoku, nine-board, qubic, ultimate." in said


def test_a_folder_that_is_not_there_is_told(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = ("nine-board", "--self-play", "30", "--nodes", "1", "--passes", "1", "--out", str(tmp_path / "no" / "file"))
    status, _, said = run(capfd, *line)
    assert status == 1
    assert "cannot be written: name a file in a folder that can be." in said


def test_an_interruption_leaves_no_file(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(nested, "fit", interrupted)
    path = tmp_path / "file"
    assert run(capfd, "nine-board", "--self-play", "30", "--nodes", "1", "--out", str(path))[0] == 130
    assert not path.exists()
