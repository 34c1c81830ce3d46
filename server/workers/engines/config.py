"""The file that tells of other people's engines. Pure; the text is TOML.

[[engines]]
name = "my-bot"
command = "python3"
arguments = ["my_bot.py"]
games = ["tictactoe", "qubic"]
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, TypeAlias

from msgspec import Struct

from engine.bots.roster import Roster
from engine.rules.position import UnknownGame
from engine.rules.registry import rules
from server.typed_toml import TomlError, convert, takes, whole
from server.workers.engines.engine import BOUNDS, PORT, PROTOCOLS, Engine, OptionValue, Protocol

MAX_ENGINES: Final = 100

_Name: TypeAlias = Annotated[
    str, takes("1 to 32 letters, digits or the signs . _ -", pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,31}\Z")
]
_Command: TypeAlias = Annotated[
    str, takes('a program, as "python3" or "./my-engine"', min_length=1, max_length=4096, pattern=r"\A[^\x00]*\Z")
]
_Argument: TypeAlias = Annotated[str, takes("text", max_length=4096, pattern=r"\A[^\x00]*\Z")]
_Arguments: TypeAlias = Annotated[list[_Argument], takes('a list of up to 100, as ["my_bot.py"]', max_length=100)]
_Folder: TypeAlias = Annotated[str, takes('a folder, as "."', min_length=1, max_length=4096, pattern=r"\A[^\x00]*\Z")]
_Protocol: TypeAlias = Annotated[
    str,
    takes(" or ".join(f'"{name}"' for name in PROTOCOLS), pattern=rf"\A({'|'.join(PROTOCOLS)})\Z"),
]
_Bound: TypeAlias = Annotated[
    str, takes(" or ".join(f'"{name}"' for name in BOUNDS), pattern=rf"\A({'|'.join(BOUNDS)})\Z")
]
_Limits: TypeAlias = Annotated[list[_Bound], takes('a list of bounds, as ["nodes", "depth"]')]
_Games: TypeAlias = Annotated[list[str], takes('a list of games, as ["qubic"]', min_length=1, max_length=100)]
_Options: TypeAlias = Annotated[
    dict[str, OptionValue], takes('a table of values, as { style = "calm" }', max_length=100)
]
_Character: TypeAlias = Annotated[
    str, takes("a sentence of up to 200 characters", min_length=1, max_length=200, pattern=r"\A[^\x00-\x1f\x7f]*\Z")
]


class _Engine(Struct, frozen=True, forbid_unknown_fields=True):
    name: _Name
    command: _Command
    protocol: _Protocol = "json"
    arguments: _Arguments = []
    folder: _Folder = "."
    games: _Games | None = None
    options: _Options = {}
    limits: _Limits = []
    character: _Character | None = None
    move_ms: Annotated[int, whole(1, 3_600_000)] | None = None
    memory_mb: Annotated[int, whole(16, 1_048_576)] = 1024
    cpu_s: Annotated[int, whole(1, 1_000_000)] = 3600
    file_mb: Annotated[int, whole(0, 1_048_576)] = 16


_Engines: TypeAlias = Annotated[
    list[_Engine],
    takes(
        f"1 to {MAX_ENGINES} engines, each [[engines]] and below it name = ... and command = ...",
        min_length=1,
        max_length=MAX_ENGINES,
    ),
]


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    engines: _Engines


def parse(text: str, home: Path) -> tuple[Engine, ...]:
    """The engines of a file in the folder `home`. Raises TomlError."""
    return tuple(_engine(told, home) for told in convert(text, _File).engines)


def roster(engines: tuple[Engine, ...]) -> Roster:
    """Our bots and these engines. Raises TomlError for a name that two have."""
    try:
        return Roster([engine.bot for engine in engines])
    except ValueError as error:
        raise TomlError(str(error)) from None


def _engine(told: _Engine, home: Path) -> Engine:
    try:
        games = tuple(dict.fromkeys(rules(game).id for game in told.games or ()))
    except UnknownGame as error:
        raise TomlError(f"Engine {told.name}: {error}") from None
    protocol = PROTOCOLS[told.protocol]
    unfit = [game for game in games if not protocol.suits(rules(game))]
    if unfit:
        knows = " and ".join(protocol.games)
        raise TomlError(f"Engine {told.name}: {protocol.title} does not know {unfit[0]}: it knows {knows}.")
    _check_settings(told, protocol)
    return Engine(
        name=told.name,
        command=told.command,
        home=str(home),
        protocol=told.protocol,
        arguments=tuple(told.arguments),
        folder=told.folder,
        games=games,
        options=tuple(sorted(told.options.items())),
        limits=tuple(bound for bound in BOUNDS if bound in told.limits),
        character=told.character or "",
        move_ms=told.move_ms or protocol.move_ms,
        memory_mb=told.memory_mb,
        cpu_s=told.cpu_s,
        file_mb=told.file_mb,
    )


def _check_settings(told: _Engine, protocol: Protocol) -> None:
    """Check for settings that the protocol has no words for. Raises TomlError."""
    title, has_settings = protocol.title, protocol.has_settings
    for name, has_words in (("options", has_settings), ("limits", has_settings and protocol.has_bounds)):
        if getattr(told, name) and not has_words:
            raise TomlError(f"Engine {told.name}: {title} has no word for {name}; leave them out.")
    if protocol.connects and not any(PORT in argument for argument in told.arguments):
        right = f'arguments = ["-p", "{PORT}"]'
        raise TomlError(f"Engine {told.name}: in {title} it connects to a port: name that, as in {right}.")
