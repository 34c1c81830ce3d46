"""What the commands of the lab print with `--json`. Times are milliseconds or seconds, as their names end."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import UNSET, UnsetType

from server.console.output import Output

Span: TypeAlias = tuple[float | None, float | None]
"""An interval of 95 %; null where it has no bound."""
ShareSpan: TypeAlias = tuple[float, float]
"""The interval of a share, which always has bounds."""
Verdict: TypeAlias = Literal["H0", "H1"]


class Parameter(Output):
    """A parameter in a bot's name: a whole number from `low` to `high`, or one of `words`."""

    name: str
    meaning: str
    default: int | str
    low: int | UnsetType = UNSET
    high: int | UnsetType = UNSET
    words: list[str] | UnsetType = UNSET


class Bot(Output):
    """A family of bots, by the name with its defaults."""

    name: str
    form: str
    title: str
    character: str
    games: list[str]
    source: str
    chosen: list[str]
    version: int
    aliases: list[str]
    parameters: list[Parameter]


Bots: TypeAlias = list[Bot]


class Perft(Output):
    """How many sequences of 1, 2, ... moves a game has."""

    game: str
    counts: list[int]


class ProvenPosition(Output):
    """What a proof is about: the cells of both sides."""

    x: list[str]
    o: list[str]
    board: int | UnsetType | None = UNSET
    """The board in which the next move must be made; null for a free choice, left out where there are no boards."""


class Verified(Output):
    """What a proof proves, of which position, and how much of it was checked."""

    proven: str
    position: ProvenPosition
    checked: int
    cpu_s: float


class Solved(Output):
    """A game or a position: who wins, how fast and by which moves. Fields a kind of solution lacks are left out."""

    game: str
    value: Literal["x", "o", "draw"]
    cpu_s: float
    ply: int | UnsetType = UNSET
    plies: int | UnsetType | None = UNSET
    """Plies to the end with best play; null for a draw, or where only a bound is known."""
    most_plies: int | UnsetType = UNSET
    at_most: bool | UnsetType = UNSET
    """Whether `plies` is a bound."""
    best: list[str] | UnsetType = UNSET
    line: list[str] | UnsetType = UNSET
    nodes: int | UnsetType = UNSET
    positions: int | UnsetType = UNSET


class Limit(Output):
    """The limit of a bot's move: one bound."""

    move_ms: int | UnsetType = UNSET
    nodes: int | UnsetType = UNSET
    depth: int | UnsetType = UNSET


class Times(Output):
    """Times of a bot's moves."""

    moves: int
    mean_ms: float
    median_ms: float
    p99_ms: float
    max_ms: float
    nodes_per_s: float | None
    """Over the moves that came from a search; null without any."""


class MatchBot(Output):
    name: str
    version: int
    limit: Limit | None
    times: Times | None


class Test(Output):
    """The sequential test: bounds in Elo, its errors, and how far it has got."""

    elo0: float
    elo1: float
    alpha: float
    beta: float
    lower: float
    upper: float
    llr: float
    pairs: int
    verdict: Verdict | None


class Match(Output):
    """Bot A against bot B, points and Elo as A sees them; shares are from 0 to 1."""

    game: str
    a: MatchBot
    b: MatchBot
    seed: int
    opening_plies: int
    games: int
    won: int
    drawn: int
    lost: int
    points: float | None
    points_interval: ShareSpan
    elo: float | None
    elo_interval: Span
    superiority: float
    pairs: tuple[int, int, int, int, int]
    """Pairs of 0, 1/2, 1, 1 1/2 and 2 points."""
    sprt: Test | None
    draws: float | None
    draws_interval: ShareSpan
    x_points: float | None
    x_points_interval: ShareSpan
    plies: float | None
    plies_interval: Span | None
    terminations: dict[str, int]
    faults: list[str]
    interrupted: bool
    """Ended by the user, or since a bot made no moves, before its last game."""


class Mean(Output):
    mean: float
    low: float | None
    high: float | None


class SimulatedBot(Output):
    name: str
    version: int
    limit: Limit | None


class SimulatedSide(Output):
    """Figures of one side, whichever bot had it."""

    wins: int
    wins_share: float | None
    wins_interval: ShareSpan
    moves: int
    total_ms: float
    move_ms: float | None
    moves_to_win: Mean | None


class Record(Output):
    won: int
    drawn: int
    lost: int


class Simulation(Output):
    """Many games of one pairing."""

    game: str
    bots: list[SimulatedBot]
    sides_swapped: bool
    seed: int
    games: int
    x: SimulatedSide
    o: SimulatedSide
    ties: int
    ties_share: float | None
    ties_interval: ShareSpan
    total_ms: float
    game_ms: Mean | None
    moves_to_end: Mean | None
    first_bot: Record
    terminations: dict[str, int]
    faults: list[str]
    icons: tuple[str, str]
    interrupted: bool
    """Ended by the user, or since a bot made no moves, before its last game."""


class ExperimentLine(Output):
    """An experiment of the literature; `games` of each pairing unless another number is asked for.

    `about_s`: how long they take, one at a time on two cores.
    """

    name: str
    title: str
    source: str
    games: int
    about_s: int


ExperimentList: TypeAlias = list[ExperimentLine]
