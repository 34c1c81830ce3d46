"""The pages of records in a browser over the real server: the ladder, a player's page, the statistics."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import OpenPage, ServerProcess, until
from tests.support.ladder_records import BOTS, player_id
from tests.support.page_ladder import PAIRS, PERSON, QUBIC, SMALL, Records, ladder
from tests.support.page_play import PHONE, no_sideways_scroll, tab_to

pytestmark = pytest.mark.browser

DASH = " \N{EN DASH} "
PATIENT_MS = 40_000
"""What comes by asking again and again comes late on a busy machine."""
SOME_LIST_RUNS = "async () => (await (await fetch('/api/ladder')).json()).lists.some((list) => list.running)"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Records]:
    records = Records(tmp_path_factory.mktemp("ladder"))
    records.server.start()
    yield records
    records.server.stop()


def rows(page: Page, table: str) -> Locator:
    return page.locator(f"table.{table} tbody tr")


def test_an_empty_ladder_says_how_to_start_one(open_page: OpenPage, own_server: ServerProcess) -> None:
    page = open_page("/ladder", at=own_server).page
    expect(page.get_by_text("No ladder has been played here yet.")).to_be_visible()
    expect(page.locator("pre")).to_have_text(
        ["noughts ladder run ladders/overnight.toml", "noughts serve --ladder ladders/overnight.toml"]
    )
    expect(page.get_by_role("link", name="Ladder")).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="Stats").click()
    expect(page.get_by_role("heading", name="Stats", level=1)).to_be_focused()
    expect(page.get_by_text("No public game has ended yet")).to_be_visible()
    expect(page.get_by_role("link", name="Stats")).to_have_attribute("aria-current", "page")


def test_standings_with_what_they_are_worth(open_page: OpenPage, records: Records) -> None:
    page = open_page("/ladder", at=records.server).page
    standings = page.get_by_role("table", name="The bots of this list, the strongest first")
    expect(standings.get_by_role("rowheader")).to_have_text([*BOTS[:3], re.compile(f"^{BOTS[3]} retired$")])
    first = rows(page, "standings").first
    expect(first).to_contain_text("+180")
    expect(first).to_contain_text("+140 to +225")
    expect(first).to_contain_text("97 %, very likely")
    expect(
        page.get_by_text(f"Retired, since more than a tenth of their games were forfeited: {BOTS[3]}.")
    ).to_be_visible()
    expect(
        page.get_by_text(f"{BOTS[0]} leads, and the chance that it is really ahead of {BOTS[1]} is 97 %.")
    ).to_be_visible()
    # By Davidson's model with 0.4 draws to a win of either side.
    expect(
        page.get_by_text("100 more mean about 62 % of the points with as many draws as in this list.")
    ).to_be_visible()
    expect(page.get_by_text("Between equals moving first is worth +32 Elo: 54 % of the points.")).to_be_visible()
    expect(page.get_by_text(f"This holds for the {PAIRS} different openings that were played")).to_be_visible()
    bar = first.locator(".interval-bar").bounding_box()
    whole = first.locator(".interval").bounding_box()
    assert bar
    assert whole
    # From +140 to +225 on a scale from -220 to +225: at its right end, a fifth of it.
    assert bar["x"] + bar["width"] == pytest.approx(whole["x"] + whole["width"], abs=1)
    assert bar["width"] == pytest.approx(whole["width"] * 85 / 445, abs=1)


def test_a_list_is_chosen_and_one_without_ratings_says_so(open_page: OpenPage, records: Records) -> None:
    page = open_page(ladder(SMALL), at=records.server).page
    page.get_by_label("List: bots of one game under one limit").select_option(label="Qubic, 2,000 positions a move")
    expect(page).to_have_url(re.compile(re.escape(ladder(QUBIC)) + "$"))
    expect(page.get_by_text("The ratings have not been computed yet: the order is by points.")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Rating")).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("columnheader", name="Rating")).to_be_visible()


def test_a_cell_leads_to_the_games_of_two_bots(open_page: OpenPage, records: Records) -> None:
    page = open_page(ladder(SMALL), at=records.server).page
    expect(page.get_by_text("The newest 20 games.")).to_be_visible()
    cell = page.get_by_role(
        "link", name=re.compile(f"^{BOTS[0]} made .* of 8 points against {BOTS[1]}: show the games$")
    )
    tab_to(page, cell)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")  # over the bot against itself
    expect(page.locator('[data-cell="1 0"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Games", exact=True)).to_be_focused()
    expect(page.locator("select[name=a]")).to_have_value(str(player_id(records.db, BOTS[1])))
    # The aborted game is listed too.
    expect(page.get_by_text("9 games.")).to_be_visible()
    names = rows(page, "games").locator(".g-who").all_inner_texts()
    assert {frozenset(name.split(DASH)) for name in names} == {frozenset(BOTS[:2])}
    opening = rows(page, "games").nth(3).locator(".g-start").inner_text()
    page.locator("select[name=opening]").select_option(opening)
    expect(page.get_by_text("2 games.")).to_be_visible()
    # The address keeps the choice.
    page.reload()
    expect(page.get_by_text("2 games.")).to_be_visible()
    expect(rows(page, "games").locator(".g-start")).to_have_text([opening] * 2)
    rows(page, "games").first.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/game/\d+"))


def test_all_games_of_a_list_come_page_by_page(open_page: OpenPage, records: Records) -> None:
    page = open_page(ladder(SMALL), at=records.server).page
    for shown in (40,):
        page.get_by_role("button", name="Show more").click()
        expect(rows(page, "games")).to_have_count(shown)
    page.get_by_role("button", name="Show more").click()
    expect(page.get_by_text("49 games.")).to_be_visible()
    expect(page.get_by_role("button", name="Show more")).to_be_hidden()
    links = rows(page, "games").get_by_role("link").evaluate_all("all => new Set(all.map((a) => a.href)).size")
    assert links == 49


@pytest.mark.slow  # the page asks every ten seconds
def test_a_running_game_is_watched_until_it_ends(open_page: OpenPage, records: Records) -> None:
    records.play(["b2"])
    try:
        page = open_page(ladder(SMALL), at=records.server).page
        # What the server answered a moment ago may be from before; the view itself asks again after 10 s.
        until(page, SOME_LIST_RUNS)
        page.reload()
        live = page.locator(".live")
        expect(live.get_by_role("button", name="b2, X, last move")).to_be_visible(timeout=PATIENT_MS)
        expect(live).to_contain_text(f"X {BOTS[0]}{DASH}O {BOTS[1]}, 1 move", timeout=PATIENT_MS)
        records.play(["b2", "c1"])
        expect(live.get_by_role("button", name="c1, O, last move")).to_be_visible(timeout=PATIENT_MS)
    finally:
        records.stop_playing()
    expect(live).to_contain_text("The ladder night is not playing at the moment.", timeout=PATIENT_MS)
    expect(live.get_by_role("button")).to_have_count(0)


def test_a_bots_page(open_page: OpenPage, records: Records) -> None:
    page = open_page(ladder(SMALL), at=records.server).page
    page.get_by_role("rowheader").get_by_role("link", name=BOTS[1]).first.click()
    expect(page.get_by_role("heading", name=BOTS[1], level=1)).to_be_focused()
    expect(page.get_by_text("Version 3.")).to_be_visible()
    places = page.get_by_role("table", name="Places in lists of ladders, the newest first")
    expect(places.get_by_role("row").nth(1)).to_contain_text("2 of 4")
    # 24 games of the one list and 6 of the other.
    times = page.get_by_role("table", name="Over the newest 30 games")
    expect(times.get_by_role("rowheader")).to_have_text(["Qubic", "Tic-tac-toe"])
    expect(rows(page, "games").first.locator(".g-result")).to_have_text(re.compile("^(won|lost|draw|aborted)"))
    places.get_by_role("link").click()
    expect(page).to_have_url(re.compile(re.escape(ladder(SMALL)) + "$"))


def test_a_persons_ratings_over_time(open_page: OpenPage, records: Records) -> None:
    page = open_page(f"/player/{PERSON}", at=records.server).page
    expect(page.get_by_role("heading", name="Åsa")).to_be_visible()
    expect(page.get_by_text("1700 ± 180")).to_be_visible()
    # The private game is nobody else's business, though the rating counts it.
    told = "Rating in Qubic over 3 public rated games: from 1600 to 1650, lowest 1551, highest 1650."
    expect(page.get_by_role("img", name=told)).to_be_visible()
    expect(page.get_by_text("3 games.")).to_be_visible()
    expect(rows(page, "games").locator(".g-result")).to_have_text(
        ["won by resignation", "lost by resignation", "won by resignation"]
    )
    expect(page.get_by_role("table", name="Over the newest 3 games").get_by_role("cell")).to_have_text(
        ["1.5 s", "1.5 s", "3", "3"]
    )


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/player/123456", "There is no player 123456."),
        ("/player/Ann", "There is no such player."),
        ("/ladder?run=night", "There is no such list; /api/ladder lists them all."),
    ],
)
def test_what_is_not_there_is_told(path: str, sentence: str, open_page: OpenPage, records: Records) -> None:
    page = open_page(path, at=records.server).page
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.get_by_role("link", name="To the lobby", exact=True)).to_be_visible()


@pytest.mark.slow
def test_pictures_are_drawn_when_asked_for(open_page: OpenPage, records: Records) -> None:
    page = open_page("/stats", at=records.server).page
    expect(page.get_by_text("charts are being drawn")).to_be_visible()
    # The first part shows, the others are folded: all together are very high.
    expect(page.get_by_role("table", name="Games by source")).to_be_visible(timeout=PATIENT_MS)
    expect(page.locator(".pictures img:visible")).to_have_count(0)
    part = page.locator("summary", has=page.get_by_role("heading", name="Moving first"))
    tab_to(page, part)
    page.keyboard.press("Enter")
    expect(page.get_by_role("table", name="Results of X")).to_be_visible()
    page.get_by_role("navigation", name="On this page").get_by_role("button", name="Ladders").click()
    expect(page.locator("summary", has=page.get_by_role("heading", name="Ladders"))).to_be_focused()
    picture = page.get_by_role("img", name="Pairs of games, from the higher-ranked bot's side")
    expect(picture).to_be_visible()
    picture.scroll_into_view_if_needed()
    until(page, "() => [...document.images].some((image) => image.complete && image.naturalWidth > 100)")
    assert page.locator(".pictures img").evaluate_all("all => all.every((image) => image.alt.length > 20)")
    expect(page.get_by_role("table").first).to_be_visible()
    expect(page.get_by_text("being drawn")).to_be_hidden()
    # A choice of another game keeps what is unfolded.
    page.get_by_label("Charts for").select_option(label="Qubic")
    expect(page.get_by_role("table", name="Results of X")).to_be_visible()
    expect(page.get_by_role("table", name="Slowest moves of bots")).to_be_hidden()


PAGES = ["/ladder", "/stats", "/player/1", f"/player/{PERSON}"]


@pytest.mark.parametrize("path", PAGES)
def test_the_pages_fit_a_phone(path: str, open_page: OpenPage, records: Records) -> None:
    page = open_page(path, at=records.server, **PHONE).page
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Looking …")
    expect(page.locator(".records .panel:visible, .drawing:visible").first).to_be_visible()
    assert no_sideways_scroll(page)
    for name in ("Ladder", "Stats", "Explore"):
        expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name=name)).to_be_in_viewport()


LABELS = """() => [...document.querySelectorAll('main :is(table, img, select, section, [role=region])')].filter((e) =>
    e.checkVisibility() && !(e.caption?.textContent || e.alt || e.labels?.length || e.getAttribute('aria-label')
      || document.getElementById(e.getAttribute('aria-labelledby'))?.textContent)).map((e) => e.outerHTML)"""


@pytest.mark.parametrize("path", PAGES)
def test_every_table_picture_and_choice_has_a_name(path: str, open_page: OpenPage, records: Records) -> None:
    page = open_page(path, at=records.server).page
    expect(page.locator(".records .panel:visible, .drawing:visible").first).to_be_visible()
    assert page.evaluate(LABELS) == []


def test_names_lead_to_players(open_page: OpenPage, records: Records) -> None:
    page = open_page(at=records.server).page
    page.get_by_role("button", name="Play a bot now").click()
    page.locator(".bar").first.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/player/\d+$"))
    expect(page.get_by_role("link", name=re.compile("your turn|running"))).to_be_visible()
