"""`noughts admin`, with a server that answers as a test says."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.admin import command
from server.admin.orders import Announce, Answer, Ban, Delete, Drain, Order, PlayerLine

HOUR_MS = 3_600_000


class Desk:
    """Answers each order with the next of `answers`, of which the last stays."""

    def __init__(self) -> None:
        self.answers = [Answer(said="Done.")]
        self.orders: list[Order] = []
        self.now_s = 0.0

    def ask(self, database: Path, order: Order) -> Answer:
        self.orders.append(order)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds

    def run(self, *words: str, typed: str | None = None) -> Result:
        return CliRunner().invoke(command.admin, words, input=typed)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk()
    monkeypatch.setattr(command, "ask", desk.ask)
    monkeypatch.setattr(time, "sleep", desk.sleep)
    monkeypatch.setattr(time, "monotonic", lambda: desk.now_s)
    return desk


@pytest.mark.parametrize(
    ("text", "ms"), [("90s", 90_000), ("30m", 1_800_000), ("12h", 12 * HOUR_MS), ("7d", 7 * 24 * HOUR_MS)]
)
def test_lengths_of_time(desk: Desk, text: str, ms: int) -> None:
    assert desk.run("ban", "17", "--for", text).exit_code == 0
    assert desk.orders == [Ban(player="17", ms=ms)]


@pytest.mark.parametrize("text", ["", "7", "0d", "-1h", "1w", "1.5h", "9999999s"])
def test_what_is_no_length_of_time_is_told(desk: Desk, text: str) -> None:
    refused = desk.run("ban", "17", "--for", text)
    assert (refused.exit_code, desk.orders) == (2, [])
    assert "7d" in refused.output


def test_bytes_that_are_no_text_are_misuse(tmp_path: Path) -> None:
    refused = CliRunner().invoke(command.admin, ["players", "\udcff", "--db", str(tmp_path / "noughts.db")])
    assert (refused.exit_code, "'\\udcff' is not text in UTF-8." in refused.output) == (2, True)


def test_an_order_that_no_server_takes_whole_is_misuse(tmp_path: Path) -> None:
    refused = CliRunner().invoke(command.admin, ["players", "a" * 70_000, "--db", str(tmp_path / "noughts.db")])
    assert refused.exit_code == 2
    assert "bytes, and a server takes at most 65,536." in refused.output


def test_a_deletion_is_asked_about_first(desk: Desk) -> None:
    assert desk.run("delete", "17", typed="n\n").exit_code == 1
    assert desk.orders == []
    assert desk.run("delete", "17", typed="y\n").exit_code == 0
    assert desk.orders == [Delete(player="17")]


def test_an_announcement_is_a_text_or_its_withdrawal(desk: Desk) -> None:
    for words in ((), ("",), ("Noon", "--withdraw")):
        assert desk.run("announce", *words).exit_code == 2
    assert desk.orders == []
    desk.run("announce", "Noon", "--for", "1h")
    desk.run("announce", "--withdraw")
    assert desk.orders == [Announce(text="Noon", ms=HOUR_MS), Announce(text="")]


@pytest.mark.parametrize("words", [("announce", "a" * 301), ("ban", "17", "--reason", "a" * 201)])
def test_a_text_that_is_too_long_is_refused_with_its_length(desk: Desk, words: tuple[str, ...]) -> None:
    refused = desk.run(*words)
    assert (refused.exit_code, desk.orders) == (2, [])
    length = len(words[-1])
    assert f"it has {length} characters, and at most {length - 1} are allowed." in " ".join(refused.output.split())


def test_players_are_a_line_each(desk: Desk) -> None:
    players = [
        PlayerLine("17", "Anna", "person", 1_700_000_000_000, True, None, ["aa", "bb"]),
        PlayerLine("3", "Coin", "bot", 1_700_000_000_000, False, "You are banned.", []),
    ]
    desk.answers = [Answer(said="2 players.", players=players)]
    assert desk.run("players").output.splitlines() == [
        "    17  Anna, person, since 2023-11-14, connected, in aa bb",
        "     3  Coin, bot, since 2023-11-14, banned",
        "2 players.",
    ]


def test_an_order_that_is_not_carried_out_fails_with_its_sentence(desk: Desk) -> None:
    desk.answers = [Answer(said="There is no open room aa.", done=False)]
    refused = desk.run("close", "aa")
    assert (refused.exit_code, "There is no open room aa." in refused.output) == (1, True)


def test_a_drain_ends_with_the_last_game_and_tells_each_change_once(desk: Desk) -> None:
    desk.answers = [Answer(said=f"{left} left.", left=left) for left in (2, 2, 1, 0)]
    done = desk.run("drain")
    assert (done.exit_code, done.output.split("\n")) == (0, ["2 left.", "1 left.", "0 left.", ""])
    assert desk.orders == [Drain()] * 4


def test_a_drain_ends_at_its_limit(desk: Desk) -> None:
    desk.answers = [Answer(said="1 left.", left=1)]
    done = desk.run("drain", "--limit", "3s")
    assert (done.exit_code, desk.now_s) == (1, 3)
    assert desk.run("drain", "--cancel").exit_code == 0
    assert desk.orders[-1] == Drain(on=False)
