"""One game between two bots, without a network and without a clock of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.player import NO_LIMIT, NO_WATCH, Limit, Watch, decide
from engine.position import Move, O, Rules, Side, X
from engine.record import GameRecord, Player, RecordedMove
from engine.roster import Bot
from engine.search.decision import Decision

NO_LIMITS: Mapping[Side, Limit] = {X: NO_LIMIT, O: NO_LIMIT}


def play_game(
    x: Bot,
    o: Bot,
    rules: Rules,
    limits: Mapping[Side, Limit] = NO_LIMITS,
    seed: int = 0,
    start: Sequence[Move] = (),
    watch: Watch = NO_WATCH,
) -> GameRecord:
    """Plays from `start` to the end and answers the record, with every move's search figures.

    The same arguments give the same game, unless `watch` ends a search. Raises ValueError for a bot that does not
    play the game or take its limit, and IllegalMove for an illegal or finished start.
    """
    bots = {X: x, O: o}
    position = rules.initial
    for move in start:
        position = position.play(move)
    moves: list[RecordedMove] = []
    while position.outcome is None:
        side = position.to_move
        decision = decide(bots[side], position, limits[side], seed, watch)
        moves.append(_recorded(decision))
        position = position.play(decision.move)
    return GameRecord(
        game=rules.id,
        x=_player(x),
        o=_player(o),
        moves=tuple(moves),
        start=tuple(start),
        winner=position.outcome.winner,
        termination=position.outcome.termination,
        seed=seed,
        source="match",
    )


def _player(bot: Bot) -> Player:
    return Player(bot.name, "bot", bot.version)


def _recorded(decision: Decision) -> RecordedMove:
    if decision.value is None:
        return RecordedMove(decision.move)
    return RecordedMove(
        decision.move,
        nodes=decision.nodes,
        depth=decision.depth,
        value=decision.value,
        win_in=decision.win_in,
    )
