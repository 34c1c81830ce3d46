"""How far the levels lie apart, as data (docs/levels.json) and as a page for people (docs/levels.md). Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from engine.bots import skills
from engine.rules.registry import rules
from engine.search.skill import ENDLESS, Skill
from engine.stats.score import Score, score

GAMES: Final = (
    "tictactoe",
    "mnk:5,5,4",
    "gomoku",
    "cube:3",
    "qubic",
    "nine-board",
    "ultimate",
    "ultimate:count",
    "super",
)
"""Games whose levels are measured; elsewhere they are set by likeness."""

PERFECT: Final = {
    "tictactoe": "The top level is perfect: in no position does it give a result away, as a test shows by minimax over "
    "the whole game. Most games between good players are drawn, or decided by their opening.",
    "cube:3": "X wins by force in seven plies. The top level is perfect: it proves the result of every opening of two "
    "plies, five plies to a win of X or eight to a win of O where O has got the centre, as a test shows. So games "
    "between good players go to the side that the opening favours.",
}
"""What there is to say of the top level where it cannot be beaten."""


class Match(Struct, frozen=True):
    """The result of a bot against another."""

    bot: str
    against: str
    seed: int
    pairs: tuple[int, int, int, int, int]
    """Opening pairs in which the bot made 0, 1/2, 1, 1 1/2 and 2 points."""
    won: int
    drawn: int
    lost: int
    move_ms: float
    """The bot's mean time for a move, on the machine that measured."""

    @property
    def score(self) -> Score:
        """The score of the bot. Which half points of a pair came from draws changes nothing but the number of draws."""
        return score([(points / 4, points / 4) for points, count in enumerate(self.pairs) for _ in range(count)])


class Game(Struct, frozen=True):
    """The levels of one game."""

    game: str
    skills: tuple[Skill, ...]
    """The levels as they were when they were measured, the weakest first."""
    steps: tuple[Match, ...]
    """Each level from the second against the one below."""
    bots: tuple[Match, ...] = ()
    """Other bots against levels."""

    def with_steps(self, now: tuple[Skill, ...], new: Sequence[Match]) -> Game:
        """The game with steps measured anew; the others are kept where both their levels are what they were."""
        steps = {_number(step): step for step in self.steps if _levels_of(step, self.skills) == _levels_of(step, now)}
        steps |= {_number(step): step for step in new}
        return msgspec.structs.replace(self, skills=now, steps=tuple(steps[number] for number in sorted(steps)))

    @property
    def by_bot(self) -> dict[str, list[Match]]:
        """The matches of each other bot."""
        found: dict[str, list[Match]] = {}
        for match in self.bots:
            found.setdefault(match.bot, []).append(match)
        return found

    def with_bot(self, new: Sequence[Match]) -> Game:
        """The game with one bot's matches measured anew, in their place."""
        rows = self.by_bot | {new[0].bot: list(new)}
        return msgspec.structs.replace(self, bots=tuple(match for matches in rows.values() for match in matches))


def _number(step: Match) -> int:
    """The number of the upper level."""
    return int(step.bot.partition(":")[2])


def _levels_of(step: Match, levels: tuple[Skill, ...]) -> tuple[Skill, ...]:
    return levels[_number(step) - 2 : _number(step)]


class Measured(Struct, frozen=True):
    machine: str
    games: tuple[Game, ...]

    def game(self, game: str) -> Game | None:
        return next((one for one in self.games if one.game == game), None)

    def with_game(self, new: Game) -> Measured:
        """Everything with one game measured again, in the order of GAMES."""
        others = [one for one in self.games if one.game != new.game]
        order = {game: place for place, game in enumerate(GAMES)}
        games = sorted([*others, new], key=lambda one: order.get(one.game, len(order)))
        return msgspec.structs.replace(self, games=tuple(games))


def read(text: bytes) -> Measured:
    """Raises msgspec.ValidationError or msgspec.DecodeError for other data."""
    return msgspec.json.decode(text, type=Measured)


def written(measured: Measured) -> bytes:
    return msgspec.json.format(msgspec.json.encode(measured), indent=1) + b"\n"


def page(measured: Measured) -> str:
    """docs/levels.md"""
    parts = [_HEAD, _wrapped(_COLUMNS.format(machine=measured.machine)), _AGAIN]
    parts += ["\n".join(_game(game)) for game in measured.games]
    bots = [line for game in measured.games for line in _bots(game)]
    if bots:
        parts.append("\n".join([_BOTS, *bots]))
    return "\n\n".join(parts) + "\n"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _WIDTH, break_on_hyphens=False)


