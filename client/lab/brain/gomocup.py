"""The protocol of Gomocup and Piskvork, for gomoku of any size.

Five or more in a row win, which they call freestyle; or exactly five, standard.

Source: "Gomoku AI protocol", Martin Petricek and Petr Lastovicka, https://plastovicka.github.io/protocl2en.htm

    START N, RECTSTART W,H      OK
    RESTART                     OK, and the board is empty again
    INFO KEY VALUE              (nothing); timeout_turn, timeout_match, time_left and rule count
    BEGIN                       X,Y: the first move
    TURN X,Y                    X,Y: the answer to this move
    BOARD, X,Y,WHO ..., DONE    X,Y: the move on this board, where 1 is ours and 2 theirs
    PLAY X,Y                    X,Y: this is to be our move
    TAKEBACK X,Y                OK
    ABOUT                       name="...", version="...", ...
    END

Columns X and rows Y count from 0, rows from the top. Before a move, a MESSAGE says what the search has seen. What
cannot be obeyed is answered by ERROR and changes nothing; an unknown command is answered by UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, zip_longest
from typing import Final

from client.lab.brain.choice import Choose, numbers
from engine.rules.flat import FlatRules
from engine.rules.lines import mask_of
from engine.rules.position import Move, Rules, UnknownGame
from engine.rules.registry import rules

MOVE_MS: Final = 1000
"""Time of a turn until the manager says how long it may take."""
AT_ONCE_MS: Final = 50
"""Time of a turn where `timeout_turn` is 0, which means: as fast as possible."""
TURNS_LEFT: Final = 20
"""The rest of a game's time is to last this many more turns."""
OURS: Final = 1
THEIRS: Final = 2
_FREESTYLE: Final = 0
_EXACT: Final = 1
_CONTINUOUS: Final = 2
"""The bit of `rule` that says that the board is played on after a win; the other bits change who wins."""


