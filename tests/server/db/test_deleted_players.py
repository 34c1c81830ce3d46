"""Which rows still name a deleted player, and what becomes of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.db.deleted_players import NAMING_DELETED, NAMING_DELETED_OF
from server.db.store import Store
from server.play.writes import DELETED_TEXT, Statement
from tests.support.database.database_files import ANN, BOB, ROOM, add_event, opened, people_and_rooms


def said(player: int, name: str, text: str = "my secret") -> dict[str, object]:
    return {"e": "said", "by": {"id": str(player), "name": name}, "text": text}


def seated(player: int, name: str, **more: object) -> dict[str, object]:
    return {"e": "seated", "seat": {"id": str(player), "name": name, **more}}


async def add(store: Store, *bodies: dict[str, object]) -> None:
    """From event 1 on."""
    await store.write([add_event(ROOM, seq, json.dumps(body), str(body["e"])) for seq, body in enumerate(bodies, 1)])


@pytest.mark.parametrize("players", [None, [ANN]])
async def test_what_names_a_deleted_player_does_so_no_more(store: Store, players: list[int] | None) -> None:
    gone = f"deleted player {ANN}"
    named = [said(ANN, "Ann"), seated(ANN, "Ann", rating=1500), said(ANN, gone), seated(ANN, gone, rating=1500)]
    others = [said(BOB, "Bob", "Ann?"), said(ANN, gone, DELETED_TEXT), seated(ANN, gone)]
    await add(store, *named, *others)
    assert await store.naming_deleted(players, 9) == [], "nobody is deleted"
    await store.write([(Statement.ANONYMISE_PLAYER, (gone, ANN))])
    rows = await store.naming_deleted(players, 9)
    assert sorted((row.seq, row.type) for row in rows) == [(1, "said"), (2, "seated"), (3, "said"), (4, "seated")]
    await store.write([row.anonymised for row in rows])
    assert await store.naming_deleted(players, 9) == []
    bodies = [json.loads(body) for body in await store.read(str, "SELECT body FROM events ORDER BY seq")]
    assert bodies == [*[said(ANN, gone, DELETED_TEXT), seated(ANN, gone)] * 2, *others]


async def test_a_bot_that_has_no_token_either_keeps_its_name(store: Store) -> None:
    bot = (70, "level:3", "bot", b"t" * 32, 5)
    await store.write([(Statement.ADD_PLAYER, bot), (Statement.ANONYMISE_PLAYER, ("level:3", 70))])
    await add(store, said(70, "level:3"), seated(70, "level:3 v2", rating=1500))
    assert await store.naming_deleted(None, 9) == []


def damage(path: Path) -> None:
    """What is of 1 is no JSON any more; SQLite itself refuses such rows."""
    sound = path.read_bytes()
    assert sound.count(b'"of": "1"}') == 3
    path.write_bytes(sound.replace(b'"of": "1"}', b'"of": "1"]'))


async def test_rows_that_are_damaged_are_passed_over(path: Path) -> None:
    async with opened(path) as store:
        await store.write(people_and_rooms())
        damaged = seated(ANN, "Ann") | {"of": "1"}, said(ANN, "Ann") | {"of": "1"}
        await add(store, *damaged, said(ANN, "Ann"), seated(ANN, "Ann"))
        spec = json.dumps({"creator": {"id": str(ANN), "name": "Ann"}, "of": "1"})
        await store.write([(Statement.ADD_ROOM, (9, "room-nine", spec, None, 4))])
    damage(path)
    async with opened(path) as store:
        await store.write([(Statement.ANONYMISE_PLAYER, (f"deleted player {ANN}", ANN))])
        rows = await store.naming_deleted(None, 9)
    assert sorted((row.seq, row.type) for row in rows) == [(3, "said"), (4, "seated")]


@pytest.mark.parametrize("sql", [NAMING_DELETED, NAMING_DELETED_OF])
async def test_rows_of_deleted_players_are_found_along_indexes(store: Store, sql: str) -> None:
    plan = await store.read(lambda *row: row[3], f"EXPLAIN QUERY PLAN {sql}", {"players": "[1]", "limit": 1})
    assert [step for step in plan if step.startswith("SCAN") and "json_each" not in step] == []