def nearest(matches: Sequence[Match]) -> str:
    """The strength, in a few words, of a bot that played these matches against levels."""
    shares = {_level_of(match): match.score.share for match in matches}
    closest = min(shares, key=lambda number: (abs(shares[number] - 0.5), number))
    if shares[closest] < _FAR:
        return f"below level {min(number for number, share in shares.items() if share < 0.5)}"
    if shares[closest] > 1 - _FAR:
        return f"above level {max(number for number, share in shares.items() if share > 0.5)}"
    return f"about level {closest}"


_WIDTH: Final = 120
_FAR: Final = 0.2
"""A bot that scores less than this against its nearest level is not about as strong."""

_HEAD: Final = """# Levels

`level:1` to `level:8` play every game. They err as people do: a lower level overlooks more moves and threats, and looks
less far ahead; obvious moves, on a line with several marks, are overlooked less often than others. No level plays at
random, and with a seed each plays the same everywhere, since it is limited by plies and positions, never by time. A
limit (`--limit`, or one in a room) can only make a level weaker.

Some games have fewer than eight distinguishable levels; there, higher numbers play like the top one. Games that are not
listed use the levels of a similar game, unmeasured. `strongest` is our best bot for each game: no oversights, and 8
million positions a move (800,000 on boards of five in a row with 64 cells or more), or whatever limit it is given."""
_COLUMNS: Final = """In the tables each level has played the one below it: 200 games in pairs, from seeded openings of
two plies, each played twice with sides swapped. The 95 % interval is computed as in
[match.md](match.md#what-the-figures-mean); its lower end is above 50 % for every step. *Notices* is the share of
ordinary moves that a level notices (at least three), *plies* and *positions* limit its search, and *a move* is its mean
time for one on {machine}."""
_AGAIN: Final = """To play all of it again, with the same scores:

```sh
noughts bench levels --out docs/levels.json     # one game alone: --game qubic
```"""

_BOTS: Final = """## Other bots

Measured roughly, by 40 games against some levels of each game; the page and `noughts bots` show the nearest level as
the bot's strength.

| game | bot | strength | points against levels, 95 % |
|---|---|---|---|"""


def _game(game: Game) -> list[str]:
    top = len(game.skills)
    lines = [f"## {rules(game.game).name} (`{game.game}`)", ""]
    if top < skills.LEVELS:
        count = _WORDS[top].capitalize()
        fewer = f"{count} levels can be distinguished; `level:{top + 1}` and up play as `level:{top}`."
        lines += [_wrapped(f"{fewer} {PERFECT.get(game.game, '')}"), ""]
    learned = next((number for number, skill in enumerate(game.skills, 1) if skill.learned), None)
    if learned:
        lines += [f"From `level:{learned}` on, levels judge by the learned weights of `strongest`.", ""]
    lines += [
        "| level | notices | plies | positions | won, drawn, lost against the one below | points | 95 % | a move |",
        "|---|---|---|---|---|---|---|---|",
    ]
    against = {_number(step): step for step in game.steps}
    return lines + [_level(number, skill, against.get(number)) for number, skill in enumerate(game.skills, 1)]


def _level(number: int, skill: Skill, step: Match | None) -> str:
    depth = "as far as it gets" if skill.depth >= ENDLESS else str(skill.depth)
    ability = f"| {number} | {skill.sees:.0%} | {depth} | {skill.nodes:,} |"
    if step is None:
        return f"{ability} | | | |"
    return f"{ability} {step.won}, {step.drawn}, {step.lost} | {_points(step)} | {step.move_ms:.1f} ms |"


def _points(match: Match) -> str:
    return f"{100 * match.score.share:.1f} % | {_interval(match)}"


def _interval(match: Match) -> str:
    interval = match.score.interval
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"


def _bots(game: Game) -> list[str]:
    return [
        f"| {game.game} | `{bot}` | {nearest(matches)} | {'; '.join(map(_against, sorted(matches, key=_level_of)))} |"
        for bot, matches in game.by_bot.items()
    ]


def _level_of(match: Match) -> int:
    """The one that a bot was matched with."""
    return int(match.against.partition(":")[2])


def _against(match: Match) -> str:
    return f"level {_level_of(match)}: {100 * match.score.share:.1f} % ({_interval(match)})"


def strengths(measured: Measured) -> dict[str, dict[str, str]]:
    """The data of `engine.bots.roster.strength`: game -> bot -> words."""
    return {
        game.game: {bot: nearest(matches) for bot, matches in game.by_bot.items()}
        for game in measured.games
        if game.bots
    }


def unproven(steps: Sequence[Match]) -> list[Match]:
    """The steps whose interval reaches down to 50 %."""
    return [step for step in steps if step.score.interval.low <= 0.5]


_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
