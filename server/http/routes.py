"""Every GET endpoint, in one table: requests are led by it, and the schema and the docs are made of it."""

from __future__ import annotations

from server.http.endpoints import catalogue, charts, explorer, games, ladders, players, site
from server.http.route import Route

PAGE = "The page, which reads the rest of the path itself."
RULES_KEPT_S = 300
"""They change with the server's version alone."""
RATINGS_KEPT_S = 60
"""They move with each rated game of a bot."""

ROUTES: tuple[Route, ...] = (
    *(Route(path, site.page, PAGE) for path in ("/", "/room/{id}", "/join/{code}", "/game/{id}", "/player/{id}")),
    *(Route(path, site.page, PAGE) for path in ("/ladder", "/stats", "/explorer", "/learn", "/learn/{game}")),
    Route("/static/{path}", site.static, "A file of the page."),
    Route("/favicon.ico", site.icon, "The page's icon."),
    Route("/healthz", site.healthz, "The server is alive."),
    Route("/readyz", site.readyz, "The server can play; 503 if it cannot."),
    Route("/metrics", site.metrics, "Figures for Prometheus.", cost=2),
    Route("/api/bots", catalogue.all_bots, "The bots of this server, ours first."),
    Route(
        "/api/bots?game=",
        catalogue.bots_of_game,
        "The bots that play a game, with their ratings in it.",
        cost=5,
        keep_s=RATINGS_KEPT_S,
    ),
    Route("/api/rules", catalogue.all_rules, "The games to choose from.", keep_s=RULES_KEPT_S),
    Route(
        "/api/rules?game=",
        catalogue.rules_of_game,
        "One game, whether it is among those or not.",
        cost=2,
        keep_s=RULES_KEPT_S,
    ),
    Route("/api/warm-up", catalogue.warm_up, "How far the bots' searches are compiled."),
    Route("/api/games", games.listed, "Games, newest first.", cost=5),
    Route(
        "/api/games/{id}",
        games.game,
        "One game with its moves, as JSON, JSON line or text: add `.json`, `.jsonl` or `.txt`, or send `Accept`.",
        cost=5,
    ),
    Route("/api/games/{id}/review", games.review, "What is stored of a game's review.", cost=3),
    Route(
        "/api/explorer?game=&moves=",
        explorer.explorer,
        "The moves that were played from a position, and how their games ended.",
        cost=20,
    ),
    Route("/api/ladder", ladders.lists, "The lists of every ladder, newest first.", cost=3),
    Route("/api/ladder?run=", ladders.one_list, "One list: standings, crosstable and openings.", cost=10),
    Route("/api/ladder/live?ladder=", ladders.live, "A game that a ladder is playing now."),
    Route("/api/players/{id}", players.player, "Who a player is, their ratings, and their places in ladders.", cost=10),
    Route("/api/players/me", players.me, "With a token: who it makes you."),
    Route(
        "/api/players/me/{file}",
        games.own,
        "With a token: all your games, newest first, as `games.jsonl` or `games.txt`.",
        cost=50,
    ),
    Route("/api/stats", charts.stats, "The charts and tables of all public games, as last drawn.", cost=3),
    Route("/api/stats/{name}", charts.picture, "One of the charts, as `NAME.svg`."),
)
