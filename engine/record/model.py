"""A game's record and its two texts: one JSON line, and tags with numbered moves as chess players write them.

A record is checked when it is made: its moves are legal and its result is one they allow. Both texts keep everything,
so parsing a text and formatting the record gives it back, and only MalformedRecord escapes from a text that is no
record.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, NoReturn, TypeAlias, cast, get_args

from engine.rules.notation import shown
from engine.rules.position import IllegalMove, MalformedMove, Move, O, Outcome, Position, Rules, Side, UnknownGame, X
from engine.rules.registry import rules
from engine.rules.termination import RULE_TERMINATIONS, TERMINATIONS_WITHOUT_WINNER, Termination

Kind: TypeAlias = Literal["person", "bot"]

MAX_TEXT_LENGTH: Final = 1 << 20
"""Characters of a record's text, some ten times those of the longest game with every figure."""

_INTEGER_BOUND: Final = 1 << 63


class MalformedRecord(ValueError):
    """Text that is no record of a game, or fields that contradict each other."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who played a side; the version is a bot's."""

    name: str
    kind: Kind = "person"
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """The time control in milliseconds: `initial_ms` and `increment_ms`, or `move_ms` for each move."""

    initial_ms: int | None = None
    increment_ms: int | None = None
    move_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """What a bot's search might spend on a move: exactly one of the three."""

    move_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of the sides that had one."""

    x: Bound | None = None
    o: Bound | None = None


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A move with what is known of it. Values are in the mover's own scale, as in a Decision."""

    cell: Move
    at: int | None = None
    """Unix milliseconds when it was made."""
    think_ms: int | None = None
    wait_ms: int | None = None
    """A bot's waiting for a worker, which cost it nothing."""
    remaining_ms: int | None = None
    """Left on the mover's clock after the move."""
    nodes: int | None = None
    depth: int | None = None
    value: float | None = None
    win_in: int | None = None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game, finished or not. Raises MalformedRecord for moves or a result that the rules do not allow."""

    game: str
    """Canonical id."""
    x: Player
    o: Player
    moves: tuple[RecordedMove, ...] = ()
    start: tuple[Move, ...] = ()
    """The opening that was set, before `moves`; X made its first."""
    winner: Side | None = None
    termination: Termination | None = None
    """None while the game runs."""
    clock: Clock | None = None
    started: int | None = None
    """Unix milliseconds."""
    ended: int | None = None
    """Unix milliseconds; None while the game runs."""
    limits: Limits | None = None
    rated: bool = False
    seed: int | None = None
    source: str | None = None
    """What made the game: a server, a ladder, an experiment."""
    machine: str | None = None
    """The name of the computer that ran the game."""
    software: str | None = None
    """The version of noughts."""
    run: str | None = None
    """Of a ladder or an experiment."""
    pair: int | None = None
    """Two games with one opening and sides swapped share it."""
    opening: str | None = None
    """The start's name in its list."""
    id: int | None = None
    """Of the database."""

    def __post_init__(self) -> None:
        _check_fields(self)
        _check_result(self, self.final_position())

    @property
    def rules(self) -> Rules:
        return rules(self.game)

    def cells(self) -> tuple[Move, ...]:
        """Every move from the first position on, the start's first."""
        return (*self.start, *(move.cell for move in self.moves))

    def final_position(self) -> Position:
        """The position after every move."""
        position = _rules_of(self.game).initial
        try:
            for cell in self.cells():
                position = position.play(cell)
        except IllegalMove as illegal:
            raise MalformedRecord(f"Move {position.ply + 1} is illegal: {illegal}") from None
        return position

    @property
    def result(self) -> str:
        """`1-0` when X won, `0-1` when O did, `1/2-1/2` for a draw, `*` while it runs and after an abort."""
        if self.winner is not None:
            return "1-0" if self.winner == X else "0-1"
        return "*" if self.termination in (None, "aborted") else "1/2-1/2"


def to_json_line(record: GameRecord) -> str:
    """The record as one line of ASCII JSON, without the line's end. Unknown fields are left out."""
    return json.dumps(_to_data(record), separators=(",", ":"), allow_nan=False)


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


def to_text(record: GameRecord) -> str:
    """The record as tags, an empty line, and one line for each pair of moves; ends with the result and a newline."""
    data = _to_data(record)
    tags = [f"[{tag} {_quoted(value)}]" for tag, value in _tags(data)]
    return "\n".join([*tags, "", *_move_lines(record, data["moves"]), record.result, ""])


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


