"""Twenty questions to the records of a ladder, as a notebook: docs/analysis.md, of which it is made.

`noughts notebook` opens it. It also runs as a script, on the tables in a folder of `noughts export --parquet`:

    python analysis_notebook.py --tables FOLDER
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium")


@app.cell
def _():
    import sys
    from pathlib import Path

    import marimo as mo
    import matplotlib.pyplot as plt
    import polars as pl

    return Path, mo, pl, plt, sys


@app.cell
def _(Path, mo, pl, sys):
    folder = Path(mo.cli_args().get("tables") or mo.notebook_dir())
    if not (folder / "standings.parquet").exists():
        sys.exit(f"There are no tables in {folder}: noughts export --parquet {str(folder)!r} writes them.")
    games = pl.read_parquet(folder / "games.parquet")
    moves = pl.read_parquet(folder / "moves.parquet")
    standings = pl.read_parquet(folder / "standings.parquet")
    return games, moves, standings


@app.cell(hide_code=True)
def _(pl):
    def shown(frame):
        """Four digits, or all before the point: who needs more leaves this out."""
        value = pl.selectors.float()
        return frame.with_columns(pl.when(value.abs() < 1000).then(value.round_sig_figs(4)).otherwise(value.round()))

    return shown,


@app.cell(hide_code=True)
def _(games, mo, moves):
    mo.md(f"""
    # Questions to the records

    {games.height:,} games with {moves.height:,} moves. Change any cell, and what depends on it follows.

    Bots and people are grouped by name. Where several have one, as two versions of a bot, group by `player_id` as well,
    in `games` by `x_id` and `o_id`.
    """)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 1. Who is best, and how sure is that?

    `low` and `high` are the ends of the 95 % interval, `superiority` is the likelihood that the bot is stronger than the
    next in its list: treat 0.95 and above as reliable.
    """)
    return


@app.cell
def _(pl, shown, standings):
    shown(
        standings.sort("list", "run_id", "place").select(
            "list", "place", "bot", pl.col("rating").round().alias("elo"), pl.col("low", "high").round(), "games", "superiority"
        )
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 2. Does more time make a bot stronger?

    A bot that stands above another and takes less time is better, not only more patient.
    """)
    return


@app.cell
def _(moves, pl, shown, standings):
    move_times = moves.group_by("run_id", "player_id").agg(mean_ms=pl.col("think_us").mean() / 1000)
    shown(
        standings.join(move_times, on=["run_id", "player_id"]).select(
            "list", "bot", pl.col("rating").round().alias("elo"), "mean_ms"
        ).sort("list", "elo", "bot", descending=[False, True, False])
    )
    return move_times,


@app.cell
def _(move_times, plt, standings):
    strength_chart, strength_axes = plt.subplots()
    _timed = standings.join(move_times, on=["run_id", "player_id"]).sort("list")
    for (_list,), _bots in _timed.group_by("list", maintain_order=True):
        strength_axes.plot(_bots["mean_ms"], _bots["rating"], "o", label=_list)
    strength_axes.set(xscale="log", xlabel="mean ms a move", ylabel="Elo in its list")
    strength_axes.legend()
    strength_axes
    return strength_axes, strength_chart


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 3. Is a bot stronger as X or as O?

    `share` is points per game, 1 for a win and 0.5 for a draw. Where X's share is far above O's for every bot, the opening
    decides much.
    """)
    return


