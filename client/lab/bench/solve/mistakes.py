"""How `perfect`, as O on Qubic, exploits one mistake of a `perfect` X.

X's winning first move leaves O nothing, so X plays any other move than its own once. Many such moves win as well; only
the others are O's chance. So each is judged by what is known just after it, without the result of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from client.lab.bench.figures import Part, Table, figure
from engine.bots.player import Limit, decide
from engine.bots.roster import bot
from engine.rules.flat import FlatPosition
from engine.rules.position import Position, Side
from engine.rules.registry import rules
from engine.search.perfect import qubic, qubic_solver

LEAVES: Final = 5_000
"""How long the solver looks for X's win after its other move: half a second."""
O_WINS: Final = "O wins by threats"
X_WINS: Final = "X still wins, by threats or the book"
X_PROVEN: Final = "X still wins, as the solver proves"
REFUTED: Final = "the solver's search is exhausted without a win for X"
OPEN: Final = "the solver reaches its limit"
JUDGEMENTS: Final = (O_WINS, REFUTED, OPEN, X_PROVEN, X_WINS)
_FIRST, _LAST = 2, 8
"""Which of X's moves can be the mistake, counted from 0: before that any game is much the same."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game with a mistake: how the position was after it, and who won."""

    judged: str
    winner: Side | None


def games(number: int, limit: Limit) -> Iterator[Game | None]:
    """A game for each seed; None where X had won before its mistake. `limit` is for each move of both."""
    perfect = bot("perfect")
    for seed in range(number):
        random = Random(seed)
        position = rules("qubic").initial
        mistake = 2 * random.randrange(_FIRST, _LAST + 1)
        judged: str | None = None
        while position.outcome is None:
            move = decide(perfect, position, limit, seed).move
            if position.ply == mistake:
                move = random.choice([other for other in position.legal_moves() if other != move])
            position = position.play(move)
            if position.ply == mistake + 1:
                judged = X_WINS if position.outcome else judge(position)
        yield None if judged is None else Game(judged, position.outcome.winner)


def judge(position: Position) -> str:
    """What is known of a position with O to move."""
    assert isinstance(position, FlatPosition)
    stands = qubic.standing(position)
    if stands.o_wins:
        return O_WINS
    if stands.x_wins:
        return X_WINS
    try:
        return X_PROVEN if qubic_solver.Solver(position.x, position.o, nodes=1 << 17).grow(LEAVES) else OPEN
    except qubic_solver.Unproven:
        return REFUTED


def measure(number: int, limit: Limit) -> Part:
    played = [game for game in games(number, limit) if game is not None]
    ends = Counter((game.judged, game.winner) for game in played)
    rows = []
    for judged in JUDGEMENTS:
        won, drawn, lost = (ends[judged, winner] for winner in ("o", None, "x"))
        rows.append((judged, str(won + drawn + lost), str(won), str(drawn), str(lost)))
    of_x = sum(ends[judged, winner] for judged in (X_WINS, X_PROVEN) for winner in ("o", None, "x"))
    saved = [game for game in played if game.winner != "x"]
    chances = [game for game in played if game.judged not in (X_WINS, X_PROVEN)]
    table = Table("After X's other move", ("then", "games", "O wins", "draws", "O loses"), rows)
    return Part(
        "mistakes",
        f"{number} games between `perfect` and itself on Qubic, X plays any other move than its own once",
        [
            figure("games with a mistake", "", [len(played)]),
            figure("O wins", "", [sum(game.winner == "o" for game in played)]),
            figure("draws", "", [sum(game.winner is None for game in played)]),
            figure("O loses", "", [sum(game.winner == "x" for game in played)]),
            figure("X's other move is known to win too", "", [of_x]),
            figure("O saves or wins, of all others", "", [sum(game in chances for game in saved)]),
            figure("all others", "", [len(chances)]),
        ],
        [table],
    )
