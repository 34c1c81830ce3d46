"""The main tables of a report as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from server.report.page.csv_tables import csv_tables, csv_text
from server.report.page.words import ReportData
from server.report.spreadsheet import cells


def read(text: str) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(text, newline=""))]


@given(st.lists(st.text(st.characters(codec="utf-8")) | st.sampled_from(["=1", "+1", "-1", "@A1", "\t=1", "'=1"])))
def test_a_cell_is_what_a_spreadsheet_shows_as_text(texts: list[str]) -> None:
    frame = pl.DataFrame({"name": pl.Series(texts, dtype=pl.String), "points": [-1.0] * len(texts)})
    assert [(row["name"], row["points"]) for row in read(csv_text(frame))] == [(text, "-1.0") for text in cells(texts)]


def test_a_table_has_a_row_for_each_place_and_for_the_thinking_of_each_bot(data: ReportData) -> None:
    found = csv_tables(data)
    standings, thinking = read(found["standings.csv"]), read(found["thinking.csv"])
    expected = data.frames.standings.select("ladder", "list", "player_id").rows()
    assert [(row["ladder"], row["list"], row["bot"]) for row in standings] == [
        (ladder, name, data.players[id]) for ladder, name, id in expected
    ]
    assert sum(int(row["moves"]) for row in thinking) == data.moves.filter(kind="bot").height


def test_a_table_without_rows_is_not_written(data: ReportData) -> None:
    frames = replace(data.frames, standings=data.frames.standings.clear())
    assert csv_tables(ReportData(frames)).keys() == {"thinking.csv"}
    assert csv_tables(ReportData(replace(frames, moves=frames.moves.clear()))) == {}
