"""Qubic, played by the proof: X wins from the empty board by the book and by threats; O waits for X to err.

A position that has no entry in the book, and that X does not win by threats, lies beside the proof: there both sides
search as `strongest` does, after they have looked for wins by threats of their own and of the other side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Final

import numpy as np

from engine.kernels import qubic_proof, qubic_threats
from engine.kernels.qubic_threats import WON
from engine.position import Move, Position
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.lines import cells_of
from engine.search import levels, negamax, skills
from engine.search.decision import Decision
from engine.search.limits import Limit, Watch
from engine.search.perfect import qubic_book
from engine.search.perfect.qubic_book import Entry

_FAILURES: Final = 1 << 17
"""1 MB: a worker has its table of positions beside it."""
_CAPS: Final = (1_000, 30_000, 300_000, 1_000_000)
"""Nodes of a search for a win by threats, tried in turn: the stop flag and the clock are read between."""
_ANSWER_CAP: Final = 20_000
"""The same for each reply of O's: with it the book was made."""


@dataclass(frozen=True, slots=True)
class _Attack:
    """A win by threats of the side to move."""

    plies: int
    line: tuple[Move, ...]
    """To the end: a move that makes two threes is followed by a reply that stops one of them."""


@dataclass(frozen=True, slots=True)
class _Answers:
    """How X, not to move, stands against each reply of O's."""

    moves: dict[Move, int]
    """The replies that X beats by threats: in how many moves."""
    left: tuple[Move, ...]


