"""Choosing one of a few lines, and the settings, over the screen that asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App
from textual.widgets import OptionList, Static

from client.terminal.full_screen.choice_screen import ChoiceScreen, SettingsScreen
from client.terminal.preferences import SETTINGS, Preferences


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [(["down", "enter"], "b 2"), (["down", "q"], None)],
)
async def test_a_choice_ends_with_its_line_or_with_none(keys: list[str], chosen: str | None) -> None:
    ended: list[str | None] = []
    app = App[None]()
    async with app.run_test() as pilot:
        app.push_screen(ChoiceScreen("Which [bot]?", [("b 1", "One [red]"), ("b 2", "Two")]), ended.append)
        await pilot.pause()
        lines = app.screen.query_one(OptionList)
        assert [str(option.prompt) for option in lines.options] == ["One [red]", "Two"]
        assert str(app.screen.query(Static).first().render()) == "Which [bot]?"
        await pilot.press(*keys)
        assert ended == [chosen]


async def test_each_setting_is_switched_and_kept_at_once(tmp_path: Path) -> None:
    preferences = Preferences(tmp_path / "terminal.json")

    def switched(kept: Preferences) -> list[bool]:
        return [bool(getattr(kept, setting)) for setting in SETTINGS]

    before = switched(preferences)
    app = App[None]()
    async with app.run_test() as pilot:
        app.push_screen(SettingsScreen(preferences))
        await pilot.pause()
        lines = app.screen.query_one(OptionList)
        for at, setting in enumerate(SETTINGS):
            line = preferences.line(setting)
            await pilot.press("home", *["down"] * at, "enter")
            assert preferences.line(setting) != line
            assert str(lines.get_option_at_index(at).prompt).startswith(preferences.line(setting))
            assert preferences.line(setting) in str(app.screen.query_one("#kept", Static).render())
        await pilot.press("escape")
        assert not isinstance(app.screen, SettingsScreen)
    assert switched(Preferences(tmp_path / "terminal.json")) == [not each for each in before]
