"""The screen of one room: board, clocks, moves, what happens and what is said, and a line to type in."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, RichLog, Static

from client.connection import LiveRoom, Refused, State, Unreachable, Update
from client.game_view import Committed, NotUnderstood, RoomView
from client.render import Look
from client.terminal import commands, words
from client.terminal.board import BoardView, Direction
from client.terminal.commands import NotNow
from client.text import clean
from engine.position import other
from server.protocol import Moved, Side, Thinking

CLOCK_REFRESH_S = 0.1


class CommandLine(Input):
    """Where moves and commands are typed. While it is empty, the arrows steer the board's cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "steer('up')", show=False),
        Binding("down", "steer('down')", show=False),
        Binding("pageup", "steer('previous')", show=False),
        Binding("pagedown", "steer('next')", show=False),
        Binding("escape", "steer('')", show=False),
    ]

    class Steered(Message):
        def __init__(self, direction: Direction | None) -> None:
            super().__init__()
            self.direction = direction

    class Entered(Message):
        def __init__(self, line: str) -> None:
            super().__init__()
            self.line = line

    async def _on_key(self, event: events.Key) -> None:
        # Before it becomes a binding, which waits for the event to bubble: letters typed meanwhile would come first.
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            await self.action_submit()
        else:
            await super()._on_key(event)

    async def action_submit(self) -> None:
        # Emptied here and not by whoever is told: keys typed meanwhile belong to the next line.
        line, self.value = self.value, ""
        self.post_message(self.Entered(line))

    def action_steer(self, direction: str) -> None:
        if direction in ("up", "down", "previous", "next"):
            self.post_message(self.Steered(direction))  # type: ignore[arg-type]  # one of these four
        else:
            self.clear()
            self.post_message(self.Steered(None))

    def action_cursor_left(self, select: bool = False) -> None:
        if self.value:
            super().action_cursor_left(select)
        else:
            self.post_message(self.Steered("left"))

    def action_cursor_right(self, select: bool = False) -> None:
        if self.value:
            super().action_cursor_right(select)
        else:
            self.post_message(self.Steered("right"))


