from typing import Any

import pytest

from engine.rules.limit import NO_LIMIT, Limit


@pytest.mark.parametrize("name", ["move_ms", "nodes", "depth"])
def test_one_bound_is_kept(name: str) -> None:
    assert getattr(Limit(**{name: 7}), name) == 7


def test_none_is_a_limit_too() -> None:
    assert Limit() == NO_LIMIT


@pytest.mark.parametrize(
    "bounds",
    [{"move_ms": 0}, {"nodes": -1}, {"depth": 1.5}, {"depth": True}, {"depth": "3"}, {"nodes": 5, "depth": 2}],
)
def test_anything_else_is_refused(bounds: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must be a whole number of at least 1|one bound, not nodes and depth"):
        Limit(**bounds)
