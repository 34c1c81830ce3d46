"""Every attack is whole: it runs, or a test shows it, and that test is there."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.attack.__main__ import attack
from tests.attack.catalogue import ATTACKS, FAMILIES
from tests.attack.entry import Attack
from tests.attack.outcome import HEAD, Outcome, Told, markdown, row

ROOT = Path(__file__).resolve().parents[2]
SHOWN = [one for one in ATTACKS.values() if one.shown_by]


def test_names_are_different() -> None:
    assert len(ATTACKS) == sum(len(family.ATTACKS) for family in FAMILIES)


@pytest.mark.parametrize("one", ATTACKS.values(), ids=ATTACKS)
def test_an_attack_runs_or_is_shown(one: Attack) -> None:
    assert one.visit is not None or one.shown_by
    assert one.does
    assert one.must_not


@pytest.mark.parametrize("one", SHOWN, ids=[one.name for one in SHOWN])
def test_the_test_is_there(one: Attack) -> None:
    file, _, test = one.shown_by.partition("::")
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_docs_have_them_all() -> None:
    told = (ROOT / "docs" / "attacks.md").read_text("utf-8")
    assert [name for name in ATTACKS if f"| {name} |" not in told] == []


def test_a_list_without_attacking() -> None:
    done = CliRunner().invoke(attack, ["--list", "formulas"])
    assert done.exit_code == 0
    assert done.output.count("\n") == 3
    assert "| formulas | takes names that spreadsheets compute |" in done.output


def test_a_row_tells_what_happened() -> None:
    told = Told(tried=1_200, refused={"too_fast": 3, "429": 1_000}, dropped=7, harm=["fell over"])
    outcome = Outcome("pings", 100, told, 2.0, 9.0, 3.5, 31.4, 1.25, -2, ["an honest player: no answer"])
    assert markdown([HEAD, row(outcome)])[2] == (
        "| pings | 100 | 1,200 | 1,003 (429, too_fast) | 7 | 2.0 ms | 9.0 ms | 4.5 | 3.5 ms | 31 % | +1.2 MB | -2 | "
        "fell over; an honest player: no answer |"
    )
