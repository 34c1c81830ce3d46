"""UGI: the language line by line, lines that are nonsense, searches that are stopped, and one real dialogue."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.lab.brain import ugi
from client.lab.brain.ugi import Dialogue, Do, Effect, Prepare, Search
from engine.bots.fault import BotFault
from engine.bots.player import NO_LIMIT, NO_WATCH, Decision, Limit, decide
from engine.bots.roster import Roster, bot
from engine.rules.registry import rules
from server.workers.engines import session
from server.workers.engines.dialogue import Question
from server.workers.engines.engine import Engine
from tests.support.foreign_engines import scripts as engines

ERROR = "info string error: "
X_WINS = "position startpos moves a1 a2 b1 b2 c1"


def heard(*lines: str) -> list[Effect]:
    """What a new dialogue answers to the last of the lines; nothing before it is refused."""
    dialogue = Dialogue()
    *before, last = lines
    for line in before:
        assert not any(isinstance(effect, str) and effect.startswith(ERROR) for effect in dialogue.hear(line))
    return dialogue.hear(last)


def error_of(*lines: str) -> str:
    (effect,) = heard(*lines)
    assert isinstance(effect, str)
    assert effect.startswith(ERROR)
    return effect.removeprefix(ERROR)


def begun(*lines: str) -> tuple[Dialogue, Search]:
    """A dialogue whose last line began a search."""
    dialogue = Dialogue(seed=7)
    effects: list[Effect] = []
    for line in lines:
        effects = dialogue.hear(line)
    (search,) = effects
    assert isinstance(search, Search)
    return dialogue, search


def test_it_introduces_itself() -> None:
    lines = heard("ugi")
    assert all(isinstance(line, str) for line in lines)
    assert re.fullmatch(r"id name noughts \S+", str(lines[0]))
    assert str(lines[1]).startswith("id author ")
    assert "option name game type combo default tictactoe var tictactoe " in f"{lines[2]} "
    assert "var qubic" in str(lines[2])
    assert lines[3] == "option name bot type string default alphabeta:2"
    assert lines[-1] == "ugiok"


def test_options_choose_game_and_bot() -> None:
    _, search = begun("setoption name game value qubic", "setoption name bot value spot", "go depth 2")
    assert search == Search(bot("random"), rules("qubic").initial, Limit(depth=2), 7)
    _, search = begun("setoption name Game value mnk: 5,5,4", "go")
    assert search.position.rules.id == "mnk:5,5,4"


def test_an_engine_is_driven_as_our_bots_are_and_told_the_moves() -> None:
    guest = engines.engine().bot
    dialogue = Dialogue(bots=Roster([guest]))
    for line in ("setoption name bot value bad", "position startpos moves a1 b2", "go"):
        effects = dialogue.hear(line)
    (search,) = effects
    assert isinstance(search, Search)
    assert (search.bot, search.moves) == (guest, (0, 4))
    dialogue.decided(Decision(move=1, value=0.0), 1)
    dialogue.hear("uginewgame")
    (search,) = dialogue.hear("go")
    assert isinstance(search, Search)
    assert search.moves == ()


def test_another_game_begins_at_its_start() -> None:
    _, search = begun("position startpos moves a1 b2", "setoption name game value qubic", "go")
    assert search.position == rules("qubic").initial


@pytest.mark.parametrize(
    ("line", "limit"),
    [
        ("go", Limit(move_ms=1000)),
        ("go movetime 50", Limit(move_ms=50)),
        ("go nodes 1000", Limit(nodes=1000)),
        ("go depth 3", Limit(depth=3)),
        ("go infinite", NO_LIMIT),
    ],
)
def test_limits(line: str, limit: Limit) -> None:
    assert begun(line)[1].limit == limit


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("sing", "There is no command 'sing'"),
        ("go depth", "A limit is one of"),
        ("go depth -1", "A limit is one of"),
        ("go depth 0", "depth must be a whole number of at least 1"),
        ("go depth 2 nodes 3", "A limit is one of"),
        ("go depth ²", "A limit is one of"),
        ("go wtime 100", "A limit is one of"),
        ("position", "A position is written"),
        ("position fen xyz", "A position is written"),
        ("position startpos a1", "A position is written"),
        ("position startpos moves z9", "'z9' names no cell"),
        ("position startpos moves a1 a1", "a1 is taken by X"),
        (f"{X_WINS} c3", "the game is over"),
        ("setoption", "An option is written"),
        ("setoption name value qubic", "An option is written"),
        ("setoption name game qubic", "An option is written"),
        ("setoption name game value", "An option is written"),
        ("setoption name hash value 64", "There is no option 'hash'"),
        ("setoption name game value chess", "There is no game 'chess'"),
        ("setoption name bot value alphabeta:99", "1..20"),
        ("query", "'' is not a query"),
        ("query weather", "'weather' is not a query"),
    ],
)
def test_what_cannot_be_obeyed(line: str, sentence: str) -> None:
    assert sentence in error_of(line)


def test_a_refused_position_changes_nothing() -> None:
    dialogue = Dialogue()
    dialogue.hear("position startpos moves b2")
    dialogue.hear("position startpos moves a1 a1")
    (search,) = dialogue.hear("go")
    assert isinstance(search, Search)
    assert search.position == rules("tictactoe").initial.play(4)


def test_each_position_is_told_from_the_start() -> None:
    assert heard("position startpos moves a1 b2", "position startpos moves a1 b2 c3", "query p1turn") == [
        "response false"
    ]
    assert heard("position startpos moves a1", "position startpos", "query p1turn") == ["response true"]


def test_bots_that_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(limit: Limit) -> str | None:
        return "No clock, please." if limit.move_ms else None

    entry = replace(bot("random").entry, plays=lambda rules: rules.id == "qubic", refuses=refuses)
    monkeypatch.setitem(sys.modules["engine.bots.roster"]._BY_FAMILY, "random", entry)
    assert "random does not play tictactoe" in error_of("setoption name bot value random", "go depth 1")
    assert heard("setoption name bot value random", "isready") == ["readyok"]
    chosen = ("setoption name bot value random", "setoption name game value qubic")
    assert error_of(*chosen, "go movetime 5") == "No clock, please."
    assert begun(*chosen, "go")[1].limit == NO_LIMIT


@pytest.mark.parametrize(
    ("position", "p1turn", "gameover", "result"),
    [
        ("position startpos", "true", "false", "none"),
        ("position startpos moves b2", "false", "false", "none"),
        (X_WINS, "false", "true", "p1win"),
        ("position startpos moves a1 a2 b1 b2 c3 c2", "true", "true", "p2win"),
        ("position startpos moves a1 b1 c1 b2 a2 c2 b3 a3 c3", "false", "true", "draw"),
    ],
)
def test_queries(position: str, p1turn: str, gameover: str, result: str) -> None:
    assert heard(position, "query p1turn") == [f"response {p1turn}"]
    assert heard(position, "query gameover") == [f"response {gameover}"]
    assert heard(position, "query result") == [f"response {result}"]


def test_a_game_that_is_over_has_no_move() -> None:
    assert heard(X_WINS, "go depth 2") == ["bestmove none"]
    assert heard(X_WINS, "uginewgame", "query gameover") == ["response false"]


def test_a_search_and_what_it_tells() -> None:
    dialogue, search = begun("position startpos moves b2", "go depth 2")
    assert dialogue.progressed(10, 1, -0.25, (0, 2), 3) == ["info depth 1 score -0.25 nodes 10 time 3 pv a1 c1"]
    assert dialogue.hear("isready") == ["readyok"]
    assert error_in(dialogue.hear("go")) == "A search is running: send stop first."
    assert dialogue.hear("stop") == [Do.STOP]
    decision = Decision(2, nodes=40, depth=2, value=130.0, pv=(2, 6))
    assert dialogue.decided(decision, 5) == ["info depth 2 score 130 nodes 40 time 5 pv c1 a3", "bestmove c1"]
    (again,) = dialogue.hear("go depth 2")
    assert again == search
    assert dialogue.decided(Decision(0), 0) == ["info depth 0 nodes 0 time 0 pv a1", "bestmove a1"]


def error_in(effects: list[Effect]) -> str:
    (effect,) = effects
    return str(effect).removeprefix(ERROR)


def test_what_is_set_during_a_search_holds_for_the_next() -> None:
    dialogue, _ = begun("go depth 1")
    dialogue.hear("setoption name game value qubic")
    assert dialogue.decided(Decision(8), 0)[-1] == "bestmove c3"
    (search,) = dialogue.hear("go depth 1")
    assert isinstance(search, Search)
    assert search.position.rules.id == "qubic"


@pytest.mark.parametrize("ending", ["stop", "quit"])
def test_infinite_waits_for_stop(ending: str) -> None:
    dialogue, _ = begun("go infinite")
    assert dialogue.decided(Decision(4), 0) == []
    assert error_in(dialogue.hear("go depth 1")) == "A search is running: send stop first."
    said = dialogue.hear(ending)
    assert [line for line in said if isinstance(line, str)][-1] == "bestmove b2"
    assert dialogue.hear("stop") == [Do.STOP]
    dialogue, _ = begun("go infinite")
    dialogue.hear(ending)
    assert dialogue.decided(Decision(4), 0)[-1] == "bestmove b2"


@pytest.mark.parametrize("decision", [Decision(4), Decision(99), Decision(0, pv=(0, 99)), None])
def test_a_bot_that_does_wrong_is_an_error(decision: Any) -> None:
    dialogue, _ = begun("position startpos moves b2", "go depth 1")
    error, move = dialogue.decided(decision, 0)
    assert error.startswith(f"{ERROR}alphabeta:2 failed: ")
    assert move == "bestmove none"
    assert isinstance(dialogue.hear("go depth 1")[0], Search)


def test_each_new_game_has_a_seed_of_its_own() -> None:
    dialogue = Dialogue(seed=7)
    dialogue.hear("uginewgame")
    (search,) = dialogue.hear("go")
    assert isinstance(search, Search)
    assert search.seed == 8


KNOWN_WORDS = """
    ugi setoption name value game bot isready uginewgame position startpos moves a1 b2 c3 a1.1 5/5 go movetime nodes
    depth infinite 1 0 -3 stop query p1turn gameover result quit qubic ultimate mnk:5,5,4 random alphabeta:1
