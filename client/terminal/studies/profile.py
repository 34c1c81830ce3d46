"""Players: who they are, their ratings over time, their places in ladders, and their games."""

from __future__ import annotations

from client.sdk import NoRecord, Player
from client.sdk.answers import LadderPlace, OnlineRating
from client.sdk.answers import Profile as ProfileAnswer
from client.sdk.records import RecordedGame, RecordedPlayer
from client.sdk.text import clean
from client.terminal.language import t, there_is
from client.terminal.records.words import ASCII_BARS, BARS, day
from client.terminal.seating import BadChoice
from client.terminal.studies.figures import elo
from client.terminal.studies.records_study import RecordsStudy, game_choices
from client.terminal.studies.study import Choice, Next, Study, StudyContext
from client.terminal.words import room as words
from client.terminal.words.lobby import name_of

_NEWEST_GAMES = 200
"""Games among whose players a name is looked for; the server sends no more at a time."""
_HISTORY_COLUMNS = 40


class Profile(RecordsStudy):
    _player: ProfileAnswer

    def __init__(self, context: StudyContext, id: str) -> None:
        super().__init__(context)
        self._id = id
        self._games: list[RecordedGame] = []

    async def begin(self) -> None:
        try:
            self._player = await self.context.records.player(self._id)
        except NoRecord:
            raise BadChoice(t("player.none")) from None
        self._games = await self.context.records.games_of(self._id)
        name = clean(self._player.name)
        self.title = words.bot_name(name) if self._player.kind == "bot" else name

    def sentences(self) -> list[str]:
        player = self._player
        told = [t("player.kind.bot") if player.kind == "bot" else t("player.since", when=day(player.since_ms))]
        if player.bot is not None:
            key = f"bots.{player.bot.family}.character"
            told.append(t(key) if there_is(key) else clean(player.bot.character))
        for rating in player.ratings:
            told += [line for line in (_rating_line(rating), self._history(rating)) if line]
        if player.ladder:
            told.append(t("player.ladders"))
            told += [_place_line(place) for place in player.ladder]
        return [*told, t("figures.newest" if self._games else "figures.nogames")]

    def _history(self, rating: OnlineRating) -> str:
        """The ratings as bars, the oldest first; empty where there is nothing to compare."""
        values = [point.rating for point in rating.history][-_HISTORY_COLUMNS:]
        if len(values) < 2:
            return ""
        low, high = min(values), max(values)
        bars = ASCII_BARS if self.context.look.ascii else BARS
        steps = [round((value - low) / (high - low or 1) * (len(bars) - 1)) for value in values]
        return "  " + t("player.history", bars="".join(bars[step] for step in steps), low=round(low), high=round(high))

    def choices(self) -> list[Choice]:
        return game_choices(self._games)


def _rating_line(rating: OnlineRating) -> str:
    told = t(
        "player.rating", game=name_of(rating.game), rating=round(rating.rating), spread=round(2 * rating.deviation)
    )
    return f"{told}, {t('player.rating.games', count=rating.games)}"


def _place_line(place: LadderPlace) -> str:
    where = t("player.place", place=place.place, of=place.of)
    interval = t("figures.range", low=elo(place.low), high=elo(place.high))
    told = f"  {clean(place.ladder)} · {name_of(place.game)}: {where}, {elo(place.rating)} ({interval})"
    return f"{told}, {t('player.retired')}" if place.retired else told


class Players(RecordsStudy):
    """Several players who have one name."""

    def __init__(self, context: StudyContext, name: str, players: list[Player | RecordedPlayer]) -> None:
        super().__init__(context)
        self.title = t("player.several", name=name)
        self._players = players

    def sentences(self) -> list[str]:
        return [t("player.which")]

    def choices(self) -> list[Choice]:
        return [
            Choice(player.id, t("player.line", name=words.player_name(player), id=clean(player.id)))
            for player in self._players
        ]

    async def obey(self, typed: str) -> Next:
        if any(player.id == typed for player in self._players):
            return Profile(self.context, typed)
        return await super().obey(typed)


async def player_study(context: StudyContext, asked: str) -> Study:
    """The player whom an id or a name means, oneself if nothing. Raises BadChoice, NoughtsError.

    The server finds players by id alone. A name is looked for among those who are here and those of the newest games.
    """
    if not asked:
        return Profile(context, context.connection.player.id)
    if asked.isascii() and asked.isdigit():
        return Profile(context, asked)
    found = await _named(context, asked)
    if not found:
        raise BadChoice(t("player.unnamed", name=repr(asked[:40]), games=_NEWEST_GAMES))
    return Profile(context, found[0].id) if len(found) == 1 else Players(context, asked, found)


async def _named(context: StudyContext, name: str) -> list[Player | RecordedPlayer]:
    lobby = await context.lobby()
    games = await context.records.newest_games(_NEWEST_GAMES)
    seen: list[Player | RecordedPlayer] = [context.connection.player, *lobby.people]
    seen += [player for room in lobby.rooms for player in (room.x, room.o)]
    seen += [player for game in games for player in (game.x, game.o)]
    wanted = name.casefold()
    found = {player.id: player for player in seen if wanted in (player.name.casefold(), _shown(player).casefold())}
    return list(found.values())


def _shown(player: Player | RecordedPlayer) -> str:
    return words.player_name(player)
