"""Token buckets and the address limiter, in invented time."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.play.rate_limit import (
    LONGEST_WAIT_MS,
    AddressLimiter,
    Buckets,
    Patience,
    TokenBucket,
    Verdict,
    counted_address,
    network_of,
    share_of_address,
)


def passed(bucket: TokenBucket, times: list[int]) -> int:
    return sum(bucket.take(now_ms) for now_ms in times)


def test_a_burst_passes_and_then_the_rate() -> None:
    bucket = TokenBucket(50, 200, 0)
    assert passed(bucket, [0] * 300) == 200
    assert passed(bucket, [1_000] * 100) == 50
    assert not bucket.take(1_019)
    assert bucket.take(1_020)


def test_what_is_not_used_is_kept_up_to_the_burst() -> None:
    bucket = TokenBucket(10, 5, 0)
    assert passed(bucket, [1_000_000] * 10) == 5


def test_refused_requests_cost_nothing() -> None:
    """Who knocks all the time still gets through at the rate."""
    bucket = TokenBucket(10, 1, 0)
    assert passed(bucket, list(range(10_001))) == 101


def test_a_rate_of_zero_lets_everything_through() -> None:
    bucket = TokenBucket(0, 0, 0)
    assert passed(bucket, [0] * 10_000) == 10_000
    assert bucket.is_full(0)


def test_the_smallest_rate_lets_wait_for_long_but_not_for_ever() -> None:
    bucket = TokenBucket(5e-324, 1, 0)
    assert bucket.take(0)
    assert not bucket.take(0)
    assert bucket.wait_ms() == LONGEST_WAIT_MS


def test_a_burst_below_one_still_lets_one_through() -> None:
    bucket = TokenBucket(1, 0, 0)
    assert bucket.take(0)
    assert not bucket.take(0)
    assert bucket.take(1_000)


def test_full_means_all_is_forgotten() -> None:
    bucket = TokenBucket(10, 5, 0)
    assert bucket.is_full(0)
    bucket.take(0)
    assert not bucket.is_full(99)
    assert bucket.is_full(100)
    assert bucket.is_full(10**9)


@pytest.mark.parametrize("seed", range(20))
def test_never_more_than_burst_plus_rate_times_time(seed: int) -> None:
    rng = random.Random(seed)
    rate, burst = rng.choice([0.5, 3, 50]), rng.choice([1, 7, 200])
    bucket = TokenBucket(rate, burst, 0)
    now_ms, count = 0, 0
    for _ in range(2_000):
        now_ms += rng.choice([0, 0, 0, 1, 5, 100])
        count += bucket.take(now_ms)
        assert count <= burst + rate * now_ms / 1000 + 1e-6


def test_what_costs_more_takes_more() -> None:
    bucket = TokenBucket(10, 20, 0)
    assert bucket.take(0, 15)
    assert not bucket.take(0, 6)
    assert bucket.wait_ms(6) == 100
    assert bucket.take(99, 0.5)
    assert not bucket.take(100, 6)
    assert bucket.take(150, 6)


def test_what_costs_more_than_the_burst_may_pass_when_all_is_calm() -> None:
    bucket = TokenBucket(10, 5, 0)
    assert bucket.take(0, 80)
    assert not bucket.take(499, 80)
    assert bucket.wait_ms(80) == 1
    assert bucket.take(500, 80)


def test_patience_refuses_then_pauses_then_ends() -> None:
    patience = Patience(0)
    assert [patience.judge(0) for _ in range(Patience.REFUSALS)] == [Verdict.REFUSE] * Patience.REFUSALS
    assert [patience.judge(0) for _ in range(Patience.PAUSES)] == [Verdict.PAUSE] * Patience.PAUSES
    assert patience.judge(0) is Verdict.CLOSE
    assert patience.judge(19) is Verdict.CLOSE
    assert patience.judge(20) is Verdict.REFUSE


def test_a_pause_is_forgotten_after_fifteen_seconds() -> None:
    patience = Patience(0)
    for _ in range(Patience.REFUSALS + Patience.PAUSES):
        patience.judge(0)
    verdicts = [patience.judge(14_999) for _ in range(Patience.REFUSALS + 1)]
    assert (verdicts[-2], verdicts[-1]) == (Verdict.REFUSE, Verdict.CLOSE)
    assert patience.judge(15_001) is Verdict.PAUSE


def test_who_is_always_a_little_too_fast_is_told_so_for_ever() -> None:
    patience = Patience(0)
    assert {patience.judge(now_ms) for now_ms in range(0, 600_000, 20)} == {Verdict.REFUSE}


def test_requests_of_an_address_are_charged_by_their_cost() -> None:
    limiter = AddressLimiter(10, 0)
    assert [limiter.wait_ms("a", 50, 0) for _ in range(5)] == [0, 0, 0, 0, 2_500]
    assert limiter.wait_ms("b", 50, 0) == 0
    assert limiter.wait_ms("a", 50, 2_490) > 0
    assert limiter.wait_ms("a", 50, 2_500) == 0
    assert {AddressLimiter(0, 0).wait_ms("a", 50, 0) for _ in range(100)} == {0}


def test_requests_and_websockets_have_limits_of_their_own() -> None:
    limiter = AddressLimiter(1, 0)
    assert limiter.wait_ms("a", 20, 0) == 0
    assert limiter.admit("a", 0) is None


def test_the_address_limiter_counts_open_connections_by_address() -> None:
    limiter = AddressLimiter(0, 2)
    for _ in range(2):
        assert limiter.admit("a", 0) is None
        limiter.on_open("a")
    assert (limiter.open_from("a"), limiter.open_from("b")) == (2, 0)
    refusal = limiter.admit("a", 0)
    assert refusal is not None
    assert refusal.limit == "address_open"
    assert "2" in refusal.sentence
    assert limiter.admit("b", 0) is None
    limiter.on_close("a")
    assert limiter.admit("a", 0) is None


def test_the_address_limiter_limits_new_connections_a_second() -> None:
    limiter = AddressLimiter(3, 0)
    assert [limiter.admit("a", 0) is None for _ in range(5)] == [True, True, True, False, False]
    assert limiter.admit("b", 0) is None
    assert limiter.admit("a", 334) is None
    refusal = limiter.admit("a", 335)
    assert refusal is not None
    assert refusal.limit == "address_rate"


def test_who_leaves_makes_room_for_one() -> None:
    limiter = AddressLimiter(0, 2)
    for _ in range(2):
        limiter.on_open("a")
    limiter.on_close("a")
    assert limiter.admit("a", 0) is None
    limiter.on_open("a")
    assert limiter.admit("a", 0) is not None


def test_no_limits_at_all() -> None:
    limiter = AddressLimiter(0, 0)
    for _ in range(10_000):
        assert limiter.admit("a", 0) is None
        limiter.on_open("a")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.0/24"),
        ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("2001:db8:1:2::9", "2001:db8:1::/48"),
        ("local", "local"),
        ("", ""),
    ],
)
def test_the_network_of_an_address(address: str, network: str) -> None:
    assert network_of(address) == network


def test_each_key_has_a_bucket_of_its_own() -> None:
    buckets = Buckets(0.5, 2)
    assert [buckets.wait_ms("a", 0) for _ in range(3)] == [0, 0, 2_000]
    assert buckets.wait_ms("b", 0) == 0
    assert buckets.wait_ms("a", 500) == 1_500
    assert buckets.wait_ms("a", 2_000) == 0


def test_a_rate_of_zero_never_waits() -> None:
    assert {Buckets(0, 0).wait_ms("a", 0) for _ in range(1_000)} == {0}


def few_buckets(rate: float = 1, burst: float = 1, sweep_at: int = 3) -> Buckets:
    buckets = Buckets(rate, burst)
    buckets.SWEEP_AT = sweep_at
    return buckets


def test_keys_that_have_calmed_down_are_forgotten() -> None:
    buckets = few_buckets(sweep_at=6)
    for number in range(buckets.SWEEP_AT):
        buckets.wait_ms(str(number), 0)
    buckets.wait_ms("late", 999)
    assert len(buckets._buckets) == buckets.SWEEP_AT + 1  # none has calmed down yet
    for number in range(6):
        buckets.wait_ms(f"later {number}", 1_000)
    assert set(buckets._buckets) == {"late", *(f"later {number}" for number in range(6))}


def test_no_more_keys_are_remembered_than_the_limit_for_sweeping() -> None:
    buckets = few_buckets(sweep_at=3)
    for number in range(20):
        buckets.wait_ms(str(number), 2_000 * number)
        assert len(buckets._buckets) <= 3
    assert "19" in buckets._buckets
    assert Buckets.SWEEP_AT == 10_000


def test_a_new_key_looks_at_few_others_however_many_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = 0
    is_full = TokenBucket.is_full

    def count(bucket: TokenBucket, now_ms: int) -> bool:
        nonlocal looked_at
        looked_at += 1
        return is_full(bucket, now_ms)

    monkeypatch.setattr(TokenBucket, "is_full", count)
    buckets = few_buckets(rate=0.001, sweep_at=100)
    for number in range(1_100):
        buckets.wait_ms(str(number), number)
    assert (len(buckets._buckets), looked_at) == (1_100, 1_000 * Buckets.SWEPT)
    for number in range(1_100):  # when all have calmed down, so many new ones bring them down to the limit
        buckets.wait_ms(f"late {number}", 10_000_000 + number * 1_000_000)
    assert len(buckets._buckets) <= 100


@given(
    st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 3_000), st.sampled_from([0.125, 1, 3]))),
    st.sampled_from([0.5, 1, 20]),
    st.integers(0, 4),
)
def test_forgetting_changes_no_answer(asked: list[tuple[str, int, float]], rate: float, burst: int) -> None:
    buckets, now_ms = few_buckets(rate, burst, sweep_at=2), 0
    remembered = few_buckets(rate, burst, sweep_at=1_000)
    for key, passed_ms, cost in asked:
        now_ms += passed_ms
        assert buckets.wait_ms(key, now_ms, cost) == remembered.wait_ms(key, now_ms, cost)


def test_a_sweep_does_not_pardon_who_is_still_over() -> None:
    limiter = AddressLimiter(1, 0)
    for number in range(Buckets.SWEEP_AT):
        limiter.admit(str(number), 0)
    limiter.admit("flood", 900)
    assert limiter.admit("flood", 1_000) is not None


def test_no_open_address_is_kept_after_all_left() -> None:
    limiter = AddressLimiter(0, 5)
    for _ in range(3):
        limiter.on_open("a")
    for _ in range(3):
        limiter.on_close("a")
    assert not limiter._open


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2::3", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::3", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("local", "local"),
        ("", ""),
    ],
)
def test_an_ipv6_network_counts_as_one_address(address: str, counted: str) -> None:
    assert counted_address(address) == counted


@given(st.integers(1, 50), st.integers(2, 1_000))
def test_addresses_that_take_all_they_can_leave_as_much_to_one_more(addresses: int, places: int) -> None:
    held = [0] * addresses
    while any(held[one] < share_of_address(places - sum(held), 0) for one in range(addresses)):
        for one in range(addresses):
            if held[one] < share_of_address(places - sum(held), 0):
                held[one] += 1
    assert places - sum(held) >= places // (addresses + 1)


def test_an_address_has_a_few_places_always_and_its_own_bound() -> None:
    assert share_of_address(free=1, least=3) == 3
    assert share_of_address(free=10, least=3) == 10
    assert share_of_address(free=10, least=3, limit=5) == 5
    assert share_of_address(free=1, least=3, limit=2) == 2
