"""The elements of one picture: shapes, text and the colours that follow a light or a dark page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, Literal, TypeAlias

WIDTH: Final = 390
"""Width of a phone, where a unit is a pixel."""
LABEL: Final = 12.5
SMALL: Final = 11
TITLE: Final = 14.5
INK: Final = "currentColor"
"""Colour of text and axes: dark on a light page, light on a dark one."""
ACCENT: Final = "accent"
"""A blue that suits the page in the same way, for what has no text on it."""
COLOURS: Final = (ACCENT, "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c")
"""Okabe and Ito's palette, distinguishable with any colour vision."""
_LIGHT_INK, _LIGHT_ACCENT = "#3b4049", "#0072b2"
_STYLE: Final = (
    "<style>@media screen and (prefers-color-scheme:dark){.chart{color:#c9ccd3}.chart .accent{color:#58aae6}}</style>"
)
_FONTS: Final = "system-ui,-apple-system,Segoe UI,Roboto,DejaVu Sans,sans-serif"
_NARROW: Final = frozenset(" .,:;'!|()ijlfrtI1-/")
_CAPITAL: Final = 0.78
_NARROW_LETTER, _LETTER = 0.42, 0.64
"""Widths of letters in heights of the font; those of DejaVu Sans, which is wider than most."""

Anchor: TypeAlias = Literal["start", "middle", "end"]
Point: TypeAlias = tuple[float, float]


class Canvas:
    """Elements, each above those before it. y grows downwards."""

    def __init__(self) -> None:
        self._elements: list[str] = []

    def svg(self, height: float) -> str:
        return (
            f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {short(height)}" '
            f'width="{WIDTH}" height="{short(height)}" color="{_LIGHT_INK}" fill="currentColor" '
            f'font-family="{_FONTS}" font-size="{LABEL}">{_STYLE}{"".join(self._elements)}</svg>'
        )

    def element(self, name: str, **attributes: str | float) -> None:
        """Names of attributes have underscores for hyphens."""
        texts = {key: value if isinstance(value, str) else short(value) for key, value in attributes.items()}
        if ACCENT in texts.values():
            texts = {key: INK if value == ACCENT else value for key, value in texts.items()}
            texts |= {"class": "accent", "color": _LIGHT_ACCENT}
        written = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in texts.items())
        self._elements.append(f"<{name}{written}/>")

    def rectangle(self, x: float, y: float, width: float, height: float, fill: str, **attributes: str | float) -> None:
        self.element("rect", x=x, y=y, width=width, height=height, fill=fill, **attributes)

    def line(self, x1: float, y1: float, x2: float, y2: float, **attributes: str | float) -> None:
        self.element("path", d=f"M{pair(x1, y1)}L{pair(x2, y2)}", **({"stroke": INK} | attributes))

    def text(
        self, x: float, y: float, text: str, *, anchor: Anchor = "start", size: float = LABEL, fill: str = "",
        bold: bool = False, upwards: bool = False,
    ) -> None:  # fmt: skip
        """`y` is the middle of its small letters' height."""
        base = 0.35 * size
        at = {"x": short(x), "y": short(y + base)}
        if upwards:
            at = {"transform": f"translate({pair(x + base, y)})rotate(-90)"}
        at |= {"text-anchor": anchor} if anchor != "start" else {}
        at |= {"font-size": short(size)} if size != LABEL else {}
        at |= {"fill": fill} if fill else {}
        at |= {"font-weight": "bold"} if bold else {}
        written = "".join(f' {key}="{value}"' for key, value in at.items())
        self._elements.append(f"<text{written}>{escape(text)}</text>")


def path(points: Sequence[Point]) -> str:
    """A path of straight lines."""
    return "M" + "L".join(pair(x, y) for x, y in points)


def pair(x: float, y: float) -> str:
    return f"{short(x)},{short(y)}"


def short(value: float) -> str:
    """A number with one decimal, unless that is 0."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"


def text_width(text: str, size: float = LABEL) -> float:
    """An upper estimate of the width of a text, whatever the font."""
    letters = sum(_NARROW_LETTER if one in _NARROW else _CAPITAL if one.isupper() else _LETTER for one in text)
    return size * letters


def ink_on(colour: str) -> str:
    """Black or white, whichever can be read on a colour such as `#0072b2`."""
    red, green, blue = channels(colour)
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 127 else "white"


def channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
