"""Every GET endpoint, in one table: requests are led by it, and the schema and the docs are made of it."""

from __future__ import annotations

from server.http.endpoints import catalogue, charts, explorer, games, ladders, players, site
from server.http.route import Route

PAGE = "The page, which reads the rest of its path itself."
RULES_KEPT_S = 3600
"""They change with the server's version alone."""
RATINGS_KEPT_S = 60
"""They move with each rated game of a bot."""

ROUTES: tuple[Route, ...] = (
    *(Route(path, site.page, PAGE) for path in ("/", "/room/{id}", "/join/{code}", "/game/{id}", "/player/{id}")),
    *(Route(path, site.page, PAGE) for path in ("/ladder", "/stats", "/explorer", "/learn", "/learn/{game}")),
    Route("/static/{path}", site.static, "A file of the page."),
    Route("/favicon.ico", site.icon, "The page's icon."),
    Route("/healthz", site.healthz, "Says that the server is alive."),
    Route("/readyz", site.readyz, "Says that people can play, or 503."),
    Route("/metrics", site.metrics, "Figures for Prometheus.", cost=5),
    Route("/api/bots", catalogue.all_bots, "The bots of this server, ours first.", cost=5),
    Route(
        "/api/bots?game=",
        catalogue.bots_of_game,
        "The bots that play a game, with their ratings in it.",
        cost=5,
        keep_s=RATINGS_KEPT_S,
    ),
    Route("/api/rules", catalogue.all_rules, "The games to choose from.", keep_s=RULES_KEPT_S),
    Route("/api/rules?game=", catalogue.rules_of_game, "One game, of the list or not.", cost=10, keep_s=RULES_KEPT_S),
    Route("/api/warm-up", catalogue.warm_up, "How far the searches of the bots are compiled."),
    Route("/api/games", games.listed, "Games, newest first.", cost=5),
    Route(
        "/api/games/{id}",
        games.game,
        "One game with its moves, with the suffix or `Accept` header for `json`, `jsonl` or `txt`.",
        cost=5,
    ),
    Route("/api/games/{id}/review", games.review, "What is stored of a game's review.", cost=2),
    Route(
        "/api/explorer?game=&moves=",
        explorer.explorer,
        "The moves that were played in a position, and how their games ended.",
        cost=10,
    ),
    Route("/api/ladder", ladders.lists, "The lists of every ladder, the newest first."),
    Route("/api/ladder?run=", ladders.one_list, "One list with its standings.", cost=5),
    Route("/api/ladder/live?ladder=", ladders.live, "A game that a ladder is playing."),
    Route("/api/players/{id}", players.player, "What is known of a player.", cost=5),
    Route("/api/players/me", players.me, "Who a token makes you."),
    Route(
        "/api/players/me/{file}", games.own, "With a token: your own games, as `games.jsonl` or `games.txt`.", cost=20
    ),
    Route("/api/stats", charts.stats, "The charts and tables of all public games, as they were drawn last.", cost=2),
    Route("/api/stats/{name}", charts.picture, "A chart: `NAME.svg`.", cost=2),
)
