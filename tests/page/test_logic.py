"""The pure modules of the page, called in the browser that runs them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from engine.rules.position import Position
from engine.rules.registry import rules
from tests.page.conftest import BARE, OpenPage

pytestmark = pytest.mark.browser


def call(page: Page, module: str, function: str, *arguments: Any) -> Any:
    return page.evaluate(
        "async ([module, name, given]) => (await import(`/static/${module}.js`))[name](...given)",
        [module, function, list(arguments)],
    )


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page(BARE).page


def test_what_a_clock_shows(page: Page) -> None:
    shown = {0: "0.0", 1: "0.1", 9_940: "10.0", 9_900: "9.9", 10_000: "0:10", 59_001: "1:00", 3_599_999: "1:00:00"}
    assert {ms: call(page, "room/clock", "clockText", ms) for ms in shown} == shown
    clock = {"x_ms": 5_000, "o_ms": 7_000, "running": "x"}
    assert call(page, "room/clock", "remaining_ms", clock, "x", 1_000, 3_500) == 2_500
    assert call(page, "room/clock", "remaining_ms", clock, "o", 1_000, 3_500) == 7_000
    assert call(page, "room/clock", "remaining_ms", clock, "x", 1_000, 99_000) == 0
    assert call(page, "room/clock", "remaining_ms", clock, "x", 1_000, 500) == 5_000  # our estimate was a little behind
    assert call(page, "room/clock", "clockWords", {"initial_ms": 300_000, "increment_ms": 3_000}) == "5 min + 3 s"
    assert call(page, "room/clock", "clockWords", {"move_ms": 86_400_000}) == "24 h a move"
    assert call(page, "room/clock", "clockWords", None) == "no clock"


def a_room(**game: Any) -> dict[str, Any]:
    seat = {"kind": "person", "present": True}
    return {
        "room": "r",
        "seq": 7,
        "game": {
            "serial": 1,
            "id": 1,
            "game": "tictactoe",
            "start": [],
            "moves": [],
            "to_move": "x",
            "legal": ["a1"],
            "started": True,
            "result": None,
            **game,
        },
        "seats": {"x": {"id": "1", "name": "Ann", **seat}, "o": {"id": "2", "name": "Bob", **seat}},
        "clock": {"x_ms": 1, "o_ms": 1, "running": "x", "initial_ms": 1},
        "ts": 0,
        "offers": [],
        "chat": [],
        "spectators": 0,
        "rated": False,
        "you": "x",
        "thinking": None,
        "searches": {},
    }


def test_events_are_applied_in_order_and_once(page: Page) -> None:
    state = a_room()
    assert [call(page, "room/state", "order", state, seq) for seq in (6, 7, 8, 9)] == ["known", "known", "next", "gap"]
    moved = {"seq": 8, "ts": 5, "e": "moved", "ply": 0, "move": "a1", "by": "x", "think_ms": 1, "to_move": "o"}
    moved["clock"] = {"x_ms": 2, "o_ms": 3, "running": "o"}
    state["offers"] = [{"by": "o", "what": "draw"}, {"by": "o", "what": "takeback"}]
    after = call(page, "room/state", "applyEvent", state, moved, "1")
    assert (after["seq"], after["ts"], after["game"]["moves"], after["game"]["legal"]) == (8, 5, ["a1"], None)
    assert after["offers"] == []  # a draw offer lapses with the opponent's move
    assert after["clock"] == {"x_ms": 2, "o_ms": 3, "running": "o", "initial_ms": 1}
    back = {"seq": 9, "ts": 6, "e": "takenback", "ply": 0, "moves": [], "clock": None, "to_move": "x"}
    again = call(page, "room/state", "applyEvent", after, back, "1")
    assert (again["game"]["moves"], again["game"]["last"], again["game"]["to_move"]) == ([], None, "x")
    unknown = call(page, "room/state", "applyEvent", again, {"seq": 10, "ts": 7, "e": "of a later version"}, "1")
    assert unknown == {**again, "seq": 10}


SEARCH = {"nodes": 1_234_567, "depth": 9, "value": 0.351, "win_in": None, "pv": ["a1", "b2"]}


def test_what_bots_found_stays_with_its_ply(page: Page) -> None:
    state = a_room()
    thinking = {"t": "thinking", "nodes": 5, "depth": 2, "value": 1, "pv": []}
    state = call(page, "room/state", "applyNote", state, thinking)
    assert (state["thinking"]["depth"], state["thinking"]["by"]) == (2, "x")
    for ply, by in enumerate("xoxo"):
        event = {"seq": 8 + ply, "ts": 5, "e": "moved", "ply": ply, "move": "a1", "by": by, "clock": None}
        event |= {"think_ms": 1, "to_move": "x" if by == "o" else "o", **({"search": SEARCH} if by == "o" else {})}
        state = call(page, "room/state", "applyEvent", state, event, "1")
    assert (state["thinking"], list(state["searches"])) == (None, ["1", "3"])
    back = {"seq": 12, "ts": 6, "e": "takenback", "ply": 2, "moves": ["a1", "a1"], "clock": None, "to_move": "x"}
    assert call(page, "room/state", "applyEvent", state, back, "1")["searches"] == {"1": SEARCH}


def test_figures_in_words(page: Page) -> None:
    assert call(page, "room/words", "searchWords", SEARCH) == "depth 9 · 1.2 M nodes · +0.351"
    for changes, words in (
        ({"win_in": 7, "nodes": 9_999}, "depth 9 · 9,999 nodes · wins in 7"),
        ({"win_in": -2, "nodes": 34_500}, "depth 9 · 34.5 k nodes · loses in 2"),
        ({"value": -1234.4, "nodes": 1}, "depth 9 · 1 nodes · \N{MINUS SIGN}1,234"),
        ({"value": 0, "nodes": 2_500_000_000}, "depth 9 · 2.5 G nodes · 0"),
        ({"value": None, "nodes": 250_000}, "depth 9 · 250 k nodes"),
        ({"value": None, "nodes": 999_700}, "depth 9 · 1.0 M nodes"),
    ):
        assert call(page, "room/words", "searchWords", {**SEARCH, **changes}) == words


def test_levels_and_warming_in_words(page: Page) -> None:
    words = [call(page, "room/words", "levelWords", level, 8) for level in range(1, 9)]
    assert len(set(words)) == 8
    assert (words[0], words[7]) == ("1 of 8 · a beginner", "8 of 8 · as strong as it gets")
    assert call(page, "room/words", "levelWords", 3, 3) == "3 of 3 · as strong as it gets"
    assert call(page, "room/words", "warmingWords", {"done": 2, "of": 5}) == "The bots are warming up: 2 of 5."
    assert call(page, "room/words", "warmingWords", {"done": 0, "of": 0}) == "The bots are warming up."


def test_the_bot_that_is_offered_first(page: Page) -> None:
    random, alphabeta = {"family": "random", "parameters": []}, {"family": "alphabeta", "parameters": []}
    level = {"family": "level", "name": "level:3", "parameters": [{"name": "level", "min": 1, "max": 8, "default": 3}]}
    assert call(page, "net/catalog", "firstBot", [random, alphabeta, level]) == level
    assert call(page, "net/catalog", "firstBot", [random, alphabeta]) == alphabeta
    assert call(page, "net/catalog", "firstBot", [random]) == random
    assert call(page, "net/catalog", "botName", level, ["5"]) == "level:5"


def test_a_rematch_turns_the_seats(page: Page) -> None:
    state = a_room()
    for seq, side in ((8, "x"), (9, "o")):
        seat = a_room()["seats"]["o" if side == "x" else "x"]
        state = call(
            page, "room/state", "applyEvent", state, {"seq": seq, "e": "seated", "side": side, "seat": seat}, "1"
        )
    assert state["you"] == "o"


RATINGS = {
    "x": {"before": 1500, "after": 1662, "deviation": 290, "provisional": True},
    "o": {"before": 1600, "after": 1588, "deviation": 60},
}


def test_a_rated_end_changes_the_ratings_of_seats(page: Page) -> None:
    ended = {"seq": 8, "ts": 5, "e": "ended", "winner": "x", "termination": "flag", "clock": None, "ratings": RATINGS}
    after = call(page, "room/state", "applyEvent", {**a_room(), "rated": True}, ended, "1")
    assert after["game"]["result"] == {"winner": "x", "termination": "flag"}
    assert after["seats"]["x"]["rating"] == {"value": 1662, "deviation": 290, "provisional": True, "change": 162}
    assert after["seats"]["o"]["rating"] == {"value": 1588, "deviation": 60, "provisional": False, "change": -12}
    assert call(page, "room/words", "ratedSentence", after) == "Your rating is now 1662."
    assert call(page, "room/words", "ratedSentence", {**after, "you": None}) == ""
    short = call(page, "room/state", "applyEvent", {**a_room(), "rated": True}, {**ended, "ratings": None}, "1")
    assert "too short" in call(page, "room/words", "ratedSentence", short)
    assert call(page, "room/words", "ratedSentence", {**short, "rated": False}) == ""


def test_ratings_in_words(page: Page) -> None:
    rating = {"value": 1512, "deviation": 60}
    assert call(page, "room/words", "ratingWords", rating) == "1512"
    assert call(page, "room/words", "ratingWords", {**rating, "provisional": True}) == "1512?"
    assert call(page, "room/words", "ratingWords", {**rating, "change": None}) == "1512"
    changes = [call(page, "room/words", "ratingWords", {**rating, "change": change}) for change in (12, 0)]
    assert changes == ["1512 (+12)", "1512 (+0)"]
    fell = call(page, "room/words", "ratingWords", {**rating, "provisional": True, "change": -88})
    assert fell == "1512? (\N{MINUS SIGN}88)"


def owners(position: Position) -> list[str | None]:
    return [position.board_owner(board) for board in range(9)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", ["nine-board", "ultimate", "ultimate:count", "super"])
def test_small_boards_are_owned_and_closed_as_the_rules_say(game: str, page: Page) -> None:
    position = rules(game).initial
    moves: list[str] = []
    while position.outcome is None:
        legal = position.legal_moves()
        move = legal[(7 * len(moves)) % len(legal)]
        moves.append(rules(game).format_move(move))
        position = position.play(move)
        small = call(page, "board/position", "smallBoards", game, moves)
        assert small["owners"] == owners(position)
        closed = [bool(position.closed >> board & 1) for board in range(9)]  # type: ignore[attr-defined]
        assert small["closed"] == closed or position.outcome is not None


def test_a_create_message_for_every_way_to_sit(page: Page) -> None:
    choices: dict[str, Any] = {
        "game": "qubic",
        "who": "bot",
        "seat": "o",
        "bot": "alphabeta:3",
        "botX": "random",
        "botO": "alphabeta:2",
        "player": "17",
        "clock": "none",
        "minutes": 5,
        "increment": 2,
        "perMove": 1.5,
        "rated": True,
        "limit": "seconds",
        "limitValue": 0.5,
        "human": False,
    }

    def made(**changes: Any) -> Any:
        return call(page, "lobby/create", "createMessage", {**choices, **changes})

    assert made() == {
        "game": "qubic",
        "seat": "o",
        "opponent": {"kind": "bot", "bot": "alphabeta:3"},
        "limit": {"move_ms": 500},
    }
    assert made(who="bots", limit="depth", limitValue=2) == {
        "game": "qubic",
        "seat": "none",
        "bots": {"x": "random", "o": "alphabeta:2"},
        "limit": {"depth": 2},
    }
    assert made(human=True)["pace"] == made(who="bots", human=True)["pace"] == "human"
    assert "pace" not in made(who="invite", human=True)
    assert made(who="self", clock="move") == {
        "game": "qubic",
        "opponent": {"kind": "self"},
        "clock": {"move_ms": 1500},
    }
    assert made(who="player", clock="game") == {
        "game": "qubic",
        "seat": "o",
        "opponent": {"kind": "player", "player": "17"},
        "clock": {"initial_ms": 300_000, "increment_ms": 2_000},
        "rated": True,
    }
    assert made(who="open", seat="random") == {"game": "qubic", "seat": "random", "opponent": {"kind": "open"}}
    assert made(who="invite")["opponent"] == {"kind": "invite"}
    assert made(who="bots", clock="game")["rated"] is True
    for unfit in ({"who": "self"}, {"who": "bots", "botX": "random", "botO": "random"}, {"clock": "none"}):
        assert "rated" not in made(**{"clock": "game", **unfit})
