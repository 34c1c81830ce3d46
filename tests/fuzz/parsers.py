"""Every parser that reads what others wrote, as a function of bytes that raises only where the parser is at fault.

Each has examples to begin with, and where a checksum would turn all but the examples away, a `seal` that mends it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import re
import struct
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from websockets.frames import Opcode

from client.lab.brain.ugi import Dialogue
from client.lab.learn import records
from client.lab.solve.checkpoint import Unusable
from client.lab.solve.flat import checkpoint as flat_checkpoint
from client.lab.solve.qubic import checkpoint as qubic_checkpoint
from client.lab.verify import flat_checker, qubic_checker
from client.sdk import codec as client_codec
from client.sdk.address import websocket_url
from client.sdk.errors import NoughtsError
from client.sdk.marks import BadMarks, parse_marks
from client.terminal.menu_words import replay_asked
from client.terminal.seating import BadChoice, link_code, link_parts, parse_clock
from engine.bots.fault import BotFault
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.limit import Limit
from engine.rules.position import IllegalMove, MalformedMove, UnknownGame, play_all
from engine.rules.registry import games, rules
from engine.search import weights_file
from engine.search.decision import Decision
from engine.search.solve.flat_proof import prove, to_bytes
from engine.search.solve.solver import Solver
from server import typed_toml
from server.http.message import read_request
from server.ladder import config as ladder_config
from server.wire.codec import BadFrame, decode_event, parse
from server.workers.engines import config as engines_config
from server.workers.engines.dialogue import Event, Question, Ready
from server.workers.engines.engine import Engine
from server.workers.engines.protocols import dialogue
from tests.support.http.sockets import UPGRADE, Client, House, framed, get

ROOT: Final = Path(__file__).resolve().parents[2]
_DIGEST_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Parser:
    read: Callable[[bytes], None]
    """Raises whatever escapes: a fault."""
    examples: Callable[[], list[bytes]]
    seal: Callable[[bytes], bytes] | None = None
    """Gives changed bytes the checksum that lets them in."""
    speaks_wire: bool = False
    """The names of the protocol occur in it."""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _requests(data: bytes) -> None:
    for greeted in (True, False):
        with suppress(BadFrame):
            parse(data, greeted=greeted)


def _request_examples() -> list[bytes]:
    requests: list[dict[str, Any]] = [
        {"t": "hello", "v": 1, "token": "abc"},
        {"t": "create", "id": 7, "game": "qubic", "opponent": {"kind": "bot", "bot": "level:3"}, "seat": "x"},
        {
            "t": "create",
            "game": "mnk:7,7,5",
            "opponent": {"kind": "invite"},
            "clock": {"initial_ms": 1, "increment_ms": 0},
        },
        {"t": "move", "room": "abc", "cell": "a1.1", "ply": 3},
        {"t": "say", "room": "abc", "text": "hé\u200d\ud83d\ude00"},
        {"t": "resume", "room": "abc", "seq": 4},
        {"t": "review", "game": 1},
        {"t": "ping", "ts": 2**53},
    ]
    return [json.dumps(request).encode() for request in requests]


def _replies(data: bytes) -> None:
    client_codec.decode(data)


def _reply_examples() -> list[bytes]:
    return [
        b'{"t":"error","id":3,"code":"malformed","message":"no"}',
        b'{"t":"event","room":"a","seq":1,"ts":2,"type":"moved","cell":"a1","by":"x","ply":0,"clock":null}',
        b'{"t":"welcome","v":1,"player":{"id":"1","name":"Ann","kind":"person"},"token":"x"}',
        b'{"t":"pong","ts":1}',
    ]


class _Loud(logging.Handler):
    """What is logged as an error is one."""

    def emit(self, record: logging.LogRecord) -> None:
        raise AssertionError(record.getMessage())


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def _on_a_socket(first: bytes, data: bytes) -> None:
    """Send it to a server, at first in one piece and then cut into small ones."""
    trouble: list[Any] = []
    loop = _loop()
    loop.set_exception_handler(lambda _, context: trouble.append(context.get("exception") or context["message"]))

    async def send(size: int | None) -> None:
        house = House()
        client = Client(house)
        for part in (first, data):
            if part and not client.transport.is_closing():
                await client.send(part, size)
        client.lost()
        await house.all_turns()
        others = asyncio.all_tasks() - {asyncio.current_task()}  # they wait for what only a test brings about
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    log, loud = logging.getLogger("server"), _Loud(logging.ERROR)
    log.addHandler(loud)
    try:
        for size in (None, 7):
            loop.run_until_complete(send(size))
    finally:
        log.removeHandler(loud)
    assert not trouble, trouble


def _http(data: bytes) -> None:
    _on_a_socket(b"", data)


def _http_examples() -> list[bytes]:
    return [get("/"), get("/api/games?game=qubic&limit=5", "Origin: http://a"), get("/%ff/..", method="POST"), UPGRADE,
            b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"]  # fmt: skip


def _frames(data: bytes) -> None:
    _on_a_socket(UPGRADE, data)


def _frame_examples() -> list[bytes]:
    hello = framed(b'{"t":"hello","v":1}')
    return [
        hello + framed(b'{"t":"ping","ts":1,"id":2}'),
        framed(b'{"t":"hel', fin=False) + framed(b"x", Opcode.PING) + framed(b'lo","v":1}', Opcode.CONT),
        hello + framed(b'{"t":"create","game":"qubic","opponent":{"kind":"open"}}'),
        framed(b"\x03\xe8bye", Opcode.CLOSE),
        framed(b"\x00", Opcode.BINARY),
    ]


def _targets(data: bytes) -> None:
    read_request("GET", _text(data), [("Host", "a")])


def _moves(data: bytes) -> None:
    name, _, text = _text(data).partition(" ")
    with suppress(UnknownGame, MalformedMove, IllegalMove):
        play_all(rules(name).initial, map(rules(name).parse_move, text.split(" ")[:100]))


def _move_examples() -> list[bytes]:
    played = {game.id: " ".join(game.format_move(move) for move in game.initial.legal_moves()[:3]) for game in games()}
    return [f"{name} {text}".encode() for name, text in played.items()] + [b"mnk:9,8,4 a1 b2", b"cube:5 a1.1"]


def _written(data: bytes) -> None:
    """What people type and paste: clocks, marks, links, addresses."""
    text = _text(data)
    for read in (parse_clock, parse_marks, link_parts, link_code, replay_asked, websocket_url):
        with suppress(BadChoice, BadMarks, NoughtsError):
            read(text)


def _ladders(data: bytes) -> None:
    with suppress(typed_toml.TomlError, UnicodeDecodeError):
        ladder_config.parse(data.decode())


def _ladder_examples() -> list[bytes]:
    return [b'name = "n"\nseed = 1\n\n[[lists]]\ngame = "tictactoe"\nlimit = "nodes=9"\nbots = ["random", "level:1"]\n']


def _engines(data: bytes) -> None:
    with suppress(typed_toml.TomlError, UnicodeDecodeError):
        engines_config.roster(engines_config.parse(data.decode(), ROOT))


def _engines_examples() -> list[bytes]:
    return [
        b'[[engines]]\nname = "mine"\ncommand = "python3"\narguments = ["a.py", "-v"]\n'
        b'games = ["tictactoe", "mnk:5,5,4"]\nlimits = ["nodes", "depth"]\nmove_ms = 50\n'
        b'options = { style = "calm", book = true, width = 3 }\n',
        b'[[engines]]\nname = "theirs"\nprotocol = "servt"\ncommand = "./agent"\narguments = ["-p", "{port}"]\n'
        b'games = ["nine-board"]\nmemory_mb = 64\ncpu_s = 9\nfile_mb = 0\nfolder = "bin"\ncharacter = "Calm."\n',
    ]


_SPOKEN: Final = {
    "json": "tictactoe",
    "ugi": "qubic",
    "gomocup": "gomoku",
    "codingame": "ultimate",
    "servt": "nine-board",
}
"""A game for each protocol of engines."""


def _answers(data: bytes) -> None:
    """What an engine writes: the first byte chooses the protocol. It is asked again whenever it has answered."""
    protocol, game = [*_SPOKEN.items()][data[0] % len(_SPOKEN)] if data else ("json", "tictactoe")
    start = rules(game).initial
    speaker = dialogue(Engine("mine", "mine", "/", protocol))
    question = Question(start, (), Limit(move_ms=50), 50)
    with suppress(BotFault):
        told: list[Event] = speaker.begin(start.rules)
        for line in [b"", *data[1:].split(b"\n")[:50]]:
            told = [*told, *speaker.hear(line)] if line else told
            if any(isinstance(event, Ready | Decision) for event in told):
                speaker.ask(question)
            told = []


def _answers_examples() -> list[bytes]:
    return [
        b'\x00{"ready": true}\n{"info": {"nodes": 5, "depth": 1, "value": 0.5, "pv": ["b2", "a1"]}}\n'
        b'{"move": "b2", "nodes": 9}',
        b"\x01id name mine\noption name game type string\nugiok\nreadyok\n"
        b"info depth 2 score 15 nodes 7 pv a1.1 b2.2\nbestmove a1.1\nbestmove b2.2",
        b"\x02OK\n7,7\nMESSAGE well\nDEBUG depth 3\n8,8\nERROR none",
        b"\x034 4\n0 8 hello\n8 8",
        b"\x04connected\n5\n12\nmove 3\nend",
    ]


def _records(data: bytes) -> None:
    """Lines of a file of games that somebody wants to learn from."""
    scale = records.Scale(unit=100, since_version=1)
    records.add(records.Games(), rules("tictactoe"), scale, "games.jsonl", data.decode(errors="replace").splitlines())


def _records_examples() -> list[bytes]:
    return [
        b'{"game": "tictactoe", "moves": [{"cell": "b2", "value": 12.5}, {"cell": "a1"}, {"cell": "b1", "value": -1e9},'
        b' {"cell": "a2"}, {"cell": "b3", "value": 999999998}],'
        b' "x": {"name": "strongest", "kind": "bot", "version": 7}}',
        b'{"game": "tictactoe", "start": ["a1", "b2"], "moves": [{"cell": "c3"}], "o": {"name": "Ann"}}',
    ]


_NUMBERS: Final = 4


def _weights(data: bytes) -> None:
    with suppress(ValueError):
        weights_file.from_bytes(data, _NUMBERS)


def _weights_examples() -> list[bytes]:
    return [weights_file.to_bytes(np.arange(_NUMBERS, dtype=np.int16), {"game": "qubic", "games": 9})]


def _events(data: bytes) -> None:
    """Rows that the database has kept."""
    with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        decode_event(data)


def _proofs(data: bytes) -> None:
    with suppress(flat_checker.Rejected):
        flat_checker.check(data)
    with suppress(qubic_checker.Rejected):
        qubic_checker.records_in(data)


def _proof_examples() -> list[bytes]:
    position = rules("mnk:3,3,3").initial
    proofs = []
    for move in (0, 4):
        assert isinstance(position, FlatPosition)
        assert isinstance(position.rules, FlatRules)
        solver = Solver(position.rules, entries=1 << 12)
        proofs.append(to_bytes(prove(solver, position, solver.solve(position))))
        position = position.play(move)
    return proofs


def _sealed_proof(data: bytes) -> bytes:
    """With the size and the checksum that a proof of this length has."""
    body = data[:10] + struct.pack("<I", len(data)) + data[14:-_DIGEST_BYTES]
    return body + hashlib.sha256(body).digest()


_QUESTION: Final = "tictactoe"


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="noughts-fuzz-"))


def _checkpoints(data: bytes) -> None:
    path = _folder() / "checkpoint"
    path.unlink(missing_ok=True)  # some file systems wait for the disk where a file is cut to nothing and written again
    path.write_bytes(data)
    with suppress(Unusable):
        flat_checkpoint.load(path, _QUESTION)
    with suppress(Unusable):
        qubic_checkpoint.load(path)


def _ugi(data: bytes) -> None:
    dialogue = Dialogue()
    for line in _text(data).splitlines()[:50]:
        dialogue.hear(line)


def _ugi_examples() -> list[bytes]:
    return [
        b"ugi\nisready\nsetoption name game value qubic\nposition startpos moves a1.1 b2.2\ngo nodes 10\nstop\nquit",
        b"position startpos moves b2\ngo movetime 5\nquery p1turn\nquery result\nuginewgame",
        b"setoption name bot value level:3\ngo infinite\nstop",
    ]


def _digested(data: bytes) -> bytes:
    """With the digest of all before it."""
    body = data[:-_DIGEST_BYTES]
    return body + hashlib.sha256(body).digest()


def _checkpoint_examples() -> list[bytes]:
    path = _folder() / "example"
    flat_checkpoint.save(
        path, _QUESTION, flat_checkpoint.Saved(np.ones((2, 2), np.uint64), np.ones((2, 4), np.uint8), 7, 0.5)
    )
    flat = path.read_bytes()
    path.unlink()
    qubic_checkpoint.save(path, [np.arange(5, dtype=np.int64), np.arange(3, dtype=np.uint8)])
    qubic = path.read_bytes()
    path.unlink()
    return [flat, qubic]


def words(parser: Parser) -> set[bytes]:
    """What mutations may put in whole: words of the examples, and names of the protocol."""
    texts = list(parser.examples())
    if parser.speaks_wire:
        texts.append((ROOT / "docs" / "protocol.schema.json").read_bytes())
    return {word for text in texts for word in _WORD.findall(text)}


_WORD: Final = re.compile(rb"[A-Za-z0-9_.:]{2,24}")

PARSERS: Final = {
    "requests": Parser(_requests, _request_examples, speaks_wire=True),
    "replies": Parser(_replies, _reply_examples, speaks_wire=True),
    "events": Parser(_events, _reply_examples, speaks_wire=True),
    "http": Parser(_http, _http_examples),
    "frames": Parser(_frames, _frame_examples, speaks_wire=True),
    "targets": Parser(_targets, lambda: [b"/api/games?limit=5&game=qubic", b"http://[::1]:80/%e2%82?a=%00", b"*"]),
    "moves": Parser(_moves, _move_examples),
    "typed": Parser(_written, lambda: [b"5+3", b"10s", b"X,O", "🐱,o".encode(), b"http://[::1]:8765/room/a#c", b"12"]),
    "ladders": Parser(_ladders, _ladder_examples),
    "engines": Parser(_engines, _engines_examples),
    "answers": Parser(_answers, _answers_examples),
    "records": Parser(_records, _records_examples),
    "weights": Parser(_weights, _weights_examples, _digested),
    "proofs": Parser(_proofs, _proof_examples, _sealed_proof),
    "checkpoints": Parser(_checkpoints, _checkpoint_examples, _digested),
    "ugi": Parser(_ugi, _ugi_examples),
}
"""By the names that the command takes."""
