"""The language of the page: the browser's, or the one chosen in the settings; and a walk through the page in German."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import OpenPage
from tests.support.page.german import all_german
from tests.support.page.modules import with_modules
from tests.support.page.texts import page_texts

pytestmark = pytest.mark.browser

STORAGE_DENIED = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } });"
NAMED = """
    const name = () => {
        const languages = document.querySelector('meta[name="languages"]');
        if (languages && !languages.content.includes('fr=')) languages.content += ' fr=/static/texts-fr.json';
    };
    new MutationObserver(name).observe(document, { childList: true, subtree: true });"""
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
ENDS = "(all) => all.map((each) => each.getBoundingClientRect()).map(({ left, right }) => [left, right])"


def open_settings(page: Page, name: str) -> None:
    page.locator("header").get_by_role("button", name=name).click()


def close_dialog(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def nothing_sticks_out(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_browsers_language_where_there_is_one(open_page: OpenPage) -> None:
    page = open_page(locale="de-AT").page
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("header .gear")).to_have_attribute("title", "Einstellungen")


def test_the_chosen_language_holds_before_the_browsers(open_page: OpenPage) -> None:
    page = open_page().page
    open_settings(page, "Settings")
    page.get_by_label("Language").select_option(label="Deutsch")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.reload()
    open_settings(page, "Einstellungen")
    page.get_by_label("Sprache").select_option("")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_where_nothing_is_kept_the_browsers_language_holds(open_page: OpenPage) -> None:
    opened = open_page("/healthz", locale="de-DE")
    page = opened.page
    opened.context.add_init_script(STORAGE_DENIED)
    page.goto(opened.origin)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    open_settings(page, "Einstellungen")
    page.get_by_label("Sprache").select_option("en")
    expect(page.get_by_role("alert").filter(has_text="konnte die Wahl nicht speichern")).to_have_count(1)
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_without_texts_the_page_says_so_and_tries_again(open_page: OpenPage) -> None:
    watched = open_page("/healthz")
    page = watched.page
    page.route("**/static/texts-*", lambda route: route.abort())
    page.goto(watched.origin)
    for words in ("could not be loaded", "konnten nicht geladen werden"):
        expect(page.get_by_role("alert").get_by_text(words)).to_be_visible()
    page.unroute("**/static/texts-*")
    page.route("**/static/texts-*", lambda route: route.abort(), times=1)
    page.get_by_role("button", name="Load again").click()
    expect(page.get_by_role("button", name="Play a bot now")).to_be_visible()
    assert not page.get_by_role("button", name="Load again").is_visible()
    watched.complaints.clear()


def test_one_more_file_is_one_more_language(open_page: OpenPage) -> None:
    """As if texts/fr.json lay beside the others: `make bundle` then names it in index.html (see bundle.test.js)."""
    opened = open_page("/healthz", locale="fr-FR")
    page = opened.page
    texts: dict[str, Any] = page_texts("en")
    texts |= {"settings.title": "Réglages", "page.games": {"one": "{count} partie", "other": "{count} parties"}}
    opened.context.add_init_script(NAMED)
    page.route("**/static/texts-fr.json", lambda route: route.fulfill(json=texts))
    page.goto(opened.origin + "/")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    open_settings(page, "Réglages")
    expect(page.get_by_label("Language").get_by_role("option")).to_have_text(
        [re.compile(r"\(français\)$"), "Deutsch", "English", "français"]
    )
    shown = (
        "import('/modules/i18n/language.ts').then(({ number, t }) => [number(1234.5), t('page.games', { count: 0 })])"
    )
    with_modules(page)
    assert page.evaluate(shown) == ["1\N{NARROW NO-BREAK SPACE}234,5", "0 partie"]  # French counts none as one


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_game_from_the_lobby_to_its_end_in_german(open_page: OpenPage, screen: dict[str, Any]) -> None:
    opened = open_page(locale="de-DE", **screen)
    page = opened.page
    expect(page.locator(".you .name")).to_contain_text("Gast")
    expect(page.get_by_role("heading", name="Offene Spiele")).to_be_visible()
    all_german(page)
    nothing_sticks_out(page)
    if screen is PHONE:
        page.set_viewport_size({"width": 320, "height": 568})
        ends = page.locator(".places span").evaluate_all(ENDS)
        assert all(right + 4 <= left for (_, right), (left, _) in pairwise([(0, -4), *ends, (324, 0)]))
        page.set_viewport_size(PHONE["viewport"])
    page.goto(opened.origin + "/#create")
    page.get_by_label("Variante").select_option("mnk")
    page.get_by_label("Spalten").fill("99")
    expect(page.locator(".rules-box.bad")).to_have_text(re.compile("^So ein Spiel gibt es nicht"))
    page.get_by_label("Variante").select_option("ultimate")
    expect(page.locator(".rules-box h2")).to_have_text("Ultimate Tic-Tac-Toe")
    page.get_by_text("5+3").click()
    all_german(page)
    nothing_sticks_out(page)
    page.get_by_label("Der Bot").select_option("random")
    page.get_by_role("button", name="Spielen", exact=True).click()
    expect(page.locator(".status")).to_have_text("Du bist am Zug: Brett nach Wahl.")
    page.get_by_role("button", name="Brett 5 Feld 5, leer").click()
    expect(page.locator('.room.my-turn[data-plies="2"]')).to_be_visible()
    expect(page.locator(".status")).to_have_text(re.compile(r"^Du bist am Zug: auf Brett \d\.$"))
    expect(page.locator(".spoken")).to_contain_text("Du spielst Brett 5 Feld 5.")
    expect(page.locator(".spoken")).to_contain_text(re.compile(r"spielt Brett 5 Feld \d\. Du bist am Zug"))
    expect(page).to_have_title("Du bist am Zug · Ultimate Tic-Tac-Toe · noughts")
    all_german(page)
    nothing_sticks_out(page)
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Auf verschachtelten Brettern")).to_be_visible()
    all_german(page)
    close_dialog(page)
    page.get_by_role("button", name="Aufgeben").click()
    page.get_by_role("button", name="Ja, aufgeben").click()
    expect(page.locator(".status")).to_have_text(re.compile("gewinnt: du hast aufgegeben\\.$"))
    expect(page.get_by_role("button", name="Revanche")).to_be_visible()
    all_german(page)
    nothing_sticks_out(page)


def test_offers_and_dialogs_in_german(open_page: OpenPage) -> None:
    ann = open_page("/#create=invite", locale="de-DE")
    ann.page.get_by_role("button", name="Link erstellen").click()
    link = ann.page.get_by_role("textbox", name="Link zum Mitspielen").input_value()
    all_german(ann.page)
    bob = open_page(link.removeprefix(ann.origin), locale="de-DE").page
    for ply, (mover, cell) in enumerate([(ann.page, "a1"), (bob, "b1")]):
        expect(mover.locator(f'.room.my-turn[data-plies="{ply}"]')).to_be_visible()
        mover.get_by_role("gridcell").get_by_role("button", name=f"{cell}, leer").click()
    bob.get_by_role("button", name="Remis anbieten").click()
    expect(bob.locator(".ask")).to_have_text("Du bietest Remis an. Die Antwort steht noch aus.")
    expect(ann.page.locator(".ask")).to_have_text(re.compile(r"^Gast \d+ bietet Remis an\. Remis annehmenNein$"))
    all_german(ann.page)
    ann.page.get_by_role("button", name="Nein").click()
    expect(bob.locator(".ask")).to_have_text("Das Remis wurde abgelehnt.")
    bob.get_by_role("button", name="Remis anbieten").click()  # twice at one move: the server refuses
    expect(bob.get_by_role("alert")).to_have_text(re.compile("^Das geht gerade nicht"))
    ann.page.get_by_role("button", name="Zug zurück").click()
    expect(bob.locator(".ask")).to_contain_text("möchte einen Zug zurücknehmen.")
    bob.get_by_role("button", name="Erlauben").click()
    expect(bob.locator('.room[data-plies="0"]')).to_be_visible()
    page = ann.page
    page.locator("header .you").click()
    page.get_by_role("button", name="Diesen Namen auf einem anderen Gerät benutzen").click()
    expect(page.get_by_role("heading", name="Diesen Namen")).to_be_visible()
    all_german(page)
    close_dialog(page)
    open_settings(page, "Einstellungen")
    page.get_by_role("button", name="Name und Zeichen").click()
    page.get_by_role("button", name="Meine Daten löschen").click()
    expect(page.get_by_role("heading", name=re.compile("Gast \\d+.* löschen\\?"))).to_be_visible()
    all_german(page)
