"""Checkpoints of Qubic's proof: what was saved comes back, and whatever else a file says is unusable."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from client.lab.solve import checkpoint
from client.lab.solve.checkpoint import Unusable
from client.lab.solve.qubic import checkpoint as qubic_checkpoint


def test_arrays_come_back(tmp_path: Path) -> None:
    saved = [np.arange(5, dtype=np.int64), np.arange(3, dtype=np.uint8)]
    qubic_checkpoint.save(tmp_path / "saved", saved)
    loaded = qubic_checkpoint.load(tmp_path / "saved")
    assert loaded is not None
    assert [array.dtype for array in loaded] == [np.int64, np.uint8]
    assert [array.tolist() for array in loaded] == [[0, 1, 2, 3, 4], [0, 1, 2]]


@pytest.mark.parametrize("kind", ["object", "(2,)i4,,f8", "x y", "", 7, None, ["int8"], "float64"])
def test_an_array_of_another_kind_is_unusable(tmp_path: Path, kind: object) -> None:
    head = {"version": qubic_checkpoint.VERSION, "arrays": [[kind, 1]]}
    checkpoint.write(
        tmp_path / "odd", qubic_checkpoint._KIND, qubic_checkpoint._QUESTION, head, [np.zeros(8, np.uint8)]
    )
    with pytest.raises(Unusable, match="contents are invalid"):
        qubic_checkpoint.load(tmp_path / "odd")
