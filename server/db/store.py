"""The database while the server runs: what may be asked of it by name, over a `Writer` and a `Reader`."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from engine.analysis.verdict import VERSION, MoveVerdict
from engine.stats.glicko import Rating
from server.db import explorer as explorer_rows
from server.db import play as rows
from server.db import review as review_rows
from server.db.connect import BUSY_TIMEOUT_S
from server.db.connections import DatabaseConnection, Opener, open_connection
from server.db.deleted_players import NAMING_DELETED, NAMING_DELETED_OF, NamingRow
from server.db.explorer import ExplorerRow
from server.db.lock import DatabaseFiles
from server.db.play import (
    BanRow,
    BotRatingRow,
    EventRow,
    GameExtras,
    GameRow,
    MoveRow,
    OwnedBotRow,
    PlayerRow,
    RatingRow,
    RoomRow,
    SleepingRow,
    VariationRow,
)
from server.db.reader import PAGE_QUERY_S, Reader, Row
from server.db.writer import BLOCK_IDS, PROBE_INTERVAL_S, QUEUE_SETS, WATCH_INTERVAL_S, IdKind, Writer
from server.play.writes import Conflict, StoreUnavailable, Write

__all__ = ["Conflict", "EventRow", "GameRow", "MoveRow", "PlayerRow", "RoomRow", "Store", "StoreUnavailable"]


class Store:
    """One database, written by this store and perhaps by other processes. Made by `Store.open`, ended by `close`."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        self.writer = writer
        self.reader = reader

    @classmethod
    async def open(
        cls,
        path: Path | str,
        *,
        on_availability: Callable[[bool], None] = lambda available: None,
        on_commit: Callable[[float], object] = lambda ms: None,
        queue_sets: int = QUEUE_SETS,
        block_ids: int = BLOCK_IDS,
        probe_interval_s: float = PROBE_INTERVAL_S,
        watch_interval_s: float = WATCH_INTERVAL_S,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
        page_query_s: float = PAGE_QUERY_S,
        opener: Opener = open_connection,
    ) -> Store:
        """Opens a database that `server.db.migrate.prepare` has prepared. Raises StoreUnavailable.

        `on_availability` is called with False when writes begin to fail and with True when they work again,
        `on_commit` with how many ms each committed write set took.
        """
        name = _absolute(path)
        async with AsyncExitStack() as opened:

            async def connect(*, writes: bool) -> DatabaseConnection:
                connection = await opener(name, writes=writes, busy_timeout_s=busy_timeout_s)
                opened.push_async_callback(connection.close)
                return connection

            try:
                writing = await connect(writes=True)
                reading, pages = await connect(writes=False), await connect(writes=False)
            except sqlite3.Error as error:
                raise StoreUnavailable(f"The database {path} cannot be opened: {error}.") from error
            opened.pop_all()
        writer = Writer(
            writing,
            files=DatabaseFiles(name),
            on_availability=on_availability,
            on_commit=on_commit,
            queue_sets=queue_sets,
            block_ids=block_ids,
            probe_interval_s=probe_interval_s,
            watch_interval_s=watch_interval_s,
        )
        return cls(writer, Reader(reading, pages, page_query_s))

    async def close(self) -> None:
        """Finishes what is queued, then closes; later writes are refused. May be called again."""
        await self.writer.close()
        await self.reader.close()

    @property
    def available(self) -> bool:
        """Whether writes are accepted, as far as is known."""
        return self.writer.available

    @property
    def trouble(self) -> str | None:
        """Why no writes are accepted, in one sentence; None where they are."""
        return self.writer.trouble

    def write(self, writes: Sequence[Write]) -> asyncio.Future[None]:
        """See `Writer.write`."""
        return self.writer.write(writes)

    async def next_id(self, kind: IdKind) -> int:
        """See `Writer.next_id`."""
        return await self.writer.next_id(kind)

    async def read(self, row: Callable[..., Row], sql: str, parameters: Any = ()) -> list[Row]:
        """See `Reader.page`."""
        return await self.reader.page(row, sql, parameters)

    async def player_by_token(self, token_hash: bytes) -> PlayerRow | None:
        return _only(await self.reader.look_up(PlayerRow, rows.PLAYER_BY_TOKEN, (token_hash,)))

    async def player(self, id: int) -> PlayerRow | None:
        """A player with a token, unlike a bot of the roster, which never connects."""
        return _only(await self.reader.look_up(PlayerRow, rows.PLAYER, (id,)))

    async def players_named(self, search: str, limit: int) -> list[PlayerRow]:
        """Players with a token and this text in their name or as their id, newest first; all for an empty text."""
        return await self.reader.page(PlayerRow, rows.PLAYERS_NAMED, (search, limit))

    async def people(self, ids: Sequence[int]) -> list[PlayerRow]:
        """Those of these players who have a token."""
        return await self.reader.look_up(PlayerRow, rows.PEOPLE, (json.dumps(list(ids)),))

    async def bans(self) -> list[BanRow]:
        """Bans of all players who were ever banned, including those whose time is over."""
        return await self.reader.look_up(BanRow, rows.BANS, ())

    async def owned_bots(self, owner: int) -> list[OwnedBotRow]:
        """The bots that a person made, the oldest first."""
        return await self.reader.page(OwnedBotRow, rows.OWNED_BOTS, (owner,))

    async def naming_deleted(self, players: Sequence[int] | None, limit: int) -> list[NamingRow]:
        """Some of the rows that still name players who are deleted: these, or any for None."""
        if players is None:
            return await self.reader.look_up(NamingRow, NAMING_DELETED, {"limit": limit})
        parameters = {"players": json.dumps(list(players)), "limit": limit}
        return await self.reader.look_up(NamingRow, NAMING_DELETED_OF, parameters)

    async def bot_version(self, name: str, parameters: str, version: int) -> int | None:
        """The player id of a bot of the roster; `parameters` is compared as text."""
        return _only(await self.reader.look_up(int, rows.BOT_VERSION, (name, parameters, version)))

    async def room(self, number: int) -> RoomRow | None:
        return _only(await self.reader.look_up(RoomRow, rows.ROOM, (number,)))

    async def awake_rooms(self) -> list[RoomRow]:
        """Rooms that are not closed and do not sleep, oldest first."""
        return await self.reader.look_up(RoomRow, rows.AWAKE_ROOMS, ())

    async def sleeping_room(self, id: str) -> RoomRow | None:
        return _only(await self.reader.look_up(RoomRow, rows.SLEEPING_ROOM, (id,)))

    async def sleeping_room_by_code(self, code: str) -> RoomRow | None:
        return _only(await self.reader.look_up(RoomRow, rows.SLEEPING_ROOM_BY_CODE, (code,)))

    async def sleeping_rooms_of(self, player: int) -> list[SleepingRow]:
        """The sleeping rooms that a player made or sits in."""
        return await self.reader.look_up(SleepingRow, rows.SLEEPING_ROOMS_OF, (player,))

    async def expired_rooms(self, made_before_ms: int, limit: int) -> list[SleepingRow]:
        """Some of the sleeping rooms made before then that still wait for somebody to sit down."""
        return await self.reader.look_up(SleepingRow, rows.EXPIRED_ROOMS, (made_before_ms, limit))

    async def room_events(self, number: int, after: int = 0, limit: int = -1) -> list[EventRow]:
        """A room's history after an event, in the order of `seq`: `limit` events, or all for -1."""
        return await self.reader.look_up(EventRow, rows.ROOM_EVENTS, (number, after, limit))

    async def move_rows(self, game_id: int) -> list[MoveRow]:
        """The present line of a game, in order."""
        return await self.reader.page(MoveRow, rows.MOVES, (game_id,))

    async def moves_of(self, games: Sequence[int]) -> dict[int, list[MoveRow]]:
        """The present lines of several games, by their ids; nothing of games without moves."""
        found = await self.reader.page(_move_of_game, rows.MOVES_OF_GAMES, (json.dumps(list(games)),))
        return {game: [move for _, move in moves] for game, moves in groupby(found, itemgetter(0))}

    async def variations(self, game_id: int) -> list[VariationRow]:
        """The lines that bots expected, in a game of a room."""
        return await self.reader.page(VariationRow, rows.VARIATIONS, (game_id,))

    async def game_extras(self, game_id: int) -> GameExtras | None:
        """What else is known of a game; None if there is no such game."""
        return _only(await self.reader.page(GameExtras, rows.GAME_EXTRAS, (game_id,)))

    async def cells(self, game_id: int) -> list[int]:
        """The moves of a game."""
        return await self.reader.look_up(int, rows.CELLS, (game_id,))

    async def verdicts(self, game_id: int) -> dict[int, MoveVerdict]:
        """What this version's review has said about a game's moves so far, by ply, the last first."""
        return dict(await self.reader.look_up(review_rows.verdict_row, review_rows.VERDICTS, (game_id, VERSION)))

    async def explored(self, game: str, key: int) -> list[ExplorerRow]:
        """The counted moves of the positions with this key."""
        return await self.reader.page(ExplorerRow, explorer_rows.MOVES_FROM, (game, key))

    async def unexplored(self) -> int:
        """How many games the explorer should count and has not yet. Looks at every game: 0.1 s for a million."""
        [count] = await self.reader.page(int, explorer_rows.UNEXPLORED)
        return count

    async def game(self, id: int) -> GameRow | None:
        """A game record. The caller checks `GameRow.visible_to`."""
        return _only(await self.reader.look_up(GameRow, rows.GAME, (id,)))

    async def share_made_ms(self, game: int) -> int | None:
        """When the record of a private game was shared, None where it is not."""
        return _only(await self.reader.look_up(int, rows.SHARE_MADE_MS, (game,)))

    async def is_shared(self, game: int, secret_hash: bytes) -> bool:
        """Whether this is the hash of the secret by which a game is shared."""
        return bool(await self.reader.look_up(int, rows.IS_SHARED, (game, secret_hash)))

    async def games(
        self,
        *,
        game: str | None = None,
        player: int | None = None,
        before: int | None = None,
        run: str | None = None,
        a: int | None = None,
        b: int | None = None,
        opening: str | None = None,
        limit: int = 50,
        viewer: int | None = None,
    ) -> list[GameRow]:
        """Games that `viewer` may see, newest first, running ones among them; `before` is the last id of a page.

        `player`, `a` and `b` each had one of the seats, `a` and `b` both of them where they are the same; `opening` is
        named as the run names it.
        """
        players = list(dict.fromkeys(one for one in (player, a, b) if one is not None))
        if a is not None and a == b:
            players.append(a)
        if len(players) > 2:
            return []
        filters = {"game": game, "before": before, "run": run, "opening": opening}
        sql = rows.games_page(players=len(players), **{name: value is not None for name, value in filters.items()})
        seats = dict(zip(("first", "second"), players, strict=False))
        return await self.reader.page(GameRow, sql, {**filters, **seats, "limit": limit, "viewer": viewer})

    async def rating(self, player: int, game: str) -> Rating | None:
        """The rating that the next game builds on; None before a player's first rated game of this kind."""
        return _only(await self.reader.look_up(Rating, rows.RATING, (player, game)))

    async def bot_ratings(self, game: str) -> list[BotRatingRow]:
        """Ratings of every version of a bot that has one in this kind of game."""
        return await self.reader.look_up(BotRatingRow, rows.BOT_RATINGS, (game,))

    async def ratings(self, player: int) -> list[RatingRow]:
        """A player's ratings, the kind of game played most first; none where no rated game was played."""
        return await self.reader.page(RatingRow, rows.RATINGS, (player,))


def _move_of_game(game_id: int, *columns: Any) -> tuple[int, MoveRow]:
    return game_id, MoveRow(*columns)


def _absolute(path: Path | str) -> Path:
    """An absolute path, so that no name means something special to SQLite, as `:memory:` does."""
    return Path(path).absolute()


def _only(found: Sequence[Row]) -> Row | None:
    return found[0] if found else None
