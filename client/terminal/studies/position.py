"""Any position of any game, reached by playing moves for both sides: what the explorer and the analysis share."""

from __future__ import annotations

from client.sdk import RoomView
from client.sdk.records import RecordedGame, RecordedMove, RecordedPlayer
from client.terminal.language import number, t
from client.terminal.records.playing_on import room_to_play_on
from client.terminal.records.replay import Replay, replay_of
from client.terminal.seating import BadChoice
from client.terminal.studies.judge import Found, Judge
from client.terminal.studies.study import Next, Study, StudyContext
from client.terminal.trouble import trouble_words
from client.terminal.typed.commands import NotNow
from client.terminal.words.games import check_move, parse_move
from engine.rules import registry
from engine.rules.position import IllegalMove, MalformedMove, Move, Position, Rules, UnknownGame, other

DEFAULT_BOT = "level:4"
_STEPS = {"n": 1, "next": 1, "p": -1, "previous": -1}
_TYPED = ("back", "start", "play")


def rules_and_moves(rest: str) -> tuple[Rules, tuple[str, ...]]:
    """The game and the moves that are written after a word: `qubic a1.1 b2.2`, `tictactoe b2,a1`; tictactoe if none.

    Raises BadChoice.
    """
    game, _, moves = rest.strip().partition(" ")
    try:
        rules = registry.rules(game or "tictactoe")
    except UnknownGame as unknown:
        raise BadChoice(trouble_words(unknown)) from None
    return rules, tuple(moves.replace(",", " ").split())


class PositionStudy(Study):
    """Moves are played for both sides in turn; those taken back can be gone through again."""

    steps = frozenset({"p", "n", "start", "end"})

    def __init__(self, context: StudyContext, rules: Rules, moves: tuple[str, ...] = ()) -> None:
        super().__init__(context)
        self.rules = rules
        self.line = moves
        """The moves to the farthest position; the one shown is after the first `ply` of them."""
        self.ply = len(moves)
        self.judge = Judge()
        self.trouble = ""
        """Why what was begun at this position came to nothing."""
        self._replay = replay_of_moves(rules, ())

    @property
    def moves(self) -> tuple[str, ...]:
        return self.line[: self.ply]

    @property
    def position(self) -> Position:
        return self._replay.positions[self.ply]

    @property
    def view(self) -> RoomView:
        return self._replay.view(self.ply)

    async def begin(self) -> None:
        await self._go(self.line, len(self.line))

    async def arrive(self, moves: tuple[str, ...]) -> None:
        """Learn about a position before it is shown. Raises NoughtsError."""

    def look(self) -> None:
        """Examine the position that is shown, for as long as it is."""
        self.trouble = ""

    def tell(self, sentence: str) -> None:
        self.trouble = sentence
        self.changed()

    async def stop(self) -> None:
        await super().stop()
        await self.judge.stop()

    async def obey(self, typed: str) -> Next:
        word, _, rest = typed.partition(" ")
        match word.lower():
            case "n" | "next" | "p" | "previous":
                await self._step(_STEPS[word.lower()])
            case "start":
                await self._go(self.line, 0)
            case "end":
                await self._go(self.line, len(self.line))
            case "play":
                return room_to_play_on(self._replay, self.ply, rest.strip() or DEFAULT_BOT)
            case _:
                await self.play(typed)
        return None

    async def play(self, typed: str) -> None:
        """A move from here. Raises BadChoice."""
        text = self.rules.format_move(cell_typed(typed, self.position))
        going_on = self.line[self.ply : self.ply + 1] == (text,)
        await self._go(self.line if going_on else (*self.moves, text), self.ply + 1)

    async def _step(self, by: int) -> None:
        if not 0 <= self.ply + by <= len(self.line):
            raise NotNow(t("replay.plain.end" if by > 0 else "replay.plain.begin"))
        await self._go(self.line, self.ply + by)

    async def _go(self, line: tuple[str, ...], ply: int) -> None:
        replay = replay_of_moves(self.rules, line)
        await self.arrive(line[:ply])
        self.line, self.ply, self._replay = line, ply, replay
        self.look()
        self.changed()

    def help_rows(self) -> list[tuple[str, str]]:
        typed = {"back": "p, n", "start": "start, end", "play": "play BOT"}
        return [(t("typed.move"), t("study.help.move")), *((typed[key], t(f"study.help.{key}")) for key in _TYPED)]

    def where_words(self) -> str:
        """Who is to move where, or how the game has ended."""
        position, marks, count = self.position, self.context.look.marks, self.ply
        outcome = position.outcome
        if outcome is not None:
            if outcome.winner is None:
                return t("explorer.over.drawn", count=count)
            return t("explorer.over.won", count=count, mark=marks[outcome.winner == "o"])
        where = "" if not self.rules.nested else ".any" if position.forced is None else ".board"
        return t(
            f"explorer.{'after' if count else 'first'}{where}",
            count=count,
            mark=marks[position.to_move == "o"],
            board=(position.forced or 0) + 1,
        )

    def found_words(self, found: Found, position: Position) -> str:
        """What is known of a position: "X wins in 5 plies", "a draw", "X is probably better (+0.35)"."""
        mover = position.to_move
        side = mover if found.value >= 0 else other(mover)
        mark = self.context.look.marks[side == "o"]
        if not found.exact:
            if abs(found.value) < found.even:
                return t("found.even")
            return t("found.better", mark=mark, value=number(f"{abs(found.value):+.2f}"))
        if found.value == 0:
            return t("found.drawn")
        if found.win_in is None:
            return t("found.won", mark=mark)
        return t("found.won.most" if found.bound else "found.won.in", mark=mark, count=abs(found.win_in))


def cell_typed(typed: str, position: Position) -> Move:
    """The cell of a move from a position. Raises BadChoice."""
    try:
        move = parse_move(typed.lower(), position.rules)
        check_move(position, move)
    except (MalformedMove, IllegalMove) as error:
        raise BadChoice(str(error)) from None
    return move


def replay_of_moves(rules: Rules, moves: tuple[str, ...]) -> Replay:
    """Nobody's game of these moves. Raises BadChoice."""
    position = rules.initial
    texts = []
    for typed in moves:
        move = cell_typed(typed, position)
        texts.append(rules.format_move(move))
        position = position.play(move)
    nobody = RecordedPlayer(id="", name="", kind="person")
    made = [RecordedMove(ply=ply, move=text, by="o" if ply % 2 else "x", think_ms=0) for ply, text in enumerate(texts)]
    return replay_of(
        RecordedGame(
            id=0, game=rules.id, x=nobody, o=nobody, rated=False, start=[], clock=None, started_ms=0, moves=made
        )
    )
