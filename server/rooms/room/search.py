"""The search that a room's bot thinks by: asked for, reported to the room's mailbox, stopped."""

from __future__ import annotations

import logging
from collections.abc import Callable

from engine.bots.player import Decision
from server.play.effects import Think
from server.play.inputs import BotFaulted, SearchDone, SearchFailed, SearchStarted
from server.rooms.room.output import RoomOutput
from server.rooms.room.quietly import quietly
from server.rooms.room.services import RoomServices, SearchReport

log = logging.getLogger(__name__)


class RoomSearch:
    """One search at a time. None of its methods raises."""

    def __init__(
        self,
        output: RoomOutput,
        services: RoomServices,
        post_input: Callable[[SearchStarted | SearchDone | SearchFailed | BotFaulted], None],
    ) -> None:
        self._output = output
        self._services = services
        self._post_input = post_input
        self._stop: Callable[[], None] | None = None

    def ask(self, think: Think) -> None:
        number = think.search
        report = SearchReport(
            started=lambda: self._post_input(SearchStarted(number)),
            progressed=self._show,
            finished=lambda decision, think_us: self._done(number, decision, think_us),
            failed=lambda reason: self._post_input(SearchFailed(number, reason)),  # type: ignore[arg-type]
            faulted=lambda termination, what: self._post_input(BotFaulted(number, termination, what)),
        )
        output = self._output
        try:
            self._stop = self._services.thinking.think(output.session.rules.id, think, bool(output.followers), report)
        except Exception:
            # No fault of the bot: it thinks again in a moment.
            log.exception("a search could not be asked for", extra={"room": output.session.room})
            self._stop = None
        if self._stop is None:
            self._post_input(SearchFailed(number, "busy"))

    def end(self) -> None:
        stop, self._stop = self._stop, None
        if stop is not None:
            quietly(stop)  # an answer that comes nevertheless is passed over

    def _show(self, nodes: int, depth: int, value: float, pv: tuple[int, ...]) -> None:
        quietly(self._output.show_thinking, nodes, depth, value, pv)

    def _done(self, number: int, decision: Decision, think_us: int) -> None:
        self._stop = None
        self._post_input(SearchDone(number, decision, think_us))
