"""What the report says of ladders: their standings, and how they ran. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from engine.score import expected_with_draws
from server.report import figures
from server.report.plots import Cell, Line, Lines, Panel, Part, Picture, Points, Stacked, Table
from server.report.words import (
    ROWS_SHOWN,
    Told,
    game_name,
    listed,
    moment,
    number,
    percent,
    signed,
    slug,
)


def ladders(told: Told) -> Part:
    records = told.records
    if records.lists.is_empty():
        return Part("ladders", "Ladders", ("No ladder is recorded: `noughts ladder run` plays one.",))
    doubled = records.lists.group_by("ladder", "list").len().filter(pl.col("len") > 1).select("ladder", "list").rows()
    parts = []
    for row in records.lists.rows(named=True):
        digest = row["run_id"].rsplit("/", 1)[-1][:6]
        name = f"{row['list']} ({digest})" if (row["ladder"], row["list"]) in doubled else row["list"]
        parts.append(_ladder_list(told, row, f"{row['ladder']}: {name}"))
    together = tuple(picture for picture in [_pair_results(told, [part.title for part in parts])] if picture)
    return Part("ladders", "Ladders", (_STANDING,), together, (), tuple(parts))


_STANDING: Final = (
    "Ratings are maximum likelihood over all games of a list, in Elo, with a mean of 0; intervals are of 95 %. Better "
    "than the next is how likely it is that the bot is the stronger of the two."
)


def _ladder_list(told: Told, row: Mapping[str, object], title: str) -> Part:
    run = str(row["run_id"])
    name = f"list-{slug(run)}"
    standings = told.records.standings.filter(run_id=run).sort("place")
    games = told.games.filter((pl.col("run_id") == run) & (pl.col("source") == "ladder"))
    sentences = [f"{game_name(str(row['game']))}, {number(games.height, 'game')}{_settings(games)}."]
    if standings.is_empty():
        sentences.append("Its standings have not been computed yet.")
        return Part(name, title, tuple(sentences))
    advantage, drawing = row["advantage"], row["drawing"]
    if isinstance(advantage, float) and isinstance(drawing, float):
        made = percent(expected_with_draws(advantage, drawing))
        sentences.append(f"Moving first is worth {advantage:.0f} Elo: {made} of the points between equals.")
    bots = standings.rows(named=True)
    labels = tuple(told.players[bot["player_id"]] for bot in bots)
    picture = Picture(
        name,
        f"{title}: ratings",
        f"Ratings of {len(bots)} bots in Elo with intervals of 95 %, the best first: "
        + listed(f"{label} {bot['rating']:.0f}" for label, bot in zip(labels, bots, strict=True))
        + ".",
        "Where the bars of two bots overlap much, their order may be chance.",
        Points(
            labels, [bot["rating"] for bot in bots], [bot["low"] for bot in bots], [bot["high"] for bot in bots], "Elo"
        ),
        str(row["game"]),
    )  # fmt: skip
    tables = (_standings(labels, bots, str(row["game"])), _crosstable(told, labels, bots, games))
    return Part(name, title, tuple(sentences), (picture,), tables)


def _settings(games: pl.DataFrame) -> str:
    limits = games["x_limit_ms"].drop_nulls().unique().sort().to_list()
    return f", {' and '.join(f'{limit:,}' for limit in limits)} ms a move" if limits else ""


def _standings(labels: Sequence[str], bots: Sequence[Mapping[str, float]], game: str) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            int(bot["place"]), label, round(bot["rating"]), f"{bot['low']:.0f} to {bot['high']:.0f}",
            percent(bot["superiority"]), int(bot["games"]), int(bot["won"]), int(bot["drawn"]), int(bot["lost"]),
            percent(bot["share"], 1), int(bot["faults"]), "retired" if bot["retired"] else "",
        )
        for label, bot in zip(labels, bots, strict=True)
    ]  # fmt: skip
    head: tuple[str, ...] = (
        "place", "bot", "Elo", "95 %", "better than the next", "games", "won", "drawn", "lost", "points", "faults", "",
    )  # fmt: skip
    if not any(bot["retired"] for bot in bots):
        head, rows = head[:-1], [row[:-1] for row in rows]
    return Table("Standings", head, rows, game=game)


def _crosstable(told: Told, labels: Sequence[str], bots: Sequence[Mapping[str, float]], games: pl.DataFrame) -> Table:
    met = figures.crosstable(games)
    ids = [int(bot["player_id"]) for bot in bots]
    rows: list[tuple[Cell, ...]] = []
    for place, (label, id) in enumerate(zip(labels, ids, strict=True), start=1):
        meetings = [met.get((id, other)) if other != id else None for other in ids]
        rows.append((f"{place} {label}", *(f"{one.points:g}/{one.games}" if one else "" for one in meetings)))
    note = "Points of the bot on the left out of as many games against the bot above, which has its place for a name."
    return Table("Every bot against every other", ("", *map(str, range(1, len(ids) + 1))), rows, note, shaded=True)


def _pair_results(told: Told, titles: Sequence[str]) -> Picture | None:
    labels, counts = [], []
    for title, run in zip(titles, told.records.lists["run_id"], strict=True):
        standings = told.records.standings.filter(run_id=run)
        places = dict(standings.select("player_id", "place").rows())
        found = figures.pair_results(
            told.games.filter((pl.col("run_id") == run) & (pl.col("source") == "ladder")), places
        )
        if sum(found):
            labels.append(title)
            counts.append(found)
    if not labels:
        return None
    names = ("0 points", "1/2", "1", "1 1/2", "2 points")
    said = listed(f"{label} {', '.join(map(str, row))}" for label, row in zip(labels, counts, strict=True))
    return Picture(
        "pairs",
        "Pairs of games, from the better placed bot's side",
        f"Numbers of pairs in which the better placed bot made 0, 1/2, 1, 1 1/2 and 2 points: {said}.",
        "A pair is two games with the same opening and sides swapped. One point is a tie: often each bot won with the "
        "side that the opening favours.",
        Stacked(
            tuple(labels),
            tuple((name, [row[place] for row in counts]) for place, name in reversed([*enumerate(names)])),
            "points",
            "share of pairs, %",
        ),
    )


# How a ladder ran


def how_it_ran(told: Told) -> Part:
    samples = told.records.samples
    title = "How the ladder ran"
    if samples.is_empty():
        return Part("running", title, ("No ladder has noted how it runs.",))
    pictures, rows = [], []
    for ladder in samples["ladder"].unique().sort():
        found = figures.runs(samples.filter(ladder=ladder))
        # Pictures of the longest run: others are often starts that were stopped at once.
        longest = max(found, key=lambda run: run.hours[-1])
        pictures += _run_pictures(str(ladder), longest)
        rows += [_run_row(str(ladder), run) for run in found[-ROWS_SHOWN:]]
    head = (
        "ladder", "begun (UTC)", "hours", "games", "games/h", "memory, MB", "MB/h", "workers, MB", "MB/h",
        "choosing and rating", "writing",
    )  # fmt: skip
    note = (
        "Memory at the end; MB/h is its slope over time by least squares, without the first tenth. The last two "
        "columns are shares of all processor time, that of the workers among it."
    )
    return Part("running", title, (), tuple(pictures), (Table("Runs", head, rows, note),))


def _run_row(ladder: str, run: figures.Run) -> tuple[Cell, ...]:
    hours = run.hours[-1]
    return (
        ladder, moment(run.begun_ms), round(hours, 2), run.games, round(run.games / hours) if hours else None,
        round(run.memory_mb[-1]), signed(run.memory_slope), round(run.workers_mb[-1]), signed(run.workers_slope),
        percent(run.schedule_share, 2), percent(run.write_share, 2),
    )  # fmt: skip


def _run_pictures(ladder: str, run: figures.Run) -> list[Picture]:
    begun = moment(run.begun_ms)
    unit, scale = ("hours", 1) if run.hours[-1] >= 2 else ("minutes", 60)
    hours, rate_hours = ([scale * hour for hour in one] for one in (run.hours, run.rate_hours))
    pictures = []
    if len(run.hours) > 1:
        pictures.append(
            Picture(
                f"memory-{slug(ladder)}",
                f"{ladder}: memory over time",
                f"Memory of the ladder's process, {run.memory_mb[0]:.0f} MB at first and {run.memory_mb[-1]:.0f} at "
                f"the end, and of its workers, {run.workers_mb[0]:.0f} and {run.workers_mb[-1]:.0f} MB; slopes "
                f"{signed(run.memory_slope)} and {signed(run.workers_slope)} MB an hour.",
                f"{unit.capitalize()} since {begun}. A flat line is right: what grows all night ends badly. Slopes: "
                f"{signed(run.memory_slope)} MB/h for the ladder, {signed(run.workers_slope)} MB/h for its workers.",
                Lines(
                    (Panel((Line("ladder", hours, run.memory_mb), Line("workers", hours, run.workers_mb)), "MB"),),
                    unit,
                ),
            )
        )
    if len(run.rate) > 1:
        pictures.append(
            Picture(
                f"rate-{slug(ladder)}",
                f"{ladder}: games an hour",
                f"Games an hour over time, from {min(run.rate):,.0f} to {max(run.rate):,.0f}.",
                f"{unit.capitalize()} since {begun}. It changes with the games that are played: a long "
                "game between slow bots counts as much as a short one.",
                Lines((Panel((Line("", rate_hours, run.rate),), "games an hour"),), unit),
            )
        )
    return pictures
