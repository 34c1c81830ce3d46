from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules import lines


def _keeps_the_lines(size: int, symmetry: lines.Symmetry) -> bool:
    cube = set(lines.cube_lines(size))
    return {tuple(sorted(symmetry[cell] for cell in line)) for line in cube} == cube


@pytest.mark.parametrize(
    ("columns", "rows", "length", "count"),
    [
        (3, 3, 3, 8),
        (4, 4, 4, 10),
        (5, 5, 4, 28),
        (15, 15, 5, 572),
        (3, 5, 3, 5 + 9 + 6),
        (4, 3, 4, 3),
        (19, 19, 19, 40),
    ],
)
def test_windows_of_flat_boards(columns: int, rows: int, length: int, count: int) -> None:
    windows = lines.flat_lines(columns, rows, length)
    assert len(windows) == len(set(windows)) == count
    assert all(len(set(window)) == length for window in windows)


@given(st.integers(3, 8), st.integers(3, 8), st.integers(3, 8))
def test_a_window_keeps_one_direction(columns: int, rows: int, length: int) -> None:
    for window in lines.flat_lines(columns, rows, length):
        places = [divmod(cell, columns) for cell in window]
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places)}
        assert steps in [{(0, 1)}, {(1, 0)}, {(1, 1)}, {(1, -1)}]


@given(st.integers(3, 8), st.integers(3, 8), st.integers(3, 7))
def test_a_line_and_an_end_of_it_are_a_longer_line(columns: int, rows: int, length: int) -> None:
    longer = {
        tuple(sorted((*line, end)))
        for line in lines.flat_lines(columns, rows, length)
        for end in lines.flat_ends(columns, rows, line)
    }
    assert longer == set(lines.flat_lines(columns, rows, length + 1))


@pytest.mark.parametrize(("size", "count"), [(3, 49), (4, 76), (5, 109)])
def test_lines_of_cubes(size: int, count: int) -> None:
    assert len(lines.cube_lines(size)) == count == ((size + 2) ** 3 - size**3) // 2


def test_a_corner_of_qubic_has_seven_lines_and_an_edge_four() -> None:
    masks = lines.masks_through(lines.cube_lines(4), 64)
    assert len(masks[0]) == 7
    assert len(masks[1]) == 4
    assert sorted(map(len, masks)) == [4] * 48 + [7] * 16


@pytest.mark.parametrize(("size", "count"), [(3, 48), (4, 192), (5, 192)])
def test_symmetries_of_cubes_keep_the_lines(size: int, count: int) -> None:
    symmetries = lines.cube_symmetries(size)
    assert len(set(symmetries)) == len(symmetries) == count
    assert symmetries[0] == tuple(range(size**3))
    assert all(_keeps_the_lines(size, symmetry) for symmetry in symmetries)


@pytest.mark.parametrize(("columns", "rows", "count"), [(3, 3, 8), (5, 5, 8), (4, 6, 4)])
def test_symmetries_of_flat_boards_keep_the_lines(columns: int, rows: int, count: int) -> None:
    symmetries = lines.flat_symmetries(columns, rows)
    windows = set(lines.flat_lines(columns, rows, 3))
    assert symmetries[0] == tuple(range(columns * rows))
    assert len(set(symmetries)) == len(symmetries) == count
    for symmetry in symmetries:
        assert {tuple(sorted(symmetry[cell] for cell in line)) for line in windows} == windows


def test_symmetries_of_qubic_are_a_group() -> None:
    symmetries = set(lines.cube_symmetries(4))
    some = sorted(symmetries)[::9]
    assert all(tuple(a[b[cell]] for cell in range(64)) in symmetries for a, b in product(some, some))


@given(st.sets(st.integers(0, 360)))
def test_masks_and_cells_are_one_another(cells: set[int]) -> None:
    assert lines.cells_of(lines.mask_of(cells)) == tuple(sorted(cells))
