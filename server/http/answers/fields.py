"""What every answer of the GET endpoints is made of, and the fields that several have, said once. Pure."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from server.wire import Text

Run = Annotated[
    str,
    Meta(description="a list of a ladder: LADDER/LIST/DIGEST, the digest being that of its first settings"),
]
LadderName = Annotated[str, Meta(description="the ladder's name")]
ListName = Annotated[str, Meta(description="the list's name in its ladder")]
Games = Annotated[int, Meta(description="number of games")]
Points = Annotated[float, Meta(description="1 for a win, 0.5 for a draw")]
Place = Annotated[int, Meta(description="place in the list, from 1")]
Elo = Annotated[float, Meta(description="Elo; the mean of a list is 0")]
Low = Annotated[float, Meta(description="lower end of the rating's 95 % interval")]
High = Annotated[float, Meta(description="upper end of the rating's 95 % interval")]
Family = Annotated[str, Meta(description="the bot's name without its parameters")]
Character = Annotated[str, Meta(description="how it plays, in one sentence")]
Source = Annotated[str, Meta(description="where the idea comes from")]
Version = Annotated[int, Meta(description="version of the bot's play")]
Versions = Annotated[int, Meta(description="number of versions of this bot that have played here")]


class Answer(Struct, kw_only=True, omit_defaults=True):
    """An answer or a part of one. Fields with their default value are omitted."""


class Failure(Answer):
    """Why a request got no answer."""

    error: Text
