"""Finished games removed, archived and restored: what goes, what stays, and that nothing is ever lost."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest

from engine.analysis.verdict import MoveVerdict
from server.db import connect as connecting
from server.db import retention
from server.db.connect import DatabaseError, connect
from server.db.lock import claim, ladder_suffix
from server.db.migrate import check, prepare
from server.db.retention import RATED, ROOM_GOES_ON, RUN_GOES_ON, Choice, Selection, archive, prune, restore, select
from server.db.review import store_verdicts
from server.db.statements import SQL
from server.rooms.players.deletion import deletion_writes
from server.wire import Player
from tests.support.database.database_files import execute
from tests.support.database.earlier_files import RUN_IDS, database

ANN = 1
ASLEEP, CLOSED = 1, 3
"""Rooms with one game each, which has the number of the room; one more is awake, and two have rated games."""
CANCELLED = 51
"""A room that closed before a game began; one that waits for an opponent sleeps."""
SMALL = {101, 102}
LADDER = {101, 102, 103, 104}
JUDGED = MoveVerdict("won", True, 1.0, 1, False, (4,), "won", 1, 9)
EVERYTHING = Choice(before_ms=1 << 60)
SAMPLES = "SELECT * FROM ladder_samples ORDER BY ladder, at_ms"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of an earlier release, with rooms that are closed and asleep, and something in every table of games."""
    path = database(tmp_path_factory.mktemp("original"))
    prepare(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(f"""
            UPDATE rooms SET slept_ms = 7 WHERE number = {ASLEEP};
            INSERT INTO sleeping_rooms VALUES ({ANN}, {ASLEEP}, 1, 1, 0);
            UPDATE rooms SET closed_ms = 8 WHERE number = {CLOSED};
            INSERT INTO rooms (number, id, spec, created_ms, closed_ms, slept_ms)
            SELECT {CANCELLED}, 'cancelled', spec, 7, 1000, NULL FROM rooms WHERE number = {CLOSED} UNION ALL
            SELECT {CANCELLED + 1}, 'waiting', spec, 7, NULL, 8 FROM rooms WHERE number = {CLOSED};
            INSERT INTO sleeping_rooms VALUES ({ANN}, {CANCELLED + 1}, 1, 1, 1);
            INSERT INTO events VALUES ({CANCELLED}, 1, 7, 'said', '{{"text":"Anyone?"}}');
            INSERT INTO moves_taken_back (game_id, taken_seq, ply, cell, at_ms, think_ms, think_us)
            VALUES ({CLOSED}, 3, 0, 1, 2, 3, 3141);
            INSERT INTO shares VALUES ({ASLEEP}, x'ab', 9);
            INSERT INTO faults VALUES (101, (SELECT x_player FROM games WHERE id = 101), 'fell over');
            UPDATE moves SET think_us = 1000 * think_ms + 7 WHERE game_id = 102;
            INSERT INTO ladder_live
            SELECT 'before', run_id, x_player, o_player, '[]', '[]', 1, 2 FROM games WHERE id = 101;
        """)
    with connect(path, "rw") as connection:
        store_verdicts(connection, [(101, 0, JUDGED), (CLOSED, 0, JUDGED)])
    return path


@pytest.fixture
def path(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(original, tmp_path / "noughts.db"))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "archive.db"


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH_GAMES", 2)


def quiet(selection: Selection) -> retention.Advance:
    return lambda games: None


def dump(path: Path) -> list[str]:
    """Every row of every table and view, but for the games that ladders are in, which go for good."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name != 'ladder_live'"
        ).fetchall()
        return sorted(f"{name}: {row!r}" for (name,) in names for row in connection.execute(f"SELECT * FROM {name}"))


def games(path: Path) -> set[int]:
    with closing(sqlite3.connect(path)) as connection:
        return {id for (id,) in connection.execute("SELECT id FROM games")}


def going(selection: Selection) -> set[int]:
    return {id for unit in selection.units for id in unit.games}


def test_what_is_chosen(path: Path) -> None:
    whole = select(path, EVERYTHING)
    assert going(whole) == {ASLEEP, CLOSED, *LADDER}
    assert (sorted(whole.runs), whole.rooms) == (sorted(RUN_IDS), 3)
    assert whole.kept == {RATED: 2, ROOM_GOES_ON: 1}
    assert going(select(path, Choice(source="room"))) == {ASLEEP, CLOSED}
    assert going(select(path, Choice(run=RUN_IDS[0]))) == SMALL
    assert going(select(path, Choice(run="before"))) == LADDER
    assert going(select(path, Choice(run="before/small"))) == SMALL
    assert going(select(path, Choice(run="before/sma"))) == set()
    assert going(select(path, Choice(source="match"))) == set()
    [(game,)] = execute(path, "SELECT game FROM games WHERE id = 103")
    assert going(select(path, Choice(source="ladder", game=game))) == LADDER - SMALL
    assert games(path) == games(path) | going(whole), "nothing was removed"


def test_a_game_that_runs_is_not_chosen(path: Path) -> None:
    execute(
        path,
        "UPDATE games SET ended_ms = NULL, winner = NULL, termination = NULL, plies = NULL WHERE id = ?",
        (ASLEEP,),
    )
    assert ASLEEP not in going(select(path, Choice(source="room")))


def test_a_run_goes_whole_or_not_at_all(path: Path) -> None:
    [(ended_ms,)] = execute(path, "SELECT max(ended_ms) FROM games WHERE id IN (101, 102)")
    execute(path, "UPDATE games SET ended_ms = ? WHERE id = 102", (ended_ms + 10,))
    part = select(path, Choice(before_ms=ended_ms + 10, run="before/small"))
    assert (going(part), part.runs, part.kept) == (set(), [], {RUN_GOES_ON: 1})
    assert going(select(path, Choice(before_ms=ended_ms + 11, run="before/small"))) == SMALL


def test_a_room_goes_whole_or_not_at_all(path: Path) -> None:
    later = {"id": "900", "serial": "9", "ended_ms": "1000"}
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE games SET ended_ms = 10 WHERE id = ?", (CLOSED,))
        columns = [name for _, name, *_ in connection.execute("PRAGMA table_info(games)")]
        copied = ", ".join(later.get(name, name) for name in columns)
        connection.execute(f"INSERT INTO games SELECT {copied} FROM games WHERE id = {CLOSED}")
    part = select(path, Choice(before_ms=1000, source="room"))
    assert (going(part), part.kept) == (set(), {ROOM_GOES_ON: 1})
    assert going(select(path, Choice(before_ms=1001, source="room"))) == {CLOSED, 900}


def test_a_room_where_no_game_began_goes_by_when_it_closed(path: Path) -> None:
    [(game,)] = execute(path, f"SELECT json_extract(spec, '$.game') FROM rooms WHERE number = {CANCELLED}")

    def chosen(choice: Choice) -> list[int | None]:
        return [unit.room for unit in select(path, choice).units if not unit.games]

    assert chosen(Choice(before_ms=1001)) == chosen(Choice(source="room", game=game)) == [CANCELLED]
    others = Choice(before_ms=1000), Choice(source="match"), Choice(run="before"), Choice(source="room", game="other")
    assert [chosen(choice) for choice in others] == [[], [], [], []]
    prune(path, Choice(before_ms=1001), quiet)
    assert execute(path, "SELECT number FROM rooms WHERE id IN ('cancelled', 'waiting')") == [(CANCELLED + 1,)]
    assert execute(path, f"SELECT * FROM events WHERE room_number = {CANCELLED}") == []


def test_pruned_games_are_gone_with_all_that_refers_to_them(path: Path) -> None:
    before = dump(path)
    done = prune(path, EVERYTHING, quiet)
    assert done.games == 6
    assert games(path).isdisjoint({ASLEEP, CLOSED, *LADDER})
    assert check(path)
    assert execute(path, f"SELECT number FROM rooms WHERE number IN ({ASLEEP}, {CLOSED})") == []
    for table in ("ladder_lists", "ladder_standings", "ladder_live", "ladder_samples", "shares", "faults"):
        assert execute(path, f"SELECT * FROM {table}") == []
    stays = ("players", "bot_versions", "ratings", "rating_changes", "explorer_moves", "ids")
    assert [line for line in dump(path) if line.startswith(stays)] == [
        line for line in before if line.startswith(stays)
    ]


def test_samples_stay_as_long_as_their_ladder_has_a_run(path: Path) -> None:
    samples = execute(path, SAMPLES)
    assert samples
    prune(path, Choice(run="before/small"), quiet)
    assert execute(path, SAMPLES) == samples
    execute(path, "INSERT INTO ladder_samples VALUES ('other', 1, 1, 1, 1, 1, 1, 1, 1, 1, 0)")
    prune(path, EVERYTHING, quiet)
    assert [ladder for ladder, *_ in execute(path, SAMPLES)] == ["other"]


def test_an_archive_has_the_samples_of_every_time(path: Path, target: Path) -> None:
    first = execute(path, SAMPLES)
    archive(path, target, Choice(run="before/small"), quiet)
    assert execute(target, SAMPLES) == execute(path, SAMPLES) == first
    again = (*first[-1][:1], 1 << 50, *first[-1][2:])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM ladder_samples")
        connection.execute("INSERT INTO ladder_samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", again)
    archive(path, target, EVERYTHING, quiet)
    assert execute(path, SAMPLES) == []
    assert execute(target, SAMPLES) == [*first, again]
    restore(path, target, quiet)
    assert execute(path, SAMPLES) == [*first, again]


@pytest.mark.parametrize("choice", [EVERYTHING, Choice(source="room"), Choice(run="before/small")])
def test_what_is_restored_is_what_there_was(path: Path, target: Path, choice: Choice) -> None:
    before = dump(path)
    moved = archive(path, target, choice, quiet)
    assert games(target) == going(moved)
    assert games(path).isdisjoint(going(moved))
    assert check(path)
    assert check(target)
    assert execute(target, "SELECT count(token_hash) FROM players") == [(0,)]
    kept = dump(target)
    assert going(restore(path, target, quiet)) == going(moved)
    assert dump(path) == before
    assert dump(target) == kept
    assert check(path)
    assert restore(path, target, quiet).games == 0, "they are here already"
    assert dump(path) == before


def test_lists_are_restored_last(path: Path, target: Path) -> None:
    archive(path, target, Choice(run="before/small"), quiet)
    seen = []

    def lists(games: int) -> None:
        [(number,)] = execute(path, f"SELECT count(*) FROM ladder_lists WHERE run_id = '{RUN_IDS[0]}'")
        seen.append((games, number))

    restore(path, target, lambda selection: lists)
    assert seen == [(2, 0), (0, 1)]


def test_an_archive_is_added_to(path: Path, target: Path) -> None:
    before = dump(path)
    archive(path, target, Choice(run="before/small"), quiet)
    archive(path, target, EVERYTHING, quiet)
    assert games(target) == {ASLEEP, CLOSED, *LADDER}
    restore(path, target, quiet)
    assert dump(path) == before


def test_an_archive_shows_the_same_as_the_database_did(path: Path, target: Path) -> None:
    views = ("v_games", "v_moves", "v_standings")
    shown = {view: execute(path, f"SELECT * FROM {view} WHERE run_id = '{RUN_IDS[0]}'") for view in views}
    assert all(shown.values())
    archive(path, target, Choice(run=RUN_IDS[0]), quiet)
    assert {view: execute(target, f"SELECT * FROM {view}") for view in views} == shown


def test_into_a_new_database(path: Path, target: Path, tmp_path: Path) -> None:
    archive(path, target, EVERYTHING, quiet)
    fresh = tmp_path / "fresh.db"
    prepare(fresh)
    restore(fresh, target, quiet)
    assert games(fresh) == games(target)
    newest = {"game": "id FROM games", "player": "id FROM players", "room": "number FROM rooms"}
    for kind, column in newest.items():
        [(largest,)] = execute(fresh, f"SELECT max({column.replace(' FROM', ') FROM', 1)}")
        [(next,)] = execute(fresh, f"SELECT next FROM ids WHERE kind = '{kind}'")
        assert next > largest
    said = [line for line in dump(target) if line.startswith(("events", "rooms"))]
    assert [line for line in dump(fresh) if line.startswith(("events", "rooms"))] == said


# Faults


class Killed(BaseException):
    """The process ended here."""


class Mortal(connecting.Connection):
    """A connection whose process is killed before a certain statement."""

    left = 1 << 60

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        if Mortal.left == 0 and self.in_transaction and arguments[0] == "ROLLBACK":
            return super().execute(*arguments)  # as the next one to open the file does
        if Mortal.left == 0:
            raise Killed
        Mortal.left -= 1
        return super().execute(*arguments)


@pytest.fixture
def _mortal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(connecting, "Connection", Mortal)
    yield
    Mortal.left = 1 << 60


PARTS = pytest.mark.parametrize("part", [0, pytest.param(1, marks=pytest.mark.slow)])


def moments(number: int, part: int) -> range:
    """Every other of some of so many statements, far enough apart to be quick."""
    step = number // 13
    return range(number % 13 + part * step, number, 2 * step)


def statements(work: Any) -> int:
    Mortal.left = 1 << 60
    work()
    return (1 << 60) - Mortal.left


@PARTS
@pytest.mark.usefixtures("_mortal")
def test_killed_at_any_moment_nothing_is_lost(original: Path, tmp_path: Path, part: int) -> None:
    before = dump(original)
    all_games = games(original)
    path, target = tmp_path / "noughts.db", tmp_path / "archive.db"

    def anew() -> None:
        shutil.copy(original, path)
        for file in tmp_path.glob("archive.db*"):
            file.unlink()

    anew()
    number = statements(lambda: archive(path, target, EVERYTHING, quiet))
    assert number > 100
    for left in moments(number, part):
        anew()
        Mortal.left = left
        with pytest.raises(Killed):
            archive(path, target, EVERYTHING, quiet)
        Mortal.left = 1 << 60
        with suppress(sqlite3.OperationalError):  # not made yet
            assert games(path) | games(target) == all_games
        assert games(path) >= all_games - {ASLEEP, CLOSED, *LADDER}
        archive(path, target, EVERYTHING, quiet)
        restore(path, target, quiet)
        assert dump(path) == before, f"killed before statement {left}"


@PARTS
@pytest.mark.usefixtures("_mortal")
def test_a_restore_that_was_killed_goes_on(path: Path, target: Path, tmp_path: Path, part: int) -> None:
    before = dump(path)
    archive(path, target, EVERYTHING, quiet)
    without = Path(shutil.copy(path, tmp_path / "without.db"))
    number = statements(lambda: restore(path, target, quiet))
    for left in moments(number, part):
        shutil.copy(without, path)
        Mortal.left = left
        with pytest.raises(Killed):
            restore(path, target, quiet)
        Mortal.left = 1 << 60
        restore(path, target, quiet)
        assert dump(path) == before, f"killed before statement {left}"


def test_a_full_disk_of_the_archive(path: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = dump(path)
    attach = retention._attach

    def small(connection: sqlite3.Connection, other: Path) -> None:
        attach(connection, other)
        [(pages,)] = connection.execute("PRAGMA archive.page_count")
        connection.execute(f"PRAGMA archive.max_page_count = {pages}")

    monkeypatch.setattr(retention, "_attach", small)
    execute(path, "UPDATE rooms SET spec = json_set(spec, '$.more', hex(zeroblob(100000))) WHERE number = 3")
    before = dump(path)
    with pytest.raises(DatabaseError, match=r"^The disk of \S+archive.db is full: free some space\.$"):
        archive(path, target, EVERYTHING, quiet)
    assert dump(path) == before
    monkeypatch.undo()
    archive(path, target, EVERYTHING, quiet)
    restore(path, target, quiet)
    assert dump(path) == before


def test_what_changes_while_it_is_copied_stays(path: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remove_all = retention._remove_all

    def after_a_review(connection: sqlite3.Connection, *rest: Any) -> None:
        connection.execute("UPDATE review_moves SET nodes = 12345 WHERE game_id = 101")
        remove_all(connection, *rest)

    monkeypatch.setattr(retention, "_remove_all", after_a_review)
    with pytest.raises(DatabaseError, match="Somebody wrote to games while they were copied"):
        archive(path, target, Choice(run="before/small"), quiet)
    assert games(path) >= SMALL
    monkeypatch.undo()
    archive(path, target, Choice(run="before/small"), quiet)
    assert execute(target, "SELECT nodes FROM review_moves") == [(12345,)]


def test_what_changes_before_the_locks_are_held_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = retention._lock

    def lock_late(locks: ExitStack, path: Path, selection: Selection) -> None:
        lock(locks, path, selection)
        execute(path, "UPDATE rooms SET slept_ms = NULL WHERE number = ?", (ASLEEP,))

    monkeypatch.setattr(retention, "_lock", lock_late)
    before = games(path)
    with pytest.raises(DatabaseError, match=r"^Somebody was still writing games to \S+: nothing was done, try again"):
        prune(path, EVERYTHING, quiet)
    assert games(path) == before


# Others


def test_a_server_keeps_its_rooms(path: Path, target: Path) -> None:
    archive(path, target, Choice(source="room"), quiet)
    with claim(path, ".lock", ""):
        with pytest.raises(DatabaseError, match=r"^A server uses \S+: stop it first, or choose games that were not"):
            restore(path, target, quiet)
        assert prune(path, Choice(run="before"), quiet).games == 4
    restore(path, target, quiet)
    with claim(path, ".lock", ""), pytest.raises(DatabaseError, match="A server uses"):
        prune(path, EVERYTHING, quiet)


def test_a_ladder_keeps_its_runs(path: Path, target: Path) -> None:
    with claim(path, ladder_suffix("before"), ""):
        works: list[Callable[[], object]] = [
            lambda: prune(path, EVERYTHING, quiet),
            lambda: archive(path, target, EVERYTHING, quiet),
        ]
        for work in works:
            with pytest.raises(
                DatabaseError, match=r"^The ladder before uses \S+: stop it first, or choose other games"
            ):
                work()
        assert prune(path, Choice(source="room"), quiet).games == 2
    assert not target.exists()


def test_a_run_that_was_played_again_is_not_mixed_up(path: Path, target: Path) -> None:
    archive(path, target, Choice(run="before/small"), quiet)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"ATTACH '{target}' AS a")
        connection.execute("CREATE TEMP TABLE again AS SELECT * FROM a.games WHERE id = 101")
        connection.execute("UPDATE again SET id = 999")
        connection.execute("INSERT INTO games SELECT * FROM again")
    with pytest.raises(
        DatabaseError, match=rf"^The run {RUN_IDS[0]} was played again since: prune or archive it, then"
    ):
        restore(path, target, quiet)


def test_the_archive_of_another_database(path: Path, target: Path, tmp_path: Path) -> None:
    archive(path, target, EVERYTHING, quiet)
    execute(path, "UPDATE players SET created_ms = created_ms + 1 WHERE id = 1")
    with pytest.raises(DatabaseError, match=rf"^{target} is another database's archive: player 1 is not the same in"):
        restore(path, target, quiet)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE players SET created_ms = created_ms + 1 WHERE id = 1", "player 1"),
        ("UPDATE bot_versions SET player_id = 1 WHERE player_id = 101", "player 101"),
        (f"UPDATE games SET started_ms = started_ms + 1 WHERE id = {CLOSED}", f"game {CLOSED}"),
        (f"UPDATE rooms SET id = 'another' WHERE number = {CLOSED}", f"room {CLOSED}"),
    ],
)
def test_an_archive_takes_nothing_of_another_database(path: Path, target: Path, change: str, said: str) -> None:
    other = Path(shutil.copy(path, path.with_name("other.db")))
    archive(other, target, EVERYTHING, quiet)
    before = dump(target)
    execute(path, change)
    with pytest.raises(DatabaseError, match=rf"^{target} is another database's archive: {said} is not the same in"):
        archive(path, target, EVERYTHING, quiet)
    assert dump(target) == before
    assert games(path) >= {CLOSED}


SAID = """
INSERT INTO events VALUES (:room, 1000, 1, 'said', '{"e":"said","by":{"id":"99","name":"Eve"},"text":"Ha!"}')
"""
MADE = "UPDATE rooms SET spec = json_set(spec, '$.creator.id', '99', '$.creator.name', 'Eve') WHERE number = :room"


@pytest.mark.parametrize("did", [SAID, MADE], ids=["spoke", "made"])
def test_who_only_spoke_or_only_made_the_room_stays_deleted_too(path: Path, target: Path, did: str) -> None:
    eve = Player(id="99", name="Eve", kind="person")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO players (id, name, kind, token_hash, created_ms) VALUES (99, 'Eve', 'person', x'99', 1)"
        )
        connection.execute(did, {"room": CLOSED})
    archive(path, target, EVERYTHING, quiet)
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement, parameters in deletion_writes(eve):
            connection.execute(SQL[statement], parameters)
    restore(path, target, quiet)
    assert games(path) >= {CLOSED}
    assert not [line for line in dump(path) if "Ha!" in line or "Eve" in line]


def test_who_is_only_called_deleted_keeps_what_was_said(path: Path, target: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO players (id, name, kind, token_hash, created_ms)"
            " VALUES (99, 'deleted player 99', 'person', x'99', 1)"
        )
        connection.execute(SAID, {"room": CLOSED})
    before = dump(path)
    archive(path, target, EVERYTHING, quiet)
    restore(path, target, quiet)
    assert dump(path) == before


def test_people_whose_data_was_deleted_stay_deleted(path: Path, target: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        said = '{"e":"said","by":{"id":"1","name":"Ann"},"text":"my secret"}'
        connection.execute("INSERT INTO events VALUES (?, 1000, 1, 'said', ?)", (CLOSED, said))
    archive(path, target, EVERYTHING, quiet)
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement, parameters in deletion_writes(Player(id="1", name="Ann", kind="person")):
            connection.execute(SQL[statement], parameters)
    restore(path, target, quiet)
    assert games(path) >= {ASLEEP, CLOSED}
    assert not [line for line in dump(path) if "my secret" in line or '"Ann"' in line]
    assert execute(path, "SELECT * FROM shares") == []


def test_files_that_are_no_archive(path: Path, tmp_path: Path) -> None:
    works: list[Callable[[], object]] = [
        lambda: archive(path, path, EVERYTHING, quiet),
        lambda: restore(path, path, quiet),
    ]
    for work in works:
        with pytest.raises(DatabaseError, match="is the database itself: name another file"):
            work()
    with pytest.raises(DatabaseError, match=r"There is no archive .*missing\.db: `noughts db archive` makes one\."):
        restore(path, tmp_path / "missing.db", quiet)
    (tmp_path / "older").mkdir()
    older = database(tmp_path / "older")
    with pytest.raises(
        DatabaseError, match=rf"^{older} has schema version 5: `noughts db migrate` brings it up to date"
    ):
        restore(path, older, quiet)
    with pytest.raises(DatabaseError, match=rf"^{older} has schema version 5"):
        prune(older, EVERYTHING, quiet)
    execute(tmp_path / "other.db", "CREATE TABLE mine (a)")
    with pytest.raises(DatabaseError, match="is another program's database"):
        archive(path, tmp_path / "other.db", EVERYTHING, quiet)
    assert going(select(path, EVERYTHING)) == {ASLEEP, CLOSED, *LADDER}


def test_a_vacuum_gives_the_space_back(path: Path) -> None:
    execute(path, "UPDATE rooms SET spec = json_set(spec, '$.more', hex(zeroblob(500000))) WHERE number = 3")
    size = path.stat().st_size
    prune(path, EVERYTHING, quiet, vacuum=True)
    assert path.stat().st_size < size - 900_000
    assert check(path)


def test_the_game_that_a_killed_ladder_was_in_stands_in_nobodys_way(path: Path, target: Path) -> None:
    small, other = RUN_IDS
    left = execute(path, "SELECT * FROM ladder_live")
    assert [run for _, run, *_ in left] == [small]
    archive(path, target, Choice(run=small), quiet)
    assert execute(path, "SELECT * FROM ladder_live") == execute(target, "SELECT * FROM ladder_live") == []
    for file, run in ((path, other), (target, small)):  # an archive of an earlier release has what it was left
        execute(file, "INSERT INTO ladder_live VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*left[0][:1], run, *left[0][2:]))
    restore(path, target, quiet)
    assert games(path) >= LADDER
    assert [run for _, run, *_ in execute(path, "SELECT * FROM ladder_live")] == [other]
    archive(path, target, EVERYTHING, quiet)
    assert games(target) >= LADDER
