"""A ladder while it runs: what it starts, when it stops, what it says; with games played at once in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.bots import match
from engine.bots.roster import Bot
from engine.rules.position import O, X
from server.db import migrate
from server.db.ladder import Sample
from server.ladder import run
from server.ladder.run import Bounds, LadderRun
from server.ladder.store import LadderLost, LadderStore, Pair
from server.workers.arena import Chunk, Ended, Timed
from tests.support.database.database_files import execute
from tests.support.ladder.faulty import parse
from tests.support.ladder.run import (
    LADDER,
    LADDER_GAMES,
    Clock,
    finished,
    games,
    ladder_run,
    shown_nothing,
    timed,
)
from tests.support.workers.fake_arenas import AtOnce


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "noughts.db"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(run, "time", made)
    return made


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "Arena", AtOnce)


# What is played


def test_a_ladder_is_played_to_its_end(path: Path) -> None:
    playing = finished(path)
    assert (playing.games, len(games(path))) == (LADDER_GAMES, LADDER_GAMES)
    assert playing.said == []
    [one] = playing.lists
    assert (one.complete, one.ready, one.games, one.pairs) == (True, False, LADDER_GAMES, LADDER_GAMES // 2)
    openings = execute(path, "SELECT opening_id, count(*) FROM games GROUP BY 1")
    assert [count for _, count in openings] == [6, 6, 6]
    assert migrate.check(path)


def test_nothing_is_kept_of_what_is_over(path: Path) -> None:
    playing = finished(path, LADDER + "repeat_openings = false\n")
    assert not playing._on_the_way
    assert not playing._again
    assert not playing.lists[0]._halves
    assert not playing.lists[0].schedule.to_play


def test_no_order_of_games_and_no_number_of_workers_matters(path: Path, tmp_path: Path) -> None:
    finished(path)
    wanted = games(path)
    for seed in range(4):
        other = tmp_path / f"{seed}.db"
        with ladder_run(other, jobs=seed + 1) as playing:
            random = Random(seed)
            playing.arena.choose = lambda running, random=random: random.randrange(len(running))  # type: ignore[misc]
            playing.run(shown_nothing)
        assert games(other) == wanted


def test_an_interrupted_ladder_goes_on_as_if_it_had_not_been(path: Path, tmp_path: Path) -> None:
    finished(path)
    wanted = games(path)
    other = tmp_path / "other.db"
    for stop_after in (2, 4, 10, 18):
        with ladder_run(other, bounds=Bounds(games=2)) as playing:
            while playing.run(shown_nothing) != "2 games have been played":
                raise AssertionError
        assert len(games(other)) <= stop_after
    assert finished(other).said == ["tictactoe: resumes after 8 games."]
    assert games(other) == wanted
    assert finished(other).games == 0


def test_other_settings_begin_anew_and_that_is_said(path: Path) -> None:
    before = finished(path).ladder.lists[0].run_id
    again = finished(path, LADDER.replace("[[lists]]", "seed = 9\n[[lists]]"))
    assert again.said == [f"tictactoe: its settings have changed, so it starts over; the games of {before} are kept."]
    assert len(games(path)) == 2 * LADDER_GAMES
    assert finished(path).said == [f"tictactoe: resumes after {LADDER_GAMES} games."]


GROWN = LADDER.replace('"faulty:nothing"]', '"faulty:nothing", "alphabeta:2"]')
SHRUNK = LADDER.replace('"random", ', "")


def test_a_bot_that_enters_adds_to_the_games_of_the_list(path: Path) -> None:
    finished(path)
    before = games(path)
    again = finished(path, GROWN)
    assert again.said == ["tictactoe: resumes after 18 games; alphabeta:2 enters."]
    assert games(path)[: len(before)] == before
    added = games(path)[len(before) :]
    assert all("alphabeta:2" in game[2:4] for game in added), "the others have met in every opening"
    assert execute(path, "SELECT count(*) FROM ladder_lists") == [(1,)]
    assert execute(path, "SELECT bot, games FROM v_standings ORDER BY bot") == [
        ("alphabeta:1", 18), ("alphabeta:2", 18), ("faulty:nothing,100", 18), ("random", 18),
    ]  # fmt: skip
    assert finished(path, GROWN).said == ["tictactoe: resumes after 36 games."]


def test_a_bot_that_leaves_keeps_its_line_and_plays_no_more(path: Path) -> None:
    with ladder_run(path, bounds=Bounds(games=4)) as playing:
        playing.run(shown_nothing)
    again = finished(path, SHRUNK)
    assert again.said == ["tictactoe: resumes after 4 games; random leaves."]
    [one] = again.lists
    assert one.standings is not None
    assert one.standings.left == {0}
    assert [one.config.entrants[bot].name for bot in one.standings.order].count("random") == 1
    played = dict(execute(path, "SELECT bot, games FROM v_standings"))
    assert played == {"random": 2, "alphabeta:1": 8, "faulty:nothing,100": 6}


def test_a_new_version_is_a_line_of_its_own(path: Path) -> None:
    finished(path)
    ladder = parse(LADDER)
    [config] = ladder.lists
    newer = replace(config.bots[1], version=99)
    changed = replace(ladder, lists=(replace(config, bots=(config.bots[0], newer, config.bots[2])),))
    again = finished(path, ladder=changed)
    assert again.said == [
        "tictactoe: resumes after 18 games; alphabeta:1 (version 99) enters; alphabeta:1 (version 3) leaves."
    ]
    [one] = again.lists
    assert {one.config.label(bot) for bot in range(4)} == {
        "random", "alphabeta:1 v3", "alphabeta:1 v99", "faulty:nothing,100",
    }  # fmt: skip
    assert one.config.left == {1}
    assert execute(path, "SELECT version, games FROM v_standings WHERE bot = 'alphabeta:1' ORDER BY 1") == [
        (3, 12),
        (99, 12),
    ]


def test_a_list_that_grew_is_resumed_at_any_point_as_if_it_had_not_been_stopped(path: Path, tmp_path: Path) -> None:
    """Bots enter and leave at the same places of the list; where else it stops changes nothing."""
    texts = (LADDER, GROWN, SHRUNK, GROWN)

    def played(path: Path, step: int) -> list[Any]:
        for text, number in zip(texts, (4, 10, 6, 1000), strict=True):
            left = number
            while left > 0:
                with ladder_run(path, text, bounds=Bounds(games=min(step, left))) as playing:
                    reason = playing.run(shown_nothing)
                left = 0 if reason == "every list is complete" else left - step
        return games(path)

    wanted = played(path, 1000)
    assert len(wanted) == 36, "what was given up when a bot left is played when it is back"
    assert played(tmp_path / "parts.db", 2) == wanted


def test_a_mode_is_recorded_and_resumed(path: Path) -> None:
    finished(path)
    text = GROWN + 'mode = "gauntlet"\nnew = ["alphabeta:2"]\nuntil_rounds = 90\n'
    with ladder_run(path, text, bounds=Bounds(games=4)) as playing:
        playing.run(shown_nothing)
    assert playing.said == ["tictactoe: resumes after 18 games; alphabeta:2 enters; from now on a gauntlet."]
    again = finished(path, text)
    assert again.said == ["tictactoe: resumes after 22 games."]
    met = execute(
        path, "SELECT DISTINCT x FROM v_games WHERE pair_id >= 9 UNION SELECT o FROM v_games WHERE pair_id >= 9"
    )
    assert len(met) == 4
    assert execute(path, "SELECT count(*) FROM v_games WHERE pair_id >= 9 AND 'alphabeta:2' NOT IN (x, o)") == [(0,)]


def test_an_adjudicated_game_counts(path: Path) -> None:
    playing = finished(path, LADDER + "adjudicate_plies = 4\n")
    assert execute(path, "SELECT DISTINCT termination, winner, start_plies + plies FROM v_games") == [
        ("adjudication", None, 4)
    ]
    assert sum(playing.lists[0].schedule.results.values()) == LADDER_GAMES // 2
    assert finished(path, LADDER + "adjudicate_plies = 4\n").games == 0


def test_games_have_seeds_of_their_own(path: Path) -> None:
    finished(path)
    assert len(execute(path, "SELECT DISTINCT seed FROM games")) == LADDER_GAMES


def test_lists_advance_side_by_side(path: Path) -> None:
    text = LADDER + "[[lists]]" + LADDER.partition("[[lists]]")[2] + 'name = "other"\npairs = 3\n'
    with ladder_run(path, text, jobs=1) as playing:
        shares = []

        def show(playing: LadderRun) -> None:
            shares.append([one.progress for one in playing.lists])

        playing.arena.waited = lambda _: show(playing)
        playing.run(shown_nothing)
    assert all(abs(one - other) <= 0.5 for one, other in shares if max(one, other) < 1)


def test_a_chunk_has_as_many_games_as_take_a_moment(path: Path, clock: Clock) -> None:
    text = LADDER + "repeat_openings = true\npairs = 5000\n"
    with ladder_run(path, text, jobs=1, bounds=Bounds(games=100)) as playing:
        takes_s = [0.05]

        def wait(_: float | None) -> None:
            clock.ahead_s += takes_s[0] * len(playing.arena.running[0].tasks)

        playing.arena.waited = wait
        playing.run(shown_nothing)
        sizes = [len(chunk.tasks) for chunk in playing.arena.begun]
        assert sizes[0] == 2
        assert set(sizes[3:]) == {2}  # two more would take longer than CHUNK_S
    with ladder_run(path, text, jobs=1, bounds=Bounds(games=500)) as playing:
        playing.lists[0].game_s = 1e-9
        playing.run(shown_nothing)
        sizes = [len(chunk.tasks) for chunk in playing.arena.begun]
        assert max(sizes) <= run.CHUNK_GAMES
        assert sum(sizes) == playing.games == 500


# Lost and faulty games


def test_games_of_a_lost_worker_are_played_again(path: Path, tmp_path: Path) -> None:
    finished(path)
    with ladder_run(tmp_path / "other.db") as playing:
        lost: set[int] = set()

        def lose(chunk: Chunk) -> Ended | None:
            if chunk.tasks[0].number in lost:
                return None
            lost.add(chunk.tasks[0].number)
            return Ended(chunk, (), (replace(chunk, attempt=2),))

        playing.arena.lose = lose
        playing.run(shown_nothing)
        assert len(lost) > 3
    assert games(tmp_path / "other.db") == games(path)


def test_faults_are_said_recorded_and_retire_a_bot(path: Path) -> None:
    text = LADDER.replace("faulty:nothing", "faulty:crash").replace("opening_plies = 1", "opening_plies = 2")
    with ladder_run(path, text) as playing:
        playing.run(shown_nothing)
    [one] = playing.lists
    faulty = 2
    assert one.schedule.round.retired == {faulty}
    named = [said for said in playing.said if "retired" in said]
    assert named == ["tictactoe: faulty:crash,100 is retired: more than 10% of its games ended through its own faults."]
    faults = [said for said in playing.said if "retired" not in said]
    assert faults[0].startswith("tictactoe, game ")
    assert "faulty:crash,100 (" in faults[0]
    assert faults[0].endswith(" raised RuntimeError: a crash on command.")
    told = execute(path, "SELECT name, sentence FROM faults JOIN players ON players.id = player_id")
    assert len(told) == len(faults) >= 10
    assert {name for name, _ in told} == {"faulty:crash,100"}
    assert execute(path, "SELECT bot, faults, retired FROM v_standings WHERE retired") == [
        ("faulty:crash,100", len(faults), 1)
    ]
    # The others go on until it is certain which of them is the better one.
    assert one.schedule.round.reason == "the order is certain"
    last = "SELECT max(pair_id) FROM v_games WHERE 'faulty:crash,100' "
    assert execute(path, f"{last} IN (x, o)") < execute(path, f"{last} NOT IN (x, o)")
    assert execute(path, "SELECT count(*) FROM v_games WHERE x_points IS NULL") == [(0,)]


def test_who_was_retired_before_is_named_again(path: Path) -> None:
    text = LADDER.replace("faulty:nothing", "faulty:crash").replace("opening_plies = 1", "opening_plies = 2")
    finished(path, text)
    said = finished(path, text).said
    assert said[1:] == [
        "tictactoe: faulty:crash,100 is retired: more than 10% of its games ended through its own faults."
    ]


def test_an_aborted_game_counts_nowhere_and_is_not_played_again(path: Path) -> None:
    with ladder_run(path) as playing:

        def lose(chunk: Chunk) -> Ended | None:
            if chunk.tasks[0].number != 0:
                return None
            games = [timed(task) for task in chunk.tasks]
            task = chunk.tasks[0]
            games[0] = Timed(match.forfeited(task, [], None, "crash", "died with exit status -9"), 5, 5)
            return Ended(chunk, tuple(games))

        playing.arena.lose = lose
        playing.run(shown_nothing)
    assert playing.said == ["tictactoe, game 1 was aborted: its process died with exit status -9."]
    assert execute(path, "SELECT termination, count(*) FROM v_games WHERE x_points IS NULL") == [("aborted", 1)]
    assert sum(playing.lists[0].schedule.results.values()) == LADDER_GAMES // 2 - 1


# Bounds


@pytest.mark.parametrize("bound", [2, 4, 12])
def test_so_many_games_and_no_more(path: Path, bound: int) -> None:
    with ladder_run(path, bounds=Bounds(games=bound)) as playing:
        assert playing.run(shown_nothing) == f"{bound} games have been played"
    assert len(games(path)) == bound == playing.games


CERTAIN = """
name = "night"
[[lists]]
game = "tictactoe"
repeat_openings = true
bots = ["random", "level:3"]
"""


def test_so_many_more_games_of_a_list_that_is_certain(path: Path, tmp_path: Path) -> None:
    finished(path, CERTAIN)
    before = len(games(path))
    with ladder_run(path, CERTAIN, bounds=Bounds(games=30)) as playing:
        assert playing.lists[0].schedule.round.reason == "the order is certain"
        assert playing.run(shown_nothing) == "30 games have been played"
    assert len(games(path)) == before + 30
    # Asked for together they are the same games, and without a number the begun round is finished.
    with ladder_run(tmp_path / "other.db", CERTAIN, bounds=Bounds(games=before + 30)) as playing:
        playing.run(shown_nothing)
    assert games(tmp_path / "other.db") == games(path)
    assert finished(path, CERTAIN).lists[0].complete


def test_so_many_games_end_where_nobody_is_left_to_meet(path: Path) -> None:
    with ladder_run(path, bounds=Bounds(games=LADDER_GAMES + 2)) as playing:
        assert playing.run(shown_nothing) == "every list is complete"
    assert playing.games == LADDER_GAMES


def test_a_test_that_has_answered_is_not_asked_again(path: Path) -> None:
    text = CERTAIN + 'mode = "sprt"\nsprt = "-800,-700"\n'
    finished(path, text)
    before = len(games(path))
    with ladder_run(path, text, bounds=Bounds(games=30)) as playing:
        assert playing.lists[0].schedule.round.reason == "the test accepts H1: a lead of -700 Elo or more"
        assert playing.run(shown_nothing) == "every list is complete"
    assert len(games(path)) == before


def test_so_many_hours(path: Path, clock: Clock) -> None:
    with ladder_run(path, bounds=Bounds(hours=2), jobs=1) as playing:

        def wait(_: float | None) -> None:
            clock.ahead_s += 1000

        playing.arena.waited = wait
        assert playing.left_s is not None
        assert 7100 < playing.left_s <= 7200
        assert playing.run(shown_nothing) == "2 h have passed"
        assert 2 <= playing.hours < 2.6
        assert playing.left_s == 0
    assert 0 < len(games(path)) < LADDER_GAMES


def test_until_a_date(path: Path, clock: Clock) -> None:
    with ladder_run(path, bounds=Bounds(until_s=clock.time() + 7200), jobs=1) as playing:

        def wait(_: float | None) -> None:
            clock.ahead_s += 1
            clock.date_ahead_s += 4000

        playing.arena.waited = wait
        assert playing.run(shown_nothing) == "the time to stop was reached"
    assert playing.said[0] == "The clock was set forward by 4,000 s. Move times are not affected."
    assert 0 < len(games(path)) < LADDER_GAMES


def test_a_date_that_is_set_back_is_said_and_changes_no_hours(path: Path, clock: Clock) -> None:
    with ladder_run(path, bounds=Bounds(hours=1), jobs=1) as playing:
        clock.date_ahead_s = -3600
        playing._watch_date()
        playing._watch_date()
        clock.date_ahead_s = -3602
        playing._watch_date()
        assert playing.said == ["The clock was set back by 3,600 s. Move times are not affected."]
        assert playing.hours < 0.1


def test_while_the_machine_sleeps_no_hours_pass_and_the_date_is_not_set(path: Path, clock: Clock) -> None:
    with ladder_run(path, bounds=Bounds(hours=1), jobs=1) as playing:
        clock.asleep_s = 36_000
        playing._watch_date()
        assert playing.said == []
        assert playing.hours < 0.1


def test_what_is_stopped_stops_soon(path: Path) -> None:
    with ladder_run(path, jobs=1) as playing:
        playing.arena.waited = lambda _: playing.stop("interrupted") if playing.games else None
        assert playing.run(shown_nothing) == "interrupted"
        playing.stop("something else")
        assert playing.run(shown_nothing) == "interrupted"
    assert 0 < len(games(path)) < LADDER_GAMES


# Held


def test_while_it_is_held_nothing_begins(path: Path) -> None:
    with ladder_run(path, jobs=2) as playing:
        waits: list[int] = []

        def wait(_: float | None) -> None:
            waits.append(len(playing.arena.begun))
            if len(waits) == 3:
                playing.hold(True)
            if len(waits) == 30:
                playing.hold(False)

        playing.arena.waited = wait
        playing.run(shown_nothing)
        assert len(set(waits[3:30])) == 1
        assert playing.arena.held is False
    assert len(games(path)) == LADDER_GAMES


def test_it_is_suspended_once_what_it_plays_is_held(path: Path) -> None:
    held: list[bool] = []
    with ladder_run(path, jobs=2) as playing:
        waits: list[int] = []

        def wait(_: float | None) -> None:
            waits.append(len(playing.arena.begun))
            if len(waits) == 3:
                playing.suspend(lambda: held.append(playing.arena.held))

        playing.arena.waited = wait
        playing.run(shown_nothing)
        assert held == [True]
        assert playing.arena.held is False
    assert len(games(path)) == LADDER_GAMES


def test_while_it_is_suspended_no_hours_pass(path: Path, clock: Clock) -> None:
    with ladder_run(path, bounds=Bounds(hours=1), jobs=2) as playing:
        took_s: list[float] = []

        def stand_still() -> None:
            clock.ahead_s += 36_000

        def wait(_: float | None) -> None:
            took_s.extend(one.game_s for one in playing.lists)
            if len(took_s) == 3 * len(playing.lists):
                playing.suspend(stand_still)

        playing.arena.waited = wait
        assert playing.run(shown_nothing) != "1 h have passed"
        assert clock.ahead_s == 36_000
        assert playing.hours < 0.1
        assert max(took_s) < 360, "no game took the night"


def test_an_arena_with_less_than_no_place_gets_nothing(path: Path) -> None:
    """As one of a cluster whose workers leave."""
    with ladder_run(path, jobs=2) as playing:
        waits: list[float | None] = []

        def wait(seconds: float | None) -> None:
            waits.append(seconds)
            playing.arena.jobs = -5 if 3 <= len(waits) < 9 else 2

        playing.arena.waited = wait
        assert playing.run(shown_nothing) == "every list is complete"
    assert len(games(path)) == LADDER_GAMES


# Now and then


def test_with_much_to_write_nothing_new_begins(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "MAX_WAITING", -1)
    with ladder_run(path) as playing:
        waits: list[None] = []

        def wait(_: float | None) -> None:
            waits.append(None)
            assert not playing.arena.begun
            if len(waits) > 5:
                playing.stop("enough")

        playing.arena.waited = wait
        assert playing.run(shown_nothing) == "enough"


def test_each_list_is_rated_in_its_turn(path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the first one is due again."""
    lists = "".join(LADDER.partition("[[lists]]")[2] + f'name = "l{number}"\n[[lists]]' for number in range(6))
    text = 'name = "night"\n[[lists]]' + lists.removesuffix("[[lists]]")
    rated: list[str] = []
    monkeypatch.setattr(run, "RATING_SHARE", 1.0)
    with ladder_run(path, text, jobs=1) as playing:
        whole = playing._rate

        def rate(one: Any, now_s: float, resamples: int) -> None:
            rated.append(one.config.name)
            whole(one, now_s, 10)

        monkeypatch.setattr(playing, "_rate", rate)
        playing.arena.waited = lambda _: setattr(clock, "ahead_s", clock.ahead_s + 20)
        playing.run(shown_nothing)
        assert set(rated[:8]) == {f"l{number}" for number in range(6)}
    assert len(execute(path, "SELECT DISTINCT run_id FROM ladder_standings")) == 6


