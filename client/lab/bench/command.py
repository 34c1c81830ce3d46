"""`noughts bench`: what the server and the command cost on this machine, and how fast the engine searches."""

from __future__ import annotations

from typing import Final

import click

from server.console.interrupts import interrupted_by_signals
from server.console.lazy import Lazy, LazyGroup

_BENCHES: Final = {
    "server": Lazy("client.lab.bench.server.command:server", "What a move, a connection and a page load cost."),
    "workers": Lazy("client.lab.bench.workers:workers", "What a search in a worker process costs."),
    "page": Lazy("client.lab.bench.page.visit:page", "How soon the page shows a game and can be used."),
    "cube": Lazy("client.lab.bench.page.cube:cube", "How smoothly the cube turns."),
    "cli": Lazy("client.lab.bench.cli:cli", "How soon a command answers."),
    "engine": Lazy("client.lab.bench.engine.command:engine", "How fast the engine searches, and its signature."),
    "solve": Lazy("client.lab.bench.solve.command:solve", "How fast games are solved."),
    "tactics": Lazy("client.lab.bench.strength.tactics:tactics", "How many positions with one good move a bot solves."),
    "claims": Lazy("client.lab.bench.strength.claims:claims", "Whether what a bot says is proven holds."),
    "limits": Lazy("client.lab.bench.limits:limits", "How far a bot's moves overrun their time."),
    "levels": Lazy("client.lab.bench.strength.levels:levels", "By how much each level beats the one below."),
    "ladder": Lazy("client.lab.bench.ladder:ladder", "What a ladder costs beside its games."),
    "cluster": Lazy("client.lab.bench.cluster:cluster", "What a cluster costs, and how many workers it feeds."),
    "report": Lazy("client.lab.bench.reports:report", "How fast a report is made."),
    "soak": Lazy("client.lab.bench.soak.command:soak", "What grows in hours of play."),
}


@click.group(cls=LazyGroup, lazy=_BENCHES)
@click.pass_context
def bench(context: click.Context) -> None:
    """Measure the server, the page, the engine and more on this machine."""
    context.with_resource(interrupted_by_signals())
