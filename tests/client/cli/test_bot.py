"""`noughts bot serve`: what is wrong with its file is said in a sentence. That it plays is tested over the wire."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from client.cli.bot import _Token, bot
from tests.support.terminal.hung_up import proxy_that_hangs_up

FILE = """
server = "http://127.0.0.1:1"
name = "coin"
choose = "coin.py:choose"
token_file = "coin.token"
"""
PROGRAM = "def choose(view):\n    return view.legal[0]\n"


@pytest.fixture(autouse=True)
def _no_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would go on in the tests that follow."""
    monkeypatch.setattr("client.cli.bot.set_up_logs", lambda level, form: None)


def complaint(folder: Path, text: str, status: int = 1) -> str:
    (folder / "coin.toml").write_text(text)
    done = CliRunner().invoke(bot, ["serve", str(folder / "coin.toml")])
    assert done.exit_code == status, done.output
    assert not (folder / "coin.token").exists()
    return done.output


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(bot, ["serve", str(tmp_path / "coin.toml")])
    assert (done.exit_code, "coin.toml cannot be read: No such file" in done.output) == (2, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FILE.replace('"coin"\n', '"coin\n'), "not valid TOML"),
        (FILE + "[accept]\nat_once = 0\n", "at_once must be a whole number from 1 to 1000, not '0'"),
        (FILE + "[accept]\nat_onze = 2\n", "did you mean at_once?"),
        (FILE.replace("name", "title"), "name"),
        (FILE.replace("coin.py:choose", "choose"), "choose must be a file and a function"),
        (FILE.replace("coin.py:choose", "none.py:choose"), "choose names none.py, and there is no such file beside"),
        (FILE + '[accept]\ngames = ["chess"]\n', "accept.games: There is no game 'chess'"),
        (FILE + "[accept]\nleast_s = 60\nmost_s = 30\n", "accept.least_s is 60, above accept.most_s, 30: it would acc"),
        (FILE + "[accept]\nleast_rating = 2\nmost_rating = 1\n", "accept.least_rating is 2, above accept.most_rating"),
        (FILE.replace(":choose", ":chose"), "has no function 'chose'"),
    ],
)
def test_what_is_wrong_in_the_file_is_misuse(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "coin.py").write_text(PROGRAM)
    assert said in complaint(tmp_path, text, 2)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (f"async {PROGRAM}", "'choose' is async; write a plain function"),
        (
            "def choose(view, clock):\n    pass\n",
            "'choose' must take one argument, the view: missing a required argument",
        ),
    ],
)
def test_a_function_that_cannot_choose_is_misuse(tmp_path: Path, program: str, said: str) -> None:
    (tmp_path / "coin.py").write_text(program)
    assert said in complaint(tmp_path, FILE, 2)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("\ndef choose(view)\n", ", line 2: SyntaxError: expected ':'."),
        (
            "import json\n\njson.loads('x')\n",
            ", line 3: json.decoder.JSONDecodeError: Expecting value: line 1 column 1",
        ),
        ("import no_such_module\n", ", line 1: ModuleNotFoundError: No module named 'no_such_module'."),
        ("import sys\nsys.exit(3)\n", ", line 2: SystemExit: 3."),
    ],
)
def test_a_program_that_cannot_be_loaded_is_told_with_its_line(tmp_path: Path, program: str, said: str) -> None:
    (tmp_path / "coin.py").write_text(program)
    assert f"coin.py{said}" in complaint(tmp_path, FILE, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            FILE.replace("coin.token", "nowhere/coin.token"),
            "nowhere/coin.token cannot be written: name a file in a folder",
        ),
        (FILE, "No server answers"),
    ],
)
def test_what_fails_elsewhere_is_a_failure(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "coin.py").write_text(PROGRAM)
    assert said in complaint(tmp_path, text)


def test_a_proxy_that_hangs_up_is_a_sentence_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "coin.py").write_text(PROGRAM)
    with proxy_that_hangs_up(monkeypatch):
        assert "through the proxy" in complaint(tmp_path, FILE.replace("127.0.0.1:1", "noughts.invalid"))
    assert not caplog.text


def test_of_two_first_starts_at_one_moment_one_is_told(tmp_path: Path) -> None:
    first, second = _Token(tmp_path / "token"), _Token(tmp_path / "token")
    first.keep("secret")
    with pytest.raises(click.ClickException, match="token was made by another start"):
        second.keep("other")
    assert (tmp_path / "token").read_text() == "secret\n"


@pytest.mark.parametrize(("held", "said"), [(b" \n", "is empty: put the bot's token there"), (b"\xff", "is not UTF-8")])
def test_a_file_that_holds_no_token_is_told(tmp_path: Path, held: bytes, said: str) -> None:
    (tmp_path / "coin.py").write_text(PROGRAM)
    (tmp_path / "token").write_bytes(held)
    assert f"token {said}" in complaint(tmp_path, FILE.replace("coin.token", "token"))
