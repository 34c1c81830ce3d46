"""A move that is not made yet: planned on the opponent's turn, or waiting to be confirmed. Pure but for the language.

What becomes of a planned move, as the page does:

    kept      while the opponent thinks, in the position it was planned in
    play      at one's turn, the opponent having made one move
    illegal   the same, but the cell is not open any more
    gone      everything else: a takeback, the end, another game, moves that were missed
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from client.sdk import RoomView
from client.terminal.language import t
from client.terminal.preferences import Preferences
from client.terminal.typed.commands import NotNow, check_turn
from client.terminal.words import games as game_words
from engine.rules.nested import NestedPosition
from engine.rules.position import IllegalMove

Fate: TypeAlias = Literal["kept", "play", "illegal", "gone"]
Step: TypeAlias = Literal["play", "planned", "asked"]


@dataclass(frozen=True, slots=True)
class _Wish:
    serial: int
    before: tuple[str, ...]
    """The moves when it was wished."""
    move: str


class Intent:
    """What a player means to do. At most one of `planned` and `asked` is a move."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        self._plan: _Wish | None = None
        self._asked: _Wish | None = None

    @property
    def planned(self) -> str | None:
        return self._plan.move if self._plan is not None else None

    @property
    def asked(self) -> str | None:
        """The move that is played when it is asked for once more."""
        return self._asked.move if self._asked is not None else None

    def wish(self, move: str, view: RoomView) -> Step:
        """Whether a move that somebody chose is to be played now, or became a plan or a question.

        Raises NotNow where it is none of these.
        """
        if self._preferences.premove and _may_plan(view):
            _check_plan(move, view)
            self._plan = _Wish(view.serial, view.moves, move)
            return "planned"
        check_turn(view)
        wish = _Wish(view.serial, view.moves, move)
        if self._preferences.confirm and self._asked != wish:
            self._asked = wish
            return "asked"
        self._asked = None
        return "play"

    def hint(self, cell: int, view: RoomView) -> str:
        """What Enter does with a cell now."""
        move = view.rules.format_move(cell)
        try:
            if self._preferences.premove and _may_plan(view):
                _check_plan(move, view)
                return t("game.cursor.plan", move=move)
            check_turn(view)
            game_words.check_move(view.position, cell)
        except NotNow:
            return t("game.cursor.taken", move=move) if view.position.mark(cell) is not None else move
        except IllegalMove as error:
            return str(error)
        return t("game.cursor", move=move)

    def forget(self) -> bool:
        """Whether there was a plan."""
        planned, self._plan, self._asked = self._plan is not None, None, None
        return planned

    def follow(self, view: RoomView, missed: bool = False) -> tuple[Fate, str] | None:
        """What becomes of the plan when the room has changed, with its move; None without one.

        `missed` says that moves may have been made while nobody was told.
        """
        if self._asked is not None and (self._asked.serial, self._asked.before) != (view.serial, view.moves):
            self._asked = None
        if self._plan is None:
            return None
        if not self._preferences.premove:  # switched off since
            missed = True
        plan, fate = self._plan, _fate(self._plan, view, missed)
        if fate != "kept":
            self._plan = None
        return fate, plan.move


def _may_plan(view: RoomView) -> bool:
    return view.running and not view.my_turn and view.you in ("x", "o")


def _check_plan(move: str, view: RoomView) -> None:
    """Raises NotNow for a cell that will not be open whatever the opponent does."""
    cell = view.rules.parse_move(move)
    if view.position.mark(cell) is not None:
        raise NotNow(t("plan.taken", move=move))
    if isinstance(view.position, NestedPosition) and view.position.closed >> cell // 9 & 1:
        raise NotNow(t("plan.closed", move=move, board=cell // 9 + 1))


def _fate(plan: _Wish, view: RoomView, missed: bool) -> Fate:
    if view.serial != plan.serial or not view.running or view.moves[: len(plan.before)] != plan.before:
        return "gone"
    since = len(view.moves) - len(plan.before)
    if since == 0:
        return "kept" if _may_plan(view) else "gone"
    if since != 1 or missed or not view.my_turn:
        return "gone"
    return "play" if view.position.is_legal(view.rules.parse_move(plan.move)) else "illegal"
