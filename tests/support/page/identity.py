"""A player's name, secret link and token in the page."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def own_name(page: Page) -> str:
    """Once the server has greeted; before that the page says "You"."""
    expect(page.locator(".you .name")).not_to_have_text("You")
    return page.locator(".you .name").inner_text()


def take_name(page: Page, name: str) -> None:
    own_name(page)
    page.locator(".you").click()
    page.get_by_role("textbox", name="Your name").fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".you .name")).to_have_text(name)


def open_identity(page: Page, button: str) -> Locator:
    own_name(page)
    page.locator(".you").click()
    page.get_by_role("button", name=button).click()
    return page.get_by_role("dialog")


def secret_link(page: Page) -> str:
    dialog = open_identity(page, "Use this name on another device")
    link: str = dialog.get_by_role("textbox", name="Your secret link").input_value()
    dialog.get_by_role("button", name="Close").click()
    return link


def token(page: Page) -> str | None:
    """Once the server has greeted: before that a new guest has none."""
    own_name(page)
    kept: str | None = page.evaluate("JSON.parse(localStorage.getItem('noughts.token'))")
    return kept
