"""`noughts servt`: agents that connect, by the transcript of docs/arenas.md."""

from __future__ import annotations

import re
import socket
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from client.cli.main import cli
from server.workers.engines import playing
from tests.support.foreign_engines.scripts import toml
from tests.support.foreign_engines.servt_agent import Agent

ARENAS = Path(__file__).parents[4] / "docs" / "arenas.md"


def run(line: str, agents: int) -> tuple[Result, list[list[str]]]:
    """The command with so many agents of the test suite, and what each of them has heard."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    heard: list[list[str]] = [[] for _ in range(agents)]
    listening = threading.Event()

    def connect(lines: list[str]) -> None:
        listening.wait()
        agent = Agent()
        with socket.create_connection(("127.0.0.1", port)) as link, link.makefile("rw") as stream:
            for line in stream:
                lines.append(line.strip())
                answer = agent.obey(line.strip())
                if answer is not None:
                    stream.write(f"{answer}\n")
                    stream.flush()

    threads = [threading.Thread(target=connect, args=(lines,)) for lines in heard]
    create_server = socket.create_server

    def create(address: tuple[str, int]) -> socket.socket:
        made = create_server(address)
        listening.set()
        return made

    for thread in threads:
        thread.start()
    try:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(socket, "create_server", create)
            result = CliRunner().invoke(cli, [str(port) if word == "31415" else word for word in line.split()])
    finally:
        listening.set()
    for thread in threads:
        thread.join()
    return result, heard


def test_the_transcript_of_the_docs() -> None:
    section = ARENAS.read_text("utf-8").split("\n## UNSW")[1]
    [shown] = re.findall(r"```\n\$ noughts (servt .*?)\n(.*?)```", section, re.DOTALL)
    result, [heard] = run(f"{shown[0]} --move-ms 60000", 1)
    assert result.exit_code == 0, result.output
    assert re.sub(r"127.0.0.1:\d+", "127.0.0.1:31415", result.output) == shown[1]
    assert (heard[0], heard[-1]) == ("init.", "end.")
    assert [line for line in heard if line.startswith("start")] == ["start(x).", "start(o)."]


def test_two_agents_play_a_series_and_take_turns() -> None:
    result, heard = run("servt --port 31415 --games 4 --seed 3 --move-ms 60000", 2)
    assert result.exit_code == 0, result.output
    assert len(re.findall(r"^Game [1-4]: ", result.output, re.MULTILINE)) == 4
    assert re.search(r"agent 1 won \d, agent 2 won \d, \d drawn\.\n\Z", result.output)
    begun = [[line for line in lines if line.startswith("start")] for lines in heard]
    assert sorted(begun) == [["start(o).", "start(x)."] * 2, ["start(x).", "start(o)."] * 2]
    ends = [[line for line in lines if line.partition("(")[0] in ("win", "loss", "draw")] for lines in heard]
    assert [len(lines) for lines in ends] == [4, 4]


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("good", "agent 1 won"),
        ("illegal", "illegal_move. guest played '9/1'"),
        ("crash", "timeout. guest ended with exit status 1"),
    ],
)
def test_an_engine_of_another_plays_an_agent_and_loses_by_what_it_does_wrong(
    mode: str, told: str, tmp_path: Path
) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(toml(mode, "guest"))
    try:
        result, _ = run(f"servt --port 31415 --bot guest --engines {file} --games 2 --seed 1 --move-ms 60000", 1)
    finally:
        playing.end_idle()
    assert result.exit_code == 0, result.output
    assert told in result.output
    assert re.search(r"agent 1 won [0-2], guest won [0-2], 0 drawn", result.output), "both games"


def test_a_port_that_is_taken_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(cli, ["servt", "--port", str(port)])
    assert result.exit_code == 1
    assert result.output == f"Error: Cannot listen at 127.0.0.1:{port}: Address already in use.\n"
