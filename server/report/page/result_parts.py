"""The parts on results: how many games, who won, and how they ended. Pure."""

from __future__ import annotations

from typing import Final

import polars as pl

from engine.rules.termination import FAULT_TERMINATIONS
from engine.stats.score import Score
from server.report.page import figures
from server.report.page.wording import say
from server.report.page.words import ROWS_SHOWN, ReportData, cut, game_name, listed, megabytes, moment, percent
from server.report.plots import Cell, Link, Part, Picture, Points, Stacked, Table

END_NAMES: Final[dict[str, str]] = {
    "line": "line", "board_full": "board full", "count": "count", "resignation": "resignation", "flag": "flag",
    "agreement": "agreement", "illegal_move": "illegal move", "crash": "crash", "stall": "stall",
    "disconnection": "disconnection", "adjudication": "adjudication", "aborted": "aborted",
}  # fmt: skip


def overview(data: ReportData) -> Part:
    frames = data.frames
    sentences = []
    if data.games.is_empty():
        sentences.append(say("overview.none"))
    else:
        first, last = int(data.games["started_ms"].min()), int(data.games["started_ms"].max())  # type: ignore[arg-type]
        sentences.append(
            say(
                "overview",
                games=say("games", count=data.games.height),
                moves=say("moves", count=frames.moves.height),
                players=say("players", count=_seated(data.games)),
                first=moment(first),
                last=moment(last),
            )
        )
    if frames.running or frames.aborted:
        sentences.append(say("left-out", running=frames.running, aborted=frames.aborted))
    if (growth := frames.size.growth) is not None and frames.size.bytes_per_game is not None:
        sentences.append(
            say(
                "size",
                size=megabytes(frames.size.bytes),
                game=f"{frames.size.bytes_per_game / 1e3:,.1f}",
                count=round(growth.games_per_day),
                day=megabytes(growth.bytes_per_day),
            )
        )
    counted = data.games.group_by("game", "source").len().sort("game", "source")
    sources = sorted({str(source) for source in counted["source"]})
    numbers = {(game, source): count for game, source, count in counted.rows()}
    moves = dict(data.moves.group_by("game").len().rows())
    rows = [
        (game_name(game), *(numbers.get((game, source), 0) for source in sources), moves.get(game, 0))
        for game in data.kinds
    ]
    table = Table("Games by source", ("game", *sources, "moves"), rows)
    return Part("overview", "Recorded games", tuple(sentences), (), (table,) if rows else ())


def _seated(games: pl.DataFrame) -> int:
    return pl.concat([games["x_id"], games["o_id"]]).n_unique()


# Moving first


def advantage(data: ReportData) -> Part:
    found = figures.advantages(data.games)[:ROWS_SHOWN]
    labels = tuple(game_name(one.game) for one in found)
    named = list(zip(labels, found, strict=True))
    worth = Picture(
        "advantage",
        say("advantage.title"),
        say(
            "advantage.alt",
            shares=listed(say("item", name=name, value=percent(one.score.share)) for name, one in named),
        ),
        say("advantage.reading"),
        Points(
            labels,
            [100 * one.score.share for one in found],
            [100 * one.interval.low for one in found],
            [100 * one.interval.high for one in found],
            "X's share of the points, %",
            50.0,
        ),
    )
    results = Picture(
        "results",
        say("results.title"),
        say("results.alt", results=listed(say("item", name=name, value=_results(one.score)) for name, one in named)),
        say("results.reading"),
        Stacked(
            labels,
            (
                ("X won", [one.score.won for one in found]),
                ("drawn", [one.score.drawn for one in found]),
                ("O won", [one.score.lost for one in found]),
            ),
            "results",
        ),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            name, one.score.games, one.score.won, one.score.drawn, one.score.lost, percent(one.score.share, 1),
            f"{100 * one.interval.low:.1f} to {100 * one.interval.high:.1f}", one.openings,
        )
        for name, one in named
    ]  # fmt: skip
    head = ("game", "games", "X won", "drawn", "O won", "X's points", "95 %", "openings")
    note = say("advantage.note", openings=figures.OPENINGS)
    return Part("advantage", "Moving first", (), (worth, results), (Table("Results of X", head, rows, note),))


def _results(score: Score) -> str:
    return f"{score.won}, {score.drawn}, {score.lost}"


# How games end


def ends(data: ReportData) -> Part:
    counted = figures.terminations(data.games)
    kinds = list(counted)[:ROWS_SHOWN]
    totals: dict[str, int] = {}
    for counts in counted.values():
        for termination, count in counts.items():
            totals[termination] = totals.get(termination, 0) + count
    order = sorted(totals, key=lambda one: -totals[one])
    most, rest = order[:6], order[6:]
    labels = tuple(map(game_name, kinds))
    shown = [(END_NAMES.get(one, one), [counted[kind].get(one, 0) for kind in kinds]) for one in most]
    if rest:
        shown.append(("others", [sum(counted[kind].get(one, 0) for one in rest) for kind in kinds]))
    picture = Picture(
        "ends",
        say("ends.title"),
        say("ends.alt", ends=listed(say("item", name=END_NAMES.get(one, one), value=totals[one]) for one in order)),
        say("ends.reading"),
        Stacked(labels, tuple(shown), "many"),
    )
    rows: list[tuple[Cell, ...]] = [(game_name(kind), *(counted[kind].get(one, 0) for one in order)) for kind in kinds]
    table = Table("Games by termination", ("game", *(END_NAMES.get(one, one) for one in order)), rows)
    sentences, tables = _faults(data)
    return Part("ends", "Terminations and faults", sentences, (picture,), (table, *tables))


def _faults(data: ReportData) -> tuple[tuple[str, ...], tuple[Table, ...]]:
    found = data.faults
    if not found:
        return (say("faults.none"),), ()
    kinds = [kind for kind in FAULT_TERMINATIONS if any(kind in one.by_termination for one in found)]
    rows: list[tuple[Cell, ...]] = [
        (
            data.bot(one.player_id), one.games, one.number, percent(one.number / one.games, 1),
            *(one.by_termination.get(kind, 0) for kind in kinds),
        )
        for one in found[:ROWS_SHOWN]
    ]  # fmt: skip
    head = ("player", "games", "faults", "share", *(END_NAMES[kind] for kind in kinds))
    tables = [Table("Games lost by a fault", head, rows, cut(len(found)))]
    said = data.frames.faults
    if said.height:
        rows = [
            (
                data.bot(player),
                game_name(game),
                Link(str(id), game_id=id),
                END_NAMES.get(termination, termination),
                sentence,
            )
            for id, game, player, termination, sentence in said.tail(ROWS_SHOWN).reverse().rows()
        ]
        head = ("player", "game", "game ID", "end", "reason")
        tables.append(Table("Latest faults", head, rows, cut(said.height)))
    lost = sum(one.number for one in found)
    return (say("faults", count=lost, games=data.games.height),), tuple(tables)
