"""What a page offers to sites that show previews of links: a title, a sentence and a picture. Pure.

Nothing private is included: a private page has the same preview as any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from engine.bots.roster import titles
from engine.rules.flat import FlatRules
from engine.rules.position import Rules
from engine.rules.registry import rules as find_rules
from server.console.counted import counted
from server.db.play import GameRow
from server.http.answers.players import PlayerAnswer
from server.http.previews.board import HEIGHT, WIDTH
from server.play.session import Session
from server.wire import Seat, Termination

SITE = "noughts"
_BEYOND_LINES: dict[Termination, str] = {
    "count": "{winner} won more boards",
    "resignation": "{loser} resigned, {winner} won",
    "flag": "{loser} ran out of time, {winner} won",
    "illegal_move": "{loser} made an illegal move, {winner} won",
    "crash": "{loser} crashed, {winner} won",
    "stall": "{loser} stopped answering, {winner} won",
    "disconnection": "{loser} left, {winner} won",
    "adjudication": "{winner} won by adjudication",
}
_DRAWS: dict[Termination, str] = {
    "agreement": "Draw by agreement",
    "board_full": "Draw, no moves left",
    "aborted": "Aborted",
}
_COUNTS = {3: "three", 4: "four", 5: "five", 6: "six"}


@dataclass(frozen=True, slots=True)
class Preview:
    """`picture` and `address` are paths on this server; without an address the preview is that of many pages."""

    title: str
    sentence: str
    picture: str
    address: str = ""


def picture_of(game: str, moves: str = "") -> str:
    return f"/api/picture.png?game={quote(game)}&moves={quote(moves)}"


EVERYWHERE = Preview(
    "Tic-tac-toe, from 3\u00d73 to Qubic and gomoku",
    "Play people and bots in the browser, without an account.",
    picture_of("tictactoe", "b2,a1,c1,b1,a3"),
)
PAGES = {
    "/ladder": Preview("Ladder", "Which bot plays best? Ranked by their games against each other.", EVERYWHERE.picture),
    "/stats": Preview("Statistics", "The results of all games, in charts and tables.", EVERYWHERE.picture),
    "/explorer": Preview("Explorer", "What was played from any position, and how it ended.", EVERYWHERE.picture),
    "/learn": Preview("Learn", "The games of the tic-tac-toe family, explained on a board.", EVERYWHERE.picture),
}


def of_rules(rules: Rules) -> Preview:
    return Preview(f"Learn {rules.name}", rules.sentences[0], picture_of(rules.id), f"/learn/{quote(rules.id)}")


def of_player(player: PlayerAnswer) -> Preview:
    """Of a player's page the preview shows only the name."""
    name = _shown_name(player.name, is_ours=player.bot is not None)
    return Preview(name, "Ratings, ladders and recorded games.", EVERYWHERE.picture, f"/player/{player.id}")


def of_game(row: GameRow, ply: int | None = None) -> Preview:
    """Preview of a public game, perhaps at one of its plies."""
    x = _shown_name(row.x_name, is_ours=row.x_version is not None)
    o = _shown_name(row.o_name, is_ours=row.o_version is not None)
    rules = find_rules(row.game)
    at = f"?ply={ply}" if ply is not None else ""
    return Preview(
        f"{x} against {o}: {rules.name}",
        f"{_result(row, rules, x, o)}.",
        f"/api/games/{row.id}/picture.png{at}",
        f"/game/{row.id}{at}",
    )


def of_room(session: Session) -> Preview:
    """Preview of a public room."""
    rules, game = session.rules, session.game
    x, o = session.seats["x"], session.seats["o"]
    address = f"/room/{session.room}"
    if x is not None and o is not None and game.id is not None and session.spec.kind != "self":
        title = f"{_seat_name(x)} against {_seat_name(o)}: {rules.name}"
        sentence = "Watch this game as it is played." if game.running else "This game is over: look at how it went."
        return Preview(title, sentence, f"/api/games/{game.id}/picture.png", address)
    by = x or o
    if session.waiting and by is not None and session.spec.target is None:
        title = f"{_seat_name(by)} is looking for an opponent: {rules.name}"
        return Preview(title, "Sit down and play.", picture_of(rules.id, ",".join(session.spec.start)), address)
    return EVERYWHERE


def with_preview(html: str, preview: Preview, origin: str | None) -> str:
    """The page with these tags in its head. Pictures need whole addresses, so there is none without an `origin`."""
    tags = {
        "og:site_name": SITE,
        "og:type": "website",
        "og:title": preview.title,
        "og:description": preview.sentence,
    }
    if origin is not None:
        tags |= {"og:url": f"{origin}{preview.address}"} if preview.address else {}
        tags |= {
            "og:image": f"{origin}{preview.picture}",
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": preview.title,
        }
    written = "".join(f'<meta property="{name}" content="{escape(value)}">\n' for name, value in tags.items())
    written += '<meta name="twitter:card" content="summary_large_image">\n'
    described = _DESCRIPTION.sub(lambda _: f'<meta name="description" content="{escape(preview.sentence)}">', html, 1)
    return described.replace("</head>", f"{written}</head>", 1)


_DESCRIPTION = re.compile(r'<meta name="description" content="[^"]*">')


def _result(row: GameRow, rules: Rules, x: str, o: str) -> str:
    if row.termination is None or row.plies is None:
        return "This game is being played"
    moves = counted(row.plies, "move")
    if row.winner is None:
        return f"{_DRAWS.get(row.termination, 'Draw')} after {moves}"
    winner, loser = (f"{x} (X)", o) if row.winner == "x" else (f"{o} (O)", x)
    how = _BEYOND_LINES.get(row.termination, "{winner} won")
    if row.termination == "line":
        how = f"{{winner}} won with {_line(rules)} in a row"
    return f"{how.format(winner=winner, loser=loser)} after {moves}"


def _line(rules: Rules) -> str:
    if rules.nested and rules.id != "nine-board":
        return "three boards"
    length = rules.length if isinstance(rules, FlatRules) else 3
    return _COUNTS.get(length, str(length))


def _seat_name(seat: Seat) -> str:
    return _shown_name(seat.name, is_ours=seat.bot is not None)


def _shown_name(name: str, *, is_ours: bool) -> str:
    return titles.title(name) if is_ours else name
