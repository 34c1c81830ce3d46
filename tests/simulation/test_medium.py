from __future__ import annotations

from random import Random

import pytest

from tests.simulation.medium import SECTOR_BYTES, Failed, File, Medium

SEEDS = range(60)


def medium(seed: int = 0) -> Medium:
    return Medium(Random(seed))


def outcomes(change: str) -> set[bytes]:
    """Everything that a power cut leaves of two sectors of `a` over which two of `b` were written."""
    found = set()
    for seed in SEEDS:
        one = medium(seed)
        one.add("f", b"a" * 2 * SECTOR_BYTES)
        file = one.open("f", create=False)
        if change == "write":
            one.write(file, b"b" * 2 * SECTOR_BYTES, 0)
        elif change == "truncate":
            one.truncate(file, SECTOR_BYTES)
        one.lose_power()
        found.add(bytes(file.content))
    return found


def test_what_is_written_is_seen_at_once_by_all() -> None:
    one = medium()
    writer, reader = one.open("f", create=True), one.open("f", create=False)
    one.write(writer, b"abc", 2)
    assert one.read(reader, 10, 0) == b"\0\0abc"
    one.truncate(writer, 3)
    assert one.read(reader, 10, 1) == b"\0a"


def test_a_power_cut_keeps_tears_or_loses_each_write() -> None:
    a, b = b"a" * SECTOR_BYTES, b"b" * SECTOR_BYTES
    assert outcomes("write") == {a + a, a + b, b + a, b + b}
    assert outcomes("truncate") == {a, a + a}
    assert outcomes("nothing") == {a + a}


def test_a_write_is_torn_where_sectors_end() -> None:
    ends = set()
    for seed in SEEDS:
        file = File(bytes(1500))
        file.change(500, b"x" * 600)
        file.lose_power(Random(seed))
        ends |= {at for at in range(1, 1500) if (file.content[at] == 0) != (file.content[at - 1] == 0)}
    assert ends == {500, 512, 1024, 1100}


def test_what_was_synced_stays_and_so_does_its_name() -> None:
    for seed in SEEDS:
        one = medium(seed)
        file = one.open("f", create=True)
        one.write(file, b"kept", 0)
        one.sync(file)
        one.write(file, b"lost", 0)
        one.lose_power()
        assert bytes(one.files["f"].content) in (b"kept", b"lost")


def test_a_name_that_was_not_synced_is_there_or_not() -> None:
    made, deleted = set(), set()
    for seed in SEEDS:
        one = medium(seed)
        one.add("old", b"old")
        one.open("new", create=True)
        one.delete("old", sync=False)
        one.lose_power()
        made.add(one.exists("new"))
        deleted.add(one.exists("old"))
    assert made == deleted == {True, False}


def test_a_deletion_that_was_synced_is_one() -> None:
    for seed in SEEDS:
        one = medium(seed)
        one.add("old", b"old")
        one.delete("old", sync=True)
        one.lose_power()
        assert not one.exists("old")


def test_a_failed_sync_is_not_made_good_by_the_next() -> None:
    left = set()
    for seed in SEEDS:
        one = medium(seed)
        one.add("f", b"old")
        file = one.open("f", create=False)
        one.write(file, b"new", 0)
        one.fail("sync", 1, lasting=False)
        with pytest.raises(Failed):
            one.sync(file)
        one.sync(file)
        assert file.content == b"new"
        one.lose_power()
        left.add(bytes(file.content))
    assert left == {b"old", b"new"}


def test_the_nth_fails_once_or_until_it_is_mended() -> None:
    for lasting, failing in ((False, [3]), (True, [3, 4, 5])):
        one = medium()
        file = one.open("f", create=True)
        one.fail("read", 3, lasting=lasting)
        failed = []
        for nth in range(1, 6):
            try:
                one.read(file, 1, 0)
            except Failed:
                failed.append(nth)
        assert failed == failing
        one.mend()
        one.read(file, 1, 0)
        assert one.calls["read"] == 6


def test_a_failed_write_leaves_a_part_of_it() -> None:
    found = set()
    for seed in SEEDS:
        one = medium(seed)
        file = one.open("f", create=True)
        one.fail("write", 1, lasting=False)
        with pytest.raises(Failed):
            one.write(file, b"ab", 0)
        found.add(bytes(file.content))
    assert found == {b"", b"a"}


def test_a_full_disk_lets_no_file_grow() -> None:
    one = medium()
    one.add("f", b"12")
    file = one.open("f", create=False)
    one.is_full = True
    one.write(file, b"ab", 0)
    with pytest.raises(Failed) as failed:
        one.write(file, b"cd", 1)
    assert failed.value.full
    assert file.content == b"ac"


def test_a_machine_stops_before_an_operation_for_good() -> None:
    one = medium()
    file = one.open("f", create=True)
    one.stop("write", 2)
    one.write(file, b"a", 0)
    for act in (lambda: one.write(file, b"b", 0), lambda: one.sync(file), lambda: one.read(file, 1, 0)):
        with pytest.raises(Failed):
            act()
    assert file.content == b"a"


def test_a_seed_repeats() -> None:
    def run() -> bytes:
        one = medium(7)
        one.add("f", bytes(9000))
        for at in range(0, 9000, 900):
            one.write(one.files["f"], b"x" * 900, at)
        one.lose_power()
        return bytes(one.files["f"].content)

    assert run() == run()