def test_nothing_new_is_not_rated_again(path: Path, clock: Clock) -> None:
    finished(path)
    with ladder_run(path) as playing:
        [one] = playing.lists
        assert one.rating_due(clock.monotonic(), 1)  # of earlier runs
        one.rate(clock.monotonic(), 10)
        assert not one.rating_due(clock.monotonic() + 1e6, 1)
        playing.run(shown_nothing)


def test_a_list_without_games_has_no_standings(path: Path) -> None:
    with ladder_run(path) as playing:
        playing.stop("at once")
        playing.run(shown_nothing)
    assert execute(path, "SELECT * FROM ladder_standings") == []


def test_a_sample_tells_how_it_does(path: Path, clock: Clock) -> None:
    with ladder_run(path, jobs=1) as playing:
        playing.arena.waited = lambda _: setattr(clock, "ahead_s", clock.ahead_s + 61)
        playing.run(shown_nothing)
    samples = [Sample(*row) for row in execute(path, f"SELECT {', '.join(Sample._fields)} FROM ladder_samples")]
    assert len(samples) > 3
    last = samples[-1]
    assert (last.ladder, last.games, last.workers_ms) == ("night", LADDER_GAMES, LADDER_GAMES)
    assert last.memory_kb > 10_000
    assert last.cpu_ms > 0
    assert [one.at_ms for one in samples] == sorted({one.at_ms for one in samples})
    assert [bool(one.last) for one in samples] == [False] * (len(samples) - 1) + [True]
    assert all(one.begun_ms < one.at_ms for one in samples)


