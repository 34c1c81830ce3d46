"""The checker of Qubic's proof: every entry of the shipped book changed in turn, and wins by threats held to the rules.

A file with one entry changed differs for the checker in few places: the entry itself, and those whose replies lead to
it. So these alone are checked anew, and then which records are still reached; the slow tests show that this agrees with
checks of whole files. A changed entry that is not rejected is redundant: the file as changed is a proof as well.
"""

from __future__ import annotations

import functools
import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random

import pytest

from client.lab.verify.qubic_checker import (
    ALL,
    HEAD,
    LINES,
    RECORD,
    Attack,
    Marks,
    Rejected,
    bits,
    check,
    following,
    images_of,
    marked,
    records_in,
)

BOOK = files("engine.search.perfect").joinpath("qubic.book").read_bytes()
ROOT = (0, 0)
SAMPLE = 150
Entry = tuple[int, int]


@dataclass(frozen=True)
class Proof:
    records: dict[Marks, Entry]
    leads: dict[Marks, set[Marks]]
    """To which records O's replies lead."""
    before: dict[Marks, list[Marks]]
    """And from which."""

    def holds(self, changes: dict[Marks, Entry | None]) -> bool:
        """Whether the proof is one still after these entries are put in, or left out where they are None."""
        for position, entry in changes.items():
            self._put(position, entry)
        try:
            touched = {*changes, *(earlier for position in changes for earlier in self.before.get(position, []))}
            anew = {position: following(*position, self.records) for position in touched & self.records.keys()}
            return self._reached({**self.leads, **anew}) == self.records.keys()
        except Rejected:
            return False
        finally:
            for position in changes:
                self._put(position, THE_RECORDS.get(position))

    def _put(self, position: Marks, entry: Entry | None) -> None:
        if entry is None:
            self.records.pop(position, None)
        else:
            self.records[position] = entry

    @staticmethod
    def _reached(leads: dict[Marks, set[Marks]]) -> set[Marks]:
        reached, pending = {ROOT}, [ROOT]
        while pending:
            found = leads[pending.pop()] - reached
            reached |= found
            pending += found
        return reached


THE_RECORDS = records_in(BOOK)


@pytest.fixture(scope="module")
def proof() -> Proof:
    """The shipped proof, all of it checked."""
    records = dict(THE_RECORDS)
    leads = {position: following(*position, records) for position in records}
    before = defaultdict(list)
    for position, found in leads.items():
        for after in found:
            before[after].append(position)
    return Proof(records, leads, before)


def some(seed: int) -> list[tuple[Marks, Entry]]:
    return Random(seed).sample(sorted(THE_RECORDS.items()), SAMPLE)


def dropped(proof: Proof, entries: list[tuple[Marks, Entry]]) -> Counter[bool]:
    return Counter(proof.holds({position: None}) for position, _ in entries if position != ROOT)


def hastened(proof: Proof, entries: list[tuple[Marks, Entry]]) -> Counter[bool]:
    return Counter(proof.holds({position: (cell, plies - 2)}) for position, (cell, plies) in entries)


def delayed(proof: Proof, entries: list[tuple[Marks, Entry]]) -> Counter[bool]:
    return Counter(proof.holds({position: (cell, plies + 2)}) for position, (cell, plies) in entries)


def moved(proof: Proof, entries: list[tuple[Marks, Entry]]) -> Counter[bool]:
    random, found = Random(7), Counter[bool]()
    for (x, o), (cell, plies) in entries:
        other = random.choice([other for other in range(64) if other != cell and not (x | o) >> other & 1])
        found[proof.holds({(x, o): (other, plies)})] += 1
    return found


def shifted(proof: Proof, entries: list[tuple[Marks, Entry]]) -> Counter[bool]:
    """One bit of the position is another."""
    random, found = Random(8), Counter[bool]()
    for (x, o), entry in entries:
        bit = 1 << random.randrange(64)
        changed = (x ^ bit, o) if random.randrange(2) else (x, o ^ bit)
        if (x, o) != ROOT and changed not in THE_RECORDS:
            found[proof.holds({(x, o): None, changed: entry})] += 1
    return found


