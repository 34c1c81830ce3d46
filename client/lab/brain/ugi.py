"""`noughts brain ugi`: a bot of ours for any arena that speaks UGI, the UCI-like Universal Game Interface.

`Dialogue` is the language: pure, lines in, effects out. `_Shell` carries the effects out: it writes lines and searches
in a thread, so that `stop` and `isready` are heard during a search.

    ugi                        id ..., option ..., ugiok
    setoption name N value V   N is game or bot; a game begins at its first position
    isready                    readyok, once the bot is loaded
    uginewgame                 (the first position again)
    position startpos [moves M ...]
    go [movetime MS | nodes N | depth N | infinite]
                               info lines, bestmove M; `none` when the game is over. Without a limit, a second
    stop                       bestmove as soon as possible; of another's engine at the end of its time
    query p1turn | gameover | result
                               response ...
    quit

Whatever cannot be obeyed is answered by `info string error: ...` and changes nothing.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.metadata import version
from io import TextIOWrapper
from random import randrange
from typing import IO, Any, Final, TypeAlias

import click

from client.lab.brain.loading import load_aloud
from client.lab.brain.watch import SearchWatch
from engine.bots.fault import BotFault
from engine.bots.player import NO_LIMIT, Decision, Limit, check, decide
from engine.bots.roster import OUR_ROSTER, Bot, Roster
from engine.rules.notation import shown
from engine.rules.position import Move, O, Position, Rules, X
from engine.rules.registry import games, rules
from server.console.arguments import known_roster
from server.console.examples import examples
from server.workers.engines.engine import EngineBot
from server.workers.engines.option import engines_option

FIRST_GAME: Final = "tictactoe"
FIRST_BOT: Final = "alphabeta:2"
DEFAULT_MS: Final = 1000

_LIMITS: Final = {"movetime": "move_ms", "nodes": "nodes", "depth": "depth"}
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_WINNERS: Final = {X: "p1win", O: "p2win", None: "draw"}
_JOIN_S: Final = 5
"""How long the end waits for a search that was stopped."""


@dataclass(frozen=True, slots=True)
class Search:
    """Decide, and report the result to the dialogue."""

    bot: Bot
    position: Position
    limit: Limit
    seed: int
    moves: tuple[Move, ...] = ()
    """Moves that led to the position."""


@dataclass(frozen=True, slots=True)
class Prepare:
    """Load the bot, so that its first move needs no more time than the others."""

    bot: Bot
    rules: Rules


class Do(Enum):
    STOP = "end the running search, if there is one"
    QUIT = "end"


Effect: TypeAlias = str | Search | Prepare | Do
"""A string is a line to write."""


class Dialogue:
    """The state of one conversation. Lines and events of the search come in, effects come out; nothing is raised."""

    def __init__(self, seed: int = 0, bots: Roster = OUR_ROSTER) -> None:
        self._seed = seed
        self._bots = bots
        self._bot = bots.bot(FIRST_BOT)
        self._position = rules(FIRST_GAME).initial
        self._moves: tuple[Move, ...] = ()
        self._search: Search | None = None
        self._waits_for_stop = False
        self._held: list[str] = []
        """What a `go infinite` that has ended by itself says once it is stopped."""
        self._commands: dict[str, Callable[[list[str]], list[Effect]]] = {
            "ugi": self._introduce,
            "setoption": self._set_option,
            "isready": self._is_ready,
            "uginewgame": self._new_game,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop,
            "query": self._query,
            "quit": self._quit,
        }

    def hear(self, line: str) -> list[Effect]:
        """A line of the arena, whatever it is."""
        words = line.split()
        if not words:
            return []
        try:
            if words[0] not in self._commands:
                raise ValueError(
                    f"There is no command {shown(words[0])}; the commands are {', '.join(self._commands)}."
                )
            return self._commands[words[0]](words[1:])
        except ValueError as error:
            return [_error(str(error))]

    def progressed(self, nodes: int, depth: int, value: float, pv: Sequence[int], elapsed_ms: int) -> list[str]:
        """The running search has come so far."""
        assert self._search is not None
        return [_info(self._search.position.rules, depth, value, nodes, elapsed_ms, pv)]

    def decided(self, decision: Decision, elapsed_ms: int) -> list[str]:
        """The running search has ended."""
        search = self._search
        assert search is not None
        try:
            position = search.position
            if not position.is_legal(decision.move):
                raise ValueError(f"it plays {decision.move}, which is illegal")
            depth, nodes, pv = decision.depth, decision.nodes, decision.pv or (decision.move,)
            last = _info(position.rules, depth, decision.value, nodes, elapsed_ms, pv)
            return self._end([last, f"bestmove {position.rules.format_move(decision.move)}"])
        except Exception as error:  # what a bot answers may be anything
            return self.failed(error)

    def failed(self, error: Exception) -> list[str]:
        """The running search has raised something. The arena waits for a move: there is none."""
        assert self._search is not None
        name = self._search.bot.name
        what = str(error) if isinstance(error, BotFault) else f"failed: {type(error).__name__}: {error}"
        return self._end([_error(f"{name} {what}"), "bestmove none"])

    def _end(self, last: list[str]) -> list[str]:
        self._search = None
        if self._waits_for_stop:
            self._held = last
            return []
        return last

    def _introduce(self, _: list[str]) -> list[Effect]:
        listed = " ".join(f"var {game.id}" for game in games())
        return [
            f"id name noughts {version('noughts')}",
            "id author the noughts authors",
            f"option name game type combo default {FIRST_GAME} {listed}",
            f"option name bot type string default {FIRST_BOT}",
            "ugiok",
        ]

    def _set_option(self, words: list[str]) -> list[Effect]:
        name, value = _option(words)
        if name == "game":
            self._begin(rules(value))
        elif name == "bot":
            self._bot = self._bots.bot(value)
        else:
            raise ValueError(f"There is no option {shown(name)}; the options are game and bot.")
        return []

    def _is_ready(self, _: list[str]) -> list[Effect]:
        if self._search is None and self._bot.plays(self._position.rules):
            return [Prepare(self._bot, self._position.rules), "readyok"]
        return ["readyok"]

    def _new_game(self, _: list[str]) -> list[Effect]:
        self._begin(self._position.rules)
        self._seed += 1  # otherwise a bot would play every game alike
        return []

    def _begin(self, game: Rules) -> None:
        self._position, self._moves = game.initial, ()

    def _set_position(self, words: list[str]) -> list[Effect]:
        if words[:1] != ["startpos"] or words[1:2] not in ([], ["moves"]):
            raise ValueError("A position is written: position startpos moves M1 M2 ...")
        game = self._position.rules
        position, moves = game.initial, list[Move]()
        for text in words[2:]:
            moves.append(game.parse_move(text))
            position = position.play(moves[-1])
        self._position, self._moves = position, tuple(moves)
        return []

    def _go(self, words: list[str]) -> list[Effect]:
        if self._search is not None or self._held:
            raise ValueError("A search is running: send stop first.")
        infinite = words == ["infinite"]
        limit = NO_LIMIT if infinite else self._limit(words)
        if self._position.outcome is not None:
            return ["bestmove none"]
        check(self._bot, self._position.rules, limit)
        self._waits_for_stop = infinite
        self._search = Search(self._bot, self._position, limit, self._seed, self._moves)
        return [self._search]

    def _limit(self, words: list[str]) -> Limit:
        if not words:
            second = Limit(move_ms=DEFAULT_MS)
            return second if self._bot.takes(second) is None else NO_LIMIT
        name, *numbers = words
        if name not in _LIMITS or len(numbers) != 1 or not _NUMBER.fullmatch(numbers[0]):
            raise ValueError("A limit is one of: movetime MS, nodes N, depth N, infinite; with a whole number.")
        return Limit(**{_LIMITS[name]: int(numbers[0])})

    def _stop(self, _: list[str]) -> list[Effect]:
        self._waits_for_stop = False
        held, self._held = self._held, []
        return [Do.STOP, *held]

    def _query(self, words: list[str]) -> list[Effect]:
        outcome = self._position.outcome
        answers = {
            "p1turn": _truth(self._position.to_move == X),
            "gameover": _truth(outcome is not None),
            "result": _WINNERS[outcome.winner] if outcome else "none",
        }
        asked = " ".join(words)
        if asked not in answers:
            raise ValueError(f"{shown(asked)} is not a query: ask for p1turn, gameover or result.")
        return [f"response {answers[asked]}"]

    def _quit(self, _: list[str]) -> list[Effect]:
        return [*self._stop([]), Do.QUIT]


def _option(words: list[str]) -> tuple[str, str]:
    """Name and value of `name N value V`, each of one or more words."""
    if words[:1] != ["name"] or "value" not in words[2:-1]:
        raise ValueError("An option is written: setoption name NAME value VALUE.")
    middle = words.index("value", 2)
    return " ".join(words[1:middle]).lower(), " ".join(words[middle + 1 :])


def _info(game: Rules, depth: int, value: float | None, nodes: int, elapsed_ms: int, pv: Sequence[int]) -> str:
    """The figures of a search; without a score from a bot that does not judge."""
    score = "" if value is None else f" score {_number(value)}"
    return f"info depth {depth}{score} nodes {nodes} time {elapsed_ms} pv {' '.join(map(game.format_move, pv))}"


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else f"{value:.6g}"


def _truth(fact: bool) -> str:
    return "true" if fact else "false"


def _error(sentence: str) -> str:
    return f"info string error: {' '.join(sentence.split())}"


class _Shell:
    """Reads lines until `quit` or their end, and does what the dialogue says."""

    def __init__(self, dialogue: Dialogue, out: IO[str]) -> None:
        self._dialogue = dialogue
        self._out = out
        self._turn = threading.RLock()
        """Held while a message goes to the dialogue and its answer is written, so that answers keep their order."""
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._join_s: float | None = _JOIN_S
        """None for another's engine, which has an end of its own."""

    def run(self, lines: Iterable[str]) -> None:
        for line in lines:
            if Do.QUIT in self._hear(line):
                break
        else:
            self._hear("quit")
        if self._thread is not None:
            self._thread.join(self._join_s)

    def _hear(self, line: str) -> list[Effect]:
        with self._turn:
            effects = self._dialogue.hear(line)
            for effect in effects:
                self._do(effect)
        return effects

    def _do(self, effect: Effect) -> None:
        if isinstance(effect, str):
            self._out.write(f"{effect}\n")
            self._out.flush()
        elif isinstance(effect, Search):
            self._stop = threading.Event()
            self._join_s = None if isinstance(effect.bot, EngineBot) else _JOIN_S
            self._thread = threading.Thread(target=self._search, args=(effect, self._stop), daemon=True)
            self._thread.start()
        elif isinstance(effect, Prepare):
            _load(effect.bot, effect.rules.id)
        elif effect == Do.STOP:
            self._stop.set()

    def _search(self, search: Search, stop: threading.Event) -> None:
        # Another's engine could only be ended without its move, which the arena waits for: it goes on.
        stopped = (lambda: False) if isinstance(search.bot, EngineBot) else stop.is_set
        watch = SearchWatch(stopped, self._progressed)
        with suppress(BrokenPipeError):  # the arena has gone; the other thread will notice too
            try:
                decision = decide(search.bot, search.position, search.limit, search.seed, watch, search.moves)
            except Exception as error:  # whatever a bot may raise
                self._tell(self._dialogue.failed, error)
            else:
                self._tell(self._dialogue.decided, decision, watch.elapsed_ms())

    def _progressed(self, *figures: Any) -> None:
        self._tell(self._dialogue.progressed, *figures)

    def _tell(self, event: Callable[..., list[str]], *arguments: Any) -> None:
        with self._turn:
            for line in event(*arguments):
                self._do(line)


@cache
def _load(bot: Bot, game: str) -> None:
    load_aloud(bot, rules(game))


@click.command(epilog=examples("printf 'ugi\\nquit\\n' | noughts brain ugi"))
@click.option("--seed", type=int, help="Seed for the bots' random choices; by default a new one at each start.")
@engines_option
@click.pass_context
def ugi(ctx: click.Context, seed: int | None) -> None:
    """Speak UGI, the UCI-like Universal Game Interface, on stdin and stdout: any arena can drive our bots."""
    # An arena's bytes may be no text, and the terms of an error are quoted back to it.
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)
    dialogue = Dialogue(randrange(1 << 48) if seed is None else seed, known_roster(ctx))
    _Shell(dialogue, sys.stdout).run(sys.stdin)
