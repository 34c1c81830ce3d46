"""Played games over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from engine.analysis.verdict import VERSION
from engine.record.model import MalformedRecord
from engine.rules.registry import rules
from server.db.play import GameRow, MoveRow
from server.http.endpoints import games as games_endpoints
from server.http.endpoints.games import PAGE_LENGTH, PAGE_LENGTH_MAX
from server.play.rate_limit import Refusal
from tests.support.http.desk import ANN, MINE, MOVE, NOW_MS, TOKEN, HttpDesk, game_row, game_texts


async def test_a_game_as_json(desk: HttpDesk) -> None:
    game = await desk.json("/api/games/1")
    assert (game["id"], game["game"], game["room"], game["serial"]) == (1, "qubic", "abc", 1)
    assert game["x"] == {"id": "1", "name": "Ann", "kind": "person"}
    assert game["clock"] == {"initial_ms": 60_000, "increment_ms": 0}
    assert (game["winner"], game["termination"], game["rated"], game["start"]) == ("o", "resignation", True, ["a1.1"])
    [move] = game["moves"]
    # After a start of one move the first of the record is o's.
    assert (move["ply"], move["move"], move["by"], move["o_ms"]) == (0, "b2.2", "o", 59_998)
    assert "nodes" not in move
    assert move["pv"] == ["b2.2", "a1.2"]
    assert (game["fault"], game["pair_game"]) == ("Bob stalled.", 4)


async def test_what_bots_find_in_a_rated_game_is_told_when_it_is_over(desk: HttpDesk) -> None:
    over, move = desk.shelf.rows[1], {"nodes": 9, "depth": 3, "value": 1.0, "win_in": 3, "pruned": 1}
    desk.shelf.move = replace(MOVE, **move)
    running = replace(over, termination=None, ended_ms=None, winner=None)
    for row, told in [(over, True), (running, False), (replace(running, rated=0), True)]:
        desk.shelf.rows[1] = row
        [shown] = (await desk.json("/api/games/1"))["moves"]
        assert {name: shown[name] for name in move if name in shown} == (move if told else {})
        assert ("pv" in shown) == told
        texts = await desk.ask("/api/players/me/games.txt", Authorization=f"Bearer {TOKEN}")
        assert texts.status == 200
        assert (b"txt of 1 with 1, 9 nodes" in texts.body) == told


@pytest.mark.parametrize(
    ("path", "accept", "kind"),
    [
        ("1", "", "application/json"),
        ("1.json", "text/plain", "application/json"),
        ("1.jsonl", "", "application/jsonl"),
        ("1.txt", "application/json", "text/plain"),
        ("1", "application/jsonl", "application/jsonl"),
        ("1", "text/html, Text/Plain;q=0.5", "text/plain"),
        ("1", "*/*", "application/json"),
        ("01", "", "application/json"),
    ],
)
async def test_forms_by_suffix_or_accept(desk: HttpDesk, path: str, accept: str, kind: str) -> None:
    response = await desk.ask(f"/api/games/{path}", Accept=accept)
    assert response.status == 200
    assert response.headers["Content-Type"].startswith(kind)
    if kind != "application/json":
        form = "jsonl" if kind.endswith("jsonl") else "txt"
        assert response.body == f"{form} of 1 with 1\n".encode()


@pytest.mark.parametrize(
    "name", ["99", "0", "-1", "one", "1.pgn", "1.", "", "9" * 18, "9" * 400, "\u0661", "1%2F2", "1e0", "%31x"]
)
async def test_games_that_are_not_there(desk: HttpDesk, name: str) -> None:
    answer = await desk.json(f"/api/games/{name}", 404 if name != "1." else 200)
    assert name == "1." or answer["error"].endswith(".")


@pytest.mark.parametrize("path", ["/api/games/1/picture.gif", "/api/games/1/share.txt"])
async def test_what_no_game_has(desk: HttpDesk, path: str) -> None:
    assert await desk.json(path, 404) == {"error": f"There is nothing at {path}."}


async def test_a_private_game_is_for_its_players(desk: HttpDesk) -> None:
    stranger = await desk.json("/api/games/2", 404)
    assert stranger == {"error": "There is no game 2."}
    assert stranger["error"] == (await desk.json("/api/games/99", 404))["error"].replace("99", "2")
    for bearer in (f"Bearer {TOKEN}", f"bearer {TOKEN}"):
        game = await desk.json("/api/games/2", Authorization=bearer)
        assert game["id"] == 2
        # Its room is nobody's business even so: an id is no code, but it is not theirs to give away.
        assert "room" not in game
    for wrong in ("Bearer", "Bearer ", "Basic abc", f"Token {TOKEN}", "Bearer nobody"):
        await desk.json("/api/games/2", 404, Authorization=wrong)


async def test_what_is_stored_of_a_review(desk: HttpDesk) -> None:
    assert await desk.json("/api/games/1/review") == {
        "game": 1,
        "version": VERSION,
        "done": 1,
        "of": 1,
        "moves": [
            {
                "ply": 0, "verdict": "lost", "exact": True, "value": -1.0, "win_in": -4,
                "best": [rules("qubic").format_move(cell) for cell in (22, 0)], "could": "won", "could_in": 3,
            }
        ],
    }  # fmt: skip
    assert await desk.json("/api/games/3/review") == {"game": 3, "version": VERSION, "done": 0, "of": 1, "moves": []}


async def test_a_game_that_runs_is_not_reviewed_yet(desk: HttpDesk) -> None:
    desk.shelf.rows[4] = game_row(4, ended_ms=None, winner=None, termination=None, plies=None)
    answer = await desk.json("/api/games/4/review")
    assert (answer["done"], answer["of"], answer["moves"]) == (0, 1, [])


async def test_what_was_judged_of_no_move_of_the_game_is_not_shown(desk: HttpDesk) -> None:
    desk.shelf.rows[4] = game_row(4, plies=0, termination="aborted")
    answer = await desk.json("/api/games/4/review")
    assert (answer["done"], answer["of"], answer["moves"]) == (0, 0, [])


async def test_a_private_games_review_is_for_its_players(desk: HttpDesk) -> None:
    assert await desk.json("/api/games/2/review", 404) == {"error": "There is no game 2."}
    assert (await desk.json("/api/games/2/review", Authorization=f"Bearer {TOKEN}"))["done"] == 1


@pytest.mark.parametrize(
    "name", ["99", "-1", "one", "", "1.json", "9" * 19, "9" * 400, "1/review", "%31x", "1/1", "\u0661"]
)
async def test_reviews_that_are_not_there(desk: HttpDesk, name: str) -> None:
    assert (await desk.json(f"/api/games/{name}/review", 404))["error"].endswith(".")


async def test_a_list_of_games(desk: HttpDesk) -> None:
    answer = await desk.json("/api/games?game=cube:4&player=2&before=10&limit=1&run=n%2Fs%2F1&a=4&b=5&opening=a1+b2")
    assert [game["id"] for game in answer["games"]] == [3]
    assert answer["next"] == 3
    assert "moves" not in answer["games"][0]
    assert desk.shelf.asked == [
        {"game": "qubic", "player": 2, "before": 10, "run": "n/s/1", "a": 4, "b": 5, "opening": "a1 b2", "limit": 1,
         "viewer": None}
    ]  # fmt: skip
    answer = await desk.json("/api/games")
    assert [game["id"] for game in answer["games"]] == [3, 1]
    assert answer["next"] is None
    mine = await desk.json("/api/games", Authorization=f"Bearer {TOKEN}")
    assert [game["id"] for game in mine["games"]] == [3, 2, 1]


@pytest.mark.parametrize(
    ("given", "asked"),
    [("", PAGE_LENGTH), ("?limit=7", 7), ("?limit=100000", PAGE_LENGTH_MAX), ("?limit=", PAGE_LENGTH)],
)
async def test_pages_have_a_bounded_length(desk: HttpDesk, given: str, asked: int) -> None:
    await desk.json(f"/api/games{given}")
    assert desk.shelf.asked[0]["limit"] == asked


@pytest.mark.parametrize(
    "query",
    ["game=chess", "game=mnk:2,2,9", "player=Ann", "player=-1", "before=1.5", "limit=ten", "limit=-3",
     "limit=" + "9" * 30, "player=%D9%A1", "a=Ann", "b=1.5", "opening=a1", "before=%00", "game=%ff"],
)  # fmt: skip
async def test_bad_queries_are_refused_in_a_sentence(desk: HttpDesk, query: str) -> None:
    error = (await desk.json(f"/api/games?{query}", 400))["error"]
    assert error.endswith(".")
    assert not desk.shelf.asked


@pytest.mark.parametrize("path", ["/api/games/1.jsonl", "/api/players/me/games.jsonl"])
async def test_a_game_that_ends_while_it_is_read_is_told_as_it_ended(
    desk: HttpDesk, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, told = desk.shelf.rows[1], []
    desk.shelf.rows[1] = replace(over, termination=None, winner=None)

    async def move_rows(game: int) -> list[MoveRow]:
        desk.shelf.rows[1] = over
        return [MOVE]

    def text(row: GameRow, *_: object) -> str:
        told.append(row.termination)
        return ""

    monkeypatch.setattr(desk.shelf, "move_rows", move_rows)
    monkeypatch.setattr(games_endpoints, "public_text", text)
    monkeypatch.setattr(games_endpoints, "public_texts", lambda rows, moves, form: "".join(map(text, rows)))
    await desk.ask(path, **MINE)
    assert over.termination in told
    assert None not in told


async def test_a_game_that_has_no_such_form_is_missing_in_it(desk: HttpDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> str:
        raise MalformedRecord("There is no game 'nim'.")

    monkeypatch.setattr(games_endpoints, "public_text", refuse)
    answer = await desk.json("/api/games/1.txt", 404)
    assert answer["error"] == "Game 1 cannot be written as txt: There is no game 'nim'."


async def test_own_games_come_page_by_page(desk: HttpDesk) -> None:
    response = await desk.ask("/api/players/me/games.jsonl?limit=2", **MINE)
    assert (response.status, response.headers["Content-Type"]) == (200, "application/jsonl; charset=utf-8")
    assert response.body == b"jsonl of 3 with 1\njsonl of 2 with 1\n"
    assert response.headers["Link"] == '</api/players/me/games.jsonl?before=2&limit=2>; rel="next"'
    assert desk.shelf.asked == [{"player": ANN, "viewer": ANN, "before": None, "limit": 2}]
    text = await desk.ask("/api/players/me/games.txt?before=9", **MINE)
    assert text.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "Link" not in text.headers
    assert desk.shelf.asked[1] == {"player": ANN, "viewer": ANN, "before": 9, "limit": PAGE_LENGTH}
    await desk.ask("/api/players/me/games.txt?limit=1000000", **MINE)
    assert desk.shelf.asked[2]["limit"] == PAGE_LENGTH_MAX


async def test_own_games_are_read_and_written_a_few_at_a_time(desk: HttpDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures and other people's exports wait for each other."""
    asked: list[int] = []
    written: list[int] = []

    def texts(rows: Sequence[GameRow], moves: Mapping[int, Sequence[MoveRow]], form: str) -> str:
        written.append(len(rows))
        return game_texts(rows, moves, form)

    async def moves_of(games: Sequence[int]) -> dict[int, list[MoveRow]]:
        asked.append(len(games))
        return {game: [MOVE] for game in games}

    monkeypatch.setattr(games_endpoints, "GAMES_AT_ONCE", 2)
    monkeypatch.setattr(desk.shelf, "moves_of", moves_of)
    monkeypatch.setattr(games_endpoints, "public_texts", texts)
    response = await desk.ask("/api/players/me/games.jsonl?limit=3", **MINE)
    assert response.body == b"jsonl of 3 with 1\njsonl of 2 with 1\njsonl of 1 with 1\n"
    assert (asked, written) == ([2, 1], [2, 1])


