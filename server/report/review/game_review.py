"""Output of `noughts report game`: a table for a terminal, an object for programs, a page. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from msgspec.structs import asdict

from engine.analysis.verdict import VERSION, Grade, MoveVerdict, grade, words
from engine.bots.roster.titles import title
from engine.record.model import GameRecord, Player, RecordedMove
from engine.rules.position import Position, Rules, Side
from engine.rules.registry import rules
from server.console.columns import in_columns
from server.console.counted import counted
from server.report.durations import span
from server.report.outputs import ReviewedGame, ReviewedMove
from server.report.plots import Cell, Line, Lines, Panel, Part, Picture, Table
from server.wire.review_view import judged_moves

SIGNS: Final[Mapping[Grade, str]] = {"mistake": "??", "doubtful": "?", "slow": "?!", "good": ""}
LINE_LENGTH: Final = 10
"""Moves of a best line that a table shows."""
_HEAD: Final = ("move", "side", "played", "time", "for X", "verdict", "best line")
_TEXTS: Final = (1, 2, 5, 6)
"""Columns of these that are no numbers."""
_GRADES: Final[tuple[tuple[Grade, str], ...]] = (
    ("mistake", "blunder"),
    ("slow", "slower move"),
    ("doubtful", "doubtful move"),
)


@dataclass(frozen=True)
class Reviewed:
    """A finished game with a verdict on each move."""

    record: GameRecord
    judged: Sequence[MoveVerdict]
    """Verdicts by ply."""

    @cached_property
    def rules(self) -> Rules:
        return rules(self.record.game)

    @cached_property
    def positions(self) -> list[Position]:
        """The positions before each move."""
        found = positions(self.record)
        return found[len(self.record.start) : -1]

    @cached_property
    def bounded(self) -> bool:
        """Whether numbers of plies may be bounds in this game."""
        return any(judged.bound for judged in self.judged)

    @cached_property
    def grades(self) -> list[Grade]:
        return [
            grade(judged, move.cell, self.bounded) for judged, move in zip(self.judged, self.record.moves, strict=True)
        ]

    def each(self) -> Iterator[tuple[int, Side, RecordedMove, MoveVerdict, Grade]]:
        """Ply, side, move, verdict and grade."""
        for ply, (position, move) in enumerate(zip(self.positions, self.record.moves, strict=True)):
            yield ply, position.to_move, move, self.judged[ply], self.grades[ply]

    def value_for_x(self, ply: int) -> float:
        value = self.judged[ply].value
        return value if self.positions[ply].to_move == "x" else 0.0 - value


def positions(record: GameRecord) -> list[Position]:
    """The positions of a game from the first to the last, those of the start included."""
    found = [rules(record.game).initial]
    for cell in (*record.start, *(move.cell for move in record.moves)):
        found.append(found[-1].play(cell))
    return found


# For people


def heading(record: GameRecord) -> str:
    x, o = _name(record.x), _name(record.o)
    return f"Game {record.id}, {rules(record.game).name}: {x} (X) against {o} (O)"


def result(record: GameRecord) -> str:
    how = (record.termination or "").replace("_", " ")
    who = f"{record.winner.upper()} won" if record.winner else "nobody won"
    texts = rules(record.game).texts
    start = f", after the start {' '.join(texts[cell] for cell in record.start)}" if record.start else ""
    return f"{who} ({how}) in {counted(len(record.moves), 'move')}{start}."


def summary(reviewed: Reviewed) -> list[str]:
    """A sentence for each side."""
    return [_of_side(reviewed, side) for side in ("x", "o")]


def _of_side(reviewed: Reviewed, side: Side) -> str:
    own = [(judged, grade) for _, mover, _, judged, grade in reviewed.each() if mover == side]
    exact = sum(judged.exact for judged, _ in own)
    found = [(sum(grade == kind for _, grade in own), name) for kind, name in _GRADES]
    listed = ", ".join(counted(count, name) for count, name in found if count)
    nothing = "no blunder found" if exact else "estimates only"
    if not own:
        return f"{side.upper()}: no moves."
    return f"{side.upper()}: {counted(len(own), 'move')}, {exact} proven; {listed or nothing}."


def table(reviewed: Reviewed) -> list[tuple[str, ...]]:
    """The head and a row for each move, as text."""
    return [_HEAD, *(_row(reviewed, *each) for each in reviewed.each())]


def _row(
    reviewed: Reviewed, ply: int, side: Side, move: RecordedMove, judged: MoveVerdict, grade: Grade
) -> tuple[str, ...]:
    texts = reviewed.rules.texts
    value = reviewed.value_for_x(ply)
    return (
        str(ply + 1),
        side.upper(),
        texts[move.cell] + SIGNS[grade],
        span(_us(move)),
        f"{value:+.0f}" if judged.exact and value else "0" if judged.exact else f"{value:+.2f}",
        words(judged, move.cell, texts, reviewed.bounded),
        _line(judged, texts),
    )


def _us(move: RecordedMove) -> int:
    return 1000 * (move.think_ms or 0) if move.think_us is None else move.think_us


def _line(judged: MoveVerdict, texts: Sequence[str]) -> str:
    shown = " ".join(texts[cell] for cell in judged.best[:LINE_LENGTH])
    return shown if len(judged.best) <= LINE_LENGTH else f"{shown} ..."


def aligned(rows: Sequence[tuple[str, ...]], columns: int | None = None) -> Iterator[str]:
    """Rows as lines of text, cut to a terminal's columns if given."""
    for line in in_columns(rows, left=_TEXTS):
        yield line if columns is None or len(line) <= columns else line[: columns - 1] + "~"


