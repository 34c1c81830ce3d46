"""The first screen: who is best and how sure, what changed, where the time went, and what went wrong. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from engine.rules.termination import FAULT_TERMINATIONS
from server.report.durations import span
from server.report.page import ladder_figures, time_figures
from server.report.page.bot_parts import list_link
from server.report.page.changes import headlines
from server.report.page.key_figures import Key
from server.report.page.leaders import lead
from server.report.page.result_parts import END_NAMES
from server.report.page.time_figures import PHASES, phase_shares
from server.report.page.wording import say
from server.report.page.words import ReportData, game_name, percent, whole
from server.report.plots import Cell, Link, Part, Table

LISTS: Final = 8
ROWS: Final = 5
RELIABLE: Final = 0.95
"""From this likelihood on a leader is called the best."""


def summary(data: ReportData, before: Key | None, now: Key) -> Part:
    cards = (
        _who_is_best(data),
        Part(
            "summary-changes",
            "What changed",
            headlines(before, now),
            more=Link("Details", "changes") if before else None,
        ),
        _where_the_time_went(data),
        _what_went_wrong(data),
    )
    return Part("summary", "Summary", (), (), (), cards)


def _who_is_best(data: ReportData) -> Part:
    title = "Who is best, and how sure"
    leaders = [(run, found) for run in _latest_lists(data) if (found := lead(data, run))]
    if not leaders:
        return Part("summary-best", title, (say("best.none"),))
    rows: list[tuple[Cell, ...]] = []
    for run, (best, _, superiority) in leaders[:LISTS]:
        interval = f"{best['low']:.0f} to {best['high']:.0f}" if best["low"] is not None else ""
        rows.append(
            (list_link(data, run), data.bot(best["player_id"]), whole(best["rating"]), interval,
             percent(superiority))
        )  # fmt: skip
    contested = [(run, found) for run, found in leaders if found.superiority is not None]
    unsure = [(run, found) for run, found in contested if (found.superiority or 0) < RELIABLE]
    said = [say("best.sure", sure=len(contested) - len(unsure), count=len(contested))] if contested else []
    said += [
        say(
            "best.open" if (superiority or 0) > 0.5 else "best.level",
            list=list_link(data, run).text,
            first=data.players[first["player_id"]],
            second=data.players[second["player_id"]],
            share=percent(superiority),
        )
        for run, (first, second, superiority) in unsure[:ROWS]
        if second is not None
    ]
    head = ("list", "best", "Elo", "95 %", "sure")
    cut = say("best.more", count=len(leaders) - LISTS) if len(leaders) > LISTS else ""
    return Part(
        "summary-best", title, tuple(said), (), (Table("", head, rows, cut),), more=Link("Standings", "ladders")
    )


def _latest_lists(data: ReportData) -> list[str]:
    """The lists, the last rated first; those of one moment in their order."""
    return data.frames.lists.sort("rated_ms", descending=True, nulls_last=True, maintain_order=True)["run_id"].to_list()


def _where_the_time_went(data: ReportData) -> Part:
    title = "Where the time went"
    by_bot = time_figures.summed(data.thinking, "player_id")
    total = int(by_bot["total_us"].sum())
    if not total:
        return Part("summary-time", title, (say("spent.none"), *_spent_by_ladders(data)))
    phases = {phase: percent(int(by_bot[f"{phase}_us"].sum()) / total) for phase in PHASES}
    said = (say("spent", total=span(total), **phases), *_spent_by_ladders(data))
    shown = by_bot.head(ROWS).rows(named=True)
    rows: list[tuple[Cell, ...]] = [
        (data.bot(row["player_id"]), span(row["total_us"]), percent(row["total_us"] / total),
         span(row["total_us"] / row["games"]), *_phases(row))
        for row in shown
    ]  # fmt: skip
    rest = by_bot.slice(ROWS)
    if rest.height:
        left = int(rest["total_us"].sum())
        rows.append((say("spent.rest", count=rest.height), span(left), percent(left / total), "", ""))
    by_game: list[tuple[Cell, ...]] = [
        (game_name(row["game"]), span(row["total_us"]), percent(row["total_us"] / total),
         span(row["total_us"] / data.games_of_bots[row["game"]]), *_phases(row))
        for row in time_figures.summed(data.thinking, "game").head(ROWS).rows(named=True)
    ]  # fmt: skip
    columns = ("thought", "share", "a game", "thirds, %")
    tables = (Table("", ("bot", *columns), rows), Table("", ("game", *columns), by_game))
    return Part("summary-time", title, said, (), tables, more=Link("All bots", "bots"))


def _phases(row: dict[str, int]) -> tuple[str]:
    shares = phase_shares(row)
    return ("/".join(f"{100 * share:.0f}" for share in shares) if shares else "",)


def _spent_by_ladders(data: ReportData) -> tuple[str, ...]:
    """What ladders spent besides thinking: waiting, of the time on the clock; the rest, of processor time."""
    of_ladders = data.games.filter(source="ladder")
    # The search that lost a game is not recorded, and may have been most of it.
    played = of_ladders.filter(pl.col("termination").is_in(FAULT_TERMINATIONS).not_())
    which = "Ladder games" if played.height == of_ladders.height else "Ladder games without a fault"
    said = []
    if played.height:
        clock = 1_000 * int((played["ended_ms"] - played["started_ms"]).sum())
        thought = int(data.moves.join(played.select("game_id"), on="game_id", how="semi")["think_us"].sum())
        if clock:
            waited = percent(max(0.0, 1 - thought / clock), 1)
            said.append(say("spent.waiting", games=which, clock=span(clock), waiting=waited))
    samples = data.frames.samples
    runs = [run for ladder in samples["ladder"].unique() for run in ladder_figures.runs(samples.filter(ladder=ladder))]
    cpu = sum(run.cpu_ms for run in runs)
    if cpu:
        scheduling = sum((run.schedule_share or 0) * run.cpu_ms for run in runs) / cpu
        writing = sum((run.write_share or 0) * run.cpu_ms for run in runs) / cpu
        said.append(
            say(
                "spent.processor", cpu=span(1_000 * cpu), scheduling=percent(scheduling, 1), writing=percent(writing, 1)
            )
        )
    return tuple(said)


def _what_went_wrong(data: ReportData) -> Part:
    title = "What went wrong"
    lost = sum(one.number for one in data.faults)
    said = [say("faults", count=lost, games=data.games.height) if lost else say("faults.none")]
    used = data.limits
    if used.height and (over := int(used["over"].sum())):
        said.append(
            say("wrong.over", count=over, moves=int(used["moves"].sum()), most=span(int(used["worst_us"].max())))  # type: ignore[arg-type]
        )
    if data.frames.running or data.frames.aborted:
        said.append(say("left-out", running=data.frames.running, aborted=data.frames.aborted))
    if not lost:
        return Part("summary-wrong", title, tuple(said), more=Link("Details", "ends"))
    rows: list[tuple[Cell, ...]] = [
        (data.bot(one.player_id), one.number, percent(one.number / one.games, 1), _kinds(one.by_termination),
         _latest(data, one.player_id))
        for one in sorted(data.faults, key=lambda one: (-one.number, one.player_id))[:ROWS]
    ]  # fmt: skip
    table = Table("", ("player", "games lost", "of its games", "by", "latest"), rows)
    return Part("summary-wrong", title, tuple(said), (), (table,), more=Link("Details", "ends"))


def _kinds(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{END_NAMES[kind]} {counts[kind]}" for kind in FAULT_TERMINATIONS if kind in counts)


def _latest(data: ReportData, player: int) -> Link | None:
    lost = data.games.filter(
        pl.col("termination").is_in(FAULT_TERMINATIONS)
        & (pl.when(pl.col("winner") == "x").then("o_id").when(pl.col("winner") == "o").then("x_id") == player)
    )
    ids = lost["game_id"].to_list()
    return Link(say("wrong.game", id=str(ids[-1])), game_id=ids[-1]) if ids else None
