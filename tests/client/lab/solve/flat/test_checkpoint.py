"""Checkpoints of flat boards: what was saved comes back, and whatever else a file says is unusable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from client.lab.solve import checkpoint
from client.lab.solve.checkpoint import Unusable
from client.lab.solve.flat import checkpoint as flat_checkpoint
from client.lab.solve.flat.checkpoint import Saved, load, save

QUESTION = "mnk:9,4,4 a1"


def arrays(positions: int) -> tuple[Any, Any]:
    random = np.random.default_rng(positions)
    return (
        random.integers(0, 1 << 64, (positions, 2), np.uint64),
        random.integers(0, 256, (positions, 4), np.uint8),
    )


@pytest.mark.parametrize("positions", [0, 1, 1_000])
def test_positions_and_their_facts_come_back(tmp_path: Path, positions: int) -> None:
    known, facts = arrays(positions)
    save(tmp_path / "saved", QUESTION, Saved(known, facts, 1 << 40, 7.25))
    assert load(tmp_path / "saved", QUESTION, fresh=True) is None
    found = load(tmp_path / "saved", QUESTION)
    assert found is not None
    assert (found.known.dtype, found.facts.dtype) == (np.uint64, np.uint8)
    assert np.array_equal(found.known, known)
    assert np.array_equal(found.facts, facts)
    assert (found.nodes, found.cpu_s) == (1 << 40, 7.25)
    assert found.known.flags.writeable


HEAD = {"format": 1, "version": flat_checkpoint.VERSION, "positions": 3, "nodes": 5, "cpu_s": 1.5}


@pytest.mark.parametrize(
    "head",
    [
        *({name: value for name, value in HEAD.items() if name != left_out} for left_out in HEAD),
        *(HEAD | {"positions": positions} for positions in (2, 4, 0, -3, 3.0, "3", None, True, 1 << 80)),
        *(HEAD | odd for odd in ({"nodes": "many"}, {"nodes": float("nan")}, {"nodes": -1}, {"cpu_s": None})),
        *(HEAD | {"cpu_s": seconds} for seconds in (float("nan"), float("inf"), -1.5)),
    ],
)
def test_what_says_anything_else_is_unusable(tmp_path: Path, head: dict[str, Any]) -> None:
    """The checksum is right; with fewer positions than there are, their facts would be those of others."""
    checkpoint.write(tmp_path / "odd", "solve", QUESTION, head, arrays(3))
    with pytest.raises(Unusable, match="its contents are invalid"):
        load(tmp_path / "odd", QUESTION)


def test_what_another_version_wrote_is_unusable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path / "saved", QUESTION, Saved(*arrays(3), 5, 1.5))
    monkeypatch.setattr(flat_checkpoint, "VERSION", "another")
    with pytest.raises(Unusable, match="another version of the solver wrote it"):
        load(tmp_path / "saved", QUESTION)
