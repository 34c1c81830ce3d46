"""The pages of records in German: a walk through all of them, and texts that the server says in English otherwise."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from engine.analysis.verdict import MoveVerdict, Verdict
from engine.bots.roster import Choice, bots
from engine.rules.registry import games, rules
from server.db.review import review_writes
from server.db.statements import SQL
from server.explorer.index import index
from server.report.pictures import pictures
from tests.page.conftest import OpenPage, until
from tests.support.ladder_records import BOTS, player_id
from tests.support.page_ladder import PERSON, SMALL, Records, ladder
from tests.support.page_modules import MODULES
from tests.support.page_texts import page_languages, page_texts

GAME = 500
MOVES = ["a1", "b1", "c3", "c1", "b2"]


def judged(verdict: Verdict, win_in: int | None, best: str, could: Verdict, could_in: int | None = None) -> MoveVerdict:
    line = tuple(map(rules("tictactoe").parse_move, best.split()))
    value = {"won": 1.0, "lost": -1.0}.get(verdict, 0.0)
    return MoveVerdict(verdict, True, value, win_in, False, line, could, could_in, 9)


REVIEW = [
    judged("drawn", None, "a1", "drawn"),
    judged("lost", -6, "b2 a2 c1", "drawn"),
    judged("won", 5, "c3", "won", 5),
    judged("lost", -2, "b2 c2", "lost", -4),
    judged("won", 1, "b2", "won", 1),
]
"""Not what these moves are worth."""
ENGLISH = re.compile(
    r"(?<!/)\b(the|of|and|is|are|move|moves|game|games|won|lost|drawn|wins|draw|with|points|rated|against|position|show|back|"
    r"last|yet|loading|looking)\b",
    re.IGNORECASE,
)
"""Words that no German sentence has, but in addresses."""
STATS = {
    "as_of_ms": 1_795_283_796_119,
    "games": 1234,
    "drawing": False,
    "parts": [
        {
            "name": "advantage",
            "title": "Moving first",
            "sentences": ["1,234 games of 5,678 lost by a fault.", "An omen."],
        },
        {"name": "game-tictactoe", "title": "Tic-tac-toe", "sentences": []},
    ],
    "pictures": [
        {
            "name": "lengths-tictactoe",
            "title": "Tic-tac-toe: how long games last",
            "alt": "Games by their number of plies.",
            "reading": "Plies are moves of either side.",
            "url": "/static/favicon.svg",
            "part": "game-tictactoe",
            "game": "tictactoe",
        }
    ],
    "tables": [
        {
            "title": "Results of X",
            "head": ["game", "games", "X's points", "95 %", "points"],
            "rows": [["Tic-tac-toe", 1234, "61.2 %", "49.7 to 71.6", "5.5/8"]],
            "note": "30 of 1,234 are shown.",
            "part": "advantage",
            "game": None,
        }
    ],
    "said": {
        "Tic-tac-toe": {"key": "game", "values": {"game": "tictactoe"}},
        "1,234 games of 5,678 lost by a fault.": {"key": "faults", "values": {"count": 1234, "games": 5678}},
        "30 of 1,234 are shown.": {"key": "shown", "values": {"shown": 30, "count": 1234}},
    },
}
"""What the server says of its statistics, in short."""
SIZES = ["mnk:7,5,4", "mnk:19,19,6", "mnk:12,3,12"]
TEXT_OF_PAGE = """() => {
  const names = ['aria-label', 'title', 'alt', 'aria-valuetext', 'placeholder'];
  const shown = [document.title];
  const main = document.querySelector('main');
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const isText = node.nodeType === Node.TEXT_NODE;
    if ((isText ? node.parentElement : node).closest('[lang=en], bdi, pre, code')) continue;
    shown.push(...(isText ? [node.data] : names.map((name) => node.getAttribute(name) ?? '')));
  }
  return shown.join('\\n');
}"""
"""What is shown and what is read aloud, without names and what is marked as English."""


def add_reviewed(path: Path) -> None:
    """A game of five moves with a review of each, counted for the explorer."""
    parse = rules("tictactoe").parse_move
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO games (id, source, game, x_player, o_player, start, rated, private, machine, software, "
            "started_ms, ended_ms, winner, termination, plies) "
            "VALUES (?, 'match', 'tictactoe', 1, 2, '[]', 0, 0, 'm', 's', 1795283796119, 1795283797119, 'x', 'line', "
            "5)",
            (GAME,),
        )
        connection.executemany(
            "INSERT INTO moves (game_id, ply, cell, at_ms, think_ms, nodes) VALUES (?, ?, ?, 1, 1500, 12345)",
            [(GAME, ply, parse(move)) for ply, move in enumerate(MOVES)],
        )
        for statement, row in review_writes(GAME, enumerate(REVIEW), 1):
            connection.execute(SQL[statement], row)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        index(connection)


def all_german(page: Page) -> None:
    shown = page.evaluate(TEXT_OF_PAGE)
    assert len(shown) > 200
    assert [line for line in shown.splitlines() if ENGLISH.search(line)] == []


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Records]:
    records = Records(tmp_path_factory.mktemp("german"))
    add_reviewed(records.db)
    records.server.start()
    yield records
    records.server.stop()


@pytest.mark.browser
def test_every_page_of_records_is_german(open_page: OpenPage, records: Records) -> None:
    page = open_page(f"/game/{GAME}?ply=2", at=records.server, locale="de-DE").page
    expect(page.locator(".review-sentence")).to_have_text("verloren 2. O b1 Remis vergeben: jetzt in 6 Zügen verloren.")
    expect(page.locator(".move-note").first).to_have_text("O hat das Remis vergeben")
    expect(page.get_by_role("region", name="Dieser Zug")).to_contain_text("12.345")
    expect(page.get_by_role("region", name="Dieser Zug")).to_contain_text("1,50 s")
    expect(page.get_by_text("Wer zuerst drei eigene Zeichen nebeneinander")).to_be_visible()
    all_german(page)
    page.goto(records.server.url + ladder(SMALL))
    expect(page.get_by_role("table", name="Die Bots dieser Liste, die stärksten zuerst")).to_contain_text(
        "+140 bis +225"
    )
    expect(page.get_by_label("Liste: Bots eines Spiels")).to_contain_text("Tic-Tac-Toe, 2.000 Stellungen je Zug")
    expect(page.locator(".games tbody tr")).not_to_have_count(0)
    all_german(page)
    page.goto(f"{records.server.url}/player/{player_id(records.db, BOTS[0])}")
    expect(page.get_by_text("Der beste Bot jedes Spiels:")).to_be_visible()
    expect(page.locator(".games tbody tr")).not_to_have_count(0)
    all_german(page)
    page.goto(f"{records.server.url}/player/{PERSON}")
    expect(page.get_by_text("nach 4 gewerteten Spielen")).to_be_visible()
    expect(page.locator(".games tbody")).to_contain_text("gewonnen (Aufgabe)")
    all_german(page)
    page.goto(records.server.url + "/explorer?game=tictactoe")
    expect(page.get_by_text("gingen von hier weiter")).to_be_visible()
    all_german(page)
    page.route("**/api/stats", lambda route: route.fulfill(json=STATS))  # drawing takes long
    page.goto(records.server.url + "/stats")
    expect(page.locator("tbody tr")).to_have_text(["Tic-Tac-Toe1.23461,2 %49,7 bis 71,65,5/8"])
    expect(page.get_by_text("Gezeigt werden 30 von 1.234.")).to_be_visible()
    expect(page.get_by_text("1.234 von 5.678 Spielen gingen durch einen Fehler verloren.")).to_be_visible()
    expect(page.locator("p[lang=en]")).to_have_text(["An omen."])
    all_german(page)  # but for what is marked as English


LABELS = """() => [...document.querySelectorAll('.pictures img')].map((image) =>
    [...decodeURIComponent(image.src).matchAll(/<text [^>]*>([^<]*)</g)].map((found) => found[1]))"""
"""Of each picture."""


def draw(records: Records, folder: Path) -> None:
    """As the server would have it done, but not only when the machine has nothing else to do."""
    done = CliRunner().invoke(pictures, ["--db", str(records.db), "--out", str(folder), "--public"])
    assert done.exit_code == 0, done.output


@pytest.mark.browser
def test_the_statistics_are_german_altogether(open_page: OpenPage, records: Records, tmp_path: Path) -> None:
    drawn = tmp_path / "stats"
    draw(records, drawn)
    stats = json.loads((drawn / "stats.json").read_text(encoding="utf-8"))
    for picture in stats["pictures"]:
        picture["url"] = f"/api/stats/{picture['file']}"
    page = open_page(at=records.server, locale="de-DE").page
    page.route("**/api/stats", lambda route: route.fulfill(json=stats | {"drawing": False}))
    page.route("**/api/stats/*.svg", lambda route: route.fulfill(path=drawn / route.request.url.rsplit("/", 1)[-1]))
    page.goto(records.server.url + "/stats")
    expect(page.get_by_role("table", name="Spiele nach Herkunft")).to_be_visible()
    page.locator("details").evaluate_all("all => all.forEach((details) => { details.open = true; })")
    images = page.locator(".pictures img")
    for picture in images.all():
        picture.scroll_into_view_if_needed()
    until(page, f"() => ({LABELS})().every((labels) => labels.length > 1)")
    until(page, "() => [...document.images].every((image) => image.complete && image.naturalWidth > 100)")
    all_german(page)
    faults = page.get_by_role("table", name="Letzte Fehler").get_by_role("cell")
    expect(page.locator("main [lang=en]").and_(page.locator(":not(td)"))).to_have_count(0)
    expect(faults.last).to_have_text("It ended with an error: a test.")
    labels = page.evaluate(LABELS)
    assert [label for all_ in labels for label in all_ if ENGLISH.search(label)] == []
    assert {"Vorteil des ersten Zuges", "Anteil von X an den Punkten, %"} <= set(labels[2])
    assert any("Ebene 4" in all_ for all_ in labels)
    # They have room.
    assert images.evaluate_all("all => all.filter((image) => image.src.includes('textLength')).length") == 0


WORDS = {
    "X's share of the points, %": "Anteil von X an den Punkten, %",
    "-40 to 1,234.5": "-40 bis 1.234,5",
    "2.5/4": "2,5/4",
    "+12.0": "+12,0",
    "1180": "1180",
    "12.5k": "12,5k",
    "7.2 %": "7,2 %",
    "2027-01-15 08:01": "15.01.2027, 08:01",
    "Ultimate tic-tac-toe, boa…": "Ultimate Tic-Tac-Toe, Bretter gezählt",
    "31 games of 5,678 lost by a fault.": "31 von 5.678 Spielen gingen durch einen Fehler verloren.",
    "a; 5 x 4, four in a row": "a; 5 x 4, vier in einer Reihe",
    "strongest": "strongest",
    "Somebody to be known": "Somebody to be known",
    "constructor": "constructor",
}
"""What the server says, and what the page says for it."""
SAID = {
    "Ultimate tic-tac-toe, boards counted": {"key": "game", "values": {"game": "ultimate:count"}},
    "5 x 4, four in a row": {"key": "game", "values": {"game": "mnk:5,4,4"}},
    "31 games of 5,678 lost by a fault.": {"key": "faults", "values": {"count": 31, "games": 5678}},
    "a; 5 x 4, four in a row": {"key": "item", "values": {"name": "a;", "value": ["5 x 4, four in a row"]}},
    "strongest": {"key": "no.such", "values": {}},
}


@pytest.mark.browser
def test_the_servers_words_are_told_in_german(open_page: OpenPage) -> None:
    page = open_page(MODULES, locale="de-DE").page
    told = page.evaluate(
        """async ([texts, said]) => {
          const { Words } = await import('/modules/stats/words.js');
          const words = new Words(said);
          return [texts.map((text) => words.of(text)), words.of('Ultimate tic-tac-toe, boa…', true)];
        }""",
        [[*WORDS], SAID],
    )
    assert told == [[*WORDS.values()], "Ultimate, gezählt"]


PICTURE = (
    '<svg width="100pt" height="50pt" viewBox="0 0 100 50"><style>svg{--ink:#000}</style>'
    '<text style="font-weight: 700; font-size: 10px; font-family: serif; text-anchor: start" x="5" y="12">Two</text>'
    '<text style="font-size: 9px; font-family: serif; text-anchor: end" x="40" y="30" fill="red">Row &amp; row</text>'
    '<text style="font-size: 9px; font-family: serif; text-anchor: start" x="50" y="30">left</text>'
    '<text style="font-size: 9px; font-family: serif; text-anchor: start" x="80" y="30">right</text></svg>'
)


@pytest.mark.browser
def test_longer_words_fit_into_a_picture(open_page: OpenPage) -> None:
    """A title gets lines, what is beside other labels gets narrower, and names of games get shorter."""
    page = open_page(MODULES).page
    made: str = page.evaluate(
        """async (svg) => {
          const { inWords } = await import('/modules/stats/picture.js');
          const other = { 'Row & row': 'A < B', left: 'a word too long', right: 'long words of it' };
          const words = { of: (text, narrow) => (narrow && text === 'right' ? 'go' : (other[text] ?? text)) };
          return inWords(svg, 'A longer title than before', words);
        }""",
        PICTURE,
    )
    assert '<svg width="100pt" height="62pt" viewBox="0 -12 100 62"><style>svg{--ink:#000}</style>' in made
    heights, lines = zip(*re.findall(r' x="5" y="(-?\d+)">([^<]+)</text>', made), strict=True)
    assert (heights, " ".join(lines)) == (("0", "12"), "A longer title than before")
    assert ' x="40" y="30" fill="red">A &lt; B</text>' in made
    assert re.search(r' x="50" y="30" textLength="[\d.]+" lengthAdjust="spacingAndGlyphs">a word too long</text>', made)
    assert ' x="80" y="30">go</text>' in made


@pytest.mark.browser
def test_games_of_any_size_are_told_as_the_server_tells_them(open_page: OpenPage) -> None:
    page = open_page(MODULES).page
    known = [*games(), *map(rules, SIZES)]
    told = page.evaluate(
        "async (ids) => {"
        " const { gameName, gameSentences } = await import('/modules/i18n/gameWords.js');"
        " return ids.map((id) => [gameName({ id }), gameSentences({ id })]); }",
        [game.id for game in known],
    )
    assert told == [[game.name, [*game.sentences]] for game in known]


def test_every_bot_has_its_texts_in_every_language() -> None:
    """In English they are the server's."""
    wanted = {f"bots.{bot.family}.title": bot.title for bot in bots()}
    wanted |= {f"bots.{bot.family}.character": bot.character for bot in bots()}
    wanted |= {f"bots.{bot.family}.{one.name}": one.meaning for bot in bots() for one in bot.parameters}
    choices = [one for bot in bots() for one in bot.parameters if isinstance(one, Choice)]
    wanted |= {f"bots.choice.{word}": word for one in choices for word in one.words}
    english = page_texts("en")
    assert {key: english.get(key) for key in wanted} == wanted
    for language in page_languages():
        assert wanted.keys() <= page_texts(language).keys(), language


def test_every_game_has_its_texts_in_every_language() -> None:
    keys = {game.id.split(":")[0] if game.id[:4] in ("mnk:", "cube") else game.id.replace(":", "-") for game in games()}
    whole = keys - {"tictactoe", "gomoku", "qubic"}
    wanted = {f"rules.{key}.name" for key in keys} | {
        f"rules.{key}.{part}" for key in whole for part in ("short", "board", "aim", "end")
    }
    for language in page_languages():
        assert wanted <= page_texts(language).keys(), language
