"""Recorded games replayed, and positions explored, in a browser over the real server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.rules.registry import rules
from server.db import migrate
from server.rooms.players.players import token_hash
from tests.page.conftest import OpenPage, ServerProcess, until
from tests.support.database.database_files import execute
from tests.support.database.played_records import Records
from tests.support.page.play import PHONE, cell, no_sideways_scroll
from tests.support.page.replay import VIEWS, at_ply, nested_game

pytestmark = pytest.mark.browser

FLAT, CUBE, SWAPPED, NESTED, PRIVATE, RUNNING, DRAWN = range(1, 8)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Records:
    """A game of each kind, counted for the explorer."""
    folder: Path = tmp_path_factory.mktemp("records")
    migrate.prepare(folder / "noughts.db")
    records = Records(folder / "noughts.db")
    records.add(FLAT, [0, 3, 1, 4, 2], times=[1_500, 20, 300, 12_345, 90], started_ms=1_795_283_796_119)

    def add_of_pair(id: int, cells: list[int], **changes: Any) -> None:
        records.add(
            id, cells, game="qubic", set_up=2, source="ladder", run_id="night/qubic/3f", pair_id=4,
            opening_id="a1.1 b2.2", x_limit='{"nodes":20000}', o_limit='{"nodes":20000}', search=(19_500, 6, 12.5),
            **changes,
        )  # fmt: skip

    cube = rules("qubic").parse_move
    line = [cube(text) for text in ["a1.1", "b2.2", "a1.2", "b3.3", "a1.3", "c1.1"]]
    add_of_pair(CUBE, [*line, cube("a1.4")], times=[40, 10])
    add_of_pair(SWAPPED, line, termination="crash", winner="o", x_player=2, o_player=1)
    records.add(NESTED, nested_game(), game="ultimate")
    records.add(PRIVATE, [0, 3, 1], source="room", private=1, termination="resignation", winner="o")
    records.add(RUNNING, [4, 0], termination=None, ended_ms=None, plies=None)
    # The same turned, with another end: the corner is one of four.
    records.add(DRAWN, [8, 5, 7, 4], termination="agreement")
    execute(records.path, "INSERT INTO faults VALUES (?, 2, 'Bob ended with an error: a test.')", (SWAPPED,))
    records.index()
    return records


@pytest.fixture(scope="module")
def shelf(records: Records) -> Iterator[ServerProcess]:
    """A server of these records."""
    process = ServerProcess(records.path.parent)
    process.start()
    yield process
    process.stop()


def on_board(page: Page) -> int:
    return page.locator(".cell.mark-x, .cell.mark-o").count()


def step(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


# The replay


def test_the_board_is_the_largest_thing_and_the_steps_are_in_sight(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{FLAT}", at=shelf, viewport={"width": 1280, "height": 800}).page
    cells, sheet = (page.locator(which).bounding_box() for which in (".cells", ".layer"))
    assert cells is not None
    assert sheet is not None
    assert cells["width"] >= 480
    assert cells["height"] >= 480
    steps = page.locator(".steps").bounding_box()
    assert steps is not None
    assert steps["y"] + steps["height"] <= 800
    for bar in page.locator(".replay .bar").all():
        assert bar.evaluate("bar => bar.getBoundingClientRect().width") == pytest.approx(sheet["width"], abs=1)
    page.goto(f"{shelf.url}/game/{NESTED}")
    expect(page.locator(".small.closed").first).to_be_visible()
    nested = page.locator(".steps").bounding_box()
    assert nested is not None
    assert nested["y"] + nested["height"] <= 800


def test_a_game_is_replayed_with_the_mouse(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{FLAT}?ply=2", at=shelf).page
    expect(page.locator(".status")).to_have_text("Ann wins with three in a row.")
    at_ply(page, 2, 5)
    assert on_board(page) == 2
    expect(page.locator(".notice")).to_be_empty()
    step(page, "One move on").click()
    at_ply(page, 3, 5)
    step(page, "Last position").click()
    at_ply(page, 5, 5)
    expect(page.locator(".cell.win")).to_have_count(3)
    step(page, "One move back").click()
    expect(page.locator(".cell.win")).to_have_count(0)
    step(page, "First position").click()
    at_ply(page, 0, 5)
    page.locator(".moves").get_by_role("button", name="b2").click()
    at_ply(page, 4, 5)
    page.get_by_role("slider", name="Move", exact=True).fill("1")
    at_ply(page, 1, 5)
    expect(page.locator("button.move .move-time")).to_have_text(["1.50 s", "20 ms", "300 ms", "12.3 s", "90 ms"])
    page.reload()
    at_ply(page, 1, 5)


def test_a_game_is_replayed_with_the_keyboard(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{FLAT}?ply=0", at=shelf).page
    at_ply(page, 0, 5)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    told = page.locator(".spoken")
    for key, ply in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 5),
        ("ArrowRight", 5),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        expect(page.get_by_role("slider", name="Move", exact=True)).to_have_value(str(ply))
    at_ply(page, 0, 5)
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("Move 1 of 5: X a1, 1.50 s.")
    page.keyboard.press("End")
    expect(told).to_contain_text("Move 5 of 5: X c1, 90 ms. Ann wins with three in a row.")
    page.locator("button.move").nth(3).focus()
    page.keyboard.press("Enter")
    expect(page.locator("button.move").nth(3)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("button.move").nth(4)).to_be_focused()
    # On the board arrows walk over its cells.
    cell(page, "b2").focus()
    page.keyboard.press("ArrowLeft")
    expect(cell(page, "a2")).to_be_focused()
    at_ply(page, 5, 5)


def test_playing_stops_when_somebody_steps(open_page: OpenPage, shelf: ServerProcess) -> None:
    watched = open_page("/healthz", at=shelf)
    watched.line_may_break = True  # its own clock runs ahead
    page = watched.page
    page.clock.install()
    page.goto(f"{shelf.url}/game/{NESTED}?ply=3")
    slider = page.get_by_role("slider", name="Move", exact=True)
    step(page, "Play the moves").click()
    page.clock.run_for(2_500)
    expect(step(page, "Pause")).to_be_visible()
    step(page, "One move back").click()
    expect(step(page, "Play the moves")).to_be_visible()
    at = slider.input_value()
    assert int(at) >= 4
    page.clock.run_for(5_000)
    expect(slider).to_have_value(at)
    # To the end it plays by itself, and from there again from the start.
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("End")
    page.keyboard.press("Space")
    expect(step(page, "Pause")).to_be_visible()
    page.clock.run_for(100_000)
    expect(step(page, "Play the moves")).to_be_visible()
    expect(slider).to_have_value(str(len(nested_game())))
    page.get_by_role("link", name="noughts, to the lobby").click()
    page.wait_for_url(re.compile(r"/$"))


def test_the_times_are_a_chart_that_leads_to_moves(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{FLAT}?ply=0", at=shelf).page
    chart = page.get_by_role("region", name="Time used")
    expect(chart).to_contain_text("In all: X 1.89 s, O 12.4 s · longest move 12.3 s")
    expect(chart.locator("canvas")).to_be_visible()
    heights = bar_heights(page, 5)
    assert heights[3] == max(heights) > 7 * heights[0] > 0
    point_at(page, 3, 5)
    expect(chart.locator(".chart-across")).to_have_text("Move 4")
    expect(chart.locator(".chart-key")).to_contain_text("O 12.3 s")
    page.mouse.down()
    page.mouse.up()
    at_ply(page, 4, 5)
    columns = chart.get_by_role("slider")
    expect(columns).to_have_attribute("aria-valuetext", "Move 4: O 12.3 s")
    expect(page.locator("button.move").nth(3)).to_have_attribute("aria-current", "step")
    # By keyboard: one place in the tab order, and arrows go along the moves from there.
    columns.focus()
    page.keyboard.press("ArrowLeft")
    expect(columns).to_be_focused()
    expect(columns).to_have_attribute("aria-valuetext", "Move 3: X 300 ms")
    at_ply(page, 3, 5)
    # The numbers, for whoever does not see the chart.
    chart.get_by_text("Numbers as a table").click()
    expect(chart.get_by_role("row")).to_have_text(["MoveXO", "11.50 s–", "2–20 ms", "3300 ms–", "4–12.3 s", "590 ms–"])


def point_at(page: Page, column: int, of: int) -> None:
    """In the middle of a column of the chart of times."""
    area = page.locator(".times .u-over").bounding_box()
    assert area is not None
    page.locator(".times").scroll_into_view_if_needed()
    area = page.locator(".times .u-over").bounding_box()
    assert area is not None
    page.mouse.move(area["x"] + (column + 0.5) * area["width"] / of, area["y"] + area["height"] / 2)


def bar_heights(page: Page, of: int) -> list[int]:
    """What is coloured in the middle of each column of the chart of times, in pixels of its canvas."""
    found: list[int] = page.locator(".times canvas").evaluate(
        """(canvas, of) => {
            const over = canvas.parentElement.querySelector('.u-over').getBoundingClientRect();
            const box = canvas.getBoundingClientRect();
            const scale = canvas.width / box.width;
            const context = canvas.getContext('2d');
            const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
            const vivid = (at) => data[at + 3] > 200 && Math.abs(data[at] - data[at + 2]) > 60;
            return Array.from({ length: of }, (_, i) => {
                const x = Math.round((over.left - box.left + (i + 0.5) * over.width / of) * scale);
                const rows = Array.from({ length: canvas.height }, (_, y) => 4 * (y * canvas.width + x));
                return rows.filter(vivid).length;
            });
        }""",
        of,
    )
    return found


def test_a_game_of_a_ladder_tells_all_that_is_known(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{CUBE}", at=shelf).page
    at = page.locator(".replay-head")
    expect(at).to_contain_text("Qubic")
    expect(page.locator(".layer")).to_have_count(4)
    expect(page.locator(".cell.win")).to_have_count(4)
    assert on_board(page) == 7
    expect(page.locator(".figures")).to_have_text(
        re.compile(r"^X a1\.4 depth\s6\s· 19\.5\sk\spositions\s· value\s\+12\.5$")
    )
    about = page.locator(".panel", has_text="About this game")
    for words in ("20,000 positions a move", "ladder night, list qubic", "a1.1 b2.2", "with sides swapped"):
        expect(about).to_contain_text(words)
    expect(about.get_by_role("link", name="ladder night, list qubic")).to_have_attribute(
        "href", "/ladder?run=night%2Fqubic%2F3f"
    )
    expect(about.get_by_role("link", name="Ann")).to_have_attribute("href", "/player/1")
    about.get_by_role("link", name="the other game").click()
    page.wait_for_url(re.compile(f"/game/{SWAPPED}$"))
    expect(page.locator(".status")).to_have_text("Ann wins: Bob crashed.")
    expect(page.locator(".fault")).to_have_text("Bob ended with an error: a test.")


def test_links_lead_to_the_position(open_page: OpenPage, shelf: ServerProcess) -> None:
    watched = open_page(f"/game/{CUBE}?ply=1", at=shelf, permissions=["clipboard-read", "clipboard-write"])
    page = watched.page
    step(page, "One move on").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".copied")).to_have_text("The link to this position is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == f"{shelf.url}/game/{CUBE}?ply=2"
    for name, ending in (("JSONL", "jsonl"), ("Text", "txt")):
        with page.expect_download() as download:
            page.get_by_role("link", name=name, exact=True).click()
        assert download.value.suggested_filename == f"noughts-{CUBE}.{ending}"
        assert "a1.4" in download.value.path().read_text()
    page.get_by_role("link", name="Explore this position").click()
    page.wait_for_url(re.compile(r"/explorer\?game=qubic&moves=a1\.1,b2\.2,a1\.2,b3\.3$"))
    # Marks on the board are another way to name a position, for games with openings of any length.
    page.goto(f"{shelf.url}/game/{CUBE}?marks=3")
    at_ply(page, 1, 5)


def test_a_running_game_is_shown_as_far_as_it_is_and_grows(
    open_page: OpenPage, shelf: ServerProcess, records: Records
) -> None:
    watched = open_page("/healthz", at=shelf)
    watched.line_may_break = True  # its own clock runs ahead
    page = watched.page
    page.clock.install()
    page.goto(f"{shelf.url}/game/{RUNNING}")
    expect(page.locator(".status")).to_have_text("Still running.")
    expect(page.locator(".steps-under")).to_contain_text("After 2 of 2 moves, X to move")
    execute(records.path, "INSERT INTO moves (game_id, ply, cell, at_ms, think_ms) VALUES (?, 2, 8, 5, 70)", (RUNNING,))
    page.clock.fast_forward(3_100)
    expect(page.locator(".steps-under")).to_contain_text("After 3 of 3 moves, O to move")
    expect(page.locator(".spoken")).to_contain_text("Move 3 of 3: X c3, 70 ms.")
    execute(records.path, "DELETE FROM moves WHERE game_id = ? AND ply = 2", (RUNNING,))


@pytest.mark.parametrize("id", [PRIVATE, 9999])
def test_a_game_that_one_may_not_see(open_page: OpenPage, shelf: ServerProcess, id: int) -> None:
    page = open_page(f"/game/{id}", at=shelf).page
    lost = page.locator(".lost")
    expect(lost).to_contain_text(f"There is no game {id}, or it is private. Its players can share it by a link.")
    expect(lost.get_by_role("button", name="Try again")).to_have_count(0)


def test_a_private_game_is_replayed_and_downloaded_by_its_players(
    open_page: OpenPage, shelf: ServerProcess, records: Records
) -> None:
    token = "t" * 43
    execute(records.path, "UPDATE players SET token_hash = ? WHERE id = 1", (token_hash(token),))
    watched = open_page("/healthz", at=shelf)
    watched.context.add_init_script(f"localStorage.setItem('noughts.token', '\"{token}\"')")
    page = watched.page
    page.goto(f"{shelf.url}/game/{PRIVATE}")
    expect(page.locator(".status")).to_have_text("Bob wins: Ann resigned.")
    expect(page.locator(".panel", has_text="About this game")).to_contain_text("by invitation")
    for name, ending in (("JSONL", "jsonl"), ("Text", "txt")):
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        assert download.value.suggested_filename == f"noughts-{PRIVATE}.{ending}"
        assert "resignation" in download.value.path().read_text()


def test_a_private_game_is_shared_by_a_link_that_can_be_withdrawn(
    open_page: OpenPage, shelf: ServerProcess, records: Records
) -> None:
    token = "s" * 43
    execute(records.path, "UPDATE players SET token_hash = ? WHERE id = 2", (token_hash(token),))
    player = open_page("/healthz", at=shelf, permissions=["clipboard-read", "clipboard-write"])
    player.context.add_init_script(f"localStorage.setItem('noughts.token', '\"{token}\"')")
    page = player.page
    page.goto(f"{shelf.url}/game/{PRIVATE}?ply=2")
    # Nothing promises a link that would not work.
    expect(page.get_by_role("button", name="Copy link")).to_have_count(0)
    page.get_by_role("button", name="Share …").click()
    dialog = page.get_by_role("dialog", name="Share this game")
    expect(dialog.get_by_role("button", name="Withdraw")).to_have_count(0)
    dialog.get_by_role("button", name="Make a link").click()
    dialog.get_by_role("button", name="Copy", exact=True).click()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{shelf.url}/game/{PRIVATE}#share=")

    stranger = open_page("/healthz", at=shelf, permissions=["clipboard-read", "clipboard-write"])
    guest = stranger.page
    guest.goto(link)
    expect(guest.locator(".status")).to_have_text(re.compile("^Bob wins"))
    expect(guest.get_by_role("button", name="Share …")).to_have_count(0)
    expect(guest.get_by_role("button", name="Review")).to_have_count(0)
    expect(guest.get_by_role("button", name="JSONL")).to_be_visible()
    guest.keyboard.press("ArrowLeft")
    guest.get_by_role("button", name="Copy link").click()
    expect(guest.locator(".copied")).to_have_text("The link to this position is copied.")
    passed_on = guest.evaluate("navigator.clipboard.readText()")
    assert passed_on == link.replace("#", "?ply=2#")
    assert not any(link.partition("=")[2] in request.url.partition("#")[0] for request in stranger.requests)
    guest.reload()
    expect(guest.get_by_role("slider", name="Move", exact=True)).to_have_value("2")

    # It is shown once, and is there to be withdrawn.
    page.reload()
    page.get_by_role("button", name="Share …").click()
    expect(dialog).to_contain_text("A link was made on")
    dialog.get_by_role("button", name="Withdraw").click()
    expect(dialog.get_by_role("button", name="Make a link")).to_be_visible()
    expect(page.locator(".spoken")).to_contain_text("The link no longer works.")
    guest.reload()
    expect(guest.locator(".lost")).to_contain_text("is incomplete or was withdrawn. Ask for a new one.")
    guest.goto(f"{shelf.url}/game/{PRIVATE}#share=forged<>")
    guest.reload()
    expect(guest.locator(".lost")).to_contain_text(f"This link to game {PRIVATE} is incomplete or was withdrawn.")


def test_a_record_that_could_not_be_loaded_is_asked_for_again(open_page: OpenPage, shelf: ServerProcess) -> None:
    watched = open_page("/healthz", at=shelf)
    watched.line_may_break = True
    page = watched.page
    page.route(f"**/api/games/{FLAT}", lambda route: route.abort("connectionfailed"))
    page.goto(f"{shelf.url}/game/{FLAT}")
    expect(page.locator(".lost")).to_contain_text("The game cannot be shown. The server cannot be reached")
    expect(page.locator(".you .name")).to_have_text(re.compile(r"\d"))  # it tries again by itself then
    page.unroute(f"**/api/games/{FLAT}")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".status")).to_have_text(re.compile("^Ann wins"))


def test_a_position_is_saved_as_a_picture_and_a_game_as_an_animation(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{CUBE}?ply=2", at=shelf).page
    page.get_by_role("button", name="Picture …").click()
    dialog = page.get_by_role("dialog", name="Share as picture")
    expect(dialog.get_by_role("img", name="After 2 of 5 moves")).to_be_visible()
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Save picture").click()
    assert download.value.suggested_filename == f"noughts-{CUBE}.png"
    png = download.value.path().read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20]) == 960
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Save game as animation").click()
    assert download.value.suggested_filename == f"noughts-{CUBE}.gif"
    gif = download.value.path().read_bytes()
    assert gif.startswith(b"GIF89a")
    assert gif.endswith(b";")
    assert gif.count(b"\x21\xf9\x04") == 6  # a frame for each position
    assert b"NETSCAPE2.0" in gif  # and again from the start
    expect(dialog.get_by_role("progressbar")).to_have_count(0)


def test_a_stroke_goes_through_the_win_on_a_picture_too(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{FLAT}", at=shelf, color_scheme="light").page
    page.get_by_role("button", name="Picture …").click()
    expect(page.get_by_role("img", name="After 5 of 5 moves")).to_be_visible()
    # Between the first two of a1, b1, c1, which are 144 wide each on a sheet of 480, and of the row above. It may be
    # there a moment before it is painted.
    until(
        page,
        """([win, above]) => {
            const canvas = document.querySelector('.picture-preview');
            const colour = (x, y) => {
                const [sx, sy] = [x, y].map((length) => (length * canvas.width) / 480);
                return [...canvas.getContext('2d').getImageData(sx, sy, 1, 1).data].slice(0, 3).join();
            };
            return colour(...win) === '224,161,0' && colour(...above) !== '224,161,0';
        }""",
        [[168, 428], [168, 284]],
    )


def test_a_picture_goes_to_whatever_the_system_shares_with(open_page: OpenPage, shelf: ServerProcess) -> None:
    watched = open_page("/healthz", at=shelf)
    watched.context.add_init_script(
        """navigator.canShare = () => true;
        navigator.share = async ({ files: [file] }) => {
            if (window.unwilling) throw new DOMException('', 'AbortError');
            document.title = `${file.name} ${file.type}`;
        };"""
    )
    page = watched.page
    page.goto(f"{shelf.url}/game/{FLAT}")
    page.get_by_role("button", name="Picture …").click()
    page.evaluate("window.unwilling = true")
    page.get_by_role("button", name="Share picture").click()
    expect(page.get_by_role("alert").filter(has_text="could not be made")).to_have_count(0)
    page.evaluate("window.unwilling = false")
    page.get_by_role("button", name="Share picture").click()
    expect(page).to_have_title(f"noughts-{FLAT}.png image/png")


@VIEWS
@pytest.mark.parametrize("path", [f"/game/{FLAT}", f"/game/{CUBE}", f"/game/{NESTED}", "/explorer?game=tictactoe"])
def test_pages_fit_every_screen(open_page: OpenPage, shelf: ServerProcess, path: str, view: dict[str, Any]) -> None:
    page = open_page(path, at=shelf, **view).page
    expect(page.locator(".cell").first).to_be_visible()
    assert no_sideways_scroll(page)
    if "touch" in str(view) and "/game" in path:
        slider = page.get_by_role("slider", name="Move", exact=True)
        last = int(slider.get_attribute("max") or 0)
        step(page, "One move back").tap()
        at_ply(page, last - 1, last)


def test_names_stand_beside_results_on_a_low_narrow_window(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page(f"/game/{FLAT}", at=shelf, viewport={"width": 568, "height": 320}).page
    expect(page.locator(".cell").first).to_be_visible()
    bars = page.locator(".bar").all()
    assert len(bars) == 2
    for bar in bars:
        name, points = bar.locator(".name").bounding_box(), bar.locator(".points").bounding_box()
        assert name is not None
        assert points is not None
        assert name["x"] + name["width"] <= points["x"]


# The explorer


def test_moves_are_explored_from_the_first_position(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page("/explorer?game=tictactoe", at=shelf).page
    expect(page.locator(".summary")).to_contain_text("2 games went on from here.")
    expect(page.locator(".summary .legend")).to_contain_text("X won 50 %")
    row = page.locator(".explored tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("and 3 alike")
    expect(row.get_by_role("img")).to_have_attribute("aria-label", "X 1 · drawn 1 · O 0")
    expect(row.locator("td").nth(1)).to_have_text("75 %")
    expect(page.locator(".cell.hinted")).to_have_count(4)
    row.hover()
    expect(page.locator(".cell.pointed")).to_have_count(4)
    expect(cell(page, "c3, empty, 2 games")).to_be_visible()
    # A corner that nobody played is one of the four.
    cell(page, "c1").click()
    page.wait_for_url(re.compile(r"moves=c1$"))
    expect(page.locator(".status")).to_have_text("After 1 move, O to move.")
    expect(page.locator(".spoken")).to_contain_text("2 games went on from here.")
    expect(page.locator(".explored tbody tr")).to_have_count(1)
    page.locator(".explored tbody button.move").click()
    expect(page.locator(".trail .move")).to_have_count(2)
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".trail .move")).to_have_count(1)
    page.go_back()
    expect(page.locator(".trail .move")).to_have_count(2)
    page.get_by_role("button", name="Start: to the first position").click()
    page.wait_for_url(re.compile(r"game=tictactoe$"))
    expect(page.get_by_role("button", name="Back")).to_be_disabled()


def test_the_last_game_opens_at_the_position(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page("/explorer?game=qubic&moves=a1.1,b2.2", at=shelf).page
    expect(page.locator(".summary")).to_contain_text("2 games went on from here.")
    page.get_by_role("link", name=re.compile("^Last game with")).click()
    page.wait_for_url(re.compile(f"/game/{SWAPPED}\\?ply=1$"))


def test_openings_are_told_apart_from_moves_that_were_chosen(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page("/explorer?game=qubic", at=shelf).page
    expect(page.locator(".played")).to_contain_text("Set up beforehand")
    expect(page.locator(".played")).not_to_contain_text("Moves played")
    expect(page.locator(".explored tbody tr")).to_have_count(1)
    expect(page.locator(".cell.hinted")).to_have_count(16)


def test_the_explorer_with_the_keyboard(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page("/explorer?game=tictactoe&moves=a1", at=shelf).page
    page.locator(".explored tbody button.move").focus()
    expect(page.locator(".cell.pointed")).to_have_count(2)
    page.keyboard.press("Enter")
    expect(page.locator(".trail .move")).to_have_count(2)
    # The list is another one; whoever chose from it stands at its first move.
    expect(page.locator(".explored tbody button.move").first).to_be_focused()
    page.get_by_role("button", name="Start: to the first position").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".trail .move")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.go_back()
    expect(page.locator(".trail .move")).to_have_count(2)
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".trail .move")).to_have_count(1)
    page.locator(".explored tbody button.move").focus()
    expect(page.locator(".cell.pointed")).to_have_count(2)
    cell(page, "b2").focus()
    expect(page.locator(".cell.pointed")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".trail .move")).to_have_count(2)
    expect(cell(page, "b2, O")).to_be_focused()


def test_the_explorer_keeps_the_focus_where_it_shows_another_position(
    open_page: OpenPage, shelf: ServerProcess
) -> None:
    page = open_page("/explorer?game=tictactoe&moves=a1", at=shelf).page
    expect(page.locator(".trail .move")).to_have_count(1)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_be_focused()
    page.get_by_role("combobox", name="Game").focus()
    page.get_by_role("combobox", name="Game").select_option("qubic")
    expect(page.locator(".trail .move")).to_have_count(0)
    expect(page.get_by_role("combobox", name="Game")).to_be_focused()
    page.go_back()
    expect(page.locator(".trail .move")).to_have_count(1)
    expect(heading).to_be_focused()


def test_each_press_of_a_key_is_a_step_back(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page("/explorer?game=tictactoe&moves=a1,a2,b1", at=shelf).page
    expect(page.locator(".trail .move")).to_have_count(3)
    # Both before the server has answered the first.
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }))"
    page.evaluate(f"() => {{ {press}; {press}; }}")
    page.wait_for_url(re.compile(r"moves=a1$"))
    expect(page.locator(".trail .move")).to_have_count(1)


def test_an_empty_explorer_says_why(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page("/explorer?game=super", at=shelf).page
    expect(page.locator(".summary")).to_contain_text("No finished game of Super tic-tac-toe is recorded here yet.")
    expect(page.locator(".small.free")).to_have_count(9)
    page.get_by_role("combobox", name="Game").select_option("tictactoe")
    page.wait_for_url(re.compile(r"game=tictactoe$"))
    expect(page.locator(".explored tbody tr")).to_have_count(1)
    for label in ("b2", "a1", "b1"):
        cell(page, label).click()
        expect(page.locator(".trail .current")).to_contain_text(label)
    expect(page.locator(".summary")).to_contain_text("No recorded game went on from this position.")
    page.goto(f"{shelf.url}/explorer?game=tictactoe&moves=a1,a2,b1,b2,c1")
    expect(page.locator(".status")).to_have_text("After 5 moves the game is over: X has won.")
    expect(page.locator(".summary")).to_contain_text("Nothing is played after the end of a game.")
    expect(page.locator(".cell.win")).to_have_count(3)


def test_small_cells_are_touched_twice(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page("/explorer?game=mnk:19,19,5", at=shelf, **PHONE).page
    cell(page, "k10").tap()
    expect(page.locator(".status")).to_have_text("K10 chosen: touch it again to play it.")
    cell(page, "k10").tap()
    expect(page.locator(".status")).to_have_text("After 1 move, O to move.")


def test_what_cannot_be_explored_is_told(open_page: OpenPage, shelf: ServerProcess) -> None:
    page = open_page("/explorer?game=tictactoe&moves=a1,a1", at=shelf).page
    expect(page.locator(".lost")).to_contain_text("This cannot be explored.")


def test_games_that_are_not_counted_yet_are_told_and_come(open_page: OpenPage, shelf: ServerProcess) -> None:
    watched = open_page("/healthz", at=shelf)
    watched.line_may_break = True
    page = watched.page
    counted = False

    def pending_at_first(route: Any) -> None:
        told = route.fetch().json()
        route.fulfill(json=told | ({"pending": 0} if counted else {"pending": 1234, "games": 0, "next": []}))

    page.route("**/api/explorer?*", pending_at_first)
    page.clock.install()
    page.goto(f"{shelf.url}/explorer?game=tictactoe")
    expect(page.locator(".counting")).to_have_text("1,234 finished games are being counted …")
    expect(page.locator(".summary")).to_contain_text("finished games are being counted just now")
    # A step that fails stays here, where they are still being counted.
    page.route("**/api/explorer?*moves=a1", lambda route: route.abort("connectionfailed"))
    page.locator('[data-cell="a1"]').click()
    expect(page.locator(".notice")).not_to_be_empty()
    counted = True
    page.clock.fast_forward(20_100)
    expect(page.locator(".counting")).to_be_hidden()
    expect(page.locator(".explored tbody tr")).to_have_count(1)
