"""The pages of records in German: a walk through all of them, and texts that the server says in English otherwise."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine.analysis.verdict import MoveVerdict, Verdict
from engine.bots.roster import Choice, bots
from engine.rules.registry import games, rules
from server.db.review import review_writes
from server.db.statements import SQL
from server.explorer.index import index
from tests.page.conftest import OpenPage
from tests.support.ladder.records import BOTS, player_id
from tests.support.page.ladder import PERSON, SMALL, Records, ladder
from tests.support.page.node import run_node
from tests.support.page.texts import page_languages, page_texts

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
    expect(page.get_by_label("Spiel und Begrenzung")).to_contain_text("Tic-Tac-Toe, 2.000 Stellungen je Zug")
    expect(page.locator(".games tbody tr")).not_to_have_count(0)
    all_german(page)
    page.goto(f"{records.server.url}/player/{player_id(records.db, BOTS[0])}")
    expect(page.get_by_text("Der beste Bot für jedes Spiel:")).to_be_visible()
    expect(page.locator(".games tbody tr")).not_to_have_count(0)
    all_german(page)
    page.goto(f"{records.server.url}/player/{PERSON}")
    expect(page.get_by_text("nach 4 gewerteten Spielen")).to_be_visible()
    expect(page.locator(".games tbody")).to_contain_text("gewonnen (Aufgabe)")
    all_german(page)
    page.goto(records.server.url + "/explorer?game=tictactoe")
    expect(page.get_by_text("gingen von hier weiter")).to_be_visible()
    all_german(page)
    page.goto(records.server.url + "/stats")
    expect(page.get_by_role("table", name="Ergebnisse nach Spiel").get_by_role("rowheader").first).to_have_text(
        "Tic-Tac-Toe"
    )
    expect(page.locator(".chart-plot canvas").first).to_be_visible()
    for tab in page.get_by_role("tab").all():
        tab.click()
        all_german(page)  # but for what is marked as English
    reasons = page.get_by_role("table", name="Letzte Fehler").locator("[lang=en]")
    expect(reasons.first).to_have_text("It ended with an error: a test.")
    expect(page.locator("main [lang=en]").and_(page.locator(":not(td, td *)"))).to_have_count(0)


def test_games_of_any_size_are_told_as_the_server_tells_them() -> None:
    known = [*games(), *map(rules, SIZES)]
    told = json.loads(run_node("gameWords.js", *(game.id for game in known)))
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
