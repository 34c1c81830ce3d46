"""Learning Qubic: which positions are learned from, how lines are counted, and that it finds what results depend on."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from client.lab.learn import qubic
from client.lab.learn.qubic import Judged, QubicSubject, judged
from client.lab.learn.records import Games
from engine.rules.position import O, X
from engine.search import qubic_weights
from engine.search.qubic_weights import UNIT
from server.console.progress import Lines
from tests.support.engine.games import flat_rules
from tests.support.engine.random_games import random_games

QUBIC = flat_rules("qubic")
PLAYED = random_games(QUBIC, 120)


def games(result: float = 1.0, value: float = math.nan) -> Games:
    return Games([*map(tuple, PLAYED)], [result] * len(PLAYED), [tuple([value] * len(game)) for game in PLAYED])


def test_each_row_counts_the_open_lines_of_its_position() -> None:
    found = judged(games())
    rows = iter(range(len(found.game)))
    row: int | None = next(rows)
    for number, game in enumerate(PLAYED):
        position = QUBIC.initial
        for ply, move in enumerate(game):
            if row is not None and found.game[row] == number:
                counts = np.zeros(7)
                counts[6] = 1
                for line in QUBIC.lines:
                    marks = [position.mark(cell) for cell in line]
                    own, others = (X, O) if ply % 2 == 0 else (O, X)
                    if others not in marks:
                        counts[: marks.count(own)] += 1
                    elif own not in marks:
                        counts[3 : 3 + marks.count(others)] -= 1
                if np.array_equal(counts, found.marks[row]) and found.results[row] == (ply % 2 == 0):
                    row = next(rows, None)
            position = position.play(move)
    assert row is None, "rows come in the order of the positions"


def test_where_the_mover_completes_a_line_or_wins_by_threats_nothing_is_judged() -> None:
    found = judged(games())
    assert found.marks[:, 2].max() == 0
    assert 0 < len(found.game) < sum(len(game) - 2 for game in PLAYED)
    assert all(before <= after for before, after in pairwise(found.game))


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_what_follows_a_seen_end_is_left_out(value: float) -> None:
    ended = games()
    whole = len(judged(ended).game)
    ended.values = [(*[0.5] * 8, *[value] * (len(game) - 8)) for game in PLAYED]
    assert 0 < len(judged(ended).game) < whole / 2


@pytest.mark.parametrize("kind", [0, 1, 3, 4, 6])
def test_what_results_depend_on_is_found(monkeypatch: pytest.MonkeyPatch, kind: int) -> None:
    random = np.random.default_rng(kind)
    marks = judged(games()).marks
    logit = marks[:, kind] - (0 if kind == 6 else marks[:, kind].mean())
    results = (random.random(len(marks)) < 1 / (1 + np.exp(-logit))).astype(np.float32)
    drawn = Judged(np.arange(len(marks)), marks, results, np.full(len(marks), np.nan))
    monkeypatch.setattr(qubic, "judged", lambda games: drawn)
    found = QubicSubject(QUBIC).fitted(games(), 0, 8, 0.0, Lines())
    assert found.error < found.guessing + (kind == 6)
    assert found.candidate[kind] == pytest.approx(UNIT, rel=0.5)
    others = [weight for number, weight in enumerate(found.candidate) if number not in (kind, 2, 5, 6)]
    assert max(map(abs, others)) < UNIT / 2
    assert found.trained + found.held_out == len(marks)


def test_values_are_learned_from_as_far_as_they_are_mixed_in() -> None:
    won, lost = games(1.0, 0.5), games(0.0, 0.5)
    found = [QubicSubject(QUBIC).fitted(one, 0, 5, mix, Lines()).candidate for one in (won, lost) for mix in (0.0, 1.0)]
    assert found[0] != found[2]
    assert found[1] == found[3]


def test_the_search_judges_by_a_candidate() -> None:
    subject = QubicSubject(QUBIC)
    position = QUBIC.initial.play(0).play(5)
    before = subject.decided(position, 2_000, 0)
    with subject.judging((0, 0, 0, 0, 0, 0, 7)):
        assert subject.decided(position, 2_000, 0).value in (7.0, -7.0)
        assert qubic_weights.current() == (0, 0, 0, 0, 0, 0, 7)
    assert subject.decided(position, 2_000, 0) == before


def test_held_out_games_are_not_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged(games())
    results = np.random.default_rng(1).integers(0, 2, len(found.game)).astype(np.float32)
    made = []
    for each in (results, np.where(found.game % 10 == 9, 1 - results, results)):
        changed = found._replace(results=each, values=np.full(len(each), np.nan))
        monkeypatch.setattr(qubic, "judged", lambda games, changed=changed: changed)
        made.append(QubicSubject(QUBIC).fitted(games(), 0, 1, 0.0, Lines()).candidate)
    assert made[0] == made[1]


def test_results_and_values_are_of_who_is_to_move() -> None:
    found = judged(games(1.0, 0.75))
    assert {*zip(found.results.tolist(), found.values.tolist(), strict=True)} == {(1.0, 0.75), (0.0, 0.25)}
