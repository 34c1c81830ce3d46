"""What every answer of the GET endpoints is made of, and the fields that several have, said once. Pure."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from server.wire import Text

Run = Annotated[str, Meta(description="a list of a ladder with its settings: LADDER/LIST/DIGEST")]
LadderName = Annotated[str, Meta(description="the ladder's name")]
ListName = Annotated[str, Meta(description="the list's name in its ladder")]
Games = Annotated[int, Meta(description="how many games")]
Points = Annotated[float, Meta(description="1 for a win, 0.5 for a draw")]
Place = Annotated[int, Meta(description="in the list, from 1")]
Elo = Annotated[float, Meta(description="in Elo; the mean of a list is 0")]
Low = Annotated[float, Meta(description="where the 95 % interval of the rating begins")]
High = Annotated[float, Meta(description="where the 95 % interval of the rating ends")]
Family = Annotated[str, Meta(description="the name without parameters")]
Character = Annotated[str, Meta(description="one sentence on how it plays")]
Source = Annotated[str, Meta(description="where the idea is from")]
Version = Annotated[int, Meta(description="of the bot's play")]
Versions = Annotated[int, Meta(description="how many versions of this bot the records know")]


class Answer(Struct, kw_only=True, omit_defaults=True):
    """An answer or a part of one. Fields with their default value are omitted."""


class Failure(Answer):
    """Why a request got no answer."""

    error: Text
