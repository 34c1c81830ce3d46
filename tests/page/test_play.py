"""The page in a browser over the real server: games by mouse, by keyboard and by touch, and what disturbs them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from engine.rules.registry import games
from tests.page.conftest import OpenPage, ServerProcess
from tests.support.page.play import PHONE, cell, no_sideways_scroll, room, start_on_one_screen, tab_to

pytestmark = pytest.mark.browser

FILES = "abcdefghijklmnopqrs"


def await_my_turn_or_end(page: Page, plies: int) -> bool:
    """Whether the game goes on, `plies` having been played."""
    expect(page.locator(f'.room.over, .room.my-turn[data-plies="{plies}"]')).to_be_visible()
    return room(page, ".over").count() == 0


def walk(page: Page, target: str) -> None:
    """From the focused cell of a flat board to another, by arrow keys."""
    at = page.evaluate("document.activeElement.dataset.cell")
    right = FILES.index(target[0]) - FILES.index(at[0])
    up = int(target[1:]) - int(at[1:])
    for _ in range(abs(right)):
        page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
    for _ in range(abs(up)):
        page.keyboard.press("ArrowUp" if up > 0 else "ArrowDown")
    expect(page.locator(f'[data-cell="{target}"]')).to_be_focused()


def test_a_game_against_a_bot_by_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page().page
    play = page.get_by_role("button", name="Play a bot now")
    expect(play).to_be_visible()
    tab_to(page, play)
    page.keyboard.press("Enter")
    expect(room(page, ".my-turn", plies=0)).to_be_visible()
    tab_to(page, cell(page, "b2"))
    plies = 0
    while await_my_turn_or_end(page, plies):
        target = page.locator(".cell.playable").first.get_attribute("data-cell")
        assert target is not None
        walk(page, target)
        page.keyboard.press("Enter" if plies else "Space")
        expect(cell(page, f"{target}, X")).to_be_visible()
        plies += 2
        assert plies < 12
    expect(page.locator(".status")).to_have_text(re.compile(r"^(You win|Level \d wins|Draw).*\.$"))
    tab_to(page, page.get_by_role("button", name="Rematch"))
    page.keyboard.press("Enter")
    expect(page.locator('.room[data-game="2"]')).to_be_visible()
    expect(page.locator(".bar").last).to_contain_text("you")


@pytest.mark.smoke
def test_two_people_play_through_an_invite_link_and_again(open_page: OpenPage) -> None:
    host = open_page().page
    host.get_by_role("button", name="Play a friend").click()
    link = host.get_by_label("Link to join").input_value()
    guest = open_page(link[link.index("/room/") :]).page
    expect(room(guest, plies=0)).to_be_visible()
    expect(room(host, plies=0)).to_be_visible()
    expect(guest).to_have_url(re.compile("/room/"))

    host_is_x = host.locator(".bar").last.locator(".mark-x").count() == 1
    x, o = (host, guest) if host_is_x else (guest, host)
    for ply, move in enumerate(["b2", "a1", "a3", "c1", "b1", "b3", "c2", "a2"]):
        mover = x if ply % 2 == 0 else o
        expect(room(mover, ".my-turn", plies=ply)).to_be_visible()
        if mover is host:
            cell(mover, f"{move}, empty").click()
        else:
            tab_to(mover, mover.locator('.cell[tabindex="0"]'))
            walk(mover, move)
            mover.keyboard.press("Enter")
    expect(room(x, ".my-turn", plies=8)).to_be_visible()
    cell(x, "c3, empty").click()
    for page in (x, o):
        expect(page.locator(".status")).to_have_text("Draw: no move is left.")

    host.get_by_role("button", name="Rematch").click()
    guest.get_by_role("button", name="Play again").click()
    for page in (host, guest):
        expect(page.locator('.room[data-game="2"][data-plies="0"]')).to_be_visible()
    expect(host.locator(".bar").last.locator(".mark-o" if host_is_x else ".mark-x")).to_be_visible()
    new_x = guest if host_is_x else host
    other = host if host_is_x else guest
    for ply, move in enumerate(["a1", "a2", "b1", "b2", "c1"]):
        mover = new_x if ply % 2 == 0 else other
        expect(room(mover, ".my-turn", plies=ply)).to_be_visible()
        cell(mover, f"{move}, empty").click()
    expect(new_x.locator(".status")).to_have_text("You win with three in a row.")
    expect(other.locator(".status")).to_have_text(re.compile(r"^Guest \d+ wins with three in a row\.$"))
    expect(other.locator(".cell.win")).to_have_count(3)
    expect(cell(other, "c1, X, last move, in the winning line")).to_be_visible()


ALIKE = {"mnk:4,4,4", "mnk:5,5,4", "gomoku", "ultimate:count"}
"""As tictactoe, mnk:19,19,6 and ultimate to the page, but for their texts."""
EVERY_GAME = [*(rules.id for rules in games() if rules.id not in ALIKE), "mnk:19,19,6", "mnk:7,3,3"]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_game_opens_and_takes_a_move_by_touch_on_a_phone(game: str, open_page: OpenPage) -> None:
    page = open_page("/#create", **PHONE).page
    start_on_one_screen(page, game)
    assert no_sideways_scroll(page)
    target = page.locator(".cell.playable").nth(4)
    name = target.get_attribute("data-cell")
    target.tap()
    confirm = page.get_by_role("button", name=f"Play {name}")
    if target.bounding_box()["width"] < 30:  # type: ignore[index]
        expect(room(page, plies=0)).to_be_visible()  # too small for one touch to be sure
        confirm.tap()
    expect(room(page, plies=1)).to_be_visible()
    expect(page.locator(f'[data-cell="{name}"]')).to_have_text("X")
    expect(page.locator(".rules p").nth(2)).not_to_be_empty()
    assert no_sideways_scroll(page)
    if page.locator(".board-nested").count():
        expect(page.locator(".status")).to_have_text(re.compile(r"^O to move: play in board \d\.$"))
        expect(page.locator(".small.forced")).to_have_count(1)


def test_keys_walk_levels_and_boards(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    start_on_one_screen(page, "qubic")
    page.locator('[data-cell="b2.1"]').focus()
    page.keyboard.press("PageDown")
    expect(cell(page, "b2 level 2, empty")).to_be_focused()
    page.keyboard.press("Enter")
    expect(cell(page, "b2 level 2, X, last move")).to_be_visible()
    assert page.locator('.cell[tabindex="0"]').count() == 1
    expect(page.get_by_role("grid", name="Level 4")).to_be_visible()

    page.goto(page.url.split("/room")[0] + "/#create")
    page.reload()
    start_on_one_screen(page, "super")
    expect(page.locator(".status")).to_have_text("X to move: play in any open board.")
    page.locator('[data-cell="5/6"]').focus()
    page.keyboard.press("ArrowRight")
    expect(cell(page, "board 6 square 4, empty")).to_be_focused()
    page.keyboard.press("PageUp")
    expect(cell(page, "board 5 square 4, empty")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("grid", name="Board 4, the board to play in")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("play in board 4")
    cell(page, "board 1 square 1, empty").click(force=True)  # it is marked as disabled, and says why when clicked
    expect(page.get_by_text("Board 1 square 1 is not a legal move: play in board 4.").first).to_be_visible()


def test_a_won_board_is_marked_and_stays_readable_in_super(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    start_on_one_screen(page, "super")
    for ply, move in enumerate(["1/1", "1/2", "2/1", "1/3", "3/1", "1/4", "4/1", "1/5", "5/1", "1/6"]):
        expect(room(page, plies=ply)).to_be_visible()
        page.locator(f'[data-cell="{move}"]').click()
    expect(room(page, plies=10)).to_be_visible()
    expect(page.get_by_role("grid", name="Board 1, won by O")).to_be_visible()
    expect(page.locator(".small.owned-o .owner")).to_have_text("O")
    expect(page.locator(".small.closed")).to_have_count(0)  # it stays in play


def test_each_move_and_the_result_are_announced_once(open_page: OpenPage) -> None:
    page = open_page("/#create").page
    start_on_one_screen(page, "tictactoe")
    page.evaluate(
        """() => {
            window.heard = [];
            new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach(
                (node) => window.heard.push(node.textContent)))).observe(document.querySelector('[role=status]'),
                { childList: true });
        }"""
    )
    for ply, move in enumerate(["a1", "a2", "b1", "b2", "c1"]):
        expect(room(page, plies=ply)).to_be_visible()
        cell(page, f"{move}, empty").click()
    expect(room(page, ".over")).to_be_visible()
    heard = page.evaluate("window.heard")
    assert [sentence for sentence in heard if "plays" in sentence] == [
        "X plays a1. O to move.",
        "O plays a2. X to move.",
        "X plays b1. O to move.",
        "O plays b2. X to move.",
        "X plays c1.",
    ]
    assert heard[-1] == "X wins with three in a row."
    assert heard.count(heard[-1]) == 1, heard


def test_the_server_is_killed_and_the_game_goes_on(open_page: OpenPage, own_server: ServerProcess) -> None:
    watched = open_page("/#create", at=own_server)
    watched.line_may_break = True
    page = watched.page
    start_on_one_screen(page, "qubic")
    page.locator('[data-cell="a1.1"]').click()
    expect(room(page, plies=1)).to_be_visible()
    url = page.url
    own_server.kill()
    expect(page.get_by_text("Connection lost. Reconnecting")).to_be_visible()
    page.locator('[data-cell="b2.2"]').click()  # kept, and sent when the line is back
    expect(cell(page, "b2 level 2, O, being sent")).to_be_visible()
    own_server.start()
    expect(room(page, plies=2)).to_be_visible()
    expect(page.get_by_text("Connection lost. Reconnecting")).to_be_hidden()
    expect(page.get_by_role("status")).to_contain_text("Connected again.")
    page.locator('[data-cell="c3.3"]').click()
    expect(room(page, plies=3)).to_be_visible()
    page.reload()
    expect(page).to_have_url(url)
    expect(room(page, plies=3)).to_be_visible()
    expect(cell(page, "b2 level 2, O")).to_be_visible()


def test_chat_is_text_and_nothing_else(open_page: OpenPage) -> None:
    host = open_page().page
    host.get_by_role("button", name="Play a friend").click()
    link = host.get_by_label("Link to join").input_value()
    guest = open_page(link[link.index("/room/") :]).page
    nasty = '<img src=x onerror="document.title=1"><script>document.title=1</script> \u202eこんにちは 😀'
    field = guest.get_by_label("Say something")
    field.fill(nasty)
    field.press("Enter")
    for page in (host, guest):
        expect(page.get_by_role("log").get_by_text(nasty)).to_be_visible()
        assert page.locator(".chat img, .chat script").count() == 0
        assert page.title() != "1"
    expect(field).to_have_value("")


def test_who_asks_for_a_rematch_and_looks_elsewhere_is_taken_to_it(open_page: OpenPage) -> None:
    host = open_page().page
    host.get_by_role("button", name="Play a friend").click()
    link = host.get_by_label("Link to join").input_value()
    guest = open_page(link[link.index("/room/") :]).page
    for page in (host, guest):
        expect(room(page, plies=0)).to_be_visible()
    x, o = (host, guest) if host.locator(".bar").last.locator(".mark-x").count() else (guest, host)
    for ply, (mover, move) in enumerate([(x, "a1"), (o, "b2")]):
        expect(room(mover, ".my-turn", plies=ply)).to_be_visible()
        cell(mover, f"{move}, empty").click()
    expect(room(x, ".my-turn", plies=2)).to_be_visible()
    x.get_by_role("button", name="Resign").click()
    x.get_by_role("button", name="Yes, resign").click()
    host.get_by_role("button", name="Rematch").click()
    host.get_by_role("link", name="Back to the lobby").click()
    expect(host.get_by_role("button", name="Play a bot now")).to_be_visible()
    guest.get_by_role("button", name="Play again").click()
    for page in (host, guest):
        expect(page.locator('.room[data-game="2"][data-plies="0"]')).to_be_visible()


def test_takeback_draw_and_resignation(open_page: OpenPage) -> None:
    host = open_page().page
    host.get_by_role("button", name="Play a friend").click()
    link = host.get_by_label("Link to join").input_value()
    guest = open_page(link[link.index("/room/") :]).page
    expect(room(guest, plies=0)).to_be_visible()
    expect(room(host, plies=0)).to_be_visible()
    x, o = (host, guest) if host.locator(".bar").last.locator(".mark-x").count() else (guest, host)
    for ply, (mover, move) in enumerate([(x, "a1"), (o, "b2"), (x, "c3")]):
        expect(room(mover, ".my-turn", plies=ply)).to_be_visible()
        cell(mover, f"{move}, empty").click()
    x.get_by_role("button", name="Take back").click()
    expect(o.locator(".ask")).to_contain_text("asks to take a move back.")
    o.get_by_role("button", name="Allow it").click()
    expect(room(x, ".my-turn", plies=2)).to_be_visible()
    expect(cell(x, "c3, empty")).to_be_visible()
    x.get_by_role("button", name="Offer draw").click()
    o.get_by_role("button", name="No", exact=True).click()
    expect(x.locator(".ask")).to_contain_text("declined")
    x.get_by_role("button", name="Resign").click()
    x.get_by_role("button", name="No, play on").click()
    x.get_by_role("button", name="Resign").click()
    x.get_by_role("button", name="Yes, resign").click()
    expect(o.locator(".status")).to_have_text(re.compile(r"^You win: Guest \d+ resigned\.$"))
    expect(x.locator(".status")).to_have_text(re.compile(r"^Guest \d+ wins: you resigned\.$"))
    x.get_by_role("link", name="Replay").click()
    expect(x.get_by_text("After 2 of 2 moves")).to_be_visible()
    x.get_by_role("button", name="One move back").click()
    expect(cell(x, "b2, empty")).to_be_visible()
    expect(x).to_have_url(re.compile(r"\?ply=1$"))
