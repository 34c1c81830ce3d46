"""The GET endpoints, asked directly: no sockets, records from memory."""

from __future__ import annotations

import functools
import gzip
import json
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.analysis.verdict import VERSION, MoveVerdict
from engine.bots.roster import bot, bots
from engine.rules.registry import games, rules
from server.db.explorer import ExplorerRow
from server.db.play import GameExtras, GameRow, MoveRow, VariationRow
from server.http.api import PAGE_LENGTH, PAGE_LENGTH_MAX, HttpApi
from server.http.ladders import LadderAnswers
from server.http.message import Response, read_request
from server.http.page_files import page_files
from server.http.pictures import PictureFile, Pictures
from server.http.queries import HttpQueries
from server.metrics import Metrics
from server.play.writes import StoreUnavailable
from server.wire import Player, RatingView

PAGE = files("client").joinpath("web")
TOKEN = "ann's secret"
ANN, BOB = 1, 2
NOW_MS = 1_800_000_000_000


def game_row(id: int, **changes: Any) -> GameRow:
    row: dict[str, Any] = {
        "id": id, "room": "abc", "serial": 1, "source": "room", "game": "qubic", "x_player": ANN, "x_name": "Ann",
        "x_kind": "person", "x_version": None, "o_player": BOB, "o_name": "Bob", "o_kind": "person", "o_version": None,
        "initial_ms": 60_000, "increment_ms": 0, "move_ms": None, "x_limit": None, "o_limit": None,
        "start": '["a1.1"]', "rated": 1, "private": 0, "seed": 3, "run_id": None, "pair_id": None, "opening_id": None,
        "machine": "m", "software": "s", "started_ms": 5, "ended_ms": 9, "winner": "o", "termination": "resignation",
        "plies": 1,
    }  # fmt: skip
    return GameRow(**(row | changes))


MOVE = MoveRow(ply=0, cell=21, at_ms=7, think_ms=2, wait_ms=0, x_ms=60_000, o_ms=59_998, nodes=None, depth=None,
               value=None, win_in=None, pruned=None)  # fmt: skip


class Shelf:
    """Records of three games, one of them private, and no ladder; remembers what it was asked."""

    def __init__(self) -> None:
        self.move = MOVE
        self.rows = {1: game_row(1), 2: game_row(2, private=1, room="hidden"), 3: game_row(3, winner=None)}
        self.asked: list[dict[str, Any]] = []
        self.ratings: dict[tuple[str, int], RatingView] = {}
        """of bots in qubic"""
        self.readable = True

    async def game(self, id: int) -> GameRow | None:
        return self.rows.get(id)

    async def moves(self, id: int) -> list[MoveRow]:
        return [self.move]

    async def variations(self, id: int) -> list[VariationRow]:
        return [VariationRow(ply=0, at_ms=MOVE.at_ms, pv='["b2.2","a1.2"]')]

    async def games(self, **asked: Any) -> list[GameRow]:
        self.asked.append(asked)
        visible = [row for row in reversed(self.rows.values()) if row.visible_to(asked["viewer"])]
        return visible[: asked["limit"]]

    async def read(self, row: Callable[..., Any], sql: str, parameters: Any = ()) -> list[Any]:
        return []

    async def finished_since(self, ms: int) -> int:
        return 1

    async def owner(self, token: str) -> Player | None:
        return Player(id=str(ANN), name="Ann", kind="person") if token == TOKEN else None

    async def moves_of(self, games: list[int]) -> dict[int, list[MoveRow]]:
        return {game: [self.move] for game in games}

    def texts(self, games: Sequence[GameRow], moves: dict[int, list[MoveRow]], form: str) -> str:
        return "".join(self.text(game, moves[game.id], form) for game in games)

    async def extras(self, id: int) -> GameExtras | None:
        return GameExtras(fault="Bob stalled.", pair_game=4)

    async def verdicts(self, id: int) -> dict[int, MoveVerdict]:
        return {0: MoveVerdict("lost", True, -1.0, -4, False, (22, 0), "won", 3, 99)} if id != 3 else {}

    async def explored(self, game: str, key: int) -> list[ExplorerRow]:
        # What a first move in the middle of tic-tac-toe came to.
        return [ExplorerRow(4, 3, 2, 1, 17)] if (game, key) == ("tictactoe", 0) else []

    async def pending(self) -> int:
        return 5

    async def bot_ratings(self, game: str) -> dict[tuple[str, int], RatingView]:
        if not self.readable:
            raise StoreUnavailable("The disk is gone.")
        return self.ratings if game == "qubic" else {}

    def text(self, row: GameRow, moves: Sequence[MoveRow], form: str) -> str:
        searched = "".join(f", {move.nodes} nodes" for move in moves if move.nodes is not None)
        return f"{form} of {row.id} with {len(moves)}{searched}\n"


