"""Figures as the page writes them. Pure but for the language that is spoken."""

from __future__ import annotations

from client.terminal.language import number, t
from server.wire import BotLimit


def percent(share: float) -> str:
    """62 %; never a whole 100 % or 0 % where a little is missing."""
    exact = 100 * share
    if 0 < exact < 1 or 99 < exact < 100:
        return t("figures.percent", percent=number(f"{min(99.9, max(0.1, exact)):.1f}"))
    return t("figures.percent", percent=f"{exact:.0f}")


def elo(value: float) -> str:
    """+31, -180, 0."""
    return f"{round(value):+d}" if round(value) else "0"


def limit_words(limit: BotLimit | None) -> str:
    """What a bot of a list may spend on a move."""
    if limit is not None and limit.nodes is not None:
        return t("figures.limit.nodes", count=limit.nodes)
    if limit is not None and limit.depth is not None:
        return t("figures.limit.depth", count=limit.depth)
    if limit is not None and limit.move_ms is not None:
        return t("figures.limit.seconds", seconds=number(f"{limit.move_ms / 1000:g}"))
    return t("figures.limit.own")
