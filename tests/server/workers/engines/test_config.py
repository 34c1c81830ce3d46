"""The file of engines: what it says, and what is wrong with it in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.bots.roster import UnknownBot, bots
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
    with pytest.raises(TomlError, match="the Gomocup protocol does not know qubic: it knows gomoku and mnk:M,N,5"):
        parse(ONE + 'protocol = "gomocup"\ngames = ["gomoku", "qubic"]', HOME)


def test_the_time_for_a_move_is_that_of_its_protocol() -> None:
    for protocol, move_ms in (("json", 1000), ("codingame", 100)):
        assert parsed(ONE + f'protocol = "{protocol}"\n').move_ms == move_ms
