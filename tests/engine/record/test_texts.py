from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.record.json_line import to_json_line
from engine.record.model import Clock, GameRecord, Limits, MalformedRecord, Player, RecordedMove
from engine.record.tagged_text import to_text
from engine.rules.limit import Limit
from tests.support.engine.games import played, replay
from tests.support.engine.record_reader import MAX_TEXT_LENGTH, from_json_line, from_text
from tests.support.examples import examples

counts = st.none() | st.integers(0, 2**63 - 1)
names = st.text(max_size=20)
clocks = st.none() | st.builds(Clock, st.integers(0, 10**8), st.integers(0, 10**6)) | st.builds(
    Clock, move_ms=st.integers(0, 10**8)
)  # fmt: skip
bounds = st.integers(1, 2**63 - 1).flatmap(
    lambda number: st.sampled_from([Limit(move_ms=number), Limit(nodes=number), Limit(depth=number)])
)
limits = st.none() | st.builds(Limits, bounds, st.none() | bounds) | st.builds(Limits, o=bounds)
players = st.builds(Player, names, st.sampled_from(["person", "bot"]), counts)
BY_PEOPLE = ["resignation", "flag", "illegal_move", "crash", "stall", "disconnection", "adjudication"]


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    game_id, cells = draw(played())
    position = replay(game_id, cells)
    split = draw(st.integers(0, len(cells)))
    winner: Any
    termination: Any
    if position.outcome is not None:
        winner, termination = position.outcome.winner, position.outcome.termination
    else:
        ends = [(None, None), (None, "aborted"), (None, "agreement"), (None, "adjudication")]
        ends += [(side, how) for side in "xo" for how in BY_PEOPLE]
        winner, termination = draw(st.sampled_from(ends))
    figures = st.builds(
        dict,
        at=counts,
        think_ms=counts,
        think_us=counts,
        wait_ms=counts,
        remaining_ms=counts,
        nodes=counts,
        depth=counts,
        value=st.none() | st.floats(allow_nan=False, allow_infinity=False),
        win_in=st.none() | st.integers(-400, 400),
    )
    few = draw(st.lists(figures, max_size=4)) or [{}]
    return GameRecord(
        game=game_id,
        x=draw(players),
        o=draw(players),
        start=tuple(cells[:split]),
        moves=tuple(RecordedMove(cell, **few[i % len(few)]) for i, cell in enumerate(cells[split:])),
        winner=winner,
        termination=termination,
        clock=draw(clocks),
        started=draw(counts),
        ended=draw(counts) if termination else None,
        limits=draw(limits),
        rated=draw(st.booleans()),
        seed=draw(st.none() | st.integers(-(2**63), 2**63 - 1)),
        source=draw(st.none() | names),
        machine=draw(st.none() | names),
        software=draw(st.none() | names),
        run=draw(st.none() | names),
        pair=draw(counts),
        opening=draw(st.none() | names),
        id=draw(counts),
    )


@given(records())
@examples(80)
def test_both_texts_keep_everything(record: GameRecord) -> None:
    line, text = to_json_line(record), to_text(record)
    assert line.isascii()
    assert "\n" not in line
    assert from_json_line(line) == record
    assert from_text(text) == record
    assert to_text(from_text(text)) == text
    head, _, body = text.partition("\n\n")
    spread = body.replace(" {", "\n{")
    assert from_text(f"{head}\r\n\r\n{spread}") == record


GAME = GameRecord(
    game="tictactoe",
    x=Player("Zoë", "person"),
    o=Player("alphabeta:2", "bot", 1),
    start=(4,),
    moves=(
        RecordedMove(1, think_ms=12, nodes=64, depth=2, value=-1.5),
        RecordedMove(0, think_ms=2000, remaining_ms=298000),
        RecordedMove(3),
        RecordedMove(8),
    ),
    winner="x",
    termination="line",
    clock=Clock(300000, 2000),
    started=1_700_000_000_000,
    seed=7,
    source="server",
    id=12,
)

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

