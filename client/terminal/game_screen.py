"""The screen of one room: board, clocks, moves, what happens and what is said, and a line to type in."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, ScrollableContainer, Vertical, VerticalScroll
from textual.widgets import Footer, Static

from client.sdk import Connection, ConnectionState, LiveRoom, NoughtsError, RoomUpdate, RoomView
from client.sdk.records import Records, WarmUp
from client.sdk.room_view import SequencedEvent
from client.sdk.text import clean
from client.terminal import commands, game_keys, nameplates, words
from client.terminal.board import BoardView
from client.terminal.choice_screen import SettingsScreen
from client.terminal.command_line import CommandLine
from client.terminal.commands import NotNow
from client.terminal.game_words import rules_sentences
from client.terminal.help_screen import HelpScreen
from client.terminal.intent import Intent
from client.terminal.language import t
from client.terminal.news import News
from client.terminal.preferences import Preferences
from client.terminal.render import Look
from client.terminal.replay import replay_of
from client.terminal.replay_screen import ReplayScreen
from client.terminal.screen import SpokenScreen
from client.terminal.trouble import spoken_state, trouble_words
from client.terminal.warm_up import explain_waiting
from engine.rules.position import other
from server.wire import CHAT_LINES, Ended, Moved, Offered, Room, Side, Thinking

CLOCK_REFRESH_S = 0.1
DELAY_REFRESH_S = 10
CHAT_TOLD = 5
"""Lines of what was said before that are told to who comes."""
LOG_FOR_RULES = 20
"""With fewer lines the rules would push out what happens."""
_AROUND_WIDE, _AROUND_NARROW = 4, 5
"""Lines that are not the board: heading, players, turn and the line to type in."""
_SPARED = 2
"""Lines that give way where the board needs them: the keys below and a gap above."""
SHORTEST_LOG = 2
"""With fewer lines for what happens, it is shown for a moment over the board."""


class GameScreen(SpokenScreen[LiveRoom | None]):
    """Follows one room until the player leaves it. Ends with the room where they play on, if there is one."""

    BINDINGS: ClassVar[list[BindingType]] = game_keys.BINDINGS

    def __init__(
        self,
        connection: Connection,
        room: LiveRoom,
        look: Look,
        link: str | None,
        records: Records,
        preferences: Preferences,
    ) -> None:
        super().__init__(classes="table-screen")
        self._connection = connection
        self.room = room
        self._look = look
        self._link = link
        self._records = records
        self._warming = ""
        self._before = room.view
        self._state = ConnectionState(True, t("game.connected"))
        self._delay_ms: int | None = None
        self._turn = ""
        self._seats_shown: dict[str, str] = {}
        self._muted = False
        self._second_thought = commands.SecondThought()
        self._preferences = preferences
        self._intent = Intent(preferences)

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        with Container(id="seats"):
            # Above the board, which scrolls where there is no room for it: clocks and turn must be seen.
            yield Static(id="far", classes="seat")
            yield Static(id="near", classes="seat")
        with Horizontal(id="table"):
            with Vertical(id="play"):
                yield Static(id="turn")
                with ScrollableContainer(id="boardroom", can_focus=False):
                    yield BoardView(self.room.view, self._look)
            with Vertical(id="side"):
                with VerticalScroll(id="movelist", can_focus=False):
                    yield Static(id="moves")
                yield News(id="log")
        yield CommandLine(placeholder=t("game.placeholder"), select_on_focus=False, compact=True)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        self.query_one(CommandLine).focus()
        self.call_after_refresh(self._explain)  # the log wraps at the width it has when it is told
        self._show_view(self.room.view)
        self.set_interval(CLOCK_REFRESH_S, self._show_clocks)
        self.set_interval(DELAY_REFRESH_S, self.measure_delay)
        self.run_worker(self._follow(), name="follow")
        self.run_worker(explain_waiting(self.room, self._records.warm_up, self.show_warm_up), name="warm-up")

    # Showing

    async def _follow(self) -> None:
        try:
            async for update in self.room.updates():
                if not self._is_left:
                    self._show(update)
        except NoughtsError as error:
            if not self._is_left:
                self.show_state(ConnectionState(False, trouble_words(error)))

    @property
    def _is_left(self) -> bool:
        """Whether it is being taken away: its parts go first, and what is said meanwhile has no place any more."""
        return not self.query(News)

    def _show(self, update: RoomUpdate) -> None:
        sentence = words.change_sentence(self._before, update.view, update.message, self._look.marks)
        if sentence is not None and not self._is_hidden(update):
            self.tell(sentence)
        if isinstance(update.message, SequencedEvent) and update.message.event is not None:
            found = words.found_sentence(update.view, update.message.event, self._look.marks)
            if found is not None and self._preferences.thoughts:
                self._log(found)
        called = words.calls(self._before, update.view)
        self._before = update.view
        if isinstance(update.message, Thinking):
            self._show_turn(self._turn_words(update.view))
        else:
            self._show_view(update.view)
            self._follow_intent(missed=isinstance(update.message, Room))
        if called:
            self.app.bell()

    def _is_hidden(self, update: RoomUpdate) -> bool:
        """What the list of moves or the line above the board shows already, and what was muted."""
        event = update.message.event if isinstance(update.message, SequencedEvent) else None
        if isinstance(event, Moved):
            return self._lists_moves or not self._has_log
        if not self._has_log and (isinstance(event, Offered) or (isinstance(event, Ended) and not update.view.rated)):
            return True
        return self._muted and words.is_others_chat(update.view, update.message)

    @property
    def _lists_moves(self) -> bool:
        return self.query_one("#movelist").display

    @property
    def _has_log(self) -> bool:
        return self.query_one(News).size.height >= SHORTEST_LOG

    def _follow_intent(self, missed: bool) -> None:
        """A planned move is played once it can be."""
        followed = self._intent.follow(self.room.view, missed)
        self._show_intent()
        match followed:
            case ("play", move):
                self.run_worker(self._ask(commands.Play(move)), name="ask")
            case ("illegal", move):
                self._complain(t("plan.illegal", move=move))
            case ("gone", _):
                self.tell(t("plan.gone"))

    def _show_intent(self) -> None:
        """The move that is not made yet, on the board and beside it."""
        view = self.room.view
        move = self._intent.planned or self._intent.asked
        side = view.you if view.you in ("x", "o") else view.to_move
        shown = (view.rules.parse_move(move), side) if move is not None and side is not None else None
        self.query_one(BoardView).intend(shown)
        self._show_turn(self._turn_words(view))

    def _show_view(self, view: RoomView) -> None:
        self.set_class(self._invites(view), "-inviting")
        self.query_one(BoardView).show(view)
        self._show_turn(self._turn_words(view))
        self.put("#moves", Text("\n".join(words.numbered_moves(view)) or t("game.nomoves")))
        self.query_one("#movelist", VerticalScroll).scroll_end(animate=False)
        self._show_heading()
        self._show_clocks()
        self.refresh_bindings()
        self.call_after_refresh(self._share_height)
        self.app.title = words.title(view)

    def show_warm_up(self, warm_up: WarmUp) -> None:
        self._warming = words.warming_words(warm_up)
        self._show_turn(self._turn_words(self.room.view))

    def _turn_words(self, view: RoomView) -> str:
        thinking = words.thinking_words(view) if self._preferences.thoughts else ""
        if view.thinking is not None or view.my_turn or view.result is not None:
            self._warming = ""
        thinking = thinking or self._warming
        sentence = words.turn_sentence(view, self._look.marks) + self._invitation(view)
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

    def _invitation(self, view: RoomView) -> str:
        if not self._invites(view):
            return ""
        return "\n" + t("game.invitation", code=view.code, link=self._link)

    def _invites(self, view: RoomView) -> bool:
        return view.code is not None and not view.started and view.result is None

    def _show_turn(self, sentence: str) -> None:
        if sentence != self._turn:  # else a complaint stays, whatever is said meanwhile
            self._turn = sentence
            self.put("#turn", Text(sentence, style="bold"))

    def _show_heading(self) -> None:
        shown = nameplates.heading(self.room.view, self._muted, self._state, self._delay_ms)
        self.put("#heading", shown)

    async def measure_delay(self) -> None:
        if self._state.connected:
            with suppress(NoughtsError):
                self._delay_ms = await self.room.ping()
                self._show_heading()

    def _show_clocks(self) -> None:
        view = self.room.view
        near: Side = "o" if view.you == "o" else "x"
        self._show_seat("#near", near)
        self._show_seat("#far", other(near))

    def _show_seat(self, where: str, side: Side) -> None:
        text = nameplates.seat(self.room.view, side, self.room.remaining_ms(side), self._look)
        if text.markup != self._seats_shown.get(where):  # ten times a second, mostly for nothing
            self._seats_shown[where] = text.markup
            self.put(where, text)

    def show_state(self, state: ConnectionState) -> None:
        self._state = ConnectionState(True, t("game.connected")) if state.connected else spoken_state(state)
        self.set_class(not state.connected, "-lost")
        self._show_heading()
        self.tell(spoken_state(state).sentence)
        warning = None if state.connected else words.absence_warning(self.room.view)
        if warning:
            self.tell(warning)

    def tell(self, sentence: str) -> None:
        """Into the log, and where there is no room for one, over the board for a moment."""
        self._log(sentence)
        if not self._has_log and sentence:
            self.notify(sentence, markup=False)

    def _log(self, sentence: str) -> None:
        self.query_one(News).tell(sentence)

    def _explain(self) -> None:
        if self.query_one(News).size.height < LOG_FOR_RULES:
            self._log(t("game.rules_hint"))
        else:
            for sentence in rules_sentences(self.room.view.rules):
                self._log(sentence)
        self._log("")
        for said in words.last_said(self.room.view, CHAT_TOLD):
            self._log(said)

    def on_resize(self) -> None:
        self._share_height()

    @on(BoardView.Redrawn)
    def _share_height(self) -> None:
        """The board comes first. What it leaves in a narrow terminal is for what happens."""
        board, narrow = self.query_one(BoardView).lines, self.has_class("-narrow")
        around = _AROUND_NARROW if narrow else _AROUND_WIDE
        self.set_class(self.size.height < board + around + _SPARED, "-tight")
        if narrow:
            self.call_after_refresh(self._leave_to_board, board)
        else:
            self.query_one("#side").styles.height = None

    def _leave_to_board(self, lines: int) -> None:
        room, turn = self.query_one("#boardroom"), self.query_one("#turn")
        wanted = turn.size.height + room.styles.margin.top + lines
        self.query_one("#side").styles.height = max(0, self.query_one("#table").size.height - wanted)

    # Obeying

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
        self.app.push_screen(SettingsScreen(self._preferences), lambda _: self._show_intent())

    def action_lobby(self) -> None:
        self.run_worker(self._leave(), name="leave")

    @on(CommandLine.KeysAsked)
    def _keys_asked(self) -> None:
        self.action_keys()

    @on(CommandLine.Steered)
    def _steer(self, event: CommandLine.Steered) -> None:
        board = self.query_one(BoardView)
        match event.direction:
            case None:
                board.forget_cursor()
                self._cancel()
            case "left" | "right" | "up" | "down" | "next" | "previous":
                board.steer(event.direction)
        self.query_one(CommandLine).placeholder = self._hint(board.cursor)

    def _hint(self, cursor: int | None) -> str:
        """For the empty line: large boards are scrolled, or too large to count their cells."""
        if cursor is None:
            return t("game.placeholder")
        return t("game.cursor", move=self.room.view.rules.format_move(cursor))

    @on(BoardView.Chosen)
    async def _click(self, event: BoardView.Chosen) -> None:
        await self._obey(self.room.view.rules.format_move(event.cell))

    @on(CommandLine.Entered)
    async def _entered(self, event: CommandLine.Entered) -> None:
        line, cursor = event.line, self.query_one(BoardView).cursor
        if not line.strip():
            chosen = self.room.view.rules.format_move(cursor) if cursor is not None else self._intent.asked
            line = chosen or ""
        await self._obey(line)

    async def _obey(self, line: str) -> None:
        try:
            command = commands.parse(clean(line), self.room.view)
            self._second_thought.check(command, self.room.view)
            if isinstance(command, commands.Play) and self._intent.wish(command.move, self.room.view) != "play":
                command = None
        except NotNow as problem:
            self._complain(str(problem))
            return
        self._show_intent()
        if isinstance(command, commands.Simple):
            self._do_here(command.name)
        elif command is not None:
            if not self._state.connected:
                self.tell(t("game.later"))
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
        except NoughtsError as error:
            self._complain(trouble_words(error))

    async def _rematch(self) -> None:
        try:
            await self.room.rematch()
        except NoughtsError as error:
            self._complain(trouble_words(error))

    async def _replay(self) -> None:
        try:
            number = commands.game_to_replay(self.room.view)
            replay = replay_of(await self._records.game(number), self.room.view.me)
        except (NotNow, NoughtsError) as error:
            self._complain(trouble_words(error))
        else:
            await self.app.push_screen(ReplayScreen(replay, self._look, self._connection), self._play_on)

    def _play_on(self, room: LiveRoom | None) -> None:
        """Where the replay went on as a game of its own."""
        if room is not None:
            self.run_worker(self._leave(room), name="leave")

    def _do_here(self, name: str) -> None:
        view = self.room.view
        match name:
            case "quit":
                self.app.exit(0)
            case "new":
                self.action_lobby()
            case "rematch":
                self.run_worker(self._rematch(), name="ask")
            case "replay":
                self.run_worker(self._replay(), name="ask")
            case "help":
                self.action_keys()
            case "rules":
                self._tell_at_length(t("game.title.rules"), rules_sentences(view.rules))
            case "moves":
                self._tell_at_length(t("moves.title"), words.numbered_moves(view) or [t("game.nomove")])
            case "chat":
                self._tell_at_length(t("chat.title"), words.last_said(view, CHAT_LINES) or [t("game.silence")])
            case "settings":
                self.action_settings()
            case "premove" | "confirm" | "thoughts":
                self.tell(self._preferences.switch(name))
                if name == "premove":
                    self._cancel()
            case "cancel":
                if not self._cancel():
                    self._complain(t("plan.nothing"))
            case "mute":
                self._muted = not self._muted
                self._show_heading()
                self.tell(words.mute_sentence(self._muted))
            case _:
                self.tell(words.turn_sentence(view, self._look.marks))

    def _cancel(self) -> bool:
        """Take back a move that is not made yet. Whether one was planned."""
        planned = self._intent.forget()
        self._show_intent()
        if planned:
            self.tell(t("plan.cancelled"))
        return planned

    def _tell_at_length(self, title: str, lines: Sequence[str]) -> None:
        if self._has_log:
            for line in lines:
                self._log(line)
        else:
            self.app.push_screen(HelpScreen((title, [("", line) for line in lines])))

    async def _leave(self, following: LiveRoom | None = None) -> None:
        """Back to the lobby, or on to another room; the server need not know before the player does."""
        self.dismiss(following)
        with suppress(NoughtsError):
            await self.room.leave()

    def _complain(self, sentence: str) -> None:
        """Beside the board, where the eye is, until the next change of the board."""
        self.put("#turn", Text(sentence, style="bold red"))
