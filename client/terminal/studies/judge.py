"""The engine as the terminal asks it: a process of its own, started with the first question."""

from __future__ import annotations

import asyncio
import itertools
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process

import msgspec
from msgspec import Struct

from client.sdk import NoughtsError
from client.terminal.language import t
from server.wire import JudgedMove

_PROCESS = ("-m", "client.terminal.studies.judge_process")
_LINE_BYTES = 1 << 20


class Question(Struct):
    id: int
    game: str
    moves: list[str]
    judge: bool
    """Whether the last move is judged too."""


class Found(Struct, frozen=True):
    """What best play leads to. `value` is for the side to move, proven where it is `exact`, else an estimate."""

    exact: bool
    value: float
    even: float
    """Estimates closer to 0 favour nobody."""
    win_in: int | None
    """Plies to the forced end; negative for a loss."""
    bound: bool
    """The end may come sooner than `win_in` says."""
    line: list[str]


class Answer(Struct, frozen=True):
    id: int
    found: Found | None
    """None if the game is over."""
    judged: JudgedMove | None


class JudgeGone(NoughtsError):
    """The engine's process ended before it had answered."""


class Judge:
    """Answers one question at a time, and drops an answer that nobody waits for any more."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._ids = itertools.count(1)
        self._turn = asyncio.Lock()

    async def ask(self, game: str, moves: tuple[str, ...], *, judge: bool = False) -> Answer:
        """Seconds at worst, longer while searches are compiled for the first time. Raises JudgeGone."""
        async with self._turn:
            process = self._process = self._process or await _start()
            question = Question(next(self._ids), game, list(moves), judge)
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(msgspec.json.encode(question) + b"\n")
                await process.stdin.drain()
                while line := await process.stdout.readline():
                    answer = msgspec.json.decode(line, type=Answer)
                    if answer.id == question.id:
                        return answer
            except (OSError, msgspec.MsgspecError):
                pass
            await self.stop()
            raise JudgeGone(t("found.gone"))

    async def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def _start() -> Process:
    try:
        # A session of its own: Ctrl-C is meant for the terminal.
        return await asyncio.create_subprocess_exec(
            sys.executable, *_PROCESS, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True,
            limit=_LINE_BYTES,
        )  # fmt: skip
    except OSError:
        raise JudgeGone(t("found.gone")) from None
