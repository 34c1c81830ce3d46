"""Who is told what of a review, and when: by hand, without workers, disks or waiting."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from engine.rules.registry import rules
from server.play.writes import Conflict, StoreUnavailable
from server.rooms.members import SEND_QUEUE_BYTES, Origin
from server.rooms.refused import Refused
from server.rooms.reviews import FAILURES_ALLOWED, REVIEWS, REVIEWS_A_PLAYER
from server.wire import Player, Review, encode
from server.wire.review_view import LINE_LENGTH, judged_moves
from server.workers.child import ReviewJob
from tests.support.rooms.fakes import FakeMember, kinds, settle
from tests.support.rooms.review_desk import ReviewDesk, desk, judged
from tests.support.rooms.session_driver import ANN, BOB, EVE


def plies(messages: list[dict[str, Any]]) -> list[int]:
    """The moves that messages tell of, in order."""
    return [move["ply"] for message in messages if message["t"] == "review" for move in message["moves"]]


async def refusal(here: ReviewDesk, member: FakeMember, game: int = 100) -> Refused:
    with pytest.raises(Refused) as caught:
        await here.ask(member, game)
    assert member.take() == []
    assert caught.value.message.endswith(".")
    return caught.value


# One review


async def test_a_review_from_the_first_move_to_the_last() -> None:
    here, ann = desk(), FakeMember(ANN)
    await here.ask(ann, id=3)
    ack, first = ann.take()
    assert ack == {"t": "ack", "id": 3}
    assert first == {"t": "review", "game": 100, "done": 0, "of": 5, "moves": []}
    for ply in (4, 3, 2, 1, 0):
        assert [asked.job for asked in here.at_work] == [ReviewJob("tictactoe", tuple(range(ply)), ply, 60_000)]
        await here.answer()
    messages = ann.take()
    assert plies(messages[:1]) == [4], "the first is told at once"
    assert sorted(plies(messages)) == [0, 1, 2, 3, 4], "each is told once"
    assert [(message["done"], message["of"]) for message in messages] == [(1, 5), (5, 5)]
    assert messages[0]["moves"] == [
        {"ply": 4, "verdict": "even", "exact": False, "value": 0.04, "best": ["b2"], "could": "even"}
    ]
    assert here.stored[100] == {ply: judged(ply) for ply in range(5)}
    assert (here.reviews.running, ann.following) == (0, {})
    await here.world.wait(1000)
    assert ann.take() == []
    assert here.world.due_ms == []


async def test_four_messages_a_second_are_enough() -> None:
    here, ann = desk(), FakeMember(ANN)
    here.add(1, plies=9)
    await here.ask(ann, 1)
    ann.take()
    await here.answer(3)
    assert [message["done"] for message in ann.take()] == [1]
    await here.world.wait(249)
    assert ann.take() == []
    await here.world.wait(1)
    assert [(message["done"], plies([message])) for message in ann.take()] == [(3, [6, 7])]
    await here.world.wait(500)
    assert ann.take() == [], "nothing new"
    await here.answer()
    assert [message["done"] for message in ann.take()] == [4]


async def test_nobody_is_told_of_what_is_not_stored() -> None:
    here, ann = desk(), FakeMember(ANN)
    here.world.by_hand = True
    await here.ask(ann)
    ann.take()
    await here.answer()
    assert (ann.take(), here.at_work) == ([], [])
    await here.world.commit()
    assert plies(ann.take()) == [4]
    assert len(here.at_work) == 1


async def test_the_moves_of_a_start_are_not_judged_but_made() -> None:
    here, ann = desk(), FakeMember(ANN)
    here.add(1, plies=1, start='["b2","a1"]')
    here.moves[1] = [8]
    await here.ask(ann, 1)
    [asked] = here.at_work
    assert (asked.job.cells, asked.job.move) == ((4, 0), 8)
    await here.answer()
    assert plies(ann.take()) == [0]


async def test_a_game_without_moves_is_reviewed_at_once() -> None:
    here, ann = desk(), FakeMember(ANN)
    here.add(1, plies=0, termination="aborted")
    await here.ask(ann, 1)
    assert ann.take()[1:] == [{"t": "review", "game": 1, "done": 0, "of": 0, "moves": []}]
    assert (here.reviews.running, ann.following) == (0, {})


async def test_what_is_stored_is_told_at_once_and_not_judged_again() -> None:
    here, ann = desk(), FakeMember(ANN)
    here.stored[100] = {ply: judged(ply) for ply in (4, 3, 2, 1, 0)}
    here.world.available = False
    await here.ask(ann)
    ack, whole = ann.take()
    assert (ack["t"], whole["done"], plies([whole])) == ("ack", 5, [0, 1, 2, 3, 4])
    assert (here.asked, here.reviews.running, ann.following) == ([], 0, {})


async def test_a_review_goes_on_where_it_stood() -> None:
    here, ann = desk(), FakeMember(ANN)
    here.stored[100] = {4: judged(4), 2: judged(2)}
    await here.ask(ann)
    assert plies(ann.take()) == [2, 4]
    assert [asked.ply for asked in here.at_work] == [3]
    await here.answer(3)
    assert [asked.ply for asked in here.asked] == [3, 1, 0]
    assert sorted(plies(ann.take())) == [0, 1, 3]


async def test_what_is_stored_of_moves_that_are_not_there_is_passed_over() -> None:
    here, ann = desk(), FakeMember(ANN)
    here.stored[100] = {7: judged(7)}
    await here.ask(ann)
    assert ann.take()[1] == {"t": "review", "game": 100, "done": 0, "of": 5, "moves": []}


def test_long_lines_are_cut_and_a_whole_review_fits_a_readers_send_queue() -> None:
    line = tuple(range(400))
    longest = replace(judged(0), best=line, value=-0.123456789012345, win_in=-100, bound=True, best_win_in=-100)
    said = judged_moves("mnk:20,20,5", [(ply, longest) for ply in range(400)])
    assert {len(move.best) for move in said} == {LINE_LENGTH}
    assert len(encode(Review(game=1, done=400, of=400, moves=said))) < SEND_QUEUE_BYTES * 3 // 4


def test_moves_are_told_as_text_in_the_order_of_play() -> None:
    said = judged_moves("qubic", [(2, judged(2)), (0, judged(0))])
    assert [(move.ply, move.best) for move in said] == [(0, ["a1.1"]), (2, [rules("qubic").format_move(2)])]


# Several who wait


async def test_one_who_comes_later_is_told_all_and_then_the_same() -> None:
    here, ann, bob = desk(), FakeMember(ANN), FakeMember(BOB)
    await here.ask(ann)
    await here.answer(2)
    ann.take()
    await here.ask(bob, id=9)
    ack, first = bob.take()
    assert (ack, first["done"], plies([first])) == ({"t": "ack", "id": 9}, 2, [3, 4])
    await here.world.wait(250)
    assert (plies(ann.take()), bob.take()) == ([3], [])
    await here.answer(3)
    assert sorted(plies(ann.take())) == sorted(plies(bob.take())) == [0, 1, 2]
    assert len(here.asked) == 5, "each move is judged once"


async def test_one_who_asks_again_is_told_all_again_and_nothing_twice_after_that() -> None:
    here, ann = desk(), FakeMember(ANN)
    await here.ask(ann, id=1)
    await here.answer(2)
    ann.take()
    await here.ask(ann, id=2)
    ack, again = ann.take()
    assert (ack, plies([again])) == ({"t": "ack", "id": 2}, [3, 4])
    await here.answer(3)
    assert sorted(plies(ann.take())) == [0, 1, 2]


async def test_a_review_ends_when_the_last_who_waited_is_gone() -> None:
    here, ann, bob = desk(), FakeMember(ANN), FakeMember(BOB)
    await here.ask(ann)
    await here.ask(bob)
    await here.answer(2)
    ann.take()
    await here.cancel(ann, id=5)
    assert ann.take() == [{"t": "ack", "id": 5}]
    assert here.reviews.running == 1
    bob.take()
    for followed in list(bob.following):  # as the lobby does when a connection is lost
        followed.leave(bob)
    await settle()
    assert here.reviews.running == 0
    assert [asked.stopped for asked in here.asked] == [False, False, True]
    await here.world.wait(1000)
    assert (ann.take(), bob.take()) == ([], [])
    assert here.world.due_ms == []
    assert set(here.stored[100]) == {4, 3}


async def test_whoever_asks_right_after_the_end_begins_it_anew() -> None:
    """The task that was broken off has not even noticed yet."""
    here, ann, bob = desk(), FakeMember(ANN), FakeMember(BOB)
    await here.ask(ann)
    here.reviews.cancel(Origin(ann, None), 100)
    await here.reviews.ask(Origin(bob, None), 100)
    await settle()
    assert here.reviews.running == 1
    await here.answer(5)
    assert bob.take()[-1]["done"] == 5
    assert here.reviews.running == 0


async def test_a_review_broken_off_before_its_first_step() -> None:
    here, ann = desk(), FakeMember(ANN)
    await here.reviews.ask(Origin(ann, None), 100)
    here.reviews.cancel(Origin(ann, None), 100)
    await settle()
    assert (here.reviews.running, here.asked) == (0, [])


@pytest.mark.parametrize("game", [100, 101, 999])
async def test_there_is_no_harm_in_cancelling_what_one_does_not_wait_for(game: int) -> None:
    here, ann, bob = desk(), FakeMember(ANN), FakeMember(BOB)
    await here.ask(ann)
    await here.cancel(bob, game, id=1)
    assert bob.take() == [{"t": "ack", "id": 1}]
    assert here.reviews.running == 1


async def test_two_who_ask_at_once_share_a_review() -> None:
    here, ann, bob = desk(), FakeMember(ANN), FakeMember(BOB)
    await asyncio.gather(here.ask(ann), here.ask(bob))
    assert here.reviews.running == 1
    await here.answer(5)
    assert len(here.asked) == 5
    assert ann.take()[-1]["done"] == bob.take()[-1]["done"] == 5


async def test_one_who_left_while_the_records_were_read_is_told_nothing() -> None:
    here, ann = desk(), FakeMember(ANN)
    ann.open = False
    await here.ask(ann)
    assert (ann.take(), ann.following, here.reviews.running) == ([], {}, 0)


async def test_a_close_ends_all_and_keeps_what_is_judged() -> None:
    here, ann = desk(), FakeMember(ANN)
    for game in (100, 101):
        await here.ask(ann, game)
    await here.answer()
    await here.reviews.close()
    assert (here.reviews.running, ann.following, here.at_work) == (0, {}, [])
    assert set(here.stored[100]) == {4}
    assert here.world.due_ms == []


# What is refused


async def test_a_game_that_is_not_there_and_one_of_others_look_the_same() -> None:
    here, eve = desk(), FakeMember(EVE)
    here.add(1, private=1)
    missing, private = await refusal(here, eve, 12), await refusal(here, eve, 1)
    assert missing.code == private.code == "not_found"
    assert missing.message.replace("12", "1") == private.message


@pytest.mark.parametrize("player", [ANN, Player(id="9", name="random", kind="bot")])
async def test_a_private_game_is_for_its_players(player: Player) -> None:
    here, one = desk(), FakeMember(player)
    here.add(1, private=1)
    await here.ask(one, 1)
    assert kinds(one.take()) == ["ack", "review"]


async def test_a_game_that_runs_can_be_reviewed_once_it_is_over() -> None:
    here, ann = desk(), FakeMember(ANN)
    here.add(1, termination=None, plies=0)
    refused = await refusal(here, ann, 1)
    assert refused.code == "not_now"
    assert "once it is over" in refused.message


async def test_a_private_game_of_others_that_runs_does_not_show_itself() -> None:
    here, eve = desk(), FakeMember(EVE)
    here.add(1, termination=None, private=1)
    assert (await refusal(here, eve, 1)).code == "not_found"


async def test_a_player_may_wait_for_so_many_games() -> None:
    here, ann, again = desk(), FakeMember(ANN), FakeMember(ANN)
    for game in range(100, 100 + REVIEWS_A_PLAYER):
        await here.ask(ann, game)
    ann.take()
    assert (await refusal(here, ann, 150)).code == "busy"
    assert (await refusal(here, again, 150)).code == "busy", "on another connection neither"
    await here.ask(again, 100)  # one of them is no other
    assert kinds(again.take()) == ["ack", "review"]
    here.add(1, plies=0)
    await here.ask(ann, 1)  # nothing to wait for
    assert ann.take()[1]["of"] == 0
    bob = FakeMember(BOB)
    await here.ask(bob, 150)
    assert (await refusal(here, ann, 150)).code == "busy", "nor for somebody else's"
    await here.cancel(ann, 101)
    await here.ask(ann, 150)


async def test_a_game_counts_for_its_player_until_the_last_of_their_connections_has_left() -> None:
    here, ann, again, bob = desk(), FakeMember(ANN), FakeMember(ANN), FakeMember(BOB)
    for game in range(100, 100 + REVIEWS_A_PLAYER):
        await here.ask(ann, game)
        await here.ask(ann, game)
    await here.ask(again, 100)
    await here.ask(bob, 100)
    await here.cancel(ann, 100)
    ann.take()
    assert (await refusal(here, ann, 150)).code == "busy"
    await here.cancel(again, 100)
    await here.ask(ann, 150)


async def test_so_many_games_are_reviewed_at_a_time() -> None:
    here = desk()
    players = [Player(id=str(1000 + number), name="P", kind="person") for number in range(REVIEWS + 1)]
    members = [FakeMember(player, address=player.id) for player in players]
    for number, one in enumerate(members[:-1]):
        await here.ask(one, 100 + number)
    late = members[-1]
    assert (await refusal(here, late, 190)).code == "busy"
    await here.ask(late, 100)
    assert kinds(late.take()) == ["ack", "review"], "joining one costs nothing"
    await here.cancel(members[1], 101)
    await here.ask(late, 190)


async def test_while_nothing_can_be_stored_nothing_is_begun() -> None:
    here, ann, bob = desk(), FakeMember(ANN), FakeMember(BOB)
    await here.ask(bob)
    here.world.available = False
    assert (await refusal(here, ann, 101)).code == "unavailable"
    await here.ask(ann, 100)
    assert kinds(ann.take()) == ["ack", "review"], "what runs may be joined"


async def test_records_that_cannot_be_read() -> None:
    here, ann = desk(), FakeMember(ANN)
    here.world.readable = False
    with pytest.raises(StoreUnavailable):
        await here.ask(ann)
    assert ann.take() == []


# What goes wrong


async def test_a_move_that_cannot_be_judged_holds_up_no_other() -> None:
    here, ann, bob = desk(), FakeMember(ANN), FakeMember(BOB)
    await here.ask(ann)
    await here.ask(bob)
    await here.answer()
    await here.fail()
    await here.answer(3)
    for one in (ann, bob):
        *_, last, error = one.take()
        assert (last["done"], last["of"]) == (4, 5)
        assert (error["t"], error["code"], error["game"]) == ("error", "unavailable", 100)
        assert error["message"].endswith(".")
        assert one.following == {}
    assert here.reviews.running == 0
    await here.ask(ann)
    assert [asked.ply for asked in here.at_work] == [3], "asked again, it tries again"
    await here.answer()
    assert ann.take()[-1]["done"] == 5


async def test_after_some_failures_the_rest_is_left() -> None:
    here, ann = desk(), FakeMember(ANN)
    await here.ask(ann)
    for _ in range(FAILURES_ALLOWED):
        await here.fail()
    assert kinds(ann.take()) == ["ack", "review", "unavailable"]
    assert (here.at_work, here.reviews.running) == ([], 0)


@pytest.mark.parametrize("failure", [StoreUnavailable("The disk is full."), Conflict("No game."), ValueError("?")])
async def test_a_commit_that_fails_ends_it_and_says_so(failure: Exception) -> None:
    here, ann = desk(), FakeMember(ANN)
    await here.ask(ann)
    await here.answer()
    here.world.failure = failure
    await here.answer()
    messages = ann.take()
    assert kinds(messages) == ["ack", "review", "review", "unavailable"]
    assert plies(messages) == [4]
    assert (here.reviews.running, here.at_work, ann.following) == (0, [], {})
    here.world.failure = None
    await here.ask(ann)
    await here.answer(4)
    assert ann.take()[-1]["done"] == 5


async def test_what_cannot_be_told_ends_it_too() -> None:
    here, ann = desk(), FakeMember(ANN)
    await here.ask(ann)
    here.at_work[0].answer.set_result(replace(judged(4), best=(99,)))
    await settle()
    assert kinds(ann.take()) == ["ack", "review", "unavailable"]
    assert (here.reviews.running, here.at_work, ann.following) == (0, [], {})


async def test_messages_of_many_are_made_once() -> None:
    here = desk()
    members = [FakeMember(ANN) for _ in range(10)]
    for one in members:
        await here.ask(one)
        one.take()
    await here.answer()
    frames = {one.payloads[0] for one in members}
    assert len(frames) == 1
    assert json.loads(frames.pop())["done"] == 1


async def test_an_address_has_no_more_reviews_than_are_left() -> None:
    here = desk()
    members = [FakeMember(Player(id=str(1000 + number), name="P", kind="person"), "crowd") for number in range(REVIEWS)]
    for number, one in enumerate(members[: REVIEWS // 2]):
        await here.ask(one, 100 + number)
    late = members[-1]
    assert "for your address" in (await refusal(here, late, 190)).message
    await here.ask(late, 100)
    assert kinds(late.take()) == ["ack", "review"], "joining one costs nothing"
    await here.ask(FakeMember(ANN, "elsewhere"), 190)
