"""Shows a running ladder on stderr: live tables on a terminal, otherwise a plain line from time to time."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Final, Protocol

import click

from server.ladder.outlook import outlook
from server.ladder.run import LadderRun, RunningList

if TYPE_CHECKING:
    from rich.text import Text

LINE_EVERY_S: Final = 60.0


class Screen(Protocol):
    """Shows the user how the ladder is doing."""

    def show(self, run: LadderRun) -> None: ...
    def say(self, sentence: str) -> None: ...
    def away(self) -> AbstractContextManager[None]:
        """The terminal is somebody else's meanwhile."""


@contextmanager
def screen() -> Iterator[Screen]:
    """Tables if stderr is a terminal, else lines."""
    if sys.stderr.isatty():
        with _tables() as tables:
            yield tables
    else:
        yield Lines()


class Lines:
    """A line from time to time."""

    def __init__(self, every_s: float = LINE_EVERY_S) -> None:
        self._every_s = every_s
        self._shown_s: float | None = None

    def show(self, run: LadderRun) -> None:
        now_s = time.monotonic()
        if self._shown_s is None:
            self._shown_s = now_s - self._every_s + 10  # the first line soon
        if now_s - self._shown_s >= self._every_s:
            self._shown_s = now_s
            ahead = f"; {settles}" if (settles := outlook(run)) else ""
            click.echo(f"{time.strftime('%H:%M')} {summary(run)}; {leaders(run)}{ahead}", err=True)

    def say(self, sentence: str) -> None:
        click.echo(f"{time.strftime('%H:%M')} {sentence}", err=True)

    def away(self) -> AbstractContextManager[None]:
        return nullcontext()


def summary(run: LadderRun) -> str:
    """Games, games an hour, time left."""
    rate = run.games / run.hours if run.hours else 0.0
    parts = [f"{run.games:,} games", f"{rate:,.0f}/h"]
    left_s = run.left_s
    if left_s is not None:
        parts.append(f"{duration(left_s)} left")
    if run.held:
        parts.append("paused while people play")
    return ", ".join(parts)


def leaders(run: LadderRun) -> str:
    return ", ".join(f"{one.config.name} {_state(one)}{_leader(one)}" for one in run.lists)


def duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"


def _state(one: RunningList) -> str:
    if one.complete:
        return f"complete ({one.schedule.round.reason})"
    return f"{one.progress:.0%}" if one.progress < 1 else f"round {one.schedule.round.number + 1}"


def _leader(one: RunningList) -> str:
    if one.standings is None:
        return ""
    first = one.standings.order[0]
    return f": {one.config.label(first)} {one.standings.bots[first].rating:+.0f}"


def widest(one: RunningList) -> int:
    """The width of the longest name in its standings."""
    return max(len(one.config.label(bot)) for bot in range(len(one.config.entrants)))


def standing_lines(one: RunningList, room: int | None = None, width: int = 0) -> list[str]:
    """A list's standings as text, best first, then bots without games; with `room` no more bots than that.

    Names are at least `width` wide.
    """
    games = 2 * one.pairs
    whole = "" if one.complete or one.progress >= 1 else " of the round robin"
    lines = [f"{one.config.name}: {games:,} games, {_state(one)}{whole}"]
    found = one.standings
    if found is None or not games:
        return [*lines, "  no standings yet"][: None if room is None else room + 1]
    width = max(width, widest(one))
    for place, bot in enumerate(found.order[:room], start=1):
        if bot in found.unplayed:
            lines.append(f"      {one.config.label(bot):{width}}  no games yet")
            continue
        standing = found.bots[bot]
        # Short enough for 80 columns, whatever the bot's name.
        certain = standing.superiority
        # Never 100: certain it never is.
        sure = "" if certain is None else f"  {min(99, round(100 * certain)):3} % stronger than next"
        if bot in found.retired:
            sure = "  retired"
        if bot in found.left:
            sure = "  left"
        lines.append(
            f"  {place:3} {one.config.label(bot):{width}} {standing.rating:+6.0f}"
            f"  ({standing.low:+5.0f} to {standing.high:+5.0f}){sure}"
        )
    return (
        lines
        if room is not None
        else [*lines, *_test(one), f"  moving first is worth {found.fitted.advantage:+.0f} Elo"]
    )


def _test(one: RunningList) -> list[str]:
    """How far an SPRT has got."""
    line_up = one.config.line_up()
    if line_up.test is None:
        return []
    bounds = f"{line_up.test.lower:.2f} to {line_up.test.upper:.2f}"
    return [f"  log-likelihood ratio {one.schedule.llr(line_up):.2f} (the test ends outside {bounds})"]


@contextmanager
def _tables() -> Iterator[Screen]:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    with Live(console=console, refresh_per_second=2, transient=True) as live:

        class Tables:
            def show(self, run: LadderRun) -> None:
                live.update(_page(run, console.height))

            def say(self, sentence: str) -> None:
                live.console.print(sentence, markup=False, highlight=False)

            @contextmanager
            def away(self) -> Iterator[None]:
                live.stop()
                try:
                    yield
                finally:
                    live.start()

        live.update(
            Text("The workers are starting. (The very first run compiles the searches, which takes half a minute.)")
        )
        yield Tables()


def _page(run: LadderRun, height: int) -> Text:
    """As many bots of each list as the terminal has room for."""
    from rich.text import Text

    width = max(map(widest, run.lists))
    page = Text(no_wrap=True, overflow="ellipsis")
    page.append(f"{run.ladder.name}: {summary(run)}", "bold")
    settles = outlook(run)
    if settles:
        page.append(f"\n{settles}")
    for one, room in zip(run.lists, rooms(run, height - 2 - bool(settles)), strict=True):
        title, *bots = standing_lines(one, room, width)
        page.append(f"\n{title}", "bold")
        page.append("".join(f"\n{bot}" for bot in bots))
    return page


def rooms(run: LadderRun, lines: int) -> list[int]:
    """How many bots of each list fit into this many lines, when each list needs one for its name."""
    wanted = [len(one.config.entrants) for one in run.lists]
    given = [0] * len(wanted)
    left = lines - len(wanted)
    while left > 0 and given != wanted:
        for place, bots in enumerate(wanted):
            if left > 0 and given[place] < bots:
                given[place] += 1
                left -= 1
    return given