def _check_fields(record: GameRecord) -> None:
    if record.game != _rules_of(record.game).id:
        raise MalformedRecord(f"{shown(record.game)} is not the canonical id {_rules_of(record.game).id}.")
    for name, number in _numbers(record):
        if number is not None and not -_INTEGER_BOUND <= number < _INTEGER_BOUND:
            raise MalformedRecord(f"{name} is beyond 64 bits.")
        if number is not None and number < 0 and name not in ("seed", "win_in"):
            raise MalformedRecord(f"{name} cannot be negative.")
    for move in record.moves:
        if move.value is not None and not math.isfinite(move.value):
            raise MalformedRecord("A value is a finite number.")
    clock = record.clock
    if clock and (clock.initial_ms is None) == (clock.move_ms is None):
        raise MalformedRecord("A clock has either initial_ms or move_ms.")
    if clock and (clock.initial_ms is None) != (clock.increment_ms is None):
        raise MalformedRecord("A clock has initial_ms and increment_ms together.")
    if record.limits == Limits():
        raise MalformedRecord("Limits are those of x, of o or of both.")
    for bound in _bounds(record):
        if len(_known_fields(bound)) != 1:
            raise MalformedRecord("A limit has one of move_ms, nodes and depth.")
    if record.ended is not None and record.termination is None:
        raise MalformedRecord("A game that has ended has a termination.")


def _bounds(record: GameRecord) -> list[Bound]:
    limits = record.limits or Limits()
    return [bound for bound in (limits.x, limits.o) if bound is not None]


def _numbers(record: GameRecord) -> Iterator[tuple[str, int | None]]:
    yield from (("id", record.id), ("started", record.started), ("ended", record.ended))
    yield from (("seed", record.seed), ("pair", record.pair))
    yield from (("version", player.version) for player in (record.x, record.o))
    parts: list[RecordedMove | Clock | Bound] = [*record.moves, *_bounds(record)]
    if record.clock is not None:
        parts.append(record.clock)
    for part in parts:
        for field in fields(part):
            if field.name not in ("cell", "value"):
                yield field.name, getattr(part, field.name)


def _check_result(record: GameRecord, position: Position) -> None:
    termination, winner = record.termination, record.winner
    by_rules = termination in RULE_TERMINATIONS
    if position.outcome is not None or by_rules:
        if position.outcome is None or Outcome(winner, cast(Any, termination)) != position.outcome:
            raise MalformedRecord(f"The moves do not end in {termination} with the winner {winner or 'nobody'}.")
    elif winner is not None and (termination is None or termination in TERMINATIONS_WITHOUT_WINNER):
        raise MalformedRecord(f"A game with the termination {termination} has no winner.")


def _check_length(text: str) -> None:
    if len(text) > MAX_TEXT_LENGTH:
        raise MalformedRecord(f"A record has at most {MAX_TEXT_LENGTH} characters: this one has {len(text)}.")


def _to_data(record: GameRecord) -> dict[str, Any]:
    format_move = record.rules.format_move
    return _known(
        game=record.game,
        id=record.id,
        started=record.started,
        ended=record.ended,
        x=_known_fields(record.x),
        o=_known_fields(record.o),
        rated=record.rated,
        clock=_known_fields(record.clock) if record.clock else None,
        limits=_limits_data(record.limits) if record.limits else None,
        seed=record.seed,
        source=record.source,
        machine=record.machine,
        software=record.software,
        run=record.run,
        pair=record.pair,
        opening=record.opening,
        start=[format_move(cell) for cell in record.start] or None,
        moves=[_known_fields(move) | {"cell": format_move(move.cell)} for move in record.moves],
        winner=record.winner,
        termination=record.termination,
    )


