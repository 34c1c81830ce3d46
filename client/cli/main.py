"""The `noughts` command. Its subcommands are imported when they are used, so that help and errors come at once."""

from __future__ import annotations

import errno
import importlib
import os
import shutil
import signal
import sys
import textwrap
from collections.abc import Sequence
from io import TextIOWrapper

import click

from server.console.exits import INTERRUPTED
from server.console.lazy import Lazy, LazyGroup
from server.console.streams import forget

_COMMANDS: dict[str, Lazy] = {
    "play": Lazy("client.terminal.command:play", "Play in the terminal: a bot, a friend, anyone."),
    "serve": Lazy("client.cli.serve:serve", "Run the server: page, games and records on one port."),
    "bot": Lazy("client.cli.bot:bot", "Run a network bot as a service: many rooms, by rules."),
    "bots": Lazy("client.lab.bots:bots", "List the bots."),
    "engines": Lazy("client.lab.engines.command:engines", "Check other people's engines before they play."),
    "match": Lazy("client.lab.match.command:match", "Let two bots play each other, without a server."),
    "simulate": Lazy("client.lab.simulate.command:simulate", "Play many games of one pairing: wins, times, moves."),
    "ladder": Lazy("server.ladder.group:ladder", "Let many bots play each other for hours and rate them."),
    "experiment": Lazy("client.lab.experiments.command:experiment", "Repeat the literature's experiments."),
    "ugi": Lazy("client.lab.brain.ugi:ugi", "Speak UGI on stdin and stdout, for arenas.", hidden=True),
    "brain": Lazy("client.lab.brain.group:brain", "Be an engine in other people's arenas."),
    "servt": Lazy("client.lab.servt.command:servt", "Host agents of UNSW's nine-board game."),
    "export-bot": Lazy("client.lab.brain.export:export_bot", "Print a bot as one file, for CodinGame."),
    "solve": Lazy("client.lab.solve.command:solve", "Solve a game: who wins with best play, and how fast."),
    "verify": Lazy("client.lab.verify.command:verify", "Check a proof with code independent of the solver."),
    "learn": Lazy("client.lab.learn.command:learn", "Learn an evaluation from recorded games."),
    "perft": Lazy("client.lab.perft:perft", "Count the move sequences of a game."),
    "bench": Lazy("client.lab.bench.command:bench", "Measure the server or the engine on this machine."),
    "db": Lazy("server.db.command:db", "Check, migrate and back up the database."),
    "admin": Lazy("server.admin.command:admin", "Give orders to a running server: players, rooms."),
    "report": Lazy("server.report.command:report", "Report on recorded games, with charts."),
    "review": Lazy("server.report.review.command:review", "Judge the moves of many recorded games."),
    "sql": Lazy("server.report.sql.command:sql", "Ask the database a question in SQL, read-only."),
    "notebook": Lazy("server.report.notebook_command:notebook", "Open the records as a notebook in the browser."),
    "export": Lazy("server.report.export.command:export", "Write recorded games as JSONL, text, CSV or Parquet."),
    "schema": Lazy("client.cli.schema:schema", "Print the JSON Schema of what a command prints with --json."),
    "completion": Lazy("client.cli.completion:completion", "Complete commands, games and bots in your shell."),
}
"""In the order in which they are shown."""
_WIDEST = 100
"""Columns of help and of errors; a terminal may have fewer."""


@click.group(
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": _WIDEST},
)
@click.version_option(package_name="noughts", message="noughts %(version)s")
def cli() -> None:
    """Play, study and rank the tic-tac-toe family: 3x3, m,n,k, gomoku, Qubic, nine-board, Ultimate and Super."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0, 1 where it failed, 2 for what the user got wrong, 130 when interrupted.

    Errors are one sentence on stderr; one about usage names the help. A reader that has gone (`| head`) is no error.
    """
    sys.unraisablehook = _interrupted_in_a_callback
    sys.exit(_status(arguments))


def _status(arguments: Sequence[str] | None) -> int:
    _open_missing_streams()
    _write_what_stdout_lacks()
    if _COMPLETION in os.environ:
        importlib.import_module("client.cli.completion")  # says how bash asks
    try:
        status = cli.main(arguments, prog_name="noughts", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as usage:
        _to_stderr(usage.format_message())
        return 2
    except click.ClickException as error:
        hint = f" ({error.ctx.command_path} --help)" if isinstance(error, click.UsageError) and error.ctx else ""
        _to_stderr(_for_its_reader(f"noughts: {_sentence(error)}{hint}"))
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:  # click meets most of them itself, and exits with 1 too
        forget(sys.stdout)
        return 1
    except OSError as error:
        if error.errno not in _FULL:
            raise
        forget(sys.stdout)
        _to_stderr(f"noughts: {error.filename or 'The output'} cannot be written: {error.strerror}.")
        return 1
    return status if isinstance(status, int) else 0


def _interrupted_in_a_callback(lost: sys.UnraisableHookArgs) -> None:
    """Python drops what is raised in a callback from C, such as LLVM's while it compiles: raise a dropped Ctrl-C
    again."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    # Not at once: that would be within this call, and dropped too.
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)


_AGAIN_S = 0.01

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""What a full or failing disk says, wherever it is met."""


def _for_its_reader(sentence: str) -> str:
    """A terminal breaks lines within words; a file gets the sentence in one line."""
    if not sys.stderr.isatty():
        return sentence
    columns = min(_WIDEST, shutil.get_terminal_size().columns)
    return textwrap.fill(sentence, columns, break_long_words=False, break_on_hyphens=False)


def _to_stderr(sentence: str) -> None:
    try:
        click.echo(sentence, err=True)
    except OSError:  # there is no stream left to say so
        forget(sys.stderr)


def _write_what_stdout_lacks() -> None:
    """Characters that its encoding lacks are written as their numbers, as on stderr."""
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


_COMPLETION = "_NOUGHTS_COMPLETE"
"""What shells set in the environment to ask for completions."""


def _open_missing_streams() -> None:
    """Replace a standard stream that was closed before the start by an empty one, from which nothing is read."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open until the exit


def _sentence(error: click.ClickException) -> str:
    sentence = " ".join(error.format_message().split())
    for clicks, ours in _PLAINLY.items():
        sentence = sentence.replace(clicks, ours)
    return sentence


_PLAINLY = {
    "is not a valid integer range": "is not a whole number",
    "is not a valid integer": "is not a whole number",
    "is not a valid float range": "is not a number",
    "is not a valid float": "is not a number",
}
"""Click's words for numbers, and ours; the longer ones first."""
