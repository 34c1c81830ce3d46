"""What went wrong, as a sentence in the language that is spoken.

The server and the SDK speak English. In English what they say is shown, in other languages a sentence of our own,
which quotes the server's where only that one says what was wrong.
"""

from __future__ import annotations

from client.sdk import ConnectionState, NoRecord, ProtocolError, RequestRefused, ServerUnreachable
from client.terminal.language import ENGLISH, spoken, t, there_is
from engine.rules.position import UnknownGame

_GENERAL: dict[type[Exception], str] = {
    NoRecord: "no_record",
    ProtocolError: "not_understood",
    ServerUnreachable: "unreachable",
    UnknownGame: "unknown_game",
}


def trouble_words(error: Exception) -> str:
    """For the errors of the SDK, of records and of games; any other tells itself."""
    if spoken() == ENGLISH:
        return str(error)
    if isinstance(error, RequestRefused) and there_is(f"errors.{error.code}"):
        return t(f"errors.{error.code}", sentence=error.message)
    if isinstance(error, ServerUnreachable) and error.in_doubt:
        return t("errors.lost")
    key = _GENERAL.get(type(error))
    return t(f"errors.{key}") if key is not None else str(error)


def spoken_state(state: ConnectionState) -> ConnectionState:
    """What the SDK says of the connection."""
    if spoken() == ENGLISH:
        return state
    return ConnectionState(state.connected, t("connection.again" if state.connected else "connection.lost"))