def test_a_game_to_watch_is_shown_to_its_end_and_then_no_more(path: Path) -> None:
    with ladder_run(path, jobs=2) as playing:
        playing._begin_chunks()
        playing._show_a_game()
        assert playing._watched is None  # nobody knows yet whether its games last
        playing.lists[0].game_s = 30.0
        playing._show_a_game()
        watched = playing._watched
        assert watched is not None
        assert watched[0] == playing.arena.running[0].tasks[0]
        playing.lists[0].game_s = 0.1
        playing._show_a_game()
        assert playing._watched == watched
        playing.arena.running.clear()
        playing._show_a_game()
        assert playing._watched is None
        playing._store.close()
        assert execute(path, "SELECT * FROM ladder_live") == []


def test_the_end_hides_the_game_to_watch(path: Path) -> None:
    with ladder_run(path) as playing:
        playing._begin_chunks()
        playing.lists[0].game_s = 30.0
        playing._show_a_game()
        playing.stop("enough")
        playing.run(shown_nothing)
    assert execute(path, "SELECT * FROM ladder_live") == []


# LadderStore that cannot be gone on with


def test_records_of_another_schedule_are_refused(path: Path) -> None:
    asked = parse(LADDER)
    [plan] = asked.lists
    with ladder_run(path) as playing:
        first = playing.lists[0].schedule.to_play[0]
        wrong = (first.a, next(bot for bot in range(3) if bot not in first[1:3]))
        played = [
            timed(replace(playing.lists[0]._task(first, side), x=plan.bots[wrong[x]], o=plan.bots[wrong[1 - x]]))
            for x, side in enumerate((X, O))
        ]
        playing._store.add(plan, Pair(first.pair, (played[0], played[1])))
        playing.stop("enough")
        playing.run(shown_nothing)
    with (
        pytest.raises(LadderLost, match=rf"^The records of {plan.run_id} do not match its schedule \(Pair .*another"),
        ladder_run(path),
    ):
        pass