@pytest.mark.slow
def test_the_shipped_book_is_a_proof(proof: Proof) -> None:
    assert proof.holds({})


@pytest.mark.slow
def test_few_entries_can_be_left_out_and_none_be_of_another_position(proof: Proof) -> None:
    assert dropped(proof, some(1))[True] < SAMPLE // 30
    assert shifted(proof, some(2))[True] == 0


@pytest.mark.slow
def test_a_win_told_too_short_is_rejected_and_a_true_one_is_not(proof: Proof) -> None:
    found = hastened(proof, some(3))
    assert found[False] > SAMPLE // 3
    assert not any(proof.holds({position: (cell, 1)}) for position, (cell, _) in some(4)[:30])


@pytest.mark.slow
def test_another_move_is_rejected_unless_it_wins_as_well(proof: Proof) -> None:
    assert moved(proof, some(5))[False] > SAMPLE * 9 // 10


@pytest.mark.slow
def test_a_longer_win_is_rejected_where_it_comes_too_late(proof: Proof) -> None:
    assert delayed(proof, some(6)[:40])[False] > 5


@pytest.mark.slow
def test_entries_of_two_positions_cannot_be_exchanged(proof: Proof) -> None:
    """But for two that hold for each other."""
    exchanged = zip(some(7), some(8), strict=True)
    held = [proof.holds({here: there[1], there[0]: entry}) for (here, entry), there in exchanged if here != there[0]]
    assert sum(held) < SAMPLE // 10


@pytest.mark.slow
def test_entries_beside_the_proof_are_left_over(proof: Proof) -> None:
    random = Random(9)
    for _ in range(20):
        cells = random.sample(range(64), 8)
        position = sum(1 << cell for cell in cells[:4]), sum(1 << cell for cell in cells[4:])
        if position not in THE_RECORDS:
            move = random.choice([cell for cell in range(64) if cell not in cells])
            assert not proof.holds({position: (move, 55)})


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_entry_changed_in_turn(proof: Proof) -> None:
    """The counts are those of docs/solving/qubic.md; the other moves are drawn."""
    entries = sorted(THE_RECORDS.items())
    assert dropped(proof, entries) == {False: 8096, True: 16}
    assert shifted(proof, entries)[True] == 0
    assert hastened(proof, entries) == {False: 4261, True: 3852}
    changed = moved(proof, entries)
    # Another draw: the share is that of the docs, not the number.
    assert 7_815 < changed[False] < 8_015
    assert changed.total() == 8_113


def signed(records: dict[Marks, Entry]) -> bytes:
    rows = [RECORD.pack(*position, *entry) for position, entry in sorted(records.items())]
    data = HEAD.pack(b"qubicwin", 1, len(rows)) + b"".join(rows)
    return data + hashlib.sha256(data).digest()


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_checks_of_whole_files_agree(proof: Proof) -> None:
    found = Counter[bool]()
    for position, (cell, plies) in some(10)[:4]:
        for entry in ((cell, plies - 2), None):
            records = {**THE_RECORDS, position: entry}
            data = signed({place: held for place, held in records.items() if held})
            try:
                held = check(data)[0] == len(records)
            except Rejected:
                held = False
            assert held == proof.holds({position: entry})
            found[held] += 1
    assert min(found[True], found[False]) > 0


def completing(mine: int, theirs: int) -> int:
    cells = 0
    for line in LINES:
        left = line & ~mine
        if not line & theirs and not left & (left - 1):
            cells |= left
    return cells


@cache
def wins_by_threats(x: int, o: int, most: int) -> bool:
    """By definition: X completes a line, or makes a three, O answers it, and so on."""
    if completing(x, o):
        return most > 0
    must = completing(o, x)
    for move in bits(ALL ^ x ^ o) if most > 1 else ():
        if not must & ~move:
            threatened = completing(x | move, o)
            if threatened & (threatened - 1) or (threatened and wins_by_threats(x | move, o | threatened, most - 1)):
                return True
    return False


