"""The kernel of Maker and Breaker on small collections of sets, against plain minimax: values, zones and pairs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from engine.kernels import breaker as kernel
from engine.rules.lines import flat_symmetries
from engine.search.solve.flat_proof import bits_of

Sets = frozenset[int]

CELLS = 10
MOST_SETS = 24
ALL_CELLS = (1 << CELLS) - 1
ENDLESS = 1 << 40
SYMMETRIES = flat_symmetries(5, 2)


@cache
def holds(sets: Sets, attacking: bool) -> bool:
    """Whether Breaker keeps Maker from filling a set: every move of both, no idea."""
    if 0 in sets or not sets:
        return not sets
    cells = bits_of(union(sets))
    if attacking:
        return all(holds(frozenset(one & ~cell for one in sets), False) for cell in cells)
    return any(holds(frozenset(one for one in sets if not one & cell), True) for cell in cells)


def union(sets: Sets) -> int:
    cells = 0
    for one in sets:
        cells |= one
    return cells


def collections(seed: int) -> Iterator[Sets]:
    """Any sets of one to five cells, few of one or two, and in turn sets with their images under a symmetry."""
    random = Random(seed)
    for number in count():
        sizes = random.choices((1, 2, 3, 4, 5), (1, 10, 60, 150, 20), k=random.randint(8, MOST_SETS))
        sets = [sum(1 << cell for cell in random.sample(range(CELLS), size)) for size in sizes]
        if number % 2:
            image = SYMMETRIES[1 + number // 2 % (len(SYMMETRIES) - 1)]
            half = sets[: MOST_SETS // 2]
            sets = half + [sum(1 << image[cell.bit_length() - 1] for cell in bits_of(one)) for one in half]
        yield frozenset(sets)


def room(kernel: Any, entries: int = 101) -> Any:
    return kernel.search(CELLS, MOST_SETS, SYMMETRIES, entries)


def asked(kernel: Any, search: Any, sets: Sets, attacking: bool) -> int:
    search.counters[kernel.UNTIL] = ENDLESS
    search.paths[0] = search.counts[0] = 0
    search.sets[0, : len(sets)] = sorted(sets)
    return int(kernel.answer(search, len(sets), attacking))


def zone(search: Any, side: int) -> int:
    """On which the result rests, in which `side` succeeds: 0 Breaker, 1 Maker."""
    return int(search.paths[0, 2] | search.paths[0, side])


def mistake(kernel: Any, search: Any, sets: Sets, attacking: bool) -> str | None:
    """What is wrong with the kernel's answer to one question; None if nothing is."""
    held = holds(sets, attacking)
    if asked(kernel, search, sets, attacking) != (kernel.HELD if held else kernel.WON):
        return "value"
    move = int(search.counters[kernel.MOVE])
    if move >= 0 and held != attacking and holds(after(sets, move, attacking), not attacking) != held:
        return "move"
    if search.counts[0] == 0:
        return None  # no search was needed
    outside = ALL_CELLS & ~zone(search, 0 if held else 1)
    if held and not holds(frozenset(one & ~outside for one in sets), attacking):
        return "zone of Breaker"
    if not held and holds(frozenset(one for one in sets if not one & outside), attacking):
        return "zone of Maker"
    return None


def after(sets: Sets, move: int, attacking: bool) -> Sets:
    cell = 1 << move
    return frozenset(one & ~cell for one in sets) if attacking else frozenset(one for one in sets if not one & cell)


def first_mistake(kernel: Any, number: int) -> str | None:
    search = room(kernel)
    questions = ((sets, attacking) for sets in islice(collections(1), number) for attacking in (True, False))
    return next(filter(None, (mistake(kernel, search, *question) for question in questions)), None)


def test_values_moves_and_zones_are_right() -> None:
    held = [holds(sets, attacking) for sets in islice(collections(1), 150) for attacking in (True, False)]
    assert 60 < sum(held) < 240
    assert first_mistake(kernel, 150) is None


