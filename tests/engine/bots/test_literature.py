"""What the bots of the literature have in common: seeds, limits, and ends that they prove."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots.literature import altekar, bragstad, depth3, osipa, pawar_ren
from engine.bots.literature.answer import coin
from engine.bots.player import NO_LIMIT, NO_WATCH, Decision, Limit, decide
from engine.bots.roster import Number, bot
from engine.bots.roster.literature import LITERATURE
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.fixed import Scoring, search
from tests.support.engine.plain_minimax import position_after, values
from tests.support.engine.watches import Clock

# Every bot with other parameters than its own, and positions where it is quick.
NAMES = [
    "altekar-minimax:1,weighted",
    "altekar-alphabeta:2,sum",
    "depth3:balanced,2",
    "depth3:aggressive,1",
    "depth3:defensive,2",
    "depth3:switching,2",
    "pawar-ren:2,last",
    "pawar-ren:1,coin",
    "pawar-ren-reading:2,last,unsigned,apart",
    "pawar-ren-reading:2,coin,printed,soft",
    "pawar-ren-reading:2,last,nothing,hard",
    "bragstad-minimax:2",
    "bragstad-alphabeta:3",
    "bragstad-variable",
    "bragstad-reading:3,last,even",
    "bragstad-reading:2,first,won",
    "osipa-tree",
    "osipa:zero",
    "osipa:control",
    "osipa:ways",
]
SEARCHING = [name for name in NAMES if not name.startswith("osipa-tree")]


def somewhere(name: str, seed: int = 0) -> Position:
    game = bot(name).entry.games[0]
    return position_after(game, {"tictactoe": 3, "qubic": 45, "nine-board": 20}[game], seed)


def test_every_family_is_tried_here() -> None:
    assert {bot(name).family for name in NAMES} == {entry.family for entry in LITERATURE}


def test_bragstad_plays_every_square_board_with_its_side_in_a_row() -> None:
    for name in ("bragstad-minimax:2", "bragstad-alphabeta", "bragstad-variable"):
        assert bot(name).plays(rules("mnk:20,20,20"))
        assert not bot(name).plays(rules("mnk:4,4,3"))
        assert not bot(name).plays(rules("mnk:5,4,5"))
        assert not bot(name).plays(rules("cube:3"))
    big = rules("mnk:9,9,9").initial  # more cells than a machine word has bits
    assert decide(bot("bragstad-alphabeta:2"), big).move == 0
    with pytest.raises(ValueError, match=r"does not play qubic: it plays tictactoe, mnk:N,N,N\."):
        decide(bot("bragstad-minimax"), rules("qubic").initial)


def test_bragstads_default_is_a_ply_for_each_cell() -> None:
    ply = bot("bragstad-minimax").entry.parameters[0]
    assert isinstance(ply, Number)
    assert [ply.high_in(rules(game)) for game in ("tictactoe", "mnk:4,4,4", "mnk:20,20,20")] == [9, 16, 400]
    position = position_after("mnk:4,4,4", 9, 3)
    for name in ("bragstad-minimax", "bragstad-alphabeta"):
        unbounded = decide(bot(f"{name}:16"), position)
        assert (unbounded.depth, unbounded.proven) == (7, True)
        assert unbounded == decide(bot(f"{name}:400"), position)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_a_seed_makes_the_decision(name: str, seed: int) -> None:
    position = somewhere(name, seed)
    found = decide(bot(name), position, seed=seed)
    assert found == decide(bot(name), position, seed=seed)
    assert position.is_legal(found.move)
    assert found.pv[0] == found.move
    for move in found.pv:
        position = position.play(move)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("clock", [Clock(stopped=True), Clock(elapsed_ms=10**6)])
def test_out_of_time_at_once_a_legal_move_comes_all_the_same(
    name: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = somewhere(name, 5)
    monkeypatch.setattr(osipa, "_TREE", osipa.Tree())
    found = decide(bot(name), position, Limit(move_ms=10), watch=clock)
    assert position.is_legal(found.move)
    if not name.startswith("depth3"):  # its rule needs no search
        assert found == Decision(position.legal_moves()[0])


@pytest.mark.parametrize("name", SEARCHING)
def test_the_lower_of_two_depths_is_searched(name: str) -> None:
    position = position_after("mnk:4,4,4", 6, 1) if name.startswith("bragstad") else somewhere(name, 3)
    found = decide(bot(name), position, Limit(depth=1))
    if found.nodes:  # not by depth3's rule
        assert found.depth == 1
        assert found.nodes == found.leaves == len(position.legal_moves())
    assert decide(bot(name), position, Limit(depth=90)) == decide(bot(name), position)


@pytest.mark.parametrize("name", SEARCHING)
def test_node_limits_are_kept_and_answered_by_what_is_finished(name: str) -> None:
    position = somewhere(name, 4)
    found = decide(bot(name), position, Limit(nodes=1))
    assert found.nodes <= 1
    assert position.is_legal(found.move)
    assert not found.proven or found.win_in in (1, -2)


def test_the_tree_takes_time_alone() -> None:
    assert bot("osipa-tree").takes(Limit(move_ms=5)) is None
    for limit in (Limit(nodes=5), Limit(depth=3)):
        with pytest.raises(ValueError, match="a limit of time, not of nodes or depth"):
            decide(bot("osipa-tree"), rules("tictactoe").initial, limit)


# Alpha-beta chooses exactly minimax's move.

QUBIC = [
    pytest.param(plies, seed, marks=[pytest.mark.slow] if seed else []) for plies in (40, 47, 52) for seed in range(4)
]


def chosen(position: Position, depth: int, scoring: Scoring, index: str) -> int:
    exact = values(position, depth, scoring)
    best = [move for move, value in exact.items() if value == max(exact.values())]
    return best[0] if index == "first" else best[-1]


@pytest.mark.parametrize(("plies", "seed"), QUBIC)
@pytest.mark.parametrize("ply", [1, 2, 3])
@pytest.mark.parametrize("evaluation", ["sum", "weighted"])
def test_altekar(plies: int, seed: int, ply: int, evaluation: str) -> None:
    position = position_after("qubic", plies, seed)
    if ply == 3 and plies < 47:
        return
    exact = decide(bot(f"altekar-minimax:{ply},{evaluation}"), position)
    cutting = decide(bot(f"altekar-alphabeta:{ply},{evaluation}"), position)
    assert exact.move == cutting.move == chosen(position, ply, altekar.SCORINGS[evaluation], "first")
    assert (exact.value, exact.win_in, exact.proven) == (cutting.value, cutting.win_in, cutting.proven)
    assert cutting.nodes <= exact.nodes


@pytest.mark.parametrize(("plies", "seed"), QUBIC)
@pytest.mark.parametrize("style", ["balanced", "aggressive", "defensive", "switching"])
def test_depth3(plies: int, seed: int, style: str) -> None:
    position = position_after("qubic", plies, seed)
    ply = 2 if plies < 47 else 3
    found = decide(bot(f"depth3:{style},{ply}"), position)
    ruled = depth3.by_rule(position, ply)
    scoring = depth3.STYLES[depth3.style_of(position) if style == "switching" else style]
    assert found.move == (ruled.move if ruled else chosen(position, ply, scoring, "first"))


@pytest.mark.parametrize(("plies", "seed"), QUBIC)
@pytest.mark.parametrize("ply", [1, 2, 3])
def test_pawar_and_ren(plies: int, seed: int, ply: int) -> None:
    position = position_after("qubic", plies, seed)
    if ply == 3 and plies < 47:
        return
    assert decide(bot(f"pawar-ren:{ply}"), position).move == chosen(position, ply, pawar_ren.SCORING, "last")
    exact = search(position, ply, pawar_ren.SCORING)
    for coins in range(4):
        index = coin(exact, Random(coins))
        assert index is not None
        found = pawar_ren.decide((ply, "coin"), position, NO_LIMIT, Random(coins), NO_WATCH)
        assert found.move == exact.moves[index]


@pytest.mark.parametrize(("game", "plies"), [("tictactoe", 2), ("tictactoe", 5), ("mnk:4,4,4", 9)])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
@pytest.mark.parametrize("ply", [1, 2, 3, 4, 10])
def test_bragstad(game: str, plies: int, seed: int, ply: int) -> None:
    position = position_after(game, plies, seed)
    depth = min(ply, position.rules.cells - plies)
    exact = decide(bot(f"bragstad-minimax:{ply}"), position)
    cutting = decide(bot(f"bragstad-alphabeta:{ply}"), position)
    assert exact.move == cutting.move == chosen(position, depth, bragstad.SCORING, "first")
    assert (exact.value, exact.depth, cutting.depth) == (cutting.value, depth, depth)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("evaluation", ["zero", "control", "ways"])
def test_osipa(seed: int, evaluation: str) -> None:
    position = position_after("nine-board", 31, seed)
    exact = values(position, 4, osipa.SCORINGS[evaluation])
    found = decide(bot(f"osipa:{evaluation}"), position, seed=seed)
    assert found.depth == 4
    assert found.value == max(exact.values()) / 60
    assert exact[found.move] == max(exact.values())


@pytest.mark.parametrize("name", ["altekar-alphabeta:3", "depth3:balanced,3", "pawar-ren:3", "bragstad-minimax:5"])
def test_a_proven_end_comes_when_it_is_said(name: str) -> None:
    """Against every defence: the exact distance by minimax with faster wins first."""
    exact = Scoring(win=1000, faster=1)
    game, plies = ("mnk:4,4,4", 9) if name.startswith("bragstad") else ("qubic", 46)
    ends = 0
    for seed in range(12):
        position = position_after(game, plies, seed)
        found = decide(bot(name), position)
        if found.win_in is None:
            continue
        ends += 1
        assert found.proven
        # Of a move that wins: how long the best defence lasts; of a lost position, how soon the best attack is there.
        depth = abs(found.win_in)
        value = values(position, depth, exact)
        if found.win_in > 0:
            assert value[found.move] == 1000
        else:
            assert max(value.values()) <= -1000
    assert ends
