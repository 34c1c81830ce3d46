"""How much one connection, player or address may ask of the server. Pure: time is an argument."""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv6Address


class TokenBucket:
    """Lets `rate` things a second through, `burst` at once. A rate of 0 lets everything through."""

    __slots__ = ("_burst", "_rate", "_tokens", "_updated_ms")

    def __init__(self, rate: float, burst: float, now_ms: int) -> None:
        self._rate = rate
        self._burst = max(burst, 1.0)
        self._tokens = self._burst
        self._updated_ms = now_ms

    def take(self, now_ms: int) -> bool:
        """Whether one more may pass now."""
        if not self._rate:
            return True
        earned = (now_ms - self._updated_ms) * self._rate / 1000
        self._updated_ms = now_ms
        self._tokens = min(self._burst, self._tokens + earned)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def is_full(self, now_ms: int) -> bool:
        """Whether it has forgotten all that passed, so that a new one would be the same."""
        return self._tokens + (now_ms - self._updated_ms) * self._rate / 1000 >= self._burst


def counted_address(address: str) -> str:
    """The address that limits count: for IPv6 its first half, since one customer usually owns all addresses in it."""
    try:
        parsed = IPv6Address(address)
    except ValueError:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"


class AddressLimiter:
    """Counts connections by address: at most `open_limit` at a time and `rate` new ones a second."""

    SWEEP_AT = 10_000
    """Addresses remembered before those that have calmed down are forgotten."""

    def __init__(self, rate: float, open_limit: int) -> None:
        self._rate = rate
        self._open_limit = open_limit
        self._open: Counter[str] = Counter()
        self._arrivals: dict[str, TokenBucket] = {}

    def admit(self, address: str, now_ms: int) -> str | None:
        """None where a new connection may come in, else the reason why not."""
        if self._open_limit and self._open[address] >= self._open_limit:
            return f"Too many connections from your address: {self._open_limit} may be open at a time."
        bucket = self._arrivals.get(address)
        if bucket is None:
            if len(self._arrivals) >= self.SWEEP_AT:
                self._sweep(now_ms)
            bucket = self._arrivals[address] = TokenBucket(self._rate, self._rate, now_ms)
        if not bucket.take(now_ms):
            return f"Too many new connections from your address: {self._rate:g} a second may come. Try again shortly."
        return None

    def on_open(self, address: str) -> None:
        self._open[address] += 1

    def on_close(self, address: str) -> None:
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def _sweep(self, now_ms: int) -> None:
        self._arrivals = {address: kept for address, kept in self._arrivals.items() if not kept.is_full(now_ms)}