"""
words = st.one_of(st.text(), st.sampled_from(KNOWN_WORDS.split()))


@given(st.lists(st.lists(words, max_size=7).map(" ".join), max_size=12))
def test_any_lines_are_survived(lines: list[str]) -> None:
    dialogue = Dialogue()
    for line in [*lines, "stop"]:
        for effect in dialogue.hear(line):
            said = [effect]
            if isinstance(effect, Search):
                said = list(dialogue.decided(decide(effect.bot, effect.position, Limit(depth=1)), 0))
            for one in said:
                assert isinstance(one, Prepare | Do) or (isinstance(one, str) and len(one.splitlines()) == 1)
    assert "readyok" in dialogue.hear("isready")


class Talk(StringIO):
    """Standard output that tells when a line has been said."""

    def __init__(self) -> None:
        super().__init__()
        self._grown = threading.Condition()

    def write(self, text: str) -> int:
        with self._grown:
            self._grown.notify_all()
            return super().write(text)

    def wait_for(self, text: str) -> None:
        with self._grown:
            assert self._grown.wait_for(lambda: text in self.getvalue(), timeout=60)


def test_stop_and_isready_are_heard_during_a_search() -> None:
    talk = Talk()

    def lines() -> Iterator[str]:
        yield "setoption name game value gomoku"
        yield "setoption name bot value alphabeta:20"
        yield "go depth 20"  # years
        yield "isready"
        talk.wait_for("readyok")
        talk.wait_for("info depth")
        assert "bestmove" not in talk.getvalue()
        yield "stop"
        talk.wait_for("bestmove")
        yield "go movetime 1"
        talk.wait_for("bestmove")

    ugi._Shell(Dialogue(), talk).run(lines())
    said = talk.getvalue().splitlines()
    assert said.count("readyok") == 1
    assert sum(line.startswith("bestmove ") for line in said) == 2


def test_the_end_of_input_stops_the_search() -> None:
    talk = Talk()
    ugi._Shell(Dialogue(), talk).run(["setoption name game value gomoku", "go infinite"])
    assert re.search(r"bestmove [a-o][0-9]+\n$", talk.getvalue())


def test_a_bot_that_raises_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(*_: Any) -> Decision:
        raise RuntimeError("the sky\nfell")

    monkeypatch.setattr(ugi, "decide", raising)
    talk = Talk()

    def lines() -> Iterator[str]:
        yield "go"
        talk.wait_for("bestmove")

    ugi._Shell(Dialogue(), talk).run(lines())
    assert talk.getvalue() == f"{ERROR}alphabeta:2 failed: RuntimeError: the sky fell\nbestmove none\n"


@pytest.mark.parametrize("last", ["stop", "quit"])
def test_an_engine_that_cannot_be_stopped_reports_its_move(monkeypatch: pytest.MonkeyPatch, last: str) -> None:
    talk, may_answer = Talk(), threading.Event()

    def slowly(bot: Any, position: Any, limit: Any, seed: int, watch: Any, moves: Any) -> Decision:
        may_answer.wait(60)
        if watch.stopped():
            raise session.Unwanted
        return Decision(4)

    class Effects(ugi._Shell):
        def _hear(self, line: str) -> list[Effect]:
            effects = super()._hear(line)
            if line == last:
                may_answer.set()
            return effects

    monkeypatch.setattr(ugi, "decide", slowly)
    dialogue = Dialogue(bots=Roster([engines.engine().bot]))
    Effects(dialogue, talk).run(["setoption name bot value bad", "go", last])
    assert talk.getvalue().splitlines()[-1] == "bestmove b2"


def test_what_an_engine_does_wrong_is_told_as_anywhere() -> None:
    dialogue = Dialogue(bots=Roster([engines.engine().bot]))
    for line in ("setoption name bot value bad", "go"):
        dialogue.hear(line)
    said = dialogue.failed(BotFault("stall", "did not answer within 1700 ms and was ended"))
    assert said == [f"{ERROR}bad did not answer within 1700 ms and was ended", "bestmove none"]


@pytest.mark.slow
def test_one_real_dialogue() -> None:
    command = [sys.executable, "-m", "client.cli", "ugi", "--seed", "1"]
    arena = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert arena.stdin is not None
    assert arena.stdout is not None
    assert arena.stderr is not None

    def ask(line: str | bytes, end: str) -> list[str]:
        """The answer to a line, up to a line that begins with `end`."""
        assert arena.stdin is not None
        assert arena.stdout is not None
        arena.stdin.write((line if isinstance(line, bytes) else line.encode()) + b"\n")
        arena.stdin.flush()
        said: list[str] = []
        while not said or not said[-1].startswith(end):
            read = arena.stdout.readline().decode()
            assert read, said
            said.append(read.rstrip("\n"))
        return said

    with arena:
        try:
            assert ask("ugi", "ugiok")[0].startswith("id name")
            ask("setoption name game value qubic\nsetoption name bot value alphabeta:2\nisready", "readyok")
            assert ask(b"\xff\xfe nonsense", ERROR)
            # Three in the corner's row: the fourth wins.
            said = ask("position startpos moves a1.1 a2.2 b1.1 b2.2 c1.1 c3.3\ngo depth 2", "bestmove")
            assert said[-1] == "bestmove d1.1"
            assert re.fullmatch(r"info depth \d+ score \d+ nodes \d+ time \d+ pv d1.1", said[-2])
            assert ask("position startpos moves a1.1 a1.1", ERROR)
            assert ask("query p1turn", "response") == ["response true"]
            ask("go infinite\nstop", "bestmove")
            arena.stdin.write(b"quit\n")
            arena.stdin.close()
            assert arena.stdout.read() == b""
            assert arena.wait(60) == 0
            assert arena.stderr.read() == b""
        finally:
            arena.kill()


def test_an_arena_that_goes_during_a_search_is_no_traceback() -> None:
    class Gone(StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    ugi._Shell(Dialogue(), Gone()).run(["go depth 1"])  # pytest reports what a thread raises


def test_an_arena_that_has_gone_is_no_traceback() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "client.cli", "ugi"]
    done = subprocess.run(command, input=b"ugi\ngo\n", stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writing)
    assert done.stderr == b""


@pytest.mark.slow
def test_it_is_an_engine_for_ourselves(monkeypatch: pytest.MonkeyPatch) -> None:
    for patience in ("START_MS", "HANG_MS"):  # where the search must be compiled first
        monkeypatch.setattr(session, patience, 300_000)
    brain = Engine(
        name="brain",
        command=sys.executable,
        home=str(Path(__file__).parents[4]),
        protocol="ugi",
        arguments=("-m", "client.cli", "brain", "ugi", "--seed", "1"),
        options=(("bot", "level:3"),),
        move_ms=60_000,
    )
    one = session.Session(brain)
    position = rules("qubic").initial.play(0)
    try:
        decision = one.decide(Question(position, (0,), Limit(nodes=100), 60_000), NO_WATCH)
    finally:
        one.end()
    assert position.is_legal(decision.move)
    assert decision.nodes