def legend(reviewed: Reviewed) -> str:
    """What the signs in the table mean; empty if there are none."""
    meanings: dict[Grade, str] = {
        "mistake": "?? blunder: proven to have cost the result",
        "slow": "?! proven to win later or lose sooner",
        "doubtful": "? estimated to be clearly worse than another move",
    }
    found = [meaning for kind, meaning in meanings.items() if kind in reviewed.grades]
    plies = "Plies are moves of both sides, including the move itself."
    return f"{'; '.join(found)}. {plies}" if found else plies


def _name(player: Player) -> str:
    return printable(title(player.name) if player.kind == "bot" else player.name)


def printable(name: str) -> str:
    """A name that is safe to print: without characters that a terminal would obey."""
    return "".join(letter if letter.isprintable() or letter in "\u200c\u200d" else "?" for letter in name)


# For programs


def as_object(reviewed: Reviewed) -> ReviewedGame:
    record, texts = reviewed.record, reviewed.rules.texts
    moves = [
        ReviewedMove(
            side=side,
            move=texts[move.cell],
            think_ms=move.think_ms,
            think_us=move.think_us,
            grade=grade,
            words=words(judged, move.cell, texts, reviewed.bounded),
            **asdict(wire),
        )
        for (_, side, move, judged, grade), wire in zip(
            reviewed.each(), judged_moves(record.game, enumerate(reviewed.judged)), strict=True
        )
    ]
    return ReviewedGame(
        game=record.id,
        kind=record.game,
        x=record.x.name,
        o=record.o.name,
        start=[texts[cell] for cell in record.start],
        winner=record.winner,
        termination=record.termination,
        version=VERSION,
        done=len(moves),
        of=len(moves),
        moves=moves,
    )


# As a page


def part(reviewed: Reviewed) -> Part:
    head, *rows = table(reviewed)
    cells: list[tuple[Cell, ...]] = [(int(row[0]), *row[1:]) for row in rows]
    return Part(
        "review",
        "The moves",
        tuple(summary(reviewed)),
        (_picture(reviewed),),
        (Table("Each move, what it led to, and the best line", head, cells, legend(reviewed)),),
    )


def _picture(reviewed: Reviewed) -> Picture:
    numbers = [float(ply + 1) for ply in range(len(reviewed.judged))]
    values = [reviewed.value_for_x(ply) for ply in range(len(numbers))]
    wrong = [ply for ply, grade in enumerate(reviewed.grades) if grade in ("mistake", "doubtful")]
    exact = [ply for ply, judged in enumerate(reviewed.judged) if judged.exact]
    value = Panel(
        (
            Line("value", numbers, values, style=6),
            _points("exact", exact, values, 2),
            _points("blunder or doubtful", wrong, values, 3),
        ),
        "value for X",
        limits=(-1.1, 1.1),
    )
    times = [_us(move) / 1000 for move in reviewed.record.moves]
    sides = [position.to_move for position in reviewed.positions]
    time = Panel(
        tuple(
            _points(f"time of {side.upper()}", [ply for ply, mover in enumerate(sides) if mover == side], times, style)
            for side, style in (("x", 0), ("o", 1))
        ),
        "time, ms",
        log=True,
    )
    record = reviewed.record
    return Picture(
        f"game-{record.id}",
        heading(record),
        "The value of the game for X after each move, and the time of each move. " + " ".join(summary(reviewed)),
        "Above, what each move led to: 1 is a win for X, -1 a win for O, 0 even or drawn. Where nothing is proven the "
        "value is an estimate. Below, the time of each move.",
        Lines((value, time), "move"),
        record.game,
    )


def _points(name: str, plies: Sequence[int], values: Sequence[float], style: int) -> Line:
    return Line(name, [ply + 1.0 for ply in plies], [values[ply] for ply in plies], joined=False, style=style)
