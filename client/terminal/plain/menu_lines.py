"""The lobby in lines, for a terminal that plays plainly: questions, answered by number, by name or by a word."""

from __future__ import annotations

from enum import Enum
from typing import Final

from client.sdk import Connection, NoughtsError
from client.sdk.records import Records
from client.sdk.text import clean
from client.terminal import menu_words
from client.terminal.drawing.boards import Look
from client.terminal.language import t
from client.terminal.menu_words import Decline, Rename, ReplayGame, SetClock
from client.terminal.plain.lines import Lines, Print, patiently
from client.terminal.plain.study_lines import go_through
from client.terminal.preferences import SETTINGS, Preferences
from client.terminal.records import words as record_words
from client.terminal.seating import BadChoice, NewRoom, Seating
from client.terminal.studies.study import StudyContext
from client.terminal.studies.table import OpenStudy, open_study
from client.terminal.trouble import trouble_words
from client.terminal.typed.commands import NotNow, Wear
from client.terminal.typed.exits import Exit, exit_asked
from client.terminal.words import lobby as lobby_words
from client.terminal.words.bots import bots_of_server, offered_bots
from client.terminal.words.games import game_name, rules_sentences
from engine.rules import registry
from engine.rules.position import Rules
from server.wire import ClockSettings, Lobby, Opponent, Player


class _Ask(Enum):
    """Nothing was chosen, and the player is not leaving: ask again."""

    AGAIN = "again"


_AGAIN: Final = _Ask.AGAIN


async def choose(
    lines: Lines,
    err: Print,
    connection: Connection,
    records: Records,
    preferences: Preferences,
    look: Look | None = None,
) -> Seating | ReplayGame | None:
    """Ask until there is an answer; None at the end of input."""
    return await _LineMenu(lines, err, connection, records, preferences, look or Look()).choose()


