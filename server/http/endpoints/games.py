"""Played games: lists of them, one by one, and their reviews."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta

from engine.record.model import MalformedRecord
from engine.rules.registry import rules
from server.db.ids import is_number
from server.db.play import GameRow, MoveRow
from server.http.answers.games import GameAnswer, GamesAnswer, ReviewAnswer, ShareAnswer, game_answer, review_answer
from server.http.endpoints.players import known_owner, viewer
from server.http.message import Request, Response
from server.http.parts import Parts
from server.http.responses import BadQuery, Missing, NotNow, TooOften, body_response, nothing_at
from server.http.route import Call, Number, Query
from server.report.records import public_text, public_texts
from server.wire import GameId

PAGE_LENGTH = 50
PAGE_LENGTH_MAX = 200
GAMES_AT_ONCE = 20
"""Games of an export that are read and written before others get their turn: on a large board each has hundreds of
moves."""
SHARE = "X-Share"
"""The header with the secret of a link to a private game: never in a path or a query, which proxies log."""
TEXT_KINDS = {"jsonl": "application/jsonl; charset=utf-8", "txt": "text/plain; charset=utf-8"}
"""Games are given as these, by their suffix, and as JSON."""


class PageQuery(Query):
    """A page of a list of games, newest first."""

    before: Annotated[Number, Meta(description="the last game of the previous page")] | None = None
    limit: Annotated[
        Number, Meta(description=f"games a page, at most {PAGE_LENGTH_MAX}; {PAGE_LENGTH} if left out or 0")
    ] = PAGE_LENGTH

    @property
    def length(self) -> int:
        return min(self.limit or PAGE_LENGTH, PAGE_LENGTH_MAX)


class GamesQuery(PageQuery):
    """Which games; without a parameter all that are public."""

    game: GameId | None = None
    player: Annotated[Number, Meta(description="a player in either seat")] | None = None
    a: Annotated[Number, Meta(description="a player in either seat")] | None = None
    b: Annotated[Number, Meta(description="the player in the other seat")] | None = None
    run: Annotated[str, Meta(description="a list of a ladder: LADDER/LIST/DIGEST")] | None = None
    opening: Annotated[str, Meta(description="one of the openings of `run`, as its moves")] | None = None


async def listed(parts: Parts, call: Call[GamesQuery]) -> GamesAnswer:
    seer = await viewer(parts, call.request)
    query = call.query
    if query.opening is not None and query.run is None:
        raise BadQuery("opening= needs run=: every run has its own openings.")
    found = await parts.records.games(
        game=rules(query.game).id if query.game is not None else None,
        player=query.player,
        before=query.before,
        run=query.run,
        a=query.a,
        b=query.b,
        opening=query.opening,
        limit=query.length,
        viewer=seer,
    )
    next = found[-1].id if len(found) == query.length else None
    return GamesAnswer(games=[game_answer(row) for row in found], next=next)


async def game(parts: Parts, call: Call[Query]) -> GameAnswer | Response:
    if "/" in call.name:
        raise Missing(nothing_at(call.request.path))
    number, _, form = call.name.partition(".")
    form = form or _accepted_form(call.request.header("Accept"))
    if form != "json" and form not in TEXT_KINDS:
        raise Missing("A game is given as json, jsonl or txt.")
    row, moves = await _of_one_moment(parts, await visible_game(parts, call.request, number))
    if form in TEXT_KINDS:
        try:
            return body_response(HTTPStatus.OK, public_text(row, moves, form).encode(), TEXT_KINDS[form])
        except MalformedRecord as error:  # as of an experiment's own game
            raise Missing(f"Game {number} cannot be written as {form}: {error}") from None
    variations = [] if row.keeps_searches else await parts.records.variations(row.id)
    return game_answer(row, moves, variations, await parts.records.game_extras(row.id))


async def share(parts: Parts, call: Call[Query]) -> ShareAnswer:
    row = await _own_private_game(parts, call)
    made_ms = await parts.shares.made_ms(row.id)
    return ShareAnswer(shared=made_ms is not None, made_ms=made_ms)


async def make_share(parts: Parts, call: Call[Query]) -> ShareAnswer:
    row = await _own_private_game(parts, call)
    if row.termination is None:
        raise NotNow("This game is still running: share it when it is over.")
    player = await known_owner(parts, call.request)
    over = parts.shares.refusal(player.id)
    if over is not None:
        parts.metrics.limits.met(over.limit, "")
        raise TooOften(over.sentence, over.wait_s)
    secret, made_ms = await parts.shares.make(row.id, player.id)
    await known_owner(parts, call.request)  # whoever was deleted meanwhile has no link
    return ShareAnswer(shared=True, made_ms=made_ms, secret=secret)


async def withdraw_share(parts: Parts, call: Call[Query]) -> ShareAnswer:
    row = await _own_private_game(parts, call)
    await parts.shares.withdraw(row.id)
    return ShareAnswer(shared=False)


async def review(parts: Parts, call: Call[Query]) -> ReviewAnswer:
    row = await visible_game(parts, call.request, call.name)
    verdicts = await parts.records.verdicts(row.id) if row.termination is not None else {}
    plies = row.plies if row.plies is not None else len(await parts.records.move_rows(row.id))
    return review_answer(row, plies, verdicts)


async def own(parts: Parts, call: Call[PageQuery]) -> Response:
    """A page of all one's games, with a link to the next."""
    player = int((await known_owner(parts, call.request)).id)
    name, _, form = call.name.partition(".")
    if name != "games" or form not in TEXT_KINDS:
        raise Missing(f"There is nothing at {call.request.path}: games are at games.jsonl and games.txt.")
    query = call.query
    found = await parts.records.games(player=player, viewer=player, before=query.before, limit=query.length)
    texts = [
        await _texts(parts, found[first : first + GAMES_AT_ONCE], form) for first in range(0, len(found), GAMES_AT_ONCE)
    ]
    response = body_response(HTTPStatus.OK, "".join(texts).encode(), TEXT_KINDS[form])
    if len(found) == query.length:
        following = f"{call.request.path}?before={found[-1].id}&limit={query.length}"
        response.headers["Link"] = f'<{following}>; rel="next"'
    return response