class Desk:
    """The endpoints with what they ask; `ask` is a request."""

    def __init__(self) -> None:
        self.shelf = Shelf()
        self.ready = True
        shelf = self.shelf
        queries = HttpQueries(
            game=shelf.game,
            moves=shelf.moves,
            variations=shelf.variations,
            games=shelf.games,
            owner=shelf.owner,
            moves_of=shelf.moves_of,
            text=shelf.text,
            texts=shelf.texts,
            extras=shelf.extras,
            verdicts=shelf.verdicts,
            explored=shelf.explored,
            pending=shelf.pending,
            bot_ratings=shelf.bot_ratings,
            ladder=LadderAnswers(shelf.read, lambda: NOW_MS),
            pictures=Pictures("no.db", shelf.finished_since, lambda: NOW_MS, lambda db, folder: ["false"]),
        )
        self.warming: tuple[int, int] | None = None
        self.api = HttpApi(queries, Metrics(), PAGE, lambda: self.ready, lambda: self.warming)

    async def ask(self, path: str, method: str = "GET", **headers: str) -> Response:
        sent = [(name.replace("_", "-"), value) for name, value in headers.items()]
        return await self.api.answer(read_request(method, path, sent))

    async def json(self, path: str, status: int = 200, **headers: str) -> Any:
        response = await self.ask(path, **headers)
        assert response.status == status, response.body
        assert response.headers["Content-Type"] == "application/json"
        return json.loads(response.body)


PAGE_FILES = functools.cache(page_files)
"""Reading and packing them takes longer than all the rest of a test."""


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr("server.http.api.page_files", PAGE_FILES)
    return Desk()


EVERYTHING = (
    "/", "/room/abc", "/join/code", "/game/5?ply=3", "/static/index.html", "/static/ui/style.css", "/static/main.js",
    "/favicon.ico", "/healthz", "/readyz", "/metrics", "/api/bots", "/api/warm-up", "/api/rules",
    "/api/rules?game=qubic", "/api/games",
    "/api/games/1", "/api/games/1.txt", "/api/games/1/review",
    "/api/games/99/review", "/nothing", "/static/nothing", "/api/nothing", "/api/games/99",
    "/api/games?game=x", "/api/explorer?game=tictactoe", "/api/explorer",
    "/api/ladder", "/api/ladder?run=n%2Fs%2F1", "/api/ladder/live", "/api/players/7", "/api/stats/lengths.svg",
)  # fmt: skip


@pytest.mark.parametrize("path", EVERYTHING)
async def test_every_answer_is_guarded_and_head_is_get_without_the_body(desk: Desk, path: str) -> None:
    response, head = await desk.ask(path), await desk.ask(path, "HEAD")
    headers = response.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Content-Length"] == str(len(response.body))
    assert headers["Content-Type"]
    assert headers["Cache-Control"] == ("no-cache" if "ETag" in headers else "no-store")
    assert head.body == b""
    assert head.status == response.status
    if path != "/metrics":
        assert dict(head.headers) == dict(headers)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *((method, "/") for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get", "NONSENSE")),
        ("POST", "/healthz"),
        ("POST", "/api/games/1"),
    ],
)
async def test_other_methods_are_refused(desk: Desk, method: str, path: str) -> None:
    response = await desk.ask(path, method)
    assert response.status == 405
    assert response.headers["Allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/room/abc",
        "/room/",
        "/join/x%2Fy",
        "/game/5?ply=3",
        "/ladder?run=a%2Fb",
        "/stats",
        "/explorer?game=qubic",
        "/player/7",
        "?x=1",
        "",
    ],
)
async def test_the_page_is_at_all_its_paths(desk: Desk, path: str) -> None:
    response = await desk.ask(path)
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b"<script" in response.body


