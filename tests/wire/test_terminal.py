"""`noughts play` against `noughts serve`, both as programs."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from client.sdk import LiveRoom, RoomView, bot, connect
from client.terminal.drawing.boards import Look
from client.terminal.full_screen.app import TerminalApp
from client.terminal.full_screen.command_line import CommandLine
from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.replay_screen import ReplayScreen
from engine.rules.position import play_all
from engine.rules.registry import games, rules
from server.wire import Opponent, Result

SQUARES = ["b2", "a1", "a3", "c1", "c3", "a2", "b1", "b3", "c2"]
GAMES = [game.id for game in games()]


async def start_server(database: Path, port: int = 0) -> tuple[Process, str]:
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "client.cli", "serve", "--port", str(port), "--db", str(database)),
        *("--workers", "1", "--pace-ms", "0", "--address-rate", "0"),
        stdout=PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    return server, await _address(server)


async def _address(server: Process) -> str:
    """From the line in which the server says where it is."""
    assert server.stdout is not None
    async for line in server.stdout:
        if b"http://" in line:
            return next(word for word in line.decode().split() if word.startswith("http://"))
    raise AssertionError("the server did not start")


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[str]:
    process, address = await start_server(tmp_path / "noughts.db")
    yield address
    process.terminate()
    await process.wait()


Play: TypeAlias = Callable[..., Awaitable[Process]]
"""Start `noughts play` with a folder for settings and its arguments."""


@pytest.fixture
async def play(server: str, tmp_path: Path) -> AsyncIterator[Play]:
    players: list[Process] = []

    async def start(who: str, *arguments: str) -> Process:
        player = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "client.cli", "play", "--server", server, "--plain", *arguments),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path / who)},
        )
        players.append(player)
        return player

    yield start
    for player in players:
        if player.returncode is None:
            player.kill()
            await player.wait()


async def test_a_piped_game_against_a_bot(play: Play) -> None:
    player = await play("ada", "bot", "random", "--name", "Ada")
    out, err = await player.communicate("\n".join(SQUARES).encode())
    assert player.returncode == 0, err.decode()
    answers = out.decode().split()
    assert answers
    assert all(rules("tictactoe").parse_move(answer) in range(9) for answer in answers)
    assert any(end in err.decode() for end in ("You win", "You lose", "Draw: no moves left."))


async def test_two_players_through_an_invitation(play: Play) -> None:
    host = await play("ada", "invite", "--seat", "x", "--name", "Ada", "--clock", "5+0")
    assert host.stdin is not None
    assert host.stderr is not None
    while not (line := (await host.stderr.readline()).decode()).startswith("code: "):
        assert line, "no code"
    code = line.split()[1]
    guest = await play("bob", "join", code, "--name", "Bob")
    host_ends, guest_ends = await asyncio.gather(
        host.communicate(b"b2\n/say hello\na1\nc3\n"), guest.communicate(b"a3\nzz\nb3\n")
    )
    assert (host.returncode, guest.returncode) == (0, 0), (host_ends, guest_ends)
    assert host_ends[0].decode().split() == ["a3", "b3"]
    assert guest_ends[0].decode().split() == ["b2", "a1", "c3"]
    assert "You win with three in a row." in host_ends[1].decode()
    assert "You lose: Ada (X) has three in a row." in guest_ends[1].decode()
    assert "Ada: hello" in guest_ends[1].decode()
    assert "'zz' names no cell" in guest_ends[1].decode()


async def test_the_old_options_play_on_with_a_hint(play: Play) -> None:
    player = await play("ada", "--bot", "random", "--game", "tictactoe", "--depth", "2")
    out, err = await player.communicate("\n".join(SQUARES).encode())
    assert player.returncode == 0, err.decode()
    moves = out.decode().split()
    assert moves
    assert all(rules("tictactoe").parse_move(move) in range(9) for move in moves)
    said = err.decode().splitlines()
    assert said[-1] == "Hint: `noughts play bot random --game tictactoe --limit depth=2` does the same."


async def test_leaving_and_coming_back(play: Play) -> None:
    player = await play("ada", "bot", "random", "--game", "qubic", "--seat", "x")
    out, err = await player.communicate(b"b2.2\n")
    assert player.returncode == 1
    assert len(out.split()) == 1
    room = err.decode().split("play join ")[1].split("`")[0]
    again = await play("ada", "join", room)
    out, err = await again.communicate(b"/resign\n")
    assert again.returncode == 0, err.decode()
    assert "You lose: you resigned." in err.decode()
    assert len(out.split()) == 1  # the bot's move, told to this program for the first time


async def test_watching_two_bots(play: Play) -> None:
    watcher = await play("ada", "bots", "alphabeta:2", "random", "--game", "mnk:4,4,3")
    out, err = await watcher.communicate()
    assert watcher.returncode == 0, err.decode()
    position = play_all(rules("mnk:4,4,3").initial, map(rules("mnk:4,4,3").parse_move, out.decode().split()))
    assert position.outcome is not None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--bot", "nobody"], "There is no bot 'nobody'"),
        (["--bot", "random", "--game", "chess"], "There is no game 'chess'"),
        (["--bot", "random", "--clock", "0.001+0"], "1 s to 3 h"),
        (["join", "nonsense"], "ask for a new one"),
        (["watch", "nonsense"], "no running game of a player of this name"),
        (["--bot", "random", "--name", "x" * 21], "name"),
        (["--bot", "random", "--start", "b2 b2"], "b2"),
    ],
)
async def test_refusals_at_the_start(play: Play, arguments: list[str], sentence: str) -> None:
    player = await play("ada", *arguments)
    out, err = await player.communicate()
    assert player.returncode == (1 if {"join", "watch"} & set(arguments) else 2)
    assert out == b""
    shown = err.decode()
    assert shown.startswith("noughts: ")
    assert shown.count("\n") == 1
    assert sentence in shown


async def test_an_identity_of_other_records(server: str, play: Play, tmp_path: Path) -> None:
    folder = tmp_path / "ada" / "noughts"
    folder.mkdir(parents=True)
    (folder / "tokens.json").write_text(json.dumps({f"{server}/": "unknown"}))
    player = await play("ada", "--bot", "random")
    _, err = await player.communicate()
    assert player.returncode == 1
    assert "--new-identity makes you a new one" in err.decode()
    player = await play("ada", "--bot", "random", "--new-identity")
    _, err = await player.communicate(b"/resign\n")
    assert player.returncode == 0, err.decode()
    assert json.loads((folder / "tokens.json").read_text())[f"{server}/"] != "unknown"


@pytest.mark.parametrize("game", GAMES)
async def test_the_sdk_plays_every_game(server: str, game: str) -> None:
    async with connect(server, name="first", kind="bot") as connection:
        room = await connection.create(game, opponent=Opponent(kind="bot", bot="random"))
        results = await bot.play(room, lambda view: view.legal[0])
        assert results == [room.view.result]
        outcome = room.view.position.outcome
        assert outcome is not None
        assert results == [Result(winner=outcome.winner, termination=outcome.termination)]


async def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    process, address = await start_server(tmp_path / "noughts.db")
    try:
        async with connect(address, name="Ada", delays_s=(0.05,) * 400) as connection:
            room = await connection.create("qubic", opponent=Opponent(kind="bot", bot="random"), seat="x")
            await room.move("b2.2")
            await _my_turn(room, lambda view: len(view.moves) == 2)
            before = room.view.moves
            process.kill()
            await process.wait()
            moving = asyncio.create_task(room.move("c3.3" if "c3.3" not in before else "c3.2"))
            process, again = await start_server(tmp_path / "noughts.db", urlsplit(address).port or 0)
            assert again == address
            view = await moving
            assert view.moves[:2] == before
            await _my_turn(room, lambda view: len(view.moves) == 4)
    finally:
        process.kill()
        await process.wait()


async def _my_turn(room: LiveRoom, holds: Callable[[RoomView], bool]) -> None:
    async for view in room:
        if view.my_turn and holds(view):
            return


async def _answered(room: LiveRoom, move: str) -> None:
    await _my_turn(room, lambda view: view.last == move)


async def test_the_full_screen_plays_a_bot(server: str) -> None:
    async with connect(server, name="Ada") as connection:
        room = await connection.create("tictactoe", opponent=Opponent(kind="bot", bot="random"))
        app = TerminalApp(connection, server, Look(), room)
        async with app.run_test(size=(100, 32)) as pilot:
            await pilot.pause()
            while room.view.result is None:
                if room.view.my_turn:
                    app.screen.query_one(CommandLine).value = room.view.legal[0]
                    await pilot.press("enter")
                await pilot.pause()
        assert room.view.position.outcome is not None


async def test_the_full_screen_joins_from_the_lobby_plays_and_replays(server: str) -> None:
    async with connect(server, name="Bob") as bob, connect(server, name="Ada") as ada:
        theirs = await bob.create("tictactoe", opponent=Opponent(kind="open"), seat="x")
        app = TerminalApp(ada, server, Look())
        async with app.run_test(size=(100, 32)) as pilot:
            await _until(pilot, lambda: _lists(app, "Bob · Tic-tac-toe"))
            await pilot.press("right", "enter")
            await _until(pilot, lambda: isinstance(app.screen, GameScreen))
            for move, answer in (("a1", "b1"), ("a2", "b2"), ("a3", None)):
                await theirs.move(move)
                await _has_move(pilot, app, move)
                if answer is not None:
                    app.screen.query_one(CommandLine).value = answer
                    await pilot.press("enter")
                    await _answered(theirs, answer)
            await _until(
                pilot, lambda: "You lose: Bob (X) has three in a row." in str(app.screen.query_one("#turn").render())
            )
            await pilot.press("f7")
            await _until(pilot, lambda: isinstance(app.screen, ReplayScreen))
            await pilot.press("end")
            await _until(pilot, lambda: "Move 5 of 5: Bob (X) a3" in str(app.screen.query_one("#turn").render()))


async def test_a_running_game_is_watched_from_the_lobby(server: str) -> None:
    async with connect(server, name="Bob") as bob, connect(server, name="Eve") as eve, connect(server) as ada:
        game = await bob.create("qubic", opponent=Opponent(kind="open"), seat="x")
        theirs = await eve.join(room=game.id)
        await game.move("b2.2")
        app = TerminalApp(ada, server, Look())
        async with app.run_test(size=(100, 32)) as pilot:
            await _until(pilot, lambda: _lists(app, "Bob - Eve · Qubic"))
            await pilot.press("right", "enter")
            await _until(pilot, lambda: isinstance(app.screen, GameScreen))
            await theirs.move("a1.1")
            await _has_move(pilot, app, "a1.1")


async def test_two_terminals_of_one_player_show_one_game(server: str) -> None:
    async with connect(server, name="Ada") as first, connect(server, token=first.token) as second:
        room = await first.create("tictactoe", opponent=Opponent(kind="self"))
        app = TerminalApp(second, server, Look(), await second.join(room=room.id))
        async with app.run_test(size=(100, 32)) as pilot:
            app.screen.query_one(CommandLine).value = "b2"
            await pilot.press("enter")
            await _my_turn(room, lambda view: view.moves == ("b2",))
            await room.move("a1")
            await _has_move(pilot, app, "a1")


async def test_a_recorded_game_in_a_pipe(server: str, play: Play) -> None:
    async with connect(server, name="Ada") as connection:
        room = await connection.create("tictactoe", opponent=Opponent(kind="self"))
        for move in ("a1", "b1", "a2", "b2", "a3"):
            await room.move(move)
        player = await play("bob", "--replay", str(room.view.game_id))
    out, err = await player.communicate()
    assert player.returncode == 0, err.decode()
    assert out.decode().split() == ["a1", "b1", "a2", "b2", "a3"]
    assert "Ada (X) wins with three in a row." in err.decode()
    player = await play("bob", "replay", "999999")
    out, err = await player.communicate()
    assert (player.returncode, out) == (1, b"")
    assert err.decode().startswith("noughts: ")
    assert err.decode().count("\n") == 1


def _lists(app: TerminalApp, line: str) -> bool:
    options = app.screen.query_one("#lobby", OptionList).options
    return any(str(option.prompt).startswith(line) for option in options)


async def _has_move(pilot: Pilot[int], app: TerminalApp, move: str) -> None:
    await _until(pilot, lambda: move in str(app.screen.query_one("#moves").render()))


async def _until(pilot: Pilot[int], holds: Callable[[], bool]) -> None:
    while not holds():
        await pilot.pause()
