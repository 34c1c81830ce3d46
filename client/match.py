"""`noughts match`: two bots play each other on this machine, without a server."""

from __future__ import annotations

import json
import platform
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Final, Protocol

import click

from client import match_report
from client.tools import BotType, GameType
from engine.match import Pairing, Played, Task, tasks
from engine.notation import shown
from engine.player import NO_LIMIT, Limit, check
from engine.position import Rules
from engine.record import to_json_line, to_text
from engine.roster import Bot
from server import arena

INTERRUPTED: Final = 130
STILL_STARTING: Final = "No game is over yet. (The first run of all compiles the searches, which takes half a minute.)"
LINE_EVERY_S: Final = 10
"""Between two lines of progress where stderr is no terminal."""
PATIENCE_S: Final = 4
"""Without a game finished after that, the user is told what may take so long."""
MAX_GAMES: Final = 1_000_000
MAX_PLIES: Final = 20
"""Of an opening."""

_BOUNDS: Final = ("move_ms", "nodes", "depth")
_LARGEST: Final = (1 << 63) - 1


class LimitType(click.ParamType[Limit]):
    """`move_ms=100`, `nodes=1000` or `depth=3`."""

    name = "limit"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Limit:
        if isinstance(value, Limit):
            return value
        name, _, number = str(value).partition("=")
        if name in _BOUNDS and number.isascii() and number.isdigit() and len(number) < 19 and int(number) > 0:
            return Limit(**{name: int(number)})
        raise click.UsageError(f"{shown(str(value))} is no limit: write move_ms=100, nodes=1000 or depth=3.")


@click.command()
@click.argument("a", type=BotType())
@click.argument("b", type=BotType())
@click.option("--game", type=GameType(), required=True, help="What to play: qubic, mnk:7,7,4, ...")
@click.option(
    "--games",
    type=click.IntRange(1, MAX_GAMES),
    default=100,
    show_default=True,
    help="How many games; an odd number is rounded up, since games come in pairs.",
)
@click.option(
    "--limit",
    type=LimitType(),
    default=NO_LIMIT,
    metavar="BOUND",
    help="What both may spend on a move: move_ms=100, nodes=1000 or depth=3; by default their own depth.",
)
@click.option("--seed", type=click.IntRange(-_LARGEST, _LARGEST), default=0, show_default=True)
@click.option(
    "--openings",
    "plies",
    type=click.IntRange(0, MAX_PLIES),
    default=2,
    show_default=True,
    help="Plies of each opening, drawn from --seed.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 1024), help="Games at a time; by default one fewer than there are cores."
)
@click.option("--record", "path", type=click.Path(path_type=Path), help="Write the games to FILE.jsonl or FILE.txt.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def match(
    a: Bot,
    b: Bot,
    game: Rules,
    games: int,
    limit: Limit,
    seed: int,
    plies: int,
    jobs: int | None,
    path: Path | None,
    as_json: bool,
) -> int:
    """Let bots A and B play each other and print the score of A.

    Every opening is played twice, with sides swapped. With a limit of nodes or depth, or none, the games depend on
    the seed alone (but Altekar's bots then keep his 5 seconds a move).
    """
    pairs = (games + 1) // 2
    pairing = Pairing(game.id, a, b, pairs, limit, limit, seed, plies)
    try:
        for bot in (a, b):
            check(bot, game, limit)
        listed = tasks(pairing)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    done: list[Played] = []
    with ExitStack() as stack:
        recorder = stack.enter_context(_recorder(path)) if path else None
        progress = stack.enter_context(_progress(len(listed)))
        if games % 2:
            progress.say(f"Games come in pairs: {len(listed)} are played.")
        interrupted = _play(listed, jobs or arena.default_jobs(), done, recorder, progress)
    report = match_report.report(pairing, done)
    if as_json:
        click.echo(json.dumps({**match_report.data(report), "interrupted": interrupted}, indent=2, allow_nan=False))
    else:
        click.echo("\n".join(match_report.lines(report)))
    return INTERRUPTED if interrupted else 0


