"""Where everything of a position stands in its picture, and the picture as SVG."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest

from engine.rules.position import Position
from engine.rules.registry import games, rules
from server.http.previews.board import HEIGHT, INK, LAST, SOFT, SURFACE, WIDTH, WIN, WIN_EDGE, Scene, scene, svg

OTHERS = ("mnk:20,20,5", "mnk:3,20,3", "mnk:20,3,3", "cube:3")
KINDS = sorted({*(game.id for game in games()), *OTHERS})


def played(game: str, moves: str = "") -> Scene:
    kind = rules(game)
    position, last = kind.initial, None
    for text in moves.split():
        last = kind.parse_move(text)
        position = position.play(last)
    return scene(position, last)


def random_position(game: str, random: Random) -> tuple[Position, int | None]:
    position, last = rules(game).initial, None
    while position.outcome is None:
        last = random.choice(position.legal_moves())
        position = position.play(last)
    return position, last


@pytest.mark.parametrize("game", KINDS)
def test_every_board_lies_within_the_picture(game: str) -> None:
    kind = rules(game)
    for position, last in [(kind.initial, None), random_position(game, Random(4))]:
        drawn = scene(position, last)
        for (x, y, width, height), _ in [*drawn.panels, *drawn.squares]:
            assert min(x, y) >= 20
            assert x + width <= WIDTH - 20
            assert y + height <= HEIGHT - 20
        boxes = [box for box, _ in drawn.panels]
        for mark in drawn.marks:
            reach = mark.half + mark.stroke / 2
            assert any(
                x <= mark.x - reach and mark.x + reach <= x + width and y <= mark.y - reach <= y + height
                for x, y, width, height in boxes
            )


def test_ranks_are_counted_from_below() -> None:
    (a1,) = played("tictactoe", "a1").marks
    (c3,) = played("tictactoe", "c3").marks
    assert a1.side == "x"
    assert a1.x < c3.x
    assert a1.y > c3.y
    (first,) = played("nine-board", "1/1").marks
    (last,) = played("nine-board", "9/9").marks
    assert first.x < last.x
    assert first.y < last.y, "nine boards are read as a text is"


def test_the_last_move_and_the_line_show() -> None:
    running = played("tictactoe", "a1 b2")
    assert [ground for _, ground in running.squares] == [LAST]
    assert [(mark.side, mark.ground) for mark in running.marks] == [("x", SURFACE), ("o", LAST)]
    over = played("tictactoe", "a1 a2 b1 b2 c1")
    assert [ground for _, ground in over.squares] == [WIN] * 3
    assert [mark.ground for mark in over.marks if mark.side == "x"] == [WIN] * 3


def test_a_won_board_that_is_closed_is_one_large_mark() -> None:
    drawn = played("ultimate", "1/1 1/5 5/1 1/2 2/1 1/8")
    owned = [mark for mark in drawn.marks if mark.ground == SOFT["o"]]
    assert [mark.side for mark in owned] == ["o"]
    assert owned[0].half > 3 * min(mark.half for mark in drawn.marks)
    assert [colour for _, colour in drawn.panels].count(SOFT["o"]) == 1
    play_goes_on = played("super", "1/1 1/5 5/1 1/2 2/1 1/8")
    assert sum(mark.ground in (SOFT["o"], LAST) for mark in play_goes_on.marks) == 4, "all that is in it shows"


def test_the_boards_that_won_show() -> None:
    random = Random(1)
    while True:
        position, last = random_position("ultimate", random)
        if position.line:
            break
    assert [colour for _, colour in scene(position, last).panels].count(WIN) >= 3


def test_a_stroke_goes_through_what_has_won() -> None:
    assert played("tictactoe", "a1 a2 b1 b2").strikes == []
    over = played("tictactoe", "a1 a2 b1 b2 c1")
    (strike,) = over.strikes
    row = [mark for mark in over.marks if mark.side == "x"]
    cell = row[1].x - row[0].x
    assert strike.start == pytest.approx((row[0].x - 0.32 * cell, row[0].y))
    assert strike.end == pytest.approx((row[2].x + 0.32 * cell, row[2].y))
    # Both of a move that makes two lines; none between the levels of a cube, where no grid shows one.
    two = played("tictactoe", "a1 a2 a3 b3 c3 b1 c1 c2 b2")
    assert len(two.strikes) == 2
    assert played("cube:3", "a1.1 a2.1 a1.2 a2.2 a1.3").strikes == []
    assert len(played("gomoku", "a1 a2 b1 b2 c1 c2 d1 d2 f1 f2 e1").strikes) == 1, "six in a row are one line"


def test_a_stroke_goes_across_boards_that_won() -> None:
    random = Random(1)
    while True:
        position, last = random_position("ultimate", random)
        if position.line:
            break
    drawn = scene(position, last)
    panels = [box for box, colour in drawn.panels if colour == WIN]
    for strike in drawn.strikes:
        x, y = ((one + other) / 2 for one, other in zip(strike.start, strike.end, strict=True))
        assert any(left < x < left + width and top < y < top + height for left, top, width, height in panels)
    assert drawn.strikes


def test_as_svg() -> None:
    text = svg(played("tictactoe", "b2 a1"), "3 < 4 & Ann's")
    root = ElementTree.fromstring(text)
    assert root.attrib["viewBox"] == f"0 0 {WIDTH} {HEIGHT}"
    assert (root[0].tag.rpartition("}")[2], root[0].text) == ("title", "3 < 4 & Ann's")
    assert text.count("<circle") == 1
    assert text.count(f'stroke="{INK["x"]}"') == text.count(f'stroke="{INK["o"]}"') == 1
    assert WIN_EDGE not in text
    assert svg(played("tictactoe", "a1 a2 b1 b2 c1"), "").count(f'stroke="{WIN_EDGE}"') == 1
    assert not re.search("script|style=|href", text)
