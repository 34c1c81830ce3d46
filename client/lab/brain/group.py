"""`noughts brain`: its commands, which load searches once they are used."""

from __future__ import annotations

from typing import Final

import click

from server.console.lazy import Lazy, LazyGroup

_COMMANDS: Final = {
    "ugi": Lazy("client.lab.brain.ugi:ugi", "UGI: any game, any arena that drives engines as in chess."),
    "gomocup": Lazy("client.lab.brain.command:gomocup", "Gomocup and Piskvork: gomoku of any size."),
    "codingame": Lazy("client.lab.brain.command:codingame", "CodinGame: Ultimate, or its first league."),
    "servt": Lazy("client.lab.brain.command:servt", "The nine-board server of UNSW: joins it as an agent."),
}


@click.group(cls=LazyGroup, lazy=_COMMANDS)
def brain() -> None:
    """Be an engine in other people's arenas, by the protocol that they speak."""
