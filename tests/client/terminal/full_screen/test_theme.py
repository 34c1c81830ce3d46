"""Themes and the command palette of the full screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.command import CommandPalette

from client.terminal.full_screen.menu_screen import MenuScreen
from client.terminal.full_screen.theme import shown_theme
from client.terminal.preferences import THEMES, Preferences
from server.wire import Act
from tests.support.terminal.fake_server import FakeRoom
from tests.support.terminal.screen import Screen, screen


def offered(seen: Screen) -> list[str]:
    """What the palette has for the screen below it."""
    return [command.title for command in seen.app.get_system_commands(seen.app.screen)]


async def run(seen: Screen, beginning: str) -> None:
    for command in seen.app.get_system_commands(seen.app.screen):
        if command.title.startswith(beginning):
            result = command.callback()
            if result is not None:
                await result


async def test_the_palette_opens_over_a_game_and_does_what_is_chosen() -> None:
    async with screen() as seen:
        await seen.pilot.press("ctrl+p")
        await seen.settles(lambda: isinstance(seen.app.screen, CommandPalette))
        await seen.pilot.press("ctrl+p", "escape")
        await seen.settles(lambda: not isinstance(seen.app.screen, CommandPalette))
        assert {"/resign: resign; asks first", "/pane rules: fold or unfold Rules", "Theme: nord"} <= set(offered(seen))
        await run(seen, "/resign")
        await seen.until("Resign this game?")
        await run(seen, "/resign")
        await seen.server.hears(Act)


async def test_the_palette_of_the_lobby_has_its_games_and_keys() -> None:
    async with screen(menu=True) as seen:
        await seen.settles(lambda: isinstance(seen.app.screen, MenuScreen))
        assert {"Qubic", "Your recorded games", "Keys", "Settings", "Leave"} <= set(offered(seen))
        await run(seen, "Qubic")
        await seen.until("Qubic: choose an opponent", "#question")


async def test_the_palette_opens_studies_and_offers_their_lines() -> None:
    async with screen(menu=True) as seen:
        await seen.settles(lambda: isinstance(seen.app.screen, MenuScreen))
        await run(seen, "Lessons")
        await seen.until("Step 1 of 4")
        assert {"Learn Qubic", "Keys", "Back"} <= set(offered(seen))
        await run(seen, "Learn Qubic")
        await seen.until("Step 1 of 6")


@pytest.mark.parametrize("menu", [True, False])
async def test_a_theme_is_typed_shown_and_kept(tmp_path: Path, menu: bool) -> None:
    kept = Preferences(tmp_path / "terminal.json")
    async with screen(preferences=kept, menu=menu) as seen:
        await seen.settles(lambda: seen.app.theme == "terminal")
        await seen.type("/theme Nord")
        await seen.settles(lambda: seen.app.theme == "nord")
        await seen.type("/theme sky")
        await seen.until("There is no such theme", "#problem" if menu else "#turn")
    async with screen(preferences=Preferences(tmp_path / "terminal.json")) as seen:
        assert seen.app.theme == "nord"
        await run(seen, "Theme: terminal")
        assert seen.app.theme == "terminal"


@pytest.mark.parametrize("theme", THEMES)
async def test_every_theme_is_there(theme: str) -> None:
    async with screen(FakeRoom("ultimate")) as seen:
        assert theme in seen.app.available_themes


def test_without_colours_themes_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown_theme("nord") == "nord"
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown_theme("nord") == "terminal"