async def test_own_games_that_cannot_be_given(desk: HttpDesk) -> None:
    for query in ("before=x", "limit=-1", "before=" + "9" * 30):
        assert "must be" in (await desk.json(f"/api/players/me/games.jsonl?{query}", 400, **MINE))["error"]
    for path in ("/games", "/games.json", "/games.", "/", "/nothing"):
        assert "games.jsonl" in (await desk.json(f"/api/players/me{path}", 404, **MINE))["error"]
    assert desk.shelf.asked == []


# Links to private games

BAD_LINK = {"error": "This link to a game is incomplete, or was withdrawn."}


async def test_a_private_game_is_shared_and_no_more(desk: HttpDesk) -> None:
    assert await desk.json("/api/games/2/share", **MINE) == {"shared": False}
    made = await desk.json("/api/games/2/share", method="POST", **MINE)
    assert made == {"shared": True, "made_ms": NOW_MS, "secret": "secret 1"}
    assert await desk.json("/api/games/2/share", **MINE) == {"shared": True, "made_ms": NOW_MS}, "told once"
    shared = await desk.json("/api/games/2", X_Share="secret 1")
    assert (shared["id"], shared["private"], "room" in shared) == (2, True, False)
    assert (await desk.json("/api/games/2/review", X_Share="secret 1"))["done"] == 1
    for form in ("txt", "jsonl"):
        assert (await desk.ask(f"/api/games/2.{form}", X_Share="secret 1")).status == 200
    assert await desk.json("/api/games/2/share", method="DELETE", **MINE) == {"shared": False}
    assert await desk.json("/api/games/2", 404, X_Share="secret 1") == BAD_LINK
    assert (await desk.json("/api/games/2", X_Share="secret 1", **MINE))["id"] == 2, "its players need no link"


