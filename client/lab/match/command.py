"""`noughts match`: two bots play each other on this machine, without a server."""

from __future__ import annotations

import platform
import re
import threading
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Final

import click
from click.shell_completion import CompletionItem

from client.lab.match import report as match_report
from client.lab.match.sprt import SequentialTest, SprtResult
from engine.bots.match import Pairing, Played, Task, tasks
from engine.bots.player import NO_LIMIT, Limit, check
from engine.bots.roster import Bot
from engine.record.json_line import to_json_line
from engine.record.tagged_text import to_text
from engine.rules.notation import shown
from engine.rules.position import O, Rules, X, other
from engine.stats.sprt import Sprt
from server.console.arguments import LIMITS, BotType, GameType, items
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.exits import INTERRUPTED
from server.console.interrupts import interrupted_by_signals, signals_wait
from server.console.progress import Progress, Step, progress
from server.workers.cluster.option import cluster_option
from server.workers.engines.option import engines_option

STILL_STARTING: Final = (
    "No game has finished yet. (The very first run compiles the searches, which takes half a minute.)"
)
GIVEN_UP: Final = 1
ABSENT: Final = 5
"""Games that a bot may lose in a row before its first move: with one that never is ready, a match would take hours."""
PATIENCE_S: Final = 4
"""If no game has finished by then, the user is told why."""
GAMES: Final = 100
MOST_GAMES: Final = 20_000
"""Limit for a test without a verdict."""
MAX_GAMES: Final = 1_000_000
MAX_PLIES: Final = 20
"""Plies of an opening."""

_BOUNDS: Final = ("move_ms", "nodes", "depth")
_LARGEST: Final = (1 << 63) - 1
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)", re.ASCII)


class LimitType(click.ParamType[Limit]):
    """`move_ms=100`, `nodes=1000` or `depth=3`."""

    name = "limit"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Limit:
        if isinstance(value, Limit):
            return value
        name, _, number = str(value).partition("=")
        if name in _BOUNDS and number.isascii() and number.isdigit() and len(number) < 19 and int(number) > 0:
            return Limit(**{name: int(number)})
        raise click.UsageError(f"{shown(str(value))} is not a limit: write move_ms=100, nodes=1000 or depth=3.")

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        return items(incomplete, ((limit, None) for limit in LIMITS))


class SprtType(click.ParamType[Sprt]):
    """`0,10`: the Elo of H0 and of H1."""

    name = "sprt"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Sprt:
        if isinstance(value, Sprt):
            return value
        numbers = [number.strip() for number in str(value).split(",")]
        if len(numbers) != 2 or not all(_NUMBER.fullmatch(number) for number in numbers):
            raise click.UsageError(f"{shown(str(value))} is not a test: write two Elo differences, as in --sprt 0,10.")
        try:
            return Sprt(*(float(number) for number in numbers))
        except ValueError as error:
            raise click.UsageError(str(error)) from None


limit_option = click.option(
    "--limit",
    type=LimitType(),
    default=NO_LIMIT,
    metavar="BOUND",
    help="Limit for both bots' moves: move_ms=100, nodes=1000 or depth=3; by default their own depth.",
)


