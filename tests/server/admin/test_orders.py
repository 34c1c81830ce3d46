"""The orders of an operator."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import get_args

import msgspec
import pytest

from server.admin import orders
from server.admin.orders import MOST_MS, Announce, Ban, Order


def test_every_order_is_understood() -> None:
    assert set(get_args(Order)) == set(orders._Order.__subclasses__())


@pytest.mark.parametrize("order", [Ban(player="1", ms=MOST_MS, address_ms=MOST_MS), Announce(text="", ms=MOST_MS)])
def test_the_longest_time_ends_at_a_date(order: Order) -> None:
    assert msgspec.json.decode(msgspec.json.encode(order), type=Order) == order
    assert datetime.now(UTC) + timedelta(milliseconds=MOST_MS) < datetime(9000, 1, 1, tzinfo=UTC)
