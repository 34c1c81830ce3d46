"""The ladder: its lists, the standings of one, what a bot scored against each other, and the games of a pair."""

from __future__ import annotations

from client.sdk.answers import LadderList, LadderPage, Standing
from client.sdk.text import clean
from client.terminal.drawing.text import cropped
from client.terminal.language import number, t
from client.terminal.seating import BadChoice
from client.terminal.studies.figures import elo, limit_words, percent
from client.terminal.studies.profile import Profile
from client.terminal.studies.records_study import GameList, RecordsStudy
from client.terminal.studies.study import Choice, Next, StudyContext
from client.terminal.words import room as words
from client.terminal.words.lobby import name_of

_NAME_COLUMNS = 24


def list_words(one: LadderList) -> str:
    """With the list's name where it has one of its own: several lists may be of one game and limit."""
    told = t("ladder.list", game=name_of(one.game), limit=limit_words(one.limit))
    return told if one.list == one.game else f"{told} · {clean(one.list)}"


class LadderLists(RecordsStudy):
    """Every list, the newest first; those of one game or ladder if `only` names it."""

    def __init__(self, context: StudyContext, only: str = "") -> None:
        super().__init__(context)
        self.title = t("ladder.title")
        self._only = only.casefold()
        self._lists: list[LadderList] = []

    async def begin(self) -> None:
        lists = await self.context.records.ladder_lists()
        self._lists = [one for one in lists if self._only in ("", one.game, one.ladder.casefold(), one.run.casefold())]
        if lists and not self._lists:
            raise BadChoice(t("ladder.nolist", name=repr(self._only[:40])))

    def sentences(self) -> list[str]:
        return [t("ladder.lists" if self._lists else "ladder.none")]

    def choices(self) -> list[Choice]:
        return [Choice(one.run, self._line(one)) for one in self._lists]

    def _line(self, one: LadderList) -> str:
        parts = [clean(one.ladder), list_words(one), t("explorer.games", count=one.games)]
        return " · ".join([*parts, t("ladder.running")] if one.running else parts)

    async def obey(self, typed: str) -> Next:
        if any(one.run == typed for one in self._lists):
            return LadderTable(self.context, typed)
        return await super().obey(typed)


class LadderTable(RecordsStudy):
    """The standings of a list."""

    _page: LadderPage

    def __init__(self, context: StudyContext, run: str) -> None:
        super().__init__(context)
        self._run = run

    async def begin(self) -> None:
        self._page = await self.context.records.ladder_list(self._run)
        self.title = f"{clean(self._page.ladder)} · {list_words(self._page)}"

    def sentences(self) -> list[str]:
        if not self._page.standings:
            return [t("ladder.nothing")]
        rated = any(one.rating is not None for one in self._page.standings)
        return [t("ladder.columns" if rated else "ladder.no-ratings")]

    def choices(self) -> list[Choice]:
        return [Choice(one.player, _standing_line(one)) for one in self._page.standings]

    async def obey(self, typed: str) -> Next:
        for one in self._page.standings:
            if typed == one.player or typed.casefold() in (one.bot.casefold(), _bot_name(one).casefold()):
                return Meetings(self.context, self._page, one)
        return await super().obey(typed)

    def help_rows(self) -> list[tuple[str, str]]:
        return [(t("ladder.typed.bot"), t("ladder.help.bot")), *super().help_rows()]


class Meetings(RecordsStudy):
    """What a bot of a list scored against each of the others."""

    def __init__(self, context: StudyContext, page: LadderPage, one: Standing) -> None:
        super().__init__(context)
        self._page = page
        self._one = one
        self.title = f"{_bot_name(one)} · {list_words(page)}"

    def sentences(self) -> list[str]:
        return [_standing_line(self._one), t("ladder.meetings")]

    def choices(self) -> list[Choice]:
        table = self._page.crosstable
        row = table.cells[table.bots.index(self._one.player)] if self._one.player in table.bots else []
        scored = {bot: cell for bot, cell in zip(table.bots, row, strict=True) if cell is not None and cell.games}
        met = [(other, scored[other.player]) for other in self._page.standings if other.player in scored]
        lines = [
            Choice(other.player, t("ladder.meeting", bot=_bot_name(other), points=number(f"{cell.points:g}"),
                                   count=cell.games, share=percent(cell.points / cell.games)))
            for other, cell in met
        ]  # fmt: skip
        return [*lines, Choice("profile", t("ladder.profile", bot=_bot_name(self._one)))]

    async def obey(self, typed: str) -> Next:
        if typed.lower() == "profile":
            return Profile(self.context, self._one.player)
        for other in self._page.standings:
            if typed == other.player or typed.casefold() == other.bot.casefold():
                games = await self.context.records.games_between(self._page.run, self._one.player, other.player)
                title = t("ladder.pair", bot=_bot_name(self._one), other=_bot_name(other))
                return GameList(self.context, title, games)
        return await super().obey(typed)

    def help_rows(self) -> list[tuple[str, str]]:
        return [(t("ladder.typed.bot"), t("ladder.help.pair")), *super().help_rows()]


def _bot_name(one: Standing) -> str:
    name = words.bot_name(clean(one.bot))
    return t("ladder.bot.version", bot=name, version=one.version) if one.versions > 1 else name


def _standing_line(one: Standing) -> str:
    place = f"{one.place}." if one.place is not None else ""
    name = cropped(_bot_name(one), _NAME_COLUMNS)
    rating = ""
    if one.rating is not None and one.low is not None and one.high is not None:
        rating = f"{elo(one.rating):>6}  {t('figures.range', low=elo(one.low), high=elo(one.high))}"
    points = percent(one.points / one.games) if one.games else ""
    results = f"{one.won} · {one.drawn} · {one.lost}"
    retired = t("ladder.retired") if one.retired else ""
    return f"{place:>3} {name:<{_NAME_COLUMNS}} {rating:<24} {points:>6}  {results}  {retired}".rstrip()
