"""What `noughts ladder check` and `ladder run` print with --json. Names are those of the page's answers. Pure."""

from __future__ import annotations

from typing import Any

from server.ladder.config import BotList, Ladder
from server.ladder.run import RunningList


def asked_for(asked: Ladder, file: str) -> dict[str, Any]:
    """A configuration."""
    return {"ladder": asked.name, "file": file, "lists": [_asked(one) for one in asked.lists]}


def _asked(one: BotList) -> dict[str, Any]:
    return {
        "run": one.run_id,
        "list": one.name,
        "game": one.game,
        "limit": one.settings["limit"],
        "bots": [bot.name for bot in one.bots],
        "opening_plies": one.opening_plies,
        "openings": one.different_openings,
        "mode": one.mode,
        "games": 2 * one.line_up().robin,
    }


def standing(one: RunningList) -> dict[str, Any]:
    """A list at the end of a run."""
    found = one.standings
    return {
        "run": one.config.run_id,
        "list": one.config.name,
        "game": one.config.game,
        "games": 2 * one.pairs,
        "complete": one.schedule.round.reason or None,
        "advantage": found.fitted.advantage if found else None,
        "drawing": found.fitted.drawing if found else None,
        "standings": _standings(one),
    }


def _standings(one: RunningList) -> list[dict[str, Any]]:
    """Best first; without games a bot has neither place nor rating."""
    found = one.standings
    if found is None:
        return []
    rows = []
    for place, bot in enumerate(found.order, start=1):
        played = bot not in found.unplayed
        figures = found.bots[bot]._asdict()
        rows.append(
            {
                "place": place if played else None,
                "bot": one.config.entrants[bot].name,
                "version": one.config.entrants[bot].version,
                **{name: value if played else None for name, value in figures.items()},
                "retired": bot in found.retired,
                "left": bot in found.left,
            }
        )
    return rows
