"""`noughts ladder run` and `check`: bots play each other for as long as you like, and ratings show who is best."""

from __future__ import annotations

import math
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import click

from engine.rules.notation import shown
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.db.connect import DatabaseError
from server.db.lock import claim, ladder_suffix
from server.db.migrate import prepare
from server.db.options import database_option
from server.ladder.as_json import PlayedLadder, asked_for, standing
from server.ladder.config import BotList, Ladder, parse
from server.ladder.group import INTERRUPTED
from server.ladder.outlook import outlook
from server.ladder.run import Bounds, LadderRun
from server.ladder.screen import Screen, screen, standing_lines
from server.ladder.store import LadderLost, LadderStore
from server.typed_toml import TomlError
from server.workers.arena import default_jobs

MAX_JOBS: Final = 1024
EXAMPLES: Final = Path(__file__).parents[2] / "ladders"
"""At the top of a checkout and of an installation alike."""


_FIRST: Final = {"round-robin": "round robin", "gauntlet": "gauntlet", "sprt": "SPRT that begins with a round"}


def _openings(one: BotList) -> str:
    if one.openings:
        return f"{len(one.openings)} openings of a file"
    openings = one.different_openings
    return f"{'many' if openings is None else openings} openings of {one.opening_plies} plies"


class Until(click.ParamType[float]):
    """A time of the day, which is the next one, or a date with a time; as Unix seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        return until(str(value), datetime.now().astimezone())


def until(text: str, now: datetime) -> float:
    """The Unix time that `07:00` or `2026-11-22T07:00` means at `now`. Raises UsageError."""
    with suppress(ValueError):
        at = datetime.strptime(text, "%H:%M").time()
        # Local time taken apart and put together again, so that a night with a clock change ends at 07:00 all the same.
        day = now.date() if now.time() < at else now.date() + timedelta(days=1)
        wall = datetime.combine(day, at)
        # In such a night an hour comes twice, or not at all: the next moment at which the clock shows that much.
        ends = [wall.replace(fold=fold).timestamp() for fold in (0, 1)]
        return min(end for end in ends if end > now.timestamp() and datetime.fromtimestamp(end) >= wall)
    try:
        seconds = datetime.fromisoformat(text).astimezone().timestamp()
    except (ValueError, OverflowError):
        raise click.UsageError(
            f"{shown(text)} is not a time: write --until 07:00 or --until 2026-11-22T07:00."
        ) from None
    if seconds <= now.timestamp():
        raise click.UsageError(
            f"{shown(text)} is in the past: give a future time, or only a time of day for its next occurrence."
        )
    return seconds


@click.command(epilog=examples("noughts ladder check overnight", "noughts ladder check mine.toml --json"))
@click.argument("config", type=click.Path(path_type=Path))
@json_option("server.ladder.as_json:AskedLadder")
def check(config: Path, as_json: bool) -> None:
    """Show what CONFIG asks for, without playing: a TOML file, or one of the examples overnight and puzzles."""
    asked = _read(config)
    if as_json:
        print_json(asked_for(asked, str(_found(config))))
        return
    for one in asked.lists:
        click.echo(
            f"{one.name}: {one.game}, {len(one.bots)} bots, {one.limit_text}, "
            f"{_openings(one)}, "
            f"{_FIRST[one.mode]} of {2 * one.line_up().robin:,} games"
        )


@click.command(
    epilog=examples(
        "noughts ladder run overnight --db night.db --until 07:00",
        "noughts ladder run mine.toml --db night.db --games 1000 --jobs 4 --json",
    )
)
@click.argument("config", type=click.Path(path_type=Path))
@database_option
@click.option("--until", "until_s", type=Until(), help="Stop at this time: 07:00, or 2026-11-22T07:00.")
@click.option("--hours", type=click.FloatRange(min=0, min_open=True, max=10_000), help="Stop after this many hours.")
@click.option(
    "--games",
    type=click.IntRange(1),
    help="Play this many more games, also of a list whose order is certain; they come in pairs.",
)
@click.option(
    "--jobs", type=click.IntRange(1, MAX_JOBS), help="Games at a time; by default one fewer than there are cores."
)
@click.option(
    "--nice",
    type=click.IntRange(0, 19),
    default=0,
    show_default=True,
    help="Niceness of the ladder and its workers.",
)
@json_option("server.ladder.as_json:PlayedLadder")
@click.option("--held-from-stdin", is_flag=True, hidden=True, help="Read `hold` and `go`, and end with stdin.")
def run(
    config: Path,
    path: Path,
    until_s: float | None,
    hours: float | None,
    games: int | None,
    jobs: int | None,
    nice: int,
    as_json: bool,
    held_from_stdin: bool,
) -> int:
    """Play the lists of CONFIG: a TOML file, or one of the examples overnight and puzzles.

    It stops when they are complete, when a given limit is reached, or at Ctrl-C.

    The same command resumes a ladder that was stopped or killed: recorded pairs of games count, the others are
    played again. A list with other settings is a different list.
    """
    asked = _read(config)
    if until_s is None and asked.until is not None:
        until_s = until(asked.until, datetime.now().astimezone())
    if hours is not None and math.isnan(hours):  # it passes any comparison
        raise click.UsageError("--hours takes a number of hours, not nan.")
    if games is not None:
        games += games % 2
    try:
        prepare(path)  # first, so that nothing is created next to a foreign file
        with _alone(path, asked.name), screen() as shows:
            bounds = Bounds(games, hours, until_s)
            return _run(asked, path, jobs or default_jobs(), bounds, nice, shows, as_json, held_from_stdin)
    except (DatabaseError, LadderLost) as error:
        raise click.ClickException(str(error)) from None


def _run(
    asked: Ladder,
    path: Path,
    jobs: int,
    bounds: Bounds,
    nice: int,
    shows: Screen,
    as_json: bool,
    held_from_stdin: bool,
) -> int:
    store = LadderStore(path)
    try:
        playing = LadderRun(asked, store, jobs, bounds, shows.say, nice)
    except BaseException:
        store.close()
        raise
    with _stopped_by_signals(playing):
        if held_from_stdin:
            _listen(playing)
        lists = f"{len(asked.lists)} list{'s' if len(asked.lists) > 1 else ''}"
        games = f"{jobs} game{'s' if jobs > 1 else ''} at a time"
        shows.say(f"{asked.name}: {lists}, {games}, database {path}.")
        at_once = False
        try:
            try:
                reason = playing.run(shows.show)
            finally:
                playing.close()
        except KeyboardInterrupt:
            at_once = True  # what is not written yet is played again
            raise
        finally:
            if not at_once:
                store.close()  # the database may be locked for a minute, in which a second Ctrl-C ends it too
    shows.say(f"The ladder stopped: {reason}. It recorded {playing.games:,} games.")
    if as_json:
        lists_told = [standing(one) for one in playing.lists]
        print_json(PlayedLadder(asked.name, str(path), reason, playing.games, lists_told))
    else:
        for one in playing.lists:
            click.echo("\n".join(standing_lines(one)))
        if settles := outlook(playing, ended=True):
            click.echo(f"{settles[0].upper()}{settles[1:]}.")
    return INTERRUPTED if reason == "interrupted" else 0


def _read(config: Path) -> Ladder:
    file = _found(config)

    def beside(name: str) -> str:
        """A file that the configuration names."""
        try:
            return (file.parent / name).read_text(encoding="utf-8")
        except OSError as error:
            told = f"{shown(name)} cannot be read beside {shown(file.name)}: {error.strerror}."
            raise click.ClickException(told) from None
        except ValueError:
            raise click.UsageError(f"{shown(name)} is not text; openings are lines of moves.") from None

    try:
        return parse(file.read_text(encoding="utf-8"), beside)
    except OSError as error:
        raise click.ClickException(f"{shown(str(config))} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise click.UsageError(f"{shown(str(config))} is not text; a ladder's configuration is TOML.") from None
    except TomlError as error:
        raise click.UsageError(f"{shown(str(config))}: {error}") from None


def _found(config: Path) -> Path:
    """The file; where there is none, the example `overnight`, which may also be called `ladders/overnight.toml`."""
    if not config.exists():
        for example in EXAMPLES.glob("*.toml"):
            if config in (Path(example.stem), Path(EXAMPLES.name, example.name)):
                return example
    return config


@contextmanager
def _alone(path: Path, name: str) -> Iterator[None]:
    """One process at a time plays a ladder into a database."""
    taken = f"The ladder {name} is already using {path}: stop it, or give this one another name."
    try:
        lock = claim(path, ladder_suffix(name), taken)
    except DatabaseError as error:
        raise click.ClickException(str(error)) from None
    with lock:
        yield


@contextmanager
def _stopped_by_signals(playing: LadderRun) -> Iterator[None]:
    """The first Ctrl-C ends the ladder in order; the second at once."""

    def stop(number: int, frame: object) -> None:
        playing.stop("interrupted")
        # Not always what was before: a shell has what it starts in the background ignore Ctrl-C.
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _listen(playing: LadderRun) -> None:
    """Obeys `hold` and `go` from stdin, and stops when that ends: with the server that started the ladder."""

    def obey() -> None:
        for line in sys.stdin:
            playing.hold(line.strip() == "hold")
        playing.stop("the server has ended")

    threading.Thread(target=obey, name="ladder held", daemon=True).start()
