"""`noughts bench levels`: what it measures, keeps and refuses, and that its figures come out again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from client.lab.bench.strength import level_table, levels
from client.lab.bench.strength.level_table import GAMES, Game, Match, Measured
from engine.bots import skills
from engine.bots.roster import Bot, bot
from engine.rules.registry import rules
from tests.support.foreign_engines import scripts as engines

DOCS = Path(__file__).parents[5] / "docs"


def match(bot: str, against: str, pairs: tuple[int, int, int, int, int]) -> Match:
    return Match(bot, against, 1, pairs, 0, 0, 0, 0.0)


def test_one_game_is_measured_without_losing_the_others(tmp_path: Path) -> None:
    out = tmp_path / "levels.json"
    kept = Game("qubic", (), (match("level:2", "level:1", (0, 0, 0, 0, 1)),))
    out.write_bytes(level_table.written(Measured("here", (kept,))))
    arguments = ["--game", "tictactoe", "--games", "4", "--part", "steps", "--out", str(out)]
    result = CliRunner().invoke(levels.levels, arguments)
    assert result.exit_code == 0, result.output
    assert "tictactoe: level:2 against level:1:" in result.stdout
    measured = level_table.read(out.read_bytes())
    assert [game.game for game in measured.games] == ["tictactoe", "qubic"]
    assert measured.games[1] == kept
    assert [sum(step.pairs) for step in measured.games[0].steps] == [2] * (skills.top(rules("tictactoe")) - 1)
    assert out.with_suffix(".md").read_text(encoding="utf-8") == level_table.page(measured)


def test_steps_are_measured_alone_and_kept_where_their_levels_are_what_they_were(tmp_path: Path) -> None:
    out = tmp_path / "levels.json"
    low, high = skills.levels(rules("tictactoe"))[:2], skills.levels(rules("tictactoe"))[2:]
    old = (*low, replace(high[0], sees=0.1), high[1])
    steps = tuple(match(f"level:{number}", f"level:{number - 1}", (0, 0, 0, 0, number)) for number in (2, 3, 4))
    out.write_bytes(level_table.written(Measured("here", (Game("tictactoe", old, steps),))))
    arguments = ["--game", "tictactoe", "--games", "2", "--part", "steps", "--level", "4", "--out", str(out)]
    assert CliRunner().invoke(levels.levels, arguments).exit_code == 0
    (game,) = level_table.read(out.read_bytes()).games
    assert game.skills == skills.levels(rules("tictactoe"))
    assert [(step.bot, sum(step.pairs)) for step in game.steps] == [("level:2", 2), ("level:4", 1)]


def test_one_bot_is_measured_again_in_its_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(levels, "play", lambda game, one, level, *_: against_levels(one, level))
    out = tmp_path / "levels.json"
    bots = tuple(match(name, "level:1", (0, 1, 0, 0, 0)) for name in ("random", "alphabeta:1", "perfect"))
    out.write_bytes(level_table.written(Measured("here", (Game("qubic", (), (), bots),))))
    arguments = ["--game", "qubic", "--bot", "alphabeta:1", "--bot", "alphabeta:2", "--out", str(out)]
    assert CliRunner().invoke(levels.levels, arguments).exit_code == 0
    (game,) = level_table.read(out.read_bytes()).games
    assert list(dict.fromkeys(one.bot for one in game.bots)) == ["random", "alphabeta:1", "perfect", "alphabeta:2"]
    assert [one for one in game.bots if one.bot != "alphabeta:1"][:2] == [bots[0], bots[2]]
    assert [one.against for one in game.bots if one.bot == "alphabeta:1"] == ["level:4", "level:2", "level:3"]


def test_what_is_no_file_of_levels_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "levels.json"
    out.write_text("{}")
    result = CliRunner().invoke(levels.levels, ["--game", "tictactoe", "--out", str(out)])
    assert result.exit_code == 2
    assert "holds no levels" in result.stderr
    assert CliRunner().invoke(levels.levels, ["--out", str(tmp_path / "levels.md")]).exit_code == 2


def test_what_cannot_be_measured_or_written_is_refused_before_the_games(tmp_path: Path) -> None:
    no_level = CliRunner().invoke(levels.levels, ["--game", "tictactoe", "--level", "7"])
    assert (no_level.exit_code, "tictactoe has levels up to 4." in no_level.stderr) == (2, True)
    no_folder = CliRunner().invoke(
        levels.levels, ["--game", "tictactoe", "--out", str(tmp_path / "no" / "levels.json")]
    )
    assert (no_folder.exit_code, "name a file in a folder that can be." in no_folder.stderr) == (1, True)


def against_levels(one: Bot, level: Bot) -> Match:
    """What a bot makes that is as strong as level 3 or 4."""
    below = int(level.name.partition(":")[2]) <= 3
    return match(one.name, level.name, (0, 0, 0, 0, 20) if below else (20, 0, 0, 0, 0))


def test_an_engine_is_measured_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(levels, "play", lambda game, one, level, *_: against_levels(one, level))
    file = tmp_path / "engines.toml"
    file.write_text(engines.toml(name="deep", more='games = ["qubic"]'))
    measured = CliRunner().invoke(levels.levels, ["--bot", "deep", "--engines", str(file)])
    assert measured.exit_code == 0, measured.output
    assert measured.output.splitlines()[-1] == "qubic: deep is above level 3."
    assert "tictactoe" not in measured.output
    refused = CliRunner().invoke(levels.levels, ["--bot", "deep", "--engines", str(file), "--game", "super"])
    assert (refused.exit_code, "deep" in refused.output) == (2, True)


def test_other_bots_are_measured_where_they_play(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def play(game: str, one: Bot, level: Bot, games: int, seed: int, jobs: int, cluster: str | None) -> Match:
        assert one.plays(rules(game))
        asked.append((one.name, level.name))
        return against_levels(one, level)

    monkeypatch.setattr(levels, "play", play)
    list(levels._others(rules("qubic"), 1, 1, None))
    names = list(dict.fromkeys(name for name, _ in asked))
    assert names[0] == "random"
    assert "alphabeta:2" in names
    assert "altekar-alphabeta:2,weighted" in names
    assert "depth3:switching,3" in names
    assert not any(name.startswith(("level", "strongest", "osipa", "bragstad")) for name in names)
    assert [against for name, against in asked if name == "random"] == ["level:4", "level:2", "level:3"]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", GAMES)
def test_a_sample_of_the_figures_comes_out_again(game: str) -> None:
    measured = level_table.read((DOCS / "levels.json").read_bytes()).game(game)
    assert measured is not None
    # (Of the higher ones too, this would take ten minutes; they search by the same code.)
    for step in (measured.steps[0], measured.steps[len(measured.steps) // 2]):
        again = levels.play(game, bot(step.bot), bot(step.against), 200, step.seed, 1)
        assert msgspec.structs.replace(again, move_ms=step.move_ms) == step
