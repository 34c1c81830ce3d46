"""Every endpoint, in one table that routes requests and from which the schema and the docs are made."""

from __future__ import annotations

from server.http.endpoints import boards, catalogue, explorer, games, ladders, own_bots, players, site, stats
from server.http.route import Route

PAGE = "The page, which reads the rest of the path itself."
RULES_KEPT_S = 300
"""They change with the server's version alone."""
RATINGS_KEPT_S = 60
"""They change with each rated game of a bot."""

PICTURE = "A game's position after `ply` moves as a picture, 1200 x 630."
POSITION = "The same picture of any position."

ROUTES: tuple[Route, ...] = (
    Route("/", site.page, PAGE),
    Route("/room/{id}", site.room_page, PAGE),
    Route("/game/{id}", site.game_page, PAGE, cost=2),
    Route("/player/{id}", site.player_page, PAGE, cost=5),
    Route("/join/{code}", site.invitation, "The page, for older links with a room's code in their path."),
    *(Route(path, site.page, PAGE) for path in ("/ladder", "/stats", "/explorer", "/learn")),
    Route("/learn/{game}", site.learn_page, PAGE),
    Route("/explore", site.explore, "Redirects to `/explorer`, with its query."),
    Route(
        "/embed/game/{id}", boards.embedded, "A public game, for frames on the sites that `allow_embed` names.", cost=5
    ),
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
        "One game, whether it is listed or not.",
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
    Route("/api/games/{id}/review", games.review, "The stored part of a game's review.", cost=3),
    Route("/api/games/{id}/picture.svg", boards.game_svg, PICTURE, cost=8),
    Route("/api/games/{id}/picture.png", boards.game_png, PICTURE, cost=20),
    Route("/api/picture.svg?game=&moves=", boards.position_svg, POSITION, cost=8),
    Route("/api/picture.png?game=&moves=", boards.position_png, POSITION, cost=20),
    Route("/api/games/{id}/share", games.share, "With a player's token: whether a private game has a link.", cost=3),
    Route(
        "/api/games/{id}/share",
        games.make_share,
        "With a player's token: make a link to a private game that is over; an earlier link ends.",
        method="POST",
        cost=20,
    ),
    Route(
        "/api/games/{id}/share",
        games.withdraw_share,
        "With a player's token: withdraw the link to a private game.",
        method="DELETE",
        cost=10,
    ),
    Route(
        "/api/explorer?game=&moves=",
        explorer.explorer,
        "The moves that were played from a position, and how their games ended.",
        cost=20,
    ),
    Route("/api/ladder", ladders.lists, "The lists of every ladder, newest first.", cost=3),
    Route("/api/ladder?run=", ladders.one_list, "One list: standings, crosstable and openings.", cost=10),
    Route("/api/ladder/history?run=", ladders.history, "Standings over time: how ratings came about.", cost=20),
    Route("/api/ladder/live?ladder=", ladders.live, "A game that a ladder is playing now."),
    Route("/api/players/{id}", players.player, "Who a player is, their ratings, and their places in ladders.", cost=10),
    Route("/api/players/me", players.me, "With a token: the player to whom it belongs."),
    Route(
        "/api/players/me/{file}",
        games.own,
        "With a token: all your games, newest first, as `games.jsonl` or `games.txt`.",
        cost=50,
    ),
    Route(
        "/api/players/me/bots",
        own_bots.own_bots,
        "With a person's token: the bots that they made for their programs.",
        cost=20,
    ),
    Route(
        "/api/players/me/bots?name=",
        own_bots.make_bot,
        "With a person's token: make a bot and its token.",
        method="POST",
        cost=50,
    ),
    Route(
        "/api/players/me/bots/{id}/token",
        own_bots.renew_token,
        "With a person's token: make another token for one of their bots; the former one ends.",
        method="POST",
        cost=50,
    ),
    Route(
        "/api/players/me/bots/{id}/token",
        own_bots.withdraw_token,
        "With a person's token: withdraw the token of one of their bots.",
        method="DELETE",
        cost=50,
    ),
    Route("/api/stats", stats.stats, "Figures of the newest public games, counted at most once a minute.", cost=20),
)
