"""The bench runs and says what it must; what it measures is left to real runs."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from itertools import count
from pathlib import Path
from unittest.mock import Mock

import pytest
import uvloop
from click.testing import CliRunner

from client.lab.bench.command import bench
from client.lab.bench.engine import control, searches, starts
from client.lab.bench.engine.control import Duel
from client.lab.bench.figures import Part, Table, figure, figure_at_least, lines, quantile
from client.lab.bench.processes import noughts
from client.lab.bench.server import cold, idle, lag, moves, page_size, scaling
from client.lab.bench.server.history import PLIES, fill
from client.lab.bench.server.tables import long_game
from client.lab.bench.wire import BenchError, Wire, connect
from engine.bench import CASES
from engine.rules.registry import rules


def figures(part: Part) -> dict[str, float]:
    return {one.name: one.value.median for one in part.figures}


@pytest.mark.slow
def test_moves_are_measured_beside_the_control(tmp_path: Path) -> None:
    part = uvloop.run(moves.measure(tmp_path, moves.Load(tables=2, rate=0, pairs=2)))
    found = figures(part)
    assert found["control"] > 0
    assert found["ratio of each pair"] > 0
    assert found["noughts, ack p99"] >= found["noughts, ack p50"] > 0


@pytest.mark.slow
def test_lag_is_measured_with_and_without_searches(tmp_path: Path) -> None:
    part = uvloop.run(lag.measure(tmp_path, lag.Load(tables=4, rate=200, plies=8, pairs=1, workers=1)))
    assert {"lag p99 without searches", "lag p99 while all workers search"} <= set(figures(part))


@pytest.mark.slow
def test_idle_connections_are_held_and_weighed(tmp_path: Path) -> None:
    part = uvloop.run(idle.measure(tmp_path, idle.Load(counts=(30,), repeats=1)))
    assert {"30 held: control, PSS", "30 held: noughts, PSS", "30 held: beyond the control, PSS"} <= set(figures(part))


@pytest.mark.slow
def test_a_cold_start_is_measured_beside_a_warm_one(tmp_path: Path) -> None:
    part = uvloop.run(cold.measure(tmp_path, cold.Load(games=(("tictactoe", "level:2"),), repeats=1)))
    found = figures(part)
    assert {"tictactoe level:2: from nothing", "tictactoe level:2: control, compiled"} < set(found)
    assert found["all bots ready after"] > found["the same: control, compiled"] > 0
    assert (tmp_path / "0" / "cache").is_dir(), "what was compiled stays in a folder of its own"


@pytest.mark.slow
def test_scaling_has_a_row_for_each_size(tmp_path: Path) -> None:
    load = scaling.Load(rooms=(2, 4), games=("tictactoe", "mnk:5,5,4"), rows=(0, 200), tables=2, moves=12, rate=2_000)
    part = uvloop.run(scaling.measure(tmp_path, load))
    rooms, length, records = part.tables
    assert [row[0] for row in rooms.rows] == ["2", "4", "2 of 4"]
    assert [row[:2] for row in length.rows] == [("tictactoe", "9"), ("mnk:5,5,4", "25")]
    assert [row[0] for row in records.rows] == ["0", "200"]


@pytest.mark.slow
def test_page_and_all_it_refers_to_are_counted(tmp_path: Path) -> None:
    part = uvloop.run(page_size.measure(tmp_path))
    paths = {row[0] for row in part.tables[0].rows}
    assert {"/", "/api/rules", "/api/bots"} <= paths
    files = {re.sub(r"-[0-9A-Z]{8}\.", ".", path) for path in paths}
    assert {"/static/main.js", "/static/page.css", "/static/chunk.js", "/static/texts-en.json"} <= files
    assert not {"/static/texts-de.json", "/static/room-view.js"} & files
    assert figures(part)["requests"] == len(paths)


def test_references_leave_out_comments_other_sites_data_and_what_is_loaded_later() -> None:
    script = b"/** @type {import('./types.js').A} */\nimport { a } from './a.js';\nawait import('/static/b.js');\n"
    assert page_size.references("/static/main.js", script, "text/javascript") == ["/static/a.js"]
    html = b'<a href="#top"><link href="https://example.org/x.css"><script src="/static/m.js"></script>'
    assert page_size.references("/", html, "text/html") == ["/static/m.js"]
    packed = b'import{a as b}from"./a.js";import"./b.js";var c=()=>import("./c.js");'
    assert page_size.references("/static/main.js", packed, "text/javascript") == ["/static/a.js", "/static/b.js"]
    texts = b'<meta name="languages" content="de=/static/d.json en=/static/e.json">'
    assert page_size.references("/", texts, "text/html") == ["/static/e.json"]
    assert page_size.references(
        "/static/s.css", b"a{background:url(data:x)} b{background:url('c.svg')}", "text/css"
    ) == ["/static/c.svg"]


async def test_a_request_is_cancelled_even_as_its_answer_comes() -> None:
    wire = Wire()
    wire.connection_made(Mock())
    asked = asyncio.create_task(wire.ask("ping", ts=0))
    await asyncio.sleep(0)
    wire.hear(b'{"t":"pong","id":1}')
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked


@pytest.mark.slow
def test_the_past_is_a_sound_database_in_which_the_server_starts(tmp_path: Path) -> None:
    async def play_on() -> None:
        with noughts(tmp_path) as server:
            wire = await connect(server.port)
            await wire.ask("hello", v=1, name="Ada")
            made = await wire.ask("create", game="tictactoe", opponent={"kind": "self"})
            assert made["game"]["id"] > 2
            with pytest.raises(BenchError, match="not_found"):
                await wire.ask("leave", room="nowhere")
            wire.close()

    with noughts(tmp_path):
        pass
    fill(tmp_path / "bench.db", 2 * PLIES)
    uvloop.run(play_on())
    with sqlite3.connect(tmp_path / "bench.db") as connection:
        assert connection.execute("SELECT count(*) FROM moves").fetchone() == (2 * PLIES,)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


@pytest.mark.parametrize(("game", "plies"), [("tictactoe", 9), ("qubic", 64), ("gomoku", 220), ("ultimate", 50)])
def test_long_games_are_legal_and_long(game: str, plies: int) -> None:
    position = rules(game).initial
    for text in (found := long_game(game)):
        position = position.play(rules(game).parse_move(text))
    assert position.outcome is not None
    assert len(found) >= plies


def test_a_target_is_met_by_the_median() -> None:
    assert figure("a", "ms", [1, 2, 9], target=2).met
    assert figure("a", "ms", [1, 3, 9], target=2).met is False
    assert figure("a", "ms", [1]).met is None


def test_text_tells_target_and_spread() -> None:
    part = Part(
        "moves", "cost", [figure("noughts", "µs", [90.04, 100, 120], 80)], [Table("t", ("a", "b"), [("1", "2")])]
    )
    assert lines(part) == [
        "moves: cost",
        "  noughts       100 µs     (90.0 to 120)  target: at most 80, missed",
        "",
        "  t",
        "  a  b",
        "  1  2",
    ]


def test_quantiles() -> None:
    assert quantile([1, 2, 3, 4], 0.5) == 3
    assert quantile([1], 0.99) == 1
    assert lag.histogram_quantile([(1, 0), (2, 50), (4, 100), (float("inf"), 100)], 0.75) == 3
    assert lag.histogram_quantile([(1, 0), (float("inf"), 10)], 0.99) == 1


def test_the_command_prints_json() -> None:
    done = CliRunner().invoke(bench, ["server", "--part", "page", "--json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["machine"]["cores"] >= 1
    (part,) = report["parts"]
    assert part["name"] == "page"
    assert {"name", "unit", "value", "target", "met"} == set(part["figures"][0])


# A C compiler is no requirement of the project: without one the bench says that it leaves the comparison out, which
# another test here holds. The kernel's own nodes and values are tested everywhere.
needs_compiler = pytest.mark.skipif(control.compiler() is None, reason="gcc is not installed")


@needs_compiler
@pytest.mark.parametrize(("game", "depth"), [("qubic", 4), ("mnk:5,5,4", 4), ("mnk:3,3,3", 9), ("mnk:4,3,3", 5)])
def test_the_kernel_and_its_control_in_c_find_the_same(game: str, depth: int, tmp_path: Path) -> None:
    ticks = count(step=1000)
    paired = control.duel(Duel(game, depth), str(control.compiler()), tmp_path, 2, lambda: next(ticks))
    assert len(paired.ratios) == 2
    assert paired.kernel_rates == [paired.nodes, paired.nodes]


@needs_compiler
def test_a_control_that_finds_something_else_ends_the_bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()
    monkeypatch.setattr(control, "by_index", lambda position, depth: (1, 0))
    with pytest.raises(BenchError, match=r"C finds \(\d+, -?\d+\) and the kernel \(1, 0\)"):
        control.duel(Duel("qubic", 2), str(control.compiler()), tmp_path, 1, lambda: next(ticks))


def test_a_control_that_cannot_be_built_is_said(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"false cannot build twin\.c"):
        control.build("qubic", "false", tmp_path)


PINNED: dict[str, int] = json.loads((Path(__file__).parents[3] / "data" / "bench.json").read_text())["cases"]


def test_the_engine_is_measured_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [case for case in CASES if case.name in ("tictactoe after 0: full 9", "qubic after 0: altekar >= 3")]
    monkeypatch.setattr("engine.bench.CASES", tuple(kept))
    monkeypatch.setattr(searches, "DUELS", (Duel("qubic", 3),))
    monkeypatch.setattr(control, "compiler", lambda: None)
    monkeypatch.setattr(searches, "processes", lambda repeat, folder: Part("processes", "not here", []))
    done = CliRunner().invoke(bench, ["engine", "--repeat", "2"])
    assert done.exit_code == 0, done.output
    signature = sum(PINNED[case.name] for case in kept)
    assert f"\nBench: {signature}\n" in done.stdout
    assert "There is no gcc here" in done.stdout
    assert "qubic after 0: altekar >= 3" in done.stdout
    assert max(map(len, done.stdout.splitlines()[1:])) <= 100
    report = json.loads(CliRunner().invoke(bench, ["engine", "--repeat", "2", "--json"]).stdout)
    assert report["signature"] == signature
    assert [len(one["taken_ms"]) for one in report["cases"]] == [2, 2]
    assert [part["name"] for part in report["parts"]] == ["C", "speed", "processes"]


def test_the_signature_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "tictactoe after 0: full 9"
    monkeypatch.setattr("engine.bench.CASES", tuple(case for case in CASES if case.name == name))
    assert CliRunner().invoke(bench, ["engine", "--signature"]).stdout == f"Bench: {PINNED[name]}\n"
    counted = json.loads(CliRunner().invoke(bench, ["engine", "--signature", "--json"]).stdout)
    assert counted == {"bench": PINNED[name], "cases": {name: PINNED[name]}}


def test_more_can_be_better() -> None:
    assert figure_at_least("a", "M/s", [1, 2, 9], target=2).met
    assert figure_at_least("a", "M/s", [1, 1.9, 9], target=2).met is False
    assert lines(Part("a", "b", [figure_at_least("c", "M/s", [3], 2)]))[1].endswith("target: at least 2, met")


def test_a_process_without_a_compiler_searches_too() -> None:
    assert starts.interpreted_rate() > 0


def test_searches_end_by_their_time() -> None:
    found = starts.overshoots([1])
    assert found
    assert all(one.over_ms >= one.own_ms >= 0 for one in found)
