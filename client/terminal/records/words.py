"""What is told of a recorded game: its heading, each move with its time, and the times as bars.

Pure but for the language that is spoken.
"""

from __future__ import annotations

from datetime import UTC, datetime

from client.sdk import ProtocolError
from client.sdk.marks import MARKS
from client.sdk.records import RecordedGame
from client.sdk.text import clean
from client.terminal.drawing.text import cropped
from client.terminal.language import number, t
from client.terminal.records.replay import Replay
from client.terminal.words import room as words
from client.terminal.words.games import game_name
from engine.rules import registry
from engine.rules.position import UnknownGame
from engine.search.decision import SURE_PLIES
from server.wire import JudgedMove

BARS, ASCII_BARS = "▁▂▃▄▅▆▇█", "_.,-=+*#"
_HELP = ("next", "number", "ends", "moves", "board", "review", "play", "back")


def help_rows() -> list[tuple[str, str]]:
    """What is typed while replaying a game in lines, and what it does."""
    typed = {key: t(f"replay.typed.{key}") for key in ("next", "number", "ends")}
    typed |= {"play": "play BOT", "back": "back, quit"}
    return [(typed.get(key, key), t(f"replay.help.{key}")) for key in _HELP]


def heading(replay: Replay) -> str:
    record = replay.record
    parts = [
        game_name(replay.last_view.rules),
        t("replay.heading.game", number=record.id),
        words.clock_settings(record.clock),
    ]
    if record.rated:
        parts.append(t("room.rated"))
    return " · ".join([*parts, day(record.started_ms)])


def day(unix_ms: int) -> str:
    try:
        date = datetime.fromtimestamp(unix_ms / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return t("replay.unknown_time")
    return t("language.day", year=f"{date:%Y}", month=f"{date:%m}", day=f"{date:%d}")


def spent(ms: int) -> str:
    """The time of a move: 0.35, 4.8, 1:05."""
    if ms < 1000:
        return number(f"{ms / 1000:.2f}")
    if ms < 60_000:
        return number(f"{ms // 100 / 10:.1f}")
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes}:{seconds:02}"


def ply_sentence(replay: Replay, ply: int, marks: tuple[str, str] = MARKS) -> str:
    """The move that led to a position, and at the end the result."""
    view = replay.view(ply)
    if ply:
        move = replay.moves[ply - 1]
        by = words.who(view, move.by, marks)
        told = t("replay.move", ply=ply, plies=replay.plies, who=by, move=move.move, spent=spent(move.think_ms))
    else:
        told = t("replay.start") if not view.start else t("replay.started", moves=" ".join(view.start))
    if ply == replay.plies:
        told += f" {end_sentence(replay, marks)}"
    return told


def found_words(replay: Replay, ply: int) -> str:
    """What the bot that moved had found; empty for people, and while it would help the viewer in the game itself."""
    if not ply or words.hides_figures(replay.last_view):
        return ""
    move = replay.moves[ply - 1]
    if move.nodes is None or move.depth is None:
        return ""
    return words.search_words(move.nodes, move.depth, move.value, move.win_in, move.pv)


def review_words(judged: JudgedMove, made: str) -> str:
    """What a review says of a move, and what would have been better."""
    if judged.exact:
        told = t(
            f"review.{judged.verdict}{_within(judged.verdict, judged.win_in, judged.at_most)}",
            plies=_plies(judged.win_in),
        )
    else:
        told = t("review.better_side" if judged.verdict == "better" else f"review.{judged.verdict}")
    best = judged.best[0] if judged.best else made
    if best == made:
        return t("review.alone", made=told)
    # The record does not say whether these plies are a bound, so they are shown as one.
    within = _within(judged.could, judged.could_in, abs(judged.could_in or 0) > SURE_PLIES)
    could = t(f"review.could.{judged.could}{within}", best=clean(best), plies=_plies(judged.could_in))
    return t("review.better", made=told, better=could)


def _within(verdict: str, plies: int | None, at_most: bool) -> str:
    """Which form tells how soon the forced end comes; this move is counted, so that 1 is now."""
    if not plies or verdict not in ("won", "lost"):
        return ""
    if plies == 1:
        return ".once"
    return ".most" if at_most else ".in"


def _plies(win_in: int | None) -> int:
    return abs(win_in or 0)


def end_sentence(replay: Replay, marks: tuple[str, str] = MARKS) -> str:
    view = replay.last_view
    return words.result_sentence(view, view.result, marks) if view.result else t("replay.running")


def move_rows(replay: Replay) -> list[list[tuple[str, int | None]]]:
    """The list of moves with their times, two a row: each piece of text with the ply it leads to."""
    begun = [(f"({move})", None, None) for move in replay.last_view.start]
    made = [(move.move, spent(move.think_ms), ply) for ply, move in enumerate(replay.moves, 1)]
    cells = [*begun, *made]
    rows: list[list[tuple[str, int | None]]] = []
    for row_number, at in enumerate(range(0, len(cells), 2), 1):
        row: list[tuple[str, int | None]] = [(f"{row_number:>3}.", None)]
        row += [(f" {move:<5}{time or '':>6} ", ply) for move, time, ply in cells[at : at + 2]]
        rows.append(row)
    return rows


def time_bars(replay: Replay, ply: int, columns: int, ascii_only: bool = False) -> tuple[str, int | None]:
    """The time of each move as a bar, and where the bar of `ply` stands; those around it where all do not fit."""
    times = [move.think_ms for move in replay.moves]
    first = min(max(0, ply - 1 - columns // 2), max(0, len(times) - columns))
    longest = max(times, default=0) or 1
    steps = ASCII_BARS if ascii_only else BARS
    bars = "".join(steps[time * (len(steps) - 1) // longest] for time in times[first : first + columns])
    return bars, ply - 1 - first if ply else None


def line_of(record: RecordedGame) -> str:
    """A game in a list of games."""
    try:
        game = game_name(registry.rules(record.game))
    except UnknownGame:
        game = clean(record.game)
    names = " - ".join(cropped(words.player_name(player), 20) for player in (record.x, record.o))
    return t("record.line", game=game, names=names, ended=_ended(record), day=day(record.started_ms), number=record.id)


def _ended(record: RecordedGame) -> str:
    if record.termination is None:
        return t("record.running")
    if record.termination == "aborted":
        return t("games.aborted")
    return t("record.drawn") if record.winner is None else t("record.won", winner=record.winner.upper())


def number_in(text: str) -> int:
    """The number of a game, alone or at the end of a link. Raises ProtocolError."""
    last = text.strip().rstrip("/").rpartition("/")[2]
    if not (last.isascii() and last.isdigit() and len(last) < 16):
        raise ProtocolError(t("record.number", text=repr(cropped(clean(text), 40))))
    return int(last)
