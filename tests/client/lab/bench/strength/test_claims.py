"""Checking claims: true ones pass, false ones do not, and games add up by their seeds."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from client.lab.bench.command import bench
from client.lab.bench.strength import claims
from client.lab.bench.strength.claim_checker import Checker, TooLarge
from client.lab.bench.strength.claims import Tally, add_game
from engine.bots.player import Limit, decide
from engine.bots.roster import Bot, bot
from engine.rules.position import Move, Position
from engine.search.decision import Decision
from tests.support.engine.games import replay_texts


def nothing(position: Position, plies: int) -> Move | None:
    return None


def last(position: Position, plies: int) -> Move | None:
    return position.legal_moves()[-1]


WON = replay_texts("tictactoe", "b2 a2 a1 c3")
"""X wins in three: c1 makes two threats."""


def test_a_true_claim_holds_whatever_is_replied() -> None:
    checker = Checker(claims._witness, 100)
    assert checker.holds(WON, 3)
    assert checker.holds(WON, 5)
    assert checker.holds(WON.play(WON.rules.parse_move("c1")), -2)
    assert checker.holds(replay_texts("tictactoe", "b2 a1 c1 a3 a2 c2"), None)


def test_a_loss_is_not_nearer_than_it_is() -> None:
    checker = Checker(claims._witness, 3_000)
    lost = replay_texts("tictactoe", "a1 b1 b2 c3 a3")  # X threatens twice
    assert not checker.holds(lost, -1)
    assert checker.holds(lost, -2)


def test_a_win_by_the_last_mark_of_the_other_side_holds() -> None:
    """With boards counted, who must close the last board may lose by it: a win in an even number of plies."""
    tally = Tally("ultimate:count", 0, 2)
    for seed in (7, 19):
        add_game(tally, bot("strongest"), seed, 2_000)
    assert tally.claims
    assert not tally.false


def test_a_longer_win_found_first_is_no_end_of_the_search() -> None:
    position = replay_texts("mnk:5,5,4", "a5 d2 e3 b4 e5 c5 c2")
    assert Checker(claims._witness, 3_000).holds(position, 9)


def test_a_false_claim_does_not_hold() -> None:
    checker = Checker(claims._witness, 1_000)
    assert not checker.holds(WON, 1)
    assert not checker.holds(WON, -2)
    assert not checker.holds(WON, None)
    assert not checker.holds(replay_texts("tictactoe", "b2 a2 a1"), -2)
    assert not checker.holds(replay_texts("tictactoe", "b2"), -8)


@pytest.mark.parametrize("witness", [nothing, last])
def test_a_bad_witness_confirms_nothing(witness: object) -> None:
    assert not Checker(witness, 100).holds(WON, 3)  # type: ignore[arg-type]


def test_a_claim_may_be_too_large() -> None:
    with pytest.raises(TooLarge):
        Checker(claims._witness, 3).holds(replay_texts("tictactoe", "b2"), None)


def test_games_add_up_by_their_seeds() -> None:
    whole, parts = Tally("mnk:4,4,3", 0, 4), [Tally("mnk:4,4,3", 0, 2), Tally("mnk:4,4,3", 2, 2)]
    for seed in range(4):
        add_game(whole, bot("strongest"), seed, 500)
        add_game(parts[seed // 2], bot("strongest"), seed, 500)
    assert whole.claims == sum(part.claims for part in parts) > 0
    assert whole.wins == parts[0].wins + parts[1].wins > 0
    assert whole.losses == parts[0].losses + parts[1].losses
    assert not whole.false


def test_it_prints_what_was_claimed() -> None:
    line = ["claims", "--game", "tictactoe", "--games", "3", "--nodes", "300"]
    done = CliRunner().invoke(bench, line)
    assert done.exit_code == 0
    assert done.output.startswith("tictactoe      seeds 0 to 2: ")
    assert done.output.strip().endswith(" hold, 0 too large to check, 0 false")
    (tally,) = json.loads(CliRunner().invoke(bench, [*line, "--json"]).output)["tallies"]
    assert (tally["game"], tally["first"], tally["games"], tally["false"]) == ("tictactoe", 0, 3, [])


@pytest.mark.parametrize(
    ("moves", "win_in", "kept", "given_away"),
    [
        ("b2 a2 a1 c3", 3, "b1 c1", "c2 a3 b3"),
        ("a1 c3 c1", -4, "b1 a2", ""),
        ("b2 a1 c1", None, "a3", "c3"),
        ("b2 a1 c1 a3 a2 c2 b3 b1", None, "c3", ""),
    ],
)
def test_the_move_is_to_keep_what_is_claimed(moves: str, win_in: int | None, kept: str, given_away: str) -> None:
    position = replay_texts("tictactoe", moves)
    checker = Checker(claims._witness, 3_000)
    for text in kept.split():
        assert checker.keeps(position, win_in, position.rules.parse_move(text))
    for text in given_away.split():
        assert not checker.keeps(position, win_in, position.rules.parse_move(text))


def test_a_true_claim_whose_move_gives_it_away_is_false(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(bot: Bot, position: Position, limit: Limit, *, seed: int, watch: object = None) -> Decision:
        found = decide(bot, position, limit, seed=seed)
        away = next((move for move in position.legal_moves() if move != found.move), found.move)
        return replace(found, move=away)

    monkeypatch.setattr(claims, "decide", careless)
    tally = Tally("tictactoe", 0, 1)
    add_game(tally, bot("strongest"), 0, 300)
    assert tally.false


def test_a_false_claim_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def boasting(bot: Bot, position: Position, limit: Limit, *, seed: int, watch: object = None) -> Decision:
        return Decision(position.legal_moves()[0], proven=True, win_in=1)

    monkeypatch.setattr(claims, "decide", boasting)
    done = CliRunner().invoke(bench, ["claims", "--game", "tictactoe", "--games", "1"])
    assert done.exit_code == 1
    assert "claims of strongest do not hold." in done.output
    assert "    false: " in done.output


LAST = replay_texts("tictactoe", "b2 a1 c1 a3 a2 c2 b3 b1")
"""The only move left draws."""


@pytest.mark.parametrize("win_in", [1, -1])
def test_a_draw_is_neither_a_win_nor_a_loss(win_in: int) -> None:
    assert not Checker(claims._witness, 100).holds(LAST, win_in)
    assert Checker(claims._witness, 100).holds(LAST, None)


def test_a_loss_is_no_draw() -> None:
    lost = replay_texts("tictactoe", "a1 b1 b2 c3 a3")  # X threatens twice
    assert not Checker(claims._witness, 3_000).holds(lost, None)


def test_a_win_that_comes_later_than_asked_for_does_not_hold() -> None:
    position = replay_texts("tictactoe", "b2 a2")
    assert Checker(claims._witness, 3_000).holds(position, 5)
    assert not Checker(lambda position, plies: claims._witness(position, 5), 3_000).holds(position, 3)


def test_every_claim_may_look_at_as_many_positions() -> None:
    checker = Checker(claims._witness, 100)
    with pytest.raises(TooLarge):
        checker.holds(replay_texts("tictactoe", "b2"), None)
    assert checker.holds(WON, 3)


def test_claimed_draws_are_counted_and_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawing(bot: Bot, position: Position, limit: Limit, *, seed: int) -> Decision:
        return Decision(position.legal_moves()[0], proven=True)

    monkeypatch.setattr(claims, "decide", drawing)
    tally = Tally("tictactoe", 0, 6)
    for seed in range(6):
        add_game(tally, bot("strongest"), seed, 1)
    assert 0 < len(tally.false) <= tally.draws


def test_a_win_may_be_claimed_without_its_plies() -> None:
    tally = Tally("tictactoe", 0, 2)
    for seed in range(2):
        add_game(tally, bot("bragstad-alphabeta:9"), seed, 20_000)
    assert (tally.wins, tally.losses, tally.draws) != (0, 0, 0)
    assert not tally.false


def test_what_was_too_large_or_false_does_not_hold() -> None:
    line = claims._line(Tally("tictactoe", 0, 1, wins=4, too_large=2, false=["b2 | 3"]))
    assert "claimed: 1 hold, 2 too large to check, 1 false" in line
