"""Altekar's bots, and the cuts that their games are searched with."""

from __future__ import annotations

from typing import Final

from engine.search.fixed import Cut

Bot = tuple[int, str]
"""Plies and evaluation."""
BOTS: Final[tuple[Bot, ...]] = tuple((ply, evaluation) for evaluation in ("sum", "weighted") for ply in (2, 3))
CUTS: Final = {Cut.NONE: "no cut", Cut.LOOSE: "alpha >= beta", Cut.STRICT: "alpha > beta"}
