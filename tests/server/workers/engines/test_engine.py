"""An engine as a bot: what it plays, which limits it keeps, and what its version stands for."""

from __future__ import annotations

import pickle
from dataclasses import fields, replace
from itertools import product
from typing import Any

import pytest

from engine.bots.player import check
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.registry import rules
from server.workers.engines.engine import BOUNDS, PROTOCOLS, Engine

MINE = Engine("mine", "./mine", "/home/engines", "json")
PLAYS_ALIKE: dict[str, Any] = {
    "name": "other", "home": "/elsewhere", "folder": "work", "games": ("qubic",), "limits": ("nodes",),
    "character": "Calm.", "move_ms": 5, "memory_mb": 64, "cpu_s": 9, "file_mb": 0,
}  # fmt: skip
PLAYS_OTHERWISE: dict[str, Any] = {
    "protocol": "ugi", "command": "./other", "arguments": ("-q",), "options": (("style", 1),),
}  # fmt: skip


def test_the_version_is_a_digest_of_what_decides_the_play() -> None:
    assert PLAYS_ALIKE.keys() | PLAYS_OTHERWISE.keys() == {field.name for field in fields(Engine)}
    alike = {replace(MINE, **{name: value}).version for name, value in PLAYS_ALIKE.items()}
    others = {replace(MINE, **{name: value}).version for name, value in PLAYS_OTHERWISE.items()}
    assert alike == {MINE.version}
    assert len(others | alike) == len(PLAYS_OTHERWISE) + 1
    assert MINE.version == 3_568_750_747, "databases hold it"


def test_it_is_a_bot_like_ours() -> None:
    bot = MINE.bot
    assert pickle.loads(pickle.dumps(bot)) == bot
    assert (bot.name, bot.family, bot.parameters, bot.version) == ("mine", "mine", (), MINE.version)
    assert bot.warning(rules("qubic"), NO_LIMIT) is None
    assert bot.entry.character == "Another's program, which plays over JSON lines."
    assert replace(MINE, character="Calm.").entry.character == "Calm."


@pytest.mark.parametrize("limits", [(), ("nodes",), ("depth",), BOUNDS])
def test_it_takes_the_bounds_that_it_keeps_and_any_time(limits: tuple[str, ...]) -> None:
    bot = replace(MINE, limits=limits).bot
    assert [bot.takes(limit) for limit in (NO_LIMIT, Limit(move_ms=1))] == [None, None]
    for bound in BOUNDS:
        said = bot.takes(Limit(**{bound: 5}))
        kept = " or ".join(("move_ms", *limits))
        assert said == (None if bound in limits else f"mine keeps no limit of {bound}: it takes {kept}.")


GAMES = (
    "tictactoe", "ultimate", "ultimate:count", "nine-board", "super", "qubic", "cube:5", "gomoku", "mnk:9,7,5",
    "mnk:9,7,5,exact", "mnk:5,5,4",
)  # fmt: skip
PLAYED = {
    "json": GAMES,
    "ugi": GAMES,
    "gomocup": ("gomoku", "mnk:9,7,5", "mnk:9,7,5,exact"),
    "codingame": ("tictactoe", "ultimate", "ultimate:count"),
    "servt": ("nine-board",),
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_it_plays_what_its_protocol_knows_and_its_file_names(protocol: str) -> None:
    every = replace(MINE, protocol=protocol).bot
    assert [game for game in GAMES if every.plays(rules(game))] == list(PLAYED[protocol])
    for game, named in product(GAMES, PLAYED[protocol]):
        assert replace(MINE, protocol=protocol, games=(named,)).bot.plays(rules(game)) == (game == named)


def test_the_games_that_lists_show_are_those_of_its_file_or_all_of_its_protocol() -> None:
    every = replace(MINE, protocol="gomocup", games=())
    assert every.bot.entry.games == ("gomoku", "mnk:M,N,5", "mnk:M,N,5,exact")
    assert replace(every, games=("gomoku",)).bot.entry.games == ("gomoku",)


def test_one_that_cannot_be_told_its_time_must_be_left_it() -> None:
    for protocol in PROTOCOLS:
        bot = replace(MINE, protocol=protocol, move_ms=100).bot
        told = "mine cannot be told its time: a limit must leave it its 100 ms for a move."
        assert [bot.takes(limit) for limit in (NO_LIMIT, Limit(move_ms=100))] == [None, None]
        assert bot.takes(Limit(move_ms=99)) == (told if protocol in ("codingame", "servt") else None)


def test_one_that_remembers_its_games_takes_no_long_opening() -> None:
    codingame, servt = (replace(MINE, protocol=protocol) for protocol in ("codingame", "servt"))
    assert (MINE.remembers, codingame.remembers, servt.remembers) == (False, True, True)
    check(codingame.bot, rules("ultimate"), NO_LIMIT)
    check(servt.bot, rules("nine-board"), NO_LIMIT, 1)
    check(MINE.bot, rules("qubic"), NO_LIMIT, 20)
    sentence = "mine follows each game from its start: it takes no openings, and this one has 2 plies"
    with pytest.raises(ValueError, match=sentence):
        check(codingame.bot, rules("ultimate"), NO_LIMIT, 2)
