from hypothesis import given
from hypothesis import strategies as st

from engine.rules.flat import FlatRules
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search import evaluation
from engine.search.boards import flat_board, nested_board
from tests.support.engine import naive_evaluation
from tests.support.engine.games import GAME_IDS, played, replay, replay_texts
from tests.support.examples import examples


def value(position: Position) -> int:
    """As a search sees it."""
    if isinstance(position.rules, FlatRules):
        table, worth = evaluation.line_values(position.rules.length), evaluation.places(position.rules)
        return int(flat_board(position, table, 1, places=worth).static[0])  # type: ignore[arg-type]
    return int(nested_board(position, evaluation.small_value, evaluation.big_values, 1).static[0])  # type: ignore[arg-type]


@given(played())
@examples(100)
def test_the_tables_add_up_to_the_value_of_the_position(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    if position.outcome is None:
        assert value(position) == naive_evaluation.value(position)


@given(played(), st.data())
def test_symmetries_keep_the_value(game: tuple[str, list[int]], data: st.DataObject) -> None:
    game_id, moves = game
    symmetry = data.draw(st.sampled_from(rules(game_id).symmetries))
    image = replay(game_id, [symmetry[move] for move in moves])
    assert naive_evaluation.value(replay(game_id, moves)) == naive_evaluation.value(image)


def test_both_sides_are_judged_alike() -> None:
    # The same marks with X and O exchanged: X holds a1 and b1 in one, O in the other; two X marks stand apart.
    one = replay_texts("mnk:5,5,4", "a1 e5 b1 e1")
    two = replay_texts("mnk:5,5,4", "e5 a1 e1 b1")
    assert value(one) == -value(two) != 0


def test_every_first_position_is_equal() -> None:
    assert {value(rules(game_id).initial) for game_id in GAME_IDS} == {0}


def test_a_line_of_marks_outweighs_several_shorter_ones() -> None:
    assert [evaluation.line_weight(marks) // evaluation.line_weight(1) for marks in range(5)] == [0, 1, 4, 16, 64]


def test_the_largest_board_keeps_clear_of_wins() -> None:
    # Building the tables refuses an evaluation whose gains could be taken for a win.
    for game in ("mnk:20,20,20", "mnk:20,20,10", "mnk:20,20,3"):
        assert value(rules(game).initial) == 0


def test_stones_near_the_centre_are_worth_more() -> None:
    game = rules("gomoku")
    assert isinstance(game, FlatRules)
    worth = evaluation.places(game)
    assert max(worth) == worth[112] < evaluation.line_weight(1)
    assert min(worth) == worth[0] == 0


def test_a_won_board_is_worth_more_than_its_lines() -> None:
    before = replay_texts("ultimate", "1/1 1/4 4/1 1/7 7/1 1/5 5/5 5/1 1/2 2/1")
    values = {move: -naive_evaluation.value(before.play(move)) for move in before.legal_moves()}
    assert max(values, key=lambda move: values[move]) == 2
