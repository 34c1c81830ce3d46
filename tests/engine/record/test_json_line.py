from __future__ import annotations

from hypothesis import given

from engine.record.json_line import to_json_line
from engine.record.model import GameRecord
from tests.support.engine.record_reader import from_json_line
from tests.support.engine.records import FULL, GAME, records
from tests.support.examples import examples


@given(records())
@examples(80)
def test_one_line_of_ascii_keeps_everything(record: GameRecord) -> None:
    line = to_json_line(record)
    assert line.isascii()
    assert "\n" not in line
    assert from_json_line(line) == record


LINE = (
    '{"game":"tictactoe","id":12,"started":1700000000000,"x":{"name":"Zo\\u00eb","kind":"person"},'
    '"o":{"name":"alphabeta:2","kind":"bot","version":1},"rated":false,'
    '"clock":{"initial_ms":300000,"increment_ms":2000},"seed":7,"source":"server","start":["b2"],'
    '"moves":[{"cell":"b1","think_ms":12,"nodes":64,"depth":2,"value":-1.5},'
    '{"cell":"a1","think_ms":2000,"remaining_ms":298000},{"cell":"a2"},{"cell":"c3"}],'
    '"winner":"x","termination":"line"}'
)

FULL_LINE = (
    '{"game":"tictactoe","id":12,"started":1700000000000,"ended":1700000009000,'
    '"x":{"name":"Zo\\u00eb","kind":"person"},"o":{"name":"alphabeta:2","kind":"bot","version":1},"rated":false,'
    '"clock":{"initial_ms":300000,"increment_ms":2000},"limits":{"x":{"move_ms":5000},"o":{"depth":2}},"seed":7,'
    '"source":"server","machine":"here","software":"0.1.0","run":"r1","pair":5,"opening":"centre","start":["b2"],'
    '"moves":[{"cell":"b1","at":1700000000012,"think_ms":12,"nodes":64,"depth":2,"value":-1.5},'
    '{"cell":"a1","think_ms":2000,"remaining_ms":298000},{"cell":"a2"},{"cell":"c3"}],'
    '"winner":"x","termination":"line"}'
)


def test_a_line_looks_so() -> None:
    assert (to_json_line(GAME), to_json_line(FULL)) == (LINE, FULL_LINE)