async def _texts(parts: Parts, rows: Sequence[GameRow], form: str) -> str:
    over = await parts.records.moves_of([row.id for row in rows if row.termination is not None])
    games = [
        await _of_one_moment(parts, row) if row.termination is None else (row, _public_moves(row, over.get(row.id, [])))
        for row in rows
    ]
    moves = {row.id: moves for row, moves in games}
    return await parts.heavy.make(public_texts, [row for row, _ in games], moves, form)  # up to a tenth of a second


async def _of_one_moment(parts: Parts, row: GameRow) -> tuple[GameRow, list[MoveRow]]:
    """A game with its moves. One that runs may end between the two reads."""
    moves = await parts.records.move_rows(row.id)
    if row.termination is None:
        now = await parts.records.game(row.id)
        if now is not None and now.termination is not None:
            row, moves = now, await parts.records.move_rows(row.id)
    return row, _public_moves(row, moves)


async def visible_game(parts: Parts, request: Request, number: str) -> GameRow:
    """Raises Missing for a game that does not exist and for one of others alike."""
    seer = await viewer(parts, request)
    row = await parts.records.game(int(number)) if is_number(number) else None
    if row is not None and row.visible_to(seer):
        return row
    if SHARE not in request.headers:
        raise Missing(f"There is no game {number}.")
    if row is None or not await parts.shares.opens(row.id, request.header(SHARE)):
        raise Missing("This link to a game is incomplete, or was withdrawn.")
    return row


async def _own_private_game(parts: Parts, call: Call[Query]) -> GameRow:
    """A private game of the caller, which only its players may share. Raises UnknownToken, Missing, NotNow."""
    player = int((await known_owner(parts, call.request)).id)
    row = await parts.records.game(int(call.name)) if is_number(call.name) else None
    if row is None or not row.visible_to(player):
        raise Missing(f"There is no game {call.name}.")
    if not row.private:
        raise NotNow("This game is public: its address works for everybody.")
    return row


def _public_moves(row: GameRow, moves: Sequence[MoveRow]) -> list[MoveRow]:
    return [move.without_search() for move in moves] if row.keeps_searches else list(moves)


def _accepted_form(accept: str) -> str:
    kinds = {"application/json": "json", "application/jsonl": "jsonl", "text/plain": "txt"}
    accepted = (part.partition(";")[0].strip().lower() for part in accept.split(","))
    return next((kinds[kind] for kind in accepted if kind in kinds), "json")
