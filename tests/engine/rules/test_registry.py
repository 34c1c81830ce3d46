import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.rules.position import UnknownGame
from engine.rules.registry import MAX_ID_LENGTH, games, rules
from tests.support.examples import examples


@pytest.mark.parametrize(
    ("text", "game_id"),
    [
        ("tictactoe", "tictactoe"),
        ("mnk:3,3,3", "tictactoe"),
        ("mnk:03,3,3", "tictactoe"),
        ("mnk: 3, 3,3", "tictactoe"),
        (" mnk : 003 ,3 ,3 ", "tictactoe"),
        ("mnk:15,15,5", "gomoku"),
        ("cube:4", "qubic"),
        ("cube:05", "cube:5"),
        ("mnk:05,5,4", "mnk:5,5,4"),
        ("mnk:20,3,20", "mnk:20,3,20"),
        ("mnk: 07 ,5, 4 , exact ", "mnk:7,5,4,exact"),
        ("mnk:15,15,5,exact", "mnk:15,15,5,exact"),
        ("mnk:7,5,7,exact", "mnk:7,5,7"),
        ("mnk:3,3,3,exact", "tictactoe"),
        ("ultimate:count", "ultimate:count"),
        ("ultimate: count ", "ultimate:count"),
        ("nine-board", "nine-board"),
        (" super", "super"),
    ],
)
def test_every_spelling_leads_to_the_canonical_id(text: str, game_id: str) -> None:
    assert rules(text).id == game_id
    assert rules(text) is rules(game_id)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is no game ''"),
        ("chess", "write one of tictactoe, gomoku, qubic, mnk:M,N,K, cube:N, nine-board"),
        ("Qubic", "There is no game 'Qubic'"),
        ("mnk:2,2,9", "cannot have 2 columns: write mnk:M,N,K with M columns and N rows, 3 to 20 each"),
        ("mnk:3,21,3", "cannot have 21 rows: write mnk:M,N,K"),
        ("mnk:3,3,4", "4 in a row cannot be the aim on 3 x 3: it is from 3 to 3"),
        ("mnk:3,3,2", "2 in a row cannot be"),
        ("mnk:3,3", "not three sizes"),
        ("mnk:1 5,15,5", "not three sizes"),
        ("mnk:3,3,-3", "not three sizes"),
        ("mnk:3,3,\u0663", "not three sizes"),
        ("mnk:3,3,3\n", "not three sizes"),
        ("mnk", "not three sizes"),
        ("mnk:5,5,4,", "'' is no rule: write mnk:5,5,4, where longer lines win too, or mnk:5,5,4,exact"),
        ("mnk:05,5,4,Exact", "'Exact' is no rule: write mnk:5,5,4,"),
        ("mnk:5,5,4,exact,3", "'exact,3' is no rule"),
        ("mnk:5,5,exact", "not three sizes"),
        ("gomoku:exact", "takes no sizes"),
        ("mnk:3,3,4,exact", "4 in a row cannot be the aim"),
        ("cube:2", "cannot have 2 cells along an edge: write cube:N with N 3, 4 or 5"),
        ("cube:", "not the size of a cube"),
        ("cube:\u00b3", "not the size"),
        ("tictactoe:3", "takes no sizes"),
        ("ultimate:counts", "write ultimate or ultimate:count"),
        ("ultimate:", "knows no variant"),
        ("super:count", "write super"),
        ("mnk:" + "0" * 100 + "3,3,3", f"at most {MAX_ID_LENGTH} characters"),
        ("cube:" + "9" * 58, "cannot have 9999"),
    ],
)
def test_the_sentence_says_what_would_be_right(text: str, sentence: str) -> None:
    with pytest.raises(UnknownGame) as caught:
        rules(text)
    assert sentence in str(caught.value)
    assert str(caught.value).endswith(".")


