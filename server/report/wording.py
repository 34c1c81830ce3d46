"""What the report says in whole sentences, by keys, so that a page in another language can say the same. Pure.

`say` makes a text of a key and values. That is a string like any other, which knows what it was made of: the page of
statistics gets both, looks for a sentence of its own by the key, and puts the values in. Short words, as above columns
and beside axes, need no key: the page knows them by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Final, TypeAlias

Value: TypeAlias = str | int | tuple[str, ...]
"""Texts may be made of others in turn; several stand in a row, with semicolons between them."""

TEXTS: Final[Mapping[str, str | tuple[str, str]]] = {
    "advantage.alt": "X's share of the points by game, with intervals of 95 %: {shares}.",
    "advantage.note": (
        "It holds for the openings that were played; the last column says how many different ones ladders set. Games "
        "of one opening are alike: from {openings} openings on, the interval is made of openings. With fewer it is "
        "made of pairs and is of these openings only: others may favour X more or less."
    ),
    "advantage.reading": (
        "Right of the dashed line X, who moves first, makes more than half of the points. A bar, the 95 % interval, "
        "that crosses it leaves that open. It holds for openings like those that were played."
    ),
    "advantage.title": "What moving first is worth",
    "band": "The line is the median; the band holds the moves from the quickest tenth to all but one in a hundred.",
    "branching.alt": "Mean number of legal moves by ply; over all moves: {means}.",
    "branching.none": "No game of these rules is known.",
    "branching.reading": (
        "The branching factor. On flat boards every empty cell is legal, so that it falls by one a ply; on the nine "
        "boards the last move says where the next must be."
    ),
    "branching.title": "Legal moves by ply",
    "choice.alt": "Number of legal moves by ply; medians: {medians}.",
    "choice.reading": (
        "The line is the median; the band goes from the tenth with the fewest to all but one in a hundred. High values "
        "are free choices: the board that the last move names is closed. The first move, one of 81, is not drawn."
    ),
    "choice.title": "{game}: legal moves by ply",
    "crosstable.note": (
        "Points of the bot on the left out of as many games against the bot above, which has its place for a name."
    ),
    "depth.at": ("{count} ply at ply {ply}", "{count} plies at ply {ply}"),
    "ends.alt": "Games by what ended them: {ends}.",
    "ends.reading": "Each bar is all games of one kind. A line is won, a full board mostly drawn.",
    "ends.title": "What ended the games",
    "faults": ("{count} game of {games} lost by a fault.", "{count} games of {games} lost by a fault."),
    "faults.none": "No game was lost by a crash, a stall, an illegal move or on time.",
    "games": ("{count} game", "{count} games"),
    "item": "{name} {value}",
    "ladders": (
        "Ratings are maximum likelihood over all games of a list, in Elo, with a mean of 0; intervals are of 95 %. "
        "Better than the next is how likely it is that the bot is the stronger of the two."
    ),
    "ladders.none": "No ladder is recorded: `noughts ladder run` plays one.",
    "left-out": "Left out: {running} that run or were never ended, {aborted} aborted.",
    "lengths.alt": (
        "Games by their number of plies: half of them last at most {median}, a tenth at most {low}, all but one in a "
        "hundred at most {high}."
    ),
    "lengths.mark": "median {plies}",
    "lengths.reading": "Plies are moves of either side, those of the opening among them.",
    "lengths.title": "{game}: how long games last",
    "lengths.width": "Each bar is {plies} plies.",
    "level": "level {level}",
    "limits.alt": "Share of the limit by bot and game; at most: {shares}.",
    "limits.label": "{player}, {game}",
    "limits.none": "No move had a limit of time, so that none could be overrun.",
    "limits.over": (
        "{over} of {count} move with a limit of time took longer than that.",
        "{over} of {count} moves with a limit of time took longer than that.",
    ),
    "limits.reading": (
        "The dot is the median move, the bar goes from the quickest tenth to all but one in a hundred, the diamond is "
        "the longest. Right of the dashed line the limit is overrun."
    ),
    "limits.title": "Time used, of the limit of a move",
    "list.alt": (
        "Ratings of {count} bot in Elo with intervals of 95 %, the best first: {ratings}.",
        "Ratings of {count} bots in Elo with intervals of 95 %, the best first: {ratings}.",
    ),
    "list.first": "Moving first is worth {elo} Elo: {share} of the points between equals.",
    "list.games": ("{game}, {count} game.", "{game}, {count} games."),
    "list.games.limit": ("{game}, {count} game, {limit} ms a move.", "{game}, {count} games, {limit} ms a move."),
    "list.reading": "Where the bars of two bots overlap much, their order may be chance.",
    "list.title": "{list}: ratings",
    "list.unrated": "Its standings have not been computed yet.",
    "memory.alt": (
        "Memory of the ladder's process, {first} MB at first and {last} at the end, and of its workers, "
        "{workers_first} and {workers_last} MB; slopes {slope} and {workers_slope} MB an hour."
    ),
    "memory.reading": (
        "A flat line is right: what grows all night ends badly. Slopes: {slope} MB/h for the ladder, {workers_slope} "
        "MB/h for its workers."
    ),
    "memory.title": "{ladder}: memory over time",
    "more": "and {count} more",
    "moves": ("{count} move", "{count} moves"),
    "moves.at": ("{count} move at ply {ply}", "{count} moves at ply {ply}"),
    "moves.note": (
        "Nodes a second are those of moves of {ms} ms and more, for bots that search mostly in such."
    ),
    "nodes.at": ("{count} node at ply {ply}", "{count} nodes at ply {ply}"),
    "openings.alt": "First moves, folded by symmetry; the most frequent: {moves}.",
    "openings.colours": "Blue is good for X, orange for O.",
    "openings.move": "{move} {share} of the games, X's points {points}",
    "openings.reading": (
        "Cells that a turn or reflection of the board makes alike share their number; in empty ones no game began."
    ),
    "openings.set": (
        "In {set} of {count} game the first move was set beforehand; the last board shows the first moves that "
        "players chose themselves.",
        "In {set} of {count} games the first move was set beforehand; the last board shows the first moves that "
        "players chose themselves.",
    ),
    "openings.title": "{game}: where games begin",
    "overview": "{games} with {moves} by {players}, started from {first} to {last}.",
    "overview.none": "No game that counts is recorded yet, so there is nothing to count or draw.",
    "pairs.alt": "Numbers of pairs in which the better placed bot made 0, 1/2, 1, 1 1/2 and 2 points: {pairs}.",
    "pairs.reading": (
        "A pair is two games with the same opening and sides swapped. One point is a tie: often each bot won with the "
        "side that the opening favours."
    ),
    "pairs.title": "Pairs of games, from the better placed bot's side",
    "people.alt": "Time of people's moves by ply; medians: {medians}.",
    "people.title": "{game}: how long people think, by ply",
    "players": ("{count} player", "{count} players"),
    "plies.alt": "Time, nodes and depth of bots' moves by ply; medians: {medians}.",
    "plies.title": "{game}: what a bot's move takes, by ply",
    "rate.alt": "Games an hour over time, from {least} to {most}.",
    "rate.reading": (
        "It changes with the games that are played: a long game between slow bots counts as much as a short one."
    ),
    "rate.title": "{ladder}: games an hour",
    "results.alt": "Games won by X, drawn and won by O: {results}.",
    "results.reading": "Each bar is all games of one kind.",
    "results.title": "Results for X and O",
    "running.none": "No ladder has noted how it runs.",
    "runs.note": (
        "Memory at the end; MB/h is its slope over time by least squares, without the first tenth. The last two "
        "columns are shares of all processor time, that of the workers among it."
    ),
    "scale": "On the scales of time and nodes each step is ten times the one before.",
    "sentences": "{first} {second}",
    "shown": "{shown} of {count} are shown.",
    "since.hours": "Hours since {begun}.",
    "since.minutes": "Minutes since {begun}.",
    "slowest.note": "On a server's page a game is /game/ID; its plies begin after the opening that was set.",
    "time.at": "{count} ms at ply {ply}",
    "unknown": "This release does not know the game {game}, so that its boards cannot be drawn.",
}  # fmt: skip
"""Where something is counted, `count`, how one says it of 1 and of others."""

GAME: Final = "game"
"""The key of a game's name, with its id for a value."""


class Said(str):
    """A text with what it was made of."""

    key: str
    values: Mapping[str, Value]

    def __new__(cls, text: str, key: str, values: Mapping[str, Value]) -> Said:
        said = super().__new__(cls, text)
        said.key, said.values = key, values
        return said


def say(key: str, **values: Value) -> Said:
    found = TEXTS[key]
    text = found if isinstance(found, str) else found[values["count"] != 1]
    return Said(text.format_map({name: _written(value) for name, value in values.items()}), key, values)


def _written(value: Value) -> str:
    if isinstance(value, tuple):
        return "; ".join(value)
    return f"{value:,}" if isinstance(value, int) else value


def sentences(*texts: str) -> str:
    """One after the other, without empty ones."""
    first, *others = [text for text in texts if text] or [""]
    for second in others:
        first = say("sentences", first=first, second=second)
    return first


def said_in(thing: object) -> Iterator[Said]:
    """Every such text of plain data, with those that it was made of."""
    if isinstance(thing, Said):
        yield thing
        yield from said_in([*thing.values.values()])
    elif isinstance(thing, list | tuple):
        for one in thing:
            yield from said_in(one)
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from said_in(getattr(thing, field.name))
