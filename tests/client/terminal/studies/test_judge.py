"""The engine's process: asked, answered, passed over, dead."""

from __future__ import annotations

import asyncio
import sys

import pytest

from client.terminal.studies import judge
from client.terminal.studies.judge import Judge, JudgeGone

_ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["game"] == "die":
        sys.exit()
    if asked["game"] == "noise":
        print("noise", flush=True)
    print(json.dumps({"id": asked["id"], "found": None, "judged": None}), flush=True)
"""


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "_PROCESS", ("-c", _ECHO))


@pytest.mark.usefixtures("echo")
async def test_an_answer_that_nobody_waits_for_is_passed_over() -> None:
    asking = Judge()
    await asking.ask("tictactoe", ())
    second = asyncio.ensure_future(asking.ask("tictactoe", ("a1",)))
    await asyncio.sleep(0)  # it is asked now
    second.cancel()
    assert (await asking.ask("tictactoe", ("b2",))).id == 3
    await asking.stop()


@pytest.mark.usefixtures("echo")
@pytest.mark.parametrize("trouble", ["die", "noise"])
async def test_a_process_that_ends_or_babbles_is_replaced(trouble: str) -> None:
    asking = Judge()
    with pytest.raises(JudgeGone, match="The engine has stopped"):
        await asking.ask(trouble, ())
    assert (await asking.ask("tictactoe", ())).found is None
    await asking.stop()
    await asking.stop()


async def test_no_process_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(JudgeGone):
        await Judge().ask("tictactoe", ())
