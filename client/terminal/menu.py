"""The menu: which game, then against whom. It ends with a room."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from client.connection import Connection, LiveRoom, Refused, SeatChoice, Unreachable
from client.game_view import NotUnderstood
from client.terminal.bot_choice import offered_bots
from client.terminal.seating import BadChoice, JoinRoom, NewRoom, Seating, game_or_room, parse_clock, sit_down
from client.text import clean
from engine.position import Rules
from engine.rules import registry
from server.protocol import Opponent, PaceAsked

_CLOCKS = ("none", "1+0", "3+2", "5+3", "10s")
_SEATS: tuple[SeatChoice, ...] = ("x", "o", "random")
_SEAT_WORDS = {"x": "X, you move first", "o": "O", "random": "drawn by lot"}
_PACE_WORDS: dict[PaceAsked | None, str] = {None: "at once", "human": "at a human pace"}
_CHOOSE_GAME = "Which game?"
_TYPE_GAME = "or type a game id (mnk:7,7,5), an invitation's code or a link"
_TYPE_BOT = "or type a bot's name (alphabeta:4); Escape goes back"


class MenuScreen(Screen[LiveRoom]):
    """Two lists, one after the other, and a line for what no list holds."""

    DEFAULT_CSS = """
    MenuScreen { align: center middle; }
    #menu { width: 78; max-width: 100%; height: 100%; padding: 1 2; }
    #question { height: auto; text-style: bold; margin-bottom: 1; }
    #choices { height: auto; max-height: 1fr; }
    #problem { height: auto; color: $error; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection = connection
        self._game: Rules | None = None
        self._clock = 0
        self._seat = 0
        self._pace: PaceAsked | None = None
        self._busy = False

    def compose(self) -> ComposeResult:
        with Vertical(id="menu"):
            yield Static(id="question")
            yield OptionList(id="choices", markup=False)
            yield Static(id="problem")
            yield Input(id="typed", select_on_focus=False)

    def on_mount(self) -> None:
        self._ask()
        self.query_one(OptionList).focus()

    def _ask(self, highlighted: int = 0) -> None:
        """Show the question for the game, or once there is one for the opponent."""
        game = self._game
        question = _CHOOSE_GAME if game is None else f"{game.name}: against whom?\n\n{' '.join(game.sentences)}"
        self.query_one("#question", Static).update(Text(question))
        self.query_one(Input).placeholder = _TYPE_GAME if game is None else _TYPE_BOT
        choices = self.query_one(OptionList)
        choices.clear_options()
        choices.add_options(self._games() if game is None else self._opponents(game))
        choices.highlighted = highlighted
        self._complain("")

    def _games(self) -> Iterator[Option]:
        for room in self._connection.rooms:
            yield Option(f"Go back to your game in room {clean(room)}", id=f"room {room}")
        for game in registry.games():
            yield Option(game.name, id=f"game {game.id}")
        yield Option("Leave", id="leave")

    def _opponents(self, game: Rules) -> Iterator[Option]:
        yield Option("A friend, by an invitation", id="invite")
        yield Option("Anybody: wait in the lobby", id="open")
        yield Option("Two people at this screen", id="self")
        yield Option(f"Clock: {_CLOCKS[self._clock]}", id="clock")
        yield Option(f"Your seat: {_SEAT_WORDS[_SEATS[self._seat]]}", id="seat")
        yield Option(f"Bots answer {_PACE_WORDS[self._pace]}", id="pace")
        for name, line in offered_bots(game).items():
            yield Option(Text(line), id=f"bot {name}")
        yield Option("Another game", id="back")

    def on_key(self, event: events.Key) -> None:
        """Letters go to the line and arrows to the list, whichever has the focus."""
        line, choices = self.query_one(Input), self.query_one(OptionList)
        if self.focused is choices and event.is_printable and event.character is not None:
            event.stop()
            line.focus()
            line.insert_text_at_cursor(event.character)
        elif self.focused is line and event.key in ("up", "down"):
            event.stop()
            choices.focus()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        word, _, name = (event.option_id or "").partition(" ")
        match word:
            case "game":
                self._choose_game(name)
            case "room":
                self._sit(JoinRoom(room=name))
            case "bot":
                self._sit(self._new_room(Opponent(kind="bot", bot=name)))
            case "invite" | "open" | "self":
                self._sit(self._new_room(Opponent(kind=word)))
            case "clock":
                self._clock = (self._clock + 1) % len(_CLOCKS)
                self._ask(event.option_index)
            case "seat":
                self._seat = (self._seat + 1) % len(_SEATS)
                self._ask(event.option_index)
            case "pace":
                self._pace = None if self._pace else "human"
                self._ask(event.option_index)
            case "back":
                self.action_back()
            case _:
                self.app.exit(0)

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        text, event.input.value = clean(event.value).strip(), ""
        if not text:
            return
        if self._game is not None:
            self._sit(self._new_room(Opponent(kind="bot", bot=text)))
            return
        try:
            choice = game_or_room(text)
        except BadChoice as problem:
            self._complain(str(problem))
            return
        if isinstance(choice, JoinRoom):
            self._sit(choice)
        else:
            self._choose_game(choice.id)

    def _choose_game(self, game_id: str) -> None:
        self._game = registry.rules(game_id)
        self._ask()
        self.query_one(OptionList).focus()

    def _new_room(self, opponent: Opponent) -> NewRoom:
        return NewRoom(
            game=self._game.id if self._game is not None else "tictactoe",
            opponent=opponent,
            seat=None if opponent.kind == "self" else _SEATS[self._seat],
            clock=parse_clock(_CLOCKS[self._clock]),
            pace=self._pace if opponent.kind == "bot" else None,
        )

    def _sit(self, seating: Seating) -> None:
        if not self._busy:
            self._busy = True
            self.run_worker(self._sit_down(seating), name="sit")

    async def _sit_down(self, seating: Seating) -> None:
        try:
            room = await sit_down(self._connection, seating)
        except (Refused, Unreachable, NotUnderstood) as error:
            self._complain(str(error))
        else:
            self.dismiss(room)
        finally:
            self._busy = False

    def action_back(self) -> None:
        self._game = None
        self._ask()
        self.query_one(OptionList).focus()

    def _complain(self, sentence: str) -> None:
        self.query_one("#problem", Static).update(Text(sentence))