async def test_the_page_has_no_inline_script_or_style(desk: Desk) -> None:
    body = (await desk.ask("/")).body.decode()
    for script in body.split("<script")[1:]:
        assert "src=" in script.split(">")[0]
        assert script.split(">")[1].startswith("</script")
    assert "<style" not in body
    assert " style=" not in body
    assert " onclick=" not in body


@pytest.mark.parametrize("name", ["index.html", "ui/style.css", "main.js", "favicon.svg"])
async def test_files_come_once_until_they_change(desk: Desk, name: str) -> None:
    first = await desk.ask(f"/static/{name}")
    tag = first.headers["ETag"]
    for sent in (tag, f'"other", {tag}', f"W/{tag}"):
        again = await desk.ask(f"/static/{name}", If_None_Match=sent)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["ETag"] == tag
    changed = await desk.ask(f"/static/{name}", If_None_Match='"other"')
    assert (changed.status, changed.body) == (200, first.body)


def test_a_file_of_texts_is_a_language(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<meta name="languages" content="{languages}">', encoding="utf-8")
    texts = tmp_path / "i18n" / "texts"
    texts.mkdir(parents=True)
    for name in ("en.json", "fr.json", "de.json", ".en.json.swp"):
        (texts / name).write_text("{}", encoding="utf-8")
    found = page_files(tmp_path)
    assert found.keys() == {"index.html", "i18n/texts/de.json", "i18n/texts/en.json", "i18n/texts/fr.json"}
    assert found["index.html"].body == b'<meta name="languages" content="de en fr">'
    assert found["i18n/texts/fr.json"].kind == "application/json"


def test_shared_texts_come_with_those_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("{languages}", encoding="utf-8")
    for folder, text in (("texts", '{"own": "Settings"}'), ("shared", '{"both": "Züge"}')):
        (tmp_path / "i18n" / folder).mkdir(parents=True)
        (tmp_path / "i18n" / folder / "de.json").write_text(text, encoding="utf-8")
    found = page_files(tmp_path)
    assert found.keys() == {"index.html", "i18n/texts/de.json"}
    assert json.loads(found["i18n/texts/de.json"].body) == {"own": "Settings", "both": "Züge"}


async def test_files_are_packed_for_who_can_unpack(desk: Desk) -> None:
    plain = await desk.ask("/static/main.js")
    packed = await desk.ask("/static/main.js", Accept_Encoding="br, gzip;q=0.8")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["ETag"] != plain.headers["ETag"]
    for response in (plain, packed):
        assert response.headers["Vary"] == "Accept-Encoding"
    refused = await desk.ask("/static/main.js", Accept_Encoding="gzip;q=0")
    assert "Content-Encoding" not in refused.headers


@pytest.mark.parametrize(
    "path",
    [
        "/static/../http.py",
        "/static/%2e%2e/http.py",
        "/static//etc/passwd",
        "/static/",
        "/static/.hidden",
        "/static/x%00",
    ],
)
async def test_there_are_no_other_files(desk: Desk, path: str) -> None:
    assert (await desk.ask(path)).status == 404


@pytest.mark.parametrize(
    "path",
    ["/nothing", "*", "//[", "/rooms", "/room", "room/abc", "/%ff", "/a%0d%0aX-Evil: 1", "/API/games", "/ladder/x"],
)
async def test_what_is_not_there_is_told_in_a_sentence(desk: Desk, path: str) -> None:
    response = await desk.ask(path)
    assert response.status == 404
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert response.body.endswith(b".\n")
    assert "X-Evil" not in response.headers


async def test_a_browser_gets_the_page_where_nothing_is(desk: Desk) -> None:
    page = await desk.ask("/")
    asked = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "If-None-Match": page.headers["ETag"]}
    nothing = await desk.ask("/nowhere", **asked)
    assert (nothing.status, nothing.body) == (404, page.body)
    assert nothing.headers["Content-Type"] == "text/html; charset=utf-8"
    assert nothing.headers["Vary"] == (await desk.ask("/nowhere", Accept="*/*")).headers["Vary"]
    for path in ("/api/nowhere", "/static/nowhere"):
        answer = await desk.ask(path, **asked)
        assert answer.status == 404
        assert not answer.headers["Content-Type"].startswith("text/html")


