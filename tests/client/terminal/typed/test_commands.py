"""What is typed into a game."""

from __future__ import annotations

import pytest

from client.sdk import RoomView
from client.sdk.room_view import room_view
from client.terminal.typed.commands import Command, Do, NotNow, Play, Say, Simple, check_turn, parse
from server.wire import Action, Ended, OfferKind
from tests.support.terminal.fake_server import ME, FakeRoom
from tests.support.terminal.views import O_VIEW, SPECTATOR, VIEW, WAITING, after, offered

QUBIC = room_view(FakeRoom("qubic").room, ME.id)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("", None),
        ("   ", None),
        ("b2", Play("b2")),
        (" B2 ", Play("b2")),
        ("/say  hello there ", Say("hello there")),
        ("/resign", Do("resign")),
        ("/RESIGN", Do("resign")),
        ("/draw", Do("offer_draw")),
        ("/undo", Do("offer_takeback")),
        ("/abort", Do("abort")),
        ("/claim", Do("claim_win")),
        ("?", Simple("help")),
        ("/q", Simple("quit")),
        ("/rematch", Simple("rematch")),
    ],
)
def test_typed(line: str, command: Command | None) -> None:
    assert parse(line, VIEW) == command


def test_typed_in_a_cube() -> None:
    assert parse("A1.4", QUBIC) == Play("a1.4")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("z9", "names no cell"),
        ("5/5", "names no cell"),
        ("/sing", "no command /sing"),
        ("/say", "Say what"),
        ("/say " + "x" * 301, "301"),
        ("/decline", "no offer"),
        ("/accept", "no offer"),
        ("hello", "names no cell"),
    ],
)
def test_typed_in_vain(line: str, sentence: str) -> None:
    with pytest.raises(NotNow, match=sentence):
        parse(line, VIEW)


@pytest.mark.parametrize(
    ("line", "what", "action"),
    [
        ("/draw", "draw", "accept_draw"),
        ("/accept", "draw", "accept_draw"),
        ("/decline", "draw", "decline_draw"),
        ("/takeback", "takeback", "accept_takeback"),
        ("/accept", "takeback", "accept_takeback"),
        ("/decline", "takeback", "decline_takeback"),
        ("/decline", "rematch", "decline_rematch"),
    ],
)
def test_answers_to_offers(line: str, what: OfferKind, action: Action) -> None:
    assert parse(line, offered(what)) == Do(action)


def test_a_rematch_is_accepted_by_asking_for_it_too() -> None:
    assert parse("/accept", offered("rematch")) == Simple("rematch")
    with pytest.raises(NotNow, match="no offer"):
        parse("/accept", offered("rematch", by="x"))


def test_ones_own_offer_is_not_accepted() -> None:
    assert parse("/draw", offered("draw", by="x")) == Do("offer_draw")


@pytest.mark.parametrize(
    ("view", "sentence"),
    [
        (SPECTATOR, "watching"),
        (O_VIEW, "opponent's turn"),
        (WAITING, "not started"),
        (after(VIEW, Ended(winner="x", termination="resignation", clock=None)), "over"),
    ],
)
def test_not_my_turn(view: RoomView, sentence: str) -> None:
    with pytest.raises(NotNow, match=sentence):
        check_turn(view)


def test_my_turn() -> None:
    check_turn(VIEW)
