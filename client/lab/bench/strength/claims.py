"""`noughts bench claims`: whether what a bot says is proven holds, in seeded games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import click
import msgspec

from client.lab.bench.strength.claim_checker import Checker, TooLarge
from engine.bots.match import warm_up
from engine.bots.player import Limit, check, decide
from engine.bots.roster import Bot
from engine.rules.position import Move, Position, Rules
from engine.rules.registry import rules
from engine.search import negamax
from engine.search.decision import Decision
from engine.search.negamax import FULL, Plan
from engine.search.watch import NO_WATCH
from server.console.arguments import BotType, GameType
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.progress import progress

_GAMES: Final = ("nine-board", "ultimate", "ultimate:count", "mnk:5,5,4", "qubic")
_OPENING_PLIES: Final = (2, 10)
_RANDOM_MOVES: Final = 0.15
"""Share of random moves: without mistakes little is decided before the end."""
_WITNESS_NODES: Final = 200_000
_TO_THE_PLY: Final = Plan(table=True, exact_ties=False)
"""Follows no forced moves beyond its depth, in which FULL may find a longer win first, and then stops."""
_MOST_POSITIONS: Final = 3_000
"""Positions that may be looked at for one claim."""


class Tally(msgspec.Struct):
    """Counts of one game; those of several runs with other seeds may be added up."""

    game: str
    first: int
    """The seed of the first game; the others follow."""
    games: int
    wins: int = 0
    losses: int = 0
    draws: int = 0
    too_large: int = 0
    """Claims that would take more to check than was allowed."""
    false: list[str] = []
    """What had been played where a claim did not hold, or the move not keep it: then the plies and the move."""

    @property
    def claims(self) -> int:
        return self.wins + self.losses + self.draws


class Report(msgspec.Struct, frozen=True):
    """What a bot claimed."""

    bot: str
    nodes: int
    tallies: list[Tally]


def add_game(tally: Tally, bot: Bot, seed: int, nodes: int) -> None:
    """Play one game, which depends on the arguments alone, and check each claim."""
    random = Random(f"{tally.game}/{seed}")
    checker = Checker(_witness, _MOST_POSITIONS)
    opening = random.randint(*_OPENING_PLIES)
    moves: list[Move] = []
    position = rules(tally.game).initial
    while position.outcome is None:
        is_random = len(moves) < opening or random.random() < _RANDOM_MOVES
        move = random.choice(position.legal_moves())
        if not is_random:
            decision = decide(bot, position, Limit(nodes=nodes), seed=seed)
            move = decision.move
            if decision.proven:
                _count(tally, checker, position, decision, moves)
        moves.append(move)
        position = position.play(move)


def _count(tally: Tally, checker: Checker, position: Position, decision: Decision, moves: list[Move]) -> None:
    plies = decision.win_in
    if plies is None and decision.value:
        # Some bots see who wins and not how soon: by the last cell at the latest.
        plies = _cells_left(position) if decision.value > 0 else -_cells_left(position)
    if plies is None:
        tally.draws += 1
    elif plies > 0:
        tally.wins += 1
    else:
        tally.losses += 1
    try:
        if not (checker.holds(position, plies) and checker.keeps(position, plies, decision.move)):
            *played, move = map(position.rules.format_move, (*moves, decision.move))
            tally.false.append(f"{' '.join(played)} | {'draw' if plies is None else plies} by {move}")
    except TooLarge:
        tally.too_large += 1


def _witness(position: Position, plies: int) -> Move | None:
    """A move that wins within `plies`, by a whole search to that depth; None if there is none. Raises TooLarge."""
    for plan in (FULL, _TO_THE_PLY):
        found = negamax.choose(position, plies, Limit(nodes=_WITNESS_NODES), Random(0), NO_WATCH, plan)
        if 0 < (found.win_in or 0) <= plies:
            return found.move
        if (found.win_in or 0) <= 0 and (found.proven or found.depth >= min(plies, _cells_left(position))):
            return None
    raise TooLarge


def _cells_left(position: Position) -> int:
    return position.rules.cells - position.ply


def tallies(bot: Bot, games: tuple[str, ...], first: int, number: int, nodes: int) -> Iterator[Tally | None]:
    """Yields None after each game of a tally, then the tally."""
    for game in games:
        tally = Tally(game, first, number)
        for seed in range(first, first + number):
            add_game(tally, bot, seed, nodes)
            yield None
        yield tally


@click.command(epilog=examples("noughts bench claims --game ultimate --seed 2000 --games 1000"))
@click.option("--bot", type=BotType(), default="strongest", show_default=True, help="Whose claims.")
@click.option("--game", "chosen", type=GameType(), multiple=True, help=f"By default {', '.join(_GAMES)}.")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=20, show_default=True, help="Games of each kind.")
@click.option("--seed", type=click.IntRange(0, 1 << 62), default=0, show_default=True, help="Seed of the first game.")
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=20_000,
    show_default=True,
    help="Nodes searched for each of the bot's moves.",
)
@json_option("client.lab.bench.strength.claims:Report")
def claims(bot: Bot, chosen: tuple[Rules, ...], games: int, seed: int, nodes: int, as_json: bool) -> None:
    """Play games of a bot against itself and check all that it says is proven, by trying every reply to its move too.

    Each game depends on its seed alone, so that runs with other seeds add up. A claim that does not hold is an error.
    """
    ids = tuple(game.id for game in chosen) or _GAMES
    for game in ids:
        try:
            check(bot, rules(game), Limit(nodes=nodes))
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    done: list[Tally] = []
    for game in ids:
        warm_up(bot, rules(game))
    with progress() as shows, shows.step("games", games * len(ids)) as step:
        for tally in tallies(bot, ids, seed, games, nodes):
            if tally is None:
                step.advance()
                continue
            done.append(tally)
            if not as_json:
                click.echo(_line(tally))
    if as_json:
        print_json(Report(bot.name, nodes, done))
    false = sum(len(tally.false) for tally in done)
    if false:
        raise click.ClickException(f"{false} claims of {bot.name} do not hold.")


def _line(tally: Tally) -> str:
    found = f"{tally.claims - tally.too_large - len(tally.false)} hold, {tally.too_large} too large to check"
    seeds = f"seeds {tally.first} to {tally.first + tally.games - 1}"
    said = f"{tally.wins} wins, {tally.losses} losses, {tally.draws} draws claimed: {found}, {len(tally.false)} false"
    return "\n".join([f"{tally.game:14} {seeds}: {said}", *(f"    false: {text}" for text in tally.false)])
