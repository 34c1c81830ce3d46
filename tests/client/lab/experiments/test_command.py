"""`noughts experiment`: its files, its errors, its statistics, and the page in the docs."""

from __future__ import annotations

import math
import re
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from client.cli import main as cli
from client.lab.experiments import command, lab, plots, report
from client.lab.experiments.estimates import average, meets, ratio, share
from client.lab.experiments.findings import Estimate, Figure, Plot, Report, Section, Series, Table
from client.lab.experiments.lab import ExperimentError, Lab, by_bot, by_side, move_ms
from client.lab.experiments.registry import Experiment
from engine.bots import match
from engine.bots.literature import bragstad
from engine.bots.match import Played
from engine.rules.position import other
from engine.rules.registry import rules
from engine.search.fixed import Cut
from tests.support.lab.experiment import Silent

PLOTS = [
    Plot("lines", "Lines", "lines", "x", "y", [Series("a", [1, 2], [3, 400], [2, 300], [4, 500])], log_y=True),
    Plot("points", "Points", "points", "x", "%", [Series("a", [0, 1], [3, 4], [2, 3], [4, 5])], ["one", "two"]),
    Plot("bars", "Bars", "bars", "x", "%", [Series("a", [0, 1], [3, 4]), Series("b", [0, 1], [1, 2])], ["1-4", "5-8"]),
    Plot(
        "stacked", "Stacked", "stacked", "%", "", [Series(name, [0], [30]) for name in ("won", "drawn", "lost")], ["a"]
    ),
]


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
def _only_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "EXPERIMENTS", {"tiny": TINY})


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


def test_the_same_data_draws_the_same_files(tmp_path: Path) -> None:
    found = drawable()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        assert len(list(plots.draw(found, tmp_path / name))) == 2 * len(PLOTS)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def drawable() -> Report:
    return Report("tiny", "a small one", "Nobody", 2, 0, "0", "here", 1.0, True, [Section("All", plots=PLOTS)])


