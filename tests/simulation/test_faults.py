"""The faults fit the source, and are found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.faults import FAULTS, UnknownSource, changed

QUICK = "not-woken"
SEEDS = 150


def _found(fault: str) -> str:
    """What the first seed says that finds it."""
    command = [sys.executable, "-m", "tests.simulation", "--fault", fault, "--seeds", str(SEEDS), "--no-tell"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_there_are_thirty() -> None:
    assert len(FAULTS) >= 30


@pytest.mark.parametrize("name", FAULTS)
def test_each_fits_one_place_of_the_source(name: str) -> None:
    fault = FAULTS[name]
    source = Path(fault.module.replace(".", "/") + ".py").read_text()
    compile(changed(source, fault), fault.module, "exec")


def test_one_that_does_not_fit_is_no_fault() -> None:
    with pytest.raises(UnknownSource, match="has 0 places"):
        changed("", FAULTS[QUICK])


def test_one_is_found() -> None:
    assert _found(QUICK).startswith("Seed ")


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_each_is_found(name: str) -> None:
    assert _found(name).startswith("Seed ")
