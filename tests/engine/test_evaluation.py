from engine_games import GAME_IDS, played, replay, replay_texts
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.position import Position
from engine.rules.registry import rules
from engine.search.evaluation import BlindEvaluation, evaluation_of, line_weight


def value(position: Position) -> int:
    return evaluation_of(position.rules).value(position)


@given(played())
@settings(max_examples=80)
def test_gains_add_up_to_the_value(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    evaluation = evaluation_of(position.rules)
    for move in position.legal_moves()[:20]:
        following = position.play(move)
        if following.outcome is None:
            assert -evaluation.value(following) == evaluation.value(position) + evaluation.gain(position, move)


@given(played(), st.data())
def test_symmetries_keep_the_value(game: tuple[str, list[int]], data: st.DataObject) -> None:
    game_id, moves = game
    symmetry = data.draw(st.sampled_from(rules(game_id).symmetries))
    assert value(replay(game_id, moves)) == value(replay(game_id, [symmetry[move] for move in moves]))


def test_both_sides_are_judged_alike() -> None:
    # The same marks with X and O exchanged: X holds a1 and b1 in one, O in the other; two X marks stand apart.
    one = replay_texts("mnk:5,5,4", "a1 e5 b1 e1")
    two = replay_texts("mnk:5,5,4", "e5 a1 e1 b1")
    assert value(one) == -value(two) != 0


def test_every_first_position_is_equal() -> None:
    assert {value(rules(game_id).initial) for game_id in GAME_IDS} == {0}


def test_a_line_of_marks_outweighs_several_shorter_ones() -> None:
    assert [line_weight(marks) // line_weight(1) for marks in range(5)] == [0, 1, 4, 16, 64]
    assert line_weight(19) * 1292 < 3_000_000_000


def test_blocks_and_own_lines_gain_most() -> None:
    position = replay_texts("gomoku", "h8 a1 i8 a3 j8 a5")
    evaluation = evaluation_of(position.rules)
    gains = {position.rules.format_move(move): evaluation.gain(position, move) for move in position.legal_moves()}
    assert sorted(gains, key=lambda text: -gains[text])[:2] in (["g8", "k8"], ["k8", "g8"])


def test_a_won_board_is_worth_more_than_its_lines() -> None:
    before = replay_texts("ultimate", "1/1 1/4 4/1 1/7 7/1 1/5 5/5 5/1 1/2 2/1")
    evaluation = evaluation_of(before.rules)
    gains = {move: evaluation.gain(before, move) for move in before.legal_moves()}
    assert max(gains, key=lambda move: gains[move]) == 2


def test_a_game_without_an_evaluation_is_judged_equal() -> None:
    position = rules("tictactoe").initial
    assert BlindEvaluation().value(position) == BlindEvaluation().gain(position, 4) == 0
