"""The lobby: what is going on, which game, then against whom. Its result is a room or a replay."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, TypeAlias, TypeVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.reactive import reactive
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from client.sdk import Connection, ConnectionState, LiveRoom, NoughtsError, SeatChoice
from client.sdk.records import RecordedGame, Records, ServerBot
from client.sdk.text import clean
from client.terminal import menu_words
from client.terminal.drawing.boards import Look, Picture
from client.terminal.full_screen import menu_lists
from client.terminal.full_screen.board import painted
from client.terminal.full_screen.choice_screen import SettingsScreen
from client.terminal.full_screen.command_line import CommandLine
from client.terminal.full_screen.help_screen import HelpScreen, common_keys
from client.terminal.full_screen.key_footer import KeyFooter
from client.terminal.full_screen.screen import SpokenScreen
from client.terminal.full_screen.steered_list import SteeredList
from client.terminal.full_screen.theme import ThemeAsked
from client.terminal.language import t
from client.terminal.menu_words import Decline, Rename, ReplayGame, SetClock
from client.terminal.preferences import LastGame, Preferences
from client.terminal.records.replay import Replay, replay_of
from client.terminal.seating import BadChoice, JoinRoom, NewRoom, Seating, WatchRoom, parse_clock, sit_down
from client.terminal.studies.study import Study, StudyContext
from client.terminal.studies.table import STUDIES, OpenStudy, open_study, study_name
from client.terminal.trouble import spoken_state, trouble_words
from client.terminal.typed.commands import NotNow, Wear
from client.terminal.words import lobby as lobby_words
from client.terminal.words.bots import offered_bots
from client.terminal.words.games import game_name, rules_sentences
from engine.rules import registry
from engine.rules.position import Rules, UnknownGame
from server.wire import Lobby, Opponent, PaceAsked

Chosen: TypeAlias = LiveRoom | Replay | Study
"""What the player does next."""

_Term = TypeVar("_Term", bound=str)
_CLOCKS = ("none", "1+0", "3+2", "5+3", "10s")
_SEATS: tuple[SeatChoice, ...] = ("x", "o", "random")
_KEYS = (("key.tab", "choose"), ("key.enterclick", "take"), ("key.escape", "back"))
_BESIDE_BOARD = 4
"""Columns that a small board leaves free in the list, half of them before it."""


class MenuScreen(SpokenScreen[Chosen]):
    """Two lists beside each other, the games and the lobby, and a line for what no list holds."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "keys", "footer.keys", key_display="?"),
        Binding("escape", "back", "footer.back", key_display="Esc"),
        Binding("f10", "settings", "footer.settings", key_display="F10"),
    ]

    game: reactive[Rules | None] = reactive[Rules | None](None, init=False)
    """The chosen game, for which an opponent is asked."""
    records: reactive[Sequence[RecordedGame]] = reactive[Sequence[RecordedGame]]((), init=False)
    """Games to replay, where they are what may be chosen."""
    lobby: reactive[Lobby | None] = reactive[Lobby | None](None, init=False)
    bots: reactive[Sequence[ServerBot]] = reactive[Sequence[ServerBot]]((), init=False)
    """what the server says of those that play the game"""
    clock = reactive("none", init=False)
    seat: reactive[SeatChoice] = reactive[SeatChoice]("x", init=False)
    pace: reactive[PaceAsked | None] = reactive[PaceAsked | None](None, init=False)
    problem = reactive("", init=False)
    in_lobby = reactive(False, init=False)
    """Whether the keys steer the list of the lobby, else that of what may be chosen."""

    def __init__(self, connection: Connection, records: Records, look: Look, preferences: Preferences) -> None:
        super().__init__()
        self._look = look
        self._preferences = preferences
        self._connection = connection
        self._records = records
        last = preferences.last or LastGame("", "self")
        self.set_reactive(MenuScreen.clock, last.clock)
        self.set_reactive(MenuScreen.seat, last.seat)
        self.set_reactive(MenuScreen.pace, last.pace)
        self._chooses = False
        """Whether the lists were steered after the line was typed: then Enter means them."""
        self._choices, self._rooms = SteeredList("choices"), SteeredList("lobby")
        self._line = CommandLine(id="typed", select_on_focus=False, compact=True)

    def compose(self) -> ComposeResult:
        yield Static(id="hall")
        with Vertical(id="menu"):
            yield Static(id="question")
            with Container(id="lists"):
                yield self._choices
                with Vertical(id="beside"):
                    yield self._rooms
            yield Static(id="problem")
            yield self._line
        yield KeyFooter()

    def on_mount(self) -> None:
        self.app.title = t("title.lobby")
        self.watch_in_lobby()
        self._show_lobby()
        self._ask()
        self._connection.lobby_changed = self._lobby_changed
        self._enter_lobby()

    def on_unmount(self) -> None:
        self._connection.lobby_changed = None

    # The lobby

    def _enter_lobby(self) -> None:
        self.run_worker(self._ask_for_lobby(), name="lobby")

    async def _ask_for_lobby(self) -> None:
        try:
            self._lobby_changed(await self._connection.lobby(True))
        except NoughtsError as error:
            self.complain(trouble_words(error))

    def _lobby_changed(self, lobby: Lobby) -> None:
        if not self.is_attached:
            return
        self.lobby = lobby

    def watch_lobby(self) -> None:
        self._show_lobby()
        if self.game is not None:
            self._ask(is_news=True)

    def _show_lobby(self) -> None:
        shown = Text(f"noughts · {clean(self._connection.player.name)}")
        lobby = self.lobby
        if lobby is not None:
            shown.append(f" · {lobby_words.count_words(lobby)}")
        self.put("#hall", shown)
        there = lobby if lobby is not None else Lobby(seeks=[], rooms=[], players=0, challenges=[], people=[])
        mine = self._connection.rooms if lobby is not None else []  # what is highlighted now stays so, wherever it goes
        sections = lobby_words.sections(there, self._connection.player.id, mine, self._connection.held)
        self._rooms.refill(list(menu_lists.lobby_options(sections, self._boards(there))), is_news=True)

    def _boards(self, lobby: Lobby) -> dict[str, Text]:
        """Room -> its board, as far as there is room for it."""
        drawn = {room.room: lobby_words.board_of(room, self._look) for room in lobby.rooms}
        width, height = self._rooms.size.width - _BESIDE_BOARD, self._rooms.size.height // 2
        return {
            room: painted(Picture(lines=[[("  ", ""), *line] for line in board.lines]))
            for room, board in drawn.items()
            if board.lines and board.width <= width and len(board.lines) <= height
        }

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_lobby)

    def show_state(self, state: ConnectionState) -> None:
        self.complain("" if state.connected else spoken_state(state).sentence)
        if state.connected:
            self._enter_lobby()  # a new connection must ask again

    # The questions

    def _ask(self, *, is_news: bool = False) -> None:
        """What is to be chosen: a recorded game, an opponent for the game, or a game."""
        game = self.game
        self.set_class(game is not None or bool(self.records), "-choosing")
        self.put("#question", Text(self._question(game)))
        self._line.placeholder = t("menu.type_game" if game is None else "menu.type_bot")
        if self.records:
            options = menu_lists.records(self.records)
        else:
            options = menu_lists.games(self._preferences.last) if game is None else self._opponents(game)
        self._choices.refill(list(options), is_news=is_news)

    def _question(self, game: Rules | None) -> str:
        if self.records:
            return t("menu.records")
        if game is None:
            return t("menu.game")
        question = t("menu.against", game=game_name(game))
        return question if self.has_class("-short") else f"{question}\n\n{' '.join(rules_sentences(game))}"

    def _opponents(self, game: Rules) -> Iterator[Option]:
        people = [] if self.lobby is None else lobby_words.people(self.lobby, self._connection.player.id)
        return menu_lists.opponents(offered_bots(game, self.bots), people, self.clock, self.seat, self.pace)

    def watch_game(self) -> None:
        self.bots, self.records, self.problem = (), (), ""
        self.in_lobby = False
        self._ask()

    def watch_records(self) -> None:
        self.in_lobby = False
        self._ask()

    def watch_bots(self) -> None:
        self._ask()

    def watch_clock(self) -> None:
        self._ask()

    def watch_seat(self) -> None:
        self._ask()

    def watch_pace(self) -> None:
        self._ask()

    def watch_problem(self) -> None:
        self.set_class(bool(self.problem), "-problem")  # which lifts news above it
        self.put("#problem", Text(self.problem))

    # Keys. All of them reach the line, which tells of them in the order they were pressed: a focus that moved between
    # the lists and the line would come too late for keys that arrive together.

    @on(CommandLine.KeysAsked)
    def _keys_asked(self) -> None:
        self.action_keys()

    @on(CommandLine.TabPressed)
    def _tab_pressed(self) -> None:
        self.in_lobby = not self.in_lobby

    @on(CommandLine.Steered)
    def _steer(self, event: CommandLine.Steered) -> None:
        self._chooses = event.direction is not None
        match event.direction:
            case None:
                self.action_back()
            case "left" | "right":
                self.in_lobby = event.direction == "right"
            case direction:
                self._active_list.steer(direction)

    @property
    def _active_list(self) -> SteeredList:
        return self._rooms if self.in_lobby else self._choices

    def validate_in_lobby(self, in_lobby: bool) -> bool:
        return in_lobby and not self.has_class("-choosing")  # which hides the lobby

    def watch_in_lobby(self) -> None:
        self._rooms.active, self._choices.active = self.in_lobby, not self.in_lobby

    def _take_highlighted(self) -> None:
        take = self._take_in_lobby if self.in_lobby else self._take
        take(self._active_list.chosen)

    def palette(self) -> Iterator[tuple[str, Callable[[], Awaitable[None] | None]]]:
        yield from super().palette()
        yield t("menu.records"), partial(self._do_later, self._list_games)
        for word in STUDIES:
            yield study_name(word), partial(self._do_later, partial(self._open, OpenStudy(word)))
        for game in registry.games():
            yield game_name(game), partial(self._choose_game, game.id)

    def _do_later(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.do(work())

    def action_keys(self) -> None:
        rows = [(t(key), t(f"menu.keys.{told}")) for key, told in _KEYS]
        rows += common_keys()
        self.app.push_screen(HelpScreen((t("keys.title"), rows), (t("typed.title"), menu_words.help_rows())))

    def action_settings(self) -> None:
        self.app.push_screen(SettingsScreen(self._preferences))

    @on(OptionList.OptionSelected, "#lobby")
    def _clicked_in_lobby(self, event: OptionList.OptionSelected) -> None:
        self.in_lobby = True
        self._take_in_lobby(event.option_id or "")

    def _take_in_lobby(self, entry: str) -> None:
        kind, _, room = entry.partition(" ")
        if kind:
            self._sit(WatchRoom(room=room) if kind == "watch" else JoinRoom(room=room))

    @on(OptionList.OptionSelected, "#choices")
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self.in_lobby = False
        self._take(event.option_id or "")

    def _take(self, option: str) -> None:
        word, _, name = option.partition(" ")
        match word:
            case "game":
                self._choose_game(name)
            case "again":
                self._play_again()
            case "settings":
                self.action_settings()
            case "games":
                self.do(self._list_games())
            case "replay":
                self.do(self._replay(int(name)))
            case "study":
                self.do(self._open(OpenStudy(name)))
            case "bot":
                self._play(Opponent(kind="bot", bot=name))
            case "player":
                self._play(Opponent(kind="player", player=name))
            case "invite" | "open" | "self":
                self._play(Opponent(kind=word))
            case "clock":
                self.clock = _after(self.clock, _CLOCKS)
            case "seat":
                self.seat = _after(self.seat, _SEATS)
            case "pace":
                self.pace = None if self.pace else "human"
            case "back":
                self.action_back()
            case "leave":
                self.app.exit(self.exit_status)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        if event.value:
            self._chooses = False

    @on(CommandLine.Entered)
    def _entered(self, event: CommandLine.Entered) -> None:
        text = clean(event.line).strip()
        if not text or self._chooses:
            self._take_highlighted()
            return
        try:
            if self.game is not None and (opponent := menu_words.opponent_asked(text)) is not None:
                self._play(opponent)
            else:
                self._obey(menu_words.asked(text))
        except (BadChoice, NotNow) as problem:
            self.complain(str(problem))

    def _obey(self, asked: menu_words.Asked) -> None:
        if isinstance(asked, Seating):
            self._sit(asked)
            return
        match asked:
            case ReplayGame():
                self.do(self._replay(asked.number))
            case OpenStudy():
                self.do(self._open(asked))
            case Rename():
                self.do(self._rename(asked.name))
            case Decline():
                self.do(self._decline(asked.name))
            case SetClock():
                self.clock, self.problem = asked.written, ""
            case Wear():
                self.post_message(ThemeAsked(asked.theme))
            case "games":
                self.do(self._list_games())
            case "help":
                self.action_keys()
            case "settings":
                self.action_settings()
            case "premove" | "confirm" | "thoughts":
                self.notify(self._preferences.switch(asked), markup=False)
            case "quit":
                self.app.exit(self.exit_status)
            case "back" | "lobby":
                self.action_back()
            case _:
                self._choose_game(asked.id)

    def _choose_game(self, game_id: str) -> None:
        self.records, self.game = (), registry.rules(game_id)
        self.run_worker(self._ask_for_bots(self.game), name="bots", exclusive=True, group="bots")

    async def _ask_for_bots(self, game: Rules) -> None:
        """Ratings and engines are told once they are there; our bots can be played before."""
        with suppress(NoughtsError):
            bots = await self._records.bots(game.id)
            if self.game is game:
                self.bots = bots

    def _play_again(self) -> None:
        last = self._preferences.last
        if last is None:
            return
        try:
            self._choose_game(last.game)
            room = _room(last.game, Opponent(kind=last.opponent, bot=last.bot), last.clock, last.seat, last.pace)
        except UnknownGame as problem:
            self.complain(trouble_words(problem))
        else:
            self._sit(room)

    def _play(self, opponent: Opponent) -> None:
        game = self.game.id if self.game is not None else "tictactoe"
        last = None
        if opponent.kind != "player":
            last = LastGame(game, opponent.kind, opponent.bot, self.clock, self.seat, self.pace)
        self._sit(_room(game, opponent, self.clock, self.seat, self.pace), last)

    # Doing

    def _sit(self, seating: Seating, last: LastGame | None = None) -> None:
        self.do(self._sit_down(seating, last))

    async def _sit_down(self, seating: Seating, last: LastGame | None) -> None:
        """`last` is what is offered as the game to play again, once there is a room."""
        room = await sit_down(self._connection, seating)
        if last is not None:
            self._preferences.remember(last)
        await self._leave_lobby()
        self.dismiss(room)

    async def _replay(self, number: int) -> None:
        replay = replay_of(await self._records.game(number), self._connection.player.id)
        await self._leave_lobby()
        self.dismiss(replay)

    async def _open(self, asked: OpenStudy) -> None:
        study = await open_study(StudyContext(self._connection, self._records, self._look, self._preferences), asked)
        self.dismiss(study)  # without leaving the lobby first: some studies need no server

    async def _decline(self, name: str) -> None:
        challenge = lobby_words.challenge_by(await self._connection.lobby(True), name)
        await self._connection.decline_challenge(challenge.room)
        self.complain("")
        self.notify(lobby_words.declined_words(challenge), markup=False)

    async def _rename(self, name: str) -> None:
        player = await self._connection.rename(name)
        self.complain("")
        self._show_lobby()
        self.notify(t("menu.renamed", name=clean(player.name)), markup=False)

    async def _list_games(self) -> None:
        self.records = await self._records.games_of(self._connection.player.id)
        self.complain("" if self.records else t("menu.norecords"))

    async def _leave_lobby(self) -> None:
        self._connection.lobby_changed = None
        with suppress(NoughtsError):
            await self._connection.lobby(False)

    def action_back(self) -> None:
        self.game, self.records, self.problem = None, (), ""

    def complain(self, sentence: str) -> None:
        self.problem = sentence


def _after(one: _Term, all_: Sequence[_Term]) -> _Term:
    """The next of them, in a circle; the first after another one that was typed."""
    return all_[(all_.index(one) + 1) % len(all_)] if one in all_ else all_[0]


def _room(game: str, opponent: Opponent, clock: str, seat: SeatChoice, pace: PaceAsked | None) -> NewRoom:
    return NewRoom(
        game=game,
        opponent=opponent,
        seat=None if opponent.kind == "self" else seat,
        clock=parse_clock(clock),
        pace=pace if opponent.kind == "bot" else None,
    )