class _LineMenu:
    def __init__(
        self,
        lines: Lines,
        err: Print,
        connection: Connection,
        records: Records,
        preferences: Preferences,
        look: Look,
    ) -> None:
        self._lines = lines
        self._err = err
        self._connection = connection
        self._records = records
        self._preferences = preferences
        self._look = look
        self._clock: ClockSettings | None = None
        self._listed: list[str] = []
        """The choices that were listed last."""

    async def choose(self) -> Seating | ReplayGame | None:
        while True:
            choice: Rules | Seating | ReplayGame | _Ask | None = await self._choose_game()
            while choice is not None and not isinstance(choice, Seating | ReplayGame | _Ask):
                for sentence in rules_sentences(choice):
                    self._err(sentence)
                choice = await self._choose_opponent(choice)
            if choice is not _AGAIN:
                return choice

    async def _choose_game(self) -> Rules | Seating | ReplayGame | None:
        games = registry.games()
        while True:
            answer = await self._answer(t("lines.game"), [game_name(game) for game in games])
            if answer is None or isinstance(answer, int):
                return None if answer is None else games[answer]
            chosen = await self._obeyed(answer)
            if chosen is not _AGAIN:
                return chosen

    async def _obeyed(self, typed: str) -> Rules | Seating | ReplayGame | _Ask | None:
        """What a word chooses; None to leave."""
        try:
            asked = menu_words.asked(typed)
            match asked:
                case "quit":
                    return None
                case "help" | "back":
                    self._help()
                case "settings":
                    self._err("\n".join(self._preferences.line(setting) for setting in SETTINGS))
                case "premove" | "confirm" | "thoughts":
                    self._err(self._preferences.switch(asked))
                case Wear():
                    self._err(self._preferences.wear(asked.theme))
                case "lobby":
                    self._listed = []
                    return await self._choose_in_lobby()
                case "games":
                    self._listed = []
                    return await self._choose_record()
                case OpenStudy():
                    self._listed = []
                    return await self._study(asked)
                case Rename() | SetClock():
                    await self._set(asked)
                case Decline():
                    await self._decline(asked.name)
                case _:
                    return asked
        except (BadChoice, NotNow, NoughtsError) as problem:
            self._err(trouble_words(problem))
        return _AGAIN

    def _help(self) -> None:
        self._err("\n".join(f"{typed:<14}  {meaning}" for typed, meaning in menu_words.help_rows()))

    async def _set(self, asked: Rename | SetClock) -> None:
        if isinstance(asked, Rename):
            player = await patiently(self._err, self._connection.rename(asked.name))
            self._err(t("menu.renamed", name=clean(player.name)))
        else:
            self._clock = asked.clock
            self._err(t("lines.clock", clock=asked.written))

    async def _decline(self, name: str) -> None:
        challenge = lobby_words.challenge_by(await self._lobby(), name)
        await patiently(self._err, self._connection.decline_challenge(challenge.room))
        self._err(lobby_words.declined_words(challenge))

    async def _study(self, asked: OpenStudy) -> Seating | _Ask | None:
        context = StudyContext(self._connection, self._records, self._look, self._preferences)
        study = await patiently(self._err, open_study(context, asked))
        after = await go_through(study, self._lines, self._err, context)
        if isinstance(after, Exit):
            return _AGAIN if after is Exit.BACK else None
        return after

    async def _lobby(self) -> Lobby:
        """The lobby as it is now; lines that change by themselves would be in the way."""
        lobby = await patiently(self._err, self._connection.lobby(True))
        await self._connection.lobby(False)
        return lobby

    async def _choose_in_lobby(self) -> Rules | Seating | ReplayGame | _Ask | None:
        lobby = await self._lobby()
        on = self._connection
        sections = lobby_words.sections(lobby, on.player.id, on.rooms, on.held)
        told = t("lines.lobby", who=lobby_words.count_words(lobby))
        if not sections:
            self._err(f"{told}\n{t('lobby.nobody')}")
            return _AGAIN
        entries = [entry for section in sections for entry in section.entries]
        answer = await self._answer(
            told,
            [
                t("lines.entry", section=section.title, line=entry.line)
                for section in sections
                for entry in section.entries
            ],
        )
        if answer is None:
            return None
        return entries[answer].seating if isinstance(answer, int) else await self._obeyed(answer)

    async def _choose_record(self) -> Rules | Seating | ReplayGame | _Ask | None:
        games = await patiently(self._err, self._records.games_of(self._connection.player.id))
        if not games:
            self._err(t("menu.norecords"))
            return _AGAIN
        answer = await self._answer(t("lines.record"), [record_words.line_of(game) for game in games])
        if answer is None:
            return None
        return ReplayGame(games[answer].id) if isinstance(answer, int) else await self._obeyed(answer)

    async def _choose_opponent(self, game: Rules) -> Rules | Seating | ReplayGame | _Ask | None:
        opponents = {
            t("lines.friend"): Opponent(kind="invite"),
            t("lines.open"): Opponent(kind="open"),
            t("lines.self"): Opponent(kind="self"),
        }
        opponents |= {
            lobby_words.challenge_line(player): Opponent(kind="player", player=player.id)
            for player in await self._people()
        }
        bots = offered_bots(game, await patiently(self._err, bots_of_server(self._records, game)))
        opponents |= {line: Opponent(kind="bot", bot=name) for name, line in bots.items()}
        while True:
            answer = await self._answer(t("lines.opponent"), list(opponents))
            if answer is None:
                return None
            if isinstance(answer, str) and (leaving := exit_asked(answer)) is not None:
                return _AGAIN if leaving is Exit.BACK else None
            opponent = (
                list(opponents.values())[answer] if isinstance(answer, int) else menu_words.opponent_asked(answer)
            )
            if opponent is not None:
                return NewRoom(game=game.id, opponent=opponent, clock=self._clock)
            chosen = await self._obeyed(str(answer))
            if chosen is not _AGAIN:
                return chosen

    async def _people(self) -> list[Player]:
        try:
            return lobby_words.people(await self._lobby(), self._connection.player.id)
        except NoughtsError:
            return []

    async def _answer(self, question: str, choices: list[str]) -> int | str | None:
        """The index of a choice by its number, or what else was typed; None at the end of input.

        Choices that are still the last ones listed are not listed again, so that what was told since can be read; an
        empty line asks for them.
        """
        if choices != self._listed:
            self._list(question, choices)
        while (line := await self._lines.next()) is not None:
            typed = clean(line).strip()
            if typed.isascii() and typed.isdigit() and len(typed) < 4:
                if 1 <= int(typed) <= len(choices):
                    return int(typed) - 1
                self._err(t("lines.numbers", last=len(choices)))
            elif typed:
                return typed
            else:
                self._list(question, choices)
        return None

    def _list(self, question: str, choices: list[str]) -> None:
        self._err(question)
        for number, choice in enumerate(choices, 1):
            self._err(f"{number:>3}  {choice}")
        self._listed = choices
