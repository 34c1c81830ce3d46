"""The command line: help without imports, one sentence for errors, exit statuses."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from client.cli import main as cli
from client.cli.main import _COMMANDS
from client.cli.main import cli as noughts
from client.terminal import language

HEAVY = ("textual", "rich", "websockets", "msgspec", "asyncio", "server.wire", "engine", "numba", "numpy", "sqlite3")
NEEDED_BY_FEW = ("textual", "numba", "numpy", "polars", "matplotlib", "server.app")
NEEDED_TO_PLAY = ("websockets", "asyncio", "msgspec")


def alone(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A Python that nobody counts the lines of: that loads modules of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)


def unused_port() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port: int = unused.getsockname()[1]
        return port


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\nfrom client.cli.main import _status\nassert _status(['--help']) == 0\n"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = alone(program)
    assert done.stderr.strip() == "[]"
    for name, lazy in _COMMANDS.items():
        assert (f"\n  {name} " in done.stdout) is not lazy.hidden
        assert (lazy.help in done.stdout) is not lazy.hidden


WITHOUT: dict[str, tuple[str, ...]] = {
    "play --help": (*NEEDED_BY_FEW, *NEEDED_TO_PLAY, "sqlite3"),
    "play bot --help": (*NEEDED_BY_FEW, *NEEDED_TO_PLAY, "sqlite3"),
    "completion show bash": (*NEEDED_BY_FEW, *NEEDED_TO_PLAY, "sqlite3", "engine"),
    "bots": (*NEEDED_BY_FEW, "websockets", "asyncio", "sqlite3"),
    "perft tictactoe 3 --json": (*NEEDED_BY_FEW, "websockets", "asyncio", "sqlite3"),
    "db --help": (*NEEDED_BY_FEW, "websockets", "asyncio", "engine"),
    "ladder --help": (*NEEDED_BY_FEW, *NEEDED_TO_PLAY, "sqlite3", "engine"),
    "ladder run --help": (*NEEDED_BY_FEW, "websockets", "asyncio", "server.workers.arena", "server.ladder.run"),
    "ladder check --help": (*NEEDED_BY_FEW, "websockets", "asyncio", "server.ladder.config"),
    "ladder runs --help": (*NEEDED_BY_FEW, "websockets", "asyncio", "server.ladder.runs"),
    "ladder compare --help": (*NEEDED_BY_FEW, "websockets", "asyncio", "server.ladder.comparison"),
    "ladder history --help": (*NEEDED_BY_FEW, "websockets", "asyncio", "server.ladder.history"),
    "report --help": (*NEEDED_BY_FEW, "websockets", "asyncio", "engine"),
    "report game --help": (*NEEDED_BY_FEW, "websockets", "asyncio"),
    "sql --help": (*NEEDED_BY_FEW, "websockets", "asyncio", "engine"),
    "export --help": (*NEEDED_BY_FEW, "websockets", "asyncio"),
    "db check --help": (*NEEDED_BY_FEW, "websockets", "asyncio", "engine"),
    "experiment list": (*NEEDED_BY_FEW, "websockets", "sqlite3", "server.workers.arena"),
    "experiment run --help": (*NEEDED_BY_FEW, "websockets", "asyncio", "sqlite3", "server.workers.arena"),
    "bench --help": (*NEEDED_BY_FEW, *NEEDED_TO_PLAY, "sqlite3", "engine"),
    "verify --help": (*NEEDED_BY_FEW, *NEEDED_TO_PLAY, "sqlite3"),
    "match --help": (*NEEDED_BY_FEW, "websockets", "asyncio", "sqlite3", "server.workers.arena"),
    "simulate --help": (*NEEDED_BY_FEW, "sqlite3", "server.workers.arena"),
    "review --help": (*NEEDED_BY_FEW, "websockets", "asyncio", "server.workers.arena"),
    "ugi --help": ("textual", "numba", "sqlite3", "server.app"),
    "solve --help": ("textual", "numba", "sqlite3", "server.app"),
    "serve --help": NEEDED_BY_FEW,
}
"""What answers at once, and the modules that it leaves alone."""
IMPORTED = """
import json, os, sys
from client.cli.main import _status
for line in sys.argv[1:]:
    sys.stdout.flush()
    if os.fork() == 0:
        assert _status(line.split()) == 0
        print(json.dumps([line, list(sys.modules)]), file=sys.stderr)
        os._exit(0)
    os.wait()
