"""`noughts bots`: the roster as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from client.cli.main import cli as noughts
from engine.bots import roster
from tests.support.foreign_engines import scripts as engines


def test_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    shown = CliRunner().invoke(noughts, ["bots"]).output
    assert "alphabeta:PLY  (every game)" in shown
    assert "(default 2)" in shown
    assert max(map(len, shown.splitlines())) <= 100
    words = " ".join(shown.split())
    for entry in roster.bots():
        assert f"{entry.form} ({', '.join(entry.games)}) {entry.character}" in words
        assert f"Source: {entry.source} (version {entry.version})" in words
        for parameter in entry.parameters:
            assert f"{parameter.name.upper()}: {parameter.meaning}, {parameter.range} (default" in words
        for choice in entry.chosen:
            assert f"Ours: {choice}" in words


def test_bots_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns, widest in (("60", 60), ("300", 100)):
        monkeypatch.setenv("COLUMNS", columns)
        lines = CliRunner().invoke(noughts, ["bots"]).output.splitlines()
        assert widest - 10 < max(len(line) for line in lines if line.startswith("    ")) <= widest


def test_bots_as_json() -> None:
    bots = {bot["name"]: bot for bot in json.loads(CliRunner().invoke(noughts, ["bots", "--json"]).output)}
    assert bots["random"]["aliases"] == ["spot"]
    parameter = bots["alphabeta:2"]["parameters"][0]
    assert (parameter["name"], parameter["low"], parameter["high"], parameter["default"]) == ("ply", 1, 20, 2)
    assert [bots[entry.name]["chosen"] for entry in roster.bots()] == [list(entry.chosen) for entry in roster.bots()]
    tie = bots["pawar-ren:2,last"]["parameters"][1]
    assert (tie["words"], tie["default"]) == (["last", "coin"], "last")


def test_engines_are_among_the_bots(tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(engines.toml(name="deep", more='games = ["qubic"]\ncharacter = "Thinks."'))
    told = json.loads(CliRunner().invoke(noughts, ["bots", "--json", "--engines", str(file)]).output)
    assert [bot["name"] for bot in told] == [*(entry.name for entry in roster.bots()), "deep"]
    assert (told[-1]["games"], told[-1]["character"], told[-1]["parameters"]) == (["qubic"], "Thinks.", [])
    shown = CliRunner().invoke(noughts, ["bots", "--engines", str(file)]).output
    assert "deep  (qubic)\n    Thinks.\n" in shown
    refused = CliRunner().invoke(noughts, ["bots", "--engines", str(tmp_path / "none.toml")])
    assert (refused.exit_code, "cannot be read" in refused.output) == (2, True)
