"""The screen of one room: board, clocks, moves, log and chat, and a line to type in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, ScrollableContainer, Vertical
from textual.reactive import Initialize, reactive
from textual.widgets import Static

from client.sdk import Connection, ConnectionState, LiveRoom, NoughtsError, RoomUpdate, RoomView
from client.sdk.records import Records, WarmUp
from client.sdk.room_view import SequencedEvent
from client.sdk.text import clean
from client.terminal.claiming import tell_claims
from client.terminal.drawing.boards import Look
from client.terminal.full_screen import game_keys, nameplates
from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.choice_screen import SettingsScreen
from client.terminal.full_screen.command_line import CommandLine
from client.terminal.full_screen.game_panes import GamePanes
from client.terminal.full_screen.help_screen import HelpScreen
from client.terminal.full_screen.key_footer import KeyFooter
from client.terminal.full_screen.panes import PaneTitle
from client.terminal.full_screen.replay_screen import ReplayScreen
from client.terminal.full_screen.screen import SpokenScreen
from client.terminal.full_screen.theme import ThemeAsked
from client.terminal.language import t
from client.terminal.pane_names import TITLES, PaneName
from client.terminal.preferences import Preferences
from client.terminal.records.replay import replay_of
from client.terminal.trouble import spoken_state, trouble_words
from client.terminal.typed import commands
from client.terminal.typed.commands import NotNow
from client.terminal.typed.exits import ENDED, LEFT
from client.terminal.typed.intent import Intent
from client.terminal.words import room as words
from client.terminal.words.games import rules_sentences
from client.terminal.words.warm_up import explain_waiting
from engine.rules.position import other
from server.wire import CHAT_LINES, Ended, Moved, Offered, Side, Thinking

CLOCK_REFRESH_S = 0.1
DELAY_REFRESH_S = 10
CHAT_TOLD = 5
"""Lines of earlier chat that are shown to whoever enters."""
_AROUND_WIDE, _AROUND_NARROW = 4, 5
"""Lines that are not the board: heading, players, turn and the line to type in."""
_SPARED = 2
"""Lines that go when the board needs them: the keys below and a gap above."""


def _view_of(screen: Any) -> RoomView:
    view: RoomView = screen.room.view
    return view


class GameScreen(SpokenScreen[LiveRoom | None]):
    """Follows one room until the player leaves it. Its result is the room where they play on, if there is one."""

    BINDINGS: ClassVar[list[BindingType]] = game_keys.BINDINGS

    view: reactive[RoomView] = reactive(Initialize(_view_of), init=False)
    state: reactive[ConnectionState] = reactive(lambda: ConnectionState(True, t("game.connected")), init=False)
    delay_ms: reactive[int | None] = reactive[int | None](None, init=False)
    muted = reactive(False, init=False)
    warming = reactive("", init=False)
    complaint = reactive("", init=False)
    """A notice above the board, where the player looks, until the board changes."""
    seats: reactive[tuple[Text, Text]] = reactive((Text(), Text()), init=False)
    """The far one and the near one, with their clocks."""

    def __init__(
        self,
        connection: Connection,
        room: LiveRoom,
        look: Look,
        link: str | None,
        records: Records,
        preferences: Preferences,
    ) -> None:
        self.room = room
        super().__init__(classes="table-screen")
        self._connection = connection
        self._look = look
        self._link = link
        self._records = records
        self._second_thought = commands.SecondThought()
        self._preferences = preferences
        self._intent = Intent(preferences)
        # Made here and not looked up: news may come before they are on the screen, and after they have left it.
        self._board = BoardView(room.view, look)
        self._panes = GamePanes(preferences)
        self._line = CommandLine(placeholder=t("game.placeholder"), select_on_focus=False, compact=True)

    @property
    def exit_status(self) -> int:
        return LEFT if self.room.view.result is None else ENDED

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        with Container(id="seats"):
            # Above the board, which scrolls if there is no room for it: clocks and turn must stay visible.
            yield Static(id="far", classes="seat")
            yield Static(id="near", classes="seat")
        with Horizontal(id="table"):
            with Vertical(id="play"):
                yield Static(id="turn")
                yield Static(id="invitation")
                with ScrollableContainer(id="boardroom", can_focus=False):
                    yield self._board
            yield self._panes
        yield self._line
        yield KeyFooter()

    def on_mount(self) -> None:
        self._line.focus()
        self._panes.show_rules(rules_sentences(self.room.view.rules))
        self._fold_panes()
        self.watch_view(self.view, self.view)
        for said in words.last_said(self.view, CHAT_TOLD):
            self._panes.tell(said)
        self.set_interval(CLOCK_REFRESH_S, self._tick)
        self.set_interval(DELAY_REFRESH_S, self.measure_delay_aside)
        self.run_worker(self._follow(), name="follow")
        self.run_worker(explain_waiting(self.room, self._records.warm_up, self.show_warm_up), name="warm-up")
        self.run_worker(tell_claims(self.room, self.tell, self._look.marks), name="claims")

    # Showing

    async def _follow(self) -> None:
        try:
            async for update in self.room.updates():
                self._show(update)
        except NoughtsError as error:
            self.show_state(ConnectionState(False, trouble_words(error)))

    def _show(self, update: RoomUpdate) -> None:
        before = self.view
        sentence = words.change_sentence(before, update.view, update.message, self._look.marks)
        if sentence is not None and not self._is_hidden(update):
            self.tell(sentence)
        if isinstance(update.message, SequencedEvent) and update.message.event is not None:
            found = words.found_sentence(update.view, update.message.event, self._look.marks)
            if found is not None and self._preferences.thoughts:
                self._panes.tell_found(found)
        self.view = update.view
        if not isinstance(update.message, Thinking):
            self._follow_intent(missed=update.missed or self.room.missed)
        if words.calls(before, update.view):
            self.app.bell()

    def _is_hidden(self, update: RoomUpdate) -> bool:
        """Whether the list of moves or the line above the board already shows it, or it was muted."""
        event = update.message.event if isinstance(update.message, SequencedEvent) else None
        if isinstance(event, Moved):
            return self._panes.is_seen("moves") or not self._panes.has_log
        if not self._panes.has_log and (
            isinstance(event, Offered) or (isinstance(event, Ended) and not update.view.rated)
        ):
            return True
        return self.muted and words.is_others_chat(update.view, update.message)

    def _follow_intent(self, missed: bool) -> None:
        """A planned move is played once it can be."""
        followed = self._intent.follow(self.room.view, missed)
        self._show_intent()
        match followed:
            case ("play", move):
                self.run_worker(self.told(self._ask(commands.Play(move))), name="ask")
            case ("illegal", move):
                self.complaint = t("plan.illegal", move=move)
            case ("gone", _):
                self.tell(t("plan.gone"))

    def _show_intent(self) -> None:
        """The move that is not made yet, on the board and beside it."""
        view = self.room.view
        move = self._intent.planned or self._intent.asked
        side = view.you if view.you in ("x", "o") else view.to_move
        shown = (view.rules.parse_move(move), side) if move is not None and side is not None else None
        if self._board.intended != shown:
            self._board.intended = shown
            self.complaint = ""
        self._show_turn()
        self._show_hint()

    def watch_view(self, before: RoomView, view: RoomView) -> None:
        if view.thinking is not None or view.my_turn or view.result is not None:
            self.warming = ""
        if _course(before) != _course(view):
            self.complaint = ""
        self._show_turn()
        if before.thinking is not view.thinking and before.seq == view.seq:
            return  # many a second, and nothing else has changed
        self.set_class(self._invites(view), "-inviting")
        self.put("#invitation", Text(t("game.invitation", code=view.code, link=self._link or "")))
        self._board.view = view
        self._panes.show_moves(words.numbered_moves(view) or [t("game.nomoves")])
        self._show_heading()
        self._tick()
        self._fold_panes()
        self.refresh_bindings()
        self.call_after_refresh(self._share_height)
        self.app.title = words.title(view)

    def watch_state(self, state: ConnectionState) -> None:
        self.set_class(not state.connected, "-lost")
        self._show_heading()

    def watch_delay_ms(self) -> None:
        self._show_heading()

    def watch_muted(self) -> None:
        self._show_heading()

    def watch_warming(self) -> None:
        self._show_turn()

    def watch_complaint(self) -> None:
        self._show_turn()

    def watch_seats(self, before: tuple[Text, Text], seats: tuple[Text, Text]) -> None:
        for where, text, shown in zip(("#far", "#near"), seats, before, strict=True):
            if text != shown:
                self.put(where, text)

    def _show_heading(self) -> None:
        self.put("#heading", nameplates.heading(self.view, self.muted, self.state, self.delay_ms))

    def _show_turn(self) -> None:
        thinking = words.thinking_words(self.view) if self._preferences.thoughts else ""
        seen = self._panes.is_seen("thoughts")
        self._panes.show_thinking(thinking)
        if self.complaint:
            self.put("#turn", Text(self.complaint, style="bold red"))
        else:
            self.put("#turn", Text(self._turn_words(self.view, "" if seen else thinking), style="bold"))

    def _turn_words(self, view: RoomView, thinking: str) -> str:
        thinking = thinking or self.warming
        sentence = words.turn_sentence(view, self._look.marks)
        if self._intent.asked is not None:
            sentence = t("confirm.asked", move=self._intent.asked)
        elif self._intent.planned is not None:
            sentence = f"{sentence} {t('plan.shown', move=self._intent.planned)}"
        offers = words.offers_sentence(view, self._look.marks)
        if offers:
            sentence = f"{sentence} {offers}"
        # Where every line counts, the board must not jump whenever a bot thinks.
        gap = " " if self.has_class("-tight") else "\n"
        return f"{sentence}{gap}{thinking}" if thinking else sentence

    def _invites(self, view: RoomView) -> bool:
        return view.code is not None and not view.started and view.result is None

    def show_warm_up(self, warm_up: WarmUp) -> None:
        self.warming = words.warming_words(warm_up)

    def measure_delay_aside(self) -> None:
        """Keys are accepted meanwhile, however long the answer takes."""
        self.run_worker(self.measure_delay(), name="delay", group="delay", exclusive=True)

    async def measure_delay(self) -> None:
        if self.state.connected:
            with suppress(NoughtsError):
                self.delay_ms = await self.room.ping()

    def _tick(self) -> None:
        near: Side = "o" if self.view.you == "o" else "x"
        self.seats = (self._seat(other(near)), self._seat(near))

    def _seat(self, side: Side) -> Text:
        return nameplates.seat(self.view, side, self.room.remaining_ms(side), self._look)

    def show_state(self, state: ConnectionState) -> None:
        self.state = ConnectionState(True, t("game.connected")) if state.connected else spoken_state(state)
        self.tell(spoken_state(state).sentence)
        warning = None if state.connected else words.absence_warning(self.room.view)
        if warning:
            self.tell(warning)

    def tell(self, sentence: str) -> None:
        """Into the log, and where there is no room for one, over the board for a moment."""
        self._panes.tell(sentence)
        if not self._panes.has_log and sentence:
            self.notify(sentence, markup=False)

    # Panes

    def _fold_panes(self) -> None:
        self._panes.fold(any(seat is not None and seat.kind == "bot" for seat in (self.view.x, self.view.o)))

    def action_pane(self, pane: PaneName) -> None:
        """Fold it or unfold it. If only one pane has room, show this one; if none has, show it over the board."""
        if not self._panes.turn(pane):
            self._show_over_board(pane)
        self._fold_panes()
        self.call_after_refresh(self._show_turn)

    def _show_pane(self, pane: PaneName) -> None:
        """Show a pane to a player who asks for its content."""
        if self._panes.would_show(pane):
            self.action_pane(pane)

    def _show_over_board(self, pane: PaneName) -> None:
        view = self.view
        lines = {
            "rules": rules_sentences(view.rules),
            "moves": words.numbered_moves(view) or [t("game.nomove")],
            "chat": words.last_said(view, CHAT_LINES) or [t("game.silence")],
            "thoughts": self._panes.found or [t("pane.nothoughts")],
        }[pane]
        self.app.push_screen(HelpScreen((t(TITLES[pane]), [("", line) for line in lines])))

    @on(PaneTitle.Clicked)
    def _title_clicked(self, event: PaneTitle.Clicked) -> None:
        self.action_pane(event.pane)

    @on(CommandLine.TabPressed)
    def _tab_pressed(self) -> None:
        if self.has_class("-narrow"):
            self.action_pane(self._panes.next)

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit)  # only then has the screen the classes of its new size

    def _fit(self) -> None:
        self._fold_panes()
        self._share_height()
        self._show_turn()

    @on(BoardView.Redrawn)
    def _share_height(self) -> None:
        """The board comes first. What it leaves in a narrow terminal is for the panes below it."""
        board, narrow = self._board.least_lines, self.has_class("-narrow")
        around = _AROUND_NARROW if narrow else _AROUND_WIDE
        self.set_class(self.size.height < board + around + _SPARED, "-tight")
        if narrow:
            self._panes.stand_below(self.size.height - around - (0 if self.has_class("-tight") else _SPARED), board)
        else:
            self._panes.stand_beside()

    # Obeying

    def palette(self) -> Iterator[tuple[str, Callable[[], Awaitable[None] | None]]]:
        for typed, meaning in commands.palette_rows():
            yield f"{typed}: {meaning}" if meaning else typed, partial(self._obey, typed)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only keys that mean something now are shown below."""
        return game_keys.is_offered(str(parameters[0]), self.room.view) if action == "press" else True

    async def action_press(self, key: str) -> None:
        await self._obey(game_keys.COMMANDS[key])

    def action_keys(self) -> None:
        self.app.push_screen(
            HelpScreen((t("keys.title"), game_keys.help_rows()), (t("typed.title"), commands.help_rows()))
        )

    def action_settings(self) -> None:
        self.app.push_screen(SettingsScreen(self._preferences), self._settings_left)

    def _settings_left(self, _: object) -> None:
        if self._preferences.premove:
            self._show_intent()
        else:
            self._cancel()

    def action_lobby(self) -> None:
        self.run_worker(self._leave(), name="leave")

    @on(CommandLine.KeysAsked)
    def _keys_asked(self) -> None:
        self.action_keys()

    @on(CommandLine.Steered)
    def _steer(self, event: CommandLine.Steered) -> None:
        match event.direction:
            case None:
                self._board.cursor = None
                self._cancel()
            case "left" | "right" | "up" | "down" | "next" | "previous":
                self._board.steer(event.direction)
        self._show_hint()

    def _show_hint(self) -> None:
        """Show in the empty line what Enter does with the cell under the cursor."""
        cursor = self._board.cursor
        hint = t("game.placeholder") if cursor is None else self._intent.hint(cursor, self.room.view)
        self._line.placeholder = hint

    @on(BoardView.Chosen)
    async def _click(self, event: BoardView.Chosen) -> None:
        await self._obey(self.room.view.rules.format_move(event.cell))

    @on(CommandLine.Entered)
    async def _entered(self, event: CommandLine.Entered) -> None:
        line, cursor = event.line, self._board.cursor
        if not line.strip():
            chosen = self.room.view.rules.format_move(cursor) if cursor is not None else self._intent.asked
            line = chosen or ""
        await self._obey(line)

    async def _obey(self, line: str) -> None:
        try:
            command = commands.parse(clean(line), self.room.view)
            self._second_thought.check(command, self.room.view)
            self.complaint = ""
            if isinstance(command, commands.Play) and self._intent.wish(command.move, self.room.view) != "play":
                command = None
        except NotNow as problem:
            self.complaint = str(problem)
            if isinstance(problem, commands.TooLong):
                self._line.take_back(line)
            return
        self._show_intent()
        if isinstance(command, commands.Simple):
            self._do_here(command.name)
        elif isinstance(command, commands.Fold):
            self.action_pane(command.pane)
        elif isinstance(command, commands.Wear):
            self.post_message(ThemeAsked(command.theme))
        elif command is not None:
            if not self.state.connected:
                self.tell(t("game.later"))
            # In the background: the line must take more while a lost connection is made again.
            self.run_worker(self.told(self._ask(command)), name="ask")

    async def _ask(self, command: commands.Play | commands.Do | commands.Say) -> None:
        match command:
            case commands.Play():
                await self.room.move(command.move)
            case commands.Do():
                await self.room.act(command.action)
            case commands.Say():
                await self.room.say(command.text)

    def complain(self, sentence: str) -> None:
        self.complaint = sentence

    async def _replay(self) -> None:
        number = commands.game_to_replay(self.room.view)
        replay = replay_of(await self._records.game(number), self.room.view.me)
        self.app.push_screen(ReplayScreen(replay, self._look, self._connection, self._records), self._play_on)

    def _play_on(self, room: LiveRoom | None) -> None:
        """The room in which the replay was continued as a game."""
        if room is not None:
            self.run_worker(self._leave(room), name="leave")

    def _do_here(self, name: str) -> None:
        view = self.room.view
        match name:
            case "quit":
                self.app.exit(self.exit_status)
            case "new":
                self.action_lobby()
            case "rematch":
                self.run_worker(self.told(self.room.rematch()), name="ask")
            case "replay":
                self.do(self._replay())
            case "help":
                self.action_keys()
            case "rules" | "moves":
                self._show_pane(name)
            case "chat":
                if self._panes.has_log:
                    for said in words.last_said(view, CHAT_LINES) or [t("game.silence")]:
                        self._panes.tell(said)
                else:
                    self._show_over_board("chat")
            case "settings":
                self.action_settings()
            case "premove" | "confirm" | "thoughts":
                self.tell(self._preferences.switch(name))
                if name == "premove":
                    self._cancel()
            case "cancel":
                if not self._cancel():
                    self.complaint = t("plan.nothing")
            case "mute":
                self.muted = not self.muted
                self.tell(words.mute_sentence(self.muted))
            case _:
                self.tell(words.turn_sentence(view, self._look.marks))

    def _cancel(self) -> bool:
        """Take back a move that is not made yet. Whether one was planned."""
        planned = self._intent.forget()
        self._show_intent()
        if planned:
            self.tell(t("plan.cancelled"))
        return planned

    async def _leave(self, following: LiveRoom | None = None) -> None:
        """Back to the lobby, or on to another room, without waiting for the server."""
        self.dismiss(following)
        with suppress(NoughtsError):
            await self.room.leave()


def _course(view: RoomView) -> tuple[object, ...]:
    """What has come about in the room: a complaint stands until something else has."""
    return view.serial, view.started, view.moves, view.result, view.offers
