"""What happens in a room, as sentences for one player. Names and chat are cleaned before they are put in.

Pure but for the language that is spoken.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from client.sdk import RoomView
from client.sdk.marks import MARKS
from client.sdk.records import RecordedPlayer, WarmUp
from client.sdk.room_view import Change, SequencedEvent
from client.sdk.text import clean
from client.terminal.drawing.text import cropped
from client.terminal.language import number, t
from client.terminal.words.games import game_name, line_words
from engine.rules.position import other
from engine.search.decision import SURE_PLIES
from engine.search.decision import win_in as win_in_of
from server.wire import (
    ChatLine,
    ClockSettings,
    ClockView,
    Declined,
    Ended,
    Moved,
    Offer,
    Offered,
    Player,
    Present,
    RatingView,
    Result,
    RoomEvent,
    Said,
    Seat,
    Seated,
    Side,
    Started,
    TakenBack,
)

NAME_COLUMNS = 24

LEVEL_WORDS = 8
"""How many words for strength there are, from the lowest level to the highest; the page has the same."""
_WON_BY = (
    "line", "count", "resignation", "flag", "illegal_move", "crash", "stall", "disconnection", "adjudication",
)  # fmt: skip
_DRAWN_BY = ("board_full", "agreement", "adjudication")
_BOT_NAMES = {"random": "bots.random.title", "strongest": "bots.strongest.title", "perfect": "bots.perfect.title"}


def seat_name(seat: Seat | None) -> str:
    return player_name(seat) if seat is not None else t("who.nobody")


def player_name(player: Seat | Player | RecordedPlayer) -> str:
    name = cropped(clean(player.name), NAME_COLUMNS)
    return bot_name(name) if player.kind == "bot" else name


def bot_name(name: str) -> str:
    """A bot's name for people: "Level 2" for `level:2`, "Strongest"; names with other parameters stay as they are."""
    family, _, value = name.partition(":")
    if family == "level" and value.isdecimal():
        return t("bots.level", level=value)
    return t(_BOT_NAMES[name]) if name in _BOT_NAMES else name


def rating_words(view: RoomView, side: Side) -> str:
    """A side's rating: "1512", "1512?" while provisional, "1512 (+12)" after a rated game; empty without one."""
    seat = view.seat(side)
    if seat is None or seat.rating is None:
        return ""
    rating = seat.rating
    shown = rating_text(rating)
    return shown if rating.change is None else f"{shown} ({rating.change:+})"


def rating_text(rating: RatingView) -> str:
    """1512, and 1512? while it is provisional."""
    return f"{rating.value}{'?' if rating.provisional else ''}"


def rated_sentence(view: RoomView, marks: tuple[str, str] = MARKS) -> str:
    """What the end of a game does to the ratings; empty if nothing was at stake."""
    if not view.rated or view.result is None or view.result.termination == "aborted":
        return ""
    if all(seat is None or seat.rating is None or seat.rating.change is None for seat in (view.x, view.o)):
        return t("result.short")
    return ratings_sentence(view, marks)


def ratings_sentence(view: RoomView, marks: tuple[str, str] = MARKS) -> str:
    """The ratings of the players who sit here; empty if nobody has one."""
    sides: tuple[Side, ...] = ("x", "o")
    told = [f"{who(view, side, marks)} {rating_words(view, side)}" for side in sides if rating_words(view, side)]
    return t("result.ratings", ratings=", ".join(told)) if told else ""


def who(view: RoomView, side: Side, marks: tuple[str, str] = MARKS) -> str:
    """A side with its name, or "You" for the viewer: the beginning of a sentence."""
    mark = marks[side == "o"]
    if view.you == side:
        return t("who.you", mark=mark)
    if view.you == "both":
        return mark
    return t("who.name", name=seat_name(view.seat(side)), mark=mark)


def _person(view: RoomView, side: Side) -> str:
    """Which form of a sentence says what a side does."""
    return "you" if view.you == side else "other"


def clock_time(ms: int) -> str:
    """Time left: 1:02:03, 4:05, and below twenty seconds 9.8."""
    if ms < 20_000:
        return number(f"{ms // 100 / 10:.1f}")
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def clock_settings(clock: ClockView | ClockSettings | None) -> str:
    if clock is None:
        return t("clock.none")
    if clock.move_ms is not None:
        return t("clock.move", seconds=number(f"{clock.move_ms / 1000:g}"))
    return number(f"{(clock.initial_ms or 0) / 60_000:g}+{(clock.increment_ms or 0) / 1000:g}")