def _play(listed: Iterable[Task], jobs: int, done: list[Played], recorder: Recorder | None, progress: Progress) -> bool:
    """Plays the tasks and adds them to `done` as they end. True if the user ended it before."""

    def explain() -> None:
        if not done:
            progress.say(STILL_STARTING)

    waiting = threading.Timer(PATIENCE_S, explain)
    waiting.daemon = True
    waiting.start()
    try:
        with closing(arena.played(tuple(listed), jobs)) as games:
            for played in games:
                done.append(played)
                if recorder is not None:
                    recorder.add(played)
                if played.fault is not None:
                    progress.say(played.fault)
                progress.show(done)
    except KeyboardInterrupt:
        progress.say("Interrupted: these are the games so far.")
        return True
    finally:
        waiting.cancel()
    return False


class Recorder:
    """Writes games to a file in the order of the match, whatever the order in which they end."""

    def __init__(self, file: IO[str], path: Path) -> None:
        self._file = file
        self._path = path
        self._as_text = path.suffix == ".txt"
        self._next = 0
        self._early: dict[int, Played] = {}
        self._software = version("noughts")
        self._machine = platform.node() or None

    def add(self, played: Played) -> None:
        self._early[played.task.number] = played
        while self._next in self._early:
            self._write(self._early.pop(self._next))
            self._next += 1

    def finish(self) -> None:
        """Writes what still waits for games that were never finished."""
        for number in sorted(self._early):
            self._write(self._early.pop(number))

    def _write(self, played: Played) -> None:
        record = replace(played.record, software=self._software, machine=self._machine)
        with _failing_in_one_sentence(self._path):
            self._file.write(to_text(record) if self._as_text else to_json_line(record) + "\n")
            self._file.flush()


@contextmanager
def _recorder(path: Path) -> Iterator[Recorder]:
    if path.suffix not in (".jsonl", ".txt"):
        raise click.UsageError(f"--record takes a file that ends in .jsonl or .txt, not {shown(path.name)}.")
    with _failing_in_one_sentence(path):
        file = path.open("w", encoding="utf-8", newline="\n")
    with closing(file):
        recorder = Recorder(file, path)
        yield recorder
        recorder.finish()


@contextmanager
def _failing_in_one_sentence(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise click.ClickException(f"{shown(str(path))} cannot be written: {why or error}.") from None


class Progress(Protocol):
    """Where stderr is told how far the match is."""

    def show(self, done: list[Played]) -> None: ...
    def say(self, sentence: str) -> None: ...


@contextmanager
def _progress(games: int) -> Iterator[Progress]:
    if sys.stderr.isatty():
        with _bar(games) as bar:
            yield bar
    else:
        yield Lines(games)


class Lines:
    """Plain lines, one now and then."""

    def __init__(self, games: int, every_s: float = LINE_EVERY_S) -> None:
        self._games = games
        self._every_s = every_s
        self._shown_s = time.monotonic()

    def show(self, done: list[Played]) -> None:
        now_s = time.monotonic()
        if now_s - self._shown_s >= self._every_s:
            self._shown_s = now_s
            click.echo(f"{len(done)} of {self._games} games: {_standing(done)}", err=True)

    def say(self, sentence: str) -> None:
        click.echo(sentence, err=True)


@contextmanager
def _bar(games: int) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as rich:
        task = rich.add_task("", total=games)

        class Bar:
            def show(self, done: list[Played]) -> None:
                rich.update(task, completed=len(done), description=_standing(done))

            def say(self, sentence: str) -> None:
                rich.console.print(sentence, markup=False, highlight=False)

        yield Bar()


def _standing(done: list[Played]) -> str:
    points = [played.a_points for played in done]
    return f"{points.count(1)} won, {points.count(0.5)} drawn, {points.count(0)} lost"
