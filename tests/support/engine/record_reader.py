"""Readers of a game record's two texts, for round trips: the product only writes them.

They share the model with the writers and nothing else. Only MalformedRecord escapes from a text that is no record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, Final, NoReturn, get_args

from engine.record.model import Clock, GameRecord, Limits, MalformedRecord, Player, RecordedMove
from engine.rules.limit import Limit
from engine.rules.notation import shown
from engine.rules.position import Kind, MalformedMove, Move, O, Rules, Side, UnknownGame, X
from engine.rules.registry import rules
from engine.rules.termination import Termination

MAX_TEXT_LENGTH: Final = 1 << 20
"""Characters of a record's text, some ten times those of the longest game with every figure."""


def from_json_line(text: str) -> GameRecord:
    """The record of a JSON line. Raises MalformedRecord."""
    _check_length(text)
    try:
        data = json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_refuse_constant)
    except MalformedRecord:
        raise
    except (ValueError, RecursionError) as error:
        raise MalformedRecord(f"This is not JSON: {error}.") from None
    return _from_data(_object(data, "A record"))


def from_text(text: str) -> GameRecord:
    """The record of tags and numbered moves; line breaks count as spaces. Raises MalformedRecord."""
    _check_length(text)
    data: dict[str, Any] = {"x": {}, "o": {}}
    body = _read_tags(text, data)
    result = _read_moves(body, data)
    data["winner"] = {"1-0": X, "0-1": O}.get(result)
    record = _from_data({key: value for key, value in data.items() if value is not None})
    if record.result != result:
        raise MalformedRecord(f"The result {result} does not fit the termination {record.termination}.")
    return record


def _rules_of(game_id: str) -> Rules:
    try:
        return rules(game_id)
    except UnknownGame as unknown:
        raise MalformedRecord(str(unknown)) from None


def _check_length(text: str) -> None:
    if len(text) > MAX_TEXT_LENGTH:
        raise MalformedRecord(f"A record has at most {MAX_TEXT_LENGTH} characters: this one has {len(text)}.")


def _from_data(data: dict[str, Any]) -> GameRecord:
    known = {field.name for field in fields(GameRecord)}
    for key in data:
        if key not in known:
            raise MalformedRecord(f"A record has no field {shown(key)}.")
    game = _rules_of(_typed(data, "game", str, required=True))
    return GameRecord(
        game=data["game"],
        x=_player(data, "x"),
        o=_player(data, "o"),
        moves=tuple(_move(game, _object(move, "A move")) for move in _typed(data, "moves", list, required=True)),
        start=tuple(_cell(game, text) for text in _typed(data, "start", list) or ()),
        winner=_word(data, "winner", (X, O)),
        termination=_word(data, "termination", get_args(Termination)),
        clock=Clock(**_integers(_object(data["clock"], "A clock"), Clock)) if "clock" in data else None,
        limits=_limits(_object(data["limits"], "The field limits")) if "limits" in data else None,
        started=_typed(data, "started", int),
        ended=_typed(data, "ended", int),
        rated=_typed(data, "rated", bool, required=True),
        seed=_typed(data, "seed", int),
        source=_typed(data, "source", str),
        machine=_typed(data, "machine", str),
        software=_typed(data, "software", str),
        run=_typed(data, "run", str),
        pair=_typed(data, "pair", int),
        opening=_typed(data, "opening", str),
        id=_typed(data, "id", int),
    )


def _player(data: dict[str, Any], side: Side) -> Player:
    player = _object(data.get(side), f"The player {side.upper()}")
    _only(player, Player)
    return Player(
        name=_typed(player, "name", str, required=True),
        kind=_word(player, "kind", get_args(Kind), required=True),
        version=_typed(player, "version", int),
    )


def _limits(data: dict[str, Any]) -> Limits:
    _only(data, Limits)
    return Limits(**{side: _limit(_object(limit, "A limit")) for side, limit in data.items()})


def _limit(data: dict[str, Any]) -> Limit:
    numbers = _integers(data, Limit)
    if len(numbers) != 1:
        raise MalformedRecord("A limit has one of move_ms, nodes and depth.")
    for name, number in numbers.items():
        if number < 0:
            raise MalformedRecord(f"{name} cannot be negative.")
    try:
        return Limit(**numbers)
    except ValueError as error:
        raise MalformedRecord(str(error)) from None


