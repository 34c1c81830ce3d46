"""Puzzles: positions of recorded games in which one move alone wins in time, or alone does not lose.

What is right, what refutes the rest and how the game goes on comes with each puzzle, proven when it was made. The page
reads the same file.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache

import msgspec
from msgspec import Struct

from client.sdk import RoomView
from client.terminal.language import SHARED, t
from client.terminal.seating import BadChoice
from client.terminal.studies.position import cell_typed, replay_of_moves
from client.terminal.studies.progress import Progress
from client.terminal.studies.study import Choice, Next, Study, StudyContext
from client.terminal.trouble import trouble_words
from client.terminal.typed.commands import NotNow
from client.terminal.words import room as words
from client.terminal.words.games import game_name
from engine.rules import registry
from engine.rules.position import Position, Rules, UnknownGame

LEARN = SHARED.parents[1] / "learn"
"""Folder of the page's lessons and puzzles, which the terminal reads too."""
_HINTED = 4
"""Cells among which a hint says that the move is."""


class Turn(Struct, frozen=True, rename={"except_": "except"}):
    """What the solver can play: the `right` moves, and the refutation of all others except those in `except_`."""

    right: dict[str, Reply | None]
    refute: str | None
    except_: dict[str, str]


class Reply(Struct, frozen=True):
    reply: str
    turn: Turn


class Source(Struct, frozen=True):
    x: str | None = None
    o: str | None = None


class Puzzle(Struct, frozen=True):
    moves: list[str]
    kind: str
    plies: int
    alone: bool
    difficulty: int
    source: Source
    turn: Turn


class _File(Struct):
    games: dict[str, list[Puzzle]]


@cache
def all_puzzles() -> dict[str, list[Puzzle]]:
    """Game id -> its puzzles, the easiest first."""
    return msgspec.json.decode((LEARN / "puzzles.json").read_bytes(), type=_File).games


def rules_taught(name: str, taught: Container[str], missing: str) -> Rules:
    """The rules of a game that has puzzles or lessons. Raises BadChoice."""
    try:
        rules = registry.rules(name)
    except UnknownGame as unknown:
        raise BadChoice(trouble_words(unknown)) from None
    if rules.id not in taught:
        raise BadChoice(missing)
    return rules