"""


@pytest.fixture(scope="module")
def imported() -> dict[str, set[str]]:
    """By line, in processes forked from one that has imported the command's first module."""
    lines = alone(IMPORTED, *WITHOUT).stderr.splitlines()
    return {line: set(modules) for line, modules in map(json.loads, lines)}


@pytest.mark.parametrize("line", WITHOUT)
def test_what_answers_at_once_imports_little(line: str, imported: dict[str, set[str]]) -> None:
    assert imported[line].isdisjoint(WITHOUT[line])


def test_only_the_full_screen_imports_textual() -> None:
    program = (
        "import sys\nfrom client import bot, cli\nfrom client.sdk import records\n"
        "from client.terminal import play\nfrom client.terminal.records import replay\n"
        "from client.terminal.plain import game_lines, menu_lines, replay_lines, study_lines\n"
        "print([name for name in ('textual', 'rich') if name in sys.modules], file=sys.stderr)"
    )
    done = alone(program)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_command_is_there(name: str) -> None:
    module, _, attribute = _COMMANDS[name].path.partition(":")
    assert isinstance(getattr(import_module(module), attribute), click.Command)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["sing"], "There is no command 'sing'"),
        (["--sing"], "No such option '--sing'"),
        (["perft"], "Missing argument 'GAME'"),
        (["perft", "mnk:2,2,9", "3"], "A board cannot have 2 columns"),
        (["perft", "tictactoe", "0"], "0 is not in the range"),
        (["perft", "tictactoe", "x"], "Invalid value"),
        (["play"], "Choose how to play"),
        (["play", "--bot", "random", "--invite"], "Choose only one of"),
        (["play", "--game", "qubic"], "--game needs an opponent"),
        (["play", "--bot", "random", "--clock", "soon"], "'soon' is not a clock"),
        (["play", "--bot", "random", "--marks", "X"], "two different marks"),
        (["play", "--bot", "random", "--marks", "✖\ufe0f,O"], "Not every terminal draws"),
        (["play", "--bot", "random", "--marks", "O,X"], "O,X would show X as O; write X,O."),
        (["play", "--bot", "random", "--depth", "2", "--nodes", "3"], "one of --depth, --nodes and --think"),
        (["play", "--bot", "random", "--think", "5+3"], "'5+3' is not a limit: write 500ms"),
        (["play", "--bot", "random", "--server", "ftp://x"], "not a server address"),
        (["play", "--join", "http://h/"], "not a link to a room"),
        (["play", "--replay", "soon"], "'soon' is not a game number"),
        (["play", "--replay", "7", "--watch", "r1"], "Choose only one of"),
        (["play", "--bot", "random", "--name", "\udcff"], "--name contains characters that are not text: '\\udcff'"),
        (["play", "--bots", "random", "a\x1bb"], "--bots contains characters"),
        (["play", "--seat", "z", "--bot", "random"], "'z' is not one of"),
        (["play", "bot", "random", "--seat", "z"], "'z' is not one of"),
        (["play", "bot", "a\x1bb"], "BOT contains characters"),
        (["play", "--name", "a\x1bb", "bot"], "--name contains characters"),
        (["play", "invite", "--limit", "2s"], "No such option '--limit'"),
        (["play", "self", "--rated"], "No such option '--rated'"),
        (["play", "--game", "qubic", "bot"], "--game goes after the subcommand bot."),
        (["play", "bots", "random"], "Missing argument 'O'"),
        (["play", "join"], "Missing argument 'CODE|LINK|ROOM'"),
        (["play", "join", "http://h/"], "not a link to a room"),
        (["play", "replay", "soon"], "'soon' is not a game number"),
        (["play", "sing"], "There is no command 'sing'; the commands are bot, bots, invite, "),
        (["play", "--name", "\u0645\u06cc\u200c\u062e\u0648", "--replay", "soon"], "'soon' is not a game number"),
    ],
)
def test_what_the_user_got_wrong(
    arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOUGHTS_SERVER", raising=False)
    assert cli._status(arguments) == 2
    shown = capfd.readouterr()
    assert sentence in shown.err
    assert shown.err.startswith("noughts: ")
    assert shown.err.count("\n") == 1
    assert shown.out == ""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Wähle, wie gespielt wird: play bot NAME"),
        (["--bot", "random", "--invite"], "Wähle nur eines: play bot NAME"),
        (["--game", "qubic"], "--game braucht einen Gegner: play bot NAME"),
        (["--game", "chess", "--bot", "random"], "Dieses Spiel gibt es nicht. Beispiele: tictactoe"),
        (["--bot", "random", "--marks", "X"], "'X' ist das nicht"),
        (["--bot", "random", "--marks", "X,👍🏽"], "Nicht jedes Terminal zeichnet 'X,👍🏽' gleich breit"),
        (["--bot", "random", "--marks", "O,X"], "'O,X' zeigte eine Seite"),
        (["--bot", "random", "--depth", "2", "--nodes", "3"], "nur mit einem von --depth, --nodes und --think"),
        (["--bot", "random", "--think", "never"], "'never' ist keine Grenze"),
        (["--bot", "random", "--start", "a1 a1"], "Der Anfang stimmt bei Zug 2 nicht: a1 ist von X besetzt."),
        (["--bot", "random", "--server", "ftp://x"], "'ftp://x' ist keine Serveradresse"),
        (["--bot", "random", "--name", "\udcff"], "--name enthält Zeichen, die kein Text sind: '\\udcff'"),
    ],
)
def test_what_the_user_got_wrong_in_german(
    arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOUGHTS_SERVER", raising=False)
    assert cli._status(["play", "--language", "de", *arguments]) == 2
    language.speak(language.ENGLISH)
    assert sentence in capfd.readouterr().err


def test_a_terminal_gets_errors_broken_between_words(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert cli._status(["perft", "qubic", "1", "2"]) == 2
    told = capfd.readouterr().err
    assert told == "noughts: Got unexpected extra argument (2)\n(noughts perft --help)\n"


def test_closed_streams_are_empty_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert cli._status(["play"]) == 2  # nothing says what to play, and there is nobody to tell
    streams = (sys.stdin, sys.stdout, sys.stderr)
    assert all(streams)
    assert sys.stdin.read() == ""
    for stream in streams:
        stream.close()


def test_no_server(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    port = unused_port()
    address = f"http://127.0.0.1:{port}"
    token_file = str(tmp_path / "tokens")
    assert cli._status(["play", "--server", address, "--bot", "random", "--token-file", token_file]) == 1
    assert capfd.readouterr().err == f"noughts: No server answers at {address}: connection refused.\n"


def test_a_broken_file_of_tokens(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "tokens").write_text("no json")
    assert cli._status(["play", "--bot", "random", "--token-file", str(tmp_path / "tokens")]) == 1
    assert "is not a noughts token file" in capfd.readouterr().err


def test_no_command_shows_the_help(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli._status([]) == 2
    shown = capfd.readouterr()
    assert shown.out == ""
    assert "Commands:" in shown.err


def test_version() -> None:
    assert CliRunner().invoke(noughts, ["--version"]).output.startswith("noughts ")


@pytest.mark.parametrize("module", ["client", "client.cli"])
def test_the_module_is_the_command(module: str) -> None:
    done = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("noughts ")


def commands_below(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        if command.invoke_without_command:
            yield " ".join(path), command
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands_below(below, (*path, name))
    else:
        yield " ".join(path), command


def test_help_needs_no_documentation() -> None:
    for name, command in commands_below(noughts):
        assert command.help, name
        for option in command.params:
            assert not isinstance(option, click.Option) or option.hidden or option.help, (name, option.name)
        assert f"noughts {name}" in (command.epilog or ""), name


def test_examples_are_understood() -> None:
    for name, command in commands_below(noughts):
        for line in re.findall(rf"noughts {name}(?: [^|\n]*)?", command.epilog or ""):
            words = shlex.split(re.split(r" {2,}| [<>]", line)[0])
            command.make_context(name, words[1 + len(name.split()) :])


def call_back(error: BaseException | type[BaseException]) -> None:
    """From C, where what is raised cannot be passed on."""

    def fail() -> None:
        raise error

    ctypes.CFUNCTYPE(None)(fail)()


def test_ctrl_c_that_a_callback_drops_comes_again(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def compiling(*arguments: object, **settings: object) -> None:
        call_back(KeyboardInterrupt)
        threading.Event().wait(10)

    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)  # so that it is put back
    monkeypatch.setattr(noughts, "main", compiling)
    before = signal.getsignal(signal.SIGALRM)
    try:
        with pytest.raises(SystemExit) as ended:
            cli.main([])
    finally:
        signal.signal(signal.SIGALRM, before)
    assert (ended.value.code, capfd.readouterr().err) == (130, "")


def test_what_else_a_callback_drops_is_shown(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "unraisablehook", cli._interrupted_in_a_callback)
    call_back(LookupError("on purpose"))
    assert "LookupError: on purpose" in capfd.readouterr().err


def test_a_reader_that_has_gone_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "client.cli", "perft", "tictactoe", "9"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writing)
    assert done.stderr == b""


@pytest.mark.parametrize(
    "line",
    ["--help", "perft tictactoe 4 --json", *(pytest.param(line, marks=pytest.mark.slow)
                                             for line in ("bots", "perft tictactoe 4", "schema bots"))],
)  # fmt: skip
def test_a_full_disk_is_one_sentence(line: str) -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "client.cli", *line.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr == b"noughts: The output cannot be written: No space left on device.\n"


def test_where_nobody_can_be_told_the_status_is_told() -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "client.cli", "sing"]
        done = subprocess.run(command, stdout=full, stderr=full, timeout=60, check=False)
    assert done.returncode == 2


@pytest.mark.parametrize(
    "line",
    ["--help", "bots", *(pytest.param(line, marks=pytest.mark.slow)
                         for line in ("completion show zsh", "schema", "perft tictactoe 9"))],
)  # fmt: skip
def test_a_pipe_may_break_anywhere(line: str) -> None:
    """After every number of bytes at which it could: none, one, and half a line."""
    for count in (0, 1, 30):
        command = [sys.executable, "-m", "client.cli", *line.split()]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            assert writer.stderr is not None
            os.read(writer.stdout.fileno(), count)
            writer.stdout.close()
            assert writer.stderr.read() == b""
        assert writer.returncode in (0, 1)


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("latin-1", b"\\u274c"),
        # click takes ASCII for a mistake, and writes UTF-8
        pytest.param("ascii", "\u274c".encode(), marks=pytest.mark.slow),
    ],
)
def test_a_terminal_that_is_not_utf_8(encoding: str, mark: bytes) -> None:
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    line = "simulate random random --games 1 --icons \u274c,\u2b55"
    for extra in ((), ("--json",)):
        command = [sys.executable, "-m", "client.cli", *line.split(), *extra]
        done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        if extra:
            assert json.loads(done.stdout.decode())["icons"] == ["\u274c", "\u2b55"]
        else:
            assert mark in done.stdout
