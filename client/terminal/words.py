"""What happens in a room, as sentences for one player. Pure. Names and chat are cleaned before they are put in."""

from __future__ import annotations

from client.game_view import Change, Committed, RoomView
from client.render import MARKS
from client.text import clean, cropped
from engine.position import other
from server.protocol import (
    ClockView,
    Declined,
    Ended,
    Moved,
    Offered,
    Present,
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

_LEVELS = ("a beginner", "easy", "casual", "fair", "good", "strong", "very strong", "as strong as it gets")
"""Words for strength, from the lowest level to the highest; the page has the same."""

_WINS = {"line": "with a line", "count": "with more boards"}
_LOSSES = {"line": "{winner} has a line", "count": "{winner} has more boards"}
_ENDS = {
    "resignation": "{loser} resigned",
    "flag": "{loser} ran out of time",
    "illegal_move": "{loser} made an illegal move",
    "crash": "{loser} crashed",
    "stall": "{loser} did not move",
    "disconnection": "{loser} left",
    "adjudication": "the game was adjudicated",
}
_DRAWS = {
    "board_full": "no move is left",
    "agreement": "both agreed",
    "adjudication": "the game was adjudicated",
}
_WHAT = {"draw": "a draw", "takeback": "to take back a move", "rematch": "a rematch"}


def seat_name(seat: Seat | None) -> str:
    return cropped(clean(seat.name), NAME_COLUMNS) if seat is not None else "nobody yet"


def rating_words(view: RoomView, side: Side) -> str:
    """A side's rating: "1512", "1512?" while provisional, "1512 (+12)" after a rated game; empty without one."""
    seat = view.seat(side)
    if seat is None or seat.rating is None:
        return ""
    rating = seat.rating
    shown = f"{rating.value}{'?' if rating.provisional else ''}"
    return shown if rating.change is None else f"{shown} ({rating.change:+})"


def rated_sentence(view: RoomView, marks: tuple[str, str] = MARKS) -> str:
    """What the end of a game means for ratings; empty where nothing was at stake."""
    if not view.rated or view.result is None or view.result.termination == "aborted":
        return ""
    if all(seat is None or seat.rating is None or seat.rating.change is None for seat in (view.x, view.o)):
        return "It was too short to count for the ratings."
    return ratings_sentence(view, marks)


def ratings_sentence(view: RoomView, marks: tuple[str, str] = MARKS) -> str:
    """The ratings of who sits here; empty where nobody has one."""
    sides: tuple[Side, ...] = ("x", "o")
    told = [f"{who(view, side, marks)} {rating_words(view, side)}" for side in sides if rating_words(view, side)]
    return f"Ratings: {', '.join(told)}." if told else ""


def who(view: RoomView, side: Side, marks: tuple[str, str] = MARKS) -> str:
    """A side with its name, or "You" for the viewer: the beginning of a sentence."""
    mark = marks[side == "o"]
    if view.you == side:
        return f"You ({mark})"
    if view.you == "both":
        return mark
    return f"{seat_name(view.seat(side))} ({mark})"


def _does(view: RoomView, side: Side, third_person: str, second_person: str) -> str:
    return second_person if view.you == side else third_person


def clock_time(ms: int) -> str:
    """Time left: 1:02:03, 4:05, and below twenty seconds 9.8."""
    if ms < 20_000:
        return f"{ms // 100 / 10:.1f}"
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def clock_settings(clock: ClockView | None) -> str:
    if clock is None:
        return "no clock"
    if clock.move_ms is not None:
        return f"{clock.move_ms / 1000:g} s a move"
    return f"{(clock.initial_ms or 0) / 60_000:g}+{(clock.increment_ms or 0) / 1000:g}"


def result_sentence(view: RoomView, result: Result, marks: tuple[str, str] = MARKS) -> str:
    """How a game ended, as the viewer sees it: "You win: Bob (O) ran out of time." """
    if result.termination == "aborted":
        return "The game was aborted and does not count."
    if result.winner is None:
        return f"A draw: {_DRAWS.get(result.termination, 'nobody won')}."
    winner, loser = _in_sentence(view, result.winner, marks), _in_sentence(view, other(result.winner), marks)
    if view.you == other(result.winner):
        why = _LOSSES.get(result.termination) or _ENDS.get(result.termination, "the game is over")
        return f"You lose: {why.format(winner=winner, loser=loser)}."
    wins = "You win" if view.you == result.winner else f"{who(view, result.winner, marks)} wins"
    if result.termination in _WINS:
        return f"{wins} {_WINS[result.termination]}."
    why = _ENDS.get(result.termination, "the game is over")
    return f"{wins}: {why.format(winner=winner, loser=loser)}."


def _in_sentence(view: RoomView, side: Side, marks: tuple[str, str]) -> str:
    return "you" if view.you == side else who(view, side, marks)


def change_sentence(before: RoomView, after: RoomView, change: Change, marks: tuple[str, str] = MARKS) -> str | None:
    """What a message changed, in one sentence; None for what the board and the clocks tell alone."""
    if isinstance(change, Present) and before.seat(change.side) != after.seat(change.side):
        if after.you == change.side or after.result is not None:
            return None
        return f"{who(after, change.side, marks)} {'is here' if change.present else 'has lost the connection'}."
    if isinstance(change, Committed) and change.event is not None:
        return event_sentence(after, change.event, marks)
    return None


def event_sentence(view: RoomView, event: RoomEvent, marks: tuple[str, str] = MARKS) -> str | None:
    """`view` is the room after the event."""
    match event:
        case Moved():
            return f"{who(view, event.by, marks)} {_does(view, event.by, 'plays', 'play')} {event.move}."
        case Started():
            number = f" {event.game.serial}" if event.game.serial > 1 else ""
            return f"Game{number} starts: {who(view, 'x', marks)} against {_in_sentence(view, 'o', marks)}."
        case Ended():
            result = result_sentence(view, Result(winner=event.winner, termination=event.termination), marks)
            return f"{result} {rated_sentence(view, marks)}".rstrip()
        case Seated():
            return None  # the start, which follows, names both
        case Offered():
            return f"{who(view, event.by, marks)} {_does(view, event.by, 'offers', 'offer')} {_WHAT[event.what]}." + (
                "" if view.you == event.by else _how_to_answer(view, event)
            )
        case Declined():
            return f"{who(view, event.by, marks)} {_does(view, event.by, 'declines', 'decline')} {_WHAT[event.what]}."
        case TakenBack():
            return f"Moves were taken back: move {event.ply + 1} is to be played."
        case Said():
            return f"{cropped(clean(event.by.name), NAME_COLUMNS)}: {clean(event.text)}"


def level_words(level: int, highest: int) -> str:
    """How strong a level from 1 to `highest` is."""
    place = (level - 1) / (highest - 1) if highest > 1 else 1
    return _LEVELS[round(place * (len(_LEVELS) - 1))]


def found_sentence(event: RoomEvent, marks: tuple[str, str] = MARKS) -> str | None:
    """What a bot found at its move, with the moves that it expects; None for any other event."""
    if not isinstance(event, Moved) or event.search is None:
        return None
    search = event.search
    expected = f" · expects {' '.join(search.pv[1:6])}" if len(search.pv) > 1 else ""
    figures = search_words(search.nodes, search.depth, search.value, search.win_in)
    return f"{marks[event.by == 'o']} {event.move}: {figures}{expected}"


def search_words(nodes: int, depth: int, value: float | None, win_in: int | None = None) -> str:
    """Figures of a search in one line; the value is in the bot's own scale, from the view of the side that moves."""
    parts = [f"depth {depth}", f"{_count(nodes)} nodes"]
    if win_in:
        parts.append(f"wins in {win_in}" if win_in > 0 else f"loses in {-win_in}")
    elif value is not None:
        parts.append(f"{value:+,.0f}" if abs(value) >= 100 else f"{value:+.3g}" if value else "0")
    return " · ".join(parts)


def _count(number: int) -> str:
    """950, 34.5 k, 1.2 M"""
    for divisor, letter in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if number >= max(10_000, 0.9995 * divisor):
            shown = number / divisor
            return f"{shown:.1f} {letter}" if shown < 100 else f"{shown:.0f} {letter}"
    return f"{number:,}"


def _how_to_answer(view: RoomView, offered: Offered) -> str:
    if view.you != other(offered.by) or (view.result is not None and offered.what != "rematch"):
        return ""
    if offered.what == "rematch":
        return " /rematch accepts."
    return f" /{offered.what} accepts, /decline declines."


def turn_sentence(view: RoomView, marks: tuple[str, str] = MARKS) -> str:
    """Whose turn it is, or what else the room waits for."""
    if view.result is not None:
        return result_sentence(view, view.result, marks)
    if not view.started:
        return "Waiting for an opponent."
    side = view.to_move
    if side is None:
        return ""
    turn = (
        f"Your turn ({marks[side == 'o']})"
        if view.my_turn and view.you != "both"
        else f"{who(view, side, marks)} to move"
    )
    return f"{turn}{_where(view)}."


def thinking_words(view: RoomView) -> str:
    """What the bot to move has found so far, empty where nothing is told."""
    found = view.thinking
    return search_words(found.nodes, found.depth, found.value) if found is not None else ""


def _where(view: RoomView) -> str:
    """On nine boards, where the move must be made."""
    if not view.rules.nested:
        return ""
    forced = view.position.forced
    return f", in board {forced + 1}" if forced is not None else ", in any open board"


def numbered_moves(view: RoomView) -> list[str]:
    """The move list: one row for X's and O's move, numbered; moves of the start in brackets."""
    played = [f"({move})" for move in view.start] + list(view.moves)
    rows = [played[at : at + 2] for at in range(0, len(played), 2)]
    return [f"{number:>3}. {'  '.join(f'{move:<5}' for move in row)}".rstrip() for number, row in enumerate(rows, 1)]
