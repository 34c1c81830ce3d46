"""Claims of games are counted and checked, and games add up by their seeds."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from client.lab.bench.command import bench
from client.lab.bench.strength import claims
from client.lab.bench.strength.claim_checker import Checker
from client.lab.bench.strength.claims import Tally, add_game
from engine.bots.player import Limit, decide
from engine.bots.roster import Bot, bot
from engine.rules.position import Position
from engine.search.decision import Decision
from tests.support.engine.games import replay_texts


def test_a_win_by_the_last_mark_of_the_other_side_holds() -> None:
    """With boards counted, who must close the last board may lose by it: a win in an even number of plies."""
    tally = Tally("ultimate:count", 0, 2)
    for seed in (7, 19):
        add_game(tally, bot("strongest"), seed, 2_000)
    assert tally.claims
    assert not tally.false


def test_a_longer_win_found_first_is_no_end_of_the_witness_search() -> None:
    position = replay_texts("mnk:5,5,4", "a5 d2 e3 b4 e5 c5 c2")
    assert Checker(claims._witness, 3_000).holds(position, 9)


@pytest.mark.parametrize(("played", "claim"), [("b2", -8), ("b2 a1", 5)])
def test_where_no_move_wins_a_claim_does_not_hold(played: str, claim: int) -> None:
    assert not Checker(claims._witness, 1_000).holds(replay_texts("tictactoe", played), claim)


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
