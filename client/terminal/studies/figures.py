"""Figures as the page writes them. Pure but for the language that is spoken."""

from __future__ import annotations

from client.terminal.language import number, t


def percent(share: float) -> str:
    """62 %; never a whole 100 % or 0 % where a little is missing."""
    exact = 100 * share
    if 0 < exact < 1 or 99 < exact < 100:
        return t("figures.percent", percent=number(f"{min(99.9, max(0.1, exact)):.1f}"))
    return t("figures.percent", percent=f"{exact:.0f}")