async def test_how_the_server_is(desk: Desk) -> None:
    assert (await desk.ask("/healthz")).status == 200
    assert (await desk.ask("/readyz")).status == 200
    desk.ready = False
    assert (await desk.ask("/healthz")).status == 200
    assert (await desk.ask("/readyz")).status == 503
    metrics = await desk.ask("/metrics")
    assert metrics.headers["Content-Type"].startswith("text/plain")
    assert b"noughts_connections 0.0" in (metrics.body)


async def test_people_may_play_before_bots_are_warm(desk: Desk) -> None:
    assert await desk.json("/api/warm-up") == {"warm": True, "done": 0, "of": 0}
    assert (await desk.ask("/readyz")).body == b"ready\n"
    desk.warming = (1, 2)
    assert await desk.json("/api/warm-up") == {"warm": False, "done": 1, "of": 2}
    response = await desk.ask("/readyz")
    assert (response.status, response.body) == (200, b"ready; the bots are starting: 1 of 2\n")


async def test_a_game_has_as_many_levels_as_can_be_told_apart(desk: Desk) -> None:
    async def highest(query: str) -> int:
        (level,) = [entry for entry in await desk.json(f"/api/bots{query}") if entry["family"] == "level"]
        return int(level["parameters"][0]["max"])

    assert await highest("") == await highest("?game=qubic") == 8
    assert await highest("?game=tictactoe") == 4


@pytest.mark.parametrize("game", ["qubic", "mnk:4,4,4", "mnk:6,5,4", "tictactoe", "nine-board"])
async def test_the_bots_of_a_game(desk: Desk, game: str) -> None:
    names = [entry["name"] for entry in await desk.json(f"/api/bots?game={game}")]
    assert names == [entry.name for entry in bots() if entry.plays(rules(game))]
    listed = [entry["name"] for entry in await desk.json("/api/bots") if rules(game).id in entry["plays"]]
    assert listed == (names if rules(game).id in [listed.id for listed in games()] else [])


@pytest.mark.parametrize("game", ["", "chess", "mnk:1,1,1"])
async def test_the_bots_of_no_game(desk: Desk, game: str) -> None:
    if game:
        assert (await desk.json(f"/api/bots?game={game}", 400))["error"].endswith(".")
    else:  # as for games: a field without a value is left out by the form that sent it
        assert await desk.json("/api/bots?game=") == await desk.json("/api/bots")


async def test_measured_strengths_are_told_for_the_game_that_is_asked_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.bots.roster.strength._MEASURED", {"qubic": {"alphabeta:4": "about level 5"}})
    told = {entry["family"]: entry.get("strengths") for entry in await desk.json("/api/bots?game=qubic")}
    assert told["alphabeta"] == {"alphabeta:4": "about level 5"}
    assert told["random"] is None
    assert not any("strengths" in entry for entry in await desk.json("/api/bots"))


async def test_bots_are_told_with_their_ratings_in_the_game_that_is_asked_for(desk: Desk) -> None:
    level, old = bot("level:2"), bot("strongest")
    rating, rough = RatingView(value=1612, deviation=80), RatingView(value=1300, deviation=200, provisional=True)
    desk.shelf.ratings = {(level.name, level.version): rating, ("level:1", level.version): rough}
    desk.shelf.ratings[old.name, old.version - 1] = rating
    told = {entry["family"]: entry.get("ratings") for entry in await desk.json("/api/bots?game=qubic")}
    assert told["level"] == {
        "level:2": {"value": 1612, "deviation": 80},
        "level:1": {"value": 1300, "deviation": 200, "provisional": True},
    }
    assert told["strongest"] is None, "an older version is another player"
    assert not any("ratings" in entry for entry in await desk.json("/api/bots?game=gomoku"))


async def test_without_the_records_bots_are_told_without_ratings(desk: Desk) -> None:
    desk.shelf.readable = False
    assert [entry["family"] for entry in await desk.json("/api/bots?game=qubic")]


async def test_bots_and_rules(desk: Desk) -> None:
    names = [entry["name"] for entry in await desk.json("/api/bots")]
    assert names == [entry.name for entry in bots()]
    assert {"random", "alphabeta:2"} <= set(names)
    listed = await desk.json("/api/rules")
    assert [entry["id"] for entry in listed] == [game.id for game in games()]
    one = await desk.json("/api/rules?game=cube:4")
    assert (one["id"], one["dimensions"], one["nested"], len(one["sentences"])) == ("qubic", [4, 4, 4], False, 3)
    assert "chess" in (await desk.json("/api/rules?game=chess", 400))["error"]


