"""An engine as its users see it: it is asked for moves; its process comes and goes behind that."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from engine.bots.fault import BotFault
from engine.rules.notation import shown
from engine.rules.position import Rules
from engine.search.decision import Decision
from engine.search.watch import NO_WATCH, Watch
from server.workers.children import LONGEST_PAUSE_S, Pauses
from server.workers.engines.dialogue import Dialogue, Event, Question, Ready, Report, Say
from server.workers.engines.engine import Engine
from server.workers.engines.files import CannotRun
from server.workers.engines.leash import LeashedProcess
from server.workers.engines.protocols import dialogue

START_MS: Final = 8_000
"""Time from the start of its process until it is ready."""
PREPARE_MS: Final = START_MS + round(1000 * LONGEST_PAUSE_S)
"""The same with the pause before it that follows faults."""
LATE_MS: Final = 500
"""A move that is this late loses on time."""
HANG_MS: Final = 1_500
"""An engine that is silent this long after its time hangs, and is ended."""
_LOOK_S: Final = 0.02
"""How often to check whether the caller still wants the answer."""


class Unwanted(Exception):
    """The answer is no longer wanted; the engine was ended, since it still thinks about it."""


class Session:
    """Whatever an engine does wrong ends its process, and costs it the game that it was asked for: BotFault."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._process: LeashedProcess | None = None
        self._dialogue: Dialogue
        self._pauses = Pauses()
        self._not_before_s = 0.0
        self._unready: BotFault | None = None
        """why it was not ready in time when it was prepared last"""
        self._thought_ms = 0
        """of its current process"""

    @property
    def pid(self) -> int | None:
        """Id of its process, while it has one."""
        return self._process.pid if self._process is not None else None

    def prepare(self, rules: Rules, watch: Watch, *, starts_anyway: bool = False) -> None:
        """Have a process that is ready to be asked. Raises BotFault or Unwanted.

        One that `starts_anyway` is broken off in the pause after a fault alone, and not while it starts. If it was not
        ready in time when it was prepared, it is not given the same time again.
        """
        unready, self._unready = self._unready, None
        if starts_anyway and unready is not None:
            raise unready
        if self._process is not None and self._is_worn:
            self.end()
        if self._process is None:
            try:
                with self._ended_by_faults():
                    self._start(rules, watch, NO_WATCH if starts_anyway else watch)
            except BotFault as fault:
                self._unready = fault if fault.termination == "stall" and not starts_anyway else None
                raise

    def decide(self, question: Question, watch: Watch) -> Decision:
        """The engine's move, which is legal. Raises BotFault or Unwanted."""
        self.prepare(question.rules, watch, starts_anyway=True)
        if watch.stopped():  # it was only to be prepared
            raise Unwanted
        with self._ended_by_faults():
            decision = self._ask(question, watch)
        self._pauses.reset()
        return decision

    def end(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None
            self._thought_ms = 0

    @property
    def _is_worn(self) -> bool:
        """Whether its process might soon have used up its processor time, in the middle of a game.

        One that remembers its game cannot be started anew.
        """
        return not self._engine.remembers and self._thought_ms * (os.cpu_count() or 1) > 500 * self._engine.cpu_s

    @contextmanager
    def _ended_by_faults(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            self.end()
            if isinstance(error, BotFault):
                self._not_before_s = time.monotonic() + self._pauses.after_failure()
            raise

    def _start(self, rules: Rules, watch: Watch, start_watch: Watch) -> None:
        while (left_s := self._not_before_s - time.monotonic()) > 0:
            if watch.stopped():
                raise Unwanted
            time.sleep(min(left_s, _LOOK_S))  # in a worker's process, which has nothing else to do meanwhile
        try:
            self._process = LeashedProcess(self._engine)
        except (CannotRun, OSError) as error:
            raise BotFault("crash", f"cannot be started: {error}") from None
        self._dialogue = dialogue(self._engine)
        self._exchange(self._dialogue.begin(rules), START_MS, start_watch, "was not ready", starts=True)

    def _ask(self, question: Question, watch: Watch) -> Decision:
        assert self._process is not None
        while (line := self._process.line(0)) is not None:  # written since its last answer
            self._dialogue.hear(line)
        asked = self._dialogue.ask(question)
        answer, took_ms = self._exchange(asked, question.move_ms + HANG_MS, watch, "did not answer")
        assert isinstance(answer, Decision)
        self._thought_ms += took_ms
        if took_ms > question.move_ms + LATE_MS:
            raise BotFault("flag", f"took {took_ms} ms of its {question.move_ms}")
        return answer

    def _exchange(
        self, events: Sequence[Event], patience_ms: int, watch: Watch, failing: str, *, starts: bool = False
    ) -> tuple[Ready | Decision, int]:
        """Carries out what the dialogue says until it comes to something, with the milliseconds that took.

        Where it comes to nothing in time, the fault quotes a line that the engine has not ended; of one that `starts`
        also what it wrote to its stderr last.
        """
        process = self._process
        assert process is not None
        process.begin_turn()
        begun_s, to_do = time.monotonic(), deque(events)
        while True:
            while to_do:
                event = to_do.popleft()
                if isinstance(event, Say):
                    process.say(event.line)
                elif isinstance(event, Report):
                    watch.report(*event)
                else:
                    return event, round((time.monotonic() - begun_s) * 1000)
            looked_s = time.monotonic()
            if watch.stopped():
                raise Unwanted
            begun_s += time.monotonic() - looked_s  # where it was held, its time has stood still
            if (time.monotonic() - begun_s) * 1000 > patience_ms:
                said = process.last_words() if starts else ""
                if half := process.half_line():
                    said = f": it wrote {shown(half)} and did not end the line{said}"
                elif starts and not said:
                    said = " (it must flush each line that it writes)"
                raise BotFault("stall", f"{failing} within {patience_ms} ms and was ended{said}")
            line = process.line(_LOOK_S)
            if line is not None:
                to_do.extend(self._dialogue.hear(line))
