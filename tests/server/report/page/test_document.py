"""The report as one HTML file."""

from __future__ import annotations

from server.report.page import document


def test_no_bots_name_gets_out_of_a_pictures_text() -> None:
    assert document._labelled("<svg >", 'a" onload="x') == '<svg role="img" aria-label="a&#34; onload=&#34;x" >'
