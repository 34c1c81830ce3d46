"""What is to be written to the database, named as data: a closed list of statements, in the order of a batch.

The order keeps every reference whole: players before rooms before games before moves. A batch groups by statement
the writes of many rooms, so a write set must mean the same in this order: it may not, say, take moves back and play
a new one. `server.db.statements` has the SQL of each, so that deciding what to commit needs no database.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from enum import IntEnum, auto, unique
from typing import Protocol, TypeAlias


@unique
class Statement(IntEnum):
    """One kind of write; the comment above each names its parameters. Times are integers, milliseconds but for
    `_us`, microseconds."""

    # (id, name, kind, token_hash, created_ms): kind is person or bot, token_hash bytes or None
    ADD_PLAYER = 0

    # (name, id)
    RENAME_PLAYER = auto()

    # (token_hash, id): nobody is this player by the former token any more
    CHANGE_TOKEN = auto()

    # (player_id, owner_id): refused where the owner was deleted meanwhile
    ADD_OWNED_BOT = auto()

    # (withdrawn_ms, player_id): None where a token makes a program this bot again; nothing for a bot that nobody owns
    SET_WITHDRAWN = auto()

    # (player_id, since_ms, until_ms, reason): in the place of an earlier ban; until_ms None for good
    BAN_PLAYER = auto()

    # (player_id)
    UNBAN_PLAYER = auto()

    # (player_id, name, parameters, version): parameters as JSON with sorted keys
    ADD_BOT_VERSION = auto()

    # (number, id, spec, code, created_ms): spec as JSON, code only for an invite room
    ADD_ROOM = auto()

    # (number): open again, should it have been closed as one that waited too long
    WAKE_ROOM = auto()

    # (slept_ms, number)
    LET_ROOM_SLEEP = auto()

    # (closed_ms, number)
    CLOSE_ROOM = auto()

    # (number): whoever has a part in this sleeping room
    DROP_SLEEPERS = auto()

    # (player_id, room_number, made, seated, waiting): a part in a sleeping room
    ADD_SLEEPER = auto()

    # (id, room_number, serial, source, game, x_player, o_player, initial_ms, increment_ms, move_ms, x_limit, o_limit,
    # start, rated, seed, run_id, pair_id, opening_id, machine, software, started_ms): limits and start as JSON;
    # room_number, serial, the clock, limits and the ids of a run may be None. A game of an invite room is private.
    START_GAME = auto()

    # (game_id, ply, cell, at_ms, think_ms, think_us, wait_ms, x_ms, o_ms, nodes, depth, value, win_in, pruned)
    ADD_MOVE = auto()

    # (game_id, ply, cell, at_ms, think_ms, x_ms, o_ms): of a person, who neither waited for a worker nor searched, and
    # whose clock counts milliseconds
    ADD_PERSONS_MOVE = auto()

    # (taken_seq, game_id, from_ply): taken_seq is the seq of the takeback's event
    KEEP_TAKEN_BACK = auto()

    # (game_id, from_ply)
    DELETE_TAKEN_BACK = auto()

    # (ended_ms, winner, termination, plies, game_id): winner x, o or None
    END_GAME = auto()

    # (game_id, player_id, sentence): what a bot did that lost it the game
    ADD_FAULT = auto()

    # (player_id, game, rating, deviation, volatility, games, updated_ms): refused where `games` is not one more than
    # the row has, since the new rating would then be made from one that is no longer true
    SET_RATING = auto()

    # (game_id, player_id, before, rating, deviation, volatility)
    ADD_RATING_CHANGE = auto()

    # (game_id, version): drops what another version judged
    DROP_OLD_REVIEW = auto()

    # (game_id, version, begun_ms): of a review that is there already nothing changes
    BEGIN_REVIEW = auto()

    # (game_id, ply, verdict, exact, value, win_in, at_most, best, could, could_in, nodes): best as JSON. Judging is
    # repeatable: two programs that judge the same move write the same row.
    ADD_JUDGED = auto()

    # (game_id, secret_hash, made_ms, player_id): in the place of an earlier share of the game; nothing where the player
    # was deleted meanwhile
    SHARE_GAME = auto()

    # (game_id): after making one, so that of both in a batch the withdrawal counts
    WITHDRAW_SHARE = auto()

    # (room_number, seq, ts, type, body): body as JSON, str rather than UTF-8 bytes, which cost more
    ADD_EVENT = auto()

    # Deletion of a player. Last, so that nothing of a batch is written after it; ids in JSON are text.
    # (name, id)
    ANONYMISE_PLAYER = auto()

    # (name, id as text, number): of a room that they made
    ANONYMISE_ROOM = auto()

    # (name, room_number, seq)
    ANONYMISE_SEAT = auto()

    # (name, text, room_number, seq)
    ANONYMISE_LINE = auto()

    # (player_id)
    DROP_RATINGS = auto()

    # (player_id)
    DROP_RATING_CHANGES = auto()

    # (player_id): of every game that they played
    DROP_SHARES = auto()

    # (player_id): whose bots nobody is any more, one among them that was made at the last moment
    END_TOKENS_OF_OWNED_BOTS = auto()

    # (player_id): as a bot and as an owner
    DROP_OWNED_BOTS = auto()


DELETED_TEXT = "(deleted)"
"""What replaces a deleted player's words."""

Write: TypeAlias = tuple[Statement, tuple[object, ...]]


class StoreUnavailable(Exception):
    """Nothing can be committed now, and nothing of this write set was. The message is one sentence for a log."""


class Conflict(Exception):
    """The schema refuses this write set, which changed nothing: a second row for a ply, an unknown player."""


class Committer(Protocol):
    """Takes write sets."""

    @property
    def available(self) -> bool:
        """Whether anything can be committed now, as far as known."""

    def write(self, writes: Sequence[Write]) -> Awaitable[None]:
        """Done once it is committed. Raises StoreUnavailable or Conflict."""
