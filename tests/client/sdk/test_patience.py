"""Requests that are repeated until they are granted."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from client.sdk.errors import NoughtsError, ProtocolError, RequestRefused, ServerUnreachable
from client.sdk.patience import DELAYS_S, until_possible
from server.wire import ErrorCode

LOST = ServerUnreachable("The connection was lost.", in_doubt=True)


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that would have been waited."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return slept


class Asked:
    """Answers with each of these in turn."""

    def __init__(self, *answers: str | NoughtsError) -> None:
        self._answers = iter(answers)

    async def __call__(self) -> str:
        answer = next(self._answers)
        if isinstance(answer, NoughtsError):
            raise answer
        return answer


@pytest.mark.parametrize("code", ["busy", "shutting_down", "too_fast", "unavailable"])
async def test_what_may_succeed_in_a_moment_is_asked_again(code: ErrorCode, slept: list[float]) -> None:
    refused = RequestRefused(code, "Not now.")
    assert await until_possible(Asked(refused, LOST, refused, "granted", "twice")) == "granted"
    assert len(slept) == 3


async def test_it_is_asked_less_and_less_often_and_not_by_all_at_once(slept: list[float]) -> None:
    await until_possible(Asked(*[LOST] * 40, "granted"))
    expected = [*DELAYS_S, *[DELAYS_S[-1]] * (40 - len(DELAYS_S))]
    assert all(delay_s / 2 <= waited <= delay_s * 1.5 for delay_s, waited in zip(expected, slept, strict=True))
    assert all(first < second for first, second in pairwise(DELAYS_S))
    assert len(set(slept)) == len(slept)


@pytest.mark.parametrize(
    "error",
    [RequestRefused("not_found", "No."), ServerUnreachable("No server answers."), ProtocolError("Another version.")],
)
async def test_what_will_not_succeed_is_not_asked_again(error: NoughtsError, slept: list[float]) -> None:
    with pytest.raises(NoughtsError) as raised:
        await until_possible(Asked(LOST, error, "granted"))
    assert raised.value is error
    assert len(slept) == 1
