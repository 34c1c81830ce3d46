"""Positions of many games at once against the same games played one by one by the rules."""

from __future__ import annotations

import numpy as np
import pytest

from client.lab.learn import positions as learned_from
from engine.kernels import nested
from engine.rules.nested import ALL_BOARDS, NestedPosition, NestedRules
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.skill import LEARNED
from tests.support.engine.random_games import random_games


@pytest.mark.parametrize("game", LEARNED)
def test_every_position_is_as_the_rules_have_it(game: str) -> None:
    ruled = rules(game)
    assert isinstance(ruled, NestedRules)
    games = random_games(ruled, 12)
    results = [number / 20 for number in range(12)]
    values = [[(ply + 1) / 100 for ply in range(len(moves))] for moves in games]
    found = learned_from.positions(ruled, games, results, values, 2)
    settled = learned_from.settled_at_once(ruled, found)
    own, others = nested.marks_of_codes()
    met = 0
    for number, moves in enumerate(games):
        rows = np.flatnonzero(found.game == number)
        assert len(rows) == len(moves) - 2
        position: Position = ruled.initial
        for ply, move in enumerate(moves):
            assert isinstance(position, NestedPosition)
            if ply >= 2:
                row = rows[ply - 2]
                ours, theirs = (position.o, position.x) if ply & 1 else (position.x, position.o)
                won, lost = (position.won_o, position.won_x) if ply & 1 else (position.won_x, position.won_o)
                dead = position.closed & ~won & ~lost
                assert found.states[row] == (won | dead) | (lost | dead) << 9
                assert found.closed[row] == position.closed
                assert found.forced[row] == (-1 if position.forced is None else position.forced)
                assert found.results[row] == pytest.approx(1 - results[number] if ply & 1 else results[number])
                assert found.values[row] == pytest.approx(1 - (ply + 1) / 100 if ply & 1 else (ply + 1) / 100)
                for board in range(9):
                    assert found.undecided[row, board] == (not position.closed >> board & 1)
                    if found.undecided[row, board]:
                        code = found.codes[row, board]
                        assert own[code] == ours >> 9 * board & ALL_BOARDS
                        assert others[code] == theirs >> 9 * board & ALL_BOARDS
                ends = [position.play(next_move).outcome for next_move in position.legal_moves()]
                by_line = any(end is not None and end.termination == "line" for end in ends)
                assert settled[row] == by_line
                met += by_line
            position = position.play(move)
    assert met
