"""The screen of a study: the board, what is told of it, a list to choose from and a line to type in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical
from textual.reactive import reactive
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from client.sdk import LiveRoom
from client.sdk.text import clean
from client.terminal.drawing.text import wrapped
from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.command_line import CommandLine
from client.terminal.full_screen.help_screen import HelpScreen
from client.terminal.full_screen.key_footer import KeyFooter
from client.terminal.full_screen.replay_screen import ReplayScreen
from client.terminal.full_screen.screen import SpokenScreen
from client.terminal.full_screen.steered_list import SteeredList
from client.terminal.language import t
from client.terminal.plain.study_lines import common_help
from client.terminal.records.replay import Replay
from client.terminal.seating import BadChoice, sit_down
from client.terminal.studies.position import replay_of_moves
from client.terminal.studies.study import Next, Study, StudyContext, numbered
from client.terminal.typed.exits import Exit, exit_asked
from engine.rules import registry

_KEYS = (("key.arrows", "steer"), ("key.tab", "choose"), ("key.escape", "leave"))
_STEPS = {"previous": "p", "next": "n"}

_EMPTY = replay_of_moves(registry.rules("tictactoe"), ()).last_view
"""Stands where a board will be."""


class StudyScreen(SpokenScreen[LiveRoom | None]):
    """Ends with a room to sit in, or with None when it is left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "keys", "footer.keys", key_display="?"),
        Binding("f2", "previous", "footer.previous", key_display="F2"),
        Binding("f3", "next", "footer.next", key_display="F3"),
        Binding("escape,f9", "leave", "footer.back", key_display="Esc"),
    ]

    in_list = reactive(False, init=False)
    """Whether the keys steer the list, else the cursor on the board."""

    def __init__(self, study: Study, context: StudyContext) -> None:
        super().__init__(classes="table-screen")
        self._study = study
        self._study_context = context
        self._is_steered = study.has_board and study.takes_moves
        self._pointed: tuple[str, int | None] | None = None
        self._board = BoardView(study.view or _EMPTY, context.look) if study.has_board else None
        self._choices = SteeredList("choices")
        self._side = Vertical(self._choices, id="side")
        self._line = CommandLine(
            placeholder=t("study.placeholder" if self._is_steered else "study.placeholder.figures"),
            select_on_focus=False,
            compact=True,
        )

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        with Horizontal(id="table"):
            with Vertical(id="play"):
                yield Static(id="turn")
                if self._board is not None:
                    yield ScrollableContainer(self._board, id="boardroom", can_focus=False)
            yield self._side
        yield Static(id="problem")
        yield self._line
        yield KeyFooter()

    def on_mount(self) -> None:
        self.set_class(not self._study.has_board, "-figures")
        self._study.changed = self._show
        self.put("#heading", Text(self._study.title))
        self.app.title = f"noughts · {self._study.title}"
        self._line.focus()
        self.in_list = not self._is_steered
        self._do_word("")

    def on_screen_resume(self) -> None:
        self.app.title = f"noughts · {self._study.title}"

    async def on_unmount(self) -> None:
        self._study.changed = lambda: None
        await self._study.stop()

    # Showing

    def _show(self) -> None:
        study, board = self._study, self._board
        self.put("#heading", Text(study.title))
        self.put("#turn", Text("\n".join(study.sentences())))
        if board is not None and study.view is not None:
            board.view = study.view
            pointed = (study.view.rules.id, study.cursor)
            if pointed != self._pointed:  # else the player may have moved it
                self._pointed, board.cursor = pointed, study.cursor
        choices = study.choices()
        words = [choice.word for choice in choices]
        # Of equal words each has its number, and keeps it where others come before it.
        options = [
            Option(_Row(choice.line), id=f"{words[:at].count(choice.word)} {choice.word}")
            for at, choice in enumerate(choices)
        ]
        self._choices.refill(options, is_news=not self.is_busy)
        if board is not None:
            board.display = study.view is not None
        self._side.display = bool(options)

    def complain(self, sentence: str) -> None:
        self.put("#problem", Text(sentence))

    # Obeying

    def _do_word(self, word: str) -> None:
        """No word opens the study."""
        self.do(self._obey(word))

    async def _obey(self, word: str) -> None:
        study = self._study
        await study.open()
        following = await study.obey(word) if word else None
        if isinstance(following, Study):
            await following.open()
        self.complain("")
        self._show()
        await self._follow(following)

    async def _follow(self, following: Next) -> None:
        context = self._study_context
        if isinstance(following, Study):
            self.app.push_screen(StudyScreen(following, context), self._came_back)
        elif isinstance(following, Replay):
            self.app.push_screen(
                ReplayScreen(following, context.look, context.connection, context.records), self._came_back
            )
        elif following is not None:
            self._came_back(await sit_down(context.connection, following))

    def _came_back(self, room: LiveRoom | None) -> None:
        if room is not None:
            self.dismiss(room)

    @on(OptionList.OptionSelected, "#choices")
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self._choose(event.option_id or "")

    def _choose(self, option: str) -> None:
        if option:
            self._do_word(option.partition(" ")[2])

    @on(CommandLine.TabPressed)
    def _tab_pressed(self) -> None:
        self.in_list = not self.in_list

    def validate_in_list(self, in_list: bool) -> bool:
        return in_list or not self._is_steered

    def watch_in_list(self) -> None:
        self._choices.active = self.in_list

    @on(BoardView.Chosen)
    def _clicked(self, event: BoardView.Chosen) -> None:
        view = self._study.view
        if view is not None and self._is_steered:
            self._do_word(view.rules.format_move(event.cell))

    @on(CommandLine.Entered)
    def _entered(self, event: CommandLine.Entered) -> None:
        typed = clean(event.line).strip().removeprefix("/")
        match exit_asked(typed) or typed.lower():
            case Exit.BACK:
                self.action_leave()
            case Exit.QUIT:
                self.app.exit(self.exit_status)
            case "help":
                self.action_keys()
            case "" if self.in_list:
                self._choose(self._choices.chosen)
            case "":
                self._play_cursor()
            case _:
                self._do_typed(typed)

    @on(CommandLine.Steered)
    def _steer(self, event: CommandLine.Steered) -> None:
        board = self._board
        if self.in_list and event.direction is not None:
            self._choices.steer(event.direction)
        elif self.in_list and self._is_steered:
            self.in_list = False
        elif event.direction is None:
            if board is not None and board.cursor is not None and self._study.cursor is None:
                board.cursor = None
            else:
                self.action_leave()
        elif event.direction == "first" or event.direction == "last":
            self._step("start" if event.direction == "first" else "end")
        elif board is not None and event.direction != "on":
            board.steer(event.direction)

    def _do_typed(self, typed: str) -> None:
        try:
            self._do_word(numbered(self._study.choices(), typed))
        except BadChoice as problem:
            self.complain(str(problem))

    def _play_cursor(self) -> None:
        view = self._study.view
        if view is not None and self._board is not None and self._board.cursor is not None:
            self._do_word(view.rules.format_move(self._board.cursor))

    @on(CommandLine.KeysAsked)
    def _keys_asked(self) -> None:
        self.action_keys()

    def palette(self) -> Iterator[tuple[str, Callable[[], Awaitable[None] | None]]]:
        yield from super().palette()
        for choice in self._study.choices():
            yield choice.line, partial(self._do_word, choice.word)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return _STEPS.get(action, "") in {"", *self._study.steps}

    def _step(self, word: str) -> None:
        if word in self._study.steps:
            self._do_word(word)

    def action_previous(self) -> None:
        self._step("p")

    def action_next(self) -> None:
        self._step("n")

    def action_keys(self) -> None:
        keys = [(t(key), t(f"study.keys.{told}")) for key, told in _KEYS if self._is_steered or told != "steer"]
        self.app.push_screen(
            HelpScreen((t("keys.title"), keys), (t("typed.title"), [*self._study.help_rows(), *common_help()]))
        )

    def action_leave(self) -> None:
        self.dismiss(None)


class _Row:
    """A choice in the columns that it is given."""

    def __init__(self, line: str) -> None:
        self._line = line

    def __str__(self) -> str:
        return self._line

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(wrapped(self._line, options.max_width))
