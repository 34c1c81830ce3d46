"""What the lists of the lobby's screen offer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text
from textual.widgets.option_list import Option

from client.sdk import Player, SeatChoice
from client.sdk.records import RecordedGame
from client.terminal.language import t
from client.terminal.preferences import LastGame
from client.terminal.records import words as record_words
from client.terminal.studies.table import STUDIES, study_name
from client.terminal.words import lobby as lobby_words
from client.terminal.words import room as words
from client.terminal.words.games import game_name
from engine.rules import registry
from server.wire import PaceAsked


def games(last: LastGame | None) -> Iterator[Option]:
    """The kinds of games, after the game that was played last."""
    if last is not None:
        yield Option(Text(_last_line(last)), id="again")
    for game in registry.games():
        yield Option(game_name(game), id=f"game {game.id}")
    yield from (Option(study_name(word), id=f"study {word}") for word in STUDIES)
    yield Option(t("menu.records"), id="games")
    yield Option(t("menu.settings"), id="settings")
    yield Option(t("menu.leave"), id="leave")


def _last_line(last: LastGame) -> str:
    game = lobby_words.name_of(last.game)
    return t("menu.again", game=game, opponent=t(f"menu.again.{last.opponent}", bot=words.bot_name(last.bot or "")))


def records(played: Sequence[RecordedGame]) -> Iterator[Option]:
    yield from (Option(Text(record_words.line_of(game)), id=f"replay {game.id}") for game in played)
    yield Option(t("menu.back"), id="back")


def opponents(
    bots: Mapping[str, str], people: Sequence[Player], clock: str, seat: SeatChoice, pace: PaceAsked | None
) -> Iterator[Option]:
    """Opponents to choose from, and the settings of the game. `bots` maps names to lines."""
    yield Option(t("menu.friend"), id="invite")
    yield Option(t("menu.open"), id="open")
    yield Option(t("menu.self"), id="self")
    for player in people:
        yield Option(lobby_words.challenge_line(player), id=f"player {player.id}")
    yield Option(t("menu.clock", clock=t("menu.clock.none") if clock == "none" else clock), id="clock")
    yield Option(t(f"menu.seat.{seat}"), id="seat")
    yield Option(t("menu.pace.human" if pace else "menu.pace.now"), id="pace")
    for name, line in bots.items():
        yield Option(Text(line), id=f"bot {name}")
    yield Option(t("menu.another"), id="back")


def lobby_options(sections: list[lobby_words.Section], boards: dict[str, Text]) -> Iterator[Option]:
    if not sections:
        yield Option(t("lobby.nobody"), disabled=True)
    for section in sections:
        yield Option(Text(section.title, style="bold underline"), disabled=True)
        for entry in section.entries:
            board = boards.get(entry.key.partition(" ")[2])
            yield Option(
                Text(entry.line) if board is None else Text.assemble(entry.line, "\n", board, "\n"), id=entry.key
            )
