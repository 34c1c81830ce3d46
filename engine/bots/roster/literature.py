"""The bots of the literature, each rebuilt from its author's description.

The head of each file in `engine/bots/literature` describes the bot and what its author left open; `chosen` says the
latter as data. Programs for Qubic come first, then those for smaller boards, last the nine boards; Altekar's has no
known year.
"""

from __future__ import annotations

import math
from typing import Final

from engine.bots.roster.entry import BotEntry, Choice, Number, Value
from engine.rules.flat import FlatRules
from engine.rules.limit import Limit
from engine.rules.position import Rules

_STOPPED = "Ended by a limit, it plays the best of the moves it has finished; with none, the first legal move."
_PLY = "how many plies it looks ahead"


def _qubic(rules: Rules) -> bool:
    return rules.id == "qubic"


def _square(rules: Rules) -> bool:
    """mnk:N,N,N"""
    return isinstance(rules, FlatRules) and rules.dimensions == (rules.length, rules.length)


def _lines_of_play(values: tuple[Value, ...], rules: Rules, limit: Limit) -> int:
    """Positions within Bragstad's plies of the empty board, if no game ended before."""
    if limit.nodes is not None or limit.move_ms is not None:
        return 0
    plies = min(int(values[0]), limit.depth or rules.cells, rules.cells)
    return sum(math.perm(rules.cells, ply) for ply in range(1, plies + 1))


def _lines_after_cuts(values: tuple[Value, ...], rules: Rules, limit: Limit) -> int:
    """The fewest of these that alpha-beta can look at: with the best move always first, about twice the square root."""
    return 2 * math.isqrt(_lines_of_play(values, rules, limit))


def _needs_its_tree(limit: Limit) -> str | None:
    if limit.nodes is None and limit.depth is None:
        return None
    return "osipa-tree explores all that it needs to be perfect: it takes a limit of time, not of nodes or depth."


_ALTEKAR = "Altekar, Project: 3-D Tic Tac Toe"
_ALTEKAR_EVALUATION = Choice("eval", "what the marks of a line are worth", ("sum", "weighted"), "sum")
_ALTEKAR_CHOSEN = (
    "A position is worth the own sum over the lines minus the other's, blocked lines included.",
    "Weighted, lines of 2 and 3 marks score 3 and 6: with his 1 and 10 these are the triangular numbers.",
    "A won game scores 1000, more than any sum, and a drawn one 0.",
    "Of equal moves the first is played, in the order of the cells.",
    "Without another limit it keeps his 5 seconds a move.",
    _STOPPED,
)
_PAWAR_REN = "Pawar and Ren, 4x4x4 Tic-Tac-Toe Game, CS 640, 25 April 2019"
_PAWAR_REN_PARAMETERS = (
    Number("ply", _PLY, 1, 6, 2),
    Choice("tie", "which of equal moves it plays: the last, or each later one by a coin", ("last", "coin"), "last"),
)
_BRAGSTAD = "Bragstad, Project Report, github.com/Theobragstad/tictactoe"
_BRAGSTAD_GAMES = ("tictactoe", "mnk:N,N,N")
_MOST_CELLS: Final = 20 * 20
_BRAGSTAD_PLY = Number("ply", _PLY, 1, _MOST_CELLS, 9, lambda rules: rules.cells)
_BRAGSTAD_CHOSEN = (
    "A game that is won above the last ply ends there, as in his program; 17 other readings were tried, and those that "
    "fit his figures as well contradict his text.",
    "A drawn game scores 0.",
    _STOPPED,
)
_BRAGSTAD_DEFAULT = (
    "Without a number it looks 9 plies ahead on every board, as his program does on 3 x 3; his default, a ply for each "
    "cell, takes ages on larger ones."
)