class Puzzles(Study):
    """One puzzle after the other, beginning with the first that is not solved."""

    def __init__(self, context: StudyContext, game: str = "") -> None:
        super().__init__(context)
        self._progress = Progress(context.preferences)
        self._open_game(game or "tictactoe")

    def _open_game(self, game: str) -> None:
        self._rules = rules_taught(game, all_puzzles(), t("learn.no-puzzles"))
        self._puzzles = all_puzzles()[self._rules.id]
        self.title = f"{t('learn.puzzles')}, {game_name(self._rules)}"
        self._show(next((at for at in range(len(self._puzzles)) if not self._is_solved(at)), 0))

    def _show(self, at: int) -> None:
        self._at = at
        self._moves = list(self._puzzle.moves)
        self._turn: Turn | None = self._puzzle.turn
        self._wrong = 0
        """A wrong move and what refutes it stand on the board: so many moves."""
        self._said = ""

    @property
    def _puzzle(self) -> Puzzle:
        return self._puzzles[self._at]

    @property
    def view(self) -> RoomView:
        return replay_of_moves(self._rules, tuple(self._moves)).last_view

    def _is_solved(self, at: int) -> bool:
        return self._progress.has(self._name(self._rules.id, self._puzzles[at]))

    @staticmethod
    def _name(game: str, puzzle: Puzzle) -> str:
        return f"{game} {' '.join(puzzle.moves)}"

    # Showing

    def sentences(self) -> list[str]:
        return [f"{self._task()}.", self._about(), *filter(None, [self._said])]

    def _task(self) -> str:
        if self._puzzle.kind == "save":
            return t("learn.task.save", **self._names())
        return t("learn.task.win", count=(self._puzzle.plies + 1) // 2, **self._names())

    def _names(self) -> dict[str, str]:
        """The side that solves and the other, by their marks."""
        marks = self.context.look.marks
        mover = len(self._puzzle.moves) % 2
        return {"side": marks[mover], "other": marks[1 - mover]}

    def _about(self) -> str:
        puzzle, (x, o) = self._puzzle, self.context.look.marks
        level, count = t(f"learn.difficulty.{puzzle.difficulty}"), len(puzzle.moves)
        if puzzle.source.x is None or puzzle.source.o is None:
            return t("learn.from", level=level, count=count)
        x_bot, o_bot = (words.bot_name(name) for name in (puzzle.source.x, puzzle.source.o))
        return t("learn.from.bots", level=level, x=f"{x_bot} ({x})", o=f"{o_bot} ({o})", count=count)

    def choices(self) -> list[Choice]:
        able = {
            "retry": self._wrong > 0,
            "hint": self._turn is not None and not self._wrong,
            "solution": self._turn is not None,
            "next": True,
        }
        choices = [Choice(word, t(f"learn.{word}")) for word, is_able in able.items() if is_able]
        for at in range(len(self._puzzles)):
            solved = ".solved" if self._is_solved(at) else ""
            choices.append(Choice(f"puzzle {at + 1}", t(f"learn.puzzle{solved}", number=at + 1)))
        others = [game for game in all_puzzles() if game != self._rules.id]
        return [*choices, *(Choice(game, self._game_line(game)) for game in others)]

    def _game_line(self, game: str) -> str:
        puzzles = all_puzzles()[game]
        solved = sum(self._progress.has(self._name(game, puzzle)) for puzzle in puzzles)
        return t("learn.game-line", game=game_name(registry.rules(game)), solved=solved, count=len(puzzles))

    def help_rows(self) -> list[tuple[str, str]]:
        rows = [(word, t(f"learn.{word}")) for word in ("retry", "hint", "solution", "next")]
        return [
            (t("typed.move"), t("learn.help.move")),
            *rows,
            ("puzzle NUMBER", t("learn.help.puzzle")),
            (t("menu.typed.game"), t("learn.help.game")),
        ]

    # Obeying

    async def obey(self, typed: str) -> Next:
        word, _, rest = typed.lower().partition(" ")
        match word:
            case "hint":
                self._hint()
            case "solution":
                self._show_solution()
            case "next" | "n":
                self._show((self._at + 1) % len(self._puzzles))
            case "retry" | "p":
                self._take_back()
            case "puzzle":
                self._show(self._place(rest))
            case _ if registry_knows(typed):
                self._open_game(typed)
            case _:
                self._play(typed)
        return None

    def _place(self, written: str) -> int:
        is_number = written.isascii() and written.isdigit() and len(written) < 6
        if not (is_number and 1 <= int(written) <= len(self._puzzles)):
            raise BadChoice(t("lines.numbers", last=len(self._puzzles)))
        return int(written) - 1

    def _play(self, typed: str) -> None:
        if self._turn is None:
            raise NotNow(t("learn.over"))
        if self._wrong:
            self._take_back()
        turn = self._turn
        move = self._rules.format_move(cell_typed(typed, self.view.position))
        if move not in turn.right:
            self._refute(move, turn)
            return
        answer = turn.right[move]
        self._moves.append(move)
        if answer is None:
            self._turn = None
            kept = self._progress.add(self._name(self._rules.id, self._puzzle))
            solved = t("learn.solved" if self._puzzle.kind == "win" else "learn.saved", move=move, **self._solver())
            self._said = f"{solved} {kept}".rstrip()
        else:
            self._moves.append(answer.reply)
            self._turn = answer.turn
            self._said = t("learn.right", move=move, reply=answer.reply, other=self._names()["other"])

    def _solver(self) -> dict[str, str]:
        return {"side": self._names()["side"]} if self._puzzle.kind == "win" else {}

    def _refute(self, move: str, turn: Turn) -> None:
        made = len(self._moves) - len(self._puzzle.moves)
        self._moves.append(move)
        self._wrong = 1
        reply = turn.except_.get(move, turn.refute) if self._position().outcome is None else None
        if reply is None:
            self._said = t("learn.wrong.end", move=move)
            return
        self._moves.append(reply)
        self._wrong = 2
        values = {"move": move, "reply": reply, "other": self._names()["other"]}
        outcome = self._position().outcome
        if outcome is not None and outcome.winner is not None:
            self._said = t("learn.wrong.lost", **values)
        elif self._puzzle.kind == "save":
            self._said = t("learn.wrong.saved-not", **values)
        elif self._puzzle.alone and turn is self._puzzle.turn:
            self._said = t("learn.wrong.gone", **values)
        else:
            self._said = t("learn.wrong.late", count=(self._puzzle.plies + 1 - made) // 2, **values)

    def _position(self) -> Position:
        return self.view.position

    def _take_back(self) -> None:
        if not self._wrong:
            raise NotNow(t("learn.nothing-wrong"))
        del self._moves[-self._wrong :]
        self._wrong, self._said = 0, ""

    def _hint(self) -> None:
        if self._turn is None:
            raise NotNow(t("learn.over"))
        if self._wrong:
            self._take_back()
        legal = [self._rules.format_move(move) for move in self._position().legal_moves()]
        place, among = legal.index(next(iter(self._turn.right))), min(_HINTED, len(legal))
        first = max(0, min(place - place % among, len(legal) - among))
        self._said = t("learn.hint-cells", cells=", ".join(legal[first : first + among]))

    def _show_solution(self) -> None:
        line: list[str] = []
        turn: Turn | None = self._puzzle.turn
        while turn is not None:
            move, answer = next(iter(turn.right.items()))
            line += [move] if answer is None else [move, answer.reply]
            turn = answer.turn if answer is not None else None
        first, marks = len(self._puzzle.moves), self.context.look.marks
        self._show(self._at)
        self._moves += line
        self._turn = None
        told = ", ".join(f"{marks[(first + at) % 2]} {move}" for at, move in enumerate(line))
        self._said = t("learn.shown", line=told)


def registry_knows(name: str) -> bool:
    try:
        registry.rules(name)
    except UnknownGame:
        return False
    return True
