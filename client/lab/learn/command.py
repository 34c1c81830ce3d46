"""`noughts learn`: weights for gomoku, Qubic and the games on nine boards, from recorded games and its own."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from client.lab.learn import records, self_play
from client.lab.learn.comparison import compare
from client.lab.learn.nested import NestedSubject
from client.lab.learn.patterned import PatternSubject
from client.lab.learn.qubic import QubicSubject
from client.lab.learn.records import Games
from client.lab.learn.subject import Found, Subject
from engine.rules.flat import FlatRules
from engine.rules.nested import NestedRules
from engine.rules.position import Rules
from engine.search.skill import LEARNED, by_patterns, by_threats
from server.console.arguments import GameType
from server.console.examples import examples
from server.console.files import must_be_writable, write_file
from server.console.finite import FiniteRange
from server.console.interrupts import interrupted_by_signals
from server.console.progress import progress

_LEAST_GAMES: Final = 500
"""With fewer, the held-out tenth says nothing."""
_LARGEST_SEED: Final = (1 << 63) - 1


@click.command(
    epilog=examples(
        "noughts export --game ultimate | noughts learn ultimate - --self-play 20000 --pairs 200",
        "noughts learn nine-board - --out nine-board.weights < games.jsonl",
        "noughts learn qubic --self-play 3000 --nodes 15000 --pairs 100",
        "noughts learn gomoku --self-play 3000 --pairs 100",
    )
)
@click.argument("game", type=GameType())
@click.argument("files", type=click.File(encoding="utf-8", errors="replace"), nargs=-1)
@click.option(
    "--self-play", "own", type=click.IntRange(0, 10_000_000), default=0, help="Games of its own to learn from as well."
)
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    help="Nodes searched for each move of these games.",
)
@click.option("--record", "log", type=click.Path(path_type=Path, dir_okay=False), help="Add these games to FILE.jsonl.")
@click.option(
    "--mix",
    type=FiniteRange(0, 1),
    default=0.0,
    show_default=True,
    help="Weight of the search's value of a position, where it is recorded; the rest is the game's result.",
)
@click.option(
    "--passes", type=click.IntRange(1, 1000), default=5, show_default=True, help="Passes through all positions."
)
@click.option(
    "--seed", type=click.IntRange(0, _LARGEST_SEED), default=0, show_default=True, help="Seed of all random choices."
)
@click.option(
    "--pairs", type=click.IntRange(0, 100_000), default=0, help="Pairs of games to play against today's weights."
)
@click.option(
    "--pair-nodes",
    type=click.IntRange(1),
    default=20_000,
    show_default=True,
    help="Nodes searched for each move of these.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File for the weights, instead of GAME.weights."
)
@interrupted_by_signals()
def learn(
    game: Rules,
    files: Sequence[Any],
    own: int,
    nodes: int,
    log: Path | None,
    mix: float,
    passes: int,
    seed: int,
    pairs: int,
    pair_nodes: int,
    out: Path | None,
) -> None:
    """Fit the evaluation of GAME to games, and write it as a file of weights.

    FILES are JSON lines, as `noughts export`, `noughts match --record` and --record here write them; - is stdin. Every
    tenth game is held out. The same games and options give the same weights on every machine.
    """
    subject = _subject(game)
    if subject is None:
        choice = ", ".join(sorted({"gomoku", "qubic", *LEARNED.values()}))
        raise click.UsageError(f"{game.id} has no weights to learn: choose {choice}.")
    if mix and not subject.mixes:
        raise click.UsageError(f"{game.id} is learned from what searches say alone: leave out --mix.")
    if not own:
        _refuse_idle(("nodes", "log"), "--self-play")
    if not pairs:
        _refuse_idle(("pair_nodes",), "--pairs")
    path = out or Path(f"{game.id}.weights")
    if path.resolve() in {Path(name).resolve() for name in (*(file.name for file in files), log) if name}:
        raise click.UsageError(f"{path} holds games, which the weights would replace: name another file with --out.")
    games = Games()
    for file in files:
        records.add(games, game, subject.scale, file.name, file)
    if games.complaint is not None:
        click.echo(f"Lines that are not a game of these rules are left out; the first: {games.complaint}", err=True)
    if files:
        click.echo(f"{len(games.moves)} games of {game.id} read; lines left out: {games.left_out}.")
    if len(games.moves) + own < _LEAST_GAMES:
        raise click.UsageError(
            f"There are too few games to learn from, {len(games.moves) + own}: give at least {_LEAST_GAMES}, as records"
            " or by --self-play."
        )
    must_be_writable(path)
    with progress() as shows:
        with _appended(log) as write, shows.step("games", own) as step:

            def report(line: str) -> None:
                write(line)
                step.advance()

            self_play.play(games, subject, own, nodes, seed, report)
        found = subject.fitted(games, seed, passes, mix, shows)
        if not math.isfinite(found.error):
            raise click.ClickException("No weights are written: the fit has failed, its error is not a number.")
        made = _how_made(game, games, own, nodes, seed, passes, mix, found)
        write_file(path, found.to_bytes(made))
        click.echo(
            f"{found.trained} positions learned from, {found.held_out} held out: their error is {found.error:.4f} nats,"
            f" without looking at the position {found.guessing:.4f}. Written: {path}"
        )
        if pairs:
            with shows.step("pairs", pairs) as step:
                score = compare(subject, found.candidate, pairs, pair_nodes, seed, step.advance)
            low, high = score.interval
            click.echo(
                f"Against today's weights, {score.games} games at {pair_nodes} nodes: {100 * score.share:.1f} %"
                f" ({100 * low:.1f} to {100 * high:.1f})."
            )


def _refuse_idle(names: Sequence[str], other: str) -> None:
    """Options that were given without the one that they belong to. Raises click.UsageError."""
    context = click.get_current_context()
    for parameter in context.command.params:
        if parameter.name in names and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{parameter.opts[0]} changes nothing without {other}.")


@contextmanager
def _appended(path: Path | None) -> Iterator[Callable[[str], object]]:
    """Writes lines at a file's end as they come, so that an interruption leaves whole games; or nowhere."""
    if path is None:
        yield lambda line: None
        return
    try:
        with path.open("a", encoding="ascii", buffering=1) as file:
            yield lambda line: file.write(line + "\n")
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}.") from None


def _subject(game: Rules) -> Subject | None:
    if isinstance(game, NestedRules) and LEARNED.get(game.id) == game.id:
        return NestedSubject(game)
    if by_patterns(game):
        assert isinstance(game, FlatRules)
        return PatternSubject(game)
    return QubicSubject(game) if by_threats(game) else None


def _how_made(
    game: Rules, games: Games, own: int, nodes: int, seed: int, passes: int, mix: float, found: Found
) -> dict[str, Any]:
    digest = hashlib.sha256(repr((games.moves, games.results)).encode()).hexdigest()
    return {
        "game": game.id, "games": len(games.moves), "games_sha256": digest, "self_play": own, "nodes": nodes,
        "seed": seed, "passes": passes, "mix": mix, "trained": found.trained, "held_out": found.held_out,
        "error": round(found.error, 5), "guessing": round(found.guessing, 5), "noughts": version("noughts"),
    }  # fmt: skip
