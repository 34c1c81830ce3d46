"""Where a ladder's configuration and what it names are found."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from server.ladder.config_file import EXAMPLES, found, read
from tests.support.ladder.config import LIST


@pytest.mark.parametrize("name", ["puzzles", "ladders/puzzles.toml"])
def test_an_example_is_found_from_anywhere_where_no_file_is_called_so(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert found(Path(name)) == EXAMPLES / "puzzles.toml"
    assert found(Path("ladders", "puzzles")) == Path("ladders", "puzzles")
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).touch()
    assert found(Path(name)) == Path(name)


@pytest.mark.parametrize("example", sorted(path.stem for path in EXAMPLES.glob("*.toml")))
def test_every_example_can_be_played(example: str) -> None:
    assert read(Path(example)).lists


def misnamed(config: Path) -> str:
    with pytest.raises(click.UsageError) as raised:
        read(config)
    return str(raised.value)


def test_openings_lie_beside_the_configuration(config: Path) -> None:
    config.write_text(f'{LIST}openings = "book.txt"\n')
    book = config.parent / "book.txt"
    assert misnamed(config) == f"{book} cannot be read: No such file or directory."
    book.write_bytes(b"\xff")
    assert misnamed(config) == f"{book} is not text in UTF-8."
    book.write_text("a1\nb2 c3\n")
    assert read(config).lists[0].openings == ((0,), (4, 8))


def test_engines_lie_beside_the_configuration(config: Path) -> None:
    config.write_text('engines = "engines.toml"\n' + LIST.replace("level:1", "mine"))
    engines = config.parent / "engines.toml"
    assert misnamed(config) == f"{engines} cannot be read: No such file or directory."
    engines.write_text('[[engines]]\nname = "mine"\ncommand = "./mine"\n')
    assert misnamed(config).startswith(f"{engines}: Engine mine: there is no program './mine' in {config.parent}")
    engines.write_text('[[engines]]\nname = "mine"\ncommand = "sh"\n')
    assert [bot.name for bot in read(config).lists[0].bots] == ["random", "mine"]


def test_what_is_wrong_begins_with_the_file(config: Path) -> None:
    config.write_text("name = ")
    assert misnamed(config).startswith(f"{config}: ")
    config.write_bytes(b"\xff\xfe")
    assert misnamed(config) == f"{config} is not text in UTF-8."
    assert misnamed(config.parent) == f"{config.parent} cannot be read: Is a directory."