def mind(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """`perfect`, on Qubic."""
    assert isinstance(position, FlatPosition)
    return _Mind(position, limit, random, watch).decide()


class _Mind:
    """One decision. What threat searches remember is forgotten between decisions, so that each can be repeated."""

    def __init__(self, position: FlatPosition, limit: Limit, random: Random, watch: Watch) -> None:
        self._position = position
        self._limit = limit
        self._random = random
        self._watch = watch
        self._memory = _memory()
        self._memory.threats.failed[:] = 0
        self._nodes = 0

    def decide(self) -> Decision:
        return self._as_o() if self._position.ply & 1 else self._as_x()

    def _as_x(self) -> Decision:
        x, o = self._position.x, self._position.o
        attack = self._attack(x, o)
        if attack:
            return self._won(attack.plies, attack.line)
        entry = _entry(x, o)
        if entry:
            return self._won(entry.plies, self._longest(x, o, entry))
        return self._beside(self._kept_from_losing(o, x))

    def _as_o(self) -> Decision:
        x, o = self._position.x, self._position.o
        attack = self._attack(o, x)
        if attack:
            return self._won(attack.plies, attack.line)
        answers = self._answers(x, o)
        entries = {reply: _entry(x, o | 1 << reply) for reply in answers.left}
        open_replies = [reply for reply, entry in entries.items() if entry is None]
        if open_replies:
            return self._beside(open_replies)
        plies = {reply: entry.plies for reply, entry in entries.items() if entry}
        plies = plies or {reply: 2 * moves - 1 for reply, moves in answers.moves.items()}
        longest = max(plies.values())
        move = self._random.choice([reply for reply, count in plies.items() if count == longest])
        value = float(longest + 1 - negamax.WIN)
        return Decision(
            move, nodes=self._nodes, depth=longest + 1, value=value, win_in=-longest - 1, proven=True, pv=(move,)
        )

    def _won(self, plies: int, line: tuple[Move, ...]) -> Decision:
        value = float(negamax.WIN - plies)
        return Decision(line[0], nodes=self._nodes, depth=plies, value=value, win_in=plies, proven=True, pv=line)

    def _beside(self, moves: Sequence[Move]) -> Decision:
        """What `strongest` plays of these moves."""
        legal = self._position.legal_moves()
        if len(moves) == len(legal):
            decision = levels.strongest((), self._position, self._limit, self._random, self._watch)
        elif len(moves) == 1:
            decision = Decision(moves[0], pv=(moves[0],))
        else:
            skill = skills.strongest(self._position.rules)
            limit = self._limit if self._limit.nodes or self._limit.move_ms else Limit(nodes=skill.nodes)
            decision = negamax.choose(
                self._position, skill.depth, limit, self._random, self._watch, negamax.FULL, sorted(moves)
            )
            if (decision.win_in or 0) <= 0:
                decision = replace(decision, win_in=None, proven=False)
        return replace(decision, nodes=decision.nodes + self._nodes)

    def _kept_from_losing(self, attacker: int, defender: int) -> Sequence[Move]:
        """The moves after which the other side does not win by threats; all moves if there is none."""
        answers = self._answers(attacker, defender)
        return answers.left or self._position.legal_moves()

    def _attack(self, attacker: int, defender: int) -> _Attack | None:
        """A win by threats of the side to move."""
        threats = self._memory.threats
        budget = self._limit.nodes or _CAPS[-1]
        for cap in _CAPS:
            qubic_threats.set_row(threats, threats.rows[0], np.uint64(attacker), np.uint64(defender))
            found = qubic_threats.search(threats, min(cap, budget))
            self._nodes += int(threats.counters[0])
            if found == WON:
                line = _line(attacker, defender, threats.moves[: int(threats.counters[1])].tolist())
                return _Attack(len(line), line)
            if found == qubic_threats.FAILED or cap >= budget or self._is_late():
                return None
        return None

    def _is_late(self) -> bool:
        move_ms = self._limit.move_ms
        return self._watch.stopped() or (move_ms is not None and 4 * self._watch.elapsed_ms() >= move_ms)

    def _answers(self, x: int, o: int) -> _Answers:
        proof = self._memory.proof
        proof.counters[:] = 0
        cap = min(_ANSWER_CAP, self._limit.nodes or _ANSWER_CAP)
        left = int(qubic_proof.answer(proof, self._memory.threats, cap, np.uint64(x), np.uint64(o)))
        self._nodes += int(proof.counters[qubic_proof.THREAT_NODES])
        moves = {reply: count for reply, count in enumerate(proof.answers.tolist()) if count}
        return _Answers(moves, cells_of(left))

    def _longest(self, x: int, o: int, entry: Entry) -> tuple[Move, ...]:
        """X's move and how the game goes on if O makes X's way as long as it can."""
        line: list[Move] = []
        found: Entry | None = entry
        while found:
            line.append(found.move)
            x |= 1 << found.move
            answers = self._answers(x, o)
            entries = {reply: _entry(x, o | 1 << reply) for reply in answers.left}
            plies = {reply: entry.plies for reply, entry in entries.items() if entry}
            plies |= {reply: 2 * moves - 1 for reply, moves in answers.moves.items()}
            reply = max(plies, key=lambda reply: plies[reply])
            line.append(reply)
            o |= 1 << reply
            found = entries.get(reply)
        attack = self._attack(x, o)
        return (*line, *(attack.line if attack else ()))


@dataclass(frozen=True, slots=True)
class _Memory:
    threats: qubic_threats.Threats
    proof: qubic_proof.Proof


@lru_cache(maxsize=1)
def _memory() -> _Memory:
    game = _rules()
    return _Memory(qubic_threats.threats(game.lines, _FAILURES), qubic_proof.proof(game.symmetries, 64, 64))


@lru_cache(maxsize=1)
def _rules() -> FlatRules:
    from engine.rules.registry import rules

    game = rules("qubic")
    assert isinstance(game, FlatRules)
    return game


def _entry(x: int, o: int) -> Entry | None:
    """What the book says of a position with X to move, its move on this board."""
    key, symmetry = qubic_book.least_image(x, o)
    entry = qubic_book.shipped().get(key)
    return entry and Entry(symmetry.index(entry.move), entry.plies)


def _line(attacker: int, defender: int, moves: Sequence[Move]) -> tuple[Move, ...]:
    """A win by these moves with the replies, to the end."""
    masks = _rules().masks
    line: list[Move] = []
    for move in moves:
        line.append(move)
        attacker |= 1 << move
        completing = _completing(attacker, defender, masks[move])
        if completing is None:
            return tuple(line)
        line.append(completing)
        defender |= 1 << completing
    last = moves[-1]
    final = _completing(attacker, defender, masks[last])
    assert final is not None
    return (*line, final)


def _completing(attacker: int, defender: int, masks: Sequence[int]) -> Move | None:
    """Where the attacker completes one of these lines next; None if it has completed one."""
    found: Move | None = None
    for mask in masks:
        left = mask & ~attacker
        if not left:
            return None
        if not mask & defender and not left & (left - 1) and found is None:
            found = left.bit_length() - 1
    return found
