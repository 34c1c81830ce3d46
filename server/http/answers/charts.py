"""The JSON answers about the statistics of all games. Pure."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from server.http.answers.fields import Answer, Games
from server.wire import GameId, Text

PartName = Annotated[str, Meta(description="one of `parts`, by its name")]


class PictureAnswer(Answer):
    """A picture of the statistics; it shows its own title."""

    name: Annotated[str, Meta(description="name of the picture")]
    title: Text
    alt: Annotated[str, Meta(description="what it shows, in words")]
    reading: Annotated[str, Meta(description="how to read it, in a sentence")]
    part: PartName
    game: GameId | None
    url: Annotated[str, Meta(description="where to get it, as SVG; it changes when the picture is redrawn")]


class TableAnswer(Answer):
    """A table of the statistics."""

    title: Text
    head: Annotated[list[str], Meta(description="headings of the columns")]
    rows: Annotated[list[list[str | int | float | None]], Meta(description="row by row: text, numbers or null")]
    note: Text
    part: PartName
    game: GameId | None


class PartAnswer(Answer):
    """A part of the statistics, which has pictures and tables."""

    name: PartName
    title: Text
    sentences: Annotated[list[str], Meta(description="what it shows, for people to read")]


class SaidAnswer(Answer):
    """What a text of the statistics was made of, so that it can be said in another language."""

    key: Annotated[str, Meta(description="the key of its sentence; `game` stands for the name of a game")]
    values: Annotated[
        dict[str, str | int | list[str]],
        Meta(description="what was inserted, by name: numbers, lists, and texts that may themselves be made of others"),
    ]


class StatsAnswer(Answer):
    """The statistics of all public games, as last drawn."""

    as_of_ms: (
        Annotated[int, Meta(description="Unix time of the games that were drawn; null before the first drawing")] | None
    )
    games: Games
    parts: Annotated[list[PartAnswer], Meta(description="in the order of the page")]
    pictures: list[PictureAnswer]
    tables: list[TableAnswer]
    said: Annotated[dict[str, SaidAnswer], Meta(description="how each text above and in the pictures was made")]
    drawing: Annotated[bool, Meta(description="whether newer pictures are being drawn")]
    error: Annotated[str, Meta(description="why there are no newer pictures, for people to read")] | None = None
