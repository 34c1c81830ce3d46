"""What a test asks of a drawn picture: its elements, and where its text stands."""

from __future__ import annotations

from typing import NamedTuple
from xml.etree import ElementTree

from server.report.drawing.canvas import LABEL, WIDTH, text_width

SVG = "{http://www.w3.org/2000/svg}"


class Text(NamedTuple):
    """`left` and `right` are at least as far out as the letters; text that runs upwards has no width here."""

    text: str
    left: float
    right: float
    base: float


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def tags(svg: str) -> list[str]:
    return [element.tag.removeprefix(SVG) for element in parsed(svg).iter()]


def filled(svg: str, tag: str, colour: str) -> list[ElementTree.Element]:
    """Elements of a colour; `accent` is the blue that follows the page."""
    return [
        element
        for element in parsed(svg).iter(SVG + tag)
        if (element.get("class") == "accent" and colour == "accent") or element.get("fill") == colour
    ]


def number(element: ElementTree.Element, name: str) -> float:
    return float(element.get(name, "nan"))


def texts(svg: str) -> list[Text]:
    """All that lies level."""
    found = []
    for element in parsed(svg).iter(SVG + "text"):
        if element.get("transform"):
            continue
        text, x = element.text or "", number(element, "x")
        width = text_width(text, float(element.get("font-size", LABEL)))
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[element.get("text-anchor", "start")]
        found.append(Text(text, left, left + width, number(element, "y")))
    return found


def check_readable(svg: str) -> None:
    """No text lies over another one or beyond an edge."""
    found = texts(svg)
    height = float(parsed(svg).get("height", "nan"))
    for one in found:
        # The letters of a title are bold, but seldom all wide.
        assert one.left >= -1, one
        assert one.right <= WIDTH + 1, one
        assert 0 < one.base <= height, one
    for number, one in enumerate(found):
        for other in found[number + 1 :]:
            if abs(one.base - other.base) < 8:
                assert one.right < other.left or other.right < one.left, (one, other)
