"""How many examples a property test draws: few in `make test`, all of them in `make test-slow`."""

from __future__ import annotations

from hypothesis import settings


def examples(number: int) -> settings:
    """Settings of a property to which the deep run gives so many examples, and any other profile in proportion.

    `tests/conftest.py` has the profiles. A property without settings of its own has the 100 of hypothesis.
    """
    assert settings.default is not None
    return settings(max_examples=max(1, number * settings.default.max_examples // 100))