@given(
    st.text(max_size=80)
    | st.text(alphabet="mnkcube:ultimas,0123456789 -", max_size=20)
    | st.builds(
        "mnk:{},{},{}{}".format,
        *(st.integers(-2, 25) for _ in range(3)),
        st.sampled_from(["", ",exact", ", exact ", ",", ",more"]),
    )
)
@example("\ud800")
@examples(300)
def test_only_unknown_games_escape(text: str) -> None:
    try:
        game = rules(text)
    except UnknownGame:
        return
    assert rules(game.id) is game


def test_an_id_may_have_64_characters() -> None:
    assert rules("cube:" + "4".rjust(59, "0")).id == "qubic"
    with pytest.raises(UnknownGame, match="at most 64 characters: this one has 65"):
        rules("cube:" + "4".rjust(60, "0"))


def test_the_offered_games_have_distinct_names_and_start_with_the_simplest() -> None:
    ids = [game.id for game in games()]
    names = [game.name for game in games()]
    assert ids[0] == "tictactoe"
    assert len(set(ids)) == len(ids) == len(set(names))
    assert {"tictactoe", "gomoku", "cube:3", "qubic", "cube:5", "nine-board", "ultimate", "ultimate:count", "super",
            "mnk:5,5,4"} <= set(ids)  # fmt: skip


def test_names_are_for_people() -> None:
    assert rules("qubic").name == "Qubic"
    assert rules("mnk:5,4,4").name == "5 x 4, four in a row"
    assert rules("mnk:19,19,11").name == "19 x 19, 11 in a row"
    assert rules("mnk:15,15,5,exact").name == "15 x 15, exactly five in a row"


@pytest.mark.parametrize(
    ("game_id", "aim"),
    [
        ("mnk:5,5,4", "have four or more of their own marks side by side in a row, a column or a diagonal wins."),
        ("mnk:5,5,5", "have five of their own marks side by side in a row, a column or a diagonal wins."),
        ("mnk:5,5,4,exact", "have exactly four of their own marks side by side in a row, a column or a diagonal wins; "
         "a longer line does not count."),
    ],
)  # fmt: skip
def test_the_rules_say_what_a_longer_line_is_worth(game_id: str, aim: str) -> None:
    assert rules(game_id).sentences[1] == f"The first to {aim}"


def test_rules_made_again_are_still_the_same_game() -> None:
    early = rules("mnk:9,9,4").initial.play(0)
    for columns in range(3, 20):
        for rows in range(3, 20):
            rules(f"mnk:{columns},{rows},3")
    again = rules("mnk: 9,9,4").initial.play(0)
    assert early == again
    assert hash(early) == hash(again)


def test_games_have_these_names() -> None:
    assert {game.id: game.name for game in games()} == {
        "tictactoe": "Tic-tac-toe",
        "mnk:4,4,4": "4 x 4, four in a row",
        "mnk:5,5,4": "5 x 5, four in a row",
        "gomoku": "Gomoku",
        "cube:3": "3 x 3 x 3 cube, three in a row",
        "qubic": "Qubic",
        "cube:5": "5 x 5 x 5 cube, five in a row",
        "nine-board": "Nine-board tic-tac-toe",
        "ultimate": "Ultimate tic-tac-toe",
        "ultimate:count": "Ultimate tic-tac-toe, boards counted",
        "super": "Super tic-tac-toe",
    }
    words = ["three", "four", "five", "six", "seven", "eight", "nine", "ten", "11"]
    assert [rules(f"mnk:19,19,{length}").name for length in range(3, 12)] == [
        f"19 x 19, {word} in a row" for word in words
    ]


def test_rules_say_how_long_a_line_is_and_whether_boards_are_nested() -> None:
    flat = [rules(game_id) for game_id in ("tictactoe", "mnk:7,4,4", "gomoku", "qubic", "cube:5")]
    assert [game.length for game in flat] == [3, 4, 5, 4, 5]  # type: ignore[attr-defined]
    assert [game.nested for game in flat] == [False] * 5
    assert [rules(game_id).nested for game_id in ("nine-board", "ultimate", "super")] == [True] * 3
