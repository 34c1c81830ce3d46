"""What the endpoints ask of the rest of the server, each a function that `app` gives them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from engine.analysis.verdict import MoveVerdict
from server.db.explorer import ExplorerRow
from server.db.play import GameExtras, GameRow, MoveRow, VariationRow
from server.http.ladders import LadderAnswers
from server.http.pictures import Pictures
from server.wire import Player, RatingView


@dataclass(frozen=True, slots=True)
class HttpQueries:
    """What the endpoints read. A viewer is a player id, None for anybody."""

    game: Callable[[int], Awaitable[GameRow | None]]
    moves: Callable[[int], Awaitable[list[MoveRow]]]
    variations: Callable[[int], Awaitable[list[VariationRow]]]
    games: Callable[..., Awaitable[list[GameRow]]]
    """game, player, before, run, a, b, opening, viewer, limit"""
    owner: Callable[[str], Awaitable[Player | None]]
    """whose token that is"""
    moves_of: Callable[[list[int]], Awaitable[dict[int, list[MoveRow]]]]
    """of several games"""
    text: Callable[[GameRow, list[MoveRow], str], str]
    """a game in the form jsonl or txt"""
    texts: Callable[[list[GameRow], dict[int, list[MoveRow]], str], str]
    """several, without those that cannot be written"""
    extras: Callable[[int], Awaitable[GameExtras | None]]
    verdicts: Callable[[int], Awaitable[dict[int, MoveVerdict]]]
    """what a review has said so far of a game's moves"""
    explored: Callable[[str, int], Awaitable[list[ExplorerRow]]]
    """the counted moves of a game's positions with a key"""
    pending: Callable[[], Awaitable[int]]
    """how many games the explorer has not counted; starts to count them"""
    bot_ratings: Callable[[str], Awaitable[Mapping[tuple[str, int], RatingView]]]
    """in a game, by full name and version"""
    ladder: LadderAnswers
    pictures: Pictures
