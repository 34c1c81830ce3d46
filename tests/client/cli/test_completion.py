"""Completion: what the shells are told, where it is installed, and the Tab key in the shells themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import CompletionItem

from client.cli import main as cli
from client.cli.completion import SHELLS, Bash, places, script
from tests.support.terminal.real_shell import RealShell


def answer(line: str, monkeypatch: pytest.MonkeyPatch, breaks: str = " :=") -> list[str]:
    """What bash is told for a line whose end is the cursor."""
    monkeypatch.setenv("_NOUGHTS_LINE", line)
    monkeypatch.setenv("_NOUGHTS_BREAKS", breaks)
    lines = Bash(cli.cli, {}, "noughts", "_NOUGHTS_COMPLETE").complete().splitlines()
    assert all(each.startswith("plain,") for each in lines)
    return [each.removeprefix("plain,") for each in lines]


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("noughts pl", {"play"}),
        ("noughts play ", {"bot", "invite", "join", "watch", "replay"}),
        ("noughts play bot level:", {"1", "8"}),
        ("noughts play bot --game qu", {"qubic"}),
        ("noughts perft mnk:", {"5,5,4"}),
        ("noughts play bot --limit=dep", {"depth=2"}),
        ("noughts play bot --limit=depth=", {"2", "4"}),
        ("noughts play bot --clock ", {"5+3", "none"}),
        ("noughts match level:1 level:2 --se", {"--seed"}),
        ("noughts match level:1 level:2 --limit nodes=", {"1000"}),
        ("noughts schema ", {"match", "db"}),
        ("noughts schema db ", {"info", "check"}),
        ("noughts experiment run ", {"osipa", "all"}),
    ],
)
def test_bash_is_told_what_follows_its_last_break(line: str, some: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert some <= set(answer(line, monkeypatch))


def test_examples_of_ladders_stand_before_files() -> None:
    for command in ("run", "check"):
        asked = Bash(cli.cli, {}, "noughts", "_NOUGHTS_COMPLETE").get_completions(["ladder", command], "ov")
        assert [(item.type, item.value) for item in asked] == [("plain", "overnight"), ("file", "ov")]


def test_bash_may_break_words_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "level:8" in answer("noughts play bot level:", monkeypatch, breaks=" ")


def test_what_is_unknown_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "play" in answer("noughts sing ", monkeypatch)
    assert answer("noughts play bot nobody", monkeypatch) == []


def test_the_kind_of_a_completion_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_NOUGHTS_LINE", "noughts verify a:")
    complete = Bash(cli.cli, {}, "noughts", "_NOUGHTS_COMPLETE")
    assert complete.format_completion(CompletionItem("a:b", type="file")) == "file,b"


@pytest.mark.parametrize("line", ["noughts ", "noughts play bot le", "noughts play bot --game q", "noughts perft "])
def test_completion_imports_nothing_heavy(line: str) -> None:
    program = (
        "import sys\nfrom client.cli.main import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = ('numba', 'numpy', 'polars', 'websockets', 'textual', 'asyncio', 'msgspec', 'sqlite3')\n"
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    asks = {"_NOUGHTS_COMPLETE": "bash_complete", "_NOUGHTS_LINE": line}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment | asks, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.startswith("plain,")
    assert done.stderr.strip() == "[]"


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", "/bin/bash")
    return tmp_path


def test_installed_twice_and_removed(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    startup = home / ".bashrc"
    startup.write_bytes(b"alias a=b\n# \xff")
    assert cli._status(["completion", "install"]) == 0
    written = home / ".local/share/bash-completion/completions/noughts"
    first = startup.read_bytes()
    assert cli._status(["completion", "install", "bash"]) == 0
    assert startup.read_bytes() == first
    assert first == b"alias a=b\n# \xff\n[ -r %b ] && . %b  # noughts completion\n" % ((str(written).encode(),) * 2)
    assert written.read_text() == script("bash")
    assert capfd.readouterr().out.splitlines()[:2] == [f"Wrote {written}.", f"Added a line to {startup}."]
    assert cli._status(["completion", "remove"]) == 0
    assert startup.read_bytes() == b"alias a=b\n# \xff\n"
    assert not written.exists()
    assert cli._status(["completion", "remove"]) == 0
    assert capfd.readouterr().out.endswith("Completion for bash is not installed.\n")


def test_where_each_shell_looks(tmp_path: Path) -> None:
    environment = {"HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "relative", "ZDOTDIR": "/z"}
    assert [(str(where.script), str(where.startup)) for where in (places(shell, environment) for shell in SHELLS)] == [
        ("/d/bash-completion/completions/noughts", "/h/.bashrc"),
        ("/d/zsh/site-functions/_noughts", "/z/.zshrc"),
        ("/h/.config/fish/completions/noughts.fish", "None"),
    ]


def test_what_cannot_be_written(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (home / ".local").write_text("a file")
    assert cli._status(["completion", "install"]) == 1
    shown = capfd.readouterr()
    assert shown.err.startswith("noughts: ")
    assert shown.err.endswith("cannot be written: Not a directory.\n")
    assert not (home / ".bashrc").exists()


def test_an_unknown_shell(home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert cli._status(["completion", "install"]) == 2
    assert "$SHELL names none of bash, zsh, fish" in capfd.readouterr().err


def test_show_prints_the_script(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli._status(["completion", "show", "fish"]) == 0
    assert capfd.readouterr().out == script("fish")


def _press_tab_in(shell: str, home: Path) -> None:
    """Install completion by the command, start the shell, and press Tab."""
    programs = home / "bin"
    programs.mkdir()
    (programs / "noughts").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m client "$@"\n')
    (programs / "noughts").chmod(0o755)
    root = str(Path(__file__).parents[3])
    environment = {
        **{"HOME": str(home), "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": root, "SHELL": f"/bin/{shell}"},
        **{"TERM": "xterm", "LC_ALL": "C.UTF-8", "COLUMNS": "120", "LINES": "40"},
    }
    for startup in (".bashrc", ".zshrc"):  # behind those of the machine, whose prompts show its name and the folder
        (home / startup).write_text("PS1='$ '\n")
    subprocess.run([programs / "noughts", "completion", "install"], env=environment, check=True, timeout=60)
    with RealShell(shell, environment) as typed:
        typed.types("echo rea''dy\n")
        typed.shows("ready")
        typed.types("noughts play wat\t")
        typed.shows("noughts play watch ")
        typed.types("\x15noughts play bot stron\t")
        typed.shows("bot strongest")
        typed.types("\x15noughts play bot level:\t\t")
        typed.shows("7  8" if shell == "bash" else "level:8")  # bash lists only what follows the colon
        typed.types("\x15noughts play bot alphabeta:20\t")
        typed.shows("alphabeta:20 ")
        typed.types("\x15noughts play bot --game mnk:5\t")
        typed.shows("mnk:5,5,4")
        # Shells redraw a completed word in ways of their own: echo tells what the line is.
        typed.types("\x15noughts play bot --game=qu\t\x01echo \n")
        typed.shows("noughts play bot --game=qubic\r\n")


def test_tab_in_bash(tmp_path: Path) -> None:
    _press_tab_in("bash", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_tab_in_other_shells(shell: str, tmp_path: Path) -> None:
    assert shutil.which(shell), f"{shell} is missing: install it, as .ci/run does"
    _press_tab_in(shell, tmp_path)


@pytest.mark.slow
def test_shellcheck_finds_nothing() -> None:
    assert shutil.which("shellcheck"), "shellcheck is missing: install it, as .ci/run does"
    shells = Path(__file__).parents[3] / "client" / "cli" / "shells"
    done = subprocess.run(["shellcheck", shells / "noughts.bash"], capture_output=True, text=True, check=False)
    assert done.stdout == ""


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_shells_read_their_scripts(shell: str, tmp_path: Path) -> None:
    (tmp_path / "script").write_text(script(shell))
    done = subprocess.run([shell, "-n", tmp_path / "script"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
