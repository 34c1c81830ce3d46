"""The line mode, for pipes, screen readers and dumb terminals.

The opponent's moves, and for a spectator all moves, go to stdout, one a line; everything else goes to stderr. In a
pipe a move that is written ahead waits for its turn, and the game's end is the program's; at a terminal a player may
go on with a rematch.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from typing import Protocol

from client.connection import LiveRoom, Refused, State, Unreachable, Update
from client.game_view import Committed, NotUnderstood, RoomView
from client.render import Look, Marked, draw
from client.terminal import commands, words
from client.terminal.commands import NotNow
from client.text import clean

LINE_BYTES = 4096
"""A longer line is cut into several, so that an endless one does not fill the memory."""

Print = Callable[[str], None]


class Lines(Protocol):
    """Where typed lines come from."""

    async def next(self) -> str | None:
        """The next line, None at the end."""


class StdinLines:
    """Standard input, line by line, read by a thread: only so can files, pipes and terminals all be awaited."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._lines: asyncio.Queue[str | None] = asyncio.Queue(maxsize=64)
        self._loop = asyncio.get_running_loop()
        # It reads the descriptor itself: a thread that holds `sys.stdin` makes the interpreter's exit fail.
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    async def next(self) -> str | None:
        return await self._lines.get()

    def _read(self) -> None:
        rest = b""
        while chunk := self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > LINE_BYTES:
                lines, rest = [*lines, rest], b""
            if not all(self._put(line.decode(errors="replace")) for line in lines):
                return
        if rest:
            self._put(rest.decode(errors="replace"))
        self._put(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, LINE_BYTES)
        except OSError:
            return b""

    def _put(self, line: str | None) -> bool:
        """Hand a line over, waiting while many wait already. False once nobody reads any more."""
        try:
            asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()
        except RuntimeError:  # the loop is closed
            return False
        return True


