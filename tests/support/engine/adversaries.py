"""Opponents that put `perfect` to the test, and games in which it is held to what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from engine.bots.player import NO_LIMIT, Decision, Limit, decide
from engine.bots.roster import bot, bots
from engine.bots.roster.entry import BotEntry, Choice, Number
from engine.rules.position import Position, Side
from engine.rules.registry import rules
from engine.search.watch import Watch

PERFECT = bot("perfect")
_FEW = Limit(nodes=2_000)
_MOST_PLY = 3
"""A parameter that is a number is no larger, so that opponents are quick."""

Opponent = Callable[[Position, Random], int]
"""The move of a position that is not over."""


def named(name: str) -> Opponent:
    """A bot of the roster, with few nodes if it can be told to take few."""
    player = bot(name)
    limit = _FEW if player.takes(_FEW) is None else NO_LIMIT
    return lambda position, random: decide(player, position, limit, random.randrange(1 << 30)).move


def roster(game: str) -> list[str]:
    """Each bot that plays a game, with each of its words, and few plies."""
    names = [name for entry in bots() if entry.plays(rules(game)) for name in _names(entry)]
    return [*names, "level:1", "level:8"]


def _names(entry: BotEntry) -> list[str]:
    """With each word of each of its choices, the others as they are where nobody chooses."""
    names = {entry.name_of(tuple(_value(one) for one in entry.parameters)): None}
    for at, choice in enumerate(entry.parameters):
        for word in choice.words if isinstance(choice, Choice) else ():
            values = [_value(one) for one in entry.parameters]
            values[at] = word
            names[entry.name_of(tuple(values))] = None
    return list(names)


def _value(parameter: Number | Choice) -> int | str:
    return min(parameter.default, _MOST_PLY) if isinstance(parameter, Number) else parameter.default


def longest(position: Position, random: Random) -> int:
    """After which `perfect` itself says that it needs longest; at random among such replies."""
    return _most(position, random, lambda decision: decision.win_in or 99)


def hardest(position: Position, random: Random) -> int:
    """After which `perfect` searches most nodes."""
    return _most(position, random, lambda decision: decision.nodes)


def _most(position: Position, random: Random, of: Callable[[Decision], int]) -> int:
    found: dict[int, int] = {}
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is not None:
            return move
        found[move] = of(decide(PERFECT, after))
    most = max(found.values())
    return random.choice([move for move, value in found.items() if value == most])


@dataclass(frozen=True, slots=True)
class Played:
    winner: Side | None
    plies: int


def play(game: str, side: Side, opponent: Opponent, seed: int) -> Played:
    """A game of `perfect` as one side: it is always certain, and once it wins, its way gets shorter with each move."""
    random = Random(seed)
    position = rules(game).initial
    left: int | None = None
    while position.outcome is None:
        if position.to_move == side:
            decision = decide(PERFECT, position, seed=seed)
            left = held_to(decision, left)
            position = position.play(decision.move)
        else:
            position = position.play(opponent(position, random))
    if left is not None:
        assert position.outcome.winner == side
    return Played(position.outcome.winner, position.ply)


def held_to(decision: Decision, left: int | None) -> int | None:
    """What it may say next: two plies less than now, if it wins."""
    assert decision.proven
    assert decision.pv[0] == decision.move
    if left is not None:
        assert decision.win_in is not None
        assert 0 < decision.win_in <= left
    return decision.win_in - 2 if decision.win_in is not None and decision.win_in > 0 else None


def within(limit: Limit, position: Position, watch: Watch) -> Decision:
    """What it decides, which must be legal and keep to the limit."""
    decision = decide(PERFECT, position, limit, watch=watch)
    assert position.is_legal(decision.move)
    assert limit.nodes is None or decision.nodes <= limit.nodes
    assert limit.depth is None or decision.depth <= limit.depth
    return decision