class GameScreen(Screen[None]):
    """Follows one room until the player leaves it."""

    DEFAULT_CSS = """
    GameScreen { layout: vertical; }
    #heading { height: 1; background: $panel; padding: 0 1; }
    #table { height: 1fr; }
    #play { width: 1fr; height: 1fr; padding: 0 1; }
    .seat { height: 1; }
    #turn { height: auto; }
    #boardroom { height: 1fr; margin-top: 1; }
    #side { width: 30; height: 1fr; border-left: solid $panel; padding: 0 1; }
    #movelist { height: auto; max-height: 40%; }
    #log { height: 1fr; border-top: solid $panel; background: transparent; }
    CommandLine { dock: bottom; margin: 0 1; }
    GameScreen.-narrow #table { layout: vertical; }
    GameScreen.-narrow #play { height: auto; max-height: 80%; }
    GameScreen.-narrow #boardroom { height: auto; }
    GameScreen.-narrow #movelist { display: none; }
    GameScreen.-narrow #side { width: 100%; border-left: none; }
    """

    def __init__(self, room: LiveRoom, look: Look, link: str | None) -> None:
        super().__init__()
        self.room = room
        self._look = look
        self._link = link
        self._before = room.view
        self._state = State(True, "connected")
        self._turn = ""
        self._seats_shown: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        with Horizontal(id="table"):
            with Vertical(id="play"):
                # Above the board, which scrolls where there is no room for it: clocks and turn must be seen.
                yield Static(id="far", classes="seat")
                yield Static(id="near", classes="seat")
                yield Static(id="turn")
                with VerticalScroll(id="boardroom", can_focus=False):
                    yield BoardView(self.room.view, self._look)
            with Vertical(id="side"):
                with VerticalScroll(id="movelist", can_focus=False):
                    yield Static(id="moves")
                yield RichLog(id="log", wrap=True, markup=False, min_width=20)
        yield CommandLine(placeholder="a move, /help, or arrows and Enter", select_on_focus=False, compact=True)

    def on_mount(self) -> None:
        self.query_one("#log", RichLog).can_focus = False
        self.query_one(CommandLine).focus()
        self.call_after_refresh(self._explain)  # the log wraps at the width it has when it is told
        self._show_view(self.room.view)
        self.set_interval(CLOCK_REFRESH_S, self._show_clocks)
        self.run_worker(self._follow(), name="follow")

    # Showing

    async def _follow(self) -> None:
        try:
            async for update in self.room.updates():
                self._show(update)
        except (Unreachable, Refused, NotUnderstood) as error:
            self.show_state(State(False, str(error)))

    def _show(self, update: Update) -> None:
        sentence = words.change_sentence(self._before, update.view, update.message, self._look.marks)
        if sentence is not None and not (self._lists_moves and _is_move(update)):
            self.tell(sentence)
        if isinstance(update.message, Committed) and update.message.event is not None:
            found = words.found_sentence(update.message.event, self._look.marks)
            if found is not None:
                self.tell(found)
        self._before = update.view
        if isinstance(update.message, Thinking):
            self._show_turn(self._turn_words(update.view))
        else:
            self._show_view(update.view)

    @property
    def _lists_moves(self) -> bool:
        return self.query_one("#movelist").display

    def _show_view(self, view: RoomView) -> None:
        self.query_one(BoardView).show(view)
        self._show_turn(self._turn_words(view))
        self.query_one("#moves", Static).update(Text("\n".join(words.numbered_moves(view)) or "No moves yet."))
        self.query_one("#movelist", VerticalScroll).scroll_end(animate=False)
        self._show_heading()
        self._show_clocks()

    def _turn_words(self, view: RoomView) -> str:
        thinking = words.thinking_words(view)
        sentence = words.turn_sentence(view, self._look.marks) + self._invitation(view)
        return f"{sentence}\n{thinking}" if thinking else sentence

    def _invitation(self, view: RoomView) -> str:
        if view.code is None or view.started or view.result is not None:
            return ""
        return f"\nGive a friend this code:\n{view.code}\nor this link:\n{self._link}"

    def _show_turn(self, sentence: str) -> None:
        if sentence != self._turn:  # else a complaint stays, whatever is said meanwhile
            self._turn = sentence
            self.query_one("#turn", Static).update(Text(sentence, style="bold"))

    def _show_heading(self) -> None:
        view = self.room.view
        parts = [view.rules.name]
        if view.started:
            parts.append(words.clock_settings(view.clock))
        if view.rated:
            parts.append("rated")
        if view.spectators:
            parts.append(f"{view.spectators} watching")
        heading = Text(" · ".join(parts), style="bold", no_wrap=True, overflow="ellipsis")
        sign, style = ("●", "green") if self._state.connected else ("○", "bold red")
        heading.append(f"  {sign} {self._state.sentence}", style)
        self.query_one("#heading", Static).update(heading)

    def _show_clocks(self) -> None:
        view = self.room.view
        near: Side = "o" if view.you == "o" else "x"
        self._show_seat("#near", near)
        self._show_seat("#far", other(near))

    def _show_seat(self, where: str, side: Side) -> None:
        view = self.room.view
        seat = view.seat(side)
        left_ms = self.room.remaining_ms(side)
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f"{self._look.marks[side == 'o']} ", "bold cyan" if side == "x" else "bold magenta")
        text.append(words.seat_name(seat), "" if seat else "dim")
        rating = words.rating_words(view, side)
        if rating:
            text.append(f" {rating}", "dim")
        if view.you == side:
            text.append(" (you)", "dim")
        if seat is not None and not seat.present:
            text.append(" (away)", "red")
        if left_ms is not None and view.started:
            text.append(f"  {words.clock_time(left_ms)}", "bold red" if left_ms < 10_000 else "bold")
        if view.to_move == side:
            text.append("  ◀" if not self._look.ascii else "  <", "bold yellow")
        if text.markup != self._seats_shown.get(where):  # ten times a second, mostly for nothing
            self._seats_shown[where] = text.markup
            self.query_one(where, Static).update(text)

    def show_state(self, state: State) -> None:
        self._state = State(True, "connected") if state.connected else state
        self._show_heading()
        self.tell(state.sentence)

    def tell(self, sentence: str) -> None:
        self.query_one("#log", RichLog).write(Text(sentence))

    def _explain(self) -> None:
        for sentence in self.room.view.rules.sentences:
            self.tell(sentence)
        self.tell("")

    # Obeying

    @on(CommandLine.Steered)
    def _steer(self, event: CommandLine.Steered) -> None:
        board = self.query_one(BoardView)
        if event.direction is None:
            board.forget_cursor()
        else:
            board.steer(event.direction)

    @on(BoardView.Chosen)
    async def _click(self, event: BoardView.Chosen) -> None:
        await self._obey(self.room.view.rules.format_move(event.cell))

    @on(CommandLine.Entered)
    async def _entered(self, event: CommandLine.Entered) -> None:
        line, cursor = event.line, self.query_one(BoardView).cursor
        if not line.strip() and cursor is not None:
            line = self.room.view.rules.format_move(cursor)
        await self._obey(line)

    async def _obey(self, line: str) -> None:
        try:
            command = commands.parse(clean(line), self.room.view)
            if isinstance(command, commands.Play):
                commands.check_turn(self.room.view)
        except NotNow as problem:
            self._complain(str(problem))
            return
        if isinstance(command, commands.Simple):
            await self._do_here(command.name)
        elif command is not None:
            # In the background: the line must take more while a lost connection is made again.
            self.run_worker(self._ask(command), name="ask")

    async def _ask(self, command: commands.Play | commands.Do | commands.Say) -> None:
        try:
            match command:
                case commands.Play():
                    await self.room.move(command.move)
                case commands.Do():
                    await self.room.act(command.action)
                case commands.Say():
                    await self.room.say(command.text)
        except (Refused, Unreachable, NotUnderstood) as error:
            self._complain(str(error))

    async def _rematch(self) -> None:
        try:
            await self.room.rematch()
        except (Refused, Unreachable, NotUnderstood) as error:
            self._complain(str(error))

    async def _do_here(self, name: str) -> None:
        view = self.room.view
        match name:
            case "quit":
                self.app.exit(0)
            case "new":
                self.run_worker(self._leave(), name="leave")
            case "rematch":
                self.run_worker(self._rematch(), name="ask")
            case "help":
                for typed, meaning in commands.HELP:
                    self.tell(f"{typed}: {meaning}")
            case "rules":
                for sentence in view.rules.sentences:
                    self.tell(sentence)
            case "moves":
                self.tell("\n".join(words.numbered_moves(view)) or "No move has been made.")
            case _:
                self.tell(words.turn_sentence(view, self._look.marks))

    async def _leave(self) -> None:
        """Back to the menu; the server need not know before the player does."""
        self.dismiss()
        with suppress(Refused, Unreachable, NotUnderstood):
            await self.room.leave()

    def _complain(self, sentence: str) -> None:
        """Beside the board, where the eye is, until the next change of the board."""
        self.query_one("#turn", Static).update(Text(sentence, style="bold red"))


def _is_move(update: Update) -> bool:
    return isinstance(update.message, Committed) and isinstance(update.message.event, Moved)
