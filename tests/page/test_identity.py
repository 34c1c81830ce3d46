"""Who one is, in the browser: a name that moves to another device, QR codes, one's games as a file, deletion."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Route, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.page.conftest import OpenPage, ServerProcess
from tests.support.engine.record_reader import from_json_line, from_text
from tests.support.page.identity import open_identity, own_name, secret_link, take_name, token
from tests.support.page.play import cell, room, start_on_one_screen
from tests.support.page.qr_reader import read_qr

pytestmark = pytest.mark.browser

PATIENT_S = 30
NOBODYS = "#become=" + "A" * 43


def modules(picture: Locator) -> list[list[bool]]:
    """A code as it is on the screen: drawn on a canvas and looked at in the middle of each module."""
    found: list[list[bool]] = picture.evaluate(
        """async (svg) => {
          const side = svg.viewBox.baseVal.width, scale = 5;
          const copy = svg.cloneNode(true);
          copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
          copy.setAttribute('width', side * scale);
          copy.setAttribute('height', side * scale);
          const image = new Image();
          image.src = 'data:image/svg+xml,' + encodeURIComponent(new XMLSerializer().serializeToString(copy));
          await image.decode();
          const canvas = document.createElement('canvas');
          canvas.width = canvas.height = side * scale;
          const context = canvas.getContext('2d', {willReadFrequently: true});
          context.drawImage(image, 0, 0);
          const dark = (x, y) => context.getImageData(x * scale + 2, y * scale + 2, 1, 1).data[0] < 128;
          return Array.from({length: side}, (_, y) => Array.from({length: side}, (_, x) => dark(x, y)));
        }"""
    )
    return found


def test_a_name_moves_to_another_device(open_page: OpenPage) -> None:
    at_home, away = open_page(), open_page()
    take_name(at_home.page, "Ann\u00e9 \u05d0")
    link = secret_link(at_home.page)
    assert link == f"{at_home.origin}/#become={token(at_home.page)}"
    old, page = own_name(away.page), away.page
    page.goto(link)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(re.compile("Use the name .Ann\u00e9 \u05d0. on this device"))
    expect(dialog).to_contain_text(old)
    assert page.url == f"{away.origin}/", "the secret leaves the address bar at once"
    dialog.get_by_role("button", name=re.compile("keep")).click()
    expect(page.locator(".you .name")).to_have_text("Ann\u00e9 \u05d0")
    assert token(page) == token(at_home.page)
    # The secret was sent to nobody but as a header, or in the greeting.
    secret = token(page) or ""
    assert not [request.url for request in away.requests if secret in request.url]
    # And back to the name that was kept.
    page.locator(".you").click()
    page.get_by_role("dialog").get_by_role("button", name=f"Use {old}").click()
    page.get_by_role("button", name=re.compile("discard")).click()
    expect(page.locator(".you .name")).to_have_text(old)
    page.locator(".you").click()
    expect(page.get_by_role("button", name="Delete my data")).to_be_visible()
    expect(page.get_by_text("Other names kept")).to_be_hidden()


def test_both_devices_play_as_one(open_page: OpenPage) -> None:
    at_home, away = open_page("/#create").page, open_page().page
    start_on_one_screen(at_home, "tictactoe")
    cell(at_home, "b2").click()
    expect(room(at_home, plies=1)).to_be_visible()
    away.goto(secret_link(at_home))
    away.get_by_role("button", name=re.compile("discard")).click()
    away.goto(at_home.url)
    cell(away, "a1").click()
    expect(room(at_home, plies=2)).to_be_visible()


def test_a_new_browser_becomes_somebody_without_being_a_guest_first(
    open_page: OpenPage, own_server: ServerProcess
) -> None:
    at_home = open_page(at=own_server).page
    take_name(at_home, "Ann")
    away = open_page(secret_link(at_home).removeprefix(own_server.url), at=own_server).page
    away.get_by_role("button", name="Use Ann").click()
    expect(away.locator(".you .name")).to_have_text("Ann")
    with closing(sqlite3.connect(own_server.folder / "noughts.db")) as records:
        assert records.execute("SELECT name FROM players").fetchall() == [("Ann",)]
    # Who says no is a guest as always.
    third = open_page(secret_link(at_home).removeprefix(own_server.url), at=own_server).page
    third.get_by_role("button", name="No, begin as somebody new").click()
    assert own_name(third).startswith("Guest")


def test_links_that_move_nobody(open_page: OpenPage) -> None:
    watched = open_page()
    page, old = watched.page, own_name(watched.page)
    kept = token(page)
    for fragment, sentence in (
        (NOBODYS, "Nobody has the secret in this link"),
        ("#become=", "That isn’t a valid transfer link"),
        ("#become=%00%ff<b>", "That isn’t a valid transfer link"),
    ):
        page.goto(f"{watched.origin}/{fragment}")
        expect(page.locator(".notice")).to_contain_text(sentence)
        assert page.url == f"{watched.origin}/"
        assert (own_name(page), token(page)) == (old, kept)
    # One's own link, and nonsense where a link is to be pasted.
    page.goto(secret_link(page))
    expect(page.locator(".notice")).to_contain_text("here already")
    dialog = open_identity(page, "Use this name on another device")
    dialog.get_by_role("textbox", name="Or paste such a link here").fill("my mother's maiden name \U0001f600")
    dialog.get_by_role("button", name="Use it").click()
    expect(dialog.get_by_role("alert")).to_contain_text("That isn’t a valid transfer link")


def test_a_link_may_be_pasted_and_refused(open_page: OpenPage) -> None:
    at_home, away = open_page().page, open_page().page
    link, old = secret_link(at_home), own_name(away)
    dialog = open_identity(away, "Use this name on another device")
    dialog.get_by_role("textbox", name="Or paste such a link here").fill(f"  {link}\n")
    dialog.get_by_role("button", name="Use it").click()
    away.get_by_role("button", name=f"Stay {old}").click()
    expect(away.get_by_role("dialog")).to_have_count(0)
    assert own_name(away) == old


def test_the_code_says_what_the_link_says(open_page: OpenPage) -> None:
    page = open_page(color_scheme="dark").page
    dialog = open_identity(page, "Use this name on another device")
    picture = dialog.get_by_role("img", name="QR code of your secret link")
    expect(picture).to_be_visible()
    assert read_qr(modules(picture)) == dialog.get_by_role("textbox", name="Your secret link").input_value()
    expect(dialog).to_contain_text("Whoever has this link or sees this code plays as you")
    box = picture.bounding_box()
    assert box is not None
    assert box["width"] >= 200


def test_rooms_have_a_code_to_join_them(open_page: OpenPage) -> None:
    host = open_page().page
    host.get_by_role("button", name="Play a person").click()
    host.get_by_text("QR code", exact=True).click()
    picture = host.get_by_role("img", name="QR code of the link to join this game")
    expect(picture).to_be_visible()
    link = host.get_by_role("textbox", name="Link to this game").input_value()
    assert link == host.url
    assert read_qr(modules(picture)) == link
    guest = open_page().page
    guest.goto(link)
    guest.get_by_role("button", name="Sit down and play").click()
    expect(room(host, plies=0)).to_be_visible()


def test_games_are_exported(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page().page
    dialog = open_identity(page, "Export my games")
    dialog.get_by_role("button", name="As JSON lines").click()
    expect(dialog.get_by_role("status")).to_have_text("You have no games yet.")
    dialog.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Play a bot now").click()
    expect(room(page)).to_be_visible()
    dialog = open_identity(page, "Export my games")
    with page.expect_download() as told:
        dialog.get_by_role("button", name="As JSON lines").click()
    told.value.save_as(tmp_path / "games.jsonl")
    [line] = (tmp_path / "games.jsonl").read_text().splitlines()
    record = from_json_line(line)
    assert own_name(page) in (record.x.name, record.o.name)
    expect(dialog.get_by_role("status")).to_contain_text("One game")
    with page.expect_download() as told:
        dialog.get_by_role("button", name="As text").click()
    told.value.save_as(tmp_path / "games.txt")
    assert from_text((tmp_path / "games.txt").read_text()).id == record.id


def test_a_bot_is_made_while_the_list_of_bots_is_still_coming(open_page: OpenPage) -> None:
    page = open_page().page
    held: list[Route] = []
    page.route("**/api/players/me/bots", lambda route: route.continue_() if held else held.append(route))
    dialog = open_identity(page, "Your bots")
    dialog.get_by_role("textbox", name="Name of the new bot").fill("coin")
    dialog.get_by_role("button", name="Make a bot").click()
    [first] = held
    first.continue_()
    expect(dialog.get_by_role("textbox", name="Token of")).to_be_visible()
    expect(dialog.get_by_role("listitem")).to_contain_text("has not played yet")


def test_the_token_of_a_bot_is_in_sight_on_a_low_screen(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 320, "height": 300}).page
    dialog = open_identity(page, "Your bots")
    dialog.get_by_role("textbox", name="Name of the new bot").fill("coin")
    dialog.get_by_role("button", name="Make a bot").click()
    secret = dialog.get_by_role("textbox", name="Token of")
    expect(secret).to_be_in_viewport()
    former = secret.input_value()
    dialog.get_by_role("button", name="New token for").click()
    dialog.get_by_role("button", name="New token for").click()
    expect(secret).not_to_have_value(former)
    expect(secret).to_be_in_viewport()


def test_a_program_plays_as_a_bot_made_on_the_page_until_it_is_withdrawn(open_page: OpenPage, tmp_path: Path) -> None:
    watched = open_page()
    page = watched.page
    dialog = open_identity(page, "Your bots")
    expect(dialog).to_contain_text("You have no bots yet.")
    name = dialog.get_by_role("textbox", name="Name of the new bot")
    name.fill("Level 3")
    dialog.get_by_role("button", name="Make a bot").click()
    expect(dialog.get_by_role("alert")).to_contain_text("looks like a bot's")
    name.fill("coin")
    dialog.get_by_role("button", name="Make a bot").click()
    secret = dialog.get_by_role("textbox", name="Token of").input_value()
    expect(name).to_have_value("")
    expect(dialog.get_by_role("listitem")).to_contain_text("has not played yet")
    with connect(f"{watched.origin.replace('http', 'ws')}/ws", proxy=None) as program:
        program.send(json.dumps({"t": "hello", "v": 1, "token": secret, "kind": "bot"}))
        welcome = json.loads(program.recv(PATIENT_S))
        assert (welcome["player"]["name"], welcome["player"]["kind"]) == ("coin", "bot")
        dialog.get_by_role("button", name="Close").click()
        dialog = open_identity(page, "Your bots")
        expect(dialog.get_by_role("listitem")).to_contain_text("connected now")
        expect(dialog.get_by_role("textbox", name="Token of")).to_have_count(0)
        withdraw = dialog.get_by_role("button", name="Withdraw the token of")
        withdraw.press("Enter")
        expect(dialog.get_by_role("status")).to_contain_text("The program that plays as coin now will be cut off.")
        page.keyboard.press("Enter")  # as somebody who presses twice, which ends nothing
        expect(dialog.get_by_role("listitem")).not_to_contain_text("cut off")
        withdraw.click()
        withdraw.click()
        with pytest.raises(ConnectionClosed):
            program.recv(PATIENT_S)
    expect(dialog.get_by_role("listitem")).to_contain_text("token withdrawn")
    dialog.get_by_role("button", name="New token for").click()
    expect(dialog.get_by_role("textbox", name="Token of")).not_to_have_value(secret)
    dialog.get_by_role("button", name="Close").click()
    dialog = open_identity(page, "Export my games")
    with page.expect_download() as told:
        dialog.get_by_role("button", name="Your bots, as JSON").click()
    told.value.save_as(tmp_path / "bots.json")
    assert [bot["name"] for bot in json.loads((tmp_path / "bots.json").read_text())["bots"]] == ["coin"]


def test_data_is_deleted_after_a_second_question(open_page: OpenPage) -> None:
    zoe, otto = open_page().page, open_page().page
    take_name(zoe, "Zo\u00eb")
    zoe.get_by_role("button", name="Play a friend").click()
    otto.goto(zoe.get_by_role("textbox", name="Link to join").input_value())
    expect(room(otto, plies=0)).to_be_visible()
    zoe.get_by_role("textbox", name="Say something").fill("my secret")
    zoe.get_by_role("button", name="Send").click()
    expect(otto.get_by_role("log")).to_contain_text("my secret")
    old = token(zoe)
    dialog = open_identity(zoe, "Delete my data")
    expect(dialog).to_contain_text("Your games stay")
    dialog.get_by_role("button", name="Delete my data").click()
    dialog.get_by_role("button", name="No, keep it").click()
    expect(zoe.get_by_role("dialog")).to_have_count(0)
    dialog = open_identity(zoe, "Delete my data")
    dialog.get_by_role("button", name="Delete my data").click()
    dialog.get_by_role("button", name="Yes, delete all of it").click()
    expect(dialog.get_by_role("alert")).to_contain_text("You have a running game")
    assert token(zoe) == old
    dialog.get_by_role("button", name="No, keep it").click()
    zoe.get_by_role("button", name="Abort").click()
    dialog = open_identity(zoe, "Delete my data")
    dialog.get_by_role("button", name="Delete my data").click()
    dialog.get_by_role("button", name="Yes, delete all of it").click()
    expect(zoe.locator(".notice")).to_contain_text("Your data is deleted")
    expect(zoe.locator(".you .name")).to_have_text(re.compile("Guest"))
    assert token(zoe) != old
    # Whoever follows the room sees what is left.
    expect(otto.get_by_role("log")).to_contain_text("(deleted)")
    expect(otto.get_by_role("log")).not_to_contain_text("my secret")
    expect(otto.locator(".room")).to_contain_text("deleted player")
    expect(otto.locator("body")).not_to_contain_text("Zo\u00eb")
