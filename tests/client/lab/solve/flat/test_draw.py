"""`noughts solve` of boards on which O stops every line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from client.cli import main as cli
from client.lab.solve.flat import draw as flat_draw
from engine.search.solve.breaker import Breaker


def test_a_draw_is_printed_with_its_proof(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "proof"
    assert cli._status(["solve", "mnk:7,6,5", "--out", str(out)]) == 0
    shown = capfd.readouterr()
    assert shown.out.startswith(
        "mnk:7,6,5: a draw with best play, as O can stop every line.\nMoves that draw, 42 of 42: a1 "
    )
    assert f"is in {out}. `noughts verify {out}` checks it." in shown.err
    assert cli._status(["verify", str(out)]) == 0
    assert "Proven: on 7 x 6 with 5 in a row nobody can win." in capfd.readouterr().out


def test_a_draw_as_json(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli._status(["solve", "mnk:7,6,5", "--json", "--memory", "1"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["value"], found["plies"], len(found["best"]), found["line"]) == ("draw", None, 42, [])


@pytest.mark.parametrize(
    "arguments",
    [["mnk:6,6,5"], ["mnk:7,6,6", "--without", "symmetry"], ["mnk:7,6,5", "--moves", "a1 a2 b1 b2 c1 c2 d1 d2"]],
)
def test_other_questions_go_to_the_search_of_everything(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr(flat_draw, "solve")
    assert cli._status(["solve", *arguments]) == 0
    assert "as O can stop every line" not in capfd.readouterr().out


def test_without_a_result_the_search_of_everything_goes_on(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Breaker, "holds", lambda *_, **__: None)
    assert cli._status(["solve", "mnk:7,6,6"]) == 0
    assert "mnk:7,6,6: a draw with best play.\n" in capfd.readouterr().out


def test_an_interruption(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object, **__: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(Breaker, "holds", interrupted)
    assert cli._status(["solve", "mnk:7,6,5"]) == 130
    assert capfd.readouterr().out == "Interrupted. Nothing of mnk:7,6,5 is saved: the same command starts over.\n"