def result_sentence(view: RoomView, result: Result, marks: tuple[str, str] = MARKS) -> str:
    """How a game ended, as the viewer sees it: "You win: Bob (O) ran out of time." """
    ended = result.termination
    if ended == "aborted":
        return t("result.declined" if result.declined else "result.aborted")
    if result.winner is None:
        return t(f"result.draw.{ended if ended in _DRAWN_BY else 'unknown'}")
    winner, loser = who(view, result.winner, marks), who(view, other(result.winner), marks)
    seen = "win" if view.you == result.winner else "loss" if view.you == other(result.winner) else "other"
    values = {"winner": winner, "loser": loser, "line": line_words(view.rules)}
    return t(f"result.{seen}.{ended if ended in _WON_BY else 'unknown'}", **values)


def change_sentence(before: RoomView, after: RoomView, change: Change, marks: tuple[str, str] = MARKS) -> str | None:
    """What a message changed, in one sentence; None for what only the board and the clocks show."""
    if isinstance(change, Present) and before.seat(change.side) != after.seat(change.side):
        return _presence_sentence(before, after, change, who(after, change.side, marks))
    if isinstance(change, SequencedEvent) and change.event is not None:
        return event_sentence(after, change.event, marks)
    return None


def _presence_sentence(before: RoomView, after: RoomView, change: Present, name: str) -> str | None:
    if after.you == change.side or after.result is not None:
        return None
    if change.present:
        return t("event.here", name=name)
    if change.claim_ms is not None and after.you is not None:
        return t("event.away.claim", name=name, seconds=ceil(change.claim_ms / 1000))
    seat = before.seat(change.side)
    return t("event.away", name=name) if seat is None or seat.present else None


def claim_sentence(view: RoomView, marks: tuple[str, str] = MARKS) -> str:
    """For the player whose opponent has been away for long enough."""
    return t("event.away.claim.now", name=who(view, "x" if view.you == "o" else "o", marks))


def absence_warning(view: RoomView) -> str | None:
    """What a seated player may lose by being away; None if nothing."""
    if view.absent_ms is None or view.you is None or view.result is not None:
        return None
    return t("absence.warning", seconds=ceil(view.absent_ms / 1000))


def event_sentence(view: RoomView, event: RoomEvent, marks: tuple[str, str] = MARKS) -> str | None:
    """`view` is the room after the event."""
    match event:
        case Moved():
            return t(f"event.moved.{_person(view, event.by)}", who=who(view, event.by, marks), move=event.move)
        case Started():
            return _started_sentence(view, event.game.serial, marks)
        case Ended():
            result = result_sentence(view, event.result, marks)
            return f"{result} {rated_sentence(view, marks)}".rstrip()
        case Seated():
            return None  # the start, which follows, names both
        case Offered(what="rematch") if len(view.offers) > 1:
            return None  # both want one: the game that starts says enough
        case Offered():
            return f"{_offered_words(view, event, marks)} {_how_to_answer(view, event)}".rstrip()
        case Declined():
            return t(f"event.declined.{event.what}.{_person(view, event.by)}", who=who(view, event.by, marks))
        case TakenBack():
            return t("event.taken_back", ply=event.ply + 1)
        case Said():
            return said_sentence(event)


def _started_sentence(view: RoomView, serial: int, marks: tuple[str, str]) -> str:
    """The first game of a room is not counted."""
    key = "event.again" if serial > 1 else "event.started"
    x, o = who(view, "x", marks), who(view, "o", marks)
    return t(f"{key}.o" if view.you == "o" else f"{key}.x", x=x, o=o, serial=serial)


def said_sentence(said: Said | ChatLine) -> str:
    return f"{cropped(clean(said.by.name), NAME_COLUMNS)}: {clean(said.text)}"


def last_said(view: RoomView, lines: int) -> list[str]:
    """The newest lines of the chat, the oldest of them first."""
    return [said_sentence(line) for line in view.chat[-lines:]]


def is_others_chat(view: RoomView, change: Change) -> bool:
    """Whether a message is what somebody else said: the part of a room that can be muted."""
    if not isinstance(change, SequencedEvent) or not isinstance(change.event, Said):
        return False
    return change.event.by.id != view.me


def mute_sentence(muted: bool) -> str:
    if muted:
        return t("mute.on")
    return t("mute.off")


def level_words(level: int, highest: int) -> str:
    """How strong a level from 1 to `highest` is."""
    place = (level - 1) / (highest - 1) if highest > 1 else 1
    return t(f"levels.{1 + round(place * (LEVEL_WORDS - 1))}")


def hides_figures(view: RoomView) -> bool:
    """Whether what a bot finds would help the viewer: in their own rated game, until it is over."""
    return view.rated and view.result is None and view.you is not None


def found_sentence(view: RoomView, event: RoomEvent, marks: tuple[str, str] = MARKS) -> str | None:
    """What a bot found at its move, with the moves that it expects; None for any other event, and where it is hidden.

    `view` is the room after the event.
    """
    if not isinstance(event, Moved) or event.search is None or hides_figures(view):
        return None
    search = event.search
    figures = search_words(search.nodes, search.depth, search.value, search.win_in, search.pv, at_most=search.at_most)
    return f"{marks[event.by == 'o']} {event.move}: {figures}"


