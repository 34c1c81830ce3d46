"""What changed since the previous report: the key figures stored with a report compared. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.db.same_lists import ListName, matched
from server.report.page.key_figures import Key, List, Place
from server.report.page.leaders import gone, ranked
from server.report.page.wording import say
from server.report.page.words import ReportData, game_name, moment, number
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


def traced(before: List, now: List) -> list[Traced]:
    """Of the bots of the later list. A second version of a bot renames the first, which is the same bot still."""
    versions = {(place.name, place.version): place for place in before.places if place.name}
    found = [versions.get((place.name, place.version)) for place in now.places]
    names = {place.bot: place for place in before.places if place not in found}
    return [Traced(past or names.get(place.bot), place) for place, past in zip(now.places, found, strict=True)]


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
    sentences += [f"New: {one.title}, with {number(len(one.places), 'bot')}." for one in new_lists(before, now)]
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
    led = [(old, new, title) for old, new, title, bots in leaders if Traced(old, new) not in bots]
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
    """Ratings that left their earlier intervals, largest change first: what chance hardly explains."""
    found = []
    for title, bots in lists:
        for earlier, place in bots:
            if earlier is None or earlier.low is None or earlier.high is None:
                continue
            if not earlier.low <= place.rating <= earlier.high:
                found.append((round(place.rating - earlier.rating), place.bot, title))
    return sorted(found, key=lambda gain: (-abs(gain[0]), gain[1:]))


def _news(one: Traced) -> bool:
    told = [(place.place, place.rating, place.games) for place in one if place]
    return len({*told}) > 1 or one.before is None


def _places_changed(title: str, bots: Sequence[Traced]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for old, one in bots:
        if old is None:
            rows.append((one.bot, one.place, "new", round(one.rating), "", one.games, ""))
        else:
            rating = _more(round(one.rating) - round(old.rating))
            rows.append(
                (one.bot, one.place, _moved(old.place - one.place), round(one.rating), rating, one.games,
                 _more(one.games - old.games))
            )  # fmt: skip
    return Table(f"{title}: standings", ("bot", "place", "", "Elo", "change", "games", "change"), rows)


def _moved(up: int) -> str:
    return "" if up == 0 else f"{'up' if up > 0 else 'down'} {abs(up)}"


def _more(change: int) -> str:
    return f"{change:+,}" if change else ""
