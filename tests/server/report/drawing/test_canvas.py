"""Elements of a picture."""

from __future__ import annotations

import pytest

from server.report.drawing.canvas import ACCENT, INK, Canvas, ink_on, pair, path, short, text_width
from tests.support.report.svg import SVG, filled, parsed


def test_numbers_are_short() -> None:
    assert [short(value) for value in (0, -0.04, 1.0, 1.25, 12.34, -3.06)] == ["0", "0", "1", "1.2", "12.3", "-3.1"]
    assert pair(1, 2.55) == "1,2.5"
    assert path([(0, 1), (2, 3.5)]) == "M0,1L2,3.5"


def test_text_is_escaped() -> None:
    canvas = Canvas()
    canvas.text(1, 2, "<b> & 'c'")
    [text] = parsed(canvas.svg(10)).iter(SVG + "text")
    assert text.text == "<b> & 'c'"


def test_ink_and_accent_follow_the_page_and_other_colours_do_not() -> None:
    canvas = Canvas()
    canvas.rectangle(0, 0, 1, 1, ACCENT)
    canvas.rectangle(0, 0, 1, 1, "#123456")
    canvas.line(0, 0, 1, 1)
    svg = canvas.svg(10)
    [accent] = filled(svg, "rect", "accent")
    assert (accent.get("fill"), accent.get("color")) == (INK, "#0072b2")
    [plain] = filled(svg, "rect", "#123456")
    assert plain.get("class") is None
    assert "@media screen and (prefers-color-scheme:dark){.chart{color:" in svg, "and paper is always light"
    assert parsed(svg).get("class") == "chart"
    [line] = parsed(svg).iter(SVG + "path")
    assert line.get("stroke") == INK


def test_wide_letters_take_more_room() -> None:
    assert text_width("Qubic", 10) > text_width("title", 10) > text_width("", 10) == 0
    assert text_width("abc", 20) == 2 * text_width("abc", 10)


@pytest.mark.parametrize(("ground", "ink"), [("#0072b2", "white"), ("#eeeeee", "black"), ("#e69f00", "black")])
def test_text_can_be_read_on_its_ground(ground: str, ink: str) -> None:
    assert ink_on(ground) == ink