@pytest.mark.parametrize("game", ["2", "99", "x", "2/review", "99/review"])
@pytest.mark.parametrize("secret", ["", "forged", "secret 2"])
async def test_forged_links_have_one_sentence(desk: HttpDesk, game: str, secret: str) -> None:
    await desk.json("/api/games/2/share", method="POST", **MINE)
    assert await desk.json(f"/api/games/{game}", 404, X_Share=secret) == BAD_LINK


async def test_a_secret_in_the_address_opens_nothing(desk: HttpDesk) -> None:
    secret = (await desk.json("/api/games/2/share", method="POST", **MINE))["secret"]
    for query in (f"share={secret}", f"X-Share={secret}"):
        await desk.json(f"/api/games/2?{query}", 404)


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_a_game_is_shared_by_its_players_alone(desk: HttpDesk, method: str) -> None:
    desk.shelf.rows[5] = game_row(5, private=1, x_player=7, o_player=8)
    stranger = await desk.json("/api/games/5/share", 404, method, **MINE)
    assert stranger == {"error": "There is no game 5."}
    assert await desk.json("/api/games/77/share", 404, method, **MINE) == {"error": "There is no game 77."}
    await desk.json("/api/games/x/share", 404, method, **MINE)
    await desk.json("/api/games/2/share", 401, method)
    desk.links.secrets[2] = "known"
    await desk.json("/api/games/2/share", 401, method, X_Share="known")
    assert "is public" in (await desk.json("/api/games/1/share", 409, method, **MINE))["error"]
    assert desk.links.secrets == {2: "known"}


