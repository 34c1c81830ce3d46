"""Judging Super by X's forced win, and by the search where that says more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rules.position import Move, Position, play_all
from engine.rules.registry import rules
from engine.search.assess import searched, super_win
from engine.search.finding import Finding, Stopped
from engine.search.perfect import super_player
from engine.search.perfect.super_policy import policy_move
from engine.search.watch import NO_WATCH
from tests.support.engine.watches import Stop

GUESS = Finding(False, -0.3, best=(5,), line=(5, 6), nodes=30)


def along_the_win(plies: int) -> Position:
    """X plays by the policy, and O the first cell that it may."""
    position = rules("super").initial
    for _ in range(plies):
        move: Move | None = position.legal_moves()[0]
        if position.ply % 2 == 0:
            move = policy_move(position)  # type: ignore[arg-type]
        assert move is not None
        position = position.play(move)
    return position


def says(monkeypatch: pytest.MonkeyPatch, found: Finding) -> None:
    monkeypatch.setattr(searched, "assess", lambda position, watch: found)


@pytest.mark.parametrize("plies", [0, 1, 2, 15, 16, 21, 26])
def test_along_the_policy_x_has_won_by_a_line_of_the_game(monkeypatch: pytest.MonkeyPatch, plies: int) -> None:
    says(monkeypatch, GUESS)
    position = along_the_win(plies)
    found = super_win.assess(position, NO_WATCH)
    sign = -1 if plies % 2 else 1
    assert (found.exact, found.value, found.bound, found.nodes) == (True, sign, True, 30)
    assert found.win_in is not None
    assert 0 < sign * found.win_in <= 43 - plies
    assert found.best == found.line[:1]
    play_all(position, found.line)  # legal


def test_off_the_policy_the_search_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, GUESS)
    first = rules("super").initial
    assert super_win.assess(first.play(0), NO_WATCH) == GUESS


def test_what_the_search_proves_sooner_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = Finding(True, -1.0, -5, False, (5,), (5, 6), nodes=30)
    position = along_the_win(21)
    for found, is_kept in ((lost, True), (replace(lost, win_in=-43), False)):
        says(monkeypatch, found)
        assert (super_win.assess(position, NO_WATCH) == found) is is_kept
    won = Finding(True, 1.0, 5, False, (5,), (5, 6), nodes=30)
    says(monkeypatch, won)
    assert super_win.assess(along_the_win(20), NO_WATCH) == won


def test_it_stops_when_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, GUESS)
    super_player._check_from.cache_clear()  # what is checked already takes no time
    with pytest.raises(Stopped):
        super_win.assess(along_the_win(21), Stop())