def _move(game: Rules, data: dict[str, Any]) -> RecordedMove:
    _only(data, RecordedMove)
    figures = {key: value for key, value in data.items() if key not in ("cell", "value")}
    value = data.get("value")
    if value is not None and type(value) not in (int, float):
        raise MalformedRecord("A value is a number.")
    try:
        number = None if value is None else float(value)
    except OverflowError:
        raise MalformedRecord("A value is a finite number.") from None
    return RecordedMove(_cell(game, data.get("cell")), value=number, **_integers(figures, RecordedMove))


def _cell(game: Rules, text: object) -> Move:
    if not isinstance(text, str):
        raise MalformedRecord("A move has a cell as text.")
    try:
        return game.parse_move(text)
    except MalformedMove as malformed:
        raise MalformedRecord(str(malformed)) from None


def _object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MalformedRecord(f"{what} is an object of named fields.")
    return value


def _only(data: dict[str, Any], part: type[Player | Clock | Limit | Limits | RecordedMove]) -> None:
    known = {field.name for field in fields(part)}
    for key in data:
        if key not in known:
            raise MalformedRecord(f"There is no field {shown(key)} in a {part.__name__}.")


def _integers(data: dict[str, Any], part: type[Clock | Limit | RecordedMove]) -> dict[str, int]:
    _only(data, part)
    return {key: _typed(data, key, int) for key in data}


def _typed(data: dict[str, Any], key: str, kind: type, required: bool = False) -> Any:
    """A field of exactly this type (True is no integer), or None where it is missing and may be."""
    if key not in data and not required:
        return None
    value = data.get(key)
    if type(value) is not kind:
        raise MalformedRecord(f"The field {key} is {'missing' if value is None else f'no {kind.__name__}'}.")
    return value


def _word(data: dict[str, Any], key: str, words: tuple[str, ...], required: bool = False) -> Any:
    value = _typed(data, key, str, required)
    if value is not None and value not in words:
        raise MalformedRecord(f"The field {key} is one of {', '.join(words)}, not {shown(value)}.")
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise MalformedRecord("A field is given twice.")
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise MalformedRecord(f"{name} is no number.")


_TAG = re.compile(r'\[([A-Za-z]+) ("(?:[^"\\\n]|\\[^\n])*")\][ \r]*')
_CLOCK = re.compile(r"([0-9]{1,19})\+([0-9]{1,19}) ms")
_MOVE_CLOCK = re.compile(r"([0-9]{1,19}) ms a move")
_LIMITS: Final = {
    "move_ms": re.compile("([0-9]{1,19}) ms a move"),
    "nodes": re.compile("([0-9]{1,19}) nodes"),
    "depth": re.compile("depth ([0-9]{1,19})"),
}
_TOKEN = re.compile(r"\s*(?:\{([^{}]*)\}|([^\s{}]+))")
_NUMBER = re.compile(r"[0-9]{1,9}\.(?:\.\.)?")
_INTEGER = re.compile(r"-?[0-9]{1,19}")
_DECIMAL = re.compile(r"-?[0-9]{1,320}(?:\.[0-9]{1,400})?(?:e[-+]?[0-9]{1,4})?")
_RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")


def _read_tags(text: str, data: dict[str, Any]) -> str:
    """Puts the tags at the beginning of a text into `data` and answers the rest."""
    readers = {tag: (read, path) for tag, read, path in _TAGS}
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.strip() == "":
            continue
        match = _TAG.fullmatch(line)
        if match is None:
            return "\n".join(lines[number:])
        tag = match[1]
        if tag not in readers:
            raise MalformedRecord(f"There is no tag {shown(tag)}: write {', '.join(readers)}.")
        read, path = readers[tag]
        place = data.setdefault(path[0], {}) if len(path) > 1 else data
        if path[-1] in place:
            raise MalformedRecord(f"The tag {tag} is given twice.")
        place[path[-1]] = read(_unquoted(match[2]))
    return ""


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError:
        raise MalformedRecord(f"{shown(text)} is no quoted text.") from None