@app.cell
def _(games, pl, shown):
    as_x = games.select("game", bot="x", kind="x_kind", side=pl.lit("x"), points="x_points")
    as_o = games.select("game", bot="o", kind="o_kind", side=pl.lit("o"), points=1 - pl.col("x_points"))
    shown(
        pl.concat([as_x, as_o]).filter(pl.col("kind") == "bot", pl.col("points").is_not_null()).group_by(
            "game", "bot", "side"
        ).agg(games=pl.len(), share=pl.col("points").mean()).sort("game", "bot", "side")
    )
    return as_o, as_x


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 4. What is the first move worth?

    0.5 would be no advantage. A ladder plays each opening from both sides, so strength cancels out.
    """)
    return


@app.cell
def _(games, pl, shown):
    shown(
        games.filter(pl.col("x_points").is_not_null()).group_by("game").agg(
            games=pl.len(), x_share=pl.col("x_points").mean(), drawn=pl.col("winner").is_null().mean()
        ).sort("game")
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 5. Which openings favour a side?

    With 4 games an opening stands here by chance; ask for `>= 20` after a whole night.
    """)
    return


@app.cell
def _(games, pl, shown):
    shown(
        games.filter(pl.col("source") == "ladder", pl.col("x_points").is_not_null()).group_by("game", "opening_id").agg(
            games=pl.len(), x_share=pl.col("x_points").mean()
        ).filter(pl.col("games") >= 4).sort(
            (pl.col("x_share") - 0.5).abs(), "games", "game", "opening_id", descending=[True, True, False, False]
        ).head(10)
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 6. How long does each bot think, ply by ply?

    Plies count from the empty board; the opening's own plies were set and took no time.
    """)
    return


@app.cell
def _(moves, pl, shown):
    shown(
        moves.filter(pl.col("kind") == "bot").group_by("game", "player", "ply").agg(
            moves=pl.len(), mean_ms=pl.col("think_us").mean() / 1000, longest_ms=pl.col("think_us").max() / 1000
        ).sort("game", "player", "ply")
    )
    return


@app.cell
def _(moves, pl, plt):
    time_chart, time_axes = plt.subplots()
    _longest = moves.group_by("game").len().sort("len", "game")["game"][-1]
    _of_ply = moves.filter(pl.col("kind") == "bot", pl.col("game") == _longest).group_by("player", "ply")
    for (_player,), _moves in _of_ply.agg(ms=pl.col("think_us").mean() / 1000).sort("player", "ply").group_by(
        "player", maintain_order=True
    ):
        time_axes.plot(_moves["ply"], _moves["ms"], label=_player)
    time_axes.set(title=_longest, xlabel="ply", ylabel="mean ms a move")
    time_axes.legend()
    time_axes
    return time_axes, time_chart


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 7. Where did the time go?

    The first line is what to shorten if the night is to hold more games.
    """)
    return


@app.cell
def _(moves, pl, shown):
    bot_moves = moves.filter(pl.col("kind") == "bot")
    shown(
        bot_moves.group_by("player").agg(
            seconds=pl.col("think_us").sum() / 1e6,
            seconds_a_game=pl.col("think_us").sum() / 1e6 / pl.col("game_id").n_unique(),
            percent=100 * pl.col("think_us").sum() / bot_moves["think_us"].sum(),
        ).sort("seconds", "player", descending=[True, False])
    )
    return bot_moves,


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 8. How much of the night was thinking?

    `playing_s` above `wall_s` means that games ran side by side. The rest went into checking moves and similar work; games
    that last a few milliseconds, as on the small boards here, end above 100 since their duration is in whole ones.
    """)
    return


@app.cell
def _(games, moves, pl, shown):
    thinking = moves.group_by("game_id").agg(thinking_us=pl.col("think_us").sum())
    shown(
        games.filter(pl.col("source") == "ladder", pl.col("ended_ms").is_not_null()).join(thinking, on="game_id").group_by(
            "list"
        ).agg(
            games=pl.len(),
            wall_s=(pl.col("ended_ms").max() - pl.col("started_ms").min()) / 1000,
            playing_s=pl.col("duration_ms").sum() / 1000,
            thinking_s=pl.col("thinking_us").sum() / 1e6,
            percent=pl.col("thinking_us").sum() / 10 / pl.col("duration_ms").sum(),
        ).sort("list")
    )
    return thinking,


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 9. Which was the longest lag?

    What passed between two moves beside thinking; `wait_ms` of it was spent in the queue for a processor.
    """)
    return


