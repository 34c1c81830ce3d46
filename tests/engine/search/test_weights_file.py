"""Weights as a file."""

from __future__ import annotations

import hashlib
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.search import weights_file

NUMBERS = np.random.default_rng(1).integers(-3, 3, 500).astype(np.int16)
DATA = weights_file.to_bytes(NUMBERS, {"game": "ultimate"})


def test_a_file_holds_the_weights_and_how_they_were_made() -> None:
    numbers, made = weights_file.from_bytes(DATA, 500)
    assert made == {"game": "ultimate"}
    assert np.array_equal(numbers, NUMBERS)
    assert numbers.dtype == np.int16


def test_another_number_of_weights_is_told() -> None:
    with pytest.raises(ValueError, match=r"are 500 numbers, and this version needs 7: learn them again"):
        weights_file.from_bytes(DATA, 7)


@given(st.integers(0, len(DATA) - 1))
def test_a_file_that_is_cut_short_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=r"no file of weights|damaged or cut short"):
        weights_file.from_bytes(DATA[:length], 500)


@given(st.integers(12, len(DATA) - 1))
def test_a_changed_byte_is_noticed(place: int) -> None:
    changed = DATA[:place] + bytes([DATA[place] ^ 1]) + DATA[place + 1 :]
    with pytest.raises(ValueError, match="damaged or cut short"):
        weights_file.from_bytes(changed, 500)


def test_no_more_is_unpacked_than_weights_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights_file, "_MOST_BYTES", 2 * 500 - 1)
    with pytest.raises(ValueError, match="damaged or cut short"):
        weights_file.from_bytes(DATA, 500)


def test_another_version_is_named() -> None:
    other = DATA[:8] + bytes([2, 0, 0, 0]) + DATA[12:]
    with pytest.raises(ValueError, match=r"format 2, and this version reads 1: learn them again"):
        weights_file.from_bytes(other, 500)


@pytest.mark.parametrize("body", [b"{}", b"{}\0", b"[]" + zlib.compress(b"1234"), b"{}" + zlib.compress(b"123"), b"{1"])
def test_what_is_none_although_its_digest_is_right_is_refused(body: bytes) -> None:
    data = struct.pack("<8sII", b"noughtsw", 1, 2) + body
    with pytest.raises(ValueError, match="damaged or cut short"):
        weights_file.from_bytes(data + hashlib.sha256(data).digest(), 2)