@click.command(
    epilog=examples(
        "noughts match alphabeta:3 level:4 --game qubic --games 40",
        "noughts match alphabeta:4 alphabeta:3 --game mnk:5,5,4 --sprt 0,10",
        "noughts match level:5 strongest --game ultimate --limit move_ms=100 --record games.jsonl",
    )
)
@click.argument("a", type=BotType())
@click.argument("b", type=BotType())
@engines_option
@click.option("--game", type=GameType(), required=True, help="What to play: qubic, mnk:7,7,4, ...")
@click.option(
    "--games",
    type=click.IntRange(1, MAX_GAMES),
    help=f"Number of games, {GAMES} by default; with --sprt at most this many, {MOST_GAMES} by default. Odd numbers are"
    " rounded up, since games come in pairs.",
)
@click.option(
    "--sprt",
    type=SprtType(),
    metavar="ELO0,ELO1",
    help="Play until it is clear whether A is ELO0 or less stronger than B, or ELO1 or more.",
)
@limit_option
@click.option("--limit-a", "a_limit", type=LimitType(), metavar="BOUND", help="Limit for A, instead of --limit.")
@click.option("--limit-b", "b_limit", type=LimitType(), metavar="BOUND", help="Limit for B, instead of --limit.")
@click.option(
    "--seed",
    type=click.IntRange(-_LARGEST, _LARGEST),
    default=0,
    show_default=True,
    help="Seed of openings and random choices.",
)
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
@cluster_option
@click.option("--record", "path", type=click.Path(path_type=Path), help="Write the games to FILE.jsonl or FILE.txt.")
@json_option("client.lab.outputs:Match")
@interrupted_by_signals()
def match(
    a: Bot,
    b: Bot,
    game: Rules,
    games: int | None,
    sprt: Sprt | None,
    limit: Limit,
    a_limit: Limit | None,
    b_limit: Limit | None,
    seed: int,
    plies: int,
    jobs: int | None,
    cluster: str | None,
    path: Path | None,
    as_json: bool,
) -> int:
    """Let bots A and B play each other and print the score of A.

    Every opening is played twice, with sides swapped. With a limit of nodes or depth, or none, the games depend on
    the seed alone (except that Altekar's bots keep their author's 5 seconds a move).
    """
    games = games or (MOST_GAMES if sprt else GAMES)
    pairing = Pairing(game.id, a, b, (games + 1) // 2, a_limit or limit, b_limit or limit, seed, plies)
    try:
        check(a, game, pairing.a_limit, plies)
        check(b, game, pairing.b_limit, plies)
        listed = tasks(pairing)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    warn_of_slow(game, (a, pairing.a_limit), (b, pairing.b_limit))
    done: list[Played] = []
    test = SequentialTest(sprt) if sprt else None
    with ExitStack() as stack:
        recorder = stack.enter_context(recording(path)) if path else None
        if games % 2:
            click.echo(f"Games come in pairs: playing {len(listed)}.", err=True)
        status = play_all(listed, jobs, done, test, recorder, cluster)
        report = match_report.report(pairing, done, test.result if test else None, interrupted=status != 0)
        if as_json:
            print_json(report)
        else:
            click.echo("\n".join(match_report.lines(report)))
    return status


def warn_of_slow(game: Rules, *players: tuple[Bot, Limit]) -> None:
    """Warns on stderr of a bot whose first move takes ages."""
    for warning in dict.fromkeys(bot.warning(game, limit) for bot, limit in players):
        if warning is not None:
            click.echo(warning, err=True)


def play_all(
    listed: Sequence[Task],
    jobs: int | None,
    done: list[Played],
    test: SequentialTest | None,
    recorder: Recorder | None,
    cluster: str | None = None,
) -> int:
    """Plays the tasks, in `jobs` processes or on a cluster, and adds them to `done` as they end.

    Answers the exit status: 0, INTERRUPTED if the user did, or GIVEN_UP for a bot that makes no moves. A verdict of the
    test ends it too. Games of later pairs that had already started or finished are excluded, so the match does not
    depend on how many games ran at a time.
    """
    with progress() as shows, shows.step("games", len(listed)) as step, _explained(shows, done, cluster):
        try:
            with closing(_games(tuple(listed), jobs, cluster, shows)) as games:
                return _play(games, len(listed), done, test, recorder, shows, step)
        except KeyboardInterrupt:
            shows.say("Interrupted; these are the results so far.")
            return INTERRUPTED


def _games(listed: Sequence[Task], jobs: int | None, cluster: str | None, shows: Progress) -> Generator[Played]:
    # Both take as long to load as all the rest of this command.
    from server.workers.arena import default_jobs
    from server.workers.cluster.games import played_anywhere

    return played_anywhere(listed, jobs or default_jobs(), cluster, shows.say)


@contextmanager
def _explained(shows: Progress, done: Sequence[Played], cluster: str | None) -> Iterator[None]:
    """Says why it takes so long if no game has finished after a while; of a cluster there is more to be said first."""
    if cluster is not None:
        yield
        return
    waiting = threading.Timer(PATIENCE_S, lambda: None if done else shows.say(STILL_STARTING))
    waiting.daemon = True
    waiting.start()
    try:
        yield
    finally:
        waiting.cancel()


def _play(
    games: Iterable[Played],
    of: int,
    done: list[Played],
    test: SequentialTest | None,
    recorder: Recorder | None,
    shows: Progress,
    step: Step,
) -> int:
    tally, absences = Tally(), Absences()
    for played in games:
        with signals_wait():  # what is counted is recorded
            done.append(played)
            tally.add(played)
            if test is not None:
                test.add(played)
                tally.sprt = test.result
                if test.last_pair is not None:
                    _leave_out_after(test.last_pair, done, recorder)
            if recorder is not None:
                recorder.add(played)
        if played.fault is not None:
            shows.say(played.fault)
        step.advance(note=str(tally))
        is_decided = test is not None and test.last_pair is not None
        if is_decided or (recorder is not None and recorder.has_failed):
            break
        if (absent := absences.after(played)) is not None and len(done) < of:
            shows.say(f"{absent.name} has lost {ABSENT} games in a row before its first move: no more are played.")
            return GIVEN_UP
    return 0


def _leave_out_after(last_pair: int, done: list[Played], recorder: Recorder | None) -> None:
    done[:] = [game for game in done if game.task.pair <= last_pair]
    if recorder is not None:
        recorder.leave_out_after(last_pair)


class Recorder:
    """Writes games to a file in the order of the match, in whatever order they end."""

    def __init__(self, file: IO[str], path: Path) -> None:
        self._file = file
        self._path = path
        self._as_text = path.suffix == ".txt"
        self._next = 0
        self._early: dict[int, Played] = {}
        self._software = version("noughts")
        self._machine = platform.node() or None
        self._failure: click.ClickException | None = None

    @property
    def has_failed(self) -> bool:
        """Whether the file cannot be written and further games would be lost; `finish` says so."""
        return self._failure is not None

    def add(self, played: Played) -> None:
        self._early[played.task.number] = played
        while self._next in self._early:
            self._write(self._early.pop(self._next))
            self._next += 1

    def leave_out_after(self, pair: int) -> None:
        """Drops games of later pairs that are not written yet."""
        self._early = {number: played for number, played in self._early.items() if played.task.pair <= pair}

    def finish(self) -> None:
        """Writes games that are still waiting for unfinished earlier ones. Raises click.ClickException."""
        for number in sorted(self._early):
            self._write(self._early.pop(number))
        if self._failure is not None:
            raise self._failure

    def _write(self, played: Played) -> None:
        if self._failure is not None:
            return
        record = replace(played.record, software=self._software, machine=self._machine)
        try:
            with _failing_in_one_sentence(self._path):
                self._file.write(to_text(record) if self._as_text else to_json_line(record) + "\n")
                self._file.flush()
        except click.ClickException as error:
            self._failure = error


@contextmanager
def recording(path: Path) -> Iterator[Recorder]:
    """Says at the end that a file cannot be written, after the figures of the games."""
    if path.suffix not in (".jsonl", ".txt"):
        raise click.UsageError(f"--record needs a file name ending in .jsonl or .txt, not {shown(path.name)}.")
    with _failing_in_one_sentence(path):
        file = path.open("w", encoding="utf-8", newline="\n")
    recorder = Recorder(file, path)
    try:
        yield recorder
        recorder.finish()
    finally:
        with _failing_in_one_sentence(path):  # what could not be written is tried again
            file.close()


@contextmanager
def _failing_in_one_sentence(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise click.ClickException(f"{path} cannot be written: {why or error}.") from None


class Absences:
    """How many games in a row each bot has lost before a move of its own."""

    def __init__(self) -> None:
        self._lost: Counter[Bot] = Counter()

    def after(self, played: Played) -> Bot | None:
        """Takes a game; answers the bot that has lost ABSENT of them."""
        begun = len(played.task.start)
        movers = {X if ply % 2 == 0 else O for ply in range(begun, begun + len(played.record.moves))}
        for side in (X, O):
            bot = played.task.bot(side)
            if side in movers:
                self._lost[bot] = 0
            elif played.fault is not None and played.record.winner == other(side):
                self._lost[bot] += 1
                if self._lost[bot] == ABSENT:
                    return bot
        return None


class Tally:
    """The running score of a match."""

    def __init__(self) -> None:
        self.sprt: SprtResult | None = None
        self._points: Counter[float | None] = Counter()

    def add(self, played: Played) -> None:
        self._points[played.a_points] += 1

    def __str__(self) -> str:
        counted = f"{self._points[1]} won, {self._points[0.5]} drawn, {self._points[0]} lost"
        return counted if self.sprt is None else f"{counted}; LLR {self.sprt.llr:+.2f}"
