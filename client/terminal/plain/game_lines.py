"""The line mode, for pipes, screen readers and dumb terminals.

The opponent's moves, and for a spectator all moves, go to stdout, one a line; everything else goes to stderr. In a
pipe a move that is written ahead waits for its turn, and the game's end is the program's; at a terminal a player may
go on with a rematch.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from client.sdk import (
    Connection,
    ConnectionState,
    LiveRoom,
    NoughtsError,
    RequestRefused,
    RoomUpdate,
    RoomView,
    ServerUnreachable,
)
from client.sdk.records import Records, WarmUp
from client.sdk.room_view import SequencedEvent
from client.sdk.text import clean
from client.terminal.claiming import tell_claims
from client.terminal.drawing.boards import Look, draw_view
from client.terminal.language import t
from client.terminal.plain import replay_lines
from client.terminal.plain.lines import Lines, Print, patiently
from client.terminal.preferences import SETTINGS, Preferences
from client.terminal.records.replay import replay_of
from client.terminal.seating import NewRoom
from client.terminal.trouble import spoken_state, trouble_words
from client.terminal.typed import commands
from client.terminal.typed.commands import NotNow
from client.terminal.typed.exits import Exit
from client.terminal.typed.intent import Intent, Step
from client.terminal.words import room as words
from client.terminal.words.games import game_name, rules_sentences
from client.terminal.words.warm_up import explain_waiting
from server.wire import CHAT_LINES

PATIENCE_S = 2.0
"""How long the next line waits at a terminal for the answer to the one before."""
CHAT_TOLD = 5
"""Lines of earlier chat that are shown to whoever enters."""


class PlainGame:
    """One room, played or watched in lines."""

    def __init__(
        self,
        connection: Connection,
        room: LiveRoom,
        lines: Lines,
        out: Print,
        err: Print,
        look: Look,
        *,
        interactive: bool,
        records: Records,
        preferences: Preferences,
        left: Callable[[], str],
        link: str | None = None,
    ) -> None:
        """`left` gives the sentence for whoever leaves a seat."""
        self._connection = connection
        self._room = room
        self._lines = lines
        self._out = out
        self._err = err
        self._look = look
        self._interactive = interactive
        self._left = left
        self._link = link
        self._records = records
        self._warming = ""
        self._found: list[str] = []
        self._before = room.view
        self._serial = 0
        self._reported: tuple[str, ...] = ()
        self._asked: tuple[int, int, bool, bool] | None = None
        self._line: str | None = None
        self._connected = True
        self._turn = asyncio.Lock()
        """Requests to the server are sent one after the other."""
        self._unanswered: set[asyncio.Task[None]] = set()
        self._input_ended = room.view.you is None and not interactive
        self.to_lobby = False
        """Whether the player left for the lobby."""
        self.plays_on: NewRoom | None = None
        """The room that the player left for, from a replay of the game."""
        self._quit = False
        self._muted = False
        self._second_thought = commands.SecondThought()
        self._preferences = preferences
        # A pipe means what it says, and its moves wait for their turn.
        self._intent = Intent(preferences) if interactive else None

    async def run(self) -> int:
        """Play until the game has ended (0) or there is nothing more to do (1)."""
        self._greet()
        before, self._connection.on_state = self._connection.on_state, self._tell_state
        reading: asyncio.Task[str | None] | None = None
        telling = [
            asyncio.create_task(explain_waiting(self._room, self._records.warm_up, self._tell_warm_up)),
            asyncio.create_task(tell_claims(self._room, self._err, self._look.marks)),
        ]
        try:
            while True:
                version = self._room.version
                await self._follow_intent(missed=self._show_updates())
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
        except NoughtsError as error:
            self._err(trouble_words(error))
            return 1
        except asyncio.CancelledError:  # Ctrl-C
            if self._interactive and self._room.view.result is None:
                self._err("")  # the terminal has shown ^C in this line
            self._leave()
            raise
        finally:
            self._connection.on_state = before
            for task in telling:
                task.cancel()
            if reading is not None:
                reading.cancel()
            await self._forget_unanswered()

    async def _wait(self, version: int, reading: asyncio.Task[str | None] | None) -> None:
        """Wait until the room has changed, a line was read or an answer came."""
        changed = asyncio.create_task(self._room.changed_since(version))
        awaited: set[asyncio.Task[Any]] = {changed, *self._unanswered}
        if reading is not None:
            awaited.add(reading)
        try:
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
            if changed.done():
                changed.result()
            self._drop_answered()
        finally:
            changed.cancel()

    def _is_done(self) -> bool:
        view = self._room.view
        if view.result is not None:
            return not self._interactive or self._input_ended
        # What is typed ahead is played first, and its answer awaited.
        if not self._input_ended or self._line is not None:
            return False
        if view.you is None:  # in a pipe nobody is asked for input, and the game is printed to its end
            return self._interactive
        return view.my_turn or not view.started

    def _leave(self) -> int:
        if self._room.view.result is not None:
            return 0
        self._err(t("plain.left.watch") if self._room.view.you is None else self._left())
        return 1

    def _is_ready_for(self, line: str) -> bool:
        """In a pipe, a move waits for its turn, or until it is clear that there will be none."""
        view = self._room.view
        is_move = bool(line.strip()) and not line.lstrip().startswith(("/", "?"))
        return self._interactive or not is_move or view.my_turn or view.you is None

    # Showing

    def _greet(self) -> None:
        view = self._room.view
        if view.started:
            clock = words.clock_settings(view.clock)
            self._err(t("plain.greeting.clock", game=game_name(view.rules), clock=clock))
        else:  # a waiting room does not tell its clock
            self._err(t("plain.greeting", game=game_name(view.rules)))
        if view.you in ("x", "o"):
            self._err(t("plain.you", mark=self._mark(view.you == "o")))
        for sentence in (words.absence_warning(view), words.ratings_sentence(view, self._look.marks)):
            if sentence:
                self._err(sentence)
        if view.code is not None and not view.started:
            self._err(t("plain.code", code=view.code))
            self._err(t("plain.link", link=self._link))
        self._show_offers()
        for said in words.last_said(view, CHAT_TOLD):
            self._err(said)

    def _show_offers(self) -> None:
        """Show the offers that wait for an answer, since whoever comes back was not told of them."""
        offers = words.offers_sentence(self._room.view, self._look.marks)
        if offers:
            self._err(offers)

    def _show_updates(self) -> bool:
        """Whether any of them may have happened while there was no connection."""
        missed = self._room.missed
        for update in self._room.take_updates():
            self._show(update)
            missed = missed or update.missed
        self._ask()
        return missed

    def _show(self, update: RoomUpdate) -> None:
        view = update.view
        self._report_moves(view)
        sentence = words.change_sentence(self._before, view, update.message, self._look.marks)
        if sentence is not None and not (self._muted and words.is_others_chat(view, update.message)):
            self._err(sentence)
        if isinstance(update.message, SequencedEvent) and update.message.event is not None:
            found = words.found_sentence(view, update.message.event, self._look.marks)
            if found is not None:
                self._found.append(found)
                if self._preferences.thoughts:
                    self._err(found)
        if view.position is not self._before.position:
            self._asked = None
        self._before = view

    def _tell_state(self, state: ConnectionState) -> None:
        self._connected = state.connected
        self._err(spoken_state(state).sentence)
        warning = None if state.connected else words.absence_warning(self._room.view)
        if warning:
            self._err(warning)

    def _tell_warm_up(self, warm_up: WarmUp) -> None:
        told = words.warming_words(warm_up)
        if told and told != self._warming:
            self._err(told)
        self._warming = told

    def _report_moves(self, view: RoomView) -> None:
        """Put the moves of others on stdout, including those made while there was no connection."""
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
        self._err(str(draw_view(self._room.view, self._look)))

    def _show_clocks(self) -> None:
        x_ms, o_ms = self._room.remaining_ms("x"), self._room.remaining_ms("o")
        if x_ms is None or o_ms is None:
            self._err(t("plain.noclock"))
            return
        self._err(f"{self._mark(False)} {words.clock_time(x_ms)}  {self._mark(True)} {words.clock_time(o_ms)}")

    def _mark(self, is_o: bool) -> str:
        return self._look.marks[is_o]

    # Obeying

    async def _follow_intent(self, missed: bool) -> None:
        """A planned move is played once it can be."""
        followed = self._intent.follow(self._room.view, missed) if self._intent is not None else None
        match followed:
            case ("play", move):
                await self._ask_server(partial(self._room.move, move))
            case ("illegal", move):
                self._err(t("plan.illegal", move=move))
            case ("gone", _):
                self._err(t("plan.gone"))

    async def _obey(self, line: str) -> None:
        if not line.strip() and self._intent is not None:
            line = self._intent.asked or ""
        try:
            command = commands.parse(clean(line), self._room.view)
            if self._interactive:  # a pipe means what it says
                self._second_thought.check(command, self._room.view)
            if command is not None:
                await self._do(command)
        except NotNow as problem:
            self._err(str(problem))

    async def _ask_server(self, ask: Callable[[], Awaitable[object]]) -> None:
        """Ask. In a pipe the next line waits for the answer; at a terminal people may type while none comes."""
        if not self._connected:
            self._err(t("game.later"))
        self._unanswered.add(asyncio.create_task(self._told(ask)))
        patience_s = (PATIENCE_S if self._connected else 0) if self._interactive else None
        await asyncio.wait(self._unanswered, timeout=patience_s)
        self._drop_answered()

    async def _told(self, ask: Callable[[], Awaitable[object]]) -> None:
        """Show a refusal as a sentence, and likewise an answer that was lost with the connection."""
        try:
            async with self._turn:
                await ask()
        except RequestRefused as refused:
            self._err(trouble_words(refused))
        except ServerUnreachable as lost:
            if not lost.in_doubt:
                raise
            self._err(trouble_words(lost))

    def _drop_answered(self) -> None:
        """Raises what went wrong for good."""
        for asked in [asked for asked in self._unanswered if asked.done()]:
            self._unanswered.remove(asked)
            asked.result()

    async def _forget_unanswered(self) -> None:
        for asked in self._unanswered:
            asked.cancel()
        await asyncio.gather(*self._unanswered, return_exceptions=True)

    async def _replay(self) -> None:
        view = self._room.view
        number = commands.game_to_replay(view)
        try:
            replay = replay_of(await patiently(self._err, self._records.game(number)), view.me)
        except NoughtsError as error:
            self._err(trouble_words(error))
            return
        if self._interactive:
            after = await replay_lines.go_through(
                replay, self._lines, self._err, self._look, self._connection, self._records
            )
            self.plays_on = after if isinstance(after, NewRoom) else None
            self._quit = after is not Exit.BACK
            if not self._quit:
                self._err(t("replay.plain.back"))
        else:
            replay_lines.tell_whole(replay, self._err, self._err, self._look)

    async def _do(self, command: commands.Command) -> None:
        match command:
            case commands.Play():
                await self._play(command.move)
            case commands.Do():
                await self._ask_server(partial(self._room.act, command.action))
            case commands.Say():
                await self._ask_server(partial(self._room.say, command.text))
            case commands.Fold():
                self._tell("found" if command.pane == "thoughts" else command.pane)
            case commands.Wear():
                self._err(self._preferences.wear(command.theme))
            case commands.Simple(name="rematch"):
                await self._ask_server(self._room.rematch)
            case commands.Simple(name="quit" | "new"):
                if command.name == "new" and not self._interactive:
                    raise NotNow(t("plain.new"))
                self._quit = True
                self.to_lobby = command.name == "new"
            case commands.Simple(name="replay"):
                await self._replay()
            case commands.Simple():
                self._tell(command.name)

    async def _play(self, move: str) -> None:
        step: Step = "play"
        if self._intent is not None:
            step = self._intent.wish(move, self._room.view)
        else:
            commands.check_turn(self._room.view)
        match step:
            case "play":
                await self._ask_server(partial(self._room.move, move))
            case "planned":
                self._err(t("plan.made", move=move))
            case "asked":
                self._err(t("confirm.plain", move=move))

    def _tell(self, name: str) -> None:
        view = self._room.view
        match name:
            case "help":
                self._err("\n".join(f"{typed:<11}  {meaning}" for typed, meaning in commands.help_rows()))
            case "rules":
                self._err("\n".join(rules_sentences(view.rules)))
            case "board":
                self._show_board()
                self._err(words.turn_sentence(view, self._look.marks))
                self._show_offers()
            case "moves":
                self._err("\n".join(words.numbered_moves(view)) or t("game.nomove"))
            case "clock":
                self._show_clocks()
            case "chat":
                self._err("\n".join(words.last_said(view, CHAT_LINES)) or t("game.silence"))
            case "found":
                self._err("\n".join(self._found) or t("pane.nothoughts"))
            case "settings":
                self._err("\n".join(self._preferences.line(setting) for setting in SETTINGS))
            case "premove" | "confirm" | "thoughts":
                self._err(self._preferences.switch(name))
                if name == "premove":
                    self._cancel()
            case "cancel":
                if not self._cancel():
                    self._err(t("plan.nothing"))
            case "mute":
                self._muted = not self._muted
                self._err(words.mute_sentence(self._muted))

    def _cancel(self) -> bool:
        """Take back a move that is not made yet. Whether one was planned."""
        planned = self._intent is not None and self._intent.forget()
        if planned:
            self._err(t("plan.cancelled"))
        return planned


def tell_state(err: Print) -> Callable[[ConnectionState], None]:
    return lambda state: err(spoken_state(state).sentence)
