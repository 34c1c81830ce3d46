from __future__ import annotations

from engine.kernels.hashing import random_words


def test_the_words_are_those_of_splitmix64() -> None:
    """As its authors' C code prints them for seed 0."""
    assert random_words(3).tolist() == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_a_seed_says_where_the_sequence_begins() -> None:
    assert random_words(5, 2).tolist() == random_words(7).tolist()[2:]


def test_no_word_is_met_twice() -> None:
    assert len(set(random_words(100_000).tolist())) == 100_000
