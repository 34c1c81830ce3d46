"""Lessons: a guided first game. The reader makes the moves that are asked for, the other side answers as written."""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec import Struct

from client.sdk import RoomView
from client.terminal.language import t
from client.terminal.seating import NewRoom
from client.terminal.studies.position import cell_typed, replay_of_moves
from client.terminal.studies.puzzles import LEARN, Puzzles, all_puzzles, registry_knows, rules_taught
from client.terminal.studies.study import Choice, Next, Study, StudyContext
from client.terminal.typed.commands import NotNow
from client.terminal.words.games import game_name, rules_sentences
from engine.rules import registry
from server.wire import Opponent

_FIRST_OPPONENT = "level:1"


class Step(Struct, frozen=True):
    """The reader's move at a ply and the text that asks for it; `traps` are texts for moves not to make."""

    ply: int
    key: str
    values: dict[str, int] = {}
    traps: dict[str, str] = {}


class Lesson(Struct, frozen=True):
    """X is the reader and wins with the last move."""

    moves: list[str]
    steps: list[Step]


@cache
def all_lessons() -> dict[str, Lesson]:
    """Game id -> its lesson, as the page has it."""
    return msgspec.json.decode((LEARN / "lessons.json").read_bytes(), type=dict[str, Lesson])


class Lessons(Study):
    steps = frozenset({"p", "start"})

    def __init__(self, context: StudyContext, game: str = "") -> None:
        super().__init__(context)
        self._open_game(game or "tictactoe")

    def _open_game(self, game: str) -> None:
        self._rules = rules_taught(game, all_lessons(), t("learn.no-lesson"))
        self._lesson = all_lessons()[self._rules.id]
        self.title = t("learn.game", game=game_name(self._rules))
        self._go(0)

    def _go(self, done: int) -> None:
        self._done = done
        self._said = ""
        asked = self._asked
        self.cursor = self._rules.parse_move(asked) if asked else None

    @property
    def _step(self) -> Step | None:
        steps = self._lesson.steps
        return steps[self._done] if self._done < len(steps) else None

    @property
    def _asked(self) -> str | None:
        return self._lesson.moves[self._step.ply] if self._step is not None else None

    @property
    def view(self) -> RoomView:
        moves = self._lesson.moves[: self._step.ply] if self._step is not None else self._lesson.moves
        return replay_of_moves(self._rules, tuple(moves)).last_view

    # Showing

    def sentences(self) -> list[str]:
        step = self._step
        rules = [] if self._done else rules_sentences(self._rules)
        if step is None:
            return [t("learn.done"), t("learn.won", x=self.context.look.marks[0])]
        told = self._said or " ".join(filter(None, [self._answered(step), t(step.key, **self._values(step))]))
        return [t("learn.step", step=self._done + 1, of=len(self._lesson.steps)), told, *rules]

    def _values(self, step: Step) -> dict[str, object]:
        x, o = self.context.look.marks
        return {"count": 0, **step.values, "x": x, "o": o, "move": self._lesson.moves[step.ply]}

    def _answered(self, step: Step) -> str:
        """What the other side has just played, or that moves were made; empty before the first move."""
        x, o = self.context.look.marks
        if not step.ply:
            return ""
        if not self._done:
            return t("learn.begun", x=x)
        skipped = step.ply - self._lesson.steps[self._done - 1].ply > 2
        return t("learn.later" if skipped else "learn.answer", o=o, move=self._lesson.moves[step.ply - 1])

    def choices(self) -> list[Choice]:
        choices = []
        if self._step is None:
            choices.append(Choice("play", t("learn.real")))
            if self._rules.id in all_puzzles():
                choices.append(Choice("puzzles", t("learn.to-puzzles")))
        if self._done:
            choices += [Choice("p", t("learn.step-back")), Choice("start", t("learn.again"))]
        games = [game.id for game in registry.games() if game.id in all_lessons() and game.id != self._rules.id]
        return [*choices, *(Choice(game, t("learn.game", game=game_name(registry.rules(game)))) for game in games)]

    def help_rows(self) -> list[tuple[str, str]]:
        return [
            (t("typed.move"), t("learn.help.lesson")),
            ("p", t("learn.step-back")),
            ("start", t("learn.again")),
            ("puzzles", t("learn.to-puzzles")),
            ("play", t("learn.real")),
            (t("menu.typed.game"), t("learn.help.game")),
        ]

    # Obeying

    async def obey(self, typed: str) -> Next:
        match typed.lower():
            case "p" | "previous":
                if not self._done:
                    raise NotNow(t("replay.plain.begin"))
                self._go(self._done - 1)
            case "start":
                self._go(0)
            case "puzzles":
                return Puzzles(self.context, self._rules.id)
            case "play":
                return NewRoom(self._rules.id, Opponent(kind="bot", bot=_FIRST_OPPONENT), seat="x")
            case _ if registry_knows(typed):
                self._open_game(typed)
            case _:
                self._play(typed)
        return None

    def _play(self, typed: str) -> None:
        step, asked = self._step, self._asked
        if step is None or asked is None:
            raise NotNow(t("learn.lesson-over"))
        move = self._rules.format_move(cell_typed(typed, self.view.position))
        if move == asked:
            self._go(self._done + 1)
        elif move in step.traps:
            self._said = t(step.traps[move], **self._values(step))
        else:
            self._said = t("learn.follow", move=move, asked=asked)
