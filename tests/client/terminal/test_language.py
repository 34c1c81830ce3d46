"""The terminal's languages: their files say the same, and everything in them is said somewhere."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from pathlib import Path

import click
import pytest
from textual.widgets._footer import FooterKey

from client.sdk import Connection
from client.terminal import command, language, play
from client.terminal.language import ENGLISH, languages, number, read_texts, speak, t, wanted
from client.terminal.play_options import Settings
from client.terminal.typed import commands
from client.terminal.words import room as words
from client.terminal.words.bots import offered_bots
from engine.bots.roster import bots
from engine.rules import registry
from server.wire import Hello
from tests.support.page.texts import page_texts
from tests.support.terminal.fake_server import FakeRoom, fake_server
from tests.support.terminal.german import german
from tests.support.terminal.screen import screen

__all__ = ["german"]

SOURCES = sorted(Path(language.__file__).parent.rglob("*.py"))
BUILT = (
    r"rules\.count\.\d+",
    r"bots\.[a-z0-9-]+\.character",
    r"errors\.\w+",
    r"errors\.field\.\w+\.\w+",
    r"duration\.\w+",
    r"event\.(moved|(offered|declined)\.(draw|takeback|rematch))\.(you|other)",
    r"event\.(started|again)\.[xo]",
    r"explorer\.(after|first)(\.(any|board))?",
    r"footer\.\w+",
    r"rules\.[a-z-]+\.name",
    r"help\.\w+",
    r"keys\.game\.\w+",
    r"learn\.(difficulty\.\d|retry|hint|solution|next|puzzle(\.solved)?|step\.[\w.-]+)",
    r"levels\.\d",
    r"menu\.(again\.(bot|invite|open|self)|help\.\w+|keys\.\w+|seat\.(x|o|random)|typed\.\w+)",
    r"replay\.(help|keys|typed)\.\w+",
    r"result\.(draw|win|loss|other)\.\w+",
    r"review\.(could\.)?(won|drawn|lost|better|even|worse)(\.(once|in|most))?",
    r"rules\.[a-z-]+\.(board|aim|end)",
    r"search\.(wins|loses)(\.exact)?",
    r"settings\.(premove|confirm|thoughts)(\.meaning)?",
    r"bots\.strength\.(about|below)",
    r"study\.\w+(\.meaning)?",
    r"study\.(help|keys)\.\w+",
    r"title\.(game|turn|over)",
    r"turn\.(yours|other)(\.(any|board))?",
)
"""Keys that the code puts together."""


def forms(text: language.Text) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text]


def placeholders(text: language.Text) -> set[str]:
    return {name for form in forms(text) for name in re.findall(r"{(\w*)}", form)}


def test_every_language_says_the_same() -> None:
    english = read_texts(ENGLISH)
    for code in languages():
        texts = read_texts(code)
        assert texts.keys() == english.keys(), code
        for key, text in texts.items():
            assert all(form.strip() == form for form in forms(text)), key
            assert placeholders(text) == placeholders(english[key]), key
            assert isinstance(text, dict) == isinstance(english[key], dict), key


def test_every_plural_has_its_forms() -> None:
    for code in languages():
        texts = read_texts(code)
        named = str(texts["language.plural"]).partition(":")[0].split()
        assert all(list(text) == named for text in texts.values() if isinstance(text, dict)), code


def test_every_text_is_used_and_every_key_has_a_text() -> None:
    code = "\n".join(source.read_text(encoding="utf-8") for source in SOURCES)
    english = read_texts(ENGLISH)
    literal = set(re.findall(r"[\"']([a-z]+(?:[._][\w:-]+)*)[\"']", code))
    built = re.compile("|".join(f"(?:{pattern})" for pattern in BUILT))
    assert [key for key in english if key not in literal and not built.fullmatch(key)] == []
    asked = set(re.findall(r"\bt\(\s*[\"']([^\"'{]+)[\"']", code)) | set(re.findall(r"\"((?:footer|key)\.\w+)\"", code))
    assert sorted(asked - set(english)) == []


def test_english_tells_bots_as_they_tell_themselves() -> None:
    assert {entry.family: t(f"bots.{entry.family}.character") for entry in bots()} == {
        entry.family: entry.character for entry in bots()
    }


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_AT", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US", "LC_ALL": "de@euro"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de"),
        ({"LANG": "tlh_XX"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "../../etc"}, "en"),
    ],
)
def test_the_environment_chooses(environment: dict[str, str], code: str) -> None:
    assert wanted(environment) == code


@pytest.mark.usefixtures("german")
def test_german_numbers_and_plurals() -> None:
    assert number("1,234.5") == "1.234,5"
    assert [t("lobby.moves", count=count) for count in (0, 1, 2)] == ["0 Züge", "1 Zug", "2 Züge"]
    assert words.clock_time(9_870) == "9,8"
    assert next(iter(offered_bots(registry.rules("tictactoe")).values())) == "Stufe 1, für Anfänger"


def test_the_page_quotes_the_server_for_the_same_refusals() -> None:
    page = page_texts("de")
    theirs = {
        key.partition(".")[2] for key in page if key.startswith("errors.") and "sentence" in placeholders(page[key])
    }
    ours = {key.partition(".")[2] for key, text in read_texts("de").items() if "sentence" in placeholders(text)}
    assert ours == theirs


def test_a_language_names_levels_of_cubes_and_new_guests(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[Settings] = []

    async def greet(settings: Settings, connection: Connection) -> int:
        seen.append(settings)
        return 0

    async def names(*options: str) -> list[str | None]:
        """Those that are given to the server, by players who come twice."""
        async with fake_server() as server:
            line = ["--server", server.url, "--language", "de", *options, "self"]
            for _ in range(2):
                with suppress(click.exceptions.Exit):
                    await asyncio.to_thread(command.play.main, line, standalone_mode=False)
            return [hello.name for hello in server.requests(Hello)]

    monkeypatch.setattr(play, "_play_plain", greet)
    try:
        kept = str(tmp_path / "tokens.json")
        first, second = asyncio.run(names("--token-file", kept))
        assert re.fullmatch(r"Gast \d{4}", first or "")
        assert second is None, "who is known keeps the name"
        assert asyncio.run(names("--guest", "--name", "Ada")) == ["Ada", "Ada"]
        assert seen[0].look.level.format(level=2) == "Ebene 2"
    finally:
        speak(ENGLISH)


def test_what_a_language_lacks_is_said_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "en.json").write_text((language.FOLDER / "en.json").read_text(encoding="utf-8"), encoding="utf-8")
    polish = "one few many: n == 1 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 10 || n % 100 >= 20) ? 1 : 2"
    moves = '{"one": "{count} ruch", "few": "{count} ruchy", "many": "{count} ruchów"}'
    (tmp_path / "pl.json").write_text(f'{{"language.plural": "{polish}", "lobby.moves": {moves}}}', encoding="utf-8")
    monkeypatch.setattr(language, "FOLDER", tmp_path)
    read_texts.cache_clear()
    try:
        assert languages() == ["en", "pl"]
        speak("pl")
        assert [t("lobby.moves", count=count) for count in (1, 3, 5, 22)] == [
            "1 ruch",
            "3 ruchy",
            "5 ruchów",
            "22 ruchy",
        ]
        assert t("lobby.alone") == "you are alone here"
    finally:
        monkeypatch.undo()
        read_texts.cache_clear()
        speak(ENGLISH)


@pytest.mark.usefixtures("german")
async def test_a_game_in_german() -> None:
    async with screen() as seen:
        seen.server.replies = ["a2", "b2"]
        assert "Du bist am Zug (X)." in seen.shown("#turn")
        labels = {str(key.description) for key in seen.app.screen.query(FooterKey)}
        assert {"Tasten", "Remis", "Aufgeben"} <= labels
        await seen.type("z9")
        await seen.until("'z9' ist kein Feld dieses Bretts")
        for move, answer in (("a1", "a2"), ("b1", "b2")):
            await seen.type(move)
            await seen.until(answer, "#moves")
        await seen.type("c1")
        await seen.until("Du gewinnst mit drei in einer Reihe.")


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("aufgeben", "Befehle beginnen mit einem Schrägstrich: Schreib /resign."),
        ("/Aufgeben", "Es gibt keinen Befehl /Aufgeben; meinst du /resign?"),
        ("help", "Befehle beginnen mit einem Schrägstrich: Schreib /help."),
    ],
)
def test_german_words_for_commands(line: str, sentence: str) -> None:
    with pytest.raises(commands.NotNow, match=re.escape(sentence)):
        commands.parse(line, FakeRoom().view)


@pytest.mark.parametrize("code", languages())
def test_every_word_for_a_command_means_one(code: str) -> None:
    speak(code)
    try:
        meant = set(commands._words().values())
    finally:
        speak(ENGLISH)
    assert meant <= commands._SIMPLE | set(commands._ACTIONS) | {"say"}
    assert len(meant) > 5
