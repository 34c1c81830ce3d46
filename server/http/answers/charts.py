"""The JSON answers about the statistics of all games. Pure."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from server.http.answers.fields import Answer, Games
from server.wire import GameId, Text

PartName = Annotated[str, Meta(description="one of `parts`, by its name")]


class PictureAnswer(Answer):
    """A picture of the statistics; it shows its own title."""

    name: Annotated[str, Meta(description="of the picture")]
    title: Text
    alt: Annotated[str, Meta(description="what it shows, in words")]
    reading: Annotated[str, Meta(description="how to read it, in a sentence")]
    part: PartName
    game: GameId | None
    url: Annotated[str, Meta(description="where it is, as SVG; another when it is drawn anew")]


class TableAnswer(Answer):
    """A table of the statistics."""

    title: Text
    head: Annotated[list[str], Meta(description="what stands above the columns")]
    rows: Annotated[list[list[str | int | float | None]], Meta(description="row by row: text, numbers or null")]
    note: Text
    part: PartName
    game: GameId | None


class PartAnswer(Answer):
    """A part of the statistics, which has pictures and tables."""

    name: PartName
    title: Text
    sentences: Annotated[list[str], Meta(description="what is seen in it, for people")]


class SaidAnswer(Answer):
    """What a text of the statistics was made of, so that it can be said in another language."""

    key: Annotated[str, Meta(description="of its sentence; `game` is the name of a game")]
    values: Annotated[
        dict[str, str | int | list[str]],
        Meta(description="what was put in by name: texts, which may be made of others in turn, numbers and lists"),
    ]


class StatsAnswer(Answer):
    """The statistics of all public games, as they were drawn last."""

    as_of_ms: Annotated[int, Meta(description="Unix time of the records that were drawn, null before")] | None
    games: Games
    parts: Annotated[list[PartAnswer], Meta(description="in the order of the page")]
    pictures: list[PictureAnswer]
    tables: list[TableAnswer]
    said: Annotated[dict[str, SaidAnswer], Meta(description="by the texts above and in the pictures")]
    drawing: Annotated[bool, Meta(description="whether newer pictures are being drawn")]
    error: Annotated[str, Meta(description="why there are no newer pictures, for people")] | None = None
