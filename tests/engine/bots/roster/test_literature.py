"""The bots of the literature as the roster lists them: their names, games and warnings."""

from __future__ import annotations

import pytest

from engine.bots.roster import UnknownBot, bot
from engine.bots.roster.literature import LITERATURE
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.registry import games, rules


def test_only_the_tree_needs_no_kernel() -> None:
    assert [entry.family for entry in LITERATURE if not entry.compiled] == ["osipa-tree"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("altekar-minimax", "altekar-minimax:2,sum"),
        ("altekar-alphabeta:3", "altekar-alphabeta:3,sum"),
        ("altekar-minimax:2,weighted", "altekar-minimax:2,weighted"),
        ("depth3", "depth3:balanced,3"),
        ("depth3:switching", "depth3:switching,3"),
        ("pawar-ren", "pawar-ren:2,last"),
        ("pawar-ren:3,coin", "pawar-ren:3,coin"),
        ("pawar-ren-reading", "pawar-ren-reading:2,last,list,apart"),
        ("bragstad-minimax", "bragstad-minimax:9"),
        ("bragstad-alphabeta:10", "bragstad-alphabeta:10"),
        ("bragstad-minimax:400", "bragstad-minimax:400"),
        ("bragstad-variable", "bragstad-variable"),
        ("bragstad-reading:3", "bragstad-reading:3,last,even"),
        ("osipa-tree", "osipa-tree"),
        ("osipa", "osipa:control"),
    ],
)
def test_defaults_are_filled_in(text: str, name: str) -> None:
    assert bot(text).name == name
    assert bot(name) == bot(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("altekar-minimax:7", "The ply of altekar-minimax:PLY,EVAL is 1..6, not '7'."),
        ("altekar-alphabeta:2,heavy", "The eval of altekar-alphabeta:PLY,EVAL is sum|weighted, not 'heavy'."),
        ("depth3:3", "The style of depth3:STYLE,PLY is balanced|aggressive|defensive|switching, not '3'."),
        ("pawar-ren:2,first", "The tie of pawar-ren:PLY,TIE is last|coin, not 'first'."),
        ("bragstad-minimax:401", "The ply of bragstad-minimax:PLY is 1..400, not '401'."),
        ("bragstad-alphabeta:0", "The ply of bragstad-alphabeta:PLY is 1..400, not '0'."),
        ("bragstad-variable:3", "too many parameters: write bragstad-variable."),
        ("osipa:all", "The eval of osipa:EVAL is zero|control|ways, not 'all'."),
    ],
)
def test_a_parameter_out_of_range_is_refused_with_the_valid_ones(text: str, sentence: str) -> None:
    with pytest.raises(UnknownBot) as caught:
        bot(text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("family", "played"),
    [
        ("altekar-minimax", {"qubic"}),
        ("altekar-alphabeta", {"qubic"}),
        ("depth3", {"qubic"}),
        ("pawar-ren", {"qubic"}),
        ("pawar-ren-reading", {"qubic"}),
        ("bragstad-minimax", {"tictactoe", "mnk:4,4,4"}),
        ("bragstad-alphabeta", {"tictactoe", "mnk:4,4,4"}),
        ("bragstad-variable", {"tictactoe", "mnk:4,4,4"}),
        ("bragstad-reading", {"tictactoe", "mnk:4,4,4"}),
        ("osipa-tree", {"tictactoe"}),
        ("osipa", {"nine-board"}),
    ],
)
def test_they_play_their_authors_games(family: str, played: set[str]) -> None:
    assert {game.id for game in games() if bot(family).plays(game)} == played


@pytest.mark.parametrize(
    ("name", "game", "limit", "sentence"),
    [
        ("bragstad-minimax:9", "tictactoe", NO_LIMIT, None),
        ("bragstad-minimax:400", "tictactoe", NO_LIMIT, None),
        ("bragstad-minimax:16", "mnk:4,4,4", NO_LIMIT, "some 10^13 positions for its first move on mnk:4,4,4"),
        ("bragstad-minimax:9", "mnk:4,4,4", NO_LIMIT, "that takes about 7 minutes. Fewer plies or a limit"),
        ("bragstad-minimax:9", "mnk:5,5,5", NO_LIMIT, "about 21 hours."),
        ("bragstad-minimax:16", "mnk:4,4,4", Limit(depth=8), None),
        ("bragstad-minimax:16", "mnk:4,4,4", Limit(nodes=1000), None),
        ("bragstad-minimax:16", "mnk:4,4,4", Limit(move_ms=1000), None),
        ("bragstad-alphabeta:9", "mnk:5,5,5", NO_LIMIT, None),
        ("bragstad-alphabeta:25", "mnk:5,5,5", NO_LIMIT, "about 15 days."),
        ("bragstad-alphabeta:100", "mnk:10,10,10", NO_LIMIT, "that takes many years."),
        ("alphabeta:20", "gomoku", NO_LIMIT, None),
    ],
)  # fmt: skip
def test_a_first_move_that_takes_ages_is_warned_of(name: str, game: str, limit: Limit, sentence: str | None) -> None:
    told = bot(name).warning(rules(game), limit)
    assert (told is None) == (sentence is None)
    assert (sentence or "") in (told or "")
