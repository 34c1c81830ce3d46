"""The screen of a recorded game: any position by keys, the time of each move, and how it ended."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, ScrollableContainer, Vertical, VerticalScroll
from textual.reactive import reactive
from textual.timer import Timer
from textual.widgets import Static

from client.sdk import Connection, LiveRoom
from client.sdk.records import Records
from client.sdk.text import clean
from client.terminal.drawing.boards import Look
from client.terminal.full_screen import nameplates
from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.choice_screen import ChoiceScreen
from client.terminal.full_screen.command_line import CommandLine
from client.terminal.full_screen.help_screen import HelpScreen
from client.terminal.full_screen.key_footer import KeyFooter
from client.terminal.full_screen.screen import SpokenScreen
from client.terminal.language import t
from client.terminal.records import words as record_words
from client.terminal.records.playing_on import bots_to_play_on, room_to_play_on, side_to_play_on
from client.terminal.records.replay import Replay
from client.terminal.records.review import Reviewing
from client.terminal.seating import sit_down
from client.terminal.typed.exits import ENDED, Exit, exit_asked
from client.terminal.words.bots import bots_of_server
from server.wire import Side

AUTOPLAY_S = 1.0
PAGE = 10
_KEYS = (
    ("key.leftright", "step"), ("key.pages", "page"), ("key.homeend", "ends"), ("key.space", "on"),
    ("key.number", "number"), ("key.review", "review"), ("key.playon", "playon"), ("key.escapeq", "leave"),
)  # fmt: skip


class ReplayScreen(SpokenScreen[LiveRoom | None]):
    """Goes through one game until the player leaves it, or plays on from it: then it ends with the room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "keys", "footer.keys", key_display="?"),
        Binding("f2", "review", "footer.review", key_display="F2"),
        Binding("f3", "play_on", "footer.playon", key_display="F3"),
        Binding("escape,f9", "leave", "footer.back", key_display="Esc"),
    ]

    ply = reactive(0, init=False)
    """Moves of the game that are on the board."""
    playing = reactive(False, init=False)
    """Whether it goes on by itself."""
    complaint = reactive("", init=False)

    def __init__(self, replay: Replay, look: Look, connection: Connection, records: Records) -> None:
        super().__init__(classes="table-screen")
        self.autoplay_s = AUTOPLAY_S
        self._replay = replay
        self._look = look
        self._timer: Timer | None = None
        self._connection = connection
        self._records = records
        self._reviewing = Reviewing(connection, replay, self._tell, self._show_words)
        self._board = BoardView(replay.view(0), look)
        self._movelist = VerticalScroll(Static(id="moves"), id="movelist", can_focus=False)
        self._line = CommandLine(placeholder=t("replay.placeholder"), select_on_focus=False, compact=True)

    @property
    def exit_status(self) -> int:
        return ENDED

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        with Container(id="seats"):
            yield Static(id="x", classes="seat")
            yield Static(id="o", classes="seat")
        with Horizontal(id="table"):
            with Vertical(id="play"):
                yield Static(id="turn")
                with ScrollableContainer(id="boardroom", can_focus=False):
                    yield self._board
            yield Vertical(self._movelist, id="side")
        yield Static(id="times")
        yield self._line
        yield KeyFooter()

    def on_mount(self) -> None:
        heading = Text(record_words.heading(self._replay))
        self.put("#heading", heading)
        self.app.title = t("title.replay", number=self._replay.record.id)
        self._line.focus()
        self.watch_ply()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_times)

    # Showing

    def validate_ply(self, ply: int) -> int:
        return self._replay.within(ply)

    def watch_ply(self) -> None:
        self.complaint = ""
        self._board.view = self._replay.view(self.ply)
        self._show_words()
        self._show_seat("x")
        self._show_seat("o")
        self._show_moves()
        self._show_times()
        if self.ply == self._replay.plies:
            self.playing = False

    def watch_playing(self, playing: bool) -> None:
        if playing:
            self._timer = self.set_interval(self.autoplay_s, self._go_on)
        elif self._timer is not None:
            self._timer.stop()

    def _go_on(self) -> None:
        self.ply += 1

    def complain(self, sentence: str) -> None:
        self.complaint = sentence

    def watch_complaint(self) -> None:
        self._show_words()

    def _show_words(self) -> None:
        if self.complaint:
            self.put("#turn", Text(self.complaint, style="bold red"))
            return
        told = (
            record_words.ply_sentence(self._replay, self.ply, self._look.marks),
            record_words.found_words(self._replay, self.ply),
            self._reviewing.words(self.ply),
        )
        self.put("#turn", Text("\n".join(line for line in told if line)))

    def _tell(self, sentence: str) -> None:
        self.notify(sentence, markup=False)

    def _show_seat(self, side: Side) -> None:
        view = self._replay.view(self.ply)
        left_ms = view.remaining_ms(side, view.clock_ts)
        self.put(f"#{side}", nameplates.seat(view, side, left_ms, self._look))

    def _show_moves(self) -> None:
        text, at = Text(no_wrap=True), 0
        for number, row in enumerate(record_words.move_rows(self._replay)):
            for piece, ply in row:
                text.append(piece, "reverse" if ply == self.ply and ply else "dim" if ply is None else "")
                at = number if ply == self.ply else at
            text.append("\n")
        self.put("#moves", text)
        above = self._movelist.size.height // 2
        self.call_after_refresh(self._movelist.scroll_to, y=max(0, at - above), animate=False)

    def _show_times(self) -> None:
        columns = max(10, self.app.size.width - 2)
        bars, at = record_words.time_bars(self._replay, self.ply, columns, self._look.ascii)
        text = Text(bars, no_wrap=True)
        if at is not None:
            text.stylize("bold yellow", at, at + 1)
        self.put("#times", text)

    # Obeying

    def action_step(self, plies: int) -> None:
        self._go_to(self.ply + plies)

    def _go_to(self, ply: int) -> None:
        self.playing = False
        self.complaint = ""
        self.ply = ply

    def action_autoplay(self) -> None:
        if not self.playing and self.ply == self._replay.plies:
            self.ply = 0
        self.playing = not self.playing

    def action_keys(self) -> None:
        rows = [(t(key), t(f"replay.keys.{told}", count=PAGE)) for key, told in _KEYS]
        self.app.push_screen(HelpScreen((t("keys.title"), rows)))

    # Playing on

    def action_play_on(self) -> None:
        self.playing = False
        self.do(self._choose_bot())

    async def _choose_bot(self) -> None:
        mark = self._look.marks[side_to_play_on(self._replay, self.ply) == "o"]
        listed = await bots_of_server(self._records, self._replay.last_view.rules)
        bots = bots_to_play_on(self._replay, self.ply, listed).items()
        self.app.push_screen(ChoiceScreen(t("playon.title", mark=mark), bots), self._play_on_against)

    def _play_on_against(self, bot: str | None) -> None:
        if bot is not None:
            self.playing = False  # on from the position that is shown
            self.do(self._sit_down(bot))

    async def _sit_down(self, bot: str) -> None:
        listed = await bots_of_server(self._records, self._replay.last_view.rules)
        self.dismiss(await sit_down(self._connection, room_to_play_on(self._replay, self.ply, bot, listed)))

    def action_review(self) -> None:
        self._reviewing.start()

    async def on_unmount(self) -> None:
        await self._reviewing.stop()

    def action_leave(self) -> None:
        self.dismiss(None)

    @on(CommandLine.KeysAsked)
    def _keys_asked(self) -> None:
        self.action_keys()

    @on(CommandLine.Steered)
    def _steer(self, event: CommandLine.Steered) -> None:
        steps = {"left": -1, "up": -1, "right": 1, "down": 1, "previous": -PAGE, "next": PAGE}
        steps |= {"first": -self._replay.plies, "last": self._replay.plies}
        if event.direction is None:
            self.action_leave()
        elif event.direction == "on":
            self.action_autoplay()
        else:
            self.action_step(steps[event.direction])

    @on(CommandLine.Entered)
    def _entered(self, event: CommandLine.Entered) -> None:
        word = clean(event.line).strip().lower().removeprefix("/")
        leaving = exit_asked(word)
        if leaving is Exit.QUIT:
            self.app.exit(self.exit_status)
        elif leaving is Exit.BACK:
            self.action_leave()
        elif word == "review":
            self.action_review()
        elif word == "play":
            self.action_play_on()
        elif word.startswith("play "):
            self._play_on_against(word.partition(" ")[2].strip())
        elif not word:
            self.action_step(1)
        elif word.isascii() and word.isdigit() and len(word) < 9:
            self._go_to(int(word))
        else:
            self.complain(t("replay.number", plies=self._replay.plies))
