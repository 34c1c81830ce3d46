"""A visit in plain lines, from the greeting on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click import ClickException

from client.sdk import ServerUnreachable, connect
from client.terminal import identity
from client.terminal import play as playing
from client.terminal.drawing.boards import Look
from client.terminal.full_screen.app import TerminalApp
from client.terminal.plain import menu_lines
from client.terminal.play_options import Settings
from client.terminal.preferences import Preferences
from server.wire import Announcement
from tests.support.terminal.fake_server import OPPONENT, FakeRoom, fake_server
from tests.support.terminal.german import german
from tests.support.terminal.hung_up import proxy_that_hangs_up

__all__ = ["german"]


@pytest.fixture
def no_input(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with open(os.devnull) as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        yield


@pytest.mark.usefixtures("no_input")
async def test_announcements_are_told_in_plain_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with fake_server() as server, connect(server.url) as connection:

        async def announce(text: str) -> None:
            await server.send(Announcement(text=text, ts=1))
            await connection.ping()

        async def menu(*_: object) -> None:
            shown = capsys.readouterr()
            told.append((shown.out, shown.err))
            await announce("Restart at [one]")
            await announce("")  # withdrawn: nothing is told

        told: list[tuple[str, str]] = []
        monkeypatch.setattr(menu_lines, "choose", menu)
        await announce("Restart at noon")
        settings = Settings(server.url, None, True, Look(), None, None, False, Preferences())
        assert await playing._play_plain(settings, connection) == 1
    after = capsys.readouterr()
    told.append((after.out, after.err))
    assert [out for out, _ in told] == ["", ""], "moves alone go to stdout"
    assert [err for _, err in told] == [
        "From the operator: Restart at noon\n",
        "From the operator: Restart at [one]\n",
    ]


async def test_a_full_screen_that_breaks_down_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    async def break_down(_: TerminalApp) -> None:
        """Textual tells the traceback and has no result."""

    monkeypatch.setattr(TerminalApp, "run_async", break_down)
    async with fake_server() as server, connect(server.url) as connection:
        settings = Settings(server.url, None, False, Look(), None, None, False, Preferences())
        assert await playing._play_full_screen(settings, connection) == 1


@pytest.mark.parametrize(("status", "seated", "told"), [(1, True, 1), (130, True, 1), (129, True, 0), (1, False, 0)])
async def test_whoever_leaves_a_game_is_told_how_to_return(
    status: int, seated: bool, told: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def leave(app: TerminalApp) -> int:
        app.room = await connection.watch("r1")
        return status

    monkeypatch.setattr(TerminalApp, "run_async", leave)
    fake = FakeRoom()
    if not seated:
        fake.room.you, fake.room.seats.x = None, OPPONENT
    async with fake_server(fake) as server, connect(server.url) as connection:
        monkeypatch.setenv("NOUGHTS_SERVER", server.url)
        settings = Settings(server.url, None, False, Look(), None, identity.default_path(), False, Preferences())
        assert await playing._play_full_screen(settings, connection) == status
    assert capsys.readouterr().err == "You left but keep your seat: return with `noughts play join r1`.\n" * told


@pytest.mark.parametrize(
    ("server", "token_file", "told"),
    [
        ("http://127.0.0.1:8765", None, "`noughts play join r1`"),
        ("https://example.org/", None, "`noughts play join https://example.org/room/r1`"),
        ("http://127.0.0.1:8765", Path("my tokens"), "`noughts play join r1 --token-file 'my tokens'`"),
    ],
)
def test_the_way_back_names_another_server_or_identity(
    server: str, token_file: Path | None, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOUGHTS_SERVER", raising=False)
    kept = Settings(server, None, True, Look(), None, token_file or identity.default_path(), False, Preferences())
    view = FakeRoom().view
    assert told in playing._left(kept, view)
    assert "cannot return" in playing._left(replace(kept, token_file=None), view)


@pytest.mark.parametrize(
    ("code", "started", "told"),
    [
        (None, False, "the game you offered is cancelled in a minute unless you return with `noughts play join r1`."),
        ("abc", False, "keep your seat"),
        (None, True, "keep your seat"),
    ],
)
def test_an_open_game_does_not_wait_long(
    code: str | None, started: bool, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_SERVER", "http://h")
    kept = Settings("http://h", None, True, Look(), None, identity.default_path(), False, Preferences())
    assert told in playing._left(kept, replace(FakeRoom().view, code=code, started=started))


def test_a_proxy_that_hangs_up_is_a_sentence_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings("https://noughts.invalid", None, True, Look(), None, None, False, Preferences())
    monkeypatch.setattr(playing, "settings_from", lambda way, options: settings)
    with proxy_that_hangs_up(monkeypatch), pytest.raises(ClickException, match=r"https://noughts\.invalid"):
        playing.run("bot", {"server": settings.server})
    assert not caplog.text


def message(error: ServerUnreachable, options: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> tuple[str, int]:
    """What is told, and the exit status, where playing with these options fails so."""

    async def fail(_: Settings) -> int:
        raise error

    settings = Settings(options["server"], None, True, Look(), None, None, False, Preferences())
    monkeypatch.setattr(playing, "settings_from", lambda way, options: settings)
    monkeypatch.setattr(playing, "_play", fail)
    with pytest.raises(ClickException) as failed:
        playing.run("bot", options)
    return failed.value.message, failed.value.exit_code


@pytest.mark.parametrize(
    ("server", "more"), [("http://127.0.0.1:8765", "; `noughts serve` starts one"), ("http://x", "")]
)
def test_without_a_server_here_one_is_told_how_to_start_it(
    server: str, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = ServerUnreachable("No server answers there: connection refused.")
    told, _ = message(error, {"server": server}, monkeypatch)
    assert told.removesuffix(".") == f"No server answers there: connection refused{more}"


@pytest.mark.parametrize(
    ("options", "told", "status"),
    [
        ({"bot": "lvl:2"}, "There is no bot 'lvl:2' (did you mean level?)", 2),
        ({"x": "random", "o": "level:9"}, "The level of level:LEVEL is 1..8, not '9'", 2),
        ({"bot": "an-engine"}, "No server answers there", 1),
        ({"bot": "level:2"}, "No server answers there", 1),
    ],
)
def test_a_bot_that_cannot_be_is_told_before_that_there_is_no_server(
    options: dict[str, str], told: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = ServerUnreachable("No server answers there.")
    said, exited = message(error, options | {"server": "http://x"}, monkeypatch)
    assert (said.startswith(told), exited) == (True, status), said


def test_a_server_that_may_have_made_the_room_is_told_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer one may know the bot."""
    error = ServerUnreachable("The connection was lost.", in_doubt=True)
    told, _ = message(error, {"bot": "newbot:3", "server": "http://x"}, monkeypatch)
    assert told == "The connection was lost."


@pytest.mark.usefixtures("german", "no_input")
@pytest.mark.parametrize(
    ("server", "target", "told"),
    [
        ("http://127.0.0.1:8765", "http://127.0.0.1:1/room/r1", "http://127.0.0.1:1 antwortet kein Server."),
        ("ada:s3cret@h", "r1", "Eine Serveradresse nimmt weder Benutzer noch Passwort"),
        ("h:x", "r1", "'h:x' ist keine Serveradresse"),
    ],
)
def test_the_address_that_fails_is_told_in_german_too(server: str, target: str, told: str) -> None:
    options = {"server": server, "target": target, "plain": True, "ascii_only": False, "marks": None, "name": None}
    with pytest.raises(ClickException) as failed:
        playing.run("join", options | {"guest": True, "token_file": None, "new_identity": False})
    assert told in failed.value.message
    assert "s3cret" not in failed.value.message
