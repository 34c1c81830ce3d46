"""The explorer: from any position the moves that were played, how their games ended, and what is proven of them."""

from __future__ import annotations

from client.sdk.answers import Explored, ExploredMove
from client.terminal.language import t
from client.terminal.studies.figures import percent
from client.terminal.studies.judge import Found
from client.terminal.studies.position import PositionStudy
from client.terminal.studies.study import Choice, StudyContext
from client.terminal.words.games import game_name
from engine.rules.position import Rules

_PROVEN_MOVES = 12
"""How many of the moves shown are checked for a proof."""
_SET_UP = "*"
"""Marks a move that no player chose: the same move may stand in the list again, as one that was played."""


class Explorer(PositionStudy):
    def __init__(self, context: StudyContext, rules: Rules, moves: tuple[str, ...] = ()) -> None:
        super().__init__(context, rules, moves)
        self.title = t("explorer.of", game=game_name(rules))
        self._answer = Explored(to_move="x", games=0, x_won=0, drawn=0, o_won=0, next=[])
        self._found: dict[tuple[str, ...], Found] = {}

    async def arrive(self, moves: tuple[str, ...]) -> None:
        self._answer = await self.context.records.explored(self.rules.id, moves)

    def look(self) -> None:
        super().look()
        self.start(self._prove())

    async def _prove(self) -> None:
        here = self.moves
        moves = [*self._answer.next, *self._answer.set_up][:_PROVEN_MOVES]
        for there in (here, *((*here, explored.move) for explored in moves)):
            if there not in self._found:
                found = (await self.judge.ask(self.rules.id, there)).found
                if found is not None:
                    self._found[there] = found
            self.changed()

    # Showing

    def sentences(self) -> list[str]:
        answer = self._answer
        told = [self.where_words(), self._counted()]
        if answer.pending and answer.games:
            told.append(t("explorer.pending", count=answer.pending))
        found = self._found.get(self.moves)
        if found is not None and found.exact:
            told.append(t("found.proven", result=self.found_words(found, self.position)))
        if answer.set_up:
            told.append(f"{_SET_UP} {t('explorer.set-up.meaning')}")
        return [*told, *filter(None, [self.trouble])]

    def _counted(self) -> str:
        answer = self._answer
        if answer.games:
            return f"{t('explorer.went', count=answer.games)} {self._results(answer)}"
        if answer.to_move is None:
            return t("explorer.empty.over")
        if answer.pending:
            return t("explorer.empty.pending")
        return t("explorer.empty.position") if self.ply else t("explorer.empty.game", game=game_name(self.rules))

    def _results(self, count: Explored | ExploredMove) -> str:
        x, o = self.context.look.marks
        return t("explorer.counts", x=x, o=o, x_won=count.x_won, drawn=count.drawn, o_won=count.o_won)

    def choices(self) -> list[Choice]:
        answer = self._answer
        rows = [self._row(explored) for explored in answer.next]
        rows += [self._row(explored, _SET_UP) for explored in answer.set_up]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        explored = (*answer.next, *answer.set_up)
        return [Choice(each.move, _in_columns(row, widths)) for each, row in zip(explored, rows, strict=True)]

    def _row(self, explored: ExploredMove, mark: str = "") -> tuple[str, str, str, str]:
        won = explored.x_won if self._answer.to_move == "x" else explored.o_won
        return (
            explored.move + mark,
            t("explorer.games", count=explored.games),
            percent((won + explored.drawn / 2) / explored.games),
            "  ".join(filter(None, (self._results(explored), self._proven(explored.move)))),
        )

    def _proven(self, move: str) -> str:
        position = self.position.play(self.rules.parse_move(move))
        if position.outcome is not None:
            return ""
        found = self._found.get((*self.moves, move))
        return self.found_words(found, position) if found is not None and found.exact else ""


def _in_columns(row: tuple[str, str, str, str], widths: list[int]) -> str:
    """No wider than it must be: there is little room beside a board."""
    move, games, score, results = row
    return f"{move:<{widths[0]}}  {games:>{widths[1]}}  {score:>{widths[2]}}  {results}"
