"""`noughts report`: what it writes, and what it refuses."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest
from click.testing import CliRunner, Result

from server.report import command
from server.report.command import report
from tests.support.database.database_files import new_database
from tests.support.ladder.records import BOTS, add_list
from tests.support.report.progress import each_piece
from tests.support.report.records import add_samples, counted_games, many_records

ROOT = Path(__file__).parents[3]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = many_records(tmp_path_factory.mktemp("report"))
    add_samples(path)
    return path


@pytest.fixture(scope="module")
def written(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out")
    done = run(path, "--out", str(out), "--title", "Night <1>")
    assert done.exit_code == 0, done.output
    return out


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(report, ["--db", str(path), *arguments])


class Page(HTMLParser):
    """What a page has: its tags, ids and visible text; that its tags nest is checked on the way."""

    VOID = frozenset({"meta", "br", "img", "hr", "input", "link"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def page(folder: Path) -> Page:
    return Page((folder / command.NAME).read_text())


# The page


def test_the_page_has_every_part(written: Path) -> None:
    text = " ".join(page(written).text)
    for heading in (
        "Recorded games", "What changed", "Ladders", "night: small", "night: timed", "Moving first",
        "Terminations and faults", "Time", "Branching factor", "Tic-tac-toe", "Ultimate tic-tac-toe",
        "Nine-board tic-tac-toe", "5 x 4, four in a row", "Ladder runs",
    ):  # fmt: skip
        assert heading in text
    for table in (
        "Standings", "Crosstable", "Results of X", "Games by termination", "Latest faults",
        "Time used as a share of the limit", "Slowest moves of bots", "Slowest moves of people", "Branching factor",
        "Moves of bots", "Runs",
    ):  # fmt: skip
        assert table in text
    assert "It ended with an error: a test." in text
    # By Davidson's model with 0.4 draws to a win of either side.
    assert "Moving first is worth 32 Elo: 54 % of the points between equals." in text
    assert "with a time limit exceeded it" in text
    assert "+12.0" in text, "the slope of the memory"


def test_the_page_stands_alone(written: Path) -> None:
    """No scripts, nothing fetched, and links that lead somewhere in it."""
    found = page(written)
    text = (written / command.NAME).read_text()
    assert not found.all("script")
    assert not found.all("link")
    assert not found.all("img")
    assert not re.search(r"url\(\s*['\"]?http|@import|\bsrc=", text)
    outside = re.findall(r"https?://[^\"' <>]+", text)
    assert {link for link in outside if "www.w3.org" not in link} == set(), "names of namespaces alone"
    ids = [attributes["id"] for _, attributes in found.tags if attributes.get("id")]
    targets = [attributes["href"] for attributes in found.all("a")]
    assert targets
    assert {str(target).removeprefix("#") for target in targets} <= set(ids)
    sections = [attributes["id"] for attributes in found.all("section")]
    assert len(sections) == len(set(sections))
    assert "prefers-color-scheme:dark" in text
    assert "@media print" in text


def test_every_picture_says_what_it_shows(written: Path) -> None:
    found = page(written)
    images = [attributes for attributes in found.all("svg") if attributes.get("role") == "img"]
    assert len(images) == len(found.all("figure")) == len(found.all("figcaption")) > 20
    assert all(len(str(image["aria-label"])) > 30 for image in images)
    for figure in found.all("figure"):
        name = str(figure["id"]).removesuffix("-picture")
        assert ElementTree.parse(written / f"{name}.svg").getroot().tag == f"{SVG}svg"
    assert {file.suffix for file in written.iterdir()} == {".svg", ".html", ".json", ".csv"}


def test_the_title_and_the_facts(written: Path, path: Path) -> None:
    text = " ".join(page(written).text)
    assert "Night <1>" in text
    assert f"{len(counted_games(path)):,} that count" in text
    assert "Excluded: 2 unfinished, 9 aborted." in text
    assert re.search(r"The database has \d+\.\d MB, \d+\.\d KB a game; at \d+ games a day it grows by", text)


def test_the_same_records_give_the_same_pictures(written: Path, path: Path, tmp_path: Path) -> None:
    run(path, "--out", str(tmp_path))
    for svg in written.glob("*.svg"):
        assert svg.read_text() == (tmp_path / svg.name).read_text()


def test_one_game_and_since(path: Path, tmp_path: Path) -> None:
    run(path, "--out", str(tmp_path), "--game", "ultimate")
    text = " ".join(page(tmp_path).text)
    assert "Games of ultimate in many.db" in text
    assert "Ultimate tic-tac-toe" in text
    assert "Nine-board" not in text
    run(path, "--out", str(tmp_path), "--since", "2030-01-01")
    assert "All games since 2030-01-01 00:00 (UTC)" in " ".join(page(tmp_path).text)


# The first screen, replays and tables


def test_the_first_screen_comes_before_the_contents(written: Path) -> None:
    text = (written / command.NAME).read_text()
    cards = ["summary-best", "summary-changes", "summary-time", "summary-wrong"]
    places = [text.index(f'<section id="{card}"') for card in cards]
    assert places == sorted(places)
    assert places[-1] < text.index('<nav aria-label="Contents">')


def test_games_lead_to_their_replay_and_bots_to_their_row(written: Path) -> None:
    targets = [str(attributes["href"]) for attributes in page(written).all("a")]
    for kind in ("#replay-", "#bot-", "#list-"):
        assert sum(target.startswith(kind) for target in targets) >= 4


def test_a_replay_shows_its_last_position_at_first(written: Path) -> None:
    text = (written / command.NAME).read_text()
    replays = re.findall(r'<article class="replay".*?</article>', text, re.DOTALL)
    assert len(replays) > 5
    for replay in replays:
        boxes = re.findall(r"<input [^>]*>", replay)
        assert ["checked" in box for box in boxes] == [False] * (len(boxes) - 1) + [True]
        assert len(re.findall("<label", replay)) == len(boxes)


def test_a_report_that_belongs_to_a_site(path: Path, tmp_path: Path) -> None:
    run(path, "--out", str(tmp_path), "--site", "https://example.org/")
    found = page(tmp_path)
    games = [str(link["href"]) for link in found.all("a") if "/game/" in str(link["href"])]
    assert games
    assert all(re.fullmatch(r"https://example\.org/game/\d+(\?ply=\d+)?", game) for game in games)
    assert not found.all("article")
    explored = [str(link["href"]) for link in found.all("a") if "/explorer" in str(link["href"])]
    assert any(re.fullmatch(r"https://example\.org/explorer\?game=[\w%-]+&moves=[\w.,%]+", link) for link in explored)


def test_the_main_tables_are_csv_too(written: Path) -> None:
    standings = pl.read_csv(written / "standings.csv")
    thinking = pl.read_csv(written / "thinking.csv")
    assert standings.filter(list="timed").height == len(BOTS)
    assert thinking["moves"].sum() > 1000
    assert {"standings.csv", "thinking.csv"} <= set(json.loads((written / "report.json").read_text())["files"])


# What changed


def test_the_next_report_says_what_changed(tmp_path: Path) -> None:
    path, out = new_database(tmp_path), tmp_path / "out"
    add_list(path, pairs=2)
    run(path, "--out", str(out))
    assert "This is the first report here" in " ".join(page(out).text)
    add_list(path, list="new", game="qubic", pairs=1)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE ladder_standings SET place = iif(place < 3, 3 - place, place), "
            "rating = rating + iif(place < 3, 7, -7)"
        )
        connection.execute(
            "INSERT INTO games (id, source, game, x_player, o_player, start, rated, private, machine, software, "
            "started_ms, ended_ms, winner, termination, plies) SELECT 5000, 'match', game, x_player, o_player, start, "
            "0, 0, machine, software, started_ms, ended_ms, winner, termination, plies FROM games WHERE id = 1"
        )
    run(path, "--out", str(out))
    text = re.sub(r"\s+", " ", " ".join(page(out).text))
    assert "New: night: new, with 4 bots." in text
    assert "Qubic 12 +12" in text
    assert "Tic-tac-toe 25 +1" in text
    assert "alphabeta:3 1 up 1 67 +7" in text
    assert "strongest 2 down 1 187 +7" in text
    run(path, "--out", str(out), "--game", "qubic")
    text = " ".join(page(out).text)
    assert "It covered all games, this one covers games of qubic" in text
    assert "Not in this report: night: small." in text
    assert not list(out.glob("*tictactoe*")), "pictures of the report before are taken away"
    run(path, "--out", str(out), "--game", "qubic")
    assert "Unchanged: night: new." in " ".join(page(out).text)


@pytest.mark.parametrize("content", [b"", b"{", b'{"as_of_ms": "now"}', b"[1]", b"\xff"])
def test_another_file_in_the_place_of_the_report_before(path: Path, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "report.json").write_bytes(content)
    assert run(path, "--out", str(tmp_path), "--game", "nine-board").exit_code == 0
    assert "This is the first report here" in " ".join(page(tmp_path).text)


def test_files_of_others_are_not_taken_away(path: Path, tmp_path: Path) -> None:
    """Even if the list of files is wrong."""
    outside = tmp_path / "outside.svg"
    outside.write_text("mine")
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.svg").write_text("mine")
    run(path, "--out", str(out), "--game", "nine-board")
    known = json.loads((out / "report.json").read_text())
    known["files"] += ["../outside.svg", "/etc/hostname"]
    (out / "report.json").write_text(json.dumps(known))
    run(path, "--out", str(out), "--game", "nine-board")
    assert (outside.read_text(), (out / "mine.svg").read_text()) == ("mine", "mine")


# Little or nothing to report


def test_an_empty_database(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    done = run(path, "--out", str(tmp_path / "out"))
    assert done.exit_code == 0
    assert "There is no finished game to show." in " ".join(page(tmp_path / "out").text)


ONE = """
INSERT INTO players VALUES (1, 'Ann', 'person', NULL, 1), (2, 'Bob', 'person', NULL, 1);
INSERT INTO games (id, source, game, x_player, o_player, start, rated, private, machine, software, started_ms, ended_ms,
    winner, termination, plies) VALUES (1, 'room', '{game}', 1, 2, '{start}', 0, 0, 'm', 's', 5, 6, {winner},
    '{termination}', {plies});
