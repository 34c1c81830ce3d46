"""Playing on from a position of a recorded game, against a bot. Pure but for the language."""

from __future__ import annotations

from collections.abc import Sequence

from client.sdk.records import ServerBot
from client.terminal.language import t
from client.terminal.records.replay import Replay
from client.terminal.seating import NewRoom
from client.terminal.typed.commands import NotNow
from client.terminal.words.bots import offered_bots
from engine.bots.roster import UnknownBot, bot
from engine.rules.position import Rules, Side
from server.wire import Opponent


def side_to_play_on(replay: Replay, ply: int) -> Side:
    """Whose turn it is at a position, which is the side to take. Raises NotNow where the game is over there."""
    position = replay.positions[ply]
    if position.outcome is not None:
        raise NotNow(t("playon.over"))
    return position.to_move


def bots_to_play_on(replay: Replay, ply: int, listed: Sequence[ServerBot]) -> dict[str, str]:
    """Like `offered_bots`, but only those that can take up the game at a position."""
    view = replay.view(ply)
    return offered_bots(view.rules, listed, len(view.start) + len(view.moves))


def _checked_bot(name: str, game: Rules, listed: Sequence[ServerBot]) -> str:
    """The full name of a bot that plays the game. Raises NotNow."""
    engine = next((bot.family for bot in listed if bot.engine and bot.family.lower() == name.lower()), None)
    if engine is not None:
        return engine
    try:
        known = bot(name)
    except UnknownBot:
        known = None
    if known is None or not known.plays(game):
        raise NotNow(t("playon.unknown", name=repr(name[:40])))
    return known.name


def room_to_play_on(replay: Replay, ply: int, against: str, listed: Sequence[ServerBot] = ()) -> NewRoom:
    """A room that begins with the first `ply` moves of the game, against a bot. Raises NotNow.

    `listed` is what the server says of the bots that play the game: the engines that it hosts are among them.
    """
    view = replay.view(ply)
    return NewRoom(
        game=view.rules.id,
        opponent=Opponent(kind="bot", bot=_checked_bot(against, view.rules, listed)),
        seat=side_to_play_on(replay, ply),
        start=(*view.start, *view.moves),
    )
