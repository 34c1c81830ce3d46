"""A recorded game in lines: the moves go to stdout in a pipe; at a terminal it is gone through move by move."""

from __future__ import annotations

from collections.abc import Sequence

from client.sdk import Connection
from client.sdk.records import Records, ServerBot
from client.sdk.text import clean
from client.terminal.drawing.boards import Look, draw_view
from client.terminal.language import t
from client.terminal.plain.lines import Lines, Print, patiently
from client.terminal.records import words as record_words
from client.terminal.records.playing_on import bots_to_play_on, room_to_play_on, side_to_play_on
from client.terminal.records.replay import Replay
from client.terminal.records.review import Reviewing
from client.terminal.seating import NewRoom
from client.terminal.typed.commands import NotNow
from client.terminal.typed.exits import Exit, exit_asked
from client.terminal.words import room as words
from client.terminal.words.bots import bots_of_server

_STEPS = {"": 1, "n": 1, "next": 1, "p": -1, "previous": -1}


def tell_whole(replay: Replay, out: Print, err: Print, look: Look) -> None:
    """Tell a pipe the moves on `out`, and who played, the last board and the result on `err`."""
    _introduce(replay, err, look)
    for move in replay.last_view.moves:
        out(move)
    _show(replay, replay.plies, err, look)


async def go_through(
    replay: Replay, lines: Lines, err: Print, look: Look, connection: Connection, records: Records
) -> NewRoom | Exit:
    """Go through a game on a terminal, from the start, as far as is asked for, until it is left.

    Answers the room in which the player wants to play on from a position, else the way out.
    """
    reviewing = Reviewing(connection, replay, err)
    try:
        return await _follow(replay, lines, err, look, reviewing, records)
    finally:
        await reviewing.stop()


async def _follow(
    replay: Replay, lines: Lines, err: Print, look: Look, reviewing: Reviewing, records: Records
) -> NewRoom | Exit:
    _introduce(replay, err, look)
    err(t("replay.plain.hint"))
    ply = 0
    _show(replay, ply, err, look, reviewing)
    while (line := await lines.next()) is not None:
        word = clean(line).strip().lower().removeprefix("/")
        leaving = exit_asked(word)
        if leaving is not None:
            return leaving
        match word:
            case "play":
                room = await _choose_to_play_on(replay, ply, lines, err, look, records)
                if room is not None:
                    return room
                _show(replay, ply, err, look, reviewing)
            case "help" | "?":
                err("\n".join(f"{typed:<12}  {meaning}" for typed, meaning in record_words.help_rows()))
            case "moves":
                err("\n".join("".join(piece for piece, _ in row).rstrip() for row in record_words.move_rows(replay)))
            case "review":
                reviewing.start()
            case "board":
                _show(replay, ply, err, look, reviewing)
            case _ if word.startswith("play "):
                listed = await patiently(err, bots_of_server(records, replay.last_view.rules))
                room = _room_to_play_on(replay, ply, word.partition(" ")[2].strip(), listed, err)
                if room is not None:
                    return room
            case _:
                asked = _ply(word, ply, replay)
                if asked is None:
                    err(t("replay.plain.nothing", word=repr(word[:20])))
                elif asked == ply and word in _STEPS:
                    err(t("replay.plain.end" if ply else "replay.plain.begin"))
                else:
                    ply = asked
                    _show(replay, ply, err, look, reviewing)
    return Exit.QUIT


async def _choose_to_play_on(
    replay: Replay, ply: int, lines: Lines, err: Print, look: Look, records: Records
) -> NewRoom | None:
    """Ask for a bot until one can be; None for an empty line and the end of input."""
    try:
        mark = look.marks[side_to_play_on(replay, ply) == "o"]
    except NotNow as problem:
        err(str(problem))
        return None
    listed = await patiently(err, bots_of_server(records, replay.last_view.rules))
    bots = bots_to_play_on(replay, ply, listed)
    err(t("playon.plain", mark=mark))
    for number, line in enumerate(bots.values(), 1):
        err(f"{number:>3}  {line}")
    while typed := clean(await lines.next() or "").strip().lower():
        numbered = typed.isascii() and typed.isdigit() and len(typed) < 4 and 1 <= int(typed) <= len(bots)
        room = _room_to_play_on(replay, ply, list(bots)[int(typed) - 1] if numbered else typed, listed, err)
        if room is not None:
            return room
    return None


def _room_to_play_on(replay: Replay, ply: int, bot: str, listed: Sequence[ServerBot], err: Print) -> NewRoom | None:
    try:
        return room_to_play_on(replay, ply, bot, listed)
    except NotNow as problem:
        err(str(problem))
        return None


def _ply(word: str, ply: int, replay: Replay) -> int | None:
    """The ply that a word asks for."""
    if word in _STEPS:
        return replay.within(ply + _STEPS[word])
    if word.isascii() and word.isdigit() and len(word) < 9:
        return replay.within(int(word))
    return {"first": 0, "last": replay.plies}.get(word)


def _introduce(replay: Replay, err: Print, look: Look) -> None:
    err(f"{record_words.heading(replay)}.")
    x, o = (words.player_name(player) for player in (replay.record.x, replay.record.o))
    err(t("replay.plain.players", x_mark=look.marks[0], x=x, o_mark=look.marks[1], o=o))


def _show(replay: Replay, ply: int, err: Print, look: Look, reviewing: Reviewing | None = None) -> None:
    err(str(draw_view(replay.view(ply), look)))
    err(record_words.ply_sentence(replay, ply, look.marks))
    found = record_words.found_words(replay, ply)
    if found:
        err(found)
    judged = reviewing.words(ply) if reviewing is not None else ""
    if judged:
        err(judged)
