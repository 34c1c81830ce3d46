"""Why a game ended: by its rules, by its players, by a bot's fault or by the program that runs it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

RuleTermination: TypeAlias = Literal["line", "board_full", "count"]
"""The ends that a position's own rules name."""

FaultTermination: TypeAlias = Literal["crash", "stall", "illegal_move", "flag"]
"""The ends that a bot causes by a fault of its own."""

Termination: TypeAlias = Literal[
    "line",
    "board_full",
    "count",
    "resignation",
    "flag",
    "agreement",
    "illegal_move",
    "crash",
    "stall",
    "disconnection",
    "adjudication",
    "aborted",
]

RULE_TERMINATIONS: Final[tuple[RuleTermination, ...]] = get_args(RuleTermination)
FAULT_TERMINATIONS: Final[tuple[FaultTermination, ...]] = get_args(FaultTermination)
TERMINATIONS_WITHOUT_WINNER: Final[tuple[Termination, ...]] = ("board_full", "agreement", "aborted")
TERMINATIONS_WITH_WINNER: Final[tuple[Termination, ...]] = (*FAULT_TERMINATIONS, "resignation", "disconnection")
"""The others, but for what the rules name: an adjudication may be either."""
