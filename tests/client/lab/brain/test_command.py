"""`noughts brain`: its commands on streams and a socket, by the transcripts of docs/arenas.md."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from client.cli.main import cli
from client.lab.brain import command
from client.lab.brain.watch import SearchWatch
from engine.bots.player import Limit
from engine.bots.roster import bot
from engine.rules.registry import rules
from server.workers.engines import playing
from tests.support.foreign_engines.scripts import toml

ARENAS = Path(__file__).parents[4] / "docs" / "arenas.md"


def transcript(heading: str) -> tuple[list[str], list[str], list[str]]:
    """Under a heading of the docs: the arguments of the command, the lines heard and the lines said."""
    section = ARENAS.read_text().replace("0.1.0", version("noughts")).split(f"\n## {heading}")[1]
    block = re.findall(r"```\n\$ noughts (.*?)\n(.*?)```", section, re.DOTALL)[0]
    lines = block[1].splitlines()
    heard = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    said = [line for line in lines if not line.startswith("> ")]
    return block[0].split(), heard, said


def run(arguments: list[str], lines: list[str]) -> Result:
    return CliRunner().invoke(cli, arguments, input="".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("heading", ["Gomocup", "CodinGame"])
def test_the_transcripts_of_the_docs(heading: str) -> None:
    arguments, heard, said = transcript(heading)
    answers = run(arguments, heard).stdout.splitlines()
    assert answers == said


def test_the_transcript_of_a_nine_board_server() -> None:
    arguments, heard, said = transcript("UNSW")
    answers: list[str] = []

    def serve(server: socket.socket) -> None:
        with server.accept()[0] as connection, connection.makefile("rw") as stream:
            for line in heard:
                stream.write(f"{line}\n")
                stream.flush()
                if "_move(" in line and not line.startswith("last"):
                    answers.append(stream.readline().rstrip())

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, args=(server,))
        thread.start()
        port = str(server.getsockname()[1])
        result = run([port if word == "31415" else word for word in arguments], [])
        thread.join()
    assert (result.exit_code, result.output) == (0, "")
    assert answers == said


def test_a_bot_for_another_game_is_refused() -> None:
    result = run(["brain", "codingame", "--bot", "altekar-minimax"], [])
    assert result.exit_code == 2
    assert "does not play ultimate:count: it plays qubic" in result.output


def test_a_game_of_no_league_is_refused() -> None:
    result = run(["brain", "codingame", "--game", "qubic"], [])
    assert result.exit_code == 2
    assert "CodinGame has no qubic: choose ultimate:count, ultimate, tictactoe." in result.output


@pytest.fixture
def engines(tmp_path: Path) -> Iterator[Callable[[str], list[str]]]:
    """The options that choose an engine of another in one of its modes."""
    path = tmp_path / "engines.toml"

    def chosen(mode: str) -> list[str]:
        path.write_text(toml(mode, "guest"))
        return ["--engines", str(path), "--bot", "guest"]

    yield chosen
    playing.end_idle()


def test_an_engine_of_another_plays_in_an_arena(engines: Callable[[str], list[str]]) -> None:
    result = run(["brain", "gomocup", *engines("good")], ["START 5", "TURN 0,0", "TURN 2,0", "END"])
    assert result.exit_code == 0
    assert [line for line in result.stdout.splitlines() if "," in line] == ["1,0", "3,0"]
    turn = ["-1 -1", "9", *(f"{cell // 3} {cell % 3}" for cell in range(9))]
    assert run(["brain", "codingame", "--game", "tictactoe", *engines("good")], turn).stdout == "0 0\n"


def test_an_engine_of_another_that_fails_ends_it_with_a_sentence(engines: Callable[[str], list[str]]) -> None:
    result = run(["brain", "gomocup", *engines("illegal")], ["START 5", "TURN 0,0", "TURN 2,0", "END"])
    assert result.exit_code == 1
    assert result.stderr == "Error: guest played 'a1': a1 is taken by X.\n"


def test_an_arena_that_speaks_wrongly_ends_it_with_a_sentence() -> None:
    result = run(["brain", "codingame", "--bot", "random"], ["hello"])
    assert result.exit_code == 1
    assert result.output == "Error: 'hello' is not made of whole numbers.\n"


def test_no_server_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    result = run(["brain", "servt", "--port", str(port), "--bot", "random"], [])
    assert result.exit_code == 1
    assert result.output == f"Error: Cannot play with a server at 127.0.0.1:{port}: Connection refused.\n"


def test_a_turn_keeps_a_margin_and_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def decide(player: object, position: object, limit: object, seed: int, watch: SearchWatch, moves: object) -> None:
        now_ns.append(30_000_000)
        asked.append((limit, seed, watch.elapsed_ms(), watch.stopped()))

    now_ns: list[int] = []
    monkeypatch.setattr("client.lab.brain.watch.time.monotonic_ns", lambda: sum(now_ns))
    monkeypatch.setattr(command, "decide", decide)
    choose = command.chooser(bot("strongest"), 5)
    choose(rules("gomoku").initial, 100, (), 0)
    choose(rules("gomoku").initial, 10, (), 0)
    assert asked == [(Limit(move_ms=80), 5, 30, False), (Limit(move_ms=1), 5, 30, False)]