async def test_a_game_as_json(desk: Desk) -> None:
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


async def test_what_bots_find_in_a_rated_game_is_told_when_it_is_over(desk: Desk) -> None:
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
async def test_forms_by_suffix_or_accept(desk: Desk, path: str, accept: str, kind: str) -> None:
    response = await desk.ask(f"/api/games/{path}", Accept=accept)
    assert response.status == 200
    assert response.headers["Content-Type"].startswith(kind)
    if kind != "application/json":
        form = "jsonl" if kind.endswith("jsonl") else "txt"
        assert response.body == f"{form} of 1 with 1\n".encode()


@pytest.mark.parametrize(
    "name", ["99", "0", "-1", "one", "1.pgn", "1.", "", "9" * 18, "9" * 400, "\u0661", "1%2F2", "1e0", "%31x"]
)
async def test_games_that_are_not_there(desk: Desk, name: str) -> None:
    answer = await desk.json(f"/api/games/{name}", 404 if name != "1." else 200)
    assert name == "1." or answer["error"].endswith(".")


async def test_a_private_game_is_for_its_players(desk: Desk) -> None:
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


async def test_what_is_stored_of_a_review(desk: Desk) -> None:
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


async def test_a_game_that_runs_is_not_reviewed_yet(desk: Desk) -> None:
    desk.shelf.rows[4] = game_row(4, ended_ms=None, winner=None, termination=None, plies=None)
    answer = await desk.json("/api/games/4/review")
    assert (answer["done"], answer["of"], answer["moves"]) == (0, 1, [])


async def test_what_was_judged_of_no_move_of_the_game_is_not_shown(desk: Desk) -> None:
    desk.shelf.rows[4] = game_row(4, plies=0, termination="aborted")
    answer = await desk.json("/api/games/4/review")
    assert (answer["done"], answer["of"], answer["moves"]) == (0, 0, [])


async def test_a_private_games_review_is_for_its_players(desk: Desk) -> None:
    assert await desk.json("/api/games/2/review", 404) == {"error": "There is no game 2."}
    assert (await desk.json("/api/games/2/review", Authorization=f"Bearer {TOKEN}"))["done"] == 1


@pytest.mark.parametrize(
    "name", ["99", "-1", "one", "", "1.json", "9" * 19, "9" * 400, "1/review", "%31x", "1/1", "\u0661"]
)
async def test_reviews_that_are_not_there(desk: Desk, name: str) -> None:
    assert (await desk.json(f"/api/games/{name}/review", 404))["error"].endswith(".")


async def test_a_position_explored(desk: Desk) -> None:
    answer = await desk.json("/api/explorer?game=mnk:3,3,3")
    assert (answer["game"], answer["moves"], answer["to_move"], answer["pending"]) == ("tictactoe", [], "x", 5)
    assert (answer["games"], answer["x_won"], answer["drawn"], answer["o_won"]) == (6, 3, 2, 1)
    assert answer["next"] == [
        {"move": "b2", "alike": [], "games": 6, "x_won": 3, "drawn": 2, "o_won": 1, "last_game": 17}
    ]
    assert answer["set_up"] == []
    after = await desk.json("/api/explorer?game=tictactoe&moves=b2,a1")
    assert (after["moves"], after["games"], len(after["legal"])) == (["b2", "a1"], 0, 7)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("", "Name a game to explore, as in game=tictactoe."),
        ("game=", "Name a game to explore, as in game=tictactoe."),
        ("game=chess", "There is no game 'chess': write one of "),
        ("game=tictactoe&moves=b2,b2", "Move 2, 'b2', cannot be explored. b2 is taken by X."),
        ("game=tictactoe&moves=z9", "Move 1, 'z9', cannot be explored. 'z9' names no cell of this board: "),
        ("game=tictactoe&moves=b2,,a1", "Move 2, '', cannot be explored. "),
        ("game=tictactoe&moves=a1,a2,b1,b2,c1,c2", "Move 6, 'c2', cannot be explored. c2 cannot be played: the game"),
    ],
)
async def test_what_cannot_be_explored(desk: Desk, query: str, sentence: str) -> None:
    assert (await desk.json(f"/api/explorer?{query}", 400))["error"].startswith(sentence)


async def test_a_list_of_games(desk: Desk) -> None:
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
async def test_pages_have_a_bounded_length(desk: Desk, given: str, asked: int) -> None:
    await desk.json(f"/api/games{given}")
    assert desk.shelf.asked[0]["limit"] == asked


