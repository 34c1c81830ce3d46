"""Figures without a board, whose games can be replayed: what ladders, players and lists of games share."""

from __future__ import annotations

from collections.abc import Sequence

from client.sdk.records import RecordedGame
from client.terminal.language import t
from client.terminal.records import words as record_words
from client.terminal.studies.study import Choice, Next, Study, StudyContext


class RecordsStudy(Study):
    has_board = False

    async def obey(self, typed: str) -> Next:
        word, _, rest = typed.partition(" ")
        if word.lower() == "replay" and rest.strip():
            return await self.context.replay(record_words.number_in(rest))
        return await super().obey(typed)

    def help_rows(self) -> list[tuple[str, str]]:
        return [("replay NUMBER", t("menu.help.replay"))]


class GameList(RecordsStudy):
    """Games to replay, the newest first."""

    def __init__(self, context: StudyContext, title: str, games: Sequence[RecordedGame]) -> None:
        super().__init__(context)
        self.title = title
        self._games = games

    def sentences(self) -> list[str]:
        return [t("figures.newest" if self._games else "figures.nogames")]

    def choices(self) -> list[Choice]:
        return game_choices(self._games)


def game_choices(games: Sequence[RecordedGame]) -> list[Choice]:
    return [Choice(f"replay {game.id}", record_words.line_of(game)) for game in games]
