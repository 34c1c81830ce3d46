from __future__ import annotations

from hypothesis import given

from engine.record.model import GameRecord
from engine.record.tagged_text import to_text
from tests.support.engine.record_reader import from_text
from tests.support.engine.records import FULL, GAME, records
from tests.support.examples import examples


@given(records())
@examples(80)
def test_a_text_keeps_everything(record: GameRecord) -> None:
    text = to_text(record)
    assert from_text(text) == record
    assert all(line.isprintable() for line in text.split("\n"))


TEXT = """[Game "tictactoe"]
[Id "12"]
[Started "1700000000000"]
[X "Zoë"]
[XKind "person"]
[O "alphabeta:2"]
[OKind "bot"]
[OVersion "1"]
[Rated "no"]
[Clock "300000+2000 ms"]
[Seed "7"]
[Source "server"]
[Start "b2"]
[Termination "line"]

1... b1 {think_ms 12, nodes 64, depth 2, value -1.5}
2. a1 {think_ms 2000, remaining_ms 298000} a2
3. c3
1-0
"""

FULL_TEXT = """[Game "tictactoe"]
[Id "12"]
[Started "1700000000000"]
[Ended "1700000009000"]
[X "Zoë"]
[XKind "person"]
[O "alphabeta:2"]
[OKind "bot"]
[OVersion "1"]
[Rated "no"]
[Clock "300000+2000 ms"]
[XLimit "5000 ms a move"]
[OLimit "depth 2"]
[Seed "7"]
[Source "server"]
[Machine "here"]
[Software "0.1.0"]
[Run "r1"]
[Pair "5"]
[Opening "centre"]
[Start "b2"]
[Termination "line"]

1... b1 {at 1700000000012, think_ms 12, nodes 64, depth 2, value -1.5}
2. a1 {think_ms 2000, remaining_ms 298000} a2
3. c3
1-0
"""


def test_a_text_looks_so() -> None:
    assert (to_text(GAME), to_text(FULL)) == (TEXT, FULL_TEXT)
