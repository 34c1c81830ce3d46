"""What is told of a room."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from client.sdk import RoomView
from client.sdk.room_view import room_view
from client.terminal.words import room as words
from server.wire import (
    Author,
    ClockView,
    Declined,
    Ended,
    Moved,
    Offered,
    Present,
    RatingChange,
    Ratings,
    RatingView,
    Result,
    RoomEvent,
    Said,
    Search,
    Seat,
    Seated,
    Side,
    Spectators,
    Started,
    TakenBack,
    Termination,
    Thinking,
)
from tests.support.terminal.fake_server import ME, OPPONENT, FakeRoom
from tests.support.terminal.views import O_VIEW, SPECTATOR, VIEW, WAITING, after, offered

GAME = FakeRoom().room.game


def moved(by: Side, move: str = "b2") -> Moved:
    return Moved(ply=0, move=move, by=by, think_ms=1, clock=None, to_move="o")


def test_whoever_did_not_make_an_offer_reads_of_it_until_it_is_answered() -> None:
    sentence = "Bob (O) offers a draw."
    watched = after(SPECTATOR, Offered(by="o", what="draw"))
    assert words.offers_sentence(watched) == sentence
    assert words.offers_sentence(after(watched, Declined(by="x", what="draw"))) == ""
    assert words.offers_sentence(offered("draw")) == f"{sentence} /draw accepts, /decline declines."
    assert words.offers_sentence(offered("draw", by="x")) == ""


@pytest.mark.parametrize(
    ("view", "event", "sentence"),
    [
        (VIEW, moved("x"), "You (X) play b2."),
        (O_VIEW, moved("x"), "Bob (X) plays b2."),
        (SPECTATOR, moved("x"), "Ada (X) plays b2."),
        (VIEW, Started(game=GAME, clock=None), "Game starts: You (X) against Bob (O)."),
        (VIEW, Started(game=structs.replace(GAME, serial=2), clock=None), "Game 2 starts: You (X) against Bob (O)."),
        (VIEW, Offered(by="o", what="draw"), "Bob (O) offers a draw. /draw accepts, /decline declines."),
        (VIEW, Offered(by="x", what="takeback"), "You asked for a takeback."),
        (VIEW, Offered(by="o", what="rematch"), "Bob (O) wants a rematch. /rematch accepts, /decline declines."),
        (offered("rematch", by="x"), Offered(by="x", what="rematch"), "You asked for a rematch."),
        (after(offered("rematch", by="x"), Offered(by="o", what="rematch")), Offered(by="o", what="rematch"), None),
        (SPECTATOR, Offered(by="o", what="draw"), "Bob (O) offers a draw."),
        (VIEW, Declined(by="o", what="draw"), "Bob (O) declined the draw."),
        (
            VIEW,
            TakenBack(ply=2, moves=["a1", "b1"], clock=None, to_move="x"),
            "Takeback: play resumes at move 3.",
        ),
        (VIEW, Said(by=Author(id="p", name="E\x1b[31mve"), text="h\x07i"), "Eve: hi"),
        (VIEW, Seated(side="o", seat=OPPONENT), None),
    ],
)
def test_events_told(view: RoomView, event: RoomEvent, sentence: str | None) -> None:
    assert words.event_sentence(view, event) == sentence


@pytest.mark.parametrize(
    ("view", "winner", "termination", "sentence"),
    [
        (VIEW, "x", "line", "You win with three in a row."),
        (VIEW, "o", "line", "You lose: Bob (O) has three in a row."),
        (SPECTATOR, "o", "count", "Bob (O) wins with more boards."),
        (VIEW, "o", "resignation", "You lose: you resigned."),
        (VIEW, "x", "flag", "You win: Bob (O) ran out of time."),
        (SPECTATOR, "x", "crash", "Ada (X) wins: Bob (O) crashed."),
        (VIEW, None, "board_full", "Draw: no moves left."),
        (VIEW, None, "agreement", "Draw by agreement."),
        (VIEW, None, "aborted", "The game was aborted and does not count."),
        (VIEW, None, "adjudication", "Draw by adjudication."),
    ],
)
def test_results(view: RoomView, winner: Side | None, termination: Termination, sentence: str) -> None:
    assert words.result_sentence(view, Result(winner=winner, termination=termination)) == sentence


def test_a_challenge_that_was_declined_is_told_so() -> None:
    ended = Ended(winner=None, termination="aborted", clock=None, declined=True)
    assert words.event_sentence(after(VIEW, ended), ended) == "The challenge was declined."


def test_presence() -> None:
    away = Present(room="r1", side="o", present=False)
    assert words.change_sentence(VIEW, VIEW.apply(away), away) == "Bob (O) has disconnected."
    assert words.change_sentence(VIEW, VIEW, Spectators(room="r1", count=3)) is None
    away = Present(room="r1", side="o", present=False, claim_ms=60_000)
    gone = VIEW.apply(away)
    assert words.change_sentence(VIEW, gone, away) == "Bob (O) has disconnected. In 60 s you can /claim the win."
    watched = SPECTATOR.apply(away)
    assert words.change_sentence(SPECTATOR, watched, away) == "Bob (O) has disconnected."
    elsewhere = Present(room="r1", side="o", present=False)
    assert words.change_sentence(gone, gone.apply(elsewhere), elsewhere) is None, "connected, and still not here"
    here = Present(room="r1", side="o", present=True)
    assert words.change_sentence(VIEW, VIEW.apply(here), here) is None


def test_the_warning_to_one_who_may_lose_by_being_away() -> None:
    warned = replace(VIEW, absent_ms=60_000)
    sentence = "Your opponent may claim the win once you have been offline for 60 s."
    assert words.absence_warning(warned) == sentence
    assert words.absence_warning(VIEW) is None
    assert words.absence_warning(replace(warned, me=None)) is None
    assert words.absence_warning(replace(warned, result=Result(winner=None, termination="agreement"))) is None


def test_turns() -> None:
    assert words.turn_sentence(VIEW) == "Your turn (X)."
    assert words.turn_sentence(O_VIEW) == "Bob (X) to move."
    assert words.turn_sentence(WAITING) == "Waiting for an opponent."
    both = room_view(FakeRoom("ultimate", opponent=Seat(id=ME.id, name="Ada", kind="person", present=True)).room, ME.id)
    assert words.turn_sentence(both) == "X to move, in any open board."
    assert words.turn_sentence(after(both, moved("x", "5/9"))) == "O to move, in board 9."
    assert words.turn_sentence(VIEW, ("🐱", "o")) == "Your turn (🐱)."


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0.0"), (9_870, "9.8"), (20_000, "0:20"), (245_999, "4:05"), (3_723_000, "1:02:03")],
)
def test_clock_times(ms: int, text: str) -> None:
    assert words.clock_time(ms) == text


@pytest.mark.parametrize(
    ("clock", "text"),
    [
        (None, "no clock"),
        (ClockView(x_ms=1, o_ms=1, running=None, move_ms=10_000), "10 s a move"),
        (ClockView(x_ms=1, o_ms=1, running=None, initial_ms=300_000, increment_ms=3_000), "5+3"),
        (ClockView(x_ms=1, o_ms=1, running=None, initial_ms=30_000), "0.5+0"),
    ],
)
def test_clock_settings(clock: ClockView | None, text: str) -> None:
    assert words.clock_settings(clock) == text


@pytest.mark.parametrize(
    ("figures", "text"),
    [
        ((1_234_567, 9, 0.351, None), "depth 9 · 1.2 M positions · value +0.351"),
        ((9_999, 9, 1e9, 7), "depth 9 · 9,999 positions · wins within 7"),
        ((34_500, 9, -1e9, -2), "depth 9 · 34.5 k positions · loses in 2"),
        ((34_500, 9, -1e9, -4), "depth 9 · 34.5 k positions · loses within 4"),
        ((999_700, 1, -1234.4, None), "depth 1 · 1.0 M positions · value -1,234"),
        ((1, 9, 999_999_997.0, None), "depth 9 · 1 position"),
        ((12, 9, -999_999_996.0, None), "depth 9 · 12 positions"),
        ((12, 9, 998_000_000.0, None), "depth 9 · 12 positions · value +998,000,000"),
        ((2_500_000_000, 1, 0.0, None), "depth 1 · 2.5 G positions · value 0"),
        ((250_000, 1, None, None), "depth 1 · 250 k positions"),
    ],
)
def test_figures(figures: tuple[int, int, float | None, int | None], text: str) -> None:
    assert words.search_words(*figures) == text


@pytest.mark.parametrize(("win_in", "words_"), [(7, "wins in 7"), (-6, "loses in 6")])
def test_plies_that_are_no_bound(win_in: int, words_: str) -> None:
    assert words.search_words(12, 9, None, win_in, at_most=False) == f"depth 9 · 12 positions · {words_}"


def test_what_a_bot_found() -> None:
    found = Search(nodes=12, depth=3, value=2.0, win_in=None, pv=["b2", "a1", "c3"])
    event = structs.replace(moved("o"), search=found)
    assert words.found_sentence(VIEW, event) == "O b2: depth 3 · 12 positions · value +2 · expects a1 c3"
    assert words.found_sentence(VIEW, event, ("#", "@")) == "@ b2: depth 3 · 12 positions · value +2 · expects a1 c3"
    assert words.found_sentence(VIEW, moved("o")) is None
    thinking = VIEW.apply(Thinking(room=VIEW.room, nodes=5, depth=1, value=1.0, pv=[]))
    assert (words.thinking_words(VIEW), words.thinking_words(thinking)) == ("", "depth 1 · 5 positions · value +1")


def test_what_a_bot_finds_is_hidden_from_its_opponent_while_a_rated_game_runs() -> None:
    event = structs.replace(moved("o"), search=Search(nodes=12, depth=3, value=2.0, win_in=None, pv=["b2", "a1"]))
    thinking = Thinking(room=VIEW.room, nodes=5, depth=1, value=1.0, pv=[])
    running = replace(VIEW, rated=True)
    assert words.found_sentence(running, event) is None
    assert words.thinking_words(running.apply(thinking)) == ""
    assert words.found_sentence(rated(VIEW), event) is not None
    watched = replace(SPECTATOR, rated=True)
    assert words.found_sentence(watched, event) is not None
    assert words.thinking_words(watched.apply(thinking)) == "depth 1 · 5 positions · value +1"


def test_levels_in_words() -> None:
    assert len({words.level_words(level, 8) for level in range(1, 9)}) == 8
    assert words.level_words(1, 1) == words.level_words(4, 4) == "the strongest"


def test_move_lists() -> None:
    view = room_view(FakeRoom(start=["c3"]).room, ME.id)
    view = after(view, moved("o", "b2"))
    assert words.numbered_moves(view) == ["  1. (c3)   b2"]


def test_nobody_and_long_names() -> None:
    assert words.seat_name(None) == "nobody yet"
    assert words.seat_name(structs.replace(OPPONENT, name="x" * 40)) == "x" * 23 + "~"


# Ratings

RATINGS = Ratings(
    x=RatingChange(before=1500, after=1512, deviation=60),
    o=RatingChange(before=1500, after=1338, deviation=290, provisional=True),
)


def rated(view: RoomView, ratings: Ratings | None = RATINGS, termination: Termination = "line") -> RoomView:
    return after(replace(view, rated=True), Ended(winner="x", termination=termination, clock=None, ratings=ratings))


def with_rating(view: RoomView, rating: RatingView) -> RoomView:
    assert view.o is not None
    return replace(view, o=structs.replace(view.o, rating=rating))


def test_a_seat_shows_its_rating_and_what_a_rated_game_made_of_it() -> None:
    assert words.rating_words(VIEW, "o") == ""
    assert words.rating_words(WAITING, "o") == ""
    assert words.rating_words(with_rating(VIEW, RatingView(value=1490, deviation=60)), "o") == "1490"
    unsure = with_rating(VIEW, RatingView(value=1490, deviation=200, provisional=True))
    assert words.rating_words(unsure, "o") == "1490?"
    over = rated(VIEW)
    assert [words.rating_words(over, side) for side in ("x", "o")] == ["1512 (+12)", "1338? (-162)"]


def test_the_end_of_a_rated_game_tells_the_ratings() -> None:
    ended = Ended(winner="x", termination="line", clock=None, ratings=RATINGS)
    told = words.event_sentence(rated(VIEW), ended)
    assert told == "You win with three in a row. Ratings: You (X) 1512 (+12), Bob (O) 1338? (-162)."
    short = rated(VIEW, None, "resignation")
    assert "too short to be rated" in str(
        words.event_sentence(short, Ended(winner="x", termination="flag", clock=None))
    )
    aborted = Ended(winner=None, termination="aborted", clock=None)
    assert words.event_sentence(rated(VIEW, None, "aborted"), aborted) == words.result_sentence(
        VIEW, Result(winner=None, termination="aborted")
    )
    unrated = Ended(winner="x", termination="line", clock=None)
    assert words.event_sentence(after(VIEW, unrated), unrated) == "You win with three in a row."


def test_ratings_of_who_sits_here_are_told() -> None:
    assert words.ratings_sentence(VIEW) == ""
    assert words.ratings_sentence(with_rating(VIEW, RatingView(value=1490, deviation=60))) == "Ratings: Bob (O) 1490."
