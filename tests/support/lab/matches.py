"""Games of a match, made up."""

from __future__ import annotations

from dataclasses import replace

from engine.bots import match
from engine.bots.match import Pairing, Played, tasks
from engine.bots.roster import bot
from engine.record.model import GameRecord, RecordedMove
from engine.rules.position import play_all
from engine.rules.registry import rules

PAIRING = Pairing("tictactoe", bot("alphabeta:2"), bot("random"), 3, seed=4)


def timed(moves: str, number: int = 0) -> Played:
    """The pairing's game of this number by these moves, of which move n takes n + 1 ms, and 100 nodes of A's."""
    task = replace(tasks(PAIRING)[number], start=())
    parse = rules("tictactoe").parse_move
    by_a = 0 if task.a_side == "x" else 1
    recorded = tuple(
        RecordedMove(parse(text), think_us=1000 * (ply + 1), nodes=100 if ply % 2 == by_a else None, value=0.0)
        for ply, text in enumerate(moves.split())
    )
    outcome = play_all(rules("tictactoe").initial, (move.cell for move in recorded)).outcome
    record = GameRecord(
        "tictactoe", x=match._player(task.x), o=match._player(task.o), moves=recorded,
        winner=outcome.winner if outcome else None,
        termination=outcome.termination if outcome else None,
    )  # fmt: skip
    return Played(task, record)