LINE = (
    '{"game":"tictactoe","id":12,"started":1700000000000,"x":{"name":"Zo\\u00eb","kind":"person"},'
    '"o":{"name":"alphabeta:2","kind":"bot","version":1},"rated":false,'
    '"clock":{"initial_ms":300000,"increment_ms":2000},"seed":7,"source":"server","start":["b2"],'
    '"moves":[{"cell":"b1","think_ms":12,"nodes":64,"depth":2,"value":-1.5},'
    '{"cell":"a1","think_ms":2000,"remaining_ms":298000},{"cell":"a2"},{"cell":"c3"}],'
    '"winner":"x","termination":"line"}'
)

FULL = dataclasses.replace(
    GAME,
    moves=(dataclasses.replace(GAME.moves[0], at=1_700_000_000_012), *GAME.moves[1:]),
    ended=1_700_000_009_000,
    limits=Limits(Limit(move_ms=5000), Limit(depth=2)),
    machine="here",
    software="0.1.0",
    run="r1",
    pair=5,
    opening="centre",
)

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

FULL_LINE = (
    '{"game":"tictactoe","id":12,"started":1700000000000,"ended":1700000009000,'
    '"x":{"name":"Zo\\u00eb","kind":"person"},"o":{"name":"alphabeta:2","kind":"bot","version":1},"rated":false,'
    '"clock":{"initial_ms":300000,"increment_ms":2000},"limits":{"x":{"move_ms":5000},"o":{"depth":2}},"seed":7,'
    '"source":"server","machine":"here","software":"0.1.0","run":"r1","pair":5,"opening":"centre","start":["b2"],'
    '"moves":[{"cell":"b1","at":1700000000012,"think_ms":12,"nodes":64,"depth":2,"value":-1.5},'
    '{"cell":"a1","think_ms":2000,"remaining_ms":298000},{"cell":"a2"},{"cell":"c3"}],'
    '"winner":"x","termination":"line"}'
)


def test_the_texts_look_so() -> None:
    assert (to_text(GAME), to_json_line(GAME)) == (TEXT, LINE)
    assert (to_text(FULL), to_json_line(FULL)) == (FULL_TEXT, FULL_LINE)


