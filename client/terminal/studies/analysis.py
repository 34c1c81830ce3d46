"""The analysis board: moves for both sides, what the position is worth, and what the last move gave away."""

from __future__ import annotations

from client.terminal.language import t
from client.terminal.records.words import review_words
from client.terminal.studies.judge import Answer
from client.terminal.studies.position import PositionStudy
from client.terminal.studies.study import Choice, StudyContext
from client.terminal.words.games import game_name
from engine.rules.position import Rules

_LINE_MOVES = 8
"""Moves of the best line that are shown."""


class Analysis(PositionStudy):
    def __init__(self, context: StudyContext, rules: Rules, moves: tuple[str, ...] = ()) -> None:
        super().__init__(context, rules, moves)
        self.title = t("analysis.of", game=game_name(rules))
        self._answers: dict[tuple[str, ...], Answer] = {}

    def look(self) -> None:
        super().look()
        if self.moves not in self._answers:
            self.start(self._judge_here())

    async def _judge_here(self) -> None:
        here = self.moves
        self._answers[here] = await self.judge.ask(self.rules.id, here, judge=True)
        self.changed()

    def sentences(self) -> list[str]:
        told = [self.where_words()]
        answer = self._answers.get(self.moves)
        if answer is None:
            return [*told, self.trouble or t("found.looking")]
        if answer.found is not None:
            words = self.found_words(answer.found, self.position)
            told.append(t("found.proven" if answer.found.exact else "found.estimated", result=words))
        if answer.judged is not None:
            told.append(review_words(answer.judged, self.moves[-1]))
        return told

    def choices(self) -> list[Choice]:
        """The best line, and the way on where moves were taken back."""
        answer = self._answers.get(self.moves)
        best = answer.found.line[:_LINE_MOVES] if answer is not None and answer.found is not None else []
        choices = [Choice(best[0], t("found.best", moves=" ".join(best)))] if best else []
        if self.ply < len(self.line):
            choices.append(Choice("n", t("found.next", move=self.line[self.ply])))
        if self.ply:
            choices.append(Choice("p", t("found.previous", move=self.line[self.ply - 1])))
        return choices
