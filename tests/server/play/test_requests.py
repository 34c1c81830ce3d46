"""What players ask of a room: the refusals, and what follows where nothing is refused."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from server.play.effects import Acknowledge, Publish, Refuse, ShowRoom, StopThinking
from server.play.inputs import PlayerConnected, PlayerDisconnected
from server.play.requests import ABSENT_MS, claim_at_ms
from server.wire import Action, Declined, Ended, Join, Move, Offered, Player, RatingView, Rematch, Result, Say, Side
from server.wire.fields import OfferKind
from tests.support.rooms.session_driver import ANN, BOB, EVE, LONG, Driver, acked, bot_seat, refused


def only_refused(effects: list[Any], code: str, words: str) -> None:
    """A refusal, and nothing beside it."""
    (refusal,) = effects
    assert isinstance(refusal, Refuse)
    assert refusal.code == code
    assert words in refusal.message
    assert refusal.message.endswith(".")


@pytest.mark.parametrize("action", get_args(Action))
def test_only_who_is_seated_acts_and_only_in_the_game_that_is_on(action: str) -> None:
    room = Driver()
    only_refused(room.act(EVE, action), "not_seated", "no seat")
    only_refused(room.act(ANN, action, game=2), "stale", "now playing game 1")
    room.act(ANN, "resign")
    if action != "decline_rematch":  # the one thing that is done after the end
        only_refused(room.act(ANN, action), "game_over", "over")


@pytest.mark.parametrize("action", sorted({*get_args(Action)} - {"abort"}))
def test_before_the_start_a_seek_can_only_be_aborted(action: str) -> None:
    room = Driver(o=None)
    only_refused(room.act(ANN, action), "not_now", "has not started")
    assert acked(room.act(ANN, "abort"))


def test_who_is_challenged_may_decline() -> None:
    room = Driver(o=None, kind="player", target=BOB.id)
    only_refused(room.act(EVE, "decline_challenge"), "not_seated", "no seat")
    only_refused(room.act(BOB, "abort"), "not_seated", "no seat")
    only_refused(room.act(BOB, "decline_challenge", game=2), "stale", "now playing game 1")
    assert acked(room.act(BOB, "decline_challenge"))
    assert room.session.game.result == Result(winner=None, termination="aborted", declined=True)
    only_refused(room.act(BOB, "decline_challenge"), "game_over", "over")


def test_a_challenge_that_was_taken_is_declined_no_more() -> None:
    room = Driver(o=None, kind="player", target=BOB.id)
    room.ask(BOB, Join(room="room1"))
    only_refused(room.act(BOB, "decline_challenge"), "not_now", "has started")
    assert room.session.game.running


def test_who_let_two_bots_play_may_stop_them_at_any_time() -> None:
    room = Driver(x=bot_seat("random", "8"), o=bot_seat(), kind="bots")
    for move in ("a1", "b1", "c1"):
        room.decide(move)
    only_refused(room.act(EVE, "abort"), "not_seated", "no seat")
    only_refused(room.act(ANN, "resign"), "not_seated", "no seat")
    effects = room.act(ANN, "abort")
    assert acked(effects)
    assert any(isinstance(effect, StopThinking) for effect in effects)
    assert room.session.game.result == Result(winner=None, termination="aborted")
    only_refused(room.act(ANN, "abort"), "game_over", "over")


def test_a_stale_move_is_shown_the_room_unasked() -> None:
    room = Driver()
    room.play("a1")
    for request in (
        Move(room="room1", game=2, ply=1, move="b1"),
        Move(room="room1", game=1, ply=0, move="b1"),
    ):
        refusal, room_shown = room.ask(BOB, request)
        assert isinstance(refusal, Refuse)
        assert (refusal.origin, refusal.code) == (BOB.id, "stale")
        assert room_shown == ShowRoom(BOB.id, answer=False)


def test_turns_are_named() -> None:
    only_refused(Driver(o=None).move(ANN, "a1"), "not_your_turn", "not started")
    only_refused(Driver().move(BOB, "a1"), "not_your_turn", "X's turn")


def test_a_join_is_answered_by_the_room() -> None:
    room = Driver(o=None)
    assert ShowRoom(BOB.id, answer=True) in room.ask(BOB, Join(room="room1"))
    assert room.ask(BOB, Join(room="room1")) == [ShowRoom(BOB.id, answer=True)]
    only_refused(room.ask(EVE, Join(room="room1")), "seat_taken", "you can watch")
    seat = room.session.seats["o"]
    assert seat is not None
    assert (seat.id, seat.name, seat.kind, seat.present) == ("2", "Bob", "person", True)


def test_who_joins_takes_the_side_that_is_free() -> None:
    room = Driver(x=None, o=BOB, creator=BOB)
    room.ask(ANN, Join(room="room1"))
    assert room.session.sides(ANN.id) == ("x",)
    assert room.session.sides(BOB.id) == ("o",)


def test_the_rating_of_who_waited_is_shown_anew_only_if_it_has_changed() -> None:
    room = Driver(o=None)
    room.session.ratings = {BOB.id: RatingView(value=1500, deviation=50)}
    room.ask(BOB, Join(room="room1"))
    assert [type(event).__name__ for event in room.events] == ["Seated", "Seated", "SeededStart"]


def test_on_one_screen_the_side_to_move_acts_and_answers_itself() -> None:
    room = Driver(ANN, ANN)
    room.move(ANN, "a1")
    room.act(ANN, "resign")
    assert room.session.game.result == Result(winner="x", termination="resignation")

    room = Driver(ANN, ANN)
    room.move(ANN, "a1")
    room.act(ANN, "offer_draw")
    assert [type(event) for event in room.events[-2:]] == [Offered, Ended]
    assert room.events[-2].by == "o"
    assert room.session.game.result == Result(winner=None, termination="agreement")

    room = Driver(ANN, ANN)
    room.move(ANN, "a1")
    room.move(ANN, "b1")
    room.act(ANN, "offer_takeback")
    assert room.session.game.texts == ["a1"], "the last move goes, whoever made it"
    only_refused(room.act(ANN, "accept_draw"), "not_now", "No draw was offered")


def test_an_abort_is_for_games_of_less_than_two_plies() -> None:
    room = Driver()
    room.play("a1")
    assert acked(room.act(BOB, "abort"))
    assert room.session.game.result == Result(winner=None, termination="aborted")
    room = Driver()
    room.play("a1 b1")
    only_refused(room.act(ANN, "abort"), "not_now", "before its second move")


def test_a_win_is_claimed_for_the_side_that_stayed() -> None:
    stayed: tuple[tuple[Player, Player, Side], ...] = ((ANN, BOB, "x"), (BOB, ANN, "o"))
    for present, absent, winner in stayed:
        room = Driver(clock=LONG)
        only_refused(room.act(present, "claim_win"), "not_now", "is connected")
        room.send(PlayerDisconnected(absent.id))
        only_refused(room.act(present, "claim_win"), "not_now", "60 s after")
        room.send(PlayerConnected(absent.id))
        room.now_ms += 100
        only_refused(room.act(present, "claim_win"), "not_now", "is connected")
        room.send(PlayerDisconnected(absent.id))
        room.now_ms += ABSENT_MS
        room.act(present, "claim_win")
        assert room.session.game.result == Result(winner=winner, termination="disconnection")


@pytest.mark.parametrize("kind", ["open", "invite", "player"])
def test_no_win_is_claimed_without_a_clock(kind: str) -> None:
    room = Driver(kind=kind)
    only_refused(room.act(ANN, "claim_win"), "not_now", "ends by playing, resigning or agreeing on a draw")
    room.send(PlayerDisconnected(BOB.id))
    room.now_ms += 100 * ABSENT_MS
    only_refused(room.act(ANN, "claim_win"), "not_now", "ends by playing, resigning or agreeing on a draw")
    assert claim_at_ms(room.session, "o") is None


def test_an_absence_from_before_the_game_does_not_count() -> None:
    room = Driver(o=None, clock=LONG)
    room.send(PlayerDisconnected(ANN.id))
    room.now_ms += ABSENT_MS - 1
    room.ask(BOB, Join(room="room1"))
    room.now_ms += ABSENT_MS - 1
    only_refused(room.act(BOB, "claim_win"), "not_now", "60 s after")
    room.now_ms += 1
    room.act(BOB, "claim_win")
    assert room.session.game.result is not None


def test_no_win_is_claimed_from_a_bot() -> None:
    room = Driver(ANN, bot_seat(), kind="bot", clock=LONG)
    room.send(PlayerDisconnected("9"))
    room.now_ms += ABSENT_MS
    only_refused(room.act(ANN, "claim_win"), "not_now", "is connected")


@pytest.mark.parametrize("what", ["draw", "takeback"])
def test_offers_are_answered_by_the_other_side_alone(what: OfferKind) -> None:
    room = Driver()
    room.play("a1 b1")
    for answer in ("accept", "decline"):
        only_refused(room.act(BOB, f"{answer}_{what}"), "not_now", f"No {what} was offered")
    assert acked(room.act(ANN, f"offer_{what}"))
    only_refused(room.act(ANN, f"offer_{what}"), "not_now", "already")
    lapsed = f"No {what} was offered to you, or the offer has lapsed."
    only_refused(room.act(ANN, f"accept_{what}"), "not_now", lapsed)
    (publish, acknowledge) = room.act(BOB, f"decline_{what}")[-2:]
    assert isinstance(publish, Publish)
    assert [entry.event for entry in publish.entries] == [Declined(by="o", what=what)]
    assert acknowledge == Acknowledge(BOB.id, room.session.seq)
    assert room.session.offers == []


def test_a_takeback_goes_back_to_a_move_of_its_asker() -> None:
    for asker, answerer, left in ((ANN, BOB, []), (BOB, ANN, ["a1"])):
        room = Driver()
        room.play("a1 b1")
        room.act(asker, "offer_takeback")
        room.act(answerer, "accept_takeback")
        assert room.session.game.texts == left
    room = Driver()
    room.play("a1")
    only_refused(room.act(BOB, "offer_takeback"), "not_now", "no move to take back")


def test_no_takeback_of_a_move_that_is_not_there() -> None:
    room = Driver(start=["a1", "b1"])
    only_refused(room.act(BOB, "offer_takeback"), "not_now", "no move to take back")
    room.move(ANN, "c1")
    only_refused(room.act(BOB, "offer_takeback"), "not_now", "no move to take back")
    assert acked(room.act(ANN, "offer_takeback"))


def test_rated_games_have_no_takebacks_but_draws() -> None:
    room = Driver(rated=True)
    room.play("a1 b1")
    only_refused(room.act(ANN, "offer_takeback"), "not_now", "rated")
    assert acked(room.act(ANN, "offer_draw"))


def test_a_bot_that_follows_the_game_lets_nothing_be_taken_back() -> None:
    room = Driver(ANN, bot_seat(), kind="bot", takebacks=False)
    room.move(ANN, "a1")
    only_refused(room.act(ANN, "offer_takeback"), "not_now", "This bot follows the game as it goes")


def test_a_bot_without_a_verdict_takes_no_draw() -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.act(ANN, "offer_draw")
    assert room.events[-1] == Declined(by="o", what="draw")


def test_a_rematch_waits_for_the_end_of_a_game_that_was_played() -> None:
    room = Driver()
    only_refused(room.ask(EVE, Rematch(room="room1")), "not_seated", "no seat")
    only_refused(room.ask(ANN, Rematch(room="room1")), "not_now", "once the game is over")
    room.act(ANN, "resign")
    assert acked(room.ask(BOB, Rematch(room="room1"))) == [room.session.seq]
    assert room.events[-1] == Offered(by="o", what="rematch")
    assert room.ask(BOB, Rematch(room="room1")) == [Acknowledge(BOB.id, room.session.seq)]
    assert acked(room.ask(ANN, Rematch(room="room1"))) == [room.session.seq]
    assert room.session.sides(ANN.id) == ("o",)


def test_a_rematch_is_declined_by_who_was_asked_and_may_be_asked_for_again() -> None:
    room = Driver()
    only_refused(room.act(ANN, "decline_rematch"), "not_now", "No rematch was offered")
    room.act(ANN, "resign")
    only_refused(room.act(ANN, "decline_rematch"), "not_now", "No rematch was offered")
    room.ask(BOB, Rematch(room="room1"))
    only_refused(room.act(BOB, "decline_rematch"), "not_now", "No rematch was offered")
    only_refused(room.act(EVE, "decline_rematch"), "not_seated", "no seat")
    assert acked(room.act(ANN, "decline_rematch")) == [room.session.seq]
    assert room.events[-1] == Declined(by="x", what="rematch")
    assert room.session.offers == []
    room.ask(BOB, Rematch(room="room1"))
    assert room.events[-1] == Offered(by="o", what="rematch")


def test_who_plays_both_sides_has_another_game_at_once() -> None:
    room = Driver(ANN, ANN)
    room.act(ANN, "resign")
    room.ask(ANN, Rematch(room="room1"))
    assert room.session.game.serial == 2


def test_only_the_creator_of_a_bots_room_has_another_game_of_theirs() -> None:
    room = Driver(ANN, bot_seat(), kind="bot", creator=ANN)
    only_refused(room.ask(BOB, Rematch(room="room1")), "not_seated", "no seat")


def test_anybody_may_speak() -> None:
    room = Driver()
    stranger = Player(id="7", name="Zoe", kind="person")
    assert acked(room.ask(stranger, Say(room="room1", text="hi"))) == [room.session.seq]
    (line,) = room.session.chat
    assert (line.by.id, line.by.name, line.text, line.ts) == ("7", "Zoe", "hi", room.now_ms)
    assert not refused(room.effects)
