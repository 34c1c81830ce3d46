"""A study in lines: what it shows is printed again whenever it has changed, and typed words are handed on."""

from __future__ import annotations

import asyncio

from client.sdk import NoughtsError
from client.sdk.text import clean
from client.terminal.drawing.boards import draw_view
from client.terminal.language import t
from client.terminal.plain import replay_lines
from client.terminal.plain.lines import Lines, Print, patiently
from client.terminal.seating import BadChoice, Seating
from client.terminal.studies.study import Next, Study, StudyContext, numbered
from client.terminal.trouble import trouble_words
from client.terminal.typed.commands import NotNow
from client.terminal.typed.exits import Exit, exit_asked


async def go_through(study: Study, lines: Lines, err: Print, context: StudyContext) -> Seating | Exit:
    """Go through a study until it is left, or somebody wants to sit down. One that cannot begin is a sentence."""
    return await _StudyLines(study, lines, err, context).run()


class _StudyLines:
    def __init__(self, study: Study, lines: Lines, err: Print, context: StudyContext) -> None:
        self._study = study
        self._lines = lines
        self._err = err
        self._context = context
        self._titled = ""
        self._shown: tuple[str, ...] = ()
        self._chosen_from: tuple[str, ...] = ()
        self._news = asyncio.Event()
        self._typing: asyncio.Task[str | None] | None = None

    async def run(self) -> Seating | Exit:
        self._study.changed = self._news.set
        try:
            await patiently(self._err, self._study.open())
            return await self._obey_lines()
        except (NoughtsError, BadChoice, NotNow) as error:
            self._err(trouble_words(error))
            return Exit.BACK
        finally:
            await self._study.stop()
            if self._typing is not None:
                self._typing.cancel()

    async def _obey_lines(self) -> Seating | Exit:
        while True:
            await self._study.settled()
            self._show()
            line = await self._next_line()
            if line is None:
                return Exit.QUIT
            typed = clean(line).strip().removeprefix("/")
            leaving = exit_asked(typed)
            if leaving is not None:
                return leaving
            match typed.lower():
                case "":
                    continue
                case "help" | "?":
                    self._help()
                case "board":
                    self._shown = self._chosen_from = ()
                case _:
                    following = await self._follow(await self._obeyed(typed))
                    if following is not None:
                        return following

    async def _obeyed(self, typed: str) -> Next:
        try:
            return await patiently(self._err, self._study.obey(numbered(self._study.choices(), typed)))
        except (NoughtsError, BadChoice, NotNow) as error:
            self._err(trouble_words(error))
            return None

    async def _follow(self, following: Next) -> Seating | Exit | None:
        """Look at what comes next; None once that was left and this one is looked at again."""
        if following is None or isinstance(following, Seating):
            return following
        context = self._context
        after: Seating | Exit
        if isinstance(following, Study):
            after = await go_through(following, self._lines, self._err, context)
        else:
            after = await replay_lines.go_through(
                following, self._lines, self._err, context.look, context.connection, context.records
            )
        if after is not Exit.BACK:
            return after
        self._shown = self._chosen_from = ()
        self._study.changed = self._news.set
        return None

    async def _next_line(self) -> str | None:
        """The next line; changes in the meantime are printed."""
        typing = self._typing = self._typing or asyncio.ensure_future(self._lines.next())
        while not typing.done():
            self._news.clear()
            news = asyncio.ensure_future(self._news.wait())
            await asyncio.wait([typing, news], return_when=asyncio.FIRST_COMPLETED)
            news.cancel()
            if not typing.done():
                self._show()
        self._typing = None
        return typing.result()

    def _show(self) -> None:
        """Show what is to be seen, unless it has been; the choices only if they have changed."""
        told, choices = tuple(self._told()), tuple(self._choices())
        if self._study.title != self._titled:
            self._titled = self._study.title
            self._err(self._titled)
        if told != self._shown or choices != self._chosen_from:
            self._err("\n".join(told if choices == self._chosen_from else (*told, *choices)))
            self._shown, self._chosen_from = told, choices

    def _told(self) -> list[str]:
        study = self._study
        board = [str(draw_view(study.view, self._context.look, study.cursor))] if study.view is not None else []
        return [*board, *study.sentences()]

    def _choices(self) -> list[str]:
        return [f"{place:>3}  {choice.line}" for place, choice in enumerate(self._study.choices(), 1)]

    def _help(self) -> None:
        rows = [*self._study.help_rows(), *common_help()]
        self._err("\n".join(f"{typed:<14}  {meaning}" for typed, meaning in rows))


def common_help() -> list[tuple[str, str]]:
    """What every study obeys."""
    return [(t("study.typed.number"), t("study.help.number")), ("back, quit", t("study.help.leave"))]
