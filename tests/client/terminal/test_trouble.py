"""What went wrong, in the language that is spoken."""

from __future__ import annotations

import pytest

from client.sdk import ConnectionState, NoRecord, ProtocolError, RequestRefused, ServerUnreachable
from client.terminal.language import ENGLISH, speak
from client.terminal.trouble import spoken_state, trouble_words
from engine.rules.position import UnknownGame
from server.wire import ErrorCode, RefusedField
from tests.support.terminal.german import german

__all__ = ["german"]


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("code", ["not_now", "malformed", "bad_bot", "bad_clock", "unknown_bot"])
def test_what_only_the_server_knows_is_quoted(code: ErrorCode) -> None:
    told = trouble_words(RequestRefused(code, "There are no takebacks {here}."))
    assert told.endswith("„There are no takebacks {here}.“")


@pytest.mark.parametrize(
    ("name", "least", "most", "sentence"),
    [
        ("clock.initial_ms", 1_000, 10_800_000, "The time for all moves must be 1 s to 3 h."),
        ("clock.increment_ms", 0, 180_000, "The increment must be 0 s to 3 min."),
        ("clock.move_ms", 100, 86_400_000, "The time for a move must be 0.1 s to 24 h."),
        ("limit.depth", 1, 1000, "Depth is 1 to 1000."),
    ],
)
def test_bounds_are_told_in_the_units_of_a_clock(name: str, least: int, most: int, sentence: str) -> None:
    field = RefusedField(name=name, least=least, most=most)
    assert trouble_words(RequestRefused("bad_clock", "Depth is 1 to 1000.", field=field)) == sentence


OFFLINE = ServerUnreachable("It may or may not have gone through.", in_doubt=True)
TROUBLES = [
    RequestRefused("game_over", "The game has ended."),
    OFFLINE,
    ServerUnreachable("No server answers."),
    NoRecord("There is no such record."),
    ProtocolError("Another version."),
    UnknownGame("There is no game 'chess'."),
]


@pytest.mark.parametrize("error", TROUBLES, ids=lambda error: type(error).__name__)
def test_english_sentences_stay_as_they_are(error: Exception) -> None:
    assert trouble_words(error) == str(error)


@pytest.mark.usefixtures("german")
def test_each_has_a_sentence_of_its_own_in_another_language() -> None:
    told = [trouble_words(error) for error in TROUBLES]
    assert told[0] == "Die Partie ist vorbei."
    assert "vielleicht" in told[1]
    assert len({*told, *map(str, TROUBLES)}) == 2 * len(TROUBLES)


@pytest.mark.usefixtures("german")
def test_what_has_no_sentence_here_speaks_for_itself() -> None:
    newer = RequestRefused("malformed", "x")
    newer.code = "too_hot"  # type: ignore[assignment]
    assert trouble_words(newer) == "x"
    assert trouble_words(KeyError("y")) == "'y'"


def test_what_is_said_of_the_connection_is_said_in_the_language() -> None:
    lost = ConnectionState(False, "Connection lost; reconnecting.")
    assert spoken_state(lost) == lost
    speak("de")
    try:
        told = spoken_state(lost)
        again = spoken_state(ConnectionState(True, "Connected again."))
    finally:
        speak(ENGLISH)
    assert (told.connected, again.connected) == (False, True)
    assert len({told.sentence, again.sentence, lost.sentence}) == 3
