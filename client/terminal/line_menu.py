"""The menu in lines, for a terminal that plays plainly: two questions, answered by number or by name."""

from __future__ import annotations

from collections.abc import Sequence

from client.terminal.bot_choice import offered_bots
from client.terminal.plain import Lines, Print
from client.terminal.seating import BadChoice, JoinRoom, NewRoom, Seating, game_or_room
from client.text import clean
from engine.position import Rules
from engine.rules import registry
from server.protocol import Opponent


async def choose(lines: Lines, err: Print) -> Seating | None:
    """Ask until there is an answer; None at the end of input."""
    choice = await _choose_game(lines, err)
    if choice is None or isinstance(choice, JoinRoom):
        return choice
    for sentence in choice.sentences:
        err(sentence)
    opponent = await _choose_opponent(choice, lines, err)
    return None if opponent is None else NewRoom(game=choice.id, opponent=opponent)


async def _choose_game(lines: Lines, err: Print) -> Rules | JoinRoom | None:
    games = registry.games()
    while True:
        err("Which game? Type its number, a game id, or an invitation's code or link.")
        answer = await _answer([game.name for game in games], lines, err)
        if answer is None or isinstance(answer, int):
            return None if answer is None else games[answer]
        try:
            return game_or_room(answer)
        except BadChoice as problem:
            err(str(problem))


async def _choose_opponent(game: Rules, lines: Lines, err: Print) -> Opponent | None:
    opponents = {
        "a friend, by an invitation": Opponent(kind="invite"),
        "anybody, who comes from the lobby": Opponent(kind="open"),
        "two people at this screen": Opponent(kind="self"),
    } | {line: Opponent(kind="bot", bot=name) for name, line in offered_bots(game).items()}
    err("Against whom? Type a number or a bot's name.")
    answer = await _answer(list(opponents), lines, err)
    if answer is None:
        return None
    return list(opponents.values())[answer] if isinstance(answer, int) else Opponent(kind="bot", bot=answer)


async def _answer(choices: Sequence[str], lines: Lines, err: Print) -> int | str | None:
    """The index of a choice by its number, or what else was typed; None at the end of input."""
    for number, choice in enumerate(choices, 1):
        err(f"{number:>3}  {choice}")
    while (line := await lines.next()) is not None:
        typed = clean(line).strip()
        if typed.isascii() and typed.isdigit() and len(typed) < 4:
            if 1 <= int(typed) <= len(choices):
                return int(typed) - 1
            err(f"The numbers go from 1 to {len(choices)}.")
        elif typed:
            return typed
    return None