"""


@pytest.mark.parametrize(
    ("game", "start", "winner", "termination", "plies", "moves"),
    [
        ("tictactoe", "[]", "'x'", "resignation", 0, ""),
        ("tictactoe", "[]", "NULL", "agreement", 1, "(1, 0, 4, 5, 0, NULL)"),
        ("tictactoe", '["a1","b1"]', "'o'", "flag", 0, ""),
        ("cube:5", "[]", "'x'", "resignation", 1, "(1, 0, 62, 5, 3, NULL)"),
        ("gomoku", "[]", "'x'", "resignation", 1, "(1, 0, 112, 5, 3, 7)"),
        ("mnk:19,3,3", "[]", "'x'", "resignation", 1, "(1, 0, 50, 5, 3, 7)"),
        ("super", "[]", "'x'", "resignation", 1, "(1, 0, 80, 5, 3, 7)"),
        ("hexagonal", '["a1"]', "'x'", "resignation", 1, "(1, 0, 999, 5, 3, 7)"),
        ("tictactoe", '["z9"]', "'x'", "resignation", 1, "(1, 0, 999, 5, 3, 7)"),
        ("ultimate", "[]", "'x'", "resignation", 1, "(1, 0, 81, 5, 3, 7)"),
    ],
)  # fmt: skip
def test_one_game_alone(
    tmp_path: Path, game: str, start: str, winner: str, termination: str, plies: int, moves: str
) -> None:
    """Also one of a game that this release does not know, and ones whose cells are none of the board."""
    path = new_database(tmp_path)
    sql = ONE.format(game=game, start=start, winner=winner, termination=termination, plies=plies)
    if moves:
        sql += f"INSERT INTO moves (game_id, ply, cell, at_ms, think_ms, nodes) VALUES {moves};"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(sql)
    done = run(path, "--out", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    text = " ".join(page(tmp_path / "out").text)
    assert "1 game with" in text
    assert "No ladder is recorded" in text


def test_a_list_without_standings(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    add_list(path, rated=False, pairs=1)
    run(path, "--out", str(tmp_path / "out"))
    assert "Its standings have not been computed yet." in " ".join(page(tmp_path / "out").text)


def test_two_lists_with_one_name_are_told_apart(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    add_list(path, pairs=1, seed=0xABC << 36)
    add_list(path, pairs=1, seed=2)
    add_list(path, list="other", pairs=1)
    run(path, "--out", str(tmp_path / "out"))
    text = " ".join(page(tmp_path / "out").text)
    assert {"night: small (abc000)", "night: small (000000)", "night: other"} <= set(
        re.findall(r"night: \w+(?: \(\w+\))?", text)
    )


# What is refused


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "chess"], "There is no game 'chess'"),
        (["--since", "yesterday"], "'yesterday' is not a date"),
        (["--site", "example.org"], "'example.org' is not a server's address"),
    ],
)
def test_bad_arguments(path: Path, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    done = run(path, "--out", str(tmp_path / "out"), *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert not (tmp_path / "out").exists()


def refused(done: Result, pattern: str) -> None:
    assert (done.exit_code, done.stdout) == (1, "")
    assert re.fullmatch(rf"Error: [^\n]*{pattern}[^\n]*\.\n", done.stderr), done.stderr


def test_databases_of_others_and_none(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    (tmp_path / "notes.txt").write_text("Dear diary, this is no database at all. " * 50)
    for name, sentence in (
        ("other.db", "is another program's database"),
        ("notes.txt", "is not a SQLite database"),
        ("missing.db", "There is no database"),
    ):
        refused(run(tmp_path / name, "--out", str(tmp_path / "out")), sentence)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("ladder_standings SET rating = 9e999 WHERE place = 1", r"a standing of list \S+ has rating inf"),
        ("ladder_lists SET created_ms = 9000000000000000", r"list \S+ has created_ms 9000000000000000"),
        ("ladder_lists SET settings = '{'", r"list \S+ has settings '\{'"),
        ("ladder_samples SET memory_kb = -1", r"a sample of ladder night has memory_kb -1"),
        ("games SET started_ms = 9000000000000000 WHERE id = 2", "game 2 has started_ms 9000000000000000"),
        ("games SET plies = 3000000000 WHERE id = 2", "game 2 has plies 3000000000"),
        ("games SET start = '[5]' WHERE id = 2", r"game 2 has start '\[5\]'"),
        ("""games SET x_limit = '{"move_ms": "é"}' WHERE id = 2""", r"game 2 has x_limit_ms '\\xe9'"),
        ("moves SET think_ms = 1 << 62 WHERE game_id = 2", "a move of game 2 has think_ms 4611686018427387904"),
        ("moves SET think_us = -7 WHERE game_id = 2", "a move of game 2 has think_us -7"),
        ("moves SET ply = ply + 3000000000 WHERE game_id = 2", "a move of game 2 has ply 3000000000"),
    ],
)
def test_what_no_row_can_hold_is_told(path: Path, tmp_path: Path, change: str, sentence: str) -> None:
    damaged = tmp_path / "damaged.db"
    shutil.copy(path, damaged)
    with closing(sqlite3.connect(damaged)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        assert connection.execute(f"UPDATE {change}").rowcount
    refused(run(damaged, "--out", str(tmp_path / "out")), rf"damaged\.db is damaged: {sentence}, which cannot be")


def test_as_many_nodes_as_an_engine_may_tell_are_shown(path: Path, tmp_path: Path) -> None:
    boasting = tmp_path / "boasting.db"
    shutil.copy(path, boasting)
    with closing(sqlite3.connect(boasting)) as connection, connection:
        connection.execute("UPDATE moves SET nodes = 1000000000000000 WHERE game_id = 2")
    assert run(boasting, "--out", str(tmp_path / "out")).exit_code == 0


def test_ended_by_sigterm_it_ends_as_by_ctrl_c(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGTERM)

    def terminated(*arguments: object) -> str:
        assert signal.getsignal(signal.SIGTERM) != before, "or it would end the tests"
        signal.raise_signal(signal.SIGTERM)
        raise AssertionError

    monkeypatch.setattr(command, "_make", terminated)
    done = run(path, "--out", str(tmp_path / "out"))
    assert (done.exit_code, done.output.strip()) == (1, "Aborted!")


def test_a_file_in_the_place_of_the_folder(path: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    refused(run(path, "--out", str(tmp_path / "out")), "is a file: name a folder to write to")
    refused(run(path, "--out", str(tmp_path / "out" / "deep")), "Not a directory")
    assert (tmp_path / "out").read_text() == "mine"


def test_a_disk_that_fills_up(written: Path, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever has a name is whole, and the report before stays."""
    run(path, "--out", str(tmp_path), "--game", "nine-board")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    write = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if self.name.startswith(command.NAME):
            write(self, data[:1000])
            raise OSError(28, "No space left on device")
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    refused(run(path, "--out", str(tmp_path), "--game", "nine-board"), "cannot be written: No space left on device")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize("missing", ["polars", "jinja2"])
def test_without_the_extra_it_says_what_to_install(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setattr("server.report.find_spec", lambda name: None if name == missing else object())
    refused(run(path, "--out", str(tmp_path / "out")), rf"need {missing}: in a checkout of noughts, make serve or pip")


def test_the_command_is_loaded_without_the_extra() -> None:
    heavy = {"polars", "matplotlib", "numpy"}
    script = f"import sys, server.report.command; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "set()\n"


def test_pictures_are_sound_and_harmless(written: Path) -> None:
    pictures = re.findall(r"<svg.*?</svg>", (written / "report.html").read_text(), re.DOTALL)
    assert len(pictures) > 20
    for text in pictures:
        tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(text).iter()}
        assert not tags & {"script", "a", "image", "foreignObject", "metadata"}
        assert {"text"} <= tags, "text stays text"
        for element in ElementTree.fromstring(text).iter():
            for name, value in element.attrib.items():
                assert not name.startswith("on")
                if name.endswith("href"):
                    assert value.startswith("#")
        assert not re.search(r"\b20\d\d-\d\d-\d\dT", text), "no date of the drawing"


def test_progress_tells_every_step(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "progress", each_piece)
    out = tmp_path / "out"
    told = run(path, "--game", "tictactoe", "--out", str(out)).stderr.splitlines()
    steps = [line for line in told if not line.startswith("Drawing charts: ")]
    games = len([row for row in counted_games(path) if row["game"] == "tictactoe"])
    assert steps[:2] == ["Loading polars", f"Reading games: {games}"]
    assert steps[2].startswith(f"Counting {games} games with ")
    assert steps[3:] == ["Drawing charts", "Writing the page"]
    assert len(told) - len(steps) == len([*out.glob("*.svg")])
