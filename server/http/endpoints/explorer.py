"""The openings that were played, position by position."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from server.http.answers.explorer import ExplorerAnswer, explorer_answer, walk
from server.http.parts import Parts
from server.http.route import Call, Query
from server.wire import GameId


class ExplorerQuery(Query):
    """A position of a game."""

    missing: ClassVar[str] = "Name a game to explore, as in game=tictactoe."

    game: GameId
    moves: Annotated[str, Meta(description="the moves that lead to the position: a1,b2")] = ""


async def explorer(parts: Parts, call: Call[ExplorerQuery]) -> ExplorerAnswer:
    query = call.query
    there = await parts.heavy.make(walk, query.game, query.moves)  # the tables of a cube take a tenth of a second, once
    # Asked before the games are read, so that an answer with none pending includes them all.
    pending = await parts.explorer.pending()
    found = await parts.records.explored(there.position.rules.id, there.place.key)
    return explorer_answer(there, query.moves, found, pending)