class PlainGame:
    """One room, played or watched in lines."""

    def __init__(
        self,
        room: LiveRoom,
        lines: Lines,
        out: Print,
        err: Print,
        look: Look,
        *,
        interactive: bool,
        link: str | None = None,
    ) -> None:
        self._room = room
        self._lines = lines
        self._out = out
        self._err = err
        self._look = look
        self._interactive = interactive
        self._link = link
        self._before = room.view
        self._serial = 0
        self._reported: tuple[str, ...] = ()
        self._asked: tuple[int, int, bool, bool] | None = None
        self._line: str | None = None
        self._input_ended = room.view.you is None and not interactive
        self._quit = False

    async def run(self) -> int:
        """Play until the game has ended (0) or there is nothing more to do (1)."""
        self._greet()
        reading: asyncio.Task[str | None] | None = None
        try:
            while True:
                version = self._room.version
                self._show_updates()
                if self._quit or self._is_done():
                    return self._leave()
                if self._line is not None and self._is_ready_for(self._line):
                    line, self._line = self._line, None
                    await self._obey(line)
                    continue
                if reading is None and self._line is None and not self._input_ended:
                    reading = asyncio.create_task(self._lines.next())
                await self._wait(version, reading)
                if reading is not None and reading.done():
                    self._line, reading = reading.result(), None
                    self._input_ended = self._line is None
        except (Unreachable, NotUnderstood, Refused) as error:
            self._err(str(error))
            return 1
        finally:
            if reading is not None:
                reading.cancel()

    async def _wait(self, version: int, reading: asyncio.Task[str | None] | None) -> None:
        """Until the room has changed or a line was read."""
        changed = asyncio.create_task(self._room.changed_since(version))
        awaited: set[asyncio.Task[bool] | asyncio.Task[str | None]] = {changed}
        if reading is not None:
            awaited.add(reading)
        try:
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
            if changed.done():
                changed.result()
        finally:
            changed.cancel()

    def _is_done(self) -> bool:
        view = self._room.view
        if view.result is not None:
            return not self._interactive or self._input_ended
        # What is typed ahead is played first, and its answer awaited.
        return self._input_ended and self._line is None and view.you is not None and (view.my_turn or not view.started)

    def _leave(self) -> int:
        if self._room.view.result is not None:
            return 0
        come_back = f": come back with --room {self._room.id}" if self._room.view.you else ""
        self._err(f"Leaving; {'your seat stays yours' if come_back else 'the game goes on'}{come_back}.")
        return 1

    def _is_ready_for(self, line: str) -> bool:
        """In a pipe, a move waits for its turn and for the rules to have settled whether there is one."""
        view = self._room.view
        is_move = bool(line.strip()) and not line.lstrip().startswith(("/", "?"))
        return self._interactive or not is_move or view.my_turn or view.you is None

    # Showing

    def _greet(self) -> None:
        view = self._room.view
        # A waiting room does not tell its clock.
        clock = f", {words.clock_settings(view.clock)}" if view.started else ""
        self._err(f"{view.rules.name}{clock}. /help lists the commands.")
        if view.you in ("x", "o"):
            self._err(f"You are {self._mark(view.you == 'o')}.")
        ratings = words.ratings_sentence(view, self._look.marks)
        if ratings:
            self._err(ratings)
        if view.code is not None and not view.started:
            self._err(f"code: {view.code}")
            self._err(f"link: {self._link}")

    def _show_updates(self) -> None:
        for update in self._room.take_updates():
            self._show(update)
        self._ask()

    def _show(self, update: Update) -> None:
        view = update.view
        self._report_moves(view)
        sentence = words.change_sentence(self._before, view, update.message, self._look.marks)
        if sentence is not None:
            self._err(sentence)
        if isinstance(update.message, Committed) and update.message.event is not None:
            found = words.found_sentence(update.message.event, self._look.marks)
            if found is not None:
                self._err(found)
        if view.position is not self._before.position:
            self._asked = None
        self._before = view

    def _report_moves(self, view: RoomView) -> None:
        """Put the moves of others on stdout, those too that came while there was no connection."""
        known = self._reported if view.serial == self._serial else ()
        if view.moves[: len(known)] == known:
            for ply in range(len(known), len(view.moves)):
                if self._is_foreign(view, ply):
                    self._out(view.moves[ply])
        self._serial, self._reported = view.serial, view.moves

    def _is_foreign(self, view: RoomView, ply: int) -> bool:
        mover = "x" if (len(view.start) + ply) % 2 == 0 else "o"
        return view.you is None or (view.you != "both" and view.you != mover)

    def _ask(self) -> None:
        """Show the board and say whose turn it is, once for each position."""
        view = self._room.view
        asked = (view.serial, len(view.moves), view.started, view.result is not None)
        if asked == self._asked or (view.running and not view.my_turn and view.you is not None):
            return
        self._asked = asked
        self._show_board()
        if view.result is None:
            self._err(words.turn_sentence(view, self._look.marks))
        if view.clock is not None and view.started:
            self._show_clocks()

    def _show_board(self) -> None:
        view = self._room.view
        last = view.rules.parse_move(view.last) if view.last else None
        self._err(str(draw(view.position, self._look, Marked(last=last, line=frozenset(view.position.line)))))

    def _show_clocks(self) -> None:
        x_ms, o_ms = self._room.remaining_ms("x"), self._room.remaining_ms("o")
        if x_ms is None or o_ms is None:
            self._err("There is no clock.")
            return
        self._err(f"{self._mark(False)} {words.clock_time(x_ms)}  {self._mark(True)} {words.clock_time(o_ms)}")

    def _mark(self, is_o: bool) -> str:
        return self._look.marks[is_o]

    # Obeying

    async def _obey(self, line: str) -> None:
        try:
            command = commands.parse(clean(line), self._room.view)
            if command is not None:
                await self._do(command)
        except NotNow as problem:
            self._err(str(problem))
        except Refused as refused:
            self._err(refused.message)

    async def _do(self, command: commands.Command) -> None:
        match command:
            case commands.Play():
                commands.check_turn(self._room.view)
                await self._room.move(command.move)
            case commands.Do():
                await self._room.act(command.action)
            case commands.Say():
                await self._room.say(command.text)
            case commands.Simple(name="rematch"):
                await self._room.rematch()
            case commands.Simple(name="quit"):
                self._quit = True
            case commands.Simple():
                self._tell(command.name)

    def _tell(self, name: str) -> None:
        view = self._room.view
        match name:
            case "help":
                self._err("\n".join(f"{typed:<10}  {meaning}" for typed, meaning in commands.HELP))
            case "rules":
                self._err("\n".join(view.rules.sentences))
            case "board":
                self._show_board()
                self._err(words.turn_sentence(view, self._look.marks))
            case "moves":
                self._err("\n".join(words.numbered_moves(view)) or "No move has been made.")
            case "clock":
                self._show_clocks()
            case _:
                self._err(f"/{name} is for the full screen only.")


def tell_state(err: Print) -> Callable[[State], None]:
    return lambda state: err(state.sentence)