class Gomocup:
    """One conversation: lines in, lines out. `prepare` is called with a game before it is said to be ready."""

    def __init__(self, choose: Choose, about: str, prepare: Callable[[Rules], None]) -> None:
        self._choose = choose
        self._about = about
        self._prepare = prepare
        self._rules: FlatRules | None = None
        self._owners: dict[int, int] = {}
        self._game = -1
        self._board: list[str] | None = None
        """The lines of a BOARD until its DONE."""
        self._info: dict[str, int] = {}
        self.ended = False
        self._commands: dict[str, Callable[[str], list[str]]] = {
            "START": self._start,
            "RECTSTART": self._rect_start,
            "RESTART": self._restart,
            "INFO": self._hear_info,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "BOARD": self._begin_board,
            "PLAY": self._play,
            "TAKEBACK": self._take_back,
            "ABOUT": lambda _: [self._about],
            "END": self._end,
        }

    def hear(self, line: str) -> list[str]:
        """The answer to a line of the manager, whatever it is."""
        word, _, rest = line.strip().partition(" ")
        try:
            if self._board is not None:
                return self._hear_board(line.strip())
            if not word:
                return []
            if word.upper() not in self._commands:
                return [f"UNKNOWN {word[:40]!a}: the commands are {', '.join(self._commands)}."]
            return self._commands[word.upper()](rest.strip())
        except ValueError as error:
            return [f"ERROR {' '.join(str(error).split())}"]

    def _start(self, size: str) -> list[str]:
        return self._new_board(size, size)

    def _rect_start(self, sizes: str) -> list[str]:
        columns, _, rows = sizes.partition(",")
        return self._new_board(columns, rows)

    def _new_board(self, columns: str, rows: str) -> list[str]:
        try:
            self._set_up(columns, rows)
        except UnknownGame:
            raise ValueError("A board has 3 to 20 columns and rows, and at least 5 of one of them.") from None
        return self._new_game()

    def _set_up(self, columns: str | int, rows: str | int) -> None:
        """Have the game of this size ready that the manager's `rule` asks for. Raises UnknownGame."""
        exact = ",exact" if self._info.get("rule", _FREESTYLE) & _EXACT else ""
        game = rules(f"mnk:{columns},{rows},5{exact}")
        assert isinstance(game, FlatRules)
        if game != self._rules:
            self._prepare(game)
        self._rules = game

    def _restart(self, _: str) -> list[str]:
        self._begun()
        return self._new_game()

    def _new_game(self) -> list[str]:
        self._owners = {}
        self._game += 1
        return ["OK"]

    def _hear_info(self, setting: str) -> list[str]:
        key, _, value = setting.partition(" ")
        if key.lower() in ("timeout_turn", "timeout_match", "time_left", "rule"):
            self._info[key.lower()] = _one(key.lower(), value)
        if key.lower() == "rule" and self._rules is not None:
            columns, rows = self._rules.dimensions
            self._set_up(columns, rows)
        return []

    def _begin(self, _: str) -> list[str]:
        if self._owners:
            raise ValueError("BEGIN asks for the first move, and the board is not empty: send RESTART first.")
        return self._move({})

    def _turn(self, place: str) -> list[str]:
        return self._move({**self._owners, self._free_cell(place): THEIRS})

    def _begin_board(self, _: str) -> list[str]:
        self._begun()
        self._board = []
        return []

    def _hear_board(self, line: str) -> list[str]:
        assert self._board is not None
        if line.upper() != "DONE":
            self._board.append(line)
            return []
        told, self._board = self._board, None
        owners: dict[int, int] = {}
        for stone in told:
            x, y, owner = _three(stone)
            if owner not in (OURS, THEIRS):
                raise ValueError(f"{stone[:40]!r}: the last number is 1 for our stones and 2 for theirs.")
            cell = self._cell(x, y)
            if cell in owners:
                raise ValueError(f"{x},{y} is given twice.")
            owners[cell] = owner
        return self._move(owners)

    def _play(self, place: str) -> list[str]:
        cell = self._free_cell(place)
        self._owners[cell] = OURS
        return [self._place(cell)]

    def _take_back(self, place: str) -> list[str]:
        cell = self._cell(*_two(place))
        if self._owners.pop(cell, None) is None:
            raise ValueError(f"There is no stone at {self._place(cell)}.")
        return ["OK"]

    def _end(self, _: str) -> list[str]:
        self.ended = True
        return []

    def _move(self, owners: dict[int, int]) -> list[str]:
        """Our move on this board, which is the board from then on."""
        if self._info.get("rule", _FREESTYLE) & ~(_EXACT | _CONTINUOUS):
            raise ValueError("Send INFO rule 0, where five or more in a row win, or 1, where exactly five do.")
        moves = self._moves(owners)
        position = self._begun().position(mask_of(moves[::2]), mask_of(moves[1::2]))
        if position.outcome is not None:
            raise ValueError("The game is over.")
        decision = self._choose(position, self._move_ms(), moves, self._game)
        self._owners = {**owners, decision.move: OURS}
        value = "" if decision.value is None else f" value {decision.value:g}"
        return [f"MESSAGE depth {decision.depth} nodes {decision.nodes}{value}", self._place(decision.move)]

    def _move_ms(self) -> int:
        turn_ms = self._info.get("timeout_turn", MOVE_MS) or AT_ONCE_MS
        if self._info.get("timeout_match") == 0 or "time_left" not in self._info:
            return turn_ms
        return max(1, min(turn_ms, self._info["time_left"] // TURNS_LEFT))

    def _moves(self, owners: dict[int, int]) -> list[Move]:
        """The stones of both sides in turn, each side's in the order in which they were sent.

        We are to move: the next stone belongs to the side with fewer, or to us if both have as many.
        """
        ours = [cell for cell, owner in owners.items() if owner == OURS]
        theirs = [cell for cell, owner in owners.items() if owner == THEIRS]
        if len(theirs) - len(ours) not in (0, 1):
            raise ValueError(f"Nobody is to move with {len(ours)} stones of ours and {len(theirs)} of theirs.")
        first, second = (ours, theirs) if len(ours) == len(theirs) else (theirs, ours)
        return [cell for cell in chain.from_iterable(zip_longest(first, second)) if cell is not None]

    def _begun(self) -> FlatRules:
        if self._rules is None:
            raise ValueError("There is no board yet: send START or RECTSTART first.")
        return self._rules

    def _free_cell(self, place: str) -> int:
        cell = self._cell(*_two(place))
        if cell in self._owners:
            raise ValueError(f"{self._place(cell)} is taken.")
        return cell

    def _cell(self, x: int, y: int) -> int:
        columns, rows = self._begun().dimensions
        if not (0 <= x < columns and 0 <= y < rows):
            raise ValueError(f"{x},{y} is not on the board of {columns} columns and {rows} rows, counted from 0.")
        return x + columns * y

    def _place(self, cell: int) -> str:
        columns = self._begun().dimensions[0]
        return f"{cell % columns},{cell // columns}"


def _one(key: str, text: str) -> int:
    found = numbers(text)
    if len(found) != 1:
        raise ValueError(f"INFO {key} is followed by one whole number.")
    return found[0]


def _two(text: str) -> tuple[int, int]:
    found = numbers(text, ",")
    if len(found) != 2:
        raise ValueError(f"{text[:40]!r} is not a place: write X,Y.")
    return found[0], found[1]


def _three(text: str) -> tuple[int, int, int]:
    found = numbers(text, ",")
    if len(found) != 3:
        raise ValueError(f"{text[:40]!r} is not a stone: write X,Y,WHO.")
    return found[0], found[1], found[2]
