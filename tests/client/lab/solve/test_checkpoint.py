"""Checkpoints: where they are, and which files are none."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from client.lab.solve.checkpoint import Unusable, default_path, read, remove, spent, write


def test_the_same_question_has_one_place_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    paths = [default_path(question) for question in ("mnk:9,4,4", "mnk:9,4,4 a1", "mnk:9,4,4 a1 b2")]
    assert len(set(paths)) == 3
    assert all(path.parent == Path("/caches/noughts/solve") for path in paths)
    assert paths[0].name.startswith("mnk-9-4-4.")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_path("mnk:9,4,4") == Path.home() / ".cache/noughts/solve" / paths[0].name


def saved(path: Path, question: str = "this") -> bytes:
    write(path, "solve", question, {"more": 1}, [np.arange(100)])
    return path.read_bytes()


def test_a_damaged_one_is_told_and_may_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "saved"
    whole = saved(path)
    assert read(path, "solve", "this") == (
        {"noughts": "solve", "question": "this", "more": 1}, memoryview(np.arange(100).tobytes())
    )  # fmt: skip
    start = whole.index(b"\n") + 1
    for data in (
        whole[:-1],
        whole[:start],
        whole + b"\0",
        *(
            whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
            for at in (start - 3, start, start + 100, -1 % len(whole))
        ),
    ):
        path.write_bytes(data)
        with pytest.raises(Unusable, match="damaged or cut off: its checksum is wrong") as told:
            read(path, "solve", "this")
        assert not told.value.is_another
        assert read(path, "solve", "this", fresh=True) is None
        assert saved(path) == whole


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is not a checkpoint of `noughts solve`"),
        (b"[1]\n", "it is not a checkpoint of `noughts solve`"),
        (b"[" * 4_000, "it is not a checkpoint of `noughts solve`"),
        (b"\xff\n" + bytes(100), "it is not a checkpoint of `noughts solve`"),
        (b'{"noughts": "another", "question": "this"}\n', "it is not a checkpoint of `noughts solve`"),
        (b'{"noughts": "solve", "question": "that"}\n', "it belongs to another position"),
    ],
)
@pytest.mark.parametrize("fresh", [False, True])
def test_other_files_are_neither_read_nor_replaced_nor_removed(
    tmp_path: Path, data: bytes, why: str, fresh: bool
) -> None:
    path = tmp_path / "other"
    path.write_bytes(data)
    with pytest.raises(Unusable, match=f"^{why}$") as told:
        read(path, "solve", "this", fresh)
    assert told.value.is_another
    with pytest.raises(FileExistsError):
        saved(path)
    remove(path, "solve", "this")
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [data]


def test_one_that_is_not_there_is_none(tmp_path: Path) -> None:
    assert read(tmp_path / "saved", "solve", "this") is None
    remove(tmp_path / "saved", "solve", "this")
    saved(tmp_path / "new folder" / "saved")
    remove(tmp_path / "new folder" / "saved", "solve", "this")
    assert not list((tmp_path / "new folder").iterdir())
    with pytest.raises(Unusable, match="it cannot be read: Is a directory"):
        read(tmp_path, "solve", "this")


def test_positions_and_seconds_are_numbers_that_can_have_been_counted() -> None:
    assert spent({"nodes": 7, "cpu_s": 1.5}) == (7, 1.5)
    for odd in ({"nodes": -1}, {"cpu_s": -1.0}, {"cpu_s": math.nan}, {"cpu_s": math.inf}):
        with pytest.raises(ValueError, match=r"-1|nan|inf"):
            spent({"nodes": 7, "cpu_s": 1.5} | odd)
