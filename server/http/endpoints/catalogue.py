"""What can be played, and against which bots."""

from __future__ import annotations

from engine.rules.registry import games, rules
from engine.stats.glicko import Rating
from server.http.answers.catalogue import BotAnswer, RulesAnswer, WarmUpAnswer, bot_answer, rules_answer
from server.http.parts import Parts
from server.http.route import Call, Query
from server.play.views import rating_view
from server.play.writes import StoreUnavailable
from server.wire import GameId, RatingView


class GameQuery(Query):
    """Which game."""

    game: GameId


async def all_bots(parts: Parts, call: Call[Query]) -> list[BotAnswer]:
    return [bot_answer(entry) for entry in parts.roster.entries]


async def bots_of_game(parts: Parts, call: Call[GameQuery]) -> list[BotAnswer]:
    game = rules(call.query.game)
    try:
        ratings = await _ratings(parts, game.id)
    except StoreUnavailable:
        ratings = {}  # the bots are there all the same
    return [bot_answer(entry, game, ratings) for entry in parts.roster.entries if entry.plays(game)]


async def _ratings(parts: Parts, game: str) -> dict[tuple[str, int], RatingView]:
    """Ratings by full name and version."""
    now = parts.unix_ms()
    return {
        (row.name, row.version): rating_view(
            Rating(row.rating, row.deviation, row.volatility, row.games, row.updated_ms), now
        )
        for row in await parts.records.bot_ratings(game)
    }


async def all_rules(parts: Parts, call: Call[Query]) -> list[RulesAnswer]:
    return [rules_answer(game) for game in games()]


async def rules_of_game(parts: Parts, call: Call[GameQuery]) -> RulesAnswer:
    return rules_answer(rules(call.query.game))


async def warm_up(parts: Parts, call: Call[Query]) -> WarmUpAnswer:
    warming = parts.readiness.warming
    done, of = warming or (0, 0)
    return WarmUpAnswer(warm=warming is None, done=done, of=of)
