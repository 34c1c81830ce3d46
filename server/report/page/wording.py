"""The report's sentences, by key. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

Value: TypeAlias = str | int | tuple[str, ...]
"""A value may be another such text; a tuple is joined with semicolons."""

TEXTS: Final[Mapping[str, str | tuple[str, str]]] = {
    "advantage.alt": "X's share of the points by game, with 95 % intervals: {shares}.",
    "advantage.note": (
        "This applies to the openings that were played; the last column shows how many different ones ladders set. "
        "Games with the same opening are alike: from {openings} openings on, the interval is computed over openings. "
        "With fewer it is computed over pairs and applies to these openings only: others may favour X more or less."
    ),
    "advantage.reading": (
        "Right of the dashed line X, who moves first, scores more than half of the points. If a bar, the 95 % "
        "interval, crosses the line, that is uncertain. This applies to openings like those that were played."
    ),
    "advantage.title": "First-move advantage",
    "band": "The line is the median; the band covers the 10th to the 99th percentile.",
    "best.level": "Still open in {list}: {first} and {second} are level.",
    "best.more": "and {count} more lists",
    "best.none": "There is no rated list: `noughts ladder run` plays and rates one.",
    "best.open": "Still open in {list}: {first} before {second}, {share} likely.",
    "best.sure": (
        "The leader of {sure} of {count} list is reliably stronger than the next (95 % or more).",
        "The leaders of {sure} of {count} lists are reliably stronger than the next (95 % or more).",
    ),
    "bots.more": "{count} more",
    "bots.none": "No bot has played.",
    "bots.place": "{place} of {count} in {list}",
    "branching.alt": "Mean number of legal moves by ply; over all moves: {means}.",
    "branching.none": "These rules are unknown to this release.",
    "branching.reading": (
        "The branching factor. On flat boards every empty cell is legal, so it falls by one each ply; on nine boards "
        "the last move decides which board is next."
    ),
    "branching.title": "Legal moves by ply",
    "changes.bots": "New bots: {bots}.",
    "changes.entered": "Changes of Elo are against the mean of the bots that were there before.",
    "changes.first": "This is the first report here; the next one shows what has changed.",
    "changes.leader": "{new} now leads {list}, before {old}.",
    "changes.leaders": ("The leader of {count} list is the same.", "The leaders of all {count} lists are the same."),
    "changes.moved": "{bot} moved by {elo} Elo in {list}, more than its intervals explain.",
    "changes.new": ("New list: {lists}.", "{count} new lists: {lists}."),
    "changes.other": (
        "The report before covered {before}, this one covers {now}: their numbers of games are not comparable."
    ),
    "changes.since": "Since {since} (UTC): {games} games, now {count}.",
    "choice.alt": "Number of legal moves by ply; medians: {medians}.",
    "choice.reading": (
        "The line is the median; the band covers the 10th to the 99th percentile. High values are free choices: the "
        "board that the last move points to is closed. The first move, one of 81, is not shown."
    ),
    "choice.title": "{game}: legal moves by ply",
    "crosstable.note": (
        "Points of the bot in the row out of its games against the bot in the column; columns are numbered by place."
    ),
    "coarse": (
        "{count} of {moves} move of bots was timed in whole milliseconds: it came from a network bot, or is old.",
        "{count} of {moves} moves of bots were timed in whole milliseconds: they came from network bots, or are old.",
    ),
    "depth.at": ("{count} ply at ply {ply}", "{count} plies at ply {ply}"),
    "ends.alt": "Games by termination: {ends}.",
    "ends.reading": "Each bar is all games of one kind. A line wins; a full board is usually a draw.",
    "ends.title": "How games ended",
    "faults": ("{count} game of {games} lost by a fault.", "{count} games of {games} lost by a fault."),
    "faults.none": "No game was lost by a crash, a stall, an illegal move or on time.",
    "games": ("{count} game", "{count} games"),
    "item": "{name} {value}",
    "ladders": (
        "Ratings are maximum likelihood over all pairs of games of a list, but for those with an aborted game, in Elo, "
        "with a mean of 0 and 95 % intervals. "
        "“Better than the next” is how likely the bot is to be stronger than the next one; treat 95 % and above as "
        "reliable."
    ),
    "ladders.none": "No ladder is recorded: `noughts ladder run` plays one.",
    "left-out": "Excluded: {running} unfinished, {aborted} aborted.",
    "lengths.alt": "Games by number of plies: median {median}, 10th percentile {low}, 99th percentile {high}.",
    "lengths.mark": "median {plies}",
    "lengths.reading": "Plies are moves of both sides, including those of the opening.",
    "lengths.title": "{game}: how long games last",
    "lengths.width": "Each bar is {plies} plies.",
    "level": "level {level}",
    "limits.alt": "Time used as a share of the limit, by bot and game; maximum: {shares}.",
    "limits.flags": (
        "{count} game was lost on time, by a move that is not recorded.",
        "{count} games were lost on time, by moves that are not recorded.",
    ),
    "limits.label": "{player}, {game}",
    "limits.none": "No move had a time limit.",
    "limits.over": (
        "{over} of {count} move with a time limit exceeded it.",
        "{over} of {count} moves with a time limit exceeded it.",
    ),
    "limits.reading": (
        "The dot is the median, the bar goes from the 10th to the 99th percentile, the diamond is the maximum. Right "
        "of the dashed line the limit is exceeded."
    ),
    "limits.title": "Time used as a share of the limit",
    "list.alt": (
        "Ratings of {count} bot in Elo with 95 % intervals, best first: {ratings}.",
        "Ratings of {count} bots in Elo with 95 % intervals, best first: {ratings}.",
    ),
    "list.first": "Moving first is worth {elo} Elo: {share} of the points between equals.",
    "list.games": ("{game}, {count} game.", "{game}, {count} games."),
    "list.games.limit": ("{game}, {count} game, {limit} ms a move.", "{game}, {count} games, {limit} ms a move."),
    "list.reading": "Where the bars of two bots overlap a lot, their order may be due to chance.",
    "list.title": "{list}: ratings",
    "list.unrated": "Its standings have not been computed yet.",
    "memory.alt": (
        "Memory of the ladder's process, {first} MB at the start and {last} at the end, and of its workers, "
        "{workers_first} and {workers_last} MB; slopes {slope} and {workers_slope} MB an hour."
    ),
    "memory.reading": (
        "The line should be flat: steady growth is a memory leak. Slopes: {slope} MB/h for the ladder, "
        "{workers_slope} MB/h for its workers."
    ),
    "memory.title": "{ladder}: memory over time",
    "more": "and {count} more",
    "moves": ("{count} move", "{count} moves"),
    "moves.at": ("{count} move at ply {ply}", "{count} moves at ply {ply}"),
    "moves.note": (
        "Nodes per second count only moves of at least 10 µs (10 ms where times are whole milliseconds), and only bots "
        "that search mostly in such moves."
    ),
    "nodes.at": ("{count} node at ply {ply}", "{count} nodes at ply {ply}"),
    "one-sided.note": (
        "Set openings of at least {least} games, by how far X's share of the points is from a half. An opening leads "
        "to its latest game."
    ),
    "openings.alt": "First moves, folded by symmetry; the most frequent: {moves}.",
    "openings.colours": "Blue is good for X, orange for O.",
    "openings.move": "{move} {share} of the games, X's points {points}",
    "openings.reading": (
        "Cells that a rotation or reflection of the board makes alike share one number; no game began in empty ones."
    ),
    "openings.set": (
        "In {set} of {count} game the first move was preset; the last board shows the first moves that players chose "
        "themselves.",
        "In {set} of {count} games the first move was preset; the last board shows the first moves that players "
        "chose themselves.",
    ),
    "openings.title": "{game}: first moves",
    "overview": "{games} with {moves} by {players}, from {first} to {last}.",
    "overview.none": "There is no finished game to show.",
    "pairs.alt": "Pairs in which the higher-ranked bot scored 0, 1/2, 1, 1 1/2 and 2 points: {pairs}.",
    "pairs.reading": (
        "A pair is two games with the same opening and sides swapped. One point is a tie: often each bot won with "
        "the side that the opening favours."
    ),
    "pairs.title": "Pairs of games, from the higher-ranked bot's side",
    "people.alt": "Time of people's moves by ply; medians: {medians}.",
    "people.title": "{game}: people's thinking time by ply",
    "phases.note": (
        "Opening, middle and end are the first, second and last third of the moves that the players of a game chose "
        "themselves."
    ),
    "players": ("{count} player", "{count} players"),
    "plies.alt": "Time, nodes and depth of bots' moves by ply; medians: {medians}.",
    "plies.title": "{game}: effort of bots' moves by ply",
    "rate.alt": "Games an hour over time, from {least} to {most}.",
    "rate.reading": (
        "The rate depends on which games are played: a long game between slow bots counts as much as a short one."
    ),
    "rate.title": "{ladder}: games an hour",
    "results.alt": "Games won by X, drawn and won by O: {results}.",
    "results.reading": "Each bar is all games of one kind.",
    "results.title": "Results for X and O",
    "running.none": "No ladder has recorded how it ran.",
    "runs.note": (
        "Memory is at the end; MB/h is its slope over time by least squares, without the first tenth. The last two "
        "columns are shares of all processor time, including that of the workers."
    ),
    "scale": "The scales of time and nodes are logarithmic.",
    "sentences": "{first} {second}",
    "shown": "Showing {shown} of {count}.",
    "since.hours": "Hours since {begun}.",
    "since.minutes": "Minutes since {begun}.",
    "size": (
        "The database has {size} MB, {game} KB a game; at {count} game a day it grows by {day} MB a day if nothing is "
        "archived.",
        "The database has {size} MB, {game} KB a game; at {count} games a day it grows by {day} MB a day if nothing is "
        "archived.",
    ),
    "slowest.note": "Plies are counted after the preset opening. Game numbers link to replays.",
    "spent": "Bots thought for {total}: {opening} in the opening, {middle} in the middle, {end} at the end of games.",
    "spent.none": "No thinking of bots is recorded.",
    "spent.processor": (
        "Ladders used {cpu} of processor time: {scheduling} for scheduling and rating, {writing} for writing."
    ),
    "spent.rest": ("{count} other bot", "{count} other bots"),
    "spent.waiting": "{games} took {clock}, {waiting} of it not thinking: starting, sending and waiting.",
    "time.at": "{ms} ms at ply {ply}",
    "unknown": "This release does not know the game {game}, so its boards cannot be drawn.",
    "wrong.game": "game {id}",
    "wrong.over": (
        "{count} of {moves} moves exceeded its time limit, by {most}.",
        "{count} of {moves} moves exceeded their time limit, by {most} at most.",
    ),
}  # fmt: skip
"""A pair holds the singular and the plural, chosen by `count`."""


def say(key: str, **values: Value) -> str:
    found = TEXTS[key]
    text = found if isinstance(found, str) else found[values["count"] != 1]
    return text.format_map({name: _written(value) for name, value in values.items()})


def _written(value: Value) -> str:
    if isinstance(value, tuple):
        return "; ".join(value)
    return f"{value:,}" if isinstance(value, int) else value


def sentences(*texts: str) -> str:
    """Joins sentences, skipping empty ones."""
    first, *others = [text for text in texts if text] or [""]
    for second in others:
        first = say("sentences", first=first, second=second)
    return first
