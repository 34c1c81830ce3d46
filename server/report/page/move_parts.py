"""The parts on moves: their time, the number of legal moves, and each game by itself. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import polars as pl

from engine.rules.position import Rules
from server.report.durations import milliseconds
from server.report.page import board_figures, figures
from server.report.page.bot_parts import time_by_game
from server.report.page.frames import start_moves
from server.report.page.wording import say, sentences
from server.report.page.words import (
    GAMES_SHOWN,
    ROWS_SHOWN,
    ReportData,
    cut,
    game_name,
    game_rules,
    listed,
    percent,
    short_game,
    slug,
    starts,
    whole,
)
from server.report.plots import Bars, Board, Cell, Heat, Line, Lines, Link, Panel, Part, Picture, Points, Table

SLOWEST: Final = 15
OPENINGS_SHOWN: Final = 5
OPENING_GAMES: Final = 4
"""Fewer games say little about an opening."""
FEW: Final = 5
"""Plies with fewer moves are not drawn if others have more."""


def time_use(data: ReportData) -> Part:
    used = data.limits
    pictures: tuple[Picture, ...] = ()
    tables = [table for table in [time_by_game(data)] if table]
    if used.is_empty():
        facts: tuple[str, ...] = (say("limits.none"),)
    else:
        over, moves = int(used["over"].sum()), int(used["moves"].sum())
        facts = (say("limits.over", over=over, count=moves),)
        rows = used.head(ROWS_SHOWN).rows(named=True)
        labels = tuple(say("limits.label", player=row["player"], game=short_game(row["game"])) for row in rows)
        pictures = (
            Picture(
                "limits",
                say("limits.title"),
                say(
                    "limits.alt",
                    shares=listed(
                        say("item", name=label, value=percent(row["most"]))
                        for label, row in zip(labels, rows, strict=True)
                    ),
                ),
                say("limits.reading"),
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
        head = ("player", "game", "moves", "median", "p99", "longest", "over the limit", "most over, ms")
        table_rows: list[tuple[Cell, ...]] = [
            (
                data.bot_named(row["player"]), game_name(row["game"]), row["moves"], percent(row["share"]),
                percent(row["share_high"]), percent(row["most"]), row["over"], milliseconds(row["worst_us"]),
            )
            for row in rows
        ]  # fmt: skip
        tables.append(Table("Time used as a share of the limit", head, table_rows, cut(used.height)))
    if flags := data.games.filter(termination="flag").height:
        facts = (*facts, say("limits.flags", count=flags))
    coarse, timed = data.coarse_moves
    if coarse:
        facts = (*facts, say("coarse", count=coarse, moves=timed))
    tables += [table for kind in ("bot", "person") for table in _slowest(data, kind)]
    return Part("time", "Time", facts, pictures, tuple(tables))


def _slowest(data: ReportData, kind: str) -> list[Table]:
    found = figures.slowest(data.moves, kind, SLOWEST).rows(named=True)
    rows: list[tuple[Cell, ...]] = [
        (
            data.bot(row["player_id"]), game_name(row["game"]), _moved(row), row["ply"], milliseconds(row["think_us"]),
            row["limit_ms"], row["nodes"], row["depth"],
        )
        for row in found
    ]  # fmt: skip
    head = ("player", "game", "game ID", "ply", "ms", "limit, ms", "nodes", "depth")
    title = "Slowest moves of bots" if kind == "bot" else "Slowest moves of people"
    return [Table(title, head, rows, say("slowest.note"))] if rows else []


def _moved(row: Mapping[str, int]) -> Link:
    return Link(str(row["game_id"]), game_id=row["game_id"], ply=row["ply"])


# How many moves there are to choose from


def choice_of_moves(data: ReportData) -> Part:
    lines: list[Line] = []
    rows = []
    for kind in data.kinds[:GAMES_SHOWN]:
        found = data.branching(kind)
        if found is None:
            continue
        if len(lines) < _LINES:
            lines.append(Line(game_name(kind), found["at"].to_list(), found["mean"].to_list()))
        total, mean = found.select(pl.col("moves").sum(), pl.col("mean").dot("moves") / pl.col("moves").sum()).row(0)
        rows.append((game_name(kind), total, found.height, round(mean, 1)))
    if not lines:
        return Part("branching", "Branching factor", (say("branching.none"),))
    picture = Picture(
        "branching",
        say("branching.title"),
        say("branching.alt", means=listed(say("item", name=name, value=str(mean)) for name, _, _, mean in rows)),
        say("branching.reading"),
        Lines((Panel(tuple(lines), "legal moves"),), "ply"),
    )
    head = ("game", "moves, preset ones included", "longest game, plies", "legal moves, mean")
    return Part("branching", "Branching factor", (), (picture,), (Table("Branching factor", head, rows),))


_LINES: Final = 7
"""Lines in one chart: as many as there are colours."""


# Each game


def each_game(data: ReportData) -> Iterator[Part]:
    return (_game(data, kind) for kind in data.kinds[:GAMES_SHOWN])


def _game(data: ReportData, kind: str) -> Part:
    games, moves = data.by_kind[kind]
    name = game_name(kind)
    found = [_lengths(games, kind, name), *_by_ply(moves, kind, name), _opening(data, kind, name)]
    known = game_rules(kind)
    if known and known.nested:
        found.insert(1, _nested_branching(data, kind, name))
    tables = (*_by_player(data, moves, kind), *_one_sided(games, kind))
    pictures = tuple(picture for picture in found if picture)
    facts = () if known else (say("unknown", game=kind),)
    return Part(f"game-{slug(kind)}", name, facts, pictures, tables)


def _lengths(games: pl.DataFrame, kind: str, name: str) -> Picture | None:
    found = figures.lengths(games)
    if found is None:
        return None
    width = "" if found.width == 1 else say("lengths.width", plies=found.width)
    return Picture(
        f"lengths-{slug(kind)}",
        say("lengths.title", game=name),
        say("lengths.alt", median=str(found.median), low=str(found.low), high=str(found.high)),
        sentences(say("lengths.reading"), width),
        Bars(
            [first + (found.width - 1) / 2 for first in found.first], found.games, "plies", "games", found.width,
            (found.median, say("lengths.mark", plies=str(found.median))),
        ),
        kind,
    )  # fmt: skip


def _by_ply(moves: pl.DataFrame, kind: str, name: str) -> list[Picture]:
    bots, people = (moves.filter(kind=one) for one in ("bot", "person"))
    panels: list[Panel] = []
    medians: list[str] = []
    for column, label in (("think_us", "time, ms"), ("nodes", "nodes"), ("depth", "depth")):
        found = _enough(_of_ply(bots, column))
        if not found.is_empty():
            panels.append(Panel((_line("bots", found),), label, log=column != "depth"))
            medians += _medians(found, _AT[column])
    pictures = []
    if panels:
        pictures.append(
            Picture(
                f"plies-{slug(kind)}",
                say("plies.title", game=name),
                say("plies.alt", medians=tuple(medians)),
                sentences(say("band"), say("scale") if any(panel.log for panel in panels) else ""),
                Lines(tuple(panels), "ply"),
                kind,
            )
        )
    found = _enough(_of_ply(people, "think_us"))
    if not found.is_empty():
        pictures.append(
            Picture(
                f"people-{slug(kind)}",
                say("people.title", game=name),
                say("people.alt", medians=_medians(found, "time.at")),
                sentences(say("band"), say("scale")),
                Lines((Panel((_line("people", found),), "time, ms", log=True),), "ply"),
                kind,
            )
        )
    return pictures


_AT: Final = {"think_us": "time.at", "nodes": "nodes.at", "depth": "depth.at"}


def _of_ply(moves: pl.DataFrame, column: str) -> pl.DataFrame:
    """Times in milliseconds."""
    found = figures.by_ply(moves, column)
    return found.with_columns(pl.col("^middle.*$") / 1_000) if column == "think_us" else found


def _enough(found: pl.DataFrame) -> pl.DataFrame:
    """Drops plies with too few moves, unless all have too few."""
    kept = found.filter(pl.col("moves") >= FEW)
    return found if kept.is_empty() else kept


def _line(name: str, found: pl.DataFrame) -> Line:
    columns = (found[column].to_list() for column in ("at", "middle", "middle_low", "middle_high"))
    return Line(name, *columns)


def _medians(found: pl.DataFrame, key: str) -> tuple[str, ...]:
    """The medians of the first, a middle and the last ply."""
    rows = found.select("at", "middle").rows()
    chosen = dict.fromkeys([rows[0], rows[len(rows) // 2], rows[-1]])
    return tuple(say(key, count=round(value), ms=f"{value:,.4g}", ply=at) for at, value in chosen)


def _nested_branching(data: ReportData, kind: str, name: str) -> Picture | None:
    found = data.branching(kind)
    if found is None:
        return None
    found = _enough(found.filter(pl.col("at") > 0))
    if found.is_empty():
        return None
    return Picture(
        f"branching-{slug(kind)}",
        say("choice.title", game=name),
        say("choice.alt", medians=_medians(found, "moves.at")),
        say("choice.reading"),
        Lines((Panel((_line("", found),), "legal moves"),), "ply"),
        kind,
    )


def _opening(data: ReportData, kind: str, name: str) -> Picture | None:
    known = game_rules(kind)
    if known is None:
        return None
    games, moves = data.by_kind[kind]
    found = board_figures.openings(known, games, moves, starts(games, kind))
    if found is None:
        return None
    boards = [
        Board("first move, % of games", found.first, "share"),
        Board("X's points after it, %", found.points, "points"),
    ]
    more = say("openings.colours")
    if found.set:
        boards.append(Board("first free move, %", found.chosen, "share"))
        more = say("openings.set", set=found.set, count=found.games)
    best = _best(found, board_figures.classes(known), known)
    return Picture(
        f"openings-{slug(kind)}",
        say("openings.title", game=name),
        say("openings.alt", moves=best),
        sentences(say("openings.reading"), more),
        Heat(known.dimensions, known.nested, tuple(boards), _levels(known)),
        kind,
    )


def _one_sided(games: pl.DataFrame, kind: str) -> tuple[Table, ...]:
    found = board_figures.one_sided(games, OPENING_GAMES, OPENINGS_SHOWN)
    rows: list[tuple[Cell, ...]] = []
    for start, number, share, game_id in found.rows():
        moves = start_moves(start)
        link = Link(" ".join(moves), game_id=game_id, explored=(kind, moves))
        rows.append((link, number, percent(share, 1), "" if game_id is None else Link(str(game_id), game_id=game_id)))
    head = ("opening", "games", "X's points", "latest game")
    note = say("one-sided.note", least=OPENING_GAMES)
    return (Table("Openings that favour a side most", head, rows, note, kind),) if rows else ()


def _levels(known: Rules) -> tuple[str, ...]:
    return tuple(say("level", level=level + 1) for level in range(known.dimensions[2])) if known.dimensions[2:] else ()


def _best(found: board_figures.Openings, alike: Sequence[int], known: Rules) -> tuple[str, ...]:
    cells = sorted(set(alike), key=lambda cell: -found.first[cell])[:3]
    return listed(
        say(
            "openings.move",
            move=known.format_move(cell),
            share=percent(found.first[cell]),
            points=percent(found.points[cell]),
        )
        for cell in cells
        if found.first[cell]
    )


def _by_player(data: ReportData, moves: pl.DataFrame, kind: str) -> tuple[Table, ...]:
    found = figures.by_player(moves)
    times, columns = ("think_us", "think_us_high", "longest_us"), ("nodes", "rate", "depth")
    rows: list[tuple[Cell, ...]] = [
        (
            data.bot_named(row["player"]),
            row["moves"],
            *(milliseconds(row[time]) for time in times),
            *(whole(row[column]) for column in columns),
        )
        for row in found.head(ROWS_SHOWN).rows(named=True)
    ]
    head = ("bot", "moves", "median ms", "p99 ms", "longest ms", "median nodes", "nodes/s", "median depth")
    note = sentences(say("moves.note"), cut(found.height))
    return (Table("Moves of bots", head, rows, note, kind),) if rows else ()
