"""The parts on ladders: their standings, and how they ran. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import polars as pl

from engine.stats.score import expected_with_draws
from server.db.ladder import present_bots
from server.report.page import figures, ladder_figures
from server.report.page.wording import say, sentences
from server.report.page.words import (
    ROWS_SHOWN,
    ReportData,
    game_name,
    list_place,
    listed,
    moment,
    percent,
    signed,
    slug,
    whole,
)
from server.report.plots import Cell, Line, Lines, Panel, Part, Picture, Points, Stacked, Table


def ladders(data: ReportData) -> Part:
    frames = data.frames
    if frames.lists.is_empty():
        return Part("ladders", "Ladders", (say("ladders.none"),))
    titles = data.list_titles
    parts = [_ladder_list(data, row, titles[row["run_id"]]) for row in frames.lists.rows(named=True)]
    together = tuple(picture for picture in [_pair_results(data, [part.title for part in parts])] if picture)
    return Part("ladders", "Ladders", (say("ladders"),), together, (), tuple(parts))


def _ladder_list(data: ReportData, row: Mapping[str, object], title: str) -> Part:
    run = str(row["run_id"])
    name = list_place(run)
    standings = data.frames.standings.filter(run_id=run)
    games = data.games.filter((pl.col("run_id") == run) & (pl.col("source") == "ladder"))
    facts = [_games(str(row["game"]), games)]
    if standings.is_empty():
        return Part(name, title, (*facts, say("list.unrated")))
    advantage, drawing = row["advantage"], row["drawing"]
    if isinstance(advantage, float) and isinstance(drawing, float):
        made = percent(expected_with_draws(advantage, drawing))
        facts.append(say("list.first", elo=f"{advantage:.0f}", share=made))
    everybody = standings.rows(named=True)
    bots = [bot for bot in everybody if bot["place"] is not None]
    labels = tuple(data.players[bot["player_id"]] for bot in bots)
    picture = Picture(
        name,
        say("list.title", list=title),
        say(
            "list.alt",
            count=len(bots),
            ratings=listed(
                say("item", name=label, value=f"{bot['rating']:.0f}") for label, bot in zip(labels, bots, strict=True)
            ),
        ),
        say("list.reading"),
        Points(
            labels, [bot["rating"] for bot in bots], [bot["low"] for bot in bots], [bot["high"] for bot in bots], "Elo"
        ),
        str(row["game"]),
    )  # fmt: skip
    present = present_bots(str(row["settings"]))
    tables = (_standings(data, everybody, str(row["game"]), present), _crosstable(data, labels, bots, games))
    return Part(name, title, tuple(facts), (picture,), tables)


def _games(game: str, games: pl.DataFrame) -> str:
    limits = games["x_limit_ms"].drop_nulls().unique().sort().to_list()
    name, count = game_name(game), games.height
    if not limits:
        return say("list.games", game=name, count=count)
    limit = f"{limits[0]:,}" if len(limits) == 1 else f"{limits[0]:,} to {limits[-1]:,}"
    return say("list.games.limit", game=name, count=count, limit=limit)


def _standings(
    data: ReportData, bots: Sequence[Mapping[str, Any]], game: str, present: Collection[tuple[str, int | None]]
) -> Table:
    marks = ["retired" if bot["retired"] else "" if (bot["bot"], bot["version"]) in present else "left" for bot in bots]
    rows: list[tuple[Cell, ...]] = [
        (
            bot["place"], data.bot(bot["player_id"]), whole(bot["rating"]), _interval(bot["low"], bot["high"]),
            percent(bot["superiority"]), int(bot["games"]), int(bot["won"]), int(bot["drawn"]), int(bot["lost"]),
            percent(bot["share"], 1), int(bot["faults"]), mark,
        )
        for bot, mark in zip(bots, marks, strict=True)
    ]  # fmt: skip
    head: tuple[str, ...] = (
        "place", "bot", "Elo", "95 %", "better than the next", "games", "won", "drawn", "lost", "points", "faults", "",
    )  # fmt: skip
    if not any(marks):
        head, rows = head[:-1], [row[:-1] for row in rows]
    return Table("Standings", head, rows, game=game)


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.0f} to {high:.0f}"


def _crosstable(
    data: ReportData, labels: Sequence[str], bots: Sequence[Mapping[str, float]], games: pl.DataFrame
) -> Table:
    met = figures.crosstable(games)
    ids = [int(bot["player_id"]) for bot in bots]
    rows: list[tuple[Cell, ...]] = []
    for place, (label, id) in enumerate(zip(labels, ids, strict=True), start=1):
        meetings = [met.get((id, other)) if other != id else None for other in ids]
        rows.append((f"{place} {label}", *(f"{one.points:g}/{one.games}" if one else "" for one in meetings)))
    head = ("", *map(str, range(1, len(ids) + 1)))
    return Table("Crosstable", head, rows, say("crosstable.note"), shaded=True)


def _pair_results(data: ReportData, titles: Sequence[str]) -> Picture | None:
    labels, counts = [], []
    for title, run in zip(titles, data.frames.lists["run_id"], strict=True):
        standings = data.frames.standings.filter(run_id=run)
        places = dict(standings.select("player_id", "place").rows())
        found = figures.pair_results(
            data.games.filter((pl.col("run_id") == run) & (pl.col("source") == "ladder")), places
        )
        if sum(found):
            labels.append(title)
            counts.append(found)
    if not labels:
        return None
    names = ("0 points", "1/2", "1", "1 1/2", "2 points")
    said = listed(
        say("item", name=label, value=", ".join(map(str, row))) for label, row in zip(labels, counts, strict=True)
    )
    return Picture(
        "pairs",
        say("pairs.title"),
        say("pairs.alt", pairs=said),
        say("pairs.reading"),
        Stacked(
            tuple(labels),
            tuple((name, [row[place] for row in counts]) for place, name in reversed([*enumerate(names)])),
            "points",
            "share of pairs, %",
        ),
    )


# How a ladder ran


def how_it_ran(data: ReportData) -> Part:
    samples = data.frames.samples
    title = "Ladder runs"
    if samples.is_empty():
        return Part("running", title, (say("running.none"),))
    pictures: list[Picture] = []
    rows: list[tuple[Cell, ...]] = []
    files: set[str] = set()
    for ladder in samples["ladder"].unique().sort():
        found = ladder_figures.runs(samples.filter(ladder=ladder))
        # Only the longest run gets charts: others are often stopped right after the start.
        longest = max(found, key=lambda run: run.hours[-1])
        file = slug(str(ladder))
        while file in files:  # `over.night` and `over-night` are two ladders
            file += "-2"
        files.add(file)
        pictures += _run_pictures(str(ladder), longest, file)
        rows += [_run_row(str(ladder), run) for run in found[-ROWS_SHOWN:]]
    head = (
        "ladder", "started (UTC)", "hours", "games", "games/h", "memory, MB", "MB/h", "workers, MB", "MB/h",
        "scheduling and rating", "writing",
    )  # fmt: skip
    return Part("running", title, (), tuple(pictures), (Table("Runs", head, rows, say("runs.note")),))


def _run_row(ladder: str, run: ladder_figures.Run) -> tuple[Cell, ...]:
    hours = run.hours[-1]
    return (
        ladder, moment(run.begun_ms), round(hours, 2), run.games, round(run.games / hours) if hours else None,
        round(run.memory_mb[-1]), signed(run.memory_slope), round(run.workers_mb[-1]), signed(run.workers_slope),
        percent(run.schedule_share, 2), percent(run.write_share, 2),
    )  # fmt: skip


def _run_pictures(ladder: str, run: ladder_figures.Run, file: str) -> list[Picture]:
    unit, scale = ("hours", 1) if run.hours[-1] >= 2 else ("minutes", 60)
    since = say(f"since.{unit}", begun=moment(run.begun_ms))
    slopes = {"slope": signed(run.memory_slope), "workers_slope": signed(run.workers_slope)}
    hours, rate_hours = ([scale * hour for hour in one] for one in (run.hours, run.rate_hours))
    pictures = []
    if run.memory_slope is not None:  # two points would say nothing of growth
        pictures.append(
            Picture(
                f"memory-{file}",
                say("memory.title", ladder=ladder),
                say(
                    "memory.alt",
                    first=f"{run.memory_mb[0]:.0f}",
                    last=f"{run.memory_mb[-1]:.0f}",
                    workers_first=f"{run.workers_mb[0]:.0f}",
                    workers_last=f"{run.workers_mb[-1]:.0f}",
                    **slopes,
                ),
                sentences(since, say("memory.reading", **slopes)),
                Lines(
                    (Panel((Line("ladder", hours, run.memory_mb), Line("workers", hours, run.workers_mb)), "MB"),), unit
                ),
            )
        )
    if len(run.rate) > 1:
        pictures.append(
            Picture(
                f"rate-{file}",
                say("rate.title", ladder=ladder),
                say("rate.alt", least=round(min(run.rate)), most=round(max(run.rate))),
                sentences(since, say("rate.reading")),
                Lines((Panel((Line("", rate_hours, run.rate),), "games an hour"),), unit),
            )
        )
    return pictures
