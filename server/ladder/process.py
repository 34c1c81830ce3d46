"""One process of a ladder from its start to its last line: alone with its database, ended in order by a signal."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from server.console.as_json import print_json
from server.console.exits import INTERRUPTED
from server.console.interrupts import Handler, ending_signals, expect_next, handled
from server.db.connect import DatabaseError
from server.db.lock import claim, ladder_suffix
from server.db.migrate import prepare
from server.ladder.as_json import PlayedLadder, standing
from server.ladder.config import Ladder
from server.ladder.outlook import outlook
from server.ladder.run import Bounds, LadderRun
from server.ladder.screen import Screen, screen, standing_lines
from server.ladder.store import LadderLost, LadderStore
from server.workers.arena import default_jobs

_BY_SIGNAL: Final = "interrupted"


def play(
    asked: Ladder,
    path: Path,
    bounds: Bounds,
    *,
    jobs: int | None,
    cluster: str | None,
    nice: int,
    as_json: bool,
    held_from_stdin: bool,
) -> int:
    """Answers the exit status. Raises ClickException."""
    try:
        prepare(path)  # first, so that nothing is created next to a foreign file
        with _alone(path, asked.name):
            with screen() as shows:
                playing, reason = _run(
                    asked, path, jobs or default_jobs(), cluster, bounds, nice, shows, held_from_stdin
                )
            # Not earlier: tables on a terminal take their lines away when they end, and would take these.
            _print_results(playing, path, reason, as_json)
    except (DatabaseError, LadderLost) as error:
        raise click.ClickException(str(error)) from None
    return INTERRUPTED if reason == _BY_SIGNAL else 0


def _run(
    asked: Ladder,
    path: Path,
    jobs: int,
    cluster: str | None,
    bounds: Bounds,
    nice: int,
    shows: Screen,
    held_from_stdin: bool,
) -> tuple[LadderRun, str]:
    """Answers what was played, and why it stopped."""
    store = LadderStore(path)
    try:
        playing = LadderRun(asked, store, jobs, bounds, shows.say, nice, cluster)
    except BaseException:
        store.close()
        raise
    with _stopped_by_signals(playing, shows):
        if held_from_stdin:
            _listen(playing)
        lists = f"{len(asked.lists)} list{'s' if len(asked.lists) > 1 else ''}"
        games = f"{playing.jobs} game{'s' if playing.jobs > 1 else ''} at a time"
        shows.say(f"{asked.name}: {lists}, {games}, database {path}.")
        at_once = False
        try:
            try:
                reason = playing.run(shows.show)
                if reason == _BY_SIGNAL:
                    shows.say("Ending in order; a second Ctrl-C ends it at once. What is recorded stays recorded.")
            finally:
                playing.close()
        except KeyboardInterrupt:
            at_once = True  # what is not written yet is played again
            raise
        finally:
            if not at_once:
                store.close()  # the database may be locked for a minute, in which a second Ctrl-C ends it too
    shows.say(f"The ladder stopped: {reason}. It recorded {playing.games:,} games.")
    return playing, reason


def _print_results(playing: LadderRun, path: Path, reason: str, as_json: bool) -> None:
    if as_json:
        lists_told = [standing(one) for one in playing.lists]
        print_json(PlayedLadder(playing.ladder.name, str(path), reason, playing.games, lists_told))
    else:
        for one in playing.lists:
            click.echo("\n".join(standing_lines(one)))
        if settles := outlook(playing, ended=True):
            click.echo(f"{settles[0].upper()}{settles[1:]}.")


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
def _stopped_by_signals(playing: LadderRun, shows: Screen) -> Iterator[None]:
    """The first Ctrl-C ends the ladder in order; the second at once. Ctrl-Z suspends it."""

    def stop(number: int, frame: object) -> None:
        playing.stop(_BY_SIGNAL)
        if number != signal.SIGINT:
            expect_next(number)
        else:  # not always what was before: a shell has what it starts in the background ignore Ctrl-C
            signal.signal(number, signal.default_int_handler)

    def suspend(number: int, frame: object) -> None:
        playing.suspend(stand_still)

    def stand_still() -> None:
        with shows.away():
            # Not by SIGSTOP, which stops even what no shell could continue.
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTSTP)
            signal.signal(signal.SIGTSTP, suspend)

    handlers: dict[int, Handler] = dict.fromkeys((signal.SIGINT, *ending_signals()), stop)
    if signal.getsignal(signal.SIGTSTP) != signal.SIG_IGN:
        handlers[signal.SIGTSTP] = suspend
    with handled(handlers):
        yield


def _listen(playing: LadderRun) -> None:
    """Obeys `hold` and `go` from stdin, and stops when that ends: with the server that started the ladder."""

    def obey() -> None:
        for line in sys.stdin:
            playing.hold(line.strip() == "hold")
        playing.stop("the server has ended")

    threading.Thread(target=obey, name="ladder held", daemon=True).start()