def test_a_large_table_and_a_tiny_one_say_the_same() -> None:
    large, tiny = room(kernel, 10_007), room(kernel, 1)
    for sets in islice(collections(2), 400):
        for attacking in (True, False):
            assert asked(kernel, large, sets, attacking) == asked(kernel, tiny, sets, attacking)
    assert large.counters[kernel.NODES] < tiny.counters[kernel.NODES]


def test_it_goes_on_where_it_paused() -> None:
    pauses = 0
    for sets in islice(collections(3), 200):
        paused = room(kernel)
        answer = kernel.OPEN
        for until in range(25, 5_000, 25):
            paused.counters[kernel.UNTIL] = until
            paused.sets[0, : len(sets)] = sorted(sets)
            answer = kernel.answer(paused, len(sets), True)
            assert paused.counters[kernel.NODES] <= until
            if answer != kernel.OPEN:
                break
            pauses += 1
        assert (answer == kernel.HELD) == holds(sets, True)
    assert pauses > 20


def test_pairs_leave_breaker_what_it_holds() -> None:
    """Where each set has one, Breaker holds; else the sets with one and the cells of pairs can be left out."""
    search = room(kernel)
    found = np.zeros(CELLS, np.uint64)
    complete = partial = 0
    for sets in islice(collections(4), 400):
        if min(one.bit_count() for one in sets) < 2:
            continue
        search.sets[0, : len(sets)] = sorted(sets)
        pairs = [int(pair) for pair in found[: kernel.pairs(search, len(sets), found)]]
        assert sum(pair.bit_count() for pair in pairs) == sum(pairs).bit_count() == 2 * len(pairs)
        left = frozenset(one & ~sum(pairs) for one in sets if all(one & pair != pair for pair in pairs))
        if not left:
            complete += 1
            assert holds(sets, True)
        elif pairs:
            partial += 1
            assert holds(left, True) == holds(sets, True)
    assert min(complete, partial) > 10


BROKEN = {
    "any two sets of two cells win": ("and sets[i] & sets[j]:", ":", "if sets[i] & once:", "if once:"),
    "one threat wins": ("if single & (single - np.uint64(1)):", "if single:"),
    "a threat is not answered": ("attacking = single != none\n            cell = single", "cell = none"),
    "the weight of a position in which Maker is to move": (
        "(_ONE_CELL // 2 if attacking else _ONE_CELL)",
        "_ONE_CELL",
    ),
    "cells are a pair if one has all sets of the other": (
        "if through[cell, part] != through[other, part]:",
        "if through[cell, part] & ~through[other, part]:",
    ),
    "an answer in two sets is for nothing": ("if number == 1:", "if number <= 2:"),
    "the smaller set is left out": (
        "not sets[i] & ~sets[chosen] and (sets[i] != sets[chosen] or i < chosen)",
        "not sets[chosen] & ~sets[i] and (sets[i] != sets[chosen] or i < chosen)",
    ),
    "a refuted move's zone is forgotten": ("search.rests[ply] |= search.zones[ply, chosen]", "pass"),
    "pairs belong to no zone": ("search.paths[ply, 0] |= pair", "pass", "paths[0] |= search.twins[i]", "pass"),
    "zones come back unturned": ("_image(search, search.inverses[symmetry], ", "_image(search, 0, "),
}


def plain_copy(*changes: str) -> ModuleType:
    """The kernel as plain Python, with each text at an even place replaced by the one that follows it."""
    source = Path(kernel.__file__).read_text()
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert source.count(old) == 1
        source = source.replace(old, new)
    copy = ModuleType("copy")
    source = source.replace("from engine.kernels.jit import inlined, jit\n", "inlined = jit = lambda made: made\n")
    exec(compile(source, "copy", "exec"), vars(copy))
    vars(copy)["popcount"] = lambda word: int(word).bit_count()
    vars(copy)["lowest"] = lambda word: (int(word) & -int(word)).bit_length() - 1
    return copy


@pytest.mark.parametrize("which", [None, *BROKEN])
def test_a_broken_rule_is_noticed(which: str | None) -> None:
    with np.errstate(over="ignore"):
        found = first_mistake(plain_copy(*BROKEN[which] if which else ()), 60 if which else 20)
    assert (found is not None) == (which is not None)
