"""Rated games over sockets: both ratings change with the end, are in the records, and survive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.database.database_files import execute
from tests.support.database.small_disk import SmallDisk, until_stored, until_unavailable
from tests.support.live.server import UNLIMITED, Client, Message, Server, player, players, seated_pair, serving

MINUTE = {"initial_ms": 60_000, "increment_ms": 0}
X_WINS = ("a1", "b1", "a2", "b2", "a3")


def rows(server: Server, sql: str) -> list[tuple[Any, ...]]:
    return execute(server.db, sql)


async def play(x: Client, o: Client, room: str, *moves: str, game: int = 1) -> None:
    for ply, move in enumerate(moves):
        await (x, o)[ply % 2].ack("move", room=room, game=game, ply=ply, move=move)


async def rated_game(x: Client, o: Client, *moves: str, **fields: Any) -> Message:
    """The end of a rated game of tic-tac-toe that these moves win; both see the same."""
    made = await seated_pair(x, o, rated=True, clock=MINUTE, **fields)
    await play(x, o, made["room"], *moves)
    event = await x.event("ended", room=made["room"])
    assert await o.event("ended", room=made["room"]) == event
    return event


async def seats(client: Client, room: str) -> dict[str, Any]:
    """The ratings that a room shows, by side."""
    shown = await client.room("watch", room=room)
    return {side: (seat or {}).get("rating") for side, seat in shown["seats"].items()}


async def test_a_rated_game_changes_both_ratings_and_the_records(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED) as server:
        async with players(server, "Xenia", "Otto") as (x, o):
            ended = await rated_game(x, o, *X_WINS)
            change = {"x": 162, "o": -162}
            assert {side: told["after"] - told["before"] for side, told in ended["ratings"].items()} == change
            winner = {"value": 1662, "deviation": 290, "provisional": True}
            loser = winner | {"value": 1338}
            assert await seats(o, ended["room"]) == {"x": winner | {"change": 162}, "o": loser | {"change": -162}}
            room = await x.room("watch", room=ended["room"])
            ids = {"x": int(x.player["id"]), "o": int(o.player["id"])}
            columns = "player_id, game, round(rating), games, updated_ms = (SELECT ended_ms FROM games)"
            assert sorted(rows(server, f"SELECT {columns} FROM ratings")) == [
                (ids["x"], "tictactoe", 1662, 1, 1),
                (ids["o"], "tictactoe", 1338, 1, 1),
            ]
            changes = "SELECT game_id, player_id, before, round(rating) FROM rating_changes ORDER BY player_id"
            game = room["game"]["id"]
            assert rows(server, changes) == [(game, ids["x"], 1500, 1662), (game, ids["o"], 1500, 1338)]

            await x.ack("rematch", room=ended["room"])
            await o.ack("rematch", room=ended["room"])
            seated = await o.event("seated", side="x", since=o.place(await o.event("ended")))
            assert seated["seat"]["rating"] == loser, "sides are swapped"

            seek = await x.room("create", game="tictactoe", seat="x")
            assert seek["seats"]["x"]["rating"] == winner
            listed = await o.get("lobby", "lobby", on=True)
            assert [row["by"]["rating"] for row in listed["seeks"]] == [winner]
            assert [(row["x"]["rating"], row["o"]["rating"]) for row in listed["rooms"]] == [(loser, winner)]
            other = await x.room("create", game="qubic", seat="x")
            assert "rating" not in other["seats"]["x"], "a rating is of one kind of game"


async def test_ratings_survive_a_kill_and_nothing_is_rated_twice(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED) as server:
        async with players(server, "Xenia", "Otto") as (x, o):
            ended = await rated_game(x, o, *X_WINS)
            tokens = x.token, o.token
            server.kill()
    with serving(tmp_path, *UNLIMITED) as server:
        async with player(server, token=tokens[0]) as x, player(server, token=tokens[1]) as o:
            shown = await seats(x, ended["room"])
            assert (shown["x"]["value"], shown["o"]["value"]) == (1662, 1338)
            replayed = await x.ask("resume", room=ended["room"], seq=ended["seq"] - 1)
            assert replayed["t"] == "ack"
            assert (await x.event("ended", room=ended["room"]))["ratings"] == ended["ratings"]
            assert rows(server, "SELECT count(*), max(games) FROM ratings") == [(2, 1)]
            again = await rated_game(o, x, *X_WINS)
            assert again["ratings"]["x"]["before"] == 1338
            assert again["ratings"]["o"]["before"] == 1662
            assert rows(server, "SELECT games FROM ratings") == [(2,), (2,)]


async def test_a_rated_game_against_a_bot_rates_the_bot_too(server: Server) -> None:
    async with player(server, "Xenia") as x:
        bot = {"kind": "bot", "bot": "random"}
        made = await x.room("create", game="nine-board", seat="x", opponent=bot, clock=MINUTE, rated=True)
        room = made["room"]
        await x.ack("move", room=room, game=1, ply=0, move=made["game"]["legal"][0])
        await x.event("moved", room=room, ply=1)
        await x.ack("act", room=room, game=1, action="resign")
        ended = await x.event("ended", room=room)
        assert (ended["ratings"]["x"]["after"], ended["ratings"]["o"]["after"]) == (1338, 1662)
        again = await x.room("create", game="nine-board", seat="o", opponent=bot)
        assert (again["seats"]["x"]["rating"]["value"], again["seats"]["o"]["rating"]["value"]) == (1662, 1338)
    sql = """
    SELECT b.name, b.version > 0, r.games, round(r.rating) FROM ratings AS r JOIN bot_versions AS b USING (player_id)
    WHERE r.game = 'nine-board'
    """
    assert rows(server, sql) == [("random", 1, 1, 1662)]


async def test_two_bots_are_rated_while_somebody_watches(server: Server) -> None:
    async with player(server, "Xenia") as x:
        bots = {"x": "random", "o": "alphabeta:2"}
        made = await x.room("create", game="tictactoe", seat="none", bots=bots, clock=MINUTE, rated=True)
        ended = await x.event("ended", room=made["room"])
        assert ended["ratings"].keys() == {"x", "o"}


async def test_an_end_that_cannot_be_stored_rates_nobody_until_it_is(tmp_path: Path) -> None:
    with serving(tmp_path, *UNLIMITED) as server:
        async with players(server, "Xenia", "Otto") as (x, o):
            made = await seated_pair(x, o, rated=True, clock=MINUTE)
            await play(x, o, made["room"], *X_WINS[:-1])
            disk = SmallDisk(server)
            disk.fill()
            await until_unavailable(x, made["room"])
            await x.error("unavailable", "move", room=made["room"], game=1, ply=4, move="a3")
            assert await seats(o, made["room"]) == {"x": None, "o": None}
            disk.empty()
            await until_stored(o, made["room"])
            assert rows(server, "SELECT * FROM ratings") == []
            await x.ack("move", room=made["room"], game=1, ply=4, move="a3")
            assert (await o.event("ended", room=made["room"]))["ratings"]["x"]["before"] == 1500
            assert rows(server, "SELECT games FROM ratings") == [(1,), (1,)]


async def test_many_games_of_one_player_that_end_at_once_all_count(server: Server) -> None:
    """Whatever order they end in, each goes on from where the one before left the rating."""
    async with players(server, "Xenia", "Otto") as (x, o):
        hour = {"initial_ms": 3_600_000, "increment_ms": 0}  # all games wait for each other
        made = [await seated_pair(x, o, rated=True, clock=hour) for _ in range(20)]
        for room in made:
            await play(x, o, room["room"], *X_WINS[:-1])
        for room in made:
            await x.send("move", room=room["room"], game=1, ply=4, move="a3")
        ends = [await x.event("ended", room=room["room"]) for room in made]
        chain = sorted((end["ratings"]["x"]["before"], end["ratings"]["x"]["after"]) for end in ends)
        assert chain[0][0] == 1500
        assert [before for before, _ in chain[1:]] == [after for _, after in chain[:-1]]
        id = int(x.player["id"])
    assert rows(server, f"SELECT games, round(rating) FROM ratings WHERE player_id = {id}") == [(20, chain[-1][1])]
