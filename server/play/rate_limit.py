"""How much one connection, player or address may ask of the server. Pure: time is an argument."""

from __future__ import annotations

from collections import Counter, OrderedDict
from enum import Enum, auto
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import NamedTuple

LONGEST_WAIT_MS = 1000 * 365 * 86_400_000
"""A thousand years."""


class Refusal(NamedTuple):
    """A limit that was met."""

    limit: str
    """the setting, or the name of a fixed bound"""
    sentence: str
    """what was wrong, and when to come back"""
    wait_s: int = 1
    """how long until then, where that is known"""


class TokenBucket:
    """Lets `rate` things a second through, `burst` at once. A rate of 0 lets everything through."""

    __slots__ = ("_burst", "_rate", "_tokens", "_updated_ms")

    def __init__(self, rate: float, burst: float, now_ms: int) -> None:
        self._rate = rate
        self._burst = max(burst, 1.0)
        self._tokens = self._burst
        self._updated_ms = now_ms

    def take(self, now_ms: int, cost: float = 1.0) -> bool:
        """Whether one more may pass now, that counts for `cost`; nothing counts for more than the burst."""
        if not self._rate:
            return True
        cost = min(cost, self._burst)
        earned = (now_ms - self._updated_ms) * self._rate / 1000
        self._updated_ms = now_ms
        self._tokens = min(self._burst, self._tokens + earned)
        if self._tokens < cost:
            return False
        self._tokens -= cost
        return True

    def wait_ms(self, cost: float = 1.0) -> int:
        """How long until one may pass that was just refused."""
        missing = min(cost, self._burst) - self._tokens
        # A rate may be so small that a float cannot hold how long it takes.
        return ceil(min(missing * 1000 / self._rate, LONGEST_WAIT_MS))

    def is_full(self, now_ms: int) -> bool:
        """Whether all that passed is forgotten, so that it equals a new one."""
        return self._tokens + (now_ms - self._updated_ms) * self._rate / 1000 >= self._burst


class Buckets:
    """A token bucket for each key."""

    SWEEP_AT = 10_000
    """Keys remembered before those that have calmed down are forgotten."""
    SWEPT = 2
    """How many a new key looks at then, the ones not looked at for longest: all at once would take milliseconds."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def wait_ms(self, key: str, now_ms: int, cost: float = 1.0) -> int:
        """0 where one more passes now, else how long until one may."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= self.SWEEP_AT:
                self._sweep(now_ms)
            bucket = self._buckets[key] = TokenBucket(self._rate, self._burst, now_ms)
        return 0 if bucket.take(now_ms, cost) else bucket.wait_ms(cost)

    def _sweep(self, now_ms: int) -> None:
        for _ in range(self.SWEPT):
            key, bucket = self._buckets.popitem(last=False)
            if not bucket.is_full(now_ms):
                self._buckets[key] = bucket


def share_of_address(free: int, least: int, limit: int = 0) -> int:
    """How many of the shared places an address may hold: as many as are left, and always up to `least`.

    So n addresses that take all they can hold one part in n + 1 each, and leave as much for the next one (dynamic
    thresholds: Choudhury and Hahne, 1998). `limit` is a bound of its own, 0 for none.
    """
    share = max(free, least)
    return min(limit, share) if limit else share


@lru_cache(maxsize=1024)  # at every connection and request
def plain_address(address: str) -> str:
    """An address in the one way in which it is compared: a socket for both kinds writes those of IPv4 as IPv6."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(parsed.ipv4_mapped or parsed) if isinstance(parsed, IPv6Address) else str(parsed)


def counted_address(address: str) -> str:
    """The address that limits count: for IPv6 its first half, since one customer usually owns all addresses in it."""
    plain = plain_address(address)
    try:
        return f"{IPv6Address(int(IPv6Address(plain)) >> 64 << 64)}/64"
    except ValueError:
        return plain


@lru_cache(maxsize=1024)  # a flooding client is looked up at every refusal
def network_of(address: str) -> str:
    """The network of a counted address, which is nobody's alone: /24, or /48 for IPv6."""
    try:
        parsed = ip_address(address.partition("/")[0])
    except ValueError:
        return address
    return str(ip_network((parsed, 24 if parsed.version == 4 else 48), strict=False))


class Verdict(Enum):
    """What becomes of a client that went over its limits once more."""

    REFUSE = auto()
    PAUSE = auto()
    """read nothing of it for a while"""
    CLOSE = auto()


class Patience:
    """How long a client over its limits is tolerated: each excess is refused, then reading pauses, then the client is
    dropped.

    A client that is a little too fast is told so. Refusing a flood costs something each time, so refusals are limited,
    and pauses follow; a client that still floods after those will not stop.
    """

    REFUSALS = 400
    REFUSALS_PER_S = 50.0
    PAUSES = 5
    PAUSES_PER_S = 1 / 15

    __slots__ = ("_pauses", "_refusals")

    def __init__(self, now_ms: int) -> None:
        self._refusals = TokenBucket(self.REFUSALS_PER_S, self.REFUSALS, now_ms)
        self._pauses = TokenBucket(self.PAUSES_PER_S, self.PAUSES, now_ms)

    def judge(self, now_ms: int) -> Verdict:
        if self._refusals.take(now_ms):
            return Verdict.REFUSE
        return Verdict.PAUSE if self._pauses.take(now_ms) else Verdict.CLOSE


class AddressLimiter:
    """Counts by address: connections, of which `open_limit` may be open at a time, websockets, of which `rate` new ones
    may come a second, and what requests cost."""

    COST_PER_S, COST_AT_ONCE = 2, 20
    """What requests may cost, relative to the rate of new websockets: a page and what it loads come all at once."""

    def __init__(self, rate: float, open_limit: int) -> None:
        self._rate = rate
        self._open_limit = open_limit
        self._open: Counter[str] = Counter()
        self._arrivals = Buckets(rate, rate)
        self._costs = Buckets(rate * self.COST_PER_S, rate * self.COST_AT_ONCE)

    def admit(self, address: str, now_ms: int) -> Refusal | None:
        """None where a new websocket may come in."""
        over = self.too_many(address)
        if over is None and self._arrivals.wait_ms(address, now_ms):
            return Refusal(
                "address_rate",
                f"Too many new connections from your address: {self._rate:g} a second are allowed. Try again shortly.",
            )
        return over

    def too_many(self, address: str) -> Refusal | None:
        """None where one more connection may be open."""
        if self._open_limit and self._open[address] >= self._open_limit:
            return Refusal(
                "address_open", f"Too many connections from your address: {self._open_limit} may be open at a time."
            )
        return None

    def wait_ms(self, address: str, cost: float, now_ms: int) -> int:
        """0 where a request of this cost may be answered now, else how long until it may."""
        return self._costs.wait_ms(address, now_ms, cost)

    def open_from(self, address: str) -> int:
        return self._open[address]

    def on_open(self, address: str) -> None:
        self._open[address] += 1

    def on_close(self, address: str) -> None:
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]
