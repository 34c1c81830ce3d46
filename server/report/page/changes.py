"""What changed since the previous report: the key figures stored with a report compared. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from server.console.counted import counted
from server.db.same_lists import ListName, matched
from server.report.page.key_figures import Key, List, Place
from server.report.page.leaders import gone, ranked
from server.report.page.wording import say
from server.report.page.words import ReportData, game_name, moment
from server.report.plots import Cell, Part, Table

_SAID: Final = 3
"""Sentences of a kind on the first screen."""
NAME: Final = "report.json"
"""File next to the report."""


def key(data: ReportData, as_of_ms: int, files: Sequence[str], chosen: str) -> Key:
    by_game = dict(data.games.group_by("game").len().sort("game").rows())
    lists = [
        List(row["run_id"], f"{row['ladder']}: {row['list']}", _places(data, row["run_id"]))
        for row in data.frames.lists.rows(named=True)
    ]
    return Key(as_of_ms, data.games.height, data.frames.moves.height, by_game, lists, [*files], chosen)


def _places(data: ReportData, run: str) -> list[Place]:
    away = gone(data, run)
    return [
        Place(
            data.players[row["player_id"]],
            row["place"],
            row["rating"],
            row["games"],
            row["low"],
            row["high"],
            row["superiority"],
            row["player_id"] in away,
            row["bot"],
            row["version"],
        )
        for row in ranked(data, run)
    ]


class Traced(NamedTuple):
    """A bot of a list, and where it stood before; None for a new one."""

    before: Place | None
    now: Place
    change: float | None
    """Change of its rating, against the mean of the bots that were there before: a newcomer moves nobody else."""


def traced(before: List, now: List) -> list[Traced]:
    """The bots of the later list. A second version of a bot renames the first, which is still the same bot."""
    versions = {(place.name, place.version): place for place in before.places if place.name}
    found = [versions.get((place.name, place.version)) for place in now.places]
    names = {place.bot: place for place in before.places if place not in found}
    pasts = [past or names.get(place.bot) for place, past in zip(now.places, found, strict=True)]
    gains = [place.rating - past.rating if past else None for place, past in zip(now.places, pasts, strict=True)]
    known = [gain for gain in gains if gain is not None]
    shift = sum(known) / max(1, len(known))
    return [
        Traced(past, place, None if gain is None else gain - shift)
        for past, place, gain in zip(pasts, now.places, gains, strict=True)
    ]


def changes(before: Key, now: Key) -> Part:
    sentences = [f"Since the report of {moment(before.as_of_ms)} (UTC)."]
    if before.chosen != now.chosen:
        sentences.append(
            f"It covered {before.chosen}, this one covers {now.chosen}, so their numbers of games are not comparable."
        )
    rows: list[tuple[Cell, ...]] = [
        (game_name(game), now.by_game.get(game, 0), _more(now.by_game.get(game, 0) - before.by_game.get(game, 0)))
        for game in {**now.by_game, **before.by_game}
    ]
    rows.append(("all games", now.games, _more(now.games - before.games)))
    rows.append(("all moves", now.moves, _more(now.moves - before.moves)))
    tables = [Table("Games", ("", "now", "change"), rows)]
    both = [(one.title, traced(old, one)) for old, one in same_lists(before, now)]
    sentences += [f"New: {one.title}, with {counted(len(one.places), 'bot')}." for one in new_lists(before, now)]
    tables += [_places_changed(title, bots) for title, bots in both if any(map(_news, bots))]
    unchanged = [title for title, bots in both if not any(map(_news, bots))]
    if unchanged:
        sentences.append(f"Unchanged: {', '.join(unchanged)}.")
    gone = [one.title for one in gone_lists(before, now)]
    if gone:
        sentences.append(f"Not in this report: {', '.join(gone)}.")
    return Part("changes", "What changed", tuple(sentences), (), tuple(tables))


def same_lists(before: Key, now: Key) -> list[tuple[List, List]]:
    """The lists of both, as they were and as they are; of those with other settings the name is the same."""
    return [*matched(before.lists, now.lists, lambda one: ListName(one.run, one.title))]


def new_lists(before: Key, now: Key) -> list[List]:
    known = [one for _, one in same_lists(before, now)]
    return [one for one in now.lists if one not in known]


def gone_lists(before: Key, now: Key) -> list[List]:
    known = [old for old, _ in same_lists(before, now)]
    return [one for one in before.lists if one not in known]


def headlines(before: Key | None, now: Key) -> tuple[str, ...]:
    """The changes in a few sentences: games, leaders, who gained most, and what is new."""
    if before is None:
        return (say("changes.first"),)
    said = [
        say(
            "changes.since",
            since=moment(before.as_of_ms),
            games=_more(now.games - before.games) or "no more",
            count=now.games,
        )
    ]
    if before.chosen != now.chosen:
        said.append(say("changes.other", before=before.chosen, now=now.chosen))
    both = [(old, one, traced(old, one)) for old, one in same_lists(before, now)]
    leaders = [(old.leader, one.leader, one.title, bots) for old, one, bots in both if old.leader and one.leader]
    led = [(old, new, title) for old, new, title, bots in leaders if not any(one[:2] == (old, new) for one in bots)]
    said += [say("changes.leader", list=title, new=new.bot, old=old.bot) for old, new, title in led[:_SAID]]
    if leaders and not led:
        said.append(say("changes.leaders", count=len(leaders)))
    gains = _gains([(one.title, bots) for _, one, bots in both])
    said += [say("changes.moved", list=title, bot=bot, elo=f"{gain:+,}") for gain, bot, title in gains[:_SAID]]
    new = [one.title for one in new_lists(before, now)]
    if new:
        said.append(say("changes.new", lists=", ".join(new[:_SAID]), count=len(new)))
    found = [one for _, _, bots in both for one in bots]
    added = sorted({one.now.bot for one in found if not one.before} - {one.now.bot for one in found if one.before})
    if added:
        said.append(say("changes.bots", bots=", ".join(added[: 2 * _SAID])))
    return tuple(said)


def _gains(lists: Sequence[tuple[str, Sequence[Traced]]]) -> list[tuple[int, str, str]]:
    """Ratings that changed by more than both intervals explain, largest change first."""
    found = [
        (round(one.change), one.now.bot, title)
        for title, bots in lists
        for one in bots
        if one.before and one.change and abs(one.change) > _reach(one.before, one.now, one.change > 0)
    ]
    return sorted(found, key=lambda gain: (-abs(gain[0]), gain[1:]))


def _reach(old: Place, new: Place, up: bool) -> float:
    """How far chance may move a rating: its intervals' sides towards each other, put together as independent errors.

    The interval of a difference by the MOVER (Zou & Donner, Statistics in Medicine 27, 2008). For one list that was
    continued, it is wider than necessary, since some of the games are the same. Infinite for reports without intervals.
    """
    if old.low is None or old.high is None or new.low is None or new.high is None:
        return math.inf
    return math.hypot(
        *(old.high - old.rating, new.rating - new.low) if up else (old.rating - old.low, new.high - new.rating)
    )


def _news(one: Traced) -> bool:
    told = {(place.place, place.rating, place.games) for place in (one.before, one.now) if place}
    return len(told) > 1 or one.before is None


def _places_changed(title: str, bots: Sequence[Traced]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for old, one, change in bots:
        if old is None or change is None:
            rows.append((one.bot, one.place, "new", round(one.rating), "", one.games, ""))
        else:
            rows.append(
                (one.bot, one.place, _moved(old.place - one.place), round(one.rating), _more(round(change)), one.games,
                 _more(one.games - old.games))
            )  # fmt: skip
    note = "" if all(one.before for one in bots) else say("changes.entered")
    return Table(f"{title}: standings", ("bot", "place", "", "Elo", "change", "games", "change"), rows, note)


def _moved(up: int) -> str:
    return "" if up == 0 else f"{'up' if up > 0 else 'down'} {abs(up)}"


def _more(change: int) -> str:
    return f"{change:+,}" if change else ""
