"""Checkpoints of an earlier release: a solve is resumed from them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from client.cli import main as cli
from client.lab.solve.checkpoint import Unusable
from client.lab.solve.qubic import checkpoint as qubic_checkpoint
from tests.support.database.earlier_files import FOLDER


def test_a_solve_of_a_flat_board_is_resumed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "saved"
    shutil.copy(FOLDER / "mnk-5-5-4.checkpoint", saved)
    assert cli._status(["solve", "mnk:5,5,4", "--checkpoint", str(saved), "--json"]) == 0
    shown = capfd.readouterr()
    assert shown.err.startswith(f"Resuming from {saved}: 3,793 positions in ")
    answer = json.loads(shown.out)
    assert (answer["value"], len(answer["best"])) == ("draw", 25)
    assert not saved.exists()


def test_a_solve_of_qubic_knows_its_checkpoint_and_begins_anew() -> None:
    """It was of a search without a bound on the plies."""
    with pytest.raises(Unusable, match="another version of the solver"):
        qubic_checkpoint.load(FOLDER / "qubic.checkpoint")


def test_the_form_of_qubic_s_checkpoints_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qubic_checkpoint, "VERSION", "2961b45a743ecf58")
    arrays = qubic_checkpoint.load(FOLDER / "qubic.checkpoint")
    assert arrays is not None
    assert [(array.dtype, array.tolist()) for array in arrays] == [
        (np.uint64, [0, 1, 2, 3, 4]),
        (np.uint8, [1, 0, 255]),
    ]