@app.cell
def _(moves, pl, shown):
    shown(
        moves.sort("game_id", "ply").with_columns(lag_ms=pl.col("at_ms").diff().over("game_id") - pl.col("think_ms")).filter(
            pl.col("lag_ms").is_not_null()
        ).sort("lag_ms", "game_id", "ply", descending=[True, False, False]).select(
            "game_id", "ply", "player", "lag_ms", "wait_ms"
        ).head(10)
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 10. Who gets into time trouble?

    `near_percent` of its moves took nine tenths of the limit or more, and `over` moves exceeded it; a negative `worst_ms`
    is what was left at the closest. A ladder forgives `overrun_ms`.
    """)
    return


@app.cell
def _(moves, pl, shown):
    shown(
        moves.filter(pl.col("limit_ms").is_not_null()).group_by("game", "player").agg(
            moves=pl.len(),
            near_percent=100 * (10 * pl.col("think_ms") >= 9 * pl.col("limit_ms")).mean(),
            over=(pl.col("think_ms") > pl.col("limit_ms")).sum(),
            worst_ms=(pl.col("think_ms") - pl.col("limit_ms")).max(),
        ).sort("near_percent", "game", "player", descending=[True, False, False])
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 11. Do bots think longer when they stand worse?

    `value` is the bot's own opinion. A win is often proven almost instantly.
    """)
    return


@app.cell
def _(moves, pl, shown):
    stands = pl.when(pl.col("value") < 0).then(pl.lit("worse")).when(pl.col("value") > 0).then(pl.lit("better"))
    shown(
        moves.filter(pl.col("kind") == "bot", pl.col("value").is_not_null()).group_by(
            "player", stands=stands.otherwise(pl.lit("equal"))
        ).agg(moves=pl.len(), mean_ms=pl.col("think_us").mean() / 1000).sort("player", "stands")
    )
    return stands,


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 12. Did the night slow down?

    Hours are in UTC. If games an hour fall while milliseconds a move stay, the games became longer; if milliseconds rise,
    another program was using the machine.
    """)
    return


@app.cell
def _(games, pl, shown):
    shown(
        games.filter(pl.col("source") == "ladder", pl.col("ended_ms").is_not_null()).group_by(
            hour=pl.from_epoch("started_ms", time_unit="ms").dt.strftime("%Y-%m-%d %H:00")
        ).agg(games=pl.len(), plies=pl.col("plies").mean(), ms_a_move=pl.col("duration_ms").sum() / pl.col("plies").sum()).sort(
            "hour"
        )
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 13. How fast do bots search?

    Moves shorter than ten times the resolution of their times are left out: network bots and older records have
    milliseconds.
    """)
    return


@app.cell
def _(moves, pl, shown):
    shown(
        moves.filter(pl.col("nodes").is_not_null(), pl.col("think_us") >= 10 * pl.col("resolution_us")).group_by(
            "game", "player"
        ).agg(
            nodes_per_second=pl.col("nodes").sum() * 1e6 / pl.col("think_us").sum(), nodes_a_move=pl.col("nodes").mean()
        ).sort("nodes_per_second", "game", "player", descending=[True, False, False])
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 14. How deep do bots look in the first, second and last third of a game?

    A depth that grows towards the end comes from fewer legal moves; one that does not shows a bot with a fixed depth.
    """)
    return


@app.cell
def _(games, moves, pl, shown):
    lengths = games.filter(pl.col("ended_ms").is_not_null()).select(
        "game_id", length=pl.col("start_plies") + pl.col("plies")
    )
    shown(
        moves.filter(pl.col("depth").is_not_null()).join(lengths, on="game_id").group_by(
            "game", "player", third=3 * pl.col("ply") // pl.col("length") + 1
        ).agg(pl.col("depth").mean(), pl.col("nodes").mean(), mean_ms=pl.col("think_us").mean() / 1000).sort(
            "game", "player", "third"
        )
    )
    return lengths,


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 15. How early was the win seen?

    From the first move at which the winner had proven its win, itself included, to the end: 1 is the winning move alone.
    """)
    return


