"""Whole pictures."""

from __future__ import annotations

import re

from server.report.drawing.picture import svg
from server.report.page.parts import every_part
from server.report.page.words import ReportData
from server.report.plots import Bars, Picture, walk
from tests.support.report.svg import check_readable, tags, texts


def test_a_long_title_is_broken_into_lines() -> None:
    title = "A title that is rather long and so has to be broken into lines"
    drawn = svg(Picture("p", title, "alt", "reading", Bars([1], [2], "x", "y")))
    assert {"A title that is rather long and so has to", "be broken into lines"} <= {text.text for text in texts(drawn)}


def test_every_picture_of_a_report_can_be_read_and_is_harmless(data: ReportData) -> None:
    pictures = [picture for part in walk(every_part(data)) for picture in part.pictures]
    assert len({type(picture.plot) for picture in pictures}) == 5, "every kind of plot"
    for picture in pictures:
        drawn = svg(picture)
        check_readable(drawn)
        assert set(tags(drawn)) <= {"svg", "style", "text", "rect", "path", "circle"}
        assert not re.search(r"nan|inf|\d{7}|url\(|href", re.sub(r">[^<]*<", "><", drawn)), picture.name
        assert drawn == svg(picture)
