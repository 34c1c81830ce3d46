from typing import get_args

from engine.rules.termination import (
    FAULT_TERMINATIONS,
    RULE_TERMINATIONS,
    TERMINATIONS_WITH_WINNER,
    TERMINATIONS_WITHOUT_WINNER,
    Termination,
)


def test_records_and_messages_know_these_ends() -> None:
    assert RULE_TERMINATIONS == ("line", "board_full", "count")
    assert FAULT_TERMINATIONS == ("crash", "stall", "illegal_move", "flag")
    assert TERMINATIONS_WITHOUT_WINNER == ("board_full", "agreement", "aborted")
    either = {*get_args(Termination)} - {*TERMINATIONS_WITH_WINNER, *TERMINATIONS_WITHOUT_WINNER}
    assert either == {"line", "count", "adjudication"}, "which the position or a judge decides"
    by_players = ("resignation", "agreement", "disconnection", "adjudication", "aborted")
    assert sorted(get_args(Termination)) == sorted([*RULE_TERMINATIONS, *FAULT_TERMINATIONS, *by_players])