@app.cell
def _(games, moves, pl, shown):
    ends = games.select("game_id", "winner", length=pl.col("start_plies") + pl.col("plies"))
    shown(
        moves.filter(pl.col("win_in") > 0).join(ends, on="game_id").filter(pl.col("winner") == pl.col("side")).group_by(
            "game", "game_id", "player"
        ).agg(seen=(pl.col("length") - pl.col("ply")).max()).group_by("game", "player").agg(
            games=pl.len(), plies_before_the_end=pl.col("seen").mean()
        ).sort("plies_before_the_end", "game", "player", descending=[True, False, False])
    )
    return ends,


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 16. Who blunders, and when?

    Only reviewed games count: `noughts review --run night` judges all of a ladder. A blunder is proven to have cost the
    result; where nothing can be proven, count `grade = 'doubtful'` instead.
    """)
    return


@app.cell
def _(moves, pl, shown):
    shown(
        moves.filter(pl.col("blunder").is_not_null()).group_by("game", "player", from_ply=pl.col("ply") // 5 * 5).agg(
            judged=pl.len(), blunders=pl.col("blunder").sum(), percent=100 * pl.col("blunder").mean()
        ).sort("game", "player", "from_ply")
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 17. Does haste make mistakes?

    Compare a player's blunders (grade `mistake`) with its good moves at about the same ply: a late move is quick and seldom
    wrong.
    """)
    return


@app.cell
def _(moves, pl, shown):
    shown(
        moves.filter(pl.col("grade").is_not_null()).group_by("player", "grade").agg(
            moves=pl.len(), mean_ms=pl.col("think_us").mean() / 1000, mean_ply=pl.col("ply").mean()
        ).sort("player", "grade")
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 18. Who forfeits, and how?

    No rows is the good answer. The table `faults` has a sentence for each one of a ladder.
    """)
    return


@app.cell
def _(games, pl, shown):
    forfeits = ["flag", "crash", "stall", "illegal_move", "disconnection"]
    shown(
        games.filter(pl.col("winner").is_not_null(), pl.col("termination").is_in(forfeits)).group_by(
            "game", "termination", loser=pl.when(pl.col("winner") == "x").then("o").otherwise("x")
        ).agg(games=pl.len()).select("game", "loser", "termination", "games").sort(
            "games", "game", "loser", "termination", descending=[True, False, False, False]
        )
    )
    return forfeits,


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 19. How do games end, and how long do they last?

    Plies include the opening's. Many full boards mean that the bots are too careful for each other, or the game a draw.
    """)
    return


@app.cell
def _(games, pl, shown):
    shown(
        games.filter(pl.col("x_points").is_not_null()).group_by("game", "termination").agg(
            games=pl.len(),
            plies=(pl.col("start_plies") + pl.col("plies")).mean(),
            seconds=pl.col("duration_ms").mean() / 1000,
        ).sort("game", "termination")
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 20. Which positions are played most?

    The opening and the marks that the players added up to ply 6; the order of moves does not matter. Positions that
    symmetry makes alike count apart here and together in the explorer, whose table is `explorer_moves`.
    """)
    return


@app.cell
def _(games, moves, pl, shown):
    positions = (
        moves.filter(pl.col("ply") < 6)
        .sort("game_id", "side", "cell", descending=[False, True, False])
        .group_by("game_id")
        .agg(marks=(pl.col("side") + pl.col("cell").cast(pl.String)).str.join(" "))
    )
    shown(
        games.filter(pl.col("x_points").is_not_null()).join(positions, on="game_id").group_by(
            "game", "opening_id", "marks"
        ).agg(games=pl.len(), x_share=pl.col("x_points").mean()).sort(
            "games", "game", "opening_id", "marks", descending=[True, False, False, False]
        ).head(10)
    )
    return positions,


if __name__ == "__main__":
    app.run()