def test_a_search_takes_the_processors_time_not_the_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where other programs run, a long search is interrupted in each of its runs."""
    monkeypatch.setattr(lab, "time", SimpleNamespace(thread_time_ns=count(0, 5_000).__next__))
    (found,) = lab._searches(
        rules("tictactoe").initial, [Cut.NONE], lambda position, cut: bragstad.searched(position, 1, cut)
    )
    assert found.us == 5


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
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ("run", "tiny", "--no-plots", "--jobs", "1", "--out", str(tmp_path))
    assert run(capfd, *line)[0] == 0
    (tmp_path / "experiments/tiny.md").unlink()  # as of a version that had one page for all
    monkeypatch.setitem(command.EXPERIMENTS, "second", Experiment("second", "", "", 2, tiny))
    assert run(capfd, "run", "second", *line[2:])[0] == 0
    linked = re.findall(r"\((experiments/\w+\.md)\)", (tmp_path / "experiments.md").read_text())
    assert linked == ["experiments/tiny.md", "experiments/second.md"]
    assert all((tmp_path / name).exists() for name in linked)


def test_foreign_data_is_found_before_the_games(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played(*arguments: object) -> None:
        raise AssertionError

    other = tmp_path / "experiments/other.json"
    other.parent.mkdir()
    other.write_text("{}")
    command.EXPERIMENTS["other"] = Experiment("other", "", "", 2, tiny)
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
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(lab: Lab) -> list[Section]:
        raise ExperimentError("Game 1, move 2: random (O) raised ValueError.")

    monkeypatch.setitem(command.EXPERIMENTS, "tiny", Experiment("tiny", "", "", 2, failing))
    status, _, err = run(capfd, "run", "tiny", "--no-plots", "--out", str(tmp_path))
    assert (status, err) == (1, "noughts: Game 1, move 2: random (O) raised ValueError.\n")


def test_interrupted_it_leaves_whole_files(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(lab: Lab) -> list[Section]:
        raise KeyboardInterrupt

    for name in ("second", "third"):
        monkeypatch.setitem(command.EXPERIMENTS, name, Experiment(name, "", "", 2, interrupted))
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


# The lab.


def test_fixed_and_swapped_games() -> None:
    lab = Lab(6, 1, 1, Silent(), "lab")
    fixed = lab.fixed("tictactoe", "random", "alphabeta:1", a_side="o")
    assert [(task.x.name, task.o.name, task.a_side, task.start) for task in fixed] == [
        ("random", "alphabeta:1", "o", ())
    ] * 6
    assert len({task.seed for task in fixed}) == 6
    swapped = lab.swapped("qubic", "random", "alphabeta:1", plies=2)
    assert [task.x.name for task in swapped] == ["random", "alphabeta:1"] * 3
    assert [len(task.start) for task in swapped] == [2] * 6
    assert {task.seed for task in fixed}.isdisjoint(task.seed for task in swapped)


def test_games_come_back_in_their_groups_and_in_order() -> None:
    lab = Lab(4, 1, 2, Silent(), "lab")
    groups = {x: lab.fixed("tictactoe", x, "random") for x in ("random", "alphabeta:1")}
    found = lab.play("games", groups)
    for x, games in found.items():
        assert [game.task.seed for game in games] == [task.seed for task in groups[x]]
        assert all(game.record.x.name == x for game in games)
        assert all(isinstance(game, Played) for game in games)
        won, lost, drawn = by_bot(games)
        assert won is not None
        assert lost is not None
        assert drawn is not None
        assert won.value + lost.value + drawn.value == pytest.approx(100)
    assert rules("tictactoe").cells == 9


def test_pairs_that_share_an_opening_count_once() -> None:
    """Where the games of a pair always end alike, 200 games say no more than 100."""
    lab = Lab(200, 1, 1, Silent(), "lab")
    for plies, number in ((2, 100), (0, 200)):
        tasks = lab.swapped("tictactoe", "random", "random", plies=plies)
        losers = [task.a_side if task.pair % 2 else other(task.a_side) for task in tasks]
        alike = [match.forfeited(task, (), loser, "crash", "died") for task, loser in zip(tasks, losers, strict=True)]
        won, lost, drawn = by_bot(alike)
        expected = share(number // 2, number)
        assert won is not None
        assert expected is not None
        assert won.value == 50
        assert (won.low, won.high) == pytest.approx((expected.low, expected.high), abs=0.5)
        assert lost is not None
        assert (lost.value, drawn and drawn.value) == (50, 0)


# Estimates.


def test_shares_and_averages() -> None:
    found = share(50, 100)
    assert found is not None
    assert (round(found.low or 0, 1), found.value, round(found.high or 0, 1)) == (40.4, 50.0, 59.6)
    assert share(0, 0) is None
    assert average([]) is None
    assert average([4.0]) == Estimate(4.0)
    found = average([1.0, 2.0, 3.0])
    assert found is not None
    assert found.high == pytest.approx(2 + 4.302653 / math.sqrt(3))


def test_a_ratios_interval_covers_it() -> None:
    """Pairs of games of unequal length: 95 % of the intervals hold the true ratio, 3 a move."""
    random, covered = Random(1), 0
    for _ in range(1_000):
        moves = [random.randint(5, 15) for _ in range(40)]
        found = ratio((sum(random.expovariate(1 / 3) for _ in range(number)), number) for number in moves)
        covered += bool(meets(found, 3, 3))
    assert 925 <= covered <= 970


def test_a_ratio_of_nothing_and_of_one() -> None:
    assert ratio([]) is None
    assert ratio([(1, 0)]) is None
    assert ratio([(6, 2)]) == Estimate(3.0)
    found = ratio([(6, 2), (9, 3)])
    assert found is not None
    assert (found.value, found.low, found.high) == (3, 3, 3)


def test_meeting() -> None:
    assert meets(Estimate(5, 4, 6), 6, 7)
    assert not meets(Estimate(5, 4, 6), 6.1, 7)
    assert meets(Estimate(5), 5, 5)
    assert not meets(Estimate(5), 5.1, 6)
    assert meets(None, 0, 1) is None


# The page.


@pytest.mark.parametrize(
    ("estimate", "unit", "text"),
    [
        (Estimate(58.5), "%", "58.5"),
        (Estimate(50, 40.38, 59.62), "%", "50.0 (40.4 to 59.6)"),
        (Estimate(0.0412, 0.0392, 0.0434), "", "0.041 (0.039 to 0.043)"),
        (Estimate(173_383.4, 168_516, 178_251), "", "173,383 (168,516 to 178,251)"),
        (Estimate(9, 9, 9), "", "9"),
        (Estimate(31.079038987428696, 31.079038987428692, 31.0790389874287), "", "31.1"),
        (Estimate(0, 0, 0), "%", "0.0"),
        (Estimate(0.000638), "", "0.000638"),
        (Estimate(43_680), "", "43,680"),
        (None, "%", "-"),
    ],
)
def test_estimates_are_written_with_the_digits_that_count(estimate: Estimate | None, unit: str, text: str) -> None:
    assert report.estimate_text(estimate, unit) == text


def test_wrapping_never_begins_a_line_with_markup() -> None:
    text = " ".join(["x" * 115, "alpha > beta - and", "y" * 99, "+ 3. >= 4"])
    found = report._wrapped(text)
    assert " ".join(found.split()) == text
    assert not re.search(r"^\s*([-+*#>]|\d+\.)", found, re.MULTILINE)


def test_a_note_of_several_figures_is_said_once() -> None:
    same = [Figure(what, "1", Estimate(2), note="Why.") for what in ("a", "b")]
    page = report.page(Report("n", "t", "s", 2, 0, "0", "m", 1.0, False, [Section("S", figures=same)]))
    assert page.count("Why.") == 1
    assert "- *a*; *b*: Why." in page


def test_json_and_back() -> None:
    found = drawable()
    assert report.from_json(report.to_json(found)) == found
    with pytest.raises(ValueError, match="truncated"):
        report.from_json("{")