LITERATURE: tuple[BotEntry, ...] = (
    BotEntry(
        family="altekar-minimax",
        title="Altekar, minimax",
        character="Searches every line of play a few plies deep and counts the marks in each side's lines, even in "
        "blocked ones.",
        source=_ALTEKAR,
        version=1,
        entry_point="engine.bots.literature.altekar:minimax",
        games=("qubic",),
        plays=_qubic,
        parameters=(Number("ply", _PLY, 1, 6, 2), _ALTEKAR_EVALUATION),
        chosen=_ALTEKAR_CHOSEN,
    ),
    BotEntry(
        family="altekar-alphabeta",
        title="Altekar, alpha-beta",
        character="Plays exactly like Altekar's minimax, but looks at fewer positions.",
        source=_ALTEKAR,
        version=1,
        entry_point="engine.bots.literature.altekar:alphabeta",
        games=("qubic",),
        plays=_qubic,
        parameters=(Number("ply", _PLY, 1, 6, 2), _ALTEKAR_EVALUATION),
        chosen=(
            *_ALTEKAR_CHOSEN,
            "The strict cut, alpha > beta, is the fail-hard one of older textbooks: 207,447 positions at 3 plies from "
            "the empty board, the root counted, where alpha >= beta visits 4,311.",
        ),
    ),
    BotEntry(
        family="depth3",
        title="Depth 3",
        character="Wins or blocks at once if it can, otherwise looks a few plies ahead for open lines, in one of four "
        "styles.",
        source="4x4x4 Tic-Tac-Toe Game, a project report without a name, 2019",
        version=2,
        entry_point="engine.bots.literature.depth3:decide",
        games=("qubic",),
        plays=_qubic,
        parameters=(
            Choice("style", "whose lines weigh more", ("balanced", "aggressive", "defensive", "switching"), "balanced"),
            Number("ply", _PLY, 1, 6, 3),
        ),
        chosen=(
            "Aggressive, whose formula is not given, mirrors defensive: own lines score n*4^n, the other's 4^n.",
            "Switching, whose condition is not given, is defensive while the other's lines are worth more, else "
            "aggressive.",
            "The best first moves, one of which it draws where it begins, are the cells with the most lines.",
            "Of several wins, blocks or equal moves the first is played, in the order of the cells.",
            "The cut, alpha > beta, is fail-hard: a node without a move above alpha answers alpha, where Wikipedia, "
            "the report's source, has its best value. That cuts more and chooses the same moves.",
            _STOPPED,
        ),
    ),
    BotEntry(
        family="pawar-ren",
        title="Pawar and Ren",
        character="Looks a few plies ahead, values three in a line a hundred times a single mark even when blocked, "
        "and plays the last of equally good moves or tosses a coin.",
        source=_PAWAR_REN,
        version=1,
        entry_point="engine.bots.literature.pawar_ren:decide",
        games=("qubic",),
        plays=_qubic,
        parameters=_PAWAR_REN_PARAMETERS,
        chosen=(
            "The ply is not given: it is 2 unless named.",
            "Their list gives 0 to lines with marks of both, their pseudo-code does not: the bot follows the latter.",
            "A line with two marks of each side scores 0, and a drawn game what its lines score.",
            "The pruning cuts when alpha >= beta and tells equal moves apart, so it never changes the choice.",
            "Moves are tried in the order of the cells.",
            _STOPPED,
        ),
    ),
    BotEntry(
        family="pawar-ren-reading",
        title="Pawar and Ren, other readings",
        character="Plays like Pawar and Ren's program, but by another reading of their evaluation or their pruning.",
        source=_PAWAR_REN,
        version=1,
        entry_point="engine.bots.literature.pawar_ren:decide_by_reading",
        games=("qubic",),
        plays=_qubic,
        parameters=(
            *_PAWAR_REN_PARAMETERS,
            Choice(
                "table",
                "what a line is worth: the printed cases; the list above them; without player 2's signs, or all but "
                "its fours; player 1's lines alone; player 2's; the signs turned round; nothing",
                ("printed", "list", "unsigned", "signed-wins", "own", "others", "reversed", "nothing"),
                "list",
            ),
            Choice(
                "cut",
                "which moves look equal after pruning: equal ones alone, some worse ones, or all later ones",
                ("apart", "soft", "hard"),
                "apart",
            ),
        ),
        chosen=(
            "None of these readings is what they print; they are here because what they print wins every game against "
            "random moves, and theirs did not.",
            "As `pawar-ren` unless named otherwise, but for the table, which is the list.",
            _STOPPED,
        ),
    ),
    BotEntry(
        family="bragstad-minimax",
        title="Bragstad, minimax",
        character="Searches every line of play for a win and plays the first of equally good moves; perfect on 3 x 3 "
        "with 9 plies.",
        source=_BRAGSTAD,
        version=1,
        entry_point="engine.bots.literature.bragstad:minimax",
        games=_BRAGSTAD_GAMES,
        plays=_square,
        parameters=(_BRAGSTAD_PLY,),
        chosen=(*_BRAGSTAD_CHOSEN, _BRAGSTAD_DEFAULT),
        first_move_nodes=_lines_of_play,
    ),
    BotEntry(
        family="bragstad-alphabeta",
        title="Bragstad, alpha-beta",
        character="Plays exactly like Bragstad's minimax, but looks at fewer positions.",
        source=_BRAGSTAD,
        version=1,
        entry_point="engine.bots.literature.bragstad:alphabeta",
        games=_BRAGSTAD_GAMES,
        plays=_square,
        parameters=(_BRAGSTAD_PLY,),
        chosen=(*_BRAGSTAD_CHOSEN, _BRAGSTAD_DEFAULT),
        first_move_nodes=_lines_after_cuts,
    ),
    BotEntry(
        family="bragstad-variable",
        title="Bragstad, variable",
        character="Plays like Bragstad's minimax, but looks a random number of plies ahead, 1 to 10, at each move.",
        source=_BRAGSTAD,
        version=1,
        entry_point="engine.bots.literature.bragstad:variable",
        games=_BRAGSTAD_GAMES,
        plays=_square,
        chosen=(*_BRAGSTAD_CHOSEN, "Each of the plies 1 to 10 is as likely as the others."),
    ),
    BotEntry(
        family="bragstad-reading",
        title="Bragstad, other readings",
        character="Plays like Bragstad's alpha-beta, but breaks ties or values unfinished games by another reading of "
        "his report.",
        source=_BRAGSTAD,
        version=1,
        entry_point="engine.bots.literature.bragstad:reading",
        games=_BRAGSTAD_GAMES,
        plays=_square,
        parameters=(
            _BRAGSTAD_PLY,
            Choice("tie", "which of equal moves it plays, by cell", ("first", "last"), "last"),
            Choice(
                "leaf",
                "what an unfinished game is worth at the last ply",
                ("even", "half-won", "half-lost", "won"),
                "even",
            ),
        ),
        chosen=(
            "His figures of 3 x 3 fit these readings as well as what he describes; his text speaks against them.",
            "A drawn game scores 0.",
            _STOPPED,
            _BRAGSTAD_DEFAULT,
        ),
        first_move_nodes=_lines_after_cuts,
    ),
    BotEntry(
        family="osipa-tree",
        title="Osipa, tree",
        character="Plays perfectly from a tree that grows only where it is needed.",
        source="Osipa, CSC442 Project 1, part A, September 2017",
        version=1,
        entry_point="engine.bots.literature.osipa:tree",
        games=("tictactoe",),
        plays=lambda rules: rules.id == "tictactoe",
        chosen=(
            "Moves are tried in the order of the cells, and of equal ones the first is played.",
            "A position reached by several orders of moves is explored once.",
            "Its figures count its part of the tree, whether explored now or for an earlier move.",
            "Stopped before it knows the value, it plays the first legal move.",
        ),
        refuses=_needs_its_tree,
        compiled=False,
    ),
    BotEntry(
        family="osipa",
        title="Osipa, nine boards",
        character="Searches its moves in random order, three plies deep and later four, and values squares that win at "
        "once.",
        source="Osipa, CSC442 Project 1, part B, September 2017",
        version=2,
        entry_point="engine.bots.literature.osipa:nine_board",
        games=("nine-board",),
        plays=lambda rules: rules.id == "nine-board",
        parameters=(
            Choice(
                "eval",
                "what counts besides wins: nothing, the boards it can win at once, or the winning moves",
                ("zero", "control", "ways"),
                "control",
            ),
        ),
        chosen=(
            "The random first move is the game's first; a reply is searched.",
            "His formula is followed where his text differs, and his step n has n moves before it: the 32nd move is "
            "the first one searched 4 plies deep.",
            "The cut is alpha > beta, as the course of his move times tells; alpha >= beta chooses the same moves.",
            "A node without a move above alpha answers alpha, where the later editions of his textbook have its best "
            "value: that cuts more and chooses the same moves.",
            "Of equal moves the first in the shuffled order is played.",
            _STOPPED,
        ),
    ),
)
