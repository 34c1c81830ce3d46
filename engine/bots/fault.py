"""What costs a bot its game, raised in place of a decision."""

from __future__ import annotations

from engine.rules.termination import FaultTermination


class BotFault(Exception):
    """The bot to move loses by `termination`. The text ends a sentence that begins with its name."""

    def __init__(self, termination: FaultTermination, what: str) -> None:
        super().__init__(what)
        self.termination = termination