async def test_a_game_that_runs_is_not_shared_yet(desk: HttpDesk) -> None:
    desk.shelf.rows[2] = game_row(2, private=1, ended_ms=None, winner=None, termination=None, plies=None)
    answer = await desk.json("/api/games/2/share", 409, "POST", **MINE)
    assert answer == {"error": "This game is still running: share it when it is over."}
    assert desk.links.secrets == {}


async def test_no_link_is_told_to_who_is_deleted_meanwhile(desk: HttpDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def delete(game: int, player: str) -> tuple[str, int]:
        monkeypatch.setattr(desk.parts.tokens, "by_token", nobody)
        return "secret", NOW_MS

    async def nobody(hashed: bytes) -> None:
        return None

    monkeypatch.setattr(desk.links, "make", delete)
    assert "No player has this token" in (await desk.json("/api/games/2/share", 401, "POST", **MINE))["error"]


async def test_who_makes_many_links_waits(desk: HttpDesk) -> None:
    desk.links.over = Refusal("shares", "You are making too many links: try again in 60 s.", 60)
    answer = await desk.json("/api/games/2/share", 429, "POST", **MINE)
    assert answer == {"error": "You are making too many links: try again in 60 s."}
    assert (await desk.ask("/api/games/2/share", "POST", **MINE)).headers["Retry-After"] == "60"
    assert desk.links.secrets == {}
