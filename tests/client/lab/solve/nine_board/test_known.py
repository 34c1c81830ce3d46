"""Decided positions in a file: each once, whatever else a tree knows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from client.lab.solve import checkpoint
from client.lab.solve.nine_board.known import joined, read, write
from engine.search.solve.nine_board_solver import INFINITY, Place
from engine.search.solve.nine_board_tree import Row, images


def row(number: int, proof: int, disproof: int = 1) -> Row:
    return Row((number, 1 << 80, 9), proof, disproof, 0)


WON, LOST, OPEN = row(1, 0, INFINITY), row(2, INFINITY, 0), row(3, 5)


def test_what_is_decided_is_joined(tmp_path: Path) -> None:
    path = tmp_path / "known"
    assert read(path) == {"x": [], "o": []}
    write(path, joined(read(path), {"x": [WON, OPEN], "o": [LOST]}))
    assert read(path) == {"x": [WON], "o": [LOST]}
    write(path, joined(read(path), {"x": [LOST, *(WON._replace(place=image) for image in images(WON.place))]}))
    assert read(path) == {"x": [WON, LOST], "o": [LOST]}


def test_damaged_and_foreign_files(tmp_path: Path) -> None:
    path = tmp_path / "known"
    write(path, {"x": [WON], "o": []})
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(checkpoint.Unusable, match="its checksum is wrong"):
        read(path)
    checkpoint.write(tmp_path / "other", "solve nine-board", "nine-board", {}, ())
    with pytest.raises(checkpoint.Unusable):
        read(tmp_path / "other")
    path.unlink()
    head = json.loads(data.split(b"\n")[0])
    checkpoint.write(path, head["noughts"], head["question"], {"x": 2, "o": 0}, ())
    with pytest.raises(checkpoint.Unusable, match="its contents are invalid"):
        read(path)


@pytest.mark.parametrize("place", [(1, 2, 10), (1 << 81, 2, 9), (1, 1 << 127, 9)])
def test_rows_of_no_such_cells_are_told(place: Place, tmp_path: Path) -> None:
    write(tmp_path / "known", {"x": [WON, Row(place, 0, INFINITY, 0)], "o": []})
    with pytest.raises(checkpoint.Unusable, match="its contents are invalid"):
        read(tmp_path / "known")


def test_another_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "known"
    path.write_text("of somebody else")
    with pytest.raises(OSError, match="Another file is there"):
        write(path, {"x": [WON], "o": []})
    assert path.read_text() == "of somebody else"