def test_attacks_are_found_where_there_are_any_and_nowhere_else() -> None:
    random, found = Random(11), Counter[bool]()
    while min(found[True], found[False]) < 20:
        cells = random.sample(range(64), random.randint(8, 14) // 2 * 2)
        x, o = (sum(1 << cell for cell in cells[start::2]) for start in (0, 1))
        if completing(x, o) or any(line & o == line or line & x == line for line in LINES):
            continue
        counts = [functools.reduce(marked, bits(marks), (0, 0, 0)) for marks in (x, o)]
        most = random.choice((2, 3, 4, 25))
        attack = Attack(x, o, counts[0], counts[1], most)
        won = bool(attack.moves)
        assert len(attack.moves) < most
        assert not won or wins_by_threats(x, o, most)
        # What failed with few moves left is not tried again with more, so that only a long search is sure to find all.
        assert won or most < 25 or not wins_by_threats(x, o, most)
        if won:
            for reply in bits(ALL ^ x ^ o ^ attack.breaking() & (ALL ^ x ^ o)):
                assert wins_by_threats(x, o | reply, most)
        found[won] += 1


def at(*cells: int) -> int:
    return sum(1 << cell for cell in cells)


TWOS = at(1, 2, 4, 8)
"""Two of X's marks in each of two lines through cell 0, which lack 3 and 12 besides."""
HARMLESS = at(21, 22, 37, 63)


def followed(x: int, o: int, cell: int, plies: int) -> set[Marks]:
    return following(x, o, {(x, o): (cell, plies)})


def test_two_threes_win_in_three_plies_and_no_sooner() -> None:
    assert followed(TWOS, HARMLESS, 0, 3) == set()
    with pytest.raises(Rejected, match="X's win in 1 plies is not proven"):
        followed(TWOS, HARMLESS, 0, 1)


def test_a_three_before_two_threes_takes_two_plies_more() -> None:
    x, o = TWOS | at(17, 18), at(22, 37, 43, 62, 26, 61)
    assert followed(x, o, 16, 5) == set()
    with pytest.raises(Rejected, match="X's win in 3 plies is not proven"):
        followed(x, o, 16, 3)


def test_a_three_of_the_other_side_comes_first() -> None:
    with pytest.raises(Rejected, match="lets O win at once"):
        followed(TWOS, at(48, 49, 50, 37), 0, 3)


def test_a_taken_cell_cannot_be_played() -> None:
    with pytest.raises(Rejected, match="cannot be played"):
        followed(TWOS, at(0, 21, 37, 63), 0, 3)


def test_every_reply_is_looked_at() -> None:
    """Three lines through 63 have two marks each, so that O stops X there and not in the end of one of them."""
    x, o = at(62, 61, 59, 55, 31), at(0, 6, 25, 36, 42)
    with pytest.raises(Rejected, match=f"not proven: X {x | at(47):#x}, O {o | at(63):#x}"):
        followed(x, o, 47, 5)


def test_records_of_replies_have_two_plies_less() -> None:
    replies = {min(zip(images_of(1), images_of(1 << reply), strict=True)) for reply in range(1, 64)}
    assert following(*ROOT, {ROOT: (0, 9), **dict.fromkeys(replies, (1, 7))}) == replies
    with pytest.raises(Rejected, match="X's win in 8 plies is not proven"):
        following(*ROOT, {ROOT: (0, 8), **dict.fromkeys(replies, (1, 7))})


def test_attacks_answer_a_three_of_the_other_side() -> None:
    random, found = Random(5), 0
    while found < 40:
        line = [*bits(random.choice(LINES))]
        random.shuffle(line)
        rest = [cell for cell in bits(ALL) if cell not in line]
        random.shuffle(rest)
        number = random.randint(4, 7)
        o, x = sum(line[:3] + rest[: number - 3]), sum(rest[number - 3 : 2 * number - 3])
        if completing(x, o) or any(line & o == line or line & x == line for line in LINES):
            continue
        mine, theirs = (functools.reduce(marked, bits(marks), (0, 0, 0)) for marks in (x, o))
        for most in (2, 3, 4):
            attack = Attack(x, o, mine, theirs, most)
            assert len(attack.moves) < most
            assert not attack.moves or wins_by_threats(x, o, most)
            found += bool(attack.moves)
