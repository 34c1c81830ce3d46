"""What went wrong, as a sentence in the language that is spoken.

The server and the SDK speak English. In English their sentences are shown; in other languages one of ours, which quotes
the server's if only that says what was wrong.
"""

from __future__ import annotations

from client.sdk import ConnectionState, NoRecord, ProtocolError, RequestRefused, ServerUnreachable
from client.terminal.language import ENGLISH, number, spoken, t, there_is
from engine.rules.position import UnknownGame
from server.wire import BadClock, RefusedField

_GENERAL: dict[type[Exception], str] = {
    NoRecord: "no_record",
    ProtocolError: "not_understood",
    ServerUnreachable: "unreachable",
    UnknownGame: "unknown_game",
}


_UNITS = (("h", 3_600_000), ("min", 60_000), ("s", 1_000))
"""Units in milliseconds, the largest first."""


def trouble_words(error: Exception) -> str:
    """Words for the errors of the SDK, of clocks, of records and of games; any other speaks for itself."""
    if (
        isinstance(error, RequestRefused | BadClock)
        and error.field is not None
        and there_is(f"errors.field.{error.field.name}")
    ):
        return _bounds_words(error.field)
    if spoken() == ENGLISH:
        return str(error)
    if isinstance(error, RequestRefused) and there_is(f"errors.{error.code}"):
        return t(f"errors.{error.code}", sentence=error.message)
    if isinstance(error, ServerUnreachable) and error.in_doubt:
        return t("errors.lost")
    key = _GENERAL.get(type(error))
    return t(f"errors.{key}") if key is not None else str(error)


def _bounds_words(field: RefusedField) -> str:
    """Bounds in the units in which people write a clock, not in those of the wire."""
    return t(f"errors.field.{field.name}", least=_duration(field.least or 0), most=_duration(field.most or 0))


def _duration(ms: int) -> str:
    unit, size = next(((unit, size) for unit, size in _UNITS if ms >= size), _UNITS[-1])
    return t(f"duration.{unit}", count=number(f"{ms / size:g}"))


def spoken_state(state: ConnectionState) -> ConnectionState:
    """What the SDK says of the connection."""
    if spoken() == ENGLISH:
        return state
    return ConnectionState(state.connected, t("connection.again" if state.connected else "connection.lost"))
