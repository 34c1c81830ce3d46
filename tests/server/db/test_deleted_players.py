"""Which rows still name a deleted player, and what becomes of them."""

from __future__ import annotations

import json

import pytest

from server.db.deleted_players import NAMING_DELETED, NAMING_DELETED_OF
from server.db.store import Store
from server.play.writes import DELETED_TEXT, Statement
from tests.support.database.database_files import ANN, BOB, ROOM, add_event


@pytest.mark.parametrize("players", [None, [ANN]])
async def test_what_names_a_deleted_player_does_so_no_more(store: Store, players: list[int] | None) -> None:
    name = f"deleted player {ANN}"
    said = {"e": "said", "by": {"id": str(ANN), "name": "Ann"}, "text": "my secret"}
    seated = {"e": "seated", "seat": {"id": str(ANN), "name": "Ann", "rating": 1500}}
    by_bob = {"e": "said", "by": {"id": str(BOB), "name": "Bob"}, "text": "Ann?"}
    events = list(enumerate((said, seated, by_bob), 1))
    await store.write([add_event(ROOM, seq, json.dumps(body), str(body["e"])) for seq, body in events])
    assert await store.naming_deleted(players, 9) == [], "nobody is deleted"
    await store.write([(Statement.ANONYMISE_PLAYER, (name, ANN))])
    rows = await store.naming_deleted(players, 9)
    assert {(row.type, row.seq) for row in rows} == {("said", 1), ("seated", 2)}
    await store.write([row.anonymised for row in rows])
    assert await store.naming_deleted(players, 9) == []
    bodies = [json.loads(body) for body in await store.read(str, "SELECT body FROM events ORDER BY seq")]
    assert bodies == [
        said | {"by": {"id": str(ANN), "name": name}, "text": DELETED_TEXT},
        seated | {"seat": {"id": str(ANN), "name": name}},
        by_bob,
    ]


@pytest.mark.parametrize("sql", [NAMING_DELETED, NAMING_DELETED_OF])
async def test_rows_of_deleted_players_are_found_along_indexes(store: Store, sql: str) -> None:
    plan = await store.read(lambda *row: row[3], f"EXPLAIN QUERY PLAN {sql}", {"players": "[1]", "limit": 1})
    assert [step for step in plan if step.startswith("SCAN") and "json_each" not in step] == []
