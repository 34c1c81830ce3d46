"""The file of engines: what it says, and what is wrong with it in one sentence."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from engine.bots.player import check
from engine.bots.roster import UnknownBot, bots
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.registry import rules
from server.typed_toml import TomlError
from server.workers.engines.config import parse, roster
from server.workers.engines.engine import Engine

HOME = Path("/home/engines")
ONE = '[[engines]]\nname = "mine"\ncommand = "./mine"\n'


def parsed(text: str) -> Engine:
    [only] = parse(text, HOME)
    return only


def test_what_is_left_out_has_a_default() -> None:
    assert parsed(ONE) == Engine("mine", "./mine", "/home/engines", "json")


def test_everything_can_be_said() -> None:
    text = """
        [[engines]]
        name = "mine"
        command = "python3"
        arguments = ["mine.py", "--fast"]
        folder = "work"
        protocol = "json"
        games = ["mnk:3,3,3", "qubic", "tictactoe"]
        options = { style = "calm", depth = 3 }
        limits = ["depth", "nodes"]
        character = "Plays calmly."
        move_ms = 50
        memory_mb = 64
        cpu_s = 10
        file_mb = 0
    """
    assert parsed(text) == Engine(
        "mine", "python3", "/home/engines", "json", ("mine.py", "--fast"), "work", ("tictactoe", "qubic"),
        (("depth", 3), ("style", "calm")), ("nodes", "depth"), "Plays calmly.", 50, 64, 10, 0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "In the file, engines is missing: it must be 1 to 100 engines, each [[engines]]"),
        ("engines = []", "engines must be 1 to 100 engines"),
        ('[[engines]]\nname = "mine"', "In engines[0], command is missing: it must be a program"),
        (ONE.replace("mine", "my bot"), "engines[0].name must be 1 to 32 letters, digits or the signs . _ -"),
        (ONE + "memory = 3", "there is no setting 'memory' (did you mean memory_mb?)"),
        (ONE + "memory_mb = 0", "engines[0].memory_mb must be a whole number from 16 to 1048576, not '0'."),
        (ONE + 'protocol = "uci"', "engines[0].protocol must be"),
        (ONE + 'games = ["chess"]', "Engine mine: There is no game 'chess'"),
        (ONE + 'games = ["qubic", 4]', "engines[0].games[1] must be text, not '4'."),
        (ONE + "games = []", "engines[0].games must be a list of games"),
        (ONE + 'limits = ["time"]', 'engines[0].limits[0] must be "nodes" or "depth", not'),
        (ONE + "options = 3", "engines[0].options must be a table of values"),
        (ONE + 'protocol = "codingame"\ngames = ["qubic"]', "CodinGame's protocol does not know qubic: it knows"),
        (ONE + 'protocol = "codingame"\noptions = { a = 1 }', "CodinGame's protocol has no word for options; leave"),
        (ONE + 'protocol = "gomocup"\nlimits = ["nodes"]', "the Gomocup protocol has no word for limits; leave them"),
        (ONE + 'protocol = "codingame"\nlimits = ["nodes"]', "CodinGame's protocol has no word for limits; leave"),
        (ONE + 'protocol = "servt"', 'it connects to a port: name that, as in arguments = ["-p", "{port}"].'),
        (ONE + 'command = "a\\u0000b"', "This is not valid TOML"),
    ],
)
def test_the_sentence_says_what_would_be_right(text: str, sentence: str) -> None:
    with pytest.raises(TomlError) as error:
        parse(text, HOME)
    assert sentence in str(error.value)


def test_an_engine_is_a_bot_like_ours() -> None:
    engine = parsed(ONE + 'games = ["qubic"]\nlimits = ["nodes"]\n')
    bot = engine.bot
    assert pickle.loads(pickle.dumps(bot)) == bot
    assert (bot.name, bot.family, bot.parameters, bot.version) == ("mine", "mine", (), engine.version)
    assert bot.plays(rules("qubic"))
    assert not bot.plays(rules("tictactoe"))
    assert [bot.takes(limit) for limit in (NO_LIMIT, Limit(move_ms=5), Limit(nodes=5))] == [None, None, None]
    assert bot.takes(Limit(depth=5)) == "mine keeps no limit of depth: it takes move_ms or nodes."
    assert bot.warning(rules("qubic"), NO_LIMIT) is None
    assert "Another's program" in bot.entry.character


def test_the_version_is_a_digest_of_what_decides_the_play() -> None:
    before = parsed(ONE).version
    assert parsed(ONE + "memory_mb = 64\n").version == before
    others = ('arguments = ["-q"]', "options = { style = 1 }")
    assert len({before, *(parsed(f"{ONE}{one}\n").version for one in others)}) == 3


def test_a_roster_has_our_bots_and_the_engines() -> None:
    known = roster(parse(ONE, HOME))
    assert [entry.name for entry in known.entries] == [*(entry.name for entry in bots()), "mine"]
    assert known.bot("mine") == parsed(ONE).bot
    assert known.bot("alphabeta").name == "alphabeta:2"
    with pytest.raises(
        UnknownBot, match=r"There is no bot 'Mine' \(did you mean mine\?\).*, and here are also mine.*\.$"
    ):
        known.bot("Mine")
    with pytest.raises(UnknownBot, match="The ply of alphabeta:PLY"):
        known.bot("alphabeta:0")


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (("mine", "mine"), "Two engines are called mine: give each its own name."),
        (("mine", "Mine"), "Two engines are called Mine"),
        (("Strongest",), "Strongest is the name of a bot of ours: give the engine another name."),
        (("spot",), "spot is the name of a bot of ours"),
    ],
)
def test_each_name_is_one_bot(names: tuple[str, ...], sentence: str) -> None:
    text = "".join(ONE.replace('"mine"', f'"{name}"') for name in names)
    with pytest.raises(TomlError, match=sentence):
        roster(parse(text, HOME))


def test_a_protocol_may_not_know_a_game() -> None:
    brain = parsed(ONE + 'protocol = "gomocup"\n')
    played = [game for game in ("gomoku", "mnk:9,7,5", "mnk:5,5,4", "cube:5", "qubic") if brain.plays(rules(game))]
    assert played == ["gomoku", "mnk:9,7,5"]
    assert brain.entry.games == ("gomoku", "mnk:M,N,5", "mnk:M,N,5,exact")
    with pytest.raises(TomlError, match="the Gomocup protocol does not know qubic: it knows gomoku and mnk:M,N,5"):
        parse(ONE + 'protocol = "gomocup"\ngames = ["gomoku", "qubic"]', HOME)


def test_one_that_remembers_its_games_is_told_no_time_and_takes_no_long_opening() -> None:
    bots = {
        protocol: parsed(ONE + f'protocol = "{protocol}"\narguments = ["{{port}}"]\n').bot
        for protocol in ("json", "codingame", "servt")
    }
    assert {name: (bot.engine.move_ms, bot.engine.remembers) for name, bot in bots.items()} == {
        "json": (1000, False),
        "codingame": (100, True),
        "servt": (1000, True),
    }
    codingame = bots["codingame"]
    assert [codingame.takes(limit) for limit in (NO_LIMIT, Limit(move_ms=100))] == [None, None]
    assert codingame.takes(Limit(move_ms=99)) == (
        "mine cannot be told its time: a limit must leave it its 100 ms for a move."
    )
    check(codingame, rules("ultimate"), NO_LIMIT)
    check(bots["servt"], rules("nine-board"), NO_LIMIT, 1)
    check(bots["json"], rules("qubic"), NO_LIMIT, 20)
    sentence = "mine follows each game from its start: it takes no openings, and this one has 2 plies"
    with pytest.raises(ValueError, match=sentence):
        check(codingame, rules("ultimate"), NO_LIMIT, 2)