@pytest.mark.parametrize("failed", [None, "The disk is probably full."])
def test_lost_records_end_it(path: Path, failed: str | None) -> None:
    """Whatever the writer has made of it."""
    records = LadderStore(path)
    records._error = failed
    playing = LadderRun(parse(LADDER), records, 1, Bounds(), print)
    path.unlink()
    with pytest.raises(LadderLost, match="was moved, deleted or replaced"):
        playing.run(shown_nothing)
    with pytest.raises(LadderLost, match="was moved, deleted or replaced"):
        records.close()


def test_on_a_cluster_it_plays_the_same_games(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, set[str]]] = []

    def cluster(address: str, say: Callable[[str], object], bots: list[Bot]) -> AtOnce:
        asked.append((address, {bot.name for bot in bots}))
        return AtOnce(7)

    monkeypatch.setattr(run, "ClusterArena", cluster)
    here = finished(path)
    records = LadderStore(tmp_path / "there.db")
    there = LadderRun(parse(LADDER), records, 2, Bounds(), print, cluster="tcp://there:1")
    assert there.jobs == 7
    assert there.run(shown_nothing) == "every list is complete"
    there.close()
    records.close()
    assert asked == [("tcp://there:1", {"random", "alphabeta:1", "faulty:nothing,100"})]
    assert games(tmp_path / "there.db") == games(path)
    assert here.jobs == 2
