"""`noughts ladder`: its commands, which load ratings and searches once they are used."""

from __future__ import annotations

from typing import Final

import click

from server.console.lazy import Lazy, LazyGroup

_COMMANDS: Final = {
    "run": Lazy("server.ladder.command:run", "Play the lists of CONFIG."),
    "check": Lazy("server.ladder.command:check", "Show what CONFIG asks for, without playing."),
    "runs": Lazy("server.ladder.compare_command:runs", "List the ladders of a database and their nights."),
    "compare": Lazy("server.ladder.compare_command:compare", "Compare two runs: ratings and places."),
    "history": Lazy("server.ladder.compare_command:history", "Show how the ratings of RUN came about."),
}


@click.group(cls=LazyGroup, lazy=_COMMANDS)
def ladder() -> None:
    """Let many bots play each other for hours and rate them."""
