"""The other end of a connection, as the referee of a nine-board server sees it."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from client.lab.brain.servt import Servt
from client.lab.servt.agents import OurAgent, RemoteAgent
from client.lab.servt.referee import TooLate
from engine.bots.fault import BotFault
from engine.search.decision import Decision

SOON_MS, LONG_MS = 1, 60_000


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


Ends = tuple[socket.socket, socket.socket]


def test_a_line_goes_there_and_another_comes_back(ends: Ends) -> None:
    ours, theirs = ends
    theirs.sendall(b"7\r\n8\n")
    agent = RemoteAgent(ours, LONG_MS)
    assert agent.ask("next_move(1).") == "7"
    assert theirs.recv(100) == b"next_move(1).\n"
    assert agent.ask("next_move(2).") == "8"


def test_silence_and_half_a_line_are_too_late(ends: Ends) -> None:
    ours, theirs = ends
    with pytest.raises(TooLate, match="has not answered within 1 ms"):
        RemoteAgent(ours, SOON_MS).ask("next_move(1).")
    theirs.sendall(b"7")
    with pytest.raises(TooLate, match="has not answered within 1 ms"):
        RemoteAgent(ours, SOON_MS).ask("next_move(1).")


def test_a_late_answer_is_not_taken_for_that_to_the_next_question(ends: Ends) -> None:
    ours, theirs = ends
    agent = RemoteAgent(ours, SOON_MS)
    for _ in range(2):
        with pytest.raises(TooLate):
            agent.ask("next_move(1).")
    theirs.sendall(b"7\n8\n9\n")
    assert agent.ask("second_move(5,5).") == "9"


def test_one_that_has_left_is_told_nothing_and_answers_nothing(ends: Ends) -> None:
    ours, theirs = ends
    theirs.close()
    agent = RemoteAgent(ours, LONG_MS)
    agent.tell("end.")
    with pytest.raises(TooLate, match="has left"):
        agent.ask("next_move(1).")


def test_bytes_without_an_end_are_no_move(ends: Ends) -> None:
    ours, theirs = ends
    theirs.sendall(b"7" * 10_000)
    with pytest.raises(BotFault, match="wrote more than 64 bytes where a move is a square"):
        RemoteAgent(ours, LONG_MS).ask("next_move(1).")


def test_bytes_that_are_no_text_are_an_answer_like_any_other(ends: Ends) -> None:
    ours, theirs = ends
    theirs.sendall(b"\xff\n")
    assert RemoteAgent(ours, LONG_MS).ask("next_move(1).") == "\ufffd"


def test_a_bot_of_ours_is_told_and_asked_as_any_other() -> None:
    agent = OurAgent(Servt(lambda position, move_ms, moves, game: Decision(position.legal_moves()[0]), 1000))
    agent.tell("start(o).")
    assert agent.ask("second_move(5,3).") == "1"