def test_the_pinned_texts_are_read() -> None:
    assert from_text(TEXT) == from_json_line(LINE) == GAME
    assert from_text(FULL_TEXT) == from_json_line(FULL_LINE) == FULL


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"tictactoe"]', '"chess"]', "There is no game 'chess'"),
        ('"tictactoe"]', '"mnk:3,3,3"]', "not the canonical id tictactoe"),
        ("2. a1", "2. a4", "'a4' names no cell"),
        ("2. a1", "2. b2", "Move 3 is illegal: b2 is taken by X"),
        ("3. c3", "4. c3", "'4.' is out of order: 3. comes here"),
        ("3. c3", "3. c3 c1", "illegal: c1 cannot be played: the game is over"),
        ("3. c3", "3. c2", "do not end in line"),
        ("1-0", "0-1", "do not end in line with the winner o"),
        ("1-0", "1/2-1/2", "do not end in line with the winner nobody"),
        ("1-0\n", "", "end with a result"),
        ("1-0\n", "1-0 a3", "Nothing follows the result"),
        ('[Id "12"]', '[Id "12"]\n[Id "12"]', "given twice"),
        ('[Id "12"]', '[Ide "12"]', "no tag 'Ide'"),
        ('[Id "12"]', '[Id "-1"]', "id cannot be negative"),
        ('[Id "12"]', '[Id "9223372036854775808"]', "id is beyond 64 bits"),
        ('[Id "12"]', '[Id "\u0661"]', "no whole number"),
        ('"no"', '"maybe"', "neither yes nor no"),
        ("300000+2000 ms", "5 min", "is no clock"),
        ("5000 ms a move", "5 s a move", "is no limit"),
        ("depth 2\"]", "depth 9223372036854775808\"]", "depth is beyond 64 bits"),
        ('[OLimit "depth', '[XLimit "depth', "given twice"),
        ('[Pair "5"]', '[Pair "-5"]', "pair cannot be negative"),
        ('[Pair "5"]', '[Pair "five"]', "no whole number"),
        ("{at 17", "{at -17", "at cannot be negative"),
        ('"person"', '"cat"', "one of person, bot, not 'cat'"),
        ('"line"', '"boredom"', "one of line, board_full"),
        ("value -1.5", "value nan", "'nan' is no number"),
        ("value -1.5", "value 1e999", "finite"),
        ("value -1.5", "colour 3", "no field 'colour'"),
        ("nodes 64", "think_ms 64", "given twice"),
        ("think_ms 12", "think_ms 12} {wait_ms 1", "one for each"),
        ("a2\n", "a2 {\n", "one brace each"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_text_is_said(old: str, new: str, sentence: str) -> None:
    assert old in FULL_TEXT
    with pytest.raises(MalformedRecord) as caught:
        from_text(FULL_TEXT.replace(old, new, 1))
    assert sentence in str(caught.value)


def test_a_field_given_twice_is_malformed() -> None:
    with pytest.raises(MalformedRecord, match="given twice"):
        from_json_line(LINE.replace('"id":12', '"id":12,"id":12'))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": 3}, "game is no str"),
        ({"rated": 1}, "rated is no bool"),
        ({"id": True}, "id is no int"),
        ({"x": None}, "The player X is an object"),
        ({"x": {"name": "A"}}, "kind is missing"),
        ({"x": {"name": "A", "kind": "bot", "age": 3}}, "no field 'age'"),
        ({"moves": {}}, "moves is no list"),
        ({"moves": ["a1"]}, "A move is an object"),
        ({"moves": [{"cell": 4}]}, "a cell as text"),
        ({"moves": [{"cell": "b1", "value": 10**400}]}, "finite"),
        ({"moves": [{"cell": "b1", "value": True}]}, "A value is a number"),
        ({"clock": {"initial_ms": 5}}, "together"),
        ({"clock": {"initial_ms": 5, "increment_ms": 1, "move_ms": 3}}, "either"),
        ({"limits": {}}, "Limits are those"),
        ({"limits": None}, "The field limits is an object"),
        ({"limits": {"z": {"depth": 2}}}, "no field 'z'"),
        ({"limits": {"x": None}}, "A limit is an object"),
        ({"limits": {"x": {}}}, "one of move_ms"),
        ({"limits": {"x": {"depth": 2, "nodes": 5}}}, "one of move_ms"),
        ({"limits": {"x": {"depth": -2}}}, "depth cannot be negative"),
        ({"limits": {"x": {"depth": 2.5}}}, "depth is no int"),
        ({"ended": "now"}, "ended is no int"),
        ({"machine": 5}, "machine is no str"),
        ({"software": 5}, "software is no str"),
        ({"run": 5}, "run is no str"),
        ({"pair": "5"}, "pair is no int"),
        ({"opening": 5}, "opening is no str"),
        ({"moves": [{"cell": "b1", "at": 1.5}]}, "at is no int"),
        ({"colour": "red"}, "no field 'colour'"),
        ({"winner": None}, "winner is missing"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(MalformedRecord) as caught:
        from_json_line(json.dumps(json.loads(LINE) | change))
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{", '{"a":1,"a":2}', '{"game":NaN}', "[" * 100_000, "9" * 5000, " " * (MAX_TEXT_LENGTH + 1)],
)
def test_other_lines_are_malformed(text: str) -> None:
    with pytest.raises(MalformedRecord):
        from_json_line(text)
    with pytest.raises(MalformedRecord):
        from_text(text)


@given(st.data(), st.integers(0, 4))
@examples(300)
def test_only_malformed_records_escape_from_damaged_texts(data: st.DataObject, edits: int) -> None:
    for text, read in ((FULL_TEXT, from_text), (FULL_LINE, from_json_line)):
        damaged = text
        for _ in range(edits):
            place = data.draw(st.integers(0, len(damaged)))
            cut = data.draw(st.integers(0, 6))
            damaged = (
                damaged[:place]
                + data.draw(st.text(max_size=3) | st.sampled_from(list('[]{}",:.* \n\\019')))
                + damaged[place + cut :]
            )
        try:
            record = read(damaged)
        except MalformedRecord:
            continue
        assert from_text(to_text(record)) == record == from_json_line(to_json_line(record))


@given(st.text())
def test_only_malformed_records_escape_from_any_text(text: str) -> None:
    for read in (from_text, from_json_line):
        with pytest.raises(MalformedRecord):
            read(text)
