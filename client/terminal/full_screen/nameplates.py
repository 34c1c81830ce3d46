"""What stands above a board: the game, and who sits there with which clock. Pure but for the language."""

from __future__ import annotations

from rich.text import Text

from client.sdk import ConnectionState, RoomView
from client.terminal.drawing.boards import Look
from client.terminal.language import t
from client.terminal.words import room as words
from client.terminal.words.games import game_name
from server.wire import Side

NEAR_THE_END_MS = 10_000
"""A clock with less is red."""
_CONNECTED, _LOST = ("●", "green"), ("○", "bold red")


def heading(view: RoomView, muted: bool, state: ConnectionState, delay_ms: int | None) -> Text:
    parts = [game_name(view.rules)]
    if view.started:
        parts.append(words.clock_settings(view.clock))
    if view.rated:
        parts.append(t("room.rated"))
    if view.you is None:
        parts.append(t("game.watch"))
    if view.spectators:
        parts.append(t("game.watching", count=view.spectators))
    if muted:
        parts.append(t("game.muted"))
    told = " · ".join(parts)
    if not state.connected:  # first: a narrow terminal cuts the end off
        return Text.assemble((f"{_LOST[0]} {state.sentence}", _LOST[1]), f"  {told}")
    sign, style = _CONNECTED
    delay = f" {delay_ms} ms" if delay_ms is not None else ""
    text = Text(told, style="bold")
    return text.append(f"  {sign} {state.sentence}{delay}", style)


def seat(view: RoomView, side: Side, left_ms: int | None, look: Look) -> Text:
    """A side's mark, clock, name and rating, and whether it is to move."""
    taken = view.seat(side)
    text = Text()
    pointer = ">" if look.ascii else "▶"
    text.append(f"{pointer} " if view.to_move == side else "  ", "bold yellow")
    text.append(f"{look.marks[side == 'o']} ", "bold cyan" if side == "x" else "bold magenta")
    if left_ms is not None and view.started:
        text.append(f"{words.clock_time(left_ms)}  ", "bold red" if left_ms < NEAR_THE_END_MS else "bold")
    text.append(words.seat_name(taken), "" if taken else "dim")
    rating = words.rating_words(view, side)
    if rating:
        text.append(f" {rating}", "dim")
    if view.you == side:
        text.append(f" {t('game.you')}", "dim")
    if taken is not None and not taken.present:
        text.append(f" {t('game.away')}", "red")
    return text