def search_words(
    nodes: int,
    depth: int,
    value: float | None,
    win_in: int | None = None,
    pv: Sequence[str] = (),
    *,
    at_most: bool = True,
) -> str:
    """Figures of a search in one line; the value is in the bot's own scale, from the view of the side that moves.

    The plies of a proven end are told as a bound unless they are known not to be one. A value that would be that of an
    end says nothing where no end is proven: the bot had not tried every move.
    """
    parts = [t("search.depth", depth=depth), t("search.nodes", count=nodes, nodes=_count(nodes))]
    if win_in:
        form = "" if at_most and abs(win_in) > SURE_PLIES else ".exact"
        parts.append(t(f"search.{'wins' if win_in > 0 else 'loses'}{form}", plies=abs(win_in)))
    elif value is not None and win_in_of(value) is None:
        shown = number(f"{value:+,.0f}" if abs(value) >= 100 else f"{value:+.3g}" if value else "0")
        parts.append(t("search.value", value=shown))
    if len(pv) > 1:
        parts.append(t("moves.expects", moves=" ".join(map(clean, pv[1:6]))))
    return " · ".join(parts)


def _count(nodes: int) -> str:
    """950, 34.5 k, 1.2 M"""
    for divisor, letter in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if nodes >= max(10_000, 0.9995 * divisor):
            shown = nodes / divisor
            return number(f"{shown:.1f} {letter}" if shown < 100 else f"{shown:.0f} {letter}")
    return number(f"{nodes:,}")


def offers_sentence(view: RoomView, marks: tuple[str, str] = MARKS) -> str:
    """What others offer, until it is answered; empty without an offer."""
    return " ".join(
        f"{_offered_words(view, offer, marks)} {_how_to_answer(view, offer)}".rstrip()
        for offer in view.offers
        if offer.by != view.you
    )


def _offered_words(view: RoomView, offered: Offered | Offer, marks: tuple[str, str]) -> str:
    return t(f"event.offered.{offered.what}.{_person(view, offered.by)}", who=who(view, offered.by, marks))


def _how_to_answer(view: RoomView, offered: Offered | Offer) -> str:
    if view.you != other(offered.by) or (view.result is not None and offered.what != "rematch"):
        return ""
    return t("event.answer", what=offered.what)


def turn_sentence(view: RoomView, marks: tuple[str, str] = MARKS) -> str:
    """Whose turn it is, or what else the room waits for."""
    if view.result is not None:
        return result_sentence(view, view.result, marks)
    if not view.started:
        return t("turn.waiting")
    side = view.to_move
    if side is None:
        return ""
    whose = "yours" if view.my_turn and view.you != "both" else "other"
    where = _where(view)
    board = "" if view.position.forced is None else view.position.forced + 1
    return t(f"turn.{whose}{where}", mark=marks[side == "o"], who=who(view, side, marks), board=board)


def calls(before: RoomView, after: RoomView) -> bool:
    """Whether a change calls the player back to the terminal: it has become their turn, or their game has ended."""
    if after.you not in ("x", "o"):
        return False
    return (after.my_turn and not before.my_turn) or (after.result is not None and before.running)


def title(view: RoomView) -> str:
    """Title of the terminal's window, which is seen while other work goes on."""
    state = "over" if view.result is not None else "turn" if view.my_turn and view.you != "both" else "game"
    return t(f"title.{state}", game=game_name(view.rules))


def thinking_words(view: RoomView) -> str:
    """What the bot to move has found so far; empty if it reports nothing."""
    found = view.thinking
    if found is None or hides_figures(view):
        return ""
    return search_words(found.nodes, found.depth, found.value, found.win_in)


def warming_words(warm_up: WarmUp) -> str:
    """Why a bot keeps players waiting; empty once it does not."""
    if warm_up.warm:
        return ""
    return t("warming.of", done=warm_up.done, of=warm_up.of) if warm_up.of else t("warming")


def _where(view: RoomView) -> str:
    """Which form of a sentence tells where on nine boards the move must be made."""
    if not view.rules.nested:
        return ""
    return ".any" if view.position.forced is None else ".board"


def numbered_moves(view: RoomView) -> list[str]:
    """The move list: one row for X's and O's move, numbered; moves of the start in brackets."""
    played = [f"({move})" for move in view.start] + list(view.moves)
    rows = [played[at : at + 2] for at in range(0, len(played), 2)]
    return [f"{number:>3}. {'  '.join(f'{move:<5}' for move in row)}".rstrip() for number, row in enumerate(rows, 1)]
