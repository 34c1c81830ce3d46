"""`noughts experiment`: its files and its errors."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from client.cli import main as cli
from client.lab.experiments import command, plots, report
from client.lab.experiments.estimates import meets
from client.lab.experiments.findings import Figure, Section, Table
from client.lab.experiments.lab import ExperimentError, Lab, by_side, move_ms
from client.lab.experiments.registry import Experiment
from tests.support.lab.reports import PLOTS


def tiny(lab: Lab) -> list[Section]:
    """Quick: a few games of random against random."""
    games = lab.play("games", {"all": lab.fixed("tictactoe", "random", "random")})["all"]
    x, o, ties = by_side(games)
    figure = Figure("X wins", "60 %", x, "%", agrees=meets(x, 60, 60), note="Chance.")
    table = Table("Results", ["side", "won %"], [["X", x], ["O", o], ["ties", ties], ["none", None]], "A note.")
    times = Section("Times", figures=[Figure("ms", "1 s", move_ms(games, "random"), "ms")], timed=True)
    return [Section("Results", ["Text."], [figure], [table], PLOTS), times]


TINY = Experiment("tiny", "a small one", "Nobody", 6, tiny)


@pytest.fixture(autouse=True)
def experiments(monkeypatch: pytest.MonkeyPatch) -> dict[str, Experiment]:
    """Only the tiny one, and what a test adds."""
    offered = {"tiny": TINY}
    monkeypatch.setattr(command, "EXPERIMENTS", offered)
    return offered


def run(capfd: pytest.CaptureFixture[str], *line: str) -> tuple[int, str, str]:
    status = cli._status(["experiment", *line])
    shown = capfd.readouterr()
    return status, shown.out, shown.err


def test_list_names_all(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    status, out, err = run(capfd, "list")
    assert (status, err) == (0, "")
    names = [line.split()[0] for line in out.splitlines()]
    assert names == ["altekar", "depth3", "pawar-ren", "bragstad", "osipa"]
    assert all(re.search(r"\(\d+ games, about \d+ s\)$", line) for line in out.splitlines())


def test_an_unknown_name_lists_the_valid_ones(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = run(capfd, "run", "nim", "--out", str(tmp_path))
    assert (status, out) == (2, "")
    assert (
        err
        == "noughts: There is no experiment 'nim'; the experiments are tiny and all. (noughts experiment run --help)\n"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [("--games", "1"), ("--jobs", "0"), ("--seed", "x")])
def test_impossible_numbers_are_refused(
    arguments: tuple[str, str], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, _, err = run(capfd, "run", "tiny", *arguments, "--out", str(tmp_path))
    assert status == 2
    assert len(err.splitlines()) == 1


def test_a_run_writes_data_page_and_plots(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = run(capfd, "run", "all", "--seed", "3", "--jobs", "1", "--out", str(tmp_path))
    assert status == 0
    assert err == "tiny: games: 6\n"
    assert "X wins: " in out
    assert re.search(r"^The experiment took \d+ s\. Everything is in .*experiments\.md\.$", out, re.MULTILINE)
    found = report.from_json((tmp_path / "experiments/tiny.json").read_bytes())
    assert (found.games, found.seed, found.pictures) == (6, 3, True)
    agrees = {True: "agrees", False: "differs"}
    assert f"; the author: 60 %, {agrees[found.sections[0].figures[0].agrees]}\n" in out  # type: ignore[index]
    assert (tmp_path / "experiments.md").read_text() == report.overview([found])
    page = (tmp_path / "experiments/tiny.md").read_text()
    assert page == report.page(found)
    linked = re.findall(r"\(([^()]+\.(?:png|svg))\)", page)
    assert len(linked) == 2 * len(PLOTS)
    for name in linked:
        path = tmp_path / "experiments" / name
        if path.suffix == ".svg":
            assert ElementTree.parse(path).getroot().tag.endswith("svg")
        else:
            assert path.read_bytes().startswith(b"\x89PNG")
        assert 2_000 < path.stat().st_size < 60_000
    assert not list(tmp_path.rglob("*.new"))


def test_the_seed_decides_all_but_times(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = {}
    for name, seed, jobs in (("a", "3", "1"), ("b", "3", "2"), ("c", "4", "1")):
        line = (
            "run",
            "tiny",
            "--games",
            "20",
            "--seed",
            seed,
            "--jobs",
            jobs,
            "--no-plots",
            "--out",
            str(tmp_path / name),
        )
        assert run(capfd, *line)[0] == 0
        sections = report.from_json((tmp_path / name / "experiments/tiny.json").read_bytes()).sections
        found[name] = [section for section in sections if not section.timed]
    assert found["a"] == found["b"] != found["c"]


def test_without_matplotlib_the_install_line_is_named(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "available", lambda: False)
    status, out, err = run(capfd, "run", "tiny", "--out", str(tmp_path / "none"))
    assert (status, out) == (1, "")
    assert "pip install '.[plots]'" in err
    assert "make test" in err
    assert "--no-plots" in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "none").exists()
    status, _, _ = run(capfd, "run", "tiny", "--no-plots", "--jobs", "1", "--out", str(tmp_path))
    assert status == 0
    assert "pictures/" not in (tmp_path / "experiments/tiny.md").read_text()
    assert not list(tmp_path.rglob("*.png"))


def test_matplotlib_is_loaded_by_drawing_alone() -> None:
    code = "import sys, client.lab.experiments.command; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_cannot_be_written_is_said(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "experiments").write_text("in the way")
    status, _, err = run(capfd, "run", "tiny", "--no-plots", "--out", str(tmp_path))
    assert status == 1
    assert "cannot be written" in err


def test_earlier_results_keep_their_pages(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, experiments: dict[str, Experiment]
) -> None:
    line = ("run", "tiny", "--no-plots", "--jobs", "1", "--out", str(tmp_path))
    assert run(capfd, *line)[0] == 0
    (tmp_path / "experiments/tiny.md").unlink()  # as of a version that had one page for all
    experiments["second"] = Experiment("second", "", "", 2, tiny)
    assert run(capfd, "run", "second", *line[2:])[0] == 0
    linked = re.findall(r"\((experiments/\w+\.md)\)", (tmp_path / "experiments.md").read_text())
    assert linked == ["experiments/tiny.md", "experiments/second.md"]
    assert all((tmp_path / name).exists() for name in linked)


def test_foreign_data_is_found_before_the_games(
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    experiments: dict[str, Experiment],
) -> None:
    def played(*arguments: object) -> None:
        raise AssertionError

    other = tmp_path / "experiments/other.json"
    other.parent.mkdir()
    other.write_text("{}")
    experiments["other"] = Experiment("other", "", "", 2, tiny)
    line = ("--no-plots", "--jobs", "1", "--out", str(tmp_path))
    with monkeypatch.context() as patched:
        patched.setattr(command, "_report", played)
        status, _, err = run(capfd, "run", "tiny", *line)
        assert status == 1
        assert f"{other} is not a report of this version" in err
        other.unlink()
        other.mkdir()
        status, _, err = run(capfd, "run", "tiny", *line)
        assert status == 1
        assert f"{other} cannot be read: Is a directory." in err
    other.rmdir()
    other.write_text("{}")
    assert run(capfd, "run", "other", *line)[0] == 0  # which makes it anew


def test_a_failing_bot_ends_the_run_in_one_sentence(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, experiments: dict[str, Experiment]
) -> None:
    def failing(lab: Lab) -> list[Section]:
        raise ExperimentError("Game 1, move 2: random (O) raised ValueError.")

    experiments["tiny"] = Experiment("tiny", "", "", 2, failing)
    status, _, err = run(capfd, "run", "tiny", "--no-plots", "--out", str(tmp_path))
    assert (status, err) == (1, "noughts: Game 1, move 2: random (O) raised ValueError.\n")


def test_interrupted_it_leaves_whole_files(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, experiments: dict[str, Experiment]
) -> None:
    def interrupted(lab: Lab) -> list[Section]:
        raise KeyboardInterrupt

    for name in ("second", "third"):
        experiments[name] = Experiment(name, "", "", 2, interrupted)
    status, _, err = run(capfd, "run", "all", "--no-plots", "--jobs", "1", "--out", str(tmp_path))
    assert status == 130
    assert err.endswith("\nInterrupted; what had finished was written. Left, with the same options: second third.\n")
    assert [path.name for path in (tmp_path / "experiments").glob("*.json")] == ["tiny.json"]
    assert "tiny" in (tmp_path / "experiments.md").read_text()


def test_ctrl_c_ends_the_games(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "client.cli", "experiment", "run", "altekar", "--no-plots", "--out", str(tmp_path)]
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("altekar: games")
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()  # ends when every process that has this pipe has gone
    assert process.returncode == 130
    assert rest == "Interrupted; what had finished was written.\n"
    assert not list(tmp_path.rglob("*.json"))