@pytest.mark.parametrize(
    "query",
    ["game=chess", "game=mnk:2,2,9", "player=Ann", "player=-1", "before=1.5", "limit=ten", "limit=-3",
     "limit=" + "9" * 30, "player=%D9%A1", "a=Ann", "b=1.5", "opening=a1", "before=%00", "game=%ff"],
)  # fmt: skip
async def test_bad_queries_are_refused_in_a_sentence(desk: Desk, query: str) -> None:
    error = (await desk.json(f"/api/games?{query}", 400))["error"]
    assert error.endswith(".")
    assert not desk.shelf.asked


# Ladders, players and pictures; what they answer has tests of its own


async def test_an_empty_ladder(desk: Desk) -> None:
    assert await desk.json("/api/ladder") == {"lists": []}
    assert await desk.json("/api/ladder/live") == await desk.json("/api/ladder/live?ladder=night") == {"live": None}


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("ladder?run=n%2Fs%2F1", "There is no such list; /api/ladder lists them all."),
        ("ladder/", "There is nothing at /api/ladder/."),
        ("ladder/7", "There is nothing at /api/ladder/7."),
        ("players/7", "There is no player 7."),
        ("players/Ann", "There is nothing at /api/players/Ann."),
        ("players/-1", "There is nothing at /api/players/-1."),
        ("players/" + "9" * 40, "There is nothing at /api/players/" + "9" * 40 + "."),
    ],
)
async def test_ladders_and_players_that_are_not_there(desk: Desk, path: str, sentence: str) -> None:
    assert await desk.json(f"/api/{path}", 404) == {"error": sentence}


async def test_pictures_are_svg_and_come_once(desk: Desk) -> None:
    desk.api._queries.pictures._files["lengths"] = PictureFile(b"<svg/>", "tag")
    first = await desk.ask("/api/stats/lengths.svg?tag")
    assert (first.status, first.body, first.headers["Content-Type"]) == (200, b"<svg/>", "image/svg+xml")
    assert "default-src 'none'" in first.headers["Content-Security-Policy"]
    again = await desk.ask("/api/stats/lengths.svg", If_None_Match=first.headers["ETag"])
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    "name", ["other.svg", "lengths", "lengths.png", "", ".svg", "../ladder", "..%2F..%2Fserver%2Fhttp.py", "%00.svg"]
)
async def test_there_are_no_other_pictures(desk: Desk, name: str) -> None:
    desk.api._queries.pictures._files["lengths"] = PictureFile(b"<svg/>", "tag")
    error = (await desk.json(f"/api/stats/{name}", 404))["error"]
    assert error == "There is no such chart; /api/stats lists them all."


async def test_pictures_that_cannot_be_drawn(desk: Desk) -> None:
    assert (await desk.json("/api/stats"))["drawing"]
    await desk.api._queries.pictures._drawing
    answer = await desk.json("/api/stats")
    assert (answer["drawing"], answer["pictures"], answer["as_of_ms"]) == (False, [], None)
    assert answer["error"].endswith(".")


MINE = {"Authorization": f"Bearer {TOKEN}"}


async def test_a_token_tells_who_one_is(desk: Desk) -> None:
    assert await desk.json("/api/players/me", **MINE) == {"id": "1", "name": "Ann", "kind": "person"}
    for wrong in ("", "Bearer", "Bearer nobody", f"Basic {TOKEN}"):
        for path in ("", "/games.jsonl"):
            response = await desk.ask(f"/api/players/me{path}", Authorization=wrong)
            assert (response.status, response.headers["WWW-Authenticate"]) == (401, "Bearer")
            assert "No player has this token" in json.loads(response.body)["error"]


async def test_own_games_come_page_by_page(desk: Desk) -> None:
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


async def test_own_games_that_cannot_be_given(desk: Desk) -> None:
    for query in ("before=x", "limit=-1", "before=" + "9" * 30):
        assert "whole number" in (await desk.json(f"/api/players/me/games.jsonl?{query}", 400, **MINE))["error"]
    for path in ("/games", "/games.json", "/games.", "/", "/nothing"):
        assert "games.jsonl" in (await desk.json(f"/api/players/me{path}", 404, **MINE))["error"]
    assert desk.shelf.asked == []