def _read_integer(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise MalformedRecord(f"{shown(text)} is no whole number.")
    return int(text)


def _read_yes_or_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise MalformedRecord(f"{shown(text)} is neither yes nor no.")
    return text == "yes"


def _read_clock(text: str) -> dict[str, int]:
    if match := _CLOCK.fullmatch(text):
        return {"initial_ms": int(match[1]), "increment_ms": int(match[2])}
    if match := _MOVE_CLOCK.fullmatch(text):
        return {"move_ms": int(match[1])}
    raise MalformedRecord(f"{shown(text)} is no clock: write 300000+2000 ms or 5000 ms a move.")


def _read_limit(text: str) -> dict[str, int]:
    for name, pattern in _LIMITS.items():
        if match := pattern.fullmatch(text):
            return {name: int(match[1])}
    raise MalformedRecord(f"{shown(text)} is no limit: write 5000 ms a move, 100000 nodes or depth 6.")


# Tag, how its text is read, and where its value is in the plain data.
_TAGS: tuple[tuple[str, Callable[[str], Any], tuple[str, ...]], ...] = (
    ("Game", str, ("game",)),
    ("Id", _read_integer, ("id",)),
    ("Started", _read_integer, ("started",)),
    ("Ended", _read_integer, ("ended",)),
    ("X", str, ("x", "name")),
    ("XKind", str, ("x", "kind")),
    ("XVersion", _read_integer, ("x", "version")),
    ("O", str, ("o", "name")),
    ("OKind", str, ("o", "kind")),
    ("OVersion", _read_integer, ("o", "version")),
    ("Rated", _read_yes_or_no, ("rated",)),
    ("Clock", _read_clock, ("clock",)),
    ("XLimit", _read_limit, ("limits", "x")),
    ("OLimit", _read_limit, ("limits", "o")),
    ("Seed", _read_integer, ("seed",)),
    ("Source", str, ("source",)),
    ("Machine", str, ("machine",)),
    ("Software", str, ("software",)),
    ("Run", str, ("run",)),
    ("Pair", _read_integer, ("pair",)),
    ("Opening", str, ("opening",)),
    ("Start", str.split, ("start",)),
    ("Termination", str, ("termination",)),
)


def _read_moves(text: str, data: dict[str, Any]) -> str:
    """Puts the moves of a text into `data` and answers the result at its end."""
    moves: list[dict[str, Any]] = []
    data["moves"] = moves
    result = ""
    for comment, token in _tokens(text):
        if result:
            raise MalformedRecord("Nothing follows the result.")
        if comment is not None:
            if not moves or len(moves[-1]) > 1:
                raise MalformedRecord("A comment follows its move, one for each.")
            moves[-1] |= _read_figures(comment)
        elif token in _RESULTS:
            result = token
        elif _NUMBER.fullmatch(token):
            _check_number(token, len(moves) + len(data.get("start", ())))
        else:
            moves.append({"cell": token})
    if not result:
        raise MalformedRecord(f"The moves end with a result: {', '.join(_RESULTS)}.")
    return result


def _tokens(text: str) -> Iterator[tuple[str | None, str]]:
    """Comments and words, in order: (comment, "") or (None, word)."""
    text = text.strip()
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise MalformedRecord("A comment is opened and closed by one brace each.")
        yield match[1], match[2] or ""
        place = match.end()


def _check_number(token: str, ply: int) -> None:
    expected = f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}"
    if token != expected:
        raise MalformedRecord(f"The move number {shown(token)} is out of order: {expected} comes here.")


def _read_figures(comment: str) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for figure in comment.split(","):
        name, _, text = figure.strip().partition(" ")
        if name in figures or name == "cell":
            raise MalformedRecord(f"The figure {shown(name)} is given twice.")
        figures[name] = _read_decimal(text) if name == "value" else _read_integer(text)
    return figures


def _read_decimal(text: str) -> float:
    if not _DECIMAL.fullmatch(text):
        raise MalformedRecord(f"{shown(text)} is no number.")
    return float(text)
