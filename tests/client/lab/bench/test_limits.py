"""How moves that pass their time are measured."""

from __future__ import annotations

import json
from itertools import islice

from click.testing import CliRunner

from client.lab.bench import limits
from client.lab.bench.command import bench
from engine.bots.roster import bot
from engine.rules.registry import rules


def test_moves_of_games_and_of_the_hardest_position_are_measured() -> None:
    ran = CliRunner().invoke(bench, ["limits", "--game", "gomoku", "--move-ms", "1", "--moves", "20", "--json"])
    assert ran.exit_code == 0, ran.output
    report = json.loads(ran.stdout)
    assert [part["name"] for part in report["parts"]] == ["gomoku", "gomoku, many fours"]
    assert [part["about"].split()[0] for part in report["parts"]] == ["20", "3"]


def test_a_game_s_opening_is_not_measured_and_another_game_follows() -> None:
    found = list(islice(limits.in_games(bot("random"), rules("tictactoe"), 60_000, 0), 30))
    assert len(found) == 30
    assert all((over.by_clock, over.own) == (0, 0) for over in found)


def test_a_bot_that_cannot_play_a_game_is_refused() -> None:
    ran = CliRunner().invoke(bench, ["limits", "--bot", "osipa", "--game", "qubic"])
    assert ran.exit_code == 2
