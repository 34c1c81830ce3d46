"""What the report says of moves: their time, how many there were to choose from, and each game by itself. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from engine.position import Rules
from server.report import figures
from server.report.plots import Bars, Board, Cell, Heat, Line, Lines, Panel, Part, Picture, Points, Table
from server.report.words import (
    GAMES_SHOWN,
    ROWS_SHOWN,
    Told,
    cut,
    game_name,
    game_rules,
    listed,
    number,
    percent,
    short_game,
    slug,
    starts,
    whole,
)

SLOWEST: Final = 15
FEW: Final = 5
"""Moves, below which a ply says little: it is not drawn where others have more."""
_BAND: Final = "The line is the median; the band holds the moves from the quickest tenth to all but one in a hundred."


def time_use(told: Told) -> Part:
    used = figures.limits(told.moves)
    pictures: tuple[Picture, ...] = ()
    tables = []
    if used.is_empty():
        sentences = ("No move had a limit of time, so that none could be overrun.",)
    else:
        over, moves = int(used["over"].sum()), int(used["moves"].sum())
        sentences = (f"{over:,} of {number(moves, 'move')} with a limit of time took longer than that.",)
        rows = used.head(ROWS_SHOWN).rows(named=True)
        labels = tuple(f"{row['player']}, {short_game(row['game'])}" for row in rows)
        pictures = (
            Picture(
                "limits",
                "Time used, of the limit of a move",
                "Share of the limit by bot and game; at most: "
                + listed(f"{label} {percent(row['most'])}" for label, row in zip(labels, rows, strict=True))
                + ".",
                "The dot is the median move, the bar goes from the quickest tenth to all but one in a hundred, the "
                "diamond is the longest. Right of the dashed line the limit is overrun.",
                Points(
                    labels,
                    [100 * row["share"] for row in rows],
                    [100 * row["share_low"] for row in rows],
                    [100 * row["share_high"] for row in rows],
                    "share of the limit, %",
                    100.0,
                    ends=[100 * row["most"] for row in rows],
                ),
            ),
        )
        head = ("player", "game", "moves", "median", "p99", "longest", "over the limit", "worst, ms over")
        table_rows: list[tuple[Cell, ...]] = [
            (
                row["player"], game_name(row["game"]), row["moves"], percent(row["share"]), percent(row["share_high"]),
                percent(row["most"]), row["over"], row["worst_ms"],
            )
            for row in rows
        ]  # fmt: skip
        tables.append(Table("Time used, of the limit", head, table_rows, cut(used.height)))
    tables += [table for kind in ("bot", "person") for table in _slowest(told, kind)]
    return Part("time", "Time", sentences, pictures, tuple(tables))


def _slowest(told: Told, kind: str) -> list[Table]:
    found = figures.slowest(told.moves, kind, SLOWEST).rows(named=True)
    rows: list[tuple[Cell, ...]] = [
        (
            row["player"], game_name(row["game"]), row["game_id"], row["ply"], row["think_ms"], row["limit_ms"],
            row["nodes"], row["depth"],
        )
        for row in found
    ]  # fmt: skip
    head = ("player", "game", "game's id", "ply", "ms", "limit, ms", "nodes", "depth")
    note = "On a server's page a game is /game/ID; its plies begin after the opening that was set."
    title = "The slowest moves of bots" if kind == "bot" else "The slowest moves of people"
    return [Table(title, head, rows, note)] if rows else []


# How many moves there are to choose from


def choice_of_moves(told: Told) -> Part:
    lines: list[Line] = []
    rows = []
    for kind in told.kinds[:GAMES_SHOWN]:
        found = _branching(told, kind)
        if found is None:
            continue
        if len(lines) < _LINES:
            lines.append(Line(game_name(kind), found["at"].to_list(), found["mean"].to_list()))
        total, mean = found.select(pl.col("moves").sum(), pl.col("mean").dot("moves") / pl.col("moves").sum()).row(0)
        rows.append((game_name(kind), total, found.height, round(mean, 1)))
    if not lines:
        return Part("branching", "Moves to choose from", ("No game of these rules is known.",))
    picture = Picture(
        "branching",
        "Legal moves by ply",
        "Mean number of legal moves by ply; over all moves: "
        + listed(f"{name} {mean}" for name, _, _, mean in rows)
        + ".",
        "The branching factor. On flat boards every empty cell is legal, so that it falls by one a ply; on the nine "
        "boards the last move says where the next must be.",
        Lines((Panel(tuple(lines), "legal moves"),), "ply"),
    )
    head = ("game", "moves, with those that were set", "plies of the longest game", "legal moves, mean")
    return Part("branching", "Moves to choose from", (), (picture,), (Table("Branching factor", head, rows),))


_LINES: Final = 7
"""In one picture, as many as there are colours."""


def _branching(told: Told, kind: str) -> pl.DataFrame | None:
    known = game_rules(kind)
    if known is None:
        return None
    games, moves = told.by_kind[kind]
    found = figures.branching(known, games, moves, starts(games, kind))
    return None if found.is_empty() else found


# Each game


def each_game(told: Told) -> list[Part]:
    return [_game(told, kind) for kind in told.kinds[:GAMES_SHOWN]]


def _game(told: Told, kind: str) -> Part:
    games, moves = told.by_kind[kind]
    name = game_name(kind)
    found = [_lengths(games, kind, name), *_by_ply(moves, kind, name), _opening(told, kind, name)]
    known = game_rules(kind)
    if known and known.nested:
        found.insert(1, _nested_branching(told, kind, name))
    tables = _by_player(moves, kind)
    pictures = tuple(picture for picture in found if picture)
    sentences = () if known else (f"This release does not know the game {kind}, so that its boards cannot be drawn.",)
    return Part(f"game-{slug(kind)}", name, sentences, pictures, tables)


def _lengths(games: pl.DataFrame, kind: str, name: str) -> Picture | None:
    found = figures.lengths(games)
    if found is None:
        return None
    width = "" if found.width == 1 else f" Each bar is {found.width} plies."
    return Picture(
        f"lengths-{slug(kind)}",
        f"{name}: how long games last",
        f"Games by their number of plies: half of them last at most {found.median}, a tenth at most {found.low}, all "
        f"but one in a hundred at most {found.high}.",
        f"Plies are moves of either side, those of the opening among them.{width}",
        Bars(
            [first + (found.width - 1) / 2 for first in found.first], found.games, "plies", "games", found.width,
            (found.median, f"median {found.median}"),
        ),
        kind,
    )  # fmt: skip


def _by_ply(moves: pl.DataFrame, kind: str, name: str) -> list[Picture]:
    bots, people = (moves.filter(kind=one) for one in ("bot", "person"))
    panels, said = [], []
    for column, label, unit in (
        ("think_ms", "time, ms", "ms"),
        ("nodes", "nodes", "nodes"),
        ("depth", "depth", "plies"),
    ):
        found = _enough(figures.by_ply(bots, column))
        if not found.is_empty():
            panels.append(Panel((_line("bots", found),), label, log=column != "depth"))
            said.append(_said(found, unit))
    pictures = []
    if panels:
        pictures.append(
            Picture(
                f"plies-{slug(kind)}",
                f"{name}: what a bot's move takes, by ply",
                f"Time, nodes and depth of bots' moves by ply; medians: {listed(said)}.",
                f"{_BAND} {_SCALE}" if any(panel.log for panel in panels) else _BAND,
                Lines(tuple(panels), "ply"),
                kind,
            )
        )
    found = _enough(figures.by_ply(people, "think_ms"))
    if not found.is_empty():
        pictures.append(
            Picture(
                f"people-{slug(kind)}",
                f"{name}: how long people think, by ply",
                f"Time of people's moves by ply; medians: {_said(found, 'ms')}.",
                f"{_BAND} {_SCALE}",
                Lines((Panel((_line("people", found),), "time, ms", log=True),), "ply"),
                kind,
            )
        )
    return pictures


_SCALE: Final = "On the scales of time and nodes each step is ten times the one before."


def _enough(found: pl.DataFrame) -> pl.DataFrame:
    """Without plies of too few moves, unless all are such."""
    kept = found.filter(pl.col("moves") >= FEW)
    return found if kept.is_empty() else kept


def _line(name: str, found: pl.DataFrame) -> Line:
    columns = (found[column].to_list() for column in ("at", "middle", "middle_low", "middle_high"))
    return Line(name, *columns)


def _said(found: pl.DataFrame, unit: str) -> str:
    """The median at the first, a middle and the last ply."""
    rows = found.select("at", "middle").rows()
    chosen = dict.fromkeys([rows[0], rows[len(rows) // 2], rows[-1]])
    return ", ".join(f"{value:,.0f} {unit} at ply {at}" for at, value in chosen)


def _nested_branching(told: Told, kind: str, name: str) -> Picture | None:
    found = _branching(told, kind)
    if found is None:
        return None
    found = _enough(found.filter(pl.col("at") > 0))
    if found.is_empty():
        return None
    return Picture(
        f"branching-{slug(kind)}",
        f"{name}: legal moves by ply",
        f"Number of legal moves by ply; medians: {_said(found, 'moves')}.",
        "The line is the median; the band goes from the tenth with the fewest to all but one in a hundred. High values "
        "are free choices: the board that the last move names is closed. The first move, one of 81, is not drawn.",
        Lines((Panel((_line("", found),), "legal moves"),), "ply"),
        kind,
    )


def _opening(told: Told, kind: str, name: str) -> Picture | None:
    known = game_rules(kind)
    if known is None:
        return None
    games, moves = told.by_kind[kind]
    found = figures.openings(known, games, moves, starts(games, kind))
    if found is None:
        return None
    boards = [
        Board("first move, % of games", found.first, "share"),
        Board("X's points after it, %", found.points, "points"),
    ]
    reading = (
        "Cells that a turn or reflection of the board makes alike share their number; in empty ones no game began. "
    )
    if found.set:
        boards.append(Board("first free move, %", found.chosen, "share"))
        reading += (
            f"In {found.set:,} of {number(found.games, 'game')} the first move was set beforehand; the last board "
            "shows the first moves that players chose themselves."
        )
    else:
        reading += "Blue is good for X, orange for O."
    best = _best(found, figures.classes(known), known)
    return Picture(
        f"openings-{slug(kind)}",
        f"{name}: where games begin",
        f"First moves, folded by symmetry; the most frequent: {best}.",
        reading,
        Heat(known.dimensions, known.nested, tuple(boards)),
        kind,
    )


def _best(found: figures.Openings, alike: Sequence[int], known: Rules) -> str:
    cells = sorted(set(alike), key=lambda cell: -found.first[cell])[:3]
    return listed(
        f"{known.format_move(cell)} {percent(found.first[cell])} of the games, X's points {percent(found.points[cell])}"
        for cell in cells
        if found.first[cell]
    )


def _by_player(moves: pl.DataFrame, kind: str) -> tuple[Table, ...]:
    found = figures.by_player(moves)
    columns = ("think_ms", "think_ms_high", "longest_ms", "nodes", "rate", "depth")
    rows: list[tuple[Cell, ...]] = [
        (row["player"], row["moves"], *(whole(row[column]) for column in columns))
        for row in found.head(ROWS_SHOWN).rows(named=True)
    ]
    head = ("bot", "moves", "median ms", "p99 ms", "longest ms", "median nodes", "nodes/s", "median depth")
    note = (
        f"Nodes a second are those of moves of {figures.TIMED_MS} ms and more, for bots that search mostly in such. "
        f"{cut(found.height)}"
    ).strip()
    return (Table("Moves of bots", head, rows, note, kind),) if rows else ()