def _known(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _limits_data(limits: Limits) -> dict[str, Any]:
    return _known(
        x=_known_fields(limits.x) if limits.x else None,
        o=_known_fields(limits.o) if limits.o else None,
    )


def _known_fields(part: Player | Clock | Bound | RecordedMove) -> dict[str, Any]:
    return _known(**{field.name: getattr(part, field.name) for field in fields(part)})


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
    return Limits(**{side: Bound(**_integers(_object(bound, "A limit"), Bound)) for side, bound in data.items()})


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


def _only(data: dict[str, Any], part: type[Player | Clock | Bound | Limits | RecordedMove]) -> None:
    known = {field.name for field in fields(part)}
    for key in data:
        if key not in known:
            raise MalformedRecord(f"There is no field {shown(key)} in a {part.__name__}.")


def _integers(data: dict[str, Any], part: type[Clock | Bound | RecordedMove]) -> dict[str, int]:
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
_BOUND_WORDS: Final = {"move_ms": "{} ms a move", "nodes": "{} nodes", "depth": "depth {}"}
_BOUNDS: Final = {name: re.compile(words.format("([0-9]{1,19})")) for name, words in _BOUND_WORDS.items()}
_TOKEN = re.compile(r"\s*(?:\{([^{}]*)\}|([^\s{}]+))")
_NUMBER = re.compile(r"[0-9]{1,9}\.(?:\.\.)?")
_INTEGER = re.compile(r"-?[0-9]{1,19}")
_DECIMAL = re.compile(r"-?[0-9]{1,320}(?:\.[0-9]{1,400})?(?:e[-+]?[0-9]{1,4})?")
_RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")


def _tags(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for tag, _, write, path in _TAGS:
        place = data
        for key in path[:-1]:
            place = place.get(key, {})
        if path[-1] in place:
            yield tag, write(place[path[-1]])


def _read_tags(text: str, data: dict[str, Any]) -> str:
    """Puts the tags at the beginning of a text into `data` and answers the rest."""
    readers = {tag: (read, path) for tag, read, _, path in _TAGS}
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


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=not value.isprintable())


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


def _write_clock(clock: dict[str, int]) -> str:
    if "move_ms" in clock:
        return f"{clock['move_ms']} ms a move"
    return f"{clock['initial_ms']}+{clock['increment_ms']} ms"


def _read_bound(text: str) -> dict[str, int]:
    for name, pattern in _BOUNDS.items():
        if match := pattern.fullmatch(text):
            return {name: int(match[1])}
    raise MalformedRecord(f"{shown(text)} is no limit: write 5000 ms a move, 100000 nodes or depth 6.")


def _write_bound(bound: dict[str, int]) -> str:
    ((name, number),) = bound.items()
    return _BOUND_WORDS[name].format(number)


# Tag, how its text is read and written, and where its value is in the plain data.
_TAGS: tuple[tuple[str, Callable[[str], Any], Callable[[Any], str], tuple[str, ...]], ...] = (
    ("Game", str, str, ("game",)),
    ("Id", _read_integer, str, ("id",)),
    ("Started", _read_integer, str, ("started",)),
    ("Ended", _read_integer, str, ("ended",)),
    ("X", str, str, ("x", "name")),
    ("XKind", str, str, ("x", "kind")),
    ("XVersion", _read_integer, str, ("x", "version")),
    ("O", str, str, ("o", "name")),
    ("OKind", str, str, ("o", "kind")),
    ("OVersion", _read_integer, str, ("o", "version")),
    ("Rated", _read_yes_or_no, lambda rated: "yes" if rated else "no", ("rated",)),
    ("Clock", _read_clock, _write_clock, ("clock",)),
    ("XLimit", _read_bound, _write_bound, ("limits", "x")),
    ("OLimit", _read_bound, _write_bound, ("limits", "o")),
    ("Seed", _read_integer, str, ("seed",)),
    ("Source", str, str, ("source",)),
    ("Machine", str, str, ("machine",)),
    ("Software", str, str, ("software",)),
    ("Run", str, str, ("run",)),
    ("Pair", _read_integer, str, ("pair",)),
    ("Opening", str, str, ("opening",)),
    ("Start", str.split, " ".join, ("start",)),
    ("Termination", str, str, ("termination",)),
)


def _move_lines(record: GameRecord, moves: list[dict[str, Any]]) -> Iterator[str]:
    line: list[str] = []
    for ply, move in enumerate(moves, len(record.start)):
        if ply % 2 == 0 or not line:
            line.append(f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}")
        line.append(move["cell"])
        figures = ", ".join(f"{key} {value!r}" for key, value in move.items() if key != "cell")
        if figures:
            line.append(f"{{{figures}}}")
        if ply % 2:
            yield " ".join(line)
            line = []
    if line:
        yield " ".join(line)


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
