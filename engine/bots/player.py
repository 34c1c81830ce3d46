"""Asking a bot for its move: a bot, a position, a limit and a seed make a decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from random import Random
from typing import TypeAlias, cast

from engine.bots.roster import Bot
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.position import IllegalMove, Move, Position, Rules
from engine.search.decision import Decision
from engine.search.watch import NO_WATCH, Watch

__all__ = ["NO_LIMIT", "NO_WATCH", "Decision", "Limit", "Watch", "check", "decide"]

_Search: TypeAlias = Callable[[tuple[object, ...], Position, Limit, Random, Watch], Decision]


def decide(
    bot: Bot,
    position: Position,
    limit: Limit = NO_LIMIT,
    seed: int = 0,
    watch: Watch = NO_WATCH,
    moves: Sequence[Move] = (),
) -> Decision:
    """The bot's move, legal whatever the limit and however early `watch` says stop.

    `moves` led to the position from the first one; only other people's engines are told of them.
    The randomness comes from `seed` and the position's ply alone: the same arguments give the same decision, unless
    time or the stop flag ended the search. Raises IllegalMove for a position that is over, ValueError for a game the
    bot does not play or a limit it does not take, and BotFault where another's program did not answer as it should.
    """
    if position.outcome is not None:
        raise IllegalMove("There is nothing to decide: the game is over.")
    check(bot, position.rules, limit)
    search = _loaded(bot.entry.entry_point)
    return search(bot.values(moves), position, limit, _randomness(seed, position.ply), watch)


def check(bot: Bot, rules: Rules, limit: Limit, opening_plies: int = 0) -> None:
    """Raises ValueError, in one sentence, for a game, a limit or an opening that the bot does not play or take."""
    if not bot.plays(rules):
        raise ValueError(f"{bot.name} does not play {rules.id}: it plays {', '.join(bot.entry.games)}.")
    refusal = bot.takes(limit)
    if refusal is not None:
        raise ValueError(refusal)
    most = bot.entry.opening_plies
    if most is not None and opening_plies > most:
        taken = f"openings of {most} ply at most" if most else "no openings"
        raise ValueError(
            f"{bot.name} follows each game from its start: it takes {taken}, and this one has {opening_plies} plies."
        )


@cache
def _loaded(entry_point: str) -> _Search:
    module, _, function = entry_point.partition(":")
    return cast(_Search, getattr(import_module(module), function))


def _randomness(seed: int, ply: int) -> Random:
    # Text, because `Random` takes text apart by a hash that is the same in every process and Python version.
    return Random(f"{seed}/{ply}")
