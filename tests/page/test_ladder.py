"""The pages of records in a browser over the real server: the ladder, a player's page, the statistics."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import OpenPage, ServerProcess, until
from tests.support.ladder.records import BOTS, player_id
from tests.support.page.ladder import PAIRS, PERSON, QUBIC, SMALL, Records, ladder
from tests.support.page.play import PHONE, no_sideways_scroll, tab_to

pytestmark = pytest.mark.browser

DASH = " \N{EN DASH} "
NAMES = ("Strongest", "Alpha-beta (3)", "Level 2", "Random")
"""Of BOTS, in words."""
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
    expect(standings.get_by_role("rowheader")).to_have_text([*NAMES[:3], re.compile(f"^{NAMES[3]} retired$")])
    first = rows(page, "standings").first
    expect(first).to_contain_text("+180")
    expect(first).to_contain_text("+140 to +225")
    expect(first).to_contain_text("97 %, very likely")
    expect(page.get_by_text(f"Retired for forfeiting more than a tenth of their games: {NAMES[3]}.")).to_be_visible()
    expect(
        page.get_by_text(f"{NAMES[0]} leads; the chance that it is stronger than {NAMES[1]} is 97 %.")
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
    page.get_by_label("Game and limit").select_option(label="Qubic, 2,000 positions a move")
    expect(page).to_have_url(re.compile(re.escape(ladder(QUBIC)) + "$"))
    expect(page.get_by_text("The ratings have not been computed yet: the order is by points.")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Rating")).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("columnheader", name="Rating")).to_be_visible()


def test_a_cell_leads_to_the_games_of_two_bots(open_page: OpenPage, records: Records) -> None:
    page = open_page(ladder(SMALL), at=records.server).page
    expect(page.get_by_text("The newest 20 games.")).to_be_visible()
    cell = page.get_by_role(
        "link",
        name=re.compile(f"^\\d+ %: {NAMES[0]} scored .* of 8 points against {re.escape(NAMES[1])}. Show the games$"),
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
    names = rows(page, "games").locator("th").all_inner_texts()
    assert {frozenset(name.split(DASH)) for name in names} == {frozenset(NAMES[:2])}
    opening = rows(page, "games").nth(3).locator("td:nth-child(2)").inner_text()
    page.locator("select[name=opening]").select_option(opening)
    expect(page.get_by_text("2 games.")).to_be_visible()
    # The address keeps the choice.
    page.reload()
    expect(page.get_by_text("2 games.")).to_be_visible()
    expect(rows(page, "games").locator("td:nth-child(2)")).to_have_text([opening] * 2)
    game = rows(page, "games").first
    moves = game.locator("td").last.inner_text()
    game.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/game/\d+"))
    # The opening counts on neither page.
    expect(page.get_by_text(re.compile(rf"^number \d+, {moves} moves$"))).to_be_visible()


def test_all_games_of_a_list_come_page_by_page(open_page: OpenPage, records: Records) -> None:
    page = open_page(ladder(SMALL), at=records.server).page
    page.get_by_role("button", name="Show more").click()
    expect(rows(page, "games")).to_have_count(40)
    page.get_by_role("button", name="Show more").click()
    expect(page.get_by_text("49 games.")).to_be_visible()
    expect(page.get_by_role("button", name="Show more")).to_be_hidden()
    links = rows(page, "games").get_by_role("link").evaluate_all("all => new Set(all.map((a) => a.href)).size")
    assert links == 49


def test_going_back_leads_to_where_one_was(open_page: OpenPage, records: Records) -> None:
    page = open_page(ladder(SMALL), at=records.server, **PHONE).page
    link = rows(page, "games").last.get_by_role("link")
    link.scroll_into_view_if_needed()
    down = page.evaluate("scrollY")
    assert down > 740
    link.click()
    expect(page.get_by_role("heading", name="Moves")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    page.go_back()
    until(page, "(down) => Math.abs(scrollY - down) <= 1", down)
    # Once there one stays where one scrolls to, whatever comes.
    page.evaluate("scrollTo(0, 0); document.querySelector('main').style.minHeight = '9000px'")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("scrollY") == 0


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
        expect(live).to_contain_text(f"X {NAMES[0]}{DASH}O {NAMES[1]}, 1 move", timeout=PATIENT_MS)
        records.play(["b2", "c1"])
        expect(live.get_by_role("button", name="c1, O, last move")).to_be_visible(timeout=PATIENT_MS)
    finally:
        records.stop_playing()
    expect(live).to_contain_text("The ladder night is not playing at the moment.", timeout=PATIENT_MS)
    expect(live.get_by_role("button")).to_have_count(0)


def test_a_bots_page(open_page: OpenPage, records: Records) -> None:
    page = open_page(ladder(SMALL), at=records.server).page
    page.get_by_role("rowheader").get_by_role("link", name=NAMES[1]).first.click()
    expect(page.get_by_role("heading", name=NAMES[1], level=1)).to_be_focused()
    expect(page.get_by_text("Version 3.")).to_be_visible()
    places = page.get_by_role("table", name="Places in lists of ladders, the newest first")
    expect(places.get_by_role("row").nth(1)).to_contain_text("2 of 4")
    # 24 games of the one list and 6 of the other.
    times = page.get_by_role("table", name="Over the newest 30 games")
    expect(times.get_by_role("rowheader")).to_have_text(["Qubic", "Tic-tac-toe"])
    expect(rows(page, "games").first.locator("td:nth-child(3)")).to_have_text(re.compile("^(won|lost|draw|aborted)"))
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
    expect(rows(page, "games").locator("td:nth-child(3)")).to_have_text(
        ["won by resignation", "lost by resignation", "won by resignation"]
    )
    expect(page.get_by_role("table", name="Over the newest 3 games").get_by_role("cell")).to_have_text(
        ["1.50 s", "1.50 s", "3", "3"]
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


NUMBERS = "Numbers as a table"


def test_a_chart_has_its_numbers_beside_it_and_follows_the_theme(open_page: OpenPage, records: Records) -> None:
    page = open_page(f"/player/{PERSON}", at=records.server, color_scheme="light").page
    drawing = page.locator(".chart-plot canvas")
    expect(drawing).to_be_visible()
    expect(page.get_by_role("table", name="Rating in Qubic over 3 public rated games")).to_have_count(0)
    tab_to(page, page.locator("summary", has_text=NUMBERS))
    page.keyboard.press("Enter")
    numbers = page.get_by_role("table", name="Rating in Qubic over 3 public rated games").get_by_role("row")
    expect(numbers).to_have_text(
        [re.compile("Rating$"), "11600 1420 to 1780", "21551 1371 to 1731", "31650 1470 to 1830"]
    )
    light = drawing.evaluate(DRAWN)
    page.emulate_media(color_scheme="dark")
    until(page, f"(before) => ({DRAWN})(document.querySelector('.chart-plot canvas')) !== before", light)
    # It is as wide as its place.
    page.set_viewport_size({"width": 400, "height": 800})
    until(page, "() => document.querySelector('.chart-plot canvas').getBoundingClientRect().width < 400")
    assert no_sideways_scroll(page)


DRAWN = "(canvas) => canvas.toDataURL()"


def test_what_could_not_be_loaded_is_asked_for_again(open_page: OpenPage, own_server: ServerProcess) -> None:
    """Its module first, then its answer: it comes by itself when the connection is back, or by a button."""
    watched = open_page(at=own_server)
    watched.line_may_break = True
    page = watched.page
    expect(page.locator(".you .name")).to_have_text(re.compile(r"\d"))
    own_server.stop()
    page.get_by_role("link", name="Ladder").click()
    expect(page.get_by_role("heading", name="Could not load this page", level=1)).to_be_focused()
    expect(page.get_by_text("We try again as soon as the connection is back.")).to_be_visible()
    own_server.start()
    expect(page.get_by_text("No ladder has been played here yet.")).to_be_visible()
    page.route("**/api/players/999", lambda route: route.fulfill(status=503, json={"error": "The records are busy."}))
    page.evaluate("history.pushState(null, '', '/player/999'); dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.get_by_text("The records are busy.")).to_be_visible()
    page.unroute("**/api/players/999")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("There is no player 999.")).to_be_visible()
    watched.complaints = [one for one in watched.complaints if "503" not in one]


def test_statistics_open_with_figures_and_charts(open_page: OpenPage, records: Records) -> None:
    page = open_page("/stats", at=records.server).page
    figures = page.locator(".stats-figures > div")
    expect(figures).to_have_count(4)
    expect(figures.first).to_contain_text("Games63of 2 kinds")
    expect(figures.nth(1)).to_contain_text("Players5")
    expect(figures.nth(2)).to_contain_text("1.50 s")
    expect(figures.nth(3)).to_contain_text(re.compile(r"X wins\d+\s%"))
    expect(page.get_by_role("img", name="Games that began each day").locator("canvas")).to_be_visible()
    wins = page.get_by_role("region", name="Who wins").get_by_role("listitem")
    expect(wins.filter(has_text="Qubic").get_by_role("img", name=re.compile("^X won"))).to_be_visible()
    results = page.get_by_role("table", name="Results by game").get_by_role("rowheader")
    expect(results).to_have_text(["Tic-tac-toe", "Qubic"])
    # The numbers of a chart are beside it: of 14 days the one that had games.
    page.get_by_text(NUMBERS).first.click()
    days = page.get_by_role("table", name="Games that began each day").get_by_role("row")
    expect(days).to_have_text(["Day (UTC)Games", re.compile("63$")])


def test_the_rest_of_the_statistics_is_behind_tabs(open_page: OpenPage, records: Records) -> None:
    page = open_page("/stats", at=records.server).page
    tab_to(page, page.get_by_role("tab", name="Results"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Lengths")).to_be_focused()
    lengths = page.get_by_role("tabpanel", name="Lengths")
    expect(lengths.get_by_role("img", name=re.compile("^Tic-tac-toe: 48 games, .* plies long"))).to_be_visible()
    expect(page.get_by_role("table", name="Results by game")).to_be_hidden()
    # What was chosen for one chart is chosen for the other.
    lengths.get_by_role("combobox", name="Game").select_option(label="Qubic")
    expect(lengths.get_by_role("img", name=re.compile("^Qubic: 15 games"))).to_be_visible()
    page.keyboard.press("Shift+Tab")
    page.get_by_role("tab", name="Think times").click()
    times = page.get_by_role("tabpanel", name="Think times")
    expect(times.get_by_role("img", name="Qubic: median think time by ply").locator("canvas")).to_be_visible()
    expect(times.get_by_role("table", name="Bots, the slowest first").get_by_role("rowheader")).to_have_count(4)
    expect(times.get_by_role("table", name="Slowest moves of bots").get_by_role("rowheader")).to_have_count(10)
    page.get_by_role("tab", name="Endings").click()
    fault = page.get_by_role("table", name="Latest faults").get_by_role("link").first
    expect(fault).to_have_text(re.compile(r"^Game \d+$"))
    fault.click()
    expect(page).to_have_url(re.compile(r"/game/\d+$"))


def test_a_slow_move_of_the_statistics_is_looked_at(open_page: OpenPage, records: Records) -> None:
    page = open_page("/stats", at=records.server).page
    page.get_by_role("tab", name="Think times").click()
    page.get_by_role("table", name="Slowest moves of bots").get_by_role("link").first.click()
    expect(page).to_have_url(re.compile(r"/game/\d+\?ply=\d+$"))
    expect(page.locator(".cell.last")).to_be_visible()


PAGES = ["/ladder", "/stats", "/player/1", f"/player/{PERSON}"]


LABELS = """() => [...document.querySelectorAll('main :is(table, img, select, section, [role=region])')].filter((e) =>
    e.checkVisibility() && !(e.caption?.textContent || e.alt || e.labels?.length || e.getAttribute('aria-label')
      || document.getElementById(e.getAttribute('aria-labelledby'))?.textContent)).map((e) => e.outerHTML)"""
"""What has no name."""


@pytest.mark.parametrize("path", PAGES)
def test_the_pages_fit_a_phone_and_name_all_they_show(path: str, open_page: OpenPage, records: Records) -> None:
    page = open_page(path, at=records.server, **PHONE).page
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Looking …")
    expect(page.locator(".records .panel:visible").first).to_be_visible()
    assert no_sideways_scroll(page)
    for name in ("Ladder", "Stats", "Explore"):
        expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name=name)).to_be_in_viewport()
    assert page.evaluate(LABELS) == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_standings_are_no_wider_than_the_smallest_paper(language: str, open_page: OpenPage, records: Records) -> None:
    a5 = {"width": 484, "height": 718}  # without the printer's margins
    page = open_page(ladder(SMALL), at=records.server, viewport=a5, locale=language).page
    expect(rows(page, "standings")).to_have_count(len(BOTS))
    size = "element => getComputedStyle(element).fontSize"
    chart = page.locator(".chart-plot").first
    drawn = chart.evaluate(size)
    page.emulate_media(media="print")
    assert no_sideways_scroll(page)
    assert chart.evaluate(size) == drawn, "or its labels would be cut off"


def test_names_lead_to_players(open_page: OpenPage, records: Records) -> None:
    page = open_page(at=records.server).page
    page.get_by_role("button", name="Play a bot now").click()
    page.locator(".bar").first.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/player/\d+$"))
    row = page.get_by_role("row").filter(has_text="running")
    expect(row.get_by_role("cell", name="running", exact=True)).to_have_count(1)
    expect(page.get_by_role("link", name=re.compile("your turn|running"))).to_be_visible()


def test_standings_over_time(open_page: OpenPage, records: Records) -> None:
    page = open_page("/ladder", at=records.server).page
    over_time = page.get_by_role("region", name="Over time")
    picture = over_time.get_by_role("img", name=re.compile(r"Ratings of \d bots at \d+ points in time"))
    expect(picture).to_be_visible(timeout=PATIENT_MS)
    over_time.get_by_text("Numbers as a table").click()
    heads = over_time.get_by_role("columnheader")
    expect(heads).to_have_count(1 + len(NAMES))
    expect(heads.first).to_have_text("Games")
    last = over_time.get_by_role("row").last
    expect(last.get_by_role("cell").first).to_have_text(re.compile("^[+\N{MINUS SIGN}]?\\d+$"))
    # Whoever reads the last number below the chart sees the whole of it.
    assert picture.evaluate(BEYOND, last.get_by_role("rowheader").inner_text()) >= 0


BEYOND = """(plot, word) => {
    const { fontFamily, fontSize } = getComputedStyle(plot);
    const context = document.createElement('canvas').getContext('2d');
    context.font = `${fontSize} ${fontFamily}`;
    const drawn = plot.querySelector('.u-over').getBoundingClientRect();
    return plot.getBoundingClientRect().right - drawn.right - context.measureText(word).width / 2;
}"""


def test_a_table_that_goes_on_beyond_its_edge_fades_there(open_page: OpenPage, records: Records) -> None:
    page = open_page(f"/player/{player_id(records.db, BOTS[0])}", at=records.server, **PHONE).page
    table = page.locator(".across").first
    faded, whole = re.compile("gradient"), "none"
    expect(table).to_have_css("mask-image", faded)
    table.evaluate("table => table.scrollLeft = table.scrollWidth")
    expect(table).to_have_css("mask-image", whole)
    table.evaluate("table => table.scrollLeft = 0")
    expect(table).to_have_css("mask-image", faded)
    page.set_viewport_size({"width": 1400, "height": 900})
    expect(table).to_have_css("mask-image", whole)
